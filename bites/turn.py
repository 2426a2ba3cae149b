"""A turn: an ant moves, its player takes a token, the next player follows (B10 – B15), with chocolate (B20)."""

import numpy as np

from bites.box import CHOCOLATE, CHOCOLATE_DECK, DOUBLE_FISTER, FOODS, HILL_DECK, HUMBLE, LEVELS
from bites.box import LOGS_ON_TRAIL, SPECIAL_DECK, SWAP
from bites.state import FINISHED, HILL, OFFER_SWAP, OFFER_TAKE, TAKE, TAKE_STACK, TURN
from bites.trail import any_free, back, front, next_match, pick_up, put_ant, stop_at_log
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
        return stop_at_log(s, np.int64(s.place[ant]), target)
    return target


@jit(inlined=True)
def destination(s, ant: int) -> int:
    """B11: the place to which an ant that is not on the hill would move: a place of the trail, or HILL."""
    return way_to(s, ant, next_match(s, ant, np.int64(s.place[ant])))


@jit
def stack_is_empty(s) -> bool:
    """B13: whether no token is left in the hill stack."""
    for food in range(FOODS):
        if s.stack[food]:
            return False
    return True


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
    if place == HILL:
        reach_hill(s, ant)
    elif any_free(s):
        s.phase = TAKE
    else:
        end_turn(s)


@jit(inlined=True)
def move(s, ant: int) -> None:
    """B11: the ant goes to the first token ahead that shows its food, else onto the hill."""
    walk(s, ant, destination(s, ant))


@jit(inlined=True)
def sides(s) -> int:
    """B12: what can be taken beside the ant that has moved: bit 0 the front token, bit 1 the back token."""
    place = np.int64(s.place[s.ant])
    return (front(s, place) != HILL) | (back(s, place) >= 0) << 1


@jit(inlined=True)
def gain(s, kind: int) -> None:
    """B14: a taken token lies in front of the player to move."""
    s.owned[seat_to_move(s), kind] += 1


@jit(inlined=True)
def take(s, is_back: bool) -> None:
    """B12: the player takes the front or the back token of the ant that has moved."""
    place = np.int64(s.place[s.ant])
    in_front, behind = front(s, place), back(s, place)
    gain(s, pick_up(s, behind if is_back else in_front))
    if s.card[CHOCOLATE_DECK] == DOUBLE_FISTER and s.may_spend and any_free(s):
        s.phase = OFFER_TAKE
    else:
        end_turn(s)


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
def end_turn(s) -> None:
    """B15: the turn is at its end, but for an exchange of two ants on the hill by the card swap."""
    if s.card[CHOCOLATE_DECK] == SWAP and s.may_spend and count(ants_on_hill(s)) >= 2:
        s.phase = OFFER_SWAP
    else:
        next_turn(s)


@jit
def swap_levels(s, first: int, second: int) -> None:
    """Swap: a chocolate is spent and the two ants exchange their levels."""
    spend_chocolate(s)
    s.level[first], s.level[second] = s.level[second], s.level[first]
    next_turn(s)


@jit(inlined=True)
def next_turn(s) -> None:
    """B15: the next seat begins its turn, unless all ants are on the hill: then the game is over."""
    if s.walking:
        seat = np.int64(s.mover) + 1
        begin_turn(s, seat if seat < s.players else 0)
    else:
        s.mover, s.phase, s.ant, s.may_spend = OVER, FINISHED, 0, 0


@jit(inlined=True)
def begin_turn(s, seat: int) -> None:
    """B8, B20: a seat begins its turn; it may spend a chocolate that it has now."""
    s.mover, s.phase, s.ant = seat, TURN, 0
    s.may_spend = s.owned[np.uint8(seat), CHOCOLATE] != 0
