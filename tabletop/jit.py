"""The one place where numba is configured: the decorator of every compiled function and the folder of its cache.

numba looks only at the file of a function when it asks whether a cached version is still good. A loop here
contains the rules of a game that live in other files, so the cache folder is named by the hash of every source
that can end up in compiled code: an edit anywhere opens a new folder.
"""

import hashlib
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
import platformdirs
from numba.core import event

GAMES_GROUP = "tabletop.games"  # entry points: name of a game = "package:GAME"
BOTS_GROUP = "tabletop.bots"  # entry points: name of a bot = "module:function"
KEPT_CACHES = 8  # folders of older sources that are left for other checkouts

JIT_ENABLED = not numba.config.DISABLE_JIT

COMPILER_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy"}

Function = TypeVar("Function", bound=Callable[..., Any])


def _compiled_packages() -> set[str]:
    """Names of the packages whose sources can end up in compiled code: this one and all plug-ins."""
    plug_ins = [*entry_points(group=GAMES_GROUP), *entry_points(group=BOTS_GROUP)]
    return {"tabletop"} | {point.module.partition(".")[0] for point in plug_ins}


def _sources() -> Iterator[Path]:
    for package in sorted(_compiled_packages()):
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            yield from sorted(Path(folder).rglob("*.py"))


def _digest() -> str:
    """Name of the cache folder: the sources, and the switches that numba leaves out of its own cache key."""
    digest = hashlib.sha256(f"boundscheck {numba.config.BOUNDSCHECK}".encode())
    for source in _sources():
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _forget_old(root: Path) -> None:
    """Deletes all but the newest cache folders, so that edits do not fill the disk."""
    folders = sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


def _cache_folder() -> Path:
    """The cache folder of these sources: under `NUMBA_CACHE_DIR` or the user's caches, else a temporary one."""
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("critters") / "numba")
    folder = root / _digest()
    if not _is_writable(folder):
        return Path(tempfile.mkdtemp(prefix="critters-numba-"))
    os.utime(folder)
    _forget_old(root)
    return folder


CACHE_FOLDER = _cache_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)


@overload
def jit(function: Function, /) -> Function: ...
@overload
def jit(*, inlined: bool = ..., allocates: bool = ..., signature: Any = ...) -> Callable[[Function], Function]: ...
def jit(function: Any = None, *, inlined: bool = False, allocates: bool = False, signature: Any = None) -> Any:
    """Compiles a module-level function at its first call, without the GIL, cached on disk.

    inlined: LLVM always inlines it into its callers, for the few-line helpers of hot loops.
    allocates: it may create arrays; all others are compiled without numba's reference counting, which would
    cost two locked instructions for each array passed in each call, and the compiler refuses them if they
    allocate. signature: compiles at once, for these types only. Division by zero is the caller's to avoid.
    """
    options = dict(COMPILER_OPTIONS, forceinline=inlined, _nrt=allocates)
    decorate = numba.njit(**options) if signature is None else numba.njit(signature, **options)
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
