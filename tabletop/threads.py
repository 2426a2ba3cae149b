"""Work cut into ranges of games and spread over threads.

Compiled loops release the GIL, so plain Python threads run them side by side; unlike numba's own parallel loops
they compile no second version, need no threading library, survive a fork and can be interrupted between ranges.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait


def available_threads() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ranges(total: int, size: int) -> Iterator[tuple[int, int]]:
    """Cuts 0 … total − 1 into half-open ranges of at most `size`."""
    for low in range(0, total, size):
        yield low, min(total, low + size)


def run_ranges(
    work: Callable[[int, int], None], total: int, size: int, threads: int, done: Callable[[int], None] | None = None
) -> None:
    """Calls work(low, high) for every range on `threads` threads; `done` hears of each finished number of games.

    The first exception of a range stops the rest and is raised here.
    """
    with ThreadPoolExecutor(threads) as pool:
        pending: dict[Future[None], int] = {}
        try:
            for low, high in ranges(total, size):
                if len(pending) >= 2 * threads:
                    _collect(pending, done)
                pending[pool.submit(work, low, high)] = high - low
            while pending:
                _collect(pending, done)
        finally:
            pool.shutdown(cancel_futures=True)


def _collect(pending: dict[Future[None], int], done: Callable[[int], None] | None) -> None:
    for future in wait(pending, return_when=FIRST_COMPLETED).done:
        size = pending.pop(future)
        future.result()
        if done:
            done(size)
