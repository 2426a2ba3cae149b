"""How much skill is in a game? `critters skill GAME --players P --bots A,B,C --games N --seed S --out DIR`."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import numpy as np
import pandas as pd
import tyro
from rich.console import RenderableType

from experiments import console
from experiments.arguments import Bots, expect_different
from experiments.contests import ELO, VIRTUAL_WIN, Contests, joined, payoffs, rates, superiority
from experiments.lineups import lineups
from experiments.reports.answers import Answer, Drawing, Sheet, enumerated, forest, interval
from experiments.series import SeriesCommand
from experiments.studies import Study, Workers
from experiments.studies.command import name_of_folder
from experiments.studies.ladder import Rung
from experiments.summary import CONFIDENCE

LADDER = ("uniform", "greedy", "mcts:iterations=200", "mcts:iterations=1000")


@dataclass(frozen=True, kw_only=True)
class Skill(SeriesCommand):
    """Climbs a ladder of bots: each against the one below it, in every line-up and seat rotation with the same deals.

    How many rungs a game bears, and how far apart they are, tells how much there is to be learnt in it. DIR gets a
    study for each rung, skill.csv and .parquet, and report.html.
    """

    name: ClassVar[str] = "skill"
    folders: ClassVar[tuple[str, ...]] = ("rungs/*",)

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Games of each rung, rounded up to whole rounds."""

    bots: Bots = LADDER
    """The ladder, the weakest bot first."""

    def free(self) -> set[str]:
        """Other bots are other rungs."""
        return {"bots"}

    def results(self, workers: Workers) -> Iterable[RenderableType]:
        """How each bot fares against the one below it."""
        expect_different(self.bots, self.variant())
        rungs = list(pairwise(self.bots))
        plans = {f"rungs/{name_of_folder(f'{above} - {below}')}": self._rung(below, above) for below, above in rungs}
        self.begin([f"{above} against {below}" for below, above in rungs])
        studies = self.make(plans, workers)
        return self.conclude(pd.DataFrame([_row(plan, studies[name]) for name, plan in plans.items()]))

    def answer(self, table: pd.DataFrame) -> Answer:
        """How far apart the rungs are."""
        heading = self.variant().heading
        asked = (
            f"How far does better play lead? Each of {enumerated(self.bots)} met the one before it in every line-up "
            "and seat rotation, with the same deals."
        )
        return Answer(f"{heading}: skill", asked, [_summed_up(table)], [_sheet(table, heading)], [_heights(table)])

    def _rung(self, below: str, above: str) -> Rung:
        players = self.variant().players
        rounds = -(-self.games // (players * len(lineups(2, players))))
        return Rung(**self.played(), bots=(below, above), games=rounds)


def _row(plan: Rung, study: Study) -> dict[str, Any]:
    found = joined([plan.contests(table) for table in study.tables()])
    ahead, wins = payoffs(found)[1, 0], rates(found.wins, found.seats)[1]
    elo = [_elo(share, found) for share in ahead]
    below, above = plan.bots
    return {
        "bot": above,
        "against": below,
        "rounds": len(found),
        "games": len(found) * plan.games_a_unit,
        **dict(zip(("win", "win_low", "win_high"), wins, strict=True)),
        **dict(zip(("ahead", "ahead_low", "ahead_high"), ahead, strict=True)),
        **dict(zip(("elo", "elo_low", "elo_high"), elo, strict=True)),
        "superiority": superiority(found)[1, 0],
        "is_above": bool(ahead[1] > 0.5),
    }


def _elo(share: float, found: Contests) -> float:
    """The difference in rating at which a bot is ahead this often; finite even if it always is."""
    meetings = (found.ahead[:, 0, 1] + found.ahead[:, 1, 0]).sum()
    ahead = share * meetings
    return float(ELO * np.log((ahead + VIRTUAL_WIN) / (meetings - ahead + VIRTUAL_WIN)))


def _sheet(rows: pd.DataFrame, title: str) -> Sheet:
    caption = (
        f"{CONFIDENCE:.0%} intervals over rounds; ahead: in percent of the meetings of two seats, ties half;\n"
        "wins: of a seat of the bot; Elo: Bradley–Terry; * where it is surely ahead more than half of the time"
    )
    lines = []
    for _, row in rows[::-1].iterrows():
        cells = (interval(row, "win", 100, 1), interval(row, "ahead", 100, 1), interval(row, "elo", 1, 0))
        lines.append((row.bot, row.against, f"{row.games:,}", *cells, "*" if row.is_above else ""))
    return Sheet(title, ("bot", "against", "games", "wins %", "ahead %", "Elo above it", ""), lines, caption)


def _heights(rows: pd.DataFrame) -> Drawing:
    """How high each rung is."""
    columns = {"value": rows.elo, "low": rows.elo_low, "high": rows.elo_high}
    table = pd.DataFrame({"group": "rungs", "label": rows.bot + " above " + rows.against, **columns})[::-1]
    how = "Each point is how far a bot is above the one below it, with its 95 % interval; 0 is no rung."
    return forest("skill", table.reset_index(drop=True), "Elo", _summed_up(rows), how)


def _summed_up(rows: pd.DataFrame) -> str:
    """How many rungs there are, and how far it is from the lowest bot to the highest."""
    heights = [0.0, *rows.elo.cumsum()]
    bots = [rows.against.iloc[0], *rows.bot]
    highest = int(np.argmax(heights))
    return (
        f"{rows.is_above.sum()} of {len(rows)} rungs are surely above the one below them. The highest is "
        f"{bots[highest]}, {heights[highest]:.0f} Elo above {bots[0]}."
    )


if __name__ == "__main__":
    sys.exit(console.run_one(Skill))
