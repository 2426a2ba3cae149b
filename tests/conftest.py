"""What all tests share. This folder is on the path, so that `import pebbles` finds the game made up for tests."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent

# A worker has about one core, and the threads of torch only wait for each other with networks as small as in tests.
os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is imported, here and in processes that tests start

# Before the folder of tests, where tests of a game lie in a folder of the game's name.
sys.path.insert(0, str(TESTS.parent))

# Compiled functions take seconds at their first call, so hypothesis must not measure the time of an example.
settings.register_profile("tests", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("tests")


GAMES = ("rodentia", "rattus", "bites")
LONG_TO_COMPILE = ("rodentia", "rattus")


@pytest.hookimpl(tryfirst=True)  # before the workers read the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What compiles the same runs in one worker: the tests of a game, else of a folder or of a file beside it."""
    for item in items:
        game = next((game for game in GAMES if game in item.nodeid), None)
        if game or not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(game or _folder_or_file(item)))
        if game in LONG_TO_COMPILE and "test_promises" in item.nodeid:
            item.add_marker(pytest.mark.slow)


def _folder_or_file(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).parts[0]


@pytest.fixture
def run_python() -> Callable[..., str]:
    """Runs code in a new Python with extra environment variables; returns what it printed."""

    def run(code: str, *arguments: str, **environment: str) -> str:
        paths = os.pathsep.join([str(TESTS), str(TESTS.parent)])
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": paths, **environment},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
