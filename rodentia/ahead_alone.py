"""Random play of the solo game: a round in the order of its phases, without a stop at the nodes between them.

Nothing is asked of the node but whether a rare one has come, from which the round is played on event by event.
"""

import numpy as np

from rodentia.actions import JUMP_THERE, LEADER_TO, PLACE_AT, STAY, STOP
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
from rodentia.placing import begin_placing, jump, legal_places, place_advanced, place_at_random
from rodentia.setup import draw_burrow
from rodentia.solo import (
    AFTER_BOTH,
    MARKS_FOR_NUMBERS,
    begin_solo_round,
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
from rodentia.state import ADVANCED, BURROW, ENDED, ROLL, STRIKE, TAKE
from tabletop.bits import EMPTY, lowest
from tabletop.game import chance_streams
from tabletop.jit import jit
from tabletop.rng import uniform, uniform_member

TO_STAY = STAY - LEADER_TO  # in a set of the hexes to which the King may go


@jit(inlined=True)
def roll_alone(s, rng):
    """R41: the dice that are still to be rolled; returns how many."""
    dice = SOLO_DICE - np.int64(s.turn)
    for _ in range(dice):
        lay_solo_die(s, uniform_member(rng, ROLL, s.choices))
    begin_take(s)
    return dice


@jit(inlined=True)
def king_draws(s, rng, members):
    """A member of a set, drawn from the King's stream."""
    return uniform_member(rng, chance_streams(s) + KING, members)


@jit
def act_alone_ahead(s, rng):
    """R40: the burrow; R41–R50: a round from the taking of a die; returns how many actions, 0 at other nodes."""
    if s.node == BURROW:
        draw_burrow(s, king_draws(s, rng, s.choices))
        begin_solo_round(s)
        return 1
    return round_ahead(s, rng) if s.node == TAKE else 0


@jit(inlined=True)
def round_ahead(s, rng):
    """R41–R50: the actions of a round, to its end or to where the player must say how the wolf acts."""
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
    """Whether the round does not go on here: at the node of R47, or because the game is over."""
    return s.node >= STRIKE


@jit(inlined=True)
def place_ahead(s, rng):
    """R43: the King's turn of placing; returns the number of its events."""
    if not begin_placing(s, KING):
        return 0
    return advance_ahead(s, rng) if s.node == ADVANCED else place_at_random(s, rng, KING, chance_streams(s) + KING)


@jit
def advance_ahead(s, rng):
    """R23: one rodent out of reach, and whether the King follows it; returns how many events."""
    event = king_draws(s, rng, legal_places(s.choices, 1))
    if event == STOP or not place_advanced(s, KING, event - PLACE_AT):
        return 1
    jump(s, KING, (JUMP_THERE, STAY)[uniform(rng, chance_streams(s) + KING, 2)])
    return 2


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
