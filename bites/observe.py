"""What a seat observes. Everything in Bites is public, so an observation is the position, seen from the seat."""

import numpy as np

from bites.box import DECK_SIZES, DECKS, FOODS, KINDS, LEVELS, MOST_PLACES, MOST_PLAYERS, TOKENS_A_SET
from bites.scoring import points_with, value_of, values
from bites.state import DRAW_HILL, DRAW_SPECIAL, FINISHED, START
from bites.trail import BACK, FRONT, NOWHERE, back, front, place_of, token_at
from bites.turn import destination
from tabletop.bits import has
from tabletop.game import Feature
from tabletop.jit import jit
from tabletop.planes import copy_entries, mark, write_equal

PHASES = FINISHED + 1
MOST_TOKENS = 2 * int(TOKENS_A_SET[0])
ALL_CARDS = sum(DECK_SIZES)
OFFER = 1 + 2 * KINDS  # what a move of an ant leads to: the hill, or a front and a back token

FEATURES = (
    Feature("phase", PHASES, 0, 1, "what the next event is about, one-hot in the order of the phases in `state`"),
    Feature("players", MOST_PLAYERS - 1, 0, 1, "number of players, one-hot from 2"),
    Feature("mover", MOST_PLAYERS, 0, 1, "seat to move, one-hot; the observing seat is the first"),
    Feature("may_spend", 1, 0, 1, "whether the seat to move may spend a chocolate in this turn"),
    Feature("cards", ALL_CARDS, 0, 1, "cards in play: hill, chocolate, wine, special; one-hot a deck"),
    Feature("small", MOST_PLAYERS * FOODS, 0, 1, "small token of each seat, one-hot; with favourite and allergy"),
    Feature("owned", MOST_PLAYERS * KINDS, 0, MOST_TOKENS, "tokens of each seat, kind by kind"),
    Feature("points", MOST_PLAYERS, -128, 127, "points of each seat as they would count now, cut to the range"),
    Feature("stack", FOODS, 0, MOST_TOKENS, "tokens of each food in the hill stack"),
    Feature("values", FOODS, -100, 100, "points of a token of each food; 0 before its ant is on the hill"),
    Feature("levels", FOODS * LEVELS, 0, 1, "level of each ant, one-hot from the top; none before it is on the hill"),
    Feature("waiting", FOODS, 0, 1, "whether each ant stands before the first token"),
    Feature("moved", FOODS, 0, 1, "the ant beside which a token is to be taken"),
    Feature("beside", 2 * KINDS, 0, 1, "front token and back token of that ant, one-hot a side"),
    Feature("offers", FOODS * OFFER, 0, 1, "what a move of each ant leads to: hill, front token, back token"),
    Feature("length", 2, 0, MOST_PLACES, "places of the trail, tokens laid so far"),
    Feature("ants", FOODS * MOST_PLACES, 0, 1, "place of each ant on the trail, a plane an ant"),
    Feature("trail", KINDS * MOST_PLACES, 0, 1, "tokens on the trail, a plane a kind"),
)


@jit(inlined=True)
def see_round(s, seat: int, out: np.ndarray, at: int) -> int:
    """Phase, number of players, seat to move, chocolate."""
    at = mark(out, at, PHASES, np.int64(s.phase))
    at = mark(out, at, MOST_PLAYERS - 1, np.int64(s.players) - 2)
    mover = np.int64(s.mover)
    from_here = mover - seat if mover >= seat else mover - seat + np.int64(s.players)
    at = mark(out, at, MOST_PLAYERS, from_here if mover >= 0 else NOWHERE)
    out[at] = s.may_spend
    return at + 1


@jit(inlined=True)
def card_to_see(s, deck: int) -> int:
    """The card in play of a deck, −1 before it is drawn."""
    is_waiting = s.phase <= DRAW_SPECIAL and s.phase <= DRAW_HILL + deck
    return NOWHERE if is_waiting else np.int64(s.card[deck])


@jit(inlined=True)
def see_cards(s, out: np.ndarray, at: int) -> int:
    """The cards in play."""
    for deck in range(len(DECKS)):
        at = mark(out, at, DECK_SIZES[deck], card_to_see(s, deck))
    return at


@jit(inlined=True)
def seat_after(s, seat: int, steps: int) -> int:
    """The seat that many seats on, or NOWHERE beyond the last player."""
    if steps >= s.players:
        return NOWHERE
    return seat + steps if seat + steps < s.players else seat + steps - np.int64(s.players)


