"""Tournaments: who meets whom, what the results say, when they are certain, and the command."""

import dataclasses
import errno
import io
import json
import re
import signal
import subprocess
import sys
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, cycle, repeat
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from openskill.models import PlackettLuce
from rich.console import Console
from rich.table import Table
from scipy import stats

import tabletop
from experiments import move_times, tournament
from experiments.command import COMMANDS
from experiments.console import run_any
from experiments.contests import (
    ELO,
    RESAMPLES,
    Contests,
    bradley_terry,
    bradley_terry_intervals,
    compared,
    contests,
    is_certain,
    joined,
    looks,
    means,
    payoffs,
    places_of_bots,
    plackett_luce,
    rates,
    superiority,
)
from experiments.lineups import Schedule, lineups
from experiments.move_times import microseconds_a_move
from experiments.standings import Standings, key, labels, payoff_table, standing_table
from experiments.studies.environment import PACKAGES
from experiments.tournament import Games, play_rounds
from experiments.tournament_files import TournamentFiles
from experiments.tournament_picture import draw
from tabletop import bot
from tabletop.bots import kinds, plain_bot


def run(*arguments: object) -> int:
    try:
        return run_any(COMMANDS, "", [str(a) for a in arguments])
    except SystemExit as exit_:
        return int(exit_.code or 0)


# Who meets whom


@pytest.mark.parametrize(
    ("bots", "players", "count"), [(2, 2, 1), (4, 2, 6), (5, 3, 10), (2, 4, 3), (3, 4, 3), (3, 1, 3)]
)
def test_line_ups_seat_every_bot_equally_often(bots, players, count):
    found = lineups(bots, players)
    assert len(found) == len(set(found)) == count
    seats = Counter(b for line in found for b in line)
    assert len(seats) == bots and len(set(seats.values())) == 1


def test_every_line_up_sits_in_every_rotation_of_the_same_deal():
    schedule = Schedule(lineups(3, 3), 3, seed=5)
    rounds, seats = schedule.games(12, 18)
    assert rounds.tolist() == [4] * 3 + [5] * 3
    for start in (0, 3):
        assert all(sorted(column) == [0, 1, 2] for column in seats[start : start + 3].T)
        assert (np.roll(seats[start], 1) == seats[start + 1]).all()


def test_the_circular_order_changes_from_round_to_round():
    schedule = Schedule(lineups(4, 4), 4, seed=1)
    orders = {tuple(np.roll(row, -int(np.argmax(row == 0)))) for row in schedule.games(0, 60 * 4)[1]}
    assert len(orders) == 6


