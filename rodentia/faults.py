"""The invariants of a position, and which of them are broken."""

import numpy as np

from rodentia.box import MOST_CATCHES, MOST_HEXES, MOST_PLAYERS, SOLO_DICE
from rodentia.derived import (
    find_burrows,
    find_choices,
    find_controlled,
    find_faces,
    find_full,
    find_leaders,
    find_movers,
    find_sites,
    find_wolves,
)
from rodentia.hexes import hex_if, number_at, occupied
from rodentia.solo import may_be_marked
from rodentia.state import (
    BURROW,
    ENDED,
    JUMP,
    NO_DIE,
    PLACE,
    ROLL,
    STRIKE,
    TIE_MARK,
    TIE_STEP,
    WOLF_MARKS,
    WOLF_STEP,
)
from tabletop.bits import EMPTY, below, bit, count, has
from tabletop.game import CHANCE, OVER
from tabletop.jit import jit

FAULTS = (
    "the circles used are not the rodents, wolf marks and struck rodents",
    "a hex has more circles used than it has circles, or more rodents of a seat than control needs",
    "the sets of controlled or full hexes do not fit the rodents",
    "rodents outside the terrain hexes or in a burrow",
    "a burrow outside the home terrain, or two in one hex",
    "a leader, wolf or burrow off the map, or not in its set",
    "two seats have the same species",
    "dice have been lost or made, or the faces left do not fit the dice",
    "catches beyond 3, or the catch that ends the solo game without its end",
    "seats that do not play own something",
    "traces of a phase that is over",
    "the choices do not fit the node",
    "the node does not fit the seat to move",
)


@jit
def is_set_up(s):
    """Whether the set-up is over."""
    return s.node == ROLL or s.node > BURROW


@jit
def are_circles_lost(s):
    """R4, R47: used circles hold the rodents, the wolf marks, and in the solo game the struck rodents."""
    struck = 0
    for hex_ in range(np.int64(s.board.hexes)):
        held = 0
        for side in range(MOST_PLAYERS):
            held += number_at(s.rodents[side], hex_)
        if held > s.used[hex_]:
            return True
        struck += np.int64(s.used[hex_]) - held
    return struck != s.scared


@jit
def are_circles_overfull(s):
    """R4, R22: no hex holds more than its circles, nor more of one side than control needs."""
    for hex_ in range(np.int64(s.board.hexes)):
        if s.used[hex_] > s.rules.circles:
            return True
        for side in range(MOST_PLAYERS):
            if number_at(s.rodents[side], hex_) > s.rules.control:
                return True
    return False


@jit
def are_sets_wrong(s):
    """R4, R22: `controlled` and `full`."""
    return s.controlled != find_controlled(s) or s.full != find_full(s)


@jit
def are_rodents_misplaced(s):
    """R4, R13: rodents and marks only in terrain hexes that are no burrows."""
    held = EMPTY
    for hex_ in range(MOST_HEXES):
        held |= hex_if(s.used[hex_] > 0, hex_)
    return held & ~(s.board.land & ~s.burrows) != EMPTY


@jit
def are_burrows_misplaced(s):
    """R11: burrows in the home terrain, each in its own hex."""
    if not is_set_up(s):
        return False
    for seat in range(np.int64(s.players)):
        if not has(s.board.terrain[s.species[seat]], s.burrow[seat]):
            return True
    return count(s.burrows) != s.players


@jit
def are_pieces_lost(s):
    """R7, R11, R12: leaders, wolves and burrows are on the map and in their sets."""
    on_map = below(np.int64(s.board.hexes))
    leaders, shared = find_leaders(s)
    if s.leaders != leaders or s.shared != shared:
        return True
    if s.burrows != find_burrows(s) or s.wolves != find_wolves(s):
        return True
    return (leaders | s.burrows | s.wolves) & ~on_map != EMPTY


@jit
def are_species_alike(s):
    """R10: all species differ."""
    species = EMPTY
    for seat in range(np.int64(s.players)):
        species |= bit(s.species[seat])
    return is_set_up(s) and count(species) != s.players


@jit
def dice_in_play(s):
    """R14, R41: how many dice must be on the table or with the players."""
    if not is_set_up(s):
        return 0
    if s.node == ROLL:
        return np.int64(s.turn)
    return SOLO_DICE if s.players == 1 else np.int64(s.players) + 1


@jit
def are_dice_wrong(s):
    """R14, R15: dice on the table and with the players; between two rounds there are none."""
    dice = 0
    for face in range(s.dice.size):
        dice += np.int64(s.dice[face])
    for seat in range(MOST_PLAYERS):
        dice += s.die[seat] != NO_DIE
    if np.uint64(s.faces) != find_faces(s):
        return True
    return dice != dice_in_play(s) and not (s.node == ENDED and dice == 0)


@jit
def are_catches_wrong(s):
    """R29, R51: at most 3 catches."""
    for seat in range(np.int64(s.players)):
        if s.catches[seat] > MOST_CATCHES:
            return True
    return s.players == 1 and s.catches[0] == MOST_CATCHES and s.node != ENDED


@jit
def do_absent_seats_own(s):
    """Entries of seats that do not play are empty; seat 1 of the solo game holds the wolf marks."""
    for seat in range(np.int64(s.players), MOST_PLAYERS):
        if s.leader[seat] or s.burrow[seat] or s.catches[seat] or s.species[seat] or s.die[seat] != NO_DIE:
            return True
        is_wolf = s.players == 1 and seat == WOLF_MARKS
        if occupied(s.rodents[seat]) and not is_wolf:
            return True
    return False


@jit
def are_phases_mixed(s):
    """What only matters in one phase is empty in the others."""
    node = s.node
    if node != PLACE and s.placed:
        return True
    if node != JUMP and s.target:
        return True
    is_counting = node in (PLACE, WOLF_STEP) or TIE_STEP <= node <= TIE_MARK
    if s.done and not is_counting:
        return True
    if node != WOLF_STEP and s.movers != find_movers(s):
        return True
    return s.is_forced == 1 and node != WOLF_STEP


@jit
def are_choices_wrong(s):
    """The choices are those of the rules, found anew; hexes for marks may be marked."""
    if s.sites != find_sites(s) or s.choices != find_choices(s):
        return True
    if s.node == TIE_MARK and s.sites & ~may_be_marked(s):
        return True
    is_without = s.node in (JUMP, WOLF_STEP, STRIKE, ENDED)
    return is_without != (s.choices == EMPTY)


@jit
def is_mover_wrong(s):
    """Chance draws goals, direction, species and dice; nobody moves after the end; else a seat does."""
    if s.node <= ROLL:
        return s.to_move != CHANCE
    if s.node == ENDED:
        return s.to_move != OVER or s.ending == 0
    return not 0 <= s.to_move < s.players


@jit
def faults(s):
    """Bit set of the broken invariants, in the order of `FAULTS`."""
    return (
        np.int64(are_circles_lost(s))
        | np.int64(are_circles_overfull(s)) << 1
        | np.int64(are_sets_wrong(s)) << 2
        | np.int64(are_rodents_misplaced(s)) << 3
        | np.int64(are_burrows_misplaced(s)) << 4
        | np.int64(are_pieces_lost(s)) << 5
        | np.int64(are_species_alike(s)) << 6
        | np.int64(are_dice_wrong(s)) << 7
        | np.int64(are_catches_wrong(s)) << 8
        | np.int64(do_absent_seats_own(s)) << 9
        | np.int64(are_phases_mixed(s)) << 10
        | np.int64(are_choices_wrong(s)) << 11
        | np.int64(is_mover_wrong(s)) << 12
    )
