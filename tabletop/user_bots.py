"""Bots of your own under a name, so that texts like `tall:from=2` mean them wherever bots are named.

A compiled one is a function in the Python that numba compiles. It plays inside the compiled loops:

>>> import tabletop
>>> from tabletop.bits import nth_in, count_in
>>> from tabletop.game import action_words
>>> from tabletop.rng import uniform, unit
>>> @tabletop.compiled_bot("low", chance=(0.8, 0, 1))
... def low(state, legal, rng, params):
...     '''With some probability the first legal action, else any.'''
...     if unit(rng, 0) < params[0]:
...         return nth_in(legal, 0)
...     return nth_in(legal, uniform(rng, 0, count_in(legal, action_words(state))))
>>> bites = tabletop.make("bites", players=2)
>>> results = bites.play(4, ["low:chance=0.5", "uniform"], seed=7)
>>> results.scores.shape
(4, 2)

A number with bounds, as here 0.8 from 0 to 1, can be tuned. A bot that reads or writes outside of an array is told:

>>> @tabletop.compiled_bot("careless")
... def careless(state, legal, rng, params):
...     return uniform(rng, 1, 5)
>>> bites.play(1, ["careless", "uniform"])
Traceback (most recent call last):
tabletop.choices.FailedBotError: game 0: bot 'careless' raised IndexError(...) at event ...

Globals are constants of the compiled code, as always with numba, but never stale ones: a bot is compiled anew when it
is named after a global that it or a function that it calls reads has changed, such as weights that were loaded or
trained again. What was compiled is kept for the next process, by the bytes of these globals, if they are numbers,
words, arrays or tuples; with others it is compiled in each process.

A plain one is any Python callable. It gets the position, the ids of the legal actions and a random generator:

>>> @tabletop.python_bot("last", skip=0)
... def last(state, legal, rng, skip):
...     '''The last legal action, or the one some places before it.'''
...     return legal[max(0, len(legal) - 1 - skip)]
>>> bites.play(1, ["last:skip=1", "low"], seed=7).names
('last:skip=1', 'low')

Both hold in this process. A script makes them known to the commands, if it ends like this and is called like
`critters`, as in `python my_bots.py tune bites --bot low …`:

    from experiments.command import main
    main()

A package makes its bots known everywhere by an entry point of the group `tabletop.bots`, which names a `BotKind`.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from tabletop.bots import Bot, BotError, BotKind, BotParameter, Value, compile_bot, plain_bot, register_kind
from tabletop.game import Game

ACT = "act(state, legal, rng, params)"  # what a compiled bot looks like
BOUNDED = "(default, lowest, highest) in this order"  # a number with bounds

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled_bot(
    name: str, /, allocates: bool = False, **parameters: float | tuple[float, float, float]
) -> Callable[[Function], Function]:
    """Decorator: names a function `act(state, legal, rng, params) -> event`, compiled for each game it plays.

    parameters: the numbers that tune it with their defaults, or as (default, lowest, highest); `params` holds them in
    this order. allocates: whether it creates arrays. BotError when it is first named for a game for which it does not
    compile.
    """
    _check_name(name, "compiled_bot")
    described = tuple(_number(each, given) for each, given in parameters.items())

    def decorate(act: Function) -> Function:
        def build(game: Game, values: Mapping[str, Value]) -> tuple[Callable[..., Any], np.ndarray]:
            numbers = [float(values[p.name]) for p in described]
            return _compile(name, game, act, allocates), np.array(numbers, np.float64)

        register_kind(BotKind(name, _summary(act), lambda game: described, build))
        return act

    return decorate


def _number(name: str, given: float | tuple[float, float, float]) -> BotParameter:
    """A number that tunes a compiled bot, with bounds if they are given; BotError says what is expected."""
    triple = given if isinstance(given, tuple) else (given, -np.inf, np.inf)
    are_numbers = all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in triple)
    if not (len(triple) == 3 and are_numbers and triple[1] <= triple[0] <= triple[2] and triple[1] < triple[2]):
        raise BotError(f"bot parameter {name!r}: default {given!r} is not allowed; expected a number, or {BOUNDED}")
    default, low, high = map(float, triple)
    return BotParameter(name, default, name, low, high)


def python_bot(name: str, /, **parameters: Value) -> Callable[[Function], Function]:
    """Decorator: names a Python callable `choose(state, legal, rng, **parameters) -> event`.

    state: an array of shape (1,), with what the seat cannot know dealt anew. legal: the ids of the legal actions,
    ascending. rng: a `numpy.random.Generator`. parameters: with their defaults: numbers or words. Several threads may
    call it at once. An object that remembers something of a game needs a method `new_game()`, which returns a player:
    a callable as above, for one seat of one game. Without it a game may depend on the games played before.
    """
    _check_name(name, "python_bot")
    described = tuple(_number_or_word(each, default) for each, default in parameters.items())

    def decorate(choose: Function) -> Function:
        def build(game: Game, values: Mapping[str, Value]) -> Bot:
            return plain_bot(_Tuned(choose, values), name)

        register_kind(BotKind(name, _summary(choose), lambda game: described, build))
        return choose

    return decorate


@dataclass(frozen=True, eq=False)
class _Tuned:
    """A Python callable with the values of its parameters, which the player of a single game is given as well."""

    choose: Callable[..., Any]
    values: Mapping[str, Value]

    def __call__(self, state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> Any:
        return self.choose(state, legal, rng, **self.values)

    def new_game(self) -> "_Tuned":
        """The player for one seat of one game: an own one if the callable makes them."""
        begin = getattr(self.choose, "new_game", None)
        return self if begin is None else replace(self, choose=begin())


def _check_name(name: Any, decorator: str) -> None:
    """BotError unless a decorator was given a name; one without parentheses is given the function itself."""
    if not isinstance(name, str):
        given = getattr(name, "__name__", repr(name))
        raise BotError(f'{decorator}: the name of the bot is missing; expected @tabletop.{decorator}("{given}")')


def _compile(name: str, game: Game, act: Callable[..., Any], allocates: bool) -> Callable[..., Any]:
    """Compiles a bot; BotError names it and says what was expected, whatever the compiler has to say."""
    if len(inspect.signature(act).parameters) != ACT.count(",") + 1:
        raise _not_compiled(name, game, f"it is {_name_of(act)}{inspect.signature(act)}")
    try:
        return compile_bot(game, act, allocates)
    except KeyError as error:  # numba looks a field up in the description of a record
        raise _not_compiled(name, game, f"the state has no field {error}") from error
    except Exception as error:  # the compiler raises errors of many kinds
        may_lack = not (allocates or isinstance(error, TypeError))
        hint = "; one that creates arrays needs compiled_bot(…, allocates=True)" if may_lack else ""
        raise _not_compiled(name, game, _said(error), hint) from error


def _not_compiled(name: str, game: Game, reason: str, hint: str = "") -> BotError:
    expected = f"expected {ACT} that returns the id of a legal event"
    return BotError(f"bot {name!r} does not compile for the game {game.name!r}: {reason}; {expected}{hint}")


def _said(error: Exception) -> str:
    """The lines of an error that tell what is wrong: the first one, and what it may announce."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith("Failed in nopython")] or [repr(error)]
    return " ".join(telling[: 2 if telling[0].endswith(":") else 1])


def _number_or_word(name: str, default: Value) -> BotParameter:
    if isinstance(default, bool) or not isinstance(default, (int, float, str)):
        raise BotError(f"bot parameter {name!r}: default {default!r} is not allowed; expected a number or a word")
    return BotParameter(name, default, name)


def _summary(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or _name_of(function)).partition("\n")[0]


def _name_of(function: Any) -> str:
    """The name of a function, or of the class of a callable object."""
    return str(getattr(function, "__name__", type(function).__name__))
