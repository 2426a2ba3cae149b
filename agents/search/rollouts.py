"""Playing on from a leaf: uniformly at random or by a compiled bot, to the end or for some decisions."""

import numpy as np

from agents.search.settings import DEPTH, HEAD, NOISE, ROLLOUT, address_in, rollout_end
from agents.search.tree import VIEW, WALK, Work, search_stream
from agents.search.values import value_position
from tabletop.bots import ask
from tabletop.game import CHANCE, OVER, legal, sample, seat_stream, step, to_move, uniform_action
from tabletop.jit import jit
from tabletop.play import is_legal_action, play_out, random_event
from tabletop.rng import unit


@jit
def roll_out(states: np.ndarray, work: Work, params: np.ndarray) -> int:
    """Plays on in the position of the walk and writes its value to `work.values`; returns the number of events."""
    s = states[WALK]
    if address_in(params, ROLLOUT) == 0:
        played = play_uniformly(s, work, np.int64(params[DEPTH]))
    else:
        played = play_with_bot(states, work, params)
    value_position(s, work.values, work.whole, params)
    return played


@jit
def play_uniformly(s, work: Work, decisions: int) -> int:
    """Plays random actions until so many decisions have been made (never, if negative) or the game is over."""
    if decisions < 0:
        return play_out(s, work.rng, work.legal)
    played = 0
    while decisions != 0 and to_move(s) != OVER:
        decisions -= to_move(s) != CHANCE
        step(s, random_event(s, work.legal, work.rng))
        played += 1
    return played


@jit
def play_with_bot(states: np.ndarray, work: Work, params: np.ndarray) -> int:
    """Lets the roll-out bot play every seat, with some random actions if `noise` asks for them."""
    s = states[WALK]
    decisions, played = np.int64(params[DEPTH]), 0
    while decisions != 0 and to_move(s) != OVER:
        if to_move(s) == CHANCE:
            step(s, sample(s, work.rng))
        else:
            step(s, chosen_by_bot(states, work, params))
            decisions -= 1
        played += 1
    return played


@jit
def chosen_by_bot(states: np.ndarray, work: Work, params: np.ndarray) -> int:
    """What the roll-out bot does in the position of the walk, seen through a copy that it may change."""
    s = states[WALK]
    stream = np.int64(seat_stream(s))
    legal(s, work.legal)
    if params[NOISE] > 0.0 and unit(work.rng, search_stream(work)) < params[NOISE]:
        return uniform_action(s, work.legal, work.rng, stream)
    states[VIEW] = states[WALK]
    address, numbers = address_in(params, ROLLOUT), params[HEAD : rollout_end(params)]
    event = ask(address, states[VIEW], work.legal, work.rng, stream, numbers)
    if not is_legal_action(s, work.legal, event):
        raise ValueError("a roll-out bot chose an event that is not legal")
    return event
