"""R34, R35, R37: final control, points, winners; R53: the solo score."""

import numpy as np

from rodentia.box import AREA, BURROWS, DIAGONAL, EDGES, MOST_PLAYERS, ROW, TERRAINS, ZONES
from rodentia.goals import NO_POINTS, area_goal, burrows_goal, diagonal_goal, edges_goal, plus, row_goal, zones_goal
from rodentia.hexes import more_in
from rodentia.state import WOLF_MARKS
from tabletop.bits import ALL, EMPTY, bit, count, has
from tabletop.jit import jit


@jit(inlined=True)
def burrow_controlled_by(s, seat):
    """R13: the burrow of a seat, if burrows count as controlled."""
    return bit(s.burrow[seat]) if s.options.burrow_controlled else EMPTY


@jit(inlined=True)
def still_most(s, side, among, plane):
    """The hexes in which a side still has most rodents, by one bit of the numbers; `among` holds those of each side."""
    most = EMPTY
    for other in range(MOST_PLAYERS):
        most |= among[other] & s.rodents[other, plane]
    return among[side] & (s.rodents[side, plane] | ~most)


@jit(inlined=True)
def most_by(s, among, plane):
    """The hexes in which each seat has most, if those `among` are left after the higher bits of the numbers."""
    return (
        still_most(s, 0, among, plane),
        still_most(s, 1, among, plane),
        still_most(s, 2, among, plane),
        still_most(s, 3, among, plane),
        still_most(s, 4, among, plane),
    )


@jit(inlined=True)
def in_two(sets):
    """The members of two or more of five sets."""
    once, twice = sets[0], EMPTY
    for k in range(1, MOST_PLAYERS):
        twice |= once & sets[k]
        once |= sets[k]
    return twice


@jit(inlined=True)
def all_control(s):
    """R34: the hexes that each seat controls: with more rodents than any other seat, and burrows as in R13."""
    most = most_by(s, most_by(s, most_by(s, (ALL, ALL, ALL, ALL, ALL), 2), 1), 0)
    fields = s.board.land & ~s.burrows & ~in_two(most)
    players = np.int64(s.players)
    return (
        (most[0] & fields) | burrow_controlled_by(s, 0),
        (most[1] & fields) | burrow_controlled_by(s, 1),
        (most[2] & fields) | burrow_controlled_by(s, 2) if players > 2 else EMPTY,
        (most[3] & fields) | burrow_controlled_by(s, 3) if players > 3 else EMPTY,
        (most[4] & fields) | burrow_controlled_by(s, 4) if players > 4 else EMPTY,
    )


@jit(inlined=True)
def home_hexes(s, seat, control):
    """R35, R37: how many of the controlled hexes lie in the home terrain of the seat."""
    return count(control & s.board.terrain[s.species[seat]])


@jit(inlined=True)
def does_leader_score(s, seat, control):
    """R35: whether the leader stands on another controlled hex, or on its burrow where the option says so."""
    is_home = s.leader[seat] == s.burrow[seat]
    return (is_home & (s.options.leader_bonus_on_burrow == 1)) | (has(control, s.leader[seat]) & (not is_home))


@jit(inlined=True)
def catch_loss(s, seat):
    """R35, R53: the points that the catches of a seat cost."""
    catches = np.int64(s.catches[seat])
    return np.int64(s.rules.catch_vp[np.uint64(max(catches, 1) - 1)]) * (catches > 0)


@jit(inlined=True)
def points_without_goals(s, seat, control):
    """R35: hexes, bonus marks, leader and catches of a seat that controls the hexes `control`."""
    rules = s.rules
    homes = home_hexes(s, seat, control)
    points = homes * np.int64(rules.home_vp) + (count(control) - homes) * np.int64(rules.other_vp)
    marks = 0
    for terrain in range(TERRAINS):
        marks += np.int64(s.bonus[terrain]) * count(control & s.board.terrain[terrain])
    points += marks * np.int64(rules.bonus_vp) - catch_loss(s, seat)
    return points + np.int64(rules.leader_vp) * does_leader_score(s, seat, control)


@jit(inlined=True)
def is_goal(s, goal):
    """R8: whether the goal is in play."""
    return has(np.uint64(s.goals), goal)


@jit
def goal_points(s, control):
    """R36: the points that the goals in play give each seat."""
    points = NO_POINTS
    if is_goal(s, ROW):
        points = plus(points, row_goal(s, control))
    if is_goal(s, ZONES):
        points = plus(points, zones_goal(s, control))
    if is_goal(s, AREA):
        points = plus(points, area_goal(s, control))
    if is_goal(s, DIAGONAL):
        points = plus(points, diagonal_goal(s, control))
    if is_goal(s, BURROWS):
        points = plus(points, burrows_goal(s, control))
    if is_goal(s, EDGES):
        points = plus(points, edges_goal(s, control))
    return points


@jit
def all_points_without_goals(s, control):
    """R35: the points of each seat before the goals; seats that do not play have none."""
    players = np.int64(s.players)
    return (
        points_without_goals(s, 0, control[0]),
        points_without_goals(s, 1, control[1]),
        points_without_goals(s, 2, control[2]) if players > 2 else 0,
        points_without_goals(s, 3, control[3]) if players > 3 else 0,
        points_without_goals(s, 4, control[4]) if players > 4 else 0,
    )


@jit(inlined=True)
def solo_controlled(s):
    """R53: hexes with more rodents than wolf marks, and the burrow if it counts."""
    return more_in(s.rodents[0], s.rodents[WOLF_MARKS]) | burrow_controlled_by(s, 0)


@jit(inlined=True)
def solo_points(s):
    """R53: the solo score."""
    hexes = count(solo_controlled(s)) - count(more_in(s.rodents[WOLF_MARKS], s.rodents[0]))
    return (
        hexes * np.int64(s.rules.solo_hex_vp) - catch_loss(s, 0) - np.int64(s.scared) * np.int64(s.rules.solo_scare_vp)
    )


@jit(inlined=True)
def is_solo_win(s):
    """R53: whether the solo player has won."""
    return solo_points(s) > 0 and count(solo_controlled(s)) >= s.rules.solo_win_hexes


@jit
def points_of_all(s):
    """R35, R53: the points of each seat, as they would count now."""
    if s.players == 1:
        return (solo_points(s), 0, 0, 0, 0)
    control = all_control(s)
    return plus(all_points_without_goals(s, control), goal_points(s, control))


@jit
def scores(s, out):
    """R35, R53: writes the points of each seat, as they would count now."""
    points = points_of_all(s)
    for seat in range(np.int64(s.players)):
        out[seat] = points[seat]


@jit(inlined=True)
def tie_break(s, seat, control, plain):
    """R37: one number for most home hexes, then most points without goals, then fewest catch marks."""
    return (home_hexes(s, seat, control) << 40) + (plain << 8) - np.int64(s.catches[seat])


@jit
def ranking(s, out):
    """R37: the place of each seat: 1 for the winners; in the solo game 1 for a win and 2 for a loss."""
    if s.players == 1:
        out[0] = 1 if is_solo_win(s) else 2
        return
    control = all_control(s)
    plain = all_points_without_goals(s, control)
    points = plus(plain, goal_points(s, control))
    for seat in range(np.int64(s.players)):
        mine = tie_break(s, seat, control[seat], plain[seat])
        place = 1
        for other in range(np.int64(s.players)):
            theirs = tie_break(s, other, control[other], plain[other])
            place += points[other] > points[seat] or (points[other] == points[seat] and theirs > mine)
        out[seat] = place
