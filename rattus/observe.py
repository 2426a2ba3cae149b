"""What a seat observes, and how what it cannot know is dealt again (P30, P31).

An observation is made of what the seat may know and of nothing else: the front of a rat token on the board is
written only if the seat has seen it, and of the others only how many of each type are neither revealed nor seen.
"""

import numpy as np

from rattus.board import (
    EVERY_SEAT,
    ONE,
    alls_of,
    change_token,
    classes_of,
    cubes_in,
    limit_of,
    majorities_of,
    of_seat,
    random_type,
    rats_in,
    regions_in_play,
    return_to_pool,
    supply,
    take_from_pool,
    token_at,
    type_of,
)
from rattus.box import CLASSES, PLAYERS, REGIONS, SEATS, SLOTS, TYPES
from rattus.state import AT_END, AT_START, DRAWN, PHASES, SEEN, THERE, TOKEN_BITS
from tabletop.bits import ALL, EMPTY, count, lowest, without_lowest, write_numbers
from tabletop.game import Feature
from tabletop.jit import jit
from tabletop.planes import spread, write_differences, write_members, write_number, write_word

MOST = 127
FRONT = 3 + CLASSES  # what is written of a front: limit, M, A, classes
TOKEN = 2 + SEATS + FRONT
FIRST_SEEN = SEEN.bit_length() - 1  # bit of a token for seat 0
FIRST_OF_TOKENS = sum(1 << TOKEN_BITS * slot for slot in range(SLOTS))  # the first bit of each token of a region

FEATURES = (
    Feature("phase", len(PHASES), 0, 1, "which node comes next, one-hot in the order of `state.PHASES`"),
    Feature("players", len(PLAYERS), 0, 1, "number of players, one-hot from 2"),
    Feature("on_turn", SEATS, 0, 1, "seat whose turn it is, one-hot; the observing seat is the first"),
    Feature("final", 1, 0, 1, "whether the final round has begun"),
    Feature("trigger", SEATS, 0, 1, "seat whose turn triggered the end, one-hot"),
    Feature("turns", 1, 0, MOST, "turns completed, cut to the range"),
    Feature("supply", 1, 0, MOST, "tokens that may still be drawn, cut to the range"),
    Feature("options", 7, 0, 1, "initial placement, reveal, final Knight, one-hot each"),
    Feature("rules", 12, 0, MOST, "the numbers of the rules in the order of the state, cut to the range"),
    Feature("score", SEATS, 0, MOST, "points of each seat as they would count now"),
    Feature("reserve", SEATS, 0, MOST, "cubes of each seat in the reserve"),
    Feature("palace", SEATS, 0, MOST, "cubes of each seat in the palace"),
    Feature("cards", SEATS * CLASSES, 0, 1, "class cards that each seat holds"),
    Feature("usable", CLASSES, 0, 1, "class cards that the seat on turn has not used"),
    Feature("done", 2, 0, 1, "whether it has taken a card and placed cubes in this turn"),
    Feature("spread_left", 1, 0, MOST, "new tokens still to come"),
    Feature("neutral", 2, 0, 1, "whether the plague piece counts as neutral cubes now, and in the last ravage"),
    Feature("first_settled", SEATS * REGIONS, 0, 1, "where each seat settled first, until all have settled"),
    Feature("unseen", TYPES, 0, MOST, "tokens of each type that are neither revealed nor seen by the seat"),
    Feature("in_play", REGIONS, 0, 1, "regions in play"),
    Feature("plague", REGIONS, 0, 1, "where the plague piece is"),
    Feature("begun", 2 * REGIONS, 0, 1, "first and second region of the ability or spread that was begun"),
    Feature("slots", 2 * SLOTS, 0, 1, "their slots"),
    Feature("cubes", SEATS * REGIONS, 0, MOST, "cubes of each seat in each region, a plane a seat"),
    Feature("rats", REGIONS, 0, SLOTS, "rat tokens in each region"),
    Feature(
        "tokens",
        REGIONS * SLOTS * TOKEN,
        0,
        MOST,
        "each slot: there, drawn, seen by each seat, and, if the observing seat has seen it: limit, M, A, classes",
    ),
)


