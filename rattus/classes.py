"""P10 and P21: the first part of a turn and the class cards, which the final round shares."""

import numpy as np

from rattus.actions import (
    CARD,
    END,
    KING,
    KNIGHT,
    MERCHANT,
    MERCHANT_COUNT,
    MERCHANT_TO,
    MONK,
    MONK_TO,
    PEASANT,
    PLACE,
    SWAP,
    WITCH,
    at,
    only,
)
from rattus.board import (
    EVERY_CARD,
    EVERY_SEAT,
    EVERY_SLOT,
    ONE,
    add_cubes,
    cards_of,
    change_token,
    cubes_in,
    for_seat,
    lay_token,
    lift_token,
    may_use,
    neighbours,
    neighbours_of_any,
    of_seat,
    on_turn,
    own_regions,
    place_from_reserve,
    rats_in,
    regions_in_play,
    regions_with_rats,
    regions_with_room,
    remove_cubes,
    reserve_of,
    spend,
    token_at,
)
from rattus.box import KING_CARD, KNIGHT_CARD, MERCHANT_CARD, MONK_CARD, PEASANT_CARD, REGIONS, WITCH_CARD
from rattus.state import (
    AT_FINAL_PART,
    AT_FIRST_PART,
    AT_MERCHANT_COUNT,
    AT_MERCHANT_TO,
    AT_MONK_TO,
    AT_WITCH_CHOICE,
    AT_WITCH_SECOND,
    PIECE_NEUTRAL,
    SEEN,
)
from tabletop.jit import jit

NOTHING = np.int64(0)

# ---------------------------------------------------------------- what is legal


@jit(inlined=True)
def cards_to_take(s) -> int:
    """P10 `card`: the class cards that the seat does not hold, once a turn."""
    return NOTHING if s.card_taken else ~cards_of(s, on_turn(s)) & EVERY_CARD


@jit(inlined=True)
def can_add_cubes(s) -> bool:
    """P10: whether the seat may still place cubes in this turn and has any in its reserve."""
    return not s.placed and reserve_of(s, on_turn(s)) > 0


@jit(inlined=True)
def regions_to_place(s) -> int:
    """P10 `place`: the regions with a rat token."""
    return regions_with_rats(s) if can_add_cubes(s) else NOTHING


@jit(inlined=True)
def regions_for_peasant(s) -> int:
    """P10, P21 `peasant`: any region."""
    return regions_in_play(s) if may_use(s, PEASANT_CARD) and can_add_cubes(s) else NOTHING


@jit(inlined=True)
def regions_for_king(s) -> int:
    """P10 `king`: the regions with an own cube and without rat tokens."""
    return own_regions(s, on_turn(s)) & ~regions_with_rats(s) if may_use(s, KING_CARD) else NOTHING


@jit(inlined=True)
def regions_for_merchant(s) -> int:
    """P10 `merchant`: the regions with an own cube."""
    return own_regions(s, on_turn(s)) if may_use(s, MERCHANT_CARD) and s.rules.merchant_cubes > 0 else NOTHING


@jit(inlined=True)
def tokens_for_monk(s) -> int:
    """P10 `monk`: the places of the rat tokens beside a region that has room."""
    if not may_use(s, MONK_CARD):
        return NOTHING
    return s.places & neighbours_of_any(s, regions_with_room(s)) * EVERY_SLOT


@jit(inlined=True)
def tokens_for_witch(s) -> int:
    """P10 `witch`: the places of all rat tokens."""
    return s.places if may_use(s, WITCH_CARD) else NOTHING


@jit(inlined=True)
def regions_for_knight(s) -> int:
    """P21 `knight`: the regions that the plague piece can reach."""
    usable = may_use(s, KNIGHT_CARD) and s.options.knight_final == PIECE_NEUTRAL
    return np.int64(s.map.within_knight[s.plague]) if usable else NOTHING


