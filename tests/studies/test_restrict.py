"""Restricted play: a bot without some actions, and what it loses."""

import numpy as np
import pandas as pd
import pytest
from pebbles import PEBBLES
from studying import command, content, pebbles

import tabletop
from agents import restricted
from tabletop import BotError, FailedBotError, matches, python_bot, record
from tabletop.bots import bot

pytestmark = [pytest.mark.xdist_group("pebbles"), pytest.mark.usefixtures("few_shards")]

FREE = {"take": "up_to", "passing": True}
RESTRICT = ("restrict", "pebbles", "--players", 3, "--games", 600, "--seed", 3, "--bot", "uniform")


def made(**values: str) -> tabletop.bots.Bot:
    return restricted.BOT.build(PEBBLES, {"bot": "uniform", "forbid": "", **values})


@pytest.mark.parametrize("inner", ["uniform", "mcts:iterations=8", "mcts:iterations=8;selection=puct"])
def test_a_restricted_bot_uses_forbidden_actions_only_where_nothing_else_is_legal(inner):
    """It has no choice once only single pebbles are left to take: without passing, it takes one."""
    game = tabletop.make(PEBBLES, players=2, take="up_to")
    one = made(bot=inner, forbid="take:*:1")
    forced = free = 0
    for number in range(60):
        _, events = matches.play_recorded(game, [one, bot("uniform", PEBBLES)], np.arange(2), number, 5)
        states = game.new(1)
        for event in events:
            if game.to_move(states)[0] == 0:
                tokens = [game.token(int(e)) for e in game.legal(states)[0]]
                others = [token for token in tokens if not token.endswith(":1")]
                assert not others or game.token(int(event)) in others
                forced += not others
                free += len(others) < len(tokens) and bool(others)
            game.step(states, [event])
    assert forced > 20 and free > 20


def test_without_passes_a_random_bot_wins_more_and_without_pebbles_nothing(tmp_path, capsys):
    arguments = ("--options", '{"take": "up_to", "passing": true}', "--out", tmp_path)
    assert command(*RESTRICT, "--forbid", "pass,take:*:1+take:*:2+take:*:3", *arguments) == 0
    table = pd.read_csv(tmp_path / "restrict.csv").set_index("class")
    passes, pebbles_ = table.loc["pass"], table.iloc[1]
    assert passes.win_lost_high < 0 and passes.score_lost_high < 0
    assert pebbles_.win_restricted < 0.02 and pebbles_.win_lost_low > 0.25
    assert pebbles_.score_lost == pytest.approx(3, abs=0.2)  # all that a free seat takes of nine
    assert (table.win_free - 1 / 3).abs().max() < 0.06
    assert passes.uses + pebbles_.uses == pytest.approx(5.7 / 3 + 1.3, abs=0.8)
    assert "pass" in capsys.readouterr().out


def test_forbidding_what_is_never_legal_changes_nothing(tmp_path, capsys):
    assert command(*RESTRICT, "--forbid", "pass", "--out", tmp_path) == 0
    line = pd.read_csv(tmp_path / "restrict.csv").iloc[0]
    assert line.win_lost == line.win_lost_low == line.win_lost_high == line.score_lost == line.uses == 0
    assert line.bound == line.forced == 0 and line.same == 1
    assert "pass was never legal for the restricted seat: the ban never bound" in capsys.readouterr().out


def test_a_ban_that_never_binds_is_told_of(tmp_path, capsys):
    """All that there is to do is to take pebbles: the restricted seat does so as often as a free one."""
    pytest.importorskip("matplotlib")
    assert command(*RESTRICT, "--forbid", "take:*", "--out", tmp_path) == 0
    line = pd.read_csv(tmp_path / "restrict.csv").iloc[0]
    assert line.win_lost == line.bound == 0 and line.same == 1
    assert line.forced == pytest.approx(line.uses, rel=0.2) and line.forced > 1
    told = " ".join(capsys.readouterr().out.split())
    assert "The ban on take:* never bound: in the 100 games" in told and "says nothing about what it is worth" in told
    assert "<svg" not in (page := (tmp_path / "report.html").read_text()) and ">never bound<" in page


def test_what_the_bot_does_not_want_is_told_of(tmp_path, capsys):
    """`first` takes single pebbles: a ban on three at once binds, and changes nothing, as it draws no numbers."""
    settings = ("--options", '{"take": "up_to"}', "--bot", "first", "--out", tmp_path)
    assert command(*RESTRICT, "--forbid", "take:*:3", *settings) == 0
    line = pd.read_csv(tmp_path / "restrict.csv").iloc[0]
    assert line.bound > 0.5 and line.same == 1 and line.uses == line.forced == 0
    assert "The ban on take:*:3 changed no game: where something else" in " ".join(capsys.readouterr().out.split())


def test_bans_are_counted_at_every_decision(tmp_path):
    """The numbers of `bound` and `forced`, against the records of the games."""
    arguments = ("--options", '{"take": "up_to"}', "--games", 12, "--forbid", "take:*:1")
    assert command(*RESTRICT, *arguments, "--out", tmp_path) == 0
    plan = pebbles(bots=("uniform",), options={"take": "up_to"}, games=12, seed=3, course=False, forbid=("take:*:1",))
    game, bound, forced = plan.variant, 0, 0
    for number in range(12):
        states = game.new(1)
        for event in game_events(plan, number):
            if game.to_move(states)[0] == number % 3:
                singles = [game.token(int(e)).endswith(":1") for e in game.legal(states)[0]]
                bound += any(singles) and not all(singles)
                forced += all(singles)
                assert game.token(event).endswith(":1") == all(singles)
            game.step(states, [event])
    line = pd.read_csv(tmp_path / "restrict.csv").iloc[0]
    assert (line.bound, line.forced) == pytest.approx((bound / 12, forced / 12))
    assert bound > 12 and forced > 2 and line.same < 0.5


