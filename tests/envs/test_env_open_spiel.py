"""OpenSpiel: chance, information states, copies, parameters, its own searches."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pebbles import PEBBLES
from stacks import needs

from tabletop import OptionError, make

pytestmark = needs("openspiel")


def loaded(**parameters: Any) -> Any:
    import pyspiel

    from tabletop.envs import open_spiel

    if "critters_pebbles" not in pyspiel.registered_names():
        open_spiel.register(PEBBLES)
    return pyspiel.load_game("critters_pebbles", parameters)


def some_state(game: Any, seed: int, events: int) -> Any:
    """A state after some random events, at which a player is to move."""
    rng, state = np.random.default_rng(seed), game.new_initial_state()
    for _ in range(events):
        state.apply_action(int(rng.choice(state.legal_actions())))
    while state.is_chance_node():
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("players", PEBBLES.players)
def test_random_games_with_serialisation(players: int) -> None:
    import pyspiel

    pyspiel.random_sim_test(loaded(players=players), num_sims=3, serialize=True, verbose=False)


def test_parameters_reach_the_game() -> None:
    import pyspiel

    loaded()
    game = pyspiel.load_game("critters_pebbles(players=4,bag=5/0/1,take=up_to,passing=True,heaps=2)")
    settings = game.variant.settings
    assert (settings.players, settings.parameters["bag"], settings.parameters["heaps"]) == (4, (5, 0, 1), 2)
    assert (settings.options["take"], settings.options["passing"]) == ("up_to", True)
    assert str(pyspiel.load_game(str(game))) == str(game)


@pytest.mark.parametrize("parameters", [{"players": 9}, {"take": "all"}, {"reward": "score"}, {"bag": "1/x/3"}])
def test_parameters_that_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="not allowed"):
        loaded(**parameters)


@pytest.mark.parametrize("parameters", [{"wind": 1}, {"players": 2.5}, {"players": True}, {"take": 3}, {"heaps": "x"}])
def test_parameters_that_open_spiel_refuses(parameters: dict[str, Any]) -> None:
    import pyspiel

    with pytest.raises(pyspiel.SpielError, match=r"Unknown parameter|Wrong type"):
        loaded(**parameters)


def test_what_is_refused_changes_nothing() -> None:
    game = loaded(players=2)
    for state in (game.new_initial_state(), some_state(game, 1, 6)):
        before = str(state), state.history()
        illegal = next(a for a in range(game.num_distinct_actions()) if a not in state.legal_actions())
        for action in (illegal, 10**6):
            with pytest.raises(ValueError, match="is not legal; legal are"):
                state.apply_action(action)
        for action in (-1, 1.5, None, "a"):
            with pytest.raises((RuntimeError, TypeError)):
                state.apply_action(action)
        assert (str(state), state.history()) == before
    for player in (-1, 2):
        with pytest.raises(ValueError, match="seat: "):
            state.resample_from_infostate(player, np.random.default_rng(0).random)
        with pytest.raises(RuntimeError, match="player"):
            state.observation_tensor(player)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="the game is over"):
        state.apply_action(0)


def test_chance_outcomes_have_the_weights_of_the_rules() -> None:
    game, rng = loaded(players=2, die="loaded", bag="4/1/1"), np.random.default_rng(0)
    variant, seen = game.variant, 0
    states, state = variant.new(1), game.new_initial_state()
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        if state.is_chance_node():
            weights = variant.weights(states)[0]
            expected = {i: w / weights.sum() for i, w in enumerate(weights) if w}
            assert dict(state.chance_outcomes()) == pytest.approx(expected)
            seen += 1
        event = action + variant.actions * state.is_chance_node()
        assert state.action_to_string(action) == variant.token(event)
        variant.step(states, [event])
        state.apply_action(action)
    assert seen > 3 and str(state) == variant.text(states)


@pytest.mark.parametrize(("players", "reward"), [(2, "win"), (3, "win"), (3, "rank")])
def test_returns(players: int, reward: str) -> None:
    game = loaded(players=players, reward=reward)
    for seed in range(10):
        rng, state = np.random.default_rng(seed), game.new_initial_state()
        while not state.is_terminal():
            assert state.returns() == [0] * players
            state.apply_action(int(rng.choice(state.legal_actions())))
        assert sum(state.returns()) == pytest.approx(game.utility_sum())
        first = game.variant.ranking(state.position.states)[0] == 1
        assert (np.array(state.returns())[first] == max(state.returns())).all()


def test_copies_are_independent() -> None:
    state = some_state(loaded(), 1, 6)
    before, twin = str(state), state.clone()
    assert str(twin) == before and twin.history() == state.history()
    twin.apply_action(twin.legal_actions()[0])
    assert str(state) == before != str(twin)


def test_a_resampled_state_cannot_be_told_from_the_first() -> None:
    """Its hidden part differs as often as dealing anew says, and the player's information state never."""
    game, differ = loaded(players=3), 0
    sampler = np.random.default_rng(0).random
    for seed in range(40):
        state = some_state(game, seed, 8)
        if state.is_terminal():
            continue
        player = state.current_player()
        twin = state.resample_from_infostate(player, sampler)
        assert twin.information_state_string(player) == state.information_state_string(player)
        assert twin.observation_string(player) == state.observation_string(player)
        assert twin.legal_actions() == state.legal_actions()
        differ += twin.position.states.tobytes() != state.position.states.tobytes()
    assert differ > 10


