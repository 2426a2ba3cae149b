"""What studies tell of a finished game: its end, cubes brought and lost, and each seat's dealings with class cards."""

import numpy as np

from rattus.actions import CARD, END, KING, KNIGHT, MERCHANT, MONK, NEUTRAL, PEASANT, PLACE, PLAGUE, WITCH
from rattus.board import has_region, holds, neighbours, on_turn, palace_of, rats_in, reserve_of, supply
from rattus.box import (
    CLASS_NAMES,
    CLASSES,
    KING_CARD,
    KNIGHT_CARD,
    MERCHANT_CARD,
    MONK_CARD,
    PEASANT_CARD,
    TYPES,
    WITCH_CARD,
)
from rattus.final import score_of
from rattus.state import AT_END, AT_FINAL_PART, AT_FIRST_PART, AT_PLAGUE, AT_SETTLE
from tabletop.game import Fact
from tabletop.jit import jit

ENDING_NAMES = ("supply empty", "reserve empty", "last turn")
SUPPLY_EMPTY, RESERVE_EMPTY, LAST_TURN = range(len(ENDING_NAMES))
NO_OR_YES = ("no", "yes")
TIMES = ("0", "1", "2", "3", "4 or more")
MOST_TIMES = len(TIMES) - 1

FACTS = (
    Fact("ending", "what brought the final round; an empty supply is named before all else", ENDING_NAMES),
    Fact("turns", "turns of all players before the final round"),
    Fact("revealed", "rat tokens that were revealed"),
    Fact("lost_by_all", "cubes that all players lost in ravages"),
    Fact("triggered", "whether the end came with a seat's own turn", NO_OR_YES, of_seat=True),
    Fact("placed", "cubes that a seat brought to the board, those it settled with included", of_seat=True),
    Fact("lost", "cubes that a seat lost in ravages", of_seat=True),
    Fact("palace", "cubes of a seat in the palace at the end", of_seat=True),
    *(
        Fact(f"{name}_taken", f"how often a seat took the {name}", TIMES, True, True, chosen="class card")
        for name in CLASS_NAMES
    ),
    *(Fact(f"{name}_used", f"how often a seat used the {name}", TIMES, of_seat=True) for name in CLASS_NAMES),
    *(Fact(f"{name}_held", f"whether a seat ended with the {name}", NO_OR_YES, of_seat=True) for name in CLASS_NAMES),
)
ENDING, TURNS, REVEALED, LOST_BY_ALL, TRIGGERED, PLACED, LOST, PALACE, TAKEN = range(9)
USED = TAKEN + CLASSES
HELD = USED + CLASSES

NO_CARD = -1

# ---------------------------------------------------------------- before every event


@jit
def cubes_brought(s, event: int) -> int:
    """P8 `settle`, P10 `place`, P10 and P21 `peasant`: how many cubes come from the reserve to the board."""
    cubes = np.int64(0)
    if s.phase == AT_SETTLE:
        cubes = np.int64(s.rules.settle_cubes)
    elif event < PEASANT:
        cubes = rats_in(s, event - PLACE)
    elif event < CARD:
        cubes = np.int64(s.rules.peasant_cubes) + (np.int64(0) if s.final else rats_in(s, event - PEASANT))
    return min(cubes, reserve_of(s, on_turn(s)))


@jit
def card_used_in_part(event: int) -> int:
    """P10, P21: the class card that an action of the first part or of the final round uses, or NO_CARD."""
    if event < KING:
        return PEASANT_CARD if PEASANT <= event < CARD else NO_CARD
    if event < MONK:
        return KING_CARD if event < MERCHANT else MERCHANT_CARD
    if event < KNIGHT:
        return MONK_CARD if event < WITCH else WITCH_CARD
    return KNIGHT_CARD


@jit
def is_move_of_knight(s, event: int) -> bool:
    """P11 `plague`: whether the piece goes where only the holder of the Knight may move it."""
    return s.phase == AT_PLAGUE and not has_region(neighbours(s, np.int64(s.plague)), event - PLAGUE)


@jit
def card_used(s, event: int) -> int:
    """The class card that an action uses, or NO_CARD. The Knight's move and his neutral cubes count apart."""
    if s.phase == AT_FIRST_PART or s.phase == AT_FINAL_PART:
        return card_used_in_part(event)
    return KNIGHT_CARD if event == NEUTRAL or is_move_of_knight(s, event) else NO_CARD


@jit
def tally(s, event: int, out: np.ndarray) -> None:
    """P8, P10–P13, P21: counts the cubes that each seat brings, and the class cards that it takes and uses."""
    if s.phase < AT_END:
        return
    seat, card = on_turn(s), card_used(s, event)
    out[PLACED, seat] += cubes_brought(s, event)
    if CARD <= event < END:
        out[TAKEN + event - CARD, seat] += 1
    if card != NO_CARD:
        out[USED + card, seat] += 1


# ---------------------------------------------------------------- after the end


@jit
def ending(s) -> int:
    """P20: what brought the final round."""
    if supply(s) == 0:
        return SUPPLY_EMPTY
    return LAST_TURN if s.turns >= s.rules.max_turns else RESERVE_EMPTY


@jit
def report_cards(s, seat: int, out: np.ndarray) -> None:
    """Which class cards a seat holds; how often it took and used each, as places in TIMES."""
    for card in range(CLASSES):
        out[HELD + card, seat] = holds(s, seat, card)
        for first in (TAKEN, USED):
            out[first + card, seat] = min(out[first + card, seat], MOST_TIMES)


@jit
def report(s, out: np.ndarray) -> None:
    """Writes the facts of a finished game. What was brought and does not score (P23) was lost."""
    out[ENDING, 0] = ending(s)
    out[TURNS, 0] = s.turns
    for kind in range(TYPES):
        out[REVEALED, 0] += s.revealed[kind]
    for seat in range(np.int64(s.players)):
        out[TRIGGERED, seat] = seat == s.trigger
        out[LOST, seat] = out[PLACED, seat] - score_of(s, seat)
        out[LOST_BY_ALL, 0] += out[LOST, seat]
        out[PALACE, seat] = palace_of(s, seat)
        report_cards(s, seat, out)
