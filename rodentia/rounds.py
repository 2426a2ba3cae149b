"""A round of the game of 2 to 5 players in rulebook order: dice, placing, leaders and wolves, bonus (R14–R33)."""

import numpy as np

from rodentia.actions import LEADER_TO, STAY, STOP, WOLF_A_TO, WOLF_B_TO
from rodentia.box import FACES, TERRAINS, WOLF
from rodentia.hexes import hex_if, move_leader
from rodentia.placing import PLACE_FIRST, begin_placing, end_placing, jump, open_to, place
from rodentia.solo import next_side
from rodentia.state import BLOCKED_DICE, ENDED, LAST_ROUND, NO_DIE, ROLL, TAKE, WOLF_END
from rodentia.wolf import (
    begin_leader_move,
    end_wolf_move,
    find_wolf_movers,
    is_wolf_end,
    mover,
    next_wolf_mover,
    seat_at,
    wolf_enters,
)
from tabletop.bits import EMPTY, bit, has, lowest, without_lowest
from tabletop.game import CHANCE, OVER
from tabletop.jit import jit

LEADER_FIRST = np.uint64(LEADER_TO)  # for events as unsigned words
ALL_FACES = np.uint64(2 ** len(FACES) - 1)


@jit(inlined=True)
def await_chance(s, node, outcomes):
    """Makes a chance node with these outcomes, all equally likely."""
    s.to_move = CHANCE
    s.node, s.choices = node, outcomes


# Phase 1: dice (R14–R17)


@jit
def begin_round(s):
    """R14: the dice are rolled."""
    s.round += 1
    s.turn = s.is_new_catch = 0
    await_chance(s, ROLL, ALL_FACES)


@jit(inlined=True)
def lay_die(s, face):
    """R14: a die shows a face."""
    s.dice[face] += 1
    s.faces |= bit(face)


@jit(inlined=True)
def roll(s, face):
    """R14: one die; when all lie there, they are taken."""
    lay_die(s, face)
    s.turn += 1
    if s.turn > s.players:
        s.turn = 0
        next_taker(s)


@jit(inlined=True)
def next_taker(s):
    """R15, R16: the next player takes a die, unless all that are left are blocked for him."""
    if s.turn == s.players:
        begin_phase_2(s)
        return
    seat = seat_at(s, s.turn)
    if not is_some_die_usable(s, seat):
        end_game(s, BLOCKED_DICE)
        return
    s.to_move = seat
    s.node, s.choices = TAKE, np.uint64(s.faces)


@jit(inlined=True)
def is_some_die_usable(s, seat):
    """R16: whether a die is left that keeps the game going: a placeable terrain, or a wolf."""
    faces = np.uint64(s.faces)
    sites = open_to(s, seat)
    is_first_placeable = (sites & s.board.terrain[lowest(faces)]) != EMPTY
    if is_first_placeable | (has(faces, WOLF) & (s.options.six_prevents_end == 1)):
        return True
    return is_some_placeable(s, sites, without_lowest(faces))


@jit
def is_some_placeable(s, sites, faces):
    """R16: whether one of the faces is a terrain with one of the open hexes `sites`."""
    while faces:
        face = lowest(faces)
        if face < TERRAINS and sites & s.board.terrain[face]:
            return True
        faces = without_lowest(faces)
    return False


@jit(inlined=True)
def take(s, face):
    """R15: a player takes a die."""
    s.die[mover(s)] = face
    s.movers |= hex_if(face == WOLF, s.turn)
    s.dice[face] -= 1
    s.faces &= ~hex_if(s.dice[face] == 0, face)
    s.turn += 1
    next_taker(s)


# Phases 2 and 3 (R18–R29)


@jit(inlined=True)
def begin_phase_2(s):
    """R18: the players place in turn order."""
    s.turn = 0
    next_placer(s)


@jit
def next_placer(s):
    """R18–R23: the next player who can place."""
    while s.turn < s.players:
        seat = seat_at(s, s.turn)
        s.to_move = seat
        if begin_placing(s, seat):
            return
        s.turn += 1
    s.turn = 0
    next_leader(s)


@jit(inlined=True)
def end_placing_turn(s):
    """R21: the turn of placing is over."""
    end_placing(s)
    if s.players == 1:
        next_side(s)
    else:
        s.turn += 1
        next_placer(s)


@jit
def next_leader(s):
    """R24, R25: the next leader that can move."""
    while s.turn < s.players:
        seat = seat_at(s, s.turn)
        s.to_move = seat
        if begin_leader_move(s, seat):
            return
        s.turn += 1
    s.turn = 0
    find_wolf_movers(s)
    next_wolf(s)


@jit(inlined=True)
def next_wolf(s):
    """R26: the next wolf move."""
    if not next_wolf_mover(s):
        end_round(s)


@jit(inlined=True)
def step_place(s, event):
    """R21: a rodent or `stop`."""
    if event == STOP or not place(s, mover(s), event - PLACE_FIRST):
        end_placing_turn(s)


@jit(inlined=True)
def leader_moves(s, event):
    """R25: a leader moves or stays."""
    seat = mover(s)
    move_leader(s, seat, np.uint64(s.leader[seat]) if event == STAY else event - LEADER_FIRST)
    s.turn += 1
    next_leader(s)


@jit
def step_wolf(s, event):
    """R27: a step of a wolf or `stop`."""
    if event != STOP:
        is_second = event >= WOLF_B_TO
        wolf_enters(s, np.int64(is_second), event - (WOLF_B_TO if is_second else WOLF_A_TO))
    if event == STOP or s.done == s.rules.wolf_steps:
        end_wolf_move(s)
        next_wolf(s)


@jit
def step_jump(s, event):
    """R23: the leader follows the rodent or stays."""
    jump(s, s.to_move, event)
    end_placing_turn(s)


# Phase 4 and the end (R30–R33)


@jit
def end_round(s):
    """R30, R31: the bonus, the wolf end, and the next starting player."""
    give_bonus(s)
    clear_dice(s)
    if s.is_new_catch and is_wolf_end(s):
        end_game(s, WOLF_END)
    elif s.round >= s.rules.max_rounds:
        end_game(s, LAST_ROUND)
    else:
        s.starter = seat_at(s, 1)
        begin_round(s)


@jit(inlined=True)
def give_bonus(s):
    """R30: the terrain of the free die gets an X."""
    free = lowest(np.uint64(s.faces))
    if free != WOLF:
        s.bonus[free] += 1


@jit(inlined=True)
def clear_dice(s):
    """The dice go back to be rolled again."""
    s.dice[lowest(np.uint64(s.faces))] = 0
    s.faces = s.is_forced = 0
    s.die[:] = NO_DIE


@jit
def end_game(s, ending):
    """R16, R31, R32, R33: the game is over."""
    s.ending = ending
    s.to_move, s.node, s.choices = OVER, ENDED, EMPTY
