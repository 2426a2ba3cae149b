"""Folders of commands that compare studies: what was edited or damaged in them is told of in a line, and mended."""

import json
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from pebbles import PEBBLES
from studying import command, content

from experiments.studies import plan

pytestmark = [pytest.mark.xdist_group("pebbles"), pytest.mark.usefixtures("few_shards")]

SETTINGS = ("--options", '{"take": "up_to", "passing": true}', "--parameters", '{"turns": 30}')
FREE = ("pebbles", "--players", 3, "--seed", 3, *SETTINGS)
COMMANDS = {
    "sweep": ("sweep", *FREE, "--games", 12, "--bots", "uniform", "--vary", '{"size": [2, 4]}'),
    "restrict": ("restrict", *FREE, "--games", 12, "--bot", "uniform", "--forbid", "pass"),
    "chance": ("chance", *FREE, "--games", 3, "--starts", 4, "--bots", "uniform"),
    "skill": ("skill", *FREE, "--games", 12, "--bots", "uniform,first"),
}
WRONG: tuple[object, ...] = (-1, 1.5, True, None, "x", [], [3], {"x": [1]})


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what each command makes."""
    folder = tmp_path_factory.mktemp("series")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "LEAST_SHARDS", 4)
        for name, arguments in COMMANDS.items():
            assert command(*arguments, "--out", folder / name) == 0
    return folder


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    """A copy of them, to be damaged."""
    return Path(shutil.copytree(finished, tmp_path / "copy"))


def edited(folder: Path, **parts: object) -> None:
    """Writes other parts into a manifest, or takes those out that are `...`."""
    path = folder / "manifest.json"
    whole = {**json.loads(path.read_text()), **parts}
    path.write_text(json.dumps({name: part for name, part in whole.items() if part is not ...}))


def differing(folder: Path, other: Path) -> list[str]:
    """The files in which two folders differ."""
    one, two = content(folder), content(other)
    return [name for name in {**one, **two} if one.get(name) != two.get(name)]


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What a command says that is refused; it must be one line and no traceback."""
    capsys.readouterr()
    assert command(*arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1
    return error


@pytest.mark.parametrize("name", COMMANDS)
def test_a_manifest_without_one_of_its_parts(finished, copy, capsys, name):
    folder = copy / name
    for part in ("asked", "parts"):
        for value in (..., None, "x", 3, [3]):
            shutil.copy(finished / name / "manifest.json", folder)
            edited(folder, **{part: value})
            found = "is missing" if value is ... else f"is {json.dumps(value)}"
            for arguments in (("report", folder), (*COMMANDS[name], "--out", folder)):
                assert f"{folder}/manifest.json: '{part}' {found}; expected " in refused(capsys, *arguments)
    assert command(*COMMANDS[name], "--restart", "--out", folder) == 0
    assert differing(folder, finished / name) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_value_of_what_was_asked_ends_in_a_traceback(copy, capsys, name):
    folder, refusals = copy / name, 0
    asked = json.loads((folder / "manifest.json").read_text())["asked"]
    for key in asked:
        for value in (..., *WRONG):
            changed = {k: v for k, v in {**asked, key: value}.items() if v is not ...}
            edited(folder, asked=changed)
            capsys.readouterr()
            code, error = command("report", folder), capsys.readouterr().err
            assert code == 0 or (code == 2 and error.startswith("error: ") and error.count("\n") == 1)
            assert code == 0 or f"{folder}/manifest.json" in error
            refusals += code == 2
    assert refusals > 5 * len(asked)
    edited(folder, asked={**asked, "colour": 1})
    assert "'asked': the keys colour are missing or unknown" in refused(capsys, "report", folder)


@pytest.mark.parametrize("text", ["{", "[]", "\udcff", "[" * 100_000, '{"format": "critters-series/1"}'])
def test_a_manifest_that_is_none(copy, capsys, text):
    path = copy / "sweep/manifest.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    for arguments in (("report", copy / "sweep"), (*COMMANDS["sweep"], "--out", copy / "sweep")):
        assert str(copy / "sweep") in refused(capsys, *arguments)


# The table


def raise_numbers(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(**{name: table[name] + 1 for name in table.select_dtypes("number").columns})


def drop(table: pd.DataFrame) -> pd.DataFrame:
    return table.drop(columns=table.columns[1])


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("change", [raise_numbers, drop])
def test_a_table_that_was_changed_is_refused_and_made_again(finished, copy, capsys, name, change):
    folder, path = copy / name, copy / name / f"{name}.parquet"
    change(pd.read_parquet(path)).to_parquet(path, index=False)
    assert differing(folder, finished / name) == [path.name]
    error = refused(capsys, "report", folder)
    assert f"{path} is damaged or foreign: it has not the checksum in checksums.json; run the command again" in error
    assert command(*COMMANDS[name], "--out", folder) == 0
    assert differing(folder, finished / name) == []


def test_a_table_that_is_cut_missing_or_not_noted(copy, capsys):
    path = copy / "sweep/sweep.parquet"
    path.write_bytes(path.read_bytes()[:100])
    assert "sweep.parquet is damaged or foreign" in refused(capsys, "report", copy / "sweep")
    path.unlink()
    assert "sweep.parquet is missing; run the command again" in refused(capsys, "report", copy / "sweep")
    (copy / "chance/checksums.json").unlink()
    assert "cannot be verified: checksums.json is missing" in refused(capsys, "report", copy / "chance")


# The page

PLAYED = {
    "sweep": {"vary": "{&quot;size&quot;: [2, 4]}", "games of each variation": "12", "metrics": "score, events"},
    "restrict": {"forbid": "pass", "games for each class, and without a ban": "12", "bot": "uniform"},
    "chance": {"starts": "4", "games from each start": "3"},
    "skill": {"games of each rung, up to whole rounds": "12", "bots": "uniform, first"},
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_tells_what_was_played_and_for_whom_it_holds(finished, name):
    pytest.importorskip("matplotlib")
    page = (finished / name / "report.html").read_text()
    (part,) = re.findall(r'<section id="played">.*?</section>', page, flags=re.DOTALL)
    rows = dict(re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', part))
    settings = {"option take": "up_to", "option passing": "True", "parameter turns": "30"}
    common = {"game": PEBBLES.title, "players": "3", "seed": "3", "bots": "uniform"} | settings
    common = {key: value for key, value in common.items() if (name, key) != ("restrict", "bots")}
    assert rows == common | PLAYED[name]
    assert "other players, stronger or weaker, may find another balance." in page


# Games


@pytest.mark.parametrize(
    ("name", "studies"),
    [
        ("sweep", "points/base, points/size=2, points/size=4"),
        ("restrict", "classes/pass, free"),
        ("chance", "bots/uniform"),
        ("skill", "rungs/first - uniform"),
    ],
)
def test_a_game_of_several_studies_is_looked_for_in_one_of_them(finished, capsys, name, studies):
    error = refused(capsys, "replay", finished / name, "--game", 3)
    assert "is not a manifest of the format 'critters-study/1'; there are studies in its folders " + studies in error
