"""The cache of compiled functions on disk: which sources an entry depends on, and where it lies.

numba looks only at the file of a function when it asks whether a cached version is still good, but a loop here
contains the rules of a game that live in other files. So the cache folder is named by the hash of this package's
sources, and the key of an entry has the hashes of whatever else it can contain: the package of the function
itself, the packages with games or bots that this imports, and the packages of the games whose states it takes.
A file that belongs to no package stands for its folder; a function without a file (a notebook) is never cached,
nor is what contains it. The same source may still make other code, by the values that are frozen into it: they count
for the key as well. Code with a value that cannot be hashed, or that has changed in this process, is not cached.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

from tabletop.frozen import Look, all_hold, looks
from tabletop.parts import for_a_part, from_payload
from tabletop.plug_ins import BOTS_GROUP, GAMES_GROUP, plug_ins

KEPT_FOLDERS = 8  # of older sources of this package, left for other checkouts
KEPT_ENTRIES = 32  # of one function, for all games and older sources of theirs

IMPORT = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.MULTILINE)

Hashes = tuple[str | None, ...]  # None: of unknown sources or values
Sources = tuple[Path, ...]


def digest(heading: str, sources: Iterable[Path]) -> str:
    """Hash of a text and of the contents of files."""
    hashed = hashlib.sha256(heading.encode())
    for source in sources:
        hashed.update(source.read_bytes())
    return hashed.hexdigest()[:16]


def folder_name() -> str:
    """Name of the cache folder: this package, and the switches that numba leaves out of its own cache key."""
    switches = f"boundscheck {numba.config.BOUNDSCHECK}, level {numba.config.OPT}"
    return digest(switches, sorted(Path(__file__).parent.rglob("*.py")))


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _newest_first(paths: Iterable[Path]) -> list[Path]:
    dated = []
    for path in paths:
        try:
            dated.append((path.stat().st_mtime, path))
        except OSError:  # another process has just removed it
            continue
    return [path for _, path in sorted(dated, reverse=True)]


def cache_folder() -> Path:
    """The cache folder of these sources: under `NUMBA_CACHE_DIR` or the user's caches, else a temporary one."""
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("critters") / "numba")
    folder = root / folder_name()
    if not _is_writable(folder):
        return Path(tempfile.mkdtemp(prefix="critters-numba-"))
    os.utime(folder)
    for old in _newest_first(f for f in root.iterdir() if f.is_dir())[KEPT_FOLDERS:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def _sources_beside(file: Path) -> Sources:
    """The sources of the outermost package that a file belongs to, or those beside it if it belongs to none."""
    folder = file.parent
    if not (folder / "__init__.py").exists():
        return tuple(sorted(folder.glob("*.py")))
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return tuple(sorted(folder.rglob("*.py")))


@cache
def _plug_in_sources() -> dict[str, Sources]:
    """The sources of each package that has an installed game or bot."""
    points = [*plug_ins(GAMES_GROUP).values(), *plug_ins(BOTS_GROUP).values()]
    found = {name: importlib.util.find_spec(name) for name in {p.module.partition(".")[0] for p in points}}
    return {n: _sources_beside(Path(spec.origin).resolve()) for n, spec in found.items() if spec and spec.origin}


@cache
def _imported(sources: Sources) -> frozenset[str]:
    """Names of the packages that these sources import."""
    return frozenset(name for source in sources for name in IMPORT.findall(source.read_text(encoding="utf-8")))


@cache
def _hashes(own: Sources) -> Hashes:
    """Hashes of some sources and of the packages with games or bots that they import, or those in turn."""
    reached: set[str] = set()
    waiting = [own]
    while waiting:
        for name in (_imported(waiting.pop()) & _plug_in_sources().keys()) - reached:
            reached.add(name)
            waiting.append(_plug_in_sources()[name])
    return (digest("own", own), *(digest(name, _plug_in_sources()[name]) for name in sorted(reached)))


def sources_of(function: Any) -> Hashes:
    """Hashes of the sources that a function may contain besides this package; (None,) if its own is unknown."""
    in_package = function.__module__.partition(".")[0] == "tabletop"
    return () if in_package else _sources_of_file(function.__code__.co_filename)


@cache
def _sources_of_file(name: str) -> Hashes:
    file = Path(name)
    return _hashes(_sources_beside(file.resolve())) if file.is_file() else (None,)


def contents_of(functions: tuple[Any, ...]) -> Hashes:
    """Hashes of all that functions lead to besides this package, sources and values; with None if some is unknown."""
    seen, hashes = _first_contents(functions)
    return hashes if all_hold(seen) else (None,)


@cache
def _first_contents(functions: tuple[Any, ...]) -> tuple[tuple[Look, ...], Hashes]:
    seen = looks(functions)
    hashes = {hash_: None for look in seen for hash_ in (*sources_of(look.function), look.digest)}
    return seen, (None,) if None in hashes else tuple(hashes)


_of_states: dict[Any, tuple[tuple[int, ...], tuple[Any, ...]]] = {}  # record type of a game -> constants, functions


def remember_contents(record: Any, constants: tuple[int, ...], functions: Iterable[Any]) -> None:
    """Makes the entries of all loops over states of the numba type `record` depend on what a game puts into them."""
    _of_states[record] = constants, tuple(functions)


def _contents_of_states(record: Any) -> Hashes:
    if record not in _of_states:
        return ()
    constants, functions = _of_states[record]
    return (repr(constants), *contents_of(functions))


class _Entries:
    """The entries of one function, each in a file named by its key.

    numba numbers them instead, and two processes that compile a function for two games at the same time may take
    the same number; afterwards one game would be played by the code of the other.
    """

    def __init__(self, folder: str, name: str, stamp: Any) -> None:
        self.folder, self.name, self.stamp = folder, name, stamp

    def _file(self, key: Any) -> IndexDataCacheFile:
        hashed = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return IndexDataCacheFile(self.folder, f"{self.name}-{hashed}", self.stamp)

    def load(self, key: Any) -> Any:
        return self._file(key).load(key)

    def save(self, key: Any, data: Any) -> None:
        self._file(key).save(key, data)
        for old in _newest_first(Path(self.folder).glob(f"{self.name}-*"))[2 * KEPT_ENTRIES :]:  # index and code
            old.unlink(missing_ok=True)


class _Results(CompileResultCacheImpl):
    """How a compiled function becomes the contents of a file and back, parts of others included."""

    def reduce(self, cres: Any) -> tuple[Any, ...]:
        """The contents of a file from the result of a compilation, without the text of its types."""
        return cres._replace(type_annotation="")._reduce()

    def rebuild(self, target_context: Any, payload: tuple[Any, ...]) -> Any:
        """The result of a compilation from the contents of a file."""
        return from_payload(target_context, payload)


class SourceCache(FunctionCache):
    """numba's cache of a function, with all the sources and values that it depends on in the keys."""

    _impl_class = _Results

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        sources_of(function)  # read now, before they can be edited
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Entries(self._cache_path, self._impl.filename_base, stamp)

    def _hashes(self, signature: Any) -> Hashes:
        arguments = getattr(signature, "args", signature)
        records = dict.fromkeys(a.dtype if isinstance(a, types.Array) else a for a in arguments)
        return (*contents_of((self._py_func,)), *(h for record in records for h in _contents_of_states(record)))

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return (*super()._index_key(signature, codegen), self._hashes(signature), for_a_part())

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function for a signature, or None."""
        return None if None in self._hashes(signature) else super().load_overload(signature, target)

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keeps a compiled function, unless some of what it contains is unknown."""
        if None not in self._hashes(signature):
            super().save_overload(signature, data)
