"""P1, P5–P8: the first position, the starting tokens, the plague piece and the first cubes."""

import numpy as np

from rattus.actions import RAT
from rattus.board import (
    ONE,
    first_region_of,
    lay_token,
    new_token,
    on_turn,
    place_from_reserve,
    random_type,
    regions_in_play,
    regions_with_cubes,
    regions_with_rats,
    take_from_pool,
)
from rattus.box import TYPES
from rattus.classes import begin_part
from rattus.state import AT_FIRST_PART, AT_RAT, AT_SETTLE, AT_START, EMPTY_ONLY, OWN_DISTINCT
from tabletop.bits import EMPTY
from tabletop.jit import jit


@jit
def setup(s) -> None:
    """P1, P5: the first position: cubes in the reserves, tokens off the board, cards on the table."""
    clear_turn(s)
    clear_board(s)
    for seat in range(np.int64(s.players)):
        s.reserve |= np.int64(s.rules.cubes) << 8 * seat
    for kind in range(TYPES):
        s.left[kind] = s.tokens.printed[kind]
        s.pool_tokens += s.tokens.printed[kind]
        s.pool |= np.uint64(s.left[kind] > 0) << np.uint64(kind)
    s.phase = AT_RAT


@jit
def clear_turn(s) -> None:
    """Forgets whose turn it is and all that has happened in it."""
    s.seat = s.usable = s.card_taken = s.placed = s.final = s.trigger = s.turns = 0
    s.region = s.slot = s.region_2 = s.slot_2 = 0
    s.spread_left = s.neutral = s.piece_neutral = s.settled = 0
    s.first_region[:] = 0


@jit
def clear_board(s) -> None:
    """Takes all cubes, rat tokens and class cards away."""
    s.plague = s.places = s.held = s.reserve = s.palace = s.pool_tokens = 0
    s.pool = EMPTY
    s.own[:] = 0
    s.cubes[:] = 0
    s.rats[:] = 0
    s.revealed[:] = 0


@jit(inlined=True)
def region_for_rat(s) -> int:
    """P5: the next region in play without a token, in id order."""
    return first_region_of(regions_in_play(s) & ~regions_with_rats(s))


@jit(inlined=True)
def random_rat(s, rng: np.ndarray, stream: int) -> int:
    """P5: draws one of the starting tokens that are left, each equally likely."""
    return RAT + TYPES * region_for_rat(s) + random_type(s, s.tokens.starting, rng, stream)


@jit(inlined=True)
def lay_rat(s, region: int, kind: int) -> None:
    """P5, P6: a starting token comes face down into its region; the last one leaves the pool and the supply."""
    take_from_pool(s, kind)
    lay_token(s, region, new_token(kind, 0))
    if regions_with_rats(s) == regions_in_play(s):
        s.phase = AT_START


@jit(inlined=True)
def start_plague(s, region: int) -> None:
    """P7: the plague piece starts here; nothing is evaluated."""
    s.plague, s.phase = region, AT_SETTLE


@jit(inlined=True)
def regions_to_settle(s) -> int:
    """P8: where the seat may settle, by the option `initial_placement`."""
    if s.options.initial_placement == EMPTY_ONLY:
        return regions_in_play(s) & ~regions_with_cubes(s)
    if s.options.initial_placement == OWN_DISTINCT and s.settled >= s.players:
        return regions_in_play(s) & ~(ONE << np.int64(s.first_region[s.seat]))
    return regions_in_play(s)


@jit(inlined=True)
def settling_seat(s) -> int:
    """P8: seats 0 … n − 1, then n − 1 … 0."""
    settled, players = np.int64(s.settled), np.int64(s.players)
    return settled if settled < players else 2 * players - 1 - settled


@jit(inlined=True)
def settle(s, region: int) -> None:
    """P8: cubes of the seat come into the region."""
    place_from_reserve(s, on_turn(s), region, np.int64(s.rules.settle_cubes))
    if s.settled < s.players:
        s.first_region[s.seat] = region
    s.settled += 1
    s.seat = settling_seat(s)
    if s.settled == 2 * s.players:
        end_settling(s)


@jit(inlined=True)
def end_settling(s) -> None:
    """P8: all have settled; seat 0 begins."""
    s.settled = 0
    s.first_region[:] = 0
    begin_part(s, np.int64(0), AT_FIRST_PART)
