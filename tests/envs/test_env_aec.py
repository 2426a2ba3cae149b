"""PettingZoo: turns, rewards, what agents see."""

import copy
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from pebbles import PEBBLES
from stacks import needs
from steps import assert_same

from tabletop import OptionError
from tabletop.envs.selfplay import SelfPlay

pytestmark = needs("pettingzoo")


def made(players: int = 3, **arguments: Any) -> Any:
    from tabletop.envs.aec import raw_env

    return raw_env(PEBBLES, players=players, **arguments)


@pytest.mark.parametrize("players", PEBBLES.players)
def test_agents_act_in_the_order_of_the_self_play_batch(players: int) -> None:
    env, batch, rng = made(players, reward="score", dense=True), SelfPlay(PEBBLES, 1, players, autoreset=False), None
    env.reset(seed=4)
    moment, rng = batch.reset(4), np.random.default_rng(0)
    while not moment.terminated[0]:
        observation, _, terminated, truncated, info = env.last()
        assert env.agent_selection == f"player_{moment.seat[0]}" and not (terminated or truncated)
        assert np.array_equal(observation["observation"], moment.observation[0])
        assert np.array_equal(observation["action_mask"], moment.action_mask[0])
        assert np.array_equal(info["action_mask"], moment.action_mask[0])
        for agent in env.agents:
            if agent != env.agent_selection:
                assert not env.observe(agent)["action_mask"].any()
        action = rng.choice(np.flatnonzero(observation["action_mask"]))
        env.step(action)
        moment = batch.step([action])
    assert all(env.terminations.values()) and len(env.agents) == players


def test_all_points_are_paid_before_the_agents_go() -> None:
    env, rng = made(3, reward="score", dense=True, size=6), np.random.default_rng(1)
    env.reset(seed=5)
    totals = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        totals[agent] += reward
        env.step(None if terminated else rng.choice(np.flatnonzero(observation["action_mask"])))
    assert list(totals.values()) == env.variant.scores(env.lanes.states)[0].tolist()
    assert env.agents == []


def test_state_is_what_all_see() -> None:
    env = made(3)
    env.reset(seed=1)
    assert env.state() in env.state_space
    assert np.array_equal(env.state(), [env.observe(agent)["observation"] for agent in env.agents])


def test_misuse() -> None:
    from tabletop.envs.aec import env as wrapped

    env = wrapped(PEBBLES)
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        _ = env.agent_selection
    env.reset(seed=0)
    with pytest.raises(TypeError, match="expected one integer"):
        env.step(0.5)
    with pytest.raises(ValueError, match="not in the space"):
        env.step(10**6)
    with pytest.raises(ValueError, match="expected one of player_0, player_1"):
        env.observe("player_7")
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    env.step(illegal)
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}


def loaded(env: Any) -> Any:
    twin = made(3)
    twin.load(env.save())
    return twin


def test_the_wrong_order() -> None:
    env = made(2, render_mode="ansi")
    calls = (lambda: env.step(0), env.last, lambda: env.observe("player_0"), env.state, env.render, env.save)
    for call in calls:
        with pytest.raises(ResetNeeded):
            call()
    env.reset(seed=0)
    while env.agents:
        env.step(None if env.last()[2] else int(np.argmax(env.last()[0]["action_mask"])))
    for call in calls[:2]:
        with pytest.raises(ResetNeeded, match="all agents have gone"):
            call()
    env.reset()
    before = env.save()
    env.close()
    env.close()
    for call in (*calls, env.reset, lambda: env.load(before)):
        with pytest.raises(ClosedEnvironmentError):
            call()


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", True, [1], np.array(3)])
def test_what_is_refused_changes_nothing(seed: Any) -> None:
    env = made(2, illegal="raise")
    env.reset(seed=0)
    before, shown = env.save(), copy.deepcopy(env.last())
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    with pytest.raises(ValueError, match="is not legal; legal are take:"):
        env.step(int(np.argmin(shown[0]["action_mask"])))
    for action in (None, "1", 1.0, True, [1]):
        with pytest.raises(TypeError, match="expected one integer"):
            env.step(action)
    for call in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(ValueError, match="expected one of player_0"):
            call("player_2")
    with pytest.raises(ValueError, match="saved environment"):
        env.load(b"nonsense")
    assert env.save() == before
    assert_same(env.last(), shown)


@pytest.mark.parametrize("arguments", [{"players": 9}, {"seat": 1}, {"wind": 1}, {"info": ["x"]}, {"illegal": 0}])
def test_arguments_that_are_refused(arguments: dict[str, Any]) -> None:
    from tabletop.envs.aec import env

    with pytest.raises(OptionError):
        env(PEBBLES, **arguments)


def test_saved_between_the_last_steps() -> None:
    """What is still to be paid after the end is paid by the restored environment too."""
    env = made(3, reward="score")
    env.reset(seed=2)
    while not any(env.terminations.values()):
        env.step(int(np.argmax(env.last()[0]["action_mask"])))
    env.step(None)
    twin = loaded(env)
    assert env.agents == twin.agents == ["player_1", "player_2"]
    while env.agents:
        assert_same(env.last(), twin.last())
        env.step(None), twin.step(None)
    assert twin.agents == []


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: env.copy(), loaded])
def test_copies_go_on_in_the_same_way(way: Any) -> None:
    env, rng = made(3), np.random.default_rng(0)
    env.reset(seed=2)
    env.step(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))
    twin = way(env)
    while not any(env.terminations.values()):
        assert_same(env.last(), twin.last())
        action = rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))
        env.step(action)
        twin.step(action)
    assert env.rewards == twin.rewards


def test_the_registry_of_pettingzoo() -> None:
    import pettingzoo

    import tabletop
    import tabletop.envs.aec

    for game in tabletop.games():
        assert f"critters/{game}-v0" in pettingzoo.aec_registry
