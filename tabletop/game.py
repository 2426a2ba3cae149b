"""What a game is: its description, and the dispatch of its functions on the dtype of the state.

The functions below are the questions that every loop asks of a game. They are stubs: in compiled code numba
replaces a call by the function that the game registered for the record type of `s`, so a loop is written once,
specialised for each game and cached on disk. `s` is one record of a batch (`s = states[i]`), buffers belong to
the caller, and nothing allocates.

Ids. The actions of seats are the ids 0 … actions − 1, the chance outcomes follow up to events − 1.
Sets of ids are arrays of 64-bit words: `action_words` of them hold the actions, `words` hold all.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from tabletop.bits import WORD_BITS, count_in, nth_in
from tabletop.caching import remember_contents
from tabletop.description import Component as Component
from tabletop.description import Fact as Fact
from tabletop.description import Feature as Feature
from tabletop.description import Game
from tabletop.jit import jit
from tabletop.layout import by_attribute, gaps
from tabletop.rng import skip, uniform, uniform_member

CHANCE = -1  # to_move: an outcome must be drawn
OVER = -2  # to_move: the game has ended
NO_EVENT = -1  # in a batch of events: for a game that is over
NO_FACT = -1  # value of a fact with categories that does not apply to a game or seat

STUB_OPTIONS = {"_nrt": False, "forceinline": True, "error_model": "numpy"}


_GAMES: dict[Any, Game] = {}  # numba's record type -> game
_BY_FIELDS: dict[tuple[str, ...] | None, Game] = {}  # field names -> game, for plain Python


def register(game: Game) -> Game:
    """Makes the stubs below answer for this game's states; returns the game."""
    missing = set(QUESTIONS) - set(game.functions)
    if missing:
        raise ValueError(f"game {game.name!r} lacks the functions {sorted(missing)}")
    for name, function in game.functions.items():
        if not callable(function):
            raise ValueError(f"function {name!r} of game {game.name!r} is {function!r}; expected a compiled function")
    if uncovered := list(gaps(game.state)):
        raise ValueError(f"state of game {game.name!r} has gaps {', '.join(uncovered)}; make its dtype by state_dtype")
    kind, fields = from_dtype(game.state), game.state.names
    if _GAMES.get(kind, game).name != game.name or _BY_FIELDS.get(fields, game).name != game.name:
        raise ValueError(f"game {game.name!r} has the same state dtype as {_BY_FIELDS[fields].name!r}")
    _GAMES[kind] = _BY_FIELDS[fields] = game
    constants = (game.actions, game.events, len(game.streams), game.observation_size, game.most_players)
    remember_contents(kind, constants, game.functions.values())
    return game


def game_of(states: Any) -> Game:
    """The game to which a state or an array of states belongs; TypeError if none is registered."""
    fields = getattr(getattr(states, "dtype", None), "names", None)
    if fields not in _BY_FIELDS:
        raise TypeError(f"no game has states like {type(states).__name__} with dtype {getattr(states, 'dtype', None)}")
    return _BY_FIELDS[fields]


def _plain(question: str, s: Any, *arguments: Any) -> Any:
    return game_of(s).functions[question](s, *arguments)


def setup(s: Any) -> None:
    """Sets the first position, from the players, options and parameters in `s`."""
    return _plain("setup", s)


def to_move(s: Any) -> int:
    """The seat that must act (0 …), or CHANCE, or OVER."""
    return _plain("to_move", s)


def legal(s: Any, out: np.ndarray) -> None:
    """Writes the set of legal events to `out`: its `action_words` if a seat is to move, its `words` at chance."""
    return _plain("legal", s, out)


def weights(s: Any, out: np.ndarray) -> None:
    """At a chance node: writes the integer weight of each outcome id − actions to `out` (events − actions)."""
    return _plain("weights", s, out)


def sample(s: Any, rng: np.ndarray) -> int:
    """At a chance node: draws an outcome with the probabilities of `weights` from the node's own stream."""
    return _plain("sample", s, rng)


def stream(s: Any) -> int:
    """At a chance node: the number of the stream that it draws from."""
    return _plain("stream", s)


def step(s: Any, event: int) -> None:
    """Applies a legal event and goes on to the next node that needs one."""
    return _plain("step", s, event)


def scores(s: Any, out: np.ndarray) -> None:
    """Writes the points of each seat, as they would count now."""
    return _plain("scores", s, out)


