"""The notebooks run, at small size, and their outputs are kept."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

FOLDER = Path(__file__).parents[2] / "notebooks"

# What stands in place of the cell with the tag `parameters`.
SMALL = {
    "bites": 'PLAYERS, GAMES, SEED = 3, 200, 2\nOPTIONS = {"wine": "random", "special": "favourite"}',
    "rodentia": "PLAYERS, GAMES, SEED = 2, 30, 2\nOPTIONS = {}",
    "rattus": "PLAYERS, GAMES, SEED = 3, 60, 2\nOPTIONS = {}",
    "training": "STEPS, EVALUATED, LANES, SEED = 512, 16, 8, 0",
}
# The tests of a game run in one worker, so that it is compiled once; training plays Bites.
NAMES = [pytest.param(name, id="training-bites" if name == "training" else name) for name in SMALL]


def read(name: str):
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def parameters(notebook) -> list:
    """The cells with the tag `parameters`."""
    return [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]


def test_every_notebook_is_run_here() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs(name: str, tmp_path: Path) -> None:
    if name == "training":
        pytest.importorskip("sb3_contrib")
    notebook = read(name)
    (cell,) = parameters(notebook)
    assert cell.source.count("=") >= 1
    cell.source = SMALL[name]
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_kept_and_name_no_machine(name: str) -> None:
    notebook = read(name)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert len(outputs) >= 5 and not [o for o in outputs if o.output_type == "error"]
    assert not [o for o in outputs if o.get("name") == "stderr"]
    text = (FOLDER / f"{name}.ipynb").read_text()
    assert not [folder for folder in ("home", "root", "tmp") if f"/{folder}/" in text]
    assert any("image" in kind for o in outputs for kind in o.get("data", {}))
