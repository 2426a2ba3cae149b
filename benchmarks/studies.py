"""What a study of `greedy` bots costs, and how much of that is summing up.

    python -m benchmarks.studies [--games bites rattus] [--size 1000000] [--workers 2]

Each study is the one in `docs/studies`, as a user gives the command, in a process of its own, from the start of Python
to the page; what it compiles has been compiled before, as after a user's first study of the game. How the
summing up compares with the games is measured apart, on one thread: pieces of games are played and summed up by turns,
because machines change their speed, and the share is the median over the pieces of processor time for processor time.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from rich.table import Table

from experiments import console, rows
from experiments.reports.findings import Gathering
from experiments.studies import Specification
from tabletop import matches

GAMES_A_PIECE = 1000
OPTIONS = {"bites": dict.fromkeys(("hill", "chocolate", "wine", "special"), "random")}  # else those of the rules
MEGABYTE = 1024  # the unit of the system's figure is 1,024 bytes on Linux


@dataclass(frozen=True)
class Cost:
    """Of one study: seconds by the clock and of processors, and the most memory in use, in megabytes."""

    seconds: float
    processor_seconds: float
    megabytes: float


@dataclass(frozen=True, kw_only=True)
class Studies:
    """Measures studies of all games of this project."""

    games: tuple[str, ...] = ("bites", "rattus", "rodentia")
    """Names of the games."""

    players: int = 4
    """Number of players."""

    size: int = 1_000_000
    """Games of each study."""

    workers: int = 2
    """Workers of each study."""

    pieces: int = 9
    """Pieces of 1,000 games each by which the summing up is compared with the games."""

    def run(self) -> int:
        """Measures and prints; returns the exit code."""
        table = Table(title=f"{self.size:,} games of {self.players} greedy bots, workers: {self.workers}")
        for heading in ("game", "seconds", "of processors", "most memory, MB", "summing up / games"):
            table.add_column(heading, justify="left" if heading == "game" else "right")
        for name in self.games:
            plan = study_of(name, self.players, self.size)
            share = summing_up(plan, self.pieces)  # compiles, too, so the study itself need not
            cost = cost_of(plan, self.workers)
            figures = (cost.seconds, cost.processor_seconds, cost.megabytes)
            table.add_row(name, *(f"{figure:,.0f}" for figure in figures), f"{share:.2f}")
        console.OUT.print(table)
        return console.SUCCESS


def study_of(game: str, players: int, games: int) -> Specification:
    """A study as in `docs/studies`."""
    options = OPTIONS.get(game, {})
    return Specification(game=game, players=players, options=options, bots=("greedy",), games=games, seed=1)


def cost_of(plan: Specification, workers: int) -> Cost:
    """Of the command that makes a study of this plan, with its page, in a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "experiments.balance", plan.game, "--players", str(plan.players)]
        command += ["--bots", ",".join(plan.bots), "--games", str(plan.games), "--seed", str(plan.seed)]
        command += ["--options", json.dumps(dict(plan.options))]
        command += ["--workers", str(workers), "--out", str(Path(folder) / "study")]
        start = perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)  # else it would be waited for once more
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        return Cost(perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / MEGABYTE)


def summing_up(plan: Specification, pieces: int) -> float:
    """Processor time of summing games up, as a multiple of that of the games and their rows."""
    gathering = Gathering(plan.variant, plan.bots)
    shares = [_piece(plan, gathering, k) for k in range(pieces + 1)]
    return median(shares[1:])  # the first loads what is compiled


def _piece(plan: Specification, gathering: Gathering, number: int) -> float:
    start, first = process_time(), number * GAMES_A_PIECE
    played = matches.play_games(
        plan.variant, GAMES_A_PIECE, plan.bots, plan.seed, first=first, threads=1, with_course=True
    )
    table = rows.table(plan.variant, played)
    middle = process_time()
    gathering.add_tables([table])
    return (process_time() - middle) / (middle - start)


if __name__ == "__main__":
    sys.exit(console.run_one(Studies))
