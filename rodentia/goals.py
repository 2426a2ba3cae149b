"""R36: the goals. Quantities of all seats are tuples of five, so that nothing is allocated.

`control` holds the hexes that each seat controls in the final count; seats that do not play control nothing. No hex
is controlled by two seats once all have drawn their burrows, so the groups of all of them are found at the same time.
"""

import numpy as np

from rodentia.box import DESCENDING, SHORTEST_LINE
from rodentia.hexes import beside, neighbours_of, row_from, ways_within
from tabletop.bits import ALL, EMPTY, ONE, bit, count, highest, lowest, without_lowest
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
def first_in(control, hexes):
    """R36: 1 for each seat that controls most of the hexes, and one at least; packed, a byte a seat."""
    counts = counts_in(control, hexes)
    most = greatest(counts)
    first = np.int64(counts[0] == most) | np.int64(counts[1] == most) << 8 | np.int64(counts[2] == most) << 16
    return (first | np.int64(counts[3] == most) << 24 | np.int64(counts[4] == most) << 32) * np.int64(most > 0)


@jit(inlined=True)
def unpacked(packed, points):
    """Numbers that are packed as in `first_in`, times `points`."""
    return (
        points * (packed & 255),
        points * (packed >> 8 & 255),
        points * (packed >> 16 & 255),
        points * (packed >> 24 & 255),
        points * (packed >> 32 & 255),
    )


@jit
def row_goal(s, control):
    """R36 `row`: most controlled hexes in each row."""
    firsts, starts = 0, s.board.row_starts
    while starts:
        firsts += first_in(control, row_from(s, lowest(starts)))
        starts = without_lowest(starts)
    return unpacked(firsts, np.int64(s.rules.row_vp))


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
    is_plain = s.board.south != 0 and s.board.has_short_ways  # then a line has no gap
    return lines_by_steps(s, control) if is_plain else lines_by_numbers(s, control)


@jit
def lines_by_steps(s, control):
    """`diagonal_goal` where the way to the next hex of a line is the same in all rows."""
    is_descending = s.direction == DESCENDING
    goes_on = s.board.southeast if is_descending else s.board.southwest
    step = np.uint64(s.board.south) + np.uint64(is_descending)
    firsts, heads = 0, goes_on & (goes_on >> step) & ~(goes_on << step)  # of three hexes or more
    while heads:
        hexes = bit(lowest(heads))
        for _ in range(np.int64(s.board.rows) - 1):
            hexes |= (hexes & goes_on) << step
        firsts += first_in(control, hexes)
        heads = without_lowest(heads)
    return unpacked(firsts, np.int64(s.rules.diagonal_vp))


@jit
def lines_by_numbers(s, control):
    """`diagonal_goal` on any map."""
    firsts = 0
    least, most = line_numbers(s, s.direction)
    for number in range(least, most, 2):
        hexes = line(s, s.direction, number)
        if count(hexes) >= SHORTEST_LINE:
            firsts += first_in(control, hexes)
    return unpacked(firsts, np.int64(s.rules.diagonal_vp))


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


@jit(inlined=True)
def own_ways(s, control):
    """The ways between hexes of the same seat, whichever that is, as in `ways_within`."""
    first, second, third = ways_within(s, control[0]), ways_within(s, control[1]), ways_within(s, control[2])
    fourth, fifth = ways_within(s, control[3]), ways_within(s, control[4])
    return (
        first[0] | second[0] | third[0] | fourth[0] | fifth[0],
        first[1] | second[1] | third[1] | fourth[1] | fifth[1],
        first[2] | second[2] | third[2] | fourth[2] | fifth[2],
    )


@jit(inlined=True)
def first_of(hexes):
    """The first hex of a set, as a set."""
    return hexes & (EMPTY - hexes)


@jit(inlined=True)
def next_groups(s, control, ways, left):
    """A connected group of each seat that controls some of the hexes `left`: the one with the first of them."""
    groups = (
        first_of(left & control[0])
        | first_of(left & control[1])
        | first_of(left & control[2])
        | first_of(left & control[3])
        | first_of(left & control[4])
    )
    grown = groups | beside(s, groups, ways[0], ways[1], ways[2])
    while grown != groups:
        groups = grown
        grown |= beside(s, groups, ways[0], ways[1], ways[2])
    return groups


