"""A round of the solo game: the wolves and the Groundhog King (R40–R43, R49–R52)."""

import numpy as np

from rodentia.box import FACES, MARMOTS, MOUNTAIN, SOLO_DICE, WOLF
from rodentia.hexes import hexes_with, move_leader, nearest, neighbours_of, occupied
from rodentia.lone_wolf import (
    KING,
    can_act_in,
    end_solo,
    go_to,
    is_tie,
    mark,
    scare,
    step_toward_king,
    wolf_face,
    wolf_steps,
    wolf_turn,
)
from rodentia.placing import begin_placing, open_to
from rodentia.state import (
    BLOCKED_DICE,
    BURROW,
    LAST_ROUND,
    LEADER,
    LEAVE_BURROW,
    NO_DIE,
    ROLL,
    TAKE,
    TIE_HUNT,
    TIE_MARK,
    TIE_STEP,
    TIE_TARGET,
    WOLF_MARKS,
)
from tabletop.bits import EMPTY, bit, lowest, without_lowest
from tabletop.game import CHANCE
from tabletop.jit import jit

ALL_FACES = np.uint64(2 ** len(FACES) - 1)
NUMBERS_ALIKE, NUMBERS_APART = 3, 4  # R50
MARKS_FOR_NUMBERS = 2  # R50
AFTER_BOTH = 2  # the value of `side` when both sides have taken control


@jit
def begin_solo(s):
    """R40: the burrow is chosen; the wolf stands on its hex."""
    s.species[KING] = MARMOTS
    s.to_move = KING
    s.node, s.choices = BURROW, s.board.terrain[MOUNTAIN]


@jit(inlined=True)
def begin_solo_round(s):
    """R41: two dice are rolled."""
    s.round += 1
    s.side = s.turn = s.faces = s.is_new_catch = 0
    s.dice[:] = 0
    s.die[KING] = NO_DIE
    s.to_move = CHANCE
    s.node, s.choices = ROLL, ALL_FACES


@jit(inlined=True)
def lay_solo_die(s, face):
    """R41: a die shows a face; the second one another than the first."""
    s.dice[face] = 1
    s.faces |= 1 << face
    s.choices = ALL_FACES & ~np.uint64(s.faces)


@jit
def solo_roll(s, face):
    """R41: one die; when both lie there, one is taken."""
    lay_solo_die(s, face)
    s.turn += 1
    if s.turn == SOLO_DICE:
        begin_take(s)


@jit(inlined=True)
def begin_take(s):
    """R41, R52: the player takes a die, not the wolf, unless neither side could do anything."""
    s.turn = 0
    if not can_any_side_act(s):
        end_solo(s, BLOCKED_DICE)
        return
    s.to_move = KING
    s.node, s.choices = TAKE, np.uint64(s.faces) & ~bit(WOLF)


@jit(inlined=True)
def can_any_side_act(s):
    """R52: whether in some permitted sharing of the dice the player can place or the wolf can act."""
    first, second = lowest(np.uint64(s.faces)), lowest(without_lowest(np.uint64(s.faces)))
    terrains = s.board.terrain[first] | s.board.terrain[second]
    if open_to(s, KING) & terrains:
        return True
    return can_act_in(s) & (s.board.land if second == WOLF else terrains & ~s.wolves) != EMPTY


@jit(inlined=True)
def share_dice(s, face):
    """R41: the wolf gets the other die, and its number is recorded."""
    s.die[KING] = face
    s.dice[face] = 0
    s.faces &= ~(1 << face)
    s.numbers[wolf_face(s)] += 1


@jit(inlined=True)
def solo_take(s, face):
    """R41: the player takes a die."""
    share_dice(s, face)
    take_control(s)


@jit
def take_control(s):
    """R42: the sides take control in the order of the initiative, then the King moves."""
    while s.side < AFTER_BOTH:
        if wolf_turn(s) if is_wolf_turn(s) else begin_kings_placing(s):
            return
        s.side += 1
    begin_kings_move(s)


@jit(inlined=True)
def is_wolf_turn(s):
    """R42: whether it is the wolf that takes control now: first in even rounds, second in odd ones."""
    return (np.int64(s.round) + np.int64(s.side)) & 1 == 0


@jit
def next_side(s):
    """R42: a side has taken control."""
    s.side += 1
    take_control(s)


