"""A turn: an ant moves, its player takes a token, the next player follows (B10 – B15), with chocolate (B20)."""

import numpy as np

from bites.box import (
    CHOCOLATE,
    CHOCOLATE_DECK,
    DOUBLE_FISTER,
    FOODS,
    HILL_DECK,
    HUMBLE,
    LEVELS,
    LOGS_ON_TRAIL,
    SPECIAL_DECK,
    SWAP,
)
from bites.state import FINISHED, OFFER_SWAP, OFFER_TAKE, TAKE, TAKE_STACK, TURN
from bites.trail import BACK, FRONT, look_beside, next_match, pick_up, place_of, put_ant, stop_at_log
from tabletop.bits import bit, count
from tabletop.game import OVER
from tabletop.jit import jit


@jit(inlined=True)
def seat_to_move(s) -> np.uint8:
    """The seat to move, as an index."""
    return np.uint8(s.mover)


@jit(inlined=True)
def ants_on_hill(s) -> np.uint64:
    """The set of the ants on the hill."""
    return s.walking ^ np.uint64((1 << FOODS) - 1)


@jit(inlined=True)
def way_to(s, ant: int, target: int) -> int:
    """Where an ant on its way to `target` comes to rest: there, unless a log stops it (B30)."""
    if s.card[SPECIAL_DECK] == LOGS_ON_TRAIL:
        return stop_at_log(s, place_of(s, ant), target)
    return target


@jit(inlined=True)
def destination(s, ant: int) -> int:
    """B11: the place to which an ant that is not on the hill would move: a place of the trail, or the hill."""
    return way_to(s, ant, next_match(s, ant, place_of(s, ant)))


@jit
def stack_is_empty(s) -> bool:
    """B13: whether no token is left in the hill stack."""
    tokens = 0
    for food in range(FOODS):
        tokens += s.stack[food]
    return tokens == 0


@jit
def reach_hill(s, ant: int) -> None:
    """B13: the ant is placed on a level by the Ant Hill card, then a token is taken from the stack."""
    arrived = count(ants_on_hill(s))
    s.level[ant] = LEVELS - 1 - arrived if s.card[HILL_DECK] == HUMBLE else arrived
    s.walking ^= bit(ant)
    if stack_is_empty(s):
        end_turn(s)
    else:
        s.phase = TAKE_STACK


@jit(inlined=True)
def walk(s, ant: int, place: int) -> None:
    """B11: the ant moves to the place; on the trail a token is taken there (B12), on the hill as B13 says."""
    put_ant(s, ant, place)
    s.ant = ant
    if place == s.hill:
        reach_hill(s, ant)
    else:
        look_beside(s, place)
        if s.sides:
            s.phase = TAKE
        else:
            end_turn_on_trail(s)


@jit(inlined=True)
def move(s, ant: int) -> None:
    """B11: the ant goes to the first token ahead that shows its food, else onto the hill."""
    walk(s, ant, destination(s, ant))


@jit(inlined=True)
def gain(s, kind: int) -> None:
    """B14: a taken token lies in front of the player to move."""
    s.owned[seat_to_move(s), kind] += 1


@jit(inlined=True)
def take(s, side: int) -> None:
    """B12: the player takes the front or the back token of the ant that has moved."""
    gain(s, pick_up(s, s.beside[BACK] if side else s.beside[FRONT]))
    if s.may_spend:
        offer_chocolate(s)
    else:
        begin_turn(s, next_seat(s))


@jit
def offer_chocolate(s) -> None:
    """B20, double fister: a chocolate can be spent to take once more, if a token is left beside the ant."""
    look_beside(s, place_of(s, s.ant))
    if s.card[CHOCOLATE_DECK] == DOUBLE_FISTER and s.sides:
        s.phase = OFFER_TAKE
    else:
        end_turn_on_trail(s)


@jit
def take_from_stack(s, food: int) -> None:
    """B13: the player takes a token of the food from the hill stack."""
    s.stack[food] -= 1
    gain(s, food)
    end_turn(s)


@jit(inlined=True)
def spend_chocolate(s) -> None:
    """B20: one chocolate leaves the game; no other may be spent in this turn."""
    s.owned[seat_to_move(s), CHOCOLATE] -= 1
    s.spent += 1
    s.may_spend = 0


@jit
def take_another(s) -> None:
    """Double fister: a chocolate is spent, and a token of the same ant is taken once more."""
    spend_chocolate(s)
    s.phase = TAKE


@jit(inlined=True)
def may_swap(s) -> bool:
    """Swap: whether the player may spend a chocolate to exchange two ants on the hill."""
    return s.card[CHOCOLATE_DECK] == SWAP and s.may_spend and count(ants_on_hill(s)) >= 2


@jit
def end_turn_on_trail(s) -> None:
    """B15: the turn is at its end, but for the card swap; with an ant on the trail the game goes on."""
    if may_swap(s):
        set_phase(s, OFFER_SWAP)
    else:
        begin_turn(s, next_seat(s))


@jit
def end_turn(s) -> None:
    """B15: the turn is at its end, but for the card swap."""
    if may_swap(s):
        set_phase(s, OFFER_SWAP)
    else:
        next_turn(s)


@jit
def swap_levels(s, first: int, second: int) -> None:
    """Swap: a chocolate is spent and the two ants exchange their levels."""
    spend_chocolate(s)
    s.level[first], s.level[second] = s.level[second], s.level[first]
    next_turn(s)


@jit(inlined=True)
def next_seat(s) -> int:
    """B8: the seat after the one to move."""
    seat = np.int64(s.mover) + 1
    return seat if seat < s.players else 0


@jit(inlined=True)
def next_turn(s) -> None:
    """B15: the next seat begins its turn, unless all ants are on the hill: then the game is over."""
    if s.walking:
        begin_turn(s, next_seat(s))
    else:
        s.mover, s.may_spend = OVER, 0
        set_phase(s, FINISHED)


@jit(inlined=True)
def set_phase(s, phase: int) -> None:
    """A new phase, in which no ant has just moved."""
    s.phase = phase
    s.ant = s.sides = s.beside[FRONT] = s.beside[BACK] = 0


@jit(inlined=True)
def begin_turn(s, seat: int) -> None:
    """B8, B20: a seat begins its turn; it may spend a chocolate that it has now."""
    set_phase(s, TURN)
    s.mover = seat
    s.may_spend = s.owned[np.uint8(seat), CHOCOLATE] != 0
