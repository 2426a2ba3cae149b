"""How much skill is in a game? `critters skill GAME --players P --bots A,B,C --games N --seed S --out DIR`."""

import sys
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
import pandas as pd
import tyro
from rich.console import RenderableType
from rich.table import Table

from experiments import console
from experiments.arguments import Bots, expect_different
from experiments.contests import ELO, VIRTUAL_WIN, Contests, joined, payoffs, rates, superiority
from experiments.lineups import lineups
from experiments.studies import Study, Workers
from experiments.studies.command import StudyCommand, name_of_folder
from experiments.studies.ladder import Rung
from experiments.summary import CONFIDENCE, with_interval

LADDER = ("uniform", "greedy", "mcts:iterations=200", "mcts:iterations=1000")


@dataclass(frozen=True, kw_only=True)
class Skill(StudyCommand):
    """Climbs a ladder of bots: each against the one below it, in every line-up and seat rotation with the same deals.

    How many rungs a game bears, and how far apart they are, tells how much there is to be learnt in it. DIR gets a
    study for each rung and skill.csv.
    """

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Games of each rung, rounded up to whole rounds."""

    bots: Bots = LADDER
    """The ladder, the weakest bot first."""

    def results(self, workers: Workers) -> list[RenderableType]:
        """How each bot fares against the one below it."""
        variant = self.variant()
        expect_different(self.bots, variant)
        plans = {
            f"rungs/{name_of_folder(f'{above} - {below}')}": self._rung(below, above)
            for below, above in pairwise(self.bots)
        }
        studies = self.make(plans, workers)
        table = pd.DataFrame([_row(plan, studies[name]) for name, plan in plans.items()])
        self.write("skill.csv", table.to_csv(index=False))
        return [_shown(table, variant.heading), _summed_up(table)]

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


def _shown(rows: pd.DataFrame, title: str) -> Table:
    caption = f"{CONFIDENCE:.0%} intervals over rounds; ahead: in percent of the meetings of two seats, ties half\n" + (
        "wins: of a seat of the bot; Elo: Bradley–Terry; * where it is surely ahead more than half of the time"
    )
    table = console.empty_table(title, ("bot", "against", "games", "wins %", "ahead %", "Elo above it", ""), caption)
    for _, row in rows[::-1].iterrows():
        cells = (_range(row, "win", 100, 1), _range(row, "ahead", 100, 1), _range(row, "elo", 1, 0))
        table.add_row(row.bot, row.against, f"{row.games:,}", *cells, "*" if row.is_above else "")
    return table


def _range(row: pd.Series, name: str, factor: int, digits: int) -> str:
    return with_interval((factor * row[name + end] for end in ("", "_low", "_high")), digits)


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
