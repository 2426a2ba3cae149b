"""The study of which all others are made: so many games between the same bots, which change seats."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa

from agents.restricted import matching, restrict
from experiments import rows
from experiments.arguments import seats_of
from experiments.studies.plan import Done, Plan
from tabletop import Results, matches
from tabletop.bots import Bot
from tabletop.record import Record, make_record


@dataclass(frozen=True, kw_only=True)
class Specification(Plan):
    """Games between bots. bots: one a seat, or fewer to be repeated. rotate: they change seats from game to game.

    course: what happens on the way is noted, see `tabletop.course`. forbid: patterns of the tokens of actions that the
    first bot may not use unless nothing else is legal.
    """

    kind: ClassVar[str] = "games"
    command: ClassVar[str] = "critters balance (or sweep, restrict)"

    bots: tuple[str, ...]
    rotate: bool = True
    course: bool = True
    forbid: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._set(bots=seats_of(tuple(self.bots), self.variant.players))
        super().__post_init__()
        self._set(forbid=tuple(self.forbid))
        if self.forbid:
            self.forbidden()

    def forbidden(self) -> list[int]:
        """The actions that match `forbid`; BotError for a pattern that matches none."""
        tokens = self.variant.game.tokens(self.variant.settings)
        return matching(tokens[: self.variant.actions], self.forbid)

    def seated(self) -> tuple[Bot, ...]:
        """The bots, the first of them restricted if that is asked for."""
        first, *others = matches.seat_bots(self.variant, self.bots)
        if self.forbid:
            name = f"{first.name} without {' '.join(self.forbid)}"
            first = replace(restrict(first, self.variant.game, self.forbidden()), name=name)
        return (first, *others)

    def all_bots(self) -> tuple[str, ...]:
        """The bots, each once."""
        return tuple(dict.fromkeys(self.bots))

    def modules_of_bots(self) -> set[str]:
        """Those of the bots, and what restricts the first one."""
        return super().modules_of_bots() | ({restrict.__module__} if self.forbid else set())

    def play(self, shard: int, done: Done | None = None) -> pa.Table:
        """The games of a shard, a row each."""
        return play_shard(self, shard, done)

    def record(self, number: int, trace: bool = False) -> Record:
        """The record of a game, played again."""
        self.expect_game(number)
        seated = self.seated()
        (seats,) = matches.seating(np.array([number]), self.variant.players, self.rotate)
        _, events = matches.play_recorded(self.variant, seated, seats, number, self.seed)
        names = [seated[b].name for b in seats]
        return make_record(self.variant, events, trace, bots=names, seed=self.seed, number=number)

    def row(self, number: int) -> pa.Table:
        """The row of a game, played again as shards are."""
        return _played(self, range(number, number + 1))


def play_shard(specification: Specification, shard: int, done: Done | None = None) -> pa.Table:
    """The table of one shard: a pure function of the specification and the number of the shard."""
    return _played(specification, specification.units(shard), done)


def _played(specification: Specification, units: range, done: Done | None = None) -> pa.Table:
    """The table of some games in a row."""
    variant = specification.variant
    (results,) = matches.play_chunks(
        variant,
        len(units),
        specification.seated(),
        specification.seed,
        first=units.start,
        rotate=specification.rotate,
        threads=1,
        done=done,
        chunk=len(units),
        with_course=specification.course,
    )
    return rows.table(variant, results)


def results_of(specification: Specification, table: pa.Table) -> Results:
    """What `play_shard` knew of the games, from its table."""
    return rows.results_of(specification.variant, [bot.name for bot in specification.seated()], table)
