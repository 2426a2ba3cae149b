"""What lies where: named helpers over the packed fields of the state, for regions, cubes, rat tokens and cards.

Everything widens to int64 before it calculates. Sets of regions are integers, bit r is region r.
"""

import numpy as np

from rattus.box import CLASSES, REGIONS, SEATS, SLOTS
from rattus.state import (
    CLASS_BITS,
    LIMIT_BITS,
    QUARTER,
    QUARTERS,
    STATE,
    SYMBOL_BITS,
    THERE,
    TOKEN_BITS,
    TOKEN_MASK,
    TYPE_MASK,
)
from tabletop.bits import bit, count, lowest, nth, without_lowest
from tabletop.jit import jit
from tabletop.rng import uniform

ONE = np.int64(1)
EVERY_REGION = (1 << REGIONS) - 1
EVERY_CARD = (1 << CLASSES) - 1
EVERY_SLOT = sum(1 << REGIONS * slot for slot in range(SLOTS))  # of region 0, in `places`
EVERY_SEAT = sum(1 << 8 * seat for seat in range(SEATS))  # 1 for each seat, in packed numbers
BYTE = 255

assert STATE.itemsize <= 768


# ---------------------------------------------------------------- regions


@jit(inlined=True)
def regions_in_play(s) -> int:
    """P2: the set of regions in play."""
    return np.int64(s.map.in_play)


@jit(inlined=True)
def neighbours(s, region: int) -> int:
    """P3: the set of neighbours in play of a region."""
    return np.int64(s.map.adjacent[region])


@jit(inlined=True)
def neighbours_of_any(s, regions: int) -> int:
    """The union of the neighbours in play of the regions of a set."""
    united = np.int64(0)
    for quarter in range(QUARTERS):
        united |= np.int64(s.map.beside[quarter, regions >> QUARTER * quarter & (1 << QUARTER) - 1])
    return united


@jit(inlined=True)
def regions_with_rats(s) -> int:
    """The set of regions that hold a rat token."""
    return s.places & EVERY_REGION


@jit(inlined=True)
def regions_full(s) -> int:
    """The set of regions that have no room for a rat token."""
    last_slot = np.int64(s.rules.tokens_per_region) - 1
    return s.places >> REGIONS * last_slot & EVERY_REGION


@jit(inlined=True)
def regions_with_room(s) -> int:
    """The set of regions in play that have room for a rat token."""
    return regions_in_play(s) & ~regions_full(s)


@jit(inlined=True)
def own_regions(s, seat: int) -> int:
    """The set of regions with a cube of the seat."""
    return np.int64(s.own[seat])


@jit(inlined=True)
def regions_with_cubes(s) -> int:
    """The set of regions with a cube of any seat."""
    return np.int64(s.own[0]) | np.int64(s.own[1]) | np.int64(s.own[2]) | np.int64(s.own[3])


@jit(inlined=True)
def has_region(regions: int, region: int) -> bool:
    """Whether a region is in a set."""
    return regions >> region & 1 != 0


@jit(inlined=True)
def first_region_of(regions: int) -> int:
    """The region with the smallest id in a set that is not empty."""
    return lowest(np.uint64(regions))


@jit(inlined=True)
def on_turn(s) -> int:
    """The seat whose turn it is, who decides."""
    return np.int64(s.seat)


# ---------------------------------------------------------------- cubes


@jit(inlined=True)
def of_seat(packed: int, seat: int) -> int:
    """The number of one seat in a packed number."""
    return packed >> 8 * seat & BYTE


@jit(inlined=True)
def for_seat(number: int, seat: int) -> int:
    """A packed number that is `number` for one seat and 0 for the others."""
    return number << 8 * seat


@jit(inlined=True)
def present(packed: int) -> int:
    """A packed number: 1 for each seat whose number is above 0 (all are below 128)."""
    return packed + 127 * EVERY_SEAT >> 7 & EVERY_SEAT


@jit(inlined=True)
def sum_of(packed: int) -> int:
    """The sum of the numbers of all seats."""
    pairs = (packed & 0x00FF00FF) + (packed >> 8 & 0x00FF00FF)
    return (pairs & 0xFFFF) + (pairs >> 16)


@jit(inlined=True)
def cubes_in(s, region: int) -> int:
    """The cubes of all seats in a region, packed."""
    return np.int64(s.cubes[region])


@jit(inlined=True)
def reserve_of(s, seat: int) -> int:
    """Cubes in the reserve of a seat."""
    return of_seat(np.int64(s.reserve), seat)


@jit(inlined=True)
def palace_of(s, seat: int) -> int:
    """Cubes of a seat in the palace."""
    return of_seat(np.int64(s.palace), seat)


@jit(inlined=True)
def add_cubes(s, seat: int, region: int, cubes: int) -> None:
    """Puts cubes of a seat into a region."""
    s.cubes[region] += for_seat(cubes, seat)
    s.own[seat] |= np.int64(cubes > 0) << region


@jit(inlined=True)
def remove_cubes(s, seat: int, region: int, cubes: int) -> None:
    """Takes cubes of a seat out of a region."""
    remaining = cubes_in(s, region) - for_seat(cubes, seat)
    s.cubes[region] = remaining
    s.own[seat] &= ~(np.int64(of_seat(remaining, seat) == 0) << region)


@jit(inlined=True)
def place_from_reserve(s, seat: int, region: int, cubes: int) -> None:
    """Moves cubes, at most those in the reserve, from the reserve of a seat into a region."""
    placed = min(cubes, reserve_of(s, seat))
    s.reserve -= for_seat(placed, seat)
    add_cubes(s, seat, region, placed)


