"""Many games at once as a vector environment of Stable-Baselines3 (extra `train`).

`GameVecEnv` steps all lanes in one compiled call. The maskable PPO of sb3-contrib finds the masks by
`env_method("action_masks")`; the plain `tabletop.envs.gym.GameEnv` works there too.
"""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from tabletop.envs.vector import GameVectorEnv, lane_seeds
from tabletop.extras import MissingExtraError
from tabletop.game import Game
from tabletop.options import OptionError
from tabletop.rng import seed_word

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise MissingExtraError("Stable-Baselines3", "train", error) from error

Indices = None | int | Iterable[int]


class GameVecEnv(VecEnv):
    """`num_envs` lanes of a game; the arguments are those of `GameVectorEnv`, but for `autoreset_mode` and `copy`.

    By the convention of Stable-Baselines3 a lane whose game has ended begins the next in the same step, and its
    `infos` tell of the game that has ended, with `terminal_observation`, `TimeLimit.truncated` and `episode` (return,
    length, seconds are 0). `action_masks` is the one method, and the attributes are those of the lanes' environment.
    """

    def __init__(self, game: str | Game, num_envs: int = 1, info: tuple[str, ...] = (), **arguments: Any) -> None:
        if "autoreset_mode" in arguments:
            raise OptionError(f"autoreset_mode: {arguments['autoreset_mode']!r} is not allowed; here it is SAME_STEP")
        if arguments.get("copy", True) is False:
            raise OptionError("copy: False is not allowed here; Stable-Baselines3 keeps what the last step has shown")
        self.games = GameVectorEnv(game, num_envs, info=info, autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
        super().__init__(self.games.num_envs, self.games.single_observation_space, self.games.single_action_space)
        self._actions: npt.NDArray[np.int64] | None = None
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)

    def reset(self) -> dict[str, npt.NDArray[np.int8]]:
        """Begins a game in every lane, with the seeds of `seed()` or as its next one."""
        options = self._options
        self._reset_options()
        if any(options):
            raise ValueError(f"options: {options!r} are not allowed; an episode has no options")
        seeds = None if self._seeds == [None] * self.num_envs else self._seeds
        self._reset_seeds()
        observations, infos = self.games.reset(seed=seeds)
        self.reset_infos = self._listed(infos)
        self._returns[:], self._lengths[:] = 0.0, 0
        return observations

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Gives lane i the seed s + i at the next `reset`; ValueError for one that is not allowed."""
        if seed is not None:
            seed = int(seed_word(seed))
            lane_seeds(seed, self.num_envs)
        return list(super().seed(seed))

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Keeps the actions for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[dict[str, npt.NDArray[np.int8]], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict]]:
        """Plays the actions of `step_async`: observations, rewards, whether games ended, a dictionary a lane."""
        observations, rewards, ended, _, infos = self.games.step(self._actions)  # type: ignore[arg-type]
        self._returns += rewards
        self._lengths += 1
        told = self._listed(infos)
        for i in np.flatnonzero(ended):
            told[i].update({name: infos["final_info"][name][i] for name in self.games.info_names})
            told[i]["terminal_observation"] = infos["final_obs"][i]
            told[i]["TimeLimit.truncated"] = False
            told[i]["episode"] = {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": 0.0}
        self._returns[ended], self._lengths[ended] = 0.0, 0
        return observations, rewards.astype(np.float32), ended, told

    def _listed(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """The entries of `info` lane by lane."""
        names = self.games.info_names
        return [{name: infos[name][i] for name in names} for i in range(self.num_envs)]

    def close(self) -> None:
        """Ends the use of the environment."""
        self.games.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of the lanes' environment, once for each lane; AttributeError if it has none of that name."""
        value = self.action_masks if attr_name == "action_masks" else getattr(self.games, attr_name)
        return [value for _ in self._lanes(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Sets an attribute of the lanes' environment, for all lanes at once only."""
        if len(self._lanes(indices)) != self.num_envs:
            raise ValueError(f"attribute {attr_name!r}: the lanes are one environment, so set it for all of them")
        setattr(self.games, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """What `action_masks` or `render` answers in each lane; AttributeError for another method."""
        if method_name not in ("action_masks", "render"):
            raise AttributeError(f"method {method_name!r}: the lanes have only action_masks and render")
        answers = getattr(self.games, method_name)(*method_args, **method_kwargs)
        return [None if answers is None else answers[i] for i in self._lanes(indices)]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The action masks of all lanes: bool (lanes, actions)."""
        return self.games.action_masks()

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper], indices: Indices = None) -> list[bool]:
        """False for every lane."""
        return [False for _ in self._lanes(indices)]

    def copy(self) -> "GameVecEnv":
        """An independent environment in the same positions, which goes on in the same way."""
        return deepcopy(self)

    def save(self) -> bytes:
        """Positions and random streams of all lanes as bytes, for `load`."""
        return self.games.save(returns=self._returns, lengths=self._lengths)

    def load(self, data: bytes) -> dict[str, npt.NDArray[np.int8]]:
        """Goes on where `save` was called, in an environment made with the same arguments."""
        observations, infos = self.games.load(data, returns=self._returns, lengths=self._lengths)
        self.reset_infos = deepcopy(self._listed(infos))
        return observations

    def _lanes(self, indices: Indices) -> list[int]:
        chosen = [int(i) for i in self._get_indices(indices)]
        if any(not 0 <= i < self.num_envs for i in chosen):
            raise IndexError(f"indices: {chosen} are not allowed; expected lanes 0 … {self.num_envs - 1}")
        return chosen
