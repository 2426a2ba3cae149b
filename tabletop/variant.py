"""A game made ready to play: the number of players, options and parameters fixed.

Positions are numpy arrays of the game's state dtype: `game.new()` is one game (shape ()), `game.new(1000)` a batch
(shape (1000,)). Every method takes either and answers with one value, or with an array whose first axis is the
batch. Copy a position with `.copy()`, save it with `np.save`: a position holds all there is, but no random state.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tabletop import matches, options, play
from tabletop.bits import WORD_BITS
from tabletop.bots import Bot
from tabletop.game import CHANCE, NO_EVENT, Component, Feature, Game
from tabletop.layout import by_attribute, zeroed
from tabletop.plug_ins import GAMES_GROUP, plug_ins
from tabletop.rng import number_of, seed_word, stream_key

States = npt.NDArray[Any]  # of the game's state dtype, shape () or (games,)
Ids = npt.NDArray[np.int64]


def games() -> tuple[str, ...]:
    """Names of the installed games."""
    return tuple(sorted(plug_ins(GAMES_GROUP)))


def description(name: str) -> Game:
    """The description of an installed game; OptionError for an unknown name."""
    if name not in plug_ins(GAMES_GROUP):
        raise options.OptionError(f"unknown game {name!r}; there are {', '.join(games())}")
    return plug_ins(GAMES_GROUP)[name].load()


def make(game: str | Game, players: int | None = None, **settings: Any) -> "Variant":
    """A game with these players, options and parameters, each by its name; OptionError lists what is allowed."""
    of = game if isinstance(game, Game) else description(game)
    return Variant(of, of.default_players if players is None else players, settings)


def unpack(sets: npt.NDArray[np.uint64], size: int) -> npt.NDArray[np.bool_]:
    """The sets (games × words) as booleans (games × size)."""
    shifts = np.arange(WORD_BITS, dtype=np.uint64)
    bits = sets[:, :, None] >> shifts & np.uint64(1)
    return bits.astype(np.bool_).reshape(len(sets), sets.shape[1] * WORD_BITS)[:, :size]


@dataclass(frozen=True)
class _Batch:
    """What a user passed as one game or a batch, as a batch; `answer` gives results the same shape again."""

    states: States
    single: bool

    def answer(self, values: Any) -> Any:
        return values[0] if self.single else values


class Variant:
    """A game with its number of players, options and parameters."""

    def __init__(self, game: Game, players: int, values: Mapping[str, Any]) -> None:
        self.game = game
        self.settings = options.settings(game.options, game.parameters, game.players, players, values)
        self.players = self.settings.players
        self.template = zeroed(1, game.state)
        game.fill(self.template[0], self.settings)
        play.set_up(self.template)
        self._tokens = game.tokens(self.settings)
        self._events = {token: i for i, token in enumerate(self._tokens) if token}
        seats = [f"seat:{seat}" for seat in range(game.most_players)]
        self.stream_keys = np.array([stream_key(name) for name in (*game.streams, *seats)], np.uint64)

    @property
    def heading(self) -> str:
        """What is played and by how many, such as "Bites: 4 players"."""
        return f"{self.game.title}: {self.players} {'player' if self.players == 1 else 'players'}"

    def __repr__(self) -> str:
        chosen, numbers = self.differences
        return f"<{self.heading}, {chosen | numbers or 'all defaults'}>"

    # What the game is

    @property
    def name(self) -> str:
        """The game's name, as `make` takes it."""
        return self.game.name

    @property
    def actions(self) -> int:
        """Number of action ids: the actions of seats are 0 … actions − 1."""
        return self.game.actions

    @property
    def events(self) -> int:
        """Number of event ids; the chance outcomes are actions … events − 1."""
        return self.game.events

    @property
    def features(self) -> tuple[Feature, ...]:
        """The parts of an observation in their order."""
        return self.game.features

    @property
    def components(self) -> tuple[Component, ...]:
        """What is in the box, with the provenance of each card, table and map."""
        return self.game.components(self.settings)

    def token(self, event: int) -> str:
        """The token of an event id; ValueError for an id that no event has."""
        if (
            isinstance(event, bool)
            or not isinstance(event, int | np.integer)
            or not 0 <= event < self.events
            or not self._tokens[event]
        ):
            raise ValueError(f"{self.name} has no event {event!r}; ids are 0 … {self.events - 1}")
        return self._tokens[event]

    def event(self, token: str) -> int:
        """The id of an event's token, compared exactly; ValueError for an unknown token."""
        if token not in self._events:
            raise ValueError(f"{self.name} has no event {token!r} (tokens are compared exactly)")
        return self._events[token]

    @property
    def event_ids(self) -> Mapping[str, int]:
        """The id of every token."""
        return self._events

    @property
    def differences(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The options and the parameters that are not the game's defaults, each by name."""
        return options.differences(self.settings, self.game.options, self.game.parameters)

    # Positions

    def new(self, games: int | None = None, seed: int | None = None) -> States:
        """First positions: one game, or `games` of them.

        Without a seed nothing has been drawn: chance is to move if the game begins with it. With a seed the
        chance events before the first decision are drawn from `streams(games, seed)`.
        """
        states = np.repeat(self.template, 1 if games is None else number_of(games, "number of games"))
        if seed is not None:
            play.resolve(states, self.streams(len(states), seed))
        return states.reshape(()) if games is None else states

    def streams(self, games: int, seed: int, first: int = 0) -> npt.NDArray[np.uint64]:
        """States of the random streams of games first, first + 1, …: (games, streams), the chance streams first."""
        rngs = np.empty((number_of(games, "number of games"), len(self.stream_keys)), np.uint64)
        play.start_games(rngs, seed_word(seed), number_of(first, "first game"), self.stream_keys)
        return rngs

    def resolve(self, states: States, streams: npt.NDArray[np.uint64]) -> None:
        """Draws chance events in place, from the games' `streams`, until a seat must act or the game is over."""
        batch = self._changed_batch(states)
        rngs, expected = np.asarray(streams), (len(batch.states), len(self.stream_keys))
        if rngs.dtype != np.uint64 or rngs.size != expected[0] * expected[1]:
            raise ValueError(f"streams: {rngs.dtype} of shape {rngs.shape}; expected uint64 of shape {expected}")
        play.resolve(batch.states, rngs.reshape(expected))

    def step(self, states: States, events: npt.ArrayLike) -> None:
        """Applies one legal event to each game, in place; `NO_EVENT` (−1) for each game that is over.

        ValueError names the first illegal event and what is legal; then no game has changed.
        """
        batch = self._changed_batch(states)
        chosen = np.asarray(events)
        if chosen.size != len(batch.states) or (chosen.size and chosen.dtype.kind not in "iu"):
            raise ValueError(
                f"events: {chosen.dtype} of shape {chosen.shape}; expected integers, one for each of "
                f"{len(batch.states)} games"
            )
        chosen = chosen.reshape(-1).astype(np.int64)
        wrong = play.first_illegal(batch.states, chosen, self._legal_sets(batch.states))
        if wrong >= 0:
            raise ValueError(self._why_illegal(batch.states, wrong, int(chosen[wrong])))
        play.step_all(batch.states, chosen)

    def _why_illegal(self, states: States, game: int, event: int) -> str:
        name = repr(self._tokens[event]) if 0 <= event < self.events else "no event"
        legal = [self._tokens[e] for e in self.legal(states[game : game + 1])[0]]
        expected = f"legal are {', '.join(legal)}" if legal else f"the game is over: pass {NO_EVENT}"
        return f"event {event} ({name}) of game {game} is not legal; {expected}"

    def _batch(self, states: States) -> _Batch:
        if not isinstance(states, np.ndarray) or states.dtype != self.game.state or states.ndim > 1:
            shape = f" of {states.dtype} and shape {states.shape}" if isinstance(states, np.ndarray) else ""
            raise TypeError(
                f"states: {type(states).__name__}{shape}; expected an array of {self.name} states of shape () or "
                "(games,); write states[i:i + 1] for one game of a batch"
            )
        return _Batch(by_attribute(states.reshape(-1)), states.ndim == 0)

    def _changed_batch(self, states: States) -> _Batch:
        """A batch that is to be changed; ValueError if numpy protects it, of which compiled code knows nothing."""
        batch = self._batch(states)
        if not states.flags.writeable:
            raise ValueError("states: this array is read-only; expected one that may be changed, such as states.copy()")
        return batch

    def _filled(self, states: States, loop: Callable[..., None], width: tuple[int, ...], dtype: Any) -> Any:
        batch = self._batch(states)
        out = np.zeros((len(batch.states), *width), dtype)
        loop(batch.states, out)
        return batch.answer(out)

    # Questions

    def to_move(self, states: States) -> Any:
        """The seat to act, or CHANCE (−1), or OVER (−2): int64."""
        return self._filled(states, play.movers, (), np.int64)

    def empty_sets(self, count: int) -> npt.NDArray[np.uint64]:
        """Room for `count` sets of event ids: (count, words)."""
        return np.zeros((count, -(-self.events // WORD_BITS)), np.uint64)

    def _legal_sets(self, batch: States) -> npt.NDArray[np.uint64]:
        sets = self.empty_sets(len(batch))
        play.legal_sets(batch, sets)
        return sets

    def legal(self, states: States) -> Any:
        """The legal event ids in ascending order: one int64 array, or a list of them, one a game."""
        batch = self._batch(states)
        flags = unpack(self._legal_sets(batch.states), self.events)
        return batch.answer([np.flatnonzero(row) for row in flags])

    def mask(self, states: States) -> Any:
        """Action mask: int8 (actions,), 1 where legal; all 0 at chance and after the end."""
        return self._filled(states, play.masks, (self.actions,), np.int8)

    def weights(self, states: States) -> Any:
        """At chance: the integer weight of each outcome actions … events − 1: int64; all 0 elsewhere."""
        return self._filled(states, play.all_weights, (self.events - self.actions,), np.int64)

    def scores(self, states: States) -> Any:
        """Points of each seat as they would count now: int32 (players,)."""
        return self._filled(states, play.all_scores, (self.players,), np.int32)

    def ranking(self, states: States) -> Any:
        """Place of each seat as it would be now, 1 for every winner: int32 (players,)."""
        return self._filled(states, play.all_rankings, (self.players,), np.int32)

    def observe(self, states: States, seat: npt.ArrayLike | None = None) -> Any:
        """What a seat may know (by default the seat to move): int8 (observation_size,), see `features`."""
        batch = self._batch(states)
        out = np.zeros((len(batch.states), self.game.observation_size), np.int8)
        play.observations(batch.states, self._seats(batch.states, seat), out)
        return batch.answer(out)

    def redeal(self, states: States, seat: npt.ArrayLike | None = None, seed: int = 0) -> States:
        """Copies in which what the seat (by default the one to move) cannot know is drawn anew, exactly."""
        batch = self._batch(states)
        copies = batch.states.copy()
        play.redeal_all(copies, self._seats(copies, seat), self.streams(len(copies), seed))
        return copies.reshape(states.shape)

    def _seats(self, batch: States, seat: npt.ArrayLike | None) -> Ids:
        if seat is None:
            return np.maximum(self.to_move(batch), 0)
        chosen = np.asarray(seat)
        fits = chosen.dtype.kind in "iu" and chosen.shape in ((), (len(batch),))
        if not fits or ((chosen < 0) | (chosen >= self.players)).any():
            raise ValueError(
                f"seat: {seat!r} is not allowed; expected 0 … {self.players - 1}, one for all games or one for each"
            )
        return np.full(len(batch), chosen, np.int64)

    def faults(self, states: States) -> Any:
        """Bit set of broken invariants, 0 for a sound position; bit k is `fault_names[k]`: int64."""
        return self._filled(states, play.all_faults, (), np.int64)

    @property
    def fault_names(self) -> tuple[str, ...]:
        """What each bit of `faults` means."""
        return self.game.faults

    def text(self, states: States) -> str:
        """A position as readable text."""
        batch = self._batch(states)
        return "\n\n".join(self.game.text(state, self.settings) for state in batch.states)

    def is_chance(self, states: States) -> Any:
        """Whether chance is to move: bool."""
        return self.to_move(states) == CHANCE

    # Whole games

    def play(
        self,
        games: int,
        bots: Sequence[str | Bot] | str = "uniform",
        seed: int = 0,
        first: int = 0,
        rotate: bool = True,
        threads: int | None = None,
        done: Callable[[int], None] | None = None,
        keep_states: bool = False,
    ) -> "matches.Results":
        """Plays the games first, first + 1, …, by bots of any mix; see `matches.play_games`."""
        return matches.play_games(self, games, bots, seed, first, rotate, threads, done, keep_states)