@jit(inlined=True)
def leave_cubes(s, region: int, remaining: int) -> None:
    """Returns the cubes of a region to the reserves, down to those `remaining` (packed)."""
    before = cubes_in(s, region)
    s.cubes[region] = remaining
    s.reserve += before - remaining
    if present(before) != present(remaining):
        for seat in range(SEATS):
            s.own[seat] &= ~(np.int64(of_seat(remaining, seat) == 0) << region)


# ---------------------------------------------------------------- rat tokens


@jit(inlined=True)
def rats_in(s, region: int) -> int:
    """How many rat tokens a region holds."""
    return count(np.uint64(s.places >> region & EVERY_SLOT))


@jit(inlined=True)
def token_at(s, region: int, slot: int) -> int:
    """The entry of the rat token in a slot; 0 if there is none."""
    return s.rats[region] >> TOKEN_BITS * slot & TOKEN_MASK


@jit(inlined=True)
def lay_token(s, region: int, token: int) -> None:
    """P14: puts a rat token into the last place of a region that has room."""
    slot = rats_in(s, region)
    s.rats[region] |= token << TOKEN_BITS * slot
    s.places |= ONE << REGIONS * slot + region


@jit(inlined=True)
def lift_token(s, region: int, slot: int) -> int:
    """P14: takes a rat token out of a region, those behind it move up; returns the token."""
    tokens = s.rats[region]
    at = TOKEN_BITS * slot
    before = tokens & (ONE << at) - 1
    behind = tokens >> at + TOKEN_BITS << at
    s.places &= ~(ONE << REGIONS * (rats_in(s, region) - 1) + region)
    s.rats[region] = before | behind
    return tokens >> at & TOKEN_MASK


@jit(inlined=True)
def change_token(s, region: int, slot: int, bits: int) -> None:
    """Flips bits of the entry of a rat token in its place."""
    s.rats[region] ^= bits << TOKEN_BITS * slot


@jit(inlined=True)
def new_token(kind: int, origin: int) -> int:
    """The entry of a token of a type that nobody has seen; origin: DRAWN, or 0 for one of the set-up."""
    return kind | THERE | origin


@jit(inlined=True)
def type_of(token: int) -> int:
    """The type of a token."""
    return token & TYPE_MASK


@jit(inlined=True)
def limit_of(face: int) -> int:
    """P4: the limit on a token's front."""
    return face & (1 << LIMIT_BITS) - 1


@jit(inlined=True)
def majorities_of(face: int) -> int:
    """P4: how many symbols M are on a token's front."""
    return face >> LIMIT_BITS & (1 << SYMBOL_BITS) - 1


@jit(inlined=True)
def classes_of(face: int) -> int:
    """P4: the set of classes on a token's front."""
    return face >> LIMIT_BITS + SYMBOL_BITS & EVERY_CARD


@jit(inlined=True)
def alls_of(face: int) -> int:
    """P4: how many symbols A are on a token's front."""
    return face >> LIMIT_BITS + SYMBOL_BITS + CLASS_BITS


# ---------------------------------------------------------------- pool and supply


@jit(inlined=True)
def supply(s) -> int:
    """P6: how many tokens may still be drawn, from the end of P5 on."""
    return np.int64(s.pool_tokens) - np.int64(s.rules.removed)


@jit(inlined=True)
def take_from_pool(s, kind: int) -> None:
    """Takes a token of a type out of the pool."""
    s.left[kind] -= 1
    s.pool_tokens -= 1
    if s.left[kind] == 0:
        s.pool &= ~bit(kind)


@jit(inlined=True)
def return_to_pool(s, kind: int) -> None:
    """Puts a token of a type into the pool."""
    s.left[kind] += 1
    s.pool_tokens += 1
    s.pool |= bit(kind)


@jit
def tokens_left(s, kinds: np.uint64) -> int:
    """How many tokens of a set of types are in the pool."""
    tokens = 0
    while kinds:
        tokens += np.int64(s.left[lowest(kinds)])
        kinds = without_lowest(kinds)
    return tokens


@jit
def _weighted_type(s, kinds: np.uint64, rng: np.ndarray, stream: int) -> int:
    nth_token = uniform(rng, stream, tokens_left(s, kinds))
    while nth_token >= np.int64(s.left[lowest(kinds)]):
        nth_token -= np.int64(s.left[lowest(kinds)])
        kinds = without_lowest(kinds)
    return lowest(kinds)


@jit(inlined=True)
def random_type(s, among: np.uint64, rng: np.ndarray, stream: int) -> int:
    """The type of a random token among those of some types in the pool; the pool must have one."""
    kinds = s.pool & among
    if count(s.pool) == np.int64(s.pool_tokens):  # no two tokens are alike
        return nth(kinds, uniform(rng, stream, count(kinds)))
    return _weighted_type(s, kinds, rng, stream)


# ---------------------------------------------------------------- class cards


@jit(inlined=True)
def cards_of(s, seat: int) -> int:
    """The set of class cards that a seat holds."""
    return of_seat(np.int64(s.held), seat)


@jit(inlined=True)
def holds(s, seat: int, card: int) -> bool:
    """Whether a seat holds a class card."""
    return cards_of(s, seat) >> card & 1 != 0


@jit(inlined=True)
def may_use(s, card: int) -> bool:
    """Whether the seat on turn holds a class card that it has not used in this turn."""
    return np.int64(s.usable) >> card & 1 != 0


@jit(inlined=True)
def spend(s, card: int) -> None:
    """The seat on turn has used a class card."""
    s.usable &= ~(ONE << card)
