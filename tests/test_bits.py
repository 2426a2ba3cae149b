"""Sets of bits against Python sets, compiled, without the bit-deposit instruction, and with the JIT off."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabletop import bits

WORDS = st.integers(0, 2**64 - 1)
MEMBERS = st.integers(0, 63)
SETS = st.lists(WORDS, min_size=1, max_size=4)


def members(word: int) -> list[int]:
    return [i for i in range(64) if word >> i & 1]


def members_of(words: list[int]) -> list[int]:
    return [64 * w + i for w, word in enumerate(words) for i in members(word)]


def as_words(words: list[int]) -> np.ndarray:
    return np.array(words, np.uint64)


@given(WORDS)
@example(0)
@example(2**64 - 1)
@example(1 << 63)
def test_count_lowest_highest(word: int) -> None:
    x, of = np.uint64(word), members(word)
    assert bits.count(x) == len(of)
    assert bits.lowest(x) == min(of, default=64)
    assert bits.highest(x) == max(of, default=-1)
    assert members(int(bits.without_lowest(x))) == of[1:]


@given(MEMBERS)
def test_bit_and_below(i: int) -> None:
    assert members(int(bits.bit(i))) == [i]
    assert members(int(bits.below(i))) == list(range(i))


@given(WORDS, MEMBERS)
def test_has(word: int, i: int) -> None:
    assert bits.has(np.uint64(word), i) == (i in members(word))


@given(WORDS, st.integers(-1, 62))
def test_next_after(word: int, i: int) -> None:
    assert bits.next_after(np.uint64(word), i) == min((m for m in members(word) if m > i), default=64)


@given(WORDS)
@example(2**64 - 1)
def test_nth_with_and_without_bit_deposit(word: int) -> None:
    for n, member in enumerate(members(word)):
        assert bits.nth(np.uint64(word), n) == member
        assert bits._nth_by_removal(np.uint64(word), n) == member


@given(st.lists(st.integers(0, 3), min_size=128, max_size=128), st.integers(0, 1), st.integers(0, 3))
def test_equal_to(entries: list[int], block: int, value: int) -> None:
    found = bits.equal_to(np.array(entries, np.uint8), block, value)
    assert members(int(found)) == [i for i in range(64) if entries[64 * block + i] == value]


@given(WORDS, WORDS)
@example(2**64 - 1, 2**64 - 1)
def test_multiply_high(x: int, y: int) -> None:
    assert upper_half(np.uint64(x), np.uint64(y)) == x * y >> 64


@bits.jit
def upper_half(x: np.uint64, y: np.uint64) -> np.uint64:
    return bits.multiply_high(x, y)


@given(SETS)
def test_sets_of_several_words(words: list[int]) -> None:
    x, of = as_words(words), members_of(words)
    assert bits.count_in(x, len(words)) == len(of)
    assert [bits.nth_in(x, n) for n in range(len(of))] == of
    assert [i for i in range(64 * len(words)) if bits.has_in(x, i)] == of


@given(WORDS, st.integers(0, 127), st.lists(WORDS, min_size=3, max_size=3))
@example(2**64 - 1, 64, [0, 0, 0])
@example(2**64 - 1, 63, [0, 0, 0])
@example(1 << 63, 1, [0, 0, 0])
def test_put(word: int, first: int, before: list[int]) -> None:
    x = as_words(before)
    bits.put(x, first, np.uint64(word))
    assert set(members_of(x.tolist())) == set(members_of(before)) | {first + m for m in members(word)}


@given(st.integers(0, 64), st.lists(WORDS, min_size=3, max_size=3))
@example(64, [2**64 - 1, 0, 2**64 - 1])
@example(0, [2**64 - 1] * 3)
@pytest.mark.parametrize("write", ["write_numbers", "write_set"])
def test_numbers_become_bytes(write: str, size: int, planes: list[int]) -> None:
    """They fill their block and nothing beside it."""
    out, words = np.full(70, 9, np.int8), as_words(planes)
    used = planes if write == "write_numbers" else planes[:1]
    getattr(bits, write)(out, 3, size, *words[: len(used)])
    expected = [sum((plane >> i & 1) << k for k, plane in enumerate(used)) for i in range(size)]
    assert out.tolist() == [9] * 3 + expected + [9] * (67 - size)


SAME_ANSWERS = """
import warnings
warnings.simplefilter("ignore")  # plain numpy warns of the wrapping that is meant
import numpy as np
from tabletop import bits
assert bits.BIT_DEPOSIT == {deposit}, bits.BIT_DEPOSIT
draw = np.random.default_rng(1)
for word in [0, 1, 2**63, 2**64 - 1, *draw.integers(0, 2**64, 50, dtype=np.uint64).tolist()]:
    members = [i for i in range(64) if word >> i & 1]
    x = np.uint64(word)
    assert bits.count(x) == len(members)
    assert bits.lowest(x) == min(members, default=64) and bits.highest(x) == max(members, default=-1)
    assert [bits.nth(x, n) for n in range(len(members))] == members
    assert [bits.next_after(x, i) for i in (-1, 20, 62)] == [min((m for m in members if m > i), default=64)
                                                              for i in (-1, 20, 62)]
    assert [i for i in range(64) if bits.has(x, i)] == members
    out = np.zeros(64, np.int8)
    bits.write_set(out, 0, 64, x)
    assert np.flatnonzero(out).tolist() == members
    assert bits.without_lowest(x) == sum(1 << i for i in members[1:])
    words = np.zeros(2, np.uint64)
    bits.put(words, 5, x)
    assert int(words[0]) + (int(words[1]) << 64) == word << 5
    assert [bits.nth_in(words, n) for n in range(len(members))] == [m + 5 for m in members]
print("same")
"""


@pytest.mark.parametrize("switch", [{"NUMBA_CPU_NAME": "generic"}, {"NUMBA_DISABLE_JIT": "1"}])
def test_without_the_bit_deposit_instruction(run_python, switch: dict[str, str]) -> None:
    assert run_python(SAME_ANSWERS.format(deposit=False), **switch) == "same\n"
