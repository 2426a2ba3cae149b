"""What a rat token of the box does on average, for each number of cubes in its region.

A token whose limit is above the number of cubes does nothing. Another table of tokens makes these numbers less
exact, not wrong: they only guide the greedy bot.
"""

import numpy as np

from rattus.box import BUILT_IN, CLASSES
from rattus.tables import read_tokens

MOST_CUBES = 6  # the highest limit

_TYPES = read_tokens(BUILT_IN).types
_TOKENS = sum(kind.tokens for kind in _TYPES)


def _average(symbols: str) -> np.ndarray:
    """Mean number of symbols that take effect with 0, 1, … MOST_CUBES cubes."""
    sums = np.zeros(MOST_CUBES + 1)
    for kind in _TYPES:
        shown = getattr(kind, symbols)
        sums[kind.limit :] += kind.tokens * (len(shown) if isinstance(shown, frozenset) else shown)
    return sums / _TOKENS


MAJORITIES = _average("majorities")
ALLS = _average("alls")
CLASSES_NAMED = _average("classes") / CLASSES  # of one class card
