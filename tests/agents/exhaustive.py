"""Exhaustive search in plain Python, for tests: everything that can happen, chance by its weights."""

import numpy as np

from tabletop import CHANCE, OVER, Variant
from tabletop.matches import play_recorded, seat_bots

MOST_POSITIONS = 4000  # that are looked at
ALIKE = 1e-9  # values that differ by less are equal


def exact_values(game: Variant, state: np.ndarray, known: dict, any_of_equals: bool = True) -> np.ndarray:
    """Win share of every seat when each maximises its own: of equals it takes the first.

    OverflowError if too much can happen; unless `any_of_equals`, also if a choice between equals matters to others.
    """
    key = state.tobytes()
    if len(known) > MOST_POSITIONS:
        raise OverflowError("too much can happen from here")
    if key not in known:
        mover = int(game.to_move(state))
        if mover == OVER:
            won = game.ranking(state) == 1
            known[key] = won / max(1, won.sum())
        else:
            known[key] = _exact_of(game, state, mover, known, any_of_equals)
    return known[key]


def _exact_of(game: Variant, state: np.ndarray, mover: int, known: dict, any_of_equals: bool) -> np.ndarray:
    values = exact_after(game, state, known, any_of_equals)
    if mover == CHANCE:
        chances = game.weights(state)
        return sum(chances[e - game.actions] * v for e, v in values.items()) / chances.sum()
    best = values[max(values, key=lambda event: values[event][mover])]
    equals = [v for v in values.values() if v[mover] > best[mover] - ALIKE]
    if not any_of_equals and any(abs(v - best).max() > ALIKE for v in equals):
        raise OverflowError("others depend on which of two equal actions is chosen")
    return best


def exact_after(game: Variant, state: np.ndarray, known: dict, any_of_equals: bool = True) -> dict[int, np.ndarray]:
    """The exact values after each legal event."""
    values = {}
    for event in game.legal(state):
        after = state.copy()
        game.step(after, event)
        values[int(event)] = exact_values(game, after, known, any_of_equals)
    return values


def choices_of_game(game: Variant, number: int, bots: str = "uniform") -> list[np.ndarray]:
    """The positions of a game in which a seat had a choice, the last one first."""
    _, events = play_recorded(game, seat_bots(game, bots), np.arange(game.players), number, 3)
    state, found = game.new(), []
    for event in events:
        if game.to_move(state) >= 0 and len(game.legal(state)) > 1:
            found.append(state.copy())
        game.step(state, event)
    return found[::-1]
