"""What all commands that run studies have in common: their arguments, and what happens around the shards."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Annotated, Any

import tyro
from rich.console import RenderableType

from experiments import console
from experiments.arguments import Folder, GameArguments, Seed
from experiments.studies.disk import write_file
from experiments.studies.folder import Study
from experiments.studies.plan import Plan
from experiments.studies.running import Workers, run


@dataclass(frozen=True, kw_only=True)
class StudyCommand(GameArguments):
    """A command whose games lie in a folder as studies, which go on where they were if they are interrupted."""

    seed: Seed
    """Seed of the study, 0 to 2**64 - 1."""

    out: Folder
    """Folder for the results; it is made if it does not exist."""

    workers: Annotated[int | None, tyro.conf.arg(metavar="W")] = None
    """Workers on this machine, by default one for each processor. The results do not depend on it."""

    cluster: bool = False
    """Play on a Ray cluster: the one that RAY_ADDRESS names, else one started here (extra `cluster`)."""

    restart: bool = False
    """Delete what this kind of command made in DIR, and begin anew; a DIR of another kind is refused."""

    def results(self, workers: Workers) -> Iterable[RenderableType]:
        """Makes the studies, writes the files of results and returns what is shown; ValueError for bad arguments."""
        raise NotImplementedError

    def played(self) -> dict[str, Any]:
        """The game, its settings and the seed, as every plan takes them."""
        settings = {"options": self.options, "parameters": self.parameters}
        return {"game": self.game, "players": self.variant().players, "seed": self.seed, **settings}

    def run(self) -> int:
        """Plays what is missing, sums up, writes and prints; returns the exit code."""
        start = perf_counter()
        try:
            with Workers(self.workers, self.cluster).ready() as workers:
                shown = self.results(workers)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("interrupted; what is complete is kept: the same command goes on") from None
        for part in shown:
            console.OUT.print(part)
        console.say(f"{perf_counter() - start:.1f} s; results are in {self.out}")
        return console.SUCCESS

    @contextmanager
    def shards_of(self, plan: Plan, workers: Workers) -> Iterator[tuple[Study, Iterator[int]]]:
        """The study in the command's folder, and its shards in their order, each as soon as it is there."""
        study = Study(self.out, plan)
        with (
            study.at_work(self.restart),
            console.progress_bar("playing", plan.all_games) as bar,
            closing(run(study, workers, bar.advance)) as shards,
        ):
            yield study, shards

    def make(self, plans: Mapping[str, Plan], workers: Workers, what: str = "playing") -> dict[str, Study]:
        """Makes several studies, each in the folder of its name below the command's; returns them complete."""
        studies = {name: Study(self.out / name, plan) for name, plan in plans.items()}
        with console.progress_bar(what, sum(plan.all_games for plan in plans.values())) as bar:
            for study in studies.values():
                with study.at_work(self.restart), closing(run(study, workers, bar.advance)) as shards:
                    for _ in shards:
                        pass
        return studies

    def write(self, name: str, text: str) -> None:
        """Keeps a file of results in the command's folder."""
        write_file(self.out / name, text.encode())


def name_of_folder(text: str) -> str:
    """A text as the name of a folder, with a hash where it has odd characters or too many of them."""
    plain = "".join(c if c.isalnum() or c in "=.,-+[] " else "_" for c in text)[:MOST_LETTERS].strip(" .")
    return plain if plain == text else f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


MOST_LETTERS = 100  # of a text in the name of a folder
