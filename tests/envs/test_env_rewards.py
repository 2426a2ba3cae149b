"""Rewards against a plain reading of their definitions."""

import itertools

import numpy as np
import pytest

from tabletop.envs.rewards import REWARDS, forfeit, reward_code, value
from tabletop.options import OptionError


def places_of(points: tuple[int, ...]) -> list[int]:
    return [1 + sum(other > own for other in points) for own in points]


def plain_value(reward: str, points: tuple[int, ...], seat: int) -> float:
    others = points[:seat] + points[seat + 1 :]
    places = places_of(points)
    if reward == "win":
        return 2 / places.count(1) - 1 if places[seat] == 1 else -1
    if reward == "score":
        return points[seat]
    if reward == "margin":
        return points[seat] - max(others)
    before, behind = sum(o > points[seat] for o in others), sum(o < points[seat] for o in others)
    return (behind - before) / len(others)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reward", REWARDS)
def test_values(reward: str, players: int) -> None:
    for points in itertools.product((-2, 0, 1, 3), repeat=players):
        arrays = np.array(points, np.int32), np.array(places_of(points), np.int32)
        values = [value(reward_code(reward, False), *arrays, players, seat) for seat in range(players)]
        assert values == [plain_value(reward, points, seat) for seat in range(players)]
        if reward == "rank" or (reward == "win" and players == 2):
            assert sum(values) == pytest.approx(0)


@pytest.mark.parametrize(
    ("reward", "place", "expected"), [("win", 1, 1), ("win", 2, -1), ("rank", 1, 1), ("score", 1, 7)]
)
def test_alone(reward: str, place: int, expected: float) -> None:
    arrays = np.array([7], np.int32), np.array([place], np.int32)
    assert value(reward_code(reward, False), *arrays, 1, 0) == expected
    assert value(reward_code("margin", False), *arrays, 1, 0) == 7


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_who_forfeits_comes_last_and_the_others_move_up(players: int) -> None:
    for points in itertools.product((-1, 0, 2), repeat=players):
        for offender in range(players):
            counted, places = np.array(points, np.int32), np.array(places_of(points), np.int32)
            forfeit(counted, places, players, offender)
            others = [seat for seat in range(players) if seat != offender]
            assert [places[seat] for seat in others] == places_of(tuple(points[seat] for seat in others))
            assert places[offender] == max(players, 2)
            assert counted[offender] == min(points[offender], 0)
            assert [counted[seat] for seat in others] == [points[seat] for seat in others]


@pytest.mark.parametrize(
    ("reward", "dense"), [("best", False), (None, False), ("win", True), ("rank", True), ("score", 1)]
)
def test_what_is_refused(reward: str, dense: bool) -> None:
    with pytest.raises(OptionError, match="not allowed"):
        reward_code(reward, dense)
