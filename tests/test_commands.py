"""The commands: what they write, print and answer, and how they refuse what is wrong."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tabletop
from experiments import benchmark
from experiments.arguments import bot_names, seats_of
from experiments.command import COMMANDS
from experiments.console import run_any
from experiments.studies import plan
from experiments.summary import Summary, mean_interval, rate_interval
from tabletop import Results, record

ALL_CARDS = '{"hill": "random", "chocolate": "random", "wine": "random", "special": "random"}'


def run(*arguments: object) -> int:
    """Runs `critters` with these arguments in this process; the exit code."""
    try:
        return run_any(COMMANDS, "", [str(a) for a in arguments])
    except SystemExit as exit_:
        return int(exit_.code or 0)


def told(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What was written to the standard output and error since the last call, wrapped lines joined."""
    out, err = capsys.readouterr()
    return out, re.sub(r"[│╭╮╰╯─\s]+", " ", err)


# For all commands


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, capsys):
    assert run(command, "--help") == 0
    assert f"critters {command}" in capsys.readouterr().out


AS_MODULES = """
import runpy, sys
for module in sys.argv[1:]:
    sys.argv = [module, "--help"]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        print(f"the end of {module}: {end.code}")
"""


def test_every_command_is_a_module_to_run(run_python):
    """As `python -m` runs them, but all in one process, which imports what they need once."""
    modules = [*(f"experiments.{name}" for name in COMMANDS), "benchmarks.studies"]
    texts = re.split(r"^the end of (.*)$", run_python(AS_MODULES, *modules), flags=re.MULTILINE)
    assert texts[1::2] == [f"{module}: 0" for module in modules]
    for module, text in zip(modules, texts[::2], strict=False):
        assert text.strip().startswith(f"usage: python -m {module} ")


def test_the_console_script_is_installed():
    script = Path(sys.executable).with_name("critters")
    done = subprocess.run([script], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "record" in done.stderr


def test_a_reader_who_has_gone_is_no_error_to_tell_of():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "experiments.command", "--help"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert done.returncode == 1 and done.stderr == b""


BALANCE = ("--games", 5, "--bots", "uniform", "--seed", 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("record", "chess", "--games", 1, "--seed", 1), "unknown game 'chess'; there are bites"),
        (("record", "bites", "--games", 1, "--seed", -1), "seed: -1 is not allowed"),
        (("record", "bites", "--games", -1, "--seed", 1), "games: -1 is not allowed"),
        (("record", "bites", "--games", "many", "--seed", 1), "many"),
        (("record", "bites", "--seed", 1), "--games"),
        (("record", "bites", "--players", 7, "--games", 1, "--seed", 1), "players: 7 is not allowed; expected one of"),
        (("record", "bites", "--games", 1, "--seed", 1, "--options", '{"wine": 3}'), "option 'wine': 3 is not allowed"),
        (("record", "bites", "--games", 1, "--seed", 1, "--options", "{wine"), "'{wine' is not JSON"),
        (("record", "bites", "--games", 1, "--seed", 1, "--options", "[]"), "is not a JSON object such as"),
        (("record", "bites", "--games", 1, "--seed", 1, "--options", '{"gold_points": 1}'), "unknown option"),
        (("record", "bites", "--games", 1, "--seed", 1, "--parameters", '{"beer": 1}'), "unknown parameter 'beer'"),
        (("record", "bites", "--games", 1, "--seed", 1, "--bots", "chess"), "unknown bot 'chess'; there are"),
        (("record", "bites", "--games", 1, "--seed", 1, "--bots", "uniform:x=1"), "the parameters are none"),
        (("balance", "bites", "--players", 4, *BALANCE, "--bots", "uniform,uniform,uniform"), "bots: 3 given"),
        (("balance", "bites", *BALANCE, "--games", 0), "games: 0 is not allowed; expected an integer from 1"),
    ],
)
def test_bad_input_is_refused_with_a_clear_message_and_no_file(arguments, message, tmp_path, capsys):
    assert run(*arguments, "--out", tmp_path / "out") == 2
    assert message in told(capsys)[1]
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("benchmark", "--games", "chess"), "unknown game 'chess'"),
        (("benchmark", "--only", "luck"), "unknown measurement 'luck'; there are random, batch, start"),
        (("benchmark", "--seconds", 0), "seconds: 0.0 is not allowed"),
        (("benchmark", "--seconds", "inf"), "seconds: inf is not allowed"),
        (("record", "bites", "--games", 0, "--seed", 1, "--out", "/nowhere/games.jsonl"), "games: 0 is not allowed"),
        (("benchmark", "--threads", 0), "threads: 0 is not allowed"),
        (("replay", "/nowhere/games.jsonl"), "/nowhere/games.jsonl: No such file"),
        (("compute",), "compute"),
    ],
)
def test_other_bad_input_is_refused(arguments, message, capsys):
    assert run(*arguments) == 2
    assert message in told(capsys)[1]


