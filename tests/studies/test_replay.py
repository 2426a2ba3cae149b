"""Single games of studies: of every kind they are played again, and compared with what the study says of them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from studying import command, made, pebbles

from experiments.studies import Plan, Study, results_of
from experiments.studies.folder import encoded
from experiments.studies.ladder import Rung
from experiments.studies.luck import Luck
from tabletop import matches, python_bot, record

pytestmark = [pytest.mark.xdist_group("pebbles"), pytest.mark.usefixtures("few_shards")]

FREE = ("--players", 3, "--seed", 3, "--options", '{"take": "up_to", "passing": true}')


def replayed(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, and what is written to the standard output and error, of a game that is replayed."""
    capsys.readouterr()
    return (command("replay", *arguments), *capsys.readouterr())


def rung() -> Plan:
    return Rung(game="pebbles", players=3, bots=("uniform", "first"), seed=3, games=5, games_a_shard=2)


def luck() -> Plan:
    return Luck(game="pebbles", players=3, bot="uniform", seed=3, games=5, repeats=3, games_a_shard=2)


def mixed() -> Plan:
    return pebbles(games=22, bots=("uniform", "first", "uniform"), games_a_shard=5)


# Every kind of study


@python_bot("last_in_python")
def last_in_python(state, legal, rng):
    """The last legal action."""
    return int(legal[-1])


@pytest.mark.parametrize("plan", [mixed, rung, luck])
def test_every_game_is_equal_to_its_row(tmp_path, capsys, plan: Callable[[], Plan]):
    study = Study(tmp_path, plan())
    made(tmp_path, plan())
    rows = pa.concat_tables(study.tables()).to_pylist()
    assert len(rows) == plan().all_games
    places = set()
    for number in range(plan().all_games):
        code, out, err = replayed(capsys, tmp_path, "--game", number, "--json")
        assert code == 0
        assert err.splitlines()[-1] == f"game {number} is equal to the study's row, in all {len(rows[0])} columns"
        one = record.Record.from_json(out)
        record.replay(one)
        shard, row = plan().place_of(number)
        places.add((shard, row))
        line = study.table(shard).slice(row, 1).to_pylist()[0]
        assert list(one.scores) == [line[f"score_{seat}"] for seat in range(3)]
        assert one.extra["number"] == number and one.extra["seed"] == plan().seed
    assert len(places) == len(rows)


def test_any_game_of_a_study_is_played_again(tmp_path, capsys):
    plan = mixed()
    made(tmp_path, plan)
    for number in (0, 13, 21):
        code, out, _ = replayed(capsys, tmp_path, "--game", number, "--json")
        one = record.Record.from_json(out)
        shard, row = divmod(number, 5)
        assert list(one.scores) == results_of(plan, Study(tmp_path, plan).table(shard)).scores[row].tolist()
        assert one.extra == {"bots": [plan.bots[(s - number) % 3] for s in range(3)], "seed": 5, "number": number}
    code, out, _ = replayed(capsys, tmp_path, "--game", 21)
    assert code == 0 and out.rstrip().endswith(f"scores {list(one.scores)}, winners {list(one.winners)}")


def test_a_game_of_a_rung_has_the_deal_of_its_round(tmp_path, capsys):
    made(tmp_path, rung())
    one = record.Record.from_json(replayed(capsys, tmp_path, "--game", 2 * 6 + 4, "--json")[1])
    assert one.extra["round"] == 2
    _, (seats,) = rung().schedule.games(2 * 6 + 4, 2 * 6 + 5)
    assert one.extra["bots"] == [("uniform", "first")[b] for b in seats]
    _, events = matches.play_recorded(rung().variant, [rung().made(b) for b in rung().bots], seats, 2, 3)
    assert list(one.events) == [rung().variant.token(int(event)) for event in events]


def test_games_from_one_start_share_what_is_fixed(tmp_path, capsys):
    made(tmp_path, luck())

    def tokens(number: int, kind: str) -> list[str]:
        one = record.Record.from_json(replayed(capsys, tmp_path, "--game", number, "--json")[1])
        return [token for token in one.events if token.startswith(kind)]

    first = (list(luck().sources).index("stones") * 5 + 2) * 3
    assert tokens(first, "stone") == tokens(first + 1, "stone") == tokens(first + 2, "stone") != []
    assert tokens(first, "roll") != tokens(first + 1, "roll")


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        (("balance", "pebbles", *FREE, "--games", 40, "--bots", "uniform", "--without-page"), "."),
        (("balance", "pebbles", *FREE, "--games", 40, "--bots", "uniform", "--without-course", "--without-page"), "."),
        (("sweep", "pebbles", *FREE, "--games", 40, "--bots", "uniform", "--vary", '{"size": [2]}'), "points/size=2"),
        (("restrict", "pebbles", *FREE, "--games", 40, "--bot", "uniform", "--forbid", "pass"), "classes/pass"),
        (("restrict", "pebbles", *FREE, "--games", 40, "--bot", "uniform", "--forbid", "pass"), "free"),
        (("chance", "pebbles", *FREE, "--games", 5, "--starts", 8, "--bots", "uniform"), "bots/uniform"),
        (("skill", "pebbles", *FREE, "--games", 30, "--bots", "uniform,first"), "rungs/first - uniform"),
        (("balance", "pebbles", *FREE, "--games", 8, "--bots", "last_in_python", "--without-page"), "."),
    ],
)
def test_games_of_every_command_are_replayed(tmp_path, capsys, arguments, folder):
    assert command(*arguments, "--out", tmp_path) == 0
    code, out, err = replayed(capsys, tmp_path / folder, "--game", 7)
    assert code == 0 and "game 7 is equal to the study's row" in err and "\nscores [" in out


