"""P13: what a revealed rat token does to the cubes in its region."""

import numpy as np

from rattus.board import (
    EVERY_SEAT,
    alls_of,
    classes_of,
    cubes_in,
    leave_cubes,
    lift_token,
    limit_of,
    majorities_of,
    of_seat,
    present,
    regions_with_cubes,
    regions_with_rats,
    sum_of,
    type_of,
)
from rattus.box import SEATS
from rattus.state import REVEAL_ALL
from tabletop.bits import lowest
from tabletop.jit import jit


@jit(inlined=True)
def regions_to_ravage(s) -> int:
    """P13: the regions in which a ravage goes on: with a rat token and, unless all are revealed, a player's cube."""
    if s.options.reveal == REVEAL_ALL:
        return regions_with_rats(s)
    return regions_with_rats(s) & regions_with_cubes(s)


@jit(inlined=True)
def with_most(cubes: int) -> int:
    """P13, M: 1 for every seat with most cubes, if that is more than 0."""
    most = np.int64(0)
    for seat in range(SEATS):
        most = max(most, of_seat(cubes, seat))
    losers = np.int64(0)
    for seat in range(SEATS):
        losers |= np.int64(of_seat(cubes, seat) == most) << 8 * seat
    return losers & present(cubes)


@jit(inlined=True)
def holder_of(s, card: int) -> int:
    """P13, class: 1 for the seat that holds a class card now."""
    return np.int64(s.held) >> card & EVERY_SEAT


@jit(inlined=True)
def after_symbols(s, face: int, cubes: int) -> int:
    """P13: the cubes that are left after the symbols M, classes, A of a token, each on the cubes left before it."""
    for _ in range(majorities_of(face)):
        cubes -= with_most(cubes)
    classes = classes_of(face)
    while classes:
        cubes -= holder_of(s, lowest(np.uint64(classes))) & present(cubes)
        classes &= classes - 1
    for _ in range(alls_of(face)):
        cubes -= present(cubes)
    return cubes


@jit(inlined=True)
def reveal_token(s, region: int, slot: int, neutral_cubes: int) -> None:
    """P13: a rat token is revealed, compares its limit with the cubes there, acts, and leaves the game."""
    kind = type_of(lift_token(s, region, slot))
    s.revealed[kind] += 1
    face, cubes = np.int64(s.tokens.face[kind]), cubes_in(s, region)
    if sum_of(cubes) + neutral_cubes >= limit_of(face):
        leave_cubes(s, region, after_symbols(s, face, cubes))
