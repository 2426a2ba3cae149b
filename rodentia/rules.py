"""The rules as the questions that are asked of a position: who moves, what is legal, what an event does.

In rulebook order: `setup` sets the game up, `rounds` plays a round with `placing` and `wolf`, `solo` and `king` play
the solo game, `goals` and `scoring` count. Paragraph numbers are those of the README beside this file.
"""

import numpy as np

from rodentia.actions import (
    ACTIONS,
    BURROW_AT,
    DRAW_GOAL,
    EVENTS,
    JUMP_THERE,
    LEADER_TO,
    MARK,
    MIX,
    OUTCOMES_BEFORE,
    PLACE_AT,
    ROLL_FACE,
    SCARE,
    STAY,
    STOP,
    TAKE_FACE,
    TIE_AT,
    WOLF_A_TO,
    WOLF_B_TO,
)
from rodentia.box import (
    TWO_SHEETS_FROM,
)
from rodentia.hexes import hex_if, neighbours_of, occupied
from rodentia.placing import legal_places, place_advanced
from rodentia.rounds import (
    end_placing_turn,
    leader_moves,
    roll,
    step_jump,
    step_place,
    step_wolf,
    take,
)
from rodentia.setup import step_setup
from rodentia.solo import (
    KING,
    after_tie,
    kings_move,
    may_king_stay,
    solo_roll,
    solo_take,
    strike,
)
from rodentia.state import (
    ADVANCED,
    BURROW,
    JUMP,
    LEADER,
    PLACE,
    ROLL,
    STRIKE,
    TAKE,
    TIE_TARGET,
    WOLF_STEP,
)
from tabletop.bits import EMPTY, WORD_BITS, bit, lowest, put, rarely, without_lowest
from tabletop.jit import jit
from tabletop.rng import uniform_member

