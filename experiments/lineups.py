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

    def seats(self, round_number: int) -> npt.NDArray[np.int64]:
        """The bot on each seat of each game of a round (games, players): the rotations of one line-up in a row."""
        generator = np.random.default_rng([self.seed, round_number])
        orders = (generator.permutation(line) for line in self.lines)
        return np.array([np.roll(order, shift) for order in orders for shift in range(self.players)], np.int64)

    def rounds(self, first: int, count: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Round of each game, and the bot on each of its seats, for some rounds in a row."""
        numbers = np.repeat(np.arange(first, first + count), self.games_a_round)
        return numbers, np.concatenate([self.seats(r) for r in range(first, first + count)])
