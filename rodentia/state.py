"""The state of one game: a single record, sized for 5 players on two sheets, options and rule numbers inside.

Hexes are numbered along the rows from the top (R3). The default map, two sheets:

       0  1  2  3  4  5          a1 … a6      sheet 1
     6  7  8  9 10 11 12        b1 … b7
      13 14 15 16 17 18          c1 … c6
    19 20 21 22 23 24 25        d1 … d7
      26 27 28 29 30 31          e1 … e6      sheet 2
    32 33 34 35 36 37 38        f1 … f7
      39 40 41 42 43 44          g1 … g6
    45 46 47 48 49 50 51        h1 … h7

A set of hexes is a 64-bit word, bit h stands for hex h. The number of rodents in each hex is kept in bit planes:
word k of `rodents[seat]` holds bit k of that seat's number for every hex. In the solo game (R40) the wolf marks
are kept as the rodents of seat 1. Entries that a game does not use are zero, so equal states are equal bytes.
"""

import numpy as np

from rodentia.box import MOST_CATCHES, MOST_HEXES, MOST_PLAYERS, MOST_ROWS, TERRAINS
from tabletop.layout import state_dtype

PLANES = 3  # bits of a number of rodents, so parameters that count circles go up to 7
MOST_CIRCLES = 2**PLANES - 1

FACE_COUNT = TERRAINS + 1
WOLF_MARKS = 1  # solo: the seat whose rodents are the wolf marks
NO_DIE = 255

# Nodes: what is awaited. The chance nodes come first, each is the number of its stream of random numbers.
GOAL, DIRECTION, SPECIES, ROLL = range(4)
BURROW, TAKE, PLACE, ADVANCED, JUMP, LEADER, WOLF_STEP = range(4, 11)
TIE_TARGET, TIE_STEP, TIE_HUNT, TIE_MARK, STRIKE, ENDED = range(11, 17)
NODE_NAMES = (
    "goal", "direction", "species", "roll", "burrow", "take", "place", "advanced", "jump", "leader", "wolf_step",
    "tie_target", "tie_step", "tie_hunt", "tie_mark", "strike", "ended",
)  # fmt: skip
STREAMS = ("goals", "diagonal", "species", "dice")

# How a game ended.
NOT_ENDED, BLOCKED_DICE, WOLF_END, LAST_ROUND, KING_LOST = range(5)
ENDING_NAMES = ("not ended", "blocked dice", "wolf end", "last round", "King caught three times")

BOARD = state_dtype(
    [
        ("east", np.uint64),  # hexes with a neighbour to the east, which is hex + 1
        ("southwest", np.uint64),  # hexes with a neighbour to the south-west: hex + step of its row
        ("southeast", np.uint64),  # hexes with a neighbour to the south-east: hex + step + 1
        ("land", np.uint64),  # hexes with a terrain
        ("row_starts", np.uint64),  # first hex of every row
        ("terrain", np.uint64, FACE_COUNT),  # hexes of each face
        ("indent", np.uint8, MOST_ROWS),  # half-hexes by which each row is shifted, the least one 0
        ("has_touching", np.uint8),  # whether hexes of the same terrain touch
        ("has_short_ways", np.uint8),  # whether no way over the map is longer than the distance on a plane
        ("south", np.uint8),  # the step to the south-west if it is the same in all rows, else 0
        ("hexes", np.uint8),
        ("rows", np.uint8),
    ]
)

RULES = state_dtype(
    [
        ("home_vp", np.int16),
        ("other_vp", np.int16),
        ("bonus_vp", np.int16),  # for each X
        ("leader_vp", np.int16),
        ("catch_vp", np.int16, MOST_CATCHES),  # for 1, 2, 3 catches; subtracted
        ("row_vp", np.int16),
        ("zone_vp", np.int16),
        ("area_vp", np.int16, 2),  # largest, second largest
        ("diagonal_vp", np.int16),
        ("burrow_vp", np.int16),
        ("edge_vp", np.int16),
        ("solo_hex_vp", np.int16),
        ("solo_scare_vp", np.int16),
        ("max_rounds", np.int16),
        ("solo_rounds", np.int16),
        ("rodents_per_turn", np.uint8),
        ("rodents_per_hex_per_turn", np.uint8),
        ("circles", np.uint8),
        ("control", np.uint8),
        ("wolf_steps", np.uint8),
        ("solo_win_hexes", np.uint8),
    ]
)

