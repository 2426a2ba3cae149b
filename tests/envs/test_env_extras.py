"""Optional frameworks: nothing imports them by itself, and the error without them names the extra."""

from collections.abc import Callable

import pytest

FRAMEWORKS = ["torch", "stable_baselines3", "sb3_contrib", "pettingzoo", "ray", "pyspiel", "jax"]
EXTRAS = {"sb3": ("stable_baselines3", "train"), "aec": ("pettingzoo", "multiagent"), "rllib": ("ray", "cluster")}
EXTRAS |= {"open_spiel": ("pyspiel", "openspiel")}


def test_the_core_imports_no_optional_framework(run_python: Callable[..., str]) -> None:
    code = """
import sys, tabletop, tabletop.envs.gym, tabletop.envs.vector, tabletop.envs.selfplay
for game in tabletop.games():
    tabletop.variant.description(game)
print(*sorted(set(sys.modules) & set(sys.argv[1:])))
"""
    assert run_python(code, *FRAMEWORKS).split() == []


@pytest.mark.parametrize("module", EXTRAS)
def test_the_error_without_a_framework(module: str, run_python: Callable[..., str]) -> None:
    framework, extra = EXTRAS[module]
    code = """
import sys, importlib
sys.modules[sys.argv[2]] = None
try:
    importlib.import_module("tabletop.envs." + sys.argv[1])
except ImportError as error:
    print(error)
"""
    told = run_python(code, module, framework)
    assert f"pip install 'critters[{extra}]'" in told and framework in told
