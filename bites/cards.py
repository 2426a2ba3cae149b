"""The powers of the Chocolate cards that are used before or instead of a move (B20, section 5)."""

import numpy as np

from bites.actions import BACKWARDS as TO_BACKWARDS
from bites.actions import RECYCLE as TO_RECYCLE
from bites.actions import TIPTOE as TO_TIPTOE
from bites.actions import TURBO as TO_TURBO
from bites.box import BACKWARDS, CHOCOLATE_DECK, DOUBLE_FISTER, FOODS, RECYCLER, SWAP, TIPTOE, TURBO
from bites.state import START
from bites.trail import (
    bears_ant,
    free_tokens,
    front,
    next_match,
    next_token,
    pick_up,
    place_of,
    previous_match,
    put_ant,
)
from bites.turn import end_turn, gain, spend_chocolate, walk, way_to
from tabletop.bits import bit, has
from tabletop.jit import jit

RECYCLED = 3  # tokens that the recycler takes


@jit
def turbo_target(s, ant: int) -> int:
    """Turbo: the second matching token ahead, or the hill if there are not two."""
    first = next_match(s, ant, place_of(s, ant))
    return first if first == s.hill else next_match(s, ant, first)


@jit
def turbo(s, ant: int) -> None:
    """Turbo: the ant skips the first matching token ahead; a log stops it as any ant (B30)."""
    spend_chocolate(s)
    walk(s, ant, way_to(s, ant, turbo_target(s, ant)))


@jit
def backwards_target(s, ant: int) -> int:
    """Backwards: the nearest matching token behind the ant, or START."""
    return previous_match(s, ant, place_of(s, ant))


@jit
def backwards(s, ant: int) -> None:
    """Backwards: the ant moves to the nearest matching token behind it."""
    spend_chocolate(s)
    walk(s, ant, backwards_target(s, ant))


@jit
def tiptoe_target(s, ant: int) -> int:
    """Tiptoe: the nearest token ahead whatever it shows, or the hill if there is none or an ant stands on it."""
    nearest = next_token(s, place_of(s, ant))
    return np.int64(s.hill) if bears_ant(s, nearest) else nearest


@jit
def tiptoe(s, ant: int) -> None:
    """Tiptoe: the ant moves onto the nearest token ahead; the turn goes on."""
    spend_chocolate(s)
    put_ant(s, ant, tiptoe_target(s, ant))


@jit
def recycle(s) -> None:
    """Recycler: instead of the turn, the first three free tokens from the start end are taken."""
    spend_chocolate(s)
    for _ in range(RECYCLED):
        place = front(s, START)
        if place != s.hill:
            gain(s, pick_up(s, place))
    end_turn(s)


@jit
def can_use_power(s, card: int, ant: int) -> bool:
    """Whether the card has a power for this ant, which is not on the hill, in this position."""
    if card == TURBO:
        return turbo_target(s, ant) != s.hill
    if card == BACKWARDS:
        return backwards_target(s, ant) != START
    return card == TIPTOE and tiptoe_target(s, ant) != s.hill


@jit
def ants_with_power(s, card: int) -> np.uint64:
    """The set of the ants for which the power of the card can be used."""
    ants = np.uint64(0)
    for ant in range(FOODS):
        if has(s.walking, ant) and can_use_power(s, card, ant):
            ants |= bit(ant)
    return ants


@jit(inlined=True)
def has_powers(s) -> bool:
    """Whether the Chocolate card in play is used before or instead of a move."""
    return s.card[CHOCOLATE_DECK] != DOUBLE_FISTER and s.card[CHOCOLATE_DECK] != SWAP


@jit
def powers(s) -> np.uint64:
    """B20: the set of the actions by which a chocolate can be spent before or instead of a move."""
    card = np.int64(s.card[CHOCOLATE_DECK])
    if card == TURBO:
        return ants_with_power(s, card) << np.uint64(TO_TURBO)
    if card == BACKWARDS:
        return ants_with_power(s, card) << np.uint64(TO_BACKWARDS)
    if card == TIPTOE:
        return ants_with_power(s, card) << np.uint64(TO_TIPTOE)
    if card == RECYCLER and free_tokens(s):
        return bit(TO_RECYCLE)
    return np.uint64(0)


@jit(inlined=True)
def is_power(event: int) -> bool:
    """Whether the event uses a power of this file."""
    return TO_TURBO <= event <= TO_RECYCLE


@jit
def use_power(s, event: int) -> None:
    """B20: a chocolate is spent for the power."""
    if event == TO_RECYCLE:
        recycle(s)
    elif event >= TO_TIPTOE:
        tiptoe(s, event - TO_TIPTOE)
    elif event >= TO_BACKWARDS:
        backwards(s, event - TO_BACKWARDS)
    else:
        turbo(s, event - TO_TURBO)
