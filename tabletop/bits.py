"""Sets of small numbers as the bits of one unsigned 64-bit word, or of an array of such words.

A set of the numbers 0 … 63 is a `uint64`. Each helper is one or a few machine instructions: numba has no
population count, trailing zeros or bit deposit of its own, so they are made here from LLVM's intrinsics.
With the JIT switched off the plain Python versions answer the same.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

from tabletop.jit import JIT_ENABLED, jit

EMPTY = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(2**64 - 1)
WORD_BITS = 64
LONG, SHORT = 32, 8  # bytes that one store writes

_WORD = ir.IntType(64)
_WIDE = ir.IntType(128)


def _signature_of_words(arguments: int) -> Any:
    return types.uint64(*[types.uint64] * arguments)


def _intrinsic(plain: Callable[..., Any], build: Callable[..., Any], arguments: int) -> Any:
    """An LLVM instruction sequence `build(builder, *words)`, or `plain` when the JIT is switched off."""
    if not JIT_ENABLED:
        return plain

    def codegen(_context: Any, builder: Any, _signature: Any, words: Any) -> Any:
        return build(builder, *words)

    signature = _signature_of_words(arguments)
    if arguments == 1:

        @intrinsic
        def unary(typing_context: Any, x: Any) -> Any:
            return signature, codegen

        return unary

    @intrinsic
    def binary(typing_context: Any, x: Any, y: Any) -> Any:
        return signature, codegen

    return binary


def _has_bit_deposit() -> bool:
    """Whether compiled code may use the x86 instruction that deposits bits (BMI2)."""
    generic = config.CPU_NAME or config.CPU_FEATURES
    return not generic and binding.get_host_cpu_features().get("bmi2", False)


def _declare(builder: Any, name: str, arguments: list[Any]) -> Any:
    function = ir.FunctionType(_WORD, arguments)
    module = builder.module
    return module.globals.get(name) or ir.Function(module, function, name)


def _build_multiply_high(builder: Any, x: Any, y: Any) -> Any:
    wide = builder.mul(builder.zext(x, _WIDE), builder.zext(y, _WIDE))
    return builder.trunc(builder.lshr(wide, _WIDE(64)), _WORD)


def _build_deposit(builder: Any, x: Any, y: Any) -> Any:
    return builder.call(_declare(builder, "llvm.x86.bmi.pdep.64", [_WORD, _WORD]), [x, y])


def _build_expect_zero(builder: Any, x: Any) -> Any:
    return builder.call(_declare(builder, "llvm.expect.i64", [_WORD, _WORD]), [x, _WORD(0)])


def _plain_equal_to(entries: Any, block: int, value: int) -> np.uint64:
    there = np.asarray(entries)[WORD_BITS * int(block) : WORD_BITS * (int(block) + 1)] == value
    return np.uint64(sum(1 << int(i) for i in np.flatnonzero(there)))


def _build_equal_to(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    entries, block, value = arguments
    vector = ir.VectorType(ir.IntType(8), WORD_BITS)
    data = context.make_array(signature.args[0])(context, builder, entries).data
    first = builder.gep(data, [builder.mul(block, _WORD(WORD_BITS))])
    there = builder.load(builder.bitcast(first, vector.as_pointer()), align=1)
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.IntType(32)(0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), WORD_BITS), [0] * WORD_BITS)
    everywhere = builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), lanes)
    return builder.bitcast(builder.icmp_unsigned("==", there, everywhere), _WORD)


@intrinsic
def _compiled_equal_to(typing_context: Any, entries: Any, block: Any, value: Any) -> Any:
    if not (isinstance(entries, types.Array) and entries.dtype == types.uint8 and entries.ndim == 1):
        return None
    return types.uint64(entries, types.uint64, types.uint8), _build_equal_to


_equal_to = _compiled_equal_to if JIT_ENABLED else _plain_equal_to


def _build_write(context: Any, builder: Any, signature: Any, arguments: Any, lanes: int) -> Any:
    """Stores, of `lanes` numbers in three bit planes, each as a byte."""
    out, at, *planes = arguments
    vector = ir.VectorType(ir.IntType(8), lanes)
    numbers = ir.Constant(vector, [0] * lanes)
    for k, plane in enumerate(planes):
        bits = builder.bitcast(builder.trunc(plane, ir.IntType(lanes)), ir.VectorType(ir.IntType(1), lanes))
        shifted = builder.shl(builder.zext(bits, vector), ir.Constant(vector, [k] * lanes))
        numbers = builder.or_(numbers, shifted)
    data = context.make_array(signature.args[0])(context, builder, out).data
    builder.store(numbers, builder.bitcast(builder.gep(data, [at]), vector.as_pointer()), align=1)
    return context.get_dummy_value()


def _signature_of_write(out: Any) -> Any:
    if not (isinstance(out, types.Array) and out.dtype == types.int8 and out.ndim == 1 and out.layout == "C"):
        return None
    return types.none(out, types.int64, types.uint64, types.uint64, types.uint64)


def _write_long(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _build_write(context, builder, signature, arguments, LONG)


def _write_short(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _build_write(context, builder, signature, arguments, SHORT)


@intrinsic
def _compiled_write_long(typing_context: Any, out: Any, at: Any, ones: Any, twos: Any, fours: Any) -> Any:
    return _signature_of_write(out), _write_long


@intrinsic
def _compiled_write_short(typing_context: Any, out: Any, at: Any, ones: Any, twos: Any, fours: Any) -> Any:
    return _signature_of_write(out), _write_short


_count = _intrinsic(lambda x: np.int64(int(x).bit_count()), lambda b, x: b.ctpop(x), 1)
_trailing_zeros = _intrinsic(
    lambda x: np.int64((int(x) & -int(x)).bit_length() - 1 if x else WORD_BITS),
    lambda b, x: b.cttz(x, ir.IntType(1)(0)),
    1,
)
_leading_zeros = _intrinsic(
    lambda x: np.int64(WORD_BITS - int(x).bit_length()), lambda b, x: b.ctlz(x, ir.IntType(1)(0)), 1
)
_deposit = _intrinsic(lambda x, y: EMPTY, _build_deposit, 2)
multiply_high = _intrinsic(lambda x, y: np.uint64(int(x) * int(y) >> 64), _build_multiply_high, 2)
"""The upper 64 bits of the 128-bit product of two unsigned words."""
_expect_zero = _intrinsic(lambda x: x, _build_expect_zero, 1)

BIT_DEPOSIT = JIT_ENABLED and _has_bit_deposit()


@jit(inlined=True)
def rarely(condition: bool) -> bool:
    """The condition, which hardly ever holds: what follows if it does is compiled out of the way of the rest."""
    return _expect_zero(np.uint64(condition)) != EMPTY


@jit(inlined=True)
def bit(i: int) -> np.uint64:
    """The set {i}, for 0 ≤ i < 64."""
    return ONE << np.uint64(i)


@jit(inlined=True)
def below(i: int) -> np.uint64:
    """The set {0, …, i − 1}, for 0 ≤ i < 64."""
    return (ONE << np.uint64(i)) - ONE


@jit(inlined=True)
def has(members: np.uint64, i: int) -> bool:
    """Whether i is in the set."""
    return (members >> np.uint64(i)) & ONE != EMPTY


@jit(inlined=True)
def equal_to(entries: np.ndarray, block: int, value: int) -> np.uint64:
    """The set of the i for which entries[64·block + i] equals the value; `entries` is an array of uint8."""
    return _equal_to(entries, np.uint64(block), np.uint8(value))


@jit(inlined=True)
def count(members: np.uint64) -> int:
    """How many members the set has."""
    return np.int64(_count(np.uint64(members)))


@jit(inlined=True)
def lowest(members: np.uint64) -> int:
    """The smallest member; 64 for the empty set."""
    return np.int64(_trailing_zeros(np.uint64(members)))


@jit(inlined=True)
def highest(members: np.uint64) -> int:
    """The greatest member; −1 for the empty set."""
    return 63 - np.int64(_leading_zeros(np.uint64(members)))


@jit(inlined=True)
def without_lowest(members: np.uint64) -> np.uint64:
    """The set without its smallest member; the empty set stays empty."""
    return members & (members - ONE)


@jit(inlined=True)
def next_after(members: np.uint64, i: int) -> int:
    """The smallest member greater than i (−1 ≤ i < 63); 64 if there is none."""
    return lowest(members & (ALL << np.uint64(i + 1)))


@jit
def _nth_by_removal(members: np.uint64, n: int) -> int:
    for _ in range(n):
        members = without_lowest(members)
    return lowest(members)


if BIT_DEPOSIT:

    @jit(inlined=True)
    def nth(members: np.uint64, n: int) -> int:
        """The member with n smaller ones, 0 ≤ n < count."""
        return lowest(_deposit(bit(n), np.uint64(members)))

else:
    nth = _nth_by_removal


@jit(inlined=True)
def count_in(words: np.ndarray, size: int) -> int:
    """How many members the set in the first `size` words has."""
    total = 0
    for w in range(size):
        total += count(words[w])
    return total


@jit(inlined=True)
def nth_in(words: np.ndarray, n: int) -> int:
    """The member of the set in `words` with n smaller ones, 0 ≤ n < count."""
    w = 0
    members = count(words[0])
    while n >= members:
        n -= members
        w += 1
        members = count(words[w])
    return w * WORD_BITS + nth(words[w], n)


@jit(inlined=True)
def has_in(words: np.ndarray, i: int) -> bool:
    """Whether i is in the set in `words`."""
    return has(words[i >> 6], i & 63)


@jit(inlined=True)
def put(words: np.ndarray, first: int, members: np.uint64) -> None:
    """Adds first + m to the set in `words` for every member m; `first` constant makes this two instructions."""
    w, shift = first >> 6, np.uint64(first & 63)
    words[w] |= members << shift
    if shift and members >> (np.uint64(64) - shift):
        words[w + 1] |= members >> (np.uint64(64) - shift)


@jit(inlined=True)
def write_one_by_one(out: np.ndarray, at: int, size: int, ones: np.uint64, twos: np.uint64, fours: np.uint64) -> None:
    """What `write_numbers` does where there is not room for a wide store, or no compiler."""
    for i in range(size):
        k = np.uint64(i)
        out[at + i] = np.int64((ones >> k) & ONE | ((twos >> k) & ONE) << ONE | ((fours >> k) & ONE) << np.uint64(2))


if JIT_ENABLED:

    @jit(inlined=True)
    def write_numbers(out: np.ndarray, at: int, size: int, ones: np.uint64, twos: np.uint64, fours: np.uint64) -> None:
        """Writes `size` ≤ 64 numbers, kept in three bit planes, to out[at], out[at + 1], … (int8).

        The last store overlaps the one before it, so nothing beyond the block is touched.
        """
        if size >= LONG:
            left = np.uint64(size - LONG)
            _compiled_write_long(out, at, ones, twos, fours)
            _compiled_write_long(out, at + size - LONG, ones >> left, twos >> left, fours >> left)
        elif size >= SHORT:
            for i in range(0, size - SHORT, SHORT):
                k = np.uint64(i)
                _compiled_write_short(out, at + i, ones >> k, twos >> k, fours >> k)
            left = np.uint64(size - SHORT)
            _compiled_write_short(out, at + size - SHORT, ones >> left, twos >> left, fours >> left)
        else:
            write_one_by_one(out, at, size, ones, twos, fours)

else:
    write_numbers = write_one_by_one


@jit(inlined=True)
def write_set(out: np.ndarray, at: int, size: int, members: np.uint64) -> None:
    """Writes which of the numbers below `size` ≤ 64 are in the set to out[at], out[at + 1], … (int8), as 0 and 1."""
    write_numbers(out, at, size, members, EMPTY, EMPTY)
