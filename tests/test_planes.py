"""Wide stores into observations write what entry by entry would be written, and nothing else."""

import numpy as np
import pytest

from tabletop import planes
from tabletop.jit import jit

ROOM, AT = 256, 9
RNG = np.random.default_rng(5)
BYTES = RNG.integers(0, 128, 160).astype(np.uint8)


@jit
def copied(out, at, entries, first):
    return planes.copy_entries(out, at, entries, first, 52)


@jit
def equals(out, at, entries, first, value):
    return planes.write_equal(out, at, entries, first, 102, value)


@jit
def differences(out, at, entries, less):
    return planes.write_differences(out, at, entries, less)


@jit
def word(out, at, value):
    planes.write_word(out, at, value)


@jit
def spread_word(out, at, members):
    planes.write_word(out, at, planes.spread(members))


@jit
def marked(out, at, chosen):
    return planes.mark(out, at, 6, chosen)


def written(write, *arguments, size):
    """The block of `size` entries; around it nothing has changed."""
    out = np.full(ROOM, 77, np.int8)
    end = write(out, AT, *arguments)
    assert end in (None, AT + size)
    assert (out[:AT] == 77).all() and (out[AT + size :] == 77).all()
    return out[AT : AT + size]


@pytest.mark.parametrize("first", [0, 1, 30])
def test_copies(first: int) -> None:
    assert np.array_equal(written(copied, BYTES, first, size=52), BYTES[first : first + 52])


@pytest.mark.parametrize("first", [0, 1, 26])
def test_equal_entries(first: int) -> None:
    kinds = RNG.integers(0, 4, 128).astype(np.uint8)
    assert np.array_equal(written(equals, kinds, first, 2, size=102), kinds[first : first + 102] == 2)


def test_differences_are_cut_to_the_range() -> None:
    entries = RNG.integers(0, 256, 64).astype(np.uint8)
    less = (entries * RNG.random(64)).astype(np.uint8)
    entries[:3], less[:3] = (255, 128, 255), (0, 0, 128)
    expected = np.minimum(entries.astype(int) - less, 127)
    assert np.array_equal(written(differences, entries, less, size=64), expected)


def test_words_are_written_from_the_lowest_byte_on() -> None:
    value = np.uint64(0x0807060504030201)
    assert written(word, value, size=8).tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_sets_are_spread_to_bytes() -> None:
    for members in range(2**7):
        expected = [members >> k & 1 for k in range(8)]
        assert written(spread_word, np.uint64(members), size=8).tolist() == expected


@pytest.mark.parametrize("chosen", range(-2, 9))
def test_marks(chosen: int) -> None:
    out = np.zeros(ROOM, np.int8)
    assert marked(out, AT, chosen) == AT + 6
    assert np.flatnonzero(out).tolist() == ([AT + chosen] if 0 <= chosen < 6 else [])
