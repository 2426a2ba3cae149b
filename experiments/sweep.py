"""What does a rule change? `critters sweep GAME --vary JSON --metrics A,B --games N --bots A,B --seed S --out DIR`."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import pandas as pd
import tyro
from rich.console import RenderableType

from experiments import console
from experiments.arguments import Bots, JsonObject, Names
from experiments.reports.answers import Answer, Drawing, Sheet, curve, enumerated, forest
from experiments.series import SeriesCommand
from experiments.studies import Specification, Study, Workers
from experiments.studies.command import name_of_folder
from experiments.studies.metrics import Metric, chosen
from experiments.studies.paired import Estimate, Paired, compare
from experiments.studies.plan import PlanError
from experiments.studies.targets import Found, Number, find, sentences
from experiments.studies.variations import Point, grid, levels, random_design, told, varied
from experiments.summary import CONFIDENCE

BASE = "base"


@dataclass(frozen=True, kw_only=True)
class Sweep(SeriesCommand):
    """Varies options and rule parameters, on the same seeds, and shows what that does to metrics.

    Each variation plays the same games as the base, which the other arguments describe: what chance brings is the
    same, so differences are seen with fewer games. With --target it searches the value that brings a metric where it
    should be: a few evenly spread values first, then those between neighbours on either side of the target. DIR gets a
    study for each variation, sweep.csv and .parquet (a row for each variation and metric) and report.html.
    """

    name: ClassVar[str] = "sweep"
    folders: ClassVar[tuple[str, ...]] = ("points/*",)

    vary: Annotated[JsonObject, tyro.conf.arg(metavar="JSON")]
    """Values by name: '{"leader_vp": "0..6", "catch_vp[0]": [1, 3], "diagonal": ["ascending", "descending"]}'."""

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Games of each variation."""

    bots: Bots
    """Bots that change seats from game to game; fewer than players are repeated."""

    metrics: Annotated[Names, tyro.conf.arg(metavar="METRIC,…")] = ("score", "events")
    """What is compared; an unknown name lists what there is. With --target it is shown beside that metric."""

    random: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """N variations of a random design (Latin hypercube) instead of all combinations; not with --target."""

    target: Annotated[str | None, tyro.conf.arg(metavar="METRIC=VALUE")] = None
    """Search which value of the one varied number, of its range or its list, brings a metric here."""

    def free(self) -> set[str]:
        """Without a target the variations themselves tell what there is."""
        return {"metrics"} if self.target is not None else {"metrics", "vary", "random"}

    def base(self) -> Specification:
        """The games without a variation."""
        return Specification(**self.played(), bots=self.bots, games=self.games)

    def results(self, workers: Workers) -> Iterable[RenderableType]:
        """Compares all variations with the base, or searches the target."""
        values, base = levels(self.vary), self.base()
        metrics = self._metrics(base)
        if self.target is not None:
            return self._search(base, values, metrics, workers)
        points = random_design(values, self.random, self.seed) if self.random is not None else grid(values)
        plans = {_folder(point): varied(base, point) for point in [{}, *points]}
        self.begin([told(point) for point in points])
        studies = self.make(plans, workers)
        return self.conclude(pd.DataFrame(_rows(points, studies, metrics)))

    def answer(self, table: pd.DataFrame) -> Answer:
        """What the variations change, or which value brings the metric to its target."""
        base = self.base()
        metrics = self._metrics(base)
        title = f"{base.variant.heading}, {self.games:,} games each"
        return self._of_search(title, table, metrics) if self.target else self._of_grid(title, table, metrics)

    def _of_grid(self, title: str, table: pd.DataFrame, metrics: Sequence[Metric]) -> Answer:
        by_metric = [(metric, table[table.metric == metric.name].reset_index(drop=True)) for metric in metrics]
        asked = (
            f"{table.variation.nunique() - 1:,} variations of {enumerated([*self.vary])} were compared with the base, "
            f"which has none of them, on the same games, played by {enumerated(self.bots)}."
        )
        found = [sentence for metric, rows in by_metric for sentence in _largest(metric, rows)]
        sheets = [_sheet(metric, rows, title) for metric, rows in by_metric]
        return Answer(f"{title}: a sweep", asked, found, sheets, [_changes(*one) for one in by_metric])

    # Targets

    def _metrics(self, base: Specification) -> list[Metric]:
        """What is shown: with a target, its metric first."""
        names = [*([self._target()[0]] if self.target is not None else []), *self.metrics]
        if not names:
            raise PlanError("metrics: nothing is given; expected names such as score,events")
        return chosen(base, list(dict.fromkeys(names)))

    def _target(self) -> tuple[str, float]:
        name, equals, value = (self.target or "").rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = np.nan
        if not equals or not np.isfinite(number):
            raise PlanError(f"target: {self.target!r} is not allowed; expected METRIC=VALUE, such as win_0=0.25")
        return name, number

    def _search(
        self, base: Specification, values: Mapping[str, list[Any]], metrics: Sequence[Metric], workers: Workers
    ) -> Iterable[RenderableType]:
        if self.random is not None:
            raise PlanError(f"random: {self.random} is not allowed with a target, which is searched value by value")
        name, numbers = _numbers(values)
        for value in (numbers[0], numbers[-1]):
            varied(base, {name: value})  # before anything is played
        self.begin([])
        rows: list[dict[str, Any]] = []

        def measure(value: Number) -> Estimate:
            point = {name: value}
            (study,) = self.make({_folder(point): varied(base, point)}, workers, told(point)).values()
            found = [sums.estimate() for sums in compare(study, study, metrics)]
            rows.extend(_measured(point, metric, one) for metric, one in zip(metrics, found, strict=True))
            console.say(f"{told(point)}: {metrics[0].name} {_interval(found[0])}")
            return found[0]

        find(measure, numbers, self._target()[1])
        table = pd.DataFrame(rows)
        places = table.metric.map([metric.name for metric in metrics].index)
        return self.conclude(table.assign(place=places).sort_values(["place", "at"]).drop(columns="place"))

    def _of_search(self, title: str, table: pd.DataFrame, metrics: Sequence[Metric]) -> Answer:
        ((name, numbers),) = levels(self.vary).items()
        metric, target = self._target()
        own = table[table.metric == metric]
        known = {_plain(row["at"]): Estimate(row.value, row.low, row.high) for _, row in own.iterrows()}
        found = find(known.__getitem__, sorted(set(numbers)), target)
        lines = sentences(found, name, metric)
        asked = (
            f"Which {name} brings {metric} ({metrics[0].meaning}) to {target:g}? {len(known)} values were played, "
            f"{self.games:,} games each, the same ones at every value, by {enumerated(self.bots)}."
        )
        picture = curve(self.name, own, {"x": name, "y": metric}, target, lines[0])
        return Answer(f"{title}: a target", asked, lines, [_sheet_of_search(title, table, metrics, found)], [picture])


