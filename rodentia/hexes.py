"""The map and sets of hexes in compiled code: neighbours, distances, rows, and numbers in bit planes.

`s` is the state; a set of hexes is a `uint64`. The planes of a number are the words of one row of `s.rodents`:
bit h of word k is bit k of the number in hex h.
"""

import numpy as np

from rodentia.box import MOST_CATCHES
from tabletop.bits import EMPTY, ONE, below, bit, count, highest, lowest, next_after, rarely, without_lowest
from tabletop.jit import jit


@jit(inlined=True)
def hex_if(condition, hex_):
    """The set of the hex if the condition holds, else the empty set."""
    return np.uint64(condition) << np.uint64(hex_)


@jit(inlined=True)
def _along(hexes, here, step):
    """Both ends of the steps by `step` from the hexes `here`, as far as the other end is in the set."""
    return ((hexes & here) << step) | ((hexes >> step) & here)


@jit(inlined=True)
def _step_from(s, row, start, end):
    """The step to the south-west from the hexes start … end − 1 of a row."""
    return np.uint64(end - start + ((np.int64(s.board.indent[row]) - 1 - np.int64(s.board.indent[row + 1])) >> 1))


@jit
def _beside_by_rows(s, hexes, east, southwest, southeast):
    """`beside` for maps whose step to the south-west differs from row to row."""
    found = _along(hexes, east, ONE)
    start = 0
    for row in range(np.int64(s.board.rows) - 1):
        end = next_after(s.board.row_starts, start)
        here, step = below(end) & ~below(start), _step_from(s, row, start, end)
        found |= _along(hexes, southwest & here, step) | _along(hexes, southeast & here, step + ONE)
        start = end
    return found


@jit(inlined=True)
def beside(s, hexes, east, southwest, southeast):
    """The hexes one way from a hex of the set, where ways lead from these hexes to the east and so on, and back."""
    if rarely(s.board.south == 0):
        return _beside_by_rows(s, hexes, east, southwest, southeast)
    step = np.uint64(s.board.south)
    return _along(hexes, east, ONE) | _along(hexes, southwest, step) | _along(hexes, southeast, step + ONE)


@jit(inlined=True)
def neighbours_of(s, hexes):
    """R3: the hexes next to a hex of the set."""
    return beside(s, hexes, s.board.east, s.board.southwest, s.board.southeast)


@jit
def _ways_by_rows(s, hexes):
    """`ways_within` for maps whose step to the south-west differs from row to row."""
    southwest = southeast = EMPTY
    start = 0
    for row in range(np.int64(s.board.rows) - 1):
        end = next_after(s.board.row_starts, start)
        here, step = hexes & below(end) & ~below(start), _step_from(s, row, start, end)
        southwest |= here & (hexes >> step) & s.board.southwest
        southeast |= here & (hexes >> step + ONE) & s.board.southeast
        start = end
    return hexes & (hexes >> ONE) & s.board.east, southwest, southeast


@jit(inlined=True)
def ways_within(s, hexes):
    """Where ways between hexes of the set lead from: to the east, to the south-west, to the south-east."""
    board = s.board
    if rarely(board.south == 0):
        return _ways_by_rows(s, hexes)
    step = np.uint64(board.south)
    return (
        hexes & (hexes >> ONE) & board.east,
        hexes & (hexes >> step) & board.southwest,
        hexes & (hexes >> step + ONE) & board.southeast,
    )


@jit(inlined=True)
def row_of(s, hex_):
    """Number of the hex's row, from 0 at the top."""
    return count(s.board.row_starts & below(hex_ + 1)) - 1


@jit(inlined=True)
def across(s, hex_):
    """Half-hexes from the left margin to the hex."""
    start = highest(s.board.row_starts & below(hex_ + 1))
    return np.int64(s.board.indent[np.uint64(row_of(s, hex_))]) + 2 * (np.int64(hex_) - start)


@jit(inlined=True)
def distance(s, a, b):
    """R3: steps from hex a to hex b, over hexes that the map need not have."""
    down = abs(row_of(s, a) - row_of(s, b))
    return down + (max(0, abs(across(s, a) - across(s, b)) - down) >> 1)


@jit(inlined=True)
def is_between(s, start, hex_, end):
    """Whether a hex lies on a shortest way from one hex to another: amid them across all three lines of hexes."""
    row_1, row_2, row_3 = row_of(s, start), row_of(s, hex_), row_of(s, end)
    column_1, column_2, column_3 = across(s, start), across(s, hex_), across(s, end)
    return (
        is_amid(row_1, row_2, row_3)
        & is_amid(column_1 + row_1, column_2 + row_2, column_3 + row_3)
        & is_amid(column_1 - row_1, column_2 - row_2, column_3 - row_3)
    )


@jit(inlined=True)
def is_amid(first, number, last):
    """Whether a number lies between two others or is one of them."""
    return (number - first) * (last - number) >= 0