@jit(inlined=True)
def only(number: int) -> int:
    """The set of one number."""
    return ONE << np.int64(number)


@jit(inlined=True)
def only_if(condition: bool, number: int) -> int:
    """The set of one number if the condition holds, else the empty set."""
    return np.int64(condition) << np.int64(number)


@jit(inlined=True)
def from_seat(s, packed: int, seat: int, width: int) -> int:
    """Numbers of all seats, packed with `width` bits a seat, in the order of the seats from the observing one on."""
    players = np.int64(s.players)
    turned = packed >> width * seat | packed << width * (players - seat)
    return turned & (ONE << width * players) - 1


@jit(inlined=True)
def steps_to(s, seat: int, other: int) -> int:
    """How many seats on another seat is."""
    return other - seat if other >= seat else other - seat + np.int64(s.players)


@jit(inlined=True)
def see_round(s, seat: int, out: np.ndarray, at: int) -> int:
    """Phase, players, whose turn it is, how far the game has come."""
    turn_at = len(PHASES) + len(PLAYERS)
    flags = only(s.phase) | only(len(PHASES) - PLAYERS[0] + np.int64(s.players))
    flags |= only_if(s.phase != AT_END, turn_at + steps_to(s, seat, np.int64(s.seat)))
    flags |= only_if(s.final, turn_at + SEATS)
    flags |= only_if(s.final, turn_at + SEATS + 1 + steps_to(s, seat, np.int64(s.trigger)))
    at = write_members(out, at, turn_at + SEATS + 1 + SEATS, flags)
    return write_number(out, write_number(out, at, s.turns), supply(s))


@jit(inlined=True)
def see_rules(s, out: np.ndarray, at: int) -> int:
    """Options and parameters."""
    options = only(s.options.initial_placement) | only(3 + np.int64(s.options.reveal))
    write_word(out, at, spread(np.uint64(options | only(5 + np.int64(s.options.knight_final)))))
    at = write_number(out, at + 7, s.rules.removed)
    at = write_number(out, at, s.rules.cubes)
    at = write_number(out, at, s.rules.settle_cubes)
    at = write_number(out, at, s.rules.tokens_per_region)
    for rats in range(SLOTS + 1):
        at = write_number(out, at, s.rules.spread[rats])
    at = write_number(out, at, s.rules.merchant_cubes)
    at = write_number(out, at, s.rules.knight_steps)
    at = write_number(out, at, s.rules.neutral_cubes)
    return write_number(out, at, s.rules.peasant_cubes)


@jit(inlined=True)
def see_cubes_beside_board(s, seat: int, out: np.ndarray, at: int) -> int:
    """P23: score, reserve and palace of each seat; the score is all cubes but those in the reserve."""
    reserve = from_seat(s, np.int64(s.reserve), seat, 8)
    all_cubes = from_seat(s, np.int64(s.rules.cubes) * EVERY_SEAT, 0, 8)
    write_word(out, at, np.uint64(all_cubes - reserve))
    write_word(out, at + SEATS, np.uint64(reserve))
    write_word(out, at + 2 * SEATS, np.uint64(from_seat(s, np.int64(s.palace), seat, 8)))
    return at + 3 * SEATS


@jit(inlined=True)
def see_turn(s, seat: int, out: np.ndarray, at: int) -> int:
    """Class cards, and what has happened in this turn."""
    held, cards = from_seat(s, np.int64(s.held), seat, 8), np.int64(s.usable) << SEATS * CLASSES
    for steps in range(SEATS):
        cards |= of_seat(held, steps) << CLASSES * steps
    at = write_members(out, at, (SEATS + 1) * CLASSES, cards)
    at = write_number(out, at, s.card_taken)
    at = write_number(out, at, s.placed)
    at = write_number(out, at, s.spread_left)
    at = write_number(out, at, s.neutral)
    return write_number(out, at, s.piece_neutral)


