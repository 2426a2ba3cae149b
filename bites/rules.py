"""The rules of Bites as the questions that are asked of a position: who moves, what is legal, what an event does.

In the order of the rulebook: `deal` sets the game up, `turn` plays a turn, `cards` holds the powers of chocolate,
`scoring` counts. Paragraph numbers are those of the README beside this file.
"""

import numpy as np

from bites.actions import ACTIONS, MOVE, PAIRS, PAIRS_AMONG, PASS, SPEND, STACK, SWAP, TAKE_BACK, TAKE_FRONT
from bites.box import FOODS
from bites.cards import has_powers, is_power, powers, use_power
from bites.deal import legal_outcomes, reveal
from bites.state import OFFER_TAKE, TAKE, TAKE_STACK, TURN
from bites.trail import BOTH_SIDES
from bites.turn import ants_on_hill, move, next_turn, swap_levels, take, take_another, take_from_stack
from tabletop.bits import EMPTY, bit
from tabletop.game import CHANCE, seat_stream
from tabletop.jit import jit
from tabletop.rng import uniform, uniform_member


@jit(inlined=True)
def seats(s) -> int:
    """The number of players."""
    return np.int64(s.players)


@jit(inlined=True)
def to_move(s) -> int:
    """The seat that must act, or CHANCE, or OVER."""
    return np.int64(s.mover)


# What is legal


@jit(inlined=True)
def legal_in_turn(s) -> np.uint64:
    """B11, B20: any ant that is not on the hill may move; a chocolate may be spent."""
    moves = s.walking << np.uint64(MOVE)
    return moves | powers(s) if has_powers(s) and s.may_spend else moves  # the card first: it is easier to foretell


@jit(inlined=True)
def legal_takes(s) -> np.uint64:
    """B12: the front token and the back token, as far as they exist."""
    return np.uint64(s.sides) << np.uint64(TAKE_FRONT)


@jit(inlined=True)
def foods_in_stack(s) -> np.uint64:
    """B13: the set of the foods of which the hill stack has a token."""
    foods = EMPTY
    for food in range(FOODS):
        foods |= np.uint64(s.stack[food] != 0) << np.uint64(food)
    return foods


@jit
def legal_swaps(s) -> np.uint64:
    """Swap: any two ants on the hill may be exchanged, or none."""
    return PAIRS_AMONG[ants_on_hill(s)] << np.uint64(SWAP) | bit(PASS)


@jit
def legal_otherwise(s) -> np.uint64:
    """The set of the actions in the phases that are rarer than a move and a take."""
    if s.phase == TAKE_STACK:
        return foods_in_stack(s) << np.uint64(STACK)
    return bit(SPEND) | bit(PASS) if s.phase == OFFER_TAKE else legal_swaps(s)


@jit(inlined=True)
def legal_actions(s) -> np.uint64:
    """The set of the actions of the seat to move."""
    if s.phase > TAKE:
        return legal_otherwise(s)
    return legal_takes(s) if s.phase == TAKE else legal_in_turn(s)


@jit
def legal(s, out: np.ndarray) -> None:
    """Writes the set of legal events: one word if a seat is to move, two at a chance node."""
    if s.mover == CHANCE:
        legal_outcomes(s, out)
    else:
        out[0] = legal_actions(s)


# What an event does


@jit(inlined=True)
def answer_offer(s, event: int) -> None:
    """B20: a chocolate is spent to take once more, or the turn is at its end."""
    if event == SPEND:
        take_another(s)
    else:
        next_turn(s)


@jit
def apply_rarer(s, event: int) -> None:
    """Applies an event that is neither a move nor a take from the trail."""
    if event >= ACTIONS:
        reveal(s, event)
    elif SPEND <= event <= PASS:
        answer_offer(s, event)
    elif is_power(event):
        use_power(s, event)
    elif event >= SWAP:
        swap_levels(s, PAIRS[event - SWAP, 0], PAIRS[event - SWAP, 1])
    else:
        take_from_stack(s, event - STACK)


@jit
def step(s, event: int) -> None:
    """Applies a legal event and goes on to the next node that needs one."""
    if event < TAKE_FRONT:
        move(s, np.uint64(event - MOVE))
    elif event <= TAKE_BACK:
        take(s, np.uint64(event - TAKE_FRONT))
    else:
        apply_rarer(s, event)


# Both at once, for random play


@jit(inlined=True)
def random_side(s, rng: np.ndarray, stream: int) -> int:
    """B12: one of the sides with a token; that there are two is the usual case, and takes less time."""
    if s.sides == BOTH_SIDES:
        return uniform(rng, stream, 2)
    return uniform_member(rng, stream, np.uint64(s.sides))


@jit(inlined=True)
def take_ahead(s, rng: np.ndarray) -> int:
    """B12, B20: draws and applies what follows a move on the trail in the same turn; returns how many."""
    taken = 0
    while s.phase == TAKE:
        take(s, np.uint64(random_side(s, rng, seat_stream(s))))
        taken += 1
        if s.phase == OFFER_TAKE:
            answer_offer(s, uniform_member(rng, seat_stream(s), bit(SPEND) | bit(PASS)))
            taken += 1
    return taken


@jit(inlined=True)
def take_from_stack_ahead(s, rng: np.ndarray) -> int:
    """B13: draws and applies what follows a move onto the hill in the same turn; returns how many."""
    if s.phase != TAKE_STACK:
        return 0
    take_from_stack(s, uniform_member(rng, seat_stream(s), foods_in_stack(s)))
    return 1


@jit(inlined=True)
def act_ahead(s, rng: np.ndarray, out: np.ndarray) -> int:
    """Draws and applies a legal action, or turns as long as nothing else comes than usual; returns how many.

    These most frequent phases follow each other without the question which phase it is.
    """
    acted = 0
    while s.phase == TURN and not has_powers(s):
        move(s, np.uint64(uniform_member(rng, seat_stream(s), legal_in_turn(s)) - MOVE))
        acted += 1 + take_ahead(s, rng) + take_from_stack_ahead(s, rng)
    if acted == 0:
        step(s, uniform_member(rng, seat_stream(s), legal_actions(s)))
        acted = 1
    return acted
