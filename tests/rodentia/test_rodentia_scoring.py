"""R34–R37: final control, points, goals and winners, on positions written as pictures."""

import numpy as np
import pytest
from rodentia_positions import at, goal_points

# ---------------------------------------------------------------- scoring


def control_points(picture, players=2, **settings):
    """What the rodents add to the scores."""
    return np.subtract(at(picture, players, **settings).scores(), at("", players, **settings).scores()).tolist()


@pytest.mark.parametrize(
    ("rodents", "owner"),
    [("0", 0), ("01", None), ("0011", None), ("00112", None), ("00123", 0), ("22111", 1), ("0122", 2), ("111", 1)],
)
def test_r34_final_control(rodents, owner):
    assert control_points(f"g6 {rodents}", 4) == [int(seat == owner) for seat in range(4)]


def test_r34_wolves_and_leaders_do_not_matter():
    assert control_points("a3 0*A") == [1, 0]
    assert at("a3 0^1").scores()[0] == at("a3 0").scores()[0]


def test_r35_home_other_and_bonus():
    assert control_points("a1 0") == [2, 0]
    assert control_points("a1 1") == [0, 1]
    picture = "bonus forest 2, river 5, swamp 7\na1 0   a3 0   d6 1   a5 1"
    # Seat 0: burrow 2+2, a1 2+2, a3 1+5, leader 3. Seat 1: burrow 2, d6 1+5, a5 2, leader 3.
    assert at(picture).scores() == [4 + 4 + 6 + 3, 2 + 6 + 2 + 3]


def test_r35_leader():
    assert at("a3 0^0").scores()[0] == 2 + 1 + 3
    assert at("a3 01^0").scores()[0] == 2  # nobody's
    assert at("a3 1^0").scores()[0] == 2
    assert at("d7 #1^01").scores()[0] == 2  # a foreign burrow
    assert at("a3 0^0", leader_bonus_on_burrow=False).scores()[0] == 6
    for controlled, points in ((True, 2), (False, 0)):
        assert at("", burrow_controlled=controlled).scores()[0] == points + 3
        assert at("", burrow_controlled=controlled, leader_bonus_on_burrow=False).scores()[0] == points


@pytest.mark.parametrize(("catches", "loss"), [(0, 0), (1, 3), (2, 5), (3, 7)])
def test_r35_catches(catches, loss):
    seat = f"seat 0 squirrels, {catches} caught"
    assert at(seat).scores() == [5 - loss, 5]
    # A total may be negative.
    assert at(f"{seat}\na3 ^0", burrow_controlled=False).scores() == [-loss, 3]


def test_r36_row():
    # Row a to seat 1, row b (burrow) to seat 0, row c tied, row d (burrow) to seat 1.
    assert goal_points("row", "a1 0   a2 1   a3 1   c1 0   c2 1") == [3 + 3, 3 + 3 + 3]
    assert goal_points("row", "e1 0   f2 1   g1 2   h1 0   h5 0", 4, burrow_controlled=False) == [6, 3, 3, 0]


def test_r36_zones():
    apart = {"burrow_controlled": False}
    assert goal_points("zones", "a1 0   a3 0   b1 1   b2 1", 3, **apart) == [0, 3, 0]
    assert goal_points("zones", "a1 0   a2 0   a3 0   d3 0   d4 0", 3, **apart) == [6, 0, 0]
    assert goal_points("zones", "b5 0", 3, **apart) == [0, 0, 0]
    assert goal_points("zones", "b5 0", 3) == [0, 0, 0]  # b3 and b5: the wolf hex separates
    assert goal_points("zones", "a3 0", 3) == [3, 0, 0]


# b3, d7 and d1 are burrows that count for nothing here.
AREAS = [
    ("a1 0 a2 0 a3 0 a4 0 a5 0   c1 1 c2 1 c3 1 c4 1 c5 1   d3 2 d4 2 d5 2", [8, 8, 0]),
    ("a1 0 a2 0 a3 0 a4 0 a5 0   c1 1 c2 1 c3 1   d4 2 d5 2 d6 2", [8, 4, 4]),
    ("a1 0 a2 0 a3 0 a4 0 a5 0   c1 1 c2 1 c3 1 c4 1 c5 1   d2 2 d3 2 d4 2 d5 2 d6 2", [8, 8, 8]),
    ("a1 0 a2 0 a3 0 a4 0   c1 1 c2 1   d4 2", [8, 4, 0]),
    ("a1 0 a2 0 a4 0 a5 0   c1 1 c2 1 c3 1", [4, 8, 0]),
    ("b5 0   d4 1", [8, 8, 0]),
    ("b5 0", [8, 0, 0]),
    ("", [0, 0, 0]),
]


@pytest.mark.parametrize(("picture", "points"), AREAS)
def test_r36_area(picture, points):
    assert goal_points("area", picture, 3, burrow_controlled=False) == points


@pytest.mark.parametrize(
    ("direction", "picture", "points"),
    [
        ("ascending", "a3 0 c2 0 d2 1", [3, 0]),
        ("ascending", "b1 0 a1 0", [0, 0]),  # a1–b1 is too short
        ("ascending", "a6 0 c5 1", [3, 3]),  # one line: a6 b6 c5 d5
        ("ascending", "c6 1", [0, 3]),  # b7 c6 d6 is long enough
        ("descending", "a1 0 b2 0 c2 1 d3 1", [3, 3]),
        ("descending", "a6 0 b7 0", [0, 0]),
        ("descending", "b1 1 c1 0 d2 0", [3, 0]),
        ("descending", "a1 0 a2 0", [6, 0]),
    ],
)
def test_r36_diagonal(direction, picture, points):
    assert goal_points(f"diagonal {direction}", picture, burrow_controlled=False) == points


