"""One game as a Gymnasium environment: one learner, the other seats played by bots."""

from collections.abc import Sequence
from copy import copy
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from tabletop.envs.lanes import Conduct, Lanes, Turn
from tabletop.envs.one_lane import OneLane
from tabletop.envs.opponents import Opponents, seat_opponents
from tabletop.envs.spaces import (
    DEFAULT_INFO,
    action_space,
    check_action,
    check_info,
    check_render_mode,
    needs_tally,
    observation_space,
)
from tabletop.game import Game
from tabletop.rng import seed_word
from tabletop.variant import Variant, make

Observation = dict[str, npt.NDArray[np.int8]]
ONLY = np.ones(1, np.bool_)


class GameEnv(OneLane, gymnasium.Env[Any, Any]):
    """A learner at one seat of a game; an episode is one game.

    game: its name or description. players: number of seats, by default the game's. seat: the learner's, or "rotate".
    opponents: a bot's name, a `Bot` or a callable `choose(state, legal, rng)` for all other seats, or a list of them,
    clockwise from the seat after the learner's. illegal: what an action that is not legal does: "lose" ends the game
    as a defeat, "random" plays a legal one instead, "raise" is a ValueError. reward, dense: see
    `tabletop.envs.rewards`. info: which entries `info` has, see `tabletop.envs.spaces.INFO`. render_mode: None or
    "ansi". settings: options and parameters of the game by name. OptionError for anything that is not allowed.

    The observation is a dictionary of `observation` (int8, see the game's `features`) and `action_mask` (int8, 1
    where legal; all 1 once the game is over). Episode k after `reset(seed=s)` is game number k of seed s.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        seat: int | str = 0,
        opponents: Opponents = "uniform",
        illegal: str = "lose",
        reward: str = "win",
        dense: bool = False,
        info: Sequence[str] = DEFAULT_INFO,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.variant: Variant = make(game, players, **settings)
        self.info_names = check_info(info)
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        conduct = Conduct(illegal, reward, dense, tells=needs_tally(self.info_names))
        self.lanes = Lanes(self.variant, 1, seat_opponents(self.variant, opponents), conduct, seat)
        self.observation_space = observation_space(self.variant)
        self.action_space = action_space(self.variant)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins game 0 of a seed, or the next game of the present one; ValueError for a bad seed or any option."""
        self._check_open()
        check_no_options(options)
        if seed is not None:
            seed = int(seed_word(seed))
        super().reset(seed=seed)
        if seed is None and not self.lanes.begun[0]:
            seed = int(self.np_random.integers(2**63))
        turn = self.lanes.new_turn()
        self.lanes.reset([seed], ONLY, turn)
        return _observation(turn), self._info(turn)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the learner's action and all that follows up to its next decision or the end of the game."""
        self._check_open()
        if not self.lanes.ready[0] or self.lanes.lanes["over"][0]:
            raise ResetNeeded("the game is over, broken off or has not begun; call reset() before step()")
        chosen = check_action(action, self.variant.actions)
        turn = self.lanes.new_turn()
        self.lanes.step(np.array([chosen]), turn)
        return _observation(turn), float(turn.rewards[0, 0]), bool(turn.terminated[0]), False, self._info(turn)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The action mask as bool (actions,), as the PPO of sb3-contrib asks for it."""
        self._check_begun()
        return self.variant.mask(self.lanes.states)[0].astype(bool) | self.lanes.lanes["over"][0]

    def copy(self) -> "GameEnv":
        """An independent environment in the same position, which goes on in the same way."""
        twin = copy(self)
        twin.lanes = self.lanes.copy()
        twin.observation_space, twin.action_space = observation_space(self.variant), action_space(self.variant)
        return twin

    def load(self, data: bytes) -> tuple[Observation, dict[str, Any]]:
        """Goes on where `save` was called, in an environment made with the same arguments; shows as `reset` does."""
        self._check_open()
        turn = self.lanes.new_turn()
        self.lanes.load(data, turn)
        return _observation(turn), self._info(turn)

    def _info(self, turn: Turn) -> dict[str, Any]:
        return {name: self._entry(name, turn) for name in self.info_names}

    def _entry(self, name: str, turn: Turn) -> Any:
        lanes = self.lanes
        if name == "action_mask":
            return turn.masks[0].copy()
        if name == "scores":
            return lanes.points[0].copy()
        if name == "ranking":
            return lanes.places[0].copy()
        if name == "turn":
            return int(lanes.lanes["turn"][0])
        return int(lanes.lanes["shift"][0]) if name == "seat" else lanes.legal_tokens(0)


def _observation(turn: Turn) -> Observation:
    return {"observation": turn.observations[0], "action_mask": turn.masks[0]}


def check_no_options(options: Any) -> None:
    """ValueError for any option of a reset: a game has none that could change between episodes."""
    if options:
        raise ValueError(f"options: {options!r} is not allowed; an episode has no options")
