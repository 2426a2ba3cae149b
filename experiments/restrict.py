"""What is a card or an action worth? `critters restrict GAME --forbid A,B --bot B --games N --seed S --out DIR`."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import tyro
from rich.console import RenderableType

from experiments import console
from experiments.arguments import Names
from experiments.reports.answers import Answer, Drawing, Sheet, enumerated, forest, interval
from experiments.reports.choices import Choices
from experiments.series import SeriesCommand
from experiments.studies import Specification, Study, Workers, results_of
from experiments.studies.command import name_of_folder
from experiments.studies.lost_wins import LostWins
from experiments.studies.paired import Estimate, Floats, Paired
from experiments.summary import CONFIDENT, in_columns, leaves_out_zero, reach, win_shares
from tabletop import matches
from tabletop.game import NO_EVENT

FREE = "free"
RARE = 0.05  # uses in a game, below which hardly anything can be lost
MOST_RECORDED = 100  # games that are looked through for how often a ban binds


@dataclass(frozen=True, kw_only=True)
class Restrict(SeriesCommand):
    """Shows what actions are worth: how much a bot loses that may not use them, against the same bot free to do so.

    The restricted bot sits on one seat, a free one on each other; it uses the actions only where nothing else is
    legal. The same games are played by free bots alone, and each seat is compared with itself; for wins, the luck of
    these seats is taken off, as equal bots win equal shares. A class is one or more patterns of tokens, joined by +,
    such as swap:* or turbo:*+tiptoe:*. DIR gets a study for each class, restrict.csv and .parquet, and report.html. A
    bot that does not know how to do without an action loses more than one that does.

    Most bots draw random numbers for the actions that they may choose from, as to break ties. A ban changes these
    numbers, so games soon differ, be the action never wanted: intervals are then as wide as those of separate games.
    """

    name: ClassVar[str] = "restrict"
    folders: ClassVar[tuple[str, ...]] = ("classes/*", FREE)
    unit: ClassVar[str] = "games for each class, and without a ban"

    forbid: Annotated[Names, tyro.conf.arg(metavar="CLASS,…")]
    """Classes of actions, each tried by itself."""

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Games for each class."""

    bot: Annotated[str, tyro.conf.arg(metavar="BOT")] = "greedy"
    """The bot on all seats."""

    def free(self) -> set[str]:
        """Other classes are other parts."""
        return {"forbid"}

    def results(self, workers: Workers) -> Iterable[RenderableType]:
        """What each class is worth, in wins and points."""
        free = Specification(**self.played(), bots=(self.bot,), games=self.games)
        if not self.forbid:
            raise ValueError("forbid: nothing is given; expected patterns of tokens such as swap:*")
        plans = {name: replace(free, course=False, forbid=tuple(name.split("+"))) for name in self.forbid}
        names = {name: f"classes/{name_of_folder(name)}" for name in plans}
        self.begin(list(plans))
        studies = self.make({FREE: free, **{names[name]: plan for name, plan in plans.items()}}, workers)
        uses = _uses(free, studies[FREE], plans)
        rows = [
            {
                "class": name,
                "uses": uses[name],
                **_bans(plan),
                **_compared(plan, studies[names[name]], free, studies[FREE]),
            }
            for name, plan in plans.items()
        ]
        table = pd.DataFrame(rows)
        return self.conclude(table.assign(**_wide(table, free.variant.players)))

    def answer(self, table: pd.DataFrame) -> Answer:
        """What is lost without each class."""
        title = f"{self.variant().heading}, {self.games:,} games each"
        asked = (
            f"What does a seat of {self.bot} lose that may not use some actions"
            f"{', while all others may' * (self.variant().players > 1)}? "
            "The same games without a ban are what it is compared with. A bot that does not know how to do "
            "without an action loses more than one that does."
        )
        found = [_said(row, min(self.games, MOST_RECORDED)) for _, row in table.iterrows()]
        drawings = [] if _never_bound(table).all() else [_losses(table)]
        return Answer(f"{title}: restricted play", asked, found, [_sheet(table, title)], drawings)


