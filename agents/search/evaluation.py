"""Evaluations: what a position promises a seat, in points. A game's own is the one that its greedy bot maximises."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

from agents.greedy import module_of
from tabletop.bots import BotError, address_of, call_at
from tabletop.game import Game
from tabletop.jit import JIT_ENABLED, jit

POINTS, GREEDY = "points", "greedy"
EVALUATIONS = (POINTS, GREEDY)


@dataclass(frozen=True)
class Numbered:
    """A compiled function by its address, with its numbers; address 0 stands for what needs no function."""

    address: int
    params: npt.NDArray[np.float64]


def has_own(game: Game) -> bool:
    """Whether the greedy bot of this game comes with an evaluation of positions."""
    try:
        return hasattr(module_of(game), "evaluate")
    except BotError:
        return False


def evaluation_of(game: Game, name: str) -> Numbered:
    """`points`: the points as they would count now; `greedy`: that of the game's greedy bot, with its defaults."""
    if name == POINTS:
        return Numbered(0, np.zeros(0))
    if not has_own(game):
        raise BotError(f"evaluation {name!r}: there is none for the game {game.name!r}; expected {POINTS!r}")
    module = module_of(game)
    weights = np.array([float(parameter.default) for parameter in module.PARAMETERS])
    return Numbered(address_of(compile_evaluation(game, module.evaluate)), weights)


def compile_evaluation(game: Game, function: Callable[..., float]) -> Callable[..., float]:
    """Compiles `evaluate` with the one signature that all evaluations of a game share."""
    state = from_dtype(game.state)
    if (state, function) not in _COMPILED:
        fixed = types.Array(types.float64, 1, "C", readonly=True)
        signature = types.float64(state, types.int64, fixed)
        _COMPILED[state, function] = jit(signature=signature, allocates=True)(getattr(function, "py_func", function))
    return _COMPILED[state, function]


_COMPILED: dict[tuple[Any, Callable[..., Any]], Callable[..., float]] = {}  # keeps alive what addresses mean


@intrinsic
def _call_compiled(typing_context, address, s, seat, params):
    """Calls the compiled evaluation at an address."""
    return call_at(address, (s, seat, params), types.float64)


def _call_plain(address: int, s: Any, seat: int, params: np.ndarray) -> float:
    by_address = {address_of(function): function for function in _COMPILED.values()}
    return by_address[int(address)](s, seat, params)


call_evaluate = _call_compiled if JIT_ENABLED else _call_plain
"""`call_evaluate(address, state, seat, params) -> float`: asks an evaluation, in compiled loops."""
