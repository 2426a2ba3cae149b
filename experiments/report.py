"""What a study says, as tables, data and one HTML page: `critters report DIR`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import tyro

from experiments import console
from experiments.arguments import Folder
from experiments.chance import Chance
from experiments.reports import effect_sections, fact_sections, head_start_sections, play_sections, sections
from experiments.reports.findings import Findings, Gathering
from experiments.reports.page import listed, page, section
from experiments.reports.sections import SHARED, Told
from experiments.reports.tables import tables
from experiments.restrict import Restrict
from experiments.rows import ColumnError
from experiments.series import SeriesCommand, command_of
from experiments.skill import Skill
from experiments.studies.disk import write_file
from experiments.studies.folder import PAGE, Study
from experiments.studies.manifest import StudyError
from experiments.studies.specification import Specification
from experiments.summary import has_intervals
from experiments.sweep import Sweep

SERIES: dict[str, type[SeriesCommand]] = {command.name: command for command in (Sweep, Restrict, Chance, Skill)}


@dataclass(frozen=True, kw_only=True)
class Report:
    """Reads the study of games that lies in DIR and makes its report again, without playing.

    DIR gets report.html, a page that needs nothing else and no network, and the data of its tables and pictures:
    summary, gap, head_starts, ties, effects, course, choices and counts, each as CSV and Parquet. Pictures need the
    extra `plots`.
    Of a folder of `critters sweep`, `restrict`, `chance` or `skill` the page is made from its table.
    """

    folder: tyro.conf.Positional[Folder]
    """Folder of a study, as `critters balance` makes it, or of several that were compared."""

    def run(self) -> int:
        """Reads, writes and prints; returns the exit code."""
        name = command_of(self.folder)
        return self._compared(SERIES[name]) if name in SERIES else self._of_games()

    def _compared(self, command: type[SeriesCommand]) -> int:
        answer = command.answer_of(self.folder)
        for part in answer.for_terminal():
            console.OUT.print(part)
        write_file(self.folder / PAGE, answer.html().encode())
        console.say(f"the report is {self.folder / PAGE}")
        return console.SUCCESS

    def _of_games(self) -> int:
        study, plan = Study.open(self.folder, Specification)
        gathering = Gathering(plan.variant, [bot.name for bot in plan.seated()])
        study.tell_other_environment()
        with console.progress_bar("reading", plan.shards) as bar:
            for shard, table in enumerate(study.tables()):
                _gather(gathering, table, study.path(shard))
                bar.advance(1)
        findings = gathering.findings()
        for shown in tables(plan.variant, gathering.summary, findings):
            console.OUT.print(shown)
        findings.write(self.folder)
        write_page(self.folder, plan, findings)
        console.say(f"the report is {self.folder / PAGE}")
        return console.SUCCESS


def _gather(gathering: Gathering, table: pa.Table, path: Path) -> None:
    """Adds a shard; StudyError that names it if it has other columns than there would be now."""
    try:
        gathering.add_tables([table])
    except ColumnError as error:
        raise StudyError(f"{path}: {error}") from None


def write_page(folder: Path, plan: Specification, findings: Findings) -> None:
    """Writes the page into the folder of its study; MissingExtraError without matplotlib."""
    write_file(folder / PAGE, made(plan, findings).encode())


def made(plan: Specification, findings: Findings) -> str:
    """The page; MissingExtraError without matplotlib."""
    told = Told(plan, findings)
    title = f"{told.variant.heading}, {findings.number_of_games}"
    return page(title, _parts(told))


def _parts(told: Told) -> Iterator[str]:
    yield sections.summary(told)
    yield sections.played(told)
    yield from sections.bots(told)
    yield from sections.seats(told)
    yield from head_start_sections.head_starts(told)
    yield sections.scores(told)
    yield sections.lengths(told)
    yield from sections.endings(told)
    dealt, chosen = list(effect_sections.effects(told)), list(effect_sections.chosen(told))
    choices = list(play_sections.choices(told))
    yield from (*dealt, *chosen, *play_sections.course(told), *choices, *fact_sections.facts(told))
    yield _method(told, bool(dealt), bool(chosen), bool(choices))


def _method(told: Told, dealt: bool, chosen: bool, choices: bool) -> str:
    """How the numbers on the page were made.

    dealt, chosen, choices: whether it has effects of what is dealt, those of what is chosen, what winners choose.
    """
    several, gap, effects = told.players > 1, told.findings.gap, told.findings.effects
    lines = {
        f"{_INTERVALS}{_OF_SEATS if several else ''}": has_intervals(told.findings.summary),
        _GAP: len(gap) > 0,
        _EQUAL: bool(((gap.gap > 0) & gap.chance.notna()).any()),
        _WINS: several,
        _CHOICES: choices,
        _DEALT.format("seat, " if several else ""): dealt,
        _CHOSEN: chosen,
        _ERRORS: (dealt or chosen) and has_intervals(effects),
        _DATA: True,
    }
    return section("method", "How the numbers were made", listed([line for line, is_told in lines.items() if is_told]))


_INTERVALS = (
    "An interval, where nothing else is said, holds the truth in 95 of 100 studies by itself, not all of them "
    "together: Wilson's for rates, Student's for means, without what is impossible."
)
_OF_SEATS = " Its unit is the game, because the seats of one game depend on each other."
_GAP = (
    "The interval of the gap between seats is Tukey's, with one more win of each seat: it holds for all pairs of seats "
    "together, so it covers the gap at least as often. Each way in which the bots sat counts the same in the gap."
)
_EQUAL = (
    "Whether seats are equal: by arrangements of the same games that would be as likely if they were, everybody "
    "sitting some seats further on; drawn by chance up to 1,000 games, by chi-square beyond."
)
_WINS = (
    f"{SHARED}; where the rules break a tie of points, only those share it who are still level then. A seat is a place "
    "in the order of play, counted from 0; bots change seats in rotation."
)
_CHOICES = (
    "The intervals of what winners choose are wider than for one event by itself: in 95 of 100 studies those of all "
    "events together hold the truth (Bonferroni). Their unit, too, is the game."
)
_DEALT = (
    "Effects of what is dealt are fitted by least squares on {}bot and all facts that are dealt at once. In short, "
    "only effects are named that are sure in spite of their number (Bonferroni), of those the one that is farthest "
    "from 0 at the near end of its interval."
)
_CHOSEN = (
    "What goes along with choices is fitted by least squares beside all that is dealt, among seats that chose equally "
    "often, where the last number of times stands for more as well."
)
_ERRORS = "Errors of what is fitted by least squares come from a jackknife over 64 groups of games."
_DATA = "The data of all tables and pictures are written beside this page when it is made, as CSV and Parquet files."


if __name__ == "__main__":
    sys.exit(console.run_one(Report))
