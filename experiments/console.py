"""What every command does in a terminal: arguments, tables, progress bars, errors, exit codes.

Results go to the standard output, everything else to the standard error.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from threading import Lock
from time import monotonic
from typing import Protocol

import tyro
from rich import box
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from tabletop import FailedBotError, IllegalChoiceError
from tabletop.extras import MissingExtraError
from tabletop.jit import CACHE_FOLDER, compilation_told_to

SECONDS_A_LINE = 60  # of progress, where the standard error is no terminal
WIDE = 160  # columns, where the output is no terminal

OUT = Console(width=None if sys.stdout.isatty() else WIDE)
ERR = Console(stderr=True)

SUCCESS, FAILURE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130  # exit codes


class Command(Protocol):
    """A dataclass of arguments that knows how to run."""

    def run(self) -> int:
        """Does the work; returns the exit code."""


def run_one(command: type[Command], arguments: Sequence[str] | None = None) -> int:
    """Parses the arguments of one command (by default the program's) and runs it; returns the exit code."""
    prog = f"python -m {_module_of(command)}"
    return _run(lambda: tyro.cli(command, prog=prog, args=arguments, config=_STYLE))


def _module_of(command: type[Command]) -> str:
    """The name by which Python was told to run the module of a command."""
    run_as = getattr(sys.modules["__main__"], "__spec__", None)  # None if a file was named
    return run_as.name if run_as and command.__module__ == "__main__" else command.__module__


def run_any(commands: Mapping[str, type[Command]], about: str, arguments: Sequence[str] | None = None) -> int:
    """Parses the name of a command and its arguments, and runs it; returns the exit code."""
    return _run(
        lambda: tyro.extras.subcommand_cli_from_dict(
            dict(commands), prog="critters", description=about, args=arguments, config=_STYLE
        )
    )


_STYLE = (tyro.conf.FlagCreatePairsOff, tyro.conf.PositionalMetavarFromFieldName)


def _run(parse: Callable[[], Command]) -> int:
    """Runs what `parse` answers. Errors that a user can mend are told in one line, without a traceback."""
    try:
        command = parse()
        with compilation_told_to(_Notice().compiling):
            return command.run()
    except BrokenPipeError:  # whoever read our output has seen enough
        sys.stderr.close()
        return FAILURE
    except (ValueError, OSError, FailedBotError, IllegalChoiceError, MissingExtraError) as error:
        ERR.print(f"error: {_told(error)}", style="bold red", markup=False, highlight=False, soft_wrap=True)
        return BAD_INPUT
    except KeyboardInterrupt as stopped:
        ERR.print(str(stopped) or "interrupted; no file was changed", style="bold red", soft_wrap=True)
        return INTERRUPTED


def _told(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


class _Notice:
    """Says once that functions are compiled, and each one's name where a progress bar is shown."""

    def __init__(self) -> None:
        self.was_given = False

    def compiling(self, function: str) -> None:
        if not self.was_given:
            self.was_given = True
            say(f"Compiling for this machine, once for these sources; kept in {CACHE_FOLDER} …")
        for bar in _BARS:
            bar.describe(f"compiling {function}")


def say(text: str) -> None:
    """Tells the user something that is no result."""
    ERR.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)


def print_plain(text: str) -> None:
    """Prints a result as it is: no colours, no wrapping; what the output cannot encode is escaped."""
    printable = text.encode(OUT.encoding, "backslashreplace").decode(OUT.encoding)
    OUT.print(printable, markup=False, highlight=False, soft_wrap=True)


def empty_table(title: str, headings: Sequence[str], caption: str) -> Table:
    """A table without rows: the first column is for names, the others are for numbers."""
    table = Table(title=title, title_justify="left", caption=caption, caption_justify="left", box=box.SIMPLE_HEAD)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left")
    return table


class Bar:
    """A progress bar on a terminal; elsewhere, as in a log, a line each minute: none for shorter work."""

    def __init__(self, progress: Progress, what: str, total: float | None) -> None:
        self.progress, self.what, self.total = progress, what, total
        self.task = progress.add_task(what, total=total)
        self.done, self.told, self.lock = 0.0, 0.0, Lock()
        self.time_told = monotonic()

    def advance(self, done: float) -> None:
        """Hears of a finished amount of work, from any thread."""
        self.progress.update(self.task, advance=done, description=self.what)
        if self.progress.disable:
            self._count(done)

    def _count(self, done: float) -> None:
        with self.lock:
            self.done += done
            seconds = monotonic() - self.time_told
            if seconds >= SECONDS_A_LINE:
                say(self._line((self.done - self.told) / seconds))
                self.told, self.time_told = self.done, self.time_told + seconds

    def _line(self, rate: float) -> str:
        """How much is done, how fast it went since the last line, and how long the rest takes at this rate."""
        if self.total is None:
            return f"{self.what}: {self.done:,.0f} done, {_per_second(rate)}"
        left = f", {timedelta(seconds=round((self.total - self.done) / rate))} left" if rate > 0 else ""
        return f"{self.what}: {self.done:,.0f} of {self.total:,.0f}, {_per_second(rate)}{left}"

    def describe(self, text: str) -> None:
        """Shows a text in place of what is being done, until there is progress."""
        self.progress.update(self.task, description=text)


def _per_second(rate: float) -> str:
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"


class _Rate(ProgressColumn):
    """How much is done in a second, of late."""

    def render(self, task: Task) -> Text:
        """The rate as text; nothing before there is one."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else _per_second(speed))


_BARS: list[Bar] = []


@contextmanager
def progress_bar(what: str, total: float | None) -> Iterator[Bar]:
    """Shows the progress of long work, in a log as lines; pass the bar's `advance` to whatever does it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate())
    times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*columns, *times, console=ERR, disable=not ERR.is_terminal, transient=True) as progress:
        bar = Bar(progress, what, total)
        _BARS.append(bar)
        try:
            yield bar
        finally:
            _BARS.remove(bar)
