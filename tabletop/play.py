"""The compiled loops: written once over the questions of `tabletop.game`, for every game.

Arrays over games have the game as their first axis. `rng` holds the states of the streams of one game: its
chance streams in the order of `Game.streams`, then one for each seat.
"""

import numpy as np
from numba import prange

from tabletop.bits import count_in, has_in, nth_in
from tabletop.game import (
    CHANCE,
    OVER,
    action_words,
    actions,
    chance_streams,
    faults,
    legal,
    observe,
    ranking,
    sample,
    scores,
    seats,
    setup,
    step,
    to_move,
    words,
)
from tabletop.jit import jit
from tabletop.rng import start_streams, uniform

GAMES_A_CHUNK = 64  # games that one thread plays in a row with the same buffers


@jit
def set_up(states: np.ndarray) -> None:
    """Sets every game of the batch to its first position."""
    for i in range(states.shape[0]):
        setup(states[i])


@jit
def start_games(rngs: np.ndarray, seed: np.uint64, first: int, keys: np.ndarray) -> None:
    """Starts the streams `rngs` (games × streams) of the games first, first + 1, …"""
    for i in range(rngs.shape[0]):
        start_streams(rngs[i], seed, np.uint64(first + i), keys)


@jit(inlined=True)
def resolve_chance(s, rng):
    """Draws chance outcomes until a seat must act or the game is over; returns how many."""
    drawn = 0
    while to_move(s) == CHANCE:
        step(s, sample(s, rng))
        drawn += 1
    return drawn


@jit
def resolve(states: np.ndarray, rngs: np.ndarray) -> None:
    """Draws chance outcomes in every game until a seat must act or the game is over."""
    for i in range(states.shape[0]):
        resolve_chance(states[i], rngs[i])


@jit
def legal_sets(states: np.ndarray, out: np.ndarray) -> None:
    """Writes the legal events of every game to `out` (games × words); none once a game is over."""
    for i in range(states.shape[0]):
        out[i, :] = np.uint64(0)
        if to_move(states[i]) != OVER:
            legal(states[i], out[i])


@jit
def step_all(states: np.ndarray, events: np.ndarray) -> None:
    """Applies a legal event to every game; games that are over stay as they are."""
    for i in range(states.shape[0]):
        if to_move(states[i]) != OVER:
            step(states[i], events[i])


@jit
def movers(states: np.ndarray, out: np.ndarray) -> None:
    """Writes what `to_move` says of every game."""
    for i in range(states.shape[0]):
        out[i] = to_move(states[i])


@jit
def all_scores(states: np.ndarray, out: np.ndarray) -> None:
    """Writes the points of every seat of every game (games × seats)."""
    for i in range(states.shape[0]):
        scores(states[i], out[i])


@jit
def all_rankings(states: np.ndarray, out: np.ndarray) -> None:
    """Writes the place of every seat of every game (games × seats)."""
    for i in range(states.shape[0]):
        ranking(states[i], out[i])


@jit
def all_faults(states: np.ndarray, out: np.ndarray) -> None:
    """Writes the bit set of broken invariants of every game."""
    for i in range(states.shape[0]):
        out[i] = faults(states[i])


@jit(inlined=True)
def uniform_action(s, legal_words, rng, stream):
    """A legal action of the seat to move, each equally likely; `legal_words` has been filled by `legal`."""
    return nth_in(legal_words, uniform(rng, stream, count_in(legal_words, action_words(s))))


@jit(inlined=True)
def random_event(s, legal_words, rng):
    """The next event of uniformly random play, not yet applied; overwrites `legal_words`."""
    mover = to_move(s)
    if mover == CHANCE:
        return sample(s, rng)
    legal(s, legal_words)
    return uniform_action(s, legal_words, rng, chance_streams(s) + mover)


@jit
def play_out(s, rng, legal_words):
    """Plays one game to its end, every seat uniformly at random; returns the number of events."""
    events = 0
    while to_move(s) != OVER:
        step(s, random_event(s, legal_words, rng))
        events += 1
    return events


@jit(allocates=True)
def _play_random_chunk(template, seed, first, keys, points, lengths):
    states = template.copy()
    rng = np.empty(keys.size, np.uint64)
    legal_words = np.empty(words(template[0]), np.uint64)
    for i in range(lengths.shape[0]):
        start_streams(rng, seed, np.uint64(first + i), keys)
        states[0] = template[0]
        lengths[i] = play_out(states[0], rng, legal_words)
        scores(states[0], points[i])


@jit(parallel=True)
def play_random(
    template: np.ndarray, seed: np.uint64, first: int, keys: np.ndarray, points: np.ndarray, lengths: np.ndarray
) -> None:
    """Plays the games first, first + 1, … at random; writes the points (games × seats) and the events of each."""
    games = lengths.shape[0]
    for chunk in prange((games + GAMES_A_CHUNK - 1) // GAMES_A_CHUNK):
        low, high = chunk * GAMES_A_CHUNK, min(games, (chunk + 1) * GAMES_A_CHUNK)
        _play_random_chunk(template, seed, first + low, keys, points[low:high], lengths[low:high])


@jit(allocates=True)
def faults_of_random_games(template: np.ndarray, seed: np.uint64, first: int, games: int, keys: np.ndarray) -> int:
    """The union of the faults after every event of `games` random games; 0 if there are none."""
    states = template.copy()
    rng = np.empty(keys.size, np.uint64)
    legal_words = np.empty(words(template[0]), np.uint64)
    found = 0
    for i in range(games):
        start_streams(rng, seed, np.uint64(first + i), keys)
        states[0] = template[0]
        found |= faults(states[0])
        while to_move(states[0]) != OVER:
            step(states[0], random_event(states[0], legal_words, rng))
            found |= faults(states[0])
    return found


@jit(allocates=True)
def masks(states: np.ndarray, out: np.ndarray) -> None:
    """Writes the action mask (games × actions, 0 or 1) of every game; all 0 at chance and after the end."""
    legal_words = np.empty(words(states[0]), np.uint64)
    for i in range(states.shape[0]):
        out[i, :] = 0
        if to_move(states[i]) >= 0:
            legal(states[i], legal_words)
            for action in range(actions(states[i])):
                out[i, action] = has_in(legal_words, action)


@jit
def observations(states: np.ndarray, of_seats: np.ndarray, out: np.ndarray) -> None:
    """Writes what seat of_seats[i] observes of game i (games × observation_size, int8)."""
    for i in range(states.shape[0]):
        observe(states[i], of_seats[i], out[i])


@jit
def seat_counts(states: np.ndarray, out: np.ndarray) -> None:
    """Writes the number of players of every game."""
    for i in range(states.shape[0]):
        out[i] = seats(states[i])
