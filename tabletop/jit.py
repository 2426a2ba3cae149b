"""The one place where numba is configured: the decorator of every compiled function, and the news of compiling."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba.core import event, typeinfer

from tabletop.caching import SourceCache, cache_folder
from tabletop.parts import Dispatcher

JIT_ENABLED = not numba.config.DISABLE_JIT

# Nobody calls a compiled function through its C wrapper, which takes a tenth of the compile time.
COMPILER_OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

CACHE_FOLDER = cache_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)

Function = TypeVar("Function", bound=Callable[..., Any])


def _compiled(function: Any, options: dict[str, Any], signature: Any) -> Any:
    if not JIT_ENABLED:
        return function
    compiled = Dispatcher(function, targetoptions=options)
    if Path(function.__code__.co_filename).is_file():
        compiled._cache = SourceCache(function)
    if signature is not None:
        with typeinfer.register_dispatcher(compiled):  # the function may call itself by its name
            compiled.compile(signature)
        compiled.disable_compile()
    return compiled


@overload
def jit(function: Function, /) -> Function: ...
@overload
def jit(
    *, inlined: bool = ..., allocates: bool = ..., checked: bool = ..., signature: Any = ...
) -> Callable[[Function], Function]: ...
def jit(
    function: Any = None,
    *,
    inlined: bool = False,
    allocates: bool = False,
    checked: bool = False,
    signature: Any = None,
) -> Any:
    """Compiles a module-level function at its first call, without the GIL, cached on disk.

    inlined: LLVM always inlines it into its callers, for the few-line helpers of hot loops.
    allocates: it may create arrays; all others are compiled without numba's reference counting, which would
    cost two locked instructions for each array passed in each call, and the compiler refuses them if they
    allocate. checked: an index outside of an array is an IndexError in it, though not in what it calls.
    signature: compiles at once, for these types only. Division by zero is the caller's to avoid.
    """
    options = dict(COMPILER_OPTIONS, forceinline=inlined, _nrt=allocates, boundscheck=checked)

    def decorate(function: Any) -> Any:
        return _compiled(function, options, signature)

    return decorate if function is None else decorate(function)


class _Announcer(event.Listener):
    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell

    def on_start(self, started: event.Event) -> None:
        self.tell(started.data["dispatcher"].py_func.__name__)

    def on_end(self, ended: event.Event) -> None:
        pass


@contextmanager
def compilation_told_to(tell: Callable[[str], None]) -> Iterator[None]:
    """Within the context, calls `tell(name of the function)` whenever a function is really compiled."""
    with event.install_listener("numba:compile", _Announcer(tell)):
        yield
