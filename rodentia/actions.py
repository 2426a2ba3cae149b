"""Event ids and their tokens.

    id          token             who        when
    0 …  51     place:<hex>       seat       R21, R23
    52 …  57    take:<face>       seat       R15, R41
    58          stop              seat       R21, R23, R27
    59          jump              seat       R23
    60 …  62    mark, scare, mix  seat       R47, option solo_action = player
    63          is not used
    64 … 115    leader:<hex>      seat       R25, R49
    116         stay              seat       R23, R25, R49
    117 … 142   tie:<hex>         seat       R48; the solo game has one sheet
    143 … 194   wolf_a:<hex>      seat       R27
    195 … 246   wolf_b:<hex>      seat       R27
    247 … 298   burrow:<hex>      seat       R11, R40
    299 … 304   goal:<name>       chance     R8
    305, 306    diagonal:<way>    chance     R9
    307 … 311   species:<name>    chance     R10
    312 … 317   roll:<face>       chance     R14, R41

The frequent nodes have all their events in one word of a set: `place`, `take` and `stop` in the first one, `leader`
and `stay` in the second one.
"""

import numpy as np

from rodentia.box import DIRECTIONS, FACES, GOALS, MOST_HEXES, SHEET_HEXES, SPECIES
from rodentia.settings import map_of
from tabletop.bits import WORD_BITS
from tabletop.options import Settings

PLACE_AT = 0
TAKE_FACE = PLACE_AT + MOST_HEXES
STOP = TAKE_FACE + len(FACES)
JUMP_THERE = STOP + 1
MARK, SCARE, MIX = range(STOP + 2, STOP + 5)
LEADER_TO = WORD_BITS
STAY = LEADER_TO + MOST_HEXES
TIE_AT = STAY + 1
WOLF_A_TO = TIE_AT + SHEET_HEXES
WOLF_B_TO = WOLF_A_TO + MOST_HEXES
BURROW_AT = WOLF_B_TO + MOST_HEXES
ACTIONS = BURROW_AT + MOST_HEXES

DRAW_GOAL = ACTIONS
DRAW_DIRECTION = DRAW_GOAL + len(GOALS)
DRAW_SPECIES = DRAW_DIRECTION + len(DIRECTIONS)
ROLL_FACE = DRAW_SPECIES + len(SPECIES)
EVENTS = ROLL_FACE + len(FACES)

# How many outcomes come before those of each chance node, GOAL … ROLL.
OUTCOMES_BEFORE = np.array([DRAW_GOAL, DRAW_DIRECTION, DRAW_SPECIES, ROLL_FACE], np.uint16) - np.uint16(DRAW_GOAL)


def tokens(values: Settings) -> tuple[str, ...]:
    """The token of every id under these settings; "" for the hexes that the map does not have."""
    names = map_of(values).names
    one_sheet, hexes = (names + ("",) * (size - len(names)) for size in (SHEET_HEXES, MOST_HEXES))
    blocks = (
        _named("place", hexes),
        [f"take:{face}" for face in FACES],
        ["stop", "jump", "mark", "scare", "mix"],
        [""] * (LEADER_TO - MIX - 1),
        _named("leader", hexes),
        ["stay"],
        _named("tie", one_sheet[:SHEET_HEXES]),
        *(_named(kind, hexes) for kind in ("wolf_a", "wolf_b", "burrow")),
        [f"goal:{goal}" for goal in GOALS],
        [f"diagonal:{direction}" for direction in DIRECTIONS],
        [f"species:{name}" for name in SPECIES],
        [f"roll:{face}" for face in FACES],
    )
    return tuple(token for block in blocks for token in block)


def _named(kind: str, hexes: tuple[str, ...]) -> list[str]:
    return [f"{kind}:{hex_}" if hex_ else "" for hex_ in hexes]