def _folder(point: Point) -> str:
    return f"points/{name_of_folder(told(point))}"


def _numbers(values: Mapping[str, list[Any]]) -> tuple[str, list[Number]]:
    """The one number that varies, and its values, ascending; PlanError if it is none."""
    if len(values) != 1 or not all(type(value) in (int, float) for value in next(iter(values.values()))):
        raise PlanError('a target needs one number that varies, such as \'{"leader_vp": "0..10"}\'')
    ((name, numbers),) = values.items()
    return name, sorted(set(numbers))


def _plain(value: float) -> Number:
    """A number as it was given: whole ones as integers."""
    return int(value) if float(value).is_integer() else float(value)


def _measured(point: Point, metric: Metric, found: Estimate) -> dict[str, Any]:
    """A row of a search."""
    ((_, at),) = point.items()
    return {
        "variation": told(point),
        "at": at,
        "metric": metric.name,
        "value": found.value,
        "low": found.low,
        "high": found.high,
    }


def _rows(points: list[Point], studies: Mapping[str, Study], metrics: list[Metric]) -> Iterator[dict[str, Any]]:
    """A row for the base and for each variation, for each metric."""
    base = studies[_folder({})]
    for point in [{}, *points]:
        for metric, sums in zip(metrics, compare(studies[_folder(point)], base, metrics), strict=True):
            yield {"variation": told(point), **{n: str(v) for n, v in point.items()}, **_row(metric, sums)}


