"""Ladders of skill: rungs that are none, and rungs that are surely above."""

import pandas as pd
import pytest
from studying import command, content

from experiments.studies import Study
from experiments.studies.ladder import Rung
from tabletop import compiled_bot
from tabletop.bits import count_in, nth_in
from tabletop.game import action_words

pytestmark = [pytest.mark.xdist_group("pebbles"), pytest.mark.usefixtures("few_shards")]

SKILL = ("skill", "pebbles", "--games", 300, "--seed", 3, "--options", '{"take": "up_to"}')


@compiled_bot("most")
def most(state, legal, rng, params):
    """Takes as many pebbles as it may."""
    return nth_in(legal, count_in(legal, action_words(state)) - 1)


@compiled_bot("first_again")
def first_again(state, legal, rng, params):
    """Plays as `first` does."""
    return nth_in(legal, 0)


@pytest.mark.parametrize("players", [2, 3])
def test_equal_bots_are_no_rung_and_better_ones_are(tmp_path, capsys, players):
    arguments = ("--players", players, "--bots", "first,first_again,most", "--out", tmp_path)
    assert command(*SKILL, *arguments) == 0
    table = pd.read_csv(tmp_path / "skill.csv").set_index("bot")
    equal, better = table.loc["first_again"], table.loc["most"]
    assert equal.ahead == 0.5 and 0.45 < equal.ahead_low < 0.5 < equal.ahead_high < 0.55  # other rounds might differ
    assert equal.elo == pytest.approx(0) and not equal.is_above
    assert better.is_above and better.elo_low > 100 and better.win_low > 1 / players
    assert better.superiority > 0.999
    assert "1 of 2 rungs are surely above the one below them" in capsys.readouterr().out
    assert (table.games == 300).all()
    first = content(tmp_path)
    assert command(*SKILL, *arguments, "--workers", 1) == 0
    assert content(tmp_path) == first


def test_a_longer_ladder_goes_on_and_another_is_refused(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    arguments = ("--players", 2, "--out", tmp_path)
    assert command(*SKILL, *arguments, "--bots", "first,first_again") == 0
    kept = {name: data for name, data in content(tmp_path).items() if "/" in name}
    assert command(*SKILL, *arguments, "--bots", "first,first_again,most") == 0
    assert kept.items() < content(tmp_path).items()
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 1 and "1 of 2 rungs are surely above" in page
    assert pd.read_parquet(tmp_path / "skill.parquet").equals(pd.read_csv(tmp_path / "skill.csv"))
    assert command("report", tmp_path) == 0
    assert (tmp_path / "report.html").read_text() == page
    assert command(*SKILL, *arguments, "--bots", "first,most") == 2
    assert "it has first_again against first, most against first_again, which" in capsys.readouterr().err
    assert command(*SKILL, *arguments, "--bots", "first,most", "--restart") == 0
    assert len(list((tmp_path / "rungs").iterdir())) == 1


def test_shards_of_a_rung_hold_whole_rounds(tmp_path):
    plan = Rung(game="pebbles", players=3, bots=("first", "most"), seed=3, games=10, games_a_shard=4)
    assert plan.games_a_unit == 6 and plan.all_games == 60
    shard = plan.play(2)
    assert shard["round"].to_pylist() == [8] * 6 + [9] * 6
    assert len(plan.contests(shard)) == 2 and plan.contests(shard).seats.tolist() == [[9, 9], [9, 9]]
    with Study(tmp_path, plan).at_work():
        opened, again = Study.open(tmp_path, Rung)
    assert again == plan and list(opened.faults()) == [0, 1, 2]


@pytest.mark.parametrize("bots", ["first", "first,first", "first,most,first"])
def test_a_ladder_needs_different_bots(tmp_path, capsys, bots):
    assert command(*SKILL, "--players", 2, "--bots", bots, "--out", tmp_path) == 2
    assert "expected two or more different ones" in capsys.readouterr().err
