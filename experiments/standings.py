"""The standings of a tournament: tables of strength, of who beats whom, and of the time a move takes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd
from rich.table import Table

from experiments import console
from experiments.contests import (
    RESAMPLES,
    Contests,
    bradley_terry_intervals,
    compared,
    means,
    payoffs,
    places_of_bots,
    plackett_luce,
    rates,
    superiority,
)
from experiments.move_times import microseconds_a_move
from experiments.summary import CONFIDENT, with_interval
from tabletop import FailedBotError, Variant
from tabletop.bots import Bot

if TYPE_CHECKING:
    from experiments.tournament import Games


LONG_NAME = 24  # characters, from which a bot has a shorter name in tables and pictures


@dataclass(frozen=True)
class Standings:
    """What a tournament says. table: a row a bot, the best first. pairs: a row for each ordered pair of bots."""

    contests: Contests
    table: pd.DataFrame
    pairs: pd.DataFrame

    @property
    def labels(self) -> list[str]:
        """What the bots of the table are called where there is little room; `key` says what it means."""
        return labels(list(self.table.bot))

    @property
    def is_alone(self) -> bool:
        """Whether games are for one player, who has no place: bots are compared by how they do in the same deal."""
        return "place" not in self.table

    @property
    def comparison(self) -> str:
        """What the pairs are about."""
        return "Does better than …" if self.is_alone else "Ends before …"


def standings(variant: Variant, bots: Sequence[Bot], games: "Games", seed: int, timed: float) -> Standings:
    """Rates and rates against each other, with intervals over rounds; `timed`: seconds of timing a bot, or 0."""
    found = games.contests(len(bots))
    names = [b.name for b in bots]
    table = _table(found, names, variant.players, seed)
    order = np.argsort(-table.elo.to_numpy(), kind="stable")
    seated, places = compared(len(found), games.bots, games.scores, games.places)
    with console.progress_bar("rating after each game", len(seated)) as bar:
        table[["openskill", "openskill_sd"]] = plackett_luce(len(bots), seated, places, bar.advance)
    table["microseconds_a_move"] = [_timed(variant, b, seed, timed) for b in bots]
    return Standings(found, table.iloc[order].reset_index(drop=True), _pairs(found, [names[b] for b in order], order))


def _timed(variant: Variant, bot: Bot, seed: int, seconds: float) -> float:
    """The time of a move; nan for a bot that fails, which is told: the games are played and say enough."""
    try:
        return microseconds_a_move(variant, bot, seed, seconds)
    except FailedBotError as error:
        console.say(f"no time a move: {error}")
        return np.nan


def _table(found: Contests, names: Sequence[str], players: int, seed: int) -> pd.DataFrame:
    columns: dict[str, npt.NDArray] = {"bot": np.array(names), "seats": found.seats.sum(axis=0).astype(np.int64)}
    with console.progress_bar("rating with resampled rounds", RESAMPLES) as bar:
        ratings = bradley_terry_intervals(found, seed, RESAMPLES, bar.advance)
    measures = {
        "win": rates(found.wins, found.seats),
        **({"place": places_of_bots(found, players)} if players > 1 else {}),
        "score": means(found.scores, found.seats),
        "elo": ratings,
    }
    for name, values in measures.items():
        columns |= {name: values[:, 0], f"{name}_low": values[:, 1], f"{name}_high": values[:, 2]}
    return pd.DataFrame(columns)


def _pairs(found: Contests, names: Sequence[str], order: npt.NDArray[np.int64]) -> pd.DataFrame:
    share, likelihood = payoffs(found), superiority(found)
    rows = []
    for a, first in zip(order, names, strict=True):
        for b, second in zip(order, names, strict=True):
            if a != b:
                ahead, low, high = share[a, b]
                rows.append((first, second, ahead, low, high, likelihood[a, b]))
    return pd.DataFrame(rows, columns=["bot", "against", "ahead", "ahead_low", "ahead_high", "superiority"])


def labels(names: Sequence[str]) -> list[str]:
    """The names, but a long one as its kind of bot with a number: of many parameters one does not see which differ."""
    met: Counter[str] = Counter()
    short = []
    for name in names:
        kind = name.partition(":")[0]
        met[kind] += len(name) >= LONG_NAME
        short.append(f"{kind} {met[kind]}" if len(name) >= LONG_NAME else name)
    return short


def key(found: Standings) -> list[str]:
    """A line for each bot that has a label instead of its name."""
    return [f"{label} = {name}" for label, name in zip(found.labels, found.table.bot, strict=True) if label != name]


def standing_table(variant: Variant, found: Standings) -> Table:
    """The bots in the order of their Bradley–Terry rating; who plays alone has no place and no share of the wins."""
    place = [] if found.is_alone else ["mean place"]
    headings = ["", "seats", "win %", *place, "score", "Elo", "openskill", "time a move"]
    equal = "" if found.is_alone else f"an equal share of wins is {100 / variant.players:.1f} %; "
    shown = console.empty_table(
        f"{variant.heading}, {len(found.contests):,} rounds",
        headings,
        f"{CONFIDENT} intervals over rounds; {equal}Elo: Bradley–Terry, mean 0;\n"
        "openskill: Plackett–Luce, after the games in their order (another order moves it by some points), with one "
        "standard deviation of its model",
    )
    _fold(shown)
    for label, (_, row) in zip(found.labels, found.table.iterrows(), strict=True):
        shown.add_row(
            label,
            f"{row.seats:,}",
            _range(row, "win", 100, 1),
            *([] if found.is_alone else [_range(row, "place", 1, 2)]),
            _range(row, "score", 1, 2),
            _range(row, "elo", 1, 0),
            f"{row.openskill:.1f} ±{row.openskill_sd:.1f}",
            _time(row.microseconds_a_move),
        )
    return shown


def payoff_table(found: Standings) -> Table:
    """How often the bot of the row does better than that of the column, and how likely it is the better one."""
    names = list(found.table.bot)
    met = "deals" if found.is_alone else "meetings"
    shown = console.empty_table(
        found.comparison, ["", *found.labels], f"percent of their {met}, ties half; likelihood of superiority"
    )
    _fold(shown)
    for label, name in zip(found.labels, names, strict=True):
        own = found.pairs[found.pairs.bot == name].set_index("against")
        cells = ["" if other == name else _met(own.loc[other]) for other in names]
        shown.add_row(label, *cells)
    return shown


def _fold(table: Table) -> None:
    """Lets words that are too long go on in the next line, where there are many bots: no letter is left out."""
    for column in table.columns:
        column.overflow = "fold"


def _met(row: pd.Series) -> str:
    if np.isnan(row.ahead):
        return "never met"
    return f"{_range(row, 'ahead', 100, 1)}; {row.superiority:.3f}"


def _range(row: pd.Series, name: str, factor: int, digits: int) -> str:
    return with_interval((factor * row[f"{name}{end}"] for end in ("", "_low", "_high")), digits)


def _time(microseconds: float) -> str:
    if np.isnan(microseconds):
        return ""
    return f"{microseconds / 1000:.2f} ms" if microseconds >= 1000 else f"{microseconds:.2f} µs"
