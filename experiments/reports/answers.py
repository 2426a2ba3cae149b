"""What a command that compares several studies found, for the terminal and as one page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from experiments.console import empty_table
from experiments.reports import page
from experiments.reports.figures import ACCENT, INK, LONGEST, SECOND, drawn, ranges
from experiments.summary import with_interval


@dataclass(frozen=True)
class Sheet:
    """A table of texts; the first column names the rows.

    Lines of the title are parts of it, those of the caption end where a terminal does, be it in mid-sentence.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str

    def for_terminal(self) -> Table:
        """The table for the terminal."""
        table = empty_table(escape(self.title), self.headings, escape(self.caption))
        for row in self.rows:
            table.add_row(*map(escape, row))
        return table

    def html(self) -> str:
        """The table for a page."""
        title, caption = "; ".join(self.title.splitlines()), " ".join(self.caption.splitlines())
        return page.paragraph(title) + page.table(self.headings, self.rows, caption)


@dataclass(frozen=True)
class Drawing:
    """A picture that is drawn when it is needed (MissingExtraError without matplotlib), and how to read it."""

    draw: Callable[[], str]
    says: str
    how_to_read: str

    def html(self) -> str:
        """The picture for a page."""
        return page.figure(self.draw(), self.says, self.how_to_read)


@dataclass(frozen=True)
class Answer:
    """asked: what was played, in plain words. found: what that says, a sentence or two each.

    strength: how far it holds for other players; played: what was played in full, as a part of a page.
    """

    title: str
    asked: str
    found: Sequence[str]
    sheets: Sequence[Sheet]
    drawings: Sequence[Drawing]
    strength: str = ""
    played: str = ""

    def for_terminal(self) -> Iterator[RenderableType]:
        """The tables, and below them what they say."""
        yield from (sheet.for_terminal() for sheet in self.sheets)
        if self.found:
            yield Text("\n".join(self.found))

    def html(self) -> str:
        """A page that needs nothing else; MissingExtraError without matplotlib."""
        told = page.paragraph(" ".join([self.asked, *self.found]))
        sheets, drawings = [sheet.html() for sheet in self.sheets], [drawing.html() for drawing in self.drawings]
        strength = page.paragraph(self.strength, "strength")
        return page.page(self.title, [told, strength, *sheets, *drawings, self.played])


def forest(name: str, rows: pd.DataFrame, what: str, says: str, how_to_read: str) -> Drawing:
    """Points with intervals; the farthest from 0 where there are too many. rows: group, label, value, low, high."""
    chosen = rows[rows.value.notna()]
    if len(chosen) > LONGEST:
        farthest = chosen.value.abs().sort_values(ascending=False, kind="stable").index[:LONGEST]
        chosen = chosen.loc[sorted(farthest)]
        how_to_read += f" Of {len(rows)} rows, the {LONGEST} that are farthest from 0."
    return Drawing(lambda: ranges(name, chosen, what), says, how_to_read)


def curve(name: str, rows: pd.DataFrame, axes_of: Mapping[str, str], line: float, says: str) -> Drawing:
    """A metric over a number, and a line at its target. rows: at, value, low, high; axes_of: names of x and y."""

    def draw() -> str:
        with drawn(name, 3.4) as (axes, text):
            arms = [rows.value - rows.low, rows.high - rows.value]
            axes.errorbar(rows["at"], rows.value, yerr=arms, fmt="o-", color=ACCENT, ecolor=INK, capsize=3, linewidth=1)
            axes.axhline(line, color=SECOND, linestyle="--")
            axes.set_xlabel(axes_of["x"])
            axes.set_ylabel(axes_of["y"])
        return text[0]

    how = "Each point is a value that was measured, with its 95 % interval; the dashed line is the target."
    return Drawing(draw, says, how)


def interval(row: pd.Series, name: str, factor: int, digits: int) -> str:
    """A number in the column `name` of a row with the ends of its interval, all times a factor."""
    return with_interval((factor * row[name + end] for end in ("", "_low", "_high")), digits)


def enumerated(words: Sequence[str]) -> str:
    """Words as one enumeration."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
