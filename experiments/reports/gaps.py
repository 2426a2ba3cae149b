"""The largest gap between seats: how much more often the best seat wins than the worst one.

The shares of the seats in the win of a game make up one whole, so their differences are looked at together: Tukey's
intervals for all pairs of seats, which hold at once, bound the largest difference of the true rates. The interval of
the gap therefore covers it at least as often as it says.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from experiments.summary import CONFIDENCE, ways_to_sit, win_shares
from tabletop import Results


class SeatGap:
    """Sums over games: of each seat's share in the win, and of their products, for each way in which the bots sit."""

    def __init__(self, bots: Sequence[str]) -> None:
        """bots: the names that the indexes in the results mean; equal names are one bot."""
        players, self.strata = len(bots), ways_to_sit(bots)
        self.games_of = np.zeros(self.strata)
        self.sums_of = np.zeros((self.strata, players))
        self.products = np.zeros((players, players))

    @property
    def games(self) -> int:
        """How many."""
        return int(self.games_of.sum())

    def add(self, results: Results) -> None:
        """Adds a chunk of games."""
        shares, strata = win_shares(results.places), results.number % self.strata
        self.games_of += np.bincount(strata, minlength=self.strata)
        np.add.at(self.sums_of, strata, shares)
        self.products += shares.T @ shares

    def table(self) -> pd.DataFrame:
        """One row: the best and the worst seat, the gap between them with its interval, and `chance`.

        chance: the probability of differences as large as these if all seats were equal. Empty with one player.
        """
        players = self.sums_of.shape[1]
        if players < 2 or self.games < 2:
            return pd.DataFrame(columns=["best", "worst", "gap", "gap_low", "gap_high", "chance"])
        rates = self.sums_of.sum(axis=0) / self.games
        low, high = self._bounds(rates, self._covariance())
        best, worst = int(rates.argmax()), int(rates.argmin())
        row = (best, worst, rates[best] - rates[worst], low, high, self._chance(rates))
        return pd.DataFrame([row], columns=["best", "worst", "gap", "gap_low", "gap_high", "chance"])

    def _covariance(self) -> npt.NDArray[np.float64]:
        """Of the rates: what games with the same seating differ by; all games together where each seating had one."""
        games, sums = self.games_of, self.sums_of
        if games.min() < 2:
            games, sums = games.sum(keepdims=True), sums.sum(axis=0, keepdims=True)
        about_means = self.products - (sums.T / games) @ sums
        freedom = self.games / (self.games - len(games))
        return about_means * freedom / self.games**2

    def _bounds(self, rates: npt.NDArray[np.float64], covariance: npt.NDArray[np.float64]) -> tuple[float, float]:
        """Where the largest true difference lies if every pair's lies within its interval."""
        critical = _critical(len(rates))
        ends = []
        for a, b in permutations(range(len(rates)), 2):
            error = np.sqrt(max(0.0, covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]))
            difference = rates[a] - rates[b]
            ends.append((difference - critical * error, difference + critical * error))
        return max(0.0, *(low for low, _ in ends)), min(1.0, max(high for _, high in ends))

    def _chance(self, rates: npt.NDArray[np.float64]) -> float:
        """Wald's test that all rates are equal."""
        contrasts = np.diff(np.eye(len(rates)), axis=0)
        differences = contrasts @ rates
        covariance = contrasts @ self._covariance() @ contrasts.T
        statistic = differences @ np.linalg.pinv(covariance) @ differences
        return float(stats.chi2.sf(statistic, len(rates) - 1))


@cache
def _critical(seats: int) -> float:
    """How many standard errors Tukey's intervals for all differences between so many rates reach."""
    return float(stats.studentized_range.ppf(CONFIDENCE, seats, np.inf) / np.sqrt(2))
