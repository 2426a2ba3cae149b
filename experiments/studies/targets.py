"""Which of some values brings a metric to a target? A search with the same games at every value.

First a few values spread evenly over all are measured, then those between two measured neighbours that lie on either
side of the target. If there are no such neighbours, the search goes on beside the value that is nearest. The metric
may rise and fall; only a value between two neighbours on the same side of the target may be missed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from experiments.studies.metrics import Metric
from experiments.studies.paired import Estimate
from experiments.studies.plan import PlanError
from experiments.summary import CONFIDENT

Number = int | float
Measure = Callable[[Number], Estimate]

FIRST = 7  # values that are measured before the search, as far as there are so many


@dataclass(frozen=True)
class Found:
    """All values that were measured, ascending, and which is nearest to the target.

    all_values: how many there were to choose from. crossings: where lines between neighbours meet the target.
    """

    measured: Mapping[Number, Estimate]
    all_values: int
    target: float
    value: Number
    crossings: tuple[float, ...]

    @property
    def at_value(self) -> Estimate:
        """What was measured at the nearest value."""
        return self.measured[self.value]

    @property
    def nearest(self) -> tuple[Number, ...]:
        """All measured values at which the metric is as near to the target as at the nearest."""
        least = abs(self.at_value.value - self.target)
        far = {value: abs(found.value - self.target) for value, found in self.measured.items()}
        return tuple(value for value, distance in far.items() if distance <= least * (1 + 1e-9))

    @property
    def fits(self) -> tuple[Number, ...]:
        """The measured values at which the target lies in the interval of the metric."""
        return tuple(value for value, found in self.measured.items() if found.low <= self.target <= found.high)

    @property
    def without(self) -> tuple[Number, ...]:
        """The measured values at which the metric applies to no game."""
        return tuple(value for value, found in self.measured.items() if np.isnan(found.value))

    @property
    def rises(self) -> bool:
        """Whether the metric is greater at some value than at a smaller one, and their intervals are apart."""
        low, high = self._bounds()
        return bool((low[1:] > np.fmin.accumulate(high)[:-1]).any())

    @property
    def falls(self) -> bool:
        """Whether the metric is less at some value than at a smaller one, and their intervals are apart."""
        low, high = self._bounds()
        return bool((high[1:] < np.fmax.accumulate(low)[:-1]).any())

    @property
    def wavers(self) -> bool:
        """Whether some step between neighbours goes up and another one down, be it by chance."""
        steps = np.diff([found.value for found in self._known()])
        return bool((steps > 0).any() and (steps < 0).any())

    @property
    def is_bounded(self) -> bool:
        """Whether the metric has an interval at every value at which it applies to some game."""
        return not any(np.isnan(found.low) for found in self._known())

    def _known(self) -> list[Estimate]:
        """What was measured where the metric applies to some game."""
        return [found for found in self.measured.values() if not np.isnan(found.value)]

    def _bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The ends of all intervals; nan where there is none, which says nothing of the others."""
        found = self.measured.values()
        return np.array([one.low for one in found]), np.array([one.high for one in found])


def find(measure: Measure, values: Sequence[Number], target: float) -> Found:
    """Searches the values, which ascend; PlanError if the metric applies to no game at any measured value."""
    places = np.unique(np.linspace(0, len(values) - 1, min(FIRST, len(values))).round().astype(int))
    known = {int(place): measure(values[place]) for place in places}
    while (place := next(_worth_a_look(known, target), None)) is not None:
        known[place] = measure(values[place])
    known = dict(sorted(known.items()))
    nearest = _nearest(known, target)
    if np.isnan(known[nearest].value):
        raise PlanError("target: the metric applies to no game at any of the values; expected another metric")
    return Found(
        measured={values[place]: found for place, found in known.items()},
        all_values=len(values),
        target=target,
        value=values[nearest],
        crossings=tuple(_crossings(values, known, target)),
    )


def _worth_a_look(known: Mapping[int, Estimate], target: float) -> Iterator[int]:
    """Places between measured neighbours with the target between them; without such neighbours, beside the nearest."""
    places = sorted(known)
    pairs = list(pairwise(places))
    around = [pair for pair in pairs if _is_between(known, pair, target)]
    nearest = _nearest(known, target)
    reached = around or known[nearest].value == target
    for left, right in around if reached else [pair for pair in pairs if nearest in pair]:
        if right - left > 1:
            yield (left + right) // 2


def _is_between(known: Mapping[int, Estimate], pair: tuple[int, int], target: float) -> bool:
    left, right = (known[place].value - target for place in pair)
    return left * right < 0


def _nearest(known: Mapping[int, Estimate], target: float) -> int:
    """The place at which the metric is nearest to the target; the first of equally near ones."""
    return min(sorted(known), key=lambda place: np.nan_to_num(abs(known[place].value - target), nan=np.inf))


