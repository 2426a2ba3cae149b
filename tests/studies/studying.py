"""Small studies of Pebbles, commands, and the files that they make."""

from pathlib import Path

from experiments.command import COMMANDS
from experiments.console import run_any
from experiments.studies import Specification
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


def command(*arguments: object) -> int:
    """Runs `critters` with these arguments in this process; the exit code."""
    try:
        return run_any(COMMANDS, "", [str(a) for a in arguments])
    except SystemExit as exit_:
        return int(exit_.code or 0)
