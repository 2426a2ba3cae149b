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
from experiments.series import SeriesCommand, few
from experiments.studies import Specification, Study, Workers
from experiments.studies.command import name_of_folder
from experiments.studies.factors import Effects, effects, varying
from experiments.studies.metrics import Metric, chosen
from experiments.studies.paired import Estimate, Paired, compare
from experiments.studies.plan import PlanError
from experiments.studies.targets import Found, Number, find, sentences
from experiments.studies.variations import Point, grid, levels, random_design, told, varied
from experiments.summary import CONFIDENCE, in_columns, leaves_out_zero

BASE, VARIATION, EFFECT = "base", "variation", "effect"  # kinds of rows


@dataclass(frozen=True, kw_only=True)
class Sweep(SeriesCommand):
    """Varies options and rule parameters, on the same seeds, and shows what that does to metrics.

    Each variation plays the same games as the base, which the other arguments describe: what chance brings is the
    same, so differences are seen with fewer games. With --target it searches the value that brings a metric where it
    should be: a few evenly spread values first, then those between neighbours on either side of the target. Where
    several parameters vary, or a random design is asked for, the effect of each by itself is told too. DIR gets a study
    for each variation, sweep.csv and .parquet (a row for each variation or effect and metric) and report.html.
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
        variations = table[table.kind == VARIATION].variation.nunique()
        asked = (
            f"{variations:,} variations of {enumerated([*self.vary])} were compared with the base, "
            f"which has none of them, on the same games, played by {enumerated(self.bots)}."
        )
        found = [sentence for metric, rows in by_metric for sentence in (*_largest(metric, rows), *_said(metric, rows))]
        sheets = [sheet for metric, rows in by_metric for sheet in _sheets(metric, rows, title)]
        drawings = [drawing for metric, rows in by_metric for drawing in _drawings(metric, rows)]
        return Answer(f"{title}: a sweep", asked, found, sheets, drawings)

    def _points(self, values: Mapping[str, list[Any]]) -> list[Point]:
        return random_design(values, self.random, self.seed) if self.random is not None else grid(values)

    def _rows(
        self,
        values: Mapping[str, list[Any]],
        points: Sequence[Point],
        studies: Mapping[str, Study],
        metrics: Sequence[Metric],
    ) -> Iterator[dict[str, Any]]:
        """A row for the base and for each variation, for each metric; then one for each effect of a parameter."""
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
                yield from _rows_of_effects(
                    metric, effects(values, points, [one[place] for one in sums[1:]]), self.games
                )

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
            number = len(rows) // len(metrics) + 1
            what = f"value {number}: {told(point)}"
            (study,) = self.make({_folder(point): varied(base, point)}, workers, what).values()
            found = [sums.estimate().if_it_varies() for sums in compare(study, study, metrics)[0]]
            rows.extend(_measured(point, metric, one) for metric, one in zip(metrics, found, strict=True))
            console.say(f"{told(point)}: {metrics[0].name} {metrics[0].shown(found[0])}{metrics[0].unit}")
            return found[0]

        find(measure, numbers, self._target()[1])
        table = pd.DataFrame(rows)
        places = table.metric.map([metric.name for metric in metrics].index)
        return self.conclude(table.assign(place=places).sort_values(["place", "at"]).drop(columns="place"))

    def _of_search(self, title: str, table: pd.DataFrame, metrics: Sequence[Metric]) -> Answer:
        ((name, numbers),) = levels(self.vary).items()
        metric, target = metrics[0], self._target()[1]
        own = table[table.metric == metric.name]
        known = {_plain(row["at"]): Estimate(row.value, row.low, row.high) for _, row in own.iterrows()}
        found = find(known.__getitem__, sorted(set(numbers)), target)
        lines = sentences(found, name, metric)
        asked = (
            f"Which {name} brings {metric.name} ({metric.meaning}) to {_target_of(metric, found)}? "
            f"{self.games:,} games were played at each of {len(known)} values, the same ones at every value, by "
            f"{enumerated(self.bots)}."
        )
        factor = 100 if metric.is_rate else 1
        drawn = own.assign(**{key: factor * own[key] for key in ("value", "low", "high")})
        axes = {"x": name, "y": f"{metric.name}{metric.unit}"}
        picture = curve(self.name, drawn, axes, factor * target, " ".join(lines[:2]))
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
    head = {"variation": told(point), "at": at, "metric": metric.name}
    return head | dict(zip(("value", "low", "high"), found, strict=True))


def _row(metric: Metric, sums: Paired, changed: int) -> dict[str, Any]:
    """changed: games whose points or events are others than in the base."""
    row = {"metric": metric.name, "games": sums.games, "games_changed": changed, "metric_changed": sums.changed}
    row |= dict(zip(("value", "low", "high"), sums.estimate().if_it_varies(), strict=True))
    return row | in_columns("difference", sums.difference().if_it_varies())


def _rows_of_effects(metric: Metric, found: Effects | None, games: int) -> Iterator[dict[str, Any]]:
    """A row for each effect; one without an effect where the parameters cannot be told apart."""
    head = {"kind": EFFECT, "metric": metric.name, "games": games}
    if found is None:
        yield {**head, "variation": ""}
        return
    for one in found.effects:
        named = {"variation": f"{one.parameter}: {one.step}", "explained": found.explained}
        yield {**head, **named, **in_columns("difference", one.change)}


# What is shown


def _sheets(metric: Metric, rows: pd.DataFrame, title: str) -> Iterator[Sheet]:
    heading, change = f"{metric.name}{metric.unit}", f"difference from the base{_in_brackets(metric)}"
    caption = f"{CONFIDENCE:.0%} intervals; differences on the same games; * where the interval does not hold 0"
    lines = [
        (row.variation, metric.shown((row.value, row.low, row.high)), _difference(metric, row), _mark(row))
        for _, row in rows[rows.kind != EFFECT].iterrows()
    ]
    yield Sheet(f"{title}\n{metric.name}: {metric.meaning}", ("", heading, change, ""), lines, caption)
    effects_of = _effects_in(rows)
    if len(effects_of):
        caption = (
            f"least squares over all variations; {CONFIDENCE:.0%} intervals by leaving out groups of games\n"
            f"together they account for {100 * effects_of.explained.iloc[0]:.0f} % of what the variations differ by"
        )
        steps = [(row.variation, metric.shown(_change(row)), _mark(row)) for _, row in effects_of.iterrows()]
        headings = ("the others staying the same", f"effect on {metric.name}{_in_brackets(metric)}", "")
        yield Sheet(f"{title}\n{metric.name}: effect of each parameter", headings, steps, caption)


def _effects_in(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[(rows.kind == EFFECT) & rows.difference.notna()]


def _in_brackets(metric: Metric) -> str:
    return f" ({metric.unit_of_changes.strip()})" if metric.unit_of_changes else ""


def _mark(row: pd.Series) -> str:
    return "*" if leaves_out_zero(row.difference_low, row.difference_high) else ""


def _difference(metric: Metric, row: pd.Series) -> str:
    """By how much a variation changes the metric, or why there is no such number."""
    if row.kind == BASE:
        return ""
    if row.games_changed == 0:
        return "changed no game"
    if row.metric_changed == 0:
        return "the same in every game"
    return metric.shown(_change(row)) + (" in every game" if _is_constant(row) else "")


def _is_constant(row: pd.Series) -> bool:
    """Whether all games, of which there are several, differ from the base by the same."""
    return bool(row.games > 1 and row.metric_changed > 0 and np.isnan(row.difference_low) and row.difference != 0)


def _largest(metric: Metric, rows: pd.DataFrame) -> Iterator[str]:
    """How many variations change a metric, and which one most."""
    all_of_them = [row for _, row in rows[rows.kind == VARIATION].iterrows()]
    played = [row for row in all_of_them if row.games_changed > 0]
    changing = [row for row in played if row.metric_changed > 0]
    if idle := [row.variation for row in all_of_them if row.games_changed == 0]:
        yield f"{metric.name}: {len(idle):,} of {len(all_of_them):,} variations changed no game: {few(idle)}."
    if same := [row.variation for row in played if row.metric_changed == 0]:
        yield f"{metric.name} is the same in every game with {few(same)}."
    if not changing:
        return
    if changing[0].games < 2:
        yield f"{metric.name}: one game has no interval, so nothing is said about what the variations change."
        return
    yield _how_many_are_sure(metric, changing)


def _how_many_are_sure(metric: Metric, rows: Sequence[pd.Series]) -> str:
    sure = [row for row in rows if _mark(row)]
    text = f"{metric.name}: of {len(rows):,} differences from the base, {len(sure):,} have an interval without 0"
    if constant := sum(map(_is_constant, rows)):
        text += f" and {constant:,} are the same in every game"
    if named := [row for row in rows if _mark(row) or _is_constant(row)]:
        row = max(named, key=lambda row: abs(row.difference))
        text += f"; the largest is {metric.shown(_change(row))}{metric.unit_of_changes}, with {row.variation}"
    return f"{text}. By chance alone about one in twenty would."


def _said(metric: Metric, rows: pd.DataFrame) -> Iterator[str]:
    """What single parameters do."""
    found = _effects_in(rows)
    if len(found) == 0:
        if (rows.kind == EFFECT).any():
            yield f"{metric.name}: too few variations, or too much alike, to tell the parameters apart."
        return
    sure = [row for _, row in found.iterrows() if _mark(row)]
    if not sure:
        yield f"{metric.name}: no effect of a single parameter has an interval without 0."
        return
    each = [f"by {metric.shown(_change(row))}{metric.unit_of_changes} with {row.variation}" for row in sure]
    yield f"{metric.name} changes, the other parameters staying the same, {enumerated(each)}."


def _drawings(metric: Metric, rows: pd.DataFrame) -> Iterator[Drawing]:
    says = " ".join([*_largest(metric, rows), *_said(metric, rows)])
    unit, how = _in_brackets(metric), "with its 95 % interval; 0 is no difference."
    yield forest(
        f"sweep-{name_of_folder(metric.name)}",
        _forest_of(metric, rows[(rows.kind == VARIATION) & (rows.games_changed > 0)]),
        f"{metric.meaning}: more than the base{unit}",
        says,
        f"Each point is how much more the metric is than in the base, {how}",
    )
    if len(found := _effects_in(rows)):
        yield forest(
            f"effects-{name_of_folder(metric.name)}",
            _forest_of(metric, found),
            f"{metric.meaning}: effect{unit}",
            says,
            f"Each point is how much more the metric is with a step of one parameter while the others stay, {how}",
        )


def _forest_of(metric: Metric, rows: pd.DataFrame) -> pd.DataFrame:
    factor = 100 if metric.is_rate else 1
    columns = {key: factor * rows[name].to_numpy() for key, name in _CHANGE.items()}
    return pd.DataFrame({"group": metric.name, "label": rows.variation.to_numpy(), **columns})


_CHANGE = {"value": "difference", "low": "difference_low", "high": "difference_high"}


def _change(row: pd.Series) -> Estimate:
    return Estimate(*(row[name] for name in _CHANGE.values()))


def _sheet_of_search(title: str, table: pd.DataFrame, metrics: Sequence[Metric], found: Found) -> Sheet:
    """A row for each measured value, a column for each metric."""
    cells = {(row["at"], row.metric): Estimate(row.value, row.low, row.high) for _, row in table.iterrows()}
    lines = []
    for value in found.measured:
        mark = "nearest" if value in found.nearest else "holds it" if value in found.fits else ""
        lines.append((str(value), *(metric.shown(cells[value, metric.name]) for metric in metrics), mark))
    caption = f"{CONFIDENCE:.0%} intervals; the same games at every value; holds it: the target lies in the interval"
    named = (f"{metric.name}{metric.unit}" for metric in metrics)
    return Sheet(title, ("value", *named, f"target {_target_of(metrics[0], found)}"), lines, caption)


def _target_of(metric: Metric, found: Found) -> str:
    return metric.shown((found.target, np.nan, np.nan)) + metric.unit


if __name__ == "__main__":
    sys.exit(console.run_one(Sweep))
