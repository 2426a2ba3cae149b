"""Which way a walk goes down: the bandit rules of UCT and PUCT over the children that fit the position.

A child fits if the seat to move chose it and its event is legal now. With hidden information or an open loop a
child is often not available; its rivals' visits count only while it was (information-set search: Cowling, Powley,
Whitehouse 2012), so the rule takes how often it was available in the place of the parent's visits.
"""

import math

import numpy as np

from agents.search.settings import EVALUATED, EXPLORATION, PRIOR, PUCT, SELECTION, SHARPNESS
from agents.search.tree import NO_NODE, ROOT, VIEW, WALK, Work, add_node, is_full, search_stream
from agents.search.values import evaluate_seat
from tabletop.bits import bit, count_in, has_in, nth_in
from tabletop.game import action_words, legal, seats, step, to_move
from tabletop.jit import jit
from tabletop.rng import uniform


@jit
def choose_child(states: np.ndarray, work: Work, node: int, params: np.ndarray) -> int:
    """The child of a node that the walk goes to, a new one where that is due; NO_NODE if the tree is full."""
    s = states[WALK]
    mover = to_move(s)
    legal(s, work.legal)
    if node == ROOT:
        leave_out_forbidden(s, work)
    untried = mark_available(s, work, node, mover)
    if untried and not is_full(work):
        if params[SELECTION] == PUCT:
            add_all_untried(states, work, node, untried, params)
        else:
            event = nth_in(work.untried, uniform(work.rng, search_stream(work), untried))
            return add_available(work, node, event, mover, 0.0)
    if params[SELECTION] == PUCT:
        return best_by_puct(s, work, node, mover, params[EXPLORATION])
    return best_by_uct(work, node, mover, params[EXPLORATION])


@jit
def leave_out_forbidden(s, work: Work) -> None:
    """Takes the actions away that the searching bot may not choose."""
    for k in range(action_words(s)):
        work.legal[k] &= work.allowed[k]


@jit(inlined=True)
def fits(work: Work, child: int, mover: int) -> bool:
    """Whether the seat to move may choose this child in the position at hand."""
    return work.tree[child].seat == mover and has_in(work.legal, np.int64(work.tree[child].event))


@jit
def mark_available(s, work: Work, node: int, mover: int) -> int:
    """Counts the children that fit as available and collects the other legal actions; returns how many these are."""
    for k in range(action_words(s)):
        work.untried[k] = work.legal[k]
    child = np.int64(work.tree[node].first_child)
    while child != NO_NODE:
        if fits(work, child, mover):
            event = np.int64(work.tree[child].event)
            work.tree[child].available += 1
            work.untried[event >> 6] &= ~bit(event & 63)
        child = np.int64(work.tree[child].next_sibling)
    return count_in(work.untried, action_words(s))


@jit
def add_available(work: Work, node: int, event: int, mover: int, prior: float) -> int:
    """A new child that could be chosen in this walk."""
    child = add_node(work, node, event, mover, prior)
    work.tree[child].available = 1
    return child


@jit
def best_by_uct(work: Work, node: int, mover: int, exploration: float) -> int:
    """The child with the highest mean plus bonus (Kocsis, Szepesvári 2006); NO_NODE if none fits."""
    best, best_score = np.int64(NO_NODE), -1.0
    available, logarithm = 1, 0.0
    child = np.int64(work.tree[node].first_child)
    while child != NO_NODE:
        if fits(work, child, mover):
            c = work.tree[child]
            if c.available != available:  # most often all are equal, and a logarithm is slow
                available, logarithm = np.int64(c.available), math.log(c.available)
            score = (c.total + exploration * math.sqrt(c.visits * logarithm)) / c.visits
            if score > best_score:
                best, best_score = child, score
        child = np.int64(work.tree[child].next_sibling)
    return best


@jit
def best_by_puct(s, work: Work, node: int, mover: int, exploration: float) -> int:
    """The child with the highest mean plus bonus times prior (Silver et al. 2017); NO_NODE if none fits.

    A child without visits is taken to be worth the mean of its siblings.
    """
    unvisited = mean_of_fitting(s, work, node, mover)
    best, best_score = np.int64(NO_NODE), -1.0
    child = np.int64(work.tree[node].first_child)
    while child != NO_NODE:
        if fits(work, child, mover):
            c = work.tree[child]
            mean = c.total / c.visits if c.visits else unvisited
            score = mean + exploration * c.prior * math.sqrt(c.available) / (1 + c.visits)
            if score > best_score:
                best, best_score = child, score
        child = np.int64(work.tree[child].next_sibling)
    return best


@jit
def mean_of_fitting(s, work: Work, node: int, mover: int) -> float:
    """The mean value of all walks through the children that fit; an equal share of the win before the first."""
    visits, total = 0, 0.0
    child = np.int64(work.tree[node].first_child)
    while child != NO_NODE:
        if fits(work, child, mover):
            visits += np.int64(work.tree[child].visits)
            total += work.tree[child].total
        child = np.int64(work.tree[child].next_sibling)
    return total / visits if visits else 1.0 / max(2, seats(s))


@jit
def add_all_untried(states: np.ndarray, work: Work, node: int, untried: int, params: np.ndarray) -> None:
    """Adds a child for each untried action while the tree has room, with its prior."""
    s = states[WALK]
    actions_here = count_in(work.legal, action_words(s))
    best, total = 0.0, np.float64(actions_here)
    if params[PRIOR] == EVALUATED:
        best, total = sum_of_promises(states, work, actions_here, params)
    for k in range(untried):
        if is_full(work):
            return
        event = nth_in(work.untried, k)
        weight = 1.0
        if params[PRIOR] == EVALUATED:
            weight = math.exp((promise(states, work, event, params) - best) / params[SHARPNESS])
        add_available(work, node, event, to_move(s), weight / total)


@jit
def promise(states: np.ndarray, work: Work, event: int, params: np.ndarray) -> float:
    """The evaluation of the position right after an action, for the seat that acts."""
    states[VIEW] = states[WALK]
    step(states[VIEW], event)
    return evaluate_seat(states[VIEW], to_move(states[WALK]), work.whole, params)


@jit
def sum_of_promises(states: np.ndarray, work: Work, actions_here: int, params: np.ndarray):
    """The best promise of all legal actions, and the sum of e to the (promise − best) / sharpness."""
    best, total = -np.inf, 0.0
    for k in range(actions_here):
        promised = promise(states, work, nth_in(work.legal, k), params)
        if promised > best:
            total = total * math.exp((best - promised) / params[SHARPNESS]) if total > 0.0 else 0.0
            best = promised
        total += math.exp((promised - best) / params[SHARPNESS])
    return best, total