def _row(metric: Metric, sums: Paired) -> dict[str, Any]:
    here, difference = sums.estimate(), sums.difference()
    return {
        "metric": metric.name,
        "games": sums.games,
        "value": here.value,
        "low": here.low,
        "high": here.high,
        "difference": difference.value,
        "difference_low": difference.low,
        "difference_high": difference.high,
    }


# What is shown


def _sheet(metric: Metric, rows: pd.DataFrame, title: str) -> Sheet:
    caption = f"{CONFIDENCE:.0%} intervals; differences on the same games; * where the interval does not hold 0"
    lines = []
    for _, row in rows.iterrows():
        value, change = Estimate(row.value, row.low, row.high), _change(row)
        mark = "*" if _is_sure(change) else ""
        lines.append((row.variation, _interval(value), "" if row.variation == BASE else _interval(change), mark))
    return Sheet(
        f"{title}\n{metric.name}: {metric.meaning}",
        ("", metric.name, "difference from the base", ""),
        lines,
        caption,
    )


def _largest(metric: Metric, rows: pd.DataFrame) -> Iterator[str]:
    """How many variations change a metric, and which one most."""
    changes = [(row.variation, _change(row)) for _, row in rows.iterrows() if row.variation != BASE]
    sure = [(name, change) for name, change in changes if _is_sure(change)]
    text = f"{metric.name}: of {len(changes):,} differences from the base, {len(sure):,} have an interval without 0"
    if sure:
        name, change = max(sure, key=lambda one: abs(one[1].value))
        text += f"; the largest is {_interval(change)}, with {name}"
    yield f"{text}. By chance alone about one in twenty would."


def _changes(metric: Metric, rows: pd.DataFrame) -> Drawing:
    own = rows[rows.variation != BASE]
    changes = [_change(row) for _, row in own.iterrows()]
    columns = {key: [getattr(change, key) for change in changes] for key in ("value", "low", "high")}
    table = pd.DataFrame({"group": metric.name, "label": own.variation.to_numpy(), **columns})
    (says,) = _largest(metric, rows)
    how = "Each point is how much more the metric is than in the base, with its 95 % interval; 0 is no difference."
    return forest(f"sweep-{name_of_folder(metric.name)}", table, f"{metric.meaning}: more than the base", says, how)


def _sheet_of_search(title: str, table: pd.DataFrame, metrics: Sequence[Metric], found: Found) -> Sheet:
    """A row for each measured value, a column for each metric."""
    cells = {(row["at"], row.metric): Estimate(row.value, row.low, row.high) for _, row in table.iterrows()}
    lines = []
    for value in found.measured:
        mark = "nearest" if value == found.value else "holds it" if value in found.fits else ""
        own = [_interval(cells[value, metric.name]) for metric in metrics]
        lines.append((str(value), *own, mark))
    caption = f"{CONFIDENCE:.0%} intervals; the same games at every value; holds it: the target lies in the interval"
    return Sheet(title, ("value", *(metric.name for metric in metrics), f"target {found.target:g}"), lines, caption)


def _change(row: pd.Series) -> Estimate:
    return Estimate(row.difference, row.difference_low, row.difference_high)


def _is_sure(change: Estimate) -> bool:
    return change.low > 0 or change.high < 0


def _interval(found: Estimate) -> str:
    return f"{found.value:.4g} [{found.low:.4g}, {found.high:.4g}]"


if __name__ == "__main__":
    sys.exit(console.run_one(Sweep))
