"""Asking bots for choices, for the tests of bots."""

from collections.abc import Sequence

import numpy as np

from tabletop import Variant, play
from tabletop.bots import Bot
from tabletop.matches import _choice, compiled_table


def in_game(game: Variant, bot: Bot, state: np.ndarray, seed: int, chance_seed: int | None = None) -> int:
    """What a bot chooses in the loop of a game, which shows it a view dealt anew."""
    states = state.reshape(1).copy()
    rng = game.streams(1, seed)[0]
    if chance_seed is not None:
        streams = len(game.game.streams)
        rng[:streams] = game.streams(1, chance_seed)[0][:streams]
    if not bot.compiled:
        return _asked(game, bot.for_one_game(), states, rng)
    acts, params = compiled_table([bot])
    log = np.zeros(1, np.int64)
    assert play.advance_first(states, rng, np.zeros(game.players, np.int64), acts, params, log) == 1
    return int(log[0])


def from_views(game: Variant, bot: Bot, positions: Sequence[np.ndarray], seed: int) -> tuple[int, ...]:
    """What a bot chooses, move after move of one game, each time from a view dealt anew."""
    if bot.compiled:
        return tuple(in_game(game, bot, state, seed + k) for k, state in enumerate(positions))
    player = bot.for_one_game()
    return tuple(_asked(game, player, s.reshape(1), game.streams(1, seed + k)[0]) for k, s in enumerate(positions))


def _asked(game: Variant, player: Bot, states: np.ndarray, rng: np.ndarray) -> int:
    """What a bot in plain Python chooses in the loop of such bots."""
    stream = len(game.game.streams) + int(game.to_move(states)[0])
    return int(_choice(game, player, states, rng, np.random.default_rng(int(rng[stream]))))


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
