"""How fast is it here? `critters benchmark [--games bites,…] [--only random,batch,start] [--json]`."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Annotated

import numpy as np
import tyro
from rich.table import Table

from experiments import console
from experiments.arguments import Names
from tabletop import Variant, games, make, play
from tabletop.rng import seed_word
from tabletop.threads import available_threads, thread_count

SEED = 1
PIECES = 4  # measurements on different numbers of threads alternate this often, because machines change their speed
LANES = 1024  # games of a batch, a thread
STEPS_BEFORE = 256  # of a batch, so that its games are at different stages
GAMES_A_CALL = 4096

# What a fresh process does up to its first step.
FIRST_STEP = """
import sys, tabletop
game = tabletop.make(sys.argv[1], int(sys.argv[2]))
states = game.new(1, seed=1)
game.step(states, [game.legal(states)[0][0]])
"""


@dataclass(frozen=True)
class Measured:
    """One line of the result; rates are None where only the time matters, and the other way round."""

    game: str
    players: int
    threads: int
    what: str
    events_per_s: float | None = None
    games_per_s: float | None = None
    seconds: float | None = None


@dataclass
class Done:
    """What one thread has done so far."""

    events: int = 0
    games: int = 0


Work = Callable[[float, int, Done], None]  # seconds, number of the thread, where to count


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Measures random play, stepping of batches, and the first call of a fresh process.

    random: events of uniformly random games, legal sets included. batch: stepping with 1,024 games a thread, each
    step with the legal sets, random choices, chance, new games for those that end, all observations and action
    masks; chance outcomes are not counted as events there. start: time from the start of a fresh process to its
    first step, with an empty cache of compiled code (start_cold) and with a filled one (start_warm).
    """

    games: Names = ()
    """Names of games; by default all."""

    players: Annotated[int | None, tyro.conf.arg(metavar="P")] = None
    """Number of players; by default each game's own."""

    only: Names = ()
    """What to measure, of random, batch, start; by default all."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="T")] = None
    """Number of threads; by default one, and as many as there are processors."""

    seconds: Annotated[float, tyro.conf.arg(metavar="S")] = 2.0
    """How long each measurement takes."""

    json: bool = False
    """Print a list of JSON objects instead of a table."""

    def run(self) -> int:
        """Measures and prints; returns the exit code."""
        self._check()
        variants = [make(name, self.players) for name in self.games or games()]
        measured = [line for variant in variants for line in self._measure(variant)]
        if self.json:
            console.print_plain(json.dumps([asdict(line) for line in measured], indent=1))
        else:
            console.OUT.print(_table(measured))
        return console.SUCCESS

    def _check(self) -> None:
        for name in self.only:
            if name not in MEASUREMENTS:
                raise ValueError(f"only: unknown measurement {name!r}; there are {', '.join(MEASUREMENTS)}")
        if not 0 < self.seconds < float("inf"):
            raise ValueError(f"seconds: {self.seconds} is not allowed; expected a finite number above 0")
        thread_count(self.threads)

    def _measure(self, variant: Variant) -> Iterator[Measured]:
        counts = [self.threads] if self.threads else sorted({1, available_threads()})
        for name in self.only or MEASUREMENTS:
            console.say(f"{variant.name}: measuring {name}")
            yield from MEASUREMENTS[name](variant, counts, self.seconds)


# Rates


def measure_random(variant: Variant, counts: list[int], seconds: float) -> Iterator[Measured]:
    """Uniformly random games."""

    def work(until: float, thread: int, done: Done) -> None:
        points = np.zeros((GAMES_A_CALL, variant.players), np.int32)
        lengths = np.zeros(GAMES_A_CALL, np.int64)
        while perf_counter() < until:
            first = (thread << 32) + done.games
            play.random_games(variant.template, seed_word(SEED), first, variant.stream_keys, points, lengths)
            done.events += int(lengths.sum())
            done.games += GAMES_A_CALL

    return _rates(variant, "random", work, counts, seconds)


def measure_batch(variant: Variant, counts: list[int], seconds: float) -> Iterator[Measured]:
    """Steps of batches with observations and masks."""
    batches = [_Batch(variant, thread) for thread in range(max(counts))]

    def work(until: float, thread: int, done: Done) -> None:
        while perf_counter() < until:
            done.events += LANES
            done.games += batches[thread].step()

    return _rates(variant, "batch", work, counts, seconds)


class _Batch:
    """A batch of games that is stepped with random actions."""

    def __init__(self, variant: Variant, number: int) -> None:
        self.variant = variant
        self.states = variant.new(LANES)
        self.streams = variant.streams(LANES, SEED, number * LANES)
        variant.resolve(self.states, self.streams)
        self.actions = np.zeros(LANES, np.int64)
        self.movers = np.zeros(LANES, np.int64)
        self.observations = np.zeros((LANES, variant.game.observation_size), np.int8)
        self.masks = np.zeros((LANES, variant.actions), np.int8)
        for _ in range(STEPS_BEFORE):
            self.step()

    def step(self) -> int:
        """One action in every game, then what the seats to move see; returns how many games ended."""
        play.uniform_actions(self.states, self.streams, self.actions)
        play.step_all(self.states, self.actions)
        play.resolve(self.states, self.streams)
        ended = play.renew(self.states, self.variant.template, self.streams)
        play.movers(self.states, self.movers)
        play.observations(self.states, self.movers, self.observations)
        play.masks(self.states, self.masks)
        return ended


def _rates(variant: Variant, what: str, work: Work, counts: list[int], seconds: float) -> Iterator[Measured]:
    work(perf_counter() + 1e-3, 0, Done())  # compiles
    totals = {count: Done() for count in counts}
    spent = dict.fromkeys(counts, 0.0)
    for _ in range(PIECES):
        for count in counts:
            spent[count] += _piece(work, count, seconds / PIECES, totals[count])
    for count, total in totals.items():
        rates = total.events / spent[count], total.games / spent[count]
        yield Measured(variant.name, variant.players, count, what, *rates)


def _piece(work: Work, threads: int, seconds: float, total: Done) -> float:
    """Lets the threads work for so long and adds to the total; returns how long it took."""
    own = [Done() for _ in range(threads)]
    start = perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, [start + seconds] * threads, range(threads), own))
    total.events += sum(done.events for done in own)
    total.games += sum(done.games for done in own)
    return perf_counter() - start


# Starting


def measure_start(variant: Variant, counts: list[int], seconds: float) -> Iterator[Measured]:
    """Fresh processes, with an empty and with a filled cache."""
    with tempfile.TemporaryDirectory() as cache:
        for what in ("start_cold", "start_warm"):
            start = perf_counter()
            _first_step(variant, cache)
            yield Measured(variant.name, variant.players, 1, what, seconds=perf_counter() - start)


def _first_step(variant: Variant, cache: str) -> None:
    command = [sys.executable, "-c", FIRST_STEP, variant.name, str(variant.players)]
    subprocess.run(command, env={**os.environ, "NUMBA_CACHE_DIR": cache}, check=True)


MEASUREMENTS: dict[str, Callable[[Variant, list[int], float], Iterator[Measured]]] = {
    "random": measure_random,
    "batch": measure_batch,
    "start": measure_start,
}


def _table(measured: list[Measured]) -> Table:
    shown = Table("game", "players", "threads", "what", title=f"{available_threads()} processors")
    for heading in ("events/s", "games/s", "ns/event", "seconds"):
        shown.add_column(heading, justify="right")
    for line in measured:
        rate, ended = line.events_per_s, line.games_per_s
        numbers = (f"{rate:,.0f}", f"{ended:,.0f}", f"{1e9 / rate:.1f}") if rate and ended is not None else ("", "", "")
        time = "" if line.seconds is None else f"{line.seconds:.2f}"
        shown.add_row(line.game, str(line.players), str(line.threads), line.what, *numbers, time)
    return shown


if __name__ == "__main__":
    sys.exit(console.run_one(Benchmark))
