"""The rules of Bites in the order of the rulebook: set-up, what is legal, what an event does.

A turn is in `turn`, the powers of chocolate in `cards`, points in `scoring`. Paragraph numbers are those of
the README beside this file.
"""

import numpy as np

from bites.actions import ACTIONS, CARD, EVENTS, FIRST_CARD, MOVE, PAIRS, PAIRS_AMONG, PASS, SMALL, SPEND, STACK, SWAP
from bites.actions import TAKE_BACK, TAKE_FRONT, TRAIL, TURBO
from bites.box import ALLERGY, DECK_SIZES, DECKS, FAVOURITE, FOODS, GOLD, GOLD_IN_TRAIL, GOLD_TOKENS, HILL_DECK, KINDS
from bites.box import LOGS_ON_TRAIL, MOST_PLAYERS, PUBLISHED, SPECIAL_DECK, TOKENS_A_SET, WHOLE_DECK
from bites.cards import is_power, powers, use_power
from bites.state import DEAL_SMALL, DRAW_HILL, LAY_TRAIL, NO_TOKEN, OFFER_TAKE, PLACES, START, TAKE, TAKE_STACK
from bites.state import TURN, WORDS
from bites.trail import add, free_all, lay_logs
from bites.turn import ants_on_hill, begin_turn, move, next_turn, sides, swap_levels, take, take_another
from bites.turn import take_from_stack
from tabletop.bits import EMPTY, bit, has, lowest, put
from tabletop.game import CHANCE
from tabletop.jit import jit
from tabletop.rng import uniform, uniform_member

STREAMS = ("cards", "trail", "small")
CARDS_STREAM, TRAIL_STREAM, SMALL_STREAM = range(3)

ALL_FOODS = np.uint64((1 << FOODS) - 1)

# The bag holds cumulative counts, one a byte: byte k counts the tokens of the kinds 0 … k, at most 122.
ONE_OF_ALL = np.uint64(0x0101010101010101)
TOP_BITS = np.uint64(0x8080808080808080)


# Set-up


@jit
def setup(s) -> None:
    """B5 – B8: the position before the first event."""
    clear_table(s)
    fill_bag(s)
    s.mover = CHANCE
    s.walking = ALL_FOODS
    draw_or_name_cards(s, HILL_DECK)


@jit
def clear_table(s) -> None:
    """B8: no token lies on the trail or before a player, and all ants stand before the first place."""
    s.may_spend = s.ant = s.laid = s.small_dealt = s.spent = s.places = 0
    for ant in range(FOODS):
        s.place[ant] = START
        s.level[ant] = 0
    for seat in range(MOST_PLAYERS):
        s.small[seat] = 0
        for kind in range(KINDS):
            s.owned[seat, kind] = 0
    for place in range(PLACES):
        s.trail[place] = NO_TOKEN
    for word in range(WORDS):
        s.free[word] = s.logs[word] = EMPTY
        for kind in range(KINDS):
            s.lying[kind, word] = EMPTY
    for deck in range(len(DECKS)):
        s.card[deck] = 0


@jit
def fill_bag(s) -> None:
    """B2, B6: one or two sets of tokens; some of each food form the hill stack, the others go into the bag."""
    total = 0
    s.bag = EMPTY
    for kind in range(KINDS):
        total += np.int64(TOKENS_A_SET[kind]) * (np.int64(s.options.sets) + 1)
        if kind < FOODS:
            s.stack[kind] = s.rules.stack_per_food
            total -= np.int64(s.rules.stack_per_food)
        s.bag |= np.uint64(total) << np.uint64(8 * kind)


@jit
def draw_or_name_cards(s, deck: int) -> None:
    """B5: from this deck on, named cards come into play; a deck that is to be drawn from waits for chance."""
    while deck < len(DECKS):
        if s.options.wanted[deck] == deck_size(deck):
            s.phase = DRAW_HILL + deck
            return
        s.card[deck] = s.options.wanted[deck]
        deck += 1
    prepare_trail(s)


@jit
def deck_size(deck: int) -> int:
    """B4: the number of cards of a deck."""
    return DECK_SIZES[deck]


@jit
def drawable(s) -> np.uint64:
    """B5: the set of the cards that may be drawn from the deck whose turn it is."""
    deck = s.phase - DRAW_HILL
    return WHOLE_DECK[deck] if s.options.reconstructed_cards else PUBLISHED[deck]


