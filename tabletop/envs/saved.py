"""Lanes as bytes: which of their arrays are saved, and how they are read again."""

import io
from typing import Any

import numpy as np
import numpy.typing as npt

FORMAT = "critters-environment/1"
SAVED = ("states", "lanes", "rngs", "lasts", "begun")


def as_bytes(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The memory of an array, a row of bytes for each entry of the first axis."""
    return np.asarray(array).view(np.uint8).reshape(len(array), -1)


def read_saved(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """What `Lanes.save` wrote; ValueError for anything else."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            saved = dict(file)
    except Exception as error:
        raise ValueError("saved environment: not readable; expected the bytes of `save`") from error
    if str(saved.get("format")) != FORMAT or not set(SAVED) | {"template"} <= set(saved):
        raise ValueError(f"saved environment: format {saved.get('format')!s}; expected {FORMAT}")
    return saved
