"""The trail: sets of places, the tokens that lie there, and the ants on them (B10, B11, B30).

A set of places is two words, `low` for the places 0 … 63 and `high` for the others (see `state`).
"""

import numpy as np

from bites.box import FOODS, KINDS, LOGS
from bites.state import LONG_HILL, NO_TOKEN, SHORT_HILL, START, WORDS
from tabletop.bits import ALL, below, bit, count, equal_to, highest, lowest
from tabletop.jit import jit

NOWHERE = -1
FRONT, BACK = range(2)  # sides of an ant
BOTH_SIDES = 1 << FRONT | 1 << BACK
SHORT_ENDS = bit(START) | bit(SHORT_HILL)


# Sets of places


@jit(inlined=True)
def is_short(s) -> bool:
    """Whether the first word of a set holds all places, as with one set of tokens."""
    return s.hill == SHORT_HILL


@jit
def first_of_two(low: np.uint64, high: np.uint64, place: int) -> int:
    """`first_after` on a long trail."""
    if place < 63:
        low &= ALL << np.uint64(place + 1)
        return lowest(low) if low else 64 + lowest(high)
    return 64 + lowest(high & ALL << np.uint64(place - 63))


@jit
def last_of_two(low: np.uint64, high: np.uint64, place: int) -> int:
    """`last_before` on a long trail."""
    if place < 64:
        return highest(low & below(place))
    high &= below(place - 64)
    return 64 + highest(high) if high else highest(low)


@jit(inlined=True)
def first_after(s, low: np.uint64, high: np.uint64, place: int) -> int:
    """The place of the set that is nearest to `place`, which is not the hill, on the way to the hill."""
    return lowest(low & ALL << np.uint64(place + 1)) if is_short(s) else first_of_two(low, high, place)


@jit(inlined=True)
def last_before(s, low: np.uint64, high: np.uint64, place: int) -> int:
    """The place of the set that is nearest to `place`, which is not START, on the way to the start."""
    return highest(low & below(place)) if is_short(s) else last_of_two(low, high, place)


@jit(inlined=True)
def add(s, places: np.ndarray, place: int) -> None:
    """Adds a place to a set."""
    if is_short(s):
        places[0] |= bit(place)
    else:
        places[place >> 6] |= bit(place & 63)


@jit(inlined=True)
def remove(s, places: np.ndarray, place: int) -> None:
    """Removes a place from a set."""
    if is_short(s):
        places[0] &= ~bit(place)
    else:
        places[place >> 6] &= ~bit(place & 63)


@jit
def add_ends(s, places: np.ndarray) -> None:
    """Adds the start and the hill to a set."""
    add(s, places, START)
    add(s, places, np.int64(s.hill))


# Tokens


@jit
def prepare_trail(s, length: int) -> None:
    """B6: an empty trail for this many tokens between its two ends."""
    s.places = length
    s.hill = SHORT_HILL if length < SHORT_HILL else LONG_HILL
    add_ends(s, s.free)
    for kind in range(KINDS):
        add_ends(s, s.lying[kind])


@jit
def remove_from_sets(s, kind: np.uint64, place: int) -> None:
    """The free token of this kind on the place leaves the sets of a long trail."""
    remove(s, s.free, place)
    remove(s, s.lying[kind], place)


@jit(inlined=True)
def lay(s, place: int, kind: np.uint64) -> None:
    """Puts a token onto an empty place."""
    s.trail[place] = kind + np.uint64(1)


@jit(inlined=True)
def pick_up(s, place: np.uint8) -> np.uint64:
    """Takes the free token from a place; returns its kind."""
    kind = np.uint64(s.trail[place]) - np.uint64(1)
    if is_short(s):
        s.free[0] &= ~bit(place)
        s.lying[kind, 0] &= ~bit(place)
    else:
        remove_from_sets(s, kind, np.int64(place))
    s.trail[place] = NO_TOKEN
    return kind


@jit
def note_sets(s) -> None:
    """B10: with all ants before the first token, every token of the trail is free; the sets are noted."""
    for word in range(WORDS):
        s.free[word] |= ~equal_to(s.trail, word, NO_TOKEN)
        for kind in range(KINDS):
            s.lying[kind, word] |= equal_to(s.trail, word, kind + 1)


