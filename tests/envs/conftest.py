"""The tests of the environments are marked by the stack that they need."""

import pytest

STACKS = {
    "gymnasium": "needs only the core install",
    "sb3": "needs the extra `train`",
    "pettingzoo": "needs the extra `multiagent`",
    "rllib": "needs the extra `cluster`",
    "openspiel": "needs the extra `openspiel`",
}


def pytest_configure(config: pytest.Config) -> None:
    for stack, meaning in STACKS.items():
        config.addinivalue_line("markers", f"{stack}: {meaning}")
