"""One rung of a ladder of skill: two bots that meet in every line-up and seat rotation, with the same deals."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa

from experiments.contests import Contests
from experiments.lineups import Schedule, lineups
from experiments.studies.plan import Done, Plan, PlanError
from experiments.tournament import Games, play_rounds, play_seated
from tabletop import matches
from tabletop.bots import Bot
from tabletop.record import Record, make_record


@dataclass(frozen=True, kw_only=True)
class Rung(Plan):
    """Rounds between two bots, the lower one first. games: the number of rounds, which are the units."""

    kind: ClassVar[str] = "rung"
    command: ClassVar[str] = "critters skill"

    bots: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.bots)) != 2:
            raise PlanError(f"bots: {', '.join(self.bots)} is not allowed; expected two different ones")

    def all_bots(self) -> tuple[str, ...]:
        """Both bots."""
        return self.bots

    @property
    def schedule(self) -> Schedule:
        """Who sits where."""
        return Schedule(lineups(2, self.variant.players), self.variant.players, self.seed)

    @property
    def games_a_unit(self) -> int:
        """Games of one round."""
        return self.schedule.games_a_round

    @property
    def most_wins(self) -> float:
        """The share of wins of a seat of the upper bot if that wins every game: less than 1 if it has several seats."""
        _, seats = self.schedule.games(0, self.games_a_unit)
        own = seats == 1
        return float(own.any(axis=1).sum() / own.sum())

    def play(self, shard: int, done: Done | None = None) -> pa.Table:
        """The games of some rounds, a row each: round, events, and the bot (0, 1), points and place of each seat."""
        rounds = self.units(shard)
        return self._table(
            play_rounds(self.variant, self._seated(), self.schedule, rounds.start, len(rounds), threads=1, done=done)
        )

    def record(self, number: int, trace: bool = False) -> Record:
        """The record of a game, played again; the games of a round follow each other."""
        self.expect_game(number)
        (deal,), (seats,) = self.schedule.games(number, number + 1)
        bots = self._seated()
        _, events = matches.play_recorded(self.variant, bots, seats, int(deal), self.seed)
        names = [bots[b].name for b in seats]
        return make_record(self.variant, events, trace, bots=names, seed=self.seed, number=number, round=int(deal))

    def row(self, number: int) -> pa.Table:
        """The row of a game, played again."""
        return self._table(
            play_seated(self.variant, self._seated(), *self.schedule.games(number, number + 1), self.seed)
        )

    def _seated(self) -> list[Bot]:
        return [self.made(text) for text in self.bots]

    def _table(self, games: Games) -> pa.Table:
        columns: dict[str, np.ndarray] = {"round": games.round, "events": games.lengths}
        for seat in range(self.variant.players):
            columns[f"bot_{seat}"] = games.bots[:, seat].astype(np.int8)
            columns[f"score_{seat}"], columns[f"place_{seat}"] = games.scores[:, seat], games.places[:, seat]
        return pa.table(columns)

    def contests(self, table: pa.Table) -> Contests:
        """The sums of each round of a shard."""

        def of_seats(name: str) -> np.ndarray:
            columns = [table[f"{name}_{seat}"].to_numpy() for seat in range(self.variant.players)]
            return np.stack(columns, axis=1)

        bots = of_seats("bot").astype(np.int64)
        rounds, lengths = table["round"].to_numpy(), table["events"].to_numpy()
        return Games(rounds, bots, of_seats("score"), of_seats("place"), lengths).contests(2)
