"""The state of a game: one record, its nested records, and the phases.

Sets of regions are integers, bit r is region r. Numbers of the four seats are packed into one integer, a byte
a seat, seat 0 lowest: `cubes[r]`, `reserve`, `palace`, and the class cards `held` (bit c of a byte: card c).

The rat tokens of a region are three 16-bit entries of one integer, the first slot lowest, 0 where there is none:

    bit   15–12   11–8      7       6              5–0
          0       seen by   1       drawn (not     type: its place in the
                  seat 3–0  (there) at set-up)     token table

All fields that the phase does not need are 0, so equal positions are equal bytes.
"""

import numpy as np

from rattus.box import REGIONS, SEATS, SLOTS, TYPES
from tabletop.layout import state_dtype

# Phases: which node comes next. Chance acts in the first four; then come the end, the set-up, what follows an ability
# that was begun, the parts of P10 and P21, and P11 to P13 in their order.
AT_RAT, AT_START, AT_DRAW, AT_LAST_REVEAL, AT_END, AT_SETTLE = range(6)
AT_MONK_TO, AT_MERCHANT_TO, AT_MERCHANT_COUNT, AT_WITCH_SECOND, AT_WITCH_CHOICE = range(6, 11)
AT_FIRST_PART, AT_FINAL_PART, AT_PLAGUE, AT_SPREAD, AT_KNIGHT_CHOICE, AT_REVEAL = range(11, 17)
PHASES = (
    *("rat", "start", "draw", "last reveal", "over", "settle"),
    *("monk to", "merchant to", "merchant count", "witch second", "witch choice"),
    *("first part", "final part", "plague", "spread", "knight choice", "reveal"),
)

TOKEN_BITS = 16
TYPE_MASK, DRAWN, THERE, SEEN, TOKEN_MASK = 63, 64, 128, 256, 0xFFFF

EMPTY_ONLY, OWN_DISTINCT, ANYWHERE = range(3)  # option initial_placement
UNTIL_EMPTY, REVEAL_ALL = range(2)  # option reveal
PIECE_NEUTRAL, NO_FINAL_KNIGHT = range(2)  # option knight_final

OPTIONS = state_dtype(
    [
        ("initial_placement", np.uint8),  # where cubes may be settled
        ("reveal", np.uint8),  # when a ravage stops
        ("knight_final", np.uint8),  # whether the Knight acts in the final round
    ]
)

RULES = state_dtype(
    [
        ("removed", np.uint16),  # tokens that are removed unseen with this number of players
        ("max_turns", np.uint16),
        ("cubes", np.uint8),  # a player
        ("settle_cubes", np.uint8),
        ("tokens_per_region", np.uint8),  # 1 … SLOTS
        ("spread", np.uint8, (SLOTS + 1,)),  # new tokens for each number of tokens in the region reached
        ("merchant_cubes", np.uint8),
        ("knight_steps", np.uint8),
        ("neutral_cubes", np.uint8),
        ("peasant_cubes", np.uint8),
    ]
)

QUARTER = 4  # regions in a row whose sets are looked up together
QUARTERS = REGIONS // QUARTER

MAP = state_dtype(
    [
        ("in_play", np.uint16),  # set of regions
        ("adjacent", np.uint16, (REGIONS,)),  # set of neighbours in play of each region
        ("beside", np.uint16, (QUARTERS, 1 << QUARTER)),  # neighbours of the sets of regions 4q … 4q + 3
        ("within_knight", np.uint16, (REGIONS,)),  # set of regions that the Knight reaches from each
    ]
)

TOKENS = state_dtype(
    [
        ("starting", np.uint64),  # set of the types that are starting tokens
        ("face", np.uint16, (TYPES,)),  # bits 0–2 limit, 3–5 M, 6–11 classes, 12–14 A
        ("printed", np.uint8, (TYPES,)),  # tokens of each type in the box
    ]
)
LIMIT_BITS, SYMBOL_BITS, CLASS_BITS = 3, 3, 6  # widths in `face`

STATE = state_dtype(
    [
        ("phase", np.uint8),  # which node comes next: place in PHASES
        ("seat", np.uint8),  # whose turn it is
        ("plague", np.uint8),  # region of the plague piece
        ("players", np.uint8),  # how many there are
        ("usable", np.uint8),  # class cards of the seat that it has not used in this turn
        ("card_taken", np.uint8),  # 1 once the seat has taken a class card in this turn
        ("placed", np.uint8),  # 1 once the seat has placed cubes in this turn
        ("final", np.uint8),  # 1 from the final round on
        ("region", np.uint8),  # of the ability or spread begun: where it starts
        ("slot", np.uint8),  # its slot there, from 0
        ("region_2", np.uint8),  # its second region and slot
        ("slot_2", np.uint8),  # from 0
        ("spread_left", np.uint8),  # new tokens still to come
        ("neutral", np.uint8),  # 1 if the plague piece counts as neutral cubes in this turn's ravage
        ("piece_neutral", np.uint8),  # 1 if it does so in the last ravage
        ("trigger", np.uint8),  # seat whose turn triggered the end
        ("settled", np.uint8),  # settlements made, until all are
        ("first_region", np.uint8, (SEATS,)),  # where each seat settled first, until all have settled
        ("turns", np.uint16),  # completed by all players together
        ("pool_tokens", np.uint16),  # tokens in the pool
        ("held", np.uint32),  # class cards of each seat
        ("reserve", np.uint32),  # cubes of each seat
        ("palace", np.uint32),  # cubes of each seat
        ("places", np.int64),  # bit 12·slot + region: there is a rat token
        ("pool", np.uint64),  # set of the types of which there is a token in the pool
        ("own", np.uint16, (SEATS,)),  # set of regions with a cube of each seat
        ("cubes", np.uint32, (REGIONS,)),  # cubes of each seat in each region
        ("rats", np.int64, (REGIONS,)),  # rat tokens of each region
        ("left", np.uint8, (TYPES,)),  # tokens of each type in the pool
        ("revealed", np.uint8, (TYPES,)),  # tokens of each type that have left the game
        ("options", OPTIONS),
        ("rules", RULES),
        ("map", MAP),
        ("tokens", TOKENS),
    ]
)
