"""What a sweep found, in tables, pictures and sentences; see `experiments.sweep`, which makes the rows."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from experiments.reports.answers import Drawing, Sheet, enumerated, forest
from experiments.series import few
from experiments.studies.command import name_of_folder
from experiments.studies.fit import LEVEL
from experiments.studies.metrics import UNKNOWN, Metric
from experiments.studies.paired import Estimate
from experiments.studies.targets import Found, target_of
from experiments.summary import CONFIDENT, leaves_out_zero

# Kinds of rows: a variation, the effect of a parameter, what all effects leave over, an effect by other values.
BASE, VARIATION, EFFECT, REST, APART = "base", "variation", "effect", "rest", "effect apart"
AND, STEP = " × ", ": "  # between two parameters, and between a parameter and its step


def sheets_of(metric: Metric, rows: pd.DataFrame, title: str) -> Iterator[Sheet]:
    """The table of all variations, and the one of effects. rows: those of the metric, of all kinds."""
    heading, change = f"{metric.name}{metric.unit}", f"difference from the base{_in_brackets(metric)}"
    played = rows[rows.kind.isin([BASE, VARIATION])]
    caption = f"{CONFIDENT} intervals; differences on the same games; * where the interval does not hold 0"
    caption += _unknown(played)
    lines = [
        (row.variation, metric.shown((row.value, row.low, row.high)), _difference(metric, row), _mark(row))
        for _, row in played.iterrows()
    ]
    yield Sheet(f"{title}\n{metric.name}: {metric.meaning}", ("", heading, change, ""), lines, caption)
    effects_of = _effects_in(rows)
    if len(effects_of):
        name = f"{title}\n{metric.name}: effect of each parameter"
        yield _sheet_of_effects(
            metric, effects_of, name, _on_average(rows, "the others") or "effect", _of_effects(effects_of)
        )
    apart = rows[rows.kind == APART]
    if len(apart):
        caption = f"{CONFIDENT} intervals by leaving out groups of games"
        name = f"{title}\n{metric.name}: effects of which an average says little"
        yield _sheet_of_effects(metric, apart, name, "by single values", caption)


def _unknown(rows: pd.DataFrame) -> str:
    """The part of a caption about values that are not known, if there are any."""
    return f"; {UNKNOWN} where the metric applies to no game" if rows.value.isna().any() else ""


def _of_effects(rows: pd.DataFrame) -> str:
    """How the table of effects came about."""
    explained = rows.explained.iloc[0]
    together = f"together they account for {100 * explained:.0f} % of what the variations differ by;\n"
    return (
        f"least squares over all variations; {CONFIDENT} intervals by leaving out groups of games;\n"
        f"{'' if np.isnan(explained) else together}"
        f"whether they depend on each other is asked of all of them at {100 * LEVEL:.0f} % (random signs of groups)"
    )


def _sheet_of_effects(metric: Metric, rows: pd.DataFrame, title: str, first: str, caption: str) -> Sheet:
    steps = [(row.variation, metric.shown(_change(row)), _mark(row)) for _, row in rows.iterrows()]
    return Sheet(title, (first, f"effect on {metric.name}{_in_brackets(metric)}", ""), steps, caption)


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
    if np.isnan(row.difference):
        return UNKNOWN
    if row.metric_changed == 0:
        return "the same in every game"
    return metric.shown(_change(row)) + (" in every game" if _is_constant(row) else "")


def _is_constant(row: pd.Series) -> bool:
    """Whether all games to which the metric applies, of which there are several, differ from the base by the same."""
    is_other = row.metric_changed > 0 and row.difference != 0
    return bool(is_other and row.applies > 1 and np.isnan(row.difference_low) and not np.isnan(row.difference))


def largest(metric: Metric, rows: pd.DataFrame) -> Iterator[str]:
    """How many variations change a metric, and which one most."""
    all_of_them = [row for _, row in rows[rows.kind == VARIATION].iterrows()]
    if idle := [row.variation for row in all_of_them if row.games_changed == 0]:
        yield f"{metric.name}: {len(idle):,} of {len(all_of_them):,} variations changed no game: {few(idle)}."
    if rows[rows.kind == BASE].value.isna().any():
        yield f"{metric.name} applies to no game of the base, so there is no difference from it."
        return
    played = [row for row in all_of_them if row.games_changed > 0]
    if absent := [row.variation for row in played if np.isnan(row.value)]:
        yield f"{metric.name} applies to no game with {few(absent)}, so there is no difference to tell."
    there = [row for row in played if not np.isnan(row.value)]
    if same := [row.variation for row in there if row.metric_changed == 0]:
        yield f"{metric.name} is the same in every game with {few(same)}."
    changing = [row for row in there if row.metric_changed > 0]
    if alone := [row.variation for row in changing if row.applies < 2]:
        yield f"{metric.name}: one game has no interval, so nothing is said of the difference with {few(alone)}."
    if several := [row for row in changing if row.applies > 1]:
        yield _how_many_are_sure(metric, several)


def _how_many_are_sure(metric: Metric, rows: Sequence[pd.Series]) -> str:
    sure = [row for row in rows if _mark(row)]
    differences, have = ("difference" if len(rows) == 1 else "differences"), ("has" if len(sure) == 1 else "have")
    text = f"{metric.name}: of {len(rows):,} {differences} from the base, {len(sure):,} {have} an interval without 0"
    if constant := sum(map(_is_constant, rows)):
        text += f" and {constant:,} {'is' if constant == 1 else 'are'} the same in every game"
    if named := [row for row in rows if _mark(row) or _is_constant(row)]:
        row = max(named, key=lambda row: abs(row.difference))
        text += f"; the largest is {metric.shown(_change(row))}{metric.unit_of_changes}, with {row.variation}"
    return f"{text}. By chance alone about one in twenty would."


def said(metric: Metric, rows: pd.DataFrame) -> Iterator[str]:
    """What single parameters do."""
    found = _effects_in(rows)
    if len(found) == 0:
        if (rows.kind == EFFECT).any():
            which = "too few variations" + (" to which it applies" if _is_absent_somewhere(rows) else "")
            yield f"{metric.name}: {which}, or too much alike, to tell the parameters apart."
        return
    average = _on_average(rows, "the values of the others")
    if sure := [row for _, row in found.iterrows() if _mark(row) or _is_the_same_in_all_groups(row)]:
        each = [f"by {metric.shown(_change(row))}{metric.unit_of_changes} with {row.variation}" for row in sure]
        begins = f"{average[0].upper()}{average[1:]}, {metric.name}" if average else metric.name
        yield f"{begins} changes {enumerated(each)}."
    else:
        yield f"{metric.name}: no effect of a single parameter{average and f', {average},'} has an interval without 0."
    yield from _what_is_left(metric, rows)


def _is_absent_somewhere(rows: pd.DataFrame) -> bool:
    """Whether the metric applies to no game of some variation."""
    return bool(rows[rows.kind == VARIATION].value.isna().any())


def _is_the_same_in_all_groups(effect: pd.Series) -> bool:
    """Whether all groups of games, of which there are several, tell the same effect."""
    return bool(effect.groups > 1 and np.isnan(effect.difference_low) and effect.difference != 0)


def _on_average(rows: pd.DataFrame, others: str) -> str:
    """Over what an effect is an average; nothing if only one parameter varies."""
    parameters = {text.partition(STEP)[0] for text in _effects_in(rows).variation}
    return f"on average over {others}" if len(parameters) > 1 else ""


def _what_is_left(metric: Metric, rows: pd.DataFrame) -> Iterator[str]:
    """Which effects depend on each other, and over which numbers there is no straight line."""
    asked, there = rows[rows.kind == REST], (rows.kind == APART).any()
    if len(asked) == 0:
        return
    sure = [text.split(AND) for text in asked.variation[asked.chance <= LEVEL]]
    pairs = [" and ".join(names) for names in sure if len(names) == 2]
    bends = [names[0] for names in sure if len(names) == 1 and names[0]]
    where = "see the table of effects by single values" if there else "see the table of all variations"
    if pairs:
        yield (
            f"{metric.name}: the effects of {', of '.join(pairs)} depend on each other, so an average may be the "
            f"effect at no value at all: {where}."
        )
    if bends:
        yield f"{metric.name} follows no straight line over {enumerated(bends)}, so steps differ: {where}."
    if sure and not pairs and not bends:
        yield (
            f"{metric.name}: effects depend on each other, or a number has no straight line; these variations do not "
            "tell which, so an average may be the effect at no value at all."
        )


def drawings_of(metric: Metric, rows: pd.DataFrame) -> Iterator[Drawing]:
    """The same as pictures, as far as there is anything to draw."""
    says = " ".join([*largest(metric, rows), *said(metric, rows)])
    unit, how = _in_brackets(metric), "with its 95 % interval; 0 is no difference."
    played = rows[(rows.kind == VARIATION) & (rows.games_changed > 0)]
    if (played.difference.notna() & (played.metric_changed > 0)).any():
        yield forest(
            f"sweep-{name_of_folder(metric.name)}",
            _forest_of(metric, played),
            f"{metric.meaning}: more than the base{unit}",
            says,
            f"Each point is how much more the metric is than in the base, {how}",
        )
    found = _effects_in(rows)
    if (found.difference != 0).any():
        average = _on_average(rows, "the values of the others")
        step = f"a step of one parameter, {average}" if average else "a step of the parameter"
        yield forest(
            f"effects-{name_of_folder(metric.name)}",
            _forest_of(metric, found),
            f"{metric.meaning}: effect{unit}",
            says,
            f"Each point is how much more the metric is with {step}, {how}",
        )


def _forest_of(metric: Metric, rows: pd.DataFrame) -> pd.DataFrame:
    columns = {key: metric.factor * rows[name].to_numpy() for key, name in _CHANGE.items()}
    return pd.DataFrame({"group": metric.name, "label": rows.variation.to_numpy(), **columns})


_CHANGE = {"value": "difference", "low": "difference_low", "high": "difference_high"}


def _change(row: pd.Series) -> Estimate:
    return Estimate(*(row[name] for name in _CHANGE.values()))


def sheet_of_search(title: str, table: pd.DataFrame, metrics: Sequence[Metric], found: Found) -> Sheet:
    """A row for each measured value, a column for each metric."""
    cells = {(row["at"], row.metric): Estimate(row.value, row.low, row.high) for _, row in table.iterrows()}
    lines = []
    for value in found.measured:
        mark = "nearest" if value in found.nearest else "holds it" if value in found.fits else ""
        lines.append((str(value), *(metric.shown(cells[value, metric.name]) for metric in metrics), mark))
    caption = f"{CONFIDENT} intervals; the same games at every value; holds it: the target lies in the interval"
    caption += _unknown(table)
    named = (f"{metric.name}{metric.unit}" for metric in metrics)
    return Sheet(title, ("value", *named, f"target {target_of(metrics[0], found)}"), lines, caption)
