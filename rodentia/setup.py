"""Set-up: goals, direction, species, burrows (R7–R12, R40)."""

import numpy as np

from rodentia.actions import BURROW_AT, DRAW_DIRECTION, DRAW_GOAL, DRAW_SPECIES
from rodentia.box import BURROWS, DIAGONAL, DIRECTIONS, GOALS, GOALS_IN_PLAY, TWO_SHEETS_FROM, WOLF, ZONES
from rodentia.box import SPECIES as ALL_SPECIES
from rodentia.hexes import neighbours_of
from rodentia.rounds import await_chance, begin_round
from rodentia.scoring import is_goal
from rodentia.solo import begin_solo, begin_solo_round
from rodentia.state import BURROW, DIRECTION, GOAL, NO_DIE, RANDOM, SPECIES
from tabletop.bits import EMPTY, below, bit, highest, lowest
from tabletop.jit import jit


@jit
def setup(s):
    """R7, R8–R12: the first position."""
    clear_table(s)
    place_wolves(s)
    s.goals = s.options.goals
    if s.players == 1:
        s.goals = 0
        begin_solo(s)
    else:
        draw_next_goal(s)


@jit
def clear_table(s):
    """Empties everything but the settings."""
    s.choices = s.controlled = s.full = s.burrows = s.wolves = s.leaders = s.shared = s.sites = s.placed = EMPTY
    s.node = s.turn = s.done = s.target = s.movers = s.is_forced = s.is_new_catch = s.ending = 0
    s.rodents[:, :] = EMPTY
    s.used[:] = 0
    s.leader[:] = s.burrow[:] = s.catches[:] = s.species[:] = 0
    s.die[:] = NO_DIE
    s.wolf[:] = 0
    s.bonus[:] = 0
    s.dice[:] = s.numbers[:] = 0
    s.faces = s.goals = s.direction = s.starter = s.side = 0
    s.round = s.scared = 0


@jit
def place_wolves(s):
    """R7: wolf A on the wolf hex of sheet 1, wolf B on that of sheet 2."""
    s.wolves = s.board.terrain[WOLF]
    s.wolf[0] = lowest(s.wolves)
    s.wolf[1] = highest(s.wolves) if s.players >= TWO_SHEETS_FROM else 0


@jit
def draw_next_goal(s):
    """R8: two different goals; with 2 players `zones` is not drawn."""
    if s.turn == GOALS_IN_PLAY or s.options.goals:
        s.turn = 0
        fix_direction(s)
    else:
        await_chance(s, GOAL, drawable_goals(s))


@jit
def drawable_goals(s):
    """R8: the goals that may be drawn."""
    left = below(len(GOALS)) & ~np.uint64(s.goals)
    return left & ~bit(ZONES) if s.players == 2 else left


@jit
def fix_direction(s):
    """R9: the direction of the goal `diagonal`."""
    if not is_goal(s, DIAGONAL):
        draw_next_species(s)
    elif s.options.diagonal == RANDOM:
        await_chance(s, DIRECTION, below(len(DIRECTIONS)))
    else:
        s.direction = s.options.diagonal - 1
        draw_next_species(s)


@jit
def draw_next_species(s):
    """R10: a species for each seat, all different."""
    players = np.int64(s.players)
    if s.options.species[0]:
        for seat in range(players):
            s.species[seat] = s.options.species[seat] - 1
        s.turn = players
    if s.turn == players:
        s.turn = 0
        draw_next_burrow(s)
    else:
        await_chance(s, SPECIES, species_left(s))


@jit
def species_left(s):
    """R10: the species that no seat has yet."""
    left = below(len(ALL_SPECIES))
    for seat in range(np.int64(s.turn)):
        left &= ~bit(s.species[seat])
    return left


@jit
def draw_next_burrow(s):
    """R11: burrows, the last seat first."""
    if s.turn == s.players:
        begin_round(s)
        return
    seat = np.int64(s.players) - 1 - np.int64(s.turn)
    s.to_move = seat
    s.node, s.choices = BURROW, burrow_sites(s, seat)


@jit
def burrow_sites(s, seat):
    """R11: the hexes where a seat may draw its burrow."""
    home = s.board.terrain[s.species[seat]]
    apart = home & ~neighbours_of(s, s.burrows)
    return apart if is_goal(s, BURROWS) and apart else home


@jit
def draw_burrow(s, hex_):
    """R11, R12: a burrow is drawn; the leader starts there."""
    seat = s.to_move
    s.burrow[seat] = s.leader[seat] = hex_
    s.burrows |= bit(hex_)
    s.leaders = s.burrows


@jit
def step_setup(s, event):
    """R8–R11, R40: an event of the set-up."""
    s.turn += 1
    node = s.node
    if node == GOAL:
        s.goals |= 1 << (event - DRAW_GOAL)
        draw_next_goal(s)
    elif node == DIRECTION:
        s.direction = event - DRAW_DIRECTION
        s.turn = 0
        draw_next_species(s)
    elif node == SPECIES:
        s.species[s.turn - 1] = event - DRAW_SPECIES
        draw_next_species(s)
    else:
        draw_burrow(s, event - BURROW_AT)
        if s.players == 1:
            s.turn = 0
            begin_solo_round(s)
        else:
            draw_next_burrow(s)
