"""R36: the goals. Quantities of all seats are tuples of five, so that nothing is allocated.

`control` holds the hexes that each seat controls in the final count; seats that do not play control nothing.
"""

import numpy as np

from rodentia.box import DESCENDING, SHORTEST_LINE
from rodentia.hexes import group_of, neighbours_of, row_from
from tabletop.bits import EMPTY, ONE, bit, count, has, highest, lowest, without_lowest
from tabletop.jit import jit

NO_POINTS = (0, 0, 0, 0, 0)


@jit(inlined=True)
def plus(a, b):
    """The sums of two tuples of five."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4])


@jit(inlined=True)
def greatest(numbers):
    """The greatest of five numbers."""
    return max(max(max(numbers[0], numbers[1]), max(numbers[2], numbers[3])), numbers[4])


@jit(inlined=True)
def each_equal(numbers, to, points):
    """`points` for every seat whose number is `to`, 0 for the others; nobody scores for 0."""
    points = points if to > 0 else 0
    return (
        points * np.int64(numbers[0] == to),
        points * np.int64(numbers[1] == to),
        points * np.int64(numbers[2] == to),
        points * np.int64(numbers[3] == to),
        points * np.int64(numbers[4] == to),
    )


@jit(inlined=True)
def counts_in(control, hexes):
    """How many of the hexes each seat controls."""
    return (
        count(control[0] & hexes),
        count(control[1] & hexes),
        count(control[2] & hexes),
        count(control[3] & hexes),
        count(control[4] & hexes),
    )


@jit(inlined=True)
def for_most_in(control, hexes, points):
    """R36: the points of those who control most of the hexes."""
    counts = counts_in(control, hexes)
    return each_equal(counts, greatest(counts), points)


@jit
def row_goal(s, control):
    """R36 `row`: most controlled hexes in each row."""
    points = NO_POINTS
    starts = s.board.row_starts
    while starts:
        points = plus(points, for_most_in(control, row_from(s, lowest(starts)), np.int64(s.rules.row_vp)))
        starts = without_lowest(starts)
    return points


@jit(inlined=True)
def line(s, direction, number):
    """R36: the hexes of a line: those whose distance from the left margin, slanted a half-hex a row, is `number`."""
    hexes, starts, row = EMPTY, s.board.row_starts, 0
    while starts:
        slant = -row if direction == DESCENDING else row
        column = (number - np.int64(s.board.indent[row]) - slant) >> 1
        members = row_from(s, lowest(starts))
        if 0 <= column < count(members):
            hexes |= bit(lowest(starts) + column)
        starts = without_lowest(starts)
        row += 1
    return hexes


@jit(inlined=True)
def line_numbers(s, direction):
    """The least number of a line, and an end above the greatest one."""
    least, most, starts, row = 255, -255, s.board.row_starts, 0
    while starts:
        slant = -row if direction == DESCENDING else row
        left = np.int64(s.board.indent[row]) + slant
        least = min(least, left)
        most = max(most, left + 2 * count(row_from(s, lowest(starts))))
        starts = without_lowest(starts)
        row += 1
    return least, most


@jit
def diagonal_goal(s, control):
    """R36 `diagonal`: most controlled hexes in each line of three or more hexes in the chosen direction."""
    points = NO_POINTS
    least, most = line_numbers(s, s.direction)
    for number in range(least, most, 2):
        hexes = line(s, s.direction, number)
        if count(hexes) >= SHORTEST_LINE:
            points = plus(points, for_most_in(control, hexes, np.int64(s.rules.diagonal_vp)))
    return points


@jit(inlined=True)
def for_edge(s, control, hexes):
    """R36: the points of one edge: for those with most hexes, each hex counts."""
    counts = counts_in(control, hexes)
    most = greatest(counts)
    return each_equal(counts, most, most * np.int64(s.rules.edge_vp))


@jit
def edges_goal(s, control):
    """R36 `edges`: first and last row, first and last hexes of the rows; corners belong to two."""
    hexes, starts = np.int64(s.board.hexes), s.board.row_starts
    last_row = row_from(s, highest(starts))
    row_ends = (starts >> ONE) | bit(hexes - 1)
    upper, lower = for_edge(s, control, row_from(s, 0)), for_edge(s, control, last_row)
    left, right = for_edge(s, control, starts), for_edge(s, control, row_ends)
    return plus(plus(upper, lower), plus(left, right))


@jit
def zones_of(s, hexes):
    """R36: how many connected groups of two or more there are in the set."""
    zones = 0
    while hexes:
        group = group_of(s, bit(lowest(hexes)), hexes)
        zones += count(group) >= 2
        hexes &= ~group
    return zones


@jit
def largest_group(s, hexes):
    """R36: the size of the largest connected group in the set."""
    largest = 0
    while hexes:
        group = group_of(s, bit(lowest(hexes)), hexes)
        largest = max(largest, count(group))
        hexes &= ~group
    return largest


@jit
def linked_burrows(s, seat, hexes):
    """R36 `burrows`: the seats whose burrows the groups in the set link, as a set of seats."""
    linked = EMPTY
    while hexes:
        group = group_of(s, bit(lowest(hexes)), hexes)
        touched, near = EMPTY, neighbours_of(s, group)
        for owner in range(np.int64(s.players)):
            is_own = owner == seat and s.options.burrow_controlled
            if has(group if is_own else near, s.burrow[owner]):
                touched |= bit(owner)
        if count(touched) >= 2:
            linked |= touched
        hexes &= ~group
    return linked


@jit
def zones_goal(s, control):
    """R36 `zones`: points for each group of two or more, without comparison."""
    points = np.int64(s.rules.zone_vp)
    return (
        points * zones_of(s, control[0]),
        points * zones_of(s, control[1]),
        points * zones_of(s, control[2]),
        points * zones_of(s, control[3]),
        points * zones_of(s, control[4]),
    )


@jit(inlined=True)
def total(numbers):
    """The sum of five numbers."""
    return numbers[0] + numbers[1] + numbers[2] + numbers[3] + numbers[4]


@jit(inlined=True)
def zero_unless_less(number, than):
    """The number if it is less, else 0."""
    return number if number < than else 0


@jit(inlined=True)
def below_first(sizes, first):
    """The sizes with every `first` replaced by 0."""
    return (
        zero_unless_less(sizes[0], first),
        zero_unless_less(sizes[1], first),
        zero_unless_less(sizes[2], first),
        zero_unless_less(sizes[3], first),
        zero_unless_less(sizes[4], first),
    )


@jit(inlined=True)
def for_areas(s, sizes):
    """R36 `area`: the largest group scores, and if it is nobody else's, the second largest size."""
    first = greatest(sizes)
    for_first = each_equal(sizes, first, np.int64(s.rules.area_vp[0]))
    if total(each_equal(sizes, first, 1)) != 1:
        return for_first
    rest = below_first(sizes, first)
    return plus(for_first, each_equal(rest, greatest(rest), np.int64(s.rules.area_vp[1])))


@jit
def area_goal(s, control):
    """R36 `area`: the sizes of each player's largest group, compared."""
    return for_areas(
        s,
        (
            largest_group(s, control[0]),
            largest_group(s, control[1]),
            largest_group(s, control[2]),
            largest_group(s, control[3]),
            largest_group(s, control[4]),
        ),
    )


@jit
def burrows_goal(s, control):
    """R36 `burrows`: points for each burrow that a player's groups link."""
    points = np.int64(s.rules.burrow_vp)
    return (
        points * count(linked_burrows(s, 0, control[0])),
        points * count(linked_burrows(s, 1, control[1])),
        points * count(linked_burrows(s, 2, control[2])),
        points * count(linked_burrows(s, 3, control[3])),
        points * count(linked_burrows(s, 4, control[4])),
    )
