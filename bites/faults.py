"""What must hold in every position of Bites; a fault is a broken invariant."""

import numpy as np

from bites.box import CHOCOLATE, CHOCOLATE_DECK, DECK_SIZES, DECKS, DOUBLE_FISTER, FOODS, GOLD, GOLD_IN_TRAIL
from bites.box import GOLD_TOKENS, KINDS, LEVELS, MOST_PLAYERS, SPECIAL_DECK, SWAP, TOKENS_A_SET
from bites.rules import tokens_of_kind_in_bag
from bites.state import DEAL_SMALL, DRAW_SPECIAL, FINISHED, HILL, LAY_TRAIL, NO_TOKEN, OFFER_SWAP, OFFER_TAKE
from bites.state import PLACES, START, TAKE, TAKE_STACK, WORDS
from bites.trail import any_free
from bites.turn import ants_on_hill, stack_is_empty
from tabletop.bits import bit, count, has
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
        tokens += s.trail[place] == kind + 1
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
    has_gold = s.phase > DRAW_SPECIAL and s.card[SPECIAL_DECK] == GOLD_IN_TRAIL
    for kind in range(KINDS):
        expected = np.int64(TOKENS_A_SET[kind]) * (np.int64(s.options.sets) + 1)
        if kind == GOLD and has_gold:
            expected = GOLD_TOKENS
        if tokens_of_kind(s, kind) != expected:
            return False
    return True


@jit
def ants_are_apart(s) -> bool:
    """B31: each ant is at the start, alone on a token, or on the hill."""
    for ant in range(FOODS):
        place = s.place[ant]
        if place != START and place != HILL and (place > s.laid or s.trail[place] == NO_TOKEN):
            return False
        for other in range(ant):
            if s.place[other] == place and START < place < HILL:
                return False
    return True


@jit
def sets_agree(s) -> bool:
    """The set of each kind holds the places that show it; nothing lies beyond what has been laid."""
    for place in range(PLACES):
        for kind in range(KINDS):
            if has(s.lying[kind, place >> 6], place & 63) != (s.trail[place] == kind + 1):
                return False
        if s.trail[place] != NO_TOKEN and (place == START or place > s.laid or s.trail[place] > KINDS):
            return False
    return np.int64(s.laid) <= np.int64(s.places)


@jit
def free_is_right(s) -> bool:
    """B10: free are the tokens without an ant, once the trail is complete."""
    for place in range(PLACES):
        expected = s.trail[place] != NO_TOKEN and s.phase > LAY_TRAIL
        for ant in range(FOODS):
            expected &= s.place[ant] != place
        if has(s.free[place >> 6], place & 63) != expected:
            return False
    return True


@jit
def levels_are_right(s) -> bool:
    """B13: the ants on the hill are on different levels, the others on none."""
    taken = np.uint64(0)
    for ant in range(FOODS):
        if has(s.walking, ant) == (s.place[ant] == HILL) or s.level[ant] >= LEVELS:
            return False
        if s.place[ant] == HILL:
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
def phase_is_possible(s) -> bool:
    """No node is reached in which only a pass, or nothing at all, would be legal."""
    card = s.card[CHOCOLATE_DECK]
    if s.phase == TAKE:
        return any_free(s) and s.place[s.ant] != HILL and s.place[s.ant] != START
    if s.phase == OFFER_TAKE:
        return any_free(s) and card == DOUBLE_FISTER and s.may_spend == 1
    if s.phase == TAKE_STACK:
        return not stack_is_empty(s) and s.place[s.ant] == HILL
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
    uses_words = WORDS if s.places > 63 else 1
    for word in range(uses_words, WORDS):
        if s.free[word] or s.logs[word]:
            return False
    return True


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
