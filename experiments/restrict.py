"""What is a card or an action worth? `critters restrict GAME --forbid A,B --bot B --games N --seed S --out DIR`."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
import pandas as pd
import tyro
from rich.console import RenderableType
from rich.table import Table

from experiments import console
from experiments.arguments import Names
from experiments.studies import Specification, Study, Workers, results_of
from experiments.studies.command import StudyCommand, name_of_folder
from experiments.studies.paired import Estimate, Floats, Paired
from experiments.summary import CONFIDENCE, win_shares
from tabletop import Results, matches

FREE = "free"
MOST_RECORDED = 100  # games that are looked through for how often the actions are used


@dataclass(frozen=True, kw_only=True)
class Restrict(StudyCommand):
    """Shows what actions are worth: how much a bot loses that may not use them, against the same bot free to do so.

    The restricted bot sits on one seat, a free one on each other; it uses the actions only where nothing else is
    legal. The same games are played by free bots alone, and each seat is compared with itself. A class is one or more
    patterns of tokens, joined by +, such as swap:* or turbo:*+tiptoe:*. DIR gets a study for each class and
    restrict.csv. A bot that does not know how to do without an action loses more than one that does.
    """

    forbid: Annotated[Names, tyro.conf.arg(metavar="CLASS,…")]
    """Classes of actions, each tried by itself."""

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Games for each class."""

    bot: Annotated[str, tyro.conf.arg(metavar="BOT")] = "greedy"
    """The bot on all seats."""

    def results(self, workers: Workers) -> list[RenderableType]:
        """What each class is worth, in wins and points."""
        free = Specification(**self.played(), bots=(self.bot,), games=self.games, course=False)
        if not self.forbid:
            raise ValueError("forbid: nothing is given; expected patterns of tokens such as swap:*")
        plans = {name: replace(free, forbid=tuple(name.split("+"))) for name in self.forbid}
        names = {name: f"classes/{name_of_folder(name)}" for name in plans}
        studies = self.make({FREE: free, **{names[name]: plan for name, plan in plans.items()}}, workers)
        uses = _uses(free, plans)
        rows = [
            {"class": name, "uses": uses[name], **_compared(plan, studies[names[name]], free, studies[FREE])}
            for name, plan in plans.items()
        ]
        table = pd.DataFrame(rows)
        self.write("restrict.csv", table.to_csv(index=False))
        return [_shown(table, f"{free.variant.heading}, {self.games:,} games each")]


def _uses(free: Specification, plans: Mapping[str, Specification]) -> dict[str, float]:
    """How often a free seat uses the actions of each class in a game, in the first games."""
    chosen = np.zeros(free.variant.events)
    games = min(free.games, MOST_RECORDED)
    bots, players = free.seated(), free.variant.players
    for number in range(games):
        _, events = matches.play_recorded(free.variant, bots, np.arange(players), number, free.seed)
        chosen += np.bincount(events, minlength=len(chosen))
    return {name: float(chosen[plan.forbidden()].sum() / (games * players)) for name, plan in plans.items()}


def _compared(plan: Specification, study: Study, free: Specification, base: Study) -> dict[str, Any]:
    """Rates and points of the seat that is restricted, and of the same seat when it is free."""
    wins, points = Paired(is_rate=True), Paired(is_rate=False)
    for shard in range(plan.shards):
        here, there = results_of(plan, study.table(shard)), results_of(free, base.table(shard))
        wins.add(_of_first(here, win_shares(here.places)), _of_first(there, win_shares(there.places)))
        points.add(_of_first(here, here.scores), _of_first(there, there.scores))
    return {
        "games": wins.games,
        **dict(_named("win_restricted", wins.estimate())),
        **dict(_named("win_free", wins.estimate(of_base=True))),
        **dict(_named("win_lost", _negative(wins.difference()))),
        **dict(_named("score_lost", _negative(points.difference()))),
    }


def _of_first(results: Results, values: np.ndarray) -> Floats:
    """The value of the seat of the first bot in each game, with the denominator 1: (games, 2)."""
    players = values.shape[1]
    own = np.take_along_axis(values, results.number[:, None] % players, axis=1)
    return np.concatenate([own, np.ones_like(own)], axis=1).astype(np.float64)


def _negative(found: Estimate) -> Estimate:
    return Estimate(0.0 - found.value, 0.0 - found.high, 0.0 - found.low)


def _named(name: str, found: Estimate) -> Iterator[tuple[str, float]]:
    yield from ((name, found.value), (f"{name}_low", found.low), (f"{name}_high", found.high))


def _shown(rows: pd.DataFrame, title: str) -> Table:
    caption = (
        f"{CONFIDENCE:.0%} intervals; losses on the same games and seats; * where the interval does not hold 0\n"
        f"uses: by a free seat in a game"
    )
    headings = ("without", "uses", "win % restricted", "free", "loses % of wins", "loses points", "")
    table = console.empty_table(title, headings, caption)
    for _, row in rows.iterrows():
        table.add_row(
            str(row["class"]),
            f"{row.uses:.2f}",
            _interval(row, "win_restricted", 100),
            f"{100 * row.win_free:.1f}",
            _interval(row, "win_lost", 100),
            _interval(row, "score_lost", 1),
            "*" if row.win_lost_low > 0 or row.win_lost_high < 0 else "",
        )
    return table


def _interval(row: pd.Series, name: str, factor: int) -> str:
    value, low, high = (factor * row[name + end] for end in ("", "_low", "_high"))
    return f"{value:.2f} [{low:.2f}, {high:.2f}]"


if __name__ == "__main__":
    sys.exit(console.run_one(Restrict))
