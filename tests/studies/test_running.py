"""Running studies: resumed after any end, the same whoever works, and clear about what is wrong."""

import errno
import json
import os
import re
import resource
import signal
import time
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frail import Frail, made_by_others, without_manifest
from studying import checksums, command, content, made, pebbles

from experiments.reports.findings import Findings
from experiments.studies import Specification, Study, Workers, folder, results_of, running
from experiments.studies import run as run_study
from experiments.studies.plan import PlanError
from tabletop import matches

pytestmark = pytest.mark.xdist_group("pebbles")

BALANCE = ("--players", 3, "--games", 3_000, "--bots", "uniform", "--seed", 7, "--without-page")
LONG = ("--players", 3, "--games", 300_000, "--bots", "uniform", "--seed", 7, "--without-page")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a study that was never interrupted."""
    folder = tmp_path_factory.mktemp("finished")
    assert command("balance", "pebbles", *BALANCE, "--out", folder) == 0
    return content(folder)


# Shards


def test_a_shard_follows_from_the_specification_and_its_number():
    plan = pebbles(games=700)
    assert (plan.games_a_shard, plan.shards, plan.units(31)) == (22, 32, range(682, 700))
    whole = plan.variant.play(700, "uniform", seed=5)
    parts = [results_of(plan, plan.play(shard)) for shard in reversed(range(32))][::-1]
    for name in ("number", "scores", "places", "lengths", "facts"):
        np.testing.assert_array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(whole, name))


@pytest.mark.parametrize("games", [1, 31, 32, 33, 1_000_000, 10**9])
def test_shards_cover_all_games(games):
    plan = pebbles(games=games)
    assert plan.units(0).start == 0 and plan.units(plan.shards - 1).stop == games
    assert len(plan.units(plan.shards - 1)) > 0 and plan.games_a_shard <= 20_000


def test_a_specification_is_written_down_and_read():
    plan = pebbles(options={"take": "up_to"}, parameters={"bag": [3, 2, 2], "size": 3}, rotate=False)
    content = json.loads(json.dumps(plan.to_json()))
    assert Specification.from_json(content) == plan
    assert content["parameters"] == {"bag": [3, 2, 2]}  # what is a default is left out
    assert content["bots"] == ["uniform"] * 3


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"games": 0}, "games: 0 is not allowed"),
        ({"games": -5}, "games: -5 is not allowed"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"games_a_shard": -1}, "games_a_shard: -1 is not allowed"),
        ({"players": 9}, "players: 9 is not allowed"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"options": {"take": "all"}}, "option 'take': 'all' is not allowed"),
        ({"bots": ("nobody",)}, "unknown bot 'nobody'"),
        ({"bots": ("uniform",) * 2}, "bots: 2 given"),
        (
            {"bots": ("mcts:milliseconds=2",)},
            "bot 'mcts:milliseconds=2' is not allowed in a study: it plays by the clock",
        ),
        ({"bots": ("restricted:bot=mcts:milliseconds=2,forbid=take:*:1",)}, "plays by the clock"),
    ],
)
def test_a_wrong_specification_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        pebbles(**wrong)


def test_a_written_specification_with_other_keys_is_refused():
    whole = pebbles().to_json()
    with pytest.raises(PlanError, match=r"the keys colour, seed are missing or unknown"):
        Specification.from_json({"colour": 1, **{k: v for k, v in whole.items() if k != "seed"}})
    with pytest.raises(PlanError, match="of the kind 'dance'; expected 'games'"):
        Specification.from_json({**whole, "kind": "dance"})


# The same files whatever happens


def shards_of(folder: Path) -> int:
    """How many shards are there."""
    shards = folder / "shards"
    return sum(path.suffix == ".parquet" for path in shards.iterdir()) if shards.exists() else 0


def killed(begin, folder: Path, more: int) -> bool:
    """Begins a long study or goes on with it, kills it after so many more shards; whether that was before its end."""
    wanted = min(32, shards_of(folder) + more)
    process = begin("balance", "pebbles", *LONG, "--workers", 2, "--out", folder)
    while shards_of(folder) < wanted or not (folder / "manifest.json").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return shards_of(folder) < 32 and not (folder / "summary.csv").exists()


def killed_again_and_again(begin, folder: Path) -> dict[Path, int]:
    """Kills a study three times; when each shard was made that is noted then, nothing if it came to its end before."""
    kept: dict[Path, int] = {}
    for more in (0, 5, 5):
        if not killed(begin, folder, more):
            return {}
        there, noted = shards_of(folder), list(checksums(folder))
        assert there - 1 <= len(noted) <= there  # it may die between a shard and its checksum
        assert {path: path.stat().st_mtime_ns for path in kept} == kept  # nothing was made twice
        kept = {folder / name: (folder / name).stat().st_mtime_ns for name in noted}
    assert len(kept) >= 9
    return kept


def test_a_study_that_is_killed_again_and_again_goes_on_to_the_same_files(begin, tmp_path):
    assert command("balance", "pebbles", *LONG, "--out", tmp_path / "whole") == 0
    tries = (tmp_path / str(number) for number in range(5))  # on a busy machine the signal may come too late
    kept = next(kept for folder in tries if (kept := killed_again_and_again(begin, folder)))
    (folder,) = {path.parent.parent for path in kept}
    assert command("balance", "pebbles", *LONG, "--workers", 2, "--out", folder) == 0
    assert content(folder) == content(tmp_path / "whole")
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


SWEEP = ("--players", 3, "--games", 20_000, "--bots", "uniform", "--seed", 7, "--vary", '{"size": [2, 4]}')


def killed_sweep(begin, folder: Path, shards: int) -> bool:
    """Begins a sweep of three studies and kills it when so many shards are there; whether that was before its end."""
    process = begin("sweep", "pebbles", *SWEEP, "--workers", 2, "--out", folder)
    while len(list(folder.glob("points/*/shards/*.parquet"))) < shards:
        assert process.poll() is None, process.communicate()
        time.sleep(0.0005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return not (folder / "sweep.csv").exists()


def test_a_killed_sweep_goes_on_to_the_same_files(begin, tmp_path):
    """It is killed in its second and in its last study."""
    assert command("sweep", "pebbles", *SWEEP, "--out", tmp_path / "whole") == 0
    whole = content(tmp_path / "whole")
    for shards in (40, 90):
        tries = (tmp_path / f"{shards} {number}" for number in range(5))  # the signal may come too late
        folder = next(folder for folder in tries if killed_sweep(begin, folder, shards))
        noted = [
            path.parent / name for path in folder.glob("points/*/checksums.json") for name in checksums(path.parent)
        ]
        kept = {path: path.stat().st_mtime_ns for path in noted}
        assert shards - 1 <= len(kept) <= 96
        assert command("sweep", "pebbles", *SWEEP, "--workers", 2, "--out", folder) == 0
        assert content(folder) == whole
        assert {path: path.stat().st_mtime_ns for path in kept} == kept  # nothing was made twice


@pytest.mark.parametrize(
    "ends", [lambda made: made.throw(KeyboardInterrupt), lambda made: made.close()], ids=["Ctrl-C", "closed"]
)
def test_whatever_ends_a_run_stops_its_threads_in_the_middle_of_their_shards(ends):
    """Only the last shard, of a single game, is waited for; the others would take seconds."""
    plan, heard = pebbles(games=1_200_001, games_a_shard=400_000), []
    made = running.made_by_threads(plan, [3, 0, 1, 2], 2, heard.append)
    assert next(made)[0] == 3
    with suppress(KeyboardInterrupt):
        ends(made)
    stopped = sum(heard)
    assert 1 <= stopped < 200_000
    time.sleep(0.3)
    assert sum(heard) == stopped


def test_what_a_killed_run_left_half_done_does_no_harm(finished, tmp_path):
    arguments = ("balance", "pebbles", *BALANCE, "--out", tmp_path)
    assert command(*arguments) == 0
    (tmp_path / "summary.csv").unlink()
    (tmp_path / "shards/00007.parquet").unlink()
    (tmp_path / "shards/.00007.parquet.123.unfinished").write_bytes(b"half")
    whole = (tmp_path / "shards/00009.parquet").read_bytes()
    (tmp_path / "shards/00009.parquet").write_bytes(whole[: len(whole) // 2])
    assert command(*arguments) == 0
    assert content(tmp_path) == finished


def test_a_finished_study_is_summed_up_again_without_a_game(finished, tmp_path, monkeypatch):
    arguments = ("balance", "pebbles", *BALANCE, "--out", tmp_path)
    assert command(*arguments) == 0
    (tmp_path / "summary.csv").unlink()
    monkeypatch.setattr(matches, "play_chunks", None)
    assert command(*arguments) == 0
    assert content(tmp_path) == finished
    assert len(json.loads((tmp_path / "times.json").read_text())) == 1


@pytest.mark.parametrize("workers", [1, 5])
def test_the_number_of_workers_makes_no_difference(finished, tmp_path, workers):
    assert command("balance", "pebbles", *BALANCE, "--workers", workers, "--out", tmp_path) == 0
    assert content(tmp_path) == finished


def test_pages_are_the_same_too(tmp_path):
    arguments = ("--players", 2, "--games", 400, "--bots", "uniform", "--seed", 7)
    for workers in (1, 2):
        assert command("balance", "pebbles", *arguments, "--workers", workers, "--out", tmp_path / str(workers)) == 0
    first, second = (content(tmp_path / str(workers)) for workers in (1, 2))
    assert first == second and "report.html" in first


def test_other_processes_make_the_same_shards_and_lose_none_when_one_dies(tmp_path):
    plan = pebbles(games=80, games_a_shard=10)
    expected = without_manifest(made(tmp_path / "here", plan))
    assert made_by_others(tmp_path / "there", plan, Workers(2)) == expected and len(expected) == 9


def test_bots_that_are_no_compiled_ones_play_in_processes_if_these_know_them():
    plain = pebbles(bots=("mcts:iterations=2,threads=2",))
    assert (pebbles().is_compiled, plain.is_compiled) == (True, False)
    assert plain.is_portable and not pebbles(bots=("first",)).is_portable


def test_without_ray_the_extra_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    assert command("balance", "pebbles", *BALANCE, "--cluster", "--out", tmp_path) == 2
    assert "pip install 'critters[cluster]'" in capsys.readouterr().err


def test_workers_that_die_again_and_again_are_told_of(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "MOST_DEATHS", 1)
    frail = Frail(**{**pebbles(games=4).__getstate__(), "mark": str(tmp_path / "mark")})
    study = Study(tmp_path / "study", frail)
    with study.at_work(), pytest.raises(running.WorkersError, match="1 worker processes died"):
        list(run_study(study, Workers(2)))


# Interrupted


def test_an_interrupted_study_says_that_nothing_is_lost(finished, tmp_path, monkeypatch, capsys):
    def interrupt(games: int) -> None:
        if len(list(tmp_path.glob("shards/*"))) > 5:
            raise KeyboardInterrupt

    arguments = ("balance", "pebbles", *BALANCE, "--workers", 1, "--out", tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("experiments.console.Bar.advance", lambda bar, games: interrupt(games))
        assert command(*arguments) == 130
    assert "interrupted; what is complete is kept: the same command goes on" in capsys.readouterr().err
    assert 5 < len(list(tmp_path.glob("shards/*"))) < 32
    assert command(*arguments) == 0
    assert content(tmp_path) == finished


def test_an_error_stops_all_workers_and_loses_nothing(tmp_path, monkeypatch):
    real = Specification.play
    monkeypatch.setattr(
        Specification, "play", lambda plan, shard, done: real(plan, shard, done) if shard < 15 else 1 / 0
    )
    with pytest.raises(ZeroDivisionError):
        made(tmp_path, pebbles(), Workers(2))
    monkeypatch.undo()
    assert 0 < len(list(tmp_path.glob("shards/*"))) <= 15
    assert len(made(tmp_path, pebbles())) == 34


# Folders


def test_another_study_is_not_overwritten(tmp_path, capsys):
    first = made(tmp_path, pebbles())
    out = ("--seed", 6, "--bots", "uniform", "--out", tmp_path)
    assert command("balance", "pebbles", "--players", 2, "--games", 640, "--without-page", *out) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert "holds another study: players is 3 there and 2 now; seed is 5 there and 6 now; bots is" in error
    assert "--restart" in error and content(tmp_path) == first
    assert command("balance", "pebbles", "--players", 2, "--games", 32, "--without-page", *out, "--restart") == 0
    assert json.loads((tmp_path / "manifest.json").read_text())["study"]["games"] == 32
    assert len(list(tmp_path.glob("shards/*"))) == 32


def test_a_study_of_other_sources_is_not_mixed_with_these(tmp_path, monkeypatch):
    made(tmp_path, pebbles())
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert {"critters", "numpy", "numba", "pyarrow", "python", "platform", "sources"} <= set(manifest["environment"])
    manifest["environment"]["sources"] = "0123456789abcdef"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ValueError, match='made with other sources of critters: "0123456789abcdef" there and "'):
        made(tmp_path, pebbles())


def test_shards_without_a_manifest_are_not_taken_for_ones_own(tmp_path):
    first = made(tmp_path, pebbles())
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(ValueError, match="shards of an unknown study"):
        made(tmp_path, pebbles())
    assert made(tmp_path, pebbles(), restart=True) == first


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "other"}'])
def test_a_damaged_manifest_is_refused(tmp_path, text):
    """Even where a restart is asked for: nothing tells what would be deleted."""
    made(tmp_path, pebbles())
    (tmp_path / "manifest.json").write_text(text)
    kept = content(tmp_path)
    for restart in (False, True):
        with pytest.raises(ValueError, match=r"manifest\.json (cannot be read|is not a manifest)"):
            made(tmp_path, pebbles(), restart=restart)
        assert content(tmp_path) == kept


def test_a_restart_deletes_all_results_of_the_old_study_and_nothing_else(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    arguments = ("balance", "pebbles", "--games", 64, "--bots", "uniform", "--out", tmp_path)
    assert command(*arguments, "--players", 3, "--seed", 7) == 0
    results = {path.name for path in tmp_path.iterdir() if path.is_file()} - {"manifest.json"}
    own = ("notes.txt", "summary.txt", "other.parquet", "shards/notes.parquet", ".notes.3.unfinished", "times.json.old")
    for name in own:
        (tmp_path / name).write_text("mine")
    for name in (*results, "manifest.json", "shards/00003.parquet"):
        (tmp_path / name).with_name(f".{Path(name).name}.123.unfinished").write_text("half")
    real, there = folder.write_manifest, []

    def write_manifest(path: Path, content: dict) -> None:
        there.append({str(file.relative_to(path)) for file in path.rglob("*") if file.is_file()})
        real(path, content)

    monkeypatch.setattr(folder, "write_manifest", write_manifest)
    assert command(*arguments, "--players", 2, "--seed", 9, "--restart", "--without-page") == 0
    assert there == [{"manifest.json", *own}] and len(results) == 19
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} > results - {"report.html"}
    assert not (tmp_path / "report.html").exists() and all((tmp_path / name).read_text() == "mine" for name in own)
    assert len(json.loads((tmp_path / "times.json").read_text())) == 1


def test_the_results_that_a_restart_deletes_are_all_that_a_report_writes():
    """One more table must be one more name."""
    tables = [field.name for field in fields(Findings) if field.type in (pd.DataFrame, "pd.DataFrame")]
    assert set(tables) == set(folder.TABLES)


def test_a_study_that_is_refused_leaves_nothing_behind(tmp_path):
    made(tmp_path, pebbles())
    for path in (tmp_path / "shards").iterdir():
        path.unlink()
    (tmp_path / "shards").rmdir()
    (tmp_path / ".summary.csv.77.unfinished").write_text("half")
    kept = sorted(tmp_path.rglob("*"))
    with pytest.raises(ValueError, match="holds another study: seed is 5 there and 6 now"):
        made(tmp_path, pebbles(seed=6))
    assert sorted(tmp_path.rglob("*")) == kept


def test_shards_of_a_user_are_no_folder_of_shards(tmp_path):
    """A file of this name is in the way, which is told before anything is deleted."""
    made(tmp_path / "study", pebbles())
    (tmp_path / "study/shards").rename(tmp_path / "shards")
    (tmp_path / "study/shards").write_text("mine")
    kept = content(tmp_path)
    with pytest.raises(OSError, match="a file lies where a folder is needed"):
        made(tmp_path / "study", pebbles(seed=6), restart=True)
    assert content(tmp_path) == kept


def test_one_run_at_a_time_works_in_a_folder(tmp_path):
    with (
        Study(tmp_path, pebbles()).at_work(),
        pytest.raises(ValueError, match="another run is at work in this folder"),
        Study(tmp_path, pebbles()).at_work(),
    ):
        pass


def test_workers_are_counted_from_one(tmp_path, capsys):
    assert command("balance", "pebbles", *BALANCE, "--workers", 0, "--out", tmp_path) == 2
    assert "workers: 0 is not allowed" in capsys.readouterr().err


# The disk


def told(capsys: pytest.CaptureFixture[str]) -> str:
    lines = capsys.readouterr().err.strip().splitlines()
    assert len([line for line in lines if line.startswith("error: ")]) == 1
    return lines[-1]


@pytest.mark.parametrize("file", ["manifest.json", "00003.parquet", "checksums.json", "summary.csv", "times.json"])
def test_a_full_disk_is_told_of_and_the_study_goes_on(finished, tmp_path, monkeypatch, capsys, file):
    real = Path.write_bytes

    def write(path: Path, data: bytes) -> int:
        if file not in path.name:
            return real(path, data)
        real(path, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    arguments = ("balance", "pebbles", *BALANCE, "--out", tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", write)
        assert command(*arguments) == 2
    error = told(capsys)
    assert ("the same command goes on" in error) is (file != "manifest.json")  # before which nothing is there
    assert re.search(rf"{file}: no space left, [\d.]+ (bytes|kB) are needed and [\d.]+ \w+ are free", error)
    assert not list(tmp_path.rglob(f"*{file}*"))
    assert command(*arguments) == 0
    assert content(tmp_path) == finished


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_device_that_is_full(finished, tmp_path, capsys):
    (tmp_path / "summary.csv").symlink_to("/dev/full")
    arguments = ("balance", "pebbles", *BALANCE, "--out", tmp_path)
    assert command(*arguments) == 2
    assert "summary.csv: no space left, " in told(capsys)
    (tmp_path / "summary.csv").unlink()
    assert command(*arguments) == 0
    assert content(tmp_path) == finished


def test_a_limit_on_the_size_of_files(begin, finished, tmp_path, capsys):
    arguments = ("balance", "pebbles", *BALANCE, "--out", tmp_path)
    size = max(len(data) for name, data in finished.items() if name.endswith("parquet")) - 1
    process = begin(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    error = process.communicate()[1]
    assert process.returncode == 2 and "Traceback" not in error
    assert ".parquet: files may not have the " in error and "ulimit -f" in error
    assert command(*arguments) == 0
    assert content(tmp_path) == finished


def test_a_folder_that_cannot_be(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert command("balance", "pebbles", *BALANCE, "--out", tmp_path / "file" / "study") == 2
    assert f"{tmp_path}/file/study: a file lies where a folder is needed" in told(capsys)


@pytest.mark.parametrize("arguments", [("balance",), ("sweep", "--vary", '{"size": [2]}')])
def test_a_folder_that_the_system_does_not_make(tmp_path, monkeypatch, capsys, arguments):
    def refuse(path: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    name, *more = arguments
    assert command(name, "pebbles", *BALANCE[:8], *more, "--out", tmp_path / "study") == 2
    error = told(capsys)
    assert f"{tmp_path}/study: this folder cannot be made (No such file or directory); choose another one" in error
    assert "same command" not in error


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_in_which_nothing_may_be_written(tmp_path, capsys):
    tmp_path.chmod(0o500)
    assert command("balance", "pebbles", *BALANCE, "--out", tmp_path / "study") == 2
    assert "no permission to write here" in told(capsys)
    tmp_path.chmod(0o700)


def test_a_folder_in_which_the_system_lets_nobody_write(tmp_path, monkeypatch, capsys):
    def refuse(path: Path, data: bytes) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "write_bytes", refuse)
    assert command("balance", "pebbles", *BALANCE, "--out", tmp_path) == 2
    assert f"{tmp_path}/manifest.json: no permission to write here" in told(capsys)
