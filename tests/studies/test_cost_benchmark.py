"""The benchmark of what studies cost."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.studies import Studies, cost_of, study_of
from experiments.console import run_one
from experiments.studies import Specification

DOCS = Path(__file__).parents[2] / "docs"
PLAN = Specification(game="bites", players=2, bots=("greedy", "uniform"), games=200, seed=1)


def test_bites_studies_are_measured(capfd):
    assert run_one(Studies, ["--games", "bites", "--size", "200", "--workers", "1", "--pieces", "2"]) == 0
    told = capfd.readouterr().out
    assert "200 games of 4 greedy bots, workers: 1" in told
    (row,) = re.findall(r"bites +│ +([\d,]+) +│ +([\d,]+) +│ +([\d,]+) +│ +([\d.]+)", told)
    seconds, of_processors, megabytes, share = (float(cell.replace(",", "")) for cell in row)
    assert min(seconds, of_processors, share) > 0 and 50 < megabytes < 5000


@pytest.mark.parametrize("game", ["bites", "rattus", "rodentia"])
def test_the_studies_that_are_published_are_measured(game):
    manifest = json.loads((DOCS / f"studies/{game}-greedy/manifest.json").read_text())
    assert Specification.from_json(manifest["study"]) == study_of(game, players=4, games=1_000_000)


def test_a_study_that_fails_has_no_cost(monkeypatch):
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(subprocess.CalledProcessError):
        cost_of(PLAN, workers=1)
