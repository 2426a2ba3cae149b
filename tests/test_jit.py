"""The cache of compiled functions, and what the compiler refuses."""

import os
import shutil
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.errors import NumbaError
from pebbles import PEBBLES

from tabletop import caching, jit
from tabletop.caching import KEPT_FOLDERS, SourceCache, cache_folder, digest, folder_name, sources_of

ROOT = Path(__file__).parent.parent

OWN_GAME = """
import tabletop
from tabletop.jit import compilation_told_to
from mine import GAME
told = []
with compilation_told_to(told.append):
    game = tabletop.make(GAME, players=2)
    points = game.scores(game.new(1))
print(points.tolist(), [name for name in told if name in ("all_scores", "scores")], len(told) > 0)
"""


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


# The folder


def test_the_folder_is_named_by_the_sources(caches: Path) -> None:
    assert cache_folder() == caches / folder_name()
    assert (caches / folder_name()).is_dir()
    assert folder_name() == folder_name()


def test_every_source_counts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    before = digest("", [tmp_path / "a.py"])
    (tmp_path / "a.py").write_text("2")
    assert digest("", [tmp_path / "a.py"]) != before
    assert digest("other", [tmp_path / "a.py"]) != digest("", [tmp_path / "a.py"])


def test_bounds_checks_have_a_folder_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    names = set()
    for checked in (None, 0, 1):
        monkeypatch.setattr(numba.config, "BOUNDSCHECK", checked)
        names.add(folder_name())
    assert len(names) == 3


def test_levels_of_optimisation_have_folders_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before = folder_name()
    monkeypatch.setattr(numba.config, "OPT", 1)
    assert folder_name() != before


def test_numba_uses_the_folder() -> None:
    assert Path(numba.config.CACHE_DIR) == jit.CACHE_FOLDER


def test_a_folder_that_cannot_be_made_is_replaced_by_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    assert_temporary(cache_folder())


def test_a_folder_that_cannot_be_written_is_replaced_by_a_temporary_one(
    caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert_temporary(cache_folder())


def assert_temporary(folder: Path) -> None:
    assert folder.name.startswith("critters-numba-")
    (folder / "probe").write_text("written")
    shutil.rmtree(folder)


def test_old_folders_are_forgotten(caches: Path) -> None:
    for age in range(20):
        (caches / f"old{age}").mkdir()
        os.utime(caches / f"old{age}", (1_000_000 - age, 1_000_000 - age))
    (caches / "a file").write_text("stays")
    folder = cache_folder()
    kept = {f.name for f in caches.iterdir() if f.is_dir()}
    assert kept == {folder.name, *(f"old{age}" for age in range(KEPT_FOLDERS - 1))}
    assert (caches / "a file").exists()


# What an entry depends on


def test_this_package_is_in_the_name_of_the_folder() -> None:
    assert sources_of(cache_folder) == ()


def test_a_game_outside_counts_with_its_package() -> None:
    assert sources_of(PEBBLES.functions["step"].py_func)[0] is not None
    assert sources_of(PEBBLES.functions["step"].py_func) != sources_of(assert_temporary)


def test_a_function_without_a_file_is_of_unknown_source() -> None:
    scope: dict = {"__name__": "notebook"}
    exec("def f(x): return x", scope)
    assert sources_of(scope["f"])[0] is None


def test_a_function_without_a_file_is_compiled_but_not_cached() -> None:
    scope: dict = {"__name__": "notebook"}
    exec("def f(x): return x + 1", scope)
    compiled = jit.jit(scope["f"])
    assert compiled(1) == 2
    assert not isinstance(compiled._cache, SourceCache)


def test_entries_have_files_of_their_own(tmp_path: Path) -> None:
    """So two processes that compile a function for two games cannot take each other's code."""
    one = caching._Entries(str(tmp_path), "play", "stamp")
    other = caching._Entries(str(tmp_path), "play", "stamp")
    one.save("bites", "code of bites")
    other.save("rattus", "code of rattus")
    assert one.load("bites") == "code of bites"
    assert one.load("rattus") == "code of rattus"
    assert one.load("chess") is None
    assert caching._Entries(str(tmp_path), "play", "newer").load("bites") is None


def test_old_entries_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "KEPT_ENTRIES", 3)
    entries = caching._Entries(str(tmp_path), "play", "stamp")
    for key in range(10):
        entries.save(key, key)
        for file in tmp_path.iterdir():
            os.utime(file, (file.stat().st_mtime - 10,) * 2)
    assert [entries.load(key) for key in range(10)] == [None] * 7 + [7, 8, 9]


def test_an_edit_of_a_game_compiles_anew_and_nothing_else_does(run_python, caches: Path, tmp_path: Path) -> None:
    """The game made up for tests, in a folder that is not installed, as a third party would begin one.

    Its loop that counts points contains the rule of another file, as all loops contain rules, and compiles soon.
    """
    shutil.copytree(ROOT / "tests" / "pebbles", tmp_path / "mine", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (tmp_path / "mine").glob("*.py"):
        file.write_text(file.read_text().replace("pebbles", "mine").replace("PEBBLES", "GAME"))
    run = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]), "NUMBA_CACHE_DIR": str(caches)}
    compiled, cached = "['all_scores', 'scores'] True\n", "[] False\n"
    assert run_python(OWN_GAME, **run) == f"[[0, 0]] {compiled}"
    assert run_python(OWN_GAME, **run) == f"[[0, 0]] {cached}"
    rules = tmp_path / "mine" / "rules.py"
    rules.write_text(rules.read_text().replace("out[seat] = s.taken", "out[seat] = 1000 + s.taken"))
    assert run_python(OWN_GAME, **run) == f"[[1000, 1000]] {compiled}"


# What the compiler refuses


@jit.jit
def makes_an_array(n):
    return np.zeros(n)


@jit.jit(allocates=True)
def may_make_an_array(n):
    return np.zeros(n).size


def test_a_function_that_allocates_must_say_so() -> None:
    with pytest.raises(NumbaError, match=r"NRT required but not enabled|Only accept returning of array passed"):
        makes_an_array(3)
    assert may_make_an_array(3) == 3


def recursive_sum(n, total):
    return total if n == 0 else recursive_sum(n - 1, total + n)


def test_a_function_with_a_signature_may_call_itself() -> None:
    compiled = jit.jit(signature="int64(int64, int64)")(recursive_sum)
    assert compiled(4, 0) == 10
    assert len(compiled.overloads) == 1


@jit.jit
def element(values, i):
    return values[i]


BOUNDS = """
import numpy as np
from test_jit import element
try:
    element(np.zeros(3), 5)
    print("no error")
except IndexError:
    print("IndexError")
"""


def test_bounds_are_checked_on_request(run_python) -> None:
    assert run_python(BOUNDS, NUMBA_BOUNDSCHECK="1") == "IndexError\n"