@jit(inlined=True)
def see_settling(s, seat: int, out: np.ndarray, at: int) -> int:
    """Where each seat settled first."""
    settled, first = min(np.int64(s.settled), np.int64(s.players)), np.int64(0)
    for whose in range(SEATS):
        first |= only_if(whose < settled, REGIONS * steps_to(s, seat, whose) + np.int64(s.first_region[whose]))
    return write_members(out, at, SEATS * REGIONS, first)


@jit(inlined=True)
def see_unseen(s, out: np.ndarray, at: int) -> int:
    """P30: the tokens of each type that are not revealed; `see_known` takes away those that the seat has seen."""
    return write_differences(out, at, s.tokens.printed, s.revealed)


@jit(inlined=True)
def see_map(s, out: np.ndarray, at: int) -> int:
    """Regions in play, the plague piece, the ability or spread that was begun."""
    flags = regions_in_play(s) | only_if(s.phase > AT_START or s.turns > 0, REGIONS + np.int64(s.plague))
    flags |= only(2 * REGIONS + np.int64(s.region)) | only(3 * REGIONS + np.int64(s.region_2))
    flags |= only(4 * REGIONS + np.int64(s.slot)) | only(4 * REGIONS + SLOTS + np.int64(s.slot_2))
    return write_members(out, at, 4 * REGIONS + 2 * SLOTS, flags)


@jit(inlined=True)
def cubes_of_eight(s, first: int, seat: int) -> np.uint64:
    """The cubes of a seat in the region `first` and the seven after it, a byte a region; all are below 128."""
    packed = np.int64(0)
    for region in range(first, min(first + 8, REGIONS)):
        packed |= of_seat(cubes_in(s, region), seat) << 8 * (region - first)
    return np.uint64(packed)


@jit(inlined=True)
def see_board(s, seat: int, out: np.ndarray, at: int) -> int:
    """Cubes of each seat, and the number of rat tokens, in each region; slots fill from the first one on."""
    for steps in range(SEATS):
        whose = seat + steps if seat + steps < s.players else seat + steps - np.int64(s.players)
        whose = whose if steps < s.players else np.int64(steps)  # does not play and has no cubes
        write_word(out, at, cubes_of_eight(s, 0, whose))
        write_word(out, at + 8, cubes_of_eight(s, 8, whose))
        at += REGIONS
    one, two, three = np.uint64(s.places), np.uint64(s.places >> REGIONS), np.uint64(s.places >> 2 * REGIONS)
    write_numbers(out, at, REGIONS, one ^ two ^ three, two, EMPTY)
    return at + REGIONS


@jit(inlined=True)
def is_seen_by(token: int, seat: int) -> bool:
    """P30: whether a seat has seen a token by the Witch."""
    return token & SEEN << seat != 0


@jit(inlined=True)
def seen_by(s, seat: int) -> np.uint64:
    """P30: the set of the tokens on the board that a seat has seen, as numbers TOKEN_BITS · slot + region."""
    found = np.int64(0)
    for region in range(REGIONS):
        found |= (s.rats[region] >> FIRST_SEEN + seat & FIRST_OF_TOKENS) << region
    return np.uint64(found)


@jit(inlined=True)
def entry_of(region: int, slot: int) -> int:
    """Where the entries of a slot begin in the block of all tokens."""
    return (SLOTS * region + slot) * TOKEN


