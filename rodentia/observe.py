"""What a seat observes. Everything in Rodentia is public, so an observation is the position, seen from the seat.

Seats come in turn order from the observing one, seats that do not play are all zero. In the solo game the wolf's
marks are the rodents of the second seat. Maps are planes of 52 hexes in reading order.
"""

import numpy as np

from rodentia.box import (
    DIAGONAL,
    DIRECTIONS,
    FACES,
    GOALS,
    MOST_CATCHES,
    MOST_DICE,
    MOST_HEXES,
    MOST_PLAYERS,
    SPECIES,
    TERRAINS,
)
from rodentia.placing import BITS_A_COUNT, COUNT_BITS, placed_in
from rodentia.scoring import is_goal, points_of_all
from rodentia.state import BURROW, JUMP, MOST_CIRCLES, NODE_NAMES, WOLF_MARKS
from tabletop.bits import EMPTY, below, bit, lowest, nth, write_numbers
from tabletop.game import Feature
from tabletop.jit import jit
from tabletop.planes import copy_entries, mark, spread, write_members, write_number, write_word

NODES = len(NODE_NAMES)
NOWHERE = -1
MOST = 127  # greatest number of an observation; greater ones are cut

FEATURES = (
    Feature("node", NODES, 0, 1, "what is awaited, one-hot in the order of the nodes in `state`"),
    Feature("players", MOST_PLAYERS, 0, 1, "number of players, one-hot from 1"),
    Feature("mover", MOST_PLAYERS, 0, 1, "seat to move, one-hot; none at a chance node and after the end"),
    Feature("starter", MOST_PLAYERS, 0, 1, "starting player of the round, one-hot"),
    Feature("round", 1, 0, MOST, "number of the round"),
    Feature("done", 1, 0, MOST, "rodents placed, or wolf steps or marks made, in the turn that goes on"),
    Feature("forced", 1, 0, 1, "whether the wolf move is that of the starting player for the free die"),
    Feature("movers", MOST_PLAYERS, 0, 1, "seats that have a wolf die and have not moved a wolf"),
    Feature("goals", len(GOALS), 0, 1, "goals in play"),
    Feature("direction", len(DIRECTIONS), 0, 1, "direction of the goal `diagonal`, one-hot, if it is in play"),
    Feature("species", MOST_PLAYERS * len(SPECIES), 0, 1, "species of each seat, one-hot; none in the set-up"),
    Feature("taken", MOST_PLAYERS * len(FACES), 0, 1, "die that each seat has taken in this round, one-hot"),
    Feature("dice", len(FACES), 0, MOST_DICE, "dice that nobody has taken, by face"),
    Feature("catches", MOST_PLAYERS, 0, MOST_CATCHES, "catch marks of each seat"),
    Feature("points", MOST_PLAYERS, -128, MOST, "points of each seat as they would count now, cut to the range"),
    Feature("bonus", TERRAINS, 0, MOST, "X of each terrain"),
    Feature("numbers", len(FACES), 0, MOST, "solo: recorded wolf numbers that are not crossed out"),
    Feature("scared", 1, 0, MOST, "solo: scared rodents"),
    Feature("side", 1, 0, 2, "solo: how many sides have taken control in this round"),
    Feature("terrain", len(FACES) * MOST_HEXES, 0, 1, "hexes of each face"),
    Feature("burrows", MOST_PLAYERS * MOST_HEXES, 0, 1, "burrow of each seat"),
    Feature("leaders", MOST_PLAYERS * MOST_HEXES, 0, 1, "leader of each seat"),
    Feature("wolves", 2 * MOST_HEXES, 0, 1, "wolf A, wolf B"),
    Feature("rodents", MOST_PLAYERS * MOST_HEXES, 0, MOST_CIRCLES, "rodents of each seat"),
    Feature("used", MOST_HEXES, 0, MOST_CIRCLES, "circles used"),
    Feature("placed", MOST_HEXES, 0, MOST_CIRCLES, "rodents placed in this turn; the hex to which a leader may jump"),
    Feature("closed", 2 * MOST_HEXES, 0, 1, "controlled hexes, hexes without a free circle"),
    Feature("choices", MOST_HEXES, 0, 1, "hexes among which the event chooses, but for wolf moves"),
)


HEADER = sum(feature.size for feature in FEATURES[: [feature.name for feature in FEATURES].index("terrain")])


@jit(inlined=True)
def see_few(out: np.ndarray, at: int, size: int, members: np.uint64) -> int:
    """Writes which of the numbers below `size` ≤ 7 are in the set; the next blocks must be written later."""
    write_word(out, at, spread(members))
    return at + size


@jit(inlined=True)
def see_planes(out: np.ndarray, at: int, planes: np.ndarray) -> int:
    """Writes the number of each hex."""
    write_numbers(out, at, MOST_HEXES, planes[0], planes[1], planes[2])
    return at + MOST_HEXES


@jit(inlined=True)
def seat_after(s, seat: int, steps: int) -> int:
    """The seat that many seats on, or NOWHERE beyond the last player."""
    if steps >= s.players:
        return NOWHERE
    on = seat + steps
    return on - np.int64(s.players) if on >= s.players else on


@jit(inlined=True)
def steps_to(s, seat: int, other: int) -> int:
    """How many seats on the other seat is."""
    return other - seat if other >= seat else other - seat + np.int64(s.players)


@jit(inlined=True)
def movers_from(s, seat: int) -> np.uint64:
    """R26: the seats that have yet to move a wolf, from the observing one on; the state begins with the starter."""
    players, turned = np.uint64(s.players), np.uint64(steps_to(s, seat, np.int64(s.starter)))
    movers = np.uint64(s.movers)
    return (movers << turned | movers >> players - turned) & below(players)


