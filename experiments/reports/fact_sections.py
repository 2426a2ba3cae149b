"""The part of a report about each card, species and the like by itself, and which seat it helps."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from experiments.reports.leads import leads
from experiments.reports.page import paragraph, section, spaced, table
from experiments.reports.sections import INTERVALS, Told, if_known, ranged
from tabletop.game import Fact


def facts(told: Told) -> Iterator[str]:
    """Each fact with categories by itself: who wins by seat with it, then points and the like."""
    parts = [*_by_seat(told), *_tables(told)]
    if parts:
        yield section("facts", "Each by itself", *parts, paragraph(told.strength, "strength"))


def _by_seat(told: Told) -> Iterator[str]:
    """Wins by seat with each category of what is dealt, the largest lead first."""
    if told.players == 1:
        return
    found = leads(told.variant, told.findings.summary)
    if not len(found):
        return
    every = told.rows(seat=True)
    cells = [_seats_row("all games", told.findings.games, every, told, _lead(*told.gap), "")]
    by_seat = told.findings.summary[(told.findings.summary.seat != "") & (told.findings.summary.bot == "")]
    for _, row in found.iterrows():
        own = by_seat[(by_seat.fact == row.fact) & (by_seat.category == row.category)]
        name, lead = spaced(f"{row.fact}: {row.category}"), _lead(row.lead, row.best, row.worst)
        luck = "–" if np.isnan(row.luck) else f"{100 * row.luck:.1f}"  # a single game
        cells.append(_seats_row(name, row.games, own, told, lead, luck))
    headings = ("with", "games", *(f"seat {seat}, wins %" for seat in range(told.players)), "lead", "by luck up to")
    intervals = if_known(every, INTERVALS)
    caption = f"Lead: of the best seat over the worst, percentage points; as it came{intervals}"
    yield paragraph(_luck(len(found)))
    yield table(headings, cells, caption)


def _lead(lead: float, best: str, worst: str) -> str:
    return f"{100 * lead:.1f} (seat {best} over {worst})"


def _seats_row(name: str, games: int, own: pd.DataFrame, told: Told, lead: str, luck: str) -> tuple[str, ...]:
    """The cells of one row; – for a seat that never had it."""
    shares = {row.seat: ranged(row, "win", 100) for _, row in own.iterrows()}
    cells = (shares.get(str(seat), "–") for seat in range(told.players))
    return name, f"{games:,}", *cells, lead, luck


def _luck(rows: int) -> str:
    return (
        f"Does a card, a goal or a species make it matter more where you sit? {rows} rows are compared here and the "
        "largest lead stands first, so the largest is partly luck, and the more so the fewer the games with it. By "
        "luck up to: if all seats were equal, in only one of twenty studies with as many games would any row have a "
        "lead above its own number there. In short, a lead is named only if it is larger than the sum of this number "
        "and the lead in all games together."
    )


def _tables(told: Told) -> Iterator[str]:
    for fact in told.variant.game.facts:
        rows = told.rows(fact.name)
        if fact.categories and (fact.of_seat or fact.explains) and len(rows) > 1:
            yield _fact_table(told, fact, rows)


def _fact_table(told: Told, fact: Fact, rows: pd.DataFrame) -> str:
    """Measures of those whom it concerns: with a card for all seats these share the wins and places whatever it is."""
    wins = {"wins %": ("win", 100, 1)} if fact.of_seat or told.players == 1 else {}
    places = {"mean place": ("place", 1, 2)} if fact.of_seat and told.players > 1 else {}
    shown = {**wins, "score": ("score", 1, 1), **places}
    of_some = fact.of_seat and told.players > 1
    cells = [
        (
            spaced(str(row.category)),
            f"{row.games:,}",
            *([f"{row.seats / row.games:.2f}"] if of_some else []),
            *(ranged(row, *how) for how in shown.values()),
        )
        for _, row in rows.iterrows()
    ]
    caption = f"{fact.meaning}: as it came, not separated from anything else{if_known(rows, INTERVALS)}"
    if not of_some:
        return table((spaced(fact.name), "games", *shown), cells, caption)
    caption += (
        ". Games: with at least one such seat; such seats: how many there were in one of these games. Where nearly all "
        "seats of a game are such, they share its win, and win an equal share whatever it is worth"
    )
    return table((spaced(fact.name), "games", "such seats", *shown), cells, caption)
