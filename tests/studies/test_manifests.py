"""Manifests that were edited, and folders that hold no study: every command says in one line what is wrong where."""

import json
import re
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from studying import command, made, pebbles

from experiments import rows
from experiments.studies import Plan, Specification, Study
from experiments.studies.folder import encoded
from experiments.studies.ladder import Rung
from experiments.studies.luck import Luck
from tabletop.game import Fact

pytestmark = pytest.mark.xdist_group("pebbles")

BALANCE = ("balance", "pebbles", "--players", 2, "--games", 4, "--bots", "uniform", "--seed", 5, "--without-page")
WRONG = (3, -1, 1.5, 10**30, True, None, "x", "", [], {}, [3], [None], [[]], {"x": [1]})


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small study."""
    folder = tmp_path_factory.mktemp("small")
    made(folder, pebbles(players=2, games=4))
    return folder


def edited(folder: Path, **parts: object) -> str:
    """Writes other parts into a manifest, or takes those out that are `...`; returns what it was."""
    path = folder / "manifest.json"
    text = path.read_text()
    whole = {**json.loads(text), **parts}
    path.write_text(json.dumps({name: part for name, part in whole.items() if part is not ...}))
    return text


def refusals(capsys: pytest.CaptureFixture[str], folder: Path) -> list[str]:
    """What each command says that reads the manifest of a folder; it must be one line and no traceback."""
    said = []
    for arguments in (("report", folder), ("replay", folder, "--game", 1), (*BALANCE, "--out", folder)):
        capsys.readouterr()
        assert command(*arguments) == 2
        said.append(capsys.readouterr().err)
        assert said[-1].startswith("error: ") and said[-1].count("\n") == 1
    return said


@pytest.mark.parametrize("part", ["study", "environment"])
@pytest.mark.parametrize("value", [..., None, [], "x", 3])
def test_a_manifest_without_one_of_its_parts(small, capsys, part, value):
    text = edited(small, **{part: value})
    found = "is missing" if value is ... else f"is {json.dumps(value)}"
    for error in refusals(capsys, small):
        assert f"{small}/manifest.json: '{part}' {found}; expected an object, as the run" in error
    (small / "manifest.json").write_text(text)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"bots": 3}, "study: bots: 3 is not allowed; expected a list of texts"),
        ({"bots": "uniform"}, "study: bots: 'uniform' is not allowed; expected a list of texts"),
        ({"bots": [3]}, "study: bots: [3] is not allowed"),
        ({"games": True}, "study: games: True is not allowed; expected an integer"),
        ({"options": None}, "study: options: None is not allowed; expected an object"),
        ({"rotate": "no"}, "study: rotate: 'no' is not allowed; expected true or false"),
        ({"game": ["pebbles"]}, "study: game: ['pebbles'] is not allowed; expected a text"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"bots": ["nobody"]}, "unknown bot 'nobody'"),
        ({"kind": "dance"}, "this is a study of the kind \"dance\"; expected 'games'"),
        ({"kind": []}, "this is a study of the kind []; expected 'games'"),
        ({"colour": 1}, "the keys colour are missing or unknown"),
    ],
)
def test_a_study_of_wrong_values_is_refused_by_name(small, capsys, values, message):
    study = json.loads((small / "manifest.json").read_text())["study"]
    text = edited(small, study={**study, **values})
    report, replay, run = refusals(capsys, small)
    assert all(f"{small}/manifest.json: " in error and message in error for error in (report, replay))
    assert f"{small} holds another study: " in run
    (small / "manifest.json").write_text(text)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Specification, {"bots": ("uniform",), "games": 4}),
        (Rung, {"bots": ("uniform", "first"), "games": 4}),
        (Luck, {"bot": "uniform", "games": 4, "repeats": 2}),
    ],
)
def test_no_value_of_any_field_ends_in_a_traceback(kind: type[Plan], fields: dict[str, object]):
    """Whatever stands there is taken, or refused by a ValueError, which the commands tell in a line."""
    plan = kind(game="pebbles", players=2, seed=5, **fields)
    whole, refused = plan.to_json(), 0
    assert kind.from_json(whole) == plan
    for name in whole:
        for value in WRONG:
            try:
                kind.from_json({**whole, name: value})
            except ValueError:
                refused += 1
    assert refused > 10 * (len(whole) - 4)


def test_a_study_of_another_kind_has_no_report(tmp_path, capsys):
    made(tmp_path, Rung(game="pebbles", players=2, seed=5, bots=("uniform", "first"), games=4))
    assert command("report", tmp_path) == 2
    assert "this is a study of the kind \"rung\"; expected 'games'\n" in capsys.readouterr().err


# Studies that were made by another version


def rewritten(folder: Path, plan: Specification, change: Callable[[pa.Table], pa.Table]) -> None:
    """Every shard with other columns, as another version of the game may have made them."""
    study = Study(folder, plan)
    for shard in range(plan.shards):
        study.write(shard, encoded(change(study.table(shard))))


def replaced(name: str, values: Callable[[pa.Table], pa.Array]) -> Callable[[pa.Table], pa.Table]:
    return lambda table: table.set_column(table.column_names.index(name), name, values(table))


def more_actions(table: pa.Table) -> pa.Table:
    metadata = {**table.schema.metadata, rows.CHOICES: rows._text(np.zeros((1, 99, 9), np.int64))}
    return table.replace_schema_metadata(metadata)


def texts(table: pa.Table) -> pa.Array:
    return pa.array(["three"] * len(table))


OTHERWISE = [
    (lambda table: table.drop_columns(["course_drama"]), "there is no column 'course_drama'"),
    (lambda table: table.drop_columns(["place_0"]), "there is no column 'place_0'"),
    (lambda table: table.drop_columns(["game"]), "there is no column 'game'"),
    (replaced("score_1", texts), "the column 'score_1' holds values of the type string; expected numbers"),
    (replaced("bot_0", texts), "the column 'bot_0' holds values of the type string; expected labels"),
    (replaced("bot_0", lambda table: texts(table).dictionary_encode()), "'bot_0' holds 'three'; expected uniform"),
    (more_actions, "choices among 99 actions are noted; expected 65"),
]


@pytest.mark.parametrize(("change", "message"), OTHERWISE)
def test_a_study_with_other_columns_is_refused_by_its_report(tmp_path, capsys, change, message):
    """What is wrong is named, and where, and what to do."""
    plan = pebbles(players=2, games=4)
    made(tmp_path, plan)
    rewritten(tmp_path, plan, change)
    capsys.readouterr()
    assert command("report", tmp_path) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {tmp_path}/shards/00000.parquet: ") and error.count("\n") == 1
    assert message in error and "another version" in error and "play them again with --restart" in error


def test_facts_that_a_study_does_not_know_or_knows_by_other_labels_are_named():
    plan = pebbles(players=2, games=1)
    variant = copy(plan.variant)
    variant.game = replace(
        variant.game, facts=(Fact("stone", "its stone", ("one", "two"), of_seat=True), Fact("rolled", "faces rolled"))
    )
    table = plan.play(0)
    for name, values, message in (
        ("stone_0", ["two"], "there is no column 'stone_0'"),
        ("stone_1", ["three"], "there is no column 'stone_1'"),
        ("rolled", ["six"], "the column 'stone_1' holds 'three'; expected one, two"),
    ):
        with pytest.raises(rows.ColumnError, match=message):
            rows.results_of(variant, ["uniform"] * 2, table)
        table = table.append_column(name, pa.array(values).dictionary_encode())
    table = replaced("stone_1", lambda _: pa.array(["one"]).dictionary_encode())(table)
    with pytest.raises(rows.ColumnError, match=r"the column 'rolled' holds values of the type dictionary<.* numbers"):
        rows.results_of(variant, ["uniform"] * 2, table)
    table = replaced("rolled", lambda _: pa.array([6]))(table)
    assert rows.results_of(variant, ["uniform"] * 2, table).facts[0, :, :2].tolist() == [[1, 0], [6, 0]]


def test_replay_and_report_tell_of_other_sources_in_the_same_words(tmp_path, capsys):
    made(tmp_path, pebbles(players=2, games=4))
    commands = (("report", tmp_path), ("replay", tmp_path, "--game", 1))
    for sources in (None, "0123456789abcdef"):
        if sources:
            environment = json.loads((tmp_path / "manifest.json").read_text())["environment"]
            edited(tmp_path, environment=environment | {"sources": sources})
        told = []
        for arguments in commands:
            capsys.readouterr()
            assert command(*arguments) == 0
            told.append([line for line in capsys.readouterr().err.splitlines() if "what is here now" in line])
        assert told[0] == told[1] and len(told[0]) == bool(sources)
    assert told[0][0].startswith(
        'the study was not made with what is here now: made with other sources of critters: "0123456789abcdef" there'
    )


def test_a_folder_of_several_studies_names_them(tmp_path, capsys):
    made(tmp_path / "points" / "size=2", pebbles(games=4))
    made(tmp_path / "base", pebbles(games=4))
    for arguments in (("report", tmp_path), ("replay", tmp_path, "--game", 0)):
        assert command(*arguments) == 2
        error = capsys.readouterr().err
        assert "holds no study: it has no manifest.json; there are studies in its folders base, points/size=2" in error


def test_the_times_of_a_study_may_be_anything(tmp_path):
    made(tmp_path, pebbles(games=4))
    for text in ("3", "null", '{"seconds": 1}', "[", "[" * 100_000):
        (tmp_path / "times.json").write_text(text)
        (tmp_path / "shards/00002.parquet").unlink()
        made(tmp_path, pebbles(games=4))
        assert [run["shards"] for run in json.loads((tmp_path / "times.json").read_text())] == [1]


def test_results_are_not_written_into_the_current_folder_unasked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    bots = ("--players", 2, "--games", 4, "--seed", 5)
    commands = (
        (*BALANCE, "--out"),
        ("skill", "pebbles", *bots, "--bots", "uniform,first", "--out"),
        ("tournament", "pebbles", *bots, "--bots", "uniform,first", "--out"),
        ("report",),
    )
    for arguments in commands:
        for empty in ("", " "):
            assert command(*arguments, empty) == 2
            error = re.sub(r"[│\s]+", " ", capsys.readouterr().err)
            assert "is not the name of a folder; expected one, or . for the current folder" in error
    assert not list(tmp_path.iterdir())
    assert command(*BALANCE, "--out", ".") == 0
    assert (tmp_path / "manifest.json").exists()
