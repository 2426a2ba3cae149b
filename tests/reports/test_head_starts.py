"""Head starts: the same games with points for later or earlier seats, and the one that makes the gap smallest."""

import numpy as np
import pandas as pd
import pytest
from pebbles import PEBBLES

from experiments.reports.head_starts import PARTS, TRIED, HeadStarts, in_short, places_with
from tabletop import Results

SCORES = [(7, 5, 2), (5, 5, 5), (4, 4, 3), (9, 8, 7)]
PLACES = [(1, 2, 3), (3, 1, 2), (1, 1, 3), (1, 2, 3)]


def results(scores: object, places: object = None) -> Results:
    """Games of equal bots; without places, who has most points wins."""
    points = np.array(scores, np.int32)
    most = points.max(axis=1, keepdims=True)
    order = np.where(points == most, 1, 2) if places is None else places
    games, seats = points.shape
    return Results(
        ("same",) * seats,
        np.arange(games),
        np.broadcast_to(np.arange(seats), points.shape),
        points,
        np.array(order, np.int32),
        np.full(games, 9),
        np.zeros((games, len(PEBBLES.facts), 4), np.int32),
        course=None,
    )


@pytest.mark.parametrize(
    ("points", "winners"),
    [
        (0.25, [(1, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]),
        (1, [(1, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]),  # level with one and with two points more
        (2, [(1, 1, 0), (0, 0, 1), (0, 0, 1), (0, 0, 1)]),
        (-0.5, [(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)]),
    ],
)
def test_who_would_win_with_points_for_each_seat_after_another(points, winners):
    assert (places_with(results(SCORES, PLACES), round(points * PARTS)) == 1).astype(int).tolist() == [
        list(game) for game in winners
    ]


def with_lead(lead: float, games: int = 4000) -> Results:
    """Games of three seats whose points differ by chance, but each seat has so many more than the one after it."""
    points = np.random.default_rng(1).normal(50, 4, (games, 3)) - lead * np.arange(3)
    return results(np.rint(points).astype(int))


@pytest.mark.parametrize("lead", [1, -2, 0.5])
def test_the_head_start_that_takes_back_the_lead_is_found(lead):
    found = HeadStarts(("same",) * 3)
    for _ in range(2):
        found.add(with_lead(lead))
    table = found.table()
    (best,) = table[table.smallest].to_dict("records")
    assert best["points"] == pytest.approx(lead, abs=0.25)
    assert best["gap"] < 0.03 < table.gap[0] and best["gap_low"] <= best["gap"] <= best["gap_high"]
    assert table.points[0] == 0 and (table.points[1:] * lead > 0).all() and len(table) == 1 + len(TRIED) // 2
    assert table.filter(like="win_").sum(axis=1).tolist() == pytest.approx([1] * len(table))
    (line,) = in_short(table)
    assert f"{abs(best['points']):g} point" in line and ("before it" in line) == (lead > 0)


def test_without_a_head_start_ties_are_broken_as_they_were():
    found = HeadStarts(("same",) * 3)
    found.add(results(SCORES, PLACES))
    first = found.table().iloc[0]
    assert (first.win_0, first.win_1, first.win_2) == (2.5 / 4, 1.5 / 4, 0)


def test_in_short_only_what_is_surely_a_smaller_gap_is_told():
    rows = [(0, 0.09, 0.05, 0.13, False), (0.5, 0.03, 0.0, 0.06, True)]
    table = pd.DataFrame(rows, columns=["points", "gap", "gap_low", "gap_high", "smallest"])
    assert list(in_short(table)) == [] and len(list(in_short(table.assign(gap_low=[0.07, 0.0])))) == 1


def test_equal_seats_need_no_head_start():
    found = HeadStarts(("same",) * 2)
    found.add(results([(9, 1), (1, 9)] * 500))
    table = found.table()
    assert table[table.smallest].points.tolist() == [0] and list(in_short(table)) == []


@pytest.mark.parametrize(
    "games",
    [
        results([(5,), (6,)]),
        results([(5, 6)]),
        results([(5, 6), (7, 1)], [(1, 2), (1, 2)]),  # fewer points win
        results([(5, 6), (7, 1)], [(2, 2), (1, 2)]),  # nobody wins
    ],
)
def test_where_points_alone_do_not_decide_nothing_is_said(games):
    found = HeadStarts(("same",) * games.scores.shape[1])
    found.add(games)
    assert found.table().empty and isinstance(found.table(), pd.DataFrame) and list(in_short(found.table())) == []
