"""Tuning: the scale of the parameters, the gain over the bot of now, and the command."""

import json

import numpy as np
import pytest

import tabletop
from experiments import tune
from experiments.command import COMMANDS
from experiments.console import run_any
from experiments.studies.environment import PACKAGES
from experiments.tune import Scale, difference_of_deals, gain, named, numbers_of
from tabletop import BotError, bot
from tabletop.bots import BotParameter


def test_the_scale_starts_at_the_present_values_and_keeps_the_bounds():
    parameters = (BotParameter("a", 2.0, "", 0, 4), BotParameter("b", 0.0, "", -100, 1))
    scale = Scale(parameters, np.array([2.0, 0.0]))
    assert scale.values(np.zeros(2)).tolist() == [2, 0]
    assert scale.bounds()[0] == pytest.approx([-5, 5])
    assert scale.values(np.array([1e9, 1e9])).tolist() == [4, 1]
    assert scale.values(scale.bounds()[:, 0]) == pytest.approx([0, -100])


def test_a_bot_with_values_is_named():
    game = tabletop.make("bites", players=2)
    parameters = numbers_of("greedy", game)
    text = named("greedy:wine=2", parameters, np.arange(len(parameters)) / 8)
    assert bot(text, game.game).params == pytest.approx(np.arange(len(parameters)) / 8)


@pytest.mark.parametrize("text", ["uniform", "mcts", "nobody", "greedy:beer=1"])
def test_what_cannot_be_tuned_is_refused(text):
    with pytest.raises(BotError):
        numbers_of(text, tabletop.make("bites"))


@pytest.mark.parametrize(("games", "low", "high"), [(6, 0.0, 1.0), (300, 0.31, 0.37)])
def test_a_bot_gains_nothing_over_itself_for_all_one_knows(games, low, high):
    """Every deal is played in all seats, so that equal bots share its wins exactly; others may yet differ."""
    game = tabletop.make("bites", players=3)
    greedy = bot("greedy", game.game)
    found = gain(game, greedy, bot("greedy", game.game), seed=3, games=games)
    assert found[0] == pytest.approx(1 / 3) and low <= found[1] < 0.33 and 0.34 < found[2] <= high
    assert found[2] - found[1] > 1 / games


def test_a_single_deal_has_no_interval():
    game = tabletop.make("bites", players=3)
    share, *ends = gain(game, bot("uniform", game.game), bot("uniform", game.game), seed=3, games=1)
    assert 0 <= share <= 1 and np.isnan(ends).all()


def test_differences_are_taken_deal_by_deal():
    """What both win or lose says nothing; the deals that only one of them wins are 20 of 200."""
    other = np.tile([1.0, 0.0], 100)
    one = other.copy()
    one[1:40:2] = 1
    difference, low, high = difference_of_deals(one, other)
    assert difference == pytest.approx(0.1) and 0.05 < low < 0.07 and 0.13 < high < 0.16
    assert difference_of_deals(other, one)[0] == pytest.approx(-0.1)
    alike, low, high = difference_of_deals(other[:10], other[:10])
    assert alike == 0 and low < -0.2 and high > 0.2


def test_a_better_bot_gains_whatever_the_threads():
    game = tabletop.make("bites", players=2)
    rivals = bot("greedy", game.game), bot("greedy:climb=0,advance=0,wine=0", game.game)
    results = [gain(game, *rivals, seed=3, games=600, first=5, threads=t) for t in (1, 2)]
    assert results[0] == results[1] and results[0][1] > 0.5


def test_the_command_finds_better_numbers(tmp_path, capsys):
    arguments = [
        "tune", "bites", "--players", "2", "--bot", "greedy:climb=0,advance=0,wine=0", "--generations", "4",
        "--games", "200", "--check", "1000", "--seed", "2", "--out", str(tmp_path / "tuned.json"),
    ]  # fmt: skip
    assert run_any(COMMANDS, "", arguments) == 0
    result = json.loads((tmp_path / "tuned.json").read_text())
    assert result["tuned"].startswith("greedy:chocolate=") and result["tuned"] in capsys.readouterr().out
    share, low, high = result["wins"]
    assert low <= share <= high and low > result["equal"]


