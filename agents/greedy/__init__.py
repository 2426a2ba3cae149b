"""Greedy bots: each values every legal action by a hand-written evaluation of its game and takes the best.

A game that has one has a module of its name here, with
PARAMETERS: the numbers that tune its evaluation, each a `BotParameter` with a default, and
act: the function of a compiled bot, which reads them from `params` in the same order and may create arrays.
It may have
evaluate: what a position promises a seat, in points, for the searches, and
SEARCH: the settings with which `mcts` was found strongest in this game, which are its defaults there.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import numpy as np

from tabletop.bots import BotError, BotKind, BotParameter, Value, compile_bot
from tabletop.game import Game

TIE_BREAK = 1e-6  # points; equal actions are chosen equally often
NOTHING = -1e9  # points of what cannot be had: less than anything else is worth


def module_of(game: Game) -> ModuleType:
    """The module of a game's greedy bot; BotError if it has none."""
    name = f"{__name__}.{game.name}"
    if not game.name.isidentifier() or find_spec(name) is None:
        raise BotError(f"bot 'greedy' cannot play {game.name!r}: there is no module {name}")
    return import_module(name)


def search_settings(game: Game) -> Mapping[str, Value]:
    """The settings with which a tree search is strongest in a game; none for a game without a greedy bot."""
    try:
        return getattr(module_of(game), "SEARCH", {})
    except BotError:
        return {}


def _parameters(game: Game) -> tuple[BotParameter, ...]:
    return module_of(game).PARAMETERS


def _build(game: Game, values: Mapping[str, Value]) -> tuple[Callable[..., int], np.ndarray]:
    numbers = [float(values[parameter.name]) for parameter in _parameters(game)]
    return compile_bot(game, module_of(game).act, allocates=True), np.array(numbers)


BOT = BotKind(
    "greedy",
    "takes the action that a hand-written evaluation of the game values most; its weights are its parameters",
    _parameters,
    _build,
)
