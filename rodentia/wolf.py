"""Phase 3: leaders, then wolves (R24–R29), and the wolf end (R33)."""

import numpy as np

from rodentia.box import TWO_SHEETS_FROM, WOLF
from rodentia.hexes import catch, neighbours_of
from rodentia.state import ALL_OF, LEADER, WOLF_STEP
from tabletop.bits import EMPTY, bit, lowest, without_lowest
from tabletop.jit import jit


@jit(inlined=True)
def seat_at(s, place):
    """The seat at a place of the turn order, counted from the starting player of the round."""
    seat = np.uint64(s.starter) + np.uint64(place)
    return seat - np.uint64(s.players) if seat >= np.uint64(s.players) else seat


@jit(inlined=True)
def mover(s):
    """The seat to move, as an unsigned word; only at a node of a seat."""
    return np.uint64(np.uint8(s.to_move))


@jit(inlined=True)
def begin_leader_move(s, seat):
    """R25: the leader node of a seat; False if the leader can only stay."""
    s.choices = neighbours_of(s, bit(s.leader[seat])) & ~s.wolves
    s.node = LEADER
    return s.choices != EMPTY


@jit(inlined=True)
def find_wolf_movers(s):
    """R26: if nobody took a wolf die and the free die is one, the starting player moves a wolf."""
    s.is_forced = s.movers == 0 and s.dice[WOLF] > 0
    s.movers |= s.is_forced


@jit(inlined=True)
def next_wolf_mover(s):
    """R26: the first step of the next wolf move; False if none is left."""
    s.done = 0
    if s.movers == 0:
        return False
    s.to_move = seat_at(s, lowest(np.uint64(s.movers)))
    s.node, s.choices = WOLF_STEP, EMPTY
    return True


@jit
def catch_all(s, hex_):
    """R28: every leader in the hex is caught."""
    for seat in range(np.int64(s.players)):
        if s.leader[seat] == hex_:
            catch(s, seat)


@jit(inlined=True)
def wolf_enters(s, wolf, hex_):
    """R27, R28: a step of a wolf; outside the burrows it catches."""
    s.wolf[wolf] = hex_
    there = bit(hex_)
    s.wolves = there if s.players < TWO_SHEETS_FROM else there | bit(s.wolf[1 - wolf])
    if s.leaders & there & ~s.burrows:
        catch_all(s, hex_)
    s.done += 1


@jit(inlined=True)
def end_wolf_move(s):
    """R27: the next mover comes."""
    s.movers = without_lowest(np.uint64(s.movers))


@jit(inlined=True)
def is_wolf_end(s):
    """R33: the wolf end."""
    once = twice = thrice = 0
    for seat in range(np.int64(s.players)):
        once += s.catches[seat] >= 1
        twice += s.catches[seat] >= 2
        thrice += s.catches[seat] >= 3
    if s.options.wolf_end == ALL_OF:
        return once == s.players and twice >= 2 and thrice >= 1
    return once == s.players or twice >= 2 or thrice >= 1
