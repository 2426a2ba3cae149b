"""The bot that plays every legal action equally often."""

from collections.abc import Callable, Mapping

import numpy as np

from tabletop.bits import count_in, nth_in
from tabletop.bots import BotKind, BotParameter, Value, compile_bot
from tabletop.game import Game, action_words
from tabletop.rng import uniform


def act(state, legal, rng, params):
    """A legal action, each equally likely."""
    return nth_in(legal, uniform(rng, 0, count_in(legal, action_words(state))))


def _parameters(game: Game) -> tuple[BotParameter, ...]:
    return ()


def _build(game: Game, values: Mapping[str, Value]) -> tuple[Callable[..., int], np.ndarray]:
    return compile_bot(game, act), np.zeros(0)


BOT = BotKind("uniform", "plays every legal action equally often", _parameters, _build)
