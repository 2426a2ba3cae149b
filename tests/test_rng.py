"""Random numbers: known answers, uniformity, independence of streams, unbiased integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tabletop import rng
from tabletop.jit import jit

DRAWS = 60_000
SURE = 1e-4  # fixed seeds: a p-value below this is a fault, not bad luck

# The first words of SplitMix64 begun at 0, as its published reference program prints them: its finisher of k·2⁶⁴/φ.
KNOWN_MIXED = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B]
GOLDEN_RATIO = 0x9E3779B97F4A7C15


def wyrand(begin: int, count: int) -> list[int]:
    """The published recurrence in whole numbers of any size."""
    found = []
    for k in range(1, count + 1):
        state = (begin + k * 0xA0761D6478BD642F) % 2**64
        product = state * (state ^ 0xE7037ED1A0B428DB)
        found.append(product >> 64 ^ product % 2**64)
    return found


@jit
def fill_words(state, out):
    for i in range(out.size):
        out[i] = rng.word(state, 0)


@jit
def fill_uniform(state, n, out):
    for i in range(out.size):
        out[i] = rng.uniform(state, 0, n)


@jit
def fill_weighted(state, weights, total, out):
    for i in range(out.size):
        out[i] = rng.weighted(state, 0, weights, total)


@jit
def fill_members(state, members, out):
    for i in range(out.size):
        out[i] = rng.uniform_member(state, 0, members)


@jit
def fill_units(state, out):
    for i in range(out.size):
        out[i] = rng.unit(state, 0)


def start(seed: int = 1, number: int = 0, name: str = "die") -> np.ndarray:
    state = np.zeros(1, np.uint64)
    rng.start_streams(state, np.uint64(seed), np.uint64(number), np.array([rng.stream_key(name)]))
    return state


def words(count: int = DRAWS, **of: object) -> np.ndarray:
    out = np.zeros(count, np.uint64)
    fill_words(start(**of), out)
    return out


def integers(n: int, count: int = DRAWS, **of: object) -> np.ndarray:
    out = np.zeros(count, np.int64)
    fill_uniform(start(**of), n, out)
    return out


@pytest.mark.parametrize("begin", [0, 1, 1234567, 2**64 - 1])
def test_words_are_those_of_wyrand(begin: int) -> None:
    out = np.zeros(50, np.uint64)
    fill_words(np.array([begin], np.uint64), out)
    assert out.tolist() == wyrand(begin, 50)


def test_known_answers_of_mix() -> None:
    mixed = [int(rng.mix(np.uint64(k * GOLDEN_RATIO % 2**64))) for k in range(1, 6)]
    assert mixed == KNOWN_MIXED


def test_mix_is_a_bijection_on_a_sample() -> None:
    mixed = {int(rng.mix(np.uint64(z))) for z in range(2_000)}
    assert len(mixed) == 2_000


def test_each_bit_of_the_words_is_fair() -> None:
    drawn = words()
    for i in range(64):
        ones = int((drawn >> np.uint64(i) & np.uint64(1)).sum())
        assert stats.binomtest(ones, DRAWS).pvalue > SURE


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 100])
def test_small_integers_are_uniform(n: int) -> None:
    drawn = integers(n, seed=n)
    counts = np.bincount(drawn, minlength=n)
    assert len(counts) == n
    assert n == 1 or stats.chisquare(counts).pvalue > SURE


@pytest.mark.parametrize("n", [3 * 2**61, 2**63 - 1, 2**62 + 1])
def test_large_integers_are_unbiased_where_words_must_be_rejected(n: int) -> None:
    """For n = 3·2⁶¹ a generator that does not reject gives every third value twice as often."""
    drawn = integers(n)
    assert ((drawn >= 0) & (drawn < n)).all()
    assert stats.kstest(drawn / n, "uniform").pvalue > SURE
    assert stats.chisquare(np.bincount(drawn % 3, minlength=3)).pvalue > SURE


def test_rejection_takes_further_words() -> None:
    state = start()
    before = int(state[0])
    fill_uniform(state, 3 * 2**61, np.zeros(1_000, np.int64))
    taken = (int(state[0]) - before) * pow(int(rng.GAMMA), -1, 2**64) % 2**64
    assert 1_200 < taken < 1_500  # a quarter of the words is rejected: 2⁶⁴ mod n / 2⁶⁴ = 1/4


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any), st.integers(0, 99))
def test_weighted_never_draws_what_has_no_weight(weights: list[int], seed: int) -> None:
    out = np.zeros(100, np.int64)
    fill_weighted(start(seed=seed), np.array(weights), sum(weights), out)
    assert all(weights[i] for i in out)


def test_weighted_follows_the_weights() -> None:
    weights = np.array([1, 0, 5, 2, 0, 12])
    out = np.zeros(DRAWS, np.int64)
    fill_weighted(start(), weights, weights.sum(), out)
    held = weights > 0
    counts = np.bincount(out, minlength=weights.size)
    assert counts[~held].sum() == 0
    assert stats.chisquare(counts[held], weights[held] / weights.sum() * DRAWS).pvalue > SURE


def test_members_are_equally_likely() -> None:
    members = [0, 3, 17, 40, 63]
    out = np.zeros(DRAWS, np.int64)
    fill_members(start(), np.uint64(sum(1 << m for m in members)), out)
    values, counts = np.unique(out, return_counts=True)
    assert values.tolist() == members
    assert stats.chisquare(counts).pvalue > SURE


def test_units_are_uniform_below_one() -> None:
    out = np.zeros(DRAWS)
    fill_units(start(), out)
    assert out.min() >= 0
    assert out.max() < 1
    assert stats.kstest(out, "uniform").pvalue > SURE


NEIGHBOURS = [
    ({"seed": 1}, {"seed": 2}),
    ({"number": 0}, {"number": 1}),
    ({"name": "die"}, {"name": "deal"}),
    ({"name": "seat:0"}, {"name": "seat:1"}),
    ({"seed": 1, "number": 0}, {"seed": 0, "number": 1}),
    ({"seed": 2**64 - 1}, {"seed": 0}),
]


@pytest.mark.parametrize(("one", "other"), NEIGHBOURS)
def test_neighbouring_streams_are_independent(one: dict, other: dict) -> None:
    """The pairs (face of one, face of the other) are uniform, at the same place and one place on."""
    a, b = integers(6, **one), integers(6, **other)
    for shift in (0, 1):
        pairs = 6 * a[shift:] + b[: len(b) - shift]
        assert stats.chisquare(np.bincount(pairs, minlength=36)).pvalue > SURE
    assert len(np.intersect1d(words(**one), words(**other))) == 0


def test_successive_draws_are_independent() -> None:
    drawn = integers(6)
    pairs = 6 * drawn[:-1:2] + drawn[1::2]
    assert stats.chisquare(np.bincount(pairs, minlength=36)).pvalue > SURE


@pytest.mark.parametrize("vary", ["seed", "number"])
def test_first_draws_of_neighbouring_games_are_uniform(vary: str) -> None:
    firsts = [int(integers(6, count=1, **{vary: k})[0]) for k in range(3_000)]
    assert stats.chisquare(np.bincount(firsts, minlength=6)).pvalue > SURE


def test_streams_of_different_games_start_apart() -> None:
    starts = {int(start(seed, number, name)[0]) for seed in range(20) for number in range(50) for name in "abcd"}
    assert len(starts) == 20 * 50 * 4


def test_key_of_a_stream_is_fixed() -> None:
    """Saved studies depend on it."""
    assert int(rng.stream_key("die")) == 0x02B781CFD047A0C1


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, None])
def test_wrong_seeds_are_refused(seed: object) -> None:
    with pytest.raises(ValueError, match=r"seed: .* is not allowed; expected an integer from 0 to"):
        rng.seed_word(seed)


def test_seeds_use_all_64_bits() -> None:
    assert rng.seed_word(2**64 - 1) == np.uint64(2**64 - 1)
    assert rng.seed_word(np.int64(7)) == np.uint64(7)


@pytest.mark.parametrize("number", [-1, 2**63, 1.0, "1", False, None])
def test_wrong_numbers_of_games_are_refused(number: object) -> None:
    with pytest.raises(ValueError, match=f"number of games: {number!r} is not allowed"):
        rng.number_of(number, "number of games")


SAME_WORDS = """
import numpy as np
from tabletop import rng
state = np.zeros(2, np.uint64)
rng.start_streams(state, np.uint64(2**64 - 1), np.uint64(7), np.array([rng.stream_key("a"), rng.stream_key("b")]))
print(state.tolist(), [int(rng.uniform(state, 1, 3 << 61)) for _ in range(50)],
      [int(rng.uniform_member(state, 0, np.uint64(0x8421))) for _ in range(9)])
"""


def test_without_jit_the_numbers_are_the_same(run_python) -> None:
    assert run_python(SAME_WORDS) == run_python(SAME_WORDS, NUMBA_DISABLE_JIT="1")
