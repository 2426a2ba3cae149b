"""RLlib: who is shown, paid and asked."""

from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pebbles import PEBBLES
from stacks import needs

from tabletop import OptionError

pytestmark = needs("rllib")


def made(**config: Any) -> Any:
    from tabletop.envs.rllib import GameMultiAgentEnv

    return GameMultiAgentEnv({"game": PEBBLES, "players": 3, **config})


@pytest.mark.parametrize(("name", "dtype"), [("observation", np.int8), ("observations", np.float32)])
def test_a_game(name: str, dtype: Any) -> None:
    env, rng = made(name=name, reward="score"), np.random.default_rng(0)
    shown, _ = env.reset(seed=1)
    terminated = {"__all__": False}
    while not terminated["__all__"]:
        (agent,) = shown
        assert shown[agent] in env.observation_spaces[agent]
        assert shown[agent][name].dtype == shown[agent]["action_mask"].dtype == dtype
        action = rng.choice(np.flatnonzero(shown[agent]["action_mask"]))
        shown, rewards, terminated, truncated, _ = env.step({agent: action})
        assert set(rewards) == set(shown) and not any(truncated.values())
    assert list(rewards.values()) == env.variant.scores(env.lanes.states)[0].tolist()
    assert set(shown) == set(env.possible_agents) and all(terminated.values())
    with pytest.raises(ResetNeeded):
        env.step({"player_0": 0})


@pytest.mark.parametrize(
    "config", [{"game": "chess"}, {"name": "obs"}, {"illegal": "no"}, {"wind": 1}, {"render_mode": "human"}]
)
def test_configurations_that_are_refused(config: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        made(**config)


def test_a_configuration_needs_a_game() -> None:
    from tabletop.envs.rllib import GameMultiAgentEnv

    with pytest.raises(OptionError, match="expected 'game'"):
        GameMultiAgentEnv({"players": 3})


@pytest.mark.parametrize("actions", [{}, {"player_1": 0}, {"player_0": 0, "player_1": 0}])
def test_only_the_agent_to_move_acts(actions: dict[str, int]) -> None:
    env = made()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="expected one of 'player_0'"):
        env.step(actions)


def test_a_copy_goes_on_in_the_same_way() -> None:
    env, rng = made(), np.random.default_rng(0)
    shown, _ = env.reset(seed=3)
    twin = env.copy()
    for _ in range(4):
        ((agent, seen),) = shown.items()
        action = rng.choice(np.flatnonzero(seen["action_mask"]))
        shown, there = env.step({agent: action})[0], twin.step({agent: action})[0]
        assert all(np.array_equal(shown[a][k], there[a][k]) for a in shown for k in shown[a])
