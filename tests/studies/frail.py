"""Studies that other processes make, of which a shard kills its process, once or always, or raises an error."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
from studying import content

from experiments.studies import Specification, Study, Workers
from experiments.studies import run as run_study
from tabletop import FailedBotError


@dataclass(frozen=True, kw_only=True)
class Frail(Specification):
    kind: ClassVar[str] = "frail"
    mark: str = ""  # a file that tells that the process has died

    def play(self, shard: int, done=None) -> pa.Table:
        if shard == 3 and not Path(self.mark).exists():
            Path(self.mark).write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(shard, done)

    @property
    def is_compiled(self) -> bool:
        return False  # so that processes play


@dataclass(frozen=True, kw_only=True)
class Deadly(Specification):
    kind: ClassVar[str] = "deadly"

    def play(self, shard: int, done=None) -> pa.Table:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().play(shard, done)


@dataclass(frozen=True, kw_only=True)
class Failing(Specification):
    kind: ClassVar[str] = "failing"

    def play(self, shard: int, done=None) -> pa.Table:
        raise FailedBotError("pebbles: bot 'odd' raised KeyError(3) in game 7") from KeyError(3)


def made_by_others(folder: Path, plan: Specification, workers: Workers) -> dict[str, bytes]:
    """The files, but for the manifest, of a study that other processes make, one of which dies."""
    mark, heard = folder.with_name("mark"), []
    study = Study(folder, Frail(**{**plan.__getstate__(), "mark": str(mark)}))
    with study.at_work():
        assert list(run_study(study, workers, heard.append)) == list(range(plan.shards))
    assert int(mark.read_text()) != os.getpid() and sum(heard) == plan.all_games
    return without_manifest(content(folder))


def without_manifest(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files that do not tell which kind of study it is."""
    return {name: data for name, data in files.items() if name != "manifest.json"}
