"""What the tests of Rattus share: positions written as pictures, events by their tokens."""

import numpy as np

from rattus import position
from tabletop.game import CHANCE
from tabletop.variant import make

PLAYERS = (2, 3, 4)


def at(picture, players=2, **settings):
    """The game and the position of a picture; regions that are not drawn are empty."""
    game = make("rattus", players=players, **settings)
    state = position(picture, game.settings)
    assert game.faults(state)[0] == 0, [
        name for i, name in enumerate(game.fault_names) if game.faults(state)[0] >> i & 1
    ]
    return game, state


def legal(game, state):
    """The tokens of the legal events."""
    return {game.token(event) for event in game.legal(state.reshape(-1))[0]}


def arguments(tokens, word):
    """What follows a word in the tokens that begin with it."""
    return {token.partition(":")[2] for token in tokens if token.partition(":")[0] == word}


def play(game, state, *tokens):
    """Applies events; every position on the way must be sound."""
    for token in tokens:
        game.step(state.reshape(-1), [game.event(token)])
        assert game.faults(state.reshape(-1))[0] == 0
    return state


def to_move(game, state):
    return int(game.to_move(state.reshape(-1))[0])


def weights(game, state):
    """The weight of every outcome of a chance node that has one, by token."""
    found = game.weights(state.reshape(-1))[0]
    return {game.token(game.actions + i): int(found[i]) for i in np.flatnonzero(found)}


def cell(game, state, region):
    """The name, the cubes of each seat and the tokens of a region, as the picture shows them."""
    lines = game.text(state).splitlines()
    rows = [[part.strip() for part in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    for i in range(0, len(rows), 3):
        for name, cubes, tokens in zip(*rows[i : i + 3], strict=True):
            if name.removeprefix("* ") == region:
                return [0 if word == "." else int(word) for word in cubes.split()], tokens.split()
    raise AssertionError(f"{region} is not in the picture")


def cubes(game, state, region):
    return cell(game, state, region)[0]


def rats(game, state, region):
    return cell(game, state, region)[1]


def line(game, state, name):
    """What a named line of the text says; None if it is left out."""
    for row in game.text(state).splitlines():
        if row.split(" ")[0] == name:
            return row[len(name) :].strip()
    return None


def reserve(game, state):
    return [int(word) for word in line(game, state, "reserve").split()]


def played_until(game, seed, stop):
    """The first position of a random game that fulfils a condition, or None."""
    state = game.new(1)
    rng = np.random.default_rng(seed)
    while not stop(state):
        events = game.legal(state)[0]
        if not len(events):
            return None
        if to_move(game, state) == CHANCE:
            chances = game.weights(state)[0][events - game.actions]
            events = np.repeat(events, chances)
        game.step(state, [rng.choice(events)])
    return state
