"""The scripts in `examples/` run, at a small size."""

import subprocess
import sys
from pathlib import Path

import pytest
from stacks import needs

EXAMPLES = Path(__file__).parents[2] / "examples"

# The stack and the game, and each line of arguments with what the script then prints.
RUNS = {
    "maskable_ppo": (
        "sb3",
        "bites",
        {
            "--steps 256 --lanes 4 --games 8": "after 256 steps: wins",
            "--single --steps 128 --games 8": "after 128 steps: wins",
        },
    ),
    "rllib_ppo": ("rllib", "rattus", {"--iterations 1 --decisions 64 --hidden 16": "iteration 0:"}),
    "open_spiel_search": ("openspiel", "bites", {"--simulations 2": "returns: ["}),
    "open_spiel_search hidden": (
        "openspiel",
        "rattus",
        {"--game rattus --simulations 2 --most-decisions 12": "0 search:"},
    ),
    "pettingzoo_random": ("pettingzoo", "rodentia", {"--game rodentia --players 3": "points: player_0"}),
}

# In one new process for all lines of arguments, as importing a stack takes longer than what is tried.
RUN = """
import runpy, sys
script, *lines = sys.argv[1:]
for line in lines:
    sys.argv = [script, *line.split()]
    runpy.run_path(script, run_name="__main__")
"""


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[*needs(stack), pytest.mark.xdist_group(game)]) for n, (stack, game, _) in RUNS.items()],
)
def test_example(name: str) -> None:
    *_, lines = RUNS[name]
    script = EXAMPLES / f"{name.split()[0]}.py"
    done = subprocess.run([sys.executable, "-c", RUN, str(script), *lines], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(expected in done.stdout for expected in lines.values())


def test_every_example_is_run() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {name.split()[0] for name in RUNS}
