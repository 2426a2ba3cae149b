"""Work cut into ranges of games and spread over threads.

Compiled loops release the GIL, so plain Python threads run them side by side; unlike numba's own parallel loops
they compile no second version, need no threading library, survive a fork and can be interrupted between ranges.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import TypeVar

SECONDS_A_RANGE = 0.1  # how long a range should take: rarely enough to cost nothing, often enough to show progress
MOST_GAMES_A_RANGE = 4096  # keeps the positions of a range small
MOST_GROWTH = 8  # a range has at most this many times the games of the range by which it was measured
RANGES_A_THREAD = 4  # ranges under way, so that no thread waits while results are handed over

Answer = TypeVar("Answer")


def available_threads() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """The number of threads that a user asked for, all processors for None; ValueError unless an integer from 1."""
    if threads is None:
        return available_threads()
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads: {threads!r} is not allowed; expected an integer from 1, or None")
    return threads


def run_ranges(
    work: Callable[[int, int], Answer],
    total: int,
    threads: int | None = None,
    done: Callable[[int], None] | None = None,
    chunk: int | None = None,
) -> Iterator[Answer]:
    """Yields work(low, high) for half-open ranges that make up 0 … total − 1, in ascending order.

    The ranges are sized while they run to take about `SECONDS_A_RANGE` each, so nothing may depend on where they
    are cut, except that none crosses a multiple of `chunk`. At most `RANGES_A_THREAD` a thread are under way or
    wait to be taken. `done` hears of each finished number of games. The first exception of a range stops the
    rest and is raised here; so does closing the iterator.
    """
    count = thread_count(threads)
    size, low = 1, 0
    pending: deque[tuple[int, Future[tuple[float, Answer]]]] = deque()
    with ThreadPoolExecutor(count) as pool:
        try:
            while low < total or pending:
                while low < total and len(pending) < RANGES_A_THREAD * count:
                    high = min(low + _share(size, total - low, count), _next_multiple(chunk or total, low), total)
                    pending.append((high - low, pool.submit(_timed, work, low, high)))
                    low = high
                games, future = pending.popleft()
                seconds, answer = future.result()
                size = _size_for(games, seconds)
                if done:
                    done(games)
                yield answer
        finally:
            pool.shutdown(cancel_futures=True)


def _share(size: int, left: int, threads: int) -> int:
    """`size`, but towards the end not more than lets all threads finish together."""
    return max(1, min(size, left // (2 * threads)))


def _next_multiple(chunk: int, low: int) -> int:
    return (low // chunk + 1) * chunk


def _size_for(games: int, seconds: float) -> int:
    """Games that take `SECONDS_A_RANGE`, when `games` took `seconds`."""
    wanted = games * SECONDS_A_RANGE / max(seconds, 1e-9)
    return int(max(1, min(wanted, games * MOST_GROWTH, MOST_GAMES_A_RANGE)))


def _timed(work: Callable[[int, int], Answer], low: int, high: int) -> tuple[float, Answer]:
    start = perf_counter()
    answer = work(low, high)
    return perf_counter() - start, answer
