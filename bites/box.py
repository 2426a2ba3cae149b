"""What is in the box of Bites: tokens, ants, cards. Nothing but literal tables and their sizes."""

from typing import NamedTuple

import numpy as np

MOST_PLAYERS = 5

# B1: five foods, each with its ant, then the tokens that no ant looks for.
TOKENS = ("grape", "apple", "bread", "cheese", "pepper", "chocolate", "wine", "gold")
ANTS = ("purple", "red", "brown", "yellow", "green")
FOODS = len(ANTS)  # the food of ant a is the token a
KINDS = len(TOKENS)
CHEESE, CHOCOLATE, WINE, GOLD = 3, 5, 6, 7

# B2: tokens of each kind in one set; B4: the gold tokens do not grow in number with a second set.
TOKENS_A_SET = np.array([10, 10, 10, 10, 10, 5, 5, 0], np.uint8)
SET_SIZE = int(TOKENS_A_SET.sum())
MOST_SETS = 2
GOLD_TOKENS = 2
MOST_PLACES = SET_SIZE * MOST_SETS + GOLD_TOKENS  # of a trail with every token of the box

LEVELS = 5  # B3: the top level is level 0
LOGS = 4  # B4

# B4: the decks, in the order in which their cards are drawn.
DECKS = ("hill", "chocolate", "wine", "special")
HILL_DECK, CHOCOLATE_DECK, WINE_DECK, SPECIAL_DECK = range(4)

OVERACHIEVER, HUMBLE = range(2)
DOUBLE_FISTER, TURBO, BACKWARDS, RECYCLER, TIPTOE, SWAP = range(6)
COLLECTOR, OENOPHILE, PROTEGE, CONNOISSEUR, PAIRING, TEETOTALER = range(6)
MINIMALIST, LOGS_ON_TRAIL, GOLD_IN_TRAIL, FAVOURITE, ALLERGY = range(5)

RULEBOOK = "rulebook"
SOURCE = "publisher's clarifications or an owner's account"
NAME_OURS = "card known from an owner's account, name ours"
KNOWN_NAME = "name known, effect reconstructed"
KNOWN_COMPONENT = "card known from an owner's account, name ours, effect reconstructed"
RECONSTRUCTION = "reconstruction: effect ours"
OURS = "reconstruction: name and effect ours"


class Card(NamedTuple):
    """One card: whether `random` may draw it without reconstructions, and what it does."""

    name: str
    provenance: str
    is_published: bool
    effect: str


HILL_CARDS = (
    Card(
        "overachiever",
        RULEBOOK,
        True,
        "An arriving ant climbs to the highest level that is still empty.",
    ),
    Card("humble", SOURCE, True, "An arriving ant stays on the lowest level that is still empty."),
)
CHOCOLATE_CARDS = (
    Card(
        "double_fister",
        RULEBOOK,
        True,
        "After taking from the trail, spend a chocolate to take a second front or back token of the same ant.",
    ),
    Card(
        "turbo",
        SOURCE,
        True,
        "Spend a chocolate to move an ant past the first matching token ahead onto the second one.",
    ),
    Card(
        "backwards",
        RECONSTRUCTION,
        False,
        "Spend a chocolate to move an ant to the nearest matching token behind it on which no ant stands.",
    ),
    Card(
        "recycler",
        RECONSTRUCTION,
        False,
        "Spend a chocolate instead of the whole turn: take the three free tokens nearest to the start.",
    ),
    Card(
        "tiptoe",
        RECONSTRUCTION,
        False,
        "Spend a chocolate before the turn: an ant steps onto the very next token if no ant stands there.",
    ),
    Card(
        "swap",
        NAME_OURS,
        True,
        "At the end of the turn, spend a chocolate to exchange two ants on the ant hill.",
    ),
)
WINE_CARDS = (
    Card("collector", RULEBOOK, True, "Each wine scores the number of different foods that its owner has."),
    Card("oenophile", SOURCE, True, "Each wine scores the number of wines that its owner has."),
    Card("protege", KNOWN_NAME, False, "You score for each wine of your left neighbour."),
    Card("connoisseur", OURS, False, "Whoever has most wine, and at least one, scores a bonus."),
    Card("pairing", OURS, False, "Each wine that is paired with a cheese of its own scores."),
    Card("teetotaler", OURS, False, "Whoever has least wine scores a bonus."),
)
SPECIAL_CARDS = (
    Card("minimalist", RULEBOOK, True, "No special rule."),
    Card("logs", KNOWN_COMPONENT, False, "Four logs across the trail stop the ants that move."),
    Card("gold", OURS, False, "Two gold tokens lie in the trail; each scores for its owner."),
    Card("favourite", OURS, False, "Each player has a favourite food, whose tokens score more for that player."),
    Card("allergy", OURS, False, "Each player has a food whose tokens score nothing for that player."),
)
CARDS = (HILL_CARDS, CHOCOLATE_CARDS, WINE_CARDS, SPECIAL_CARDS)
DECK_SIZES = tuple(len(deck) for deck in CARDS)

# The cards of each deck as a set, and those that are no reconstruction (B5).
WHOLE_DECK = np.array([(1 << len(deck)) - 1 for deck in CARDS], np.uint64)
PUBLISHED = np.array([sum(1 << i for i, card in enumerate(deck) if card.is_published) for deck in CARDS], np.uint64)
