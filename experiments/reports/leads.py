"""How far the best seat is ahead of the worst one with each card, goal or species that comes with the deal.

A fact is dealt if an option of the game has its name: the option fixes the card or lets it be drawn. Other facts, such
as how often a seat took a class, come out of the play itself, so what seats win with them says little about the deal.
"""

import numpy as np
import pandas as pd
from scipy import stats

from experiments.summary import CONFIDENCE
from tabletop import Variant
from tabletop.game import Fact


def dealt_facts(variant: Variant) -> list[Fact]:
    """The facts with categories that come with the deal."""
    return [fact for fact in variant.game.facts if fact.categories and fact.name in variant.settings.options]


def leads(variant: Variant, summary: pd.DataFrame) -> pd.DataFrame:
    """A row for each category that came in some games and not in others, the largest lead first; see `_lead`."""
    whole = summary[(summary.bot == "") & (summary.fact != "")]
    rows = []
    for fact in dealt_facts(variant):
        own = whole[whole.fact == fact.name]
        if own.category.nunique() > 1:
            rows += [_lead(fact, category, group) for category, group in own.groupby("category", sort=False)]
    columns = ["fact", "category", "games", "best", "worst", "lead", "error"]
    found = pd.DataFrame(rows, columns=columns)
    return found[found.lead.notna()].sort_values("lead", ascending=False, kind="stable", ignore_index=True)


def _lead(fact: Fact, category: object, rows: pd.DataFrame) -> tuple[object, ...]:
    """The parts of a row.

    fact, category, games; best, worst: seats; lead: difference of their shares of wins, nan where the category came
    for fewer than two seats; error: standard error of the share of one seat, as a mean over the seats, as if the seats
    were independent of each other. With a card that is the same for all seats they share one win, so that their shares
    differ more than independent ones with the same errors would.
    """
    games = int(rows[rows.seat == ""].games.iloc[0])
    seats = rows[rows.seat != ""]
    if len(seats) < 2:
        return fact.name, category, games, "", "", np.nan, np.nan
    best, worst = int(seats.win.to_numpy().argmax()), int(seats.win.to_numpy().argmin())
    reach = (seats.win_high - seats.win_low).to_numpy() / 2 / stats.norm.ppf((1 + CONFIDENCE) / 2)
    together = 1 if fact.of_seat else len(seats) / (len(seats) - 1)
    error = float(np.sqrt(together * np.mean(reach**2)))
    lead = seats.win.iloc[best] - seats.win.iloc[worst]
    return fact.name, category, games, seats.seat.iloc[best], seats.seat.iloc[worst], lead, error


def lead_by_luck(found: pd.DataFrame, players: int) -> float:
    """How large the largest of these leads is in only one of twenty studies if all seats are equal."""
    error = float(np.sqrt((found.error**2).mean()))
    return error * float(stats.studentized_range.ppf(CONFIDENCE ** (1 / len(found)), players, np.inf))
