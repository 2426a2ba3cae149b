"""P15 and P20–P23: the end of a turn, the final round, the last ravage, the score and the winner."""

import numpy as np

from rattus.actions import REVEAL_AT
from rattus.board import first_region_of, rats_in, reserve_of, supply
from rattus.box import REGIONS
from rattus.classes import begin_part
from rattus.ravage import regions_to_ravage, reveal_token
from rattus.state import AT_END, AT_FINAL_PART, AT_FIRST_PART, AT_LAST_REVEAL
from tabletop.jit import jit
from tabletop.rng import uniform


@jit(inlined=True)
def next_seat(s, seat: int) -> int:
    """P15: the next seat in turn order."""
    return seat + 1 if seat + 1 < np.int64(s.players) else np.int64(0)


@jit(inlined=True)
def right_hand_seat(s, seat: int) -> int:
    """P21: the seat's right-hand neighbour."""
    return seat - 1 if seat > 0 else np.int64(s.players) - 1


@jit(inlined=True)
def triggers_the_end(s, seat: int) -> bool:
    """P20, and the parameter `max_turns`."""
    return supply(s) == 0 or reserve_of(s, seat) == 0 or s.turns >= s.rules.max_turns


@jit(inlined=True)
def end_turn(s) -> None:
    """P15, P20: a turn is complete."""
    seat = np.int64(s.seat)
    s.turns += 1
    s.neutral = 0
    if triggers_the_end(s, seat):
        s.trigger, s.final = seat, 1
        next_in_final_round(s)
    else:
        begin_part(s, next_seat(s, seat), AT_FIRST_PART)


@jit
def next_in_final_round(s) -> None:
    """P21: the others act in turn, counter-clockwise; then comes the last ravage."""
    seat = right_hand_seat(s, np.int64(s.seat))
    begin_part(s, seat, AT_FINAL_PART)
    if seat == s.trigger:
        s.usable = 0
        ravage_all_regions(s)


@jit(inlined=True)
def last_neutral_cubes(s, region: int) -> int:
    """P21, P22: the neutral cubes in a region in the last ravage."""
    counts = s.piece_neutral and region == s.plague
    return np.int64(s.rules.neutral_cubes) if counts else np.int64(0)


@jit
def ravage_all_regions(s) -> None:
    """P22: every region is ravaged in id order; chance chooses among two or more tokens."""
    regions = regions_to_ravage(s)
    while regions:
        region = first_region_of(regions)
        if rats_in(s, region) > 1:
            s.region, s.phase = region, AT_LAST_REVEAL
            return
        reveal_token(s, region, np.int64(0), last_neutral_cubes(s, region))
        regions = regions_to_ravage(s)
    s.region, s.phase = 0, AT_END


@jit(inlined=True)
def random_last_reveal(s, rng: np.ndarray, stream: int) -> int:
    """P22: draws one of the tokens left in the region, uniformly."""
    region = np.int64(s.region)
    return REVEAL_AT + REGIONS * uniform(rng, stream, rats_in(s, region)) + region


@jit(inlined=True)
def last_reveal(s, region: int, slot: int) -> None:
    """P22: chance has chosen a token."""
    reveal_token(s, region, slot, last_neutral_cubes(s, region))
    ravage_all_regions(s)


@jit(inlined=True)
def score_of(s, seat: int) -> int:
    """P23: own cubes on the board and in the palace: all that are not in the reserve."""
    return np.int64(s.rules.cubes) - reserve_of(s, seat)


@jit(inlined=True)
def turns_until(s, seat: int) -> int:
    """P23: how many turns of others come before the next one of the seat, after the turn that triggered the end."""
    last = np.int64(s.trigger) if s.final else np.int64(s.seat)
    distance = seat - last - 1
    return distance if distance >= 0 else distance + np.int64(s.players)


@jit(inlined=True)
def is_ahead(s, seat: int, other: int) -> bool:
    """P23: whether a seat is ahead of another: more cubes, then the earlier next turn."""
    points, points_of_other = score_of(s, seat), score_of(s, other)
    if points == points_of_other:
        return turns_until(s, seat) < turns_until(s, other)
    return points > points_of_other


@jit
def scores(s, out: np.ndarray) -> None:
    """P23: writes the points of each seat to `out` (int32)."""
    for seat in range(np.int64(s.players)):
        out[seat] = score_of(s, seat)


@jit
def ranking(s, out: np.ndarray) -> None:
    """P23: writes the place of each seat to `out` (int32); there are no ties, 1 is the winner."""
    for seat in range(np.int64(s.players)):
        out[seat] = 1
        for other in range(np.int64(s.players)):
            out[seat] += is_ahead(s, other, seat)
