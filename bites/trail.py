"""The trail: sets of places, the tokens that lie there, and the ants on them.

A set of places is two words, `low` for the places 0 … 63 and `high` for the others (see `state`).
"""

import numpy as np

from bites.box import FOODS, KINDS, LOGS
from bites.state import HILL, NO_TOKEN, START, WORDS
from tabletop.bits import below, bit, highest, lowest, next_after
from tabletop.jit import jit

NOWHERE = -1


@jit(inlined=True)
def first_after(low: np.uint64, high: np.uint64, place: int) -> int:
    """The place of the set that is nearest to `place` on the way to the hill; HILL if there is none."""
    if place >= 63:
        return 64 + next_after(high, place - 64)
    found = next_after(low, place)
    return found if found < 64 else 64 + lowest(high)


@jit(inlined=True)
def last_before(low: np.uint64, high: np.uint64, place: int) -> int:
    """The place of the set that is nearest to `place` on the way to the start; NOWHERE if there is none."""
    if place < 64:
        return highest(low & below(place))
    found = highest(high & below(place - 64))
    return 64 + found if found >= 0 else highest(low)


@jit(inlined=True)
def add(places: np.ndarray, place: int) -> None:
    """Adds a place to a set."""
    places[np.uint64(place) >> np.uint64(6)] |= bit(place & 63)


@jit(inlined=True)
def remove(places: np.ndarray, place: int) -> None:
    """Removes a place from a set."""
    places[np.uint64(place) >> np.uint64(6)] &= ~bit(place & 63)


@jit(inlined=True)
def any_free(s) -> bool:
    """Whether a free token lies on the trail."""
    return (s.free[0] | s.free[1]) != np.uint64(0)


@jit(inlined=True)
def token_at(s, place: int) -> int:
    """The kind of the token on a place, or NOWHERE for a gap, the start and the hill."""
    return np.int64(s.trail[place]) - 1 if place < HILL else NOWHERE


@jit(inlined=True)
def front(s, place: int) -> int:
    """B10: the place of the nearest free token on the way to the hill, or HILL."""
    return first_after(s.free[0], s.free[1], place)


@jit(inlined=True)
def back(s, place: int) -> int:
    """B10: the place of the nearest free token on the way to the start, or NOWHERE."""
    return last_before(s.free[0], s.free[1], place)


@jit(inlined=True)
def next_match(s, food: int, place: int) -> int:
    """B11, B31: the first token after the place that shows the food and bears no ant, or HILL."""
    return first_after(s.lying[food, 0] & s.free[0], s.lying[food, 1] & s.free[1], place)


@jit(inlined=True)
def previous_match(s, food: int, place: int) -> int:
    """The nearest token before the place that shows the food and bears no ant, or NOWHERE."""
    return last_before(s.lying[food, 0] & s.free[0], s.lying[food, 1] & s.free[1], place)


@jit
def lay_logs(s) -> None:
    """B30: four logs divide the trail into fifths; noted are the places directly before them."""
    for k in range(1, LOGS + 1):
        add(s.logs, k * np.int64(s.places) // 5)


@jit
def stop_at_log(s, place: int, target: int) -> int:
    """B30: where an ant on its way from `place` to `target` comes to rest."""
    first = front(s, place)
    if first == HILL:
        return target
    log = first_after(s.logs[0], s.logs[1], first - 1)
    return back(s, log + 1) if log < target else target


@jit
def free_all(s) -> None:
    """B10: with all ants before the first token, every token of the trail is free."""
    for word in range(WORDS):
        for kind in range(KINDS):
            s.free[word] |= s.lying[kind, word]


@jit(inlined=True)
def put_ant(s, ant: int, place: int) -> None:
    """Moves an ant; the token that it leaves is free again, the one that it reaches is not (B14, B10)."""
    left = np.int64(s.place[ant])
    if left != START:
        add(s.free, left)
    s.place[ant] = place
    if place != HILL:
        remove(s.free, place)


@jit(inlined=True)
def pick_up(s, place: int) -> int:
    """Takes the free token from a place; returns its kind."""
    kind = np.uint8(s.trail[place] - 1)
    s.trail[place] = NO_TOKEN
    remove(s.lying[kind], place)
    remove(s.free, place)
    return kind


@jit
def next_token(s, place: int) -> int:
    """The nearest token after the place, with or without an ant, or HILL."""
    nearest = front(s, place)
    for ant in range(FOODS):
        on = np.int64(s.place[ant])
        if place < on < nearest:
            nearest = on
    return nearest


@jit(inlined=True)
def bears_ant(s, place: int) -> bool:
    """Whether an ant stands on a place."""
    for ant in range(FOODS):
        if s.place[ant] == place:
            return True
    return False
