"""`checksums.json` in a folder: the SHA-256 of each shard of a study, or of the table of a command that compares some.

So no damaged or foreign one is read.
"""

import hashlib
import json
from pathlib import Path

from experiments.studies.disk import write_file

CHECKSUMS = "checksums.json"


class Checksums:
    """The checksums that are noted in a folder, by the files' paths in it."""

    def __init__(self, folder: Path) -> None:
        """Reads them; a file that is missing or damaged notes nothing, and `problem` says so."""
        self.folder, self.path = folder, folder / CHECKSUMS
        self.problem: str | None = None
        self.noted: dict[str, str] = {}
        try:
            self.noted = _read(self.path)
        except FileNotFoundError:
            self.problem = "is missing"
        except (ValueError, RecursionError):
            self.problem = "is damaged"

    def fault(self, file: Path, content: bytes) -> str | None:
        """What is wrong with the content of a file, to be said after its name; None if it is as noted."""
        noted = self.noted.get(self._name(file))
        if self.problem:
            return f"cannot be verified: {CHECKSUMS} {self.problem}"
        if noted is None:
            return f"has no checksum in {CHECKSUMS}"
        return None if _sum(content) == noted else f"is damaged or foreign: it has not the checksum in {CHECKSUMS}"

    def note(self, file: Path, content: bytes) -> None:
        """Notes the checksum of a file that has just been written; this file is complete at every moment."""
        self.noted[self._name(file)] = _sum(content)
        self.problem = None
        self.noted = dict(sorted(self.noted.items()))
        write_file(self.path, (json.dumps(self.noted, indent=2) + "\n").encode(), lasting=True)

    def _name(self, file: Path) -> str:
        return file.relative_to(self.folder).as_posix()


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(path: Path) -> dict[str, str]:
    noted = json.loads(path.read_bytes())
    if not isinstance(noted, dict) or not all(isinstance(checksum, str) for checksum in noted.values()):
        raise ValueError(f"{path} does not hold checksums by names")
    return noted