@jit
def draw_card(s, event: int) -> None:
    """B5: the drawn card comes into play."""
    deck = s.phase - DRAW_HILL
    s.card[deck] = event - CARD[deck]
    draw_or_name_cards(s, deck + 1)


@jit
def prepare_trail(s) -> None:
    """B6: all tokens that are not in the stack will form the trail, with the gold tokens if the card says so."""
    if s.card[SPECIAL_DECK] == GOLD_IN_TRAIL:
        s.bag += np.uint64(GOLD_TOKENS) << np.uint64(8 * GOLD)
    s.places = tokens_in_bag(s)
    if s.card[SPECIAL_DECK] == LOGS_ON_TRAIL:
        lay_logs(s)
    s.phase = LAY_TRAIL


@jit(inlined=True)
def tokens_in_bag(s) -> int:
    """How many tokens are still to be laid."""
    return np.int64(s.bag >> np.uint64(8 * (KINDS - 1)))


@jit
def tokens_of_kind_in_bag(s, kind: int) -> int:
    """How many tokens of the kind are still to be laid."""
    up_to = np.int64(s.bag >> np.uint64(8 * kind) & np.uint64(0xFF))
    return up_to if kind == 0 else up_to - np.int64(s.bag >> np.uint64(8 * kind - 8) & np.uint64(0xFF))


@jit(inlined=True)
def kind_of_nth_in_bag(s, n: int) -> int:
    """The kind of the token with n others before it, when the bag is sorted by kind: the first count above n."""
    above = ((s.bag | TOP_BITS) - (np.uint64(n) + np.uint64(1)) * ONE_OF_ALL) & TOP_BITS
    return lowest(above) >> 3


@jit(inlined=True)
def lay_token(s, kind: int) -> None:
    """B6: the drawn token is laid on the next place from the start."""
    s.bag -= ONE_OF_ALL << np.uint64(8 * kind)
    s.laid += 1
    s.trail[s.laid] = kind + 1
    add(s.lying[np.uint8(kind)], np.int64(s.laid))
    if s.laid == s.places:
        finish_trail(s)


@jit
def finish_trail(s) -> None:
    """B7, B8: the trail is complete; with favourite or allergy each player gets a small token, then seat 0 begins."""
    free_all(s)
    if s.card[SPECIAL_DECK] == FAVOURITE or s.card[SPECIAL_DECK] == ALLERGY:
        s.phase = DEAL_SMALL
    else:
        begin_turn(s, 0)


@jit
def small_tokens_left(s) -> np.uint64:
    """B7: the set of the foods whose small token has not been dealt."""
    foods = ALL_FOODS
    for seat in range(s.small_dealt):
        foods ^= bit(s.small[seat])
    return foods


@jit
def deal_small(s, food: int) -> None:
    """B7: the next seat gets the small token; after the last one seat 0 begins."""
    s.small[s.small_dealt] = food
    s.small_dealt += 1
    if s.small_dealt == s.players:
        begin_turn(s, 0)


# Chance


@jit
def stream(s) -> int:
    """At a chance node: the number of its stream in `STREAMS`."""
    if s.phase == LAY_TRAIL:
        return TRAIL_STREAM
    return SMALL_STREAM if s.phase == DEAL_SMALL else CARDS_STREAM


@jit
def weight_of_kinds(s, out: np.ndarray) -> None:
    """B6: the weight of a kind of token is the number of its tokens that are still to be laid."""
    for kind in range(KINDS):
        out[TRAIL - ACTIONS + kind] = tokens_of_kind_in_bag(s, kind)


@jit
def weights(s, out: np.ndarray) -> None:
    """At a chance node: the weight of each outcome id − ACTIONS; cards and small tokens are equally likely."""
    out[:] = 0
    if s.phase == LAY_TRAIL:
        weight_of_kinds(s, out)
        return
    first, members = chance_outcomes(s)
    for event in range(ACTIONS, EVENTS):
        out[event - ACTIONS] = event >= first and has(members, event - first)


@jit
def chance_outcomes(s):
    """At a chance node: the possible outcomes as an id and a set of numbers to be added to it."""
    if s.phase == LAY_TRAIL:
        return TRAIL, kinds_in_bag(s)
    if s.phase == DEAL_SMALL:
        return SMALL, small_tokens_left(s)
    return np.int64(CARD[s.phase - DRAW_HILL]), drawable(s)


