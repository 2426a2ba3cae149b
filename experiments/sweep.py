"""What does a rule change? `critters sweep GAME --vary JSON --metrics A,B --games N --bots A,B --seed S --out DIR`."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pandas as pd
import tyro
from rich.console import RenderableType
from rich.table import Table

from experiments import console
from experiments.arguments import Bots, JsonObject, Names
from experiments.studies import Specification, Study, Workers
from experiments.studies.command import StudyCommand, name_of_folder
from experiments.studies.metrics import Metric, chosen
from experiments.studies.paired import Estimate, Paired, compare
from experiments.studies.plan import PlanError
from experiments.studies.targets import Found, find
from experiments.studies.variations import Point, grid, levels, random_design, told, varied
from experiments.summary import CONFIDENCE

BASE = "base"


@dataclass(frozen=True, kw_only=True)
class Sweep(StudyCommand):
    """Varies options and rule parameters, on the same seeds, and shows what that does to metrics.

    Each variation plays the same games as the base, which the other arguments describe: what chance brings is the
    same, so differences are seen with fewer games. With --target it searches the value that brings a metric where it
    should be. DIR gets a study for each variation and sweep.csv (a row for each variation and metric).
    """

    vary: Annotated[JsonObject, tyro.conf.arg(metavar="JSON")]
    """Values by name: '{"leader_vp": "0..6", "catch_vp[0]": [1, 3], "diagonal": ["ascending", "descending"]}'."""

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Games of each variation."""

    bots: Bots
    """Bots that change seats from game to game; fewer than players are repeated."""

    metrics: Annotated[Names, tyro.conf.arg(metavar="METRIC,…")] = ("score", "events")
    """What is compared; an unknown name lists what there is."""

    random: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """N variations of a random design (Latin hypercube) instead of all combinations."""

    target: Annotated[str | None, tyro.conf.arg(metavar="METRIC=VALUE")] = None
    """Search the value of the one varied number, between its least and its greatest, that brings a metric here."""

    def base(self) -> Specification:
        """The games without a variation."""
        return Specification(**self.played(), bots=self.bots, games=self.games)

    def results(self, workers: Workers) -> Iterable[RenderableType]:
        """Compares all variations with the base, or searches the target."""
        values, base = levels(self.vary), self.base()
        if self.target is not None:
            return self._search(base, values, workers)
        metrics = chosen(base, self.metrics)
        points = random_design(values, self.random, self.seed) if self.random is not None else grid(values)
        studies = self.make({_folder(point): varied(base, point) for point in [{}, *points]}, workers)
        rows = list(_rows(points, studies, metrics))
        table = pd.DataFrame(rows)
        self.write("sweep.csv", table.to_csv(index=False))
        title = f"{base.variant.heading}, {self.games:,} games each"
        return [_shown(metric, table[table.metric == metric.name], title) for metric in metrics]

    def _search(self, base: Specification, values: Mapping[str, list[Any]], workers: Workers) -> list[RenderableType]:
        metric, target = self._target(base)
        name, ends = _numbers(values)
        known: dict[int, Estimate] = {}

        def measure(value: int) -> Estimate:
            if value not in known:
                point = {name: value}
                (study,) = self.make({_folder(point): varied(base, point)}, workers, told(point)).values()
                known[value] = compare(study, study, [metric])[0].estimate()
                console.say(f"{told(point)}: {metric.name} {_interval(known[value])}")
            return known[value]

        found = find(measure, *ends, target)
        rows = [{name: v, metric.name: e.value, "low": e.low, "high": e.high} for v, e in sorted(known.items())]
        self.write("target.csv", pd.DataFrame(rows).to_csv(index=False))
        return [_told(found, name, metric, target)]

    def _target(self, base: Specification) -> tuple[Metric, float]:
        name, equals, value = (self.target or "").rpartition("=")
        try:
            number = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise PlanError(f"target: {self.target!r} is not allowed; expected METRIC=VALUE, such as win_0=0.25")
        return chosen(base, [name])[0], number


def _folder(point: Point) -> str:
    return f"points/{name_of_folder(told(point))}"


def _numbers(values: Mapping[str, list[Any]]) -> tuple[str, tuple[int, int]]:
    """The one number that varies, and its least and greatest value; PlanError if it is none."""
    if len(values) != 1 or not all(type(value) is int for value in next(iter(values.values()))):
        raise PlanError('a target needs one number that varies, such as \'{"leader_vp": "0..10"}\'')
    ((name, numbers),) = values.items()
    return name, (min(numbers), max(numbers))


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


def _shown(metric: Metric, rows: pd.DataFrame, title: str) -> Table:
    caption = f"{CONFIDENCE:.0%} intervals; differences on the same games; * where the interval does not hold 0"
    heading = f"{title}\n{metric.name}: {metric.meaning}"
    table = console.empty_table(heading, ("", metric.name, "difference from the base", ""), caption)
    for _, row in rows.iterrows():
        value = _interval(Estimate(row.value, row.low, row.high))
        change = Estimate(row.difference, row.difference_low, row.difference_high)
        mark = "*" if change.low > 0 or change.high < 0 else ""
        table.add_row(row.variation, value, "" if row.variation == BASE else _interval(change), mark)
    return table


def _interval(found: Estimate) -> str:
    return f"{found.value:.4g} [{found.low:.4g}, {found.high:.4g}]"


def _told(found: Found, name: str, metric: Metric, target: float) -> str:
    lines = [f"{name}={found.value} brings {metric.name} to {_interval(found.at_value)}; the target is {target:g}."]
    if not found.reached:
        lines.append("No value in the range goes as far as the target; this one is nearest.")
    elif found.crossing != found.value:
        lines.append(f"Between whole numbers it would be {found.crossing:.2f}.")
    if found.low is not None:
        lines.append(f"The target lies in the {CONFIDENCE:.0%} interval for the values {found.low} to {found.high}.")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(console.run_one(Sweep))
