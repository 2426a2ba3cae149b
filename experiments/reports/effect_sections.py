"""The parts of a report about effects: of what is dealt, and what goes along with the choices of seats."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from experiments.reports import figures
from experiments.reports.effects import CHOSEN, DEALT
from experiments.reports.figures import LONGEST
from experiments.reports.page import figure, paragraph, section, spaced
from experiments.reports.sections import FEWEST, Told, if_known

OUTCOMES = {
    "win": (100, "share of wins against the average, percentage points"),
    "score": (1, "points against the average"),
}

_COMBINED = {True: "Cards, species, seats and players", False: "Cards and the like"}
_LINES = {
    DEALT: " The line through a dot is its 95 % interval: where it crosses the dashed line, the study does not show a "
    "difference.",
    CHOSEN: " The line through a dot is its 95 % interval.",
}
_OPEN_CARDS = " A card that lies open for all can change points, but not the shares of wins of all seats together."


def effects(told: Told) -> Iterator[str]:
    """Effects of cards and the like, separated from each other."""
    yield from _of_origin(
        told,
        DEALT,
        ("effects", "What do cards and the like change?"),
        f"{_COMBINED[told.players > 1]} come in all combinations. These numbers compare like with like: what one of "
        "them changes if everything else named here stays the same, against the average of all games. All of it is "
        f"dealt, not chosen, so the differences are its doing.{_OPEN_CARDS * (told.players > 1)}",
        "A dot to the right of the dashed line helps, one to the left harms.{}",
    )


def chosen(told: Told) -> Iterator[str]:
    """What goes along with the choices of seats, apart from effects of what is dealt."""
    yield from _of_origin(
        told,
        CHOSEN,
        ("chosen", "What goes along with the choices of players?"),
        "These are no causes. What a seat takes is its own decision in play: it may do well because it took this, "
        "or take this because it does well. The numbers compare seats that chose as often, and tell only what "
        "goes along with winning and points. What a card is worth, `critters restrict` measures: it forbids the "
        "card to one seat and plays the same games again.",
        "A dot to the right of the dashed line: seats that chose this once more, instead of something else of its "
        "kind, did better.{} What hardly any seat chose is left out.",
    )


def _of_origin(told: Told, origin: str, named: tuple[str, str], text: str, read: str) -> Iterator[str]:
    """A section with the pictures of one origin, if there are any.

    named: its name and heading. read: how to do so, with {} where a sentence about intervals belongs.
    """
    found = told.findings.effects
    read = read.format(if_known(found[found.origin == origin], _LINES[origin]))
    parts = [
        figure(picture, spoken, read) for outcome in OUTCOMES for picture, spoken in forests(told, outcome, origin)
    ]
    if parts:
        yield section(*named, paragraph(text), *parts, paragraph(told.strength, "strength"))


def forests(told: Told, outcome: str, origin: str = DEALT) -> Iterator[tuple[str, str]]:
    """Pictures of the effects on `win` or `score` of what is DEALT or CHOSEN, each with its numbers as a text.

    None if there are only seats. What fewer than FEWEST seats had is left out, unless all had so few.
    """
    factor, what = OUTCOMES[outcome]
    own = told.findings.effects
    own = own[(own.outcome == outcome) & (own.factor != "bot") & (own.origin == origin)]
    enough = own.seats >= FEWEST
    own = own[enough] if enough.any() else own
    if set(own.factor) <= {"seat"}:
        return
    numbers = {name: factor * own[column] for name, column in (("value", "effect"), ("low", "low"), ("high", "high"))}
    meanings = {fact.name: fact.meaning for fact in told.variant.game.facts}  # of what is chosen, each is a fact
    labels = own.category.map(lambda category: meanings.get(category, spaced(category)))
    rows = pd.DataFrame({"group": own.meaning, "label": labels, **numbers})
    for number, part in enumerate(_cut(rows)):
        spoken = "; ".join(f"{row.group}, {row.label}: {_effect_text(row)}" for _, row in part.iterrows())
        yield figures.ranges(f"{origin}-{outcome}-{number}", part, what), spoken


def _effect_text(row: pd.Series) -> str:
    """An effect with its interval; without one where there are too few games for it."""
    return f"{row.value:+.1f}" + ("" if np.isnan(row.low) else f" ({row.low:+.1f} to {row.high:+.1f})")


def _cut(rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Whole groups, in pictures that are not too long."""
    held: list[pd.DataFrame] = []
    for _, own in rows.groupby("group", sort=False):
        if held and sum(map(len, held)) + len(own) > LONGEST:
            yield pd.concat(held)
            held = []
        held.append(own)
    yield pd.concat(held)
