"""The scripts in `examples/` run, at a small size."""

import subprocess
import sys
from pathlib import Path

import pytest
from stacks import needs

EXAMPLES = Path(__file__).parents[2] / "examples"

RUNS = {
    "maskable_ppo": ("sb3", "bites", "--steps 256 --lanes 4 --games 8", "after 256 steps: wins"),
    "maskable_ppo single": ("sb3", "bites", "--single --steps 128 --games 8", "after 128 steps: wins"),
    "rllib_ppo": ("rllib", "rattus", "--iterations 1 --decisions 64 --hidden 16", "iteration 0:"),
    "open_spiel_search": ("openspiel", "bites", "--simulations 2", "returns: ["),
    "open_spiel_search hidden": (
        "openspiel",
        "rattus",
        "--game rattus --simulations 2 --most-decisions 12",
        "0 search:",
    ),
    "pettingzoo_random": ("pettingzoo", "rodentia", "--game rodentia --players 3", "points: player_0"),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[*needs(stack), pytest.mark.xdist_group(game)]) for n, (stack, game, *_) in RUNS.items()],
)
def test_example(name: str) -> None:
    *_, arguments, expected = RUNS[name]
    script = EXAMPLES / f"{name.split()[0]}.py"
    done = subprocess.run(
        [sys.executable, str(script), *arguments.split()], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_every_example_is_run() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {name.split()[0] for name in RUNS}
