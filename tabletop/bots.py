"""Bots: what plays a seat. They are named by a text such as `uniform` or `greedy:wine=0.5,stack=2`.

A compiled bot is a module-level function `act(state, legal, rng, params) -> event`:
state: a copy of the state in which what the seat cannot know has been dealt anew; the bot may change it.
legal: the set of legal actions, `action_words` words of uint64. rng: the stream of its seat, as stream 0.
params: float64 numbers that tune it. A bot that writes to `legal` or `params` does not compile. All compiled bots
of a game share one signature, so one compiled loop serves any mix of them.

Other streams than its own are out of its reach: `rng` is a copy that lies apart from them. An index outside of an
array is an IndexError in the bot's own function, and so is a draw from another stream than 0 wherever it is made.

A plain bot is a Python callable `choose(state, legal, rng) -> event`, with the state as an array of shape (1,),
the legal actions as an array of ids and a `numpy.random.Generator`. It plays through a slower loop.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

from tabletop.frozen import Look, all_hold, looks
from tabletop.game import Game
from tabletop.jit import JIT_ENABLED, jit
from tabletop.parts import forget
from tabletop.plug_ins import BOTS_GROUP, plug_ins

Value: TypeAlias = int | float | str


class BotError(ValueError):
    """An unknown bot, an unknown parameter of a bot, or a value that is not allowed."""


@dataclass(frozen=True)
class Bot:
    """A bot ready to play one game: a compiled function with its numbers, or a plain Python callable.

    timed: what it chooses depends on how fast the machine is, so that no seed makes it play the same game again.
    """

    name: str
    act: Callable[..., Any]
    params: np.ndarray
    compiled: bool = True
    timed: bool = False

    def for_one_game(self) -> "Bot":
        """The bot for one seat of one game: a plain one with memory has a method `new_game` that makes its player."""
        begin = None if self.compiled else getattr(self.act, "new_game", None)
        return self if begin is None else replace(self, act=begin())


@dataclass(frozen=True)
class BotParameter:
    """A number or word by which a bot is tuned; `low` and `high` bound numbers, `words` lists words.

    timed: with another value than the default, the bot is a timed one.
    """

    name: str
    default: Value
    meaning: str
    low: float = -np.inf
    high: float = np.inf
    words: tuple[str, ...] = ()
    timed: bool = False

    def read(self, text: str) -> Value:
        """The value that a user wrote, of the default's type; BotError says what is expected."""
        try:
            value = type(self.default)(text)
        except ValueError:
            raise self._refuse(text) from None
        if isinstance(value, str) and self.words and value not in self.words:
            raise self._refuse(text)
        if not isinstance(value, str) and not self.low <= value <= self.high:
            raise self._refuse(text)
        return value

    def _refuse(self, text: str) -> BotError:
        kind = {int: "an integer", float: "a number", str: "one of " + ", ".join(self.words)}[type(self.default)]
        form = ".0f" if isinstance(self.default, int) else "g"
        between = f" from {self.low:{form}} to {self.high:{form}}" if np.isfinite([self.low, self.high]).all() else ""
        return BotError(f"bot parameter {self.name!r}: {text!r} is not allowed; expected {kind}{between}")


@dataclass(frozen=True)
class BotKind:
    """A family of bots: its parameters in a game, and how one is built from their values.

    build: returns a compiled function and its numbers, or a `Bot` of either sort.
    """

    name: str
    summary: str
    parameters: Callable[[Game], tuple[BotParameter, ...]]
    build: Callable[[Game, Mapping[str, Value]], tuple[Callable[..., Any], np.ndarray] | Bot]


_REGISTERED: dict[str, BotKind] = {}  # by this process; see `tabletop.user_bots`


def kinds() -> dict[str, BotKind]:
    """The families of bots by name: the installed ones, and those that this process registered."""
    return _REGISTERED | {name: point.load() for name, point in plug_ins(BOTS_GROUP).items()}


def register_kind(kind: BotKind) -> BotKind:
    """Makes a family of bots known by its name to this process; BotError if an installed one has that name."""
    if kind.name in plug_ins(BOTS_GROUP) or not kind.name.replace("_", "a").replace("-", "a").isalnum():
        raise BotError(
            f"bot name {kind.name!r} is not allowed; expected letters, digits, - and _, and no installed bot"
        )
    _REGISTERED[kind.name] = kind
    return kind


