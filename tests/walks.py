"""Fixed positions and the number of lines of play from them."""

from pathlib import Path

import numpy as np

from tabletop import OVER, Variant, matches
from tabletop.bits import has_in
from tabletop.game import CHANCE, actions, events, legal, step, to_move
from tabletop.jit import jit
from tabletop.record import read_records

GOLDEN = Path(__file__).parent / "golden"


def game_of_positions(game: Variant) -> list[int]:
    """The events of a fixed game: the golden one for this number of players, or a random one if there is none."""
    if (GOLDEN / f"{game.name}.jsonl").exists():
        records = read_records(GOLDEN / f"{game.name}.jsonl")
        return [game.event(token) for r in records if r.players == game.players for token in r.events]
    bots = matches.seat_bots(game, "uniform")
    return matches.play_recorded(game, bots, np.arange(game.players), 0, 1)[1].tolist()


def position_after(game: Variant, count: int) -> np.ndarray:
    """The position after so many events of the fixed game."""
    states = game.new(1)
    for event in game_of_positions(game)[:count]:
        game.step(states, [event])
    return states


def leaves(game: Variant, position: np.ndarray, depth: int) -> int:
    """How many sequences of `depth` events are legal."""
    states = np.repeat(position, depth + 1)
    return int(count_leaves(states, game.empty_sets(depth + 1), depth))


@jit
def count_leaves(states, words, depth):
    """Counts from `states[0]`; row k of `states` and `words` serves the nodes k events on."""
    total = 0
    next_event = np.int64(0)
    level = 0
    if depth == 0:
        return 1
    fill(states[0], words[0])
    path = 0  # the events of the line, each below 2¹², the last one lowest
    while True:
        event = next_legal(states[level], words[level], next_event)
        if event < 0:
            if level == 0:
                return total
            level -= 1
            next_event = (path & 0xFFF) + 1
            path >>= 12
        elif level + 1 == depth:
            total += 1
            next_event = event + 1
        else:
            level += 1
            states[level] = states[level - 1]
            step(states[level], event)
            fill(states[level], words[level])
            path = path << 12 | event
            next_event = np.int64(0)


@jit
def fill(s, words):
    for w in range(words.size):
        words[w] = np.uint64(0)
    if to_move(s) != OVER:
        legal(s, words)


@jit
def next_legal(s, words, first):
    """The lowest legal event from `first`, or −1."""
    end = events(s) if to_move(s) == CHANCE else actions(s)
    for event in range(first, end):
        if has_in(words, event):
            return event
    return -1
