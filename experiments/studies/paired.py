"""Means of metrics over games, and their differences from a base on the same games, with intervals.

Games with the same number have the same seed and seats, so what chance brought is the same in both. The unit is the
game. A metric is a ratio of sums, and its variance the usual one of a ratio: that of the games' residuals. Only what
games with the same seating differ by counts as error, for a metric as for a difference, as in `experiments.summary`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.studies.folder import Study
from experiments.studies.metrics import Metric
from experiments.studies.specification import Specification, results_of
from experiments.summary import error_of_sum, mean_interval, rate_interval, ways_to_sit, win_interval

Floats = npt.NDArray[np.float64]

GROUPS = 64  # of games, for the jackknife; those in which the bots go once round the seats are in one
ROUNDING = 1e-13  # a variance is taken for 0 below this part of the squares that it comes from


@dataclass(frozen=True)
class Estimate:
    """A number with the ends of its interval."""

    value: float
    low: float
    high: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.value, self.low, self.high))

    def if_it_varies(self) -> "Estimate":
        """Itself; without an interval where all games have the same number, which then do not tell how sure it is."""
        return self if self.low < self.high else Estimate(self.value, np.nan, np.nan)


class Paired:
    """Sums over the games of one metric in two studies: of numerators and denominators, and of their products.

    changed: games in which one of them is another one. by_group: the sums in the first study by groups of games.
    is_rate, of_wins: see `Metric`. strata: after so many games the bots sit in the same way again.
    """

    def __init__(self, is_rate: bool, players: int = 1, strata: int = 1, of_wins: bool = False) -> None:
        self.is_rate, self.of_wins, self.players, self.games, self.changed = is_rate, of_wins, players, 0, 0
        self.in_stratum, self.sums, self.products = np.zeros(strata), np.zeros((strata, 4)), np.zeros((strata, 4, 4))
        self.applies, self.by_group = np.zeros(2), np.zeros((GROUPS, 2))  # applies: games with a denominator, in each

    def add(self, here: Floats, base: Floats) -> None:
        """Adds games, which follow those before: numerator and denominator in both studies, each (games, 2)."""
        both, strata = np.concatenate([here, base], axis=1), len(self.in_stratum)
        numbers = np.arange(self.games, self.games + len(both))
        np.add.at(self.by_group, numbers // self.players % GROUPS, here)
        self.changed += int((here != base).any(axis=1).sum())
        self.applies += (both[:, 1::2] != 0).sum(axis=0)
        for first in range(strata):
            part = both[first::strata]
            stratum = (self.games + first) % strata
            self.in_stratum[stratum] += len(part)
            self.sums[stratum] += part.sum(axis=0)
            self.products[stratum] += part.T @ part
        self.games += len(both)

    def estimate(self, of_base: bool = False) -> Estimate:
        """The metric in one of the studies."""
        at, games = 2 * of_base, int(self.applies[int(of_base)])
        weights = np.zeros(4)
        weights[at : at + 2] = self._weights(at)
        value, error = self._ratio(at), self._error(weights, games)
        if self.of_wins and games:
            counted = np.array([games, self._sums[at + 1], self._products[at + 1, at + 1]])
            return Estimate(value, *win_interval(value, error, counted, self.players))
        return Estimate(value, *(rate_interval if self.is_rate else mean_interval)(value, error, games))

    def difference(self) -> Estimate:
        """How much more the metric is in the first study than in the base."""
        value, games = self._ratio(0) - self._ratio(2), int(self.applies.min())
        weights = np.concatenate([self._weights(0), -self._weights(2)])
        low, high = mean_interval(value, self._error(weights, games), games)
        if self.is_rate:  # two shares are at most 1 apart
            low, high = np.clip([low, high], -1, 1).tolist()
        return Estimate(value, low, high)

    @property
    def _sums(self) -> Floats:
        return self.sums.sum(axis=0)

    @property
    def _products(self) -> Floats:
        return self.products.sum(axis=0)

    def _ratio(self, at: int) -> float:
        numerator, denominator = self._sums[at : at + 2]
        return float(numerator / denominator) if denominator else np.nan

    def _weights(self, at: int) -> Floats:
        """By how much the ratio grows with the numerator and with the denominator of a game."""
        denominator = self._sums[at + 1]
        return np.array([1.0, -self._ratio(at)]) / denominator if denominator else np.full(2, np.nan)

    def _error(self, weights: Floats, games: int) -> float:
        """Standard error of the weighted sum of the four columns; exactly 0 if all games have the same."""
        if not np.isfinite(weights).all():
            return np.nan
        means, squares = self._sums / self.games, self._products / self.games
        variance = float(weights @ (squares - np.outer(means, means)) @ weights)
        size = float(np.abs(weights) @ np.sqrt(np.diag(squares))) ** 2
        if variance <= ROUNDING * size:
            return 0.0
        return error_of_sum(self.sums @ weights, weights @ self.products @ weights, self.in_stratum, games)


def compare(here: Study, base: Study, metrics: Sequence[Metric]) -> tuple[list[Paired], int]:
    """Sums up two complete studies of the same games; also tells in how many games points or events differ."""
    plans: list[Specification] = [study.plan for study in (here, base)]  # type: ignore[misc]
    players, strata, changed = plans[0].variant.players, ways_to_sit(plans[0].bots), 0
    found = [Paired(metric.is_rate, players, strata, metric.of_wins) for metric in metrics]
    for shard in range(plans[0].shards):
        one, two = (results_of(plan, study.table(shard)) for plan, study in zip(plans, (here, base), strict=True))
        changed += int(((one.lengths != two.lengths) | (one.scores != two.scores).any(axis=1)).sum())
        for sums, metric in zip(found, metrics, strict=True):
            sums.add(metric.sums(one), metric.sums(two))
    return found, changed
