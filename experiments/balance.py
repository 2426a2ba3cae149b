"""Who wins, and by what? `critters balance GAME --players P --games N --bots A,B --seed S --out DIR`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import pandas as pd
import tyro
from rich.console import RenderableType

from experiments import console, report
from experiments.arguments import Bots
from experiments.reports.findings import Findings, Gathering
from experiments.reports.tables import tables
from experiments.studies import Specification, Workers
from experiments.studies.command import StudyCommand
from tabletop.extras import MissingExtraError


@dataclass(frozen=True, kw_only=True)
class Balance(StudyCommand):
    """Plays many games between bots and sums them up: wins, places, scores, lengths by seat, bot, cards and more.

    Seats that share the first place share the win. Every number has a 95 % confidence interval. DIR gets
    shards/*.parquet (a row a game), checksums.json (by which a damaged shard is noticed), manifest.json (what was
    played, and with what), the report of `critters report`: report.html with pictures, which need the extra `plots`,
    and its data, such as summary.csv (a row for each line of the tables and more). The same command goes on where an
    interrupted one was. For cards drawn anew in every game pass options such as --options '{"wine": "random"}'.
    """

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Number of games."""

    bots: Bots
    """Bots that change seats from game to game; fewer than players are repeated."""

    without_course: bool = False
    """Do not note what happens on the way (lead changes, choices, …): games take about a fifth less time."""

    without_page: bool = False
    """Write the data, but not report.html."""

    def plan(self) -> Specification:
        """The games."""
        course = not self.without_course
        return Specification(**self.played(), bots=self.bots, games=self.games, course=course)

    def results(self, workers: Workers) -> Iterator[RenderableType]:
        """Rates and means by everything that tells games apart."""
        plan = self.plan()
        gathering = Gathering(plan.variant, [bot.name for bot in plan.seated()])
        with self.shards_of(plan, workers) as (study, shards):
            for shard in shards:
                gathering.add_tables([study.table(shard)])
                if shard == 0 and plan.shards > 1:
                    console.say(first_rates(gathering.summary.table()))
            findings = gathering.findings()
            findings.write(self.out)
            if not self.without_page:
                self._write_page(plan, findings)
        return tables(plan.variant, gathering.summary, findings)

    def _write_page(self, plan: Specification, findings: Findings) -> None:
        try:
            report.write_page(self.out, plan, findings)
        except MissingExtraError as error:
            console.say(f"no {report.PAGE}: {error}")


def first_rates(summary: pd.DataFrame) -> str:
    """What a long study says first: the rates of seats and bots after the games so far."""
    whole = summary[summary.fact == ""]
    seats = whole[(whole.seat != "") & (whole.bot == "")]
    bots = whole[(whole.seat == "") & (whole.bot != "")]
    rates = [f"seat {row.seat} {100 * row.win:.1f}" for _, row in seats.iterrows()]
    if len(bots) > 1:
        rates += [f"{row.bot} {100 * row.win:.1f}" for _, row in bots.iterrows()]
    return f"after {whole.games.max():,} games, win %: {', '.join(rates)}"


if __name__ == "__main__":
    sys.exit(console.run_one(Balance))
