"""What holds in every game: soundness and endings, over player counts, goals and options."""

import itertools

import pytest

from rodentia.box import GOALS
from tabletop import play
from tabletop.options import Choice
from tabletop.rng import seed_word
from tabletop.variant import make

ALL_PLAYERS = (1, 2, 3, 4, 5)
PAIRS = [list(pair) for pair in itertools.combinations(GOALS, 2)]
CHOICES = [
    {option.name: choice}
    for option in make("rodentia").game.options
    if isinstance(option, Choice)
    for choice in option.choices
    if choice is not option.default
]
ODD = [
    {"circles": 1, "control": 1},
    {"circles": 7, "control": 7, "rodents_per_turn": 25, "rodents_per_hex_per_turn": 7},
    {"circles": 2, "control": 3},
    {"wolf_steps": 20, "max_rounds": 5, "solo_rounds": 5},
    {"max_rounds": 1, "solo_rounds": 1, "rodents_per_turn": 1},
]


def faults(players, games, seed=1, **settings):
    game = make("rodentia", players=players, **settings)
    return play.faults_of_random_games(game.template, seed_word(seed), 0, games, game.stream_keys)


@pytest.mark.parametrize("players", ALL_PLAYERS)
def test_random_games_are_sound_and_end(players):
    assert faults(players, 20) == 0
    for settings in (*CHOICES, *ODD, *({"goals": pair} for pair in PAIRS)):
        assert faults(players, 2, **settings) == 0


@pytest.mark.slow
def test_a_hundred_thousand_random_games_are_sound_and_end():
    settings = [{}, *CHOICES, *({"goals": pair} for pair in PAIRS)]
    games = -(-100_000 // (len(settings) * len(ALL_PLAYERS)))
    for players, chosen in itertools.product(ALL_PLAYERS, settings):
        assert faults(players, games, seed=players, **chosen) == 0, (players, chosen)
