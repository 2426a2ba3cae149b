"""Event ids and their tokens.

    id          token             who        when
    0 …   5     take:<face>       seat       R15, R41
    6           stop              seat       R21, R23, R27
    7           stay              seat       R23, R25, R49
    8           jump              seat       R23
    9 …  11     mark, scare, mix  seat       R47, option solo_action = player
    12 …  63    place:<hex>       seat       R21, R23
    64 … 115    leader:<hex>      seat       R25, R49
    116 … 141   tie:<hex>         seat       R48; the solo game has one sheet
    142 … 193   wolf_a:<hex>      seat       R27
    194 … 245   wolf_b:<hex>      seat       R27
    246 … 297   burrow:<hex>      seat       R11, R40
    298 … 303   goal:<name>       chance     R8
    304, 305    diagonal:<way>    chance     R9
    306 … 310   species:<name>    chance     R10
    311 … 316   roll:<face>       chance     R14, R41

The blocks lie so that `place` fills the first word of a set of events and `leader` begins the second one.
"""

import numpy as np

from rodentia.box import DIRECTIONS, FACES, GOALS, MOST_HEXES, SHEET_HEXES, SPECIES
from rodentia.settings import map_of
from tabletop.options import Settings

TAKE_FACE = 0
STOP, STAY, JUMP_THERE = 6, 7, 8
MARK, SCARE, MIX = 9, 10, 11
PLACE_AT = 12
LEADER_TO = PLACE_AT + MOST_HEXES
TIE_AT = LEADER_TO + MOST_HEXES
WOLF_A_TO = TIE_AT + SHEET_HEXES
WOLF_B_TO = WOLF_A_TO + MOST_HEXES
BURROW_AT = WOLF_B_TO + MOST_HEXES
ACTIONS = BURROW_AT + MOST_HEXES

DRAW_GOAL = ACTIONS
DRAW_DIRECTION = DRAW_GOAL + len(GOALS)
DRAW_SPECIES = DRAW_DIRECTION + len(DIRECTIONS)
ROLL_FACE = DRAW_SPECIES + len(SPECIES)
EVENTS = ROLL_FACE + len(FACES)

# First id of the outcomes of each chance node, GOAL … ROLL.
FIRST_OUTCOME = np.array([DRAW_GOAL, DRAW_DIRECTION, DRAW_SPECIES, ROLL_FACE], np.int64)


def tokens(values: Settings) -> tuple[str, ...]:
    """The token of every id under these settings; "" for the hexes that the map does not have."""
    names = map_of(values).names
    one_sheet, hexes = (names + ("",) * (size - len(names)) for size in (SHEET_HEXES, MOST_HEXES))
    blocks = (
        [f"take:{face}" for face in FACES],
        ["stop", "stay", "jump", "mark", "scare", "mix"],
        *(_named(kind, hexes) for kind in ("place", "leader")),
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
