"""R40–R52: the wolves and the Groundhog King. The wolf is not a player: it moves inside `step`.

The King is the leader of seat 0; wolf marks are the rodents of seat `WOLF_MARKS`.
"""

import numpy as np

from rodentia.box import FACES, MARMOTS, MOST_CATCHES, MOUNTAIN, SOLO_DICE, TERRAINS, WOLF
from rodentia.hexes import catch, distance, hexes_with, move_leader, nearer, nearest, neighbours_of, number_at
from rodentia.hexes import occupied, take_one
from rodentia.placing import begin_placing, open_to, put_rodent
from rodentia.state import (
    BLOCKED_DICE,
    BURROW,
    BY_PLAYER,
    ENDED,
    KING_LOST,
    LAST_ROUND,
    LEADER,
    LEAVE_BURROW,
    NO_DIE,
    ROLL,
    STRIKE,
    TAKE,
    TIE_HUNT,
    TIE_MARK,
    TIE_STEP,
    TIE_TARGET,
    TIES_PLAYER,
    WOLF_MARKS,
)
from tabletop.bits import EMPTY, bit, count, has, lowest
from tabletop.game import CHANCE, OVER
from tabletop.jit import jit

KING = 0  # the seat
ALL_FACES = np.uint64(2 ** len(FACES) - 1)
NUMBERS_ALIKE, NUMBERS_APART = 3, 4  # R50
MARKS_FOR_NUMBERS = 2  # R50
WOLF_TURN_IN_ODD_ROUNDS = 1  # the side, R42
AFTER_BOTH = 2


@jit
def begin_solo(s):
    """R40: the burrow is chosen; the wolf stands on its hex."""
    s.species[KING] = MARMOTS
    s.to_move = KING
    s.node, s.choices = BURROW, s.board.terrain[MOUNTAIN]


@jit
def end_solo(s, ending):
    """R51, R52: the game is over."""
    s.ending = ending
    s.to_move, s.node = OVER, ENDED
    s.choices = s.sites = EMPTY
    s.done = 0


@jit
def begin_solo_round(s):
    """R41: two dice are rolled."""
    s.round += 1
    s.side = s.turn = s.faces = 0
    s.dice[:] = 0
    s.die[KING] = NO_DIE
    s.to_move = CHANCE
    s.node, s.choices = ROLL, ALL_FACES


@jit
def solo_roll(s, face):
    """R41: the second die shows another face than the first."""
    s.dice[face] = 1
    s.faces |= 1 << face
    s.turn += 1
    s.choices = ALL_FACES & ~np.uint64(s.faces)
    if s.turn == SOLO_DICE:
        begin_take(s)


@jit
def begin_take(s):
    """R41, R52: the player takes a die, not the wolf, unless neither side could do anything."""
    s.turn = 0
    if not can_any_side_act(s):
        end_solo(s, BLOCKED_DICE)
        return
    s.to_move = KING
    s.node, s.choices = TAKE, np.uint64(s.faces) & ~bit(WOLF)


@jit
def can_act_in(s):
    """R44: the hexes in which the wolf can act."""
    return s.board.land & ~(s.controlled | s.burrows) & (~s.full | occupied(s.rodents[KING]))


@jit
def can_any_side_act(s):
    """R52: whether in some permitted sharing of the dice the player can place or the wolf can act."""
    terrains = EMPTY
    for face in range(TERRAINS):
        if has(np.uint64(s.faces), face):
            terrains |= s.board.terrain[face]
    for_wolf = can_act_in(s)
    if has(np.uint64(s.faces), WOLF):
        return (open_to(s, KING) & terrains) != EMPTY or for_wolf != EMPTY
    return ((open_to(s, KING) | (for_wolf & ~s.wolves)) & terrains) != EMPTY


@jit
def solo_take(s, face):
    """R41: the wolf gets the other die, and its number is recorded."""
    s.die[KING] = face
    s.dice[face] = 0
    s.faces &= ~(1 << face)
    s.numbers[wolf_face(s)] += 1
    take_control(s)


@jit(inlined=True)
def wolf_face(s):
    """R41: the face of the wolf's die."""
    return lowest(np.uint64(s.faces))


@jit
def take_control(s):
    """R42: the sides take control in the order of the initiative, then the King moves."""
    while s.side < AFTER_BOTH:
        is_wolf_turn = (np.int64(s.round) + np.int64(s.side)) & 1 == 0
        if wolf_turn(s) if is_wolf_turn else begin_kings_placing(s):
            return
        s.side += 1
    begin_kings_move(s)


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
def is_tie(s, hexes, node):
    """R48: makes a node if the player must choose between two or more hexes."""
    if s.options.solo_ties != TIES_PLAYER or count(hexes) < 2:
        return False
    s.to_move = KING
    s.node, s.choices = node, hexes
    return True


