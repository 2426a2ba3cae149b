"""The native vector environment: batches and threads, autoreset, infos, misuse, copies."""

import copy
import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from games import GAMES, of_each_game
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pebbles import PEBBLES
from steps import assert_same, legal_actions, some_actions

from tabletop import FailedBotError, IllegalChoiceError, OptionError
from tabletop.bits import nth_in
from tabletop.bots import Bot, compile_bot
from tabletop.envs.gym import GameEnv
from tabletop.envs.loops import UNIFORM
from tabletop.envs.spaces import INFO
from tabletop.envs.vector import GameVectorEnv
from tabletop.matches import compiled_table
from tabletop.rng import uniform


def any_legal(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(legal))


SETTINGS: list[dict[str, Any]] = [
    {"players": 3, "info": INFO},
    {"players": 2, "seat": 1, "reward": "margin", "dense": True, "illegal": "random"},
    {"players": 4, "seat": "rotate", "reward": "rank", "opponents": ["uniform", any_legal, "uniform"]},
    {"players": 3, "opponents": any_legal, "reward": "score", "dense": True, "info": ("legal",), "heaps": 1},
]


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("settings", SETTINGS)
def test_lanes_are_single_environments(settings: dict[str, Any], mode: AutoresetMode) -> None:
    lanes = 5
    single = SyncVectorEnv([lambda: GameEnv(PEBBLES, **settings)] * lanes, autoreset_mode=mode)
    native = GameVectorEnv(PEBBLES, lanes, autoreset_mode=mode, threads=2, **settings)
    assert single.observation_space == native.observation_space and single.action_space == native.action_space
    assert_same(single.reset(seed=11), native.reset(seed=11), "reset")
    rng, episodes = np.random.default_rng(0), 0
    for k in range(60):
        actions = some_actions(native.action_masks(), rng, 0.1)
        here, there = single.step(actions), native.step(actions)
        assert_same(here, there, f"step {k}")
        episodes += here[2].sum()
        if mode is AutoresetMode.DISABLED and here[2].any():
            ended = here[2]
            assert_same(*(env.reset(options={"reset_mask": ended.copy()}) for env in (single, native)), f"reset {k}")
    assert episodes > lanes


