"""Small studies of Pebbles, commands, and the files that they make."""

import json
from pathlib import Path

from experiments.command import COMMANDS
from experiments.console import run_any
from experiments.studies import Plan, Specification, Study, Workers
from experiments.studies import run as run_study
from tabletop import compiled_bot
from tabletop.bits import nth_in


@compiled_bot("first")
def first(state, legal, rng, params):
    """The first legal action."""
    return nth_in(legal, 0)


def pebbles(**fields: object) -> Specification:
    """A small study of Pebbles."""
    return Specification(**{"game": "pebbles", "players": 3, "bots": ("uniform",), "seed": 5, "games": 640, **fields})


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a study by its name, but the one of times."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "times.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def made(folder: Path, plan: Plan, workers: Workers | None = None, **more: bool) -> dict[str, bytes]:
    """Makes a study; its files."""
    study = Study(folder, plan)
    with study.at_work(**more):
        assert list(run_study(study, workers or Workers(1))) == list(range(plan.shards))
    return content(folder)


def checksums(folder: Path) -> dict[str, str]:
    """What is noted of the shards of a study."""
    file = folder / "checksums.json"
    return json.loads(file.read_text()) if file.exists() else {}


def command(*arguments: object) -> int:
    """Runs `critters` with these arguments in this process; the exit code."""
    try:
        return run_any(COMMANDS, "", [str(a) for a in arguments])
    except SystemExit as exit_:
        return int(exit_.code or 0)
