"""Searches that need more than one compiled call: on several threads, or with a tree kept from move to move.

A compiled bot is a function without memory, called inside a loop that holds no threads; so these play as plain
bots, through the slower loop, whose cost a move is small beside a search.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.search.iteration import now, search_since
from agents.search.reuse import copy_subtree, find_position
from agents.search.settings import ITERATIONS, MILLISECONDS, NODES
from agents.search.tree import BASE, NO_NODE, ROOT, Work, positions_and_work
from tabletop.game import Game, observation_size
from tabletop.layout import by_attribute
from tabletop.rng import stream_key, stream_start
from tabletop.variant import make

DEPTH_OF_REUSE = 64  # events between two moves of a seat through which a kept tree is followed
_THREAD = stream_key("search thread")


@dataclass(frozen=True)
class Found:
    """What a search found at its root, one entry an action: its id, its visits and its mean value for the mover."""

    events: npt.NDArray[np.int64]
    visits: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]

    @property
    def best(self) -> int:
        """The action with most visits, the higher value of equals."""
        return int(self.events[np.lexsort((self.events, -self.values, -self.visits))[0]])


class Player:
    """A search as a plain bot: `player(state, legal, rng) -> event`."""

    def __init__(self, params: npt.NDArray[np.float64], threads: int = 1, reuse: bool = False) -> None:
        self.params, self.threads, self.reuse = params, threads, reuse
        self._kept: list[tuple[Any, Work] | None] = [None] * threads

    def new_game(self) -> Callable[..., int]:
        """A player for one seat in one game, which may remember its tree."""
        return Player(self.params, self.threads, self.reuse)

    def __call__(self, state: npt.NDArray, legal: npt.NDArray[np.int64], rng: np.random.Generator) -> int:
        """The action that all threads together visited most often."""
        seed = np.uint64(rng.integers(2**63))
        return int(legal[0]) if len(legal) == 1 else self.find(state, int(seed)).best

    def compile(self, game: Game) -> None:
        """Compiles what a move needs, by moves of one walk, so that no time for a move goes into it."""
        quick = self.params.copy()
        quick[ITERATIONS], quick[MILLISECONDS] = 1, 0
        player, state = Player(quick, 1, self.reuse), make(game).new(1, seed=0)
        for _ in range(2 if self.reuse else 1):
            player.find(state, seed=0)

    def find(self, state: npt.NDArray, seed: int) -> Found:
        """Searches a position, shape (1,), at which a seat is to move; what is kept is looked for in the same time."""
        start = now()
        streams = [np.array([stream_start(np.uint64(seed), np.uint64(k), _THREAD)]) for k in range(self.threads)]
        searches = [positions_and_work(state[0], int(self.params[NODES]), stream) for stream in streams]
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(lambda new, old: self._search(start, new, old), searches, self._kept))
        if self.reuse:
            self._kept = list(searches)
        return _found([work for _, work in searches])

    def _search(self, start: int, new: tuple[Any, Work], old: tuple[Any, Work] | None) -> None:
        """One of the searches, with what an old one knows."""
        if old:
            self._take_over(start, old, new)
        search_since(start, *new, self.params)

    def _take_over(self, start: int, old: tuple[Any, Work], new: tuple[Any, Work]) -> None:
        """Copies what the old tree knows of the new position, if the position is in it and there is room."""
        positions = by_attribute(np.repeat(old[0][BASE : BASE + 1], DEPTH_OF_REUSE))
        size = observation_size(new[0][BASE])
        seen = np.zeros((2, size), np.int8)
        untried = np.zeros(DEPTH_OF_REUSE, np.int64)
        node = find_position(positions, old[1], new[0], seen, untried, start, self.params)
        if node != NO_NODE:
            copy_subtree(old[1], node, new[0][BASE], new[1], np.zeros(len(new[1].tree), np.int32))


def _found(works: list[Work]) -> Found:
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for work in works:
        child = int(work.tree[ROOT]["first_child"])
        while child != NO_NODE:
            node = work.tree[child]
            event = int(node["event"])
            visits[event] = visits.get(event, 0) + int(node["visits"])
            totals[event] = totals.get(event, 0.0) + float(node["total"])
            child = int(node["next_sibling"])
    events = np.array(sorted(visits), np.int64)
    counts = np.array([visits[e] for e in events], np.int64)
    sums = np.array([totals[e] for e in events])
    return Found(events, counts, sums / np.maximum(counts, 1))
