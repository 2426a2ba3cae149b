"""One game for Gymnasium: what is shown and paid, misuse, copies."""

import copy
import io
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from pebbles import PEBBLES
from steps import assert_same, legal_actions, some_actions

from tabletop import CHANCE, OVER, BotError, IllegalChoiceError, OptionError, make, plain_bot, play
from tabletop.envs.gym import GameEnv
from tabletop.envs.spaces import INFO

GAME = make(PEBBLES, 3)


def first_legal(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
    return int(legal[0])


def any_legal(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(legal))


def episode(env: GameEnv, rng: np.random.Generator, **reset: Any) -> list[Any]:
    """All that an environment shows in one game of random actions."""
    shown: list[Any] = [env.reset(**reset)]
    while len(shown) == 1 or not shown[-1][2]:
        actions = legal_actions(env.action_masks()[None], rng)
        shown.append(env.step(int(actions[0])))
    return shown


def test_an_episode_is_the_game_of_its_seed_and_number() -> None:
    """Played again event by event: chance from the streams of (seed, number), seat 1 the learner."""
    env = GameEnv(PEBBLES, players=3, seat=1, opponents=first_legal, reward="margin", info=INFO)
    for number in range(3):
        rng = np.random.default_rng(number)
        states, streams = GAME.new(1), GAME.streams(1, 9, number)
        (observation, info), *steps = episode(env, rng, seed=9 if number == 0 else None)
        rng = np.random.default_rng(number)
        for turn in range(len(steps)):
            while GAME.to_move(states)[0] != 1:
                chance = GAME.to_move(states)[0] == CHANCE
                event = play.sample_first(states, streams[0]) if chance else GAME.legal(states)[0][0]
                GAME.step(states, [event])
            assert np.array_equal(observation["observation"], GAME.observe(states, 1)[0])
            assert np.array_equal(observation["action_mask"], GAME.mask(states)[0])
            assert info["legal"] == [GAME.token(e) for e in GAME.legal(states)[0]]
            assert (info["turn"], info["seat"]) == (turn, 1)
            GAME.step(states, legal_actions(GAME.mask(states), rng))
            observation, reward, terminated, truncated, info = steps[turn]
            assert (terminated, truncated) == (turn == len(steps) - 1, False)
            assert reward == 0 or terminated
        while GAME.to_move(states)[0] != OVER:
            chance = GAME.to_move(states)[0] == CHANCE
            GAME.step(states, [play.sample_first(states, streams[0]) if chance else GAME.legal(states)[0][0]])
        points = GAME.scores(states)[0]
        assert np.array_equal(info["scores"], points) and np.array_equal(info["ranking"], GAME.ranking(states)[0])
        assert reward == points[1] - max(points[0], points[2])
        assert observation["action_mask"].all() and info["legal"] == []


def test_the_space_has_the_bounds_of_the_features() -> None:
    space = GameEnv(PEBBLES).observation_space["observation"]
    position = 0
    for feature in PEBBLES.features:
        assert (space.low[position : position + feature.size] == feature.low).all()
        assert (space.high[position : position + feature.size] == feature.high).all()
        position += feature.size
    assert space.shape == (position,) and space.dtype == np.int8


def test_nothing_shown_is_used_again() -> None:
    shown = episode(GameEnv(PEBBLES), np.random.default_rng(0), seed=1)
    kept = copy.deepcopy(shown)
    arrays = [a for part in shown for d in part if isinstance(d, dict) for a in d.values() if isinstance(a, np.ndarray)]
    assert len({a.__array_interface__["data"][0] for a in arrays}) == len(arrays)
    assert_same(shown, kept)


def test_flags_and_rewards_are_plain_python() -> None:
    _, *steps = episode(GameEnv(PEBBLES), np.random.default_rng(0), seed=1)
    for _, reward, terminated, truncated, _ in steps:
        assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)


@pytest.mark.parametrize("reward", ["score", "margin"])
def test_dense_rewards_sum_up_to_the_others(reward: str) -> None:
    for seed in range(5):
        setting = {"players": 3, "reward": reward, "size": 9}
        sparse = episode(GameEnv(PEBBLES, **setting), np.random.default_rng(seed), seed=seed)
        dense = episode(GameEnv(PEBBLES, dense=True, **setting), np.random.default_rng(seed), seed=seed)
        assert sum(step[1] for step in dense[1:]) == sparse[-1][1]
        assert any(step[1] for step in dense[1:-1])
        assert not any(step[1] for step in sparse[1:-1])


