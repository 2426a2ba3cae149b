"""`manifest.json` in a folder: what was asked, by a command that makes one study there or by one that makes several.

It tells of which kind a folder is. A command works only in a new folder or in one of its own kind: --restart deletes
what lies there of that kind, and a folder of another kind is refused and stays as it is.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.studies.disk import MANIFEST, write_file

STUDY, SERIES = "critters-study/1", "critters-series/1"  # formats: of one study, and of several that are compared
A_STUDY = "a study"  # the kind of a folder


class StudyError(ValueError):
    """A folder that holds no study, or another one than was asked for."""


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a folder, of whatever kind, if it has one; StudyError if that cannot be read."""
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, OSError, RecursionError) as error:
        raise StudyError(f"{path} cannot be read: {error}; {_UNKNOWN}") from None
    if not isinstance(content, dict) or content.get("format") not in (STUDY, SERIES):
        raise StudyError(f"{path} is not a manifest of the format {STUDY!r} or {SERIES!r}; {_UNKNOWN}")
    return content


_UNKNOWN = "as nothing tells what lies there, nothing is overwritten (delete it yourself if all of that may go)"


def own_manifest(folder: Path, kind: str) -> dict[str, Any] | None:
    """The manifest of a folder that is to be worked in, if it has one; StudyError if it is of another kind."""
    content = read_manifest(folder)
    if content is not None and kind_of(content) != kind:
        raise StudyError(
            f"{folder} holds {kind_of(content)}, and not {kind}; choose another folder, as --restart deletes nothing "
            "of another kind"
        )
    return content


def kind_of(manifest: Mapping[str, Any]) -> str:
    """What lies in a folder with this manifest."""
    return A_STUDY if manifest["format"] == STUDY else studies_of(str(manifest.get("command", "(unknown)")))


def studies_of(command: str) -> str:
    """The kind of a folder in which a command makes several studies."""
    return f"studies of critters {command}"


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Writes the manifest of a folder."""
    write_file(folder / MANIFEST, as_json(content))


def as_json(content: Any) -> bytes:
    """Content as the text of a file that people may read."""
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
