"""A clock for compiled code, for budgets in time. It reads the operating system's monotonic clock."""

import sys
import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tabletop.jit import JIT_ENABLED

_MONOTONIC = {"darwin": 6}.get(sys.platform, 1)  # CLOCK_MONOTONIC of the C library
_NANOSECONDS_A_SECOND = 1_000_000_000

_INT = ir.IntType(32)
_LONG = ir.IntType(64)
_POINTER = ir.PointerType(_LONG)


def _external(builder: Any, name: str, arguments: list[Any]) -> Any:
    module = builder.module
    return module.globals.get(name) or ir.Function(module, ir.FunctionType(_INT, arguments), name)


def _posix_nanoseconds(builder: Any) -> Any:
    """`clock_gettime` writes seconds and nanoseconds, two 64-bit integers."""
    time_of_day = cgutils.alloca_once(builder, _LONG, 2)
    builder.call(_external(builder, "clock_gettime", [_INT, _POINTER]), [_INT(_MONOTONIC), time_of_day])
    seconds = builder.load(time_of_day)
    nanoseconds = builder.load(builder.gep(time_of_day, [_INT(1)]))
    return builder.add(builder.mul(seconds, _LONG(_NANOSECONDS_A_SECOND)), nanoseconds)


def _windows_nanoseconds(builder: Any) -> Any:
    """Ticks of the performance counter, scaled by its frequency in 128 bits so that nothing overflows."""
    wide = ir.IntType(128)
    values = []
    for name in ("QueryPerformanceCounter", "QueryPerformanceFrequency"):
        place = cgutils.alloca_once(builder, _LONG)
        builder.call(_external(builder, name, [_POINTER]), [place])
        values.append(builder.zext(builder.load(place), wide))
    scaled = builder.mul(values[0], wide(_NANOSECONDS_A_SECOND))
    return builder.trunc(builder.udiv(scaled, values[1]), _LONG)


@intrinsic
def _compiled_nanoseconds(typing_context: Any) -> Any:
    build = _windows_nanoseconds if sys.platform == "win32" else _posix_nanoseconds

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return build(builder)

    return types.int64(), codegen


nanoseconds = _compiled_nanoseconds if JIT_ENABLED else time.monotonic_ns
"""`nanoseconds()`: the time since some fixed moment, int64; only differences mean something."""
