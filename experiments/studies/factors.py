"""What each of several parameters does by itself to a metric: least squares over the variations of a sweep.

A number is taken for a straight line, anything else for categories that are compared with the first one given. Where
effects depend on each other they are averages over the variations; `fit` tells whether they do. The errors come from a
jackknife over groups of games: what a deal brings is left out of all variations at once.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from experiments.studies.paired import Estimate, Floats, Paired
from experiments.studies.variations import Point
from experiments.summary import mean_interval

MOST_APART = 8  # values of a parameter by which effects are told


@dataclass(frozen=True)
class Effect:
    """By how much the metric changes with a step of one parameter, such as `1 more`, on average over the others."""

    parameter: str
    step: str
    change: Estimate


@dataclass(frozen=True)
class Effects:
    """The effects of all parameters, from so many groups of games.

    explained: the share of the variance between variations that they account for; nan if these are all alike.
    groups: 0 if at some variation the metric applies to games of a single one, so that no interval is known.
    """

    effects: tuple[Effect, ...]
    explained: float
    groups: int


def varying(values: Mapping[str, Sequence[Any]]) -> list[str]:
    """The parameters that have more than one value."""
    return [name for name, given in values.items() if len(given) > 1]


def is_number(given: Sequence[Any]) -> bool:
    """Whether all values of a parameter are numbers."""
    return all(type(value) in (int, float) for value in given)


def effects(
    values: Mapping[str, Sequence[Any]],
    points: Sequence[Point],
    sums: Sequence[Paired],
    as_categories: Collection[str] = (),
) -> Effects | None:
    """The effects over some variations, which are the points with their sums of one metric.

    as_categories: numbers that are not taken for a straight line; each value is compared with the first one.
    None if the variations are too few or too much alike to tell the parameters apart, or the metric applies nowhere.
    """
    steps = [
        (name, *step)
        for name in varying(values)
        for step in _steps(name, values[name], points, is_number(values[name]) and name not in as_categories)
    ]
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
    return Effects(tuple(found), 1 - rest / spread if spread > 0 else np.nan, groups)


def effects_apart(
    parameters: Sequence[str], values: Mapping[str, Sequence[Any]], points: Sequence[Point], sums: Sequence[Paired]
) -> Iterator[Effect]:
    """What an average hides: of one number what each value does, of two parameters the effects by values of the other.

    Only where these are few, and as far as the variations tell them.
    """
    if len(parameters) == 1 and len(values[parameters[0]]) <= MOST_APART:
        found = effects(values, points, sums, as_categories=parameters)
        yield from (one for one in (found.effects if found else ()) if one.parameter in parameters)
    for of, other in permutations(parameters, 2):
        if len(values[other]) <= MOST_APART:
            yield from _effects_where(of, other, values, points, sums)


def _effects_where(
    of: str, other: str, values: Mapping[str, Sequence[Any]], points: Sequence[Point], sums: Sequence[Paired]
) -> Iterator[Effect]:
    """The effects of a parameter at each value of another one."""
    for value in values[other]:
        there = [place for place, point in enumerate(points) if point[other] == value]
        kept = {**values, other: [value]}
        found = effects(kept, [points[place] for place in there], [sums[place] for place in there]) if there else None
        for one in found.effects if found else ():
            if one.parameter == of:
                yield replace(one, step=f"{one.step}, where {other}={_told(value)}")


def _steps(name: str, given: Sequence[Any], points: Sequence[Point], is_line: bool) -> Iterator[tuple[str, Floats]]:
    """What each column of a parameter stands for, and the column: of each point the number, or whether it has it."""
    if is_line:
        yield "1 more", np.array([point[name] for point in points], np.float64)
        return
    first, *others = given
    for other in others:
        yield f"{_told(other)} instead of {_told(first)}", np.array([float(point[name] == other) for point in points])


def _told(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _ratio(sums: Floats) -> float:
    return float(sums[0] / sums[1]) if sums[1] else np.nan


def pseudo_values(sums: Sequence[Paired]) -> Floats:
    """What each group of games tells of the metric at each point (points, groups); nan where it does not apply."""
    ratios, without = np.array([_ratio(paired.by_group.sum(axis=0)) for paired in sums]), _ratios_without(sums)
    groups = without.shape[1]
    return groups * ratios[:, None] - (groups - 1) * without


def _ratios_without(sums: Sequence[Paired]) -> Floats:
    """The metric at each point without each group that has games (points, groups)."""
    by_group = np.array([paired.by_group for paired in sums])  # (points, groups, 2)
    used = np.flatnonzero(by_group.any(axis=(0, 2)))
    without = by_group.sum(axis=1, keepdims=True) - by_group[:, used]
    with np.errstate(divide="ignore", invalid="ignore"):
        return without[:, :, 0] / without[:, :, 1]


def _errors(solve: Floats, numbers: Floats, sums: Sequence[Paired]) -> tuple[Floats, int]:
    """Standard errors by leaving out each group of games in turn, and how many groups there are."""
    changed = solve @ _ratios_without(sums)
    groups = changed.shape[1]
    errors = np.sqrt((groups - 1) / groups * ((changed - numbers[:, None]) ** 2).sum(axis=1))
    return errors, groups if np.isfinite(errors).all() else 0


def _with_interval(number: float, error: float, groups: int) -> Estimate:
    """The interval of an effect; none if no group of games makes a difference."""
    is_known = groups > 1 and error > 1e-9 * max(1.0, abs(number))
    number = number if is_known or abs(number) > 1e-9 else 0.0  # which is rounding
    return Estimate(float(number), *(mean_interval(float(number), float(error), groups) if is_known else (np.nan,) * 2))
