"""What a seat observes, and how what it cannot know is dealt again (P30, P31).

An observation is made of what the seat may know and of nothing else: the front of a rat token on the board is
written only if the seat has seen it, and of the others only how many of each type are neither revealed nor seen.
"""

import numpy as np

from rattus.board import (
    alls_of,
    cards_of,
    change_token,
    classes_of,
    cubes_in,
    limit_of,
    majorities_of,
    of_seat,
    palace_of,
    random_type,
    rats_in,
    reserve_of,
    return_to_pool,
    supply,
    take_from_pool,
    token_at,
    type_of,
)
from rattus.box import CLASSES, PLAYERS, REGIONS, SEATS, SLOTS, TYPES
from rattus.final import score_of
from rattus.state import AT_END, AT_START, DRAWN, PHASES, SEEN, THERE
from tabletop.bits import ALL, EMPTY, bit, write_set
from tabletop.game import Feature
from tabletop.jit import jit

MOST = 127
NOWHERE = -1
FRONT = 3 + CLASSES  # what is written of a front: limit, M, A, classes
TOKEN = 2 + SEATS + FRONT
FIRST_SEEN = SEEN.bit_length() - 1  # bit of a token for seat 0

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
def mark(out: np.ndarray, at: int, size: int, chosen: int) -> int:
    """Writes a one-hot block, all zero if nothing is chosen (−1); returns where the next block begins."""
    write_set(out, at, size, bit(chosen) if 0 <= chosen < size else EMPTY)
    return at + size


@jit(inlined=True)
def mark_set(out: np.ndarray, at: int, size: int, members: int) -> int:
    """Writes the members of a set as 0 and 1; returns where the next block begins."""
    write_set(out, at, size, np.uint64(members))
    return at + size


@jit(inlined=True)
def note(out: np.ndarray, at: int, number: int) -> int:
    """Writes a number, cut to the range; returns where the next block begins."""
    out[at] = max(0, min(MOST, np.int64(number)))
    return at + 1


@jit(inlined=True)
def seat_after(s, seat: int, steps: int) -> int:
    """The seat that many seats on, or NOWHERE beyond the last player."""
    players = np.int64(s.players)
    if steps >= players:
        return NOWHERE
    return seat + steps if seat + steps < players else seat + steps - players


@jit(inlined=True)
def steps_to(s, seat: int, other: int) -> int:
    """How many seats on another seat is."""
    return other - seat if other >= seat else other - seat + np.int64(s.players)


@jit
def see_round(s, seat: int, out: np.ndarray, at: int) -> int:
    """Phase, players, whose turn it is, how far the game has come."""
    at = mark(out, at, len(PHASES), np.int64(s.phase))
    at = mark(out, at, len(PLAYERS), np.int64(s.players) - PLAYERS[0])
    at = mark(out, at, SEATS, steps_to(s, seat, np.int64(s.seat)) if s.phase != AT_END else NOWHERE)
    at = note(out, at, s.final)
    at = mark(out, at, SEATS, steps_to(s, seat, np.int64(s.trigger)) if s.final else NOWHERE)
    at = note(out, at, s.turns)
    return note(out, at, supply(s))


@jit
def see_rules(s, out: np.ndarray, at: int) -> int:
    """Options and parameters."""
    at = mark(out, at, 3, np.int64(s.options.initial_placement))
    at = mark(out, at, 2, np.int64(s.options.reveal))
    at = mark(out, at, 2, np.int64(s.options.knight_final))
    at = note(out, at, s.rules.removed)
    at = note(out, at, s.rules.cubes)
    at = note(out, at, s.rules.settle_cubes)
    at = note(out, at, s.rules.tokens_per_region)
    for rats in range(SLOTS + 1):
        at = note(out, at, s.rules.spread[rats])
    at = note(out, at, s.rules.merchant_cubes)
    at = note(out, at, s.rules.knight_steps)
    at = note(out, at, s.rules.neutral_cubes)
    return note(out, at, s.rules.peasant_cubes)


@jit
def see_cubes_beside_board(s, seat: int, out: np.ndarray, at: int) -> int:
    """Score, reserve and palace of each seat."""
    for steps in range(SEATS):
        whose = seat_after(s, seat, steps)
        note(out, at + steps, score_of(s, whose) if whose >= 0 else 0)
        note(out, at + SEATS + steps, reserve_of(s, whose) if whose >= 0 else 0)
        note(out, at + 2 * SEATS + steps, palace_of(s, whose) if whose >= 0 else 0)
    return at + 3 * SEATS


