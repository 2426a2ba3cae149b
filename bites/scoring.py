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
    return np.int64(s.rules.level_points[s.level[food]]) if is_on_hill(s, food) else 0


@jit
def value_for(s, seat: int, food: int) -> int:
    """B40: the points of one token of the food for a seat, with the cards favourite and allergy."""
    card, is_mine = s.card[SPECIAL_DECK], s.small[seat] == food
    if not is_on_hill(s, food) or (card == ALLERGY and is_mine):
        return 0
    bonus = np.int64(s.rules.favourite_bonus) if card == FAVOURITE and is_mine else 0
    return value_of(s, food) + bonus


@jit
def food_points(s, seat: int) -> int:
    """B40: the points of all food tokens of a seat."""
    points = 0
    for food in range(FOODS):
        points += np.int64(s.owned[seat, food]) * value_for(s, seat, food)
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
    for other in range(s.players):
        if wines(s, other) > wines(s, seat):
            return False
    return wines(s, seat) > 0


@jit
def has_least_wine(s, seat: int) -> bool:
    """Teetotaler: whether no other seat owns less wine."""
    for other in range(s.players):
        if wines(s, other) < wines(s, seat):
            return False
    return True


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


@jit
def points_of(s, seat: int) -> int:
    """B40: the points of a seat, as they would count now."""
    gold = np.int64(s.owned[seat, GOLD]) * np.int64(s.rules.gold_points)
    return food_points(s, seat) + wine_points(s, seat) + gold


@jit
def scores(s, out: np.ndarray) -> None:
    """B40: writes the points of every seat, as they would count now (B21: chocolate scores nothing)."""
    for seat in range(s.players):
        out[seat] = points_of(s, seat)


@jit
def ranking(s, out: np.ndarray) -> None:
    """B41: writes the place of every seat; all who have the most points are first."""
    for seat in range(s.players):
        out[seat] = 1
        for other in range(s.players):
            out[seat] += points_of(s, other) > points_of(s, seat)
