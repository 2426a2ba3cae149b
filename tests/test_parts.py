"""Compiled functions as parts of others: what is made of each, from Python, from others and from the cache."""

from pathlib import Path

import pytest

from tabletop.jit import JIT_ENABLED, jit
from tabletop.parts import for_a_part, is_part

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")


@jit
def doubled(n):
    return 2 * n


@jit
def doubled_and_one(n):
    return doubled(n) + 1


@jit
def refuse_negative(n):
    if n < 0:
        raise ValueError("a negative number")
    return n


@jit
def ask_part(n):
    return refuse_negative(n) + 1


@jit
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@jit
def factorial_and_one(n):
    return factorial(n) + 1


FILE = """
from tabletop.jit import compilation_told_to, jit
from tabletop.parts import is_part

@jit
def refuse(n):
    if n < 0:
        raise ValueError("a negative number")
    return 2 * n

@jit
def first(n):
    return refuse(n) + 1

@jit
def second(n):
    return refuse(n) + 2

def run(function):
    told = []
    with compilation_told_to(told.append):
        try:
            function(-1)
        except ValueError as error:
            message = str(error)
        print(function(3), message, told, [is_part(c) for c in refuse.overloads.values()])
"""


def only(function):
    (compiled,) = function.overloads.values()
    return compiled


def test_what_another_function_calls_is_a_part_until_python_calls_it() -> None:
    assert doubled_and_one(3) == 7
    assert is_part(only(doubled)) and not is_part(only(doubled_and_one))
    assert doubled(4) == 8
    assert not is_part(only(doubled))
    assert doubled_and_one(5) == 11 and not for_a_part()


def test_an_error_in_a_part_reaches_python() -> None:
    with pytest.raises(ValueError, match="a negative number"):
        ask_part(-1)
    assert ask_part(1) == 2 and is_part(only(refuse_negative))


def test_a_part_may_call_itself() -> None:
    assert factorial_and_one(5) == 121 and is_part(only(factorial))


def test_parts_come_from_the_cache_for_other_functions(run_python, tmp_path: Path) -> None:
    """The same part in two functions, then the part alone; all three again from the cache."""
    (tmp_path / "made.py").write_text(FILE)
    begin = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import made"
    code = f"{begin}; [made.run(getattr(made, name)) for name in sys.argv[1:]]"
    functions, cache = ("first", "second", "refuse"), {"NUMBA_CACHE_DIR": str(tmp_path)}
    alone = [run_python(code, name, **cache) for name in functions]
    assert alone == [
        "7 a negative number ['first', 'refuse'] [True]\n",
        "8 a negative number ['second'] [True]\n",
        "6 a negative number ['refuse'] [False]\n",
    ]
    together = run_python(code, *functions, **cache).splitlines()
    assert [line.split("[")[1] for line in together] == ["] "] * 3
    assert [line[:19] for line in together] == [line[:19] for line in alone]
