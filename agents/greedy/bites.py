"""A greedy bot for Bites: what an action is worth now, in points, by what tokens will probably score.

The level that an ant will reach is guessed from how many tokens of its food still lie ahead of it, compared with
the other ants. An action is worth the token that it brings, less what it costs, plus what it does to the levels.
"""

import numpy as np

from agents.greedy import NOTHING, TIE_BREAK
from bites.actions import BACKWARDS, PAIRS, PASS, RECYCLE, SPEND, STACK, SWAP, TAKE_BACK, TAKE_FRONT, TIPTOE, TURBO
from bites.box import (
    ALLERGY,
    CHEESE,
    CHOCOLATE,
    COLLECTOR,
    CONNOISSEUR,
    FAVOURITE,
    FOODS,
    GOLD,
    HILL_DECK,
    HUMBLE,
    KINDS,
    LEVELS,
    OENOPHILE,
    PAIRING,
    PROTEGE,
    SPECIAL_DECK,
    WINE,
    WINE_DECK,
)
from bites.cards import RECYCLED, backwards_target, tiptoe_target, turbo_target
from bites.scoring import different_foods, points_of, wine_points, wines
from bites.state import PLACES, START
from bites.trail import back, free_of_kind, front, place_of, put_ant, token_at
from bites.turn import ants_on_hill, destination, way_to
from tabletop.bits import EMPTY, below, count, has, lowest, without_lowest
from tabletop.bots import BotParameter
from tabletop.jit import jit
from tabletop.rng import unit

PARAMETERS = (
    BotParameter("chocolate", 1.522, "points that an unspent chocolate is worth", 0, 20),
    BotParameter("wine", 1.257, "how much of the points that wine may still bring is counted on", 0, 4),
    BotParameter("denial", 0.1856, "share of what a taken token is worth to the next player", 0, 2),
    BotParameter("climb", 0.6391, "weight of what an ant's arrival changes in the points of all players", 0, 4),
    BotParameter("advance", 1.336, "weight of what an ant's advance on the trail changes in its level", 0, 4),
    BotParameter("finish", 24.55, "points that it is worth to end the game as its winner, or not as a loser", 0, 100),
)
(CHOCOLATE_WORTH, WINE_TRUST, DENIAL, CLIMB, ADVANCE, FINISH) = range(len(PARAMETERS))
SEARCH = {"rollout": "greedy", "depth": 16, "selection": "puct", "prior": "evaluated", "exploration": 0.5}

RECIPROCAL = 1 / np.maximum(np.arange(2 * PLACES), 1)  # a look-up is faster than a division
MOVES_LEFT, POINTS, WORTH, ROWS = range(4)  # rows of what is guessed of each food and, for WORTH, of each token


def act(state, legal, rng, params):
    """The legal action that is worth most to the seat to move."""
    actions = legal[0]
    if without_lowest(actions) == EMPTY:
        return lowest(actions)
    guess = np.empty((ROWS, KINDS))
    guess_worths(state, guess, params)
    chosen, most = -1, 2 * NOTHING
    while actions:
        action = lowest(actions)
        worth = worth_of_action(state, action, guess, params) + TIE_BREAK * unit(rng, 0)
        if worth > most:
            chosen, most = action, worth
        actions = without_lowest(actions)
    return chosen


def evaluate(state, seat, params):
    """Points that a position promises a seat: its tokens at the levels that their ants will probably reach."""
    guess = np.empty((ROWS, KINDS))
    guess_points(state, guess)
    promised = 1.0 * wine_points(state, seat) + params[CHOCOLATE_WORTH] * state.owned[seat, CHOCOLATE]
    promised += 1.0 * state.rules.gold_points * state.owned[seat, GOLD]
    for food in range(FOODS):
        points = guess[POINTS, food]
        change = small_token_change(state, seat, food, points)
        promised += state.owned[seat, food] * (points + change)
    return promised


# Actions


@jit
def worth_of_action(s, action, guess, params):
    """Points that an action of the seat to move is worth; spending a chocolate costs what one is worth."""
    if action == PASS:
        return 0.0
    if action == TAKE_FRONT:
        return worth_at(s, front(s, place_of(s, s.ant)), guess)
    if action == TAKE_BACK:
        return worth_at(s, back(s, place_of(s, s.ant)), guess)
    if STACK <= action < SWAP:
        return guess[WORTH, action - STACK]
    if action < TURBO:
        return worth_of_move(s, action, destination(s, action), guess, params)
    return worth_of_power(s, action, guess, params) - params[CHOCOLATE_WORTH]


