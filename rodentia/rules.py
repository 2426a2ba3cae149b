"""The rules in rulebook order: set-up, rounds, what is legal, what an event does. The parts of a round that are
longer lie in `placing`, `wolf` and `solo`, the scoring in `goals` and `scoring`."""

import numpy as np

from rodentia.actions import (
    BURROW_AT,
    DRAW_DIRECTION,
    DRAW_GOAL,
    DRAW_SPECIES,
    EVENTS,
    FIRST_OUTCOME,
    JUMP_THERE,
    LEADER_TO,
    MARK,
    MIX,
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
from rodentia.box import BURROWS, DIAGONAL, DIRECTIONS, FACES, GOALS, GOALS_IN_PLAY, SPECIES as ALL_SPECIES
from rodentia.box import TERRAINS, TWO_SHEETS_FROM, WOLF, ZONES
from rodentia.hexes import move_leader, neighbours_of, occupied
from rodentia.placing import begin_placing, end_placing, open_to, place, place_advanced
from rodentia.scoring import is_goal
from rodentia.solo import (
    KING,
    after_tie,
    begin_solo,
    begin_solo_round,
    kings_move,
    may_king_stay,
    next_side,
    solo_roll,
    solo_take,
    strike,
)
from rodentia.state import (
    ADVANCED,
    BLOCKED_DICE,
    BURROW,
    DIRECTION,
    ENDED,
    GOAL,
    JUMP,
    LAST_ROUND,
    LEADER,
    NO_DIE,
    PLACE,
    RANDOM,
    ROLL,
    SPECIES,
    STRIKE,
    TAKE,
    TIE_TARGET,
    WOLF_END,
    WOLF_STEP,
)
from rodentia.wolf import (
    begin_leader_move,
    end_wolf_move,
    find_wolf_movers,
    is_wolf_end,
    next_wolf_mover,
    seat_at,
    wolf_enters,
)
from tabletop.bits import EMPTY, WORD_BITS, below, bit, highest, lowest, put, without_lowest
from tabletop.game import CHANCE, OVER
from tabletop.jit import jit
from tabletop.rng import uniform_member

WORDS = -(-EVENTS // WORD_BITS)
ALL_FACES = below(len(FACES))

# --- Set-up (R7–R12) ---


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
    s.choices = s.controlled = s.full = s.burrows = s.wolves = s.leaders = s.shared = s.sites = EMPTY
    s.node = s.turn = s.done = s.target = s.movers = s.is_forced = s.ending = 0
    s.rodents[:, :] = EMPTY
    s.used[:] = EMPTY
    s.placed[:] = EMPTY
    s.leader[:] = s.burrow[:] = s.catches[:] = s.species[:] = 0
    s.die[:] = 0
    s.die[: s.players] = NO_DIE
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
    goals = np.uint64(s.goals)
    if s.turn == GOALS_IN_PLAY or s.options.goals:
        s.turn = 0
        fix_direction(s)
        return
    drawable = below(len(GOALS)) & ~goals
    await_chance(s, GOAL, drawable & ~bit(ZONES) if s.players == 2 else drawable)


@jit(inlined=True)
def await_chance(s, node, outcomes):
    """Makes a chance node with these outcomes, all equally likely."""
    s.to_move = CHANCE
    s.node, s.choices = node, outcomes


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
        return
    left = below(len(ALL_SPECIES))
    for seat in range(np.int64(s.turn)):
        left &= ~bit(s.species[seat])
    await_chance(s, SPECIES, left)


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


# --- Phase 1: dice (R14–R17) ---


@jit
def begin_round(s):
    """R14: the dice are rolled."""
    s.round += 1
    s.turn = 0
    await_chance(s, ROLL, ALL_FACES)


@jit(inlined=True)
def roll(s, face):
    """R14: one die; when all lie there, they are taken."""
    s.dice[face] += 1
    s.faces |= 1 << face
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
    if s.options.six_prevents_end and s.dice[WOLF]:
        return True
    sites = open_to(s, seat)
    while faces:
        face = lowest(faces)
        if face < TERRAINS and sites & s.board.terrain[face]:
            return True
        faces = without_lowest(faces)
    return False


@jit(inlined=True)
def take(s, face):
    """R15: a player takes a die."""
    s.die[s.to_move] = face
    s.dice[face] -= 1
    if s.dice[face] == 0:
        s.faces &= ~(1 << face)
    s.turn += 1
    next_taker(s)


# --- Phases 2 and 3 ---


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


# --- Phase 4 and the end (R30–R33) ---


@jit
def end_round(s):
    """R30, R31: the bonus, the wolf end, and the next starting player."""
    give_bonus(s)
    clear_dice(s)
    if is_wolf_end(s):
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
    for seat in range(np.int64(s.players)):
        s.die[seat] = NO_DIE


@jit
def end_game(s, ending):
    """R16, R31, R32, R33: the game is over."""
    s.ending = ending
    s.to_move, s.node, s.choices = OVER, ENDED, EMPTY


# --- What is legal ---


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
        put(out, PLACE_AT, s.choices)
        if s.done:
            put(out, STOP, bit(0))
    elif node == LEADER:
        put(out, LEADER_TO, s.choices)
        if s.players > 1 or may_king_stay(s):
            put(out, STAY, bit(0))
    elif node == TAKE:
        put(out, TAKE_FACE, s.choices)
    elif node == WOLF_STEP:
        legal_wolf_steps(s, out)
    else:
        legal_rarely(s, out)


@jit(inlined=True)
def legal_wolf_steps(s, out):
    """R27: steps of either wolf, and `stop` unless the move is forced and not begun."""
    put(out, WOLF_A_TO, neighbours_of(s, bit(s.wolf[0])))
    if s.players >= TWO_SHEETS_FROM:
        put(out, WOLF_B_TO, neighbours_of(s, bit(s.wolf[1])))
    if s.done or not s.is_forced:
        put(out, STOP, bit(0))


@jit
def legal_rarely(s, out):
    """The nodes that come less often."""
    node = s.node
    if node <= ROLL:
        put(out, FIRST_OUTCOME[node], s.choices)
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
        out[FIRST_OUTCOME[s.node] - DRAW_GOAL + lowest(left)] = 1
        left = without_lowest(left)


@jit
def sample(s, rng):
    """At a chance node: draws an outcome; all that are left are equally likely."""
    return FIRST_OUTCOME[s.node] + uniform_member(rng, np.int64(s.node), s.choices)


# --- What an event does ---


@jit
def step(s, event):
    """Applies a legal event and goes on to the next node at which something is to be chosen."""
    node = s.node
    if node == PLACE:
        step_place(s, event)
    elif node == ROLL:
        if s.players == 1:
            solo_roll(s, event - ROLL_FACE)
        else:
            roll(s, event - ROLL_FACE)
    elif node == TAKE:
        if s.players == 1:
            solo_take(s, event - TAKE_FACE)
        else:
            take(s, event - TAKE_FACE)
    elif node == LEADER:
        step_leader(s, event)
    elif node == WOLF_STEP:
        step_wolf(s, event)
    else:
        step_rarely(s, event)


@jit(inlined=True)
def step_place(s, event):
    """R21: a rodent or `stop`."""
    if event == STOP or not place(s, s.to_move, event - PLACE_AT):
        end_placing_turn(s)


@jit(inlined=True)
def step_leader(s, event):
    """R25, R49: a leader moves or stays."""
    if s.players == 1:
        kings_move(s, s.leader[KING] if event == STAY else event - LEADER_TO)
        return
    if event != STAY:
        move_leader(s, s.to_move, event - LEADER_TO)
    s.turn += 1
    next_leader(s)


@jit(inlined=True)
def step_wolf(s, event):
    """R27: a step of a wolf or `stop`."""
    if event >= WOLF_B_TO:
        wolf_enters(s, 1, event - WOLF_B_TO)
    elif event >= WOLF_A_TO:
        wolf_enters(s, 0, event - WOLF_A_TO)
    if event == STOP or s.done == s.rules.wolf_steps:
        end_wolf_move(s)
        next_wolf(s)


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
        strike(s, 2 if event == MARK else event == MIX, 2 if event == SCARE else event == MIX)
    elif node >= TIE_TARGET:
        after_tie(s, node, event - TIE_AT)
    else:
        step_setup(s, event)


@jit
def step_jump(s, event):
    """R23: the leader follows the rodent or stays."""
    if event == JUMP_THERE:
        move_leader(s, s.to_move, s.target)
    s.target = 0
    end_placing_turn(s)


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
