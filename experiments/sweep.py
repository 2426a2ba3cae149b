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
from experiments.reports.answers import Answer, curve, enumerated
from experiments.series import SeriesCommand, few
from experiments.studies import Specification, Study, Workers
from experiments.studies.command import name_of_folder
from experiments.studies.factors import Effect, effects, effects_apart, is_number, varying
from experiments.studies.fit import rests
from experiments.studies.metrics import Metric, chosen
from experiments.studies.paired import Estimate, Paired, compare
from experiments.studies.plan import PlanError
from experiments.studies.targets import Number, expect_possible, find, nothing_changed, sentences, target_of
from experiments.studies.variations import (
    Point,
    grid,
    is_same_game,
    levels,
    own_values,
    plain,
    random_design,
    told,
    varied,
)
from experiments.summary import in_columns
from experiments.sweep_findings import (
    AND,
    APART,
    BASE,
    EFFECT,
    REST,
    STEP,
    VARIATION,
    drawings_of,
    largest,
    said,
    sheet_of_search,
    sheets_of,
)


@dataclass(frozen=True, kw_only=True)
class Sweep(SeriesCommand):
    """Varies options and rule parameters, on the same seeds, and shows what that does to metrics.

    Each variation plays the same games as the base, which the other arguments describe: what chance brings is the
    same, so differences are seen with fewer games. With --target it searches the value that brings a metric where it
    should be: a few evenly spread values first, then those between neighbours on either side of the target. Where
    several parameters vary, or a random design is asked for, the effect of each by itself is told too, and whether
    effects depend on each other. DIR gets a study for each variation, sweep.csv and .parquet (a row for each variation
    or effect and metric) and report.html.
    """

    name: ClassVar[str] = "sweep"
    folders: ClassVar[tuple[str, ...]] = ("points/*",)
    unit: ClassVar[str] = "games of each variation"

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

    def varies(self) -> Iterable[str]:
        """By the names that `vary` has."""
        return self.vary

    def base(self) -> Specification:
        """The games without a variation."""
        return Specification(**self.played(), bots=self.bots, games=self.games)

    def results(self, workers: Workers) -> Iterable[RenderableType]:
        """Compares all variations with the base, or searches the target."""
        values, base = levels(self.vary), self.base()
        metrics = self._metrics(base)
        if self.target is not None:
            return self._search(base, values, metrics, workers)
        points = self._points(values)
        plans = {_folder(point): varied(base, point) for point in [{}, *points]}
        self.begin([told(point) for point in points])
        studies = self.make(plans, workers)
        return self.conclude(pd.DataFrame(self._rows(values, points, studies, metrics)))

    def answer(self, table: pd.DataFrame) -> Answer:
        """What the variations change, or which value brings the metric to its target."""
        base = self.base()
        metrics = self._metrics(base)
        title = f"{base.variant.heading}, {self.games:,} games each"
        return self._of_search(title, table, metrics) if self.target else self._of_grid(title, table, metrics)

    def _of_grid(self, title: str, table: pd.DataFrame, metrics: Sequence[Metric]) -> Answer:
        by_metric = [(metric, table[table.metric == metric.name].reset_index(drop=True)) for metric in metrics]
        asked = f"{self._compared()}, on the same games, played by {enumerated(self.bots)}.{self._same_as_base()}"
        found = [sentence for metric, rows in by_metric for sentence in (*largest(metric, rows), *said(metric, rows))]
        sheets = [sheet for metric, rows in by_metric for sheet in sheets_of(metric, rows, title)]
        drawings = [drawing for metric, rows in by_metric for drawing in drawings_of(metric, rows)]
        return Answer(f"{title}: a sweep", asked, found, sheets, drawings)

    def _compared(self) -> str:
        """What was compared with what."""
        points, own = self._points(levels(self.vary)), told(own_values(self.base(), [*self.vary]))
        were = "variation of {} was" if len(points) == 1 else "variations of {} were"
        return f"{len(points):,} {were.format(enumerated([*self.vary]))} compared with the base, in which {own}"

    def _same_as_base(self) -> str:
        """Which variations are the base itself, in a sentence."""
        base = self.base()
        same = [told(point) for point in self._points(levels(self.vary)) if is_same_game(varied(base, point), base)]
        if len(same) > 1:
            return f" {len(same):,} variations are the base itself: {few(same)}."
        return f" One variation is the base itself: {same[0]}." if same else ""

    def _points(self, values: Mapping[str, list[Any]]) -> list[Point]:
        return random_design(values, self.random, self.seed) if self.random is not None else grid(values)

    def _rows(
        self,
        values: Mapping[str, list[Any]],
        points: Sequence[Point],
        studies: Mapping[str, Study],
        metrics: Sequence[Metric],
    ) -> Iterator[dict[str, Any]]:
        """A row for the base and for each variation, for each metric; then those of the effects."""
        base, sums = studies[_folder({})], []
        with console.progress_bar("comparing", len(points) + 1) as bar:
            for point in [{}, *points]:
                compared, changed = compare(studies[_folder(point)], base, metrics)
                head = {"kind": VARIATION if point else BASE, "variation": told(point)}
                named = {name: told({name: value}).partition("=")[2] for name, value in point.items()}
                for metric, found in zip(metrics, compared, strict=True):
                    yield {**head, **named, **_row(metric, found, changed)}
                sums.append(compared)
                bar.advance(1)
        if self.random is not None or len(varying(values)) > 1:
            for place, metric in enumerate(metrics):
                for row in _rows_of_effects(values, points, [one[place] for one in sums[1:]]):
                    yield {**row, "metric": metric.name, "games": self.games}

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
        expect_possible(metrics[0], self._target()[1])
        name, numbers = _numbers(values)
        for value in (numbers[0], numbers[-1]):
            varied(base, {name: value})  # before anything is played
        self.begin([])
        rows: list[dict[str, Any]] = []
        studies: list[Study] = []

        def measure(value: Number) -> Estimate:
            point = {name: value}
            number = len(rows) // len(metrics) + 1
            what = f"value {number}: {told(point)}"
            (study,) = self.make({_folder(point): varied(base, point)}, workers, what).values()
            studies.append(study)
            compared, changed = compare(study, studies[0], metrics)
            rows.extend(_measured(point, metric, sums, changed) for metric, sums in zip(metrics, compared, strict=True))
            found = compared[0].estimate().if_it_varies()
            console.say(f"{told(point)}: {metrics[0].name} {metrics[0].told(found)}")
            return found

        find(measure, numbers, self._target()[1])
        table = pd.DataFrame(rows)
        places = table.metric.map([metric.name for metric in metrics].index)
        return self.conclude(table.assign(place=places).sort_values(["place", "at"]).drop(columns="place"))

    def _of_search(self, title: str, table: pd.DataFrame, metrics: Sequence[Metric]) -> Answer:
        ((name, numbers),) = levels(self.vary).items()
        metric, target = metrics[0], self._target()[1]
        own = table[table.metric == metric.name]
        known = {plain(row["at"]): Estimate(row.value, row.low, row.high) for _, row in own.iterrows()}
        found = find(known.__getitem__, sorted(set(numbers)), target)
        games_changed, metric_changed = int(own.games_changed.sum()), int(own.metric_changed.sum())
        if len(known) > 1 and metric_changed == 0:
            lines = nothing_changed(found, name, metric, self.games, games_changed)
        else:
            lines = sentences(found, name, metric)
        asked = (
            f"Which {name} brings {metric.name} ({metric.meaning}) to {target_of(metric, found)}? "
            f"{self.games:,} games were played at each of {len(known)} values, the same ones at every value, by "
            f"{enumerated(self.bots)}."
        )
        drawn = own.assign(**{key: metric.factor * own[key] for key in ("value", "low", "high")})
        axes = {"x": name, "y": f"{metric.name}{metric.unit}"}
        picture = curve(self.name, drawn, axes, metric.factor * target, " ".join(lines[:2]))
        return Answer(f"{title}: a target", asked, lines, [sheet_of_search(title, table, metrics, found)], [picture])


