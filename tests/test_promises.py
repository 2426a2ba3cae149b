"""Every promise of `audit.py` at every node of random games: for each game and size, each option, random combinations.

`make test-bounds` runs this with bounds checked (`NUMBA_BOUNDSCHECK=1`), so that it also finds an index that is out of
range. What compiles longest is left to that and to `make test-slow`.
"""

from typing import Any

import numpy as np
import pytest
from audit import MOST_EVENTS, PROMISES, set_of, walk
from games import GAMES, any_settings, made, of_each_game, of_each_setting, of_each_size, passes_of
from hypothesis import given, settings
from hypothesis import strategies as st

import tabletop
from tabletop import Variant
from tabletop.bits import WORD_BITS

GAMES_EACH = 3


def audit(game: Variant, seed: int, number: int) -> list[int]:
    """Walks through a random game; returns its events."""
    bounds = [(f.low, f.high) for f in game.features for _ in range(f.size)]
    low, high = np.array(bounds, np.int64).T.copy()
    passes = set_of(passes_of(game), -(-game.events // WORD_BITS))
    log = np.zeros(MOST_EVENTS, np.int64)
    found, events = walk(game.template, game.streams(1, seed, number)[0], passes, low, high, log)
    told = [promise for k, promise in enumerate(PROMISES) if found >> k & 1]
    played = " ".join(game.token(int(event)) for event in log[:events])
    assert not told, f"{game}, game {number} of seed {seed}: broken after event {events}: {told}\n{played[-600:]}"
    return log[:events].tolist()


@pytest.mark.parametrize(("name", "chosen"), of_each_setting())
def test_promises_with_each_setting(name: str, chosen: dict[str, Any]) -> None:
    variants = [made(name, players, chosen) for players in GAMES[name].players]
    for game in filter(None, variants):
        for number in range(GAMES_EACH):
            audit(game, seed=1, number=number)
    assert any(variants) or chosen, f"{name} cannot be made with its defaults"


@pytest.mark.parametrize("name", of_each_game())
@settings(max_examples=150)
@given(data=st.data())
def test_promises_with_random_settings(name: str, data: st.DataObject) -> None:
    players = data.draw(st.sampled_from(GAMES[name].players), "players")
    game = made(name, players, data.draw(any_settings(GAMES[name]), "settings"))
    if game:
        audit(game, seed=data.draw(st.integers(0, 2**64 - 1), "seed"), number=0)


@pytest.mark.parametrize(("name", "players"), of_each_size())
def test_a_seed_makes_one_game(name: str, players: int) -> None:
    game = tabletop.make(GAMES[name], players)
    assert audit(game, 5, 0) == audit(game, 5, 0)
    assert audit(game, 5, 0) != audit(game, 5, 1) or players == 1


@pytest.mark.parametrize("name", of_each_game())
def test_every_event_that_can_happen_has_a_token(name: str) -> None:
    for players in GAMES[name].players:
        game = tabletop.make(GAMES[name], players)
        for number in range(5):
            assert all(game.token(event) for event in audit(game, 4, number))
