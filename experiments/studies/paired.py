"""Means of metrics over games, and their differences from a base on the same games, with intervals.

Games with the same number have the same seed and seats, so what chance brought is the same in both. The unit is the
game. A metric is a ratio of sums, and its variance the usual one of a ratio: that of the games' residuals.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.studies.folder import Study
from experiments.studies.metrics import Metric
from experiments.studies.specification import Specification, results_of
from experiments.summary import mean_interval, rate_interval

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A number with the ends of its interval."""

    value: float
    low: float
    high: float


class Paired:
    """Sums over the games of one metric in two studies: of numerators and denominators, and of their products."""

    def __init__(self, is_rate: bool) -> None:
        self.is_rate, self.games, self.sums, self.products = is_rate, 0, np.zeros(4), np.zeros((4, 4))

    def add(self, here: Floats, base: Floats) -> None:
        """Adds games: numerator and denominator in both studies, each (games, 2)."""
        both = np.concatenate([here, base], axis=1)
        self.games += len(both)
        self.sums += both.sum(axis=0)
        self.products += both.T @ both

    def estimate(self, of_base: bool = False) -> Estimate:
        """The metric in one of the studies."""
        at = 2 if of_base else 0
        weights = np.zeros(4)
        weights[at : at + 2] = self._weights(at)
        value, error = self._ratio(at), self._error(weights)
        low, high = (rate_interval if self.is_rate else mean_interval)(value, error, self.games)
        return Estimate(value, low, high)

    def difference(self) -> Estimate:
        """How much more the metric is in the first study than in the base."""
        value = self._ratio(0) - self._ratio(2)
        weights = np.concatenate([self._weights(0), -self._weights(2)])
        return Estimate(value, *mean_interval(value, self._error(weights), self.games))

    def _ratio(self, at: int) -> float:
        return float(self.sums[at] / self.sums[at + 1]) if self.sums[at + 1] else np.nan

    def _weights(self, at: int) -> Floats:
        """By how much the ratio grows with the numerator and with the denominator of a game, times the games."""
        if not self.sums[at + 1]:
            return np.full(2, np.nan)
        return self.games / self.sums[at + 1] * np.array([1.0, -self._ratio(at)])

    def _error(self, weights: Floats) -> float:
        """Standard error of a weighted sum of the means of the four columns."""
        means = self.sums / self.games
        covariance = (self.products / self.games - np.outer(means, means)) / max(1, self.games - 1)
        return float(np.sqrt(max(0.0, float(weights @ covariance @ weights)))) if np.isfinite(weights).all() else np.nan


def compare(here: Study, base: Study, metrics: Sequence[Metric]) -> list[Paired]:
    """Sums up two complete studies of the same games, shard by shard."""
    found = [Paired(metric.is_rate) for metric in metrics]
    plans: list[Specification] = [study.plan for study in (here, base)]  # type: ignore[misc]
    for shard in range(plans[0].shards):
        results = [results_of(plan, study.table(shard)) for plan, study in zip(plans, (here, base), strict=True)]
        for sums, metric in zip(found, metrics, strict=True):
            sums.add(metric.sums(results[0]), metric.sums(results[1]))
    return found
