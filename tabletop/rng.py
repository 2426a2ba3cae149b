"""Random numbers: one counter-based 64-bit generator for each named stream of each game.

The generator is wyrand (Wang Yi, wyhash 2019): word k of a stream is `fold(start + (k + 1)·γ)`, so a stream is
one `uint64` that counts in steps of γ, and a word costs one wide multiplication and no table. It passes BigCrush,
and PractRand up to 2⁴⁵ bytes of one stream; a game takes some thousands. Any game of a study can be played again
alone: the start of a stream is a hash of (seed, number of the game, name of the stream), mixed by the finisher of
SplitMix64 (Steele, Lea, Flood 2014). Two streams of length L overlap with probability 2L / 2⁶⁴.

An array `rng` of such states, one a stream, is what drivers hand to the game functions. Sampled integers are
unbiased (Lemire 2019). Everything wraps modulo 2⁶⁴, on every machine alike.
"""

import hashlib

import numpy as np

from tabletop.bits import EMPTY, count, multiply_high, nth
from tabletop.jit import jit

GAMMA = np.uint64(0xA0761D6478BD642F)  # odd, with as many ones as zeros
_OTHER = np.uint64(0xE7037ED1A0B428DB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ / golden ratio, odd
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_30, _SHIFT_27, _SHIFT_31 = np.uint64(30), np.uint64(27), np.uint64(31)


def stream_key(name: str) -> np.uint64:
    """The 64-bit key of a stream's name: the first eight bytes of its BLAKE2b hash."""
    return np.uint64(int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little"))


def seed_word(seed: int) -> np.uint64:
    """A seed as the 64-bit word that starts the streams; ValueError unless it is an integer from 0 to 2⁶⁴ − 1."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed: {seed!r} is not allowed; expected an integer from 0 to 2**64 - 1")
    return np.uint64(seed)


def number_of(value: int, what: str, least: int = 0) -> int:
    """A number of games, or the number of a game; ValueError unless it is an integer from `least` to 2⁶³ − 1."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value < 2**63:
        raise ValueError(f"{what}: {value!r} is not allowed; expected an integer from {least} to 2**63 - 1")
    return int(value)


@jit(inlined=True)
def mix(z: np.uint64) -> np.uint64:
    """A bijection of the 64-bit words in which each bit of z changes each bit of the result half of the time."""
    z = (z ^ (z >> _SHIFT_30)) * _MULTIPLIER_1
    z = (z ^ (z >> _SHIFT_27)) * _MULTIPLIER_2
    return z ^ (z >> _SHIFT_31)


@jit(inlined=True)
def stream_start(seed: np.uint64, number: np.uint64, key: np.uint64) -> np.uint64:
    """State of a stream before its first word, from the study's seed, the game's number and the stream's key."""
    return mix(mix(mix(seed + _GOLDEN) + number + _GOLDEN) ^ key)


@jit
def start_streams(rng: np.ndarray, seed: np.uint64, number: np.uint64, keys: np.ndarray) -> None:
    """Sets `rng` (uint64, one a stream) to the starts of game `number`; `keys` are the streams' keys."""
    for k in range(keys.size):
        rng[k] = stream_start(seed, number, keys[k])


@jit(inlined=True)
def fold(z: np.uint64) -> np.uint64:
    """The two halves of the product of z and a variant of it, one upon the other."""
    other = z ^ _OTHER
    return (z * other) ^ multiply_high(z, other)


@jit(inlined=True)
def word(rng: np.ndarray, stream: int) -> np.uint64:
    """The next 64 random bits of a stream."""
    rng[stream] += GAMMA
    return fold(rng[stream])


@jit(inlined=True)
def skip(rng: np.ndarray, stream: int, words: int) -> None:
    """Passes over some words of a stream."""
    rng[stream] += GAMMA * np.uint64(words)


@jit
def _redraw(rng: np.ndarray, stream: int, n: np.uint64, low: np.uint64, high: np.uint64) -> np.uint64:
    """The rare second half of `uniform`: rejects the low products that would favour some results."""
    biased = (EMPTY - n) % n
    while low < biased:
        w = word(rng, stream)
        low, high = w * n, multiply_high(w, n)
    return high


@jit(inlined=True)
def uniform(rng: np.ndarray, stream: int, n: int) -> int:
    """An integer 0 … n − 1, each equally likely, n ≥ 1; takes one word of the stream, very rarely more."""
    drawn, rng[stream] = uniform_from(rng, stream, rng[stream], n)
    return drawn


@jit(inlined=True)
def uniform_from(rng: np.ndarray, stream: int, state: np.uint64, n: int) -> tuple[int, np.uint64]:
    """What `uniform` draws from a stream in this state, and its state afterwards.

    For loops that keep the state in a variable, which is faster, and write it back in the end.
    """
    size = np.uint64(n)
    state += GAMMA
    w = fold(state)
    low, high = w * size, multiply_high(w, size)
    if low < size:
        rng[stream] = state
        high = _redraw(rng, stream, size, low, high)
        state = rng[stream]
    return np.int64(high), state


@jit(inlined=True)
def uniform_member(rng: np.ndarray, stream: int, members: np.uint64) -> int:
    """A member of a set that is not empty, each equally likely."""
    return nth(members, uniform(rng, stream, count(members)))


@jit(inlined=True)
def weighted(rng: np.ndarray, stream: int, weights: np.ndarray, total: int) -> int:
    """An index i with probability weights[i] / total, where total is the sum of the integer weights, ≥ 1."""
    left = uniform(rng, stream, total)
    i = 0
    while left >= weights[i]:
        left -= np.int64(weights[i])
        i += 1
    return i


@jit(inlined=True)
def unit(rng: np.ndarray, stream: int) -> float:
    """A float in [0, 1), a multiple of 2⁻⁵³."""
    return np.float64(word(rng, stream) >> np.uint64(11)) * 2.0**-53
