"""How tests compare environments and choose actions."""

from typing import Any

import numpy as np


def assert_same(here: Any, there: Any, where: str = "") -> None:
    """The same types, shapes, dtypes and values, all the way down."""
    assert type(here) is type(there), (where, type(here), type(there))
    if isinstance(here, dict):
        assert here.keys() == there.keys(), (where, here.keys(), there.keys())
        for key in here:
            assert_same(here[key], there[key], f"{where}/{key}")
    elif isinstance(here, (tuple, list)) or (isinstance(here, np.ndarray) and here.dtype == object):
        assert len(here) == len(there), where
        for i, (mine, other) in enumerate(zip(here, there, strict=True)):
            assert_same(mine, other, f"{where}[{i}]")
    elif isinstance(here, np.ndarray):
        assert (here.dtype, here.shape) == (there.dtype, there.shape), where
        assert np.array_equal(here, there), (where, here, there)
    else:
        assert here == there, (where, here, there)


def legal_actions(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for each row of masks."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


def some_actions(masks: np.ndarray, rng: np.random.Generator, illegal: float = 0.05) -> np.ndarray:
    """A random legal action for each row of masks, now and then any action of the space."""
    wild = rng.random(len(masks)) < illegal
    return np.where(wild, rng.integers(masks.shape[1], size=len(masks)), legal_actions(masks, rng))