@jit
def worth_of_power(s, action, guess, params):
    """What a chocolate brings when it is spent."""
    if action == SPEND:
        return best_beside(s, place_of(s, s.ant), guess)
    if action >= SWAP:
        return worth_of_swap(s, PAIRS[action - SWAP, 0], PAIRS[action - SWAP, 1], params)
    if action == RECYCLE:
        return worth_of_recycling(s, guess)
    if action >= TIPTOE:
        return worth_of_tiptoe(s, action - TIPTOE, guess, params)
    if action >= BACKWARDS:
        ant = action - BACKWARDS
        return worth_of_move(s, ant, backwards_target(s, ant), guess, params)
    ant = action - TURBO
    return worth_of_move(s, ant, way_to(s, ant, turbo_target(s, ant)), guess, params)


@jit
def worth_of_move(s, ant, place, guess, params):
    """A move of an ant to a place of the trail or the hill, with the token that can be taken then."""
    if place == s.hill:
        return worth_of_arrival(s, ant, guess, params)
    before = place_of(s, ant)
    put_ant(s, ant, place)
    token = best_beside(s, place, guess)
    put_ant(s, ant, before)
    upwards = -1.0 if s.card[HILL_DECK] == HUMBLE else 1.0
    return token + params[ADVANCE] * upwards * surplus(s, ant) * RECIPROCAL[np.int64(guess[MOVES_LEFT, ant])]


@jit
def best_beside(s, place, guess):
    """The better of the front and the back token of an ant on this place; 0 if there is none."""
    best = max(worth_at(s, front(s, place), guess), worth_at(s, back(s, place), guess))
    return best if best > NOTHING else 0.0


@jit
def worth_at(s, place, guess):
    """What the token on a place is worth; NOTHING where no token is."""
    kind = token_at(s, place)
    return guess[WORTH, kind] if kind >= 0 else NOTHING


@jit
def worth_of_arrival(s, ant, guess, params):
    """The last move of an ant: a token of the stack, the change of its level's points, and perhaps the end."""
    change = points_of_level(s, next_level(s)) - guess[POINTS, ant]
    worth = best_of_stack(s, guess) + params[CLIMB] * change * surplus(s, ant)
    return worth + params[FINISH] * outcome(s, ant) if count(s.walking) == 1 else worth


@jit
def best_of_stack(s, guess):
    """The best token of the hill stack; 0 if it is empty."""
    best = NOTHING
    for food in range(FOODS):
        if s.stack[food]:
            best = max(best, guess[WORTH, food])
    return best if best > NOTHING else 0.0


@jit
def outcome(s, ant):
    """Whether the seat to move would win if this last ant arrived now: 1, 0 for a tie, −1; without the token."""
    level = points_of_level(s, next_level(s))
    own = points_of(s, np.int64(s.mover)) + level * s.owned[s.mover, ant]
    best = NOTHING
    for seat in range(s.players):
        if seat != s.mover:
            best = max(best, points_of(s, seat) + level * s.owned[seat, ant])
    return 1.0 if own > best else (0.0 if own == best else -1.0)


@jit
def worth_of_tiptoe(s, ant, guess, params):
    """The best move after the ant has stepped onto the next token."""
    before = place_of(s, ant)
    put_ant(s, ant, tiptoe_target(s, ant))
    best = NOTHING
    for other in range(FOODS):
        if has(s.walking, other):
            best = max(best, worth_of_move(s, other, destination(s, other), guess, params))
    put_ant(s, ant, before)
    return best


@jit
def worth_of_recycling(s, guess):
    """The first free tokens of the trail, as many as the recycler takes."""
    worth, place = 0.0, START
    for _ in range(RECYCLED):
        place = front(s, place)
        if place == s.hill:
            break
        worth += worth_at(s, place, guess)
    return worth


@jit
def worth_of_swap(s, first, second, params):
    """What the exchange of two ants on the hill changes."""
    gain = points_of_level(s, s.level[second]) - points_of_level(s, s.level[first])
    return params[CLIMB] * gain * (surplus(s, first) - surplus(s, second))


# Levels


@jit
def surplus(s, food):
    """How many more tokens of the food the seat to move has than the others have on average."""
    others = 0.0
    for seat in range(s.players):
        if seat != s.mover:
            others += s.owned[seat, food]
    return s.owned[s.mover, food] - others / (s.players - 1)


@jit
def next_level(s):
    """The level that the next ant to arrive will take."""
    arrived = count(ants_on_hill(s))
    return LEVELS - 1 - arrived if s.card[HILL_DECK] == HUMBLE else arrived