def compile_bot(game: Game, function: Callable[..., Any], allocates: bool = False) -> Callable[..., Any]:
    """Compiles a module-level `act` function with the one signature that all bots of the game share.

    Globals are constants of compiled code: it is compiled anew if one that it or what it calls reads has changed.
    TypeError if it does not return an integer: a fraction would be cut off without a word.
    """
    state = from_dtype(game.state)
    known = _COMPILED.setdefault((state, function), [])
    if known and all_hold(known[-1][1]):
        return known[-1][0]
    _forget_changed(function)
    seen = looks((function,), Look)
    arguments = state, _fixed(types.uint64), types.uint64[::1], _fixed(types.float64)
    known.append((_compiled_act(function, arguments, allocates), seen))
    return known[-1][0]


def _forget_changed(function: Callable[..., Any]) -> None:
    """Forgets the compiled parts of a function if values that they may contain have changed."""
    if not all_hold(looks((function,))):
        for look in looks((function,), Look):
            for called in look.calls:
                forget(called)


def _compiled_act(function: Callable[..., Any], arguments: tuple[Any, ...], allocates: bool) -> Callable[..., Any]:
    """The function compiled as it is; once more if what it returns is an integer, but not as wide as all others'."""
    act: Any = jit(signature=arguments, allocates=allocates, checked=True)(function)
    if not JIT_ENABLED:
        return act
    (compiled,) = act.overloads.values()
    returned = compiled.signature.return_type
    if not isinstance(types.unliteral(returned), (types.Integer, types.Boolean)):
        raise TypeError(f"it returns {returned}; expected an integer everywhere, as np.int64(…) makes one")
    if returned == types.int64:
        return act
    return jit(signature=types.int64(*arguments), allocates=allocates, checked=True)(function)


def _fixed(kind: Any) -> Any:
    """The type of a one-dimensional array that the compiler lets nobody change."""
    return types.Array(kind, 1, "C", readonly=True)


_COMPILED: dict[tuple[Any, Callable[..., Any]], list[tuple[Callable[..., Any], tuple[Look, ...]]]] = {}
"""The bots compiled so far, as even a cached one takes 30 ms to load, and what each contains; addresses point to them.
"""


def address_of(act: Callable[..., Any]) -> int:
    """The number by which compiled loops call a compiled bot; it holds while `act` lives."""
    if not JIT_ENABLED:
        _PLAIN_ACTS[id(act)] = act
        return id(act)
    (compiled,) = act.overloads.values()  # type: ignore[attr-defined]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


_PLAIN_ACTS: dict[int, Callable[..., Any]] = {}


def _call_plain(address: int, s: Any, legal: np.ndarray, rng: np.ndarray, params: np.ndarray) -> int:
    return _PLAIN_ACTS[int(address)](s, legal, rng, params)


def call_at(address: Any, arguments: tuple[Any, ...], result: Any) -> tuple[Any, Callable[..., Any]]:
    """What an intrinsic returns that calls the compiled function at an address; an exception in it is passed on."""

    def codegen(context, builder, signature, values):
        kind = context.call_conv.get_function_type(result, arguments)
        function = builder.inttoptr(values[0], ir.PointerType(kind))
        status, answer = context.call_conv.call_function(builder, function, result, arguments, values[1:])
        with builder.if_then(status.is_error, likely=False):
            context.call_conv.return_status_propagate(builder, status)
        return answer

    return result(address, *arguments), codegen


@intrinsic
def _call_compiled(typing_context, address, s, legal, rng, params):
    """Calls the compiled bot at an address."""
    return call_at(address, (s, legal, rng, params), types.int64)


call_act = _call_compiled if JIT_ENABLED else _call_plain
"""`call_act(address, state, legal, rng, params) -> event`: asks a bot, in compiled loops.

Numba's own first-class functions do the same, but look at each function anew whenever a tuple of them is passed
from Python: 0.4 ms a call, against none for an array of addresses, and any number of bots is one type.
"""


