"""What studies tell of a finished game of Bites: the cards in play, and what the players took and spent."""

import numpy as np

from bites.actions import SPEND, SWAP
from bites.box import ALLERGY, CARDS, DECKS, FAVOURITE, FOODS, SPECIAL_DECK, TOKENS, WINE
from bites.cards import is_power
from bites.trail import free_tokens
from tabletop.game import NO_FACT, Fact
from tabletop.jit import jit

SMALL, SPENT, WINES, LEFT = range(len(DECKS), len(DECKS) + 4)  # the facts after the cards

FACTS = (
    *(
        Fact(deck, f"{deck.capitalize()} card in play", tuple(card.name for card in cards), explains=True)
        for deck, cards in zip(DECKS, CARDS, strict=True)
    ),
    Fact("small", "food of a player's small token", TOKENS[:FOODS], of_seat=True, explains=True),
    Fact("spent", "chocolates that a player spent", of_seat=True),
    Fact("wines", "wines that a player took", of_seat=True),
    Fact("left", "tokens that were left on the trail"),
)


@jit
def tally(s, event: int, out: np.ndarray) -> None:
    """B20: counts the chocolates that each seat spends."""
    if s.mover >= 0 and (event == SPEND or is_power(event) or event >= SWAP):
        out[SPENT, s.mover] += 1


@jit
def report(s, out: np.ndarray) -> None:
    """Writes the facts of a finished game."""
    for deck in range(len(DECKS)):
        out[deck, 0] = s.card[deck]
    is_dealt = s.card[SPECIAL_DECK] == FAVOURITE or s.card[SPECIAL_DECK] == ALLERGY
    for seat in range(s.players):
        out[SMALL, seat] = s.small[seat] if is_dealt else NO_FACT
        out[WINES, seat] = s.owned[seat, WINE]
    out[LEFT, 0] = free_tokens(s)
