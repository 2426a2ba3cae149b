"""One-step look-ahead: the action after which the position is valued best, averaged over what is hidden or drawn."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agents.search.settings import SAMPLES, numbers, parameters
from agents.search.tree import BASE, WALK, positions_and_work
from agents.search.values import value_position
from tabletop.bits import count_in, nth_in
from tabletop.bots import BotKind, BotParameter, Value, compile_bot
from tabletop.game import Game, action_words, redeal, step, to_move
from tabletop.jit import jit
from tabletop.play import resolve_chance


def act(state, legal, rng, params):
    """The action with the best value right after it, over the same draws for all; the first of equals."""
    actions = count_in(legal, action_words(state))
    if actions == 1:
        return nth_in(legal, 0)
    states, work = positions_and_work(state, 1, rng)
    draws = work.rng.copy()
    best, best_value = 0, -1.0
    for k in range(actions):
        work.rng[:] = draws
        value = value_after(states, work, nth_in(legal, k), params)
        if value > best_value:
            best, best_value = k, value
    return nth_in(legal, best)


@jit
def value_after(states, work, event: int, params) -> float:
    """The value for the seat to move, summed over the draws, once the next decision is due after an action."""
    mover, total = to_move(states[BASE]), 0.0
    for _ in range(np.int64(params[SAMPLES])):
        states[WALK] = states[BASE]
        redeal(states[WALK], mover, work.rng[work.rng.size - 1 :])
        step(states[WALK], event)
        resolve_chance(states[WALK], work.rng)
        value_position(states[WALK], work.values, work.whole, params)
        total += work.values[mover]
    return total


def _parameters(game: Game) -> tuple[BotParameter, ...]:
    return parameters(game, evaluation="greedy", samples=8, scale=4.0, margin=0.0)


def _build(game: Game, values: Mapping[str, Value]) -> tuple[Callable[..., Any], np.ndarray]:
    return compile_bot(game, act, allocates=True), numbers(game, values)


SUMMARY = "takes the action after which the position is valued best, averaged over what is hidden or drawn"
BOT = BotKind("lookahead", SUMMARY, _parameters, _build)
