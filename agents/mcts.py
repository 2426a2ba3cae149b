"""Monte Carlo tree search for any game: n seats, chance, hidden information.

Each seat is taken to maximise its own value. What the searching seat cannot know is dealt anew in every walk, so the
tree is one over what it knows (an information set), and its choice cannot depend on the hidden truth.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agents.greedy import search_settings
from agents.search.iteration import search
from agents.search.player import Player
from agents.search.settings import NODES, numbers, parameters
from agents.search.tree import event_of, keep_to, most_visited, positions_and_work
from tabletop.bits import count_in, nth_in
from tabletop.bots import Bot, BotError, BotKind, BotParameter, Value, compile_bot
from tabletop.game import Game, action_words


def act(state, legal, rng, params):
    """The action that was visited most often; a lone action without a search."""
    if count_in(legal, action_words(state)) == 1:
        return nth_in(legal, 0)
    states, work = positions_and_work(state, np.int64(params[NODES]), rng)
    keep_to(state, work, legal)
    search(states, work, params)
    return event_of(work, most_visited(work))


DEFAULTS: dict[str, Value] = {
    "iterations": 1000,
    "milliseconds": 0,
    "rollout": "uniform",
    "depth": -1,
    "noise": 0.0,
    "evaluation": "greedy",
    "scale": 4.0,
    "margin": 0.0,
    "exploration": 1.0,
    "selection": "uct",
    "prior": "equal",
    "sharpness": 2.0,
    "chance": "open",
    "nodes": 0,
    "threads": 1,
    "reuse": "no",
}
"""What a search is like in a game that says nothing else."""


def _parameters(game: Game) -> tuple[BotParameter, ...]:
    return parameters(game, **DEFAULTS | search_settings(game))


def _build(game: Game, values: Mapping[str, Value]) -> tuple[Callable[..., Any], np.ndarray] | Bot:
    if values["chance"] == "explicit" and not game.perfect_information:
        raise BotError(f"bot mcts: chance=explicit would show hidden outcomes of {game.name!r}; expected chance=open")
    params = numbers(game, values)
    if values["threads"] == 1 and values["reuse"] == "no":
        return compile_bot(game, act, allocates=True), params
    player = Player(params, int(values["threads"]), values["reuse"] == "yes")
    player.compile(game)
    return Bot("mcts", player, params, compiled=False)


BOT = BotKind("mcts", "Monte Carlo tree search; what is hidden is dealt anew in every walk", _parameters, _build)
