"""Threads that share a step of many lanes.

Compiled loops release the GIL, so threads that live as long as the process run parts of a batch side by side. The
caller works too: a batch in one part never meets another thread.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

from tabletop.threads import available_threads, thread_count

LANES_A_THREAD = 256  # fewer are done sooner than another thread wakes up

Cut = tuple[int, int]


def cuts(lanes: int, threads: int | None) -> list[Cut]:
    """Cuts 0 … lanes − 1 into half-open parts, one a thread; None: as many threads as are worth while."""
    if threads is None:
        parts = min(available_threads(), max(1, lanes // LANES_A_THREAD))
    else:
        parts = min(thread_count(threads), lanes)
    edges = [lanes * part // parts for part in range(parts + 1)]
    return list(pairwise(edges))


@cache
def _crew(process: int) -> ThreadPoolExecutor:
    """The threads of this process; a fork gets its own, since threads do not survive it."""
    return ThreadPoolExecutor(max(1, available_threads()), thread_name_prefix="lanes")


def run_cuts(work: Callable[[int, int, int], int], parts: Sequence[Cut]) -> list[int]:
    """Calls work(low, high, part) for every part at the same time; their results in order."""
    if len(parts) == 1:
        return [work(*parts[0], 0)]
    crew = _crew(os.getpid())
    others = [crew.submit(work, low, high, part) for part, (low, high) in enumerate(parts[1:], 1)]
    first = work(*parts[0], 0)
    return [first, *(other.result() for other in others)]