def play_on(env: GameVectorEnv, steps: int, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [copy.deepcopy(env.step(some_actions(env.action_masks(), rng))) for _ in range(steps)]


def test_nothing_depends_on_threads_or_on_the_size_of_the_batch() -> None:
    shown = []
    for threads in (1, 2, 3, 64):
        env = GameVectorEnv(PEBBLES, 64, threads=threads, autoreset_mode="SameStep")
        shown.append([env.reset(seed=5), play_on(env, 20)])
    for other in shown[1:]:
        assert_same(shown[0], other)


@pytest.mark.parametrize("name", of_each_game())
def test_uniform_opponents_play_as_if_they_got_a_view(name: str) -> None:
    quick, asked = (GameVectorEnv(GAMES[name], 6, info=INFO, autoreset_mode="SameStep") for _ in range(2))
    asked.lanes.addresses[1:] = compiled_table(asked.lanes.bots)[0]
    assert ((quick.lanes.addresses[1:] == UNIFORM) == (name != "pebbles")).all()  # which does not tell its words
    shown = quick.reset(seed=8), asked.reset(seed=8)
    rng = np.random.default_rng(0)
    for _ in range(150):
        assert_same(*shown)
        actions = legal_actions(shown[0][0]["action_mask"], rng)
        shown = quick.step(actions), asked.step(actions)
    assert quick.lanes.rngs.tobytes() == asked.lanes.rngs.tobytes()


def test_without_copies_the_same_arrays_are_used_again() -> None:
    fresh, reused = GameVectorEnv(PEBBLES, 4), GameVectorEnv(PEBBLES, 4, copy=False)
    assert_same(fresh.reset(seed=1), reused.reset(seed=1))
    arrays: list[set[int]] = [set(), set()]
    kept = []
    for k in range(15):
        actions = legal_actions(fresh.action_masks(), np.random.default_rng(k))
        steps = fresh.step(actions), reused.step(actions)
        assert_same(*steps)
        kept.append((steps[0], copy.deepcopy(steps[0])))
        for seen, step in zip(arrays, steps, strict=True):
            seen.add(step[0]["observation"].__array_interface__["data"][0])
    assert len(arrays[1]) == 1 and len(arrays[0]) == 15
    for now, then in kept:
        assert_same(now, then)


def test_a_mask_resets_only_its_lanes() -> None:
    env = GameVectorEnv(PEBBLES, 4, autoreset_mode="Disabled", info=INFO)
    env.reset(seed=1)
    play = env.step(legal_actions(env.action_masks(), np.random.default_rng(0)))
    mask = np.array([True, False, False, True])
    observations, infos = env.reset(seed=[8, None, None, 9], options={"reset_mask": mask})
    for lane, seed in ((0, 8), (3, 9)):
        alone, info = GameEnv(PEBBLES, info=INFO).reset(seed=seed)
        assert np.array_equal(observations["observation"][lane], alone["observation"])
        assert infos["legal"][lane] == info["legal"]
    assert np.array_equal(observations["observation"][1:3], play[0]["observation"][1:3])
    assert np.array_equal(infos["_turn"], mask) and infos["legal"][1] is None


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"reset_mask": [True, True]}, TypeError),
        ({"reset_mask": np.array([1, 0])}, TypeError),
        ({"reset_mask": np.array([True])}, ValueError),
        ({"reset_mask": np.zeros(2, bool)}, ValueError),
        ({"mask": np.ones(2, bool)}, ValueError),
    ],
)
def test_masks_that_are_refused(options: dict[str, Any], error: type[Exception]) -> None:
    env = GameVectorEnv(PEBBLES, 2)
    env.reset(seed=0)
    before = env.save()
    with pytest.raises(error, match=r"not allowed|expected"):
        env.reset(options=options)
    assert env.save() == before


@pytest.mark.parametrize(
    "seed",
    [
        -1,
        1.5,
        True,
        "12",
        b"12",
        [1],
        [1, -1],
        [1, "2"],
        [1.0, 2],
        2**64 - 1,
        2**70,
        {1, 2},
        np.array(5),
        np.zeros((2, 2)),
    ],
)
def test_seeds_that_are_refused(seed: Any) -> None:
    env = GameVectorEnv(PEBBLES, 2)
    env.reset(seed=0)
    before = env.save()
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    assert env.save() == before


@pytest.mark.parametrize("seed", [0, 2**64 - 2, np.int32(5), [3, None], (3, 4), np.array([3, 4])])
def test_seeds_that_are_taken(seed: Any) -> None:
    GameVectorEnv(PEBBLES, 2).reset(seed=seed)


@pytest.mark.parametrize(
    "actions",
    [[0.0, 1.0], [0], [[0, 1]], [0, 1, 2], "ab", None, [True, False], np.zeros(2, np.float32), 0, [None, 1], {}],
)
def test_actions_of_a_wrong_type_or_shape(actions: Any) -> None:
    env = GameVectorEnv(PEBBLES, 2)
    env.reset(seed=0)
    before = env.save()
    with pytest.raises(TypeError, match=r"expected integers of shape \(2,\)"):
        env.step(actions)
    assert env.save() == before


@pytest.mark.parametrize("actions", [[0, -1], [0, PEBBLES.actions], [0, 2**40]])
def test_actions_outside_the_space(actions: list[int]) -> None:
    env = GameVectorEnv(PEBBLES, 2)
    env.reset(seed=0)
    before = env.save()
    with pytest.raises(ValueError, match="of lane 1 is not in the space"):
        env.step(actions)
    assert env.save() == before


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_integers_of_every_type_are_actions(dtype: Any) -> None:
    env = GameVectorEnv(PEBBLES, 2, illegal="random")
    env.reset(seed=0)
    env.step(np.array([1, 2], dtype))
    env.step(np.array([1, 0, 2, 0], dtype)[::2])


