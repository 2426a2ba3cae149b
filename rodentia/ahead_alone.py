"""Random play of the solo game: a round in the order of its phases, without a stop at the nodes between them.

Nothing is asked of the node but whether a rare one has come, from which the round is played on event by event.
"""

import numpy as np

from rodentia.actions import LEADER_TO, STAY
from rodentia.box import SOLO_DICE, WOLF
from rodentia.hexes import hex_if, move_leader
from rodentia.lone_wolf import (
    KING,
    act,
    best_targets,
    must_choose,
    step_toward_king,
    steps_toward_king,
    walk_to,
    wolf_face,
)
from rodentia.placing import begin_placing, place_at_random
from rodentia.solo import (
    AFTER_BOTH,
    ALL_FACES,
    MARKS_FOR_NUMBERS,
    begin_take,
    best_marks,
    cross_out_alike,
    cross_out_apart,
    end_solo_round,
    is_wolf_turn,
    lay_solo_die,
    mark_one,
    may_be_marked,
    may_king_stay,
    share_dice,
    ways_of_king,
)
from rodentia.state import ENDED, PLACE, ROLL, TAKE
from tabletop.bits import EMPTY, count, lowest, nth
from tabletop.game import chance_streams
from tabletop.jit import jit
from tabletop.rng import uniform_from, uniform_member

TO_STAY = STAY - LEADER_TO  # in a set of the hexes to which the King may go


@jit(inlined=True)
def roll_alone(s, rng):
    """R41: the dice that are still to be rolled; returns how many."""
    dice = SOLO_DICE - np.int64(s.turn)
    state = rng[ROLL]
    for _ in range(dice):
        faces = ALL_FACES & ~np.uint64(s.faces)
        which, state = uniform_from(rng, ROLL, state, count(faces))
        lay_solo_die(s, nth(faces, which))
    rng[ROLL] = state
    begin_take(s)
    return dice


@jit(inlined=True)
def king_draws(s, rng, members):
    """A member of a set, drawn from the King's stream."""
    return uniform_member(rng, chance_streams(s) + KING, members)


@jit
def act_alone_ahead(s, rng):
    """R41–R50: all actions of a round from the taking of a die, but for rare ones; returns how many, 0 elsewhere."""
    if s.node != TAKE:
        return 0
    share_dice(s, king_draws(s, rng, s.choices))
    acted = 1
    while s.side < AFTER_BOTH:
        acted += wolf_ahead(s, rng) if is_wolf_turn(s) else place_ahead(s, rng)
        if is_interrupted(s):
            return acted
        s.side += 1
    return acted + lead_ahead(s, rng) + numbers_ahead(s, rng)


@jit(inlined=True)
def is_interrupted(s):
    """Whether the round does not go on here: at a node that comes rarely, or because the game is over."""
    return s.node > PLACE


@jit(inlined=True)
def place_ahead(s, rng):
    """R43: the King's turn of placing; returns the number of its events."""
    if not begin_placing(s, KING) or is_interrupted(s):
        return 0
    return place_at_random(s, rng, KING, chance_streams(s) + KING)


@jit(inlined=True)
def wolf_ahead(s, rng):
    """R44–R47: the wolf goes and acts; returns how many ties were settled."""
    if wolf_face(s) == WOLF:
        settled = steps_ahead(s, rng)
    else:
        target, settled = settle(s, rng, best_targets(s, wolf_face(s)))
        walk_to(s, target)
    if not is_interrupted(s):
        act(s)
    return settled


@jit(inlined=True)
def settle(s, rng, hexes):
    """R48: one of equally good hexes; and how many events that takes."""
    if must_choose(s, hexes):
        return king_draws(s, rng, hexes), 1
    return lowest(hexes), 0


@jit
def steps_ahead(s, rng):
    """R46, R50: the wolf's steps toward the King; returns how many ties were settled."""
    settled = 0
    while s.done < s.rules.wolf_steps:
        hexes = steps_toward_king(s)
        if hexes == EMPTY:
            break
        hex_, ties = settle(s, rng, hexes)
        settled += ties
        if step_toward_king(s, hex_):
            return settled
    s.done = 0
    return settled


@jit(inlined=True)
def lead_ahead(s, rng):
    """R49: the King moves; returns 1, or 0 if he cannot."""
    ways = ways_of_king(s)
    if ways == EMPTY:
        return 0
    to = king_draws(s, rng, ways | hex_if(may_king_stay(s), TO_STAY))
    move_leader(s, KING, np.int64(s.leader[KING]) if to == TO_STAY else to)
    return 1


@jit(inlined=True)
def numbers_ahead(s, rng):
    """R50: the recorded numbers are tested, and the round ends; returns how many ties were settled."""
    settled = 0
    if cross_out_alike(s):
        settled = steps_ahead(s, rng)
    elif cross_out_apart(s):
        settled = marks_ahead(s, rng)
    if s.node != ENDED:
        end_solo_round(s)
    return settled


@jit
def marks_ahead(s, rng):
    """R50: the marks, one after the other; returns how many ties were settled."""
    settled = 0
    s.sites = may_be_marked(s)
    while s.done < MARKS_FOR_NUMBERS and s.sites:
        hex_, ties = settle(s, rng, best_marks(s))
        mark_one(s, hex_)
        settled += ties
    s.done = 0
    s.sites = EMPTY
    return settled