@jit
def kinds_in_bag(s) -> np.uint64:
    """The set of the kinds of token that are still to be laid."""
    kinds = EMPTY
    for kind in range(KINDS):
        if tokens_of_kind_in_bag(s, kind):
            kinds |= bit(kind)
    return kinds


@jit
def draw_outcome(s, rng: np.ndarray) -> int:
    """B5, B7: a card or a small token, each equally likely."""
    first, members = chance_outcomes(s)
    return first + uniform_member(rng, stream(s), members)


@jit(inlined=True)
def sample(s, rng: np.ndarray) -> int:
    """At a chance node: draws an outcome with the probabilities of `weights` from its own stream."""
    if s.phase == LAY_TRAIL:
        return TRAIL + kind_of_nth_in_bag(s, uniform(rng, TRAIL_STREAM, tokens_in_bag(s)))
    return draw_outcome(s, rng)


@jit(inlined=True)
def reveal(s, event: int) -> None:
    """An outcome of chance."""
    if event < SMALL:
        lay_token(s, event - TRAIL)
    elif event < FIRST_CARD:
        deal_small(s, event - SMALL)
    else:
        draw_card(s, event)


# What is legal


@jit(inlined=True)
def to_move(s) -> int:
    """The seat that must act, or CHANCE, or OVER."""
    return np.int64(s.mover)


@jit(inlined=True)
def legal_in_turn(s) -> np.uint64:
    """B11, B20: any ant that is not on the hill may move; a chocolate may be spent."""
    moves = s.walking << np.uint64(MOVE)
    return moves | powers(s) if s.may_spend else moves


@jit(inlined=True)
def legal_takes(s) -> np.uint64:
    """B12: the front token and the back token, as far as they exist."""
    return np.uint64(sides(s)) << np.uint64(TAKE_FRONT)


@jit
def legal_from_stack(s) -> np.uint64:
    """B13: any food of which the hill stack has a token."""
    foods = EMPTY
    for food in range(FOODS):
        if s.stack[food]:
            foods |= bit(STACK + food)
    return foods


@jit
def legal_swaps(s) -> np.uint64:
    """Swap: any two ants on the hill may be exchanged, or none."""
    return PAIRS_AMONG[ants_on_hill(s)] << np.uint64(SWAP) | bit(PASS)


@jit(inlined=True)
def legal_actions(s) -> np.uint64:
    """The set of the actions of the seat to move."""
    if s.phase == TURN:
        return legal_in_turn(s)
    if s.phase == TAKE:
        return legal_takes(s)
    if s.phase == OFFER_TAKE:
        return bit(SPEND) | bit(PASS)
    return legal_from_stack(s) if s.phase == TAKE_STACK else legal_swaps(s)


@jit
def legal_outcomes(s, out: np.ndarray) -> None:
    """The set of the possible outcomes of chance."""
    out[0] = out[1] = EMPTY
    first, members = chance_outcomes(s)
    put(out, first, members)


@jit(inlined=True)
def legal(s, out: np.ndarray) -> None:
    """Writes the set of legal events: one word if a seat is to move, two at a chance node."""
    if s.mover >= 0:
        out[0] = legal_actions(s)
    else:
        legal_outcomes(s, out)


# What an event does


@jit
def act(s, action: int) -> None:
    """The rarer actions of a seat."""
    if action == SPEND:
        take_another(s)
    elif action == PASS:
        next_turn(s)
    elif is_power(action):
        use_power(s, action)
    elif action >= SWAP:
        swap_levels(s, PAIRS[action - SWAP, 0], PAIRS[action - SWAP, 1])
    else:
        take_from_stack(s, action - STACK)


@jit
def step(s, event: int) -> None:
    """Applies a legal event and goes on to the next node that needs one."""
    if event >= ACTIONS:
        reveal(s, event)
    elif event < TURBO:
        move(s, event - MOVE)
    elif event == TAKE_FRONT or event == TAKE_BACK:
        take(s, event == TAKE_BACK)
    else:
        act(s, event)


@jit
def seats(s) -> int:
    """The number of players."""
    return np.int64(s.players)
