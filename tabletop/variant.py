"""A game made ready to play: the number of players, options and parameters fixed.

All methods take one state (an array of shape () or a record) or a batch (games,), and answer with one value or
with an array whose first axis is the batch.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any

import numpy as np
import numpy.typing as npt

from tabletop import options, play
from tabletop.game import CHANCE, Component, Game
from tabletop.jit import GAMES_GROUP, JIT_ENABLED
from tabletop.rng import stream_key


def games() -> tuple[str, ...]:
    """Names of the installed games."""
    return tuple(sorted(point.name for point in entry_points(group=GAMES_GROUP)))


def description(name: str) -> Game:
    """The description of an installed game; OptionError for an unknown name."""
    for point in entry_points(group=GAMES_GROUP):
        if point.name == name:
            return point.load()
    raise options.OptionError(f"unknown game {name!r}; there are {', '.join(games())}")


def make(game: str | Game, players: int | None = None, **settings: Any) -> "Variant":
    """A game with these players, options and parameters, each by its name; OptionError lists what is allowed."""
    of = description(game) if isinstance(game, str) else game
    return Variant(of, of.default_players if players is None else players, settings)


def _zeroed(games: int, state: np.dtype) -> np.ndarray:
    """Zeroed states; plain Python needs the record view to reach fields by attribute as compiled code does."""
    states = np.zeros(games, state)
    return states if JIT_ENABLED else states.view(np.recarray)


class Variant:
    """A game with its number of players, options and parameters."""

    def __init__(self, game: Game, players: int, values: Mapping[str, Any]) -> None:
        self.game = game
        self.settings = options.settings(game.options, game.parameters, game.players, players, values)
        self.players = self.settings.players
        self.template = _zeroed(1, game.state)
        game.fill(self.template[0], self.settings)
        play.set_up(self.template)
        self._tokens = game.tokens(self.settings)
        self._events = {token: i for i, token in enumerate(self._tokens) if token}
        seats = [f"seat:{seat}" for seat in range(game.most_players)]
        self.stream_keys = np.array([stream_key(name) for name in (*game.streams, *seats)], np.uint64)
