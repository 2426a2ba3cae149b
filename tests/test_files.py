"""Output files are complete or not there, and errors name the file that the user asked for."""

from pathlib import Path

import pytest

from tabletop.files import replacing


def test_a_finished_file_takes_the_place_of_the_older_one(tmp_path: Path) -> None:
    path = tmp_path / "made" / "result.txt"
    for text in ("first", "second"):
        with replacing(path) as unfinished:
            unfinished.write_text(text)
        assert path.read_text() == text
    assert [file.name for file in path.parent.iterdir()] == ["result.txt"]


def test_a_failure_leaves_the_older_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "result.txt"
    path.write_text("older")
    with pytest.raises(RuntimeError, match="half-way"), replacing(path) as unfinished:
        unfinished.write_text("newer")
        raise RuntimeError("half-way")
    assert path.read_text() == "older"
    assert [file.name for file in tmp_path.iterdir()] == ["result.txt"]


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250)  # short enough, but not with what an unfinished file adds
    with pytest.raises(OSError, match="too long") as raised, replacing(path) as unfinished:
        unfinished.write_text("never written")
    assert raised.value.filename == str(path)


def test_a_folder_and_a_file_in_place_of_each_other(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IsADirectoryError, match="is a folder; expected the name of a file"), replacing(tmp_path):
        pass
    with (
        pytest.raises(NotADirectoryError, match="file is a file; expected a folder"),
        replacing(tmp_path / "file" / "x"),
    ):
        pass
