"""The self-play batch: whose turn it is, who is paid what and when."""

from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pebbles import PEBBLES
from steps import assert_same, legal_actions, some_actions

from tabletop import CHANCE, OVER, OptionError, make, play
from tabletop.envs.rewards import REWARDS
from tabletop.envs.selfplay import Moment, SelfPlay


@pytest.mark.parametrize("players", PEBBLES.players)
@pytest.mark.parametrize("reward", REWARDS)
def test_a_lane_is_the_game_of_its_seed_and_number(players: int, reward: str) -> None:
    """Played again event by event with the streams of (seed, number)."""
    game, batch, rng = make(PEBBLES, players), SelfPlay(PEBBLES, 2, players, reward=reward), np.random.default_rng(0)
    moment, numbers = batch.reset(20), [0, 0]
    positions = [(game.new(1), game.streams(1, 20 + lane, 0)) for lane in range(2)]
    for _ in range(40):
        for lane, (states, streams) in enumerate(positions):
            game.resolve(states, streams)
            assert moment.seat[lane] == game.to_move(states)[0]
            assert np.array_equal(moment.observation[lane], game.observe(states)[0])
            assert np.array_equal(moment.action_mask[lane], game.mask(states)[0])
        actions = legal_actions(moment.action_mask, rng)
        moment = batch.step(actions)
        for lane, (states, streams) in enumerate(positions):
            game.step(states, actions[lane : lane + 1])
            game.resolve(states, streams)
            over = game.to_move(states)[0] == OVER
            assert moment.terminated[lane] == over
            assert moment.rewards[lane].any() <= over
            if over:
                assert np.array_equal(moment.scores[lane], game.scores(states)[0])
                assert np.array_equal(moment.ranking[lane], game.ranking(states)[0])
                if reward == "score":
                    assert moment.rewards[lane].tolist() == moment.scores[lane].tolist()
                numbers[lane] += 1
                positions[lane] = game.new(1), game.streams(1, 20 + lane, numbers[lane])
    assert min(numbers) > 1


def totals(batch: SelfPlay, steps: int) -> list[list[float]]:
    """The sums of the rewards of the games that end within some steps."""
    moment, rng = batch.reset(1), np.random.default_rng(0)
    sums, found = np.zeros((len(moment.seat), batch.variant.players)), []
    for _ in range(steps):
        moment = batch.step(legal_actions(moment.action_mask, rng))
        sums += moment.rewards
        found += sums[moment.terminated].tolist()
        sums[moment.terminated] = 0
    return found


@pytest.mark.parametrize("reward", ["score", "margin"])
def test_dense_rewards_sum_up_to_the_others(reward: str) -> None:
    sparse = totals(SelfPlay(PEBBLES, 4, 3, reward=reward), 80)
    assert sparse and sparse == totals(SelfPlay(PEBBLES, 4, 3, reward=reward, dense=True), 80)


def test_dense_rewards_are_paid_at_the_turn_of_the_seat() -> None:
    game, batch, rng = make(PEBBLES, 3), SelfPlay(PEBBLES, 1, 3, reward="score", dense=True), np.random.default_rng(3)
    moment, paid = batch.reset(2), np.zeros(3)
    moment = batch.step(legal_actions(moment.action_mask, rng))
    while not moment.terminated[0]:
        assert np.flatnonzero(moment.rewards[0]).tolist() in ([], [moment.seat[0]])
        paid += moment.rewards[0]
        assert paid[moment.seat[0]] == game.scores(batch.lanes.states)[0][moment.seat[0]]
        moment = batch.step(legal_actions(moment.action_mask, rng))


def test_without_autoreset_lanes_wait() -> None:
    batch, rng = SelfPlay(PEBBLES, 3, 2, autoreset=False), np.random.default_rng(0)
    moment = batch.reset(0)
    while not moment.terminated.any():
        moment = batch.step(legal_actions(moment.action_mask, rng))
    ended = moment.terminated
    assert (moment.seat[ended] == OVER).all() and moment.action_mask[ended].all()
    again = batch.step(legal_actions(moment.action_mask, rng))
    assert again.terminated[ended].all() and not again.rewards[ended].any()
    assert np.array_equal(again.observation[ended], moment.observation[ended])
    fresh = batch.reset(mask=ended)
    assert not fresh.terminated[ended].any() and (fresh.seat[ended] >= 0).all()


