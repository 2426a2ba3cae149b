"""What all commands that run a study have in common: their arguments, and what happens around the shards."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated

import pyarrow as pa
import tyro
from rich.console import RenderableType

from experiments import console
from experiments.arguments import GameArguments
from experiments.studies.folder import Study
from experiments.studies.plan import Plan
from experiments.studies.running import Workers, run


@dataclass(frozen=True, kw_only=True)
class StudyCommand(GameArguments):
    """A command whose results lie in a folder as a study, which goes on where it was if it is interrupted."""

    seed: Annotated[int, tyro.conf.arg(metavar="S")]
    """Seed of the study, 0 to 2**64 - 1."""

    out: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """Folder for the results; it is made if it does not exist."""

    workers: Annotated[int | None, tyro.conf.arg(metavar="W")] = None
    """Workers on this machine, by default one for each processor. The results do not depend on it."""

    cluster: bool = False
    """Play on a Ray cluster: the one that RAY_ADDRESS names, else one started here (extra `cluster`)."""

    restart: bool = False
    """Delete the study that lies in DIR and begin anew."""

    def plan(self) -> Plan:
        """What the study plays; ValueError if the arguments do not fit together."""
        raise NotImplementedError

    def sum_up(self, study: Study, tables: Iterator[pa.Table]) -> Iterable[RenderableType]:
        """Goes through the shards in their order, writes the files of results and returns what is shown."""
        raise NotImplementedError

    def run(self) -> int:
        """Makes the shards that are missing, sums up, writes and prints; returns the exit code."""
        study, workers, start = Study(self.out, self.plan()), Workers(self.workers, self.cluster), perf_counter()
        games = study.plan.games * study.plan.games_a_unit
        try:
            with (
                study.at_work(self.restart),
                console.progress_bar("playing", games) as bar,
                closing(run(study, workers, bar.advance)) as shards,
            ):
                shown = self.sum_up(study, (study.table(shard) for shard in shards))
        except KeyboardInterrupt:
            raise KeyboardInterrupt("interrupted; what is complete is kept: the same command goes on") from None
        for part in shown:
            console.OUT.print(part)
        console.say(f"{games} games in {perf_counter() - start:.1f} s; results are in {self.out}")
        return console.SUCCESS
