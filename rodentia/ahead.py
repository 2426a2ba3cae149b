"""Random play: chance outcomes and legal actions drawn and applied several at a time.

A round is played in the order of its phases, so that no question is asked of the node but whether the phase goes on.
Everywhere one event after the other is drawn from the stream of the same seat, and applied by the same rules, as
without haste. In these nodes few words hold all that is legal.
"""

import numpy as np

from rodentia.actions import LEADER_TO, STOP, WOLF_A_TO, WOLF_B_TO
from rodentia.ahead_alone import act_alone_ahead, roll_alone
from rodentia.box import FACES, TWO_SHEETS_FROM
from rodentia.placing import place_at_random
from rodentia.rounds import lay_die, leader_moves, next_placer, next_taker, step_wolf, take
from rodentia.rules import legal_ways, may_wolves_stop, ways_of_wolf
from rodentia.state import LEADER, PLACE, ROLL, TAKE, WOLF_STEP
from rodentia.wolf import mover
from tabletop.bits import EMPTY, count, nth
from tabletop.game import act_one, draw_one, seat_stream
from tabletop.jit import jit
from tabletop.rng import uniform, uniform_from, uniform_member


@jit(inlined=True)
def draw_ahead(s, rng):
    """At a chance node: draws and applies one outcome, but all dice that are still to be rolled; returns how many."""
    if s.node != ROLL:
        return draw_one(s, rng)
    return roll_alone(s, rng) if s.players == 1 else roll_dice(s, rng)


@jit(inlined=True)
def roll_dice(s, rng):
    """R14: the dice that are still to be rolled."""
    dice = np.int64(s.players) + 1 - np.int64(s.turn)
    state = rng[ROLL]
    for _ in range(dice):
        face, state = uniform_from(rng, ROLL, state, len(FACES))
        lay_die(s, np.uint64(face))
    rng[ROLL] = state
    s.turn = 0
    next_taker(s)
    return dice


@jit(inlined=True)
def act_ahead(s, rng, out):
    """Draws and applies a legal action, and all that follow in the round but for rare ones; returns how many."""
    acted = act_alone_ahead(s, rng) if s.players == 1 else act_in_order(s, rng)
    return acted if acted else act_one(s, rng, out)


@jit(inlined=True)
def act_in_order(s, rng):
    """The actions of 2 to 5 players in the phases that follow one another; returns how many, 0 at a rare node."""
    return take_ahead(s, rng) + place_ahead(s, rng) + lead_ahead(s, rng) + hunt_ahead(s, rng)


@jit(inlined=True)
def take_ahead(s, rng):
    """R15: dice are taken; returns how many."""
    taken = 0
    while s.node == TAKE:
        take(s, np.uint64(uniform_member(rng, seat_stream(s), s.choices)))
        taken += 1
    return taken


@jit(inlined=True)
def place_ahead(s, rng):
    """R21: turns of placing; returns the number of their events."""
    placed = 0
    while s.node == PLACE:
        placed += place_all(s, rng)
    return placed


@jit(inlined=True)
def place_all(s, rng):
    """R21: the rest of a turn of placing; returns the number of its events."""
    placed = place_at_random(s, rng, mover(s), seat_stream(s))
    s.turn += 1
    next_placer(s)
    return placed


@jit(inlined=True)
def lead_ahead(s, rng):
    """R25: leaders move; returns how many."""
    moved = 0
    while s.node == LEADER:
        leader_moves(s, np.uint64(LEADER_TO + uniform_member(rng, seat_stream(s), legal_ways(s))))
        moved += 1
    return moved


@jit(inlined=True)
def hunt_ahead(s, rng):
    """R27: wolves move; returns the number of the events."""
    moved = 0
    while s.node == WOLF_STEP:
        step_wolf(s, random_wolf_step(s, rng))
        moved += 1
    return moved


@jit(inlined=True)
def random_wolf_step(s, rng):
    """R27: `stop` if it is legal, or a step of either wolf, all equally likely."""
    first = ways_of_wolf(s, 0)
    second = ways_of_wolf(s, 1) if s.players >= TWO_SHEETS_FROM else EMPTY
    stops = np.int64(may_wolves_stop(s))
    of_first = count(first)
    k = uniform(rng, seat_stream(s), stops + of_first + count(second)) - stops
    if k < 0:
        return STOP
    return WOLF_A_TO + nth(first, k) if k < of_first else WOLF_B_TO + nth(second, k - of_first)
