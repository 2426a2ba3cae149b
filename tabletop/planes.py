"""Blocks of an observation, written by wide stores and without a branch that depends on the position.

A block is a run of entries of an observation (int8) that begins at `at`. Games differ from lane to lane, so a
processor cannot foretell what one of them holds, and each wrong guess takes as long as writing a hundred entries.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tabletop.bits import WORD_BITS, write_set
from tabletop.jit import JIT_ENABLED, jit

WORD_BYTES = 8
ONE_A_BYTE = np.uint64(0x0101010101010101)
_SEVEN_APART = np.uint64(0x0002040810204081)  # bits 0, 7, 14, …: what is multiplied by it is repeated there
_LEAST, _MOST = -128, 127


def _is_entries(array: Any, dtype: Any) -> bool:
    return isinstance(array, types.Array) and array.dtype == dtype and array.ndim == 1 and array.layout == "C"


def _entry(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


def _load_lanes(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    vector = ir.VectorType(ir.IntType(8), WORD_BITS)
    return builder.load(builder.bitcast(_entry(context, builder, kind, array, at), vector.as_pointer()), align=1)


def _store(builder: Any, value: Any, pointer: Any) -> None:
    builder.store(value, builder.bitcast(pointer, value.type.as_pointer()), align=1)


def _build_copy(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    out, at, entries, first, size = arguments
    target = _entry(context, builder, signature.args[0], out, at)
    source = _entry(context, builder, signature.args[2], entries, first)
    cgutils.raw_memcpy(builder, target, source, size, 1)
    return context.get_dummy_value()


def _build_write_word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    out, at, word = arguments
    _store(builder, word, _entry(context, builder, signature.args[0], out, at))
    return context.get_dummy_value()


def _build_write_equal(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    out, at, entries, first, value = arguments
    there = _load_lanes(context, builder, signature.args[2], entries, first)
    single = builder.insert_element(ir.Constant(there.type, ir.Undefined), value, ir.IntType(32)(0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), WORD_BITS), [0] * WORD_BITS)
    everywhere = builder.shuffle_vector(single, ir.Constant(there.type, ir.Undefined), lanes)
    equal = builder.zext(builder.icmp_unsigned("==", there, everywhere), there.type)
    _store(builder, equal, _entry(context, builder, signature.args[0], out, at))
    return context.get_dummy_value()


def _build_write_differences(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    out, at, entries, less = arguments
    zero = ir.Constant(ir.IntType(64), 0)
    numbers = _load_lanes(context, builder, signature.args[2], entries, zero)
    left = builder.sub(numbers, _load_lanes(context, builder, signature.args[3], less, zero))
    most = ir.Constant(left.type, [_MOST] * WORD_BITS)
    cut = builder.select(builder.icmp_unsigned("<", left, most), left, most)
    _store(builder, cut, _entry(context, builder, signature.args[0], out, at))
    return context.get_dummy_value()


@intrinsic
def _compiled_copy(typing_context: Any, out: Any, at: Any, entries: Any, first: Any, size: Any) -> Any:
    if not (_is_entries(out, types.int8) and _is_entries(entries, types.uint8)):
        return None
    return types.none(out, types.int64, entries, types.int64, types.int64), _build_copy


@intrinsic
def _compiled_write_word(typing_context: Any, out: Any, at: Any, word: Any) -> Any:
    if not _is_entries(out, types.int8):
        return None
    return types.none(out, types.int64, types.uint64), _build_write_word


@intrinsic
def _compiled_write_equal(typing_context: Any, out: Any, at: Any, entries: Any, first: Any, value: Any) -> Any:
    if not (_is_entries(out, types.int8) and _is_entries(entries, types.uint8)):
        return None
    return types.none(out, types.int64, entries, types.int64, types.uint8), _build_write_equal


@intrinsic
def _compiled_write_differences(typing_context: Any, out: Any, at: Any, entries: Any, less: Any) -> Any:
    if not (_is_entries(out, types.int8) and _is_entries(entries, types.uint8) and _is_entries(less, types.uint8)):
        return None
    return types.none(out, types.int64, entries, less), _build_write_differences


def _plain_copy(out: Any, at: int, entries: Any, first: int, size: int) -> None:
    out[at : at + size] = np.asarray(entries)[first : first + size]


def _plain_write_word(out: Any, at: int, word: Any) -> None:
    out[at : at + WORD_BYTES] = np.frombuffer(int(word).to_bytes(WORD_BYTES, "little"), np.int8)


def _plain_write_equal(out: Any, at: int, entries: Any, first: int, value: Any) -> None:
    out[at : at + WORD_BITS] = np.asarray(entries)[first : first + WORD_BITS] == value


def _plain_write_differences(out: Any, at: int, entries: Any, less: Any) -> None:
    left = np.asarray(entries[:WORD_BITS], np.int64) - np.asarray(less[:WORD_BITS], np.int64)
    out[at : at + WORD_BITS] = np.minimum(left, _MOST)


_copy = _compiled_copy if JIT_ENABLED else _plain_copy
_write_word = _compiled_write_word if JIT_ENABLED else _plain_write_word
_write_equal = _compiled_write_equal if JIT_ENABLED else _plain_write_equal
_write_differences = _compiled_write_differences if JIT_ENABLED else _plain_write_differences


@jit(inlined=True)
def mark(out: np.ndarray, at: int, size: int, chosen: int) -> int:
    """Marks the chosen entry of a block that is all 0, none if `chosen` is not in it; returns where the next begins."""
    is_inside = 0 <= chosen < size
    out[np.uint64(at + (chosen if is_inside else 0))] = is_inside
    return at + size


@jit(inlined=True)
def write_number(out: np.ndarray, at: int, value: int) -> int:
    """Writes a number, cut to the range of an observation; returns where the next block begins."""
    out[at] = max(_LEAST, min(_MOST, np.int64(value)))
    return at + 1


@jit(inlined=True)
def write_members(out: np.ndarray, at: int, size: int, members: np.uint64) -> int:
    """Writes which of the numbers below `size` are in the set, as 0 and 1; returns where the next block begins."""
    write_set(out, at, size, np.uint64(members))
    return at + size


@jit(inlined=True)
def copy_entries(out: np.ndarray, at: int, entries: np.ndarray, first: int, size: int) -> int:
    """Writes `size` entries of an array of uint8, all below 128, as they are; returns where the next block begins."""
    _copy(out, at, entries, first, size)
    return at + size


@jit(inlined=True)
def write_word(out: np.ndarray, at: int, word: np.uint64) -> None:
    """Writes the eight bytes of a word, the lowest first; those that belong to the next blocks are written again."""
    _write_word(out, at, np.uint64(word))


@jit(inlined=True)
def write_equal(out: np.ndarray, at: int, entries: np.ndarray, first: int, size: int, value: int) -> int:
    """Writes which of `size` ≥ 64 entries (uint8) equal the value, as 0 and 1; returns where the next block begins.

    The second store overlaps the first one, so at most 128 entries are possible.
    """
    last = size - WORD_BITS
    _write_equal(out, at, entries, first, np.uint8(value))
    _write_equal(out, at + last, entries, first + last, np.uint8(value))
    return at + size


@jit(inlined=True)
def write_differences(out: np.ndarray, at: int, entries: np.ndarray, less: np.ndarray) -> int:
    """Writes entries[i] − less[i] ≥ 0, cut to 127, for 64 numbers of two arrays of uint8."""
    _write_differences(out, at, entries, less)
    return at + WORD_BITS


@jit(inlined=True)
def spread(members: np.uint64) -> np.uint64:
    """A set of numbers below 7 as bytes that are 0 or 1, that of number 0 the lowest."""
    return np.uint64(members) * _SEVEN_APART & ONE_A_BYTE
