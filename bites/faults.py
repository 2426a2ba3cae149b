"""What must hold in every position of Bites; a fault is a broken invariant."""

import numpy as np

from bites.box import (
    CHOCOLATE,
    CHOCOLATE_DECK,
    DECK_SIZES,
    DECKS,
    DOUBLE_FISTER,
    FOODS,
    GOLD,
    GOLD_IN_TRAIL,
    GOLD_TOKENS,
    KINDS,
    LEVELS,
    MOST_PLAYERS,
    SPECIAL_DECK,
    SWAP,
)
from bites.deal import tokens_in_box, tokens_of_kind_in_bag
from bites.scoring import is_on_hill
from bites.state import (
    DEAL_SMALL,
    DRAW_SPECIAL,
    FINISHED,
    LAY_TRAIL,
    LONG_HILL,
    OFFER_SWAP,
    OFFER_TAKE,
    PLACES,
    START,
    TAKE,
    TAKE_STACK,
)
from bites.trail import BACK, FRONT, NOWHERE, back, bears_ant, front, place_of, sides_with_token, token_at
from bites.turn import ants_on_hill, stack_is_empty
from tabletop.bits import EMPTY, bit, count, has
from tabletop.game import CHANCE, OVER
from tabletop.jit import jit

FAULTS = (
    "tokens of a kind were lost or made",
    "two ants share a place, or an ant stands on none of the trail",
    "the sets of places disagree with the tokens on the trail",
    "the free places are not those with a token and no ant",
    "the levels of the ants on the hill are not different levels",
    "phase and seat to move do not fit",
    "a chocolate may be spent that is not there",
    "the phase asks for what cannot be done",
    "an entry that is not in use is not zero",
    "a card in play is none of its deck",
)


@jit
def tokens_on_trail(s, kind: int) -> int:
    """How many tokens of a kind lie on the trail."""
    tokens = 0
    for place in range(PLACES):
        tokens += token_at(s, place) == kind
    return tokens


@jit
def tokens_of_kind(s, kind: int) -> int:
    """How many tokens of a kind are to be found anywhere."""
    tokens = tokens_of_kind_in_bag(s, kind) + tokens_on_trail(s, kind)
    tokens += np.int64(s.stack[kind]) if kind < FOODS else 0
    tokens += np.int64(s.spent) if kind == CHOCOLATE else 0
    for seat in range(s.players):
        tokens += np.int64(s.owned[seat, kind])
    return tokens


@jit
def tokens_are_conserved(s) -> bool:
    """Every token of the box is in the bag, on the trail, in the stack, with a player or spent."""
    for kind in range(KINDS):
        expected = tokens_in_box(s, kind)
        if kind == GOLD and s.phase > DRAW_SPECIAL and s.card[SPECIAL_DECK] == GOLD_IN_TRAIL:
            expected = GOLD_TOKENS
        if tokens_of_kind(s, kind) != expected:
            return False
    return True


@jit
def ants_are_apart(s) -> bool:
    """B31: each ant is at the start, alone on a token, or on the hill."""
    for ant in range(FOODS):
        place = place_of(s, ant)
        if place != START and place != s.hill and token_at(s, place) == NOWHERE:
            return False
        for other in range(ant):
            if place_of(s, other) == place and START < place < s.hill:
                return False
    return True


@jit
def is_end(s, place: int) -> bool:
    """Whether a place is one of the ends, which are members of all sets of tokens once the trail has a length."""
    return s.places != 0 and (place == START or place == s.hill)


@jit
def sets_agree(s) -> bool:
    """Once the trail is laid, the set of each kind holds the places that show it; nothing lies beyond its end."""
    for place in range(PLACES):
        for kind in range(KINDS):
            expected = (token_at(s, place) == kind and s.phase > LAY_TRAIL) or is_end(s, place)
            if has(s.lying[kind, place >> 6], place & 63) != expected:
                return False
        if token_at(s, place) != NOWHERE and (place == START or place > s.laid or token_at(s, place) >= KINDS):
            return False
    return np.int64(s.laid) <= np.int64(s.places)