@jit
def wolf_turn(s):
    """R44, R46: the wolf takes control; True if a node or the end of the game interrupts it."""
    if wolf_face(s) == WOLF:
        return wolf_steps(s, TIE_STEP)
    hexes = best_targets(s, wolf_face(s))
    return is_tie(s, hexes, TIE_TARGET) or go_to(s, lowest(hexes))


@jit
def best_targets(s, face):
    """R44: the hexes of the die's terrain to which the wolf may go."""
    others = s.board.terrain[face] & ~(s.wolves | s.burrows)
    able = others & can_act_in(s)
    return nearest(s, nearest(s, able if able else others, s.wolf[0]), s.leader[KING])


@jit
def go_to(s, target):
    """R44, R45: the wolf goes to the target, catches the King on its way, and acts; True if interrupted."""
    wolf, king = s.wolf[0], s.leader[KING]
    is_on_way = distance(s, wolf, king) + distance(s, king, target) == distance(s, wolf, target)
    put_wolf(s, target)
    if is_on_way and king != s.burrow[KING] and catch_king(s):
        return True
    return act(s)


@jit(inlined=True)
def put_wolf(s, hex_):
    """Moves the wolf."""
    s.wolf[0] = hex_
    s.wolves = bit(hex_)


@jit(inlined=True)
def catch_king(s):
    """R51: the King is caught; True if that ends the game."""
    catch(s, KING)
    if s.catches[KING] < MOST_CATCHES:
        return False
    end_solo(s, KING_LOST)
    return True


@jit
def wolf_steps(s, node):
    """R46, R50: the wolf's steps toward the King, and for its die the act after them; True if interrupted."""
    while s.done < s.rules.wolf_steps:
        hexes = steps_toward_king(s)
        if hexes == EMPTY:
            break
        if is_tie(s, hexes, node):
            return True
        if step_toward_king(s, lowest(hexes)):
            return True
    s.done = 0
    return act(s) if node == TIE_STEP else False


@jit
def steps_toward_king(s):
    """R46: the neighbours of the wolf that are nearer to the King, without the burrow."""
    wolf, king = s.wolf[0], s.leader[KING]
    return nearer(s, neighbours_of(s, bit(wolf)) & ~s.burrows, king, distance(s, wolf, king))


@jit
def step_toward_king(s, hex_):
    """R46, R51: one step of the wolf; the last one if it catches the King. True if the game ends."""
    put_wolf(s, hex_)
    s.done += 1
    if hex_ != s.leader[KING]:
        return False
    s.done = s.rules.wolf_steps
    return catch_king(s)


@jit
def act(s):
    """R47: the wolf acts where it stands, if it can; True if the player must say how."""
    here = s.wolves & can_act_in(s)
    if here == EMPTY:
        return False
    if s.options.solo_action == BY_PLAYER:
        s.to_move = KING
        s.node, s.choices = STRIKE, EMPTY
        return True
    rodents = number_at(s.rodents[KING], lowest(here))
    scare(s, here, min(rodents, 2))
    mark(s, here, 2 - min(rodents, 2))
    return False


@jit
def scare(s, here, rodents):
    """R47: strikes up to so many rodents in the hex; their circles stay used."""
    for _ in range(rodents):
        if here & occupied(s.rodents[KING]):
            take_one(s.rodents[KING], here)
            s.scared += 1


@jit
def mark(s, here, marks):
    """R47: makes up to so many wolf marks in the hex, while it has a free circle and is not controlled."""
    for _ in range(marks):
        put_rodent(s, WOLF_MARKS, here & ~(s.controlled | s.full))


@jit
def begin_kings_move(s):
    """R49: the King's move after both have taken control."""
    s.choices = neighbours_of(s, s.leaders) & ~s.wolves
    if s.choices == EMPTY:
        pass_initiative(s)
        return
    s.to_move = KING
    s.node = LEADER


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


@jit
def cross_out_alike(s):
    """R50: crosses out three equal numbers; False if there are none."""
    for face in range(len(FACES)):
        if s.numbers[face] >= NUMBERS_ALIKE:
            s.numbers[face] -= NUMBERS_ALIKE
            return True
    return False


@jit
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
    mark(s, bit(hex_), 1)
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
    scare(s, s.wolves, rodents)
    mark(s, s.wolves, marks)
    next_side(s)


@jit
def kings_move(s, hex_):
    """R49: the King goes to a hex, or stays on his."""
    move_leader(s, KING, hex_)
    pass_initiative(s)
