"""The game object that users hold: single positions and batches, wrong input, saving, chance."""

import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from pebbles import PEBBLES, STATE
from pebbles.rules import ACTIONS, EVENTS, PASS

import tabletop
from tabletop import CHANCE, NO_EVENT, OVER, OptionError, Variant
from tabletop.game import game_of
from tabletop.rng import stream_key


@pytest.fixture(scope="module")
def game() -> Variant:
    return tabletop.make(PEBBLES, players=3, take="up_to", passing=True)


def play_on(game: Variant, states: np.ndarray, streams: np.ndarray, decisions: int) -> None:
    """Plays the lowest legal action `decisions` times in every game that is not over."""
    for _ in range(decisions):
        game.resolve(states, streams)
        events = [ids[0] if len(ids) else NO_EVENT for ids in game.legal(states)]
        game.step(states, events)


def finished(game: Variant, games: int = 3, seed: int = 1) -> np.ndarray:
    states, streams = game.new(games, seed), game.streams(games, seed)
    while (game.to_move(states) != OVER).any():
        play_on(game, states, streams, 1)
    return states


# What the game is


def test_make_by_object_and_defaults() -> None:
    game = tabletop.make(PEBBLES)
    assert (game.name, game.players, game.actions, game.events) == ("pebbles", 2, ACTIONS, EVENTS)
    assert repr(game) == "<Pebbles: 2 players, all defaults>"
    assert "'take': 'up_to'" in repr(tabletop.make(PEBBLES, take="up_to"))


def test_unknown_games_are_refused_with_a_list() -> None:
    with pytest.raises(OptionError, match=f"unknown game 'chess'; there are {', '.join(tabletop.games())}"):
        tabletop.make("chess")
    with pytest.raises(OptionError, match="unknown game None; there are bites"):
        tabletop.make(None)


def test_the_core_does_not_know_the_test_game() -> None:
    assert "pebbles" not in tabletop.games()


@pytest.mark.parametrize("players", [1, 5, True, "2", 2.0])
def test_wrong_players_are_refused(players: object) -> None:
    with pytest.raises(OptionError, match=re.escape(f"players: {players!r} is not allowed; expected one of [2, 3, 4]")):
        tabletop.make(PEBBLES, players=players)


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(OptionError, match="unknown option or parameter 'colour'; there are take, die, passing, heaps"):
        tabletop.make(PEBBLES, colour="red")


def test_tokens_and_ids(game: Variant) -> None:
    assert game.token(PASS) == "pass"
    assert game.event("take:2:3") == 11
    for token, event in game.event_ids.items():
        assert game.token(event) == token


@pytest.mark.parametrize("event", [-1, EVENTS, 0, 4, 10**9, 1.5, None])
def test_ids_without_a_token_are_refused(game: Variant, event: int) -> None:
    with pytest.raises(ValueError, match=f"pebbles has no event {event}; ids are 0 … {EVENTS - 1}"):
        game.token(event)


@pytest.mark.parametrize("token", ["Pass", "", "take:0:0", "take:16:1", "pass "])
def test_unknown_tokens_are_refused(game: Variant, token: str) -> None:
    with pytest.raises(ValueError, match=f"pebbles has no event {token!r}"):
        game.event(token)


# One game and many


def test_shapes_of_one_game(game: Variant) -> None:
    state = game.new(seed=1)
    assert state.shape == ()
    assert state.dtype == STATE
    assert game.to_move(state) == 0
    assert game.legal(state).dtype == np.int64
    assert game.mask(state).shape == (ACTIONS,)
    assert game.weights(state).shape == (EVENTS - ACTIONS,)
    assert game.scores(state).shape == game.ranking(state).shape == (3,)
    assert game.observe(state).shape == (PEBBLES.observation_size,)
    assert game.redeal(state).shape == ()
    assert game.faults(state) == 0
    assert not game.is_chance(state)
    assert "heaps 3 3 3" in game.text(state)


@pytest.mark.parametrize("games", [0, 1, 5])
def test_shapes_of_a_batch(game: Variant, games: int) -> None:
    states = game.new(games, seed=1)
    assert states.shape == (games,)
    assert game.to_move(states).shape == (games,)
    assert len(game.legal(states)) == games
    assert game.mask(states).shape == (games, ACTIONS)
    assert game.weights(states).shape == (games, EVENTS - ACTIONS)
    assert game.scores(states).shape == game.ranking(states).shape == (games, 3)
    assert game.observe(states).shape == (games, PEBBLES.observation_size)
    assert game.redeal(states).shape == (games,)
    assert game.faults(states).tolist() == [0] * games
    game.step(states, [ids[0] for ids in game.legal(states)])


