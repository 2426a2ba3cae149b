"""Sweeps: what changes a metric, with intervals that hold, and which number brings it to a target."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata
from studying import command, content, pebbles

from experiments.series import few
from experiments.studies.factors import effects, effects_apart
from experiments.studies.fit import rests
from experiments.studies.metrics import Metric, chosen, metrics_of
from experiments.studies.paired import Estimate, Paired
from experiments.studies.plan import PlanError
from experiments.studies.targets import find, sentences
from experiments.studies.variations import grid, is_same_game, levels, own_values, random_design, varied
from experiments.summary import Summary, win_shares
from experiments.sweep import Sweep
from experiments.sweep_findings import drawings_of, largest, said, sheet_of_search, sheets_of
from tabletop import OptionError, matches, record
from tabletop.course import DECIDED

pytestmark = [pytest.mark.xdist_group("pebbles"), pytest.mark.usefixtures("few_shards")]

SHOWN = ("variation", "difference", "difference_low", "difference_high")
SWEEP = ("sweep", "pebbles", "--players", 3, "--games", 400, "--bots", "uniform,first,uniform", "--seed", 7)


def rows(folder) -> pd.DataFrame:
    return pd.read_csv(folder / "sweep.csv").set_index(["variation", "metric"])


# Metrics


def test_metrics_are_what_their_names_say():
    plan = pebbles(bots=("uniform", "first", "uniform"))
    (results,) = matches.play_chunks(plan.variant, 640, plan.bots, seed=5, with_course=True)
    wins = win_shares(results.places)
    margins = np.diff(np.sort(results.scores, axis=1)[:, 1:])[:, 0]
    assert 0 < (margins == 0).mean() < 1
    expected = {
        "events": results.lengths.mean(),
        "score": results.scores.mean(),
        "score_1": results.scores[:, 1].mean(),
        "place_1": rankdata(results.places, axis=1)[:, 1].mean(),
        "win": 1 / 3,
        "win_2": wins[:, 2].mean(),
        "win:first": wins[results.bots == 1].mean(),
        "win:uniform": wins[results.bots != 1].mean(),
        "margin": margins.mean(),
        "decided": results.course.measures[margins > 0, DECIDED].mean(),
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


def test_no_metric_is_refused_before_anything_is_played(tmp_path, capsys):
    for empty in ("", " ", ","):
        assert command(*SWEEP, "--vary", '{"size": [2]}', "--metrics", empty, "--out", tmp_path) == 2
        assert "metrics: nothing is given; expected names such as score,events" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


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


def test_who_sits_where_is_no_error_of_a_metric_or_of_a_difference():
    """A strong and a weak bot in turn, on the same deals as in the base: true rates 0.5 and 0.44."""
    generator, studies, games = np.random.default_rng(2), 2000, 120
    is_strong, hits = np.arange(games) % 2 == 0, np.zeros(5)
    for _ in range(studies):
        luck = np.where(generator.random(games) < 0.5, generator.random(games), 2)  # 2: the deal decides nothing
        wins = [
            np.where(luck < 2, luck, generator.random(games)) < np.where(is_strong, strong, weak)
            for strong, weak in ((0.95, 0.05), (0.65, 0.23))
        ]
        shares, points = Paired(True, 2, 2, of_wins=True), Paired(False, 2, 2)
        for part in (slice(0, 35), slice(35, games)):
            here, base = (np.stack([one[part], np.ones(games)[part]], axis=1).astype(float) for one in wins)
            shares.add(here, base)
            points.add(here * [3, 1], base * [3, 1])
        found = [shares.estimate(), shares.estimate(of_base=True), shares.difference()]
        found += [points.estimate(), points.difference()]
        truths = (0.5, 0.44, 0.06, 1.5, 0.18)
        hits += [one.low <= true <= one.high for one, true in zip(found, truths, strict=True)]
    assert (hits / studies >= 0.93).all() and (hits / studies <= 0.97).all()


def test_a_metric_has_the_same_interval_as_in_a_balance_study():
    plan = pebbles(bots=("uniform", "first", "uniform"))
    (results,) = matches.play_chunks(plan.variant, 640, plan.bots, seed=5, with_course=True)
    summary = Summary(plan.variant, plan.bots)
    summary.add(results)
    rows = summary.table().set_index(["bot", "seat"])
    cells = {"": ("", ""), ":first": ("first", ""), ":uniform": ("uniform", ""), "_0": ("", "0"), "_2": ("", "2")}
    compared = 0
    for metric in metrics_of(plan).values():
        name = next((name for name in ("win", "score", "place", "events") if metric.name.startswith(name)), "")
        if name:
            row = rows.loc[cells.get(metric.name.removeprefix(name), ("", "1"))]
            sums = Paired(metric.is_rate, 3, 3, metric.of_wins)
            for part in (slice(0, 100), slice(100, 640)):
                sums.add(metric.sums(results)[part], metric.sums(results)[part])
            ends = [row[name], row[f"{name}_low"], row[f"{name}_high"]]
            assert [*sums.estimate()] == pytest.approx(ends, abs=1e-9)
            assert [*sums.estimate(of_base=True)] == pytest.approx(ends, abs=1e-9)
            compared += 1
    assert compared == 14


def test_sweep_and_balance_tell_the_same_of_unequal_bots(tmp_path):
    bots = ("--bots", "uniform,first,first", "--games", 400, "--seed", 7)
    assert command("balance", "pebbles", "--players", 3, *bots, "--without-page", "--out", tmp_path / "balance") == 0
    sweep = ("--vary", '{"size": [4]}', "--metrics", "win_0,win:first", "--out", tmp_path / "sweep")
    assert command("sweep", "pebbles", "--players", 3, *bots, *sweep) == 0
    summary = pd.read_csv(tmp_path / "balance/summary.csv", dtype=str).fillna("")
    for metric, seat, bot in (("win_0", "0", ""), ("win:first", "", "first")):
        (there,) = summary[(summary.seat == seat) & (summary.bot == bot) & (summary.fact == "")].to_dict("records")
        line = rows(tmp_path / "sweep").loc[("base", metric)]
        ends = [float(there[key]) for key in ("win", "win_low", "win_high")]
        assert [line.value, line.low, line.high] == pytest.approx(ends, abs=1e-9)


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
        assert line.difference == pytest.approx(size - 3)
        assert np.isnan([line.difference_low, line.difference_high]).all()  # where nothing varies
        assert line.metric_changed == line.games_changed == (400 if size != 3 else 0)
        assert line.low < line.value < line.high  # while the stones vary
    assert table.loc[("base", "score")].difference == 0 and len(table) == 2 * 5
    assert (table.games == 400).all()


def test_the_same_games_make_differences_sharp(tmp_path):
    """A fourth stone of value 1 in the bag changes few games, so the difference is known better than the value."""
    assert command(*SWEEP, "--vary", '{"bag[0]": [3]}', "--metrics", "score_0,win_0", "--out", tmp_path) == 0
    for name in ("score_0", "win_0"):
        line = rows(tmp_path).loc[("bag[0]=3", name)]
        assert line.difference_high - line.difference_low < 0.7 * (line.high - line.low)


def test_progress_is_told_of_all_variations_together(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("experiments.console.SECONDS_A_LINE", 0)
    assert command(*SWEEP, "--vary", '{"size": [2, 4]}', "--out", tmp_path) == 0
    error = capsys.readouterr().err
    assert "playing: 1,200 of 1,200, " in error and "comparing: 3 of 3, " in error
    arguments = ("--vary", '{"size": "1..9"}', "--target", "score=6", "--out", tmp_path / "search")
    assert command(*SWEEP, *arguments) == 0
    assert "value 2: size=2: 400 of 400, " in capsys.readouterr().err


def test_a_game_of_a_variation_is_replayed(tmp_path, capsys):
    assert command(*SWEEP, "--vary", '{"size": [2]}', "--out", tmp_path) == 0
    capsys.readouterr()
    assert command("replay", tmp_path / "points" / "size=2", "--game", 33, "--json") == 0
    one = record.Record.from_json(capsys.readouterr().out)
    assert one.parameters == {"size": 2} and one.extra["number"] == 33
    record.replay(one)


def test_a_larger_sweep_goes_on_from_a_smaller_one(tmp_path):
    assert command(*SWEEP, "--vary", '{"size": [1, 2]}', "--out", tmp_path) == 0
    kept = {name: data for name, data in content(tmp_path).items() if name.startswith("points/")}
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
        ('{"bag[²]": [1]}', "there is no such entry in (2, 2, 2)"),
        ('{"bag[0]": [9], "bag": [[1, 2, 3]]}', "bag and bag[0] vary both, but bag[0] is a part of bag; expected one"),
        ('{"bag": [[1, 2, 3]], "bag[0]": [9]}', "bag and bag[0] vary both, but bag[0] is a part of bag; expected one"),
        ('{"bag[1]": [3], "bag[01]": [4]}', "bag[1] and bag[01] mean the same entry; expected one of them"),
        ('{"size": "1..9", "turns": "1..200", "heaps": "1..16"}', "a grid of 28,800 points is not allowed"),
        ('{"size": "0..9999999999"}', "size: a range of 10,000,000,000 values is not allowed (0..9999999999)"),
        ('{"size": "1..99999"}', "a grid of 99,999 points is not allowed"),
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


# Folders


def test_another_sweep_in_the_same_folder_is_refused(tmp_path, capsys):
    assert command(*SWEEP, "--vary", '{"size": [2, 4]}', "--out", tmp_path) == 0
    kept = content(tmp_path)
    for other, message in [
        (("--vary", '{"turns": [3]}'), "it has size=2, size=4, which this command does not ask for"),
        (("--vary", '{"size": [2, 4]}', "--seed", 8), "seed is 7 there and 8 now"),
        (("--vary", '{"size": "2..4"}', "--target", "score=5"), 'target is null there and "score=5" now'),
    ]:
        capsys.readouterr()
        assert command(*SWEEP, *other, "--out", tmp_path) == 2
        assert f"{tmp_path} holds another sweep: " in (told := capsys.readouterr().err) and message in told
        assert content(tmp_path) == kept


def test_restart_deletes_the_old_points_and_nothing_else(tmp_path):
    assert command(*SWEEP, "--vary", '{"size": [2, 4]}', "--out", tmp_path) == 0
    for own in ("notes.txt", "points/notes.txt", "points/size=4/notes.txt"):
        (tmp_path / own).write_text("mine")
    assert command(*SWEEP, "--vary", '{"turns": [3]}', "--restart", "--out", tmp_path) == 0
    assert rows(tmp_path).index.get_level_values(0).unique().tolist() == ["base", "turns=3"]
    assert sorted(path.name for path in (tmp_path / "points").iterdir()) == ["base", "notes.txt", "size=4", "turns=3"]
    assert [path.name for path in (tmp_path / "points/size=4").iterdir()] == ["notes.txt"]
    assert (tmp_path / "notes.txt").exists()


def test_folders_of_other_commands_are_left_alone(tmp_path, capsys):
    balance = ("balance", "pebbles", "--games", 60, "--bots", "first", "--seed", 7, "--without-page")
    assert command(*balance, "--out", tmp_path / "one") == 0
    kept = content(tmp_path)
    assert command(*SWEEP, "--vary", '{"size": [2]}', "--restart", "--out", tmp_path / "one") == 2
    assert "holds a study, and not studies of critters sweep; choose another folder" in capsys.readouterr().err
    assert content(tmp_path) == kept
    assert command(*SWEEP, "--vary", '{"size": [2]}', "--out", tmp_path / "two") == 0
    (tmp_path / "two/manifest.json").unlink()
    assert command(*SWEEP, "--vary", '{"size": [2]}', "--out", tmp_path / "two") == 2
    assert "has studies of an unknown command and no manifest.json; --restart deletes" in capsys.readouterr().err


def test_a_sweep_has_a_page_that_is_made_again_without_playing(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    arguments = ("--vary", '{"size": [2, 4]}', "--metrics", "score,win_0", "--out", tmp_path)
    assert command(*SWEEP, *arguments) == 0
    out, page = capsys.readouterr().out, (tmp_path / "report.html").read_text()
    for part in (
        "2 variations of size were compared with the base, in which size=3, on",
        "size=4",
        page_text(out, "score: of 2 differences from"),
    ):
        assert part in page
    assert page.count("<svg") == 2 and "<h1>Pebbles: 3 players, 400 games each: a sweep</h1>" in page
    assert pd.read_parquet(tmp_path / "sweep.parquet").equals(pd.read_csv(tmp_path / "sweep.csv", dtype={"size": str}))
    (tmp_path / "report.html").unlink()
    assert command("report", tmp_path) == 0
    assert capsys.readouterr().out == out and (tmp_path / "report.html").read_text() == page
    (tmp_path / "sweep.parquet").unlink()
    assert command("report", tmp_path) == 2
    assert "sweep.parquet is missing; run the command again" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("vary", "design", "asked"),
    [
        ({"size": [4]}, (), "1 variation of size was compared with the base, in which size=3, on the same games, "),
        ({"size": [3, 4]}, (), "played by uniform, first and uniform. One variation is the base itself: size=3."),
        (
            {"bag[1]": [2, 5], "take": ["exact"]},
            (),
            "2 variations of bag[1] and take were compared with the base, in which bag[1]=2, take=exact, on the same "
            "games, played by uniform, first and uniform. One variation is the base itself: bag[1]=2, take=exact.",
        ),
        ({"bag": [[2, 2, 2], [1, 2, 2]]}, (), "in which bag=[2, 2, 2], on the"),
        ({"bag": [[2, 2, 2], [1, 2, 2]]}, (), "One variation is the base itself: bag=[2, 2, 2]."),
        ({"size": [2, 3]}, ("--parameters", '{"size": 2}'), "One variation is the base itself: size=2."),
        ({"size": [3, 4]}, ("--random", 9), "2 variations of size were compared with the base, in which size=3, on"),
    ],
)
def test_it_is_told_what_the_base_is(vary, design, asked):
    options = dict(zip(design[::2], design[1::2], strict=True))
    sweep = Sweep(
        game="pebbles",
        players=3,
        games=400,
        bots=("uniform", "first", "uniform"),
        seed=7,
        vary=vary,
        out=Path("nowhere"),
        parameters=json.loads(options.get("--parameters", "{}")),
        random=options.get("--random"),
    )
    told = sweep.answer(
        pd.DataFrame(columns=["metric", "kind", "value", "games_changed", "metric_changed", *SHOWN])
    ).asked
    assert asked in told and "none of them" not in told


def test_tables_of_numbers_have_a_base_as_well():
    rattus = pebbles(game="rattus", players=3)
    assert own_values(rattus, ["removed[3]", "map"])["removed[3]"] == 6
    assert is_same_game(varied(rattus, {"removed[3]": 6}), rattus)
    assert not is_same_game(varied(rattus, {"removed[3]": 5}), rattus)


def page_text(out: str, start: str) -> str:
    """The sentence that begins so in the terminal."""
    return next(line.strip() for line in out.splitlines() if line.startswith(start))


# Effects of single parameters


def summed(values: np.ndarray, is_rate: bool = False) -> Paired:
    """Sums of games with these values, of which the base has none."""
    sums, ones = Paired(is_rate, players=2), np.ones(len(values))
    sums.add(np.stack([values, ones], axis=1), np.stack([0 * ones, ones], axis=1))
    return sums


def test_intervals_of_effects_cover_the_truth():
    """Two numbers and a category, and what a deal brings depends on the number: true effects 2, 0, 3 and 5."""
    values = {"a": [1, 2, 5], "b": [0.5, 1.5], "c": ["x", "y", "z"]}
    points, generator, hits = grid(values), np.random.default_rng(1), np.zeros(4)
    for _ in range(200):
        deal, slope = generator.normal(size=60), generator.normal(size=60)
        noisy = [
            2 * p["a"] + {"x": 0, "y": 3, "z": 5}[p["c"]] + 3 * deal + slope * p["a"] + generator.normal(size=60)
            for p in points
        ]
        found = effects(values, points, [summed(one) for one in noisy])
        assert [f"{one.parameter} {one.step}" for one in found.effects] == [
            "a 1 more",
            "b 1 more",
            "c y instead of x",
            "c z instead of x",
        ]
        hits += [
            one.change.low <= true <= one.change.high for one, true in zip(found.effects, (2, 0, 3, 5), strict=True)
        ]
        assert found.explained > 0.9
    assert (hits / 200 >= 0.9).all() and (hits / 200 <= 0.99).all()


def test_effects_are_exact_where_nothing_else_varies():
    values = {"a": [1, 2, 4], "b": [True, False]}
    points = grid(values)
    found = effects(values, points, [summed(np.full(12, 3.0 * p["a"] - 7 * p["b"])) for p in points])
    assert [one.change.value for one in found.effects] == pytest.approx([3, 7]) and found.explained == pytest.approx(1)
    assert found.effects[1].step == "false instead of true" and np.isnan(found.effects[1].change.low)


def test_parameters_that_vary_together_are_not_told_apart():
    values = {"a": [1, 2], "b": [1, 2]}
    together = [{"a": 1, "b": 1}, {"a": 2, "b": 2}]
    assert effects(values, together, [summed(np.full(12, 3.0))] * 2) is None
    assert effects(values, grid(values), [summed(np.full(12, np.nan))] * 4) is None
    assert effects(values, grid(values), [summed(np.full(12, 3.0))] * 4) is not None


@pytest.mark.parametrize("design", [(), ("--random", 7)])
def test_the_effect_of_each_parameter_is_told(tmp_path, capsys, design):
    """All pebbles are taken: one more in each of three heaps is one more for each seat, times the mean of a stone."""
    vary = json.dumps({"size": "1..4", "take": ["exact", "up_to"]})
    assert command(*SWEEP, "--vary", vary, *design, "--metrics", "score,win_0", "--out", tmp_path) == 0
    table = pd.read_parquet(tmp_path / "sweep.parquet")
    of_effects = table[table.kind == "effect"].set_index(["variation", "metric"])
    assert len(of_effects) == 4 and (table.kind == "base").sum() == 2
    size = of_effects.loc[("size: 1 more", "score")]
    assert size.difference == pytest.approx(1) and size.explained == pytest.approx(1)
    take = of_effects.loc[("take: up_to instead of exact", "win_0")]
    assert take.difference_low < take.difference < take.difference_high
    out = capsys.readouterr().out
    assert "effect of each parameter" in out and "effect on win_0 (percentage points)" in out
    if (tmp_path / "report.html").exists():
        assert "take: up_to instead of exact" in (tmp_path / "report.html").read_text()
        assert (tmp_path / "report.html").read_text().count("<svg") == 4


# Effects that depend on each other

FACTORS = {"a": [1, 2, 5], "b": [0.5, 1.5], "c": ["x", "y", "z"]}


def left_over(values, points, function, generator, games: int = 120) -> set[tuple[str, ...]]:
    """Which rests are sure, where deals bring much, and the more so the greater `a` is."""
    deal, slope = generator.normal(size=games), generator.normal(size=games)
    made = [function(p) + 3 * deal + slope * p["a"] + generator.normal(size=games) for p in points]
    return {rest.parameters for rest in rests(values, points, [summed(one) for one in made]) if rest.is_sure}


@pytest.mark.parametrize("design", ["grid", "random"])
def test_lines_that_add_up_leave_hardly_ever_a_rest(design):
    values = FACTORS if design == "grid" else {**FACTORS, "a": [*range(9)], "b": [*range(20)]}
    points = grid(values) if design == "grid" else random_design(values, 30, seed=1)
    generator, studies = np.random.default_rng(3), 120
    found = [
        left_over(values, points, lambda p: 2 * p["a"] - p["b"] + 3 * (p["c"] == "z"), generator)
        for _ in range(studies)
    ]
    assert sum(map(bool, found)) <= 0.1 * studies


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (lambda p: 2 * p["a"] * (p["c"] == "x") + p["b"], ("a", "c")),
        (lambda p: p["a"] * p["b"], ("a", "b")),
        (lambda p: 4 * (p["b"] - 1) * ((p["c"] == "x") - (p["c"] == "z")), ("b", "c")),  # whose averages are 0
        (lambda p: 4 * (p["a"] == 2), ("a",)),
    ],
)
def test_what_depends_on_each_other_or_bends_is_named(function, named):
    generator = np.random.default_rng(4)
    for _ in range(5):
        found = left_over(FACTORS, grid(FACTORS), function, generator)
        assert named in found and found - {named, ()} == set()


def test_variations_that_do_not_tell_which_effects_depend_still_tell_that_some_do():
    values = {"a": [1, 2, 3, 4, 5, 6], "b": [1, 2, 3, 4, 5, 6]}
    points = random_design(values, 6, seed=2)
    assert left_over(values, points, lambda p: 3 * p["a"] * p["b"], np.random.default_rng(5)) == {()}
    assert rests(values, points[:2], [summed(np.arange(12.0))] * 2) == []


def test_what_is_exactly_added_up_leaves_nothing_and_what_is_not_is_told():
    def found(function):
        sums = [summed(np.full(600, function(p))) for p in grid(FACTORS)]
        return {rest.parameters for rest in rests(FACTORS, grid(FACTORS), sums) if rest.is_sure}

    assert found(lambda p: 0.1 * p["a"] + p["b"] / 3 - 7 * (p["c"] == "y")) == set()
    assert found(lambda p: 0.1 * p["a"] * p["b"]) == {("a", "b"), ()}


def test_effects_by_single_values_are_exact():
    points = grid(FACTORS)
    sums = [summed(np.full(12, p["a"] ** 2 * (3.0 if p["c"] == "z" else p["b"]))) for p in points]

    def told(*parameters):
        found = effects_apart(parameters, FACTORS, points, sums)
        return {f"{one.parameter} {one.step}": round(one.change.value, 9) for one in found}

    by_c = told("b", "c")
    assert by_c["b 1 more, where c=x"] == 10 and by_c["b 1 more, where c=z"] == 0 and len(by_c) == 3 + 2 * 2
    assert by_c["c z instead of x, where b=0.5"] == 25
    assert told("a") == {"a 2 instead of 1": 5, "a 5 instead of 1": 40}


def test_effects_that_depend_on_each_other_are_told_so(tmp_path, capsys):
    """The points of three seats are those of stones, and pebbles: heaps times their size."""
    vary = json.dumps({"size": [2, 4], "heaps": [3, 6]})
    assert command(*SWEEP, "--vary", vary, "--metrics", "score", "--out", tmp_path) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "score: the effects of size and heaps depend on each other, so an average may be the effect at no" in out
    assert "On average over the values of the others, score changes by 1.5 with size: 1 more and by 1 with" in out
    assert "staying the same" not in out and "no effect of a single" not in out
    table = pd.read_parquet(tmp_path / "sweep.parquet").set_index("variation")
    apart = table[table.kind == "effect apart"].difference
    assert apart["size: 1 more, where heaps=3"] == pytest.approx(1)
    assert apart["size: 1 more, where heaps=6"] == pytest.approx(2)
    assert table.chance["size × heaps"] < 0.01 and "size: 1 more, where heaps=6" in out
    capsys.readouterr()
    assert command("report", tmp_path) == 0
    assert " ".join(capsys.readouterr().out.split()) == out[: out.rindex(".") + 1]


def test_a_number_with_no_straight_line_is_told(tmp_path, capsys):
    """The mean stone of the bag grows ever less with stones of value 3; it is the same for both ways to take."""
    vary = json.dumps({"bag[2]": [0, 2, 9], "take": ["exact", "up_to"]})
    assert command(*SWEEP, "--vary", vary, "--metrics", "score", "--out", tmp_path) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "score follows no straight line over bag[2], so steps differ: see the table of effects by single" in out
    assert "bag[2]: 9 instead of 0" in out and "depend on each other," not in out


def test_too_few_variations_tell_nothing_of_single_parameters(tmp_path, capsys):
    vary = json.dumps({"size": "1..4", "turns": "2..60"})
    assert command(*SWEEP, "--vary", vary, "--random", 2, "--metrics", "score", "--out", tmp_path) == 0
    assert "score: too few variations, or too much alike, to tell the parameters apart." in capsys.readouterr().out


# What no game shows


def test_a_variation_that_changes_no_game_is_no_difference(tmp_path, capsys):
    """The base has heaps of 3; without passing, the share of wins of all seats is the same in every game."""
    assert command(*SWEEP, "--vary", '{"size": [3, 4]}', "--metrics", "win_0,win,events", "--out", tmp_path) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "size=3 33" in out.replace(" [", "[") and out.count("changed no game") == 3 + 3
    for name in ("win_0", "win", "events"):
        assert f"{name}: 1 of 2 variations changed no game: size=3." in out
    assert "win_0: of 1 difference from the base" in out and "events: of 1 difference from" in out
    assert "win is the same in every game with size=4." in out and "win: of" not in out
    assert "0 [0, 0]" not in out
    assert rows(tmp_path).loc[("size=4", "win")].metric_changed == 0


RARE = Metric("win:small=grape", "share of wins of a seat with it", lambda results: (np.ones(1), np.ones(1)), True)


def compared(*variations: tuple[str, float, dict[str, object]], base: float = 0.25) -> pd.DataFrame:
    """Rows of a sweep: what varies, the metric, and other columns; each variation changed all of 300 games."""
    named = [("base", base, {"kind": "base", "games_changed": 0}), *variations]
    known = {"kind": "variation", "games": 300, "games_changed": 300, "metric_changed": 300, "applies": 300}
    ends = dict.fromkeys(("low", "high", "difference_low", "difference_high"), np.nan)
    return pd.DataFrame(
        {**known, **ends, "variation": name, "value": value, "difference": value - base, **more}
        for name, value, more in named
    )


def shown(rows: pd.DataFrame) -> tuple[str, list[list[str]], str, int]:
    """What is said, the first two columns of numbers in the table, its caption, and how many pictures there are."""
    sheet = next(sheets_of(RARE, rows, "title"))
    cells = [list(row[1:3]) for row in sheet.rows]
    return " ".join([*largest(RARE, rows), *said(RARE, rows)]), cells, sheet.caption, len([*drawings_of(RARE, rows)])


def test_a_metric_that_applies_to_no_game_of_the_base_has_no_difference():
    idle = {"games_changed": 0, "metric_changed": 0}
    none = {"metric_changed": 0, "applies": 0}
    rows = compared(("a=1", np.nan, idle), ("a=2", 0.33, {"applies": 0}), ("a=3", np.nan, none), base=np.nan)
    text, cells, caption, pictures = shown(rows)
    assert text == (
        "win:small=grape: 1 of 3 variations changed no game: a=1. "
        "win:small=grape applies to no game of the base, so there is no difference from it."
    )
    assert cells == [["–", ""], ["–", "changed no game"], ["33.0", "–"], ["–", "–"]] and pictures == 0
    assert caption.endswith("; – where the metric applies to no game")


def test_variations_to_which_a_metric_does_not_apply_are_told_of():
    same = {"metric_changed": 0}
    sure = {"difference_low": 0.05, "difference_high": 0.11}
    text, cells, _, pictures = shown(
        compared(("a=1", np.nan, {"applies": 0}), ("a=2", 0.33, sure), ("a=3", 0.25, same), ("a=4", 0.5, {}))
    )
    assert text == (
        "win:small=grape applies to no game with a=1, so there is no difference to tell. "
        "win:small=grape is the same in every game with a=3. "
        "win:small=grape: of 2 differences from the base, 1 has an interval without 0 and 1 is the same in every "
        "game; the largest is 25.0 percentage points, with a=4. By chance alone about one in twenty would."
    )
    assert cells[1:] == [["–", "–"], ["33.0", "8.0 [5.0, 11.0]"], ["25.0", "the same in every game"], *cells[4:]]
    assert cells[4] == ["50.0", "25.0 in every game"] and pictures == 1
    assert "applies to no game" not in shown(compared(("a=2", 0.33, sure)))[2]


def test_a_metric_of_a_single_game_is_not_told_as_one_of_every_game():
    text, cells, *_ = shown(compared(("a=1", 1.0, {"applies": 1, "metric_changed": 1})))
    assert cells[1] == ["100.0", "75.0"] and "every game" not in text
    assert text == "win:small=grape: one game has no interval, so nothing is said of the difference with a=1."


def test_variations_of_several_parameters_are_kept_apart():
    assert few(["a=1", "a=2"]) == "a=1, a=2"
    assert few(["a=1, b=2", "a=2, b=2"]) == "a=1, b=2; a=2, b=2"


def test_there_is_no_picture_where_there_is_nothing_to_draw():
    idle = {"games_changed": 0, "metric_changed": 0}
    assert shown(compared(("a=1", 0.25, idle), ("a=2", 0.25, idle)))[3] == 0
    assert shown(compared(("a=1", 0.25, {"metric_changed": 0})))[3] == 0
    assert shown(compared(("a=1", 0.25, idle), ("a=2", 0.3, {})))[3] == 1
    of_none = {"kind": "effect", "explained": np.nan, "groups": 12, "difference": 0.0}
    assert shown(compared(("a=1", 0.25, idle), ("a: 1 more", np.nan, of_none)))[3] == 0
    assert shown(compared(("a=1", 0.25, idle), ("a: 1 more", np.nan, {**of_none, "difference": 0.1})))[3] == 1


def test_the_caption_of_effects_is_one_sentence_on_a_page():
    effect = {"kind": "effect", "explained": 0.93, "groups": 12, "difference": 0.1}
    rows = compared(("a=1", 0.3, {}), ("a: 1 more", np.nan, effect))
    _, sheet = sheets_of(RARE, rows, "title")
    assert (
        "<caption>least squares over all variations; 95 % intervals by leaving out groups of games; together they "
        "account for 93 % of what the variations differ by; whether they depend on each other is asked of all of "
        "them at 5 % (random signs of groups)</caption>"
    ) in sheet.html()
    _, sheet = sheets_of(RARE, rows.assign(explained=np.nan), "title")
    assert "account" not in sheet.caption and "nan" not in sheet.html()


def test_too_few_variations_to_which_a_metric_applies():
    rows = compared(("a=1", np.nan, {"applies": 0}), ("a=2", 0.3, {}), ("", np.nan, {"kind": "effect"}))
    assert "too few variations to which it applies, or too much alike, to tell the parameters apart." in shown(rows)[0]


def test_a_metric_of_one_group_of_games_has_effects_without_intervals_and_leaves_nothing_over():
    """At one variation only game 7 has it."""
    values = {"a": [1, 2], "c": ["x", "y", "z"]}
    points, sums = grid(values), []
    for number, point in enumerate(points):
        found, there = Paired(is_rate=False), np.ones(640)
        there[np.arange(640) != 7] = number > 0
        found.add(np.stack([there * (3.0 * point["a"]), there], axis=1), np.ones((640, 2)))
        sums.append(found)
    of = effects(values, points, sums)
    assert of.groups == 0 and of.effects[0].change.value == pytest.approx(3)
    assert all(np.isnan(one.change.low) for one in of.effects)
    for one in sums:
        one.by_group[np.arange(len(one.by_group)) != 7] = 0
    assert effects(values, points, sums) is not None and rests(values, points, sums) == []


def test_a_card_that_the_base_has_not_is_told_of(tmp_path, capsys):
    """Nobody of the base has a food that it favours."""
    vary = ("--vary", '{"special": ["minimalist", "favourite", "logs"], "gold_points": [4, 5]}')
    metrics = ("--metrics", "win:small=grape,small=grape", "--bots", "uniform", "--seed", 3, "--out", tmp_path)
    assert command("sweep", "bites", "--players", 3, "--games", 60, *vary, *metrics) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "small=grape applies to no game of the base, so there is no difference from it." in out
    assert "too few variations to which it applies" in out and "nan" not in out
    if (tmp_path / "report.html").exists():
        page = (tmp_path / "report.html").read_text()
        assert "<svg" not in page and "special: favourite</th><td>Each player has a favourite food" in page


@pytest.mark.parametrize("games", [1, 3])
def test_few_games_have_no_intervals_that_cannot_be(tmp_path, capsys, games):
    vary = ("--vary", '{"size": [1, 4], "heaps": [2, 5]}', "--metrics", "win_0,score,drama")
    assert command(*SWEEP, "--games", games, *vary, "--out", tmp_path) == 0
    out, table = capsys.readouterr().out, pd.read_parquet(tmp_path / "sweep.parquet")
    assert "nan" not in out and "of 1 have" not in out
    known = table[table.difference_low.notna()]
    assert (known.difference_high > known.difference_low).all()
    shares = known[(known.metric == "win_0") & (known.kind == "variation")]
    assert (shares.difference_low >= -1).all() and (shares.difference_high <= 1).all()
    assert games > 1 or known.empty
    assert games > 1 or "score: one game has no interval" in out


def test_differences_of_shares_are_at_most_the_whole():
    sums = Paired(is_rate=True)
    sums.add(np.array([[1.0, 1], [1, 1], [0, 1]]), np.array([[0.0, 1], [0, 1], [0, 1]]))
    found = sums.difference()
    assert found.value == pytest.approx(2 / 3) and (found.low, found.high) == (pytest.approx(-0.768, abs=1e-3), 1)


def test_rare_changes_are_no_rounding():
    """One game of a million is another one."""
    sums, values = Paired(is_rate=False), np.stack([np.full(10**6, 30.0), np.ones(10**6)], axis=1)
    changed = values.copy()
    changed[7, 0] = 31
    sums.add(changed, values)
    assert sums.difference().low < 0 < sums.difference().high and sums.changed == 1


def test_shares_are_shown_in_percent(tmp_path, capsys):
    assert command(*SWEEP, "--vary", '{"size": [4]}', "--metrics", "win_0,drama", "--out", tmp_path) == 0
    out, line = " ".join(capsys.readouterr().out.split()), rows(tmp_path).loc[("size=4", "win_0")]
    ends = (line.difference, line.difference_low, line.difference_high)
    value, low, high = (f"{100 * end:.1f}" for end in ends)
    assert f"{value} [{low}, {high}]" in out and "difference from the base (percentage points)" in out
    assert "win_0 %" in out and "drama: how far behind" in out and "drama: drama" not in out


def test_a_value_that_is_given_twice_is_one(tmp_path):
    assert levels({"size": [2, 4, 2, 2.0], "passing": [False, True, False], "bag": [[1, 2, 2], [1, 2.0, 2]]}) == {
        "size": [2, 4],
        "passing": [False, True],
        "bag": [[1, 2, 2]],
    }
    assert command(*SWEEP, "--vary", '{"size": [2, 2]}', "--metrics", "score", "--out", tmp_path) == 0
    assert len(rows(tmp_path)) == 2


# Targets

SCORE = Metric("score", "points of a seat", lambda results: (np.ones(1), np.ones(1)))
SHARE = Metric("win_0", "share of wins of seat 0", SCORE.values, True)


def test_it_is_said_first_whether_the_target_is_reached():
    lines = sentences(find(exact(lambda x: 2 * x + 1), range(21), 7), "size", SCORE)
    assert lines[0] == "The target is reached: score is 7 at a measured value, or between two of them."
    assert lines[1].startswith("Nearest of the ") and lines[1].endswith(" is size=3, with 7 [6.25, 7.75].")
    assert lines[-1].startswith("Check the value that you choose with another --seed: ")


def test_all_values_that_are_equally_near_are_named():
    flat = {x: 0.2717 if x >= 20 else 0.4 - x / 200 for x in range(4, 25)}
    found = find(lambda x: Estimate(flat[x], flat[x] - 0.05, flat[x] + 0.05), range(4, 25), 0.25)
    lines = sentences(found, "level", SHARE)
    assert lines[0] == "The target is not reached: win_0 is above 25.0 % at every measured value."
    assert len(found.nearest) > 1 and found.nearest[0] >= 20
    for value in found.nearest:
        assert f"level={value}, with 27.2 [22.2, 32.2] %" in lines[1]
    assert lines[1].startswith("Equally near, and nearest of the ")
    assert "chance alone may keep the metric from it there" in lines[2] and "reached" not in " ".join(lines[1:])


def exact(function):
    return lambda x: Estimate(function(x), function(x) - 0.75, function(x) + 0.75)


@pytest.mark.parametrize(
    ("function", "target", "value", "crossings", "fits"),
    [
        (lambda x: 2 * x + 1, 7, 3, (3.0,), (3,)),
        (lambda x: 2 * x + 1, 8.5, 4, (3.75,), (4,)),
        (lambda x: x, 99, 20, (), ()),
        (lambda x: x, -5, 0, (), ()),
        (lambda x: -x, -20.5, 20, (), (20,)),
        (lambda x: x, 0, 0, (0.0,), (0,)),
        (lambda x: min(x, 40 - 4 * x), 5.5, 5, (5.5, 8.625), (5, 6)),  # there and back: nearer at 5 than at 9
        (lambda x: min(x, 40 - 4 * x), 20, 8, (), ()),  # a peak between the first values
        (lambda x: (x - 13) ** 2, 0, 13, (13.0,), (13,)),
        (lambda x: -abs(x - 2), 1, 2, (), ()),
    ],
)
def test_targets_are_found(function, target, value, crossings, fits):
    found = find(exact(function), range(21), target)
    assert found.value == value and len(found.measured) < 16
    assert found.crossings == pytest.approx(crossings)
    assert found.fits == fits
    assert abs(found.at_value.value - target) == min(abs(one.value - target) for one in found.measured.values())


def test_the_nearest_of_all_measured_values_is_told_not_the_nearest_to_a_crossing():
    """An early value may by chance lie nearer than all that are looked at later."""
    values = dict.fromkeys(range(21), 9.0) | {0: 0.0, 1: 2.9, 2: 7.0, 20: 5.1}
    assert find(exact(values.__getitem__), range(21), 5).value == 20


def test_only_values_that_were_asked_for_are_measured():
    asked: list[float] = []

    def measure(value):
        asked.append(value)
        return exact(float)(value)

    found = find(measure, [0.5, 3, 9], 4)
    assert sorted(asked) == [0.5, 3, 9] and found.value == 3
    assert found.crossings == pytest.approx([4]) and found.all_values == 3


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (lambda x: x, "never turn"),
        (lambda x: 5, "never turn"),
        (lambda x: x % 2 / 10, "rise and fall, by no more than their intervals"),
        (lambda x: min(x, 20 - x), "surely rises and falls over the values: others may bring it"),
    ],
)
def test_it_is_told_whether_the_metric_turns_and_what_is_assumed(function, shape):
    text = " ".join(sentences(find(exact(function), range(21), 0.05), "size", SCORE))
    assert shape in text
    assert "Assumed: where two measured neighbours lie on the same side of the target" in text
    text = " ".join(sentences(find(exact(function), range(5), 0.05), "size", SCORE))
    assert "Assumed" not in text


def unsure_at(where: dict[int, float], function):
    """The metric, with an interval but where all games have the same number, which is told by `where`."""
    return lambda x: Estimate(where[x], np.nan, np.nan) if x in where else exact(function)(x)


def test_values_at_which_nothing_varies_hide_no_turn_between_the_others():
    def shape(measure):
        return sentences(find(measure, range(21), 30), "size", SCORE)[-3]

    tent = (lambda x: 3 * min(x, 20 - x), "surely rises and falls over the values")
    assert tent[1] in shape(unsure_at({0: 0.0}, tent[0])) and tent[1] in shape(unsure_at({0: 0.0, 20: 0.0}, tent[0]))
    assert tent[1] in shape(unsure_at({10: 30.0}, tent[0]))
    flat = shape(unsure_at({0: 0.0, 20: 0.0}, lambda x: 5))
    assert "rise and fall. Where all games had the same number there is no interval" in flat and "chance" not in flat
    assert "never turn" in shape(unsure_at({0: 0.0}, lambda x: x))
    assert "rise and fall, by no more than" in shape(unsure_at({3: np.nan, 10: np.nan}, lambda x: x % 2 / 10))


def test_values_to_which_the_metric_does_not_apply_hide_no_turn():
    holes = {0: 0.0, 1: np.nan, 2: 9.0, 3: np.nan, 4: 0.0}
    assert find(exact(holes.__getitem__), range(5), 9).wavers


def test_a_metric_that_never_applies_has_no_target():
    with pytest.raises(PlanError, match="the metric applies to no game at any of the values"):
        find(lambda x: Estimate(np.nan, np.nan, np.nan), range(3), 1)
    holes = {0: np.nan, 1: 3.0, 2: np.nan}
    assert find(exact(holes.__getitem__), range(3), 1).value == 1


def test_the_table_of_a_search_has_dashes_where_a_metric_does_not_apply():
    table = pd.DataFrame({"at": [1, 2], "metric": "score", "value": [np.nan, 3], "low": np.nan, "high": np.nan})
    found = find(lambda x: Estimate({1: np.nan, 2: 3.0}[x], np.nan, np.nan), [1, 2], 3)
    sheet = sheet_of_search("title", table, [SCORE], found)
    assert [row[1] for row in sheet.rows] == ["–", "3"]
    assert sheet.caption.endswith("; – where the metric applies to no game")


def test_it_is_told_at_which_values_a_metric_does_not_apply():
    holes = {0: np.nan, 1: 3.0, 2: np.nan, 3: 4.0}
    lines = sentences(find(exact(holes.__getitem__), range(4), 1), "size", SCORE)
    assert lines[0] == "The target is not reached: score is above 1 at every measured value to which it applies."
    assert "At 0, 2 score applies to no game, so it is not known there." in lines
    text = " ".join(sentences(find(exact(float), range(4), 1), "size", SCORE))
    assert "applies" not in text and "nan" not in text


def test_a_target_is_found_by_playing(tmp_path, capsys):
    """Nine pebbles over three seats and stones of 2 on average make 5 points; 6 take a fourth in each heap."""
    arguments = (*SWEEP, "--vary", '{"size": "1..9"}', "--target", "score=6")
    assert command(*arguments, "--out", tmp_path) == 0
    out = capsys.readouterr().out
    assert (
        re.search(r"values that were measured is size=4, with (5\.9|6)", out)
        and "interval holds the target at 4;" in out
    )
    values = pd.read_csv(tmp_path / "sweep.csv")
    assert set(values["at"]) >= {1, 4, 9} and set(values.metric) == {"score", "events"}
    assert command(*arguments, "--out", tmp_path) == 0  # nothing is played again
    assert capsys.readouterr().out == out
    assert command(*SWEEP, "--vary", '{"size": "1..9"}', "--target", "score=60", "--out", tmp_path) == 2
    assert 'target is "score=6" there and "score=60" now' in capsys.readouterr().err
    assert command(*SWEEP, "--vary", '{"size": "1..9"}', "--target", "score=60", "--restart", "--out", tmp_path) == 0
    assert "The target is not reached: score is below 60 at every measured value." in capsys.readouterr().out


def test_a_list_means_only_its_values_and_metrics_are_shown_beside_the_target(tmp_path, capsys):
    arguments = (*SWEEP, "--vary", '{"size": [9, 3]}', "--target", "score=6", "--metrics", "win_0,margin")
    assert command(*arguments, "--out", tmp_path) == 0
    values = pd.read_csv(tmp_path / "sweep.csv")
    assert values["at"].tolist() == [3, 9] * 3
    assert values.metric.tolist() == ["score", "score", "win_0", "win_0", "margin", "margin"]
    assert "win_0" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "points").iterdir()) == ["size=3", "size=9"]


@pytest.mark.parametrize(
    ("vary", "target", "message"),
    [
        ('{"size": "1..9"}', "score", "target: 'score' is not allowed; expected METRIC=VALUE"),
        ('{"size": "1..9"}', "score=much", "target: 'score=much' is not allowed"),
        ('{"size": "1..9"}', "score=nan", "target: 'score=nan' is not allowed"),
        ('{"size": "1..9"}', "luck=3", "unknown metric 'luck'"),
        ('{"take": ["exact", "up_to"]}', "score=3", "a target needs one number that varies"),
        ('{"passing": [false, true]}', "score=3", "a target needs one number that varies"),
        ('{"size": "1..9", "turns": "1..9"}', "score=3", "a target needs one number that varies"),
        ('{"size": "1..12"}', "score=3", "parameter 'size': 12 is not allowed"),
        ('{"size": [4]}', "score=3", "size: a target needs at least two values to search among, not only 4"),
        ('{"size": [4, 4.0]}', "score=3", "size: a target needs at least two values to search among, not only 4"),
        ('{"size": "4..4"}', "score=3", "size: a target needs at least two values to search among, not only 4"),
        (
            '{"size": "1..9"}',
            "win_0=2",
            "target: win_0=2 is not allowed; expected a number from 0 to 1 (write 0.02 for 2 %)",
        ),
        ('{"size": "1..9"}', "win_0=25", "expected a number from 0 to 1 (write 0.25 for 25 %)"),
        ('{"size": "1..9"}', "win:first=-0.1", "win:first=-0.1 is not allowed; expected a number from 0 to 1"),
        ('{"size": "1..9"}', "win_0=250", "win_0=250 is not allowed; expected a number from 0 to 1"),
        ('{"size": "1..9"}', "win=0.5", "win=0.5 is not allowed; expected a number from 0 to 0.3333"),
        ('{"size": "1..9"}', "place_0=0.5", "place_0=0.5 is not allowed; expected a number from 1 to 3"),
        ('{"size": "1..9"}', "drama=1.5", "drama=1.5 is not allowed; expected a number from 0 to 1"),
        ('{"size": "1..9"}', "events=-3", "events=-3 is not allowed; expected a number of at least 0"),
    ],
)
def test_wrong_targets_are_refused(tmp_path, capsys, vary, target, message):
    assert command(*SWEEP, "--vary", vary, "--target", target, "--out", tmp_path) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.iterdir())


def test_metrics_are_within_their_bounds():
    """Whatever is played: the bounds are no tighter than what a game can bring."""
    plan = pebbles(bots=("uniform", "first", "uniform"))
    (results,) = matches.play_chunks(plan.variant, 640, plan.bots, seed=5, with_course=True)
    for metric in metrics_of(plan).values():
        numerators, denominators = metric.sums(results).T
        ratios = numerators[denominators > 0] / denominators[denominators > 0]
        assert (metric.range[0] <= ratios).all() and (ratios <= metric.range[1] + 1e-12).all()
    assert metrics_of(plan)["score"].range == (-np.inf, np.inf)


def test_a_target_of_a_parameter_that_changes_nothing_is_told_so(tmp_path, capsys):
    """Pebbles never lasts for a hundred turns; without ties in the bag all seats together win once."""
    arguments = (*SWEEP, "--vary", '{"turns": "150..190"}', "--target", "win_0=0.25", "--metrics", "win")
    assert command(*arguments, "--out", tmp_path / "idle") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "turns changed no game: each of the 400 games had the same points and events at all 9 values that " in out
    assert "Nothing is known of the other 32 values" in out and "nearest of" not in out.lower()
    table = pd.read_csv(tmp_path / "idle/sweep.csv")
    assert (table.games_changed == 0).all() and (table.metric_changed == 0).all()
    assert command(*SWEEP, "--vary", '{"size": [2, 4]}', "--target", "win=0.3", "--out", tmp_path / "same") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "size changed games, but win is the same in every game at all 2 values that were measured: 33.3" in out
    assert command(*SWEEP, "--vary", '{"size": [2, 4]}', "--target", "win_0=0.3", "--out", tmp_path / "other") == 0
    assert "The target is " in (out := capsys.readouterr().out) and "changed" not in out


def test_a_random_design_has_no_target(tmp_path, capsys):
    arguments = ("--vary", '{"size": "1..9"}', "--target", "score=6", "--random", 3)
    assert command(*SWEEP, *arguments, "--out", tmp_path) == 2
    assert "random: 3 is not allowed with a target" in capsys.readouterr().err
