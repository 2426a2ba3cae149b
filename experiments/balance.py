"""Who wins, and by what? `critters balance GAME --players P --games N --bots A,B --seed S --out DIR`."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Annotated

import pandas as pd
import tyro
from rich import box
from rich.table import Table

from experiments import console
from experiments.arguments import Bots, GameArguments, seats_of
from experiments.rows import GamesFile
from experiments.summary import CONFIDENCE, Summary
from tabletop import Variant, matches
from tabletop.files import replacing
from tabletop.game import Fact
from tabletop.options import differences

GAMES_A_ROW_GROUP = 50_000


@dataclass(frozen=True, kw_only=True)
class Balance(GameArguments):
    """Plays many games between bots and sums them up: wins, scores and lengths by seat, bot, cards and other facts.

    Ties share a win. Every number has a 95 % confidence interval. DIR gets games.parquet (a row a game),
    summary.csv (a row for each line of the tables and more) and study.json (what was played); files of an older
    study there are replaced when all games are played. For cards drawn anew in every game pass options such as
    --options '{"wine": "random"}'.
    """

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Number of games."""

    bots: Bots
    """Bots that change seats from game to game; fewer than players are repeated."""

    seed: Annotated[int, tyro.conf.arg(metavar="S")]
    """Seed of the study, 0 to 2**64 - 1."""

    out: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """Folder for the results; it is made if it does not exist."""

    def run(self) -> int:
        """Plays, sums up, writes and prints; returns the exit code."""
        variant = self.variant()
        start = perf_counter()
        summary = self._play(variant, seats_of(self.bots, variant.players))
        seconds = perf_counter() - start
        table = summary.table()
        with replacing(self.out / "summary.csv") as path:
            table.to_csv(path, index=False)
        with replacing(self.out / "study.json") as path:
            path.write_text(json.dumps(self._study(variant), indent=2) + "\n")
        for shown in tables(variant, summary, table):
            console.OUT.print(shown)
        console.say(f"{self.games} games in {seconds:.1f} s; results are in {self.out}")
        return console.SUCCESS

    def _play(self, variant: Variant, bots: tuple[str, ...]) -> Summary:
        if self.games < 1:
            raise ValueError(f"games: {self.games} is not allowed; expected an integer from 1")
        summary = Summary(variant, bots)
        with (
            console.progress_bar("playing", self.games) as bar,
            replacing(self.out / "games.parquet") as path,
            GamesFile(path, variant) as file,
        ):
            for chunk in matches.play_chunks(
                variant, self.games, bots, self.seed, done=bar.advance, chunk=GAMES_A_ROW_GROUP
            ):
                summary.add(chunk)
                file.add(chunk)
        return summary

    def _study(self, variant: Variant) -> dict[str, object]:
        options, parameters = differences(variant.settings, variant.game.options, variant.game.parameters)
        return {
            "game": variant.name,
            "players": variant.players,
            "options": options,
            "parameters": parameters,
            "bots": seats_of(self.bots, variant.players),
            "seed": self.seed,
            "games": self.games,
            "version": version("critters"),
        }


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
