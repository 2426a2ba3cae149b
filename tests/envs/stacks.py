"""The stacks that environments are tested with, and what says whether one is installed."""

from importlib.util import find_spec

import pytest

MODULES = {
    "gymnasium": ("gymnasium", "core"),
    "sb3": ("sb3_contrib", "train"),
    "pettingzoo": ("pettingzoo", "multiagent"),
    "rllib": ("ray", "cluster"),
    "openspiel": ("pyspiel", "openspiel"),
}


def needs(stack: str) -> list[pytest.MarkDecorator]:
    """The marks of a test of a stack: its name, and skipped, saying why, where it is not installed."""
    module, extra = MODULES[stack]
    skip = pytest.mark.skipif(find_spec(module) is None, reason=f"{module} is not installed (extra `{extra}`)")
    return [getattr(pytest.mark, stack), skip]
