"""Event ids and their tokens.

An id is the first id of its kind plus an offset: a region, a card, a type, 12·slot + region, and so on. The
actions of seats are 0 … 255, four words of a set; each kind lies within one word, and the kinds of the most
frequent nodes within the first. Ids between them that stand for nothing have the token "".
"""

from typing import NamedTuple

import numpy as np

from rattus.box import CLASS_NAMES, CLASSES, MERCHANT_CUBES, REGIONS, SLOTS, TYPES
from rattus.tables import Map, TokenTable
from tabletop.bits import WORD_BITS
from tabletop.jit import jit

PLACE = 0
PEASANT = PLACE + REGIONS
CARD = PEASANT + REGIONS
END = CARD + CLASSES
PLAGUE = END + 1
SPREAD = PLAGUE + REGIONS
SWAP = SPREAD + REGIONS
KEEP = SWAP + 1
NEUTRAL = KEEP + 1
NO_NEUTRAL = NEUTRAL + 1
REVEAL = NO_NEUTRAL + 1

KING = WORD_BITS
MERCHANT = KING + REGIONS
MONK = MERCHANT + REGIONS

WITCH = 2 * WORD_BITS
KNIGHT = WITCH + SLOTS * REGIONS
SETTLE = KNIGHT + REGIONS

MONK_TO = 3 * WORD_BITS
MERCHANT_TO = MONK_TO + REGIONS
MERCHANT_COUNT = MERCHANT_TO + REGIONS  # of k cubes: MERCHANT_COUNT + k − 1

ACTIONS = 4 * WORD_BITS

RAT = ACTIONS  # RAT + TYPES·region + type
START = RAT + REGIONS * TYPES
DRAW = START + REGIONS
REVEAL_AT = DRAW + TYPES
EVENTS = REVEAL_AT + SLOTS * REGIONS


class Kind(NamedTuple):
    """The events with one word: their first id, and what follows the word, in the order of the ids."""

    first: int
    word: str
    tails: tuple[str, ...]


def kinds(regions: tuple[str, ...], types: tuple[str, ...], starting: int) -> tuple[Kind, ...]:
    """All kinds of events, for the names of the regions ("" where not in play) and types of tokens."""
    slots = tuple(region and f"{region}:{slot + 1}" for slot in range(SLOTS) for region in _padded(regions, REGIONS))
    rats = tuple(
        f"{region}:{kind}" if region and kind else "" for region in regions for kind in _padded(types[:starting], TYPES)
    )
    alone = ("",)
    return (
        Kind(PLACE, "place", regions),
        Kind(PEASANT, "peasant", regions),
        Kind(CARD, "card", CLASS_NAMES),
        Kind(END, "end", alone),
        Kind(PLAGUE, "plague", regions),
        Kind(SPREAD, "spread", regions),
        Kind(SWAP, "swap", alone),
        Kind(KEEP, "keep", alone),
        Kind(NEUTRAL, "neutral", alone),
        Kind(NO_NEUTRAL, "no_neutral", alone),
        Kind(REVEAL, "reveal", tuple(str(slot + 1) for slot in range(SLOTS))),
        Kind(KING, "king", regions),
        Kind(MERCHANT, "merchant", regions),
        Kind(MONK, "monk", slots),
        Kind(WITCH, "witch", slots),
        Kind(KNIGHT, "knight", regions),
        Kind(SETTLE, "settle", regions),
        Kind(MONK_TO, "monk_to", regions),
        Kind(MERCHANT_TO, "merchant_to", regions),
        Kind(MERCHANT_COUNT, "merchant_count", tuple(str(cubes + 1) for cubes in range(MERCHANT_CUBES))),
        Kind(RAT, "rat", rats),
        Kind(START, "start", regions),
        Kind(DRAW, "draw", types),
        Kind(REVEAL_AT, "reveal", slots),
    )


def tokens(chosen_map: Map, table: TokenTable, players: int) -> tuple[str, ...]:
    """The token of every id; "" for ids that stand for nothing with this map, table and number of players."""
    playing = chosen_map.in_play(players)
    regions = tuple(name if i in playing else "" for i, name in enumerate(chosen_map.regions))
    types = tuple(kind.name for kind in table.types)
    names = [""] * EVENTS
    for first, word, tails in kinds(regions, types, sum(kind.is_starting for kind in table.types)):
        for offset, tail in enumerate(tails):
            if tails == ("",):
                names[first + offset] = word
            elif tail:
                names[first + offset] = f"{word}:{tail}"
    return tuple(names)


def _padded(names: tuple[str, ...], length: int) -> tuple[str, ...]:
    return names + ("",) * (length - len(names))


@jit(inlined=True)
def at(first: int, members: int) -> int:
    """The actions first + m, for the members m of a set, as bits of the word in which their kind lies."""
    return members << (first & WORD_BITS - 1)


@jit(inlined=True)
def only(out: np.ndarray, first: int, members: int) -> None:
    """Writes the actions first + m, for the members m of a set, and no others to the four words of `out`."""
    for word in range(ACTIONS // WORD_BITS):
        out[word] = np.uint64(0)
    out[first >> 6] = np.uint64(at(first, members))


@jit(inlined=True)
def slot_of(offset: int) -> int:
    """The slot in an offset 12·slot + region."""
    return np.int64(offset >= REGIONS) + np.int64(offset >= 2 * REGIONS)


@jit(inlined=True)
def region_of(offset: int) -> int:
    """The region in an offset 12·slot + region."""
    return offset - REGIONS * slot_of(offset)
