"""What a game must be to be registered."""

from dataclasses import replace

import numpy as np
import pytest
from pebbles import PEBBLES, STATE

from tabletop.game import register
from tabletop.layout import gaps, state_dtype


def test_a_game_may_be_registered_again() -> None:
    assert register(PEBBLES) is PEBBLES


def test_missing_functions_are_named() -> None:
    without = {name: f for name, f in PEBBLES.functions.items() if name not in ("step", "faults")}
    with pytest.raises(ValueError, match=r"game 'pebbles' lacks the functions \['faults', 'step'\]"):
        register(replace(PEBBLES, functions=without))


def test_what_is_no_function_is_named() -> None:
    with pytest.raises(ValueError, match=r"function 'step' of game 'pebbles' is <module 'numpy'.*expected a compiled"):
        register(replace(PEBBLES, functions={**PEBBLES.functions, "step": np}))


def test_two_games_cannot_have_the_same_states() -> None:
    with pytest.raises(ValueError, match="game 'stones' has the same state dtype as 'pebbles'"):
        register(replace(PEBBLES, name="stones"))


def test_states_with_gaps_are_refused() -> None:
    """numpy copies and saves only what fields cover, so equal states would not be equal bytes."""
    state = np.dtype([("mover", np.int8), ("turn", np.int16), ("seat", np.int8)], align=True)
    with pytest.raises(ValueError, match="state of game 'gappy' has gaps before 'turn', at the end"):
        register(replace(PEBBLES, name="gappy", state=state))


def test_state_dtype_covers_every_byte() -> None:
    inner = state_dtype([("a", np.int8), ("b", np.int32)])
    outer = state_dtype([("x", np.int8), ("inner", inner, (3,)), ("y", np.int64), ("z", np.int8)])
    assert not list(gaps(outer))
    plain = np.dtype([("x", np.int8), ("inner", inner, (3,)), ("y", np.int64), ("z", np.int8)], align=True)
    assert outer.itemsize == plain.itemsize
    assert [outer.fields[name][1] for name in plain.names] == [plain.fields[name][1] for name in plain.names]
    filled = np.full(outer.itemsize * 2, 7, np.uint8).view(outer)
    assert filled.copy().tobytes() == filled.tobytes()


def test_gaps_of_nested_records_are_named() -> None:
    inner = np.dtype([("a", np.int8), ("b", np.int32)], align=True)
    assert list(gaps(np.dtype([("inner", inner), ("c", np.int32)]))) == ["before 'b' of 'inner'"]


FIELDS_FIRST = """
import numpy as np
from tabletop.layout import state_dtype, zeroed
state = zeroed(1, state_dtype([("round", np.int8), ("rules", state_dtype([("size", np.int16), ("take", np.int8, 2)]))]))
s = state[0]
s.round = 3
s.rules.size = 5
s.rules.take[1] = 9
print(s.round, s.rules.size, s.rules.take.tolist(), state["rules"]["size"].tolist())
"""


def test_fields_named_like_attributes_of_numpy_are_fields_without_jit(run_python) -> None:
    assert run_python(FIELDS_FIRST, NUMBA_DISABLE_JIT="1") == "3 5 [0, 9] [5]\n"


def test_the_size_of_the_state_is_what_fields_need() -> None:
    assert STATE.itemsize <= 56