def small_run(path, *more):
    arguments = (
        "tune", "bites", "--players", "2", "--generations", "2", "--games", "10", "--check", "40", "--seed", "7",
        "--bot", "greedy:climb=0", "--out", str(path), *more,
    )  # fmt: skip
    assert run_any(COMMANDS, "", arguments) == 0
    return json.loads(path.read_text())


def test_the_result_holds_all_that_it_depends_on(tmp_path, monkeypatch):
    settings = {"options": {"hill": "random"}, "parameters": {"gold_points": 5}}
    given = [f"--{name}={json.dumps(value)}" for name, value in settings.items()]
    result = small_run(tmp_path / "one.json", *given)
    expected = {"game": "bites", "players": 2, "bot": "greedy:climb=0", "generations": 2, "seed": 7, **settings}
    expected |= {"games_of_each_candidate": 10, "games_of_the_check": 40}
    assert {name: result[name] for name in expected} == expected
    made_with = result["environment"]
    assert {*PACKAGES, "python", "platform", "cmaes"} < set(made_with) and len(made_with["sources"]) == 16
    assert small_run(tmp_path / "two.json", *given, "--threads", "1") == result
    monkeypatch.setattr(tune, "MAKERS", tune.MAKERS[1:])
    assert small_run(tmp_path / "three.json", *given)["environment"]["sources"] != made_with["sources"]


def test_the_last_check_plays_none_of_the_deals_tuned_with(tmp_path, monkeypatch):
    """Each generation has its own five deals, too."""
    played, final_states = set(), tune.matches.final_states

    def watched(variant, bots, seats, numbers, seed):
        played.update(numbers.tolist())
        return final_states(variant, bots, seats, numbers, seed)

    monkeypatch.setattr(tune.matches, "final_states", watched)
    small_run(tmp_path / "tuned.json")
    assert len(played) == 2 * 5 + 20


@pytest.mark.parametrize("argument", ["--generations", "--games", "--check"])
def test_wrong_numbers_are_told(argument, tmp_path, capsys):
    arguments = ["tune", "bites", "--generations", "1", "--seed", "1", "--out", str(tmp_path / "x.json"), argument, "0"]
    assert run_any(COMMANDS, "", arguments) == 2
    assert f"{argument[2:]}: 0 is not allowed" in capsys.readouterr().err.replace("\n", " ")


def test_the_last_check_plays_with_the_threads_of_the_user(tmp_path, monkeypatch):
    used = []

    def watched(*arguments, **named):
        used.append(arguments[6] if len(arguments) > 6 else named.get("threads"))
        return np.array([0.5])

    monkeypatch.setattr("experiments.tune.wins_of_deals", watched)
    arguments = [
        "tune",
        "bites",
        "--generations",
        "1",
        "--seed",
        "1",
        "--out",
        str(tmp_path / "x.json"),
        "--threads",
        "3",
    ]
    assert run_any(COMMANDS, "", arguments) == 0
    assert len(used) > 2 and set(used) == {3}
    assert json.loads((tmp_path / "x.json").read_text())["wins"] == [0.5, None, None]


def test_alone_in_rodentia_the_tuned_bot_is_compared_with_the_present_one(tmp_path, capsys):
    arguments = [
        "tune", "rodentia", "--players", "1", "--bot", "greedy:home=0", "--generations", "1", "--games", "10",
        "--check", "60", "--seed", "1", "--out", str(tmp_path / "tuned.json"),
    ]  # fmt: skip
    assert run_any(COMMANDS, "", arguments) == 0
    result, told = json.loads((tmp_path / "tuned.json").read_text()), " ".join(capsys.readouterr().out.split())
    difference, low, high = result["difference"]
    assert difference == pytest.approx(result["wins"][0] - result["wins_before"][0]) and low < difference < high
    assert result["equal"] is None and "equal would be" not in told
    assert f"% of 60 new games alone, greedy:home=0 {100 * result['wins_before'][0]:.1f} [" in told
    assert f"the difference is {100 * difference:.1f} [{100 * low:.1f}, {100 * high:.1f}] percentage points" in told
