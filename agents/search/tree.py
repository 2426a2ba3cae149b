"""The tree of a search: one flat array of nodes, made before the search begins.

A node stands for an event: the children of a node are the events that were chosen after it. In an open loop a node
has no position of its own: the way to it may lead through different chance outcomes or hidden tokens, so that another
seat may be to move there or other actions legal. Therefore a node knows which seat chose its event, and how often
that event could have been chosen; only the children that fit the position at hand are looked at.
"""

from typing import NamedTuple

import numpy as np

from tabletop.bits import ALL
from tabletop.game import action_words, blank, chance_streams, most_players, seats, words
from tabletop.jit import JIT_ENABLED, jit
from tabletop.layout import by_attribute
from tabletop.rng import word

ROOT = 0
NO_NODE = -1

NODE = np.dtype(
    [
        ("event", np.int32),  # what was chosen
        ("seat", np.int32),  # who chose it: a seat, or CHANCE
        ("first_child", np.int32),  # the newest one, or NO_NODE
        ("next_sibling", np.int32),  # or NO_NODE
        ("visits", np.int32),  # walks through this node
        ("available", np.int32),  # walks in which it could have been chosen
        ("total", np.float64),  # sum of the values for the seat that chose it, over the visits
        ("prior", np.float64),  # what was known of it beforehand
    ],
    align=True,
)

MOST_DEEP = 1024  # longest way down
BASE, WALK, VIEW = range(3)  # positions of a search: at the root, of this walk, what a roll-out bot is shown
POSITIONS = 3


class Work(NamedTuple):
    """The arrays of one search; the positions stand beside them in an array of their own.

    tree: NODE. used: nodes in the tree, (1,). path: the nodes of this walk. legal, untried: sets of events.
    allowed: the actions that may be tried at the root; all, unless a bot is told to keep to fewer.
    rng: the streams of a game, then one for the search itself and one to redeal. values: one a seat.
    whole: int32, one a seat.
    """

    tree: np.ndarray
    used: np.ndarray
    path: np.ndarray
    legal: np.ndarray
    untried: np.ndarray
    allowed: np.ndarray
    rng: np.ndarray
    values: np.ndarray
    whole: np.ndarray


OWN_STREAMS = 2


@jit(allocates=True)
def _empty_nodes(count: int) -> np.ndarray:
    return np.empty(count, NODE)


def _plain_nodes(count: int) -> np.ndarray:
    return by_attribute(np.zeros(count, NODE))


empty_nodes = _empty_nodes if JIT_ENABLED else _plain_nodes


@jit(allocates=True)
def positions_and_work(s, nodes: int, rng: np.ndarray):
    """The positions (blank but for the root, a copy of `s`) and the arrays of a search, its streams drawn from rng."""
    states = blank(s, POSITIONS)
    states[BASE] = s
    streams = np.empty(chance_streams(s) + most_players(s) + OWN_STREAMS, np.uint64)
    for k in range(streams.size):
        streams[k] = word(rng, 0)
    work = Work(
        empty_nodes(nodes),
        np.zeros(1, np.int64),
        np.empty(MOST_DEEP, np.int32),
        np.zeros(words(s), np.uint64),
        np.zeros(words(s), np.uint64),
        np.full(action_words(s), ALL),
        streams,
        np.zeros(seats(s), np.float64),
        np.zeros(seats(s), np.int32),
    )
    clear(work)
    return states, work


@jit
def keep_to(s, work: Work, legal: np.ndarray) -> None:
    """Lets the search try only these actions of the seat that searches."""
    for k in range(action_words(s)):
        work.allowed[k] = legal[k]


@jit(inlined=True)
def search_stream(work: Work) -> int:
    """Number of the stream from which the search itself draws; the next one is for redealing."""
    return work.rng.size - OWN_STREAMS


@jit
def clear(work: Work) -> None:
    """Makes a tree of the root alone."""
    work.used[0] = 0
    add_node(work, np.int64(NO_NODE), np.int64(-1), np.int64(-1), 0.0)


@jit(inlined=True)
def is_full(work: Work) -> bool:
    """Whether the tree has no room for another node."""
    return work.used[0] == work.tree.size


@jit
def add_node(work: Work, parent: int, event: int, seat: int, prior: float) -> int:
    """A new node for an event after `parent`; the tree must not be full."""
    node = work.used[0]
    work.used[0] += 1
    new = work.tree[node]
    new.event, new.seat = event, seat
    new.first_child = new.next_sibling = NO_NODE
    new.visits = new.available = 0
    new.total, new.prior = 0.0, prior
    if parent != NO_NODE:
        new.next_sibling = work.tree[parent].first_child
        work.tree[parent].first_child = node
    return node


@jit
def child_of(work: Work, parent: int, event: int, seat: int) -> int:
    """The child that stands for an event chosen by a seat, or NO_NODE."""
    child = np.int64(work.tree[parent].first_child)
    while child != NO_NODE:
        if work.tree[child].event == event and work.tree[child].seat == seat:
            return child
        child = np.int64(work.tree[child].next_sibling)
    return NO_NODE


@jit
def event_of(work: Work, node: int) -> int:
    """The event of a node. A function that made the tree must ask here: a node does not keep its tree alive."""
    return np.int64(work.tree[node].event)


@jit
def back_up(work: Work, length: int) -> None:
    """Counts a walk in the nodes of its path, with the values for the seats that chose them."""
    work.tree[ROOT].visits += 1
    for k in range(length):
        node = work.tree[work.path[k]]
        node.visits += 1
        if node.seat >= 0:
            node.total += work.values[node.seat]


@jit
def most_visited(work: Work) -> int:
    """The child of the root with most visits, the higher mean of equals; NO_NODE if there is none."""
    best = np.int64(NO_NODE)
    child = np.int64(work.tree[ROOT].first_child)
    while child != NO_NODE:
        if best == NO_NODE or is_better(work.tree[child], work.tree[best]):
            best = child
        child = np.int64(work.tree[child].next_sibling)
    return best


@jit(inlined=True)
def is_better(node, other) -> bool:
    """Whether a node has more visits than another, or as many and a higher sum, or the same and a lower event."""
    if node.visits != other.visits:
        return node.visits > other.visits
    return node.total > other.total or (node.total == other.total and node.event < other.event)
