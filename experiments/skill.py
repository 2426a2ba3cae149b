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
from experiments.contests import ELO, joined, payoffs, rates, superiority
from experiments.lineups import lineups
from experiments.reports.answers import Answer, Drawing, Sheet, enumerated, forest, interval
from experiments.series import SeriesCommand
from experiments.studies import Study, Workers
from experiments.studies.command import name_of_folder
from experiments.studies.ladder import Rung
from experiments.summary import CONFIDENT, in_columns, with_interval

LADDER = ("uniform", "greedy", "mcts:iterations=200", "mcts:iterations=1000")


@dataclass(frozen=True, kw_only=True)
class Skill(SeriesCommand):
    """Climbs a ladder of bots: each against the one below it, in every line-up and seat rotation with the same deals.

    How many rungs a game bears, and how far apart they are, tells how much there is to be learnt in it. DIR gets a
    study for each rung, skill.csv and .parquet, and report.html.
    """

    name: ClassVar[str] = "skill"
    folders: ClassVar[tuple[str, ...]] = ("rungs/*",)
    unit: ClassVar[str] = "games of each rung, up to whole rounds"

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
        variant = self.variant()
        heading = variant.heading
        met = "met the one before it in every line-up and seat rotation, with the same deals"
        met = "played the same deals as the one before it" if variant.players == 1 else met
        asked = f"How far does better play lead? Each of {enumerated(self.bots)} {met}."
        drawings = [_heights(table)] if np.isfinite(table.elo).any() else []
        return Answer(
            f"{heading}: skill", asked, [_summed_up(table)], [_sheet(table, heading, variant.players)], drawings
        )

    def _rung(self, below: str, above: str) -> Rung:
        players = self.variant().players
        rounds = -(-self.games // (players * len(lineups(2, players))))
        return Rung(**self.played(), bots=(below, above), games=rounds)


def _row(plan: Rung, study: Study) -> dict[str, Any]:
    found = joined([plan.contests(table) for table in study.tables()])
    ahead, most = payoffs(found)[1, 0], plan.most_wins
    wins = most * rates(found.wins, most * found.seats)[1]  # no more is possible, for the interval either
    below, above = plan.bots
    return {
        "bot": above,
        "against": below,
        "rounds": len(found),
        "games": len(found) * plan.games_a_unit,
        **in_columns("win", wins),
        "win_most": most,
        **in_columns("ahead", ahead),
        **in_columns("elo", map(_elo, ahead)),
        "superiority": superiority(found)[1, 0],
        "is_above": bool(ahead[1] > 0.5),
    }


def _elo(share: float) -> float:
    """The difference in rating at which a bot is ahead this often; without bound if it always is."""
    if share in (0, 1):
        return np.inf if share else -np.inf
    return float(ELO * np.log(share / (1 - share)))


def _climb(rungs: pd.DataFrame) -> tuple[float, float, float]:
    """How far it is up some rungs that follow each other, with its interval (of a sum: Zou, Donner 2008).

    Each rung has games of its own, so their errors are independent. A rung on which a bot was always ahead has a lower
    end and no upper one; it adds its lower end in full.
    """
    values, low, high = (rungs[f"elo{end}"].to_numpy() for end in ("", "_low", "_high"))
    known = np.isfinite(values)
    height = values[known].sum()
    down = np.sqrt(((values[known] - low[known]) ** 2).sum())
    up = np.sqrt(((high[known] - values[known]) ** 2).sum())
    return float(values.sum()), float(height - down + low[~known].sum()), float(height + up + high[~known].sum())


# What is shown


def _sheet(rows: pd.DataFrame, title: str, players: int) -> Sheet:
    most = f"{100 / players:.1f} if both bots are alike, {100 * rows.win_most.iloc[0]:.1f} if it wins every game"
    met, wins = "meetings of two seats", f"of a seat of the bot, {most}"
    if players == 1:
        met, wins = "deals", "in percent of the games of the bot"
    caption = (
        f"{CONFIDENT} intervals over rounds; ahead: in percent of the {met}, ties half;\n"
        f"wins: {wins};\n"
        "Elo: Bradley–Terry; * where it is surely ahead more than half of the time"
    )
    lines = []
    for _, row in rows[::-1].iterrows():
        elo = _told(row.elo, row.elo_low, row.elo_high)
        cells = (interval(row, "win", 100, 1), interval(row, "ahead", 100, 1), elo)
        lines.append((row.bot, row.against, f"{row.games:,}", *cells, "*" if row.is_above else ""))
    return Sheet(title, ("bot", "against", "games", "wins %", "ahead %", "Elo above it", ""), lines, caption)


def _told(elo: float, low: float, high: float) -> str:
    """A difference in rating; one end of its interval where a bot was always ahead or never, as no number is known."""
    if np.isfinite(elo):
        return with_interval((elo, low, high), 0)
    if np.isnan(low) or np.isnan(high):
        return "not known"
    return f"more than {low:.0f}" if elo > 0 else f"less than {high:.0f}"


def _heights(rows: pd.DataFrame) -> Drawing:
    """How high each rung is, as far as that is known."""
    columns = {"value": rows.elo, "low": rows.elo_low, "high": rows.elo_high}
    table = pd.DataFrame({"group": "rungs", "label": rows.bot + " above " + rows.against, **columns})[::-1]
    known = np.isfinite(table.value)
    how = "Each point is how far a bot is above the one below it, with its 95 % interval; 0 is no rung."
    open_ = [f"{row.label}, {_told(row.value, row.low, row.high)}" for _, row in table[~known].iterrows()]
    how += f" Not drawn, as one bot was always ahead: {'; '.join(open_)}." if open_ else ""
    return forest("skill", table[known].reset_index(drop=True), "Elo", _summed_up(rows), how)


def _summed_up(rows: pd.DataFrame) -> str:
    """How many rungs there are, and how far it is from the lowest bot to the highest of which one can be sure."""
    bots, highest = [rows.against.iloc[0], *rows.bot], 0
    for place in range(1, len(bots)):
        _, low, _ = _climb(rows[highest:place])
        highest = place if low > 0 else highest
    text = f"{rows.is_above.sum()} of {len(rows)} rungs are surely above the one below them. "
    if highest == 0:
        return f"{text}No bot is surely above {bots[0]}."
    height = _told(*_climb(rows[:highest]))
    text += f"The highest bot that is surely above those before it is {bots[highest]}, {height} Elo above {bots[0]}."
    return text if highest == len(rows) else f"{text} Of those after it none is surely higher."


if __name__ == "__main__":
    sys.exit(console.run_one(Skill))
