"""Games in which some of the random streams are the same again and again while the others vary."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from experiments.studies.plan import Done, Plan, PlanError
from experiments.summary import win_shares
from tabletop import matches, play
from tabletop.game import OVER, words
from tabletop.jit import jit
from tabletop.play import finish
from tabletop.record import Record, make_record

ALL_CHANCE, BOTS = "all chance", "bots"  # fixed together: all chance streams, and the streams of all seats
ALL_BUT = "all but "  # before the name of the one chance stream that varies
FIXED = 1 << 40  # the fixed streams are those of the games from this number on


@dataclass(frozen=True, kw_only=True)
class Luck(Plan):
    """For each source of luck many games with each of some fixed starts of its streams; one bot plays all seats.

    games: the number of fixed starts, which are the units. repeats: games with each.
    """

    kind: ClassVar[str] = "chance"
    command: ClassVar[str] = "critters chance"

    bot: str
    repeats: int

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.repeats < 2 or self.games < 2:
            raise PlanError(f"{self.games} starts with {self.repeats} games are too few; expected 2 or more of each")
        if not self.is_compiled:
            raise PlanError(f"bot {self.bot!r} is not allowed here; expected a compiled one")

    def all_bots(self) -> tuple[str, ...]:
        """The bot."""
        return (self.bot,)

    @property
    def sources(self) -> dict[str, list[int]]:
        """The sources of luck, and which streams are fixed for each; then all but one, for each chance stream."""
        names = self.variant.game.streams
        chance, bots = list(range(len(names))), [len(names) + seat for seat in range(self.variant.players)]
        alone = {name: [k] for k, name in enumerate(names)}
        if len(names) == 1:
            return {**alone, BOTS: bots}
        others = {ALL_BUT + name: [*(k for k in chance if names[k] != name), *bots] for name in names}
        return {**alone, ALL_CHANCE: chance, BOTS: bots, **others}

    def all_others(self, source: str) -> str:
        """The source in which everything is fixed but this one."""
        names = self.variant.game.streams
        if source in (ALL_CHANCE, BOTS):
            return {ALL_CHANCE: BOTS, BOTS: ALL_CHANCE if len(names) > 1 else names[0]}[source]
        return ALL_BUT + source if len(names) > 1 else BOTS

    @property
    def games_a_unit(self) -> int:
        """Games with one fixed start: so many for each source."""
        return self.repeats * len(self.sources)

    def play(self, shard: int, done: Done | None = None) -> pa.Table:
        """The games of a shard, a row each: source, number of the start, win share and points of each seat.

        drawn: whether the game drew from any of the fixed streams.
        """
        parts = []
        for number, source in enumerate(self.sources):
            for start in self.units(shard):
                parts.append(self._games(number, source, start))
                if done:
                    done(self.repeats)
        return pa.concat_tables(parts).unify_dictionaries()

    def record(self, number: int, trace: bool = False) -> Record:
        """The record of a game, played again. Games are numbered by source, then by start."""
        source, start = self._source_and_start(number)
        (rng,) = self._streams(source, start, number, 1)
        events = self._events(rng)
        facts = {"seed": self.seed, "number": number, "source": source, "start": start}
        return make_record(self.variant, events, trace, bots=[self.bot] * self.variant.players, **facts)

    def row(self, number: int) -> pa.Table:
        """The row of a game, played again."""
        source, start = self._source_and_start(number)
        return self._table(source, start, self._streams(source, start, number, 1))

    def place_of(self, number: int) -> tuple[int, int]:
        """In a shard too games stand by source, then by start."""
        source, start = self._source_and_start(number)
        shard = start // self.games_a_shard
        starts = self.units(shard)
        before = list(self.sources).index(source) * len(starts) + start - starts.start
        return shard, before * self.repeats + number % self.repeats

    def _source_and_start(self, number: int) -> tuple[str, int]:
        self.expect_game(number)
        source, start = divmod(number // self.repeats, self.games)
        return list(self.sources)[source], start

    def _games(self, number: int, source: str, start: int) -> pa.Table:
        """The games with one fixed start; all of a study have different numbers."""
        first = (number * self.games + start) * self.repeats
        return self._table(source, start, self._streams(source, start, first, self.repeats))

    def _streams(self, source: str, start: int, first: int, count: int) -> npt.NDArray[np.uint64]:
        """The streams (games, streams) of some games in a row, of which the source fixes some."""
        fixed = self.sources[source]
        rngs = self.variant.streams(count, self.seed, first)
        rngs[:, fixed] = self.variant.streams(1, self.seed, FIXED + start)[:, fixed]
        return rngs

    def _table(self, source: str, start: int, rngs: npt.NDArray[np.uint64]) -> pa.Table:
        before = rngs.copy()
        places, scores = self._played(rngs)
        wins = win_shares(places)
        columns = {
            "source": pa.array([source] * len(rngs)).dictionary_encode(),
            "start": np.full(len(rngs), start),
            "drawn": (rngs != before)[:, self.sources[source]].any(axis=1),
        }
        columns |= {f"win_{seat}": wins[:, seat] for seat in range(self.variant.players)}
        columns |= {f"score_{seat}": scores[:, seat] for seat in range(self.variant.players)}
        return pa.table(columns)

    def _played(self, rngs: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Places and points of games with these streams, which are drawn from."""
        variant, count = self.variant, len(rngs)
        acts, params = matches.compiled_table([self.made(self.bot)])
        states, lengths = np.repeat(variant.template, count), np.zeros(count, np.int64)
        facts = np.zeros((len(variant.game.facts), variant.game.most_players), np.int32)
        play_from(variant.template, rngs, np.zeros(variant.players, np.int64), acts, params, states, lengths, facts)
        if (lengths < 0).any():
            raise self._illegal()
        places, scores = np.zeros((2, count, variant.players), np.int32)
        play.all_rankings(states, places)
        play.all_scores(states, scores)
        return places, scores

    def _events(self, rng: npt.NDArray[np.uint64]) -> list[int]:
        """The events of the game with these streams."""
        variant, states, events = self.variant, self.variant.new(1), list[int]()
        acts, params = matches.compiled_table([self.made(self.bot)])
        seating, log = np.zeros(variant.players, np.int64), np.zeros(matches.EVENTS_A_LOG, np.int32)
        while variant.to_move(states)[0] != OVER:
            written = play.advance_first(states, rng, seating, acts, params, log)
            if written < 0:
                raise self._illegal()
            events += log[:written].tolist()
        return events

    def _illegal(self) -> matches.IllegalChoiceError:
        return matches.IllegalChoiceError(f"bot {self.bot!r} chose an event that was not legal")


@jit(allocates=True)
def play_from(template, rngs, seating, bots, params, states, lengths, facts):
    """Plays a game from each row of `rngs` (games × streams), with the same bots; facts: room for those of one game."""
    view = template.copy()
    legal_words = np.empty(words(template[0]), np.uint64)
    for i in range(lengths.shape[0]):
        states[i] = template[0]
        facts[:] = 0
        lengths[i] = finish(states[i], rngs[i], legal_words, view, seating, bots, params, facts)