def test_uses_by_free_seats_are_counted_in_all_games(tmp_path):
    arguments = ("--options", '{"take": "up_to"}', "--games", 150, "--forbid", "take:*:1,take:*:2+take:*:3")
    assert command(*RESTRICT, *arguments, "--out", tmp_path) == 0
    plan = pebbles(bots=("uniform",), options={"take": "up_to"}, games=150, seed=3)
    tokens = [plan.variant.token(event) for number in range(150) for event in game_events(plan, number)]
    singles = sum(token.startswith("take:") and token.endswith(":1") for token in tokens)
    others = sum(token.startswith("take:") and not token.endswith(":1") for token in tokens)
    table = pd.read_csv(tmp_path / "restrict.csv")
    assert table.uses.tolist() == pytest.approx([singles / 450, others / 450]) and singles > others > 150


def game_events(plan, number: int) -> list[int]:
    (seats,) = matches.seating(np.array([number]), plan.variant.players, rotate=True)
    return matches.play_recorded(plan.variant, plan.seated(), seats, number, plan.seed)[1].tolist()


def test_more_classes_go_on_and_others_are_refused(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    settings = ("--options", '{"take": "up_to"}', "--out", tmp_path)
    assert command(*RESTRICT, "--forbid", "take:*:1", *settings) == 0
    kept = {name: data for name, data in content(tmp_path).items() if "/" in name}
    assert command(*RESTRICT, "--forbid", "take:*:1,take:*:2", *settings) == 0
    assert kept.items() < content(tmp_path).items()
    out, page = capsys.readouterr().out, (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 1 and "Without take:*:2 a seat loses" in page
    assert "A bot that does not know how to do without an action loses more" in page
    assert pd.read_parquet(tmp_path / "restrict.parquet").equals(pd.read_csv(tmp_path / "restrict.csv"))
    assert command("report", tmp_path) == 0
    assert capsys.readouterr().out in out and (tmp_path / "report.html").read_text() == page
    assert command(*RESTRICT, "--forbid", "take:*:1", *settings) == 2
    assert "it has take:*:2, which this command does not ask for" in capsys.readouterr().err
    assert command(*RESTRICT, "--forbid", "take:*:3", *settings, "--restart") == 0
    assert len(list((tmp_path / "classes").iterdir())) == 1


def test_a_game_of_a_restricted_bot_is_replayed(tmp_path, capsys):
    arguments = ("--options", '{"take": "up_to", "passing": true}', "--out", tmp_path)
    assert command(*RESTRICT, "--forbid", "pass", *arguments) == 0
    capsys.readouterr()
    assert command("replay", tmp_path / "classes/pass", "--game", 4, "--json") == 0
    one = record.Record.from_json(capsys.readouterr().out)
    record.replay(one)
    assert one.extra["bots"] == ["uniform", "uniform without pass", "uniform"]


@pytest.mark.parametrize(
    ("forbid", "message"),
    [
        ("fly:*", "no action matches 'fly:*'; the tokens of actions begin with take, pass"),
        ("pass+roll:1", "no action matches 'roll:1'"),
        ("", "forbid: nothing is given"),
    ],
)
def test_patterns_that_match_nothing_are_refused(tmp_path, capsys, forbid, message):
    assert command(*RESTRICT, "--forbid", forbid, "--out", tmp_path) == 2
    assert message in capsys.readouterr().err


def test_a_bot_is_restricted_by_name():
    rattus = tabletop.make("rattus", 3).game
    assert len(restricted._matching_by_default(rattus, ["knight:*"])) > 5
    with pytest.raises(BotError, match="'forbid': '' is not allowed"):
        made()
    with pytest.raises(BotError, match="no action matches 'fly'"):
        made(forbid="fly")


def test_a_python_bot_cannot_be_restricted():
    @python_bot("slow")
    def slow(state, legal, rng):
        return legal[0]

    with pytest.raises(BotError, match="bot 'slow' cannot be restricted; expected a compiled one"):
        restricted.restrict(bot("slow", PEBBLES), PEBBLES, [1])


def test_a_bot_that_does_not_keep_to_what_it_is_shown_is_found_out():
    with pytest.raises(FailedBotError, match="does not keep to the actions that it is shown"):
        pebbles(bots=("stubborn",), options=FREE, forbid=("take:*",)).play(0)


@tabletop.compiled_bot("stubborn")
def stubborn(state, legal, rng, params):
    """Takes a pebble of the first heap that has one, come what may."""
    for heap in range(16):
        if state.heap[heap] > 0:
            return 4 * heap + 1
    return 64


@pytest.mark.parametrize("forbidden", [[0], [31, 32], [63], [64], [0, 31, 32, 63, 64]])
def test_every_action_can_be_forbidden(forbidden):
    one = restricted.restrict(bot("uniform", PEBBLES), PEBBLES, forbidden)
    legal, allowed = np.full(2, 2**64 - 1, np.uint64), np.zeros(2, np.uint64)
    restricted.leave_out(legal, one.params, allowed)
    left = [event for event in range(128) if int(allowed[event >> 6]) >> (event & 63) & 1]
    assert sorted({*range(128)} - {*left}) == forbidden
