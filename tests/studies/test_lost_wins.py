"""Losses of wins against a base that is known: no false alarms together, sharp intervals, and the ends of the scale."""

import numpy as np
import pandas as pd
import pytest

from experiments.restrict import _is_sure, _losses, _said, _sheet, _wide
from experiments.studies.lost_wins import LostWins
from experiments.studies.paired import Estimate, Paired

CHANCES = np.array([0.35, 0.24, 0.22, 0.19])  # of seats with the same bot


def played(generator, games: int, factor: float = 1.0) -> np.ndarray:
    """The shares of four seats, of which the one that is looked at wins `factor` times as often as a free one."""
    chances = np.tile(CHANCES, (games, 1))
    own = np.arange(games), seats(games)
    lost = chances[own] * (1 - factor)
    chances += lost[:, None] / 3
    chances[own] -= lost * 4 / 3
    winner = (generator.random(games)[:, None] > chances.cumsum(axis=1)).sum(axis=1)
    return np.eye(4)[winner]


def seats(games: int) -> np.ndarray:
    return np.arange(games) % 4


def loss(here: np.ndarray, base: np.ndarray) -> Estimate:
    found, half = LostWins(base.shape[1]), len(base) // 2
    for part in (slice(0, half), slice(half, None)):
        alike = (here[part] == base[part]).all(axis=1)
        found.add(np.arange(len(base))[part] % base.shape[1], here[part], base[part], alike)
    return found.loss()


def row(name: str, found: Estimate, **more: float) -> dict:
    """A row of the table of `critters restrict`."""
    ends = {"win_lost": found.value, "win_lost_low": found.low, "win_lost_high": found.high}
    zeros = dict.fromkeys(("forced", "win_free", "score_lost", "score_lost_low", "score_lost_high"), 0.0)
    free = {f"win_restricted{end}": 0.2 for end in ("", "_low", "_high")}
    return {"class": name, "games": 200, "uses": 1.0, "bound": 3.0, "same": 0.03, **zeros, **free, **ends, **more}


def table(*rows: dict) -> pd.DataFrame:
    frame = pd.DataFrame(rows)
    return frame.assign(**_wide(frame, 4))


def test_six_worthless_bans_are_rarely_starred_although_they_share_one_base():
    """Separate games: against the base that happened to be played a quarter of the studies would have a star."""
    generator, studies, stars, against_base = np.random.default_rng(5), 400, 0, 0
    for _ in range(studies):
        base = played(generator, 200)
        bans = [played(generator, 200) for _ in range(6)]
        rows = table(*(row(str(k), loss(ban, base)) for k, ban in enumerate(bans)))
        stars += any(_is_sure(one) for _, one in rows.iterrows())
        naive = [_paired(ban, base) for ban in bans]
        against_base += any(one.low > 0 or one.high < 0 for one in naive)
    assert stars / studies <= 0.07 and against_base / studies > 0.15


def _paired(here: np.ndarray, base: np.ndarray) -> Estimate:
    sums, own = Paired(is_rate=True), (np.arange(len(base)), seats(len(base)))
    sums.add(*(np.stack([shares[own], np.ones(len(base))], axis=1) for shares in (base, here)))
    return sums.difference()


