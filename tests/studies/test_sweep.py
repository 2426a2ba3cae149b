"""Sweeps: what changes a metric, with intervals that hold, and which number brings it to a target."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata
from studying import command, content, pebbles

from experiments.studies.metrics import chosen, metrics_of
from experiments.studies.paired import Estimate, Paired
from experiments.studies.targets import find
from experiments.studies.variations import grid, levels, random_design, varied
from experiments.summary import win_shares
from tabletop import OptionError, matches, record

pytestmark = [pytest.mark.xdist_group("pebbles"), pytest.mark.usefixtures("few_shards")]

SWEEP = ("sweep", "pebbles", "--players", 3, "--games", 400, "--bots", "uniform,first,uniform", "--seed", 7)


def rows(folder) -> pd.DataFrame:
    return pd.read_csv(folder / "sweep.csv").set_index(["variation", "metric"])


# Metrics


def test_metrics_are_what_their_names_say():
    plan = pebbles(bots=("uniform", "first", "uniform"))
    (results,) = matches.play_chunks(plan.variant, 640, plan.bots, seed=5, with_course=True)
    wins = win_shares(results.places)
    expected = {
        "events": results.lengths.mean(),
        "score": results.scores.mean(),
        "score_1": results.scores[:, 1].mean(),
        "place_1": rankdata(results.places, axis=1)[:, 1].mean(),
        "win": 1 / 3,
        "win_2": wins[:, 2].mean(),
        "win:first": wins[results.bots == 1].mean(),
        "win:uniform": wins[results.bots != 1].mean(),
        "margin": np.diff(np.sort(results.scores, axis=1)[:, 1:]).mean(),
    }
    for metric in chosen(plan, list(expected)):
        numerators, denominators = metric.sums(results).sum(axis=0)
        assert numerators / denominators == pytest.approx(expected[metric.name])


def test_metrics_of_facts():
    """Bites: how often a card is in play, and how often seats with a small card win."""
    of_bites = pebbles(game="bites", players=2, bots=("uniform",), options={"special": "random"})
    names = set(metrics_of(of_bites))
    assert {"wine=collector", "left", "spent"} <= names and "win:wine=collector" not in names
    rates = {name for name, metric in metrics_of(of_bites).items() if metric.is_rate}
    assert {"win", "win_0", "win_1", "win:uniform"} < rates and "wines" not in rates  # wines are counted


def test_an_unknown_metric_is_refused_with_a_list(tmp_path, capsys):
    assert command(*SWEEP, "--vary", '{"size": [2]}', "--metrics", "score,luck", "--out", tmp_path) == 2
    assert "unknown metric 'luck'; there are events, score, win, win_0" in " ".join(capsys.readouterr().err.split())


# Intervals


def test_intervals_of_ratios_and_of_their_differences_cover_the_truth():
    """Ratios of sums of dependent numbers, the same games in both studies: true values 2, 3 and −1."""
    generator, hits, studies = np.random.default_rng(1), np.zeros(3), 1500
    for _ in range(studies):
        shared, counts = generator.normal(size=60), generator.integers(1, 5, (60, 2))
        here = np.stack([2 * counts[:, 0] + shared + generator.normal(size=60), counts[:, 0]], axis=1)
        base = np.stack([3 * counts[:, 1] + shared + generator.normal(size=60), counts[:, 1]], axis=1)
        sums = Paired(is_rate=False)
        sums.add(here[:25], base[:25])
        sums.add(here[25:], base[25:])
        found = (sums.estimate(), sums.estimate(of_base=True), sums.difference())
        hits += [e.low <= true <= e.high for e, true in zip(found, (2, 3, -1), strict=True)]
    assert (hits / studies >= 0.93).all() and (hits / studies <= 0.97).all()


def test_a_metric_that_never_applies_is_not_a_number():
    sums = Paired(is_rate=False)
    sums.add(np.zeros((5, 2)), np.ones((5, 2)))
    assert np.isnan(sums.estimate().value) and np.isnan(sums.difference().low)


# Sweeps


def test_the_effect_of_more_pebbles_is_exact(tmp_path):
    """Three heaps for three players, and all pebbles are taken: a pebble more in each makes a point more a seat."""
    vary = json.dumps({"size": "1..4", "passing": [False]})
    assert command(*SWEEP, "--vary", vary, "--out", tmp_path) == 0
    table = rows(tmp_path)
    for size in (1, 2, 3, 4):
        line = table.loc[(f"size={size}, passing=false", "score")]
        assert line[["difference", "difference_low", "difference_high"]].tolist() == pytest.approx(
            [size - 3] * 3, abs=1e-6
        )
        assert line.low < line.value < line.high  # while the stones vary
    assert table.loc[("base", "score")].difference == 0 and len(table) == 2 * 5
    assert (table.games == 400).all()


def test_the_same_games_make_differences_sharp(tmp_path):
    """A fourth stone of value 1 in the bag changes few games, so the difference is known better than the value."""
    assert command(*SWEEP, "--vary", '{"bag[0]": [3]}', "--metrics", "score_0,win_0", "--out", tmp_path) == 0
    for name in ("score_0", "win_0"):
        line = rows(tmp_path).loc[("bag[0]=3", name)]
        assert line.difference_high - line.difference_low < 0.7 * (line.high - line.low)


def test_a_game_of_a_variation_is_replayed(tmp_path, capsys):
    assert command(*SWEEP, "--vary", '{"size": [2]}', "--out", tmp_path) == 0
    capsys.readouterr()
    assert command("replay", tmp_path / "points" / "size=2", "--game", 33, "--json") == 0
    one = record.Record.from_json(capsys.readouterr().out)
    assert one.parameters == {"size": 2} and one.extra["number"] == 33
    record.replay(one)


def test_a_larger_sweep_goes_on_from_a_smaller_one(tmp_path):
    assert command(*SWEEP, "--vary", '{"size": [1, 2]}', "--out", tmp_path) == 0
    kept = {name: data for name, data in content(tmp_path).items() if name != "sweep.csv"}
    assert command(*SWEEP, "--vary", '{"size": [1, 2, 4]}', "--metrics", "drama", "--out", tmp_path) == 0
    assert kept.items() < content(tmp_path).items()
    assert len((tmp_path / "points/base/times.json").read_text()) > 0


# Variations


def test_levels_grids_and_random_designs():
    values = levels({"size": "2..4", "take": ["exact", "up_to"]})
    assert values == {"size": [2, 3, 4], "take": ["exact", "up_to"]}
    assert len(grid(values)) == 6 and {"size": 3, "take": "up_to"} in grid(values)
    wide = levels({"size": "1..9", "turns": "1..200"})
    points = random_design(wide, 18, seed=4)
    assert points == random_design(wide, 18, seed=4) != random_design(wide, 18, seed=5)
    assert sorted(point["size"] for point in points) == sorted([*range(1, 10)] * 2)  # evenly over the values


def test_entries_of_lists_and_tables_vary():
    assert varied(pebbles(), {"bag[1]": 5}).parameters == {"bag": [2, 5, 2]}
    assert varied(pebbles(parameters={"bag": [1, 1, 1]}), {"bag[0]": 4, "bag[2]": 3}).parameters == {"bag": [4, 1, 3]}
    rattus = pebbles(game="rattus", players=3)
    assert varied(rattus, {"removed[3]": 5}).parameters["removed"]["3"] == 5


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ("{}", "nothing varies"),
        ('{"size": 3}', "size: 3 is not allowed; expected a list of values, or a range"),
        ('{"size": "3.."}', "size: '3..' is not allowed"),
        ('{"size": "5..3"}', "size: '5..3' is not allowed"),
        ('{"colour": [3]}', "unknown option or parameter 'colour'; there are take, die, passing, heaps"),
        ('{"size": [10]}', "parameter 'size': 10 is not allowed"),
        ('{"bag[3]": [1]}', "there is no such entry in (2, 2, 2)"),
        ('{"size": "1..9", "turns": "1..200", "heaps": "1..16"}', "a grid of 28,800 points is not allowed"),
        ("3", "is not a JSON object"),
    ],
)
def test_wrong_variations_are_refused(tmp_path, capsys, vary, message):
    assert command(*SWEEP, "--vary", vary, "--out", tmp_path) == 2
    assert message in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert not list(tmp_path.rglob("*.parquet"))


def test_a_combination_that_the_game_refuses_is_told_of():
    with pytest.raises(OptionError, match="has no stone for each"):
        varied(pebbles(), {"bag": [0, 0, 1]})


# Targets


def exact(function):
    return lambda x: Estimate(function(x), function(x) - 0.75, function(x) + 0.75)


@pytest.mark.parametrize(
    ("function", "target", "value", "crossing", "reached", "fits"),
    [
        (lambda x: 2 * x + 1, 7, 3, 3.0, True, (3, 3)),
        (lambda x: 2 * x + 1, 8.5, 4, 3.75, True, (4, 4)),
        (lambda x: 10 - x / 4, 8.1, 8, 7.6, True, (5, 10)),
        (lambda x: x, 99, 20, 20.0, False, None),
        (lambda x: x, -5, 0, 0.0, False, None),
        (lambda x: -x, -20.5, 20, 20.0, False, (20, 20)),
        (lambda x: x, 0, 0, 0.0, True, (0, 0)),
        (lambda x: 5, 5, 0, 0.0, True, (0, 20)),
    ],
)
def test_targets_are_found(function, target, value, crossing, reached, fits):
    found = find(exact(function), 0, 20, target)
    assert (found.value, found.reached) == (value, reached)
    assert found.crossing == pytest.approx(crossing)
    assert ((found.low, found.high) == fits) if fits else (found.low is None)


def test_a_target_is_found_by_playing(tmp_path, capsys):
    """Nine pebbles over three seats and stones of 2 on average make 5 points; 6 take a fourth in each heap."""
    arguments = (*SWEEP, "--vary", '{"size": "1..9"}', "--target", "score=6")
    assert command(*arguments, "--out", tmp_path) == 0
    out = capsys.readouterr().out
    assert re.search(r"size=4 brings score to (5\.9|6)", out) and "for the values 4 to 4" in out
    values = pd.read_csv(tmp_path / "target.csv")
    assert set(values["size"]) >= {1, 4, 9} and len(values) < 9
    assert command(*arguments, "--out", tmp_path) == 0  # nothing is played again
    assert capsys.readouterr().out == out
    assert command(*SWEEP, "--vary", '{"size": "1..9"}', "--target", "score=60", "--out", tmp_path) == 0
    assert "No value in the range goes as far as the target" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("vary", "target", "message"),
    [
        ('{"size": "1..9"}', "score", "target: 'score' is not allowed; expected METRIC=VALUE"),
        ('{"size": "1..9"}', "score=much", "target: 'score=much' is not allowed"),
        ('{"size": "1..9"}', "luck=3", "unknown metric 'luck'"),
        ('{"take": ["exact", "up_to"]}', "score=3", "a target needs one number that varies"),
        ('{"size": "1..9", "turns": "1..9"}', "score=3", "a target needs one number that varies"),
    ],
)
def test_wrong_targets_are_refused(tmp_path, capsys, vary, target, message):
    assert command(*SWEEP, "--vary", vary, "--target", target, "--out", tmp_path) == 2
    assert message in " ".join(capsys.readouterr().err.split())
