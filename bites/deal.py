"""Setting up a game of Bites: the cards, the trail and the small tokens, which chance decides (B5 – B8)."""

import numpy as np

from bites.actions import ACTIONS, CARD, EVENTS, FIRST_CARD, SMALL, TRAIL
from bites.box import (
    ALLERGY,
    DECK_SIZES,
    DECKS,
    FAVOURITE,
    FOODS,
    GOLD,
    GOLD_IN_TRAIL,
    GOLD_TOKENS,
    HILL_DECK,
    KINDS,
    LOGS_ON_TRAIL,
    MOST_PLAYERS,
    PUBLISHED,
    SPECIAL_DECK,
    TOKENS_A_SET,
    WHOLE_DECK,
)
from bites.state import DEAL_SMALL, DRAW_HILL, LAY_TRAIL, NO_TOKEN, PLACES, WORDS
from bites.trail import lay, lay_logs, note_sets, prepare_trail
from bites.turn import begin_turn, set_phase
from tabletop.bits import EMPTY, bit, has, lowest, put
from tabletop.game import CHANCE
from tabletop.jit import jit
from tabletop.rng import uniform, uniform_from, uniform_member

STREAMS = ("cards", "trail", "small")
CARDS_STREAM, TRAIL_STREAM, SMALL_STREAM = range(3)

# The bag is counted in sums, so that one subtraction finds the kind of a drawn token: byte k of `bag` counts the
# tokens of the kinds 0 … k. There are never more than 122, so the top bit of each byte is free.
ONE_OF_ALL = np.uint64(0x0101010101010101)
TOP_BITS = np.uint64(0x8080808080808080)

ALL_FOODS = np.uint64((1 << FOODS) - 1)


@jit
def setup(s) -> None:
    """B5 – B8: the position before the first event."""
    clear_table(s)
    fill_stack_and_bag(s)
    s.mover = CHANCE
    s.walking = ALL_FOODS
    draw_or_name_cards(s, HILL_DECK)


@jit
def clear_table(s) -> None:
    """B8: no token lies on the trail or before a player, and all ants stand before the first place."""
    s.may_spend = s.laid = s.small_dealt = s.spent = s.places = s.hill = 0
    set_phase(s, DRAW_HILL)
    s.standing = EMPTY
    for ant in range(FOODS):
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


# Cards


@jit
def draw_or_name_cards(s, deck: int) -> None:
    """B5: from this deck on, named cards come into play; a deck that is to be drawn from waits for chance."""
    while deck < len(DECKS):
        if s.options.wanted[deck] == DECK_SIZES[deck]:
            s.phase = DRAW_HILL + deck
            return
        s.card[deck] = s.options.wanted[deck]
        deck += 1
    begin_trail(s)


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


# Trail


@jit
def tokens_in_box(s, kind: int) -> int:
    """B2: how many tokens of the kind are in play, the gold tokens apart."""
    return np.int64(TOKENS_A_SET[kind]) * (np.int64(s.options.sets) + 1)


@jit
def fill_stack_and_bag(s) -> None:
    """B6: some tokens of each food form the hill stack, all others go into the bag."""
    tokens = 0
    s.bag = EMPTY
    for kind in range(KINDS):
        tokens += tokens_in_box(s, kind)
        if kind < FOODS:
            s.stack[kind] = s.rules.stack_per_food
            tokens -= np.int64(s.rules.stack_per_food)
        s.bag |= np.uint64(tokens) << np.uint64(8 * kind)


@jit(inlined=True)
def tokens_in_bag(s) -> int:
    """How many tokens are still to be laid."""
    return np.int64(s.bag >> np.uint64(8 * (KINDS - 1)))


@jit(inlined=True)
def tokens_of_kind_in_bag(s, kind: int) -> int:
    """How many tokens of the kind are still to be laid."""
    counts = s.bag - (s.bag << np.uint64(8))
    return np.int64(counts >> np.uint64(8 * kind) & np.uint64(0xFF))


@jit
def kinds_in_bag(s) -> np.uint64:
    """The set of the kinds of token that are still to be laid."""
    kinds = EMPTY
    for kind in range(KINDS):
        kinds |= np.uint64(tokens_of_kind_in_bag(s, kind) != 0) << np.uint64(kind)
    return kinds


@jit(inlined=True)
def sums_above(bag: np.uint64, n: int) -> np.uint64:
    """The top bits of the bytes of `bag` above n: of the sums that count the token with n others before it."""
    not_above = (np.uint64(n) * ONE_OF_ALL | TOP_BITS) - bag
    return ~not_above & TOP_BITS


