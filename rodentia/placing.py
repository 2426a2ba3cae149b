"""Phase 2: placing rodents (R18–R23), for players and for the Groundhog King."""

import numpy as np

from rodentia.actions import JUMP_THERE, PLACE_AT, STOP
from rodentia.box import WOLF
from rodentia.hexes import add_one, hex_if, move_leader, neighbours_of, number_at, occupied
from rodentia.state import ADVANCED, HEX_AND_NEIGHBOURS, HEX_ONLY, JUMP, PLACE
from tabletop.bits import EMPTY, ONE, below, bit, count, rarely
from tabletop.jit import jit
from tabletop.rng import uniform_member

PLACE_FIRST = np.uint64(PLACE_AT)  # for events as unsigned words
BITS_A_COUNT = 4  # of `placed`; a terrain has ten hexes at most
COUNT_BITS = np.uint64(2**BITS_A_COUNT - 1)


@jit(inlined=True)
def open_to(s, seat):
    """R19, R43: the open hexes of a seat."""
    foreign_leaders = s.shared | (s.leaders & ~bit(s.leader[seat]))
    return s.board.land & ~(s.controlled | s.full | s.burrows | s.wolves | foreign_leaders)


@jit(inlined=True)
def reach_of(s, seat):
    """R20: the sources of a seat and all their neighbours."""
    sources = bit(s.burrow[seat]) | occupied(s.rodents[seat])
    leader = bit(s.leader[seat])
    if s.options.leader_source == HEX_AND_NEIGHBOURS:
        sources |= leader
        return sources | neighbours_of(s, sources)
    added = leader if s.options.leader_source == HEX_ONLY else neighbours_of(s, leader)
    return sources | neighbours_of(s, sources) | added


@jit(inlined=True)
def begin_placing(s, seat):
    """R18, R21, R23: the first placing node of a seat; False if it can place nothing."""
    face = s.die[seat]
    if face == WOLF:
        return False
    sites = open_to(s, seat) & s.board.terrain[face]
    if sites == EMPTY:
        return False
    candidates = sites & reach_of(s, seat)
    if candidates:
        s.node, s.choices, s.sites = PLACE, candidates, sites
        return True
    if s.options.advanced_placement:
        s.node, s.choices = ADVANCED, sites
        return True
    return False


@jit(inlined=True)
def put_rodent(s, side, hex_):
    """R4, R22: one more rodent (or wolf mark) of a side in a hex."""
    add_one(s.rodents[side], hex_)
    use_circles(s, hex_, 1, number_at(s.rodents[side], hex_))


@jit(inlined=True)
def use_circles(s, hex_, more, number):
    """R4, R22: more circles of a hex are used; the number that its owner now has may control it, or it is full."""
    used = np.int64(s.used[hex_]) + more
    s.used[hex_] = used
    s.controlled |= hex_if(number == s.rules.control, hex_)
    s.full |= hex_if(used == s.rules.circles, hex_)


@jit(inlined=True)
def legal_places(choices, done):
    """R21: the set of the hexes for the next rodent, and `stop` after the first one."""
    return choices << np.uint64(PLACE_AT) | hex_if(done != 0, STOP)


@jit(inlined=True)
def place_of_count(s, seat, hex_):
    """Where `s.placed` counts the rodents of a hex: four bits for each hex of the die's terrain, of at most ten."""
    return np.uint64(BITS_A_COUNT * count(s.board.terrain[s.die[seat]] & below(hex_)))


@jit(inlined=True)
def placed_in(s, seat, hex_):
    """R21: how many rodents the seat has placed in the hex in this turn."""
    return np.int64((s.placed >> place_of_count(s, seat, hex_)) & COUNT_BITS)


@jit(inlined=True)
def place_one(s, seat, hex_, choices, sites, placed):
    """R21: places a rodent; returns what becomes of these three of the state, which loops keep in variables."""
    if rarely(s.board.has_touching == 1):
        choices |= neighbours_of(s, bit(hex_))
    put_rodent(s, seat, hex_)
    at = place_of_count(s, seat, hex_)
    placed += ONE << at
    is_at_quota = (placed >> at) & COUNT_BITS == s.rules.rodents_per_hex_per_turn
    sites &= ~(s.controlled | s.full | hex_if(is_at_quota, hex_))
    return choices & sites, sites, placed


@jit(inlined=True)
def place(s, seat, hex_):
    """R21: places a rodent; False if the turn of placing is over."""
    s.choices, s.sites, s.placed = place_one(s, seat, hex_, s.choices, s.sites, s.placed)
    s.done += 1
    return s.done < s.rules.rodents_per_turn and s.choices != EMPTY


@jit(inlined=True)
def place_at_random(s, rng, seat, stream):
    """R21: the rest of a turn of placing, drawn from a stream; returns the number of its events."""
    choices, sites, placed, done = s.choices, s.sites, s.placed, np.int64(s.done)
    before, stops = done, False
    while done < s.rules.rodents_per_turn and choices and not stops:
        event = np.uint64(uniform_member(rng, stream, legal_places(choices, done)))
        stops = event == STOP
        if not stops:
            choices, sites, placed = place_one(s, seat, event - PLACE_FIRST, choices, sites, placed)
            done += 1
    end_placing(s)
    return done - before + stops


@jit(inlined=True)
def end_placing(s):
    """Forgets what only matters while a player places."""
    s.placed = s.sites = EMPTY
    s.done = 0


@jit(inlined=True)
def place_advanced(s, seat, hex_):
    """R23: places the one rodent out of reach; False if the leader stands there already."""
    put_rodent(s, seat, hex_)
    if s.leader[seat] == hex_:
        return False
    s.node, s.target, s.choices = JUMP, hex_, EMPTY
    return True


@jit(inlined=True)
def jump(s, seat, event):
    """R23: the leader follows the rodent or stays."""
    if event == JUMP_THERE:
        move_leader(s, seat, s.target)
    s.target = 0
