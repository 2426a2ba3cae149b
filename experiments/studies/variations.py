"""Variations of a game: which options and rule parameters take which values, in a grid or in a random design."""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import scipy

from experiments.studies.plan import PlanError
from experiments.studies.specification import Specification
from tabletop.options import OptionError

MOST_POINTS = 10_000  # of a grid or a random design
MOST_VALUES = 100_000  # of a range
RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
ENTRY = re.compile(r"(\w+)\[(\w+)\]")

Point = dict[str, Any]  # name of an option or parameter, or of an entry of a list such as `catch_vp[0]` -> value


def levels(ranges: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The values of each name, each once: those of a list, and of a text such as "1..5" the integers from 1 to 5."""
    found = {}
    for name, given in ranges.items():
        ends = RANGE.fullmatch(given) if isinstance(given, str) else None
        values = _in_range(name, int(ends[1]), int(ends[2])) if ends else given
        if not isinstance(values, list) or not values:
            raise PlanError(f'{name}: {given!r} is not allowed; expected a list of values, or a range such as "1..5"')
        found[name] = list({json.dumps(value): value for value in map(plain, values)}.values())
    if not found:
        raise PlanError('nothing varies; expected values by their names, such as \'{"leader_vp": "1..5"}\'')
    _expect_different(found)
    return found


def plain(value: Any) -> Any:
    """A whole number as an integer, so that 2 and 2.0 are one value, and so are lists of them."""
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _expect_different(names: Iterable[str]) -> None:
    """PlanError if two names mean the same entry, or one means an entry of what another one means."""
    met: dict[tuple[str, str], str] = {}
    for name in names:
        place = meant(name)
        if place in met:
            raise PlanError(f"{met[place]} and {name} mean the same entry; expected one of them")
        met[place] = name
    for (whole, key), name in met.items():
        if key and (whole, "") in met:
            raise PlanError(f"{whole} and {name} vary both, but {name} is a part of {whole}; expected one of them")


def meant(name: str) -> tuple[str, str]:
    """The option or parameter of a name, and the place or the name of the entry in it, or nothing: 1 and 01 are one."""
    entry = ENTRY.fullmatch(name)
    if not entry:
        return name, ""
    return entry[1], str(int(entry[2])) if entry[2].isdecimal() else entry[2]


def _in_range(name: str, low: int, high: int) -> list[int]:
    size = high - low + 1
    if size > MOST_VALUES:
        raise PlanError(
            f"{name}: a range of {size:,} values is not allowed ({low}..{high}); expected at most {MOST_VALUES:,}"
        )
    return list(range(low, high + 1))


def grid(values: Mapping[str, Sequence[Any]]) -> list[Point]:
    """Every combination of the values."""
    points = math.prod(len(v) for v in values.values())
    if points > MOST_POINTS:
        raise PlanError(f"a grid of {points:,} points is not allowed; expected at most {MOST_POINTS:,}, or --random N")
    return [dict(zip(values, combination, strict=True)) for combination in product(*values.values())]


def random_design(values: Mapping[str, Sequence[Any]], points: int, seed: int) -> list[Point]:
    """A Latin hypercube: in each dimension the points are spread evenly over the values. Equal points come once."""
    if not 1 <= points <= MOST_POINTS:
        raise PlanError(f"random: {points:,} is not allowed; expected an integer from 1 to {MOST_POINTS:,}")
    cube = scipy.stats.qmc.LatinHypercube(len(values), rng=np.random.default_rng(seed)).random(points)
    sizes = np.array([len(v) for v in values.values()])
    rows = np.unique((cube * sizes).astype(int), axis=0).tolist()
    return [{name: v[i] for (name, v), i in zip(values.items(), row, strict=True)} for row in rows]


def varied(base: Specification, point: Point) -> Specification:
    """The base with other values; OptionError for unknown names and values that are not allowed."""
    options, parameters = dict(base.options), dict(base.parameters)
    settings, known = base.variant.settings, [option.name for option in base.variant.game.options]
    for name, value in point.items():
        whole, key = meant(name)
        if name in known:
            options[name] = value
        elif whole in settings.parameters:
            before = parameters.get(whole, settings.parameters[whole])
            parameters[whole] = _with_entry(before, key, value, name) if key else value
        else:
            there = ", ".join([*known, *settings.parameters])
            raise OptionError(f"unknown option or parameter {name!r}; there are {there}")
    return replace(base, options=options, parameters=parameters)


def _with_entry(whole: Any, key: str, value: Any, name: str) -> Any:
    """A list, or a table by names, in which one entry is another."""
    if isinstance(whole, Mapping) and key in whole:
        return {**whole, key: value}
    if isinstance(whole, (list, tuple)) and key.isdecimal() and int(key) < len(whole):
        return [value if i == int(key) else old for i, old in enumerate(whole)]
    raise OptionError(f"parameter {name!r}: there is no such entry in {whole!r}")


def own_values(base: Specification, names: Iterable[str]) -> Point:
    """What these options, parameters and entries are without a variation."""
    settings, found = base.variant.settings, {}
    known = {**settings.options, **settings.parameters}
    for name in names:
        whole, key = meant(name)
        value = known[whole]
        if key:
            value = value[key if isinstance(value, Mapping) else int(key)]
        found[name] = value
    return found


def is_same_game(one: Specification, other: Specification) -> bool:
    """Whether all options and parameters are the same, given or by default."""
    first, second = one.variant.settings, other.variant.settings
    return (first.options, first.parameters) == (second.options, second.parameters)


def told(point: Point) -> str:
    """A point as text."""
    return ", ".join(f"{n}={v if isinstance(v, str) else json.dumps(v)}" for n, v in point.items()) or "base"
