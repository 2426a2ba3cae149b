"""Studies of Pebbles: the synthetic game is installed as a plug-in, here and in the processes that tests start."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pebbles import PEBBLES

from experiments.studies import plan
from tabletop.plug_ins import plug_ins

HERE = Path(__file__).parent
PLUG_IN = HERE / "plug_in"  # says that the game pebbles is installed


@pytest.fixture(autouse=True, scope="module")
def _installed() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PLUG_IN))
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, [PLUG_IN, HERE, HERE.parent, HERE.parent.parent])))
        plug_ins.cache_clear()
        assert plug_ins("tabletop.games")["pebbles"].load() is PEBBLES
        yield
    plug_ins.cache_clear()


@pytest.fixture
def few_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small studies have four shards, so that tests of what they say are quick."""
    monkeypatch.setattr(plan, "LEAST_SHARDS", 4)


@pytest.fixture
def begin() -> Callable[..., subprocess.Popen]:
    """Starts a command in a new process."""

    def start(command: str, *arguments: object, **more: object) -> subprocess.Popen:
        line = [sys.executable, "-m", f"experiments.{command}", *map(str, arguments)]
        return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

    return start
