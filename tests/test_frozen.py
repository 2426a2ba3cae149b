"""What compiled code has frozen into it: other values make other code, in this process and in the next ones."""

import enum
import importlib
import math
import sys
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np
import pytest
from games import GAMES
from numba import njit
from pebbles import PEBBLES

import tabletop
from agents.greedy import module_of
from agents.search.evaluation import has_own
from tabletop import caching
from tabletop.bits import nth_in
from tabletop.bots import compile_bot
from tabletop.frozen import Look, all_hold, first_look, looks
from tabletop.jit import JIT_ENABLED, jit
from tabletop.plug_ins import BOTS_GROUP, plug_ins

compiled_only = pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")

HELPERS = """
import os
import numpy as np
from tabletop.jit import jit

W = np.load("w.npy")
PLACE = int(os.environ.get("PLACE", 0))

@jit
def weight(n):
    return W[n] + PLACE
"""

BOTS = """
import helpers
from tabletop.jit import compilation_told_to, jit

@jit
def of_helper(n):
    return helpers.weight(n)

@jit
def of_module(n):
    return helpers.W[n] + helpers.PLACE

def run(function, *arguments):
    told = []
    with compilation_told_to(told.append):
        value = function(*arguments)
    print(float(value), *told)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of somebody who deploys weights in a file."""
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "bots.py").write_text(BOTS)
    return tmp_path


def run_in(run_python, folder: Path, code: str, *names: str, **environment: str) -> list[str]:
    begin = f"import os, sys; os.chdir({str(folder)!r}); sys.path.insert(0, ''); import bots, helpers, numpy as np; "
    return run_python(begin + code, *names, NUMBA_CACHE_DIR=str(folder / "cache"), **environment).splitlines()


def runs(run_python, folder: Path, *names: str, **environment: str) -> list[str]:
    code = "[bots.run(getattr(bots, name), 1) for name in sys.argv[1:]]"
    return run_in(run_python, folder, code, *names, **environment)


# In the next process


@compiled_only
def test_other_values_are_compiled_anew_and_the_same_are_not(run_python, folder: Path) -> None:
    """Of a module that a function reads itself, and of what it calls; afterwards both codes are in the cache."""
    names = ("of_module", "of_helper")
    np.save(folder / "w.npy", np.array([1.0, 2.0]))
    assert runs(run_python, folder, *names) == ["2.0 of_module", "2.0 of_helper weight"]
    assert runs(run_python, folder, *names) == ["2.0", "2.0"]
    assert runs(run_python, folder, *names, PLACE="5") == ["7.0 of_module", "7.0 of_helper weight"]
    np.save(folder / "w.npy", np.array([1.0, 3.0]))
    assert runs(run_python, folder, *names) == ["3.0 of_module", "3.0 of_helper weight"]
    np.save(folder / "w.npy", np.array([1.0, 2.0]))
    assert runs(run_python, folder, *names, PLACE="5") == ["7.0", "7.0"]


@compiled_only
def test_what_may_contain_values_of_before_is_not_kept(run_python, folder: Path) -> None:
    """The helper was compiled with the old weights, so what calls it is not what the new ones would make."""
    np.save(folder / "w.npy", np.array([1.0, 2.0]))
    code = "bots.run(helpers.weight, 1); helpers.W = np.array([1.0, 9.0]); bots.run(bots.of_helper, 1)"
    assert run_in(run_python, folder, code)[0] == "2.0 weight"
    np.save(folder / "w.npy", np.array([1.0, 9.0]))
    assert runs(run_python, folder, "of_helper") == ["9.0 of_helper weight"]


# In this process


PLACES = np.array([0, 2])
SKIPPED = 0


@jit
def place_of(k):
    return PLACES[k] + SKIPPED


@jit
def always_the_same(k):
    return k + math.tau


def calling(k):
    return always_the_same(k) + always_the_same(k + 1)


def direct_act(state, legal, rng, params):
    return nth_in(legal, PLACES[1] + SKIPPED)


def indirect_act(state, legal, rng, params):
    return nth_in(legal, place_of(1))


def chosen(act) -> int:
    """The place of the action that a bot chooses of the first ten."""
    state = tabletop.make(PEBBLES, players=2).new(1)[0]
    return int(compile_bot(PEBBLES, act)(state, np.array([1023, 0], np.uint64), np.zeros(1, np.uint64), np.zeros(1)))


@njit
def place_by_numba(k):
    return PLACES[k] + SKIPPED


def act_by_numba(state, legal, rng, params):
    return nth_in(legal, place_by_numba(1))


def without_a_file(act):
    """The same function as a notebook has it."""
    return FunctionType(act.__code__.replace(co_filename="<cell>"), globals(), act.__name__)


