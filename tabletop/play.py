"""The compiled loops: written once over the questions of `tabletop.game`, for every game.

Arrays over games have the game as their first axis. `rng` holds the states of the streams of one game: its
chance streams in the order of `Game.streams`, then one for each seat.
"""

import numpy as np

from tabletop.bits import has_in
from tabletop.bots import ask
from tabletop.game import (
    CHANCE,
    NO_EVENT,
    OVER,
    act_ahead,
    actions,
    draw_ahead,
    faults,
    legal,
    observe,
    ranking,
    redeal,
    report,
    sample,
    scores,
    seat_stream,
    setup,
    step,
    tally,
    to_move,
    uniform_action,
    weights,
    words,
)
from tabletop.game import events as all_events
from tabletop.jit import jit
from tabletop.rng import start_streams

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
        drawn += draw_ahead(s, rng)
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
def random_event(s, legal_words, rng):
    """The next event of uniformly random play, not yet applied; overwrites `legal_words`."""
    if to_move(s) == CHANCE:
        return sample(s, rng)
    legal(s, legal_words)
    return uniform_action(s, legal_words, rng, seat_stream(s))


@jit
def play_out(s, rng, legal_words):
    """Plays one game to its end, every seat uniformly at random; returns the number of events."""
    events = 0
    while True:
        mover = to_move(s)
        if mover >= 0:
            events += act_ahead(s, rng, legal_words)
        elif mover == CHANCE:
            events += draw_ahead(s, rng)
        else:
            return events


@jit(allocates=True)
def random_games(
    template: np.ndarray, seed: np.uint64, first: int, keys: np.ndarray, points: np.ndarray, lengths: np.ndarray
) -> None:
    """Plays the games first, first + 1, … at random; writes the points (games × seats) and the events of each."""
    states = template.copy()
    rng = np.empty(keys.size, np.uint64)
    legal_words = np.empty(words(template[0]), np.uint64)
    for i in range(lengths.shape[0]):
        start_streams(rng, seed, np.uint64(first + i), keys)
        states[0] = template[0]
        lengths[i] = play_out(states[0], rng, legal_words)
        scores(states[0], points[i])


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
def first_illegal(states: np.ndarray, events: np.ndarray, sets: np.ndarray) -> int:
    """Index of the first game whose event is not in its set of legal events (games × words), else −1."""
    for i in range(states.shape[0]):
        over = to_move(states[i]) == OVER
        if over != (events[i] == NO_EVENT):
            return i
        if not over and not (0 <= events[i] < all_events(states[i]) and has_in(sets[i], events[i])):
            return i
    return -1


@jit
def redeal_all(states: np.ndarray, of_seats: np.ndarray, rngs: np.ndarray) -> None:
    """Deals anew, in every game, what seat of_seats[i] cannot know, from stream 0 of rngs[i]."""
    for i in range(states.shape[0]):
        redeal(states[i], of_seats[i], rngs[i])


@jit
def all_weights(states: np.ndarray, out: np.ndarray) -> None:
    """Writes the weights of the chance outcomes (games × (events − actions)); 0 where no chance node is."""
    for i in range(states.shape[0]):
        out[i, :] = 0
        if to_move(states[i]) == CHANCE:
            weights(states[i], out[i])


@jit
def ask_bot(s, rng, legal_words, view, address, params):
    """What a compiled bot chooses for the seat to move, from a view dealt anew for it; fills `legal_words`."""
    stream = np.int64(seat_stream(s))
    legal(s, legal_words)
    view[0] = s
    redeal(view[0], to_move(s), rng[stream : stream + 1])
    return ask(address, view[0], legal_words, rng, stream, params)


@jit(inlined=True)
def choose(s, rng, legal_words, view, seating, bots, params):
    """The next event: a sampled outcome, or what the mover's bot chooses."""
    if to_move(s) == CHANCE:
        return sample(s, rng)
    bot = seating[to_move(s)]
    return ask_bot(s, rng, legal_words, view, bots[bot], params[bot])


