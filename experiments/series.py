"""Several studies that one command makes in one folder, and what they say together.

`manifest.json` in the folder tells what was asked. The same command goes on there, and so does one that asks for all
that is there and for more; another one is refused, so that tables and studies of a folder belong together. One run at
a time may work in it.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
from rich.console import RenderableType

from experiments import console
from experiments.arguments import GameArguments
from experiments.reports.answers import Answer
from experiments.reports.played import OTHER_PLAYERS, all_in_play, what_was_played
from experiments.studies.checksums import CHECKSUMS, Checksums
from experiments.studies.command import StudyCommand
from experiments.studies.disk import any_of, delete, found_in, make_folder, unfinished_in, write_file
from experiments.studies.folder import MISSING, PAGE, alone_in, delete_study
from experiments.studies.manifest import (
    A_STUDY,
    MANIFEST,
    SERIES,
    StudyError,
    own_manifest,
    read_manifest,
    studies_of,
    write_manifest,
)
from experiments.studies.plan import EXPECTED, values_of
from tabletop.extras import MissingExtraError

HOW_TO_RUN = {"out", "workers", "cluster", "restart"}  # on which no result depends


@dataclass(frozen=True, kw_only=True)
class SeriesCommand(StudyCommand):
    """A command that compares studies. DIR gets them, and a table and a page with what they say together."""

    name: ClassVar[str]  # of the command, and of its table
    folders: ClassVar[tuple[str, ...]]  # patterns of the folders in which its studies lie
    unit: ClassVar[str]  # what `games` counts, in words

    def free(self) -> set[str]:
        """The arguments that may change from run to run: they show in the parts, or only in the tables."""
        return set()

    def varies(self) -> Iterable[str]:
        """The options and parameters that vary, or entries of them."""
        return ()

    def answer(self, table: pd.DataFrame) -> Answer:
        """What the table of results says."""
        raise NotImplementedError

    # The folder

    def run(self) -> int:
        """Plays what is missing, compares, writes and prints; returns the exit code."""
        with self._held:
            return super().run()

    @cached_property
    def _held(self) -> ExitStack:
        """What the command holds until it ends: the folder, out of which other runs are kept."""
        return ExitStack()

    def begin(self, parts: Sequence[str]) -> None:
        """Takes up the folder until the command ends; StudyError if it holds anything else.

        With --restart what this command made there is deleted; what another one made is never touched.
        parts: what is asked for, such as variations or bots; a later command may ask for more.
        """
        now = {"format": SERIES, "command": self.name, "asked": self._asked(), "parts": list(parts)}
        make_folder(self.out)
        self._held.enter_context(alone_in(self.out))
        there, studies = own_manifest(self.out, studies_of(self.name)), list(self._studies())
        if self.restart:
            self._delete(studies)
        elif there is not None:
            self._refuse_other(_whole(there, self.out), now)
        elif studies:
            raise StudyError(f"{self.out} has studies of an unknown command and no {MANIFEST}; --restart deletes them")
        delete(unfinished_in(self.out, any_of([*self._results(), MANIFEST])))
        write_manifest(self.out, now)

    def _asked(self) -> dict[str, Any]:
        """The arguments as JSON holds them, as far as results depend on them."""
        given = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in HOW_TO_RUN}
        return json.loads(json.dumps({**given, **self.played()}))

    def _refuse_other(self, there: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        asked = {name: (there["asked"].get(name), value) for name, value in now["asked"].items()}
        found = [
            f"{name} is {json.dumps(old)} there and {json.dumps(new)} now"
            for name, (old, new) in asked.items()
            if old != new and name not in self.free()
        ]
        wanted = set(now["parts"])
        if more := [part for part in there["parts"] if part not in wanted]:
            found.append(f"it has {few(more)}, which this command does not ask for")
        if found:
            raise StudyError(
                f"{self.out} holds another {self.name}: {'; '.join(found)}. Choose another folder, or --restart to "
                "delete that one"
            )

    def _studies(self) -> Iterator[Path]:
        """The folders in which studies of this command lie."""
        for pattern in self.folders:
            yield from (path for path in sorted(self.out.glob(pattern)) if (path / MANIFEST).is_file())

    def _delete(self, studies: Sequence[Path]) -> None:
        """Deletes what this command made, and nothing else that may lie there."""
        for study in studies:
            own_manifest(study, A_STUDY)  # before anything is deleted
        delete(found_in(self.out, any_of(self._results())))
        for study in studies:
            delete_study(study)

    def _results(self) -> tuple[str, ...]:
        """The files beside the manifest."""
        return (*self._tables(), PAGE, CHECKSUMS)

    # Results

    def _tables(self) -> tuple[str, str]:
        return f"{self.name}.csv", f"{self.name}.parquet"

    def conclude(self, table: pd.DataFrame) -> Iterator[RenderableType]:
        """Keeps the table and the page, and returns what is shown."""
        csv, parquet = self._tables()
        self.write(csv, table.to_csv(index=False))
        content = table.to_parquet(index=False)
        write_file(self.out / parquet, content)
        Checksums(self.out).note(self.out / parquet, content)
        answer = self._told(table)
        try:
            self.write(PAGE, answer.html())
        except MissingExtraError as error:
            console.say(f"no {PAGE}: {error}")
        return answer.for_terminal()

    @classmethod
    def answer_of(cls, folder: Path) -> Answer:
        """What was found in a folder, from its table; StudyError if that or the manifest is not as it was written."""
        path, known = folder / MANIFEST, [f.name for f in fields(cls) if f.name not in HOW_TO_RUN]
        try:
            asked = values_of(cls, known, _whole(read_manifest(folder) or {}, folder)["asked"], "'asked'")
            command = cls(**asked, out=folder)
            return command._told(command._kept())
        except StudyError:
            raise
        except ValueError as error:
            raise StudyError(f"{path}: {error}") from None
        except (LookupError, AttributeError) as error:  # the manifest was edited, or is of another version
            raise StudyError(f"{path} and {cls.name}.parquet do not fit together, as {error} shows; {_AGAIN}") from None

    def _told(self, table: pd.DataFrame) -> Answer:
        """What the table says, for whom that holds, and what was played."""
        variant, answer = self.variant(), self.answer(table)
        played = what_was_played(variant, self._arguments(), all_in_play(variant), varies=self.varies())
        return replace(answer, strength=_STRENGTH, played=played)

    def _arguments(self) -> Iterator[tuple[str, str]]:
        """The arguments of this command on which its results depend, in words; those of the game stand elsewhere."""
        elsewhere = HOW_TO_RUN | {f.name for f in fields(GameArguments)}
        for name in (f.name for f in fields(self) if f.name not in elsewhere):
            value = getattr(self, name)
            if value is not None:
                yield self.unit if name == "games" else name, _in_words(value)

    def _kept(self) -> pd.DataFrame:
        """The table that an earlier run left; StudyError if it is missing, damaged, foreign or without a checksum."""
        path = self.out / self._tables()[1]
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            raise StudyError(f"{path} {MISSING}; {_AGAIN}") from None
        if fault := Checksums(self.out).fault(path, content):
            raise StudyError(f"{path} {fault}; {_AGAIN}")
        return pd.read_parquet(io.BytesIO(content))


def _in_words(value: Any) -> str:
    """An argument as a page shows it."""
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return ", ".join(value) if isinstance(value, tuple) else str(value)


_STRENGTH = f"All of this holds for the bots that played; {OTHER_PLAYERS}"
_AGAIN = "run the command again with the same arguments"


def command_of(folder: Path) -> str:
    """The name of the command whose studies lie in a folder; nothing if there is no such command."""
    manifest = read_manifest(folder) or {}
    return str(manifest.get("command", "")) if manifest.get("format") == SERIES else ""


def _whole(manifest: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A manifest of this format in which nothing is missing; StudyError that names what is."""
    for part, kind in (("asked", dict[str, Any]), ("parts", tuple[str, ...])):
        fits, expected = EXPECTED[kind]
        if not fits(manifest.get(part)):
            found = f"is {json.dumps(manifest[part])}" if part in manifest else MISSING
            raise StudyError(
                f"{folder / MANIFEST}: {part!r} {found}; expected {expected}, as the run that made it wrote it "
                "(--restart deletes what it made)"
            )
    return manifest


def few(names: Sequence[str]) -> str:
    """Names, the first of many; those of several parts are kept apart."""
    return ("; " if any(", " in name for name in names) else ", ").join(names[:5]) + (
        f" and {len(names) - 5} more" if len(names) > 5 else ""
    )