# Codes of options with more than two values: places in the lists of `settings.OPTIONS`.
RANDOM = 0  # diagonal
HEX_AND_NEIGHBOURS, HEX_ONLY, NEIGHBOURS_ONLY = range(3)  # leader_source
ALL_OF, ANY_OF = range(2)  # wolf_end
BY_RODENTS, BY_PLAYER = range(2)  # solo_action
TIES_PLAYER, TIES_FIXED = range(2)  # solo_ties
LEAVE_BURROW, FREE_KING = range(2)  # solo_king

OPTIONS = state_dtype(
    [
        ("goals", np.uint8),  # set of the two goals, or 0: drawn
        ("diagonal", np.uint8),  # RANDOM, 1 + ASCENDING, 1 + DESCENDING
        ("species", np.uint8, MOST_PLAYERS),  # 1 + species of each seat, or 0: drawn
        ("burrow_controlled", np.uint8),
        ("six_prevents_end", np.uint8),
        ("leader_source", np.uint8),
        ("advanced_placement", np.uint8),
        ("wolf_end", np.uint8),
        ("leader_bonus_on_burrow", np.uint8),
        ("solo_action", np.uint8),
        ("solo_ties", np.uint8),
        ("solo_king", np.uint8),
    ]
)

STATE = state_dtype(
    [
        # What is awaited
        ("choices", np.uint64),  # hexes, faces, goals, directions or species among which the event chooses
        ("to_move", np.int8),  # seat, CHANCE or OVER
        ("node", np.uint8),
        ("turn", np.uint8),  # place in the turn order of the phase; at ROLL dice rolled, in set-up seats served
        ("done", np.uint8),  # PLACE: rodents placed; WOLF_STEP and ties: steps or marks made
        ("target", np.uint8),  # JUMP: hex that the rodent went to
        ("movers", np.uint8),  # set of places in the turn order that have a wolf die and have not moved a wolf
        ("is_forced", np.uint8),  # WOLF_STEP: the move of the starting player for the free die
        ("is_new_catch", np.uint8),  # whether a leader has been caught in this round
        ("ending", np.uint8),
        # Sets of hexes
        ("controlled", np.uint64),  # with `control` rodents of one seat, or wolf marks
        ("full", np.uint64),  # no circle free
        ("burrows", np.uint64),
        ("wolves", np.uint64),
        ("leaders", np.uint64),
        ("shared", np.uint64),  # with two leaders or more
        ("placed", np.uint64),  # PLACE: rodents placed in this turn, see `placing.placed_in`
        ("sites", np.uint64),  # PLACE: open hexes of the die's terrain; TIE_MARK: hexes that may get a mark
        # Numbers in each hex; rodents as bit planes
        ("rodents", np.uint64, (MOST_PLAYERS, PLANES)),
        ("used", np.uint8, MOST_HEXES),  # circles used: rodents, wolf marks, struck rodents
        # Seats
        ("leader", np.uint8, MOST_PLAYERS),  # hex; solo: the King
        ("burrow", np.uint8, MOST_PLAYERS),  # hex
        ("catches", np.uint8, MOST_PLAYERS),
        ("species", np.uint8, MOST_PLAYERS),
        ("die", np.uint8, MOST_PLAYERS),  # face taken in this round, or NO_DIE
        # The table
        ("wolf", np.uint8, 2),  # hexes of wolf A and wolf B
        ("bonus", np.uint16, FACE_COUNT),  # X of each terrain
        ("dice", np.uint8, FACE_COUNT),  # dice of each face that nobody has taken
        ("faces", np.uint8),  # set of those faces
        ("goals", np.uint8),  # set
        ("direction", np.uint8),  # of the goal `diagonal`
        ("starter", np.uint8),  # starting player of the round
        ("round", np.int16),
        ("players", np.uint8),
        # Solo
        ("side", np.uint8),  # 0: who has the initiative takes control, 1: the other side, 2: after both
        ("numbers", np.uint8, FACE_COUNT),  # recorded wolf numbers not yet crossed out, by face
        ("scared", np.int16),
        # Settings
        ("options", OPTIONS),
        ("rules", RULES),
        ("board", BOARD),
    ]
)
