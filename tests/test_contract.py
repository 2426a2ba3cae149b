"""What every game must keep, for every number of players; `test_promises.py` walks through random games besides."""

import numpy as np
import pytest
from audit import draw_often
from games import GAMES, of_each_game, of_each_size
from scipy import stats

import tabletop
from tabletop import CHANCE, NO_EVENT, OVER, matches, play

DRAWS = 3_000
NODES = 25  # chance nodes of a game whose frequencies are checked
SURE = 1e-6


@pytest.mark.parametrize(("name", "players"), of_each_size())
def test_equal_events_lead_to_equal_bytes(name: str, players: int) -> None:
    """By the compiled loop, event by event, and from a copy or a saved position in the middle."""
    game = tabletop.make(GAMES[name], players)
    results = game.play(3, "uniform", seed=2, keep_states=True)
    for number in range(3):
        bots = matches.seat_bots(game, "uniform")
        last, events = matches.play_recorded(game, bots, results.bots[number], number, 2)
        states, middle = game.new(1), len(events) // 2
        for event in events[:middle]:
            game.step(states, [event])
        copies = np.frombuffer(bytearray(states.tobytes()), states.dtype)
        for event in events[middle:]:
            game.step(states, [event])
            game.step(copies, [event])
        assert states.tobytes() == copies.tobytes() == last.tobytes() == results.states[number].tobytes()
        assert len(events) == results.lengths[number]


@pytest.mark.parametrize(("name", "players"), of_each_size())
def test_samples_follow_the_weights(name: str, players: int) -> None:
    game = tabletop.make(GAMES[name], players)
    states, streams = game.new(1), game.streams(1, 3)
    chance_nodes, draws = [], np.zeros(DRAWS, np.int64)
    while game.to_move(states)[0] != OVER:
        if game.to_move(states)[0] == CHANCE:
            chance_nodes.append(states.copy())
            event = play.sample_first(states, streams[0])
        else:
            event = game.legal(states)[0][0]
        game.step(states, [event])
    for node in chance_nodes[:: -(-len(chance_nodes) // NODES) or 1]:
        weights = game.weights(node)[0]
        draw_often(node, streams[0], draws)
        counts = np.bincount(draws - game.actions, minlength=len(weights))
        held = weights > 0
        assert counts[~held].sum() == 0
        if held.sum() > 1:
            assert stats.chisquare(counts[held], DRAWS * weights[held] / weights.sum()).pvalue > SURE, game.text(node)


@pytest.mark.parametrize(("name", "players"), of_each_size())
def test_nothing_can_happen_after_the_end(name: str, players: int) -> None:
    game = tabletop.make(GAMES[name], players)
    states = game.play(4, "uniform", seed=1, keep_states=True).states
    assert (game.to_move(states) == OVER).all()
    assert not game.mask(states).any()
    assert not game.weights(states).any()
    assert [ids.size for ids in game.legal(states)] == [0] * 4
    before = states.tobytes()
    game.step(states, [NO_EVENT] * 4)
    assert states.tobytes() == before


@pytest.mark.parametrize("name", of_each_game())
def test_tokens_and_ids_are_one_to_one(name: str) -> None:
    for players in GAMES[name].players:
        game = tabletop.make(GAMES[name], players)
        tokens = [token for token in GAMES[name].tokens(game.settings) if token]
        assert len(GAMES[name].tokens(game.settings)) == game.events
        assert len(set(tokens)) == len(tokens)
        assert all(game.token(game.event(token)) == token for token in tokens)
        assert all(token.isascii() and not any(c.isspace() for c in token) for token in tokens)


@pytest.mark.parametrize("name", of_each_game())
def test_the_description_is_complete(name: str) -> None:
    game = GAMES[name]
    assert game.default_players in game.players
    assert 0 < game.actions < game.events
    assert len(set(game.streams)) == len(game.streams) > 0
    assert len(set(game.faults)) == len(game.faults) > 0
    assert len({f.name for f in game.features}) == len(game.features)
    assert all(-128 <= f.low < f.high <= 127 and f.size > 0 and f.meaning for f in game.features)
    assert all(option.meaning and option.provenance for option in game.options)
    assert all(parameter.meaning for parameter in game.parameters)
    components = game.components(tabletop.make(game).settings)
    assert components
    assert all(c.kind and c.name and c.provenance for c in components)


@pytest.mark.parametrize("name", of_each_game())
def test_positions_have_a_text(name: str) -> None:
    for players in GAMES[name].players:
        game = tabletop.make(GAMES[name], players)
        first = game.text(game.new(seed=1))
        last = game.text(game.play(1, "uniform", keep_states=True).states)
        assert first.strip()
        assert first != last


@pytest.mark.parametrize("name", of_each_game())
def test_perfect_information_means_that_redealing_changes_nothing(name: str) -> None:
    game = tabletop.make(GAMES[name])
    states, streams = game.new(50, seed=1), game.streams(50, 1)
    changed = False
    for _ in range(6):
        for seat in range(game.players):
            changed |= game.redeal(states, seat, seed=seat).tobytes() != states.tobytes()
        game.step(states, [ids[0] if len(ids) else NO_EVENT for ids in game.legal(states)])
        game.resolve(states, streams)
    assert changed != GAMES[name].perfect_information
