"""Many games at once as a Gymnasium vector environment: one compiled call a step for the whole batch."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tabletop.envs import loops
from tabletop.envs.lanes import Conduct, Lanes, Turn
from tabletop.envs.opponents import Opponents, seat_opponents
from tabletop.envs.spaces import (
    DEFAULT_INFO,
    action_space,
    check_actions,
    check_flag,
    check_info,
    check_render_mode,
    needs_tally,
    observation_space,
)
from tabletop.game import Game
from tabletop.options import OptionError
from tabletop.rng import seed_word
from tabletop.variant import Variant, make

Observations = dict[str, npt.NDArray[np.int8]]
Flags = npt.NDArray[np.bool_]
Step = tuple[Observations, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]

MODES = {
    AutoresetMode.NEXT_STEP: loops.NEXT_STEP,
    AutoresetMode.SAME_STEP: loops.SAME_STEP,
    AutoresetMode.DISABLED: loops.DISABLED,
}


class GameVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """`num_envs` lanes, each the same, step by step, as a `GameEnv` with the seed of the lane.

    Lane i of `reset(seed=s)` has the seed s + i. The arguments are those of `GameEnv`, and: autoreset_mode: as in
    Gymnasium. copy: False hands out the same arrays at every step instead of new ones. threads: how many share a
    step, by default what suits the number of lanes. A bot in plain Python makes steps slow.
    """

    metadata: dict[str, Any]
    render_modes: ClassVar[list[str]] = ["ansi"]

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        seat: int | str = 0,
        opponents: Opponents = "uniform",
        illegal: str = "lose",
        reward: str = "win",
        dense: bool = False,
        info: Sequence[str] = DEFAULT_INFO,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.variant: Variant = make(game, players, **settings)
        self.autoreset_mode = _mode(autoreset_mode)
        self.info_names = check_info(info)
        self.render_mode = check_render_mode(render_mode, self.render_modes)
        conduct = Conduct(illegal, reward, dense, MODES[self.autoreset_mode], needs_tally(self.info_names))
        self.lanes = Lanes(self.variant, num_envs, seat_opponents(self.variant, opponents), conduct, seat, threads)
        self.num_envs, self.copies = self.lanes.count, check_flag("copy", copy)
        self.metadata = {"render_modes": self.render_modes, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = (
            observation_space(self.variant),
            action_space(self.variant),
        )
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._turn = self.lanes.new_turn()

    # Reset and step

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins a game in every lane, or in those of `options["reset_mask"]` (bool, one a lane).

        seed: s gives lane i the seed s + i; a list gives each lane its own; None begins the next game of each lane.
        """
        self._check_open()
        seeds = lane_seeds(seed, self.num_envs)
        chosen = reset_mask(options, self.num_envs)
        if not (self.lanes.ready | chosen).all():
            raise ResetNeeded(
                "the first reset, and one after a failure, must begin a game in every lane; leave out 'reset_mask'"
            )
        if seeds is not None and seeds[0] is not None:
            super().reset(seed=seeds[0])
        turn = self._next_turn()
        self.lanes.reset(seeds, chosen, turn)
        return self._observations(turn), self._infos(turn, chosen)

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """Plays an action in every lane and all that follows up to the learners' next decisions."""
        self._check_begun()
        chosen = check_actions(actions, self.num_envs, self.variant.actions)
        over = self.lanes.lanes["over"]
        if self.autoreset_mode is AutoresetMode.DISABLED and over.any():
            raise ResetNeeded(
                f"the game of lane {int(np.argmax(over))} is over; call reset with options['reset_mask'] before step()"
            )
        turn = self._next_turn()
        self.lanes.step(chosen, turn)
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and turn.terminated.any():
            infos = self._final_infos(turn.terminated)
        infos |= self._infos(turn, np.ones(self.num_envs, np.bool_))
        rewards = turn.rewards[:, 0].copy() if self.copies else turn.rewards[:, 0]
        return self._observations(turn), rewards, turn.terminated, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The action masks as bool (lanes, actions); all True in lanes whose game is over."""
        self._check_begun()
        return self.variant.mask(self.lanes.states).astype(bool) | self.lanes.lanes["over"][:, None]

    def render(self) -> tuple[str, ...] | None:
        """The position of every lane as text in the render mode "ansi", else None."""
        self._check_begun()
        return tuple(self.lanes.text(i) for i in range(self.num_envs)) if self.render_mode == "ansi" else None

    # Copies

    def copy(self) -> "GameVectorEnv":
        """An independent environment in the same positions, which goes on in the same way."""
        twin = copy(self)
        twin.lanes, twin._turn = self.lanes.copy(), self.lanes.new_turn()
        for name in ("single_observation_space", "single_action_space", "observation_space", "action_space"):
            setattr(twin, name, deepcopy(getattr(self, name)))
        return twin

    def __deepcopy__(self, memo: Mapping[int, Any]) -> "GameVectorEnv":
        return self.copy()

    def save(self, **more: npt.NDArray[Any]) -> bytes:
        """Positions and random streams of all lanes as bytes, for `load`; more: arrays of the caller to be kept."""
        self._check_begun()
        return self.lanes.save(**more)

    def load(self, data: bytes, **more: npt.NDArray[Any]) -> tuple[Observations, dict[str, Any]]:
        """Goes on where `save` was called, in an environment made with the same arguments; shows as `reset` does.

        more: arrays into which is written what `save` was given.
        """
        self._check_open()
        turn = self._next_turn()
        self.lanes.load(data, turn, **more)
        return self._observations(turn), self._infos(turn, np.ones(self.num_envs, np.bool_))

    # Parts

    def _next_turn(self) -> Turn:
        return self.lanes.new_turn() if self.copies else self._turn

    def _observations(self, turn: Turn) -> Observations:
        return {"observation": turn.observations, "action_mask": turn.masks}

    def _infos(self, turn: Turn, told: Flags) -> dict[str, Any]:
        """`info` of all lanes; as in Gymnasium `_name` says in which lanes `name` is told."""
        lanes = self.lanes
        values: dict[str, Callable[[], npt.NDArray[Any]]] = {
            "action_mask": lambda: turn.masks,
            "scores": lambda: lanes.points,
            "ranking": lambda: lanes.places,
            "turn": lambda: lanes.lanes["turn"],
            "seat": lambda: lanes.lanes["shift"],
            "legal": lambda: _objects([lanes.legal_tokens(i) if told[i] else None for i in range(self.num_envs)]),
        }
        return _told({name: values[name]() for name in self.info_names}, told, self.copies)

    def _final_infos(self, ended: Flags) -> dict[str, Any]:
        """What Gymnasium wants to be told of the games that gave way to the next ones in this step."""
        ends = self.lanes.ends
        values: dict[str, Callable[[], npt.NDArray[Any]]] = {
            "action_mask": lambda: np.ones((self.num_envs, self.variant.actions), np.int8),
            "scores": lambda: ends.tallies[:, 0],
            "ranking": lambda: ends.tallies[:, 1],
            "turn": lambda: ends.turns[:, 0],
            "seat": lambda: ends.turns[:, 1],
            "legal": lambda: _objects([[] if over else None for over in ended]),
        }
        final_info = _told({name: values[name]() for name in self.info_names}, ended, copies=True)
        return {
            "final_obs": self._final_observations(ended),
            "_final_obs": ended.copy(),
            "final_info": final_info,
            "_final_info": ended.copy(),
        }

    def _final_observations(self, ended: Flags) -> npt.NDArray[Any]:
        """The last observation of each game that has ended, a copy; None in the other lanes."""
        found, numbers = np.empty(self.num_envs, object), np.flatnonzero(ended)
        masks = np.ones((len(numbers), self.variant.actions), np.int8)
        for i, seen, mask in zip(numbers, self.lanes.ends.observations[numbers], masks, strict=True):
            found[i] = {"observation": seen, "action_mask": mask}
        return found

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment has been closed")

    def _check_begun(self) -> None:
        self._check_open()
        if not self.lanes.ready.all():
            raise ResetNeeded("no games have begun, or they were broken off; call reset() first")


def _mode(mode: Any) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = ", ".join(repr(m.value) for m in AutoresetMode)
        raise OptionError(f"autoreset_mode: {mode!r} is not allowed; expected an AutoresetMode or {allowed}") from None


def lane_seeds(seed: Any, lanes: int) -> list[int | None] | None:
    """The seed of each lane: s + i, or the given ones, or None; ValueError for any that is not allowed."""
    if seed is None:
        return None
    if isinstance(seed, (Sequence, np.ndarray)) and not isinstance(seed, (str, bytes)) and np.ndim(seed) > 0:
        if len(seed) != lanes:
            raise ValueError(f"seed: {len(seed)} seeds given; expected {lanes}, one a lane")
        return [None if one is None else int(seed_word(one)) for one in seed]
    first = int(seed_word(seed))
    seed_word(first + lanes - 1)
    return [first + i for i in range(lanes)]


def reset_mask(options: dict[str, Any] | None, lanes: int) -> Flags:
    """The lanes to be reset; TypeError or ValueError for a mask that Gymnasium does not allow, or other options."""
    given = dict(options or {})
    mask = given.pop("reset_mask", None)
    if given:
        raise ValueError(f"options: {sorted(given)} are not allowed; there is 'reset_mask'")
    if mask is None:
        return np.ones(lanes, np.bool_)
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"options['reset_mask']: {mask!r} is not allowed; expected a bool array of shape ({lanes},)")
    if mask.shape != (lanes,) or not mask.any():
        raise ValueError(f"options['reset_mask']: shape {mask.shape}; expected ({lanes},) with at least one True")
    return mask.copy()


def _told(values: dict[str, npt.NDArray[Any]], told: Flags, copies: bool) -> dict[str, Any]:
    """The values with their masks; values of lanes that are not told are zero, or None in arrays of objects."""
    infos: dict[str, Any] = {}
    for name, value in values.items():
        infos[name] = value.copy() if copies else value
        if copies and not told.all() and value.dtype != object:
            infos[name][~told] = 0
        infos[f"_{name}"] = told.copy()
    return infos


def _objects(values: Sequence[Any]) -> npt.NDArray[Any]:
    array = np.empty(len(values), object)
    for i, value in enumerate(values):
        array[i] = value
    return array
