"""The part of a report about points that would make the seats equal."""

from collections.abc import Iterator

from experiments.reports.head_starts import as_text
from experiments.reports.page import paragraph, section, table
from experiments.reports.sections import Told
from experiments.summary import CONFIDENT


def head_starts(told: Told) -> Iterator[str]:
    """Who would win with a head start of each size."""
    rows = told.findings.head_starts
    if rows.empty:
        return
    cells = [
        (
            as_text(row.points) if row.points else "no head start",
            *(f"{100 * row[f'win_{seat}']:.1f}" for seat in range(told.players)),
            f"{100 * row.gap:.1f} ({100 * row.gap_low:.1f} to {100 * row.gap_high:.1f})",
            "smallest" if row.smallest else "",
        )
        for _, row in rows.iterrows()
    ]
    headings = ("each seat has", *(f"seat {seat}, wins %" for seat in range(told.players)), "gap", "")
    yield section(
        "head-starts",
        "Would a head start make the seats equal?",
        paragraph(
            "The same games, counted again with points added at the end, each seat getting so many more than its "
            "neighbour. Nobody knew of them, so this holds as far as players would play as they did. Seats that come "
            "level by them share the win. Where the first and the last seat get less than a point more or less than "
            "each other, the head start only decides between seats with equal points. The smallest of several gaps is "
            "partly luck, and the more so the fewer the games."
        ),
        table(headings, cells, f"Gap: of the best seat over the worst one, percentage points; {CONFIDENT} intervals"),
        paragraph(told.strength, "strength"),
    )