@pytest.mark.parametrize(
    "question", ["to_move", "mask", "weights", "scores", "ranking", "observe", "faults", "is_chance"]
)
def test_one_game_answers_as_in_a_batch(game: Variant, question: str) -> None:
    states, streams = game.new(6, seed=4), game.streams(6, 4)
    play_on(game, states, streams, 2)
    ask: Callable = getattr(game, question)
    for i in range(6):
        np.testing.assert_array_equal(ask(states[i : i + 1].reshape(())), ask(states)[i])


def test_slices_are_views(game: Variant) -> None:
    states = game.new(4, seed=1)
    game.step(states[1:2], [game.legal(states)[1][0]])
    assert game.is_chance(states).tolist() == [False, True, False, False]


def test_every_other_game_of_a_batch(game: Variant) -> None:
    states = game.new(6, seed=1)
    game.step(states[::2], [ids[0] for ids in game.legal(states[::2])])
    assert game.is_chance(states).tolist() == [True, False] * 3


def test_mask_and_legal_agree(game: Variant) -> None:
    states, streams = game.new(20, seed=2), game.streams(20, 2)
    for _ in range(6):
        for ids, mask in zip(game.legal(states), game.mask(states), strict=True):
            assert np.flatnonzero(mask).tolist() == ids.tolist()
        play_on(game, states, streams, 1)
        game.resolve(states, streams)


def test_nothing_is_masked_in_at_chance_and_after_the_end(game: Variant) -> None:
    assert not game.mask(game.new()).any()
    assert not game.mask(finished(game)).any()
    assert [len(ids) for ids in game.legal(finished(game))] == [0, 0, 0]


def test_weights_stand_at_chance_only(game: Variant) -> None:
    assert game.weights(game.new()).tolist() == [2, 2, 2, 0, 0, 0]
    assert not game.weights(game.new(seed=1)).any()
    assert not game.weights(finished(game)).any()


# Wrong input

NO_STATES = [None, 3, [1, 2], np.zeros(3), np.zeros(3, np.dtype([("a", np.int8)])), np.zeros((2, 2), STATE)]


