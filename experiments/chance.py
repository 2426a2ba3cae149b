"""How much of the result is luck? `critters chance GAME --bots A,B --starts G --games N --seed S --out DIR`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import tyro
from rich.console import RenderableType
from rich.table import Table

from experiments import console
from experiments.arguments import Bots
from experiments.studies import Study, Workers
from experiments.studies.command import StudyCommand, name_of_folder
from experiments.studies.luck import Luck
from experiments.studies.paired import Estimate
from experiments.studies.variance import Floats, entropy_of_winner, share_between, spread
from experiments.summary import CONFIDENCE


@dataclass(frozen=True, kw_only=True)
class Chance(StudyCommand):
    """Shows how much of the result is luck, and where the luck comes from.

    Every kind of chance in a game draws from a stream of its own, and so does every seat. One of them at a time is
    fixed, at many starts; from each start many games are played in which all others vary. The share of the variance
    of the result that lies between the starts is what this kind of chance explains by itself. Each bot plays all
    seats. DIR gets a study for each bot and chance.csv.
    """

    bots: Bots
    """Bots, each of which plays all seats: luck depends on how strong the players are."""

    starts: Annotated[int, tyro.conf.arg(metavar="G")] = 200
    """Fixed starts of each stream."""

    games: Annotated[int, tyro.conf.arg(metavar="N")] = 50
    """Games from each start."""

    def results(self, workers: Workers) -> list[RenderableType]:
        """The shares of variance, spans and entropies by bot and source."""
        plans = {f"bots/{name_of_folder(bot)}": self._plan(bot) for bot in self.bots}
        studies = self.make(plans, workers)
        rows = [row for folder, plan in plans.items() for row in _rows(plan, studies[folder], self.seed)]
        table = pd.DataFrame(rows)
        self.write("chance.csv", table.to_csv(index=False))
        variant = self.variant()
        heading = f"{variant.heading}; {self.starts} starts, {self.games} games from each"
        return [_shown(bot, table[table.bot == bot], heading) for bot in self.bots]

    def _plan(self, bot: str) -> Luck:
        return Luck(**self.played(), bot=bot, games=self.starts, repeats=self.games)


def _rows(plan: Luck, study: Study, seed: int) -> Iterator[dict[str, Any]]:
    whole = pa.concat_tables([study.table(shard) for shard in range(plan.shards)]).to_pandas()
    for source in plan.sources:
        games = whole[whole.source == source]
        wins, scores = (_values(games, measure, plan) for measure in ("win", "score"))
        yield {
            "bot": plan.bot,
            "fixed": source,
            "games": len(games),
            **_named("win", wins, seed),
            **_named("score", scores, seed),
            "entropy": entropy_of_winner(wins),
        }


def _values(games: pd.DataFrame, measure: str, plan: Luck) -> Floats:
    """(starts, games, seats)"""
    columns = [f"{measure}_{seat}" for seat in range(plan.variant.players)]
    return games[columns].to_numpy(np.float64).reshape(plan.games, plan.repeats, -1)


def _named(measure: str, values: Floats, seed: int) -> dict[str, float]:
    share, far = share_between(values, seed), spread(values, seed)
    return {
        f"{measure}_share": share.value,
        f"{measure}_share_low": share.low,
        f"{measure}_share_high": share.high,
        f"{measure}_span": far.span,
        f"{measure}_trimmed": far.trimmed,
        f"{measure}_by_chance": far.by_chance,
        f"{measure}_outliers": far.outliers,
    }


_CAPTION = (
    f"share: of the variance between starts, with its {CONFIDENCE:.0%} interval; kinds that act together add to more\n"
    "span: of the means of starts; trimmed: without the outer 5 % on either side\n"
    "(in brackets: what it would be if the starts were alike); outliers: starts far from the others\n"
    "open: entropy of who wins from one start, 0 for always the same seat, 1 for all alike"
)


def _shown(bot: str, rows: pd.DataFrame, heading: str) -> Table:
    headings = ("fixed", "share of wins %", "share of points %", "span of wins %", "trimmed", "outliers %", "open")
    table = console.empty_table(f"{heading}\n{bot} on all seats", headings, _CAPTION)
    for _, row in rows.iterrows():
        table.add_row(
            row.fixed,
            *(_share(row, measure) for measure in ("win", "score")),
            f"{100 * row.win_span:.0f}",
            f"{100 * row.win_trimmed:.0f} ({100 * row.win_by_chance:.0f})",
            f"{100 * row.win_outliers:.1f}",
            f"{row.entropy:.2f}",
        )
    return table


def _share(row: pd.Series, measure: str) -> str:
    share = Estimate(row[f"{measure}_share"], row[f"{measure}_share_low"], row[f"{measure}_share_high"])
    if np.isnan(share.value):
        return "nothing varies"
    return f"{100 * share.value:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]"


if __name__ == "__main__":
    sys.exit(console.run_one(Chance))
