"""The largest gap between seats: how much more often the best seat wins than the worst one.

The shares of the seats in the win of a game make up one whole, so their differences are looked at together: Tukey's
intervals for all pairs of seats, which hold at once, bound the largest difference of the true rates. The interval of
the gap therefore covers it at least as often as it says. One more win of each seat is added for the intervals, so that
nothing is certain because of few games (after Agresti and Caffo, who add a success and a failure to each sample).

A. Agresti and B. Caffo, Simple and Effective Confidence Intervals for Proportions and Differences of Proportions
Result from Adding Two Successes and Two Failures, The American Statistician 54(4), 2000.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from experiments.reports.equal_seats import chance_of_equal_seats, shares_of_sets
from experiments.summary import CONFIDENCE, ways_to_sit
from tabletop import Results

COLUMNS = ["best", "worst", "gap", "gap_low", "gap_high", "chance"]


class Gap(NamedTuple):
    """How much more often the best seat wins than the worst one, with its interval."""

    best: int
    worst: int
    gap: float
    low: float
    high: float


class SeatGap:
    """How often each set of seats won, for each way in which the bots sit; ties share a win."""

    def __init__(self, bots: Sequence[str]) -> None:
        """bots: the names that the indexes in the results mean; equal names are one bot."""
        self.players, self.ways = len(bots), ways_to_sit(bots)
        self.won = np.zeros((self.ways, 2**self.players), np.int64)  # by the set of the winners' seats

    @property
    def games(self) -> int:
        """How many."""
        return int(self.won.sum())

    def add(self, results: Results) -> None:
        """Adds a chunk of games."""
        winners = (results.places == 1) @ (1 << np.arange(self.players))
        places = results.number % self.ways * self.won.shape[1] + winners
        self.won += np.bincount(places, minlength=self.won.size).reshape(self.won.shape)

    def table(self) -> pd.DataFrame:
        """One row: the best and the worst seat, the gap between them with its interval, and `chance`.

        chance: the probability of differences as large as these if all seats were equal; nan if the games cannot tell.
        Empty with one player or one game.
        """
        if self.players < 2 or self.games < 2:
            return pd.DataFrame(columns=COLUMNS)
        return pd.DataFrame([(*self.largest(), chance_of_equal_seats(self.won))], columns=COLUMNS)

    def largest(self) -> "Gap":
        """The largest difference between two seats, of at least two games."""
        rates = self.rates()
        low, high = self._bounds()
        best, worst = int(rates.argmax()), int(rates.argmin())
        gap = float(rates[best] - rates[worst])
        return Gap(best, worst, gap, min(low, gap), max(high, gap))

    def rates(self) -> npt.NDArray[np.float64]:
        """How often each seat won; each way of sitting that was played counts the same, however often it was."""
        played = self.won[self.won.any(axis=1)]
        return (played @ shares_of_sets(self.players) / played.sum(axis=1, keepdims=True)).mean(axis=0)

    def _bounds(self) -> tuple[float, float]:
        """Where the largest true difference lies if every pair's lies within its interval."""
        rates, covariance = self._with_one_more_win()
        critical = _critical(self.players, max(1, self.games - self.ways))
        ends = []
        for a, b in permutations(range(self.players), 2):
            error = np.sqrt(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
            difference = rates[a] - rates[b]
            ends.append((difference - critical * error, difference + critical * error))
        return max(0.0, *(low for low, _ in ends)), min(1.0, max(high for _, high in ends))

    def _with_one_more_win(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Rates and their covariance with one more win of each seat, shared out among the ways in which the bots sit.

        What differs between the ways to sit is no error, because each has its share of the games by design.
        """
        shares, more = shares_of_sets(self.players), 1 / self.ways
        rates, covariance = np.zeros(self.players), np.zeros((self.players, self.players))
        for won in self.won:
            games = won.sum() + self.players * more
            means = (won @ shares + more) / games
            squares = (shares.T * won) @ shares + more * np.eye(self.players)
            rates += means / self.ways
            covariance += (squares / games - np.outer(means, means)) / games / self.ways**2
        return rates, covariance


@cache
def _critical(seats: int, freedom: int) -> float:
    """How many standard errors Tukey's intervals for all differences between so many rates reach."""
    return float(scipy.stats.studentized_range.ppf(CONFIDENCE, seats, freedom) / np.sqrt(2))