def test_an_illegal_action_raises_and_changes_no_lane() -> None:
    env = GameVectorEnv(PEBBLES, 3, illegal="raise")
    env.reset(seed=0)
    before, actions = env.save(), legal_actions(env.action_masks(), np.random.default_rng(0))
    actions[2] = np.flatnonzero(~env.action_masks()[2])[0]
    with pytest.raises(ValueError, match="of lane 2 is not legal; legal are take:"):
        env.step(actions)
    assert env.save() == before


def test_illegal_actions_touch_only_their_lanes() -> None:
    wild, tame = (GameVectorEnv(PEBBLES, 3, autoreset_mode="SameStep") for _ in range(2))
    wild.reset(seed=0), tame.reset(seed=0)
    actions = legal_actions(wild.action_masks(), np.random.default_rng(0))
    other = actions.copy()
    other[1] = np.flatnonzero(~wild.action_masks()[1])[0]
    here, there = wild.step(other), tame.step(actions)
    assert here[2].tolist() == [False, True, False] and here[1][1] == -1
    for lane in (0, 2):
        assert np.array_equal(here[0]["observation"][lane], there[0]["observation"][lane])


def test_the_wrong_order() -> None:
    env = GameVectorEnv(PEBBLES, 2, autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded):
        env.step([0, 0])
    with pytest.raises(ResetNeeded):
        env.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=0)
    env.step([int(np.flatnonzero(env.action_masks()[0])[0]), int(np.flatnonzero(~env.action_masks()[1])[0])])
    before = env.save()
    with pytest.raises(ResetNeeded, match="lane 1 is over"):
        env.step([0, 0])
    assert env.save() == before
    env.close()
    for call in (lambda: env.step([0, 0]), env.reset, env.save, env.render, env.action_masks, lambda: env.load(before)):
        with pytest.raises(ClosedEnvironmentError):
            call()


@pytest.mark.parametrize(
    "arguments",
    [
        {"num_envs": 0},
        {"num_envs": 1.5},
        {"num_envs": 2**70},
        {"copy": "no"},
        {"copy": 1},
        {"autoreset_mode": "Never"},
        {"render_mode": "human"},
        {"colour": 1},
    ],
)
def test_arguments_that_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        GameVectorEnv(PEBBLES, **arguments)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_threads_that_are_refused(threads: Any) -> None:
    with pytest.raises(ValueError, match="threads"):
        GameVectorEnv(PEBBLES, 4, threads=threads)


@pytest.mark.parametrize("opponents", ["uniform", any_legal])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("way", ["copy", "deepcopy", "save"])
def test_copies_go_on_in_the_same_way(way: str, mode: str, opponents: Any) -> None:
    arguments: dict[str, Any] = {"num_envs": 4, "players": 3, "opponents": opponents, "autoreset_mode": mode}
    env = GameVectorEnv(PEBBLES, **arguments)
    env.reset(seed=3)
    play_on(env, 7)
    if way == "save":
        twin = GameVectorEnv(PEBBLES, **arguments)
        twin.load(env.save())
    else:
        twin = env.copy() if way == "copy" else copy.deepcopy(env)
    before = env.save()
    here = play_on(env, 25)
    assert twin.save() == before
    assert_same(here, play_on(twin, 25))


def test_bytes_of_another_size_are_refused() -> None:
    env, other = GameVectorEnv(PEBBLES, 3), GameVectorEnv(PEBBLES, 2)
    env.reset(seed=0), other.reset(seed=0)
    before = env.save()
    with pytest.raises(ValueError, match="has shape"):
        env.load(other.save())
    assert env.save() == before