def _uses(free: Specification, base: Study, plans: Mapping[str, Specification]) -> dict[str, float]:
    """How often a free seat uses the actions of each class in a game."""
    noted = Choices(free.variant, [bot.name for bot in free.seated()])
    for shard in range(free.shards):
        noted.add(results_of(free, base.table(shard)))
    chosen, seats = noted.times(), free.games * free.variant.players
    return {name: float(chosen[plan.forbidden()].sum() / seats) for name, plan in plans.items()}


def _recorded(plan: Specification) -> npt.NDArray[np.int64]:
    """The events of the first games, one a row; `NO_EVENT` after the end."""
    numbers, bots = np.arange(min(plan.games, MOST_RECORDED)), plan.seated()
    seats = matches.seating(numbers, plan.variant.players, plan.rotate)
    games = [matches.play_recorded(plan.variant, bots, seats[k], int(k), plan.seed)[1] for k in numbers]
    longest = max(map(len, games))
    return np.stack([np.pad(events, (0, longest - len(events)), constant_values=NO_EVENT) for events in games])


def _bans(plan: Specification) -> dict[str, float]:
    """How often in a game, in the first ones, a ban bound the restricted seat, and how often it could not be kept.

    bound: forbidden actions were legal, and others too. forced: only forbidden ones were, so it played one of them.
    """
    variant, events = plan.variant, _recorded(plan)
    own = np.arange(len(events)) % variant.players  # the seat of the first bot
    is_forbidden = np.zeros(variant.actions, np.bool_)
    is_forbidden[plan.forbidden()] = True
    states, bound, forced = variant.new(len(events)), 0, 0
    for column in events.T:
        legal = variant.mask(states).astype(np.bool_) & (variant.to_move(states) == own)[:, None]
        banned, others = legal[:, is_forbidden].any(axis=1), legal[:, ~is_forbidden].any(axis=1)
        bound += int((banned & others).sum())
        forced += int((banned & ~others).sum())
        variant.step(states, column)
    return {"bound": bound / len(events), "forced": forced / len(events)}


def _compared(plan: Specification, study: Study, free: Specification, base: Study) -> dict[str, Any]:
    """Rates and points of the seat that is restricted, and of the same seat when it is free."""
    players = plan.variant.players  # after so many games the restricted bot sits on the same seat
    wins, points = Paired(is_rate=True, strata=players), Paired(is_rate=False, strata=players)
    lost = LostWins(players)
    for shard in range(plan.shards):
        here, there = results_of(plan, study.table(shard)), results_of(free, base.table(shard))
        own, shares = here.number % players, (win_shares(here.places), win_shares(there.places))
        alike = (here.lengths == there.lengths) & (here.scores == there.scores).all(axis=1)
        lost.add(own, *shares, alike)
        wins.add(_of(own, shares[0]), _of(own, shares[1]))
        points.add(_of(own, here.scores), _of(own, there.scores))
    return {
        "games": wins.games,
        "same": lost.alike / wins.games,
        **in_columns("win_restricted", wins.estimate()),
        **in_columns("win_free", wins.estimate(of_base=True)),
        **in_columns("win_lost", lost.loss()),
        **in_columns("score_lost", _negative(points.difference())),
    }


def _of(own: npt.NDArray[np.int64], values: np.ndarray) -> Floats:
    """The value of one seat in each game, with the denominator 1: (games, 2)."""
    found = np.take_along_axis(values, own[:, None], axis=1)
    return np.concatenate([found, np.ones_like(found)], axis=1).astype(np.float64)


def _negative(found: Estimate) -> Estimate:
    return Estimate(0.0 - found.value, 0.0 - found.high, 0.0 - found.low)


def _wide(table: pd.DataFrame, players: int) -> dict[str, pd.Series]:
    """The ends of intervals of lost wins that hold together for all classes whose ban changed a game (Bonferroni)."""
    number = max(1, int((table.same < 1).sum()))
    freedom = table.games - players - 1
    alone, together = (reach(freedom, of) for of in (1, number))
    below, above = table.win_lost - table.win_lost_low, table.win_lost_high - table.win_lost
    wider = together / alone
    return {"win_lost_wide_low": table.win_lost - wider * below, "win_lost_wide_high": table.win_lost + wider * above}


# What is shown