def ranking(s: Any, out: np.ndarray) -> None:
    """Writes the place of each seat, as it would be now: 1 for every winner, ties share the better place."""
    return _plain("ranking", s, out)


def observe(s: Any, seat: int, out: np.ndarray) -> None:
    """Writes what the seat may know, from its point of view, to `out` (int8, `observation_size`)."""
    return _plain("observe", s, seat, out)


def redeal(s: Any, seat: int, rng: np.ndarray) -> None:
    """Replaces what the seat cannot know by a sample of its exact distribution, from stream 0 of `rng`."""
    return _plain("redeal", s, seat, rng)


def faults(s: Any) -> int:
    """Bit set of the broken invariants; bit k is `Game.faults[k]`, 0 is a sound state."""
    return _plain("faults", s)


def seats(s: Any) -> int:
    """The number of players."""
    return _plain("seats", s)


def tally(s: Any, event: int, out: np.ndarray) -> None:
    """Before an event is applied: counts, in `out`, what the last position will not show. See `report`."""
    return _if_told("tally", s, event, out)


def report(s: Any, out: np.ndarray) -> None:
    """After the end: writes the facts of `Game.facts` to `out` (int32, facts × seats), which began as zeros.

    A fact of the whole game stands in the column of seat 0. What `tally` has counted is left or made use of.
    """
    return _if_told("report", s, out)


def draw_ahead(s: Any, rng: np.ndarray) -> int:
    """At a chance node: draws and applies one outcome, or several in a row if the game knows a faster way.

    Returns how many. They are the same outcomes that `sample` would draw and `step` apply one by one.
    """
    function = game_of(s).functions.get("draw_ahead", draw_one)
    return function(s, rng)


@jit(inlined=True)
def draw_one(s, rng):
    """What `draw_ahead` does for a game that knows no faster way."""
    step(s, sample(s, rng))
    return 1


def act_ahead(s: Any, rng: np.ndarray, out: np.ndarray) -> int:
    """At a node of a seat: draws and applies one legal action, or several in a row if the game knows a faster way.

    Returns how many. They are the same actions that `act_one` would draw, one by one, each from its seat's stream. It
    may go on through the turns of other seats, so it is only for games that all seats play at random.
    """
    function = game_of(s).functions.get("act_ahead", act_one)
    return function(s, rng, out)


@jit(inlined=True)
def act_one(s, rng, out):
    """What `act_ahead` does for a game that knows no faster way: fills `out` by `legal`, draws and applies one."""
    legal(s, out)
    step(s, uniform_action(s, out, rng, seat_stream(s)))
    return 1


def redeal_words(s: Any, seat: int) -> int:
    """How many random words `redeal` takes for a seat, as good as always: a rejected word counts once only."""
    function = game_of(s).functions.get("redeal_words", no_words)
    return function(s, seat)


@jit(inlined=True)
def no_words(s, seat):
    """What `redeal_words` answers for a game in which nothing is hidden."""
    return 0


@jit
def act_unseeing(s, rng, out):
    """What the uniform bot does at a node of a seat: it needs no view, so the words for dealing one are passed over.

    Fills `out` by `legal`; the stream is that of the seat.
    """
    skip(rng, seat_stream(s), redeal_words(s, to_move(s)))
    act_one(s, rng, out)


@jit(inlined=True)
def seat_stream(s):
    """At a node of a seat: the number of its stream."""
    return np.uint64(chance_streams(s)) + np.uint64(to_move(s))


@jit(inlined=True)
def uniform_action(s, legal_words, rng, stream):
    """A legal action of the seat to move, each equally likely; `legal_words` has been filled by `legal`."""
    if action_words(s) == 1:
        return uniform_member(rng, stream, legal_words[0])
    return nth_in(legal_words, uniform(rng, stream, count_in(legal_words, action_words(s))))


def _if_told(question: str, s: Any, *arguments: Any) -> None:
    function = game_of(s).functions.get(question)
    if function:
        function(s, *arguments)


QUESTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        setup,
        to_move,
        legal,
        weights,
        sample,
        stream,
        step,
        scores,
        ranking,
        observe,
        redeal,
        faults,
        seats,
    )
}


# What a game may answer besides; one that does not has no facts, and draws outcomes and random actions one by one.
# Where something is hidden but not how many words dealing it takes, uniform bots in environments get views as all do.
OPTIONAL_QUESTIONS: dict[str, Callable[..., Any]] = {
    "tally": tally,
    "report": report,
    "draw_ahead": draw_ahead,
    "act_ahead": act_ahead,
    "redeal_words": redeal_words,
}


