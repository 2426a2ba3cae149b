"""Ladders of skill: rungs that are none, and rungs that are surely above."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from studying import command, content

from experiments.skill import Skill, _climb, _elo, _sheet, _summed_up
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


@compiled_bot("passes")
def passes(state, legal, rng, params):
    """Takes no pebble if it may."""
    return 64 if legal[1] else nth_in(legal, 0)


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


def test_a_bot_that_is_always_ahead_has_no_certain_rating(tmp_path, capsys):
    """`first` takes pebbles and the other bot none, in every game: no number follows from that."""
    pytest.importorskip("matplotlib")
    settings = ("--players", 3, "--options", '{"take": "up_to", "passing": true}', "--parameters", '{"bag": [9, 0, 0]}')
    assert command(*SKILL[:2], "--games", 60, "--seed", 3, *settings, "--bots", "passes,first", "--out", tmp_path) == 0
    line = pd.read_csv(tmp_path / "skill.csv").iloc[0]
    assert line.ahead == 1 and line.elo == line.elo_high == np.inf and 0 < line.elo_low == _elo(line.ahead_low)
    assert line.win == line.win_high == line.win_most == pytest.approx(2 / 3) and 0.4 < line.win_low < 2 / 3
    out, page = " ".join(capsys.readouterr().out.split()), (tmp_path / "report.html").read_text()
    more = f"more than {line.elo_low:.0f}"
    assert f"is first, {more} Elo above passes." in out and page.count(more) == 2 and "<svg" not in page
    assert "wins: of a seat of the bot, 33.3 if both bots are alike, 66.7 if it wins every game" in page
    assert command("report", tmp_path) == 0
    assert (tmp_path / "report.html").read_text() == page


@pytest.mark.parametrize(("players", "most"), [(2, 1), (3, 2 / 3), (4, 1 / 2)])
def test_no_seat_wins_more_than_its_share_of_all_games(players, most):
    plan = Rung(game="pebbles", players=players, bots=("first", "most"), seed=3, games=2)
    assert plan.most_wins == pytest.approx(most)


def rungs(*heights: tuple[float, float, float]) -> pd.DataFrame:
    """A ladder of bots a, b, … with these ratings above the one below."""
    names = "abcdefg"[: len(heights) + 1]
    frame = pd.DataFrame(heights, columns=["elo", "elo_low", "elo_high"])
    rest = {"games": 20, "win_most": 1.0, "is_above": frame.elo_low > 0}
    shares = {f"{name}{end}": 0.5 for name in ("win", "ahead") for end in ("", "_low", "_high")}
    return frame.assign(bot=list(names[1:]), against=list(names[:-1]), **rest, **shares)


ALWAYS, NEVER = (np.inf, 110.0, np.inf), (-np.inf, -np.inf, -110.0)


@pytest.mark.parametrize(
    ("heights", "says"),
    [
        ([(100, 70, 130), (50, 10, 90)], "2 of 2 rungs are surely above the one below them. The highest bot that is "
         "surely above those before it is c, 150 [100, 200] Elo above a."),
        ([(1040, 900, 1180), (5, -12, 21)], "is b, 1040 [900, 1180] Elo above a. Of those after it none is surely"),
        ([(5, -12, 22), (100, 80, 120)], "1 of 2 rungs are surely above the one below them. The highest bot that is "
         "surely above those before it is c, 105 [79, 131] Elo above a."),
        ([(500, 450, 550), (-400, -450, -350), (50, 10, 90)], "is b, 500 [450, 550] Elo above a. Of those after"),
        ([ALWAYS, (50, 10, 90), ALWAYS], "is d, more than 230 Elo above a."),
        ([ALWAYS, NEVER, (50, 10, 90)], "is b, more than 110 Elo above a. Of those after it none is surely higher."),
        ([(5, -12, 21)], "0 of 1 rungs are surely above the one below them. No bot is surely above a."),
        ([(np.inf, np.nan, np.nan)], "No bot is surely above a."),
    ],
)  # fmt: skip
def test_the_highest_bot_is_named_as_far_as_rungs_are_sure(heights, says):
    assert says in _summed_up(rungs(*heights))


def test_no_rating_is_shown_where_there_is_none():
    rows = _sheet(rungs(ALWAYS, NEVER, (5, -12, 21), (np.inf, np.nan, np.nan)), "", 2).rows
    assert [row[5] for row in rows] == ["not known", "5 [-12, 21]", "less than -110", "more than 110"]
    assert _elo(1.0) == np.inf and _elo(0.0) == -np.inf and _elo(0.75) == pytest.approx(190.85, abs=0.01)


@pytest.mark.parametrize(("players", "met"), [(1, False), (2, True)])
def test_who_plays_alone_meets_nobody(players, met):
    table = rungs((100, 70, 130))
    command = Skill(game="rodentia", players=players, games=50, bots=("a", "b"), seed=1, out=Path())
    answer = command.answer(table)
    for text in (answer.asked, answer.sheets[0].caption):
        assert any(word in text for word in ("met", "seat")) is met and ("deals" in text or met)
    assert "in percent of the games of the bot" in answer.sheets[0].caption or met


def test_sums_of_rungs_cover_the_truth():
    generator = np.random.default_rng(1)
    true, errors = np.array([200, 50, 120]), np.array([30, 10, 20])
    found = [_climb(rungs(*((v, v - 1.96 * e, v + 1.96 * e) for v, e in zip(row, errors, strict=True))))
             for row in generator.normal(true, errors, (600, 3))]  # fmt: skip
    assert 0.93 <= np.mean([low <= true.sum() <= high for _, low, high in found]) <= 0.97


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