@jit
def free_is_right(s) -> bool:
    """B10: free are the tokens without an ant, once the trail is complete."""
    for place in range(PLACES):
        is_free = s.phase > LAY_TRAIL and token_at(s, place) != NOWHERE and not bears_ant(s, place)
        if has(s.free[place >> 6], place & 63) != (is_free or is_end(s, place)):
            return False
    return True


@jit
def levels_are_right(s) -> bool:
    """B13: the ants on the hill are on different levels, the others on none."""
    taken = np.uint64(0)
    for ant in range(FOODS):
        if is_on_hill(s, ant) != (place_of(s, ant) == s.hill and s.hill != START) or s.level[ant] >= LEVELS:
            return False
        if is_on_hill(s, ant):
            taken |= bit(s.level[ant])
        elif s.level[ant] != 0:
            return False
    return count(taken) == count(ants_on_hill(s))


@jit
def mover_fits(s) -> bool:
    """Chance sets up, seats play, nobody moves after the end, which comes when all ants are on the hill."""
    if s.phase > FINISHED:
        return False
    if s.phase == FINISHED:
        return s.mover == OVER and s.walking == np.uint64(0)
    if s.phase <= DEAL_SMALL:
        return s.mover == CHANCE
    return 0 <= s.mover < np.int64(s.players) and (s.walking != np.uint64(0) or s.phase >= TAKE_STACK)


@jit
def chocolate_is_there(s) -> bool:
    """B20: who may spend a chocolate has one."""
    if s.mover < 0:
        return s.may_spend == 0
    return s.may_spend == 0 or (s.may_spend == 1 and s.owned[np.uint8(s.mover), CHOCOLATE] > 0)


@jit
def tokens_beside_are_right(s) -> bool:
    """B12: a token can be taken, and the noted ones are the front and the back of the ant on the trail."""
    place = place_of(s, s.ant)
    if place == START or place == s.hill or s.sides == 0 or s.sides != sides_with_token(s):
        return False
    return s.beside[FRONT] == front(s, place) and s.beside[BACK] == back(s, place)


@jit
def phase_is_possible(s) -> bool:
    """No node is reached in which only a pass, or nothing at all, would be legal."""
    card = s.card[CHOCOLATE_DECK]
    if s.phase == TAKE:
        return tokens_beside_are_right(s)
    if s.phase == OFFER_TAKE:
        return tokens_beside_are_right(s) and card == DOUBLE_FISTER and s.may_spend == 1
    if s.phase == TAKE_STACK:
        return not stack_is_empty(s) and is_on_hill(s, s.ant)
    if s.phase == OFFER_SWAP:
        return card == SWAP and s.may_spend == 1 and count(ants_on_hill(s)) >= 2
    return s.ant == 0


@jit
def unused_is_zero(s) -> bool:
    """Equal positions are equal bytes: entries without a meaning are zero."""
    for seat in range(MOST_PLAYERS):
        for kind in range(KINDS):
            if seat >= s.players and s.owned[seat, kind]:
                return False
        if seat >= s.small_dealt and s.small[seat]:
            return False
    if s.phase != TAKE and s.phase != OFFER_TAKE and (s.sides or s.beside[FRONT] or s.beside[BACK]):
        return False
    return s.hill == LONG_HILL or (s.free[1] | s.logs[1]) == EMPTY


@jit
def cards_are_right(s) -> bool:
    """B5: the card in play is one of its deck, and the one that was named."""
    for deck in range(len(DECKS)):
        size, wanted, card = DECK_SIZES[deck], s.options.wanted[deck], s.card[deck]
        is_known = s.phase > DRAW_SPECIAL or s.phase > deck
        if wanted > size or card >= size or (is_known and wanted < size and card != wanted):
            return False
    return True


@jit
def faults(s) -> int:
    """The set of the broken invariants, bit k for FAULTS[k]; 0 for a sound position."""
    found = 0
    found |= (not tokens_are_conserved(s)) << 0
    found |= (not ants_are_apart(s)) << 1
    found |= (not sets_agree(s)) << 2
    found |= (not free_is_right(s)) << 3
    found |= (not levels_are_right(s)) << 4
    found |= (not mover_fits(s)) << 5
    found |= (not chocolate_is_there(s)) << 6
    found |= (not phase_is_possible(s)) << 7
    found |= (not unused_is_zero(s)) << 8
    found |= (not cards_are_right(s)) << 9
    return found
