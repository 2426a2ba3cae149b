"""Who wins, and by what? `critters balance GAME --players P --games N --bots A,B --seed S --out DIR`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import pandas as pd
import tyro
from rich import box
from rich.table import Table

from experiments import console
from experiments.arguments import Bots
from experiments.studies import Specification, Workers, results_of
from experiments.studies.command import StudyCommand
from experiments.summary import CONFIDENCE, Summary
from tabletop import Variant
from tabletop.game import Fact


@dataclass(frozen=True, kw_only=True)
class Balance(StudyCommand):
    """Plays many games between bots and sums them up: wins, scores and lengths by seat, bot, cards and other facts.

    Ties share a win. Every number has a 95 % confidence interval. DIR gets shards/*.parquet (a row a game),
    summary.csv (a row for each line of the tables and more) and manifest.json (what was played, and with what). The
    same command goes on where an interrupted one was. For cards drawn anew in every game pass options such as
    --options '{"wine": "random"}'.
    """

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Number of games."""

    bots: Bots
    """Bots that change seats from game to game; fewer than players are repeated."""

    def plan(self) -> Specification:
        """The games."""
        return Specification(
            game=self.game,
            players=self.variant().players,
            options=self.options,
            parameters=self.parameters,
            bots=self.bots,
            seed=self.seed,
            games=self.games,
        )

    def results(self, workers: Workers) -> Iterator[Table]:
        """Rates and means by everything that tells games apart."""
        plan = self.plan()
        summary = Summary(plan.variant, plan.bots)
        with self.shards_of(plan, workers) as (study, shards):
            for shard in shards:
                summary.add(results_of(plan, study.table(shard)))
            table = summary.table()
            study.write_text("summary.csv", table.to_csv(index=False))
        return tables(plan.variant, summary, table)


def tables(variant: Variant, summary: Summary, table: pd.DataFrame) -> Iterator[Table]:
    """The tables of a study for the terminal; one for each fact of which more than one category occurred."""
    yield _main_table(f"{variant.game.title}: {variant.players} players, {table.games[0]:,} games", table, summary)
    for fact in (f for f in variant.game.facts if f.categories):
        rows = table[table.fact == fact.name]
        if rows.category.nunique() > 1:
            yield _fact_table(fact, rows, summary)


def _main_table(title: str, table: pd.DataFrame, summary: Summary) -> Table:
    """All games, each seat, and each bot if they differ; every measure."""
    shown = _empty_table(title, ["", "games", "win %", *summary.measures[1:]])
    rows = table[(table.fact == "") & ((table.seat == "") | (table.bot == ""))]
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
    shown = _empty_table(fact.meaning, [*headings, *(f"win % {bot}" for bot in bots)])
    for category, group in rows.groupby("category", sort=False):
        (_, row), *_ = group[(group.seat == "") & (group.bot == "")].iterrows()
        cells = [_with_margin(row, measure) for measure in ("score", "events", *(m.split()[0] for m in whole))]
        cells += [_rate_where(group, "seat", seat) for seat in seats]
        cells += [_rate_where(group, "bot", bot) for bot in bots]
        shown.add_row(str(category), f"{row.games:,}", *cells)
    return shown


def _empty_table(title: str, headings: list[str]) -> Table:
    shown = Table(title=title, title_justify="left", caption=_CAPTION, caption_justify="left", box=box.SIMPLE_HEAD)
    for number, heading in enumerate(headings):
        shown.add_column(heading, justify="right" if number else "left")
    return shown


_CAPTION = f"± half of the {CONFIDENCE:.0%} interval; ties share a win"


def _rate_where(rows: pd.DataFrame, column: str, label: str) -> str:
    """The win rate in the row with this label; nothing if that never occurred."""
    return next((_with_margin(row, "win") for _, row in rows[rows[column] == label].iterrows()), "")


def _with_margin(row: pd.Series, measure: str) -> str:
    """A number, a rate as percent, with half of its interval."""
    value, half = row[measure], (row[f"{measure}_high"] - row[f"{measure}_low"]) / 2
    return f"{100 * value:.1f} ±{100 * half:.1f}" if measure == "win" else f"{value:.2f} ±{half:.2f}"


if __name__ == "__main__":
    sys.exit(console.run_one(Balance))
