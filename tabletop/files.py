"""Output files that are either complete or not there at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields where to write; the file takes the name `path`, and the place of an older one, when the block ends.

    If the block raises, the unfinished file is deleted and an older one stays as it was. Folders are made as
    needed. What is not an ordinary file, such as a pipe, is written to directly.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; expected the name of a file")
    if path.exists() and not path.is_file():
        yield path
        return
    if path.parent.exists() and not path.parent.is_dir():
        raise NotADirectoryError(f"{path.parent} is a file; expected a folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        if error.filename in (unfinished, str(unfinished)):
            error.filename = str(path)  # the name that the user knows
        raise
    finally:
        with suppress(OSError):  # such as a name that is too long: the first error says so
            unfinished.unlink(missing_ok=True)