@jit
def advance(s, rng, legal_words, view, seating, bots, params, log):
    """Plays one game until it is over or `log` (int64) is full; returns how many events it wrote there.

    An illegal choice is not applied: then the result is −1 − (its index), and its id stands in the log.
    """
    for k in range(log.shape[0]):
        if to_move(s) == OVER:
            return k
        chance = to_move(s) == CHANCE
        event = choose(s, rng, legal_words, view, seating, bots, params)
        log[k] = event
        if not chance and not is_legal_action(s, legal_words, event):
            return -1 - k
        step(s, event)
    return log.shape[0]


@jit(inlined=True)
def is_legal_action(s, legal_words, event):
    """Whether a bot's choice is one of the legal actions."""
    return 0 <= event < actions(s) and has_in(legal_words, event)


@jit
def finish(s, rng, legal_words, view, seating, bots, params, facts):
    """Plays one game to its end; returns the number of events, or −1 − (index of an illegal choice).

    Writes what the game has to tell to `facts` (facts × seats, zeros at first).
    """
    played = 0
    while to_move(s) != OVER:
        chance = to_move(s) == CHANCE
        event = choose(s, rng, legal_words, view, seating, bots, params)
        if not chance and not is_legal_action(s, legal_words, event):
            return -1 - played
        tally(s, event, facts)
        step(s, event)
        played += 1
    report(s, facts)
    return played


@jit(allocates=True)
def match_games(template, seed, numbers, keys, seating, bots, params, states, lengths, facts):
    """Plays the games `numbers`, each with the bots of its row of `seating` (games × seats).

    bots: addresses of compiled bots, int64; params: their numbers (bots × longest).

    Writes the last position, the number of events and the facts (facts × seats) of each; −1 − (index) where a bot
    chose illegally, at which that game stops.
    """
    view = template.copy()
    rng = np.empty(keys.size, np.uint64)
    legal_words = np.empty(words(template[0]), np.uint64)
    for i in range(lengths.shape[0]):
        start_streams(rng, seed, np.uint64(numbers[i]), keys)
        states[i] = template[0]
        lengths[i] = finish(states[i], rng, legal_words, view, seating[i], bots, params, facts[i])


@jit(allocates=True)
def advance_first(states, rng, seating, bots, params, log):
    """`advance` for the first game of a batch, with buffers of its own."""
    legal_words = np.empty(words(states[0]), np.uint64)
    return advance(states[0], rng, legal_words, states.copy(), seating, bots, params, log)


@jit
def sample_first(states: np.ndarray, rng: np.ndarray) -> int:
    """A drawn outcome for the first game of a batch, which is at a chance node."""
    return sample(states[0], rng)


@jit
def retrace(states: np.ndarray, events: np.ndarray, sets: np.ndarray, facts: np.ndarray) -> int:
    """Applies `events` to the first game of a batch, until one is not legal or the game is over.

    Returns how many it applied. Writes what was legal at each event to `sets` (events × words), that of the event
    at which it stopped included, and what the game has to tell to `facts` (facts × seats, zeros at first).
    """
    s = states[0]
    for k in range(events.shape[0]):
        if to_move(s) == OVER:
            return k
        sets[k, :] = np.uint64(0)
        legal(s, sets[k])
        if not (0 <= events[k] < all_events(s) and has_in(sets[k], events[k])):
            return k
        tally(s, events[k], facts)
        step(s, events[k])
    if to_move(s) == OVER:
        report(s, facts)
    return events.shape[0]


@jit(allocates=True)
def uniform_actions(states: np.ndarray, rngs: np.ndarray, out: np.ndarray) -> None:
    """Writes a uniformly random action of the seat to move in each game, drawn from its stream; all must have one."""
    legal_words = np.empty(words(states[0]), np.uint64)
    for i in range(states.shape[0]):
        legal(states[i], legal_words)
        out[i] = uniform_action(states[i], legal_words, rngs[i], seat_stream(states[i]))


@jit
def renew(states: np.ndarray, template: np.ndarray, rngs: np.ndarray) -> int:
    """Begins every game that is over anew, up to its first decision; returns how many. Its streams run on."""
    renewed = 0
    for i in range(states.shape[0]):
        if to_move(states[i]) == OVER:
            states[i] = template[0]
            resolve_chance(states[i], rngs[i])
            renewed += 1
    return renewed