@pytest.mark.parametrize("alike", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("factor", [1.0, 0.5])
def test_losses_are_covered_and_known_as_well_as_from_either_base(alike, factor):
    """Of the games that are not alike, the seat loses the part 1 - `factor` of its wins."""
    generator, studies, games = np.random.default_rng(3), 400, 200
    true = (1 - alike) * 0.25 * (1 - factor)
    found, own, alone = [], (np.arange(games), seats(games)), []
    for _ in range(studies):
        base, here = played(generator, games), played(generator, games, factor)
        same = generator.random(games) < alike
        here[same] = base[same]
        found.append(loss(here, base))
        paired = _paired(here, base)
        alone.append((paired.high - paired.low, 2 * 1.97 * here[own].std(ddof=1) / np.sqrt(games)))
    assert 0.92 <= np.mean([one.low <= true <= one.high for one in found]) <= 0.995
    assert np.mean([one.value for one in found]) == pytest.approx(true, abs=0.006)
    width = np.mean([one.high - one.low for one in found])
    assert width < 1.04 * min(np.mean(alone, axis=0)) + 0.01
    if alike == 0.5:
        assert width < 0.9 * min(np.mean(alone, axis=0))


def test_a_seat_that_never_wins_has_lost_an_equal_share_at_most():
    base = played(np.random.default_rng(1), 60)
    here = base.copy()
    here[np.arange(60), seats(60)] = 0
    found = loss(here, base)
    assert found.value == pytest.approx(0.25) and found.high == pytest.approx(0.25) and 0.15 < found.low < 0.22
    assert loss(base, base) == Estimate(0, 0, 0)


def test_a_few_changes_that_change_nobody_s_wins_make_nothing_certain():
    base = played(np.random.default_rng(1), 200)
    found = LostWins(4)
    found.add(seats(200), base, base, np.arange(200) > 5)
    assert found.loss().value == 0 and found.loss().low < -0.005 and 0.005 < found.loss().high < 0.02


def test_where_nobody_may_win_the_base_is_measured():
    """Alone there is no other seat whose luck could be known; with others it is not 1 / players that is won."""
    generator = np.random.default_rng(2)
    base, here = (generator.random((400, 1)) < np.array([[0.7], [0.5]])[:, None]).astype(float)
    found, paired = loss(here, base), Estimate(base.mean() - here.mean(), 0, 0)
    error = np.std(base - here, ddof=1) / 20
    assert found.value == pytest.approx(paired.value) and found.high - found.value == pytest.approx(
        1.966 * error, rel=0.01
    )
    hits, wins = 0, 0
    for _ in range(400):
        base, here = played(generator, 200), played(generator, 200)
        base[generator.random(200) < 0.4] = here[generator.random(200) < 0.4] = 0
        found = loss(here, base)
        hits += found.low <= 0 <= found.high
        wins += found.value
    assert 0.92 <= hits / 400 <= 0.98 and abs(wins / 400) < 0.006


def test_few_games_have_no_interval():
    base = played(np.random.default_rng(1), 5)
    assert np.isnan(loss(base[:3], base[:3]).low) and np.isnan(loss(1 - base, base).low)
    rows = table(row("few", loss(1 - base, base), games=5))
    assert not _is_sure(rows.iloc[0])


def test_what_is_said_of_a_loss():
    """A loss of 5 points, of which the interval by itself leaves out 0, but not beside five others."""
    close, far = Estimate(0.05, 0.01, 0.09), Estimate(0.2, 0.15, 0.25)
    others = [row(f"other {k}", Estimate(0, -0.04, 0.04)) for k in range(4)]
    rows = table(row("close", close), row("far", far), row("rare", far, uses=0.01), *others)
    told = [_said(one, 100) for _, one in rows.iterrows()]
    assert told[0].endswith("may be chance, as several classes were tried.") and told[1].endswith("points of wins.")
    assert "uses rare 0.01 times" in told[2] and "loses" not in told[2] and told[3].endswith("which may be chance.")
    assert [line[-1] for line in _sheet(rows, "").rows] == ["", "*", *[""] * 5]
    assert _is_sure(table(row("close", close)).iloc[0])


def test_a_ban_that_never_bound_is_not_drawn(monkeypatch):
    drawn = []
    monkeypatch.setattr("experiments.reports.answers.ranges", lambda name, rows, what: drawn.append(rows) or "")
    nothing = Estimate(0, 0, 0)
    unwanted = row("unwanted", nothing, same=1.0)
    rows = table(row("far", Estimate(0.2, 0.1, 0.3)), row("idle", nothing, bound=0.0, same=1.0), unwanted)
    picture = _losses(rows)
    picture.draw()
    assert drawn[0].label.tolist() == ["far", "unwanted"]
    assert picture.how_to_read.endswith("Not drawn, as the ban never bound: idle.")
    assert ["never bound" in line for line in _sheet(rows, "").rows] == [False, True, False]