@jit(inlined=True)
def _write(s, word_0: int, word_2: int, out: np.ndarray) -> None:
    """The actions of P10 and P21 that both have, added to those in `word_0` and `word_2`."""
    out[0] = np.uint64(word_0 | at(PEASANT, regions_for_peasant(s)) | at(END, ONE))
    out[1] = np.uint64(
        at(KING, regions_for_king(s)) | at(MERCHANT, regions_for_merchant(s)) | at(MONK, tokens_for_monk(s))
    )
    out[2] = np.uint64(word_2 | at(WITCH, tokens_for_witch(s)))
    out[3] = np.uint64(0)


@jit(inlined=True)
def legal_first_part(s, out: np.ndarray) -> None:
    """P10: the actions of the first part."""
    _write(s, at(CARD, cards_to_take(s)) | at(PLACE, regions_to_place(s)), NOTHING, out)


@jit(inlined=True)
def legal_final_part(s, out: np.ndarray) -> None:
    """P21: the actions of a seat in the final round."""
    _write(s, NOTHING, at(KNIGHT, regions_for_knight(s)), out)


@jit(inlined=True)
def can_only_end(s) -> bool:
    """Whether the node is one of P10 or P21 with `end` as its only action; such a node is skipped."""
    if s.phase == AT_FIRST_PART:
        more = cards_to_take(s) | regions_to_place(s)
    elif s.phase == AT_FINAL_PART:
        more = regions_for_knight(s)
    else:
        return False
    return more == 0 and not can_use_a_card(s)


@jit(inlined=True)
def can_use_a_card(s) -> bool:
    """Whether the seat can use any of the class cards that P10 and P21 share."""
    if s.usable == 0:
        return False
    regions = regions_for_peasant(s) | regions_for_king(s) | regions_for_merchant(s)
    return regions | tokens_for_monk(s) | tokens_for_witch(s) != 0


# ---------------------------------------------------------------- what the actions do


@jit(inlined=True)
def begin_part(s, seat: int, phase: int) -> None:
    """P10, P21: a seat begins; each card that it holds may be used once."""
    s.seat, s.phase = seat, phase
    s.usable = cards_of(s, seat)
    s.card_taken = s.placed = 0


@jit(inlined=True)
def go_on(s) -> None:
    """An ability is finished: back to the node of P10 or P21."""
    s.region = s.slot = s.region_2 = s.slot_2 = 0
    s.phase = AT_FINAL_PART if s.final else AT_FIRST_PART


@jit(inlined=True)
def take_card(s, card: int) -> None:
    """P10 `card`: the seat takes a class card, from the table or from whoever holds it."""
    s.held = np.int64(s.held) & ~(EVERY_SEAT << card) | for_seat(ONE << card, on_turn(s))
    s.usable |= ONE << card
    s.card_taken = 1


@jit(inlined=True)
def place(s, region: int) -> None:
    """P10 `place`: as many cubes as there are rat tokens in the region."""
    place_from_reserve(s, on_turn(s), region, rats_in(s, region))
    s.placed = 1


@jit(inlined=True)
def use_peasant(s, region: int) -> None:
    """P10, P21 `peasant`: the Peasant's cubes, in P10 beside one for each rat token there."""
    rats = NOTHING if s.final else rats_in(s, region)
    place_from_reserve(s, on_turn(s), region, rats + np.int64(s.rules.peasant_cubes))
    s.placed = 1
    spend(s, PEASANT_CARD)


@jit(inlined=True)
def use_king(s, region: int) -> None:
    """P10 `king`: one own cube goes to the palace."""
    remove_cubes(s, on_turn(s), region, ONE)
    s.palace += for_seat(ONE, on_turn(s))
    spend(s, KING_CARD)


@jit(inlined=True)
def use_knight(s, region: int) -> None:
    """P21 `knight`: the plague piece moves, without spread and ravage, and counts as neutral cubes in P22."""
    s.plague, s.piece_neutral = region, 1
    spend(s, KNIGHT_CARD)


