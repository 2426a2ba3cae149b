"""Shares of luck: known where one stream decides everything, and intervals that hold."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from studying import command, content

from experiments import chance
from experiments.studies.luck import Luck
from experiments.studies.paired import Estimate
from experiments.studies.variance import entropy_of_winner, left_over, share_between, spread

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
    assert table.index.tolist() == ["stones", "die", "bots", "only together", "all chance"]
    assert table.drawn.all()  # of the seats' streams, what they do not know is dealt anew
    assert table.win_total["stones"] == pytest.approx(1, abs=0.05) and table.score_total_high["all chance"] == 1
    assert table.win_total["die"] == table.score_total_high["die"] == 0
    assert table.win_share["only together"] < 0.1
    for source in ("stones", "all chance"):
        assert table.win_share[source] == table.win_share_low[source] == table.score_share[source] == 1
        assert table.entropy[source] == 0
        assert table.score_span[source] == 2
    for source in ("die", "bots"):
        assert table.score_share_low[source] <= 0.005 and table.score_share_high[source] < 0.1
        assert table.entropy[source] > 0.6
    assert table.games.tolist() == [800, 800, 800, 0, 800]


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


def test_each_bot_has_a_study_that_goes_on_where_it_was(tmp_path, capsys):
    assert command(*CHANCE, "--bots", "uniform", "--out", tmp_path) == 0
    first = {name: data for name, data in content(tmp_path).items() if name.startswith("bots/")}
    assert command(*CHANCE, "--bots", "uniform,first", "--workers", 3, "--out", tmp_path) == 0
    assert first.items() < content(tmp_path).items()
    assert set(pd.read_csv(tmp_path / "chance.csv").bot) == {"uniform", "first"}
    assert command(*CHANCE, "--bots", "first", "--out", tmp_path) == 2
    assert "it has uniform, which this command does not ask for" in capsys.readouterr().err


def test_what_kinds_of_chance_do_only_together(tmp_path, capsys):
    """Two kinds of chance and the bots, one by one, together, and each with all others fixed."""
    table = played(tmp_path, "uniform", {"take": "exact", "passing": True}, {"size": 9})
    out = " ".join(capsys.readouterr().out.split())
    for measure in ("win", "score"):
        alone = [table[f"{measure}_share"][source] for source in ("stones", "die", "bots")]
        rest = table.loc["only together", [f"{measure}_share{end}" for end in ("", "_low", "_high")]]
        assert rest.iloc[0] == pytest.approx(1 - sum(alone)) and 0.1 < rest.iloc[1] < rest.iloc[0] < rest.iloc[2]
        for source in ("stones", "die", "bots"):
            assert table[f"{measure}_total_high"][source] > table[f"{measure}_share"][source] + 0.02
        both = table[f"{measure}_share"]["all chance"]
        assert table[f"{measure}_total"]["bots"] == pytest.approx(1 - both) and 0.02 < both < 0.98
    assert f"The rest, {100 * table.win_share['only together']:.1f} [" in out
    assert "comes about only where they act together" in out


def test_streams_of_bites_of_which_nothing_is_drawn_are_told_of(tmp_path, capsys):
    """Bites with the cards that come by default: only the trail is laid out at random, so that it is all chance."""
    bites = ("chance", "bites", "--players", 2, "--bots", "uniform", "--seed", 3, "--starts", 4, "--games", 3)
    assert command(*bites, "--out", tmp_path) == 0
    table = pd.read_csv(tmp_path / "chance.csv").set_index("fixed")
    assert table.drawn.to_dict() == {
        "cards": False,
        "trail": True,
        "small": False,
        "bots": True,
        "only together": True,
    }
    assert table.games[["trail", "bots"]].tolist() == [24, 24]  # each was played as two sources that are the same
    for measure in ("win", "score"):  # what is not explained by one of two alone is what the other one changes
        share, total = table[f"{measure}_share"], table[f"{measure}_total"]
        assert total["trail"] == 1 - share["bots"] and total["bots"] == 1 - share["trail"]
    out = " ".join(capsys.readouterr().out.split())
    assert "cards not drawn trail" in out
    assert "Nothing is drawn from cards and small, so trail is all chance there is." in out
    assert "all chance " not in out.partition("alone:")[0]
    assert re.search(r"one kind alone explains: trail [\d.]+ %, the bots' own random choices [\d.]+ %\.", out)


def test_the_page_of_luck(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    table = played(tmp_path, "uniform", {"take": "exact"}, {})
    out, page = capsys.readouterr().out, (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 1 and "The rest, " in page and "only together" in page
    assert len(table) == len(pd.read_parquet(tmp_path / "chance.parquet"))
    assert command("report", tmp_path) == 0
    assert capsys.readouterr().out == out and (tmp_path / "report.html").read_text() == page


def test_where_nothing_varies_there_is_no_picture(tmp_path):
    """Everyone takes one pebble and a stone of value 1."""
    pytest.importorskip("matplotlib")
    table = played(tmp_path, "first", {"take": "up_to"}, {**ONE_TURN_EACH, "bag": [9, 0, 0]})
    assert table.win_share.isna().all()
    page = (tmp_path / "report.html").read_text()
    assert "nothing varies in who wins" in page and "<figure>" not in page


def test_of_one_player_alone_nothing_is_said_of_others():
    ends = {f"{name}{end}": 0.5 for name in ("win_share", "win_total") for end in ("", "_low", "_high")}
    ends |= {name.replace("win", "score"): value for name, value in ends.items()}
    columns = ends | dict.fromkeys(("win_span", "win_trimmed", "win_by_chance", "win_outliers", "entropy"), 0.5)
    rows = pd.DataFrame({**columns, "drawn": True}, index=["stones", "bots", chance.TOGETHER])
    for players, is_alone in ((3, False), (1, True)):
        sheet = chance._sheet("first", rows, "Pebbles", players)
        told = " ".join([chance._said("first", rows, players), sheet.title, sheet.caption])
        for text in ("on all seats", "nobody plays better than another", "always the same seat"):
            assert (text in told) is not is_alone, text
        assert ("always won or always lost" in told) is is_alone and "first on" in told


def test_fixed_streams_are_the_same_and_the_others_vary():
    plan = Luck(game="pebbles", players=3, seed=1, games=4, repeats=5, bot="uniform", games_a_shard=2)
    table = plan.play(1).to_pandas()
    assert table.start.unique().tolist() == [2, 3] and len(table) == 2 * 5 * 6
    assert plan.sources["all but die"] == [0, 2, 3, 4] and plan.sources["all but stones"] == [1, 2, 3, 4]
    assert not table[table.source == "all chance"].equals(table[table.source == "die"])
    numbers = [plan.variant.streams(5, 1, (k * 4 + start) * 5)[:, 0] for k in range(6) for start in range(4)]
    assert len(np.unique(np.concatenate(numbers))) == 120  # no two games of a study have the same chance
    fixed = np.array([plan._streams("stones", start, 5 * start, 5)[:, 0] for start in range(4)])
    assert (fixed == fixed[:, :1]).all() and len(np.unique(fixed)) == 4
    assert not np.isin(fixed, numbers).any()  # what is fixed is no chance of a game in which it varies


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--starts", 1), "1 starts with 20 games are too few"),
        (("--games", 1), "40 starts with 1 games are too few"),
        (("--bots", "first,first"), "bots: first, first is not allowed; expected one or more different ones"),
        (("--bots", "mcts,mcts:iterations=1000"), "expected one or more different ones"),
        (("--bots", ""), "expected one or more different ones"),
        (("--bots", "mcts:threads=2"), "bot 'mcts:threads=2' is not allowed here; expected a compiled one"),
    ],
)
def test_bad_input(tmp_path, capsys, arguments, message):
    assert command(*CHANCE, "--bots", "uniform", *arguments, "--out", tmp_path) == 2
    assert message in capsys.readouterr().err


# Statistics


def normal(generator, share: float, groups: int, games: int) -> np.ndarray:
    """Two seats, of whose variance a share lies between groups."""
    between = generator.normal(size=(groups, 1, 2)) * np.sqrt(share)
    return between + generator.normal(size=(groups, games, 2)) * np.sqrt(1 - share)


def wins(generator, strength: float, groups: int, games: int) -> np.ndarray:
    """Which of four seats wins, where seats are differently strong from group to group."""
    luck = generator.normal(size=(groups, 1, 4)) * strength + generator.gumbel(size=(groups, games, 4))
    return (luck.argmax(axis=2)[:, :, None] == np.arange(4)).astype(float)


# 1,000 studies have a standard error of 0.7 % at 95 %; a bootstrap over groups covers 80 % at 10 × 10, 89 % at 20 × 10.
@pytest.mark.parametrize(("groups", "games"), [(10, 10), (20, 10), (80, 12)])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_intervals_of_shares_cover_the_truth(share, groups, games):
    generator, studies = np.random.default_rng(2), 1000
    found = [share_between(normal(generator, share, groups, games)) for _ in range(studies)]
    assert np.mean([one.value for one in found]) == pytest.approx(share, abs=0.35 / groups)
    covered = sum(one.low <= share <= one.high for one in found) / studies
    assert covered >= 0.915 and (covered <= 0.98 or share == 0)


@pytest.mark.parametrize(("groups", "games"), [(10, 10), (20, 10)])
@pytest.mark.parametrize(("strength", "least"), [(0.0, 0.93), (0.75, 0.92), (2.6, 0.93)])
def test_intervals_of_shares_of_wins_cover_the_truth(strength, least, groups, games):
    generator, studies = np.random.default_rng(4), 600
    truth = share_between(wins(generator, strength, 5000, 50)).value
    found = [share_between(wins(generator, strength, groups, games)) for _ in range(studies)]
    assert sum(one.low <= truth <= one.high for one in found) / studies >= least


def test_what_is_left_over_covers_the_truth():
    generator, studies, hits = np.random.default_rng(3), 600, 0
    for _ in range(studies):
        rest = left_over([share_between(normal(generator, share, 20, 10)) for share in (0.05, 0.3, 0.1)])
        hits += rest.low <= 0.55 <= rest.high
    assert 0.92 <= hits / studies <= 0.985
    assert left_over([Estimate(0.7, 0.6, 0.8), Estimate(0.5, 0.4, 0.6)]).value == 0


def test_shares_at_the_ends():
    assert np.isnan(share_between(np.ones((5, 4, 2))).value)
    one_each = np.arange(5.0)[:, None, None] * np.ones((5, 4, 2))
    assert share_between(one_each) == Estimate(1, 1, 1)
    alike = np.tile(np.arange(4.0)[:, None], (5, 1, 2))
    found = share_between(alike)
    assert (found.value, found.low) == (0, 0) and found.high < 0.2
    one_odd = np.zeros((10, 10, 1))
    one_odd[0, 0] = 1  # all but one group are the same and do not vary
    assert share_between(one_odd).low == 0 and share_between(one_odd).high < 0.5
    assert share_between(normal(np.random.default_rng(1), 0.5, 2, 10)).high == 1  # two groups tell next to nothing


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
