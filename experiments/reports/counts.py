"""How often each value occurred: points of each bot, lengths, margins, measures of the course.

Integers are counted as they are, shares between 0 and 1 in steps. The memory depends on how many different values
there are, not on the number of games.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments.reports.courses import are_decided, measures_of
from experiments.rows import COURSE, WHOLE
from experiments.summary import facts_of
from tabletop import Results, Variant
from tabletop.course import DECIDED, MEASURES

STEP = 0.05  # of shares
ROUNDING = 1e-5  # of a step: tables of games hold shares with seven digits
LEFT_OUT = ("options", "comeback")  # means of games, which have no steps of their own


def lower_ends(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Of the steps in which shares between 0 and 1 lie."""
    return np.minimum(np.floor(shares / STEP + ROUNDING), round(1 / STEP) - 1) * STEP


class Counts:
    """Counters of values, by name and group."""

    def __init__(self, variant: Variant, bots: Sequence[str]) -> None:
        self.variant = variant
        self.bots = tuple(dict.fromkeys(bots))
        self.bot_of = np.array([self.bots.index(name) for name in bots], np.int64)
        self.counted: dict[tuple[str, str], Counter[float]] = {}

    def add(self, results: Results) -> None:
        """Adds a chunk of games."""
        for name, group, values in self._columns(results):
            found, times = np.unique(values, return_counts=True)
            counter = self.counted.setdefault((name, group), Counter())
            counter.update(dict(zip(found.tolist(), times.tolist(), strict=True)))

    def _columns(self, results: Results) -> Iterator[tuple[str, str, npt.NDArray]]:
        bots = self.bot_of[results.bots]
        for b, bot in enumerate(self.bots):
            yield "score", bot, results.scores[bots == b]
        yield "events", "", results.lengths
        for i, fact in facts_of(self.variant).items():
            if not fact.categories:
                yield fact.name, "", results.facts[:, i, : self.variant.players if fact.of_seat else 1]
        if results.course:
            for name, values in zip(MEASURES, results.course.measures.T, strict=True):
                if name in measures_of(self.variant.players) and name not in LEFT_OUT:
                    counted = values[are_decided(results.course.measures)] if name == MEASURES[DECIDED] else values
                    yield COURSE + name, "", counted if name in WHOLE else lower_ends(counted)

    def table(self) -> pd.DataFrame:
        """name (as in tables of games), group (the bot of points), value (lower end of a step), count; ascending.

        The last step of shares holds 1 as well. Only games at the end of which one seat alone has the most points say
        when the lead was taken for good.
        """
        rows = [
            (name, group, float(value), counter[value])
            for (name, group), counter in self.counted.items()
            for value in sorted(counter)
        ]
        return pd.DataFrame(rows, columns=["name", "group", "value", "count"])
