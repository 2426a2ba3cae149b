"""Files of studies: complete or not there at all, and what is wrong with the disk said in one line."""

import errno
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tabletop.files import replacing

MANIFEST = "manifest.json"  # in the folder of a study, or of several
UNFINISHED = re.compile(r"\.(.+)\.\d+\.unfinished")  # what a file is called by `replacing` until it is complete
RESUMED = "nothing that was complete is lost: the same command goes on"


def write_file(path: Path, content: bytes, lasting: bool = False) -> None:
    """Writes a file that is complete or not there; OSError with the path, what is missing and what to do.

    lasting: it is on the disk before it takes the place of an older one, so that a power cut leaves one of the two.
    """
    with explained(path, len(content)), replacing(path) as unfinished:
        unfinished.write_bytes(content)
        if lasting:
            with unfinished.open("rb+") as written:
                os.fsync(written.fileno())


def any_of(names: Iterable[str]) -> re.Pattern[str]:
    """A pattern that fits just these names."""
    return re.compile("|".join(map(re.escape, names)))


def found_in(folder: Path, names: re.Pattern[str]) -> list[Path]:
    """The files in a folder whose names fit; none if there is no such folder."""
    there = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in there if names.fullmatch(path.name) and not path.is_dir()]


def unfinished_in(folder: Path, names: re.Pattern[str]) -> list[Path]:
    """What runs that were killed left of files with names that fit."""
    found = ((path, UNFINISHED.fullmatch(path.name)) for path in found_in(folder, UNFINISHED))
    return [path for path, parts in found if parts and names.fullmatch(parts[1])]


def delete(paths: Iterable[Path]) -> None:
    """Deletes files, in their order."""
    for path in paths:
        with explained(path):
            path.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Makes a folder, and those that it lies in, if it is not there; OSError that says what to do if it cannot be."""
    with explained(path, is_folder=True):
        path.mkdir(parents=True, exist_ok=True)


@contextmanager
def explained(path: Path, needed: int = 0, is_folder: bool = False) -> Iterator[None]:
    """Gives an OSError of the block a path and a text for the user.

    needed: bytes that were to be written. is_folder: a folder was to be made, and no file.
    """
    try:
        yield
    except OSError as error:
        text = _explanation(error, path, needed, is_folder)
        text += f"; {RESUMED}" if _is_begun(path) else ""
        raise OSError(error.errno, text, str(path)) from error


def _is_begun(path: Path) -> bool:
    """Whether a study lies where a path leads, so that something may be complete."""
    try:
        return any((folder / MANIFEST).is_file() for folder in path.parents[:2])
    except OSError:  # it may not even be looked at
        return False


def _explanation(error: OSError, path: Path, needed: int, is_folder: bool) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"no space left, {_size(needed)} are needed and {_free(path)}; make room"
    if error.errno == errno.EFBIG:
        return f"files may not have the {_size(needed)} that are needed (see ulimit -f)"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"no permission to write here ({error.strerror}); choose another folder or change its rights"
    if error.errno in (errno.ENOTDIR, errno.EEXIST, errno.EISDIR):
        return f"a file lies where a folder is needed, or the reverse ({error.strerror}); choose another folder"
    reason = error.strerror or str(error)
    return f"this folder cannot be made ({reason}); choose another one" if is_folder else reason


def _size(size: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _free(path: Path) -> str:
    """How much is free on the disk of a path, as far as that can be known."""
    folder = next((p for p in path.absolute().parents if p.is_dir()), None)
    try:
        return f"{_size(shutil.disk_usage(folder or os.sep).free)} are free"
    except OSError:
        return "how much is free is not known"
