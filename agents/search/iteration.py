"""One walk of a search and the loop over walks.

A walk deals anew what the searching seat cannot know, goes down the tree to a leaf, plays on from there and counts
the outcome in all nodes on its way. Chance is drawn in the walk and never read from the true game: with an open loop
its outcomes leave no trace in the tree, with explicit chance nodes each outcome is a node.
"""

import numpy as np

from agents.search.rollouts import roll_out
from agents.search.selection import choose_child
from agents.search.settings import CHANCE_NODES, EXPLICIT, ITERATIONS, MILLISECONDS
from agents.search.tree import BASE, MOST_DEEP, NO_NODE, ROOT, WALK, Work, add_node, back_up, child_of, is_full
from tabletop.clock import nanoseconds
from tabletop.game import CHANCE, OVER, redeal, sample, step, to_move
from tabletop.jit import jit

NANOSECONDS = 1e6  # in a millisecond


@jit
def now() -> int:
    """The clock by which budgets in time are measured, in nanoseconds."""
    return nanoseconds()


@jit
def search(states: np.ndarray, work: Work, params: np.ndarray) -> int:
    """Walks until the budget is spent, but once at least; returns the events of all roll-outs."""
    return search_since(nanoseconds(), states, work, params)


@jit
def search_since(start: int, states: np.ndarray, work: Work, params: np.ndarray) -> int:
    """`search` with a budget in time that began at `start`."""
    walks, played = 0, 0
    while walks == 0 or has_budget(walks, start, params):
        played += walk(states, work, params)
        walks += 1
    return played


@jit(inlined=True)
def has_budget(walks: int, start: int, params: np.ndarray) -> bool:
    """Whether another walk may begin."""
    if params[ITERATIONS] > 0 and walks >= params[ITERATIONS]:
        return False
    return has_time(1.0, start, params)


@jit(inlined=True)
def has_time(share: float, start: int, params: np.ndarray) -> bool:
    """Whether less than a share of the time is spent; always, where time is no limit."""
    return params[MILLISECONDS] == 0 or nanoseconds() - start < share * params[MILLISECONDS] * NANOSECONDS


@jit
def walk(states: np.ndarray, work: Work, params: np.ndarray) -> int:
    """One walk; returns the events of its roll-out."""
    states[WALK] = states[BASE]
    redeal(states[WALK], to_move(states[BASE]), work.rng[work.rng.size - 1 :])
    length = go_down(states, work, params)
    played = roll_out(states, work, params)
    back_up(work, length)
    return played


@jit
def go_down(states: np.ndarray, work: Work, params: np.ndarray) -> int:
    """Applies events from the root to a leaf; writes the nodes to the path and returns how many."""
    s = states[WALK]
    node, length = np.int64(ROOT), 0
    while to_move(s) != OVER and length < MOST_DEEP:
        if to_move(s) == CHANCE and params[CHANCE_NODES] != EXPLICIT:
            step(s, sample(s, work.rng))
            continue
        node = next_node(states, work, node, params)
        if node == NO_NODE:
            return length
        step(s, np.int64(work.tree[node].event))
        work.path[length] = node
        length += 1
        if work.tree[node].visits == 0 and work.tree[node].seat != CHANCE:
            return length
    return length


@jit
def next_node(states: np.ndarray, work: Work, node: int, params: np.ndarray) -> int:
    """The child to go to from a node: drawn if chance is to move, else chosen; NO_NODE if the tree is full."""
    s = states[WALK]
    if to_move(s) != CHANCE:
        return choose_child(states, work, node, params)
    outcome = sample(s, work.rng)
    child = child_of(work, node, outcome, CHANCE)
    if child == NO_NODE and not is_full(work):
        child = add_node(work, node, outcome, CHANCE, 0.0)
    return child
