"""The console script `critters`: each sub-command is a file of this folder, and `python -m experiments.<name>`."""

import sys
from importlib.metadata import version

from experiments.balance import Balance
from experiments.benchmark import Benchmark
from experiments.chance import Chance
from experiments.console import Command, run_any
from experiments.record import Record
from experiments.replay import Replay
from experiments.report import Report
from experiments.restrict import Restrict
from experiments.skill import Skill
from experiments.sweep import Sweep
from experiments.tournament import Tournament
from experiments.tune import Tune

# A new command is a dataclass with a method `run` in a file of its own, and a line here.
COMMANDS: dict[str, type[Command]] = {
    "balance": Balance,
    "sweep": Sweep,
    "chance": Chance,
    "skill": Skill,
    "restrict": Restrict,
    "report": Report,
    "record": Record,
    "replay": Replay,
    "benchmark": Benchmark,
    "tournament": Tournament,
    "tune": Tune,
}


def main() -> None:
    """The console script: runs one command and exits with its code."""
    sys.exit(run_any(COMMANDS, f"Critters {version('critters')}: tabletop games about small animals, for research."))


if __name__ == "__main__":
    main()
