"""How a search values a position: a number from 0 to 1 for each seat, its share of a win."""

import math

import numpy as np

from agents.search.evaluation import call_evaluate
from agents.search.settings import EVALUATION, MARGIN, SCALE, address_in, evaluation_end, rollout_end
from tabletop.game import OVER, ranking, scores, seats, to_move
from tabletop.jit import jit

WON = 1  # place of every winner


@jit
def value_position(s, values: np.ndarray, whole: np.ndarray, params: np.ndarray) -> None:
    """Writes the value of a position for every seat; `whole` (int32, one a seat) is overwritten."""
    if to_move(s) != OVER:
        evaluate_seats(s, values, whole, params)
        share_out(values, seats(s), params[SCALE])
        return
    value_end(s, values, whole, params)


@jit
def value_end(s, values: np.ndarray, whole: np.ndarray, params: np.ndarray) -> None:
    """The value of a finished game: the win, with a share of the points if `margin` asks for it."""
    margin = params[MARGIN]
    if margin > 0.0:
        scores(s, whole)
        for seat in range(seats(s)):
            values[seat] = whole[seat]
        share_out(values, seats(s), params[SCALE])
    ranking(s, whole)
    winners = count_winners(whole, seats(s))
    for seat in range(seats(s)):
        win = 1.0 / winners if whole[seat] == WON else 0.0
        values[seat] = win if margin == 0.0 else (1.0 - margin) * win + margin * values[seat]


@jit(inlined=True)
def count_winners(places: np.ndarray, players: int) -> int:
    """How many seats have won."""
    winners = 0
    for seat in range(players):
        winners += places[seat] == WON
    return winners


@jit
def evaluate_seats(s, values: np.ndarray, whole: np.ndarray, params: np.ndarray) -> None:
    """Writes the evaluation of every seat, in points; `whole` is overwritten."""
    address = address_in(params, EVALUATION)
    if address == 0:
        scores(s, whole)
    for seat in range(seats(s)):
        values[seat] = (
            whole[seat]
            if address == 0
            else call_evaluate(address, s, seat, params[rollout_end(params) : evaluation_end(params)])
        )


@jit
def evaluate_seat(s, seat: int, whole: np.ndarray, params: np.ndarray) -> float:
    """The evaluation of one seat, in points; `whole` is overwritten."""
    address = address_in(params, EVALUATION)
    if address != 0:
        return call_evaluate(address, s, seat, params[rollout_end(params) : evaluation_end(params)])
    scores(s, whole)
    return np.float64(whole[seat])


@jit
def share_out(values: np.ndarray, players: int, scale: float) -> None:
    """Turns points into chances to win that sum to 1: each `scale` points more make a seat e times as likely.

    A lone player wins with the logistic of his points.
    """
    if players == 1:
        values[0] = 1.0 / (1.0 + math.exp(-values[0] / scale))
        return
    best = values[0]
    for seat in range(1, players):
        best = max(best, values[seat])
    total = 0.0
    for seat in range(players):
        values[seat] = math.exp((values[seat] - best) / scale)
        total += values[seat]
    for seat in range(players):
        values[seat] /= total
