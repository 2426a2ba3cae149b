"""Shares of luck: known where one stream decides everything, and intervals that hold."""

import json

import numpy as np
import pandas as pd
import pytest
from studying import command, content

from experiments.studies.luck import Luck
from experiments.studies.variance import entropy_of_winner, share_between, spread

pytestmark = [pytest.mark.xdist_group("pebbles"), pytest.mark.usefixtures("few_shards")]

CHANCE = ("chance", "pebbles", "--players", 3, "--seed", 3, "--starts", 40, "--games", 20)
ONE_TURN_EACH = {"turns": 3, "size": 9}


def played(folder, bots, options, parameters) -> pd.DataFrame:
    settings = ("--options", json.dumps(options), "--parameters", json.dumps(parameters))
    assert command(*CHANCE, "--bots", bots, *settings, "--out", folder) == 0
    return pd.read_csv(folder / "chance.csv").set_index("fixed")


def test_stones_decide_everything_where_each_seat_takes_one_pebble(tmp_path):
    """`first` takes one pebble whatever the die shows, so points are 1 and the stone."""
    table = played(tmp_path, "first", {"take": "up_to"}, ONE_TURN_EACH)
    assert table.index.tolist() == ["stones", "die", "all chance", "bots"]
    for source in ("stones", "all chance"):
        assert table.win_share[source] == table.win_share_low[source] == table.score_share[source] == 1
        assert table.entropy[source] == 0
        assert table.score_span[source] == 2
    for source in ("die", "bots"):
        assert table.score_share_low[source] <= 0.005 and table.score_share_high[source] < 0.1
        assert table.entropy[source] > 0.6
    assert (table.games == 800).all()


def test_the_die_decides_everything_where_all_stones_are_alike(tmp_path):
    """Each seat takes what it rolled, and ties share the win."""
    table = played(tmp_path, "uniform", {"take": "exact"}, {**ONE_TURN_EACH, "bag": [9, 0, 0]})
    assert table.win_share["die"] == table.score_share["die"] == 1
    assert table.win_share["stones"] < 0.03 and table.score_share["stones"] < 0.03
    assert table.score_trimmed["die"] == 2 > 2 * table.score_by_chance["die"]


def test_what_bots_choose_is_a_source_of_its_own(tmp_path):
    """With the same dice and stones for all, what is left is whether a bot passes."""
    options, parameters = {"take": "exact", "passing": True}, {**ONE_TURN_EACH, "bag": [9, 0, 0], "heaps": 1}
    table = played(tmp_path, "uniform", options, parameters)
    assert 0.2 < table.score_share["bots"] < table.score_share_high["bots"] < 0.9
    assert table.score_share["all chance"] < 0.7


def test_each_bot_has_a_study_that_goes_on_where_it_was(tmp_path):
    assert command(*CHANCE, "--bots", "uniform", "--out", tmp_path) == 0
    first = {name: data for name, data in content(tmp_path).items() if name != "chance.csv"}
    assert command(*CHANCE, "--bots", "uniform,first", "--workers", 3, "--out", tmp_path) == 0
    assert first.items() < content(tmp_path).items()
    assert set(pd.read_csv(tmp_path / "chance.csv").bot) == {"uniform", "first"}


def test_fixed_streams_are_the_same_and_the_others_vary():
    plan = Luck(game="pebbles", players=3, seed=1, games=4, repeats=5, bot="uniform", games_a_shard=2)
    table = plan.play(1).to_pandas()
    assert table.start.unique().tolist() == [2, 3] and len(table) == 2 * 5 * 4
    assert not table[table.source == "all chance"].equals(table[table.source == "die"])
    numbers = [plan.variant.streams(5, 1, (k * 4 + start) * 5)[:, 0] for k in range(4) for start in range(4)]
    assert len(np.unique(np.concatenate(numbers))) == 80  # no two games of a study have the same chance


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--starts", 1), "1 starts with 20 games are too few"),
        (("--games", 1), "40 starts with 1 games are too few"),
        (("--bots", "mcts:threads=2"), "bot 'mcts:threads=2' is not allowed here; expected a compiled one"),
    ],
)
def test_bad_input(tmp_path, capsys, arguments, message):
    assert command(*CHANCE, "--bots", "uniform", *arguments, "--out", tmp_path) == 2
    assert message in capsys.readouterr().err


# Statistics


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_intervals_of_shares_cover_the_truth(share):
    generator, studies = np.random.default_rng(2), 120
    hits, found = 0, []
    for study in range(studies):
        groups = generator.normal(size=(80, 1, 2)) * np.sqrt(share)
        values = groups + generator.normal(size=(80, 12, 2)) * np.sqrt(1 - share)
        estimate = share_between(values, study)
        hits += estimate.low <= share <= estimate.high
        found.append(estimate.value)
    assert np.mean(found) == pytest.approx(share, abs=0.02)
    assert 0.9 * studies <= hits


def test_nothing_varies():
    assert np.isnan(share_between(np.ones((5, 4, 2)), 0).value)


def test_spread_of_groups():
    values = np.repeat(np.arange(101.0), 50).reshape(101, 50, 1)
    found = spread(values, 0)
    assert (found.span, found.trimmed, found.outliers) == (100, 90, 0)
    assert found.by_chance < 20
    values[0] = 1000
    assert spread(values, 0).outliers == pytest.approx(1 / 101)


def test_entropy_of_the_winner():
    always, alike = np.tile([1.0, 0, 0], (3, 60, 1)), np.tile(np.eye(3), (3, 20, 1))
    assert entropy_of_winner(always) == 0
    assert entropy_of_winner(alike) == 1
    assert entropy_of_winner(np.tile([[1.0], [0.0]], (3, 400, 1))) == 1  # alone: won or not
    generator = np.random.default_rng(3)
    drawn = np.eye(4)[generator.choice(4, p=[0.1, 0.2, 0.3, 0.4], size=(1000, 60))]
    assert entropy_of_winner(drawn) == pytest.approx(1.8464 / 2, abs=0.01)  # as good as unbiased