@pytest.mark.parametrize("act", [direct_act, indirect_act, act_by_numba, without_a_file(indirect_act)])
def test_a_bot_has_the_values_of_when_it_is_named(act, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a value is another one now or was changed in its place; and the old ones again."""
    here = sys.modules[__name__]
    before = compile_bot(PEBBLES, act)
    assert chosen(act) == 2 and compile_bot(PEBBLES, act) is before
    with monkeypatch.context() as changed:
        changed.setattr(here, "PLACES", np.array([0, 5]))
        assert chosen(act) == 5
        changed.setattr(here, "SKIPPED", 1)
        assert chosen(act) == 6
        PLACES[1] = 7
        assert chosen(act) == 8
    assert chosen(act) == 2


RELOADED = """
import numpy as np
import tabletop
from tabletop.bits import nth_in
from tabletop.jit import jit

PLACES = np.load({file!r})

@jit
def place_of(k):
    return PLACES[k] + 1

@tabletop.compiled_bot("reloaded")
def act(state, legal, rng, params):
    return nth_in(legal, place_of(1))
"""


def test_a_bot_that_is_loaded_anew_is_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With other weights, and with another line of code."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file, weights = tmp_path / "reloaded_bot.py", tmp_path / "w.npy"
    file.write_text(RELOADED.format(file=str(weights)))
    np.save(weights, np.array([0, 2]))
    module = importlib.import_module("reloaded_bot")
    assert chosen(module.act) == 3
    np.save(weights, np.array([0, 4]))
    assert chosen(importlib.reload(module).act) == 5
    file.write_text(file.read_text().replace("+ 1", "+ 2"))
    assert chosen(importlib.reload(module).act) == 6
    np.save(weights, np.array([0, 2]))
    file.write_text(file.read_text().replace("+ 2", "+ 1"))
    assert chosen(importlib.reload(module).act) == 3


# What is looked at


class Colour(enum.IntEnum):
    RED = 1


class OtherColour(enum.IntEnum):
    RED = 2


def reading(value):
    """A function that reads a global of this value."""
    scope = {"__name__": "made", "X": value, "math": math}
    exec("def f(point): return X, point.Y, math.pi", scope)
    return scope["f"]


DIFFERENT = [
    *(0, 1, True, None, 1.0, -1.0, 0.0, -0.0, float("nan"), 1j, "a", "b", b"a", "1", ..., frozenset("ab")),
    *((), (1,), (1, 2), ((1,), 2), ("a", "b"), ("ab",), ("a', 'b",)),
    *(np.float32(1), np.float64(1), np.uint8(1), np.int8(1), np.float64(2), np.dtype("f4"), np.dtype("f8")),
    *(np.zeros(4), np.zeros(4, "f4"), np.zeros((2, 2)), np.zeros((1, 4)), np.array([0, 0, 0, 1.0]), np.zeros(8)[::2]),
    *(np.zeros(1, [("a", "i4")]), np.zeros(1, [("b", "i4")]), np.zeros(1, [("a", "i4")])[0]),
    *(np.arange(6).reshape(2, 3), np.asfortranarray(np.arange(6).reshape(2, 3)), (np.zeros(2), 1), (np.ones(2), 1)),
    *(Colour.RED, OtherColour.RED, tabletop.bits.ALL, reading, chosen),
]


def test_each_value_has_a_digest_of_its_own() -> None:
    digests = [Look(reading(value)).digest for value in DIFFERENT]
    assert None not in digests and len(set(digests)) == len(DIFFERENT)
    assert digests == [Look(reading(value)).digest for value in DIFFERENT]


@pytest.mark.parametrize("value", [object(), [1], {1: 2}, np.array([None]), (1, [2]), math.nan.__add__])
def test_what_cannot_be_hashed_is_unknown_and_what_reads_it_is_not_cached(value: object) -> None:
    function = reading(value)
    assert Look(function).digest is None and Look(function).holds()
    assert None in caching.contents_of((function,))


def test_only_what_is_read_counts():
    """Not a global of the name of an attribute or argument, nor what the compiler and this package settle."""
    scope = reading(1).__globals__ | {"Y": object(), "point": object()}
    assert Look(FunctionType(reading(1).__code__, scope)).values == {("X",): 1}
    assert list(Look(direct_act).values) == [("PLACES",), ("SKIPPED",)]


def test_modules_enumerations_and_closures_are_followed():
    module = ModuleType("weights")
    module.W, module.other = 7, object()
    hidden = 5

    def inner(k):
        return [module.W + i + hidden for i in range(Colour.RED)]

    values = Look(inner).values
    assert values == {("module", "W"): 7, ("hidden",): 5, ("Colour", "RED"): 1}
    seen = Look(inner)
    module.W = 8
    assert not seen.holds() and Look(inner).digest != seen.digest


def test_default_arguments_count():
    def made(default):
        def function(k=default, *, other=default):
            return k

        return function

    assert Look(made(1)).digest == Look(made(1)).digest != Look(made(2)).digest


def test_all_that_a_function_leads_to_is_looked_at_once() -> None:
    called = getattr(always_the_same, "py_func", always_the_same)
    assert [look.function for look in looks([calling])] == [calling, called]
    assert len(looks([calling, always_the_same])) == 2 and all_hold(looks([calling]))
    assert looks([nth_in]) == () and first_look(calling) is first_look(calling)


def installed() -> dict[str, tuple]:
    """The functions of each game and of its greedy bot, and that of each other installed bot."""
    found = {name: tuple(game.functions.values()) for name, game in GAMES.items()}
    for game in filter(has_own, GAMES.values()):
        module = module_of(game)
        found[f"greedy in {game.name}"] = module.act, module.evaluate
    modules = {name: importlib.import_module(point.module) for name, point in plug_ins(BOTS_GROUP).items()}
    return found | {name: (module.act,) for name, module in modules.items() if name != "greedy"}


@compiled_only
def test_all_values_of_games_and_bots_can_be_hashed() -> None:
    """Otherwise they would be compiled in each process."""
    found = {name: caching.contents_of(functions) for name, functions in installed().items()}
    assert {name for name, hashes in found.items() if None in hashes} == set()
    assert len(found) >= len(GAMES) + 9 and all(len(hashes) > 1 for hashes in found.values())


def test_the_constants_of_a_game_count() -> None:
    hashes = []
    for constants in ((1, 2), (1, 3), (1, 2)):
        caching.remember_contents("made up", constants, [calling])
        hashes.append(caching._contents_of_states("made up"))
    del caching._of_states["made up"]
    assert hashes[0] == hashes[2] != hashes[1] and len(hashes[0]) > 2 and None not in hashes[0]
