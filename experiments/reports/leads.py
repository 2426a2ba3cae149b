"""How far the best seat is ahead of the worst one with each card, goal or species that comes with the deal.

A fact is dealt if an option of the game has its name: the option fixes the card or lets it be drawn. Other facts, such
as how often a seat took a class, come out of the play itself, so what seats win with them says little about the deal.

A rare card has a large lead by luck alone, a frequent one a small lead. So each lead is compared with its own standard
error: what luck may bring is told for each row, and all rows together stay below it in 19 of 20 studies.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from experiments.summary import CONFIDENCE
from tabletop import Variant
from tabletop.game import Fact

Floats = npt.NDArray[np.float64]


def dealt_facts(variant: Variant) -> list[Fact]:
    """The facts with categories that come with the deal."""
    return [fact for fact in variant.game.facts if fact.categories and fact.name in variant.settings.options]


def leads(variant: Variant, summary: pd.DataFrame) -> pd.DataFrame:
    """A row for each category that came in some games and not in others, the largest lead first; see `_lead`.

    luck: a lead for each row, such that if all seats are equal, only one study of twenty has any row with a larger one.
    """
    whole = summary[(summary.bot == "") & (summary.fact != "")]
    rows = []
    for fact in dealt_facts(variant):
        own = whole[whole.fact == fact.name]
        if own.category.nunique() > 1:
            rows += [_lead(fact, category, group) for category, group in own.groupby("category", sort=False)]
    columns = ["fact", "category", "games", "seats", "best", "worst", "lead", "error"]
    found = pd.DataFrame(rows, columns=columns)
    found = found[found.lead.notna()].sort_values("lead", ascending=False, kind="stable", ignore_index=True)
    return found.assign(luck=[row.error * critical(row.seats, len(found)) for _, row in found.iterrows()])


def _lead(fact: Fact, category: object, rows: pd.DataFrame) -> tuple[object, ...]:
    """The parts of a row.

    fact, category, games; seats: how many had it; best, worst: of them; lead: difference of their shares of wins, nan
    where the category came for fewer than two seats; error: see `error_of_one_seat`.
    """
    games = int(rows[rows.seat == ""].games.iloc[0])
    seats = rows[rows.seat != ""]
    if len(seats) < 2:
        return fact.name, category, games, len(seats), "", "", np.nan, np.nan
    best, worst = int(seats.win.to_numpy().argmax()), int(seats.win.to_numpy().argmin())
    error = float(error_of_one_seat(seats.win_low.to_numpy(), seats.win_high.to_numpy(), not fact.of_seat))
    lead = seats.win.iloc[best] - seats.win.iloc[worst]
    return fact.name, category, games, len(seats), seats.seat.iloc[best], seats.seat.iloc[worst], lead, error


def error_of_one_seat(low: Floats, high: Floats, share_one_win: bool) -> Floats:
    """The standard error of the share of one seat, as a mean over the seats, as if they were independent of each other.

    low, high: the ends of the interval of each seat's share (…, seats). With a card that is the same for all seats they
    share one win, so that their shares differ more than independent ones with the same errors would.
    """
    seats, errors = low.shape[-1], (high - low) / 2 / scipy.stats.norm.ppf((1 + CONFIDENCE) / 2)
    together = seats / (seats - 1) if share_one_win else 1
    return np.sqrt(together * np.mean(errors**2, axis=-1))


@cache
def critical(seats: int, rows: int) -> float:
    """How many standard errors of a seat's share the leads of so many rows all stay below in 19 of 20 studies.

    Of each row by the distribution of the range of independent means, of all rows as if they were independent (Šidák).
    """
    return float(scipy.stats.studentized_range.ppf(CONFIDENCE ** (1 / rows), seats, np.inf))
