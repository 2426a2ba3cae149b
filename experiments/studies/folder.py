"""The folder of a study: `manifest.json` (what was asked, and with what it was made) and `shards/*.parquet`.

Everything in it but `times.json` follows from the plan, byte for byte. One run at a time may work in it. A shard is
used only if its checksum is the one in `checksums.json`; a run makes the others anew, and who reads is refused.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from experiments import console
from experiments.studies.checksums import CHECKSUMS, Checksums
from experiments.studies.disk import any_of, delete, found_in, make_folder, unfinished_in, write_file
from experiments.studies.environment import environment
from experiments.studies.manifest import (
    A_STUDY,
    MANIFEST,
    STUDY,
    StudyError,
    as_json,
    own_manifest,
    read_manifest,
    write_manifest,
)
from experiments.studies.plan import AnyPlan, Plan

try:
    import fcntl
except ImportError:  # Windows: a second run in the same folder is not noticed there
    fcntl = None  # type: ignore[assignment]

SHARDS, TIMES, PAGE = "shards", "times.json", "report.html"
TABLES = ("summary", "gap", "head_starts", "ties", "effects", "course", "choices", "counts")  # what the games say
SHARD = re.compile(r"\d{5,}\.parquet")
RESULTS = any_of([*(f"{name}.{kind}" for name in TABLES for kind in ("csv", "parquet")), PAGE, TIMES, CHECKSUMS])
MISSING = "is missing"
MOST_NAMED = 4  # studies in a message


class Study:
    """A plan with the folder in which its shards lie."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder, self.plan = folder, plan
        self._checksums: Checksums | None = None

    @staticmethod
    def open(folder: Path | str, *kinds: type[AnyPlan]) -> "tuple[Study, AnyPlan]":
        """The study that lies in a folder, to be read, and its plan; StudyError if it is none of these kinds."""
        content, path = _read_manifest(Path(folder))["study"], Path(folder) / MANIFEST
        for kind in kinds:
            if kind.kind == content.get("kind"):
                try:
                    plan = kind.from_json(content)
                except ValueError as error:
                    raise StudyError(f"{path}: {error}") from None
                return Study(Path(folder), plan), plan
        known = " or ".join(repr(kind.kind) for kind in kinds)
        raise StudyError(f"{path}: this is a study of the kind {_short(content.get('kind'))}; expected {known}")

    def tell_other_environment(self) -> None:
        """Says in what versions and sources are others now than the folder's manifest names, if any are."""
        if others := differences(_read_manifest(self.folder)["environment"], environment(self.plan)):
            console.say(f"the study was not made with what is here now: {'; '.join(others)}")

    @contextmanager
    def at_work(self, restart: bool = False) -> Iterator["Study"]:
        """Makes the folder, or takes it up again, and keeps other runs out of it within the block.

        StudyError if it holds another study; with `restart` that one is deleted. What is no study is never touched.
        """
        make_folder(self.folder)
        with alone_in(self.folder):
            self._checksums = None  # another run may have been at work until now
            self._take_up(restart)
            yield self

    def _take_up(self, restart: bool) -> None:
        manifest = {"format": STUDY, "study": self.plan.to_json(), "environment": environment(self.plan)}
        there = own_manifest(self.folder, A_STUDY)
        if not restart:
            self._refuse_other(there, manifest)
        make_folder(self.folder / SHARDS)
        delete(_unfinished(self.folder))
        if restart:
            delete(_made(self.folder))
        elif there is None:
            delete([self.folder / CHECKSUMS])  # of a study that is gone
        write_manifest(self.folder, manifest)

    def _refuse_other(self, there: dict[str, Any] | None, now: Mapping[str, Any]) -> None:
        if there is not None:
            _refuse_differences(self.folder, _whole(there, self.folder), now)
        elif found_in(self.folder / SHARDS, SHARD):
            raise StudyError(f"{self.folder} has shards of an unknown study and no {MANIFEST}; --restart deletes them")

    # Shards

    def path(self, shard: int) -> Path:
        """Where a shard lies."""
        return self.folder / SHARDS / f"{shard:05}.parquet"

    @property
    def checksums(self) -> Checksums:
        """The checksums in the folder, read when they are first needed."""
        if self._checksums is None:
            self._checksums = Checksums(self.folder)
        return self._checksums

    def faults(self) -> dict[int, str]:
        """The shards that are still to be made, and why: the file of each is missing, damaged, foreign or not noted."""
        found = {shard: self._read(shard)[1] for shard in range(self.plan.shards)}
        return {shard: fault for shard, fault in found.items() if fault}

    def _read(self, shard: int) -> tuple[bytes, str | None]:
        """The file of a shard, and what is wrong with it, to be said after its name."""
        path = self.path(shard)
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return b"", MISSING
        return content, self.checksums.fault(path, content)

    def write(self, shard: int, content: bytes) -> None:
        """Keeps a shard, then its checksum: one without is made again, should the run be killed in between."""
        write_file(self.path(shard), content)
        self.checksums.note(self.path(shard), content)

    def table(self, shard: int) -> pa.Table:
        """A shard; StudyError if it is missing, damaged, foreign or without a checksum."""
        content, fault = self._read(shard)
        if fault is None:
            try:
                return pq.read_table(pa.BufferReader(content))
            except (pa.ArrowException, OSError) as error:
                fault = f"is damaged, although it has the checksum in {CHECKSUMS}: {error}"
        if self.checksums.problem and fault != MISSING:
            raise StudyError(
                f"{self.checksums.path} {self.checksums.problem}, so nothing tells whether the shards are whole; run "
                f"{self.plan.command} again with the same arguments to make them anew (older versions: --restart)"
            )
        raise StudyError(
            f"{self.path(shard)} {fault}; run {self.plan.command} again with the same arguments to make it anew"
        )

    def tables(self) -> Iterator[pa.Table]:
        """All shards in their order, one at a time."""
        return map(self.table, range(self.plan.shards))

    def note_time(self, run: Mapping[str, Any]) -> None:
        """Adds how long a run took, which is no result, to `times.json`."""
        path = self.folder / TIMES
        try:
            runs = json.loads(path.read_bytes())
        except (FileNotFoundError, ValueError, RecursionError):
            runs = []
        write_file(path, as_json([*(runs if isinstance(runs, list) else []), dict(run)]))


