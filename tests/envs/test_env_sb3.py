"""The native vector environment for Stable-Baselines3."""

from typing import Any

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from pebbles import PEBBLES
from stacks import needs
from steps import assert_same, legal_actions

from tabletop import OptionError

pytestmark = needs("sb3")


def made(lanes: int = 4, **arguments: Any) -> Any:
    from tabletop.envs.sb3 import GameVecEnv

    return GameVecEnv(PEBBLES, lanes, **arguments)


def test_masks_lane_by_lane() -> None:
    env = made()
    env.seed(1)
    observations = env.reset()
    assert env.has_attr("action_masks") and not env.has_attr("nothing")
    masks = np.stack(env.env_method("action_masks"))
    assert masks.dtype == bool and np.array_equal(masks, observations["action_mask"] == 1)
    assert np.array_equal(np.stack(env.env_method("action_masks", indices=[2, 0])), masks[[2, 0]])
    assert env.env_is_wrapped(object) == [False] * 4


def test_what_is_refused() -> None:
    env = made()
    env.reset()
    with pytest.raises(AttributeError, match="only action_masks"):
        env.env_method("fly")
    with pytest.raises(ValueError, match="set it for all"):
        env.set_attr("render_mode", None, indices=[0])
    with pytest.raises(TypeError, match="expected integers"):
        env.step(np.zeros(4, np.float32))
    env.set_options({"wind": 1})
    with pytest.raises(ValueError, match="no options"):
        env.reset()


def test_the_wrong_order() -> None:
    env, actions = made(), np.zeros(4, np.int64)
    for call in (lambda: env.step(actions), lambda: env.env_method("action_masks"), env.step_wait, env.save):
        with pytest.raises(ResetNeeded):
            call()
    env.reset()
    env.close()
    for call in (lambda: env.step(actions), lambda: env.env_method("action_masks"), env.reset, env.save):
        with pytest.raises(ClosedEnvironmentError):
            call()


@pytest.mark.parametrize("seed", [-1, 2**64 - 1, 1.5, "1", True, [1], np.array(3)])
def test_seeds_that_are_refused(seed: Any) -> None:
    env = made()
    with pytest.raises(ValueError, match="seed"):
        env.seed(seed)
    env.reset()


@pytest.mark.parametrize("seed", [0, np.int32(7), 2**63, None])
def test_seeds_that_are_taken(seed: Any) -> None:
    env = made()
    seeds = env.seed(seed)
    first = env.reset()
    assert seed is None or seeds == [int(seed) + lane for lane in range(4)]
    env.seed(seeds[0])
    assert_same(first, env.reset())


@pytest.mark.parametrize("indices", [99, -1, [0, 4]])
def test_lanes_that_there_are_not(indices: Any) -> None:
    env = made()
    env.reset()
    with pytest.raises(IndexError, match="expected lanes 0 … 3"):
        env.env_method("action_masks", indices=indices)


@pytest.mark.parametrize("arguments", [{"autoreset_mode": "NextStep"}, {"wind": 1}, {"lanes": 0}, {"copy": "no"}])
def test_arguments_that_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=r"not allowed|unknown"):
        made(**arguments)


def test_options_that_were_refused_are_forgotten() -> None:
    env = made()
    env.set_options({"wind": 1})
    with pytest.raises(ValueError, match="no options"):
        env.reset()
    env.reset()


def test_the_end_of_an_episode() -> None:
    env, rng, ended = made(reward="score", dense=True), np.random.default_rng(0), 0
    env.seed(2)
    observations, returns = env.reset(), np.zeros(4)
    for _ in range(30):
        observations, rewards, dones, infos = env.step(legal_actions(observations["action_mask"], rng))
        returns += rewards
        for lane in np.flatnonzero(dones):
            ended += 1
            assert infos[lane]["episode"]["r"] == returns[lane] and not infos[lane]["TimeLimit.truncated"]
            last = infos[lane]["terminal_observation"]
            assert last["action_mask"].all() and not observations["action_mask"][lane].all()
            returns[lane] = 0
    assert ended > 4


def test_save_and_load() -> None:
    """The restored lanes tell the same of episodes that had begun before."""
    env, twin, rng, ended = (
        made(reward="score", dense=True),
        made(reward="score", dense=True),
        np.random.default_rng(0),
        0,
    )
    env.seed(3)
    env.step(legal_actions(env.reset()["action_mask"], rng))
    shown = twin.load(env.save())
    for _ in range(15):
        actions = legal_actions(shown["action_mask"], rng)
        here, there = env.step(actions), twin.step(actions)
        assert_same(here, there)
        shown, ended = here[0], ended + here[2].sum()
    assert ended


@pytest.mark.parametrize("kind", ["native", "single"])
def test_maskable_ppo_learns_a_step(kind: str) -> None:
    from sb3_contrib import MaskablePPO

    from tabletop.envs.gym import GameEnv

    env = made() if kind == "native" else GameEnv(PEBBLES)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=16, batch_size=16, n_epochs=1, device="cpu", seed=0)
    model.learn(64)
    assert model.num_timesteps >= 64


def test_the_infos_of_an_end_tell_of_the_game_that_has_ended() -> None:
    from tabletop.envs.vector import GameVectorEnv

    names = ("action_mask", "scores", "ranking", "turn", "seat")
    env, rng, ended = made(3, info=names), np.random.default_rng(1), 0
    games = GameVectorEnv(PEBBLES, 3, info=names, autoreset_mode="SameStep")
    env.seed(1)
    env.reset()
    games.reset(seed=1)
    for _ in range(60):
        actions = legal_actions(env.action_masks(), rng)
        _, _, over, infos = env.step(actions)
        told = games.step(actions)[4]
        for i in range(3):
            source = told["final_info"] if over[i] else told
            assert_same({name: infos[i][name] for name in names}, {name: source[name][i] for name in names})
        ended += int(over.sum())
    assert ended > 5


def test_a_copy_goes_on_in_the_same_way_and_shared_arrays_are_refused() -> None:
    env = made(3)
    env.seed(1)
    env.reset()
    twin, actions = env.copy(), legal_actions(env.action_masks(), np.random.default_rng(2))
    assert_same(env.step(actions)[:3], twin.step(actions)[:3])
    assert twin.games.action_space is not env.games.action_space
    with pytest.raises(OptionError, match="copy: False is not allowed here"):
        made(3, copy=False)