@jit(inlined=True)
def begin_kings_placing(s):
    """R43: the player places as in R19 to R23; False if he can place nothing."""
    s.to_move = KING
    return begin_placing(s, KING)


@jit(inlined=True)
def begin_kings_move(s):
    """R49: the King's move after both have taken control."""
    s.choices = ways_of_king(s)
    if s.choices == EMPTY:
        pass_initiative(s)
        return
    s.to_move = KING
    s.node = LEADER


@jit(inlined=True)
def ways_of_king(s):
    """R49: the hexes to which the King may go, from his, which is that of the only leader."""
    return neighbours_of(s, s.leaders) & ~s.wolves


@jit(inlined=True)
def may_king_stay(s):
    """R49: whether the King may stay: always outside his burrow."""
    return s.leader[KING] != s.burrow[KING] or s.options.solo_king != LEAVE_BURROW


@jit
def pass_initiative(s):
    """R50: the recorded numbers are tested."""
    s.side = AFTER_BOTH
    s.choices = EMPTY
    if cross_out_alike(s):
        hunt(s)
    elif cross_out_apart(s):
        s.sites = may_be_marked(s)
        mark_for_numbers(s)
    else:
        end_solo_round(s)


@jit(inlined=True)
def cross_out_alike(s):
    """R50: crosses out three equal numbers; False if there are none."""
    for face in range(len(FACES)):
        if s.numbers[face] >= NUMBERS_ALIKE:
            s.numbers[face] -= NUMBERS_ALIKE
            return True
    return False


@jit(inlined=True)
def cross_out_apart(s):
    """R50: crosses out one of each of four different numbers; False if there are fewer."""
    different = 0
    for face in range(len(FACES)):
        different += s.numbers[face] > 0
    if different < NUMBERS_APART:
        return False
    for face in range(len(FACES)):
        s.numbers[face] -= s.numbers[face] > 0
    return True


@jit
def hunt(s):
    """R50: the wolf goes toward the King and does not act."""
    if not wolf_steps(s, TIE_HUNT):
        end_solo_round(s)


@jit
def may_be_marked(s):
    """R50: the hexes that may get a further wolf mark."""
    marked = occupied(s.rodents[WOLF_MARKS])
    return marked & ~(s.controlled | s.full | s.leaders)


@jit
def best_marks(s):
    """R50: of the hexes not yet marked, those with most wolf marks, of these the nearest to the King."""
    most = s.rules.control
    while most > 0 and s.sites & hexes_with(s.rodents[WOLF_MARKS], most) == EMPTY:
        most -= 1
    return nearest(s, s.sites & hexes_with(s.rodents[WOLF_MARKS], most), s.leader[KING])


@jit
def mark_for_numbers(s):
    """R50: makes the marks one after the other, then ends the round."""
    while s.done < MARKS_FOR_NUMBERS and s.sites:
        hexes = best_marks(s)
        if is_tie(s, hexes, TIE_MARK):
            return
        mark_one(s, lowest(hexes))
    s.done = 0
    s.sites = EMPTY
    end_solo_round(s)


@jit
def mark_one(s, hex_):
    """R50: one of the marks."""
    mark(s, hex_, 1)
    s.sites &= ~bit(hex_)
    s.done += 1


@jit
def end_solo_round(s):
    """R52: the game ends after the last round."""
    if s.round >= s.rules.solo_rounds:
        end_solo(s, LAST_ROUND)
    else:
        begin_solo_round(s)


@jit
def after_tie(s, node, hex_):
    """R48: the player has chosen between equal hexes."""
    if node == TIE_TARGET:
        if not go_to(s, hex_):
            next_side(s)
    elif node == TIE_STEP:
        if not (step_toward_king(s, hex_) or wolf_steps(s, TIE_STEP)):
            next_side(s)
    elif node == TIE_HUNT:
        if not step_toward_king(s, hex_):
            hunt(s)
    else:
        mark_one(s, hex_)
        mark_for_numbers(s)


@jit
def strike(s, marks, rodents):
    """R47: the player has said how the wolf acts."""
    scare(s, rodents)
    mark(s, s.wolf[0], marks)
    next_side(s)


@jit
def kings_move(s, hex_):
    """R49: the King goes to a hex, or stays on his."""
    move_leader(s, KING, hex_)
    pass_initiative(s)