@jit(inlined=True)
def row_from(s, start):
    """The hexes of the row whose first hex is `start`."""
    end = next_after(s.board.row_starts, start)
    return below(min(end, np.int64(s.board.hexes))) & ~below(start)


@jit(inlined=True)
def nearest(s, hexes, to):
    """The hexes of the set that are nearest to the hex `to`."""
    if without_lowest(hexes) == EMPTY:
        return hexes
    if rarely(s.board.has_short_ways == 0):
        return nearest_by_distance(s, hexes, to)
    return nearest_by_rings(s, hexes, to)


@jit(inlined=True)
def nearest_by_rings(s, hexes, to):
    """`nearest` where no way over the map is longer than the distance: ring by ring around `to`; not of no hexes."""
    around = bit(to)
    while around & hexes == EMPTY:
        around |= neighbours_of(s, around)
    return around & hexes


@jit
def nearest_by_distance(s, hexes, to):
    """`nearest` on any map."""
    found, least = EMPTY, 255
    while hexes:
        hex_ = lowest(hexes)
        steps = distance(s, hex_, to)
        if steps < least:
            found, least = EMPTY, steps
        if steps == least:
            found |= bit(hex_)
        hexes = without_lowest(hexes)
    return found


@jit(inlined=True)
def ways_nearer(s, hex_, to):
    """The neighbours of a hex that are nearer to the hex `to` than itself."""
    if hex_ == to:
        return EMPTY
    around = neighbours_of(s, bit(hex_))
    if rarely(s.board.has_short_ways == 0):
        return _nearer_by_distance(s, around, hex_, to)
    return nearest_by_rings(s, around, to)


@jit
def _nearer_by_distance(s, around, hex_, to):
    """`ways_nearer` on any map, of the neighbours `around` the hex."""
    closest = nearest_by_distance(s, around, to)
    return closest if closest and distance(s, lowest(closest), to) < distance(s, hex_, to) else EMPTY


@jit(inlined=True)
def _everywhere(number, plane):
    """Bit `plane` of the number, for all hexes at once."""
    return EMPTY - ((np.uint64(number) >> np.uint64(plane)) & ONE)


@jit(inlined=True)
def hexes_with(planes, number):
    """The hexes whose number is exactly `number`."""
    return ~(
        (planes[0] ^ _everywhere(number, 0))
        | (planes[1] ^ _everywhere(number, 1))
        | (planes[2] ^ _everywhere(number, 2))
    )


@jit(inlined=True)
def occupied(planes):
    """The hexes whose number is not 0."""
    return planes[0] | planes[1] | planes[2]


@jit(inlined=True)
def number_at(planes, hex_):
    """The number of one hex."""
    return np.int64(
        ((planes[0] >> np.uint64(hex_)) & ONE)
        | ((planes[1] >> np.uint64(hex_)) & ONE) << ONE
        | ((planes[2] >> np.uint64(hex_)) & ONE) << np.uint64(2)
    )


@jit(inlined=True)
def add_one(planes, hex_):
    """Adds 1 to the number of one hex."""
    carry_0 = bit(hex_)
    carry_1 = planes[0] & carry_0
    carry_2 = planes[1] & carry_1
    planes[0] ^= carry_0
    planes[1] ^= carry_1
    planes[2] ^= carry_2


@jit(inlined=True)
def change_number(planes, hex_, before, after):
    """Changes the number of one hex."""
    change = np.uint64(before ^ after)
    planes[0] ^= (change & ONE) << np.uint64(hex_)
    planes[1] ^= ((change >> ONE) & ONE) << np.uint64(hex_)
    planes[2] ^= (change >> np.uint64(2)) << np.uint64(hex_)


@jit(inlined=True)
def more_in(mine, others):
    """The hexes whose number in the planes `mine` is greater than in the planes `others`."""
    greater = mine[0] & ~others[0]
    greater = (mine[1] & ~others[1]) | (~(mine[1] ^ others[1]) & greater)
    return (mine[2] & ~others[2]) | (~(mine[2] ^ others[2]) & greater)


@jit
def count_leaders(s):
    """Finds the sets `leaders` and `shared` from the leaders' hexes."""
    leaders = shared = EMPTY
    for seat in range(np.int64(s.players)):
        there = bit(s.leader[seat])
        shared |= leaders & there
        leaders |= there
    s.leaders = leaders
    s.shared = shared


@jit(inlined=True)
def move_leader(s, seat, hex_):
    """Moves a leader and keeps the sets `leaders` and `shared`."""
    here, there = bit(s.leader[seat]), bit(hex_)
    s.leader[seat] = hex_
    if rarely((s.shared & here) != EMPTY):
        count_leaders(s)
        return
    others = s.leaders ^ here
    s.shared |= others & there
    s.leaders = others | there


@jit(inlined=True)
def catch(s, seat):
    """R28, R29: a caught leader returns to its burrow; catch marks stop at 3."""
    move_leader(s, seat, s.burrow[seat])
    s.is_new_catch = 1
    s.catches[seat] = min(np.int64(s.catches[seat]) + 1, MOST_CATCHES)