@jit(inlined=True)
def see_small(s, seat: int, out: np.ndarray, at: int) -> int:
    """The small token of each seat."""
    for steps in range(MOST_PLAYERS):
        whose = seat_after(s, seat, steps)
        at = mark(out, at, FOODS, np.int64(s.small[whose]) if 0 <= whose < s.small_dealt else NOWHERE)
    return at


@jit(inlined=True)
def see_owned(s, seat: int, out: np.ndarray, at: int) -> int:
    """The tokens of each seat; 0 for seats that do not play."""
    for steps in range(MOST_PLAYERS):
        whose = seat_after(s, seat, steps)
        at = copy_entries(out, at, s.owned[whose if whose >= 0 else steps], 0, KINDS)
    return at


@jit(inlined=True)
def see_points(s, seat: int, out: np.ndarray, at: int) -> int:
    """The points of each seat."""
    worth = values(s)
    for steps in range(MOST_PLAYERS):
        whose = seat_after(s, seat, steps)
        out[at + steps] = max(-128, min(127, points_with(s, whose, worth))) if whose >= 0 else 0
    return at + MOST_PLAYERS


@jit(inlined=True)
def see_hill(s, out: np.ndarray, at: int) -> int:
    """Hill stack, points of the foods, levels, and the ants that have not yet moved."""
    at = copy_entries(out, at, s.stack, 0, FOODS)
    for food in range(FOODS):
        out[at + food] = value_of(s, food)
    at += FOODS
    for ant in range(FOODS):
        at = mark(out, at, LEVELS, NOWHERE if has(s.walking, ant) else np.int64(s.level[ant]))
    for ant in range(FOODS):
        out[at + ant] = place_of(s, ant) == START
    return at + FOODS


@jit(inlined=True)
def see_beside(s, out: np.ndarray, at: int) -> int:
    """The ant that has moved with its front and its back token."""
    at = mark(out, at, FOODS, np.int64(s.ant) if s.sides else NOWHERE)
    at = mark(out, at, KINDS, token_at(s, s.beside[FRONT]))
    return mark(out, at, KINDS, token_at(s, s.beside[BACK]))


@jit(inlined=True)
def see_offer(s, ant: int, out: np.ndarray, at: int) -> int:
    """Where a move of an ant leads: onto the hill, or beside two tokens, the one that it leaves included."""
    if not has(s.walking, ant):
        return at + OFFER
    place = destination(s, ant)
    is_hill = place == s.hill
    out[at] = is_hill
    beside = START if is_hill else place  # what is in front of the hill is not asked
    in_front, behind = token_at(s, front(s, beside)), token_at(s, max(back(s, beside), place_of(s, ant)))
    at = mark(out, at + 1, KINDS, NOWHERE if is_hill else in_front)
    return mark(out, at, KINDS, NOWHERE if is_hill else behind)


@jit(inlined=True)
def see_offers(s, out: np.ndarray, at: int) -> int:
    """What a move of each ant leads to; nothing before the trail is complete."""
    if s.phase <= DRAW_SPECIAL:
        return at + FOODS * OFFER
    for ant in range(FOODS):
        at = see_offer(s, ant, out, at)
    return at


@jit(inlined=True)
def see_ants(s, out: np.ndarray, at: int) -> int:
    """Length of the trail, and a plane of places for each ant."""
    out[at], out[at + 1] = s.places, s.laid
    at += 2
    for ant in range(FOODS):
        at = mark(out, at, MOST_PLACES, place_of(s, ant) - 1 if has(s.walking, ant) else NOWHERE)
    return at


@jit(inlined=True)
def see_trail(s, out: np.ndarray, at: int) -> None:
    """A plane of places for each kind of token; the first place is number 1 of `trail`."""
    for kind in range(KINDS):
        at = write_equal(out, at, s.trail, 1, MOST_PLACES, kind + 1)


@jit
def observe(s, seat: int, out: np.ndarray) -> None:
    """Writes what the seat sees, in the order of FEATURES; most of it is 0."""
    out[: out.size - KINDS * MOST_PLACES] = 0
    at = see_round(s, seat, out, 0)
    at = see_cards(s, out, at)
    at = see_small(s, seat, out, at)
    at = see_owned(s, seat, out, at)
    at = see_points(s, seat, out, at)
    at = see_hill(s, out, at)
    at = see_beside(s, out, at)
    at = see_offers(s, out, at)
    see_trail(s, out, see_ants(s, out, at))


@jit
def redeal(s, seat: int, rng: np.ndarray) -> None:
    """Nothing is hidden from anybody in Bites."""