def test_an_opponent_that_fails() -> None:
    """Its error comes out with its name, and the lanes can be used after a reset."""
    fails = {"now": False}

    def choose(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
        if fails["now"]:
            raise ZeroDivisionError
        return int(legal[0])

    env = GameVectorEnv(PEBBLES, 2, opponents=choose)
    env.reset(seed=0)
    fails["now"] = True
    told = r"^lane 0, game 0 of seed 0: bot 'choose' on seat 1 raised ZeroDivisionError\(\)$"
    with pytest.raises(FailedBotError, match=told):
        env.step(legal_actions(env.action_masks(), np.random.default_rng(0)))
    fails["now"] = False
    env.reset(seed=0)
    play_on(env, 3)


def failing_act(state, legal, rng, params):
    """Raises an error now and then."""
    if uniform(rng, 0, 8) == 0:
        raise ValueError("no idea")
    return nth_in(legal, 0)


def stray_act(state, legal, rng, params):
    return uniform(rng, 1, 5)


@pytest.mark.parametrize(("act", "raised"), [(failing_act, r"ValueError\('no idea'\)"), (stray_act, "IndexError")])
@pytest.mark.parametrize("other", ["uniform", any_legal])
def test_a_compiled_opponent_that_fails(act, raised: str, other: Any) -> None:
    """Its lane is named, whoever plays beside it."""
    bad = Bot("bad", compile_bot(PEBBLES, act), np.zeros(0))
    env, rng = GameVectorEnv(PEBBLES, 6, players=3, opponents=[other, bad], threads=1), np.random.default_rng(0)
    told = rf"^lane (\d), game \d of seed \1: bot 'bad' on seat 2 raised {raised}"
    with pytest.raises(FailedBotError, match=told) as error:
        env.reset(seed=0)
        for _ in range(50):
            env.step(legal_actions(env.action_masks(), rng))
    assert isinstance(error.value.__cause__, (ValueError, IndexError))
    assert not env.lanes.lanes["waits"].any()  # so that no step of others goes on with a lane that is broken off


def test_an_opponent_that_chooses_illegally() -> None:
    env = GameVectorEnv(PEBBLES, 2, seat=1, opponents=lambda state, legal, rng: -5)
    with pytest.raises(IllegalChoiceError, match=r"lane 0, game 0 of seed 0: bot .* on seat 0 chose -5; legal"):
        env.reset(seed=0)


@pytest.mark.parametrize("choice", [3.9, "3", None, [3]])
def test_an_opponent_that_chooses_what_is_no_id(choice: object) -> None:
    env = GameVectorEnv(PEBBLES, 2, seat=1, opponents=lambda state, legal, rng: choice)
    told = (
        rf"bot '<lambda>' on seat 0 chose {re.escape(repr(choice))}; expected the id of a legal event; legal are take:"
    )
    with pytest.raises(IllegalChoiceError, match=told):
        env.reset(seed=0)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_last_observations_are_copies_of_their_own(mode: str) -> None:
    env, rng, kept = GameVectorEnv(PEBBLES, 6, autoreset_mode=mode, copy=False), np.random.default_rng(0), []
    env.reset(seed=0)
    for _ in range(30):
        *_, infos = env.step(legal_actions(env.action_masks(), rng))
        kept += [(seen, copy.deepcopy(seen)) for seen in infos.get("final_obs", ()) if seen is not None]
    assert bool(kept) == (mode == "SameStep")
    for now, then in kept:
        assert_same(now, then)


def test_rendering() -> None:
    env = GameVectorEnv(PEBBLES, 2, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == tuple(env.variant.text(env.lanes.states[i : i + 1]) for i in range(2))


def test_the_statistics_of_gymnasium() -> None:
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(GameVectorEnv(PEBBLES, 3, reward="score"))
    env.reset(seed=0)
    rng, found = np.random.default_rng(0), 0
    for _ in range(30):
        *_, terminated, _, infos = env.step(legal_actions(env.unwrapped.action_masks(), rng))
        for lane in np.flatnonzero(terminated):
            assert infos["episode"]["r"][lane] == infos["scores"][lane, 0]
            found += 1
    assert found > 3