@jit(inlined=True)
def see_backs(s, seat: int, out: np.ndarray, at: int) -> None:
    """P30: of each token on the board that it is there, its origin, and who has seen it; all else is 0."""
    out[at : at + REGIONS * SLOTS * TOKEN] = 0
    places = np.uint64(s.places)
    while places:
        slot, region = divided(lowest(places))
        token = token_at(s, region, slot)
        is_drawn = np.int64(token & DRAWN != 0)
        flags = 1 | is_drawn << 1 | from_seat(s, token >> FIRST_SEEN, seat, 1) << 2
        write_word(out, at + entry_of(region, slot), spread(np.uint64(flags)))
        places = without_lowest(places)


@jit(inlined=True)
def divided(place: int) -> tuple[int, int]:
    """Slot and region of a number in `places`."""
    slot = np.int64(place >= REGIONS) + np.int64(place >= 2 * REGIONS)
    return slot, place - REGIONS * slot


@jit(inlined=True)
def see_front(s, kind: int, out: np.ndarray, at: int) -> None:
    """The front of a token of a type."""
    face = np.int64(s.tokens.face[kind])
    out[at], out[at + 1], out[at + 2] = limit_of(face), majorities_of(face), alls_of(face)
    write_members(out, at + 3, CLASSES, classes_of(face))


@jit
def see_known(s, seat: int, out: np.ndarray, unseen_at: int, tokens_at: int) -> None:
    """P30: the fronts of the tokens that the seat has seen, which are no longer among the unseen ones."""
    known = seen_by(s, seat)
    while known:
        region, slot = lowest(known) % TOKEN_BITS, lowest(known) // TOKEN_BITS
        kind = type_of(token_at(s, region, slot))
        out[unseen_at + kind] -= 1
        see_front(s, kind, out, tokens_at + entry_of(region, slot) + TOKEN - FRONT)
        known = without_lowest(known)


@jit
def observe(s, seat: int, out: np.ndarray) -> None:
    """P30: writes what the seat may know, in the order of FEATURES."""
    at = see_rules(s, out, see_round(s, seat, out, 0))
    at = see_turn(s, seat, out, see_cubes_beside_board(s, seat, out, at))
    unseen_at = see_settling(s, seat, out, at)
    tokens_at = see_board(s, seat, out, see_map(s, out, see_unseen(s, out, unseen_at)))
    see_backs(s, seat, out, tokens_at)
    see_known(s, seat, out, unseen_at, tokens_at)


# ---------------------------------------------------------------- P31


@jit(inlined=True)
def is_unknown(token: int, seat: int) -> bool:
    """P30: whether there is a token whose front the seat does not know."""
    return token & THERE != 0 and not is_seen_by(token, seat)


@jit
def collect_unknown(s, seat: int) -> None:
    """P31: the tokens that the seat does not know join the pool; their places keep all but the type."""
    for region in range(REGIONS):
        for slot in range(rats_in(s, region)):
            token = token_at(s, region, slot)
            if is_unknown(token, seat):
                return_to_pool(s, type_of(token))
                change_token(s, region, slot, type_of(token))


@jit
def deal_unknown(s, seat: int, origin: int, among: np.uint64, rng: np.ndarray) -> None:
    """P31: every unknown token of one origin (DRAWN or 0) becomes a random one of the pool, among some types."""
    for region in range(REGIONS):
        for slot in range(rats_in(s, region)):
            token = token_at(s, region, slot)
            if is_unknown(token, seat) and token & DRAWN == origin:
                kind = random_type(s, among, rng, 0)
                take_from_pool(s, kind)
                change_token(s, region, slot, kind)


@jit
def redeal(s, seat: int, rng: np.ndarray) -> None:
    """P31: starting tokens first, over the tokens of the set-up; then all others, over those drawn and the pool."""
    collect_unknown(s, seat)
    deal_unknown(s, seat, 0, s.tokens.starting, rng)
    deal_unknown(s, seat, DRAWN, ALL, rng)


@jit(inlined=True)
def redeal_words(s, seat: int) -> int:
    """P31: how many random words `redeal` takes: one for each token that the seat does not know."""
    return count(np.uint64(s.places)) - count(seen_by(s, seat))
