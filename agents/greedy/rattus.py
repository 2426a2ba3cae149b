"""A greedy bot for Rattus: the action after which the seat may expect most cubes at the end, beside the others'.

A position promises a seat its cubes on the board and in the palace, less what the rat tokens beside them will
probably kill: a token that the seat has not seen counts as an average one of the box. Every region is ravaged once
more at the end, and before that wherever the plague piece goes.
"""

import numpy as np

from agents.greedy import NOTHING, TIE_BREAK
from agents.greedy.rattus_tokens import ALLS, CLASSES_NAMED, MAJORITIES, MOST_CUBES
from rattus.actions import KNIGHT as MOVE_KNIGHT
from rattus.actions import NEUTRAL, PLAGUE, SPREAD, WITCH
from rattus.board import (
    alls_of,
    cards_of,
    classes_of,
    cubes_in,
    has_region,
    limit_of,
    majorities_of,
    neighbours,
    of_seat,
    palace_of,
    rats_in,
    reserve_of,
    sum_of,
    supply,
    token_at,
    type_of,
)
from rattus.box import KNIGHT_CARD, REGIONS, SEATS
from rattus.plague import choose_neutral, move_plague, neutral_cubes
from rattus.rules import legal as legal_actions
from rattus.rules import step
from rattus.state import (
    AT_DRAW,
    AT_KNIGHT_CHOICE,
    AT_MERCHANT_COUNT,
    AT_MERCHANT_TO,
    AT_MONK_TO,
    AT_REVEAL,
    AT_SPREAD,
    SEEN,
)
from tabletop.bits import count, count_in, nth_in
from tabletop.bots import BotParameter
from tabletop.game import action_words, blank
from tabletop.jit import jit
from tabletop.rng import unit

PARAMETERS = (
    BotParameter("threat", 0.04465, "share of the danger that is counted where the plague piece is not", 0, 2),
    BotParameter("near", 0.1805, "what is added to it beside the plague piece", 0, 2),
    BotParameter("late", 0.5411, "what is added to it when the supply is used up", 0, 2),
    BotParameter("reserve", 0.159, "cubes on the board that one in the reserve is worth", -1, 1),
    BotParameter("card", 1.186, "cubes that a class card is worth", -2, 4),
    BotParameter("knight", -0.9979, "cubes that the Knight is worth besides", -2, 4),
    BotParameter("look", 0.4957, "cubes that a look at a token is worth", -1, 1),
    BotParameter("rivalry", 1.07, "how much the others' cubes count against the own", 0, 2),
)
THREAT, NEAR, LATE, RESERVE, CARD, KNIGHT, LOOK, RIVALRY = range(len(PARAMETERS))
SEARCH = {"depth": 16, "selection": "puct", "prior": "evaluated", "exploration": 0.5, "scale": 1.5, "sharpness": 1.0}

LEVELS = 4  # the position, and up to three events of an ability
FULL_SUPPLY = 30.0  # about the supply at the beginning


def act(state, legal, rng, params):
    """The legal action after which the seat to move is best off, with the best end of an ability begun."""
    actions = count_in(legal, action_words(state))
    if actions == 1:
        return nth_in(legal, 0)
    states, sets = blank(state, LEVELS), np.empty((LEVELS - 2, action_words(state)), np.uint64)
    states[0] = state
    chosen, most = -1, NOTHING
    for k in range(actions):
        action = nth_in(legal, k)
        states[1] = states[0]
        apply(states[1], action)
        worth = best_value(states, sets, np.int64(state.seat), params) + TIE_BREAK * unit(rng, 0)
        if WITCH <= action < MOVE_KNIGHT:
            worth += params[LOOK]
        if worth > most:
            chosen, most = action, worth
    return chosen


def evaluate(state, seat, params):
    """Cubes that a position promises a seat, in points."""
    promised = on_board_and_safe(state, seat, params)
    cards = cards_of(state, seat)
    promised += params[RESERVE] * reserve_of(state, seat) + params[CARD] * count(np.uint64(cards))
    return promised + params[KNIGHT] if has_region(cards, KNIGHT_CARD) else promised


_evaluate = jit(evaluate)


@jit
def apply(s, action):
    """Applies an action; but what the plague will do is left to the evaluation, not to one random draw."""
    if PLAGUE <= action < SPREAD:
        move_plague(s, action - PLAGUE)
    elif NEUTRAL <= action <= NEUTRAL + 1:
        choose_neutral(s, action)
    else:
        step(s, action)


