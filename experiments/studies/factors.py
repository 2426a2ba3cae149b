"""What each of several parameters does by itself to a metric: least squares over the variations of a sweep.

A number is taken for a straight line, anything else for categories that are compared with the first one given. The
errors come from a jackknife over groups of games: what a deal brings is left out of all variations at once.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.studies.paired import Estimate, Floats, Paired
from experiments.studies.variations import Point
from experiments.summary import mean_interval


@dataclass(frozen=True)
class Effect:
    """By how much the metric changes with a step of one parameter, such as `1 more`, while the others stay."""

    parameter: str
    step: str
    change: Estimate


@dataclass(frozen=True)
class Effects:
    """The effects of all parameters. explained: the share of the variance between variations that they account for."""

    effects: tuple[Effect, ...]
    explained: float


def varying(values: Mapping[str, Sequence[Any]]) -> list[str]:
    """The parameters that have more than one value."""
    return [name for name, given in values.items() if len(given) > 1]


def effects(values: Mapping[str, Sequence[Any]], points: Sequence[Point], sums: Sequence[Paired]) -> Effects | None:
    """The effects over some variations, which are the points with their sums of one metric.

    None if the variations are too few or too much alike to tell the parameters apart, or the metric applies nowhere.
    """
    steps = [(name, *step) for name in varying(values) for step in _steps(name, values[name], points)]
    columns = np.array([np.ones(len(points)), *(column for *_, column in steps)]).T
    ratios = np.array([_ratio(paired.by_group.sum(axis=0)) for paired in sums])
    there = np.isfinite(ratios)
    columns, ratios = columns[there], ratios[there]
    if not steps or np.linalg.matrix_rank(columns) < columns.shape[1]:
        return None
    solve = np.linalg.pinv(columns)
    numbers = solve @ ratios
    errors, groups = _errors(solve, numbers, [paired for paired, is_there in zip(sums, there, strict=True) if is_there])
    found = [
        Effect(name, step, _with_interval(number, error, groups))
        for (name, step, _), number, error in zip(steps, numbers[1:], errors[1:], strict=True)
    ]
    spread = float(((ratios - ratios.mean()) ** 2).sum())
    rest = float(((ratios - columns @ numbers) ** 2).sum())
    return Effects(tuple(found), 1 - rest / spread if spread > 0 else np.nan)


def _steps(name: str, given: Sequence[Any], points: Sequence[Point]) -> Iterator[tuple[str, Floats]]:
    """What each column of a parameter stands for, and the column: of each point the number, or whether it has it."""
    if all(type(value) in (int, float) for value in given):
        yield "1 more", np.array([point[name] for point in points], np.float64)
        return
    first, *others = given
    for other in others:
        yield f"{_told(other)} instead of {_told(first)}", np.array([float(point[name] == other) for point in points])


def _told(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _ratio(sums: Floats) -> float:
    return float(sums[0] / sums[1]) if sums[1] else np.nan


def _errors(solve: Floats, numbers: Floats, sums: Sequence[Paired]) -> tuple[Floats, int]:
    """Standard errors by leaving out each group of games in turn, and how many groups there are."""
    by_group = np.array([paired.by_group for paired in sums])  # (points, groups, 2)
    used = np.flatnonzero(by_group.any(axis=(0, 2)))
    without = by_group.sum(axis=1, keepdims=True) - by_group[:, used]
    with np.errstate(divide="ignore", invalid="ignore"):
        changed = solve @ (without[:, :, 0] / without[:, :, 1])
    groups = len(used)
    return np.sqrt((groups - 1) / groups * ((changed - numbers[:, None]) ** 2).sum(axis=1)), groups


def _with_interval(number: float, error: float, groups: int) -> Estimate:
    """The interval of an effect; none if no group of games makes a difference."""
    is_known = groups > 1 and error > 1e-9 * max(1.0, abs(number))
    return Estimate(float(number), *(mean_interval(float(number), float(error), groups) if is_known else (np.nan,) * 2))
