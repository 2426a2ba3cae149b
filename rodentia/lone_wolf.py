"""The wolf of the solo game: where it goes, whom it catches, how it acts (R44–R48, R51). It is not a player.

The King is the leader of seat 0; wolf marks are the rodents of seat `WOLF_MARKS`.
"""

import numpy as np

from rodentia.box import MOST_CATCHES, WOLF
from rodentia.hexes import catch, change_number, is_between, nearest, number_at, occupied, ways_nearer
from rodentia.placing import use_circles
from rodentia.state import BY_PLAYER, ENDED, KING_LOST, STRIKE, TIE_STEP, TIE_TARGET, TIES_PLAYER, WOLF_MARKS
from tabletop.bits import EMPTY, bit, lowest, without_lowest
from tabletop.game import OVER
from tabletop.jit import jit

KING = 0  # the seat
WOLF_ACTS = 2  # rodents scared and marks made at once, R47


@jit
def end_solo(s, ending):
    """R51, R52: the game is over."""
    s.ending = ending
    s.to_move, s.node = OVER, ENDED
    s.choices = s.sites = EMPTY
    s.done = 0


@jit(inlined=True)
def wolf_face(s):
    """R41: the face of the wolf's die."""
    return lowest(np.uint64(s.faces))


@jit(inlined=True)
def can_act_in(s):
    """R44: the hexes in which the wolf can act."""
    return s.board.land & ~(s.controlled | s.burrows) & (~s.full | occupied(s.rodents[KING]))


@jit(inlined=True)
def must_choose(s, hexes):
    """R48: whether the player must choose between two or more hexes."""
    return (s.options.solo_ties == TIES_PLAYER) & (without_lowest(hexes) != EMPTY)


@jit(inlined=True)
def is_tie(s, hexes, node):
    """R48: makes a node if the player must choose between the hexes."""
    if not must_choose(s, hexes):
        return False
    s.to_move = KING
    s.node, s.choices = node, hexes
    return True


@jit(inlined=True)
def wolf_turn(s):
    """R44, R46: the wolf takes control; True if a node or the end of the game interrupts it."""
    if wolf_face(s) == WOLF:
        return wolf_steps(s, TIE_STEP)
    hexes = best_targets(s, wolf_face(s))
    return is_tie(s, hexes, TIE_TARGET) or go_to(s, lowest(hexes))


@jit(inlined=True)
def best_targets(s, face):
    """R44: the hexes of the die's terrain to which the wolf may go."""
    others = s.board.terrain[face] & ~(s.wolves | s.burrows)
    able = others & can_act_in(s)
    return nearest(s, nearest(s, able if able else others, s.wolf[0]), s.leader[KING])


@jit
def go_to(s, target):
    """R44, R47: the wolf goes to the target and acts; True if interrupted."""
    return walk_to(s, target) or act(s)


@jit(inlined=True)
def walk_to(s, target):
    """R45: the wolf catches the King on its way to the target; True if that ends the game."""
    wolf, king = s.wolf[0], s.leader[KING]
    put_wolf(s, target)
    return king != s.burrow[KING] and is_between(s, wolf, king, target) and catch_king(s)


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


@jit(inlined=True)
def steps_toward_king(s):
    """R46: the neighbours of the wolf that are nearer to the King, without the burrow."""
    return ways_nearer(s, s.wolf[0], s.leader[KING]) & ~s.burrows


@jit
def step_toward_king(s, hex_):
    """R46, R51: one step of the wolf; the last one if it catches the King. True if the game ends."""
    put_wolf(s, hex_)
    s.done += 1
    if hex_ != s.leader[KING]:
        return False
    s.done = s.rules.wolf_steps
    return catch_king(s)


@jit(inlined=True)
def act(s):
    """R47: the wolf acts where it stands, if it can; True if the player must say how."""
    if s.wolves & can_act_in(s) == EMPTY:
        return False
    if s.options.solo_action == BY_PLAYER:
        s.to_move = KING
        s.node, s.choices = STRIKE, EMPTY
        return True
    scared = scare(s, WOLF_ACTS)
    mark(s, s.wolf[0], WOLF_ACTS - scared)
    return False


@jit(inlined=True)
def scare(s, rodents):
    """R47: strikes up to so many rodents where the wolf stands; returns how many. Their circles stay used."""
    found = number_at(s.rodents[KING], s.wolf[0])
    scared = min(found, np.int64(rodents))
    change_number(s.rodents[KING], s.wolf[0], found, found - scared)
    s.scared += scared
    return scared


@jit(inlined=True)
def mark(s, hex_, marks):
    """R47: makes up to so many wolf marks in a hex without control, until they control it or no circle is free."""
    found = number_at(s.rodents[WOLF_MARKS], hex_)
    free = np.int64(s.rules.circles) - np.int64(s.used[hex_])
    made = min(min(np.int64(s.rules.control) - found, free), np.int64(marks))
    change_number(s.rodents[WOLF_MARKS], hex_, found, found + made)
    use_circles(s, hex_, made, found + made)
