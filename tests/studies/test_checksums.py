"""Checksums of shards: whatever happened to a file, it is noticed; a run mends it, and what only reads refuses it."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from studying import checksums, command, content, made, pebbles

from experiments.studies import Study, StudyError, Workers

pytestmark = pytest.mark.xdist_group("pebbles")

BALANCE = ("balance", "pebbles", "--players", 3, "--games", 320, "--bots", "uniform", "--without-page", "--seed")
SHARD = "shards/00005.parquet"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished study."""
    folder = tmp_path_factory.mktemp("finished")
    assert command(*BALANCE, 5, "--out", folder) == 0
    return folder


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return Path(shutil.copytree(finished, tmp_path / "copy"))


def test_every_shard_is_noted_in_order(finished):
    shards = sorted(finished.glob("shards/*.parquet"))
    expected = {f"shards/{shard.name}": hashlib.sha256(shard.read_bytes()).hexdigest() for shard in shards}
    assert list(checksums(finished).items()) == list(expected.items()) and len(expected) == 32


def test_every_flipped_bit_is_noticed(copy):
    study, whole = Study(copy, pebbles(games=320)), (copy / SHARD).read_bytes()
    assert not study.faults()
    for at in range(0, len(whole), 11):
        broken = bytearray(whole)
        broken[at] ^= 1 << at % 8
        (copy / SHARD).write_bytes(broken)
        assert list(study.faults()) == [5]
        with pytest.raises(StudyError, match=r"00005\.parquet is damaged or foreign"):
            study.table(5)


def flip(folder: Path) -> None:
    content = bytearray((folder / SHARD).read_bytes())
    content[len(content) // 2] ^= 16
    (folder / SHARD).write_bytes(content)


def cut(folder: Path) -> None:
    (folder / SHARD).write_bytes((folder / SHARD).read_bytes()[:100])


def swap(folder: Path) -> None:
    shutil.copy(folder / "shards/00004.parquet", folder / SHARD)


def foreign(folder: Path) -> None:
    made(folder.parent / "other", pebbles(game="pebbles", players=2, games=320, seed=9))
    shutil.copy(folder.parent / "other" / SHARD, folder / SHARD)


def forget(folder: Path) -> None:
    (folder / "checksums.json").write_text(json.dumps({k: v for k, v in checksums(folder).items() if k != SHARD}))


def remove(folder: Path) -> None:
    (folder / SHARD).unlink()


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (flip, f"{SHARD} is damaged or foreign: it has not the checksum in checksums.json"),
        (cut, f"{SHARD} is damaged or foreign"),
        (swap, f"{SHARD} is damaged or foreign"),
        (foreign, f"{SHARD} is damaged or foreign"),
        (forget, f"{SHARD} has no checksum in checksums.json"),
        (remove, ""),
    ],
)
def test_a_bad_shard_is_refused_by_readers_and_made_again_by_a_run(
    finished, copy, capsys, damage: Callable[[Path], None], fault: str
):
    damage(copy)
    before = content(copy)
    capsys.readouterr()
    assert command("report", copy) == 2
    assert f"{fault or 'is missing'}" in (error := capsys.readouterr().err)
    assert "run critters balance (or sweep, restrict) again with the same arguments" in error
    assert error.count("\n") == 1 and content(copy) == before
    assert command(*BALANCE, 5, "--workers", 2, "--out", copy) == 0
    error = capsys.readouterr().err
    assert (f"{copy}/{fault}" in error and "; it is made again\n" in error) or not fault
    assert error.count("made again") == bool(fault)
    assert content(copy) == content(finished)


@pytest.mark.parametrize("text", [None, "", "{", "[]", "null", '{"shards/00005.parquet": 3}', "[" * 100_000, "\udcff"])
def test_without_checksums_all_shards_are_made_again(finished, copy, capsys, text):
    path = copy / "checksums.json"
    path.unlink() if text is None else path.write_bytes(text.encode(errors="surrogateescape"))
    problem = "is missing" if text is None else "is damaged"
    capsys.readouterr()
    assert command("report", copy) == 2
    assert f"{path} {problem}, so nothing tells whether the shards are whole; run critters" in capsys.readouterr().err
    assert command(*BALANCE, 5, "--out", copy) == 0
    assert f"{path} {problem}; the shards that are there are made again" in capsys.readouterr().err
    assert content(copy) == content(finished)


def test_a_run_that_was_killed_between_a_shard_and_its_checksum(finished, copy, capsys):
    """The states that it can leave: the last shard is not noted, alone or with others before it."""
    for shards in (1, 2, 9):
        for path in sorted(copy.glob("shards/*"))[shards:]:
            path.unlink()
        noted = dict(list(checksums(copy).items())[: shards - 1])
        (copy / "checksums.json").write_text(json.dumps(noted)) if noted else (copy / "checksums.json").unlink()
        (copy / ".checksums.json.77.unfinished").write_text('{"half')
        capsys.readouterr()
        assert command(*BALANCE, 5, "--out", copy) == 0
        assert capsys.readouterr().err.count("made again") == 1
        assert content(copy) == content(finished)


def test_a_restart_forgets_the_checksums(copy, monkeypatch):
    with pytest.raises(ZeroDivisionError), monkeypatch.context() as patch:
        patch.setattr("experiments.studies.Specification.play", lambda *_: 1 / 0)
        made(copy, pebbles(games=320, seed=9), Workers(1), restart=True)
    assert not (copy / "checksums.json").exists() and not list(copy.glob("shards/*"))
    made(copy, pebbles(games=64, games_a_shard=16), restart=True)
    assert list(checksums(copy)) == [f"shards/0000{shard}.parquet" for shard in range(4)]


def test_checksums_of_a_study_that_is_gone_are_forgotten(copy):
    for path in (copy / "manifest.json", *copy.glob("shards/*")):
        path.unlink()
    made(copy, pebbles(games=64, games_a_shard=16))
    assert list(checksums(copy)) == [f"shards/0000{shard}.parquet" for shard in range(4)]


def test_checksums_are_complete_at_every_moment(tmp_path, monkeypatch):
    """After each shard they name just the shards that are there."""
    real, seen = Study.write, []

    def write(study: Study, shard: int, content: bytes) -> None:
        real(study, shard, content)
        there = [f"shards/{path.name}" for path in sorted(tmp_path.glob("shards/*"))]
        seen.append(list(checksums(tmp_path)) == there)

    monkeypatch.setattr(Study, "write", write)
    made(tmp_path, pebbles(), Workers(2))
    assert seen == [True] * 32