# What is not as it was


def changed(folder: Path, plan: Plan, column: str) -> None:
    """Another value in a column of game 0, in a shard that has a good checksum."""
    study = Study(folder, plan)
    table, at = study.table(0), study.table(0).column_names.index(column)
    values = np.array(table[column].to_pylist(), dtype=object)
    values[0] = "zero" if isinstance(values[0], str) else values[0] + 1
    study.write(0, encoded(table.set_column(at, column, pa.array(list(values)))))


@pytest.mark.parametrize(
    ("plan", "column"),
    [
        (mixed, "score_1"),
        (mixed, "place_2"),
        (mixed, "events"),
        (mixed, "game"),
        (mixed, "bot_1"),
        (mixed, "course_drama"),
        (rung, "bot_0"),
        (rung, "place_2"),
        (rung, "round"),
        (luck, "score_0"),
        (luck, "win_2"),
        (luck, "start"),
    ],
)
def test_a_difference_is_an_error_that_names_it(tmp_path, capsys, plan, column):
    made(tmp_path, plan())
    changed(tmp_path, plan(), column)
    code, out, err = replayed(capsys, tmp_path, "--game", 0, "--json")
    assert code == 1 and err.startswith(f"broken: game 0 is another one than in the study: {column} is ")
    assert err.count("there and") == err.count("\n") == 1
    assert record.Record.from_json(out).extra["number"] == 0
    assert replayed(capsys, tmp_path, "--game", 1)[0] == 0


def test_a_study_of_another_seed_has_other_games(tmp_path, capsys):
    made(tmp_path, mixed())
    manifest = (tmp_path / "manifest.json").read_text()
    (tmp_path / "manifest.json").write_text(manifest.replace('"seed": 5', '"seed": 4'))
    code, _, err = replayed(capsys, tmp_path, "--game", 9)
    assert code == 1 and "is another one than in the study: " in err


@pytest.mark.parametrize("plan", [mixed, rung, luck])
def test_without_shards_it_is_told_that_nothing_is_compared(tmp_path, capsys, plan):
    made(tmp_path, plan())
    shutil.rmtree(tmp_path / "shards")
    code, out, err = replayed(capsys, tmp_path, "--game", 1)
    assert code == 0 and "\nscores [" in out
    missing = f"{tmp_path}/shards/00000.parquet is missing\n"
    assert err == f"not compared with the study, as its row is not there: {missing}"


def test_other_versions_and_sources_are_told_of(tmp_path, capsys):
    made(tmp_path, mixed())
    path = tmp_path / "manifest.json"
    manifest: dict[str, Any] = json.loads(path.read_text())
    true = dict(manifest["environment"])
    manifest["environment"] |= {"numpy": "1.0", "sources": "0123456789abcdef"}
    path.write_text(json.dumps(manifest))
    code, _, err = replayed(capsys, tmp_path, "--game", 1)
    first, second = err.splitlines()
    assert code == 0 and "equal to the study's row" in second
    assert first == (
        f'the study was not made with what is here now: numpy is "1.0" there and "{true["numpy"]}" now; '
        f'made with other sources of critters: "0123456789abcdef" there and "{true["sources"]}" now'
    )


def test_a_damaged_shard_is_not_compared_with(tmp_path, capsys):
    made(tmp_path, mixed())
    shutil.copy(tmp_path / "shards/00001.parquet", tmp_path / "shards/00000.parquet")
    code, out, err = replayed(capsys, tmp_path, "--game", 1)
    assert (code, out) == (2, "") and f"error: {tmp_path}/shards/00000.parquet is damaged or foreign" in err
    assert "run critters balance" in err
    assert replayed(capsys, tmp_path, "--game", 9)[0] == 0


# What is not there


@pytest.mark.parametrize("plan", [mixed, rung, luck])
def test_games_that_are_not_there(tmp_path, capsys, plan):
    made(tmp_path, plan())
    for number in (-1, plan().all_games):
        code, _, err = replayed(capsys, tmp_path, "--game", number)
        last = plan().all_games - 1
        assert (code, err) == (
            2,
            f"error: game: {number} is not allowed; the study has the games 0 … {last}\n",
        )
        with pytest.raises(ValueError, match=f"game: {number} is not allowed"):
            plan().record(number)
    code, _, err = replayed(capsys, tmp_path)
    assert code == 2 and "expected a file of records" in err


def test_a_folder_without_a_study_has_no_games(tmp_path, capsys):
    code, _, err = replayed(capsys, tmp_path, "--game", 0)
    assert code == 2 and "holds no study: it has no manifest.json" in err
