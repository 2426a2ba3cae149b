"""Flat Monte Carlo: every legal action is tried equally often by a roll-out; the best mean wins."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agents.search.iteration import has_budget
from agents.search.rollouts import roll_out
from agents.search.settings import numbers, parameters
from agents.search.tree import BASE, ROOT, WALK, add_node, back_up, event_of, positions_and_work
from tabletop.bits import count_in, nth_in
from tabletop.bots import BotKind, BotParameter, Value, compile_bot
from tabletop.clock import nanoseconds
from tabletop.game import Game, action_words, redeal, step, to_move
from tabletop.jit import jit


def act(state, legal, rng, params):
    """The action with the best mean of its roll-outs; a lone action without any."""
    actions = count_in(legal, action_words(state))
    if actions == 1:
        return nth_in(legal, 0)
    states, work = positions_and_work(state, actions + 1, rng)
    for k in range(actions):
        add_node(work, np.int64(ROOT), nth_in(legal, k), to_move(state), 0.0)
    try_all(states, work, actions, params)
    return event_of(work, best_mean(work, actions))


@jit
def try_all(states, work, actions: int, params) -> None:
    """Tries the actions in turn until the budget is spent, but each once at least."""
    start, tried = nanoseconds(), 0
    while tried < actions or has_budget(tried, start, params):
        try_action(states, work, 1 + tried % actions, params)
        tried += 1


@jit
def try_action(states, work, node: int, params) -> None:
    """Deals anew what the seat cannot know, applies the action of a node and plays on from there."""
    states[WALK] = states[BASE]
    redeal(states[WALK], to_move(states[BASE]), work.rng[work.rng.size - 1 :])
    step(states[WALK], np.int64(work.tree[node].event))
    work.path[0] = node
    roll_out(states, work, params)
    back_up(work, 1)


@jit
def best_mean(work, actions: int) -> int:
    """The node 1 … actions with the highest mean; the first of equals."""
    best = 1
    for node in range(2, actions + 1):
        rival, champion = work.tree[node], work.tree[best]
        if rival.total * champion.visits > champion.total * rival.visits:
            best = node
    return best


def _parameters(game: Game) -> tuple[BotParameter, ...]:
    return parameters(
        game,
        iterations=1000,
        milliseconds=0,
        rollout="uniform",
        depth=-1,
        noise=0.0,
        evaluation="greedy",
        scale=4.0,
        margin=0.0,
    )


def _build(game: Game, values: Mapping[str, Value]) -> tuple[Callable[..., Any], np.ndarray]:
    return compile_bot(game, act, allocates=True), numbers(game, values)


BOT = BotKind("flat", "flat Monte Carlo: as many roll-outs for each action", _parameters, _build)
