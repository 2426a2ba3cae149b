"""The greedy bots of Rodentia and Rattus: clearly better than random, and they see the obvious."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

import tabletop
from agents.greedy import module_of
from agents.search.evaluation import compile_evaluation
from tabletop.matches import play_recorded, seat_bots

GAMES = 120


def wins_of_first(game: tabletop.Variant, games: int = GAMES) -> float:
    """Low end of the 95 % interval of the greedy bot's rate of wins against uniform ones."""
    results = game.play(games, ["greedy", *["uniform"] * (game.players - 1)], seed=11)
    won = ((results.places == 1) & (results.bots == 0)).sum()
    return proportion_confint(won, games, method="wilson")[0]


@pytest.mark.parametrize(
    ("name", "players"), [("rodentia", p) for p in (2, 3, 4, 5)] + [("rattus", p) for p in (2, 3, 4)]
)
def test_greedy_beats_uniform(name, players):
    assert wins_of_first(tabletop.make(name, players=players)) > 2 / 3


def test_greedy_is_better_alone_in_rodentia():
    game = tabletop.make("rodentia", players=1)
    scores = {text: game.play(GAMES, text, seed=5).scores.mean() for text in ("greedy", "uniform")}
    wins = {text: (game.play(GAMES, text, seed=5).places == 1).mean() for text in ("greedy", "uniform")}
    assert scores["greedy"] > scores["uniform"] + 3 and wins["greedy"] > wins["uniform"]


@pytest.mark.parametrize("name", ["bites", "rodentia", "rattus"])
def test_the_evaluation_ends_at_the_points(name):
    """Once a game of equal seats is over, whoever has most points is promised most, up to what tunes it."""
    game = tabletop.make(name)
    module = module_of(game.game)
    evaluate = compile_evaluation(game.game, module.evaluate)
    params = np.array([float(p.default) for p in module.PARAMETERS])
    results = game.play(20, "greedy", seed=3, keep_states=True)
    assert results.states is not None
    promised = np.array([[evaluate(s, seat, params) for seat in range(game.players)] for s in results.states])
    correlation = np.corrcoef(promised.ravel(), results.scores.ravel())[0, 1]
    assert correlation > 0.9


@pytest.mark.parametrize("name", ["bites", "rodentia", "rattus"])
def test_greedy_is_deterministic_and_leaves_its_options_legal(name):
    game = tabletop.make(name)
    first, again = (game.play(8, "greedy", seed=9, threads=t) for t in (1, 2))
    assert (first.scores == again.scores).all() and (first.lengths == again.lengths).all()


def test_rattus_takes_cubes_home_with_the_king():
    """With the King and a region without rat tokens, a cube in danger of the last ravage goes to the palace."""
    game = tabletop.make("rattus", players=2)
    bots = seat_bots(game, "greedy")
    recorded = [play_recorded(game, bots, np.arange(2), number, seed=3)[1] for number in range(50)]
    kings = sum(game.token(int(event)).startswith("king:") for events in recorded for event in events)
    assert kings > 0