# record and replay


def test_records_are_written_and_verified(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    arguments = ("record", "bites", "--players", 3, "--games", 4, "--seed", 5, "--options", ALL_CARDS)
    assert run(*arguments, "--parameters", '{"gold_points": 9}', "--trace", "--out", path) == 0
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == 4
    assert all(one["players"] == 3 and one["parameters"] == {"gold_points": 9} and "legal" in one for one in lines)
    assert all(one["options"] == json.loads(ALL_CARDS) for one in lines)
    assert run("replay", path) == 0
    assert told(capsys)[0].endswith("games.jsonl: 4 records, 4 sound, 0 broken\n")


def test_an_older_file_is_replaced_and_that_is_told(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    for games, remark in ((3, False), (2, True)):
        assert run("record", "bites", "--games", games, "--seed", 5, "--out", path) == 0
        assert ("in place of the older file" in told(capsys)[1]) == remark
        assert len(path.read_text().splitlines()) == games


def test_broken_records_are_listed_and_make_the_exit_code_1(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    run("record", "bites", "--games", 3, "--seed", 5, "--out", path)
    lines = path.read_text().splitlines()
    lines[1] = lines[1].replace('"move:', '"mvoe:', 1)
    path.write_text("\n".join(lines))
    capsys.readouterr()
    assert run("replay", path) == 1
    first, summary = told(capsys)[0].splitlines()
    assert re.match(r"record 1, event 55: bites has no event 'mvoe:\w+'", first)
    assert summary.endswith("3 records, 2 sound, 1 broken")


def test_records_with_text_that_cannot_be_printed_are_listed_too(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    game = r'{"format": "tabletop-record/1", "game": "\ud800", "players": "\ud800", "options": {}, "parameters": {}'
    path.write_text(game + ', "events": []}')
    assert run("replay", path) == 1
    assert told(capsys)[0].startswith(r'record 0: players: "\ud800" is not allowed')


def test_a_record_is_shown_position_by_position(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    run("record", "bites", "--games", 2, "--seed", 5, "--out", path)
    one = list(record.read_records(path))[1]
    capsys.readouterr()
    assert run("replay", path, "--show", 1) == 0
    text = told(capsys)[0]
    positions = re.findall(r"^event (\d+), (chance|seat \d): (\S+)$", text, re.MULTILINE)
    assert [token for _, _, token in positions] == list(one.events)
    assert text.rstrip().endswith(f"scores {list(one.scores)}, winners {list(one.winners)}")
    variant = one.variant()
    assert variant.text(record.replay(one).states) in text


def test_a_broken_record_is_shown_up_to_its_fault(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    run("record", "bites", "--games", 1, "--seed", 5, "--out", path)
    path.write_text(path.read_text().replace('"move:', '"mvoe:', 1))
    capsys.readouterr()
    assert run("replay", path, "--show", 0) == 1
    assert told(capsys)[0].splitlines()[-1].startswith("broken: event 55: bites has no event")


@pytest.mark.parametrize("index", [1, -1])
def test_a_record_that_is_not_there_cannot_be_shown(tmp_path, capsys, index):
    path = tmp_path / "games.jsonl"
    run("record", "bites", "--games", 1, "--seed", 5, "--out", path)
    assert run("replay", path, "--show", index) == 2
    assert f"has no record {index}" in told(capsys)[1]


# balance


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small study of Bites with all cards."""
    out = tmp_path_factory.mktemp("study")
    lone = ("--players", 3, "--games", 600, "--bots", "uniform,uniform,uniform", "--seed", 8)
    assert run("balance", "bites", *lone, "--options", ALL_CARDS, "--out", out) == 0
    return out


def test_a_study_has_a_row_for_each_game_as_it_is_recorded(study):
    rows = pd.read_parquet(study / "shards")
    variant = tabletop.make("bites", 3, **json.loads(ALL_CARDS))
    assert rows.game.tolist() == list(range(600))
    for one, (_, row) in zip(record.record_games(variant, 5, "uniform", seed=8), rows.iterrows(), strict=False):
        assert [row[f"score_{seat}"] for seat in range(3)] == list(one.scores)
        assert [seat for seat in range(3) if row[f"place_{seat}"] == 1] == list(one.winners)
        assert row.events == len(one.events)
        assert f"wine:{row.wine}" in one.events
        assert [row[f"bot_{seat}"] for seat in range(3)] == one.extra["bots"]


def test_the_summary_agrees_with_the_rows(study):
    rows, summary = pd.read_parquet(study / "shards"), pd.read_csv(study / "summary.csv", dtype={"seat": str})
    winners = sum((rows[f"place_{seat}"] == 1).astype(int) for seat in range(3))
    by_seat = summary[summary.seat.notna() & summary.fact.isna() & summary.bot.isna()]
    of_seats = rows[[f"place_{seat}" for seat in range(3)]].rank(axis=1).set_axis(range(3), axis=1)
    for seat, line in zip(range(3), by_seat.itertuples(), strict=True):
        assert line.win == pytest.approx(((rows[f"place_{seat}"] == 1) / winners).mean())
        assert line.score == pytest.approx(rows[f"score_{seat}"].mean())
        assert line.place == pytest.approx(of_seats[seat].mean()) and line.place_low < line.place < line.place_high
        assert line.score_low < line.score < line.score_high and line.win_low < line.win < line.win_high
        assert line.events == pytest.approx(rows.events.mean())
    of_card = summary[(summary.fact == "wine") & (summary.seat == "1")].set_index("category")
    for card, group in rows.groupby("wine", observed=True):
        assert of_card.games[card] == len(group)
        assert of_card.score[card] == pytest.approx(group.score_1.mean())
    small = summary[(summary.fact == "small") & summary.seat.isna() & summary.bot.isna()]
    assert small.seats.sum() == 3 * rows.special.isin(["favourite", "allergy"]).sum()


def numbers(folder: Path) -> np.ndarray:
    return pd.read_csv(folder / "summary.csv").select_dtypes("number").to_numpy()


def test_a_study_says_what_was_played(study):
    told_of = json.loads((study / "manifest.json").read_text())["study"]
    assert (told_of["game"], told_of["players"], told_of["games"], told_of["seed"]) == ("bites", 3, 600, 8)
    assert told_of["options"] == json.loads(ALL_CARDS) and told_of["bots"] == ["uniform"] * 3


def test_the_result_does_not_depend_on_how_a_study_is_cut(study, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(plan, "LEAST_SHARDS", 8)
    again = ("--players", 3, "--games", 600, "--bots", "uniform", "--seed", 8, "--options", ALL_CARDS)
    assert run("balance", "bites", *again, "--out", tmp_path) == 0
    assert len(list((tmp_path / "shards").iterdir())) == 8
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "shards"), pd.read_parquet(study / "shards"))
    np.testing.assert_allclose(numbers(tmp_path), numbers(study), rtol=1e-12)  # sums are rounded in another order
    out, told_before = told(capsys)
    assert "Bites: 3 players, 600 games" in out
    rows = pd.read_parquet(study / "shards")[:75]
    winners = sum((rows[f"place_{seat}"] == 1).astype(int) for seat in range(3))
    first = ", ".join(f"seat {s} {100 * ((rows[f'place_{s}'] == 1) / winners).mean():.1f}" for s in range(3))
    assert f"after 75 games, win %: {first}" in told_before
    assert all(f"{card}" in out for card in ("teetotaler", "overachiever", "recycler", "allergy", "pepper"))


def results(bots: list[list[int]], scores: list[list[int]], facts: np.ndarray) -> Results:
    """Results of games with two players, made by hand."""
    points = np.array(scores, np.int32)
    places = 1 + (points[:, :, None] < points[:, None, :]).sum(axis=2).astype(np.int32)
    games = len(scores)
    return Results(("a", "b"), np.arange(games), np.array(bots), points, places, np.full(games, 9), facts)


def test_ties_share_a_win_and_the_game_is_the_unit_of_intervals():
    variant = tabletop.make("bites", 2)
    facts = np.full((4, len(variant.game.facts), 5), -1, np.int32)
    summary = Summary(variant, ("same", "same"))
    summary.add(results([[0, 1], [1, 0], [0, 1], [1, 0]], [[3, 1], [2, 2], [5, 9], [8, 7]], facts))
    table = summary.table()
    everything, seat_0, seat_1, bot = (table.iloc[i] for i in range(4))
    assert (seat_0.win, seat_1.win) == (0.625, 0.375)
    assert (everything.games, everything.seats, everything.win, everything.win_low) == (4, 8, 0.5, 0.5)
    assert (seat_0.place, seat_1.place, everything.place) == (1.375, 1.625, 1.5)  # a tie is place 1.5 for both
    assert bot.bot == "same" and bot.win == 0.5
    # Mean of the mean scores of the games, with their standard error.
    means = pd.Series([2.0, 2.0, 7.0, 7.5])
    assert everything.score == means.mean()
    low, high = mean_interval(means.mean(), means.sem(), 4)
    assert (everything.score_low, everything.score_high) == pytest.approx((low, high))
    assert not (table.fact != "").any()  # facts that apply to nobody make no rows


def test_games_that_nobody_won_count_as_lost():
    variant = tabletop.make("bites", 2)
    facts = np.full((2, len(variant.game.facts), 5), -1, np.int32)
    played = results([[0, 1], [0, 1]], [[1, 0], [0, 0]], facts)
    played.places[1] = 2
    summary = Summary(variant, ("a", "b"))
    summary.add(played)
    assert summary.table().win[0] == 0.25


def test_intervals():
    assert rate_interval(0.0, 0.0, 100) == pytest.approx((0, 0.0379), abs=1e-4)
    assert rate_interval(1.0, 0.0, 100) == pytest.approx((0.9621, 1), abs=1e-4)
    assert rate_interval(0.5, 0.05, 101) == pytest.approx((0.4027, 0.5973), abs=1e-4)
    assert mean_interval(0.0, 1.0, 11) == pytest.approx((-2.2281, 2.2281), abs=1e-4)
    assert np.isnan(mean_interval(3.0, 0.0, 1)).all()


def test_intervals_cover_the_truth_as_often_as_they_say():
    """200 studies of 60 games: the win rate of seat 0 over all 12,000 games lies in about 95 % of the intervals."""
    variant = tabletop.make("bites", 2)
    played = variant.play(12_000, "uniform", seed=3)
    whole = Summary(variant, played.names)
    whole.add(played)
    truth = whole.table().iloc[1]
    hits = 0
    for part in range(200):
        rows = slice(60 * part, 60 * part + 60)
        summary = Summary(variant, played.names)
        summary.add(
            Results(
                played.names,
                *(getattr(played, name)[rows] for name in ("number", "bots", "scores", "places", "lengths", "facts")),
            )
        )
        line = summary.table().iloc[1]
        hits += line.win_low <= truth.win <= line.win_high
    assert 180 <= hits <= 199


# benchmark


def test_the_benchmark_prints_json(capsys):
    arguments = ("--games", "bites", "--players", 2, "--only", "random,batch", "--threads", 1, "--seconds", 0.4)
    assert run("benchmark", *arguments, "--json") == 0
    lines: list[dict[str, Any]] = json.loads(told(capsys)[0])
    assert [(m["game"], m["players"], m["threads"], m["what"]) for m in lines] == [
        ("bites", 2, 1, "random"),
        ("bites", 2, 1, "batch"),
    ]
    random, batch = lines
    assert random["games_per_s"] > 0 and batch["events_per_s"] > batch["games_per_s"] > 0
    assert 100 < random["events_per_s"] / random["games_per_s"] < 180  # events a game


def test_the_benchmark_prints_a_table_for_one_and_all_threads(capsys, monkeypatch):
    monkeypatch.setattr(benchmark, "available_threads", lambda: 2)
    assert run("benchmark", "--games", "bites", "--only", "random", "--seconds", 0.1) == 0
    assert re.findall(r"bites +\S* +4 +\S* +(\d)", re.sub("[│┃]", " ", told(capsys)[0])) == ["1", "2"]


@pytest.mark.slow
def test_the_first_call_is_measured_with_an_empty_and_a_filled_cache(capsys):
    assert run("benchmark", "--games", "bites", "--only", "start", "--json") == 0
    cold, warm = json.loads(told(capsys)[0])
    assert (cold["what"], warm["what"]) == ("start_cold", "start_warm")
    assert cold["seconds"] > warm["seconds"] > 0 and cold["events_per_s"] is None


# Arguments


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("uniform", ("uniform",)),
        ("uniform,greedy", ("uniform", "greedy")),
        ("greedy:wine=1,gold=2,uniform", ("greedy:wine=1,gold=2", "uniform")),
        (
            "uniform,mcts:iterations=9,rollout=greedy:x,greedy:a=1",
            ("uniform", "mcts:iterations=9,rollout=greedy:x", "greedy:a=1"),
        ),
        ("", ()),
    ],
)
def test_bots_are_separated_by_commas_like_their_parameters(text, bots):
    assert bot_names(text) == bots


def test_fewer_bots_than_players_are_repeated():
    assert seats_of(("a", "b"), 4) == ("a", "b", "a", "b")
    for bots in ((), ("a", "b", "c"), ("a",) * 8):
        with pytest.raises(ValueError, match=f"bots: {len(bots)} given"):
            seats_of(bots, 4)
