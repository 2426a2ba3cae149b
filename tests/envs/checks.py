"""What every game must pass in every stack, for every number of players: one function a check.

A check takes the name of a game and the number of players, and raises where something is wrong. Its docstring
stands in the table of `docs/environments.md`.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from steps import assert_same, legal_actions, some_actions

from tabletop.envs.selfplay import SelfPlay

LANES = 3
STEPS = 25


@contextmanager
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def env_id(game: str) -> str:
    return f"{game}:{game.capitalize()}-v0"


def check_gymnasium(game: str, players: int) -> None:
    """`gymnasium.utils.env_checker.check_env`, warnings are errors"""
    with no_warnings():
        check_env(gymnasium.make(env_id(game), players=players).unwrapped)


def check_vector(game: str, players: int) -> None:
    """native vector = `SyncVectorEnv` of single ones, in every step of all three autoreset modes"""
    for mode in AutoresetMode:
        settings = {"players": players, "seat": "rotate", "reward": "rank", "num_envs": LANES}
        kwargs = {"autoreset_mode": mode}
        single = gymnasium.make_vec(env_id(game), vectorization_mode="sync", vector_kwargs=kwargs, **settings)
        native = gymnasium.make_vec(env_id(game), autoreset_mode=mode, **settings)
        rng = np.random.default_rng(1)
        assert_same(single.reset(seed=5), native.reset(seed=5), "reset")
        for k in range(STEPS):
            actions = some_actions(native.action_masks(), rng)
            here, there = single.step(actions), native.step(actions)
            assert_same(here, there, f"{mode} {k}")
            if mode is AutoresetMode.DISABLED and here[2].any():
                masks = ({"reset_mask": here[2].copy()} for _ in range(2))
                assert_same(*(env.reset(options=options) for env, options in zip((single, native), masks, strict=True)))


def check_self_play(game: str, players: int) -> None:
    """self-play batch = lanes alone, step by step; rewards of whole games = the final points"""
    batch = SelfPlay(game, LANES, players, reward="score", dense=True)
    alone = [SelfPlay(game, 1, players, reward="score", dense=True) for _ in range(LANES)]
    moment, rng, totals = batch.reset(7), np.random.default_rng(2), np.zeros((LANES, players))
    moments = [env.reset(7 + i) for i, env in enumerate(alone)]
    for _ in range(STEPS * players):
        actions = legal_actions(moment.action_mask, rng)
        moment = batch.step(actions)
        moments = [env.step(actions[i : i + 1]) for i, env in enumerate(alone)]
        for name in ("observation", "action_mask", "seat", "rewards", "terminated"):
            assert_same(getattr(moment, name), np.concatenate([getattr(m, name) for m in moments]), name)
        totals += moment.rewards
        assert np.array_equal(totals[moment.terminated], moment.scores[moment.terminated])
        totals[moment.terminated] = 0


def check_sb3(game: str, players: int) -> None:
    """`stable_baselines3.common.env_checker.check_env`"""
    from stable_baselines3.common.env_checker import check_env as check_env_for_sb3

    with no_warnings():
        check_env_for_sb3(gymnasium.make(env_id(game), players=players).unwrapped)


def check_sb3_vector(game: str, players: int) -> None:
    """native `VecEnv` = `DummyVecEnv` of single ones, in every step"""
    from stable_baselines3.common.vec_env import DummyVecEnv

    from tabletop.envs.sb3 import GameVecEnv

    native = GameVecEnv(game, LANES, players=players)
    single = DummyVecEnv([lambda: gymnasium.make(env_id(game), players=players, info=())] * LANES)
    native.seed(3), single.seed(3)
    assert_same(dict(single.reset()), native.reset(), "reset")
    rng = np.random.default_rng(4)
    for k in range(STEPS):
        masks = np.stack(native.env_method("action_masks"))
        assert np.array_equal(masks, np.stack(single.env_method("action_masks")))
        actions = some_actions(masks, rng)
        (seen, *here, told), (other, *there, others) = native.step(actions), single.step(actions)
        assert_same([seen, *here], [dict(other), *there], str(k))
        for mine, another in zip(told, others, strict=True):
            assert_same(mine.get("terminal_observation"), another.get("terminal_observation"), str(k))
            assert mine.get("TimeLimit.truncated", False) == another["TimeLimit.truncated"]


def check_pettingzoo(game: str, players: int) -> None:
    """`pettingzoo.test.api_test`"""
    from pettingzoo.test import api_test

    from tabletop.envs.aec import env

    with no_warnings():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")  # it says so of every dictionary
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        api_test(env(game, players=players), num_cycles=STEPS * players)


def check_pettingzoo_seed(game: str, players: int) -> None:
    """`pettingzoo.test.seed_test`"""
    from pettingzoo.test import seed_test

    from tabletop.envs.aec import env

    seed_test(lambda: env(game, players=players), num_cycles=STEPS)


def check_pettingzoo_parallel(game: str, players: int) -> None:
    """`parallel_api_test` through `turn_based_aec_to_parallel`"""
    from pettingzoo.test import parallel_api_test
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    from tabletop.envs.aec import raw_env

    parallel_api_test(turn_based_aec_to_parallel(raw_env(game, players=players)), num_cycles=STEPS * players)


def check_rllib(game: str, players: int) -> None:
    """`check_multiagent_environments`, RLlib's pre-check, for both names of the observation"""
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    from tabletop.envs.rllib import GameMultiAgentEnv

    for name in ("observation", "observations"):
        check_multiagent_environments(GameMultiAgentEnv({"game": game, "players": players, "name": name}))


def check_open_spiel(game: str, players: int) -> None:
    """`pyspiel.random_sim_test` with serialisation"""
    import pyspiel

    import tabletop.envs.open_spiel  # noqa: F401

    loaded = pyspiel.load_game(f"critters_{game}", {"players": players})
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


CHECKS: dict[str, tuple[str, Callable[[str, int], None]]] = {  # name: (stack, check)
    "Gymnasium": ("gymnasium", check_gymnasium),
    "vector": ("gymnasium", check_vector),
    "self-play": ("gymnasium", check_self_play),
    "SB3": ("sb3", check_sb3),
    "SB3 vector": ("sb3", check_sb3_vector),
    "PettingZoo": ("pettingzoo", check_pettingzoo),
    "seeds": ("pettingzoo", check_pettingzoo_seed),
    "parallel": ("pettingzoo", check_pettingzoo_parallel),
    "RLlib": ("rllib", check_rllib),
    "OpenSpiel": ("openspiel", check_open_spiel),
}