@jit
def points_of_level(s, level):
    """The points of a token whose ant is on a level; between two levels for a fraction."""
    above = min(np.int64(level), LEVELS - 2)
    part = level - above
    return s.rules.level_points[above] * (1 - part) + s.rules.level_points[above + 1] * part


@jit
def guess_points(s, guess):
    """The points of a token of each food: known once its ant is on the hill, guessed before from the moves left."""
    for ant in range(FOODS):
        guess[MOVES_LEFT, ant] = moves_left(s, ant)
    for ant in range(FOODS):
        if not has(s.walking, ant):
            guess[POINTS, ant] = points_of_level(s, s.level[ant])
        else:
            arrivals = arrivals_before(s, ant, guess)
            level = next_level(s) + (-arrivals if s.card[HILL_DECK] == HUMBLE else arrivals)
            guess[POINTS, ant] = points_of_level(s, level)


@jit
def arrivals_before(s, ant, guess):
    """How many of the walking ants will probably reach the hill before this one: those with fewer moves left."""
    own, arrivals = guess[MOVES_LEFT, ant], 0.0
    for other in range(FOODS):
        if other != ant and has(s.walking, other):
            arrivals += own * RECIPROCAL[np.int64(own + guess[MOVES_LEFT, other])]
    return arrivals


@jit
def moves_left(s, ant):
    """How many moves bring an ant to the hill if no more of its tokens are taken."""
    if not has(s.walking, ant):
        return 1
    place = place_of(s, ant)
    low, high = free_of_kind(s, ant, 0), free_of_kind(s, ant, 1)
    if place < 63:
        return count(low & ~below(place + 1)) + count(high)
    return count(high & ~below(place - 63))


# Tokens


@jit
def guess_worths(s, guess, params):
    """What taking a token of each kind is worth to the seat to move: its own, and keeping it from the next seat."""
    seat = np.int64(s.mover)
    following = seat + 1 if seat + 1 < s.players else 0
    guess_points(s, guess)
    for kind in range(KINDS):
        own = worth_to(s, seat, kind, guess, params)
        guess[WORTH, kind] = own + params[DENIAL] * worth_to(s, following, kind, guess, params)


@jit
def worth_to(s, seat, kind, guess, params):
    """What one more token is worth to a seat."""
    if kind == CHOCOLATE:
        return params[CHOCOLATE_WORTH]
    if kind == GOLD:
        return 1.0 * s.rules.gold_points
    if kind == WINE:
        return worth_of_wine(s, seat, params[WINE_TRUST])
    points = guess[POINTS, kind]
    return points + small_token_change(s, seat, kind, points) + wine_points_of_food(s, seat, kind)


@jit
def small_token_change(s, seat, food, points):
    """What the favourite or the allergy of a seat changes in the points of a token."""
    if s.small[seat] != food:
        return 0.0
    if s.card[SPECIAL_DECK] == FAVOURITE:
        return 1.0 * s.rules.favourite_bonus
    return -points if s.card[SPECIAL_DECK] == ALLERGY else 0.0


@jit
def wine_points_of_food(s, seat, food):
    """What a food changes in the points of the wine that a seat has."""
    card = s.card[WINE_DECK]
    if card == COLLECTOR and s.owned[seat, food] == 0:
        return 1.0 * wines(s, seat)
    if card == PAIRING and food == CHEESE and s.owned[seat, CHEESE] < wines(s, seat):
        return 1.0 * s.rules.pairing_points
    return 0.0


@jit
def worth_of_wine(s, seat, trust):
    """What one more wine is worth to a seat; `trust`: how much of what may still come is counted on."""
    card, own = s.card[WINE_DECK], wines(s, seat)
    if card == COLLECTOR:
        foods = different_foods(s, seat)
        return foods + trust * (FOODS - foods) / 2
    if card == OENOPHILE:
        return 2.0 * own + 1 + trust
    if card == PAIRING:
        return s.rules.pairing_points * (1.0 if s.owned[seat, CHEESE] > own else trust / 2)
    if card == PROTEGE:
        return -s.rules.protege_points / (s.players - 1)
    if card == CONNOISSEUR:
        return trust * s.rules.connoisseur_points / (2 + abs(own - most_wine_of_others(s, seat)))
    return -trust * s.rules.teetotaler_points / (2 + max(0, own - least_wine_of_others(s, seat)))


@jit
def most_wine_of_others(s, seat):
    """The most wine that another seat has."""
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, wines(s, other))
    return most


@jit
def least_wine_of_others(s, seat):
    """The least wine that another seat has."""
    least = 127
    for other in range(s.players):
        if other != seat:
            least = min(least, wines(s, other))
    return least