BURROW_LINKS = [
    ("b2 #1   a3 #2", [12, 8, 8]),
    ("c6 0", [0, 0, 0]),  # one foreign burrow, not the own one
    ("b2 #1   c1 0", [12, 8, 0]),  # {b3}: own and b2; {c1}: b2 and d1, b2 counts once
    ("d2 #1   c1 0", [8, 8, 8]),  # without the own burrow: d2 and d1
]


@pytest.mark.parametrize(("picture", "points"), BURROW_LINKS)
def test_r36_burrows(picture, points):
    assert goal_points("burrows", picture, 3) == points


def test_r36_a_foreign_burrow_does_not_carry_the_connection_on():
    moles = "seat 2 moles\nb2 #1   c1 #2"
    assert goal_points("burrows", moles, 3) == [8, 12, 8]


def test_r36_burrows_that_are_not_controlled():
    assert goal_points("burrows", "b2 #1", burrow_controlled=False) == [0, 0]
    assert goal_points("burrows", "b2 #1   c2 0", burrow_controlled=False) == [8, 0]


def test_r36_edges():
    apart = {"burrow_controlled": False}
    assert goal_points("edges", "a2 0 a3 0 a4 0   a5 1 a6 1", **apart) == [3, 1]  # upper; a6 is on the right edge too
    assert goal_points("edges", "a2 0 a3 0   a4 1 a5 1", **apart) == [2, 2]
    assert goal_points("edges", "a1 0", **apart) == [2, 0]  # corners belong to two
    assert goal_points("edges", "b1 0 c1 0", **apart) == [2, 0]
    assert goal_points("edges", "b7 1 c6 1   d2 0 d3 0 d4 1", **apart) == [2, 2]
    assert goal_points("edges", "b5 0 c3 1", **apart) == [0, 0]
    assert goal_points("edges", "d2 0   h2 #3 h3 0", 4, **apart) == [1, 0, 0, 0]  # the last row is h


def test_r37_most_points_then_home_hexes_then_points_without_goals_then_catches():
    assert at("a1 0").ranking() == [1, 2]
    homes = at("a1 0   c6 1 d6 1")
    assert (homes.scores(), homes.ranking()) == ([7, 7], [1, 2])
    plain = at("goals zones\nb1 0 b5 0 d1 0 d4 0   c6 1")
    assert (plain.scores(), plain.ranking()) == ([9, 9], [1, 2])
    caught = at("seat 0 squirrels, 1 caught\nb1 0 b5 0 d1 0")
    assert (caught.scores(), caught.ranking()) == ([5, 5], [2, 1])
    assert at("").ranking() == [1, 1]
    assert at("a3 1", 4).ranking() == [2, 1, 2, 2]


# ---------------------------------------------------------------- parameters

POINTS = "a1 0   a2 1   a3 1   c6 1   b6 0^0   d4 0"
PARAMETERS = [
    ("home_vp", 12, "", POINTS, [20, 10]),
    ("other_vp", 11, "", POINTS, [20, 30]),
    ("bonus_vp", 11, "", f"bonus river 2\n{POINTS}", [20, 20]),
    ("leader_vp", 13, "", POINTS, [10, 10]),
    ("catch_vp", [13, 15, 17], "", f"seat 0 squirrels, 1 caught\nseat 1 marmots, 3 caught\n{POINTS}", [-10, -10]),
    ("row_vp", 13, "row", POINTS, [20, 30]),
    ("zone_vp", 13, "zones", POINTS, [0, 20]),
    ("area_vp", [18, 4], "area", "a1 0 a2 0 a3 0 c6 1", [10, 0]),
    ("area_vp", [8, 14], "area", "a1 0 a2 0 a3 0 c6 1", [0, 10]),
    ("diagonal_vp", 13, "diagonal ascending", "a1 0", [10, 0]),
    ("burrow_vp", 14, "burrows", "b2 #1", [20, 20]),
    ("edge_vp", 11, "edges", "a1 0", [20, 20]),
]


@pytest.mark.parametrize(("name", "value", "goal", "picture", "more"), PARAMETERS)
def test_points_of_each_award(name, value, goal, picture, more):
    picture = f"goals {goal}\n{picture}" if goal else picture
    changed, plain = at(picture, **{name: value}).scores(), at(picture).scores()
    assert np.subtract(changed, plain).tolist() == more


@pytest.mark.parametrize(("picture", "points"), AREAS[:4])
def test_worked_position_8_areas(picture, points):
    assert goal_points("area", picture, 3, burrow_controlled=False) == points


def test_worked_position_8_rows_and_edges():
    apart = {"burrow_controlled": False}
    assert goal_points("row", "a1 0 a2 0 a3 1 a4 1 a5 2", 3, **apart) == [3, 3, 0]
    assert goal_points("row", "", 3, **apart) == [0, 0, 0]
    assert goal_points("edges", "a2 0 a3 0 a4 0 a5 1", **apart) == [3, 0]
    assert goal_points("edges", "a2 0 a3 0 a4 1 a5 1", **apart) == [2, 2]


def test_worked_position_9_linked_burrows():
    assert goal_points("burrows", "b2 #1   a3 #2", 3)[0] == 12
    assert goal_points("burrows", "c6 0", 3)[0] == 0


def test_worked_position_10_points():
    picture = "seat 0 squirrels, 1 caught\nbonus forest 2, river 1\na1 0   b7 00   a3 0^0   c3 001"
    assert at(picture).scores()[0] == 3 * 4 + 2 * 2 + 3 - 3 == 16


def test_worked_position_4_the_most_rodents():
    assert control_points("c3 00112", 3) == [0, 0, 0]
    assert control_points("c3 00123", 4) == [1, 0, 0, 0]