@jit
def free_tokens(s) -> int:
    """How many free tokens lie on the trail."""
    return count(s.free[0]) + count(s.free[1]) - 2


@jit(inlined=True)
def token_at(s, place: int) -> int:
    """The kind of the token on a place; NOWHERE for a gap, the start and the hill."""
    return np.int64(s.trail[place]) - 1


@jit(inlined=True)
def free_of_kind(s, kind: int, word: int) -> np.uint64:
    """A word of the set of the free tokens of a kind; the ends are members."""
    return s.lying[kind, word] & s.free[word]


# Ants


@jit(inlined=True)
def place_of(s, ant: int) -> int:
    """Where an ant stands."""
    return np.int64(s.standing >> np.uint64(8 * ant) & np.uint64(0xFF))


@jit(inlined=True)
def front(s, place: int) -> int:
    """B10: the place of the nearest free token on the way to the hill, or the hill."""
    return first_after(s, s.free[0], s.free[1], place)


@jit(inlined=True)
def back(s, place: int) -> int:
    """B10: the place of the nearest free token on the way to the start, or START."""
    return last_before(s, s.free[0], s.free[1], place)


@jit(inlined=True)
def next_match(s, food: int, place: int) -> int:
    """B11, B31: the first token after the place that shows the food and bears no ant, or the hill."""
    return first_after(s, free_of_kind(s, food, 0), free_of_kind(s, food, 1), place)


@jit
def previous_match(s, food: int, place: int) -> int:
    """The nearest token before the place that shows the food and bears no ant, or START."""
    if place == START:
        return START
    return last_before(s, free_of_kind(s, food, 0), free_of_kind(s, food, 1), place)


@jit
def exchange_free(s, left: int, reached: int) -> None:
    """`put_ant` on a long trail: the place left is free, the place reached is not; the ends stay members."""
    add(s, s.free, left)
    remove(s, s.free, reached)
    add_ends(s, s.free)


@jit(inlined=True)
def put_ant(s, ant: int, place: int) -> None:
    """Moves an ant; the token that it leaves is free again, the one that it reaches is not (B14, B10)."""
    left = place_of(s, ant)
    s.standing ^= np.uint64(left ^ place) << np.uint64(8 * ant)
    if is_short(s):
        s.free[0] = (s.free[0] | bit(left)) & ~bit(place) | SHORT_ENDS
    else:
        exchange_free(s, left, place)


@jit
def sides_with_token(s) -> int:
    """B12: the set of the sides of the ant that has moved on which a free token lies."""
    has_front, has_back = s.beside[FRONT] != s.hill, s.beside[BACK] != START
    return has_front << FRONT | has_back << BACK


@jit(inlined=True)
def look_beside(s, place: int) -> None:
    """B12: notes the front and the back token of the ant that has moved to this place."""
    in_front, behind = front(s, place), back(s, place)
    s.beside[FRONT], s.beside[BACK] = in_front, behind
    s.sides = BOTH_SIDES if in_front != s.hill and behind != START else sides_with_token(s)


@jit
def bears_ant(s, place: int) -> bool:
    """Whether an ant stands on a place."""
    found = False
    for ant in range(FOODS):
        found |= place_of(s, ant) == place
    return found


@jit
def next_token(s, place: int) -> int:
    """The nearest token after the place, with or without an ant, or the hill."""
    nearest = front(s, place)
    for ant in range(FOODS):
        on = place_of(s, ant)
        if place < on < nearest:
            nearest = on
    return nearest


# Logs


@jit
def lay_logs(s) -> None:
    """B30: four logs divide the trail into fifths; noted are the places directly before them, and the hill."""
    for k in range(1, LOGS + 1):
        add(s, s.logs, k * np.int64(s.places) // (LOGS + 1))
    add(s, s.logs, np.int64(s.hill))


@jit
def stop_at_log(s, place: int, target: int) -> int:
    """B30: where an ant on its way from `place` to `target` comes to rest."""
    first = front(s, place)
    log = first_after(s, s.logs[0], s.logs[1], first - 1)
    return back(s, log + 1) if log < target else target
