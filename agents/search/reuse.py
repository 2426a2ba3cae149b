"""A tree kept from move to move: finding the position of now in the tree of the last move, and moving its part over.

A seat is told positions, not what happened between them. So the kept tree is followed from its root: whatever way
down shows the seat the same observation as it has now leads to the node of now. The ways end where chance is drawn
outside the tree.

At most half of the room for nodes is filled with what is kept, the nearest nodes first, so that each search has room to
grow. At the root only what the seat may choose is kept: the same way down may have led to other positions, in which
another seat was to move or other actions were legal. Where time is the limit, only a share of it is spent on looking.
"""

import numpy as np

from agents.search.iteration import has_time
from agents.search.settings import CHANCE_NODES, EXPLICIT
from agents.search.tree import BASE, NO_NODE, ROOT, Work
from tabletop.bits import has_in
from tabletop.game import CHANCE, OVER, legal, observe, step, to_move
from tabletop.jit import jit

SHARE_FOR_FINDING = 0.5  # of the time for a move


@jit
def find_position(positions, work: Work, now, seen, untried, start: int, params) -> int:
    """The node of `work` at which its root's seat observes what it observes in `now`; NO_NODE if none is found.

    positions: the first one is the root's; the others are overwritten. seen: room for two observations.
    untried: int64, as many as positions: on each level of the way, the next child to follow. start: when the time for
    the move began.
    """
    follow_chance = params[CHANCE_NODES] == EXPLICIT
    seat = to_move(now[BASE])
    observe(now[BASE], seat, seen[0])
    untried[0], level = work.tree[ROOT].first_child, 0
    while level >= 0 and has_time(SHARE_FOR_FINDING, start, params):
        child = untried[level]
        if child == NO_NODE:
            level -= 1
            continue
        untried[level] = work.tree[child].next_sibling
        if may_follow(positions[level], work, child):
            level += 1
            positions[level] = positions[level - 1]
            step(positions[level], np.int64(work.tree[child].event))
            if to_move(positions[level]) == seat and shows_the_same(positions[level], seat, seen):
                return child
            may_go_on = level + 1 < positions.shape[0] and has_way_on(positions[level], follow_chance)
            untried[level] = work.tree[child].first_child if may_go_on else NO_NODE
    return NO_NODE


@jit
def has_way_on(s, follow_chance: bool) -> bool:
    """Whether the tree says what comes next: a choice, or an outcome if those are in the tree."""
    return to_move(s) != OVER and (to_move(s) != CHANCE or follow_chance)


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
    """Whether a child has been visited and fits the position `s`."""
    return work.tree[child].visits > 0 and fits_in(s, work, child)


@jit
def fits_in(s, work: Work, child: int) -> bool:
    """Whether a child is the mover's in `s` and its event is legal there."""
    if work.tree[child].seat != to_move(s):
        return False
    legal(s, work.legal)
    return has_in(work.legal, np.int64(work.tree[child].event))


@jit
def copy_subtree(old: Work, node: int, now, new: Work, origin: np.ndarray) -> None:
    """Makes `new` the tree below a node of `old`, the position `now`; origin: int32, one a node of `new`."""
    room = new.tree.size // 2
    new.tree[ROOT] = old.tree[node]
    new.tree[ROOT].next_sibling = NO_NODE
    new.used[0], origin[0] = 1, node
    k = 0
    while k < new.used[0]:
        child = np.int64(old.tree[origin[k]].first_child)
        new.tree[k].first_child = NO_NODE
        while child != NO_NODE and new.used[0] < room:
            if k != ROOT or fits_in(now, old, child):
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
