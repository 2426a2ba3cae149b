"""RLlib: who is shown, paid and asked."""

from typing import Any

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from pebbles import PEBBLES
from stacks import needs
from steps import assert_same

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


@pytest.mark.parametrize("config", [{"players": 3}, {}, None, 5, "bites"])
def test_a_configuration_needs_a_game(config: Any) -> None:
    from tabletop.envs.rllib import GameMultiAgentEnv

    with pytest.raises(OptionError, match="expected 'game'"):
        GameMultiAgentEnv(config)


@pytest.mark.parametrize("actions", [{}, {"player_1": 0}, {"player_0": 0, "player_1": 0}])
def test_only_the_agent_to_move_acts(actions: dict[str, int]) -> None:
    env = made()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="expected one of 'player_0'"):
        env.step(actions)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", True, [1], np.array(3)])
def test_what_is_refused_changes_nothing(seed: Any) -> None:
    env = made(illegal="raise")
    shown, _ = env.reset(seed=0)
    before, illegal = env.save(), int(np.argmin(shown["player_0"]["action_mask"]))
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    with pytest.raises(ValueError, match="no options"):
        env.reset(options={"wind": 1})
    for actions in (None, 5, [0], "player_0"):
        with pytest.raises(TypeError, match="expected a dictionary"):
            env.step(actions)
    for action in (None, 1.0, [0], "0"):
        with pytest.raises(TypeError, match="expected one integer"):
            env.step({"player_0": action})
    for action in (-1, PEBBLES.actions, illegal):
        with pytest.raises(ValueError, match=r"not in the space|not legal"):
            env.step({"player_0": action})
    with pytest.raises(ValueError, match="expected one of 'player_0'"):
        env.step({1: 0, "player_0": 0})
    with pytest.raises(ValueError, match="saved environment"):
        env.load(b"nonsense")
    assert env.save() == before


def test_the_wrong_order() -> None:
    env = made(render_mode="ansi")
    for call in (lambda: env.step({"player_0": 0}), env.render, env.save):
        with pytest.raises(ResetNeeded):
            call()
    env.reset(seed=0)
    before = env.save()
    env.close()
    for call in (lambda: env.step({"player_0": 0}), env.render, env.save, env.reset, lambda: env.load(before)):
        with pytest.raises(ClosedEnvironmentError):
            call()


@pytest.mark.parametrize("way", ["copy", "save"])
def test_a_copy_goes_on_in_the_same_way(way: str) -> None:
    env, rng = made(), np.random.default_rng(0)
    shown, _ = env.reset(seed=3)
    twin = env.copy() if way == "copy" else made()
    if way == "save":
        again, _ = twin.load(env.save())
        assert_same(again, shown)
    for _ in range(4):
        ((agent, seen),) = shown.items()
        action = rng.choice(np.flatnonzero(seen["action_mask"]))
        shown, there = env.step({agent: action})[0], twin.step({agent: action})[0]
        assert all(np.array_equal(shown[a][k], there[a][k]) for a in shown for k in shown[a])
