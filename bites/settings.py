"""Options and rule parameters of Bites, what is in its box, and how a game's settings get into its state."""

from collections.abc import Mapping

import numpy as np

from bites.actions import TOKEN_OF
from bites.box import CARDS, DECKS, MOST_SETS, OURS, RULEBOOK, TOKENS_A_SET, Card
from tabletop.game import Component
from tabletop.options import Choice, OptionError, Parameter, Settings, flag, write_choices, write_parameters

RANDOM = "random"
FIRST_GAME = ("overachiever", "double_fister", "collector", "minimalist")
MOST_STACK_PER_FOOD = int(TOKENS_A_SET[0]) * MOST_SETS
MOST_POINTS = 100


def _deck_option(deck: str, cards: tuple[Card, ...], default: str) -> Choice:
    """B5: which card of a deck is in play."""
    names = (*(card.name for card in cards), RANDOM)
    return Choice(deck, default, f"the {deck} card in play, or drawn at random", RULEBOOK, choices=names)


OPTIONS = (
    *(_deck_option(*row) for row in zip(DECKS, CARDS, FIRST_GAME, strict=True)),
    Choice("sets", 1, "complete sets of tokens; two make a longer game", RULEBOOK, choices=(1, 2)),
    flag("reconstructed_cards", True, "whether `random` may draw reconstructed cards", OURS),
)


def _points(name: str, default: int, meaning: str) -> Parameter:
    return Parameter(name, default, -MOST_POINTS, MOST_POINTS, meaning)


PARAMETERS = (
    Parameter("level_points", (4, 3, 2, 1, 0), -MOST_POINTS, MOST_POINTS, "points of the hill's levels, top first"),
    Parameter("stack_per_food", 1, 0, MOST_STACK_PER_FOOD, "tokens of each food in the hill stack, up to 10 a set"),
    _points("gold_points", 4, "points of a gold token"),
    _points("favourite_bonus", 1, "points that a token of the favourite food scores more"),
    _points("connoisseur_points", 7, "points for the most wine"),
    _points("pairing_points", 3, "points of a wine paired with a cheese"),
    _points("teetotaler_points", 6, "points for the least wine"),
    _points("protege_points", 2, "points of each wine of the left neighbour"),
)


def _check_stack(settings: Settings) -> None:
    """B6: the hill stack cannot hold more tokens of a food than there are."""
    most = int(TOKENS_A_SET[0]) * settings.options["sets"]
    if settings.parameters["stack_per_food"] > most:
        raise OptionError(
            f"parameter 'stack_per_food': {settings.parameters['stack_per_food']} is not allowed with "
            f"sets={settings.options['sets']}; expected an integer from 0 to {most}"
        )


def fill(state: np.ndarray, settings: Settings) -> None:
    """Writes players, options and parameters into a zeroed state; OptionError if they do not fit together."""
    _check_stack(settings)
    state["players"] = settings.players
    write_choices(state["options"], OPTIONS, settings)
    for deck, option in enumerate(OPTIONS[: len(DECKS)]):
        state["options"]["wanted"][deck] = option.code(settings.options[option.name])
    write_parameters(state["rules"], settings)


def tokens(settings: Settings) -> tuple[str, ...]:
    """The token of every event id; the same for all settings."""
    return TOKEN_OF


def components(settings: Settings) -> tuple[Component, ...]:
    """All cards of the box; `kind` is the deck."""
    return tuple(
        Component(deck, card.name, card.provenance, card.effect)
        for deck, cards in zip(DECKS, CARDS, strict=True)
        for card in cards
    )


def cards_in_play(state: np.ndarray) -> Mapping[str, str]:
    """The name of the card in play of each deck; decks that are still to be drawn from are left out."""
    names = {}
    for deck, (name, cards) in enumerate(zip(DECKS, CARDS, strict=True)):
        is_drawn = state["options"]["wanted"][deck] < len(cards) or state["phase"] > deck
        if is_drawn and not (state["phase"] <= deck and state["phase"] < len(DECKS)):
            names[name] = cards[int(state["card"][deck])].name
    return names