def test_a_part_of_the_schedule_is_that_part_and_takes_no_more_memory():
    schedule = Schedule(lineups(4, 3), 3, seed=8)
    rounds, seats = schedule.games(0, 120)
    for first, end in ((0, 1), (5, 31), (12, 24), (119, 120)):
        part = schedule.games(first, end)
        assert (part[0] == rounds[first:end]).all() and (part[1] == seats[first:end]).all()
    late, _ = schedule.games(10**15, 10**15 + 3)
    assert late.tolist() == [10**15 // 12] * 3


def test_a_seed_means_the_same_schedule_for_ever():
    assert Schedule(lineups(4, 3), 3, seed=8).games(0, 4)[1].tolist() == SCHEDULE


SCHEDULE = [[1, 2, 0], [0, 1, 2], [2, 0, 1], [3, 0, 1]]


# What results say


def made_up(strengths: list[float], rounds: int, players: int, seed: int, ties: bool = False) -> Contests:
    """Rounds whose places follow the Plackett–Luce model with these strengths (natural logarithms)."""
    generator = np.random.default_rng(seed)
    schedule = Schedule(lineups(len(strengths), players), players, seed)
    numbers, seats = schedule.games(0, rounds * schedule.games_a_round)
    luck = np.array(strengths)[seats] + generator.gumbel(size=seats.shape)
    if ties:
        luck = np.round(luck)
    places = 1 + (luck[:, None, :] > luck[:, :, None]).sum(axis=2).astype(np.int32)
    return contests(len(strengths), numbers, seats, (10 * luck).astype(np.int32), places)


def test_sums_of_a_round_by_hand():
    """Three seats: bot 0 first, bots 1 and 0 share the second place."""
    found = contests(
        2, np.array([7]), np.array([[0, 1, 0]]), np.array([[9, 5, 5]], np.int32), np.array([[1, 2, 2]], np.int32)
    )
    assert found.ahead[0].tolist() == [[0, 1.5], [0.5, 0]]
    assert found.seats[0].tolist() == [2, 1] and found.wins[0].tolist() == [1, 0]
    assert found.places[0].tolist() == [3.5, 2.5] and found.scores[0].tolist() == [14, 5]
    assert payoffs(found)[0, 1, 0] == 0.75 and np.isnan(payoffs(found)[0, 0, 0])


def test_lone_games_of_a_round_are_compared():
    """Bots 0, 1, 2 alone: a win beats more points without one."""
    seats, scores = np.array([[0], [1], [2]]), np.array([[3], [8], [3]], np.int32)
    places = np.array([[1], [2], [1]], np.int32)
    seated, ranks = compared(1, seats, scores, places)
    assert seated.tolist() == [[0, 1, 2]] and ranks.tolist() == [[1, 3, 1]]
    found = contests(3, np.zeros(3, np.int64), seats, scores, places)
    assert found.ahead[0].tolist() == [[0, 1, 0.5], [0, 0, 0], [0.5, 1, 0]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_known_ratings_are_recovered(players):
    strengths = [1.0, 0.5, 0.0, -0.5, -1.0]
    found = made_up(strengths, 600, players, seed=3)
    fitted = bradley_terry_intervals(found, seed=1)
    exact = np.array(strengths) * 400 / np.log(10)
    assert np.abs(fitted[:, 0] - exact).max() < 25
    assert ((fitted[:, 1] < exact) & (exact < fitted[:, 2])).sum() >= 4
    assert fitted[:, 0].sum() == pytest.approx(0, abs=1e-6)


def test_resampling_many_rounds_takes_little_memory():
    """50 resamples of 100,000 rounds at once would be 5 million numbers, of 8 bytes each."""
    ahead = np.zeros((100_000, 2, 2))
    ahead[:, 0, 1] = np.arange(len(ahead)) % 4 > 0
    ahead[:, 1, 0] = 1 - ahead[:, 0, 1]
    found = Contests(ahead, *[ahead] * 4)
    with watched_memory() as peak:
        (value, low, high), _ = fitted = bradley_terry_intervals(found, seed=5, resamples=50)
    assert peak() < 30_000_000
    assert (fitted == bradley_terry_intervals(found, seed=5, resamples=50)).all()
    error = ELO / np.sqrt(100_000 * 0.75 * 0.25) / 2  # of half the logarithm of the odds
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.3) and low < value < high


def test_a_table_of_games_names_each_bot_once():
    names = tuple(f"{'long name ' * 30}{number}" for number in range(3))
    count = 20_000
    seated, two = np.array([[0, 1], [2, 0]] * (count // 2), np.int16), np.ones((count, 2), np.int32)
    games = Games(np.arange(count), seated, two, two, np.ones(count, np.int64))
    with watched_memory() as peak:
        table = games.table(names)
    assert peak() < 5_000_000
    assert table.bot_0[:3].tolist() == [names[0], names[2], names[0]] and table.bot_1[1] == names[0]


@contextmanager
def watched_memory() -> Iterator[Callable[[], int]]:
    """Yields what tells the most bytes that the block had at once."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


STRENGTHS = ([0.0, 0.0], [0.0] * 6, [0.8, 0.3, -0.3, -0.8])
STUDIES = {2: 80, 6: 15, 4: 30}  # by the number of bots


@pytest.mark.parametrize("strengths", STRENGTHS)
@pytest.mark.parametrize("rounds", [2, 3, 5, 10])
def test_intervals_cover_as_often_as_they_say(strengths, rounds):
    """Of 100 made-up tournaments about 95 intervals hold the truth, and as few rounds are coarse sometimes more."""
    exact = np.array(strengths) * 400 / np.log(10)
    odds = np.exp(np.subtract.outer(strengths, strengths))
    ahead = odds / (1 + odds)
    wins = (ahead.sum(axis=1) - 0.5) / (len(strengths) - 1)
    covered: dict[str, list[np.ndarray]] = {name: [] for name in ("win", "place", "ahead", "elo")}
    off_diagonal = ~np.eye(len(strengths), dtype=bool)
    for seed in range(STUDIES[len(strengths)]):
        found = made_up(strengths, rounds, 2, seed)
        covered["win"].append(holds(rates(found.wins, found.seats), wins))
        covered["place"].append(holds(places_of_bots(found, 2), 2 - wins))
        covered["ahead"].append(holds(payoffs(found)[off_diagonal], ahead[off_diagonal]))
        covered["elo"].append(holds(bradley_terry_intervals(found, seed, resamples=40), exact))
    shares = {name: np.mean(held) for name, held in covered.items()}
    assert min(shares.values()) >= 0.9, shares


def holds(intervals: np.ndarray, truth: np.ndarray) -> np.ndarray:
    return (intervals[:, 1] <= truth + 1e-9) & (truth <= intervals[:, 2] + 1e-9)


def test_a_single_round_gives_no_interval():
    found = made_up([0.5, 0.0, -0.5], 1, 3, seed=1)
    measures = (
        rates(found.wins, found.seats),
        means(found.scores, found.seats),
        places_of_bots(found, 3),
        bradley_terry_intervals(found, seed=1),
    )
    for values in measures:
        assert np.isfinite(values[:, 0]).all() and np.isnan(values[:, 1:]).all()


def test_rounds_that_are_alike_by_chance_are_not_certain():
    """One win of two in each of three rounds; and a rating from nothing but wins has an interval, too."""
    ones = np.ones((3, 2))
    ahead = np.array([[[0.0, 1.0], [1.0, 0.0]]] * 3)
    (value, low, high), _ = rates(ones, 2 * ones)
    assert value == 0.5 and low < 0.3 and high > 0.7
    won = Contests(np.array([[[0.0, 2.0], [0.0, 0.0]]] * 3), 2 * ones, ones, ones, ones)
    assert np.diff(bradley_terry_intervals(won, seed=1)[:, 1:]).min() > 200
    assert payoffs(Contests(ahead, 2 * ones, ones, ones, ones))[0, 1, 1] < 0.3


def test_ratings_of_a_bot_that_won_everything_are_finite():
    ratings = bradley_terry(np.array([[0.0, 50.0], [0.0, 0.0]]))
    assert np.isfinite(ratings).all() and ratings[0] > 300


def test_plackett_luce_ranks_by_strength():
    seated, places = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]] * 20), np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]] * 20)
    rated = plackett_luce(3, seated, places.astype(np.int32))
    assert rated[0, 0] > rated[1, 0] > rated[2, 0] and (rated[:, 1] < 25 / 3).all()


def test_seats_of_one_bot_in_a_game_are_rated_together():
    rated = plackett_luce(2, np.array([[0, 1, 1]] * 10), np.array([[1, 2, 3]] * 10, np.int32))
    assert rated[0, 0] > rated[1, 0]


@pytest.mark.parametrize("places", [[2, 1, 3, 4], [2, 3, 4, 1], [2, 4, 1, 3]])
def test_a_bot_takes_the_mean_of_the_changes_at_its_seats(places):
    """One game: a lone bot is second, the other one has all other places, in any order of its seats."""
    model = PlackettLuce()
    rated = np.array([[one.mu, one.sigma] for (one,) in model.rate([[model.rating()] for _ in range(4)])])
    expected = [rated[1], rated[[0, 2, 3]].mean(axis=0)]
    assert np.ptp(rated, axis=0).min() > 0.1
    found = plackett_luce(2, np.array([[0, 1, 1, 1]]), np.array([places], np.int32))
    assert found == pytest.approx(np.array(expected), abs=1e-9)


@pytest.mark.parametrize(
    ("places", "changes"),
    [
        ([1, 1], [0, 0]),
        ([1, 2, 3], [2 / 3, 1 / 6, -5 / 6]),
        ([1, 1, 3], [1 / 6, 1 / 6, -1 / 3]),
        ([2, 1, 2], [-1 / 3, 2 / 3, -1 / 3]),
        ([1, 3, 1, 3], [1 / 4, -1 / 4, 1 / 4, -1 / 4]),
    ],
)
def test_equal_places_change_ratings_equally(places, changes):
    """Weng and Lin (2011), algorithm 4, by hand: a game of new bots, each as likely as the others to be the next.

    Each place up to the own changes a seat by (1 if it takes the place − its chance to) / seats that share the place.
    With places 1, 1, 3 the first gets (1 − 1/3) / 2 − 1/3 / 2 = 1/6, in units of the variance over the scale.
    """
    players = len(places)
    variance, noise = (25 / 3) ** 2 + (25 / 300) ** 2, (25 / 6) ** 2
    unit = variance / np.sqrt(players * (variance + noise))
    seated = np.roll(np.arange(players), 1)
    rated = plackett_luce(players, seated[None], np.array([places], np.int32))[seated]
    assert rated[:, 0] == pytest.approx(25 + unit * np.array(changes))
    assert all(rated[a, 1] == rated[b, 1] for a in range(players) for b in range(players) if places[a] == places[b])


def test_means_and_rates_stay_in_their_intervals():
    found = made_up([0.6, 0.0, -0.6], 50, 3, seed=2)
    for values in (rates(found.wins, found.seats), means(found.places, found.seats), means(found.scores, found.seats)):
        assert (values[:, 1] <= values[:, 0]).all() and (values[:, 0] <= values[:, 2]).all()
    assert rates(found.wins, found.seats)[:, 0].sum() == pytest.approx(1)


def test_superiority_grows_with_the_evidence_and_mirrors():
    few, many = (superiority(made_up([0.3, 0.0], rounds, 2, seed=4)) for rounds in (10, 400))
    assert many[0, 1] > 0.99 and abs(few[0, 1] - 0.5) < abs(many[0, 1] - 0.5)
    assert few[0, 1] + few[1, 0] == pytest.approx(1) and few[0, 0] == 0.5


def test_a_short_run_of_wins_is_not_certain():
    ahead = np.zeros((2, 2, 2))
    ahead[:, 0, 1] = 1
    ones = np.ones((2, 2))
    found = Contests(ahead, ones, ones, ones, ones)
    assert superiority(found)[0, 1] < 0.95 and not is_certain(found, 0.95, looks=4)


@pytest.mark.parametrize(
    ("strengths", "certain"),
    [([2.0, 0.0, -2.0], True), ([2.0, 0.0, 0.0], False), ([0.0, 0.0, -2.0], False), ([3.0, 1.0, 1.0, -1.0], False)],
)
def test_the_whole_ranking_has_to_be_certain(strengths, certain):
    """Two equal bots anywhere in the ranking leave it uncertain, however clear the rest is."""
    found = made_up(strengths, 60, 2, seed=6)
    assert is_certain(found, 0.95, looks=1) == certain


@pytest.mark.parametrize("often", [1, 4])
@pytest.mark.parametrize("bots", [2, 3, 5])
def test_the_chance_of_an_error_is_shared_out_over_neighbours_and_looks(bots, often):
    """For 0.95 with three bots and two looks the better of two neighbours may be the worse one by 0.05 / (2 · 2).

    Each bot is ahead of the next in 20 of 25 rounds, and of all others in all. With the two virtual rounds the mean
    difference is (20 − 5) / 27, and the variance is 1 − mean².
    """
    ahead = np.repeat(np.triu(np.ones((bots, bots)), 1)[None], 25, axis=0)
    for b in range(bots - 1):
        ahead[:5, b : b + 2, b : b + 2] = [[0, 0], [1, 0]]
    mean = 15 / 27
    wrong = stats.t.sf(mean / np.sqrt((1 - mean**2) / 26), 26)
    found, allowed = Contests(ahead, *[ahead] * 4), often * (bots - 1) * wrong
    assert is_certain(found, 1 - 1.001 * allowed, often) and not is_certain(found, 1 - 0.999 * allowed, often)


def test_early_stop_is_seldom_wrong():
    """With equal bots a tournament that may stop at any look stops by chance in at most about 5 of 100 cases."""
    ends = looks(128, first=8)
    assert ends == [8, 16, 32, 64, 128]
    stopped = 0
    for seed in range(100):
        found = made_up([0.0, 0.0], 128, 2, seed)
        parts = [
            Contests(*(x[:end] for x in (found.ahead, found.seats, found.wins, found.places, found.scores)))
            for end in ends
        ]
        stopped += any(is_certain(part, 0.95, len(ends)) for part in parts)
    assert stopped <= 10


def test_looks_end_at_the_last_round():
    assert looks(100, 8) == [8, 16, 32, 64, 100] and looks(5, 8) == [5] and looks(8, 8) == [8]


def test_joined_rounds_are_the_rounds():
    one, two = (made_up([0.1, 0.0], rounds, 2, seed=1) for rounds in (3, 4))
    both = joined([one, two])
    assert len(both) == 7 and (both.ahead[3:] == two.ahead).all()


# Games and the command


def test_rounds_are_the_same_whatever_the_threads():
    game = tabletop.make("bites", players=3)
    schedule = Schedule(lineups(2, 3), 3, seed=9)
    bots = [bot(text, game.game) for text in ("greedy", "uniform")]
    one, three = (play_rounds(game, bots, schedule, 0, 4, threads) for threads in (1, 3))
    later = play_rounds(game, bots, schedule, 2, 2)
    assert (one.scores == three.scores).all() and (one.scores[12:] == later.scores).all()


def test_equal_bots_get_the_same_deals(tmp_path):
    """A bot against itself under another name: every line-up of a round has the same scores at the same seats."""
    game = tabletop.make("bites", players=2)
    schedule = Schedule(lineups(3, 2), 2, seed=2)
    bots = [bot("greedy", game.game)] * 3
    games = play_rounds(game, bots, schedule, 0, 3)
    for r in range(3):
        assert len(np.unique(games.scores[games.round == r], axis=0)) == 1


def test_the_command_writes_tables_and_stops_early(tmp_path, capsys):
    code = run(
        "tournament", "bites", "--players", 2, "--bots", "greedy,greedy:wine=0,denial=1,uniform", "--games", 3000,
        "--seed", 4, "--out", tmp_path, "--certain", 0.9, "--timed", 0.01,
    )  # fmt: skip
    out = capsys.readouterr().out
    assert code == 0 and "Ends before" in out
    described = json.loads((tmp_path / "tournament.json").read_text())
    games = pd.read_parquet(tmp_path / "games.parquet")
    standings, pairs = (pd.read_csv(tmp_path / f"{name}.csv") for name in ("standings", "payoffs"))
    assert described["games"] == len(games) and described["bots"] == ["greedy", "greedy:wine=0,denial=1", "uniform"]
    assert standings.bot.iloc[2] == "uniform" and (standings.elo_low <= standings.elo).all()
    assert len(pairs) == 6 and (standings.microseconds_a_move > 0).all()
    assert (tmp_path / "tournament.png").stat().st_size > 10_000
    assert set(games.columns) >= {"round", "events", "bot_0", "score_1", "place_1"}


@pytest.mark.parametrize(("games", "certain", "is_certain"), [(2000, 0.9, True), (5, 0.999, False), (5, None, None)])
def test_a_clear_ranking_stops_a_tournament_which_says_so(games, certain, is_certain, tmp_path, capsys):
    wanted = [] if certain is None else ["--certain", certain]
    arguments = ["bites", "--players", 2, "--bots", "greedy,uniform", "--seed", 4, "--timed", 0, *wanted]
    assert run("tournament", *arguments, "--games", games, "--out", tmp_path) == 0
    described, out = json.loads((tmp_path / "tournament.json").read_text()), capsys.readouterr().out
    assert (described["games"] < described["asked"]) == bool(is_certain)
    assert [described[name] for name in ("asked", "certain", "is_certain")] == [games, certain, is_certain]
    told = f"certain with probability {certain} after {described['games']} games; {games:,} were asked for"
    assert (f"ranking is {told}" in out) == (is_certain is True)
    assert (f"ranking is not {told}" in out) == (is_certain is False)


def test_an_interrupted_tournament_keeps_its_complete_rounds(tmp_path, capsys, monkeypatch):
    """A user stops it in the fourth round of six games."""
    whole = tournament.played

    def stopped(variant, bots, schedule, first, count, *_):
        for part in whole(variant, bots, schedule, first, count, threads=1):
            if part.round[-1] == 3:
                yield part
                raise KeyboardInterrupt
            yield part

    arguments = ["bites", "--players", 2, "--bots", "greedy,uniform,greedy:wine=0", "--seed", 4, "--timed", 0]
    monkeypatch.setattr(tournament, "played", stopped)
    assert run("tournament", *arguments, "--games", 600, "--out", tmp_path / "stopped") == 130
    assert "interrupted after 18 games in 3 rounds" in capsys.readouterr().err
    monkeypatch.undo()
    assert run("tournament", *arguments, "--games", 18, "--out", tmp_path / "whole") == 0
    kept, expected = (pd.read_parquet(tmp_path / name / "games.parquet") for name in ("stopped", "whole"))
    assert kept.equals(expected)
    assert json.loads((tmp_path / "stopped" / "tournament.json").read_text())["games"] == 18


@tabletop.python_bot("stumbles", chance=0.0, how="raises")
def stumbles(state, legal, rng, chance, how):
    """Plays at random, always the same with the same stream, until it raises an error or chooses what is not legal."""
    drawn = rng.random()
    if drawn < chance and how == "raises":
        raise ValueError("no idea")
    return -1 if drawn < chance else legal[int(drawn * len(legal))]


STUMBLING = ("bites", "--players", 2, "--seed", 5, "--timed", 0, "--threads", 1, "--out")


@pytest.mark.parametrize("batches", ["many", "one"])
@pytest.mark.parametrize(
    ("how", "told"), [("raises", r"raised ValueError\('no idea'\) at event \d+"), ("breaks_rules", "chose -1 at event")]
)
def test_a_failing_bot_leaves_the_complete_rounds(how, told, batches, tmp_path, capsys, monkeypatch):
    """All of them, even those that were played in one batch with the game in which it fails."""
    if batches == "one":
        monkeypatch.setattr(tournament, "run_ranges", lambda work, total, *_: iter([work(0, total)]))
    older_tournament(tmp_path)
    bots = f"uniform,stumbles:chance=0.005,how={how}"
    assert run("tournament", *STUMBLING, tmp_path, "--bots", bots, "--games", 100) == 2
    out, err = capsys.readouterr()
    failure = re.search(rf"error: game (\d+): bot 'stumbles:.*' {told}", err.splitlines()[-1])
    assert failure and "stopped by an error (game" in err and "Ends before" in out
    rounds = int(failure[1])  # of the deal with which it fails, numbered from 0
    assert 1 < rounds < 40 and f"stopped by an error after {2 * rounds} games in {rounds} rounds" in err
    assert json.loads((tmp_path / "tournament.json").read_text())["rounds"] == rounds
    assert {path.name for path in tmp_path.iterdir()} == {*OLDER, "own notes.txt"}
    assert pd.read_csv(tmp_path / "standings.csv").seats.tolist() == [2 * rounds] * 2
    whole = tmp_path / "whole"
    assert run("tournament", *STUMBLING, whole, "--bots", "uniform,stumbles", "--games", 2 * rounds) == 0
    kept, expected = (pd.read_parquet(folder / "games.parquet") for folder in (tmp_path, whole))
    numbers = ["round", "events", "score_0", "score_1", "place_0", "place_1"]
    assert kept[numbers].equals(expected[numbers])


def test_a_bot_that_fails_before_a_round_is_complete_changes_nothing(tmp_path, capsys):
    older_tournament(tmp_path)
    assert run("tournament", *STUMBLING, tmp_path, "--bots", "uniform,stumbles:chance=1", "--games", 100) == 2
    assert "error: game 0: bot 'stumbles:chance=1' raised" in (told := capsys.readouterr().err)
    assert "summed up" not in told and {path.read_text() for path in tmp_path.iterdir()} == {"older"}


@pytest.mark.parametrize(
    ("fail", "rounds"), [([False, True, False], 2), ([False, True, True], 1), ([True, True], None)]
)
def test_a_full_disk_costs_no_more_rounds_than_it_must(fail, rounds, tmp_path, capsys, monkeypatch):
    """Two rounds of two games, kept after each; then the games are kept once more, and shown in any case."""
    older_tournament(tmp_path)
    writing, full = pd.DataFrame.to_parquet, iter(fail)
    monkeypatch.setattr(tournament, "run_ranges", lambda work, total, *_: (work(k, k + 2) for k in range(0, total, 2)))
    monkeypatch.setattr(TournamentFiles, "is_due", lambda _: True)

    def written(table, path, **more):
        if next(full):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        writing(table, path, **more)

    monkeypatch.setattr(pd.DataFrame, "to_parquet", written)
    assert run("tournament", *SMALL, "--out", tmp_path) == 2
    out, err = capsys.readouterr()
    assert "No space left on device" in err and "Ends before" in out
    if rounds is None:
        assert {path.read_text() for path in tmp_path.iterdir()} == {"older"}
        return
    assert len(pd.read_parquet(tmp_path / "games.parquet")) == 2 * rounds
    assert json.loads((tmp_path / "tournament.json").read_text())["rounds"] == rounds
    assert (tmp_path / "standings.csv").exists() == (not fail[-1])


def test_games_and_what_they_are_stay_together_on_a_full_disk(tmp_path, monkeypatch):
    files = TournamentFiles(tmp_path, {})
    files.keep(pd.DataFrame({"round": [0]}), {"rounds": 1})

    def full(path, _):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        files.keep(pd.DataFrame({"round": [0, 1]}), {"rounds": 2})
    assert len(pd.read_parquet(tmp_path / "games.parquet")) == 1
    assert json.loads((tmp_path / "tournament.json").read_text()) == {"rounds": 1}
    assert {path.name for path in tmp_path.iterdir()} == {"games.parquet", "tournament.json"}


OLDER = ("games.parquet", "standings.csv", "payoffs.csv", "tournament.png", "tournament.json")
SMALL = ("bites", "--players", 2, "--bots", "greedy,uniform", "--seed", 4, "--games", 6, "--timed", 0)


def older_tournament(folder: Path) -> None:
    for name in (*OLDER, "own notes.txt"):
        (folder / name).write_text("older")


def test_a_tournament_says_with_what_it_was_played(tmp_path, monkeypatch):
    """A text leaves out numbers and words of a bot that are defaults today; the files hold them all."""
    bots = ("greedy:wine=0.5", "mcts:iterations=2,depth=1", "uniform")
    game = {"options": {"hill": "random"}, "parameters": {"gold_points": 5}}
    given = [f"--{name}={json.dumps(value)}" for name, value in game.items()]
    about, bites = [], tabletop.make("bites").game
    for makers in (tournament.MAKERS, tournament.MAKERS[:-1]):
        monkeypatch.setattr(tournament, "MAKERS", makers)
        assert run("tournament", *SMALL, *given, "--bots", ",".join(bots), "--out", tmp_path) == 0
        about.append(json.loads((tmp_path / "tournament.json").read_text()))
    assert about[0].items() >= {"game": "bites", "players": 2, "bots": list(bots), "seed": 4, **game}.items()
    numbers = about[0]["parameters_of_bots"]
    defaults = {text: {p.name: p.default for p in kinds()[text.partition(":")[0]].parameters(bites)} for text in bots}
    assert numbers.keys() == set(bots) and numbers["uniform"] == {}
    assert numbers[bots[0]] == defaults[bots[0]] | {"wine": 0.5} and len(numbers[bots[0]]) > 5
    assert numbers[bots[1]] == defaults[bots[1]] | {"iterations": 2, "depth": 1} and "rollout" in numbers[bots[1]]
    made_with, other = (one["environment"] for one in about)
    assert {*PACKAGES, "python", "platform", "choix", "openskill"} < set(made_with) and len(made_with["sources"]) == 16
    assert [name for name in made_with if made_with[name] != other[name]] == ["sources"]


def test_all_that_makes_the_results_of_a_tournament_tells_it_from_others():
    """What its sources import from the package is one of them, or only reads, writes and shows."""
    others = {"arguments", "console", "studies.environment", "tournament_files", "tournament_picture"}
    makers = {path.stem for path in tournament.MAKERS}
    for path in tournament.MAKERS:
        text = path.read_text().replace("from experiments import ", "from experiments.")
        assert set(re.findall(r"^from experiments\.([\w.]+)", text, re.MULTILINE)) <= makers | others, path


def interrupt(*_):
    raise KeyboardInterrupt


def test_a_tournament_that_is_stopped_while_it_is_summed_up_keeps_its_games(tmp_path, capsys, monkeypatch):
    older_tournament(tmp_path)
    monkeypatch.setattr(tournament, "standings", interrupt)
    assert run("tournament", *SMALL, "--out", tmp_path) == 130
    assert "complete in " in (told := capsys.readouterr().err) and "no file was changed" not in told
    assert told.rstrip().endswith(": games.parquet, tournament.json")
    assert {path.name for path in tmp_path.iterdir()} == {"games.parquet", "tournament.json", "own notes.txt"}
    assert len(pd.read_parquet(tmp_path / "games.parquet")) == 6
    assert json.loads((tmp_path / "tournament.json").read_text())["games"] == 6


def test_a_tournament_without_a_complete_round_changes_nothing(tmp_path, capsys, monkeypatch):
    older_tournament(tmp_path)
    monkeypatch.setattr(tournament, "played", interrupt)
    assert run("tournament", *SMALL, "--out", tmp_path) == 130
    assert "no file was changed" in capsys.readouterr().err
    assert {path.read_text() for path in tmp_path.iterdir()} == {"older"}


def test_games_are_kept_every_minute_and_seldom_where_that_takes_long(tmp_path, monkeypatch):
    times = iter([0, 59, 60, 60, 60.5, 120, 121, 200, 210, 709, 711])
    monkeypatch.setattr("experiments.tournament_files.perf_counter", lambda: next(times))
    files, games = TournamentFiles(tmp_path, {}), pd.DataFrame({"round": [0]})
    assert [files.is_due(), files.is_due()] == [False, True]
    files.keep(games, {})  # takes half a second
    assert [files.is_due(), files.is_due()] == [False, True]
    files.keep(games, {})  # takes ten seconds
    assert [files.is_due(), files.is_due()] == [False, True]


KILLED = """
import os, signal, sys
from experiments import tournament, tournament_files
from experiments.command import COMMANDS
from experiments.console import run_any

whole = tournament.played

def killed(variant, bots, schedule, first, count, *_):
    for part in whole(variant, bots, schedule, first, count, threads=1):
        yield part
        if part.round[-1] >= 3:
            os.kill(os.getpid(), signal.Signals[sys.argv[1]])

tournament.played, tournament_files.SECONDS_BETWEEN, tournament_files.COST = killed, 0, 1e9
sys.exit(run_any(COMMANDS, "", sys.argv[2:]))
"""


@pytest.mark.parametrize(("name", "code", "tables"), [("SIGTERM", 130, True), ("SIGKILL", -signal.SIGKILL, False)])
def test_a_tournament_that_is_killed_keeps_complete_rounds(name, code, tables, tmp_path):
    """With six games a round; a program can do something about SIGTERM, and nothing about SIGKILL."""
    older_tournament(tmp_path)
    arguments = ["bites", "--players", 2, "--bots", "greedy,uniform,greedy:wine=0", "--seed", 4, "--timed", 0]
    given = [str(word) for word in (*arguments, "--games", 600, "--out", tmp_path)]
    done = subprocess.run([sys.executable, "-c", KILLED, name, "tournament", *given], capture_output=True, check=False)
    assert done.returncode == code, done.stderr
    kept = pd.read_parquet(tmp_path / "games.parquet")
    assert 0 < len(kept) < 600 and (kept["round"].value_counts() == 6).all()
    assert json.loads((tmp_path / "tournament.json").read_text())["games"] == len(kept)
    assert {(tmp_path / name).exists() for name in ("standings.csv", "payoffs.csv", "tournament.png")} == {tables}
    assert run("tournament", *arguments, "--games", len(kept), "--out", tmp_path / "whole") == 0
    assert kept.equals(pd.read_parquet(tmp_path / "whole" / "games.parquet"))


@pytest.mark.parametrize(("package", "told"), [("choix", "choix"), ("openskill.models", "openskill")])
def test_a_missing_package_is_told_before_anything_is_played(package, told, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(tournament, "played", None)
    monkeypatch.setitem(sys.modules, package, None)
    assert run("tournament", *SMALL, "--out", tmp_path / "made") == 2
    assert f"{told} is needed here" in (error := capsys.readouterr().err) and "critters[ratings]" in error
    assert not (tmp_path / "made").exists()


def test_without_matplotlib_there_is_no_picture_and_no_older_one(tmp_path, capsys, monkeypatch):
    older_tournament(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    whole, told = tournament.played, []

    def noted(*arguments):
        told.append(capsys.readouterr().err)
        yield from whole(*arguments)

    monkeypatch.setattr(tournament, "played", noted)
    assert run("tournament", *SMALL, "--out", tmp_path) == 0
    assert "no picture: it needs matplotlib" in told[0] and "no picture" not in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {*OLDER, "own notes.txt"} - {"tournament.png"}
    assert "older" not in (tmp_path / "standings.csv").read_text()


def test_a_tournament_says_that_it_replaces_another(tmp_path, capsys):
    arguments = ["bites", "--players", 2, "--bots", "greedy,uniform", "--seed", 4, "--games", 2, "--timed", 0]
    for told in (False, True):
        assert run("tournament", *arguments, "--out", tmp_path) == 0
        assert ("in place of those of an older tournament" in capsys.readouterr().err) == told


def test_the_command_needs_neither_a_seed_nor_a_folder(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("tournament", "bites", "--players", 2, "--bots", "greedy,uniform", "--games", 3) == 0
    folder = Path("results", "tournament-bites")
    assert f"4 games in 2 rounds; results are in {folder}" in capsys.readouterr().err
    assert {path.name for path in folder.iterdir()} == set(OLDER)
    assert json.loads((folder / "tournament.json").read_text())["seed"] == 0


def test_a_folder_that_nobody_named_keeps_another_tournament(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told, bots = tmp_path / "results" / "tournament-bites" / "tournament.json", ("--bots", "greedy,uniform")
    for given in (bots, (*bots, "--games", 8), ("--bots", "uniform,greedy", "--out", "results/tournament-bites")):
        assert run("tournament", *SMALL, *given) == 0
    before, _ = told.read_text(), capsys.readouterr()
    for given in (bots, ("--bots", "uniform,greedy", "--seed", 5), ("--bots", "uniform,greedy", "--players", 3)):
        assert run("tournament", *SMALL, *given) == 2
        assert "results/tournament-bites holds another tournament: " in (error := capsys.readouterr().err)
        assert " there and " in error and "--out names another folder" in error
    assert told.read_text() == before
    for text, reason in (("[", "cannot be read: "), ("3", "describes no tournament")):
        told.write_text(text)
        assert run("tournament", *SMALL) == 2
        assert f"tournament.json {reason}" in capsys.readouterr().err and told.read_text() == text


def test_one_round_is_shown_without_intervals(tmp_path, capsys):
    arguments = ["bites", "--players", 2, "--bots", "greedy,uniform,greedy:wine=0", "--seed", 1, "--timed", 0]
    assert run("tournament", *arguments, "--games", 1, "--out", tmp_path) == 0
    out = capsys.readouterr().out
    assert "[" not in out and "nan" not in out


@pytest.mark.parametrize("command", ["tournament", "tune", "record", "balance"])
@pytest.mark.parametrize("seed", ["-1", "99999999999999999999999", "1.5", "x"])
def test_wrong_seeds_are_told_before_anything_is_done(command, seed, tmp_path, capsys):
    given = {
        "tournament": ["--games", 2, "--bots", "greedy,uniform"],
        "tune": ["--generations", 1],
        "record": ["--games", 1],
        "balance": ["--games", 1, "--bots", "uniform"],
    }
    assert run(command, "bites", *given[command], "--out", tmp_path / "x", "--seed", seed) == 2
    told = " ".join(capsys.readouterr().err.replace("│", "").split())
    assert "expected an integer from 0 to 2**64 - 1" in told and "seed" in told
    assert not (tmp_path / "x").exists()


def test_the_greatest_seed_is_allowed(tmp_path):
    arguments = ["bites", "--players", 2, "--bots", "greedy,uniform", "--games", 2, "--timed", 0.001]
    assert run("tournament", *arguments, "--seed", 2**64 - 1, "--out", tmp_path) == 0


@pytest.mark.parametrize("command", ["tournament", "tune"])
def test_where_nothing_can_be_written_is_told_before_anything_is_played(command, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tabletop.matches.final_states", None)
    (tmp_path / "file").write_text("")
    given = {"tournament": ["--games", 2, "--bots", "greedy,uniform"], "tune": ["--generations", 1]}
    out = {"tournament": tmp_path / "file", "tune": tmp_path / "file" / "tuned.json"}[command]
    assert run(command, "bites", *given[command], "--seed", 1, "--out", out) == 2
    assert "is a file; expected a folder" in capsys.readouterr().err.replace("\n", "")


# Names

MCTS = "mcts:iterations=50,rollout=greedy,depth=8,selection=puct,prior="
GREEDY = "greedy:threat=0.4,near=0.3,late=0.6,reserve=0.1,card=0.5,knight=0.5,look=0.1,rivalry=0.6"
LONG = [f"{MCTS}equal", "uniform", GREEDY, f"{MCTS}evaluated", "greedy", "mcts:iterations=1000"]


def test_labels_tell_bots_apart():
    assert labels(LONG) == ["mcts 1", "uniform", "greedy 1", "mcts 2", "greedy", "mcts:iterations=1000"]


def standings_of(names: list[str]) -> Standings:
    """Of two rounds between random bots with these names."""
    game = tabletop.make("bites", players=2)
    bots = [dataclasses.replace(bot("uniform", game.game), name=name) for name in names]
    games = play_rounds(game, bots, Schedule(lineups(len(names), 2), 2, seed=1), 0, 2)
    return tournament.standings(game, bots, games, seed=1, timed=0)


@pytest.fixture
def clock(monkeypatch) -> SimpleNamespace:
    """What moves are timed by: it stands still unless a test moves it on."""
    clock = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr("experiments.move_times.perf_counter", lambda: clock.seconds)
    return clock


def test_a_move_takes_the_mean_time_of_choices(clock):
    """By hand: 1 + 2 + 4 + 8 choices of 2 and 4 ms in turn take 44 ms, with 16 more 92 ms: the first time over 50."""
    game = tabletop.make("bites", players=2)
    times = chain([100], cycle([0.002, 0.004]))  # the first choice may have to make much ready, and does not count

    def choose(state, legal, rng):
        assert len(legal) > 1
        clock.seconds += next(times)
        return legal[0]

    assert microseconds_a_move(game, plain_bot(choose), 3, seconds=0.05) == pytest.approx(92_000 / 31)
    assert np.isnan(microseconds_a_move(game, plain_bot(choose), 3, seconds=0))


def test_moves_of_compiled_bots_are_timed_alike(clock, monkeypatch):
    """6 µs a choice, but a minute for the first one."""
    choose, times = move_times.choose_compiled, chain([60], repeat(6e-6))

    def slow(states, *more):
        choose(states, *more)
        clock.seconds += len(states) * next(times)

    monkeypatch.setattr(move_times, "choose_compiled", slow)
    game = tabletop.make("bites", players=2)
    assert microseconds_a_move(game, bot("uniform", game.game), 3, seconds=0.001) == pytest.approx(6)


def test_each_bot_stands_beside_its_own_time(clock):
    """The second one wins every game, so that it stands first."""
    game = tabletop.make("bites", players=2)

    def taking(seconds):
        def choose(state, legal, rng):
            clock.seconds += seconds
            return legal[0]

        return plain_bot(choose, f"takes {seconds}")

    rounds, seated = Schedule(lineups(2, 2), 2, seed=1).games(0, 4)
    places = (2 - seated).astype(np.int32)
    games = Games(rounds, seated, 9 - places, places, rounds)
    found = tournament.standings(game, [taking(0.0125), taking(0.00025)], games, seed=1, timed=0.05)
    assert found.table.bot.tolist() == ["takes 0.00025", "takes 0.0125"]
    assert found.table.microseconds_a_move.tolist() == pytest.approx([250, 12_500])
    shown = [line.split() for line in shown_in(160, standing_table(game, found)).splitlines() if "takes" in line]
    assert [line[-2:] for line in shown] == [["250.00", "µs"], ["12.50", "ms"]]


def test_a_bot_that_fails_when_it_is_timed_has_no_time(capsys):
    """And costs nobody else's, nor the standings."""
    game = tabletop.make("bites", players=2)
    bots = [bot(name, game.game) for name in ("uniform", "stumbles:chance=1")]
    games = play_rounds(game, bots[:1] * 2, Schedule(lineups(2, 2), 2, seed=1), 0, 2)
    found = tournament.standings(game, bots, games, seed=1, timed=0.001).table.set_index("bot")
    assert found.microseconds_a_move["uniform"] > 0 and np.isnan(found.microseconds_a_move["stumbles:chance=1"])
    told = "no time a move: bot 'stumbles:chance=1' raised ValueError('no idea') when its moves were timed"
    assert told in capsys.readouterr().err


def test_ratings_show_their_progress(monkeypatch):
    bars: list[tuple[int, list[int]]] = []

    @contextmanager
    def noted(what, total):
        bars.append((total, []))
        yield SimpleNamespace(advance=bars[-1][1].append)

    monkeypatch.setattr("experiments.console.progress_bar", noted)
    found = standings_of(["one", "two"])
    games = 2 * len(found.contests)
    assert sorted(total for total, _ in bars) == sorted([games, RESAMPLES])
    assert all(sum(done) == total and len(done) > 1 for total, done in bars)


def shown_in(width: int, *tables: Table) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    for table in tables:
        console.print(table)
    return console.export_text()


@pytest.mark.parametrize("width", [80, 160])
def test_tables_show_every_label_whole(width):
    found = standings_of(LONG)
    shown = shown_in(width, standing_table(tabletop.make("bites", players=2), found), payoff_table(found))
    assert "…" not in shown.replace("before …", "")
    assert len(set(found.labels)) == len(LONG)
    told = dict(line.split(" = ", 1) for line in key(found))
    assert {told.get(label, label) for label in found.labels} == set(LONG)


@pytest.mark.parametrize("players", [1, 2])
def test_what_has_no_meaning_for_a_lone_player_is_not_shown(players):
    """Two rounds of two bots; alone, the first one wins and the other one loses."""
    game = tabletop.make("rodentia", players=players)
    bots = [bot(name, game.game) for name in ("greedy", "uniform")]
    rounds, seated = Schedule(lineups(2, players), players, seed=1).games(0, 4)
    places = (1 + seated).astype(np.int32)
    found = tournament.standings(game, bots, Games(rounds, seated, 9 - places, places, rounds), seed=1, timed=0)
    shown = shown_in(160, standing_table(game, found), payoff_table(found))
    assert ("share" in shown) == ("place" in shown) == ("place_low" in found.table) == (players > 1)
    assert ("meetings" in shown) == ("Ends before" in shown) == (players > 1)
    assert "score" in shown and found.table.win.tolist() == [1, 0]


@pytest.mark.parametrize(
    "names", [LONG[:2], LONG, [f"{GREEDY},x{k}" for k in range(9)], ["x" * 23 + str(k) for k in (1, 2)]]
)
def test_the_picture_holds_long_names(names, tmp_path):
    found = standings_of(names)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw(found, "Bites: 2 players", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--bots", "greedy"], "expected two or more different ones"),
        (["--bots", "uniform,uniform"], "expected two or more different ones"),
        (["--bots", "uniform,nobody"], "unknown bot 'nobody'"),
        (["--bots", "uniform,greedy", "--games", "0"], "games: 0 is not allowed"),
        (["--bots", "uniform,greedy", "--threads", "0"], "threads: 0 is not allowed; expected an integer from 1\n"),
        (["--bots", "uniform,greedy", "--certain", "2"], "certain: 2.0 is not allowed"),
        (["--bots", "uniform,greedy", "--timed", "-1"], "timed: -1.0 is not allowed; expected a number of seconds"),
        (["--bots", "uniform,greedy", "--timed", "inf"], "timed: inf is not allowed"),
        (["--bots", "greedy,greedy:"], "expected two or more different ones"),
        (["--bots", "greedy:wine=1,greedy:wine=1.0"], "expected two or more different ones"),
    ],
)
def test_wrong_arguments_are_told(arguments, told, tmp_path, capsys):
    out = tmp_path / "made"
    assert run("tournament", "bites", "--players", 2, "--games", 4, "--seed", 1, "--out", out, *arguments) == 2
    assert told in capsys.readouterr().err and not out.exists()