@jit(inlined=True)
def see_turn(s, seat: int, out: np.ndarray, at: int) -> int:
    """From `node` to `movers`."""
    at = mark(out, at, NODES, np.int64(s.node))
    at = mark(out, at, MOST_PLAYERS, np.int64(s.players) - 1)
    at = mark(out, at, MOST_PLAYERS, steps_to(s, seat, np.int64(s.to_move)) if s.to_move >= 0 else NOWHERE)
    at = mark(out, at, MOST_PLAYERS, steps_to(s, seat, np.int64(s.starter)))
    at = write_number(out, at, np.int64(s.round))
    at = write_number(out, at, np.int64(s.done))
    at = write_number(out, at, np.int64(s.is_forced))
    return see_few(out, at, MOST_PLAYERS, movers_from(s, seat))


@jit(inlined=True)
def see_table(s, seat: int, out: np.ndarray, at: int) -> int:
    """From `goals` to `dice`."""
    at = see_few(out, at, len(GOALS), np.uint64(s.goals))
    at = mark(out, at, len(DIRECTIONS), np.int64(s.direction) if is_goal(s, DIAGONAL) else NOWHERE)
    is_known = s.node >= BURROW or s.round > 0
    for steps in range(MOST_PLAYERS):
        other = seat_after(s, seat, steps)
        is_seen = is_known and other != NOWHERE
        at = mark(out, at, len(SPECIES), np.int64(s.species[other]) if is_seen else NOWHERE)
    for steps in range(MOST_PLAYERS):
        other = seat_after(s, seat, steps)
        at = mark(out, at, len(FACES), np.int64(s.die[other]) if other != NOWHERE else NOWHERE)
    return copy_entries(out, at, s.dice, 0, len(FACES))


@jit(inlined=True)
def see_counters(s, seat: int, out: np.ndarray, at: int) -> int:
    """From `catches` to `side`."""
    points = points_of_all(s)
    for steps in range(MOST_PLAYERS):
        other = seat_after(s, seat, steps)
        at = write_number(out, at, np.int64(s.catches[other]) if other != NOWHERE else 0)
    for steps in range(MOST_PLAYERS):
        other = seat_after(s, seat, steps)
        at = write_number(out, at, points[other] if other != NOWHERE else 0)
    for terrain in range(TERRAINS):
        at = write_number(out, at, np.int64(s.bonus[terrain]))
    at = copy_entries(out, at, s.numbers, 0, len(FACES))
    at = write_number(out, at, np.int64(s.scared))
    return write_number(out, at, np.int64(s.side))


@jit(inlined=True)
def see_pieces(s, seat: int, out: np.ndarray, at: int) -> int:
    """From `terrain` to `wolves`; pieces only once they are on the map."""
    for face in range(len(FACES)):
        at = write_members(out, at, MOST_HEXES, s.board.terrain[face])
    for steps in range(MOST_PLAYERS):
        other = seat_after(s, seat, steps)
        there = bit(s.burrow[other]) & s.burrows if other != NOWHERE else EMPTY
        at = write_members(out, at, MOST_HEXES, there)
    for steps in range(MOST_PLAYERS):
        other = seat_after(s, seat, steps)
        there = bit(s.leader[other]) & s.leaders if other != NOWHERE else EMPTY
        at = write_members(out, at, MOST_HEXES, there)
    at = write_members(out, at, MOST_HEXES, bit(s.wolf[0]))
    return write_members(out, at, MOST_HEXES, s.wolves & ~bit(s.wolf[0]) | shared_wolf_hex(s))


@jit(inlined=True)
def shared_wolf_hex(s) -> np.uint64:
    """The hex of wolf B where wolf A stands too."""
    return s.wolves if s.players > 3 and s.wolf[0] == s.wolf[1] else EMPTY


@jit(inlined=True)
def see_rodents(s, seat: int, out: np.ndarray, at: int) -> int:
    """From `rodents` to `choices`."""
    for steps in range(MOST_PLAYERS):
        other = steps if s.players == 1 and steps == WOLF_MARKS else seat_after(s, seat, steps)
        at = write_members(out, at, MOST_HEXES, EMPTY) if other == NOWHERE else see_planes(out, at, s.rodents[other])
    at = copy_entries(out, at, s.used, 0, MOST_HEXES)
    at = see_placed(s, out, at)
    at = write_members(out, at, MOST_HEXES, s.controlled)
    at = write_members(out, at, MOST_HEXES, s.full)
    return write_members(out, at, MOST_HEXES, s.choices if s.node >= BURROW else EMPTY)


@jit(inlined=True)
def see_placed(s, out: np.ndarray, at: int) -> int:
    """Where the seat to move has placed rodents in this turn, or where its leader may jump."""
    write_members(out, at, MOST_HEXES, bit(s.target) if s.node == JUMP else EMPTY)
    left = s.placed
    while left:
        nth_of_terrain = lowest(left) // BITS_A_COUNT
        hex_ = nth(s.board.terrain[s.die[s.to_move]], nth_of_terrain)
        out[at + hex_] = placed_in(s, s.to_move, hex_)
        left &= ~(COUNT_BITS << np.uint64(BITS_A_COUNT * nth_of_terrain))
    return at + MOST_HEXES


@jit
def observe(s, seat: int, out: np.ndarray) -> None:
    """Writes what the seat sees to `out` (int8), in the order of `FEATURES`."""
    out[:HEADER] = 0
    at = see_turn(s, seat, out, 0)
    at = see_table(s, seat, out, at)
    at = see_counters(s, seat, out, at)
    at = see_pieces(s, seat, out, at)
    see_rodents(s, seat, out, at)


@jit
def redeal(s, seat: int, rng: np.ndarray) -> None:
    """Nothing is hidden in Rodentia, so there is nothing to deal anew."""