def test_an_illegal_action_loses() -> None:
    env = GameEnv(PEBBLES, 3, reward="rank", info=INFO)
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    observation, reward, terminated, _, info = env.step(illegal)
    assert terminated and reward == -1 and info["ranking"][0] == 3 and info["scores"][0] == 0
    assert observation["action_mask"].all() and env.action_masks().all()
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    assert not env.action_masks().all()


def test_an_illegal_action_gives_way_to_a_random_one() -> None:
    env = GameEnv(PEBBLES, 3, illegal="random")
    chosen = set()
    for seed in range(40):
        _, info = env.reset(seed=seed)
        before = env.copy()
        after = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
        legal = np.flatnonzero(info["action_mask"])
        same = [
            int(a)
            for a in legal
            if np.array_equal(before.copy().step(int(a))[0]["observation"], after[0]["observation"])
        ]
        assert same
        chosen.update(same)
    assert len(chosen) > 3


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = GameEnv(PEBBLES, 3, illegal="raise")
    _, info = env.reset(seed=1)
    before = env.save()
    with pytest.raises(ValueError, match=r"not legal; legal are take:"):
        env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert env.save() == before


@pytest.mark.parametrize("action", [-1, PEBBLES.actions, 10**9])
def test_an_action_outside_the_space(action: int) -> None:
    env = GameEnv(PEBBLES)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="not in the space"):
        env.step(action)


@pytest.mark.parametrize("action", [1.0, "1", None, [1], np.array([1]), True, np.float32(2), {}])
def test_an_action_of_a_wrong_type(action: Any) -> None:
    env = GameEnv(PEBBLES)
    env.reset(seed=0)
    before = env.save()
    with pytest.raises(TypeError, match="expected one integer"):
        env.step(action)
    assert env.save() == before


@pytest.mark.parametrize("action", [np.int64(4), np.uint8(4), np.array(4), 4])
def test_integers_of_every_type_are_actions(action: Any) -> None:
    env = GameEnv(PEBBLES, illegal="random")
    env.reset(seed=0)
    env.step(action)


def test_the_wrong_order() -> None:
    env = GameEnv(PEBBLES, render_mode="ansi")
    for call in (lambda: env.step(0), env.render, env.action_masks, env.save):
        with pytest.raises(ResetNeeded):
            call()
    env.reset(seed=0)
    env.close()
    env.close()
    for call in (lambda: env.step(0), env.render, env.reset, env.action_masks):
        with pytest.raises(ClosedEnvironmentError):
            call()


@pytest.mark.parametrize(
    "seed", [-1, 2**64, 1.5, "1", True, [1], np.array(1), np.float64(1), np.True_, (), b"1", float("nan")]
)
def test_seeds_that_are_refused(seed: Any) -> None:
    env = GameEnv(PEBBLES)
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    env.reset(seed=0)


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.int64(7), np.uint64(2**63)])
def test_seeds_that_are_taken(seed: Any) -> None:
    env = GameEnv(PEBBLES)
    first = env.reset(seed=seed)
    assert_same(first, env.reset(seed=seed))
    assert_same(first, GameEnv(PEBBLES).reset(seed=int(seed)))


