"""Asking bots for choices, for the tests of bots."""

import numpy as np

from tabletop import Variant, play
from tabletop.bots import Bot
from tabletop.matches import compiled_table


def in_game(game: Variant, bot: Bot, state: np.ndarray, seed: int, chance_seed: int | None = None) -> int:
    """What a compiled bot chooses in the compiled loop, which shows it a view dealt anew."""
    states = state.reshape(1).copy()
    rng = game.streams(1, seed)[0]
    if chance_seed is not None:
        streams = len(game.game.streams)
        rng[:streams] = game.streams(1, chance_seed)[0][:streams]
    acts, params = compiled_table([bot])
    log = np.zeros(1, np.int64)
    assert play.advance_first(states, rng, np.zeros(game.players, np.int64), acts, params, log) == 1
    return int(log[0])


def of_view(game: Variant, bot: Bot, view: np.ndarray, seed: int) -> int:
    """What a bot chooses when it is shown this very position."""
    view = view.reshape(1).copy()
    if not bot.compiled:
        return int(bot.for_one_game().act(view, game.legal(view)[0], np.random.default_rng(seed)))
    sets = game.empty_sets(1)
    play.legal_sets(view, sets)
    params = bot.params.copy()
    for fixed in (sets, params):
        fixed.setflags(write=False)
    return int(bot.act(view[0], sets[0], game.streams(1, seed)[0][-1:], params))


def counts(game: Variant, choose, states: list[np.ndarray], seeds: range) -> np.ndarray:
    """How often each action is chosen at each of some positions (positions, actions that were chosen at all)."""
    table = np.zeros((len(states), game.actions), np.int64)
    for row, state in zip(table, states, strict=True):
        for seed in seeds:
            row[choose(state, seed)] += 1
    return table[:, table.sum(axis=0) > 0]
