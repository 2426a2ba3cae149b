"""The state of a game of Bites as one record.

The trail lies along a line between two ends; the ground before it and the ant hill have places as well:

    START  1   2   3   4  …  N  (unused …)  hill
      0    1   2   3   4  …  N      …        63, or 127 for a trail longer than 62 tokens

A set of places is a pair of words, place p being bit p % 64 of word p // 64. Places keep their numbers when
tokens are taken. The two ends are members of every set of tokens, so that each search along the trail ends there
at last. With one set of tokens the second word of every set is empty.
"""

import numpy as np

from bites.box import DECKS, FOODS, KINDS, LEVELS, MOST_PLAYERS
from tabletop.layout import state_dtype

START = 0  # place of an ant before the first token
SHORT_HILL = 63  # place of an ant on the hill, if one word holds a set of places
LONG_HILL = 127
PLACES = 128  # numbers of places, both ends included
WORDS = PLACES // 64  # words of a set of places
NO_TOKEN = 0  # in `trail`; otherwise the kind of token + 1

# Phases: what the next event is about.
DRAW_HILL, DRAW_CHOCOLATE, DRAW_WINE, DRAW_SPECIAL, LAY_TRAIL, DEAL_SMALL = range(6)  # chance
TURN, TAKE, OFFER_TAKE, TAKE_STACK, OFFER_SWAP, FINISHED = range(6, 12)

OPTIONS = state_dtype(
    [
        ("wanted", np.uint8, (len(DECKS),)),  # the card of each deck, or the number of its cards for `random`
        ("sets", np.uint8),  # index in its choices: number of token sets − 1
        ("reconstructed_cards", np.uint8),  # 1: `random` draws from all cards
    ]
)

RULES = state_dtype(
    [
        ("level_points", np.int16, (LEVELS,)),  # top level first
        ("stack_per_food", np.int16),
        ("gold_points", np.int16),
        ("favourite_bonus", np.int16),
        ("connoisseur_points", np.int16),
        ("pairing_points", np.int16),
        ("teetotaler_points", np.int16),
        ("protege_points", np.int16),
    ]
)

STATE = state_dtype(
    [
        # what changes with every event
        ("free", np.uint64, (WORDS,)),  # the ends, and the places with a token and no ant once the trail is laid
        ("lying", np.uint64, (KINDS, WORDS)),  # the ends, and once the trail is laid the places of each kind of token
        ("standing", np.uint64),  # where the ants stand: byte k is the place of ant k
        ("walking", np.uint64),  # set of the ants that are not on the hill
        ("bag", np.uint64),  # tokens still to be laid: byte k counts those of the kinds 0 … k
        ("phase", np.uint8),
        ("sides", np.uint8),  # set of the sides on which a token may be taken, front 0 and back 1; else empty
        ("beside", np.uint8, (2,)),  # places of the nearest free tokens there, or the ends; 0 if none may be taken
        ("ant", np.uint8),  # the ant that has just moved; 0 before a move
        ("mover", np.int8),  # seat to move, or CHANCE, or OVER
        ("may_spend", np.uint8),  # 1: the player to move may spend a chocolate in this turn (B20)
        ("laid", np.uint8),  # tokens laid on the trail so far
        ("small_dealt", np.uint8),  # small tokens dealt so far
        ("spent", np.uint8),  # chocolates out of the game
        ("level", np.uint8, (FOODS,)),  # level of each ant on the hill, 0 is the top; 0 for the others
        ("stack", np.uint8, (FOODS,)),  # tokens of each food in the hill stack
        ("owned", np.uint8, (MOST_PLAYERS, KINDS)),  # tokens in front of each seat
        ("small", np.uint8, (MOST_PLAYERS,)),  # food of each seat's small token; 0 if it has none
        ("trail", np.uint8, (PLACES,)),  # token on each place: its kind + 1, or NO_TOKEN
        # what is fixed in a game
        ("players", np.uint8),
        ("places", np.uint8),  # N, the length of the trail; 0 until it is known
        ("hill", np.uint8),  # place of an ant on the hill
        ("card", np.uint8, (len(DECKS),)),  # the card in play of each deck; 0 until it is drawn
        ("logs", np.uint64, (WORDS,)),  # the hill, and the places directly before a log; empty without the card
        ("options", OPTIONS),
        ("rules", RULES),
    ]
)
