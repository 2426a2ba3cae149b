"""What holds in all games of Bites: sound positions, and the fast ways of chance beside the slow ones."""

import itertools

import numpy as np
import pytest

from bites import position
from bites.box import CARDS, DECKS
from tabletop import play
from tabletop.game import CHANCE, OVER
from tabletop.variant import make

PLAYERS = (2, 3, 4, 5)
DECK_NAMES = [[card.name for card in deck] for deck in CARDS]
COMBINATIONS = [dict(zip(DECKS, names, strict=True)) for names in itertools.product(*DECK_NAMES)]
OTHER_SETTINGS = ({}, {"sets": 2}, {"stack_per_food": 0}, {"stack_per_food": 10}, {"sets": 2, "stack_per_food": 0})


def faults_of(games, first, **settings):
    game = make("bites", **settings)
    return play.faults_of_random_games(game.template, np.uint64(7), first, games, game.stream_keys)


def names_of(faults):
    return [name for i, name in enumerate(make("bites").fault_names) if faults >> i & 1]


def test_there_are_360_combinations_of_cards():
    assert len(COMBINATIONS) == 2 * 6 * 6 * 5


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("settings", OTHER_SETTINGS, ids=str)
def test_random_games_with_random_cards_are_sound(players, settings):
    cards = dict.fromkeys(DECKS, "random")
    assert names_of(faults_of(40, 0, players=players, **cards, **settings)) == []


def test_every_combination_of_cards_is_sound():
    for i, cards in enumerate(COMBINATIONS):
        assert names_of(faults_of(2, i, players=PLAYERS[i % 4], sets=1 + i // 4 % 2, **cards)) == [], cards


@pytest.mark.slow
def test_a_hundred_thousand_random_games_are_sound():
    for cards, players, sets in itertools.product(COMBINATIONS, PLAYERS, (1, 2)):
        assert names_of(faults_of(35, 1000, players=players, sets=sets, **cards)) == [], (cards, players, sets)


@pytest.mark.parametrize("settings", [{}, {"sets": 2}, {"special": "gold"}, {"stack_per_food": 10}], ids=str)
def test_the_trail_drawn_at_once_is_the_trail_drawn_token_by_token(settings):
    game = make("bites", **settings)
    at_once, one_by_one = game.new(20), game.new(20)
    streams = game.streams(20, seed=3)
    game.resolve(at_once, streams.copy())
    for i in range(20):
        while game.to_move(one_by_one[i : i + 1])[0] == CHANCE:
            game.step(one_by_one[i : i + 1], [play.sample_first(one_by_one[i : i + 1], streams[i])])
    assert at_once.tobytes() == one_by_one.tobytes()


def test_the_bag_is_drawn_as_often_as_it_has_tokens():
    """Chi-squared of 8,000 draws from a bag of seven kinds; 22.46 is exceeded once in a thousand."""
    game = make("bites")
    state = game.new(1)
    weights = game.weights(state)[0]
    rng = game.streams(1, seed=11)[0]
    drawn = np.zeros(len(weights))
    for _ in range(8000):
        drawn[play.sample_first(state, rng) - game.actions] += 1
    expected = 8000 * weights / weights.sum()
    possible = expected > 0
    assert drawn[~possible].sum() == 0
    assert ((drawn - expected)[possible] ** 2 / expected[possible]).sum() < 22.46


def test_a_position_read_from_its_text_is_the_same_at_every_moment():
    for i, players in enumerate(PLAYERS):
        cards = COMBINATIONS[97 * i]
        game = make("bites", players=players, sets=1 + i % 2, **cards)
        state, rng = game.new(1), np.random.default_rng(i)
        while game.to_move(state)[0] != OVER:
            assert position(game.text(state), game.settings).tobytes() == state.tobytes()
            game.step(state, [rng.choice(game.legal(state)[0])])
        assert position(game.text(state), game.settings).tobytes() == state.tobytes()


def test_equal_positions_are_equal_bytes_whatever_lay_where():
    """The first two tokens swapped and both taken by seat 0: nothing is left of the difference."""
    positions = []
    for trail in ("GA", "AG"):
        game = make("bites", chocolate="recycler", stack_per_food=10)
        lines = f"next turn, seat 0, may spend\ntrail {trail}W\nseat 0 1 chocolate"
        state = position(lines, game.settings)
        game.step(state, [game.event("recycle")])
        positions.append(state.tobytes())
    assert positions[0] == positions[1]