def actions(s: Any) -> int:
    """How many action ids the game has; a constant in compiled code."""
    return game_of(s).actions


def events(s: Any) -> int:
    """How many event ids the game has; a constant in compiled code."""
    return game_of(s).events


def action_words(s: Any) -> int:
    """How many words hold a set of actions; a constant in compiled code."""
    return -(-game_of(s).actions // WORD_BITS)


def words(s: Any) -> int:
    """How many words hold a set of events; a constant in compiled code."""
    return -(-game_of(s).events // WORD_BITS)


def chance_streams(s: Any) -> int:
    """How many chance streams the game has; the streams of the seats follow them."""
    return len(game_of(s).streams)


def observation_size(s: Any) -> int:
    """Length of an observation vector; a constant in compiled code."""
    return game_of(s).observation_size


def most_players(s: Any) -> int:
    """The greatest number of seats; a constant in compiled code."""
    return game_of(s).most_players


def blank(s: Any, size: int) -> np.ndarray:
    """`size` states of the game of `s` whose content is undefined; only for compiled functions that allocate."""
    return by_attribute(np.zeros(size, game_of(s).state))


class _Kind:
    """Stands for a state where only its game matters."""

    def __init__(self, game: Game) -> None:
        self.dtype = game.state


# Numba asks for an implementation by the names of the arguments, so there is one template for each shape.
def _templates(name: str) -> dict[tuple[str, ...], Callable[..., Any]]:
    def of(s: Any) -> Callable[..., Any]:
        return _GAMES[s].functions[name]

    def on_state(s):
        f = of(s)
        return lambda s: f(s)

    def with_out(s, out):
        f = of(s)
        return lambda s, out: f(s, out)

    def with_rng(s, rng):
        f = of(s)
        return lambda s, rng: f(s, rng)

    def with_event(s, event):
        f = of(s)
        return lambda s, event: f(s, event)

    def with_seat_out(s, seat, out):
        f = of(s)
        return lambda s, seat, out: f(s, seat, out)

    def with_seat_rng(s, seat, rng):
        f = of(s)
        return lambda s, seat, rng: f(s, seat, rng)

    templates = (on_state, with_out, with_rng, with_event, with_seat_out, with_seat_rng)
    return {t.__code__.co_varnames[: t.__code__.co_argcount]: t for t in templates}


def _optional_templates(name: str) -> dict[tuple[str, ...], Callable[..., Any]]:
    def with_out(s, out):
        f = _GAMES[s].functions.get(name)
        return (lambda s, out: None) if f is None else (lambda s, out: f(s, out))

    def with_event_out(s, event, out):
        f = _GAMES[s].functions.get(name)
        return (lambda s, event, out: None) if f is None else (lambda s, event, out: f(s, event, out))

    def with_rng(s, rng):
        f = _GAMES[s].functions.get(name, draw_one)
        return lambda s, rng: f(s, rng)

    def with_rng_out(s, rng, out):
        f = _GAMES[s].functions.get(name, act_one)
        return lambda s, rng, out: f(s, rng, out)

    def with_seat(s, seat):
        f = _GAMES[s].functions.get(name, no_words)
        return lambda s, seat: f(s, seat)

    templates = (with_out, with_event_out, with_rng, with_rng_out, with_seat)
    return {t.__code__.co_varnames[: t.__code__.co_argcount]: t for t in templates}


def _overload_question(stub: Callable[..., Any], templates: dict[tuple[str, ...], Callable[..., Any]]) -> None:
    arguments = stub.__code__.co_varnames[: stub.__code__.co_argcount]
    overload(stub, jit_options=STUB_OPTIONS)(templates[arguments])


def _overload_constant(stub: Callable[..., Any]) -> None:
    def constant(s):
        value = int(stub(_Kind(_GAMES[s])))
        return lambda s: value

    overload(stub, jit_options=STUB_OPTIONS)(constant)


def _overload_blank() -> None:
    def empty(s, size):
        record = _GAMES[s].state
        return lambda s, size: np.empty(size, record)

    overload(blank, jit_options={"error_model": "numpy"})(empty)


_overload_blank()
for _name, _stub in QUESTIONS.items():
    _overload_question(_stub, _templates(_name))
for _name, _stub in OPTIONAL_QUESTIONS.items():
    _overload_question(_stub, _optional_templates(_name))
for _stub in (actions, events, action_words, words, chance_streams, observation_size, most_players):
    _overload_constant(_stub)
