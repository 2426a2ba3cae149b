"""Bots of your own under a name, so that texts like `tall:from=2` mean them wherever bots are named.

A compiled one is a function in the Python that numba compiles. It plays inside the compiled loops:

>>> import tabletop
>>> from tabletop.bits import nth_in, count_in
>>> from tabletop.game import action_words
>>> from tabletop.rng import uniform, unit
>>> @tabletop.compiled_bot("low", chance=0.8)
... def low(state, legal, rng, params):
...     '''With some probability the first legal action, else any.'''
...     if unit(rng, 0) < params[0]:
...         return nth_in(legal, 0)
...     return nth_in(legal, uniform(rng, 0, count_in(legal, action_words(state))))
>>> bites = tabletop.make("bites", players=2)
>>> results = bites.play(4, ["low:chance=0.5", "uniform"], seed=7)
>>> results.scores.shape
(4, 2)

A plain one is any Python callable. It gets the position, the ids of the legal actions and a random generator:

>>> @tabletop.python_bot("last", skip=0)
... def last(state, legal, rng, skip):
...     '''The last legal action, or the one some places before it.'''
...     return legal[max(0, len(legal) - 1 - skip)]
>>> bites.play(1, ["last:skip=1", "low"], seed=7).names
('last:skip=1', 'low')

Both hold in this process. A package makes its bots known everywhere by an entry point of the group
`tabletop.bots`, which names a `BotKind`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import numpy as np

from tabletop.bots import Bot, BotError, BotKind, BotParameter, Value, compile_bot, plain_bot, register_kind
from tabletop.game import Game

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled_bot(name: str, /, allocates: bool = False, **parameters: float) -> Callable[[Function], Function]:
    """Decorator: names a function `act(state, legal, rng, params) -> event`, compiled for each game it plays.

    parameters: the numbers that tune it with their defaults; `params` holds them in this order.
    allocates: whether it creates arrays.
    """
    described = _described({key: float(default) for key, default in parameters.items()})

    def decorate(act: Function) -> Function:
        def build(game: Game, values: Mapping[str, Value]) -> tuple[Callable[..., Any], np.ndarray]:
            numbers = [float(values[p.name]) for p in described]
            return compile_bot(game, act, allocates), np.array(numbers, np.float64)

        register_kind(BotKind(name, _summary(act), lambda game: described, build))
        return act

    return decorate


def python_bot(name: str, /, **parameters: Value) -> Callable[[Function], Function]:
    """Decorator: names a Python callable `choose(state, legal, rng, **parameters) -> event`.

    state: an array of shape (1,), with what the seat cannot know dealt anew. legal: the ids of the legal actions,
    ascending. rng: a `numpy.random.Generator`. parameters: with their defaults: numbers or words.
    """
    described = _described(parameters)

    def decorate(choose: Function) -> Function:
        def build(game: Game, values: Mapping[str, Value]) -> Bot:
            return plain_bot(partial(choose, **values), name)

        register_kind(BotKind(name, _summary(choose), lambda game: described, build))
        return choose

    return decorate


def _described(parameters: Mapping[str, Value]) -> tuple[BotParameter, ...]:
    for name, default in parameters.items():
        if isinstance(default, bool) or not isinstance(default, (int, float, str)):
            raise BotError(f"bot parameter {name!r}: default {default!r} is not allowed; expected a number or a word")
    return tuple(BotParameter(name, default, name) for name, default in parameters.items())


def _summary(function: Callable[..., Any]) -> str:
    return (function.__doc__ or function.__name__).strip().partition("\n")[0]