@jit(inlined=True)
def kind_of(sums: np.uint64) -> int:
    """The kind of the token that these sums count, the first of them."""
    return lowest(sums) >> 3


@jit(inlined=True)
def without_one(bag: np.uint64, sums: np.uint64) -> np.uint64:
    """The bag without the token that these sums count."""
    return bag - (sums >> np.uint64(7))


@jit
def begin_trail(s) -> None:
    """B6: the tokens in the bag will form the trail, with the gold tokens if that card is in play."""
    if s.card[SPECIAL_DECK] == GOLD_IN_TRAIL:
        s.bag += np.uint64(GOLD_TOKENS) << np.uint64(8 * GOLD)
    prepare_trail(s, tokens_in_bag(s))
    if s.card[SPECIAL_DECK] == LOGS_ON_TRAIL:
        lay_logs(s)
    s.phase = LAY_TRAIL


@jit(inlined=True)
def lay_token(s, kind: int) -> None:
    """B6: the drawn token is laid on the next place from the start."""
    s.bag = without_one(s.bag, TOP_BITS << np.uint64(8 * kind))
    s.laid += 1
    lay(s, s.laid, np.uint64(kind))
    if s.laid == s.places:
        finish_trail(s)


@jit
def finish_trail(s) -> None:
    """B7, B8: the trail is complete; with favourite or allergy each player gets a small token, then seat 0 begins."""
    note_sets(s)
    if s.card[SPECIAL_DECK] == FAVOURITE or s.card[SPECIAL_DECK] == ALLERGY:
        s.phase = DEAL_SMALL
    else:
        begin_turn(s, 0)


# Small tokens


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
def chance_outcomes(s):
    """At a chance node: the possible outcomes, as an id and a set of numbers to be added to it."""
    if s.phase == LAY_TRAIL:
        return TRAIL, kinds_in_bag(s)
    if s.phase == DEAL_SMALL:
        return SMALL, small_tokens_left(s)
    return np.int64(CARD[s.phase - DRAW_HILL]), drawable(s)


@jit
def legal_outcomes(s, out: np.ndarray) -> None:
    """At a chance node: writes the set of the possible outcomes."""
    out[0] = out[1] = EMPTY
    first, members = chance_outcomes(s)
    put(out, first, members)


@jit
def weights(s, out: np.ndarray) -> None:
    """B5 – B7: the weight of each outcome id − ACTIONS: 1, but for a token the number that is still to be laid."""
    first, members = chance_outcomes(s)
    for event in range(ACTIONS, EVENTS):
        out[event - ACTIONS] = event >= first and has(members, event - first)
    if s.phase == LAY_TRAIL:
        for kind in range(KINDS):
            out[TRAIL - ACTIONS + kind] = tokens_of_kind_in_bag(s, kind)


@jit
def draw_outcome(s, rng: np.ndarray) -> int:
    """B5, B7: a card or a small token, each equally likely."""
    first, members = chance_outcomes(s)
    return first + uniform_member(rng, stream(s), members)


@jit(inlined=True)
def sample(s, rng: np.ndarray) -> int:
    """At a chance node: draws an outcome with the probabilities of `weights` from its own stream."""
    if s.phase == LAY_TRAIL:
        return TRAIL + kind_of(sums_above(s.bag, uniform(rng, TRAIL_STREAM, tokens_in_bag(s))))
    return draw_outcome(s, rng)


@jit
def lay_rest_of_trail(s, rng: np.ndarray) -> int:
    """B6: draws and lays all tokens that are left, as `sample` and `lay_token` would one by one; returns how many."""
    bag, laid, length = s.bag, np.int64(s.laid), np.int64(s.places)
    state = rng[TRAIL_STREAM]
    for left in range(length - laid, 0, -1):
        drawn, state = uniform_from(rng, TRAIL_STREAM, state, left)
        sums = sums_above(bag, drawn)
        bag = without_one(bag, sums)
        lay(s, np.uint64(length + 1 - left), np.uint64(kind_of(sums)))
    s.bag, s.laid, rng[TRAIL_STREAM] = bag, length, state
    finish_trail(s)
    return length - laid


@jit
def draw_ahead(s, rng: np.ndarray) -> int:
    """At a chance node: draws and applies one outcome, but the whole trail at once; returns how many."""
    if s.phase == LAY_TRAIL:
        return lay_rest_of_trail(s, rng)
    reveal(s, draw_outcome(s, rng))
    return 1


@jit(inlined=True)
def reveal(s, event: int) -> None:
    """Applies an outcome of chance."""
    if event < SMALL:
        lay_token(s, event - TRAIL)
    elif event < FIRST_CARD:
        deal_small(s, event - SMALL)
    else:
        draw_card(s, event)
