"""A greedy bot for Rodentia, in company and alone: the action after which the seat is best off beside the others.

A position promises a seat the points that it would score now, and something for what it can do next: rodents that
nobody can outnumber any more, footholds, hexes in its reach, the die that it has taken, its leader's way.
"""

import numpy as np

from agents.greedy import NOTHING, TIE_BREAK
from rodentia.box import MOST_CATCHES, WOLF
from rodentia.goals import plus
from rodentia.hexes import neighbours_of, occupied
from rodentia.placing import open_to, reach_of
from rodentia.rules import legal as legal_actions
from rodentia.rules import step
from rodentia.scoring import all_control, all_points_without_goals, goal_points, solo_controlled, solo_points
from rodentia.state import ADVANCED, JUMP, NO_DIE, PLACE, TAKE, WOLF_STEP
from tabletop.bits import bit, count, count_in, has, nth_in
from tabletop.bots import BotParameter
from tabletop.game import action_words, blank
from tabletop.jit import jit
from tabletop.rng import unit

PARAMETERS = (
    BotParameter("secure", 3.314, "points that a hex is worth more once nobody can take it away", 0, 4),
    BotParameter("foothold", 0.2955, "points that an open hex with own rodents in it is worth", 0, 4),
    BotParameter("reach", 0.6198, "points that an open hex in the reach is worth", 0, 2),
    BotParameter("home", 0.3799, "points that one of the home terrain is worth besides", 0, 2),
    BotParameter("die", 1.024, "points that a rodent which the die lets place is worth, twice as many at home", 0, 4),
    BotParameter("wolf_die", -0.9433, "points that a wolf die is worth", -4, 8),
    BotParameter("fear", 0.8263, "share of what a catch would cost that is counted near a wolf", 0, 2),
    BotParameter("approach", 1.57, "points that it is worth to have a controlled hex beside the leader", 0, 4),
    BotParameter("rivalry", 1.235, "how much the others' points count against the own", 0, 2),
)
SECURE, FOOTHOLD, REACH, HOME, DIE, WOLF_DIE, FEAR, APPROACH, RIVALRY = range(len(PARAMETERS))
SEARCH = {"depth": 32}

LEVELS = 3  # the position, and the two steps of a wolf


def act(state, legal, rng, params):
    """The legal action after which the seat to move is best off, with the best second step of a wolf."""
    actions = count_in(legal, action_words(state))
    if actions == 1:
        return nth_in(legal, 0)
    states, second_steps = blank(state, LEVELS), np.empty(action_words(state), np.uint64)
    states[0] = state
    chosen, most = -1, NOTHING
    for k in range(actions):
        states[1] = states[0]
        step(states[1], nth_in(legal, k))
        worth = best_value(states, second_steps, np.int64(state.to_move), params) + TIE_BREAK * unit(rng, 0)
        if worth > most:
            chosen, most = nth_in(legal, k), worth
    return chosen


def evaluate(state, seat, params):
    """Points that a position promises a seat."""
    if state.players == 1:
        return promised_alone(state, seat, params)
    control = all_control(state)
    return points_of_all(state, control)[seat] + prospects(state, seat, control[seat], params)


@jit
def promised_alone(s, seat, params):
    """Points that a position promises the seat that plays alone."""
    return solo_points(s) + prospects(s, seat, solo_controlled(s), params)


@jit
def points_of_all(s, control):
    """Points of every seat, the goals included, with the hexes that each controls."""
    return plus(all_points_without_goals(s, control), goal_points(s, control))


@jit
def best_value(states, second_steps, seat, params):
    """The advantage of a seat in position 1, or after its best second step of a wolf."""
    s = states[1]
    if s.node != WOLF_STEP or s.to_move != seat:
        return advantage(s, seat, params)
    legal_actions(s, second_steps)
    best = NOTHING
    for k in range(count_in(second_steps, second_steps.size)):
        states[2] = states[1]
        step(states[2], nth_in(second_steps, k))
        best = max(best, advantage(states[2], seat, params))
    return best


@jit
def advantage(s, seat, params):
    """What a position promises the seat, less a share of what it promises the others on average."""
    if s.players == 1:
        return promised_alone(s, seat, params)
    control = all_control(s)
    points = points_of_all(s, control)
    own, others = 0.0, 0.0
    for each in range(np.int64(s.players)):
        promised = points[each] + prospects(s, each, control[each], params)
        if each == seat:
            own = promised
        else:
            others += promised
    return own - params[RIVALRY] * others / (s.players - 1)


# --- What is not scored yet ---


@jit
def prospects(s, seat, control, params):
    """Points that a seat may expect beyond those that it has now."""
    open_hexes = open_to(s, seat)
    in_reach = open_hexes & reach_of(s, seat)
    at_home = s.board.terrain[s.species[seat]]
    worth = params[SECURE] * count(s.controlled & control) + params[REACH] * count(in_reach)
    worth += params[FOOTHOLD] * count(occupied(s.rodents[seat]) & open_hexes)
    worth += params[HOME] * count(in_reach & at_home)
    if has_die_to_use(s, seat):
        worth += die_value(s, seat, in_reach, at_home, params)
    return worth + leader_prospects(s, seat, control, params)


@jit
def has_die_to_use(s, seat):
    """Whether the seat has taken a die in this round and has not begun to use it."""
    if s.die[seat] == NO_DIE:
        return False
    if s.node == TAKE or s.die[seat] == WOLF:
        return True
    place = np.int64(seat) - np.int64(s.starter)
    place = place + np.int64(s.players) if place < 0 else place
    waits = place > np.int64(s.turn) or (place == np.int64(s.turn) and s.done == 0 and s.node != JUMP)
    return waits and s.node in (PLACE, ADVANCED, JUMP)


@jit
def die_value(s, seat, in_reach, at_home, params):
    """What the die in hand is worth: the rodents that it lets the seat place, or a wolf's move."""
    face = np.int64(s.die[seat])
    if face == WOLF:
        return params[WOLF_DIE]
    places = count(in_reach & s.board.terrain[face]) * np.int64(s.rules.rodents_per_hex_per_turn)
    rodents = min(places, np.int64(s.rules.rodents_per_turn))
    is_home = s.board.terrain[face] == at_home
    return params[DIE] * rodents * (2.0 if is_home else 1.0)


@jit
def leader_prospects(s, seat, control, params):
    """A controlled hex beside the leader is good, a wolf within its two steps bad."""
    leader = bit(s.leader[seat])
    worth = 0.0
    if not leader & control and neighbours_of(s, leader) & control:
        worth += params[APPROACH]
    beside = s.wolves | neighbours_of(s, s.wolves)
    if leader & (beside | neighbours_of(s, beside)) & ~s.burrows:
        worth -= params[FEAR] * cost_of_catch(s, seat, control)
    return worth


@jit
def cost_of_catch(s, seat, control):
    """The points that another catch would cost: its mark and the leader's bonus."""
    catches = np.int64(s.catches[seat])
    before = np.int64(s.rules.catch_vp[catches - 1]) if catches else 0
    after = np.int64(s.rules.catch_vp[min(catches, MOST_CATCHES - 1)])
    bonus = np.int64(s.rules.leader_vp) if has(control, s.leader[seat]) else 0
    return after - before + bonus