def test_who_acts_illegally_comes_last() -> None:
    batch = SelfPlay(PEBBLES, 1, 3, reward="rank")
    moment = batch.reset(0)
    moment = batch.step(legal_actions(moment.action_mask, np.random.default_rng(0)))
    seat = int(moment.seat[0])
    moment = batch.step(np.flatnonzero(moment.action_mask[0] == 0)[:1])
    assert moment.terminated[0] and moment.rewards[0, seat] == -1 and moment.ranking[0, seat] == 3
    assert moment.rewards[0].sum() == 0


@pytest.mark.parametrize("way", ["copy", "save"])
def test_copies_go_on_in_the_same_way(way: str) -> None:
    batch, rng = SelfPlay(PEBBLES, 3, 3, threads=2), np.random.default_rng(0)
    moment = batch.reset(5)
    for _ in range(5):
        moment = batch.step(some_actions(moment.action_mask, rng))
    twin = batch.copy() if way == "copy" else SelfPlay(PEBBLES, 3, 3)
    other: Moment = moment
    if way == "save":
        other = twin.load(batch.save())
        assert_same((other.observation, other.seat), (moment.observation, moment.seat))
    for _ in range(30):
        actions = some_actions(moment.action_mask, rng)
        moment, other = batch.step(actions), twin.step(actions)
        assert_same(vars(moment), vars(other))


@pytest.mark.parametrize("actions", [[0.5, 1], [0], None, [0, "1"]])
def test_actions_that_are_refused(actions: Any) -> None:
    batch = SelfPlay(PEBBLES, 2)
    with pytest.raises(ResetNeeded):
        batch.step([0, 0])
    batch.reset(0)
    with pytest.raises(TypeError, match="expected integers"):
        batch.step(actions)


def test_what_is_refused_changes_no_lane() -> None:
    batch = SelfPlay(PEBBLES, 2, illegal="raise")
    with pytest.raises(ResetNeeded):
        batch.save()
    with pytest.raises(ResetNeeded, match="leave out the mask"):
        batch.reset(0, np.array([True, False]))
    moment = batch.reset(0)
    before, illegal = batch.save(), int(np.flatnonzero(moment.action_mask[1] == 0)[0])
    legal = int(np.flatnonzero(moment.action_mask[0])[0])
    for seed in (-1, 1.5, "x", True, [1], [1, -1], np.array(5), 2**64 - 1):
        with pytest.raises(ValueError, match="seed"):
            batch.reset(seed)
    for mask in ([True, False], np.array([1, 0]), np.zeros(2, bool), np.ones(3, bool), "x"):
        with pytest.raises((TypeError, ValueError), match="expected"):
            batch.reset(mask=mask)
    for actions in ([legal, -1], [legal, PEBBLES.actions], [legal, illegal]):
        with pytest.raises(ValueError, match="of lane 1 is not"):
            batch.step(actions)
    with pytest.raises(ValueError, match="saved environment"):
        batch.load(b"nonsense")
    assert batch.save() == before


@pytest.mark.parametrize(
    "arguments",
    [
        {"lanes": 0},
        {"lanes": "2"},
        {"players": 17},
        {"illegal": "x"},
        {"reward": 3},
        {"dense": 1},
        {"autoreset": "SameStep"},
        {"copy": "no"},
        {"wind": 1},
        {"opponents": "uniform"},
    ],
)
def test_arguments_that_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=r"not allowed|unknown"):
        SelfPlay(PEBBLES, **arguments)


def test_chance_is_never_to_move() -> None:
    batch, rng = SelfPlay(PEBBLES, 4, 2), np.random.default_rng(0)
    moment = batch.reset(0)
    for _ in range(30):
        moment = batch.step(legal_actions(moment.action_mask, rng))
        assert (moment.seat >= 0).all() and (batch.variant.to_move(batch.lanes.states) != CHANCE).all()


def test_play_is_what_the_core_plays() -> None:
    """The uniform bot's own choices, drawn from the seats' streams, lead to the games that `Variant.play` plays."""
    game, batch = make(PEBBLES, 3), SelfPlay(PEBBLES, 2, 3)
    moment, finals = batch.reset(6), {}
    while len(finals) < 2:
        actions = np.zeros(2, np.int64)
        play.uniform_actions(batch.lanes.states, batch.lanes.rngs, actions)
        moment = batch.step(actions)
        finals |= {int(lane): moment.scores[lane] for lane in np.flatnonzero(moment.terminated) if lane not in finals}
    for lane in range(2):
        results = game.play(1, "uniform", seed=6 + lane, rotate=False)
        assert np.array_equal(results.scores[0], finals[lane])
