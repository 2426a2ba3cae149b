"""How much of the result is luck? `critters chance GAME --bots A,B --starts G --games N --seed S --out DIR`."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import pandas as pd
import pyarrow as pa
import tyro
from rich.console import RenderableType

from experiments import console
from experiments.arguments import Bots, expect_different
from experiments.reports.answers import Answer, Drawing, Sheet, enumerated, forest, interval
from experiments.series import SeriesCommand
from experiments.studies import Study, Workers
from experiments.studies.command import name_of_folder
from experiments.studies.luck import ALL_BUT, ALL_CHANCE, BOTS, Luck
from experiments.studies.paired import Estimate
from experiments.studies.variance import Floats, entropy_of_winner, left_over, share_between, spread
from experiments.summary import CONFIDENT, in_columns

TOGETHER = "only together"  # the row of what no kind of chance explains by itself
MEASURES = {"win": "wins", "score": "points"}


@dataclass(frozen=True, kw_only=True)
class Chance(SeriesCommand):
    """Shows how much of the result is luck, and where the luck comes from.

    Every kind of chance in a game draws from a stream of its own, and so does every seat. One of them at a time is
    fixed, at many starts; from each start many games are played in which all others vary. The share of the variance
    of the result that lies between the starts is what this kind of chance explains by itself. Then all but one are
    fixed: what still varies is what this one changes in all, by itself or together with others. Each bot plays all
    seats, so all is luck in the end: what is left of 100 % comes about only where several kinds act together. DIR gets
    a study for each bot, chance.csv and .parquet, and report.html.
    """

    name: ClassVar[str] = "chance"
    folders: ClassVar[tuple[str, ...]] = ("bots/*",)
    unit: ClassVar[str] = "games from each start"

    bots: Bots
    """Bots, each of which plays all seats: luck depends on how strong the players are."""

    starts: Annotated[int, tyro.conf.arg(metavar="G")] = 200
    """Fixed starts of each stream."""

    games: Annotated[int, tyro.conf.arg(metavar="N")] = 50
    """Games from each start."""

    def free(self) -> set[str]:
        """Other bots are other parts."""
        return {"bots"}

    def results(self, workers: Workers) -> Iterable[RenderableType]:
        """The shares of variance, spans and entropies by bot and source."""
        expect_different(self.bots, self.variant(), fewest=1)
        plans = {f"bots/{name_of_folder(bot)}": self._plan(bot) for bot in self.bots}
        self.begin(self.bots)
        studies = self.make(plans, workers)
        return self.conclude(pd.DataFrame(row for name, plan in plans.items() for row in _rows(plan, studies[name])))

    def answer(self, table: pd.DataFrame) -> Answer:
        """Where the luck comes from, for each bot."""
        players = self.variant().players
        heading = f"{self.variant().heading}; {self.starts} starts, {self.games} games from each"
        asked = (
            f"Where does luck come from{' among equal players' * (players > 1)}? With {enumerated(self.bots)} on "
            f"{_seats(players)}, one kind of chance at a time was fixed, and then all but one."
        )
        by_bot = [(bot, table[table.bot == bot].set_index("fixed")) for bot in self.bots]
        found = [_said(bot, rows, players) for bot, rows in by_bot]
        sheets = [_sheet(bot, rows, heading, players) for bot, rows in by_bot]
        return Answer(f"{heading}: luck", asked, found, sheets, [*_shares(by_bot, found)])

    def _plan(self, bot: str) -> Luck:
        return Luck(**self.played(), bot=bot, games=self.starts, repeats=self.games)


def _rows(plan: Luck, study: Study) -> Iterator[dict[str, Any]]:
    """A row for each source, for what they do only together, and for all chance if that is more than one of them."""
    games = pa.concat_tables([study.table(shard) for shard in range(plan.shards)]).to_pandas()
    drawn = games.groupby("source", observed=True).drawn.any().to_dict()
    same = _same_sources(plan, drawn)
    starts = {source: games[games.source.isin(same[source])].sort_values("start", kind="stable") for source in same}
    shares = {source: _estimates(of_source, plan) for source, of_source in starts.items()}
    alone = [source for source in plan.sources if source != ALL_CHANCE and not source.startswith(ALL_BUT)]
    for source in alone:
        yield _row(plan, source, starts[source], drawn[source], shares)
    if singles := [shares[source] for source in alone if drawn[source]]:
        rest = {measure: left_over([single[measure] for single in singles]) for measure in MEASURES}
        named = [in_columns(f"{measure}_share", rest[measure]) for measure in MEASURES]
        yield {"bot": plan.bot, "fixed": TOGETHER, "games": 0, "drawn": True, **named[0], **named[1]}
    if ALL_CHANCE in plan.sources and not any(source in same[ALL_CHANCE] for source in alone):
        yield _row(plan, ALL_CHANCE, starts[ALL_CHANCE], drawn[ALL_CHANCE], shares)


def _same_sources(plan: Luck, drawn: Mapping[str, bool]) -> dict[str, list[str]]:
    """For each source those that fix the same luck, itself too: streams from which nothing is drawn make no difference.

    Where the trail is all that is drawn of chance, all chance is the trail, and all but the trail is the bots. What is
    measured several times is measured once, from all of these games, so that it has one value.
    """
    names = plan.variant.game.streams
    luck = [*names, *[BOTS] * plan.variant.players]  # of each stream
    fixed = {source: {luck[k] for k in streams if drawn[luck[k]]} for source, streams in plan.sources.items()}
    return {source: [other for other in fixed if fixed[other] == fixed[source]] for source in fixed}


def _row(
    plan: Luck, source: str, games: pd.DataFrame, drawn: bool, shares: Mapping[str, Mapping[str, Estimate]]
) -> dict[str, Any]:
    row: dict[str, Any] = {"bot": plan.bot, "fixed": source, "games": len(games), "drawn": drawn}
    for measure in MEASURES:
        others = shares[plan.all_others(source)][measure]
        row |= in_columns(f"{measure}_share", shares[source][measure])
        row |= in_columns(f"{measure}_total", Estimate(1 - others.value, 1 - others.high, 1 - others.low))
        far = spread(_values(games, measure, plan), plan.seed)
        row |= {f"{measure}_{name}": value for name, value in vars(far).items()}
    return row | {"entropy": entropy_of_winner(_values(games, "win", plan))}


def _estimates(games: pd.DataFrame, plan: Luck) -> dict[str, Estimate]:
    return {measure: share_between(_values(games, measure, plan)) for measure in MEASURES}


def _values(games: pd.DataFrame, measure: str, plan: Luck) -> Floats:
    """(starts, games, seats), of games in the order of their starts."""
    columns = [f"{measure}_{seat}" for seat in range(plan.variant.players)]
    return games[columns].to_numpy(np.float64).reshape(plan.games, -1, plan.variant.players)


# What is shown


def _seats(players: int) -> str:
    return "all seats" if players > 1 else "the only seat"


def _said(bot: str, rows: pd.DataFrame, players: int) -> str:
    """What the kinds of chance explain one by one, and what is left."""
    start = f"With {bot} on {_seats(players)}"
    rest = rows[rows.index == TOGETHER]
    if rest.empty or np.isnan(rest.win_share.iloc[0]):
        return f"{start} nothing varies in who wins, or nothing is drawn."
    alone = rows[rows.drawn & ~rows.index.isin([TOGETHER, ALL_CHANCE])]
    each = [f"{_called(str(source))} {100 * row.win_share:.1f} %" for source, row in alone.iterrows()]
    equal = "nobody plays better than another" if players > 1 else "the player is the same in every game"
    idle = [str(source) for source in rows.index[~rows.drawn]]
    unused = f" Nothing is drawn from {enumerated(idle)}{_only(alone)}." if idle else ""
    return (
        f"{start} everything is luck, as {equal}. Of the variance of wins one kind alone explains: {', '.join(each)}. "
        f"The rest, {_percent(rest.iloc[0], 'win_share')} %, comes about only where they act together: what one of "
        f"them brings depends on the others.{unused} How much better play changes, `critters skill` tells."
    )


def _only(alone: pd.DataFrame) -> str:
    """What follows where one kind of chance is drawn, and no other."""
    chance = alone.index.drop(BOTS, errors="ignore")
    return f", so {chance[0]} is all chance there is" if len(chance) == 1 else ""


def _called(source: str) -> str:
    return "the bots' own random choices" if source == BOTS else source


_CAPTION = (
    f"alone: share of the variance between starts, with its {CONFIDENT} interval; only together: 100 % less\n"
    "these; in all: what still varies when everything else is fixed, so kinds that act together count several times;\n"
    "span: of the means of starts; trimmed: without the outer 5 % on either side\n"
    "(in brackets: what it would be if the starts were alike); outliers: starts far from the others;\n"
    "open: entropy of who wins from one start, "
)

_OPEN = "0 for always the same seat, 1 for all alike"
_OPEN_ALONE = "0 for always won or always lost, 1 for as often won as lost"


def _sheet(bot: str, rows: pd.DataFrame, heading: str, players: int) -> Sheet:
    shares = [f"{text} {kind} %" for text in MEASURES.values() for kind in ("alone", "in all")]
    headings = ("fixed", *shares, "span of wins %", "trimmed", "outliers %", "open")
    lines = [(str(source), *_cells(row)) for source, row in rows.iterrows()]
    caption = _CAPTION + (_OPEN if players > 1 else _OPEN_ALONE)
    return Sheet(f"{heading}\n{bot} on {_seats(players)}", headings, lines, caption)


def _cells(row: pd.Series) -> list[str]:
    if not row.drawn:
        return ["not drawn", *[""] * 7]
    shares = [_percent(row, f"{measure}_{kind}") for measure in MEASURES for kind in ("share", "total")]
    if row.name == TOGETHER:
        return [shares[0], "", shares[2], *[""] * 5]
    trimmed = f"{100 * row.win_trimmed:.0f} ({100 * row.win_by_chance:.0f})"
    return [*shares, f"{100 * row.win_span:.0f}", trimmed, f"{100 * row.win_outliers:.1f}", f"{row.entropy:.2f}"]


def _percent(row: pd.Series, name: str) -> str:
    return "nothing varies" if np.isnan(row[name]) else interval(row, name, 100, 1)


def _shares(by_bot: list[tuple[str, pd.DataFrame]], found: list[str]) -> Iterator[Drawing]:
    """The shares of all bots, if there is any of them."""
    parts = []
    for bot, rows in by_bot:
        drawn = rows[rows.drawn]
        for kind, text in (("share", "alone"), ("total", "in all")):
            columns = {key: 100 * drawn[f"win_{kind}{end}"] for key, end in _ENDS.items()}
            parts.append(pd.DataFrame({"group": f"{bot}: {text}", "label": drawn.index, **columns}))
    how = "Each point is the part of the variance of wins that a kind of chance explains, with its 95 % interval."
    table = pd.concat(parts, ignore_index=True)
    if table.value.notna().any():
        yield forest("chance", table, "percent of the variance of wins", " ".join(found), how)


_ENDS = {"value": "", "low": "_low", "high": "_high"}


if __name__ == "__main__":
    sys.exit(console.run_one(Chance))
