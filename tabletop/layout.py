"""How states lie in memory, and how plain Python reaches their fields as compiled code does."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tabletop.jit import JIT_ENABLED


def state_dtype(fields: list[tuple[Any, ...]]) -> np.dtype:
    """The aligned dtype of these fields, in which every gap that alignment leaves is a field `_offset` of its own.

    numpy copies and saves only what fields cover. With gaps, equal states would not be equal bytes.
    """
    plain = np.dtype(fields, align=True)
    covered: list[tuple[Any, ...]] = []
    end = 0
    for field, start in zip(fields, _starts(plain), strict=True):
        covered += [*_spare(end, start), field]
        end = start + plain[field[0]].itemsize
    return np.dtype([*covered, *_spare(end, plain.itemsize)], align=True)


def _starts(dtype: np.dtype) -> list[int]:
    return [dtype.fields[name][1] for name in dtype.names or ()]  # type: ignore[index]


def _spare(start: int, end: int) -> list[tuple[Any, ...]]:
    return [(f"_{start}", np.uint8, (end - start,))] if end > start else []


def gaps(dtype: np.dtype) -> Iterator[str]:
    """The nested records of a dtype that have bytes which no field covers, by a path of names."""
    ends = 0
    for name, start in zip(dtype.names or (), _starts(dtype), strict=True):
        field = dtype[name]
        if start != ends:
            yield f"before {name!r}"
        yield from (f"{gap} of {name!r}" for gap in gaps(field.base))
        ends = start + field.itemsize
    if dtype.names and ends != dtype.itemsize:
        yield "at the end"


class _Fields(np.record):  # type: ignore[misc]
    """A record whose fields hide numpy's own attributes of the same names, such as `round`, `size` or `take`."""

    def __getattribute__(self, name: str) -> Any:
        fields = np.void.__getattribute__(self, "dtype").fields
        if name not in fields:
            return super().__getattribute__(name)
        value = self.getfield(*fields[name][:2])
        return value.view((_Fields, value.dtype)) if value.dtype.names else value


def by_attribute(states: np.ndarray) -> np.ndarray:
    """The states as the game functions take them: with the JIT off, a view whose records have attributes."""
    return states if JIT_ENABLED else states.view(np.dtype((_Fields, states.dtype)))


def zeroed(count: int, dtype: np.dtype) -> np.ndarray:
    """`count` records of zeros, as the game functions take them."""
    return by_attribute(np.zeros(count, dtype))


def copied(states: np.ndarray) -> np.ndarray:
    """A copy of an array of states, byte by byte: numpy's own copy goes field by field and takes ten times as long."""
    return np.ndarray(states.shape, states.dtype, bytearray(states.tobytes()))


def repeated(state: np.ndarray, count: int) -> np.ndarray:
    """`count` copies of the one state in an array of shape (1,)."""
    return np.ndarray(count, state.dtype, bytearray(state.tobytes() * count))
