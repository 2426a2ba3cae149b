"""P11–P13: the plague piece moves, rat tokens spread, the region reached is ravaged."""

import numpy as np

from rattus.actions import DRAW, NEUTRAL, PLAGUE, REVEAL, SPREAD, only
from rattus.board import (
    ONE,
    has_region,
    holds,
    lay_token,
    neighbours,
    new_token,
    on_turn,
    random_type,
    rats_in,
    regions_with_cubes,
    regions_with_rats,
    regions_with_room,
    supply,
    take_from_pool,
)
from rattus.box import KNIGHT_CARD
from rattus.final import end_turn
from rattus.ravage import regions_to_ravage, reveal_token
from rattus.state import AT_DRAW, AT_KNIGHT_CHOICE, AT_PLAGUE, AT_REVEAL, AT_SPREAD, DRAWN
from tabletop.bits import ALL
from tabletop.jit import jit

NONE = np.int64(-1)  # no slot

# ---------------------------------------------------------------- P11


@jit(inlined=True)
def end_first_part(s) -> None:
    """P10 `end`: the plague piece is next."""
    s.usable = s.card_taken = s.placed = 0
    s.phase = AT_PLAGUE


@jit(inlined=True)
def legal_plague(s, out: np.ndarray) -> None:
    """P11: the adjacent regions; with the Knight those within his steps."""
    region = np.int64(s.plague)
    reached = neighbours(s, region)
    if holds(s, on_turn(s), KNIGHT_CARD):
        reached = np.int64(s.map.within_knight[region])
    only(out, PLAGUE, reached)


@jit(inlined=True)
def move_plague(s, region: int) -> None:
    """P11, P12: the piece moves; the rat tokens there say how many new ones come."""
    s.plague, s.phase = region, AT_SPREAD
    s.spread_left = s.rules.spread[rats_in(s, region)]


# ---------------------------------------------------------------- P12


@jit(inlined=True)
def regions_to_spread(s) -> int:
    """P12: the regions beside the plague piece that have room."""
    return neighbours(s, s.plague) & regions_with_room(s)


@jit(inlined=True)
def can_spread(s) -> bool:
    """P12: whether there is a new token and it has where to go."""
    return s.spread_left > 0 and supply(s) > 0 and regions_to_spread(s) != 0


@jit(inlined=True)
def legal_spread(s, out: np.ndarray) -> None:
    """P12 `spread`."""
    only(out, SPREAD, regions_to_spread(s))


@jit(inlined=True)
def spread(s, region: int) -> None:
    """P12 `spread`: the region is chosen; the token is drawn next."""
    s.region, s.phase = region, AT_DRAW


@jit(inlined=True)
def random_draw(s, rng: np.ndarray, stream: int) -> int:
    """P12: draws a token of the pool, each equally likely."""
    return DRAW + random_type(s, ALL, rng, stream)


@jit(inlined=True)
def draw(s, kind: int) -> None:
    """P12 `draw`: the token comes face down into the chosen region."""
    take_from_pool(s, kind)
    lay_token(s, np.int64(s.region), new_token(kind, DRAWN))
    s.region, s.phase = 0, AT_SPREAD
    s.spread_left -= 1


# ---------------------------------------------------------------- P13


@jit(inlined=True)
def begin_ravage(s) -> None:
    """P13: the holder of the Knight first decides about the neutral cubes, if there is anything to decide."""
    s.spread_left = 0
    both = regions_with_rats(s) & regions_with_cubes(s)
    decides = has_region(both, np.int64(s.plague)) and holds(s, on_turn(s), KNIGHT_CARD)
    s.phase = AT_KNIGHT_CHOICE if decides else AT_REVEAL


@jit(inlined=True)
def legal_knight_choice(s, out: np.ndarray) -> None:
    """P13 `neutral`, `no_neutral`."""
    only(out, NEUTRAL, ONE * 3)


@jit(inlined=True)
def choose_neutral(s, event: int) -> None:
    """P13 `neutral`, `no_neutral`."""
    s.neutral = event == NEUTRAL
    s.phase = AT_REVEAL


@jit(inlined=True)
def neutral_cubes(s) -> int:
    """P13: the neutral cubes in this ravage."""
    return np.int64(s.rules.neutral_cubes) if s.neutral else np.int64(0)


@jit(inlined=True)
def single_token(s, region: int) -> int:
    """P13: the slot of the token that is revealed without an event, or NONE."""
    is_single = has_region(regions_to_ravage(s), region) and rats_in(s, region) == 1
    return np.int64(0) if is_single else NONE


@jit(inlined=True)
def ravage(s, chosen: int) -> None:
    """P13: the chosen token is revealed, then a single one without an event; the turn ends if no more are."""
    region = np.int64(s.plague)
    slot = chosen if chosen >= 0 else single_token(s, region)
    while slot >= 0:
        reveal_token(s, region, slot, neutral_cubes(s))
        slot = single_token(s, region)
    if not has_region(regions_to_ravage(s), region):
        end_turn(s)


@jit(inlined=True)
def legal_reveal(s, out: np.ndarray) -> None:
    """P13 `reveal`: the tokens in the region."""
    only(out, REVEAL, (ONE << rats_in(s, np.int64(s.plague))) - 1)


@jit(inlined=True)
def go_on_with_plague(s, chosen: int) -> None:
    """P12, P13: goes on where there is nothing to choose; chosen: the slot of the token to reveal, or NONE."""
    if s.phase == AT_SPREAD and not can_spread(s):
        begin_ravage(s)
    if s.phase == AT_REVEAL:
        ravage(s, chosen)