def _said(row: pd.Series, looked_through: int) -> str:
    """What a ban did, in a sentence or two."""
    name, nothing_changed = row["class"], row.same == 1
    if row.bound == 0 and nothing_changed:
        if row.forced == 0:
            return f"{name} was never legal for the restricted seat: the ban never bound and changed no game."
        return (
            f"The ban on {name} never bound: in the {looked_through} games that were looked through nothing else was "
            f"ever legal beside it, so the restricted seat still played it {row.forced:.2f} times a game, and no game "
            f"changed. This says nothing about what it is worth."
        )
    if nothing_changed:
        return f"The ban on {name} changed no game: where something else was legal, the bot did not want it."
    lost = f"{interval(row, 'win_lost', 100, 2)} percentage points of wins"
    if row.uses < RARE:
        text = (
            f"A free seat uses {name} {row.uses:.2f} times a game, so hardly anything can be lost without it: the "
            f"difference of {lost} comes from other ties and other luck."
        )
    elif _is_sure(row):
        text = f"Without {name} a seat loses {lost}."
    else:
        among = ", as several classes were tried" if leaves_out_zero(row.win_lost_low, row.win_lost_high) else ""
        text = f"Without {name} a seat loses {lost}, which may be chance{among}."
    if row.forced:
        text += f" It still played it {row.forced:.2f} times a game, where nothing else was legal."
    return text


_CAPTION = (
    f"{CONFIDENT} intervals, each by itself; * where a class is used {RARE} times a game or more and the\n"
    "interval of lost wins leaves out 0 even if it is so wide that those of all classes hold together (Bonferroni).\n"
    "Uses: by a free seat in a game; banned: how often in a game the restricted seat could have used one beside\n"
    "other actions; forced: how often it still used one, as nothing else was legal; same: games with the same\n"
    "points. Lost wins are those of the share that equal bots have but for luck; where games stay the same, the luck\n"
    "of the free seat is taken off as well: they are not just what lies between both columns. Lost points are those\n"
    "on the same deals and seats. A ban also changes the random numbers with which bots break ties: where few games\n"
    "are the same, intervals are those of separate games, whether the bot wanted the action or not."
)


def _sheet(rows: pd.DataFrame, title: str) -> Sheet:
    headings = ("without", "uses", "banned", "forced", "same %", "win % restricted", "free", "loses % of wins")
    lines = [
        (
            row["class"],
            *(f"{row[key]:.2f}" for key in ("uses", "bound", "forced")),
            f"{100 * row.same:.1f}",
            interval(row, "win_restricted", 100, 2),
            f"{100 * row.win_free:.1f}",
            *_lost(row, is_never_bound),
            "*" if _is_sure(row) else "",
        )
        for (_, row), is_never_bound in zip(rows.iterrows(), _never_bound(rows), strict=True)
    ]
    return Sheet(title, (*headings, "loses points", ""), lines, _CAPTION)


def _lost(row: pd.Series, is_never_bound: bool) -> tuple[str, str]:
    """The losses of wins and of points; a ban that never bound tells nothing of them."""
    if is_never_bound:
        return "never bound", ""
    return interval(row, "win_lost", 100, 2), interval(row, "score_lost", 1, 2)


def _losses(rows: pd.DataFrame) -> Drawing:
    """The losses, but for bans that never bound."""
    idle = _never_bound(rows)
    drawn = rows[~idle]
    table = pd.DataFrame(
        {
            "group": "without",
            "label": drawn["class"],
            "value": 100 * drawn.win_lost,
            "low": 100 * drawn.win_lost_low,
            "high": 100 * drawn.win_lost_high,
        }
    )
    how = "Each point is what a seat loses without these actions, with its 95 % interval; 0 is no loss."
    how += f" Not drawn, as the ban never bound: {enumerated(rows['class'][idle].tolist())}." if idle.any() else ""
    says = f"Losses without {len(drawn)} classes of actions, as in the table."
    return forest("restrict", table, "percentage points of wins lost", says, how)


def _never_bound(rows: pd.DataFrame) -> pd.Series:
    """Where a ban left the restricted seat no choice to make, so that nothing follows from it."""
    return (rows.bound == 0) & (rows.same == 1)


def _is_sure(row: pd.Series) -> bool:
    return bool(row.uses >= RARE) and leaves_out_zero(row.win_lost_wide_low, row.win_lost_wide_high)


if __name__ == "__main__":
    sys.exit(console.run_one(Restrict))