@jit(inlined=True)
def begin_monk(s, region: int, slot: int) -> None:
    """P10 `monk`: the token is chosen."""
    s.region, s.slot, s.phase = region, slot, AT_MONK_TO
    spend(s, MONK_CARD)


@jit(inlined=True)
def legal_monk_to(s, out: np.ndarray) -> None:
    """P10 `monk_to`: the adjacent regions with room."""
    only(out, MONK_TO, neighbours(s, s.region) & regions_with_room(s))


@jit(inlined=True)
def monk_to(s, region: int) -> None:
    """P10 `monk_to`: the token moves."""
    lay_token(s, region, lift_token(s, np.int64(s.region), np.int64(s.slot)))
    go_on(s)


@jit(inlined=True)
def begin_merchant(s, region: int) -> None:
    """P10 `merchant`: the region is chosen from which cubes go."""
    s.region, s.phase = region, AT_MERCHANT_TO
    spend(s, MERCHANT_CARD)


@jit(inlined=True)
def legal_merchant_to(s, out: np.ndarray) -> None:
    """P10 `merchant_to`: the adjacent regions."""
    only(out, MERCHANT_TO, neighbours(s, s.region))


@jit(inlined=True)
def merchant_to(s, region: int) -> None:
    """P10 `merchant_to`: the region is chosen to which cubes go."""
    s.region_2, s.phase = region, AT_MERCHANT_COUNT


@jit(inlined=True)
def legal_merchant_count(s, out: np.ndarray) -> None:
    """P10 `merchant_count`: one cube up to the limit, at most the own cubes there."""
    cubes = of_seat(cubes_in(s, s.region), on_turn(s))
    most = min(cubes, np.int64(s.rules.merchant_cubes))
    only(out, MERCHANT_COUNT, (ONE << most) - 1)


@jit(inlined=True)
def merchant_count(s, cubes: int) -> None:
    """P10 `merchant_count`: the cubes move."""
    remove_cubes(s, on_turn(s), np.int64(s.region), cubes)
    add_cubes(s, on_turn(s), np.int64(s.region_2), cubes)
    go_on(s)


@jit(inlined=True)
def look_at(s, region: int, slot: int) -> None:
    """P30: the seat on turn sees a rat token; that it did is public, what it saw is not."""
    change_token(s, region, slot, ~token_at(s, region, slot) & SEEN << on_turn(s))


@jit(inlined=True)
def begin_witch(s, region: int, slot: int) -> None:
    """P10 `witch`: the first token is seen; there is no second look if there is no other token."""
    look_at(s, region, slot)
    spend(s, WITCH_CARD)
    if s.places & s.places - 1:
        s.region, s.slot, s.phase = region, slot, AT_WITCH_SECOND


@jit(inlined=True)
def legal_witch_second(s, out: np.ndarray) -> None:
    """P10 `witch`: the other tokens."""
    first = REGIONS * np.int64(s.slot) + np.int64(s.region)
    only(out, WITCH, s.places & ~(ONE << first))


@jit(inlined=True)
def witch_second(s, region: int, slot: int) -> None:
    """P10 `witch`: the second token is seen; tokens of different regions may be exchanged."""
    look_at(s, region, slot)
    if region == s.region:
        go_on(s)
    else:
        s.region_2, s.slot_2, s.phase = region, slot, AT_WITCH_CHOICE


@jit(inlined=True)
def witch_choice(s, event: int) -> None:
    """P10 `swap`, `keep`: the tokens exchange their places, with all that is known of them (P14), or stay."""
    if event == SWAP:
        region, slot = np.int64(s.region), np.int64(s.slot)
        region_2, slot_2 = np.int64(s.region_2), np.int64(s.slot_2)
        difference = token_at(s, region, slot) ^ token_at(s, region_2, slot_2)
        change_token(s, region, slot, difference)
        change_token(s, region_2, slot_2, difference)
    go_on(s)
