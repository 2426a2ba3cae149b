"""How fast is uniformly random play beside a hand-written C program that plays the same events?

    python benchmarks/random_play.py [--game bites] [--players 2 3 4 5] [--yardstick benchmarks/bites.c]

Builds the C program with the C compiler of this machine and lets it and the engine play in turn, in short pieces of
one thread's CPU time, because machines change their speed. A yardstick is called as `program PLAYERS SECONDS SEED`
and prints its events a second first. The ratio is the median over the pairs of pieces.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from rich.table import Table

from experiments import console
from tabletop import Variant, make, play

HERE = Path(__file__).parent
GAMES_A_CALL = 500


@dataclass(frozen=True, kw_only=True)
class RandomPlay:
    """Compares random play with a C program."""

    game: str = "bites"
    """Name of the game."""

    players: tuple[int, ...] = (2, 3, 4, 5)
    """Numbers of players."""

    yardstick: Path = HERE / "bites.c"
    """The C program."""

    seconds: float = 0.3
    """CPU time of a piece."""

    pieces: int = 9
    """Pairs of pieces for each number of players."""

    def run(self) -> int:
        """Builds, measures and prints; returns the exit code."""
        table = Table(title=f"{self.game}: random play on one thread beside {self.yardstick.name}")
        for heading in ("players", "engine, million events/s", "C, million events/s", "ratio"):
            table.add_column(heading, justify="right")
        with tempfile.TemporaryDirectory() as folder:
            program = build(self.yardstick, Path(folder))
            for players in self.players:
                variant = make(self.game, players)
                engine_rate(variant, 0.0, 0)  # compiles
                pairs = [self._pair(variant, program, seed) for seed in range(self.pieces)]
                rates = [median(rates) / 1e6 for rates in zip(*pairs, strict=True)]
                ratio = median(ours / theirs for ours, theirs in pairs)
                table.add_row(str(players), *(f"{rate:.0f}" for rate in rates), f"{ratio:.2f}")
        console.OUT.print(table)
        return console.SUCCESS

    def _pair(self, variant: Variant, program: Path, seed: int) -> tuple[float, float]:
        return engine_rate(variant, self.seconds, seed), c_rate(program, variant.players, self.seconds, seed)


def build(source: Path, folder: Path) -> Path:
    """Compiles the C program for this machine."""
    program = folder / source.stem
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
    return program


def engine_rate(variant: Variant, seconds: float, seed: int) -> float:
    """Events a second of CPU time of the engine."""
    points = np.zeros((GAMES_A_CALL, variant.players), np.int32)
    lengths = np.zeros(GAMES_A_CALL, np.int64)
    start, events, first, spent = process_time(), 0, 0, 0.0
    while first == 0 or spent < seconds:
        play.random_games(variant.template, np.uint64(seed), first, variant.stream_keys, points, lengths)
        events += int(lengths.sum())
        first += GAMES_A_CALL
        spent = process_time() - start
    return events / spent


def c_rate(program: Path, players: int, seconds: float, seed: int) -> float:
    """Events a second of CPU time of the C program."""
    command = [str(program), str(players), str(seconds), str(seed)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[0])


if __name__ == "__main__":
    sys.exit(console.run_one(RandomPlay))
