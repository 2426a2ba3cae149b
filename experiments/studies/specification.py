"""The study of which all others are made: so many games between the same bots, which change seats."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from experiments.arguments import seats_of
from experiments.rows import columns
from experiments.studies.plan import Done, Plan
from tabletop import Results, Variant, matches
from tabletop.record import Record, make_record


@dataclass(frozen=True, kw_only=True)
class Specification(Plan):
    """Games between bots. bots: one a seat, or fewer to be repeated. rotate: they change seats from game to game."""

    kind: ClassVar[str] = "games"

    bots: tuple[str, ...]
    rotate: bool = True

    def __post_init__(self) -> None:
        self._set(bots=seats_of(tuple(self.bots), self.variant.players))
        super().__post_init__()

    def all_bots(self) -> tuple[str, ...]:
        """The bots, each once."""
        return tuple(dict.fromkeys(self.bots))

    def play(self, shard: int, done: Done | None = None) -> pa.Table:
        """The games of a shard, a row each."""
        return play_shard(self, shard, done)

    def record(self, number: int, trace: bool = False) -> Record:
        """The record of one game of the study, played again; ValueError if it has no such game."""
        if not 0 <= number < self.games:
            raise ValueError(f"game: {number} is not allowed; the study has the games 0 … {self.games - 1}")
        seated = matches.seat_bots(self.variant, self.bots)
        (seats,) = matches.seating(np.array([number]), self.variant.players, self.rotate)
        _, events = matches.play_recorded(self.variant, seated, seats, number, self.seed)
        names = [seated[b].name for b in seats]
        return make_record(self.variant, events, trace, bots=names, seed=self.seed, number=number)


def play_shard(specification: Specification, shard: int, done: Done | None = None) -> pa.Table:
    """The table of one shard: a pure function of the specification and the number of the shard."""
    units, variant = specification.units(shard), specification.variant
    (results,) = matches.play_chunks(
        variant,
        len(units),
        specification.bots,
        specification.seed,
        first=units.start,
        rotate=specification.rotate,
        threads=1,
        done=done,
        chunk=len(units),
    )
    return pa.table(dict(columns(variant, results)))


def results_of(specification: Specification, table: pa.Table) -> Results:
    """What `play_shard` knew of the games, from its table."""
    variant, names = specification.variant, specification.bots
    seats = range(variant.players)

    def of_seats(name: str, dtype: type) -> npt.NDArray:
        return np.stack([table[f"{name}_{seat}"].to_numpy().astype(dtype) for seat in seats], axis=1)

    bots = np.stack([_indices(table[f"bot_{seat}"], names) for seat in seats], axis=1)
    scores, places = of_seats("score", np.int32), of_seats("place", np.int32)
    lengths = table["events"].to_numpy()
    return Results(names, table["game"].to_numpy(), bots, scores, places, lengths, _facts(variant, table))


def _facts(variant: Variant, table: pa.Table) -> npt.NDArray[np.int32]:
    facts = np.zeros((len(table), len(variant.game.facts), variant.game.most_players), np.int32)
    for i, fact in enumerate(variant.game.facts):
        for seat in range(variant.players if fact.of_seat else 1):
            column = table[f"{fact.name}_{seat}" if fact.of_seat else fact.name]
            facts[:, i, seat] = _indices(column, fact.categories) if fact.categories else column.to_numpy()
    return facts


def _indices(column: pa.ChunkedArray, labels: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """The index of each label, −1 for none; of equal labels, the first."""
    whole = column.combine_chunks()
    places = np.array([labels.index(label) for label in whole.dictionary.to_pylist()] + [-1], np.int64)
    return places[whole.indices.fill_null(len(places) - 1).to_numpy(zero_copy_only=False)]
