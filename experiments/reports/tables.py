"""The tables of a study of games for the terminal."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd
from rich.console import RenderableType
from rich.table import Table

from experiments.console import empty_table
from experiments.reports.courses import MEANINGS
from experiments.reports.effects import CHOSEN, DEALT
from experiments.reports.findings import Findings
from experiments.summary import CONFIDENT, Summary, has_intervals
from tabletop import Variant
from tabletop.course import DECIDED, MEASURES
from tabletop.game import Fact


def tables(variant: Variant, summary: Summary, findings: Findings) -> Iterator[RenderableType]:
    """The tables of a study for the terminal.

    All games, each seat and bot; each fact with categories, in one line if it was the same in every game; the gap
    between seats; the effects of facts that explain results; the course of the games.
    """
    table = findings.summary
    yield _main_table(f"{variant.heading}, {findings.number_of_games}", table, summary)
    for fact in (f for f in variant.game.facts if f.categories):
        rows = table[table.fact == fact.name]
        if rows.category.nunique() > 1:
            yield _fact_table(fact, rows, summary)
        elif len(rows) and not fact.of_seat:
            yield f"{fact.meaning}: {rows.category.iloc[0]} in every game\n"
    yield from _gap_table(findings.gap)
    yield from _effects_tables(findings.effects)
    yield from _course_table(findings.course)


def _gap_table(gap: pd.DataFrame) -> Iterator[Table]:
    """The largest gap between two seats."""
    for _, row in gap.iterrows():
        shown = empty_table(
            "Gap between seats",
            ("best seat", "worst seat", "gap %", f"{CONFIDENT} interval", "if all were equal"),
            "percentage points of wins; the last column: probability of such differences between equal seats",
        )
        interval = f"{100 * row.gap_low:.1f} to {100 * row.gap_high:.1f}"
        seats = ("all", "equal") if row.gap == 0 else (f"{row.best:.0f}", f"{row.worst:.0f}")
        chance = "too few games to tell" if np.isnan(row.chance) else f"{row.chance:.3g}"
        shown.add_row(*seats, f"{100 * row.gap:.1f}", interval, "" if row.gap == 0 else chance)
        yield shown


def _effects_tables(effects: pd.DataFrame) -> Iterator[Table]:
    """What each category of something dealt changes, the other factors being the same; what goes along with choices."""
    told = {
        DEALT: ("Effects on the {}, separated from each other", "against the average of all"),
        CHOSEN: (
            "What goes along with the {} of what seats chose; no causes",
            "each further time instead of another one of its kind",
        ),
    }
    for (outcome, factor, unit), origin in product(_UNITS, told):
        own = effects[(effects.outcome == outcome) & (effects.origin == origin)]
        if len(own):
            title, caption = told[origin]
            shown = empty_table(title.format(outcome), ("factor", "", "seats", unit), _caption(caption, _margins(own)))
            for _, row in own.iterrows():
                margin = _margin(factor * (row.high - row.low), 2)
                shown.add_row(row.factor, row.category, f"{row.seats:,}", f"{factor * row.effect:+.2f}{margin}")
            yield shown


_UNITS = (("win", 100, "percentage points of wins"), ("score", 1, "points"))


def _course_table(course: pd.DataFrame) -> Iterator[Table]:
    """Means over all games."""
    for _, row in course[:1].iterrows():
        names = [name for name in MEANINGS if not np.isnan(row.get(name, np.nan))]
        caption = _caption(_margins(course[:1]), _LEFT_OUT if MEASURES[DECIDED] in names else "", between=";\n")
        shown = empty_table("The course of a game", ("", "mean"), caption)
        for name in names:
            margin = _margin(row[f"{name}_high"] - row[f"{name}_low"], 3)
            shown.add_row(MEANINGS[name], f"{row[name]:.3f}{margin}")
        yield shown


_LEFT_OUT = "the lead for good: only games in which one seat alone has the most points"


def _margins(rows: pd.DataFrame) -> str:
    """What the second number of a cell is; nothing where a single game has none."""
    return f"± half of the {CONFIDENT} interval" if has_intervals(rows) else ""


def _caption(*parts: str, between: str = "; ") -> str:
    """Those parts that say something."""
    return between.join(filter(None, parts))


def _shared(summary: Summary) -> str:
    """How wins are counted, where more than one may have them."""
    return "seats that share the first place share the win" if summary.players > 1 else ""


def _main_table(title: str, table: pd.DataFrame, summary: Summary) -> Table:
    """All games, each seat, and each bot if they differ; every measure."""
    rows = table[(table.fact == "") & ((table.seat == "") | (table.bot == ""))]
    caption = _caption(_margins(rows), _shared(summary))
    shown = empty_table(title, ("", "games", "win %", *summary.measures[1:]), caption)
    for _, row in rows.iterrows():
        if row.bot == "" or len(summary.bots) > 1:
            label = f"seat {row.seat}" if row.seat else row.bot or "all"
            shown.add_row(label, f"{row.games:,}", *(_with_margin(row, measure) for measure in summary.measures))
    return shown


def _fact_table(fact: Fact, rows: pd.DataFrame, summary: Summary) -> Table:
    """Each category that occurred: its score and length, and the win rates of those whom it concerns."""
    bots = summary.bots if len(summary.bots) > 1 else ()
    whole = ["win %"] if fact.of_seat or summary.players == 1 else []  # otherwise the seats just share 100 %
    seats = summary.axes["seat"].labels
    headings = [fact.name, "games", "score", "events", *whole, *(f"win % seat {s}" for s in seats)]
    caption = _caption(_margins(rows), _shared(summary))
    shown = empty_table(fact.meaning, [*headings, *(f"win % {bot}" for bot in bots)], caption)
    for category, group in rows.groupby("category", sort=False):
        (_, row), *_ = group[(group.seat == "") & (group.bot == "")].iterrows()
        cells = [_with_margin(row, measure) for measure in ("score", "events", *(m.split()[0] for m in whole))]
        cells += [_rate_where(group, "seat", seat) for seat in seats]
        cells += [_rate_where(group, "bot", bot) for bot in bots]
        shown.add_row(str(category), f"{row.games:,}", *cells)
    return shown


def _rate_where(rows: pd.DataFrame, column: str, label: str) -> str:
    """The win rate in the row with this label; nothing if that never occurred."""
    return next((_with_margin(row, "win") for _, row in rows[rows[column] == label].iterrows()), "")


def _with_margin(row: pd.Series, measure: str) -> str:
    """A number, a rate as percent, with half of its interval."""
    value, width = row[measure], row[f"{measure}_high"] - row[f"{measure}_low"]
    if measure == "win":
        return f"{100 * value:.1f}{_margin(100 * width, 1)}"
    return f"{value:.2f}{_margin(width, 2)}"


def _margin(width: float, decimals: int) -> str:
    """Half of an interval's width; nothing if one game alone gives no interval."""
    return "" if np.isnan(width) else f" ±{width / 2:.{decimals}f}"
