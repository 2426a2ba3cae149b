"""A game as a `MultiAgentEnv` of RLlib (extra `cluster`).

RLlib makes environments from a dictionary: `config.environment(GameMultiAgentEnv, env_config={"game": "rattus", …})`.
"""

from collections.abc import Mapping
from copy import copy, deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from tabletop.envs.gym import check_no_options
from tabletop.envs.lanes import Conduct, Lanes, Turn
from tabletop.envs.one_lane import OneLane
from tabletop.envs.spaces import action_space, check_action, check_render_mode, observation_space
from tabletop.extras import MissingExtraError
from tabletop.options import OptionError
from tabletop.variant import Variant, make

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as error:
    raise MissingExtraError("RLlib", "cluster", error) from error

ONLY = np.ones(1, np.bool_)
SINGULAR, PLURAL = "observation", "observations"

Observations = dict[str, dict[str, npt.NDArray[Any]]]


class GameMultiAgentEnv(OneLane, MultiAgentEnv):
    """Every seat is an agent, `player_0`, `player_1`, …; only the one to move is shown and asked.

    config: `game`, and what else `tabletop.envs.gym.GameEnv` takes without seat, opponents and info; `name`: the
    name of the observation beside `action_mask`: "observation", int8 as everywhere here, or "observations", float32
    as RLlib's own module for action masks wants it. When the game is over all agents are shown and paid.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(self, config: Mapping[str, Any]) -> None:
        given = dict(config) if isinstance(config, Mapping) else {}
        if "game" not in given:
            raise OptionError(f"env_config: {config!r} is not allowed; expected 'game' in it")
        self.name = given.pop("name", SINGULAR)
        if self.name not in (SINGULAR, PLURAL):
            raise OptionError(f"name: {self.name!r} is not allowed; expected {SINGULAR!r} or {PLURAL!r}")
        self.render_mode = check_render_mode(given.pop("render_mode", None), self.metadata["render_modes"])
        conduct = {key: given.pop(key) for key in ("illegal", "reward", "dense") if key in given}
        self.variant: Variant = make(given.pop("game"), given.pop("players", None), **given)
        self.lanes = Lanes(self.variant, 1, (), Conduct(**conduct, tells=False))
        self.agents = [f"player_{seat}" for seat in range(self.variant.players)]
        self.possible_agents = self.agents[:]
        space = observation_space(self.variant) if self.name == SINGULAR else _as_floats(self.variant)
        self.observation_spaces = dict.fromkeys(self.agents, space)
        self.action_spaces = dict.fromkeys(self.agents, action_space(self.variant))
        super().__init__()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Begins game 0 of a seed, or the next game of the present one."""
        self._check_open()
        check_no_options(options)
        turn = self.lanes.new_turn()
        self.lanes.reset([seed], ONLY, turn)
        return self._shown(turn), {}

    def step(
        self, action_dict: Mapping[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Plays the action of the agent to move; ValueError unless just that agent acts."""
        self._check_open()
        if not self.lanes.ready[0] or self.lanes.lanes["over"][0]:
            raise ResetNeeded("the game is over, broken off or has not begun; call reset() before step()")
        agent = self.agents[int(self.lanes.movers()[0])]
        if not isinstance(action_dict, Mapping):
            raise TypeError(f"actions: {action_dict!r} is not allowed; expected a dictionary with the one of {agent!r}")
        if set(action_dict) != {agent}:
            raise ValueError(f"actions of {list(action_dict)} are not allowed; expected one of {agent!r}")
        turn = self.lanes.new_turn()
        self.lanes.step(np.array([check_action(action_dict[agent], self.variant.actions)]), turn)
        over = bool(turn.terminated[0])
        shown = self._shown(turn)
        rewards = {agent: float(turn.rewards[0, self.agents.index(agent)]) for agent in shown}
        terminated = dict.fromkeys(shown, over) | {"__all__": over}
        return shown, rewards, terminated, dict.fromkeys(shown, False) | {"__all__": False}, {}

    def _shown(self, turn: Turn) -> Observations:
        """What the agent to move sees and may do; what all see when the game is over."""
        mover = int(self.lanes.movers()[0])
        if mover >= 0:
            return {self.agents[mover]: self._observation(turn.observations[0], turn.masks[0])}
        seen = [self.variant.observe(self.lanes.states, seat)[0] for seat in range(self.variant.players)]
        return {
            agent: self._observation(row, turn.masks[0].copy()) for agent, row in zip(self.agents, seen, strict=True)
        }

    def _observation(self, seen: npt.NDArray[np.int8], mask: npt.NDArray[np.int8]) -> dict[str, npt.NDArray[Any]]:
        if self.name == PLURAL:
            return {PLURAL: seen.astype(np.float32), "action_mask": mask.astype(np.float32)}
        return {SINGULAR: seen, "action_mask": mask}

    def copy(self) -> "GameMultiAgentEnv":
        """An independent environment in the same position, which goes on in the same way."""
        twin = copy(self)
        twin.lanes = self.lanes.copy()
        twin.observation_spaces, twin.action_spaces = deepcopy((self.observation_spaces, self.action_spaces))
        return twin

    def load(self, data: bytes) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Goes on where `save` was called, in an environment made with the same arguments; shows as `reset` does."""
        self._check_open()
        turn = self.lanes.new_turn()
        self.lanes.load(data, turn)
        return self._shown(turn), {}


def _as_floats(variant: Variant) -> spaces.Dict:
    """The space of an observation as RLlib's module for action masks wants it."""
    seen = observation_space(variant)["observation"]
    mask = spaces.Box(0.0, 1.0, (variant.actions,), np.float32)
    low, high = seen.low.astype(np.float32), seen.high.astype(np.float32)  # type: ignore[attr-defined]
    return spaces.Dict({PLURAL: spaces.Box(low, high, dtype=np.float32), "action_mask": mask})
