"""Phase 2: placing rodents (R18–R23), for players and for the Groundhog King."""

import numpy as np

from rodentia.box import WOLF
from rodentia.hexes import add_one, clear, hexes_with, neighbours_of, occupied
from rodentia.state import ADVANCED, HEX_AND_NEIGHBOURS, HEX_ONLY, JUMP, PLACE
from tabletop.bits import EMPTY, bit
from tabletop.jit import jit


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
    face = np.int64(s.die[seat])
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
def use_circle(s, hexes):
    """R4: uses one circle of every hex of the set."""
    add_one(s.used, hexes)
    s.full |= hexes & hexes_with(s.used, s.rules.circles)


@jit(inlined=True)
def put_rodent(s, side, hexes):
    """R22: one more rodent (or wolf mark) of a side in every hex of the set; enough of them control it."""
    add_one(s.rodents[side], hexes)
    s.controlled |= hexes & hexes_with(s.rodents[side], s.rules.control)
    use_circle(s, hexes)


@jit(inlined=True)
def place(s, seat, hex_):
    """R21: places a rodent; False if the turn of placing is over."""
    here = bit(hex_)
    put_rodent(s, seat, here)
    add_one(s.placed, here)
    at_quota = hexes_with(s.placed, s.rules.rodents_per_hex_per_turn)
    s.sites &= ~(here & (s.controlled | s.full | at_quota))
    s.choices = s.sites & (s.choices | neighbours_of(s, here))
    s.done += 1
    return s.done < s.rules.rodents_per_turn and s.choices != EMPTY


@jit(inlined=True)
def end_placing(s):
    """Forgets what only matters while a player places."""
    clear(s.placed)
    s.done = 0
    s.sites = EMPTY


@jit(inlined=True)
def place_advanced(s, seat, hex_):
    """R23: places the one rodent out of reach; False if the leader stands there already."""
    put_rodent(s, seat, bit(hex_))
    if s.leader[seat] == hex_:
        return False
    s.node, s.target, s.choices = JUMP, hex_, EMPTY
    return True
