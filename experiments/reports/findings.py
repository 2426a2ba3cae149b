"""Everything that a study of games says, from its shards, one at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa

from experiments.reports.choices import Choices
from experiments.reports.counts import Counts
from experiments.reports.courses import Courses
from experiments.reports.effects import Effects
from experiments.reports.head_starts import HeadStarts
from experiments.reports.ties import Ties
from experiments.rows import results_of
from experiments.studies.disk import write_file
from experiments.studies.folder import TABLES
from experiments.studies.specification import Specification
from experiments.summary import Summary
from tabletop import Results, Variant, matches


def number_of(games: int) -> str:
    """How many games, as a text."""
    return f"{games:,} game{'' if games == 1 else 's'}"


@dataclass(frozen=True)
class Findings:
    """The tables of a study; see the `table` of the class that makes each.

    bots: those that played, each once.
    """

    bots: tuple[str, ...]
    games: int
    summary: pd.DataFrame
    gap: pd.DataFrame
    head_starts: pd.DataFrame
    ties: pd.DataFrame
    effects: pd.DataFrame
    course: pd.DataFrame
    choices: pd.DataFrame
    counts: pd.DataFrame

    @property
    def number_of_games(self) -> str:
        """How many games, as a text."""
        return number_of(self.games)

    def write(self, folder: Path) -> None:
        """Writes each table as a CSV and as a Parquet file."""
        for name in TABLES:
            table: pd.DataFrame = getattr(self, name)
            write_file(folder / f"{name}.csv", table.to_csv(index=False).encode())
            write_file(folder / f"{name}.parquet", table.to_parquet(index=False))


class Gathering:
    """Takes the games of a study, chunk by chunk; what it keeps does not grow with their number."""

    def __init__(self, variant: Variant, bots: Sequence[str]) -> None:
        """bots: the names that the indexes in the results mean; equal names are one bot."""
        self.variant, self.bots = variant, tuple(bots)
        self.summary, self.ties = Summary(variant, bots), Ties(variant.players)
        self.head_starts = HeadStarts(bots)
        self.effects, self.courses = Effects(variant, bots), Courses(variant)
        self.choices, self.counts = Choices(variant, bots), Counts(variant, bots)

    def add(self, results: Results) -> None:
        """Adds a chunk of games."""
        for part in (self.summary, self.head_starts, self.ties, self.effects, self.courses, self.choices, self.counts):
            part.add(results)

    def add_tables(self, tables: Iterable[pa.Table]) -> "Gathering":
        """Adds the shards of a study; returns itself."""
        for table in tables:
            self.add(results_of(self.variant, self.bots, table))
        return self

    def findings(self) -> Findings:
        """What the games so far say."""
        gap = self.head_starts.without
        return Findings(
            bots=self.summary.bots,
            games=gap.games,
            summary=self.summary.table(),
            gap=gap.table(),
            head_starts=self.head_starts.table(),
            ties=self.ties.table(),
            effects=self.effects.table(),
            course=self.courses.table(),
            choices=self.choices.table(),
            counts=self.counts.table(),
        )


def findings_of(plan: Specification) -> Findings:
    """What the games of a study say, played here and now, without a folder."""
    seated = plan.seated()
    gathering = Gathering(plan.variant, [bot.name for bot in seated])
    for chunk in matches.play_chunks(
        plan.variant, plan.games, seated, plan.seed, rotate=plan.rotate, with_course=plan.course
    ):
        gathering.add(chunk)
    return gathering.findings()
