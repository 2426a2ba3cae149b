"""A game as a Python game of OpenSpiel (extra `openspiel`).

Importing this module makes every installed game known to `pyspiel.load_game("critters_<game>", {"players": 3, …})`.
The parameters are the number of players, `reward` and the options and parameters of the game; a list is written as
text with `/` between its entries, a mapping as `key:value` entries. Chance is a player whose outcomes are numbered
from 0, as OpenSpiel wants it. Copies are one record of the game's state; `resample_from_infostate` deals anew what
a player cannot know.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tabletop.envs.rewards import REWARDS, reward_code, value
from tabletop.extras import MissingExtraError
from tabletop.game import CHANCE, OVER, Game
from tabletop.layout import copied
from tabletop.options import Names, Option, OptionError, Parameter
from tabletop.variant import Variant, description, games, make

try:
    import pyspiel
except ImportError as error:
    raise MissingExtraError("OpenSpiel", "openspiel", error) from error

MOST_ACTIONS = 10_000  # OpenSpiel wants a bound of a game's length; random games have less than a tenth of it
BOUNDED_REWARDS = ("win", "rank")  # OpenSpiel wants the lowest and highest return
BETWEEN = "/"


def game_type(game: Game, players: int | None = None, reward: str = "win") -> pyspiel.GameType:
    """OpenSpiel's description of a game, or of the game with a number of players and a reward."""
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=f"critters_{game.name}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION if game.perfect_information else information.IMPERFECT_INFORMATION,
        utility=_utility(players, reward),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.players),
        min_num_players=min(game.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_specification(game),
    )


def _utility(players: int | None, reward: str) -> pyspiel.GameType.Utility:
    if players is None or players == 1:
        return pyspiel.GameType.Utility.GENERAL_SUM
    if players == 2 or reward == "rank":
        return pyspiel.GameType.Utility.ZERO_SUM
    return pyspiel.GameType.Utility.CONSTANT_SUM


def _specification(game: Game) -> dict[str, Any]:
    """The parameters that `load_game` takes, with their defaults."""
    entries = {name: _written(entry.default) for name, entry in _entries(game).items()}
    return {"players": game.default_players, "reward": "win", **entries}


def _entries(game: Game) -> dict[str, Option | Parameter]:
    """The options and parameters of a game by name."""
    return {option.name: option for option in game.options} | {number.name: number for number in game.parameters}


def _written(chosen: Any) -> Any:
    """A value of an option or parameter as OpenSpiel's text, number or truth value."""
    if isinstance(chosen, Mapping):
        return BETWEEN.join(f"{key}:{entry}" for key, entry in chosen.items())
    return BETWEEN.join(map(str, chosen)) if isinstance(chosen, (tuple, list)) else chosen


def _read(entry: Option | Parameter | None, chosen: Any) -> Any:
    """The value of an option or parameter that `_written` wrote; anything else as it is, to be refused later."""
    if not isinstance(chosen, str) or entry is None:
        return chosen
    parts = chosen.split(BETWEEN)
    if isinstance(entry, Names):
        return parts if len(parts) > 1 else chosen
    if isinstance(entry.default, Mapping):
        return {key: _number(text) for key, _, text in (part.partition(":") for part in parts)}
    return [_number(part) for part in parts] if isinstance(entry.default, tuple) else chosen