@pytest.mark.parametrize("states", NO_STATES, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("question", ["to_move", "legal", "mask", "scores", "observe", "redeal", "faults", "text"])
def test_what_is_no_state_is_refused(game: Variant, question: str, states: object) -> None:
    with pytest.raises(TypeError, match=r"states: .*; expected an array of pebbles states"):
        getattr(game, question)(states)


def test_a_record_is_refused_with_advice(game: Variant) -> None:
    with pytest.raises(TypeError, match=r"write states\[i:i \+ 1\]"):
        game.to_move(game.new(2)[0])


def test_same_fields_of_another_layout_are_refused(game: Variant) -> None:
    wider = np.dtype([(name, np.int64) if name == "turn" else (name, STATE[name]) for name in STATE.names])
    with pytest.raises(TypeError, match="states: "):
        game.to_move(np.zeros(2, wider))


@pytest.mark.parametrize(
    "events", [[1.0, 1.0], [1], [1, 1, 1], ["take:0:1", "take:0:1"], [True, True], None, [None, None], [2**70, 1]]
)
def test_wrong_events_are_refused(game: Variant, events: object) -> None:
    states = game.new(2, seed=1)
    with pytest.raises(ValueError, match=r"events: .*; expected integers, one for each of 2 games"):
        game.step(states, events)


@pytest.mark.parametrize("event", [NO_EVENT, OVER, EVENTS, 64 * 2, 10**12, -(10**12), 0, 4, 3 * 4 + 1])
def test_illegal_events_are_named_and_nothing_changes(game: Variant, event: int) -> None:
    states = game.new(3, seed=1)
    before = states.copy()
    good = [int(ids[0]) for ids in game.legal(states)]
    with pytest.raises(ValueError, match=rf"event {event} \(.*\) of game 2 is not legal; legal are take:0:1"):
        game.step(states, [*good[:2], event])
    assert states.tobytes() == before.tobytes()


def test_unsigned_events_do_not_wrap(game: Variant) -> None:
    with pytest.raises(ValueError, match=r"not legal|expected integers"):
        game.step(game.new(1, seed=1), np.array([2**64 - 1], np.uint64))


def test_a_finished_game_takes_no_event(game: Variant) -> None:
    states = finished(game)
    with pytest.raises(ValueError, match="the game is over: pass -1"):
        game.step(states, [1, NO_EVENT, NO_EVENT])
    before = states.copy()
    game.step(states, [NO_EVENT] * 3)
    assert states.tobytes() == before.tobytes()


def test_one_event_for_one_game(game: Variant) -> None:
    state = game.new(seed=1)
    game.step(state, game.event("pass"))
    assert game.to_move(state) == CHANCE


@pytest.mark.parametrize("seat", [-1, 3, 10**6, [0, 3]])
@pytest.mark.parametrize("question", ["observe", "redeal"])
def test_wrong_seats_are_refused(game: Variant, question: str, seat: object) -> None:
    with pytest.raises(ValueError, match=r"seat: .* is not allowed; expected 0 … 2"):
        getattr(game, question)(game.new(2, seed=1), seat)


@pytest.mark.parametrize("seat", [0.5, "1", None.__class__, [0, 1, 2], True])
def test_seats_of_wrong_type_or_number_are_refused(game: Variant, seat: object) -> None:
    with pytest.raises(ValueError, match=r"seat: .* is not allowed"):
        game.observe(game.new(2, seed=1), seat)


@pytest.mark.parametrize("games", [-1, 1.0, "2", True])
def test_wrong_numbers_of_games_are_refused(game: Variant, games: object) -> None:
    for call in (game.new, lambda g: game.streams(g, 1), game.play):
        with pytest.raises(ValueError, match=f"number of games: {games!r} is not allowed"):
            call(games)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", True])
def test_wrong_seeds_are_refused(game: Variant, seed: object) -> None:
    for call in (lambda: game.new(2, seed), lambda: game.streams(2, seed), lambda: game.play(1, seed=seed)):
        with pytest.raises(ValueError, match=f"seed: {seed!r} is not allowed"):
            call()
    with pytest.raises(ValueError, match=f"seed: {seed!r} is not allowed"):
        game.redeal(game.new(2, 1), seed=seed)


# Chance


def test_without_a_seed_chance_is_to_move(game: Variant) -> None:
    assert game.to_move(game.new()) == CHANCE
    assert game.to_move(game.new(2)).tolist() == [CHANCE, CHANCE]


def test_streams_of_games(game: Variant) -> None:
    streams = game.streams(5, seed=3)
    assert streams.shape == (5, 2 + 4)
    assert streams.dtype == np.uint64
    assert len(np.unique(streams)) == streams.size
    np.testing.assert_array_equal(streams[2:], game.streams(3, seed=3, first=2))
    assert game.stream_keys.tolist() == [
        int(stream_key(name)) for name in ("stones", "die", "seat:0", "seat:1", "seat:2", "seat:3")
    ]


def test_game_k_does_not_depend_on_the_batch(game: Variant) -> None:
    many = game.new(8, seed=9)
    alone = game.new(1)
    game.resolve(alone, game.streams(1, 9, first=5))
    assert many[5].tobytes() == alone[0].tobytes()


def test_the_kth_roll_is_the_same_whatever_the_players_do() -> None:
    """Common random numbers: a seat that always passes and one that always takes see the same dice."""
    game = tabletop.make(PEBBLES, players=2, heaps=16, size=9, turns=20, take="up_to", passing=True)
    rolls = []
    for choice in (0, -1):
        state, streams = game.new(), game.streams(1, 6)
        seen = []
        while game.to_move(state) != OVER:
            game.resolve(state, streams)
            if game.to_move(state) >= 0:
                seen.append(int(state["roll"]))
                game.step(state, game.legal(state)[choice])
        rolls.append(seen)
    assert rolls[0] == rolls[1]
    assert len(rolls[0]) == 20


@pytest.mark.parametrize(
    "wrong", [np.zeros((2, 6)), np.zeros((1, 6), np.uint64), np.zeros((2, 5), np.uint64), [1, 2], None]
)
def test_wrong_streams_are_refused(game: Variant, wrong: object) -> None:
    with pytest.raises(ValueError, match=r"streams: .*; expected uint64 of shape \(2, 6\)"):
        game.resolve(game.new(2), wrong)


def test_resolving_advances_the_streams_of_the_caller(game: Variant) -> None:
    states, streams = game.new(2), game.streams(2, 1)
    before = streams.copy()
    game.resolve(states, streams)
    assert (streams[:, :2] != before[:, :2]).all()
    assert (streams[:, 2:] == before[:, 2:]).all()


def test_streams_that_are_no_plain_array_advance_too(game: Variant) -> None:
    states, wide = game.new(2), np.zeros((2, 12), np.uint64)
    wide[:, ::2] = game.streams(2, 1)
    before = wide.copy()
    game.resolve(states, wide[:, ::2])
    assert (wide[:, [0, 2]] != before[:, [0, 2]]).all()
    np.testing.assert_array_equal(states, game.new(2, seed=1))


# What a seat may know


def test_observation_is_that_of_the_mover_by_default(game: Variant) -> None:
    states = game.new(2, seed=1)
    np.testing.assert_array_equal(game.observe(states), game.observe(states, 0))
    np.testing.assert_array_equal(game.observe(states, [0, 1])[1], game.observe(states, 1)[1])


def test_redeal_copies_and_changes_only_what_is_hidden(game: Variant) -> None:
    states = game.new(200, seed=1)
    before = states.copy()
    dealt = game.redeal(states, seat=1, seed=5)
    assert states.tobytes() == before.tobytes()
    np.testing.assert_array_equal(dealt["stone"][:, 1], states["stone"][:, 1])
    assert (dealt["stone"][:, 0] != states["stone"][:, 0]).any()
    np.testing.assert_array_equal(game.observe(dealt, 1), game.observe(states, 1))
    assert dealt.tobytes() == game.redeal(states, seat=1, seed=5).tobytes()
    assert dealt.tobytes() != game.redeal(states, seat=1, seed=6).tobytes()


def test_redeal_does_not_use_the_streams_of_the_game(game: Variant) -> None:
    """Otherwise redealing with the seed of the game would show the hidden truth."""
    states = game.new(300, seed=1)
    dealt = game.redeal(states, seat=0, seed=1)
    agree = (dealt["stone"][:, 1] == states["stone"][:, 1]).mean()
    assert 0.2 < agree < 0.5  # 1/3 by chance


# Saving and copying


def test_saved_positions_are_equal_and_go_on_alike(game: Variant) -> None:
    states, streams = game.new(5, seed=2), game.streams(5, 2)
    play_on(game, states, streams, 2)
    file = io.BytesIO()
    np.save(file, states)
    file.seek(0)
    loaded = np.load(file)
    assert loaded.tobytes() == states.tobytes()
    play_on(game, states, streams.copy(), 3)
    play_on(game, loaded, streams.copy(), 3)
    assert loaded.tobytes() == states.tobytes()


def test_copies_are_apart(game: Variant) -> None:
    state = game.new(seed=1)
    copy = state.copy()
    game.step(copy, game.legal(copy)[0])
    assert game.to_move(state) == 0
    assert game.to_move(copy) == CHANCE


def test_new_games_are_apart_from_the_template(game: Variant) -> None:
    state = game.new()
    game.step(state, game.legal(state)[0])
    assert game.template.tobytes() == game.new(1).tobytes()


def test_game_of_refuses_foreign_arrays() -> None:
    assert game_of(np.zeros(1, STATE)) is PEBBLES
    with pytest.raises(TypeError, match="no game has states like ndarray with dtype float64"):
        game_of(np.zeros(2))


WITHOUT_JIT = """
import warnings
warnings.simplefilter("ignore")
import numpy as np, tabletop
from pebbles import PEBBLES
from tabletop.variant import Variant
game = tabletop.make(PEBBLES, players=3, take="up_to", passing=True)
states, streams = game.new(4, seed=3), game.streams(4, 3)
game.resolve(states, streams)
for _ in range(5):
    game.step(states, [ids[-1] if len(ids) else -1 for ids in game.legal(states)])
    game.resolve(states, streams)
print(states.tobytes().hex(), game.redeal(states).tobytes().hex())
print(game.observe(states).tolist(), game.mask(states).sum())
print(game.scores(states).tolist(), game.ranking(states).tolist(), game.faults(states).tolist(), game.legal(states))
results = game.play(3, "uniform", seed=5)
print(results.scores.tolist(), results.places.tolist(), results.lengths.tolist())
"""


def test_without_jit_and_with_bounds_checked_everything_is_the_same(run_python) -> None:
    compiled = run_python(WITHOUT_JIT)
    assert compiled == run_python(WITHOUT_JIT, NUMBA_DISABLE_JIT="1")
    assert compiled == run_python(WITHOUT_JIT, NUMBA_BOUNDSCHECK="1")


def test_read_only_positions_are_not_changed() -> None:
    """Compiled code does not know that numpy protects an array, so a saved position would be overwritten."""
    game = tabletop.make(PEBBLES, 2)
    kept = game.new(2, seed=1).tobytes()
    states = np.frombuffer(kept, game.game.state)
    before = bytes(bytearray(kept))
    with pytest.raises(ValueError, match="read-only"):
        game.step(states, [events[0] for events in game.legal(states)])
    with pytest.raises(ValueError, match="read-only"):
        game.resolve(states, game.streams(2, 1))
    assert kept == before