def delete_study(folder: Path) -> None:
    """Deletes what a study left in a folder and nothing else, and the folder if it is empty then."""
    delete([*_unfinished(folder), *_made(folder), folder / MANIFEST])
    for emptied in (folder / SHARDS, folder):
        if emptied.is_dir() and not any(emptied.iterdir()):
            emptied.rmdir()


def _made(folder: Path) -> list[Path]:
    """What a study left in a folder beside its manifest: results first, as they are nothing without their shards."""
    return [*found_in(folder, RESULTS), *found_in(folder / SHARDS, SHARD)]


def _unfinished(folder: Path) -> list[Path]:
    """What runs that were killed left in the folder of a study."""
    own = re.compile(f"{RESULTS.pattern}|{re.escape(MANIFEST)}")
    return [*unfinished_in(folder, own), *unfinished_in(folder / SHARDS, SHARD)]


def encoded(table: pa.Table) -> bytes:
    """A table as the content of a Parquet file; equal tables give equal bytes if dictionaries repeat nothing."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()


def _read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a study that is to be read."""
    content = read_manifest(folder)
    if content is None:
        raise StudyError(f"{folder} holds no study: it has no {MANIFEST}{_elsewhere(folder)}")
    if content["format"] != STUDY:
        raise StudyError(f"{folder / MANIFEST} is not a manifest of the format {STUDY!r}{_elsewhere(folder)}")
    return _whole(content, folder)


def _whole(manifest: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A manifest of a study in which nothing is missing; StudyError that names what is."""
    for part in ("study", "environment"):
        if not isinstance(manifest.get(part), dict):
            found = f"is {_short(manifest[part])}" if part in manifest else MISSING
            raise StudyError(
                f"{folder / MANIFEST}: {part!r} {found}; expected an object, as the run that made the study wrote it"
            )
    return manifest


def _elsewhere(folder: Path) -> str:
    """The studies below a folder, as a command that makes several leaves them; nothing if there are none."""
    below = [path.parent.relative_to(folder) for depth in ("*", "*/*") for path in folder.glob(f"{depth}/{MANIFEST}")]
    if not below:
        return ""
    names = sorted(map(str, below))
    return f"; there are studies in its folders {', '.join(names[:MOST_NAMED])}{', …' if names[MOST_NAMED:] else ''}"


def _refuse_differences(folder: Path, there: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """StudyError that names every difference between the manifest that is there and the one asked for."""
    found = [text for part in ("study", "environment") for text in differences(there[part], now[part])]
    if found:
        raise StudyError(
            f"{folder} holds another study: {'; '.join(found)}. Choose another folder, or --restart to delete that one"
        )


def differences(there: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Every difference between two parts of manifests, of a folder and of what is asked for, as a text."""
    return [
        f"{_NAMES.get(name, f'{name} is')} {_short(there.get(name))} there and {_short(now.get(name))} now"
        for name in dict.fromkeys([*there, *now])
        if there.get(name) != now.get(name)
    ]


_NAMES = {"sources": "made with other sources of critters:"}  # what says little by its name


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:117] + "…"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keeps other runs out of a folder; the lock ends with the process, however that ends."""
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StudyError(f"{folder}: another run is at work in this folder") from None
