"""Who makes the shards: threads, processes or a Ray cluster. Whoever does, the shards are the same."""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures import ThreadPoolExecutor as Threads
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from threading import Event
from time import perf_counter

from experiments import console
from experiments.studies.folder import MISSING, Study, encoded
from experiments.studies.plan import Done, Plan
from tabletop.threads import available_threads

MOST_DEATHS = 20  # of worker processes in one run, after which something else must be wrong
SHARDS_A_WORKER = 2  # under way, so that no worker waits

Made = Generator[tuple[int, bytes], None, None]  # shards with their content, in any order


class WorkersError(ValueError):
    """Workers that cannot be had, or that die again and again."""


@dataclass(frozen=True)
class Workers:
    """How many workers, by default one a processor; `cluster`: those of a Ray cluster."""

    count: int | None = None
    cluster: bool = False

    def __post_init__(self) -> None:
        if self.count is not None and self.count < 1:
            raise WorkersError(f"workers: {self.count} is not allowed; expected an integer from 1")

    @property
    def number(self) -> int:
        """The number of workers on this machine."""
        return self.count or available_threads()

    @contextmanager
    def ready(self) -> Iterator["Workers"]:
        """Keeps up the connection to a cluster through several runs; threads and processes need nothing."""
        if not self.cluster:
            yield self
            return
        from experiments.studies.cluster import connected

        with connected(self.count):
            yield self


def run(study: Study, workers: Workers, done: Done | None = None) -> Generator[int, None, None]:
    """Makes the shards that are missing; yields the number of every shard, ascending, as soon as it is there.

    done: hears of games that are finished, at once of those of an earlier run. Ctrl-C or closing the iterator stops
    all workers; what is complete stays, and the next run goes on from there.
    """
    start, plan, missing = perf_counter(), study.plan, _missing(study)
    hears: Done = done or (lambda games: None)
    hears(sum(plan.games_of(shard) for shard in range(plan.shards) if shard not in missing))
    made_now = len(missing)
    with closing(_made(plan, sorted(missing), workers, hears)) as made:
        for shard in range(plan.shards):
            while shard in missing:
                number, content = next(made)
                study.write(number, content)
                missing.discard(number)
            yield shard
    if made_now:
        study.note_time({"seconds": round(perf_counter() - start, 3), "shards": made_now, "workers": workers.number})


def _missing(study: Study) -> set[int]:
    """The shards that are still to be made; says which of their files are there and why they are not used."""
    faults = study.faults()
    unusable = {shard: fault for shard, fault in faults.items() if fault != MISSING}
    if unusable and study.checksums.problem:
        console.say(f"{study.checksums.path} {study.checksums.problem}; the shards that are there are made again")
    else:
        for shard, fault in unusable.items():
            console.say(f"{study.path(shard)} {fault}; it is made again")
    return set(faults)


def make(plan: Plan, shard: int) -> bytes:
    """A shard as the content of its file; what every process and every node of a cluster is asked for."""
    return encoded(plan.play(shard))


def _made(plan: Plan, shards: Sequence[int], workers: Workers, done: Done) -> Made:
    """The right kind of workers: threads if the loops let each other run, else processes if they know the bots."""
    if not shards:
        return
    if workers.cluster:
        from experiments.studies.cluster import made_by_ray

        yield from made_by_ray(plan, shards, workers.count, done)
    elif plan.is_compiled or not plan.is_portable or workers.number == 1 or len(shards) == 1:
        yield from made_by_threads(plan, shards, workers.number, done)
    else:
        yield from made_by_processes(plan, shards, workers.number, done)


class _Stopped(BaseException):
    """Ends a thread that plays games nobody waits for any more."""


def made_by_threads(plan: Plan, shards: Sequence[int], workers: int, done: Done) -> Made:
    """Makes shards in the threads of this process."""
    stop = Event()

    def watch(games: int) -> None:
        if stop.is_set():
            raise _Stopped
        done(games)

    def work(shard: int) -> bytes:
        return encoded(plan.play(shard, watch))

    with Threads(workers) as pool:
        try:
            yield from _as_finished(pool, work, deque(shards), workers)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def made_by_processes(plan: Plan, shards: Sequence[int], workers: int, done: Done) -> Made:
    """Makes shards in processes; the shards of a process that dies are made by another one."""
    left = deque(shards)
    for _ in range(MOST_DEATHS):
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            try:
                for shard, content in _as_finished(pool, _Maker(plan), left, workers):
                    done(plan.games_of(shard))
                    yield shard, content
                return
            except BrokenExecutor:
                continue
            finally:
                pool.shutdown(cancel_futures=True)
    raise WorkersError(f"{MOST_DEATHS} worker processes died; is there enough memory? Fewer --workers take less")


@dataclass(frozen=True)
class _Maker:
    """`make` with its plan, in a form that can be sent to a process."""

    plan: Plan

    def __call__(self, shard: int) -> bytes:
        return make(self.plan, shard)


def _as_finished(pool: Executor, work: Callable[[int], bytes], left: deque[int], workers: int) -> Made:
    """Yields shards as the pool finishes them, few at a time under way. What fails stands in `left` again."""
    pending: dict[Future[bytes], int] = {}
    try:
        while left or pending:
            while left and len(pending) < SHARDS_A_WORKER * workers:
                future = pool.submit(work, left[0])
                pending[future] = left.popleft()
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                content = future.result()
                yield pending.pop(future), content
    finally:
        left.extendleft(sorted(pending.values(), reverse=True))