@jit
def see_turn(s, seat: int, out: np.ndarray, at: int) -> int:
    """Class cards, and what has happened in this turn."""
    for steps in range(SEATS):
        whose = seat_after(s, seat, steps)
        at = mark_set(out, at, CLASSES, cards_of(s, whose) if whose >= 0 else 0)
    at = mark_set(out, at, CLASSES, np.int64(s.usable))
    at = note(out, at, s.card_taken)
    at = note(out, at, s.placed)
    at = note(out, at, s.spread_left)
    at = note(out, at, s.neutral)
    return note(out, at, s.piece_neutral)


@jit
def see_settling(s, seat: int, out: np.ndarray, at: int) -> int:
    """Where each seat settled first."""
    for steps in range(SEATS):
        whose = seat_after(s, seat, steps)
        at = mark(out, at, REGIONS, np.int64(s.first_region[whose]) if 0 <= whose < s.settled else NOWHERE)
    return at


@jit
def see_unseen(s, seat: int, out: np.ndarray, at: int) -> int:
    """P30: the tokens of each type that are neither revealed nor seen by the seat."""
    for kind in range(TYPES):
        note(out, at + kind, np.int64(s.tokens.printed[kind]) - np.int64(s.revealed[kind]))
    for region in range(REGIONS):
        for slot in range(rats_in(s, region)):
            token = token_at(s, region, slot)
            if is_seen_by(token, seat):
                out[at + type_of(token)] -= 1
    return at + TYPES


@jit
def see_map(s, out: np.ndarray, at: int) -> int:
    """Regions in play, the plague piece, the ability or spread that was begun."""
    at = mark_set(out, at, REGIONS, np.int64(s.map.in_play))
    at = mark(out, at, REGIONS, np.int64(s.plague) if s.phase > AT_START or s.turns > 0 else NOWHERE)
    at = mark(out, at, REGIONS, np.int64(s.region))
    at = mark(out, at, REGIONS, np.int64(s.region_2))
    at = mark(out, at, SLOTS, np.int64(s.slot))
    return mark(out, at, SLOTS, np.int64(s.slot_2))


@jit
def see_board(s, seat: int, out: np.ndarray, at: int) -> int:
    """Cubes of each seat, and the number of rat tokens, in each region."""
    for steps in range(SEATS):
        whose = seat_after(s, seat, steps)
        for region in range(REGIONS):
            note(out, at + region, of_seat(cubes_in(s, region), whose) if whose >= 0 else 0)
        at += REGIONS
    for region in range(REGIONS):
        out[at + region] = rats_in(s, region)
    return at + REGIONS


@jit(inlined=True)
def is_seen_by(token: int, seat: int) -> bool:
    """P30: whether a seat has seen a token by the Witch."""
    return token & SEEN << seat != 0


@jit
def see_front(s, token: int, out: np.ndarray, at: int) -> int:
    """The front of a token that the seat has seen."""
    face = np.int64(s.tokens.face[type_of(token)])
    out[at], out[at + 1], out[at + 2] = limit_of(face), majorities_of(face), alls_of(face)
    return mark_set(out, at + 3, CLASSES, classes_of(face))


@jit(inlined=True)
def witnesses(s, seat: int, token: int) -> int:
    """P30: the set of the seats that have seen a token, counted from the observing one."""
    players = np.int64(s.players)
    seats = token >> FIRST_SEEN
    return (seats >> seat | seats << (players - seat)) & ((1 << players) - 1)


@jit
def see_token(s, seat: int, token: int, out: np.ndarray, at: int) -> None:
    """P30: the slot of a token; its front only if the seat has seen it, else that stays 0."""
    out[at], out[at + 1] = 1, token & DRAWN != 0
    mark_set(out, at + 2, SEATS, witnesses(s, seat, token))
    if is_seen_by(token, seat):
        see_front(s, token, out, at + 2 + SEATS)


@jit
def see_tokens(s, seat: int, out: np.ndarray, at: int) -> None:
    """P30: the slots of all regions; an empty one is 0."""
    out[at : at + REGIONS * SLOTS * TOKEN] = 0
    for region in range(REGIONS):
        for slot in range(rats_in(s, region)):
            see_token(s, seat, token_at(s, region, slot), out, at + (SLOTS * region + slot) * TOKEN)


@jit
def observe(s, seat: int, out: np.ndarray) -> None:
    """P30: writes what the seat may know, in the order of FEATURES."""
    at = see_rules(s, out, see_round(s, seat, out, 0))
    at = see_turn(s, seat, out, see_cubes_beside_board(s, seat, out, at))
    at = see_unseen(s, seat, out, see_settling(s, seat, out, at))
    see_tokens(s, seat, out, see_board(s, seat, out, see_map(s, out, at)))


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
