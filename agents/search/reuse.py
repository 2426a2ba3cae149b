"""A tree kept from move to move: finding the position of now in the tree of the last move, and moving its part over.

A seat is told positions, not what happened between them. So the kept tree is followed from its root: whatever way
down shows the seat the same observation as it has now leads to the node of now. The ways end where chance is drawn
outside the tree.
"""

import numpy as np

from agents.search.tree import BASE, NO_NODE, ROOT, Work
from tabletop.bits import has_in
from tabletop.game import CHANCE, OVER, legal, observe, step, to_move
from tabletop.jit import jit


@jit
def find_position(positions: np.ndarray, work: Work, now: np.ndarray, seen: np.ndarray, follow_chance: bool) -> int:
    """The node of `work` at which its root's seat observes what it observes in `now`; NO_NODE if there is none.

    positions: the first one is the root's; the others are overwritten. seen: room for two observations.
    """
    observe(now[BASE], to_move(now[BASE]), seen[0])
    return _find_below(positions, work, np.int64(ROOT), np.int64(0), to_move(now[BASE]), seen, follow_chance)


@jit
def _find_below(
    positions: np.ndarray, work: Work, node: int, depth: int, seat: int, seen: np.ndarray, follow_chance: bool
) -> int:
    s = positions[depth]
    if to_move(s) == seat and shows_the_same(s, seat, seen):
        return node
    if depth + 1 == positions.shape[0] or to_move(s) == OVER or (to_move(s) == CHANCE and not follow_chance):
        return NO_NODE
    child = np.int64(work.tree[node].first_child)
    while child != NO_NODE:
        if may_follow(s, work, child):
            positions[depth + 1] = positions[depth]
            step(positions[depth + 1], np.int64(work.tree[child].event))
            found = _find_below(positions, work, child, depth + 1, seat, seen, follow_chance)
            if found != NO_NODE:
                return found
        child = np.int64(work.tree[child].next_sibling)
    return NO_NODE


@jit
def shows_the_same(s, seat: int, seen: np.ndarray) -> bool:
    """Whether the seat observes in `s` what stands in seen[0]; overwrites seen[1]."""
    observe(s, seat, seen[1])
    differences = 0
    for k in range(seen.shape[1]):
        differences += seen[0, k] != seen[1, k]
    return differences == 0


@jit
def may_follow(s, work: Work, child: int) -> bool:
    """Whether a child has been visited, is the mover's in `s` and its event is legal there."""
    if work.tree[child].visits == 0 or work.tree[child].seat != to_move(s):
        return False
    legal(s, work.legal)
    return has_in(work.legal, np.int64(work.tree[child].event))


@jit
def copy_subtree(old: Work, node: int, new: Work, origin: np.ndarray) -> None:
    """Makes `new` the tree below a node of `old`, as far as it has room; origin: int32, one a node of `new`."""
    new.tree[ROOT] = old.tree[node]
    new.tree[ROOT].next_sibling = NO_NODE
    new.used[0], origin[0] = 1, node
    k = 0
    while k < new.used[0]:
        child = np.int64(old.tree[origin[k]].first_child)
        new.tree[k].first_child = NO_NODE
        while child != NO_NODE and new.used[0] < new.tree.size:
            append_copy(old, child, new, k, origin)
            child = np.int64(old.tree[child].next_sibling)
        k += 1


@jit
def append_copy(old: Work, child: int, new: Work, parent: int, origin: np.ndarray) -> None:
    """Appends a copy of an old node to the children of `parent`."""
    place = new.used[0]
    new.used[0] += 1
    new.tree[place] = old.tree[child]
    new.tree[place].next_sibling = new.tree[parent].first_child
    new.tree[parent].first_child = place
    origin[place] = child
