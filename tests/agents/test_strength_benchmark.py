"""The benchmark of strength: what it compares, and its picture."""

import json
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.search import KINDS, RUNGS, SEED, TUNED_WITH, UNTUNED, Comparison, Search, cells, draw
from experiments.console import run_one
from experiments.tune import gain
from tabletop import bot, make
from tabletop.bots import read_bot


def test_every_comparison_names_bots_of_its_game():
    """Read and not built, as a search in a large game takes a minute to compile."""
    search = Search()
    for kind in KINDS:
        for pair in search._of_kind(kind):
            game = make(pair.game, pair.players).game
            for text in (pair.one, pair.others) if pair.players > 1 else (pair.one,):
                kind, values = read_bot(text, game)
                assert text.startswith(kind.name) and set(values) == {p.name for p in kind.parameters(game)}


def test_untuned_weights_are_all_given_and_differ():
    """Read and not built, too."""
    for pair in Search()._tuned():
        game = make(pair.game, pair.players).game
        (_, tuned), (_, untuned) = (read_bot(text, game) for text in (pair.one, pair.others))
        assert tuned.keys() == untuned.keys() and all(tuned[name] != untuned[name] for name in tuned)


def test_a_comparison_is_measured():
    search = Search(only="greedy", games=("bites",), players=(3,), matches=300)
    (found,) = search._compare("greedy", search._asked()["greedy"])
    assert found.low > 0.8 and found.low < found.share < found.high
    assert cells(found)[:4] == ("bites", "3", "greedy", "uniform") and cells(found)[-1] == "33.3"


def test_the_ladder_doubles_and_is_drawn(tmp_path):
    rungs = list(Search(games=("bites",), options="depth=2")._ladder())
    assert [rung.one for rung in rungs] == [f"mcts:iterations={n},depth=2" for n in (100, 200, 400, 800, 1600)]
    assert all(above.others == below.one for below, above in pairwise(rungs))
    measured = [Comparison(r.game, 2, r.one, r.others, share=0.6, low=0.55, high=0.65) for r in rungs]
    pictures = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in pictures:
        draw(measured, path)
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert b"<svg" in pictures[0].read_bytes() and len(rungs) == RUNGS


def run(*arguments):
    return run_one(Search, [str(argument) for argument in arguments])


WEAK = "greedy:climb=0,advance=0,wine=0"
PAIR = ("--only", "pair", "--games", "bites", "--one", "greedy", "--others", WEAK, "--players", 2)


def test_any_pair_is_compared_with_any_deals_and_settings(capsys):
    settings = {"hill": "random", "gold_points": 9}
    game = make("bites", 2, **settings)
    rivals = bot("greedy", game.game), bot(WEAK, game.game)
    shown = []
    for seed in (SEED, 3):
        assert run(*PAIR, "--matches", 60, "--seed", seed, "--settings", json.dumps(settings)) == 0
        shown.append(" ".join(capsys.readouterr().out.split()))
        share, low, high = (100 * value for value in gain(game, *rivals, seed=seed, games=60, first=0))
        assert f"│ {share:.1f} │ {low:.1f} – {high:.1f} │ 50.0 │" in shown[-1] and WEAK in shown[-1]
        assert f"60 games each, seed {seed}; Bites with hill=random, gold_points=9" in shown[-1]
    assert shown[0] != shown[1].replace("seed 3", "seed 2")
    assert run(*PAIR, "--matches", 60, "--settings", json.dumps(settings)) == 0
    assert " ".join(capsys.readouterr().out.split()) == shown[0]


def test_tuned_weights_are_compared_with_the_options_they_were_tuned_with(capsys):
    """The commands that tuned them stand in the documentation."""
    rows = (Path(__file__).parents[2] / "docs" / "strength.md").read_text().split("`")
    commands = [shlex.split(text) for text in rows if text.startswith("critters tune ")]
    given = {words[2]: dict(zip(words[3::2], words[4::2], strict=True)) for words in commands}
    assert {name: words["--bot"] for name, words in given.items()} == UNTUNED
    options = {name: json.loads(words["--options"]) for name, words in given.items() if "--options" in words}
    assert options == TUNED_WITH
    for pair in Search()._tuned():
        assert pair.settings == options.get(pair.game, {})
    assert run("--only", "tuned", "--games", "bites", "--players", 3, "--matches", 30) == 0
    assert "Bites with hill=random, chocolate=random, wine=random, special=random" in " ".join(
        capsys.readouterr().out.split()
    )
    (pair,) = Search(only="tuned", games=("bites",), players=(2,), settings={"hill": "humble"})._asked()["tuned"]
    assert pair.settings == {**TUNED_WITH["bites"], "hill": "humble"}


def test_games_and_players_are_lists_with_commas(capsys):
    assert run("--only", "greedy", "--games", "bites,rattus", "--players", "5,9") == 2
    error = " ".join(capsys.readouterr().err.split())
    assert error == "error: players: 9 is not allowed with --only greedy; expected 2, 3, 4, 5"
    asked = Search(only="greedy", games=("bites", "rattus"), players=(4, 5))._asked()["greedy"]
    assert [(pair.game, pair.players) for pair in asked] == [("bites", 4), ("bites", 5), ("rattus", 4)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--matches", 0), "matches: 0 is not allowed; expected an integer from 1"),
        (("--iterations", -1), "iterations: -1 is not allowed; expected an integer from 1"),
        (("--players", 9), "players: 9 is not allowed with --only all; expected 1, 2, 3, 4, 5"),
        (("--only", "mcts", "--players", "2,5"), "players: 5 is not allowed with --only mcts; expected 2, 3, 4"),
        (("--only", "ladder", "--players", 3), "players: 3 is not allowed with --only ladder; expected 2"),
        (("--only", "solo", "--games", "bites"), "games: bites is not allowed with --only solo"),
        (("--only", "solo", "--games", "rodentia,bites"), "games: bites is not allowed with --only solo"),
        (("--only", "speed", "--players", 2), "players: not allowed with --only speed"),
        (("--games", "chess"), "unknown game 'chess'"),
        (("--only", "pair", "--one", "greedy"), "one, others: expected both of these bots with --only pair"),
        (("--only", "greedy", "--one", "greedy"), "one, others: expected both of these bots with --only pair"),
        (("--one", "greedy", "--others", "uniform"), "one, others: expected both of these bots with --only pair"),
        ((*PAIR, "--settings", '{"hills": 1}'), "hills"),
        (("--only", "pair", "--games", "bites", "--one", "nobody", "--others", "uniform"), "nobody"),
        (("--only", "mcts", "--options", "deep=4"), "deep"),
    ],
)
def test_what_cannot_be_compared_is_told_before_anything_is_played(arguments, told, capsys, monkeypatch):
    monkeypatch.setattr(Search, "_measured", None)
    monkeypatch.setattr(Search, "_speed", None)
    assert run(*arguments) == 2
    output = capsys.readouterr()
    assert told in " ".join(output.err.split()) and output.out == ""


def test_a_single_deal_has_no_interval_in_the_table():
    assert cells(Comparison("bites", 2, "greedy", "uniform", share=1.0))[-2:] == ("", "50.0")
