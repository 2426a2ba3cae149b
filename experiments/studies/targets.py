"""Which value of a number brings a metric to a target? Bisection, with the same games at every value."""

from collections.abc import Callable
from dataclasses import dataclass

from experiments.studies.paired import Estimate

Measure = Callable[[int], Estimate]


@dataclass(frozen=True)
class Found:
    """The value at which the metric is nearest to the target; reached: whether the target lies between two values.

    low, high: the values from low to high are those at which the target lies in the interval of the metric; None if
    there is no such value. crossing: where a line through the two values around the target meets it.
    """

    value: int
    at_value: Estimate
    reached: bool
    crossing: float
    low: int | None
    high: int | None


def find(measure: Measure, low: int, high: int, target: float) -> Found:
    """Searches the integers low … high, over which the metric is taken to rise all the way or to fall all the way."""
    sign = 1 if measure(high).value >= measure(low).value else -1

    def first(above: Callable[[Estimate], bool]) -> int:
        """The smallest value at which the metric, which rises when multiplied by the sign, is above; else high + 1."""
        bottom, top = low, high + 1
        while bottom < top:
            middle = (bottom + top) // 2
            if above(measure(middle)):
                top = middle
            else:
                bottom = middle + 1
        return bottom

    over = first(lambda found: sign * found.value >= sign * target)
    near = [value for value in (over - 1, over) if low <= value <= high]
    best = min(near, key=lambda value: abs(measure(value).value - target))
    fits_from = first(lambda found: (found.high if sign > 0 else -found.low) >= sign * target)
    fits_to = first(lambda found: (found.low if sign > 0 else -found.high) > sign * target) - 1
    fit = fits_from <= fits_to
    reached = len(near) == 2 or measure(best).value == target
    return Found(
        best,
        measure(best),
        reached,
        _crossing(measure, near, target),
        fits_from if fit else None,
        fits_to if fit else None,
    )


def _crossing(measure: Measure, near: list[int], target: float) -> float:
    """Where the line through the metric at two neighbours meets the target; with one neighbour, that one."""
    if len(near) == 1:
        return float(near[0])
    left, right = (measure(value).value for value in near)
    return near[0] + ((target - left) / (right - left) if right != left else 0.0)
