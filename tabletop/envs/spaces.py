"""The spaces of a game, and what may be in the `info` of a step."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from tabletop.options import OptionError
from tabletop.variant import Variant

INFO = ("action_mask", "scores", "ranking", "turn", "seat", "legal")
DEFAULT_INFO = INFO[:-1]  # the tokens of legal events are made in Python and cost more than a step
"""Entries of `info`: a copy of the mask; points and places of every seat as they are now (true ones, also where the
seat could not know them); actions of the learner so far; its seat; tokens of the legal events."""


def bounds(variant: Variant) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Lowest and highest value of each entry of an observation."""
    sizes = [feature.size for feature in variant.features]
    low = np.repeat(np.array([feature.low for feature in variant.features], np.int8), sizes)
    return low, np.repeat(np.array([feature.high for feature in variant.features], np.int8), sizes)


def observation_space(variant: Variant, name: str = "observation") -> spaces.Dict:
    """What a seat observes and its action mask, both int8."""
    low, high = bounds(variant)
    mask = spaces.Box(0, 1, (variant.actions,), np.int8)
    return spaces.Dict({name: spaces.Box(low, high, dtype=np.int8), "action_mask": mask})


def action_space(variant: Variant) -> spaces.Discrete:
    """The ids of all actions."""
    return spaces.Discrete(variant.actions)


def check_info(info: Sequence[str]) -> tuple[str, ...]:
    """The entries of `info` that a user asked for; OptionError for an unknown one."""
    if isinstance(info, str) or not isinstance(info, Sequence) or any(name not in INFO for name in info):
        raise OptionError(f"info: {info!r} is not allowed; expected a list of names out of {', '.join(INFO)}")
    return tuple(info)


def needs_tally(info: Sequence[str]) -> bool:
    """Whether points or places are wanted in every step."""
    return "scores" in info or "ranking" in info


def check_render_mode(render_mode: Any, modes: Sequence[str]) -> str | None:
    """The render mode; OptionError for one that there is not."""
    if render_mode is not None and render_mode not in modes:
        raise OptionError(f"render_mode: {render_mode!r} is not allowed; expected None or one of {', '.join(modes)}")
    return render_mode


def check_flag(name: str, flag: Any) -> bool:
    """An argument that is True or False; OptionError for anything else."""
    if not isinstance(flag, (bool, np.bool_)):
        raise OptionError(f"{name}: {flag!r} is not allowed; expected True or False")
    return bool(flag)


def check_action(action: Any, actions: int) -> int:
    """An action as int; TypeError or ValueError unless it is one integer of the space."""
    value = np.asarray(action)
    if value.dtype.kind not in "iu" or value.shape != ():
        raise TypeError(f"action: {action!r} is not allowed; expected one integer from 0 to {actions - 1}")
    if not 0 <= value < actions:
        raise ValueError(f"action: {action!r} is not in the space; expected an integer from 0 to {actions - 1}")
    return int(value)


def check_actions(chosen: Any, lanes: int, actions: int) -> npt.NDArray[np.int64]:
    """Actions as int64 (lanes,); TypeError or ValueError that names the first wrong one."""
    values = np.asarray(chosen)
    if values.dtype.kind not in "iu" or values.shape != (lanes,):
        raise TypeError(
            f"actions: {values.dtype} of shape {values.shape}; expected integers of shape ({lanes},), one a lane"
        )
    chosen_actions = np.ascontiguousarray(values, np.int64)
    if chosen_actions.view(np.uint64).max() >= actions:  # a negative one is a very great one
        lane = int(np.argmax((values < 0) | (values >= actions)))
        raise ValueError(
            f"action {values[lane]} of lane {lane} is not in the space; expected an integer from 0 to {actions - 1}"
        )
    return chosen_actions
