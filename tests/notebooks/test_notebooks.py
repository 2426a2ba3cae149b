"""The notebooks run, at small size, and their outputs are kept."""

import ast
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

FOLDER = Path(__file__).parents[2] / "notebooks"
STUDY = FOLDER.parent / "docs" / "studies" / "bites-greedy"

# What the tests make smaller. The cell with the tag `parameters` says so; all its other settings stay.
SMALL = {
    "bites": {"GAMES": 3000},
    "rodentia": {"GAMES": 60},
    "rattus": {"GAMES": 60},
    "training": {"STEPS": 512, "EVALUATED": 16, "LANES": 8},
}
STUDIES = tuple(name for name in SMALL if name != "training")
# The tests of a game run in one worker, so that it is compiled once; training plays Bites.
TRAINING = pytest.param("training", id="training-bites")
ESTIMATE = re.compile(r"^(\w+) +(\S+)  \((\S+) to (\S+)\)$", re.MULTILINE)
MEASURED = re.compile(r"^ *([\d,]+) decisions, (\w+): wins (\S+)% \((\S+)% to (\S+)%\)$", re.MULTILINE)


def read(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def parameters(notebook: Any) -> int:
    """The place of the cell with the tag `parameters`."""
    (place,) = (i for i, cell in enumerate(notebook.cells) if "parameters" in cell.metadata.get("tags", ()))
    return place


def assigned(source: str) -> dict[str, Any]:
    """The names that a cell sets, and their values."""
    scope: dict[str, Any] = {}
    exec(source, scope)
    return scope


def executed(name: str, folder: Path) -> list[Any]:
    """The cells with code of a notebook that was run in `folder` at small size; an error in a cell is raised."""
    notebook = read(name)
    place, smaller = parameters(notebook), SMALL[name]
    notebook.cells.insert(place + 1, nbformat.v4.new_code_cell("\n".join(f"{k} = {v}" for k, v in smaller.items())))
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    del notebook.cells[place + 1]
    return code_of(notebook)


def code_of(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def kinds(cell: Any) -> set[str]:
    """What a cell shows: the kinds of data, or that it prints; without what libraries may warn of."""
    shown = {kind for output in cell.outputs for kind in output.get("data", {output.get("name"): None})}
    return shown - {"stderr"}


def printed(cells: list[Any]) -> str:
    return "".join(output.text for cell in cells for output in cell.outputs if output.output_type == "stream")


def test_every_notebook_is_run_here() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(SMALL)


@pytest.mark.parametrize("name", SMALL)
def test_only_sizes_are_made_smaller(name: str) -> None:
    notebook = read(name)
    source = notebook.cells[parameters(notebook)].source
    assert source.startswith("# The tests run this notebook with fewer ")
    assert all(value < assigned(source)[size] for size, value in SMALL[name].items())


@pytest.mark.parametrize("name", STUDIES)
def test_notebook_of_a_game_runs(name: str, tmp_path: Path) -> None:
    """Every cell shows what it shows in the notebook; few games establish no difference, which then has no picture."""
    cells = executed(name, tmp_path)
    for cell, kept in zip(cells, code_of(read(name)), strict=True):
        assert kinds(cell) == kinds(kept) or ("preferred(" in cell.source and not cell.outputs), cell.source
    text = printed(cells)
    (game,) = re.findall(r"points (\[.*?\]) places (\[.*?\])", text)
    points, places = map(ast.literal_eval, game)
    assert len(points) == 4 and points[places.index(1)] == max(points)
    estimates = {found: [float(number) for number in numbers] for found, *numbers in ESTIMATE.findall(text)}
    assert set(estimates) == {"decisions", "options", "lead_changes", "behind", "decided", "margin"}
    assert all(low <= value <= high and high > 0 for value, low, high in estimates.values())


def test_what_the_notebook_says_of_cards_and_seats_is_what_the_study_found() -> None:
    text = read("bites").cells[-1].source
    told = re.findall(r"by (\d+)(?: percentage points of wins)? with `(\w+)`", text)
    assert [card for _, card in told] == ["collector", "teetotaler"] and "not who wins" not in text
    found = pd.read_csv(STUDY / "summary.csv", dtype={"seat": str}, keep_default_na=False)
    for points, card in told:
        wins = found[(found.fact == "wine") & (found.category == card) & (found.bot == "")].set_index("seat").win
        assert 100 * (float(wins["0"]) - float(wins["3"])) == pytest.approx(int(points), abs=1)


@pytest.mark.parametrize("name", [TRAINING])
def test_notebook_of_training_runs(name: str, tmp_path: Path) -> None:
    """The agent is measured before it has learned and after each piece, against both opponents."""
    pytest.importorskip("sb3_contrib")
    cells = executed(name, tmp_path)
    assert [kinds(cell) for cell in cells] == [kinds(cell) for cell in code_of(read(name))]
    measured = [(int(at.replace(",", "")), *rest) for at, *rest in MEASURED.findall(printed(cells))]
    steps = [at for at, opponent, *_ in measured if opponent == "uniform"]
    assert steps == [at for at, opponent, *_ in measured if opponent == "greedy"]
    assert len(steps) == 5 and steps[0] == 0 and steps == sorted(set(steps)) and steps[-1] >= SMALL[name]["STEPS"]
    assert all(0 <= float(low) <= float(share) <= float(high) <= 100 for _, _, share, low, high in measured)


@pytest.mark.parametrize("name", [*STUDIES, TRAINING])
def test_outputs_are_kept_and_name_no_machine(name: str) -> None:
    code = code_of(read(name))
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert len(outputs) >= 5 and not [o for o in outputs if o.output_type == "error"]
    assert not [o for o in outputs if o.get("name") == "stderr"]
    text = (FOLDER / f"{name}.ipynb").read_text()
    assert not [folder for folder in ("home", "root", "tmp") if f"/{folder}/" in text]
    assert any("image" in kind for o in outputs for kind in o.get("data", {}))
