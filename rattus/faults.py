"""What must hold in every position. `faults` reports all that does not."""

import numpy as np

from rattus.board import (
    EVERY_SEAT,
    cards_of,
    cubes_in,
    of_seat,
    own_regions,
    palace_of,
    rats_in,
    regions_in_play,
    regions_with_rats,
    reserve_of,
    token_at,
    type_of,
)
from rattus.box import CLASSES, REGIONS, SEATS, SLOTS, TYPES
from rattus.classes import can_only_end
from rattus.state import AT_FINAL_PART, AT_FIRST_PART, AT_RAT, AT_START, THERE
from tabletop.bits import count, has
from tabletop.jit import jit

FAULTS = (
    "cubes of a player on the board, in the palace and in the reserve are not all there are",
    "rat tokens of a type on the board, in the pool and revealed are not all there are",
    "slots of a region are not filled from the first on, or not as `places` says",
    "a region holds more rat tokens than may be, or is not in play but holds something",
    "`own` is not where the cubes are",
    "`pool` or `pool_tokens` is not what is left",
    "a class card is held twice, or a seat may use a card that it does not hold",
    "the plague piece is not in a region in play",
    "a pass is the only action",
    "a seat that does not play has something",
)


@jit
def cubes_are_complete(s) -> bool:
    """§7: the cubes of every player."""
    for seat in range(np.int64(s.players)):
        cubes = reserve_of(s, seat) + palace_of(s, seat)
        for region in range(REGIONS):
            cubes += of_seat(cubes_in(s, region), seat)
        if cubes != s.rules.cubes:
            return False
    return True


@jit
def tokens_on_board(s, kind: int) -> int:
    """How many rat tokens of a type are on the board."""
    tokens = 0
    for region in range(REGIONS):
        for slot in range(SLOTS):
            token = token_at(s, region, slot)
            tokens += token & THERE != 0 and type_of(token) == kind
    return tokens


@jit
def tokens_are_complete(s) -> bool:
    """§7: the rat tokens of every type."""
    for kind in range(TYPES):
        elsewhere = np.int64(s.left[kind]) + np.int64(s.revealed[kind])
        if tokens_on_board(s, kind) + elsewhere != s.tokens.printed[kind]:
            return False
    return True


@jit
def slots_are_filled(s) -> bool:
    """P14: the slots of every region."""
    for region in range(REGIONS):
        for slot in range(SLOTS):
            token = token_at(s, region, slot)
            is_filled = slot < rats_in(s, region)
            if is_filled != (token & THERE != 0) or is_filled != (s.places >> REGIONS * slot + region & 1 != 0):
                return False
            if not is_filled and token != 0:
                return False
    return True


@jit
def regions_are_allowed(s) -> bool:
    """P2, P10, P12: what every region may hold."""
    for region in range(REGIONS):
        if rats_in(s, region) > s.rules.tokens_per_region:
            return False
        is_empty = rats_in(s, region) == 0 and cubes_in(s, region) == 0
        if not is_empty and not regions_in_play(s) >> region & 1:
            return False
    return s.phase == AT_RAT or s.turns > 0 or s.phase > AT_START or regions_with_rats(s) == regions_in_play(s)


@jit
def own_is_right(s) -> bool:
    """`own` against `cubes`."""
    for seat in range(SEATS):
        for region in range(REGIONS):
            if (of_seat(cubes_in(s, region), seat) > 0) != (own_regions(s, seat) >> region & 1 != 0):
                return False
    return True


@jit
def pool_is_right(s) -> bool:
    """`pool` and `pool_tokens` against `left`."""
    tokens = 0
    for kind in range(TYPES):
        tokens += np.int64(s.left[kind])
        if has(s.pool, kind) != (s.left[kind] > 0):
            return False
    return tokens == s.pool_tokens and (s.phase == AT_RAT or tokens >= s.rules.removed)


@jit
def cards_are_right(s) -> bool:
    """P10: every class card is held at most once, and a card is used by its holder."""
    for card in range(CLASSES):
        if count(np.uint64(np.int64(s.held) >> card & EVERY_SEAT)) > 1:
            return False
    return np.int64(s.usable) & ~cards_of(s, np.int64(s.seat)) == 0


@jit
def others_have_nothing(s) -> bool:
    """Seats that do not play hold no cubes and no cards."""
    packed = np.int64(s.reserve) | np.int64(s.palace) | np.int64(s.held)
    for region in range(REGIONS):
        packed |= cubes_in(s, region)
    return packed >> 8 * np.int64(s.players) == 0


@jit
def faults(s) -> int:
    """Bit set of the broken invariants; bit k is FAULTS[k]."""
    plague_is_right = s.phase <= AT_START or regions_in_play(s) >> np.int64(s.plague) & 1 != 0
    is_node = (s.phase != AT_FIRST_PART and s.phase != AT_FINAL_PART) or not can_only_end(s)
    return (
        np.int64(not cubes_are_complete(s))
        | np.int64(not tokens_are_complete(s)) << 1
        | np.int64(not slots_are_filled(s)) << 2
        | np.int64(not regions_are_allowed(s)) << 3
        | np.int64(not own_is_right(s)) << 4
        | np.int64(not pool_is_right(s)) << 5
        | np.int64(not cards_are_right(s)) << 6
        | np.int64(not plague_is_right) << 7
        | np.int64(not is_node) << 8
        | np.int64(not others_have_nothing(s)) << 9
    )
