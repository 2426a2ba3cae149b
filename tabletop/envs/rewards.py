"""Rewards: what a seat gets for the points and places of all.

| name     | at the end of the game                                                                      |
|----------|---------------------------------------------------------------------------------------------|
| `win`    | +1 for the only winner, −1 for the others; k winners get 2 / k − 1 each, so two of two get 0 |
| `score`  | the seat's points                                                                           |
| `margin` | the seat's points minus those of the best other seat; alone: its points                     |
| `rank`   | (seats behind it − seats before it) / other seats: from +1 down to −1; alone: +1 or −1       |

With `dense`, `score` and `margin` pay the change since the seat's last turn at each of its turns; the sum over a
game is the same.
"""

import numpy as np

from tabletop.jit import jit
from tabletop.options import OptionError

REWARDS = ("win", "score", "margin", "rank")
WIN, SCORE, MARGIN, RANK = range(len(REWARDS))
DENSE_REWARDS = ("score", "margin")


def reward_code(reward: str, dense: bool) -> int:
    """Index of a reward in REWARDS; OptionError for an unknown one, or one that cannot be paid turn by turn."""
    if not isinstance(reward, str) or reward not in REWARDS:
        raise OptionError(f"reward: {reward!r} is not allowed; expected one of {', '.join(REWARDS)}")
    if not isinstance(dense, bool):
        raise OptionError(f"dense: {dense!r} is not allowed; expected True or False")
    if dense and reward not in DENSE_REWARDS:
        raise OptionError(f"dense: True is not allowed with reward {reward!r}; it needs {' or '.join(DENSE_REWARDS)}")
    return REWARDS.index(reward)


@jit
def value_of_win(places: np.ndarray, players: int, seat: int) -> float:
    """Twice the seat's share of the win, minus 1."""
    if places[seat] != 1:
        return -1.0
    winners = 0
    for other in range(players):
        winners += places[other] == 1
    return 2.0 / winners - 1.0


@jit
def value_of_margin(points: np.ndarray, players: int, seat: int) -> float:
    """The seat's points minus those of the best other seat."""
    best = np.int64(-(2**31))
    for other in range(players):
        if other != seat:
            best = max(best, np.int64(points[other]))
    return float(np.int64(points[seat]) - best) if players > 1 else float(points[seat])


@jit
def value_of_rank(places: np.ndarray, players: int, seat: int) -> float:
    """How many more seats are behind than before it, as a share of the others."""
    if players == 1:
        return value_of_win(places, players, seat)
    lead = 0
    for other in range(players):
        lead += (places[other] > places[seat]) - (places[other] < places[seat])
    return lead / (players - 1)


@jit
def value(reward: int, points: np.ndarray, places: np.ndarray, players: int, seat: int) -> float:
    """What the points and places are worth to a seat by the chosen reward."""
    if reward == WIN:
        return value_of_win(places, players, seat)
    if reward == RANK:
        return value_of_rank(places, players, seat)
    return value_of_margin(points, players, seat) if reward == MARGIN else float(points[seat])


@jit
def forfeit(points: np.ndarray, places: np.ndarray, players: int, offender: int) -> None:
    """A seat loses by an illegal action: it becomes the last, and what points it has count 0."""
    place = places[offender]
    for seat in range(players):
        if places[seat] > place:
            places[seat] -= 1
    places[offender] = max(players, 2)
    points[offender] = min(points[offender], 0)