def _number(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdecimal() else text


class SpielGame(pyspiel.Game):
    """A game for OpenSpiel; a class of its own, made by `register`, describes each game."""

    described: Game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """params: as for `pyspiel.load_game`."""
        game = self.described
        given = {**_specification(game), **(params or {})}
        self.reward = given["reward"]
        if self.reward not in BOUNDED_REWARDS:
            expected = " or ".join(BOUNDED_REWARDS)
            raise OptionError(f"reward: {self.reward!r} is not allowed with OpenSpiel; expected {expected}")
        settings = {name: _read(_entries(game).get(name), chosen) for name, chosen in given.items()}
        del settings["reward"], settings["players"]
        self.variant: Variant = make(game, given["players"], **settings)
        super().__init__(game_type(game, self.variant.players, self.reward), self._game_info(), given)

    def _game_info(self) -> pyspiel.GameInfo:
        players = self.variant.players
        zero_sum = players == 2 or self.reward == "rank"
        return pyspiel.GameInfo(
            num_distinct_actions=self.variant.actions,
            max_chance_outcomes=self.variant.events - self.variant.actions,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if players == 1 else 0.0 if zero_sum else 2.0 - players,
            max_game_length=MOST_ACTIONS,
        )

    def new_initial_state(self) -> "SpielState":
        """The first position, before any event."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        """What tells a player's observations, or with perfect recall its information states."""
        return SpielObserver(self.variant, iig_obs_type, params)


class Position:
    """What changes in a state: the record, and for each player the hash of all that it has seen and done."""

    __slots__ = ("memories", "states")

    def __init__(self, states: npt.NDArray[Any], memories: list[bytes]) -> None:
        self.states, self.memories = copied(states), memories.copy()

    def __deepcopy__(self, memo: Mapping[int, Any]) -> "Position":
        return Position(self.states, self.memories)


class SpielState(pyspiel.State):
    """A state of a game. Only `position` is copied by `clone`."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        memories = [] if game.variant.game.perfect_information else [b""] * game.variant.players
        self.position = Position(game.variant.template, memories)

    def _variant(self) -> Variant:
        return self.get_game().variant

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's number for chance or the end."""
        mover = int(self._variant().to_move(self.position.states)[0])
        if mover == OVER:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if mover == CHANCE else mover

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return int(self._variant().to_move(self.position.states)[0]) == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self._variant().legal(self.position.states)[0].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible outcomes and their probabilities."""
        weights = self._variant().weights(self.position.states)[0]
        possible = np.flatnonzero(weights)
        return list(zip(possible.tolist(), (weights[possible] / weights.sum()).tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        variant, player = self._variant(), self.current_player()
        by_chance = player == pyspiel.PlayerId.CHANCE
        variant.step(self.position.states, [action + variant.actions if by_chance else action])
        self._remember(player, action)

    def _remember(self, actor: int, action: int) -> None:
        """Each player remembers what it sees after an event, and whoever acted its action."""
        for seat in range(len(self.position.memories)):
            self._add_to_memory(seat, str(action).encode() if seat == actor else b"")

    def _add_to_memory(self, seat: int, done: bytes) -> None:
        seen = self._variant().observe(self.position.states, seat)[0].tobytes()
        remembered = self.position.memories[seat] + seen + done
        self.position.memories[seat] = hashlib.blake2b(remembered, digest_size=16).digest()

    def _action_to_string(self, player: int, action: int) -> str:
        variant = self._variant()
        return variant.token(action + variant.actions if player == pyspiel.PlayerId.CHANCE else action)

    def returns(self) -> list[float]:
        """The reward of each player at the end, before it 0."""
        variant = self._variant()
        if not self.is_terminal():
            return [0.0] * variant.players
        points, places = variant.scores(self.position.states)[0], variant.ranking(self.position.states)[0]
        code = reward_code(self.get_game().reward, False)
        return [float(value(code, points, places, variant.players, seat)) for seat in range(variant.players)]

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "SpielState":
        """A state that the player cannot tell from this one, drawn with the right probability.

        Its `history` is that of this state: hidden outcomes in it are not those of the new position. What another
        player remembers is that of this state and what it sees in the new position, so two of the drawn states that
        it cannot tell apart by its information state do not differ in its observation.
        """
        twin = self.clone()
        seed = int(probability_sampler() * 2**53)
        twin.position.states = self._variant().redeal(self.position.states, player_id, seed)
        for seat in range(len(twin.position.memories)):
            if seat != player_id:
                twin._add_to_memory(seat, b"")
        return twin

    def __str__(self) -> str:
        return self._variant().text(self.position.states)


class SpielObserver:
    """Observations of a player as text and as a tensor, as OpenSpiel's observers are asked for them."""

    def __init__(self, variant: Variant, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observer: parameters {params!r} are not allowed; there are none")
        self.variant = variant
        self.recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        self.tensor = None if self.recalls else np.zeros(variant.game.observation_size, np.float32)
        self.dict = {} if self.recalls else self._pieces()

    def _pieces(self) -> dict[str, npt.NDArray[np.float32]]:
        """A view of the tensor for each feature."""
        sizes = [feature.size for feature in self.variant.features]
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])  # type: ignore[arg-type]
        return {feature.name: part for feature, part in zip(self.variant.features, parts, strict=True)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Writes what the player sees to `tensor`."""
        if self.tensor is not None:
            self.tensor[:] = self.variant.observe(state.position.states, player)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """What the player sees; with perfect recall, all that it has seen and done, as a hash or the public history."""
        if not self.recalls:
            return self.variant.observe(state.position.states, player)[0].tobytes().hex()
        memories = state.position.memories
        return memories[player].hex() if memories else f"{player}: {state.history_str()}"


def register(game: Game) -> type[SpielGame]:
    """Makes a game known to OpenSpiel; returns its class.

    It must be a class: OpenSpiel lets go of what it registered after the end of Python, when only objects that are
    never freed, as classes are, may still be around.
    """
    made = type(f"{game.name.capitalize()}Game", (SpielGame,), {"described": game})
    pyspiel.register_game(game_type(game), made)
    return made


for _name in games():
    register(description(_name))

__all__ = [
    "BOUNDED_REWARDS",
    "REWARDS",
    "Position",
    "SpielGame",
    "SpielObserver",
    "SpielState",
    "game_type",
    "register",
]
