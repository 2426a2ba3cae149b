"""Which events and places winners prefer: their choices beside those that others made with the same bot.

A share is a ratio of two sums over games: how often an event was chosen, and how many decisions there were. Games
are independent of each other, so the difference of two shares has the standard error of a linearised ratio whose
unit is the game. `tabletop.course` says what is summed.

Some of many differences leave out 0 by chance alone. The wide intervals are Bonferroni's: those of all events that a
bot chose hold together in 95 of 100 studies, and if they do, so do the sums of their ends for sums of differences.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments.summary import CHANGE_OF_PART, reach
from tabletop import Results, Variant
from tabletop.course import CHOICES, TOTALS

FEWEST = 100  # choices, by winners and others together, below which a wide interval cannot be relied upon


@dataclass(frozen=True)
class Token:
    """The parts of a token: `place:b2` is of the class `place`, at the place `b2`; `monk:italia:2` has more."""

    event: int
    text: str

    @property
    def parts(self) -> list[str]:
        """The words between the colons."""
        return self.text.split(":")


class Choices:
    """Sums over games of what was chosen, for each bot."""

    def __init__(self, variant: Variant, bots: Sequence[str]) -> None:
        self.bots = tuple(dict.fromkeys(bots))
        self.tokens = [Token(event, text) for text, event in variant.event_ids.items() if event < variant.actions]
        self.choices = np.zeros((len(self.bots), variant.actions, len(CHOICES)), np.int64)
        self.totals = np.zeros((len(self.bots), len(TOTALS)), np.int64)

    def add(self, results: Results) -> None:
        """Adds a chunk of games, if it was noted what was chosen in them."""
        if results.course:
            self.choices += results.course.choices
            self.totals += results.course.totals

    def times(self) -> npt.NDArray[np.int64]:
        """How often each action was chosen, by whomever: (actions,)."""
        return self.choices[:, :, :2].sum(axis=(0, 2))  # by winners and by others

    def table(self) -> pd.DataFrame:
        """A row for each bot and event that it chose.

        bot, token, kind, place (if the token names one): what was chosen; winners, others: how often. winners_share,
        others_share: of all their decisions; difference, low, high: of the shares, with its interval; nan where only
        winners or only others decided. wide_low, wide_high: its interval as one of those of all events of the bot.
        """
        rows = []
        for bot, choices, totals in zip(self.bots, self.choices, self.totals, strict=True):
            for token in self.tokens:
                sums = choices[token.event]
                if sums[:2].any():
                    kind, place = (*token.parts, "")[:2]
                    rows.append((bot, token.text, kind, place, int(sums[0]), int(sums[1]), *compared(sums, totals)))
        shares = ["winners_share", "others_share", "difference", "low", "high"]
        found = pd.DataFrame(rows, columns=["bot", "token", "kind", "place", "winners", "others", *shares])
        games = dict(zip(self.bots, self.totals[:, TOTALS.index("games")], strict=True))
        found = found.assign(**_wide(found, found.bot.map(games).astype(float)))
        ends = ["low", "high", "wide_low", "wide_high"]
        return found.assign(**found[ends].clip(*CHANGE_OF_PART))


def _wide(found: pd.DataFrame, games: pd.Series) -> dict[str, pd.Series]:
    """The ends of intervals that hold together for all events of a bot. games: in which it played."""
    number = found.difference.notna().groupby(found.bot).transform("sum")
    alone, together = (reach(games - 1, of) for of in (1, number.clip(lower=1)))
    half = (found.high - found.low) / 2 * together / alone
    return {"wide_low": found.difference - half, "wide_high": found.difference + half}


def sure(table: pd.DataFrame) -> pd.Series:
    """Whether winners surely choose something more, or surely less: bool, for each row of a table of either kind."""
    return (table.winners + table.others >= FEWEST) & ((table.wide_low > 0) | (table.wide_high < 0))


def compared(sums: npt.NDArray[np.int64], totals: npt.NDArray[np.int64]) -> tuple[float, float, float, float, float]:
    """The shares of one event among the decisions of winners and of others, and their difference with its interval."""
    y, z, yy, zz, yz, ym, zn, yn, zm = sums.astype(np.float64)
    m, n, mm, nn, mn, _, _, games = totals.astype(np.float64)
    if not (m and n) or games < 2:
        return (y / m if m else np.nan), (z / n if n else np.nan), np.nan, np.nan, np.nan
    p, q = y / m, z / n
    of_winners = (yy - 2 * p * ym + p * p * mm) / (m * m)
    of_others = (zz - 2 * q * zn + q * q * nn) / (n * n)
    of_both = (yz - q * yn - p * zm + p * q * mn) / (m * n)
    error = np.sqrt(max(0.0, of_winners + of_others - 2 * of_both) * games / (games - 1))
    half = reach(games - 1) * error
    return p, q, p - q, p - q - half, p - q + half


def places(table: pd.DataFrame, bot: str, kind: str) -> pd.DataFrame:
    """For one bot and kind of event: a row a place, with its share of all choices of that kind.

    share: by all seats; preference: how much more of their decisions winners spend on it than others, as a share of
    what others do; wide_low, wide_high: of the difference, as in the table.
    """
    own = table[(table.bot == bot) & (table.kind == kind) & (table.place != "")]
    sums = ["winners", "others", "winners_share", "others_share", "wide_low", "wide_high"]
    found = own.groupby("place", sort=False)[sums].sum(min_count=1).reset_index()
    choices = found.winners + found.others
    preference = found.winners_share / found.others_share - 1
    return found.assign(choices=choices, share=choices / choices.sum(), preference=preference)
