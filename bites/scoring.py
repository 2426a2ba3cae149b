"""Scoring and ranking (B40, B41) with the Wine and Special Rule cards."""

import numpy as np

from bites.box import (
    ALLERGY,
    CHEESE,
    COLLECTOR,
    CONNOISSEUR,
    FAVOURITE,
    FOODS,
    GOLD,
    OENOPHILE,
    PAIRING,
    PROTEGE,
    SPECIAL_DECK,
    TEETOTALER,
    WINE,
    WINE_DECK,
)
from tabletop.bits import has
from tabletop.jit import jit


@jit(inlined=True)
def is_on_hill(s, ant: int) -> bool:
    """B13: whether an ant has reached the hill."""
    return not has(s.walking, ant)


@jit(inlined=True)
def value_of(s, food: int) -> int:
    """B40: the points of one token of the food: the level of its ant; 0 before the ant is on the hill."""
    return np.int64(s.rules.level_points[s.level[food]]) * is_on_hill(s, food)


@jit(inlined=True)
def values(s) -> tuple[int, int, int, int, int]:
    """B40: the points of one token of each food."""
    return value_of(s, 0), value_of(s, 1), value_of(s, 2), value_of(s, 3), value_of(s, 4)


@jit(inlined=True)
def small_token_points(s, seat: int) -> int:
    """Favourite and allergy: what the food of a seat's small token counts more or less for it."""
    card, food = s.card[SPECIAL_DECK], s.small[seat]
    if card == FAVOURITE:
        return np.int64(s.owned[seat, food]) * np.int64(s.rules.favourite_bonus) * is_on_hill(s, food)
    return -np.int64(s.owned[seat, food]) * value_of(s, food) if card == ALLERGY else 0


@jit(inlined=True)
def food_points(s, seat: int, worth: tuple[int, int, int, int, int]) -> int:
    """B40: the points of all food tokens of a seat, `worth` being the values of all foods."""
    points = small_token_points(s, seat)
    for food in range(FOODS):
        points += np.int64(s.owned[seat, food]) * worth[food]
    return points


@jit
def different_foods(s, seat: int) -> int:
    """How many of the five foods a seat owns."""
    foods = 0
    for food in range(FOODS):
        foods += s.owned[seat, food] != 0
    return foods


@jit(inlined=True)
def wines(s, seat: int) -> int:
    """How many wines a seat owns."""
    return np.int64(s.owned[seat, WINE])


@jit
def has_most_wine(s, seat: int) -> bool:
    """Connoisseur: whether a seat owns wine, and no other more of it."""
    most = 1
    for other in range(s.players):
        most = max(most, wines(s, other))
    return wines(s, seat) == most


@jit
def has_least_wine(s, seat: int) -> bool:
    """Teetotaler: whether no other seat owns less wine."""
    least = wines(s, seat)
    for other in range(s.players):
        least = min(least, wines(s, other))
    return wines(s, seat) == least


@jit
def left_neighbour(s, seat: int) -> int:
    """Protégé: the seat to the left, the next in turn order."""
    return seat + 1 if seat + 1 < s.players else 0


@jit
def wine_points(s, seat: int) -> int:
    """The points of a seat by the Wine card in play."""
    card = s.card[WINE_DECK]
    if card == COLLECTOR:
        return wines(s, seat) * different_foods(s, seat)
    if card == OENOPHILE:
        return wines(s, seat) * wines(s, seat)
    if card == PROTEGE:
        return np.int64(s.rules.protege_points) * wines(s, left_neighbour(s, seat))
    if card == PAIRING:
        return np.int64(s.rules.pairing_points) * min(wines(s, seat), np.int64(s.owned[seat, CHEESE]))
    if card == CONNOISSEUR:
        return np.int64(s.rules.connoisseur_points) if has_most_wine(s, seat) else 0
    return np.int64(s.rules.teetotaler_points) if card == TEETOTALER and has_least_wine(s, seat) else 0


@jit(inlined=True)
def points_with(s, seat: int, worth: tuple[int, int, int, int, int]) -> int:
    """B40: `points_of`, for loops over the seats, which need the values of the foods only once."""
    gold = np.int64(s.owned[seat, GOLD]) * np.int64(s.rules.gold_points)
    return food_points(s, seat, worth) + wine_points(s, seat) + gold


@jit
def points_of(s, seat: int) -> int:
    """B40: the points of a seat, as they would count now."""
    return points_with(s, seat, values(s))


@jit
def scores(s, out: np.ndarray) -> None:
    """B40: writes the points of every seat, as they would count now (B21: chocolate scores nothing)."""
    worth = values(s)
    for seat in range(s.players):
        out[seat] = points_with(s, seat, worth)


@jit
def ranking(s, out: np.ndarray) -> None:
    """B41: writes the place of every seat; all who have the most points are first."""
    scores(s, out)
    places = 0  # four bits a seat
    for seat in range(s.players):
        place = 1
        for other in range(s.players):
            place += out[other] > out[seat]
        places |= place << 4 * seat
    for seat in range(s.players):
        out[seat] = places >> 4 * seat & 15