LENT, OWN = 16, 7  # words that a bot is lent, and which of them is its stream; the others are 0 and must stay so


@intrinsic
def _words_on_the_stack(typing_context):
    """An array of LENT words that lives as long as the call of the function that asks for it."""
    kind = types.Array(types.uint64, 1, "C")

    def codegen(context, builder, signature, arguments):
        words = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), LENT))
        array = make_array(kind)(context, builder)
        shape, width = (context.get_constant(types.intp, size) for size in (LENT, 8))
        data = builder.bitcast(words, array.data.type)
        populate_array(array, data=data, shape=[shape], strides=[width], itemsize=width, meminfo=None)
        return array._getvalue()

    return kind(), codegen


def _plain_words() -> np.ndarray:
    return np.empty(LENT, np.uint64)


_words_to_lend = _words_on_the_stack if JIT_ENABLED else _plain_words


@jit
def ask(address: int, s: Any, legal: np.ndarray, rng: np.ndarray, stream: int, params: np.ndarray) -> int:
    """What a compiled bot chooses that draws from a stream of `rng`; it is lent a copy of this one alone.

    The words around the copy catch what is drawn from another stream by mistake: IndexError.
    """
    lent = _words_to_lend()
    _guard(lent)
    lent[OWN] = rng[stream]
    event = call_act(address, s, legal, lent[OWN : OWN + 1], params)
    rng[stream] = lent[OWN]
    if _is_spoilt(lent):
        raise IndexError("the bot drew from a stream that is not its own; expected stream 0")
    return event


# Both leave out the bot's own word: to read in one piece what was written in several would take as long as all else.


@jit(inlined=True)
def _guard(lent: np.ndarray) -> None:
    """Sets the words around a lent stream to 0."""
    for k in range(OWN):
        lent[k] = np.uint64(0)
    for k in range(OWN + 1, LENT):
        lent[k] = np.uint64(0)


@jit(inlined=True)
def _is_spoilt(lent: np.ndarray) -> bool:
    """Whether one of the words around a lent stream is not 0 any more."""
    found = np.uint64(0)
    for k in range(OWN):
        found |= lent[k]
    for k in range(OWN + 1, LENT):
        found |= lent[k]
    return found != np.uint64(0)


def bot(text: str, game: Game) -> Bot:
    """The bot that `text` names, `kind` or `kind:parameter=value,…`; BotError lists what there is."""
    kind, values = read_bot(text, game)
    built = kind.build(game, values)
    made = replace(built, name=text) if isinstance(built, Bot) else Bot(text, *built)
    timed = any(p.timed and values[p.name] != p.default for p in kind.parameters(game))
    return replace(made, timed=made.timed or timed)


def read_bot(text: str, game: Game) -> tuple[BotKind, dict[str, Value]]:
    """The family and the values of all parameters that `text` names, without building the bot; BotError as `bot`."""
    name, _, rest = text.partition(":")
    available = kinds()
    if name not in available:
        raise BotError(f"unknown bot {name!r}; there are {', '.join(sorted(available))}")
    return available[name], _values(text, rest, available[name].parameters(game))


def _values(text: str, rest: str, parameters: tuple[BotParameter, ...]) -> dict[str, Value]:
    values: dict[str, Value] = {p.name: p.default for p in parameters}
    by_name = {p.name: p for p in parameters}
    given: set[str] = set()
    for part in filter(None, rest.split(",")):
        name, equals, value = part.partition("=")
        known = f"the parameters are {', '.join(by_name) or 'none'}"
        if not equals:
            raise BotError(f"bot {text!r}: {part!r} is not `parameter=value`; {known}")
        if name not in by_name:
            raise BotError(f"bot {text!r}: unknown parameter {name!r}; {known}")
        if name in given:
            raise BotError(f"bot {text!r}: {name!r} is given twice; expected it once")
        given.add(name)
        values[name] = by_name[name].read(value)
    return values


def plain_bot(choose: Callable[..., int], name: str | None = None) -> Bot:
    """A bot from a Python callable `choose(state, legal, rng) -> event`."""
    return Bot(name or str(getattr(choose, "__name__", "plain")), choose, np.zeros(0), compiled=False)
