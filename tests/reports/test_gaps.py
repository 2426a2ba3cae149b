"""The gap between seats and the test of equal seats, for studies of any size: few games, ties, unequal bots."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from experiments.reports import equal_seats
from experiments.reports.equal_seats import chance_of_equal_seats, shares_of_sets
from experiments.reports.gaps import SeatGap
from tabletop import Results

STUDIES = 400
ONE_BOT, SOME_BOTS, TWO_BOTS = ("a",) * 4, ("a", "b", "c", "d"), ("a", "b", "a", "b")
STRENGTH = {"a": 2.0, "b": 0.0, "c": 0.0, "d": -1.0}


def results(bots: tuple[str, ...], places: np.ndarray) -> Results:
    games, players = places.shape
    number = np.arange(games)
    seated = (np.arange(players)[None, :] - number[:, None]) % players
    return Results(bots, number, seated, -places, places, np.full(games, 9), np.zeros((games, 0, 4), np.int32))


def gap_of(bots: tuple[str, ...], places: np.ndarray) -> SeatGap:
    found = SeatGap(bots)
    found.add(results(bots, places))
    return found


def row_of(bots: tuple[str, ...], places: np.ndarray) -> pd.Series:
    return gap_of(bots, places).table().iloc[0]


def won_by(seats: list[int], players: int) -> np.ndarray:
    """Places in games that these seats won."""
    return np.where(np.array(seats)[:, None] == np.arange(players), 1, 2).astype(np.int32)


def made_up(
    bots: tuple[str, ...], games: int, generator: np.random.Generator, step: float = 0.0, first: float = 0.0
) -> np.ndarray:
    """Places in games of bots that rotate. step: of the points, for ties. first: points of the first seat."""
    strength = np.array([STRENGTH[bot] for bot in bots])
    seated = (np.arange(len(bots))[None, :] - np.arange(games)[:, None]) % len(bots)
    points = strength[seated] + generator.gumbel(size=seated.shape)
    points[:, 0] += first
    points = np.round(points / step) if step else points
    return (1 + (points[:, :, None] < points[:, None, :]).sum(axis=2)).astype(np.int32)


@pytest.mark.parametrize(
    ("bots", "games", "step"),
    [
        (ONE_BOT, 3, 0.0),
        (ONE_BOT, 20, 0.0),
        (ONE_BOT, 30, 1.5),
        (("a",) * 5, 50, 0.0),
        (("a", "b"), 14, 0.0),
        (SOME_BOTS, 20, 0.0),
        (SOME_BOTS, 22, 1.5),
        (TWO_BOTS, 21, 1.5),
        (SOME_BOTS, 1200, 0.0),
        (ONE_BOT, 1200, 1.5),
    ],
)
def test_equal_seats_seem_unequal_as_often_as_is_said(
    bots: tuple[str, ...], games: int, step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(equal_seats, "DRAWN", 1999)  # enough for a chance of one in a thousand
    generator = np.random.default_rng(21)
    chances = np.array(
        [chance_of_equal_seats(gap_of(bots, made_up(bots, games, generator, step)).won) for _ in range(STUDIES)]
    )
    assert np.nanmean(chances < 0.05) <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / STUDIES)
    assert np.count_nonzero(chances < 0.001) <= 3  # of 400; more than three have a probability of one in a thousand
    if games >= 20:
        assert np.nanmean(chances < 0.05) >= 0.005  # chances come in steps where a strong bot wins nearly always


@pytest.mark.parametrize("bots", [ONE_BOT, SOME_BOTS, TWO_BOTS])
def test_a_good_seat_is_found_in_few_games(bots: tuple[str, ...]) -> None:
    generator = np.random.default_rng(22)
    chances = [row_of(bots, made_up(bots, 60, generator, first=3.0)).chance for _ in range(20)]
    assert np.median(chances) < 0.001


def test_three_games_do_not_tell_much() -> None:
    found = row_of(ONE_BOT, won_by([2, 2, 2], 4))
    assert found.chance == pytest.approx(1 / 16, abs=0.01)  # any of four seats three times
    assert (found.best, found.gap, found.gap_low, found.gap_high) == (2, 1, 0, 1)


def test_two_seats_that_share_all_wins_are_not_like_the_others() -> None:
    found = row_of(ONE_BOT, won_by([0, 3] * 10, 4))
    assert found.chance == pytest.approx(2 * stats.binom.sf(19, 20, 0.5), abs=0.001)  # far below 0.86
    assert found.gap_low > 0 and found.gap_high < 1


def test_it_is_the_exact_probability() -> None:
    """Against all arrangements of five games, counted one by one."""
    won, players = [0, 0, 1, 0, 0], 3
    statistics = [((np.bincount(w, minlength=players) - 5 / 3) ** 2).sum() for w in product(range(players), repeat=5)]
    own = ((np.bincount(won, minlength=players) - 5 / 3) ** 2).sum()
    exact = np.mean(np.array(statistics) >= own - 1e-9)
    assert row_of(("a",) * players, won_by(won, players)).chance == pytest.approx(exact, abs=0.015)


def test_of_many_games_without_ties_it_is_the_test_of_pearson() -> None:
    places = made_up(ONE_BOT, 3000, np.random.default_rng(23), first=0.1)
    wins = (places == 1).sum(axis=0)
    assert row_of(ONE_BOT, places).chance == pytest.approx(stats.chisquare(wins).pvalue)


@pytest.mark.parametrize("bots", [ONE_BOT, SOME_BOTS, TWO_BOTS])
def test_drawn_arrangements_and_chi_square_agree(bots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    places = made_up(bots, 900, np.random.default_rng(24), step=1.5, first=0.1)
    drawn = row_of(bots, places).chance
    monkeypatch.setattr(equal_seats, "FEW", 0)
    assert row_of(bots, places).chance == pytest.approx(drawn, abs=0.02)


def test_what_cannot_be_known_is_not_told() -> None:
    assert np.isnan(chance_of_equal_seats(gap_of(SOME_BOTS, won_by([0], 4)).won))
    assert np.isnan(row_of(SOME_BOTS, won_by([0, 1, 2, 3], 4)).chance)  # the same bot always
    assert gap_of(ONE_BOT, won_by([0], 4)).table().empty
    nobody = row_of(ONE_BOT, np.full((5, 4), 2, np.int32))
    assert nobody.gap == 0 and np.isnan(nobody.chance)


def test_strong_bots_are_no_good_seats() -> None:
    """A bot that wins nearly always: the seats differ by no more than where it sat."""
    generator = np.random.default_rng(25)
    found = row_of(SOME_BOTS, made_up(SOME_BOTS, 22, generator))  # not whole rotations
    assert found.chance > 0.05 and found.gap_low == 0


@pytest.mark.parametrize(("bots", "first"), [(ONE_BOT, 0.0), (ONE_BOT, 3.0), (SOME_BOTS, 2.0), (("a", "a"), 0.0)])
@pytest.mark.parametrize("games", [3, 10, 20, 60])
def test_the_gap_of_few_games_is_covered(bots: tuple[str, ...], first: float, games: int) -> None:
    generator = np.random.default_rng(26)
    wins = (made_up(bots, 100_000, generator, first=first) == 1).mean(axis=0)
    truth = np.ptp(wins) if first else 0.0
    studies = [gap_of(bots, made_up(bots, games, generator, first=first)) for _ in range(STUDIES)]
    bounds = np.array([study._bounds() for study in studies])
    gaps = np.array([np.ptp(study.rates()) for study in studies])
    low, high = np.minimum(bounds[:, 0], gaps), np.maximum(bounds[:, 1], gaps)
    assert ((low <= truth) & (truth <= high)).mean() >= 0.92
    assert (high - low).min() > 0.1


def test_chunks_make_no_difference() -> None:
    places = made_up(SOME_BOTS, 101, np.random.default_rng(27))
    whole, found = results(SOME_BOTS, places), SeatGap(SOME_BOTS)
    for rows in (slice(0, 30), slice(30, None)):
        names = ("number", "bots", "scores", "places", "lengths", "facts")
        found.add(Results(SOME_BOTS, *(getattr(whole, name)[rows] for name in names)))
    pd.testing.assert_frame_equal(found.table(), gap_of(SOME_BOTS, places).table())


def test_shares_of_sets() -> None:
    np.testing.assert_allclose(shares_of_sets(2), [[0, 0], [1, 0], [0, 1], [0.5, 0.5]])
