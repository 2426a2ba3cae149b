"""max^n on a small depth (Luckhardt, Irani 1986): each seat takes the action that is best for itself.

Only for games with perfect information. Chance is averaged over some draws, or over all outcomes. A choice takes as
long as its depth needs and cannot be interrupted: the positions are about as many as the branches of one, to the power
of the depth. Four decisions are a matter of seconds in most games, the deepest search is for the smallest ones.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from agents.search.settings import CHANCE_NODES, DEPTH, EXPLICIT, SAMPLES, numbers, parameters
from agents.search.values import value_position
from tabletop.bits import count_in, nth_in
from tabletop.bots import BotError, BotKind, BotParameter, Value, compile_bot
from tabletop.game import (
    CHANCE,
    NO_EVENT,
    OVER,
    Game,
    action_words,
    actions,
    blank,
    chance_streams,
    events,
    legal,
    most_players,
    sample,
    seats,
    step,
    to_move,
    weights,
    words,
)
from tabletop.jit import jit
from tabletop.rng import word

MOST_LEVELS = 32  # events of a line; what lies beyond is valued as it stands
MOST_DEEP = 16
LOOKS_AHEAD = "decisions that are looked ahead; a choice cannot be interrupted, and each more takes many times as long"


class Room(NamedTuple):
    """The arrays of a search, a row a level.

    values: one a seat. sets: events, at level 0 the actions to choose from. weights: of chance outcomes. totals: of
    the weights so far. counts: DECISIONS left, BRANCHES of the node, those TRIED, the EVENT tried last, the BEST one.
    """

    values: np.ndarray
    sets: np.ndarray
    weights: np.ndarray
    totals: np.ndarray
    counts: np.ndarray
    whole: np.ndarray
    rng: np.ndarray


DECISIONS, BRANCHES, TRIED, EVENT, BEST, COUNTS = range(6)


def act(state, legal, rng, params):
    """The best action of the seat to move when each seat does what is best for itself; the first of equals."""
    if count_in(legal, action_words(state)) == 1:
        return nth_in(legal, 0)
    positions = blank(state, MOST_LEVELS)
    positions[0] = state
    streams = np.empty(chance_streams(state) + most_players(state), np.uint64)
    for k in range(streams.size):
        streams[k] = word(rng, 0)
    room = Room(
        np.zeros((MOST_LEVELS, seats(state))),
        np.zeros((MOST_LEVELS, words(state)), np.uint64),
        np.zeros((MOST_LEVELS, events(state) - actions(state)), np.int64),
        np.zeros(MOST_LEVELS),
        np.zeros((MOST_LEVELS, COUNTS), np.int64),
        np.zeros(seats(state), np.int32),
        streams,
    )
    for k in range(action_words(state)):
        room.sets[0, k] = legal[k]
    return solve(positions, room, params)


@jit
def solve(positions, room: Room, params) -> int:
    """The best action of the first set at position 0: down to the leaves and back, level by level."""
    level = 0
    begin(positions[0], room, level, np.int64(params[DEPTH]), params)
    while True:
        counts = room.counts[level]
        if counts[TRIED] < counts[BRANCHES]:
            counts[EVENT] = branch(positions[level], room, level, counts[TRIED], params)
            counts[TRIED] += 1
            level += 1
            positions[level] = positions[level - 1]
            step(positions[level], counts[EVENT])
            decisions = counts[DECISIONS] - (to_move(positions[level - 1]) != CHANCE)
            begin(positions[level], room, level, decisions, params)
        else:
            if level == 0:
                return counts[BEST]
            level -= 1
            take_up(positions[level], room, level, params)


@jit
def begin(s, room: Room, level: int, decisions: int, params) -> None:
    """Begins with a position: a leaf has its value and no branches."""
    counts = room.counts[level]
    counts[DECISIONS], counts[TRIED], counts[BEST] = decisions, 0, NO_EVENT
    room.totals[level] = 0.0
    for seat in range(seats(s)):
        room.values[level, seat] = 0.0
    if to_move(s) == OVER or decisions == 0 or level + 1 == room.totals.size:
        value_position(s, room.values[level], room.whole, params)
        counts[BRANCHES] = 0
    else:
        counts[BRANCHES] = branches(s, room, level, params)


@jit
def take_up(s, room: Room, level: int, params) -> None:
    """Takes the values of the next level into a position: into their mean at chance, if they are better elsewhere."""
    counts, mover = room.counts[level], to_move(s)
    if mover == CHANCE:
        add_weighted(s, room, level, counts[EVENT], params)
    elif counts[BEST] == NO_EVENT or room.values[level + 1, mover] > room.values[level, mover]:
        counts[BEST] = counts[EVENT]
        for seat in range(seats(s)):
            room.values[level, seat] = room.values[level + 1, seat]


@jit
def branches(s, room: Room, level: int, params) -> int:
    """How many events are looked at: all legal ones, or some draws; at the root those that it was given."""
    if to_move(s) != CHANCE:
        if level > 0:
            legal(s, room.sets[level])
        return count_in(room.sets[level], action_words(s))
    if params[CHANCE_NODES] != EXPLICIT:
        return np.int64(params[SAMPLES])
    legal(s, room.sets[level])
    weights(s, room.weights[level])
    return count_in(room.sets[level], words(s))


@jit
def branch(s, room: Room, level: int, k: int, params) -> int:
    """The k-th event that is looked at."""
    if to_move(s) == CHANCE and params[CHANCE_NODES] != EXPLICIT:
        return sample(s, room.rng)
    return nth_in(room.sets[level], k)


@jit
def add_weighted(s, room: Room, level: int, event: int, params) -> None:
    """Keeps the weighted mean of the values after the outcomes so far."""
    weight = 1.0
    if params[CHANCE_NODES] == EXPLICIT:
        weight = np.float64(room.weights[level, event - actions(s)])
    room.totals[level] += weight
    for seat in range(seats(s)):
        gap = room.values[level + 1, seat] - room.values[level, seat]
        room.values[level, seat] += gap * weight / room.totals[level]


def _parameters(game: Game) -> tuple[BotParameter, ...]:
    own = parameters(game, depth=2, evaluation="greedy", samples=4, chance="open", scale=4.0, margin=0.0)
    return (BotParameter("depth", 2, LOOKS_AHEAD, 1, MOST_DEEP), *own[1:])


def _build(game: Game, values: Mapping[str, Value]) -> tuple[Callable[..., Any], np.ndarray]:
    if not game.perfect_information:
        raise BotError(f"bot maxn: {game.name!r} has hidden information; expected a game without")
    return compile_bot(game, act, allocates=True), numbers(game, values)


SUMMARY = "looks some decisions ahead, each seat for itself; only for games without hidden information"
BOT = BotKind("maxn", SUMMARY, _parameters, _build)
