"""What is in the box: class cards, symbols of the rat tokens, sizes (P1), and where our knowledge of them comes from.

The map and the token table are the files `adjacency.json` and `tokens.json` beside this one; `tables.py` reads them.
"""

from dataclasses import dataclass

REGIONS = 12  # most regions of a map
SEATS = 4
SLOTS = 3  # most rat tokens in a region
TYPES = 64  # most types of rat tokens in a table
TYPE_COUNT = 255  # most tokens of one type
SAME_SYMBOLS = 7  # most symbols M, and most symbols A, on one token
MERCHANT_CUBES = 40  # most cubes that an event can move with the Merchant

PLAYERS = (2, 3, 4)

RULEBOOK = "rulebook: the published rules"
SOURCE = "source: the publisher's clarifications"


@dataclass(frozen=True)
class ClassCard:
    """A class card: its name, its letter on the rat tokens and what it does."""

    name: str
    letter: str
    effect: str
    provenance: str = RULEBOOK


CLASS_CARDS = (
    ClassCard("king", "R", "move one own cube from a region without rat tokens to the palace, where it is safe"),
    ClassCard("knight", "K", "move the plague piece one or two regions; count it as two neutral cubes in a ravage"),
    ClassCard("monk", "C", "move a face-down rat token to an adjacent region that has room"),
    ClassCard("merchant", "B", "move one to three own cubes from one region to an adjacent one"),
    ClassCard("peasant", "P", "add one cube more than there are rat tokens, in any region"),
    ClassCard("witch", "W", "look at two rat tokens and exchange them if you like"),
)
CLASSES = len(CLASS_CARDS)
CLASS_NAMES = tuple(card.name for card in CLASS_CARDS)
# Places of the cards in CLASS_CARDS
KING_CARD, KNIGHT_CARD, MONK_CARD, MERCHANT_CARD, PEASANT_CARD, WITCH_CARD = range(CLASSES)

SYMBOL_ORDER = "PBCKWR"  # classes as they are written on a token, between M and A (P4)
CLASS_OF_LETTER = {card.letter: i for i, card in enumerate(CLASS_CARDS)}

BUILT_IN = "reconstruction-1"