def test_resampled_states_with_one_information_state_show_another_player_the_same() -> None:
    game, sampler, differ = loaded(players=3), np.random.default_rng(0).random, 0
    for seed in range(20):
        state = some_state(game, seed, 8)
        if state.is_terminal():
            continue
        player = state.current_player()
        twins = [state.resample_from_infostate(player, sampler) for _ in range(6)]
        for other in {0, 1, 2} - {player}:
            shown = {(twin.information_state_string(other), twin.observation_string(other)) for twin in twins}
            assert len({known for known, _ in shown}) == len({seen for _, seen in shown}) == len(shown)
            differ += len(shown) > 1
    assert differ > 5


def test_information_states_remember_own_actions_and_all_that_was_seen() -> None:
    game = loaded(players=2, take="up_to")
    first, strings = some_state(game, 3, 4), set()
    for action in first.legal_actions():
        state = first.clone()
        player = state.current_player()
        state.apply_action(action)
        strings.add(state.information_state_string(player))
    assert len(strings) == len(first.legal_actions())


def test_the_observation_tensor_is_what_the_seat_observes() -> None:
    game = loaded(players=3)
    state = some_state(game, 5, 7)
    for player in range(3):
        expected = game.variant.observe(state.position.states, player)[0]
        assert np.array_equal(state.observation_tensor(player), expected)
        assert state.observation_string(player) == expected.tobytes().hex()


def test_observations_by_pieces() -> None:
    from open_spiel.python.observation import make_observation

    game = loaded(players=2)
    observation, state = make_observation(game), some_state(game, 2, 6)
    observation.set_from(state, 1)
    assert list(observation.dict) == [feature.name for feature in PEBBLES.features]
    assert np.array_equal(np.concatenate(list(observation.dict.values())), observation.tensor)


def test_ismcts_plays() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game = loaded(players=2)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, np.random.RandomState(0)), 1.0, 20)
    state = some_state(game, 1, 4)
    assert bot.step(state) in state.legal_actions()


def test_python_ends_in_order() -> None:
    """OpenSpiel frees what is registered after the end of Python; that must not crash."""
    done = subprocess.run(
        [sys.executable, "-c", "import tabletop.envs.open_spiel"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_game_is_like_its_variant() -> None:
    game, variant = loaded(players=4), make(PEBBLES, 4)
    assert game.num_distinct_actions() == variant.actions
    assert game.max_chance_outcomes() == variant.events - variant.actions
    assert game.num_players() == 4 and game.observation_tensor_shape() == [PEBBLES.observation_size]
