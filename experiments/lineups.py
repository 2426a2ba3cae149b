"""Who meets whom in a tournament: line-ups, seat rotations, and the same deals for all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

Line = tuple[int, ...]  # the bots of a line-up by their numbers, ascending


def lineups(bots: int, players: int) -> list[Line]:
    """Every set of bots that fills the seats; with fewer bots than seats, every way to seat each of them at least once.

    Over all line-ups each bot sits on as many seats as any other.
    """
    if bots >= players:
        return list(combinations(range(bots), players))
    return [tuple(np.repeat(np.arange(bots), parts).tolist()) for parts in _parts(players, bots)]


def _parts(total: int, count: int) -> Iterator[tuple[int, ...]]:
    """The ways to write `total` as a sum of `count` numbers from 1, in order."""
    for cuts in combinations(range(1, total), count - 1):
        ends = (0, *cuts, total)
        yield tuple(high - low for low, high in pairwise(ends))


@dataclass(frozen=True)
class Schedule:
    """A round is one deal, played by every line-up in every rotation of its seats.

    The circular order of a line-up is drawn anew for each round, so that nobody always sits behind the same rival.
    """

    lines: Sequence[Line]
    players: int
    seed: int

    @property
    def games_a_round(self) -> int:
        """Games of one round."""
        return len(self.lines) * self.players

    def games(self, first: int, end: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Round of each of the games first … end − 1, and the bot on each of its seats (games, players).

        The rotations of one line-up stand in a row, and the line-ups of one round. What is not asked for takes no
        memory: a tournament of any length is made as it is played.
        """
        start, stop = first // self.games_a_round, -(-end // self.games_a_round)
        seats = self._rounds(start, stop).reshape(-1, self.players)
        numbers = np.arange(first, end) // self.games_a_round
        before = start * self.games_a_round
        return numbers, seats[first - before : end - before]

    def _rounds(self, first: int, end: int) -> npt.NDArray[np.int64]:
        """The bot on each seat (rounds, line-ups, rotations, seats)."""
        lines = np.array(self.lines, np.int64)
        orders = np.empty((end - first, *lines.shape), np.int64)
        for order, number in zip(orders, range(first, end), strict=True):
            np.random.default_rng([self.seed, number]).permuted(lines, axis=1, out=order)
        seats = np.arange(self.players)
        return orders[:, :, (seats[None, :] - seats[:, None]) % self.players]