@jit(inlined=True)
def with_company(s, ways):
    """The hexes that are not a group of their own."""
    return beside(s, ALL, ways[0], ways[1], ways[2])


@jit(inlined=True)
def any_in(control, hexes):
    """1 for each seat that controls some of the hexes, else 0."""
    return (
        np.int64((control[0] & hexes) != EMPTY),
        np.int64((control[1] & hexes) != EMPTY),
        np.int64((control[2] & hexes) != EMPTY),
        np.int64((control[3] & hexes) != EMPTY),
        np.int64((control[4] & hexes) != EMPTY),
    )


@jit(inlined=True)
def greater_of(a, b):
    """The greater ones of two tuples of five."""
    return (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]), max(a[4], b[4]))


@jit(inlined=True)
def times(numbers, factor):
    """A tuple of five, each times the factor."""
    return (numbers[0] * factor, numbers[1] * factor, numbers[2] * factor, numbers[3] * factor, numbers[4] * factor)


@jit
def zones_goal(s, control):
    """R36 `zones`: points for each group of two or more, without comparison."""
    ways, zones = own_ways(s, control), NO_POINTS
    left = with_company(s, ways)
    while left:
        groups = next_groups(s, control, ways, left)
        zones = plus(zones, any_in(control, groups))
        left &= ~groups
    return times(zones, np.int64(s.rules.zone_vp))


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
    ways, sizes = own_ways(s, control), any_in(control, ALL)
    left = with_company(s, ways)
    while left:
        groups = next_groups(s, control, ways, left)
        sizes = greater_of(sizes, counts_in(control, groups))
        left &= ~groups
    return for_areas(s, sizes)


@jit(inlined=True)
def around_burrow(s, seat):
    """The neighbours of the burrow of a seat that plays."""
    return neighbours_of(s, bit(s.burrow[seat])) if seat < s.players else EMPTY


@jit(inlined=True)
def own_near(s, seat, around):
    """R36 `burrows`: the hexes of which a group of the seat itself must hold one to touch its burrow."""
    return bit(s.burrow[seat]) if s.options.burrow_controlled and seat < s.players else around


@jit(inlined=True)
def linked_by(group, first, second, third, fourth, fifth):
    """R36 `burrows`: the seats whose burrows a group links, from the hexes that touch each burrow; a set of seats."""
    touched = np.uint64((group & first) != EMPTY) | np.uint64((group & second) != EMPTY) << np.uint64(1)
    touched |= np.uint64((group & third) != EMPTY) << np.uint64(2)
    touched |= np.uint64((group & fourth) != EMPTY) << np.uint64(3)
    touched |= np.uint64((group & fifth) != EMPTY) << np.uint64(4)
    return touched if touched & (touched - ONE) else EMPTY


@jit(inlined=True)
def beside_others(control, a, b, c, d, e):
    """The controlled hexes next to the burrow of another seat; a group without one links nothing."""
    return (
        (control[0] & (b | c | d | e))
        | (control[1] & (a | c | d | e))
        | (control[2] & (a | b | d | e))
        | (control[3] & (a | b | c | e))
        | (control[4] & (a | b | c | d))
    )


@jit
def burrows_goal(s, control):
    """R36 `burrows`: points for each burrow that a player's groups link."""
    ways = own_ways(s, control)
    a, b, c = around_burrow(s, 0), around_burrow(s, 1), around_burrow(s, 2)
    d, e = around_burrow(s, 3), around_burrow(s, 4)
    linked_0 = linked_1 = linked_2 = linked_3 = linked_4 = EMPTY
    left = beside_others(control, a, b, c, d, e)
    while left:
        groups = next_groups(s, control, ways, left)
        linked_0 |= linked_by(groups & control[0], own_near(s, 0, a), b, c, d, e)
        linked_1 |= linked_by(groups & control[1], a, own_near(s, 1, b), c, d, e)
        linked_2 |= linked_by(groups & control[2], a, b, own_near(s, 2, c), d, e)
        linked_3 |= linked_by(groups & control[3], a, b, c, own_near(s, 3, d), e)
        linked_4 |= linked_by(groups & control[4], a, b, c, d, own_near(s, 4, e))
        left &= ~groups
    linked = (count(linked_0), count(linked_1), count(linked_2), count(linked_3), count(linked_4))
    return times(linked, np.int64(s.rules.burrow_vp))
