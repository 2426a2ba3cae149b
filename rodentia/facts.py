"""What studies tell of a finished game: its goals, length and end, bonus marks, and each seat's species and catches."""

from itertools import combinations

import numpy as np

from rodentia.box import GOALS, GOALS_IN_PLAY, MOST_PLAYERS, SOLO, SPECIES, TERRAINS
from rodentia.scoring import all_control, solo_controlled
from rodentia.state import ENDING_NAMES
from tabletop.bits import count
from tabletop.game import NO_FACT, Fact
from tabletop.jit import jit

GOAL_PAIRS = tuple(combinations(range(len(GOALS)), GOALS_IN_PLAY))
GROUPS = tuple(range(SOLO + 1, MOST_PLAYERS + 1))
PAIR_SETS = np.array([(1 << a) | (1 << b) for a, b in GOAL_PAIRS], np.uint8)

FACTS = (
    Fact("ending", "how the game ended", ENDING_NAMES),
    Fact("rounds", "rounds begun"),
    Fact("goals", "the two goals in play", tuple(f"{GOALS[a]} + {GOALS[b]}" for a, b in GOAL_PAIRS), explains=True),
    Fact("bonus_marks", "X of all terrains", players=GROUPS),
    Fact("scared", "solo: rodents that the wolf scared", players=(SOLO,)),
    Fact("species", "species of a seat", SPECIES, of_seat=True, explains=True),
    Fact("catches", "how often a seat's leader was caught, up to 3", of_seat=True),
    Fact("hexes", "hexes that a seat controls in the final count", of_seat=True),
)
ENDING, ROUNDS, PAIR, BONUS_MARKS, SCARED, SPECIES_OF, CATCHES, HEXES = range(len(FACTS))


@jit
def goal_pair(s):
    """Place of the goals in `GOAL_PAIRS`; NO_FACT in the solo game."""
    for pair in range(PAIR_SETS.size):
        if PAIR_SETS[pair] == s.goals:
            return pair
    return NO_FACT


@jit
def report(s, out: np.ndarray) -> None:
    """Writes the facts of a finished game."""
    out[ENDING, 0] = s.ending
    out[ROUNDS, 0] = s.round
    out[PAIR, 0] = goal_pair(s)
    for terrain in range(TERRAINS):
        out[BONUS_MARKS, 0] += s.bonus[terrain]
    out[SCARED, 0] = s.scared
    control = all_control(s)
    for seat in range(np.int64(s.players)):
        out[SPECIES_OF, seat] = s.species[seat]
        out[CATCHES, seat] = s.catches[seat]
        out[HEXES, seat] = count(solo_controlled(s) if s.players == 1 else control[seat])
