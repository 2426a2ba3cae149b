"""What a state holds although it follows from the rest: sets of hexes, and the choices of the node.

The rules keep these up to date event by event. Here they are found anew, for checks and for positions from text.
"""

import numpy as np

from rodentia.box import MOST_PLAYERS, TWO_SHEETS_FROM, WOLF
from rodentia.hexes import hex_if, hexes_with, neighbours_of
from rodentia.lone_wolf import best_targets, steps_toward_king, wolf_face
from rodentia.placing import open_to, placed_in, reach_of
from rodentia.rounds import ALL_FACES
from rodentia.setup import burrow_sites, drawable_goals, species_left
from rodentia.solo import best_marks
from rodentia.state import (
    ADVANCED,
    BURROW,
    DIRECTION,
    GOAL,
    LEADER,
    PLACE,
    ROLL,
    SPECIES,
    TAKE,
    TIE_MARK,
    TIE_TARGET,
    WOLF_STEP,
)
from tabletop.bits import EMPTY, below, bit, lowest, without_lowest
from tabletop.jit import jit


@jit
def burrows_drawn(s):
    """R11: how many seats have drawn their burrows; the last seats are the first to do so."""
    if s.node <= SPECIES:
        return 0
    return np.int64(s.turn) if s.node == BURROW else np.int64(s.players)


@jit
def find_burrows(s):
    """R11: the set of the burrows."""
    burrows = EMPTY
    for seat in range(np.int64(s.players) - burrows_drawn(s), np.int64(s.players)):
        burrows |= bit(s.burrow[seat])
    return burrows


@jit
def find_leaders(s):
    """R12, R25: the hexes with a leader, and those with two or more."""
    leaders = shared = EMPTY
    for seat in range(np.int64(s.players) - burrows_drawn(s), np.int64(s.players)):
        there = bit(s.leader[seat])
        shared |= leaders & there
        leaders |= there
    return leaders, shared


@jit
def find_wolves(s):
    """R7: the hexes with a wolf."""
    first = bit(s.wolf[0])
    return first | bit(s.wolf[1]) if s.players >= TWO_SHEETS_FROM else first


@jit
def find_controlled(s):
    """R22: the hexes that are controlled for the rest of the game."""
    controlled = EMPTY
    for side in range(MOST_PLAYERS):
        controlled |= hexes_with(s.rodents[side], s.rules.control)
    return controlled


@jit
def find_full(s):
    """R4: the hexes without a free circle."""
    full = EMPTY
    for hex_ in range(np.int64(s.board.hexes)):
        full |= hex_if(s.used[hex_] == s.rules.circles, hex_)
    return full


@jit
def find_faces(s):
    """R15: the faces of the dice that nobody has taken."""
    faces = EMPTY
    for face in range(s.dice.size):
        if s.dice[face]:
            faces |= bit(face)
    return faces


@jit
def find_movers(s):
    """R26: the places in the turn order of the players with a wolf die; while wolves move, of those left."""
    if s.node == WOLF_STEP:
        return np.int64(s.movers)
    movers = 0
    for seat in range(np.int64(s.players)):
        place = seat - np.int64(s.starter)
        if s.die[seat] == WOLF:
            movers |= 1 << (place if place >= 0 else place + np.int64(s.players))
    return movers


@jit
def find_sites(s):
    """R21: while a player places, the open hexes of his terrain in which he may still place; else none."""
    if s.node != PLACE:
        return s.sites if s.node == TIE_MARK else EMPTY
    seat = np.int64(s.to_move)
    sites = open_to(s, seat) & s.board.terrain[s.die[seat]]
    left = sites
    while left:
        if placed_in(s, seat, lowest(left)) == s.rules.rodents_per_hex_per_turn:
            sites &= ~bit(lowest(left))
        left = without_lowest(left)
    return sites


@jit
def find_chance_choices(s):
    """What may be drawn at a chance node."""
    if s.node == GOAL:
        return drawable_goals(s)
    if s.node == DIRECTION:
        return below(2)
    if s.node == SPECIES:
        return species_left(s)
    return ALL_FACES & ~find_faces(s) if s.players == 1 else ALL_FACES


@jit
def find_tie_choices(s):
    """R48: the equal hexes."""
    if s.node == TIE_TARGET:
        return best_targets(s, wolf_face(s))
    return best_marks(s) if s.node == TIE_MARK else steps_toward_king(s)


@jit
def find_choices(s):
    """What the next event chooses from; for nodes with a fixed set of events and for wolf moves nothing."""
    node = s.node
    if node <= ROLL:
        return find_chance_choices(s)
    if node == TAKE:
        faces = find_faces(s)
        return faces & ~bit(WOLF) if s.players == 1 else faces
    if node == PLACE:
        return find_sites(s) & reach_of(s, s.to_move)
    if TIE_TARGET <= node <= TIE_MARK:
        return find_tie_choices(s)
    return find_seat_choices(s)


@jit
def find_seat_choices(s):
    """The choices at the nodes of a seat in a phase of its own."""
    if s.node == BURROW:
        return burrow_sites(s, s.to_move)
    if s.node == ADVANCED:
        return open_to(s, s.to_move) & s.board.terrain[s.die[s.to_move]]
    if s.node == LEADER:
        return neighbours_of(s, bit(s.leader[s.to_move])) & ~s.wolves
    return EMPTY


@jit
def derive(s):
    """Writes everything that follows from the rest."""
    s.burrows = find_burrows(s)
    s.leaders, s.shared = find_leaders(s)
    s.wolves = find_wolves(s)
    s.controlled = find_controlled(s)
    s.full = find_full(s)
    s.faces = find_faces(s)
    s.movers = find_movers(s)
    s.sites = find_sites(s)
    s.choices = find_choices(s)