def test_without_a_seed_games_differ() -> None:
    games = [episode(GameEnv(PEBBLES), np.random.default_rng(0)) for _ in range(8)]
    assert len({str(game) for game in games}) > 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"players": 9}, OptionError),
        ({"players": "2"}, OptionError),
        ({"seat": 2}, OptionError),
        ({"seat": -1}, OptionError),
        ({"seat": "first"}, OptionError),
        ({"seat": True}, OptionError),
        ({"seat": 0.0}, OptionError),
        ({"opponents": None}, OptionError),
        ({"opponents": 5}, OptionError),
        ({"opponents": {"uniform": 1}}, OptionError),
        ({"opponents": "nobody"}, BotError),
        ({"opponents": "uniform:x=1"}, BotError),
        ({"opponents": ["uniform", "uniform"]}, OptionError),
        ({"opponents": [7]}, OptionError),
        ({"illegal": "ignore"}, OptionError),
        ({"illegal": None}, OptionError),
        ({"reward": "money"}, OptionError),
        ({"reward": "win", "dense": True}, OptionError),
        ({"info": ["score"]}, OptionError),
        ({"info": "scores"}, OptionError),
        ({"render_mode": "human"}, OptionError),
        ({"colour": "red"}, OptionError),
        ({"die": "heavy"}, OptionError),
        ({"game": "chess"}, OptionError),
    ],
)
def test_arguments_that_are_refused(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        GameEnv(**{"game": PEBBLES, **arguments})


def test_options_of_a_reset_are_refused() -> None:
    with pytest.raises(ValueError, match="no options"):
        GameEnv(PEBBLES).reset(options={"wind": 1})


def test_settings_reach_the_game() -> None:
    env = GameEnv(PEBBLES, heaps=2, size=3, take="up_to")
    assert (env.variant.settings.parameters["heaps"], env.variant.settings.options["take"]) == (2, "up_to")


def test_a_mix_of_opponents_on_their_seats() -> None:
    """Clockwise from the learner's seat; what each sees is dealt anew, so it is not the position itself."""
    asked: list[tuple[int, int]] = []

    def recorder(name: int) -> Any:
        def choose(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
            asked.append((name, int(GAME.to_move(state)[0])))
            return int(rng.choice(legal))

        return plain_bot(choose)

    episode(GameEnv(PEBBLES, 3, seat=1, opponents=[recorder(7), recorder(8)]), np.random.default_rng(0), seed=0)
    assert set(asked) == {(7, 2), (8, 0)}
    asked.clear()
    episode(GameEnv(PEBBLES, 3, seat=1, opponents=["uniform", recorder(8)]), np.random.default_rng(0), seed=0)
    assert set(asked) == {(8, 0)}


def test_opponents_do_not_see_what_is_hidden() -> None:
    """The spy on seat 1 sees its own stone, and the learner's only as often as a guess finds it."""
    seen: list[tuple[int, int]] = []
    env = GameEnv(PEBBLES, 2, opponents=lambda view, legal, rng: seen.append(tuple(view["stone"][0, :2])) or legal[0])
    found = []
    for seed in range(120):
        episode(env, np.random.default_rng(seed), seed=seed)
        learner, spy = env.lanes.states["stone"][0, :2]
        assert {own for _, own in seen} == {spy}
        found.append(seen[0][0] == learner)
        seen.clear()
    assert 0.2 < np.mean(found) < 0.6  # 1 in 3 would be blind; the own stone tells a little


def test_a_rotating_seat() -> None:
    env = GameEnv(PEBBLES, 3, seat="rotate")
    assert [env.reset(seed=4 if k == 0 else None)[1]["seat"] for k in range(5)] == [1, 2, 0, 1, 2]


def test_an_opponent_that_chooses_illegally() -> None:
    env = GameEnv(PEBBLES, 2, seat=1, opponents=lambda state, legal, rng: 10**6)
    with pytest.raises(IllegalChoiceError, match="seat 0 chose 1000000; legal are take:"):
        env.reset(seed=0)


@pytest.mark.parametrize("opponents", ["uniform", any_legal])
@pytest.mark.parametrize("way", ["copy", "deepcopy", "save"])
def test_copies_go_on_in_the_same_way(way: str, opponents: Any) -> None:
    arguments: dict[str, Any] = {
        "game": PEBBLES,
        "players": 3,
        "opponents": opponents,
        "reward": "score",
        "dense": True,
    }
    env = GameEnv(**arguments)
    env.reset(seed=3)
    env.step(legal_actions(env.action_masks()[None], np.random.default_rng(0))[0])
    if way == "save":
        twin = GameEnv(**arguments)
        shown = twin.load(env.save())
        assert np.array_equal(shown[0]["observation"], env.variant.observe(env.lanes.states, 0)[0])
    else:
        twin = env.copy() if way == "copy" else copy.deepcopy(env)
    rngs = np.random.default_rng(1), np.random.default_rng(1)
    for _ in range(30):
        here, there = (
            e.step(some_actions(e.action_masks()[None], r)[0]) for e, r in zip((env, twin), rngs, strict=True)
        )
        assert_same(here, there)
        if here[2]:
            assert_same(env.reset(), twin.reset())


def test_a_copy_is_independent() -> None:
    env = GameEnv(PEBBLES)
    env.reset(seed=3)
    before, twin = env.save(), env.copy()
    twin.step(int(np.flatnonzero(twin.action_masks())[0]))
    assert env.save() == before


def test_bytes_that_are_refused() -> None:
    env, other = GameEnv(PEBBLES, 3), GameEnv(PEBBLES, 2)
    env.reset(seed=1), other.reset(seed=1)
    before = env.save()
    for data in (b"", b"nonsense", before[: len(before) // 2], other.save()):
        with pytest.raises(ValueError, match="saved environment"):
            env.load(data)
        assert env.save() == before


def test_rendering() -> None:
    env = GameEnv(PEBBLES, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.variant.text(env.lanes.states)
    assert GameEnv(PEBBLES).render_mode is None


def test_the_wrappers_of_gymnasium() -> None:
    env = gymnasium.wrappers.RecordEpisodeStatistics(
        gymnasium.wrappers.TimeLimit(gymnasium.wrappers.FlattenObservation(GameEnv(PEBBLES, illegal="random")), 2)
    )
    observation, _ = env.reset(seed=0)
    assert observation.shape == (PEBBLES.observation_size + PEBBLES.actions,)
    env.step(0)
    *_, truncated, info = env.step(0)
    assert truncated and info["episode"]["l"] == 2


def test_positions_that_are_not_sound_are_refused() -> None:
    env = GameEnv(PEBBLES, 3)
    env.reset(seed=1)
    before = env.save()
    with np.load(io.BytesIO(before)) as file:
        arrays = dict(file)
    arrays["states"].view(PEBBLES.state)["heap"][:] += 50
    changed = io.BytesIO()
    np.savez(changed, **arrays)
    with pytest.raises(ValueError, match="not sound"):
        env.load(changed.getvalue())
    assert env.save() == before


def test_an_opponent_with_memory_begins_every_game_anew() -> None:
    class Counter:
        """Counts its own choices; a fresh one for every game."""

        made = 0

        def new_game(self) -> Any:
            Counter.made += 1
            choices = iter(range(100))
            return lambda state, legal, rng: counted.append(next(choices)) or int(legal[0])

        def __call__(self, state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
            raise AssertionError

    counted: list[int] = []
    env = GameEnv(PEBBLES, 2, opponents=Counter())
    for seed in (1, 1, None):
        counted.clear()
        episode(env, np.random.default_rng(0), seed=seed)
        assert counted == list(range(len(counted))) and counted
    assert Counter.made == 3


def failing_once(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
    failing_once.calls += 1  # type: ignore[attr-defined]
    if failing_once.calls == 3:  # type: ignore[attr-defined]
        raise RuntimeError("a bug")
    return int(legal[0])


def test_after_an_opponent_has_failed_only_a_reset_goes_on() -> None:
    """Else the learner would play for the opponent, whose turn it was."""
    failing_once.calls = 0  # type: ignore[attr-defined]
    env = GameEnv(PEBBLES, players=2, opponents=failing_once)
    env.reset(seed=3)
    with pytest.raises(RuntimeError, match="a bug"):
        for _ in range(100):
            if env.step(int(np.flatnonzero(env.action_masks())[0]))[2]:
                env.reset()
    twin = env.copy()
    for broken in (env, twin):
        for call in (lambda: broken.step(0), broken.action_masks, broken.save):  # noqa: B023
            with pytest.raises(ResetNeeded, match="broken off"):
                call()
    sound = GameEnv(PEBBLES, players=2, opponents=first_legal)
    assert_same(env.reset(seed=4), sound.reset(seed=4))
    action = int(np.flatnonzero(env.action_masks())[0])
    assert_same(env.step(action), sound.step(action))


def test_a_reset_that_failed_has_begun_nothing() -> None:
    failing_once.calls = 2  # type: ignore[attr-defined]
    env = GameEnv(PEBBLES, players=2, seat=1, opponents=failing_once)
    with pytest.raises(RuntimeError, match="a bug"):
        env.reset(seed=1)
    with pytest.raises(ResetNeeded):
        env.step(0)


PICKLED = """
import pickle, sys
from pathlib import Path
import numpy as np
env = pickle.loads(Path(sys.argv[1]).read_bytes())
rewards = []
for _ in range(60):
    _, reward, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[-1]))
    rewards.append(reward)
    if over:
        env.reset()
print(rewards, env.lanes.text(0))
"""


@pytest.mark.parametrize("opponents", ["uniform", "flat:iterations=3,rollout=uniform"])
def test_a_pickled_environment_goes_on_in_another_process(run_python, tmp_path: Path, opponents: str) -> None:
    """The addresses of compiled bots, also of those inside their numbers, hold in one process only."""
    env = GameEnv(PEBBLES, players=2, opponents=opponents)
    env.reset(seed=5)
    (tmp_path / "env").write_bytes(pickle.dumps(env))
    told = run_python(PICKLED, str(tmp_path / "env"))
    rewards = []
    for _ in range(60):
        _, reward, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[-1]))
        rewards.append(reward)
        if over:
            env.reset()
    assert told == f"{rewards} {env.lanes.text(0)}\n"