@jit(inlined=True)
def is_begun(s):
    """Whether the seat on turn has begun to use the Monk or the Merchant and must go on."""
    return s.phase in (AT_MONK_TO, AT_MERCHANT_TO, AT_MERCHANT_COUNT)


@jit
def best_value(states, sets, seat, params):
    """The advantage of a seat in position 1, or after the best end of the ability that it has begun there."""
    if not is_begun(states[1]):
        return advantage(states[1], seat, params)
    legal_actions(states[1], sets[0])
    best = NOTHING
    for k in range(count_in(sets[0], sets.shape[1])):
        states[2] = states[1]
        step(states[2], nth_in(sets[0], k))
        best = max(best, best_last_value(states, sets, seat, params))
    return best


@jit
def best_last_value(states, sets, seat, params):
    """The same in position 2, from which one event ends the ability."""
    if not is_begun(states[2]):
        return advantage(states[2], seat, params)
    legal_actions(states[2], sets[1])
    best = NOTHING
    for k in range(count_in(sets[1], sets.shape[1])):
        states[3] = states[2]
        step(states[3], nth_in(sets[1], k))
        best = max(best, advantage(states[3], seat, params))
    return best


@jit
def advantage(s, seat, params):
    """What a position promises the seat, less a share of what it promises the others on average."""
    others = 0.0
    for other in range(s.players):
        if other != seat:
            others += _evaluate(s, other, params)
    return _evaluate(s, seat, params) - params[RIVALRY] * others / (s.players - 1)


# ---------------------------------------------------------------- danger


@jit
def on_board_and_safe(s, seat, params):
    """Cubes of a seat on the board and in the palace, less those that will probably die."""
    cubes = np.float64(palace_of(s, seat))
    late = params[LATE] * max(0.0, 1.0 - supply(s) / FULL_SUPPLY)
    for region in range(REGIONS):
        if has_region(np.int64(s.own[seat]), region):
            own = of_seat(cubes_in(s, region), seat)
            certainty = min(1.0, chance_of_ravage(s, region, params) + late)
            cubes += own - certainty * min(np.float64(own), losses(s, region, seat))
    return cubes


@jit
def chance_of_ravage(s, region, params):
    """How much of the danger in a region is counted: all where a ravage is going on."""
    if region == s.plague and s.phase in (AT_SPREAD, AT_DRAW, AT_KNIGHT_CHOICE, AT_REVEAL):
        return 1.0
    if s.final:
        return 1.0
    return params[THREAT] + (params[NEAR] if has_region(neighbours(s, s.plague), region) else 0.0)


@jit
def losses(s, region, seat):
    """Cubes that the seat will probably lose when all tokens of a region are revealed."""
    cubes = cubes_in(s, region)
    total = sum_of(cubes) + (neutral_cubes(s) if region == s.plague else 0)
    has_most = is_most(cubes, seat)
    lost = 0.0
    for slot in range(rats_in(s, region)):
        token = token_at(s, region, slot)
        if token & SEEN << seat:
            lost += losses_to_seen(s, np.int64(s.tokens.face[type_of(token)]), total, has_most, seat)
        else:
            lost += losses_to_average(s, total, has_most, seat)
    if s.phase == AT_DRAW and s.region == region:
        lost += losses_to_average(s, total, has_most, seat)
    return lost


@jit(inlined=True)
def is_most(cubes, seat):
    """Whether no seat has more cubes than this one in a packed number."""
    most = np.int64(0)
    for other in range(SEATS):
        most = max(most, of_seat(cubes, other))
    return of_seat(cubes, seat) == most


@jit
def losses_to_seen(s, face, total, has_most, seat):
    """Cubes that a token whose front is known costs the seat."""
    if total < limit_of(face):
        return 0.0
    named = count(np.uint64(classes_of(face) & cards_of(s, seat)))
    return np.float64(named + alls_of(face) + (majorities_of(face) if has_most else 0))


@jit
def losses_to_average(s, total, has_most, seat):
    """Cubes that a token of unknown front costs the seat on average."""
    cubes = min(total, MOST_CUBES)
    held = count(np.uint64(cards_of(s, seat)))
    return CLASSES_NAMED[cubes] * held + ALLS[cubes] + (MAJORITIES[cubes] if has_most else 0.0)