def _crossings(values: Sequence[Number], known: Mapping[int, Estimate], target: float) -> Iterator[float]:
    """Where the metric meets the target: at measured values, and on the lines between neighbours around it."""
    places = sorted(known)
    for left, right in zip(places, [*places[1:], places[-1]], strict=True):
        if known[left].value == target:
            yield float(values[left])
        elif _is_between(known, (left, right), target):
            share = (target - known[left].value) / (known[right].value - known[left].value)
            yield float(values[left] + share * (values[right] - values[left]))


def expect_possible(metric: Metric, target: float) -> None:
    """PlanError for a target that the metric cannot have, whatever is played."""
    least, most = metric.range
    if least <= target <= most:
        return
    ends = f"from {least:g} to {most:.4g}" if np.isfinite(most) else f"of at least {least:g}"
    hint = f" (write {target / 100:g} for {target:g} %)" if most <= 1 and 1 < target <= 100 * most else ""
    raise PlanError(f"target: {metric.name}={target:g} is not allowed; expected a number {ends}{hint}")


def target_of(metric: Metric, found: Found) -> str:
    """The target as it is shown."""
    return metric.told((found.target, np.nan, np.nan))


def sentences(found: Found, name: str, metric: Metric) -> list[str]:
    """What the search found, in sentences; the first one says whether the target is reached."""
    target = target_of(metric, found)
    if found.crossings:
        reached = f"The target is reached: {metric.name} is {target} at a measured value, or between two of them."
    else:
        side = "below" if found.at_value.value < found.target else "above"
        where = " to which it applies" * bool(found.without)
        reached = f"The target is not reached: {metric.name} is {side} {target} at every measured value{where}."
    lines = [reached, _what_is_nearest(found, name, metric)]
    if found.crossings:
        lines.append(_where_it_crosses(found))
    lines.append(_what_fits(found))
    if found.without:
        lines.append(f"At {_listed(found.without)} {metric.name} applies to no game, so it is not known there.")
    return [*lines, _shape(found, metric.name), *_assumed(found), CHECK]


def nothing_changed(found: Found, name: str, metric: Metric, games: int, games_changed: int) -> list[str]:
    """What is said of a search in which the metric is the same in every game, so that there is nothing to choose.

    games_changed: those whose points or events are others than at the first value, over all values.
    """
    where = f"at all {len(found.measured)} values that were measured"
    value = metric.told(found.at_value)
    if games_changed:
        first = f"{name} changed games, but {metric.name} is the same in every game {where}: {value}."
    else:
        first = (
            f"{name} changed no game: each of the {games:,} games had the same points and events {where}, and "
            f"{metric.name} is {value} at each of them."
        )
    return [first, *_unmeasured(found)]


CHECK = "Check the value that you choose with another --seed: on the games that chose it, it looks nearer than it is."


def _what_is_nearest(found: Found, name: str, metric: Metric) -> str:
    each = [f"{name}={value}, with {metric.told(found.measured[value])}" for value in found.nearest]
    if len(each) == 1:
        return f"Nearest of the {len(found.measured)} values that were measured is {each[0]}."
    return f"Equally near, and nearest of the {len(found.measured)} values that were measured, are {'; '.join(each)}."


def _what_fits(found: Found) -> str:
    if not found.fits:
        return f"At no measured value does the {CONFIDENT} interval hold the target."
    why = "between these chance may decide" if found.crossings else "chance alone may keep the metric from it there"
    return f"The {CONFIDENT} interval holds the target at {_listed(found.fits)}; {why}."


def _listed(values: Sequence[Number]) -> str:
    return ", ".join(map(str, values))


def _where_it_crosses(found: Found) -> str:
    where = ", ".join(f"{place:.2f}" for place in found.crossings)
    if len(found.crossings) > 1:
        return f"On lines between the measured values it meets the target {len(found.crossings)} times: at {where}."
    return f"On lines between the measured values it meets the target at {where}."


def _shape(found: Found, metric: str) -> str:
    """Whether the metric rises and falls over the values, as far as is known."""
    if found.rises and found.falls:
        return f"{metric} surely rises and falls over the values: others may bring it to the target as well."
    if found.wavers and not found.is_bounded:
        return (
            f"The measured points of {metric} rise and fall. Where all games had the same number there is no interval, "
            "so how sure that is is not known."
        )
    if found.wavers:
        return f"The measured points of {metric} rise and fall, by no more than their intervals: it may be chance."
    return f"The measured points of {metric} never turn: they only rise, or only fall, or stay."


def _unmeasured(found: Found) -> Iterator[str]:
    if left := found.all_values - len(found.measured):
        yield f"Nothing is known of the other {left:,} values, which were not measured."


def _assumed(found: Found) -> Iterator[str]:
    if len(found.measured) < found.all_values:
        yield (
            "Assumed: where two measured neighbours lie on the same side of the target, so do the values between them, "
            f"which were not measured ({found.all_values - len(found.measured):,} of {found.all_values:,} were not)."
        )