def _folder(point: Point) -> str:
    return f"points/{name_of_folder(told(point))}"


def _numbers(values: Mapping[str, list[Any]]) -> tuple[str, list[Number]]:
    """The one number that varies, and its values, ascending; PlanError if it is none, or has a single value."""
    if len(values) != 1 or not is_number(next(iter(values.values()))):
        raise PlanError('a target needs one number that varies, such as \'{"leader_vp": "0..10"}\'')
    ((name, numbers),) = values.items()
    if len(numbers) < 2:
        raise PlanError(f"{name}: a target needs at least two values to search among, not only {numbers[0]}")
    return name, sorted(numbers)


def _measured(point: Point, metric: Metric, sums: Paired, changed: int) -> dict[str, Any]:
    """A row of a search; changed: games whose points or events are others than at the first value."""
    ((_, at),) = point.items()
    head = {"variation": told(point), "at": at, "metric": metric.name}
    head |= {"games_changed": changed, "metric_changed": sums.changed}
    return head | dict(zip(("value", "low", "high"), sums.estimate().if_it_varies(), strict=True))


def _row(metric: Metric, sums: Paired, changed: int) -> dict[str, Any]:
    """changed: games whose points or events are others than in the base. applies: games to which the metric applies."""
    row = {"metric": metric.name, "games": sums.games, "games_changed": changed, "metric_changed": sums.changed}
    row["applies"] = int(sums.applies.min())
    row |= dict(zip(("value", "low", "high"), sums.estimate().if_it_varies(), strict=True))
    return row | in_columns("difference", sums.difference().if_it_varies())


def _rows_of_effects(
    values: Mapping[str, list[Any]], points: Sequence[Point], sums: Sequence[Paired]
) -> Iterator[dict[str, Any]]:
    """A row for each effect, and for what effects leave over; one without an effect if nothing tells them apart."""
    found = effects(values, points, sums)
    if found is None:
        yield {"kind": EFFECT, "variation": ""}
        return
    for one in found.effects:
        yield {"kind": EFFECT, "explained": found.explained, "groups": found.groups, **_of_effect(one)}
    for rest in rests(values, points, sums):
        yield {"kind": REST, "variation": AND.join(rest.parameters), "chance": rest.chance}
        if rest.is_sure:
            for one in effects_apart(rest.parameters, values, points, sums):
                yield {"kind": APART, **_of_effect(one)}


def _of_effect(effect: Effect) -> dict[str, Any]:
    return {"variation": f"{effect.parameter}{STEP}{effect.step}", **in_columns("difference", effect.change)}


if __name__ == "__main__":
    sys.exit(console.run_one(Sweep))
