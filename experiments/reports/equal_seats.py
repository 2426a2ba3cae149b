"""A test of whether all seats are equal, for any number of games.

If they are, every game could as well have been played with everybody some seats further on. So what came out is
compared with what would have come out if the ways in which the bots sat had been shared out among the games by chance,
and where equal bots come round again, if each game had been turned by chance. The study is one of these arrangements,
all of which are equally likely, so the share of them with differences at least as large as its own is the probability
asked for, whatever the number of games, the ties and the strengths of the bots. Of few games, arrangements are drawn;
of many, the differences follow a distribution of chi-square. Differences are measured by the covariance that they have
among the arrangements: with one bot and no ties this is Pearson's test.

E. S. Edgington and P. Onghena, Randomization Tests, 4th edition, 2007.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt
import scipy

FEW = 1000  # games up to which arrangements are drawn
DRAWN = 9999  # arrangements
AT_A_TIME = 500_000  # games of arrangements that are drawn together
SEED = 1  # of the drawing, so that a report can be made again to the byte
SINGULAR = 1e-9  # relative to the largest one, a variance that small is none

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@cache
def shares_of_sets(players: int) -> Floats:
    """The share of each seat in the win for each set of winners (sets, seats); bit i of a set stands for seat i."""
    wins = np.arange(2**players)[:, None] >> np.arange(players) & 1
    return wins / np.maximum(1, wins.sum(axis=1, keepdims=True))


@cache
def turns(players: int) -> Floats:
    """The matrices (turns, seats, seats) that move what seats have by 0, 1, … seats."""
    return np.stack([np.roll(np.eye(players), turn, axis=0) for turn in range(players)])


def chance_of_equal_seats(won: Integers) -> float:
    """The probability of differences between the seats as large as these if they were all equal.

    won: how often each set of seats won (ways to sit × sets); the bots sit one seat further on in each next way. nan if
    that cannot be known: all arrangements are the same, as those of a single game with different bots.
    """
    played = _Arrangements(won)
    covariance = played.covariance()
    rank = int(np.linalg.matrix_rank(covariance, SINGULAR * max(1.0, covariance.max()), hermitian=True))
    if rank == 0:
        return np.nan
    inverse = np.linalg.pinv(covariance, SINGULAR, hermitian=True).astype(np.float64)
    expected = played.expected()
    own = _distances(played.wins()[None], expected, inverse)[0]
    if played.games > FEW:
        return float(scipy.stats.chi2.sf(own, rank))
    drawn = np.concatenate([_distances(wins, expected, inverse) for wins in played.drawn()])
    return float(1 + np.count_nonzero(drawn > own * (1 - SINGULAR) - SINGULAR)) / (1 + len(drawn))


def _distances(wins: Floats, expected: Floats, inverse: Floats) -> Floats:
    """How far the wins of the seats in each arrangement (arrangements, seats) are from those expected."""
    rest = wins - expected
    return ((rest @ inverse) * rest).sum(axis=1)


class _Arrangements:
    """The games of a study and the ways in which they could have been arranged.

    ways: games with each way to sit. found: games with each set of winners, told by places relative to the bots.
    """

    def __init__(self, won: Integers) -> None:
        self.won, self.players = won, int(won.shape[1]).bit_length() - 1
        self.shares, self.turns = shares_of_sets(self.players), turns(self.players)
        self.again = self.turns[:: len(won)]  # after which equal bots sit on the same seats
        self.ways = won.sum(axis=1)
        self.relative = np.stack([row[self._moved(way)] for way, row in enumerate(won)])
        self.found = self.relative.sum(axis=0)
        self.games = int(self.ways.sum())

    def _moved(self, way: int) -> Integers:
        """The set of seats in this way to sit, for each set of places relative to the bots."""
        sets, every = np.arange(self.won.shape[1]), self.won.shape[1] - 1
        return (sets << way | sets >> (self.players - way)) & every

    def wins(self) -> Floats:
        """Of each seat in the study."""
        return (self.won @ self.shares).sum(axis=0)

    def expected(self) -> Floats:
        """Wins of each seat in the mean of all arrangements."""
        mean = self.again.mean(axis=0) @ (self.found @ self.shares) / self.games
        return self.ways @ (self.turns[: len(self.ways)] @ mean)

    def covariance(self) -> Floats:
        """Of the wins of the seats among all arrangements.

        `turned` comes from each game's being turned by chance, `shared` from the sharing out of the ways to sit.
        """
        squares = (self.shares.T * self.found) @ self.shares / self.games
        means = self.shares @ self.again.mean(axis=0).T
        squares_of_means = (means.T * self.found) @ means / self.games
        turned = (self.again @ squares @ self.again.transpose(0, 2, 1)).mean(axis=0) - squares_of_means
        mean = self.found @ means / self.games
        shared = (squares_of_means - np.outer(mean, mean)) * self.games / max(1, self.games - 1)
        turns = self.turns[: len(self.ways)]
        each = np.tensordot(self.ways, turns @ (turned + shared) @ turns.transpose(0, 2, 1), axes=1)
        mean_turn = np.tensordot(self.ways, turns, axes=1) / self.games
        return each - self.games * mean_turn @ shared @ mean_turn.T

    def drawn(self) -> Iterator[Floats]:
        """Wins of each seat in arrangements drawn by chance (arrangements, seats)."""
        generator = np.random.default_rng(SEED)
        way, sets = np.nonzero(self.relative)
        way, sets = (np.repeat(places, self.relative[way, sets]) for places in (way, sets))
        different, which = np.unique(sets, return_inverse=True)
        turned = np.einsum("tij,sj->sti", self.turns, self.shares[different]).reshape(-1, self.players)
        at_once = max(1, AT_A_TIME // self.games)
        for first in range(0, DRAWN, at_once):
            rows = min(at_once, DRAWN - first)
            shared = generator.permuted(np.broadcast_to(way, (rows, self.games)), axis=1)
            again = generator.integers(0, len(self.again), shared.shape) * len(self.ways)
            cells = np.arange(rows)[:, None] * len(turned) + which * self.players + shared + again
            yield np.bincount(cells.ravel(), minlength=rows * len(turned)).reshape(rows, -1) @ turned
