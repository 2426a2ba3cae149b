"""The one place where numba is configured: the decorator of every compiled function and the folder of its cache.

numba looks only at the file of a function when it asks whether a cached version is still good. A loop here
contains the rules of a game that live in other files. So the cache folder is named by the hash of every installed
source that can end up in compiled code: an edit anywhere opens a new folder. Games and functions from elsewhere
(a script, a folder under development) add the hash of their own folder to the keys of what contains them.
"""

import hashlib
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
import platformdirs
from numba import types
from numba.core import event, typeinfer
from numba.core.caching import FunctionCache, IndexDataCacheFile

GAMES_GROUP = "tabletop.games"  # entry points: name of a game = "package:GAME"
BOTS_GROUP = "tabletop.bots"  # entry points: name of a bot = "module:function"
KEPT_CACHES = 8  # folders of older sources that are left for other checkouts

JIT_ENABLED = not numba.config.DISABLE_JIT

COMPILER_OPTIONS = {"nogil": True, "error_model": "numpy"}

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def plug_ins(group: str) -> dict[str, EntryPoint]:
    """The installed plug-ins of a group by name; looked up once, for that takes 10 ms."""
    return {point.name: point for point in entry_points(group=group)}


@cache
def _compiled_packages() -> frozenset[str]:
    """Names of the packages whose sources can end up in compiled code: this one and all plug-ins."""
    points = [*plug_ins(GAMES_GROUP).values(), *plug_ins(BOTS_GROUP).values()]
    return frozenset({"tabletop"} | {point.module.partition(".")[0] for point in points})


def _installed_sources() -> Iterator[Path]:
    for package in sorted(_compiled_packages()):
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            yield from sorted(Path(folder).rglob("*.py"))


def _digest(heading: str, sources: Iterable[Path]) -> str:
    digest = hashlib.sha256(heading.encode())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _folder_name() -> str:
    """Name of the cache folder: the sources, and the switch that numba leaves out of its own cache key."""
    return _digest(f"boundscheck {numba.config.BOUNDSCHECK}", _installed_sources())


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
    folder = root / _folder_name()
    if not _is_writable(folder):
        return Path(tempfile.mkdtemp(prefix="critters-numba-"))
    os.utime(folder)
    _forget_old(root)
    return folder


CACHE_FOLDER = _cache_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)


@cache
def _digest_beside(file: Path) -> str:
    """Hash of the package that a file belongs to, or of the sources beside it if it belongs to none."""
    folder = file.parent
    if not (folder / "__init__.py").exists():
        return _digest("folder", sorted(folder.glob("*.py")))
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return _digest("package", sorted(folder.rglob("*.py")))


def _digest_outside(function: Any) -> str | None:
    """What the name of the cache folder does not say of a function: "" if it is installed, None without a file."""
    if function.__module__.partition(".")[0] in _compiled_packages():
        return ""
    file = Path(function.__code__.co_filename)
    return _digest_beside(file.resolve()) if file.is_file() else None


_outside: dict[Any, tuple[str | None, ...]] = {}  # record type of a game -> the hashes of its functions


def remember_sources(record: Any, functions: Iterable[Any]) -> None:
    """Makes the caches of all loops over states of the numba type `record` depend on the sources of `functions`."""
    hashes = {_digest_outside(getattr(function, "py_func", function)) for function in functions}
    _outside[record] = (None,) if None in hashes else tuple(sorted(filter(None, hashes)))


class _OneFileAKey:
    """Where a cache keeps its entries: each in a file named by its key.

    numba numbers the files of one function, and two processes that compile it for two games at the same time may
    take the same number; afterwards one game would be played by the code of the other.
    """

    def __init__(self, folder: str, name: str, stamp: Any) -> None:
        self.folder, self.name, self.stamp = folder, name, stamp

    def _file(self, key: Any) -> IndexDataCacheFile:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return IndexDataCacheFile(self.folder, f"{self.name}-{digest}", self.stamp)

    def load(self, key: Any) -> Any:
        return self._file(key).load(key)

    def save(self, key: Any, data: Any) -> None:
        self._file(key).save(key, data)


class _SourceCache(FunctionCache):
    """numba's cache of a function, with the sources that come from outside the installed packages in its keys."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._own = _digest_outside(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _OneFileAKey(self._cache_path, self._impl.filename_base, stamp)

    def _hashes(self, signature: Any) -> tuple[str | None, ...]:
        arguments = getattr(signature, "args", signature)
        records = [a.dtype if isinstance(a, types.Array) else a for a in arguments]
        return (self._own, *(h for record in records for h in _outside.get(record, ())))

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return (*super()._index_key(signature, codegen), self._hashes(signature))

    def load_overload(self, signature: Any, target: Any) -> Any:
        return None if None in self._hashes(signature) else super().load_overload(signature, target)

    def save_overload(self, signature: Any, data: Any) -> None:
        if None not in self._hashes(signature):
            super().save_overload(signature, data)


def _compiled(function: Any, options: dict[str, Any], signature: Any) -> Any:
    compiled = numba.njit(**options)(function)
    if not JIT_ENABLED:
        return compiled
    if Path(function.__code__.co_filename).is_file():
        compiled._cache = _SourceCache(function)
    if signature is not None:
        with typeinfer.register_dispatcher(compiled):  # the function may call itself by its name
            compiled.compile(signature)
        compiled.disable_compile()
    return compiled


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
