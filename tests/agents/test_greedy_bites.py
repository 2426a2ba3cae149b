"""The greedy bot of Bites: much better than random, in every game and with every card; never illegal."""

import numpy as np
import pytest
from scipy.stats import binomtest

import tabletop
from agents.greedy import BOT, module_of
from bites import GAME
from tabletop.bots import BotError

ALL_RANDOM = {"hill": "random", "chocolate": "random", "wine": "random", "special": "random"}


def wins(results: tabletop.Results, bot: int) -> float:
    """Games that the bot won, ties shared."""
    winners = results.places == 1
    return float((winners / winners.sum(axis=1, keepdims=True))[results.bots == bot].sum())


@pytest.mark.parametrize(("players", "at_least"), [(2, 0.97), (3, 0.92), (4, 0.86), (5, 0.77)])
def test_one_greedy_bot_beats_uniform_ones(players, at_least):
    """With all cards drawn at random; the bound is far below what it wins and far above its fair share."""
    games = 1000
    results = tabletop.make("bites", players, **ALL_RANDOM).play(
        games, ["greedy"] + ["uniform"] * (players - 1), seed=1
    )
    won = wins(results, 0)
    assert binomtest(int(won), games).proportion_ci(0.95).low > at_least


CARDS = [(o.name, card) for o in GAME.options if o.name in ALL_RANDOM for card in o.choices if card != "random"]


@pytest.mark.parametrize(("deck", "card"), CARDS)
def test_it_understands_every_card(deck, card):
    games = 300
    results = tabletop.make("bites", 3, **{deck: card}).play(games, ["greedy", "uniform", "uniform"], seed=2)
    assert binomtest(int(wins(results, 0)), games).proportion_ci(0.95).low > 0.8


@pytest.mark.parametrize("sets", [1, 2])
def test_it_plays_both_sizes_and_its_own_kind(sets):
    results = tabletop.make("bites", 4, sets=sets, **ALL_RANDOM).play(200, "greedy", seed=3)
    assert (results.lengths > 50).all()


def test_every_parameter_changes_the_play():
    variant = tabletop.make("bites", 3, **ALL_RANDOM)
    plain = variant.play(300, "greedy", seed=4).scores
    for parameter in module_of(GAME).PARAMETERS:
        other = f"greedy:{parameter.name}={parameter.low if parameter.default else parameter.high}"
        assert (variant.play(300, other, seed=4).scores != plain).any(), parameter.name


def test_the_same_seed_gives_the_same_games():
    variant = tabletop.make("bites", 4, **ALL_RANDOM)
    one, many = variant.play(40, "greedy", seed=5, threads=1), variant.play(40, "greedy", seed=5, threads=2)
    assert np.array_equal(one.scores, many.scores) and np.array_equal(one.lengths, many.lengths)


@pytest.mark.parametrize("text", ["greedy:luck=1", "greedy:wine=-1", "greedy:wine=much"])
def test_wrong_parameters_are_refused(text):
    with pytest.raises(BotError):
        tabletop.bot(text, GAME)


def test_a_game_without_a_greedy_bot_is_named():
    from pebbles import PEBBLES

    with pytest.raises(BotError, match=r"'greedy' cannot play 'pebbles': there is no module agents\.greedy\.pebbles"):
        BOT.parameters(PEBBLES)