WORDS = -(-EVENTS // WORD_BITS)
LEADER_WORD = LEADER_TO // WORD_BITS  # the word of a set in which the leader's moves are
TAKE_FIRST, LEADER_FIRST = np.uint64(TAKE_FACE), np.uint64(LEADER_TO)  # for events as unsigned words


# What is legal


@jit
def to_move(s):
    """The seat that must act, CHANCE or OVER."""
    return np.int64(s.to_move)


@jit
def seats(s):
    """The number of players."""
    return np.int64(s.players)


@jit
def stream(s):
    """At a chance node: its stream, one for each kind of chance node."""
    return np.int64(s.node)


@jit
def legal(s, out):
    """Writes the set of legal events; at a chance node and at a seat's node the same number of words."""
    for w in range(WORDS):
        out[w] = EMPTY
    node = s.node
    if node == PLACE:
        out[0] = legal_places(s.choices, s.done)
    elif node == LEADER:
        out[LEADER_WORD] = legal_ways(s)
    elif node == TAKE:
        out[0] = legal_dice(s)
    elif node == WOLF_STEP:
        legal_wolf_steps(s, out)
    else:
        legal_rarely(s, out)


@jit(inlined=True)
def legal_ways(s):
    """R25, R49: the set of the hexes to which the leader may go, and `stay`, less LEADER_TO."""
    return s.choices | hex_if(s.players > 1 or may_king_stay(s), STAY - LEADER_TO)


@jit(inlined=True)
def legal_dice(s):
    """R15, R41: the set of the dice that may be taken."""
    return s.choices << np.uint64(TAKE_FACE)


@jit(inlined=True)
def ways_of_wolf(s, wolf):
    """R27: the hexes to which a wolf may step."""
    return neighbours_of(s, bit(s.wolf[wolf]))


@jit(inlined=True)
def may_wolves_stop(s):
    """R27: whether the move may end: always after the first step, before it unless the move is forced."""
    return (s.done != 0) | (s.is_forced == 0)


@jit(inlined=True)
def legal_wolf_steps(s, out):
    """R27: steps of either wolf, and `stop` unless the move is forced and not begun."""
    put(out, WOLF_A_TO, ways_of_wolf(s, 0))
    if s.players >= TWO_SHEETS_FROM:
        put(out, WOLF_B_TO, ways_of_wolf(s, 1))
    if may_wolves_stop(s):
        put(out, STOP, bit(0))


@jit
def legal_rarely(s, out):
    """The nodes that come less often."""
    node = s.node
    if node <= ROLL:
        put(out, DRAW_GOAL + np.int64(OUTCOMES_BEFORE[node]), s.choices)
    elif node == BURROW:
        put(out, BURROW_AT, s.choices)
    elif node == ADVANCED:
        put(out, PLACE_AT, s.choices)
        put(out, STOP, bit(0))
    elif node == JUMP:
        put(out, STAY, bit(0))
        put(out, JUMP_THERE, bit(0))
    elif node == STRIKE:
        legal_strikes(s, out)
    else:
        put(out, TIE_AT, s.choices)


@jit
def legal_strikes(s, out):
    """R47: what the wolf may do where it stands."""
    is_free = (s.wolves & ~s.full) != EMPTY
    has_rodent = (s.wolves & occupied(s.rodents[KING])) != EMPTY
    if is_free:
        put(out, MARK, bit(0))
    if has_rodent:
        put(out, SCARE, bit(0))
    if is_free and has_rodent:
        put(out, MIX, bit(0))


@jit
def weights(s, out):
    """At a chance node: 1 for each outcome that is left."""
    for outcome in range(out.size):
        out[outcome] = 0
    left = s.choices
    while left:
        out[np.int64(OUTCOMES_BEFORE[s.node]) + lowest(left)] = 1
        left = without_lowest(left)


@jit(inlined=True)
def sample(s, rng):
    """At a chance node: draws an outcome; all that are left are equally likely."""
    return DRAW_GOAL + np.int64(OUTCOMES_BEFORE[s.node]) + uniform_member(rng, s.node, s.choices)


# What an event does


@jit
def step(s, event):
    """Applies a legal event and goes on to the next node at which something is to be chosen."""
    if event < ACTIONS:
        step_action(s, event)
    elif rarely(event < ROLL_FACE):
        step_setup(s, event)
    else:
        roll_die(s, event - ROLL_FACE)


@jit(inlined=True)
def roll_die(s, face):
    """R14, R41: a die shows a face."""
    if s.players == 1:
        solo_roll(s, face)
    else:
        roll(s, np.uint64(face))


@jit(inlined=True)
def step_action(s, event):
    """An action of a seat, the frequent nodes first."""
    node = s.node
    if node == PLACE:
        step_place(s, np.uint64(event))
    elif node == LEADER:
        step_leader(s, np.uint64(event))
    elif node == TAKE:
        step_take(s, np.uint64(event))
    elif node == WOLF_STEP:
        step_wolf(s, event)
    else:
        step_rarely(s, event)


@jit(inlined=True)
def step_take(s, event):
    """R15, R41: a die is taken."""
    if s.players == 1:
        solo_take(s, np.int64(event - TAKE_FIRST))
    else:
        take(s, event - TAKE_FIRST)


@jit(inlined=True)
def step_leader(s, event):
    """R25, R49: a leader moves or stays."""
    if s.players == 1:
        kings_move(s, np.int64(s.leader[KING] if event == STAY else event - LEADER_FIRST))
    else:
        leader_moves(s, event)


@jit
def step_rarely(s, event):
    """The nodes that come less often."""
    node = s.node
    if node == ADVANCED:
        if event == STOP or not place_advanced(s, s.to_move, event - PLACE_AT):
            end_placing_turn(s)
    elif node == JUMP:
        step_jump(s, event)
    elif node == STRIKE:
        strike(s, 2 if event == MARK else np.int64(event == MIX), 2 if event == SCARE else np.int64(event == MIX))
    elif node >= TIE_TARGET:
        after_tie(s, node, event - TIE_AT)
    else:
        step_setup(s, event)
