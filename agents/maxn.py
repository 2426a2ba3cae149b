"""max^n on a small depth (Luckhardt, Irani 1986): each seat takes the action that is best for itself.

Only for games with perfect information. Chance is averaged over some draws, or over all outcomes.
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


class Room(NamedTuple):
    """The arrays of a search, a row a level: values (one a seat), sets of events, weights of chance outcomes."""

    values: np.ndarray
    sets: np.ndarray
    weights: np.ndarray
    whole: np.ndarray
    rng: np.ndarray


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
        np.zeros(seats(state), np.int32),
        streams,
    )
    return solve(positions, room, np.int64(0), np.int64(params[DEPTH]), params)


@jit
def solve(positions, room: Room, level: int, decisions: int, params) -> int:
    """Writes the values of the position of a level to room.values[level]; returns the best action, or NO_EVENT."""
    s = positions[level]
    mover = to_move(s)
    if mover == OVER or decisions == 0 or level + 1 == positions.shape[0]:
        value_position(s, room.values[level], room.whole, params)
        return np.int64(NO_EVENT)
    best, total = np.int64(NO_EVENT), 0.0
    for seat in range(seats(s)):
        room.values[level, seat] = 0.0
    for k in range(branches(s, room, level, params)):
        event = branch(s, room, level, k, params)
        positions[level + 1] = positions[level]
        step(positions[level + 1], event)
        solve(positions, room, level + 1, decisions - (mover >= 0), params)
        if mover == CHANCE:
            total += add_weighted(s, room, level, event, params)
        elif best == NO_EVENT or room.values[level + 1, mover] > room.values[level, mover]:
            best = event
            for seat in range(seats(s)):
                room.values[level, seat] = room.values[level + 1, seat]
    if mover == CHANCE:
        for seat in range(seats(s)):
            room.values[level, seat] /= total
    return best


@jit
def branches(s, room: Room, level: int, params) -> int:
    """How many events are looked at: all legal ones, or some draws."""
    if to_move(s) != CHANCE:
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
def add_weighted(s, room: Room, level: int, event: int, params) -> float:
    """Adds the values of the next level with the weight of the outcome that led there; returns the weight."""
    weight = 1.0
    if params[CHANCE_NODES] == EXPLICIT:
        weight = np.float64(room.weights[level, event - actions(s)])
    for seat in range(seats(s)):
        room.values[level, seat] += weight * room.values[level + 1, seat]
    return weight


def _parameters(game: Game) -> tuple[BotParameter, ...]:
    own = parameters(game, depth=2, evaluation="greedy", samples=4, chance="open", scale=4.0, margin=0.0)
    return (BotParameter("depth", 2, "decisions that are looked ahead", 1, MOST_DEEP), *own[1:])


def _build(game: Game, values: Mapping[str, Value]) -> tuple[Callable[..., Any], np.ndarray]:
    if not game.perfect_information:
        raise BotError(f"bot maxn: {game.name!r} has hidden information; expected a game without")
    return compile_bot(game, act, allocates=True), numbers(game, values)


BOT = BotKind("maxn", "looks some decisions ahead; each seat does what is best for itself", _parameters, _build)
