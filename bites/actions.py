"""The events of Bites: their ids and tokens.

Actions of the seats come first, outcomes of chance follow; inside a group the ids follow the order of the box.
"""

import numpy as np

from bites.box import ANTS, CARDS, DECK_SIZES, DECKS, FOODS, KINDS, TOKENS

MOVE = 0  # + ant
TAKE_FRONT = MOVE + FOODS
TAKE_BACK = TAKE_FRONT + 1
TURBO = TAKE_BACK + 1  # + ant
BACKWARDS = TURBO + FOODS  # + ant
TIPTOE = BACKWARDS + FOODS  # + ant
RECYCLE = TIPTOE + FOODS
SPEND = RECYCLE + 1
PASS = SPEND + 1
STACK = PASS + 1  # + food
SWAP = STACK + FOODS  # + pair of ants

# The pairs of ants, in the order of B1, and for each set of ants (a five-bit number) the set of its pairs.
PAIRS = np.array([(a, b) for a in range(FOODS) for b in range(a + 1, FOODS)], np.uint8)
PAIRS_AMONG = np.array(
    [sum(1 << i for i, (a, b) in enumerate(PAIRS) if ants >> a & ants >> b & 1) for ants in range(1 << FOODS)],
    np.uint64,
)

ACTIONS = SWAP + len(PAIRS)

TRAIL = ACTIONS  # + kind of token
SMALL = TRAIL + KINDS  # + food
FIRST_CARD = SMALL + FOODS
CARD = np.array([FIRST_CARD + sum(DECK_SIZES[:deck]) for deck in range(len(DECKS))], np.uint8)  # + card of the deck
EVENTS = FIRST_CARD + sum(DECK_SIZES)

TOKEN_OF = (
    *(f"move:{ant}" for ant in ANTS),
    "take:front",
    "take:back",
    *(f"turbo:{ant}" for ant in ANTS),
    *(f"backwards:{ant}" for ant in ANTS),
    *(f"tiptoe:{ant}" for ant in ANTS),
    "recycle",
    "chocolate",
    "pass",
    *(f"stack:{food}" for food in TOKENS[:FOODS]),
    *(f"swap:{ANTS[a]}:{ANTS[b]}" for a, b in PAIRS),
    *(f"trail:{token}" for token in TOKENS),
    *(f"small:{food}" for food in TOKENS[:FOODS]),
    *(f"{deck}:{card.name}" for deck, cards in zip(DECKS, CARDS, strict=True) for card in cards),
)
