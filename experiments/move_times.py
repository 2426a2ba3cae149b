"""How long a bot takes for a move, measured at positions of random games in which there is a choice."""

from time import perf_counter

import numpy as np
import numpy.typing as npt

from tabletop import Variant, matches
from tabletop.bits import count_in
from tabletop.bots import Bot, ask
from tabletop.choices import failures_told
from tabletop.game import action_words, legal, redeal, step, to_move, words
from tabletop.jit import jit
from tabletop.rng import stream_key, stream_start

MOST_POSITIONS = 256
MOST_GAMES = 64


def microseconds_a_move(variant: Variant, bot: Bot, seed: int, seconds: float) -> float:
    """Mean time of a choice, measured for about so many seconds; nan for 0 seconds or a game without choices.

    FailedBotError if the bot raises an error.
    """
    if seconds <= 0 or len(positions := choices_of_random_games(variant, seed)) == 0:
        return np.nan
    choose_all(variant, bot, positions[:1], seed)
    spent, moves, size = 0.0, 0, 1
    order = np.random.default_rng(seed).permutation(len(positions))
    while spent < seconds:
        chosen = positions[np.resize(order, size)]
        start = perf_counter()
        choose_all(variant, bot, chosen, seed)
        spent += perf_counter() - start
        moves, size = moves + size, 2 * size
    return 1e6 * spent / moves


def choices_of_random_games(variant: Variant, seed: int) -> npt.NDArray:
    """Positions of uniformly random games at which a seat has more than one action: (positions,)."""
    bots = matches.seat_bots(variant, "uniform")
    found = variant.new(0)
    for number in range(MOST_GAMES):
        _, events = matches.play_recorded(variant, bots, np.arange(variant.players), number, seed)
        states = variant.new(len(events))
        kept = keep_choices(variant.new(1), events, states)
        found = np.concatenate([found, states[:kept]])
        if len(found) >= MOST_POSITIONS:
            break
    return found


@jit(allocates=True)
def keep_choices(states: np.ndarray, events: np.ndarray, out: np.ndarray) -> int:
    """Plays `events` in the first game of a batch; writes the positions with a choice and returns how many."""
    legal_words = np.empty(words(states[0]), np.uint64)
    kept = 0
    for k in range(events.size):
        if to_move(states[0]) >= 0:
            legal(states[0], legal_words)
            if count_in(legal_words, action_words(states[0])) > 1:
                out[kept] = states[0]
                kept += 1
        step(states[0], events[k])
    return kept


def choose_all(variant: Variant, bot: Bot, positions: npt.NDArray, seed: int) -> None:
    """Lets a bot choose at every position, each dealt anew for the seat to move."""
    with failures_told(f"bot {bot.name!r}", " when its moves were timed"):
        if bot.compiled:
            rng = np.array([stream_start(np.uint64(seed), np.uint64(0), stream_key("move times"))])
            acts, params = matches.compiled_table([bot])
            choose_compiled(positions.copy(), acts[0], params[0], rng)
            return
        generator = np.random.default_rng(seed)
        player = bot.for_one_game()
        for k in range(len(positions)):
            view = variant.redeal(positions[k : k + 1], seed=seed)
            player.act(view, variant.legal(view)[0], generator)


@jit(allocates=True)
def choose_compiled(states: np.ndarray, act: int, params: np.ndarray, rng: np.ndarray) -> None:
    """Lets a compiled bot choose at every position; the positions are changed."""
    legal_words = np.empty(words(states[0]), np.uint64)
    for k in range(states.shape[0]):
        redeal(states[k], to_move(states[k]), rng)
        legal(states[k], legal_words)
        ask(act, states[k], legal_words, rng, 0, params)
