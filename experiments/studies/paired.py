"""Means of metrics over games, and their differences from a base on the same games, with intervals.

Games with the same number have the same seed and seats, so what chance brought is the same in both. The unit is the
game. A metric is a ratio of sums, and its variance the usual one of a ratio: that of the games' residuals.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.studies.folder import Study
from experiments.studies.metrics import Metric
from experiments.studies.specification import Specification, results_of
from experiments.summary import mean_interval, rate_interval

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
    """

    def __init__(self, is_rate: bool, players: int = 1) -> None:
        self.is_rate, self.players, self.games, self.changed = is_rate, players, 0, 0
        self.sums, self.products, self.by_group = np.zeros(4), np.zeros((4, 4)), np.zeros((GROUPS, 2))

    def add(self, here: Floats, base: Floats) -> None:
        """Adds games, which follow those before: numerator and denominator in both studies, each (games, 2)."""
        both = np.concatenate([here, base], axis=1)
        groups = np.arange(self.games, self.games + len(both)) // self.players % GROUPS
        np.add.at(self.by_group, groups, here)
        self.changed += int((here != base).any(axis=1).sum())
        self.games += len(both)
        self.sums += both.sum(axis=0)
        self.products += both.T @ both

    def estimate(self, of_base: bool = False) -> Estimate:
        """The metric in one of the studies."""
        at = 2 if of_base else 0
        weights = np.zeros(4)
        weights[at : at + 2] = self._weights(at)
        value, error = self._ratio(at), self._error(weights)
        return Estimate(value, *(rate_interval if self.is_rate else mean_interval)(value, error, self.games))

    def difference(self) -> Estimate:
        """How much more the metric is in the first study than in the base."""
        value = self._ratio(0) - self._ratio(2)
        weights = np.concatenate([self._weights(0), -self._weights(2)])
        low, high = mean_interval(value, self._error(weights), self.games)
        if self.is_rate:  # two shares are at most 1 apart
            low, high = np.clip([low, high], -1, 1).tolist()
        return Estimate(value, low, high)

    def _ratio(self, at: int) -> float:
        return float(self.sums[at] / self.sums[at + 1]) if self.sums[at + 1] else np.nan

    def _weights(self, at: int) -> Floats:
        """By how much the ratio grows with the numerator and with the denominator of a game, times the games."""
        if not self.sums[at + 1]:
            return np.full(2, np.nan)
        return self.games / self.sums[at + 1] * np.array([1.0, -self._ratio(at)])

    def _error(self, weights: Floats) -> float:
        """Standard error of a weighted sum of the means of the four columns; exactly 0 if all games have the same."""
        if not np.isfinite(weights).all():
            return np.nan
        means, squares = self.sums / self.games, self.products / self.games
        variance = float(weights @ (squares - np.outer(means, means)) @ weights)
        size = float(np.abs(weights) @ np.sqrt(np.diag(squares))) ** 2
        return float(np.sqrt(variance / max(1, self.games - 1))) if variance > ROUNDING * size else 0.0


def compare(here: Study, base: Study, metrics: Sequence[Metric]) -> tuple[list[Paired], int]:
    """Sums up two complete studies of the same games; also tells in how many games points or events differ."""
    plans: list[Specification] = [study.plan for study in (here, base)]  # type: ignore[misc]
    found, changed = [Paired(metric.is_rate, plans[0].players) for metric in metrics], 0
    for shard in range(plans[0].shards):
        one, two = (results_of(plan, study.table(shard)) for plan, study in zip(plans, (here, base), strict=True))
        changed += int(((one.lengths != two.lengths) | (one.scores != two.scores).any(axis=1)).sum())
        for sums, metric in zip(found, metrics, strict=True):
            sums.add(metric.sums(one), metric.sums(two))
    return found, changed
