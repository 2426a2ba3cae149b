"""How often 95 % intervals cover the truth: in many studies of made-up games of which the true rates are known.

The games have ties, several seats of one bot, and seats that depend on each other. Each rate and mean of a summary, by
seat, bot and fact, differences of choices, and means of the course lie in their intervals in 93 to 97 of 100 studies.
Two kinds are exceptions. Rates below 2 %, of which a study may hold no win or a single one and nothing between, are
covered in at least 83 of 100. The gap between seats, rates over ten games or fewer, and what is certain are covered in
93 or more, however many.
"""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from pebbles import PEBBLES
from statsmodels.stats.proportion import proportion_confint

import tabletop
from experiments.reports import equal_seats
from experiments.reports.choices import FEWEST, Choices, compared, places, sure
from experiments.reports.courses import Courses
from experiments.reports.gaps import SeatGap
from experiments.summary import (
    ALL,
    MEASURED,
    Summary,
    in_columns,
    leaves_out_zero,
    mean_interval,
    rate_interval,
    ratio,
    win_shares,
    with_interval,
)
from experiments.summary import GAMES as GAMES_OF_CELL
from tabletop import Results, Variant
from tabletop.course import MEASURES
from tabletop.game import Fact
from tabletop.matches import Course

PLAYERS = 4
BOTS = ("strong", "weak", "strong", "weak")
STUDIES, GAMES = 1500, 250  # a share of so many studies is known to ± 0.0056, its standard error
LOW, HIGH = 0.93, 0.97
RARE = 0.02  # a rate below which GAMES hold hardly a win
FACT = Fact("class", "class of a seat", ("mage", "thief"), of_seat=True)


@pytest.fixture(scope="module")
def game() -> Variant:
    """A game with a fact of the seats; it is not played here."""
    variant = tabletop.make(PEBBLES, players=PLAYERS)
    variant.game = dataclasses.replace(PEBBLES, facts=(FACT,))
    return variant


def made_up(
    games: int,
    generator: np.random.Generator,
    seat_points: tuple[float, ...] = (1.0, 0.0, 0.0, 0.5),
    strength: float = 1.5,
) -> Results:
    """Games in which small scores make many ties, all seats share what the deal is worth, and bots sit in rotation."""
    number = np.arange(games)
    bots = (np.arange(PLAYERS)[None, :] - number[:, None]) % PLAYERS
    facts = np.zeros((games, 1, PLAYERS), np.int32)
    facts[:, 0] = generator.random((games, PLAYERS)) < generator.uniform(0.2, 0.8, (games, 1))
    points = 5 + np.array(seat_points) + strength * (bots % 2 == 0) + 0.8 * facts[:, 0]
    points = points + generator.normal(0, 1.5, (games, 1)) + generator.normal(0, 1.5, (games, PLAYERS))
    scores = np.round(points).astype(np.int32)
    places = (1 + (scores[:, :, None] < scores[:, None, :]).sum(axis=2)).astype(np.int32)
    return Results(BOTS, number, bots, scores, places, np.full(games, 9), facts)


def summed(game: Variant, results: Results) -> Summary:
    summary = Summary(game, BOTS)
    summary.add(results)
    return summary


@pytest.mark.parametrize("strength", [1.5, 6.0])  # so much that the weak bots hardly ever win
def test_rates_and_means_by_seat_bot_and_fact(game: Variant, strength: float) -> None:
    generator = np.random.default_rng(1)
    truth = summed(game, made_up(400_000, generator, strength=strength))
    with_games = np.flatnonzero(truth.sums[:, :, 0].any(axis=0))
    means = np.array([[truth.estimate(cell, m)[0] for m in (0, 1)] for cell in with_games])
    covered, found = np.zeros(means.shape), Summary(game, BOTS)
    for _ in range(STUDIES):
        sum_anew(found, made_up(GAMES, generator, strength=strength))
        for row, cell in enumerate(with_games):
            for m in (0, 1):
                _, low, high = found.estimate(cell, m)
                covered[row, m] += low - 1e-12 <= means[row, m] <= high + 1e-12
    shares = covered / STUDIES
    is_certain = np.isclose(means, 1 / PLAYERS, atol=1e-9)  # all seats together share one win, whatever happens
    is_rare = means < RARE
    others = shares[~is_certain & ~is_rare]
    assert shares[is_certain].tolist() == [1.0] and others.size > 45
    assert others.min() >= LOW and others.max() <= HIGH  # each cell by itself
    assert (shares[is_rare] > 0.83).all()  # e^-0.18 = 0.84 just below the rate that a single win is the least sign of


def sum_anew(summary: Summary, results: Results) -> None:
    """Sums up a study in a summary that held another one, which takes a fraction of the time of a new one."""
    summary.sums[:] = 0
    summary.add(results)


def test_how_the_bots_sit_is_no_error(game: Variant) -> None:
    """The rate of a seat differs between studies by as much as its error says: which bot sits there is no chance."""
    generator, first_seat, studies = np.random.default_rng(11), 1, 300
    found = [summed(game, made_up(GAMES, generator, strength=6.0)).sums for _ in range(studies)]
    means, errors = np.array([ratio(sums[:, first_seat], sums[:, 0, GAMES_OF_CELL], MEASURED) for sums in found]).T
    assert errors.mean() == pytest.approx(means.std(ddof=1), rel=0.12)
    together = [ratio(sums[:, first_seat].sum(axis=0)[None], np.array([float(GAMES)]), MEASURED)[1] for sums in found]
    assert np.mean(together) > 1.18 * errors.mean()  # as if the bots sat by chance


def with_thieves(games: int, lost: float, generator: np.random.Generator) -> Results:
    """Games with one thief or three: a mage wins a share `lost` of the games, else a thief does."""
    seats, number = np.arange(PLAYERS), np.arange(games)
    thieves = seats < np.where(generator.random((games, 1)) < 0.5, 1, PLAYERS - 1)
    winner = np.where(generator.random(games) < lost, PLAYERS - 1, 0)
    places = np.where(seats == winner[:, None], 1, 2).astype(np.int32)
    bots = (seats - number[:, None]) % PLAYERS
    return Results(BOTS, number, bots, 3 - places, places, np.full(games, 9), thieves[:, None, :].astype(np.int32))


@pytest.mark.parametrize("lost", [0.0, 0.004, 0.02, 0.1, 0.5, 0.95, 0.98])
def test_rates_of_some_seats_of_a_game_be_they_one_or_three(game: Variant, lost: float) -> None:
    generator, covered, truth = np.random.default_rng(10), 0, (1 - lost) / 2
    found = Summary(game, BOTS)
    thief = cell_of(found, ("class", ALL), "thief")
    for _ in range(STUDIES):
        sum_anew(found, with_thieves(GAMES, lost, generator))
        _, low, high = found.estimate(thief, 0)
        covered += low <= truth <= high
    assert LOW <= covered / STUDIES <= HIGH


def cell_of(summary: Summary, grouping: tuple[str, str], label: str) -> int:
    """Of a grouping by a fact alone."""
    place = summary.groupings.index(grouping)
    return [0, *summary.ends][place] + summary.axes[grouping[0]].labels.index(label)


def test_rounding_does_not_make_a_sure_win_unsure() -> None:
    assert rate_interval(1 - 1e-16, 1e-17, 300) == rate_interval(1.0, 0.0, 300)


def test_few_games_that_were_all_shared_are_not_certain(game: Variant) -> None:
    played = made_up(4, np.random.default_rng(12))
    places = np.broadcast_to(np.array([1, 1, 2, 2], np.int32), played.places.shape)
    found = summed(game, dataclasses.replace(played, places=places)).table()
    whole, first = found.iloc[0], found[found.seat == "0"].iloc[0]
    assert (whole.win_low, whole.win, whole.win_high) == (0.25, 0.25, 0.25)
    assert first.win == 0.5 and first.win_low < 0.4 and first.win_high > 0.6


def gap_of(results: Results) -> SeatGap:
    found = SeatGap(BOTS)
    found.add(results)
    return found


@pytest.mark.parametrize("seat_points", [(0.0, 0.0, 0.0, 0.0), (0.4, 0.0, 0.0, 0.2), (2.0, 0.0, 1.0, 0.0)])
def test_the_gap_between_seats_is_covered_at_least_as_often(
    seat_points: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(equal_seats, "FEW", 0)  # chi-square is right with 250 games and takes less time
    generator = np.random.default_rng(2)
    rates = win_shares(made_up(400_000, generator, seat_points).places).mean(axis=0)
    truth = np.ptp(rates) if any(seat_points) else 0.0
    covered = chances = 0
    for _ in range(400):
        (_, found), *_ = gap_of(made_up(GAMES, generator, seat_points)).table().iterrows()
        covered += found.gap_low <= truth <= found.gap_high
        chances += found.chance < 0.05
    assert covered / 400 >= LOW
    if not any(seat_points):
        assert 0.03 <= chances / 400 <= 0.075  # the test of equal seats errs as often as it says


def test_the_gap_is_told_with_its_seats() -> None:
    (_, found), *_ = gap_of(made_up(20_000, np.random.default_rng(3), (0.0, 2.0, 1.0, 0.5))).table().iterrows()
    assert (found.best, found.worst) == (1, 0)
    assert found.gap_low < found.gap < found.gap_high and found.chance < 1e-6
    assert gap_of(made_up(1, np.random.default_rng(3))).table().empty


def products(y: np.ndarray, z: np.ndarray, m: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What `tabletop.course` sums for one event."""
    sums = [(a * b).sum() for a, b in ((y, 1), (z, 1), (y, y), (z, z), (y, z), (y, m), (z, n), (y, n), (z, m))]
    totals = [(a * b).sum() for a, b in ((m, 1), (n, 1), (m, m), (n, n), (m, n))]
    return np.array(sums, np.int64), np.array([*totals, 0, 0, len(y)], np.int64)


def choices_made(games: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Winners choose an event more often; in some games everybody does, and long games differ from short ones."""
    m, n = generator.integers(3, 12, games), generator.integers(9, 36, games)
    common = generator.uniform(0.05, 0.35, games) + 0.005 * m
    return products(generator.binomial(m, common + 0.05), generator.binomial(n, common), m, n)


def test_differences_of_choices() -> None:
    generator = np.random.default_rng(4)
    p, q, truth, *_ = compared(*choices_made(1_000_000, generator))
    assert p - q == pytest.approx(truth) and truth == pytest.approx(0.05, abs=0.005)
    intervals = np.array([compared(*choices_made(GAMES, generator))[3:] for _ in range(STUDIES)])
    assert LOW <= ((intervals[:, 0] <= truth) & (truth <= intervals[:, 1])).mean() <= HIGH


def test_choices_of_nobody_have_no_interval() -> None:
    sums, totals = products(*np.zeros((4, 5), np.int64))
    assert np.isnan(compared(sums, totals)[2:]).all()


EVENTS = 40  # as Bites has


def table_of(game: Variant, generator: np.random.Generator, games: int, more: float = 0.0) -> pd.DataFrame:
    """Choices among EVENTS of one bot, most of which are rare; winners choose the last one by `more` more often."""
    found = Choices(game, ("uniform",))
    assert found.choices.shape[1] == EVENTS
    m, n = generator.integers(10, 30, games), generator.integers(30, 90, games)
    for event in range(EVENTS):
        rate = 0.2 * generator.uniform(0, 1, games) / (1 + event % 20)
        y = generator.binomial(m, rate + more * (event == EVENTS - 1))
        found.choices[0, event], found.totals[0] = products(y, generator.binomial(n, rate), m, n)
    return found.table()


def test_no_event_of_many_seems_to_differ() -> None:
    """Where winners choose as all do, intervals of single events claim a preference nearly always, wide ones hardly."""
    generator, bites, alone, together, studies = np.random.default_rng(8), tabletop.make("bites"), 0, 0, 150
    for _ in range(studies):
        table = table_of(bites, generator, 400)
        alone += ((table.low > 0) | (table.high < 0)).any()
        together += sure(table).any()
    assert alone / studies > 0.8 and together / studies <= 0.09


def test_a_preference_is_found_among_many_events() -> None:
    table = table_of(tabletop.make("bites"), np.random.default_rng(9), 400, 0.05)
    assert table.token[sure(table)].tolist() == [table.token[EVENTS - 1]]
    assert (table.wide_low < table.low).all() and (table.wide_high > table.high).all()


def test_what_is_chosen_rarely_is_not_sure() -> None:
    table = pd.DataFrame({"winners": 0, "others": [FEWEST - 1, FEWEST], "wide_low": -0.02, "wide_high": -0.01})
    assert sure(table).tolist() == [False, True]


def test_a_place_of_several_events_has_the_sum_of_their_intervals() -> None:
    names = ("bot", "kind", "place", "winners", "others", "winners_share", "others_share", "wide_low", "wide_high")
    rows = [
        ("a", "monk", "italia", 60, 80, 0.06, 0.04, 0.01, 0.03),
        ("a", "monk", "italia", 40, 20, 0.04, 0.01, -0.02, 0.08),
        ("a", "monk", "gallia", 100, 100, 0.1, 0.05, 0.02, 0.08),
        ("b", "monk", "italia", 10, 10, 0.5, 0.5, -0.1, 0.1),
    ]
    found = places(pd.DataFrame(rows, columns=list(names)), "a", "monk").set_index("place")
    italia = found.loc["italia"]
    assert (italia.wide_low, italia.wide_high) == pytest.approx((-0.01, 0.11))
    assert (italia.share, italia.preference) == pytest.approx((0.5, 1.0))
    assert sure(found).to_dict() == {"italia": False, "gallia": True}


def test_means_of_the_course(game: Variant) -> None:
    generator = np.random.default_rng(5)
    covered = 0
    for _ in range(STUDIES):
        courses, results = Courses(game), made_up(60, generator)
        measures = np.repeat(generator.exponential(3.0, (60, 1)), len(MEASURES), axis=1)
        courses.add(dataclasses.replace(results, course=Course(measures, np.zeros(0), np.zeros(0))))  # type: ignore[arg-type]
        low, high = mean_interval(*mean_and_error(courses), 60)
        covered += low <= 3.0 <= high
    assert LOW <= covered / STUDIES <= HIGH  # 0.937 are expected, of sixty games and a very skew distribution


def mean_and_error(courses: Courses) -> tuple[float, float]:
    """Of the first measure; `Courses.table` itself takes too long for so many studies."""
    games, total, squares = courses.sums[0, 0], courses.sums[0, 1], courses.sums[0, 1 + len(MEASURES)]
    mean = total / games
    return float(mean), float(np.sqrt((squares / games - mean**2) / (games - 1)))


def test_the_table_of_the_course_has_that_interval(game: Variant) -> None:
    courses, results = Courses(game), made_up(60, np.random.default_rng(6))
    measures = np.random.default_rng(6).exponential(3.0, (60, len(MEASURES)))
    courses.add(dataclasses.replace(results, course=Course(measures, np.zeros(0), np.zeros(0))))  # type: ignore[arg-type]
    row = courses.table().iloc[0]
    assert (row.decisions_low, row.decisions_high) == pytest.approx(mean_interval(*mean_and_error(courses), 60))
    assert row.margin == pytest.approx(measures[:, MEASURES.index("margin")].mean())


@pytest.mark.parametrize("games", [2, 3, 5, 10])
def test_rates_of_few_games_are_covered(games: int) -> None:
    """Games of ten trials each; at 0 and 1 each game counts as one trial."""
    generator = np.random.default_rng(7)
    shares = generator.binomial(10, 0.3, (STUDIES, games)) / 10
    shares = shares[shares.std(axis=1) > 0]
    found = [rate_interval(one.mean(), one.std(ddof=1) / np.sqrt(games), games) for one in shares]
    assert np.mean([low <= 0.3 <= high for low, high in found]) >= LOW


def test_rates_of_many_games_have_wilsons_interval() -> None:
    for rate, games in ((0.3, 4000), (0.0, 3000), (1.0, 3000), (0.998, 20_000)):
        expected = proportion_confint(rate * games, games, method="wilson")
        assert rate_interval(rate, np.sqrt(rate * (1 - rate) / games), games) == pytest.approx(expected, abs=1e-4)


def test_an_interval_is_cut_where_the_impossible_begins(game: Variant) -> None:
    assert mean_interval(0.3, 0.1, 3) == pytest.approx((-0.1303, 0.7303), abs=1e-4)
    assert mean_interval(0.3, 0.1, 3, (0.0, 0.5)) == (0.0, 0.5)
    assert np.isnan(mean_interval(0.3, np.nan, 3, (0.0, 0.5))).all()
    found = summed(game, made_up(3, np.random.default_rng(13))).table()
    assert found.place_low.min() == 1 and found.place_high.max() == PLAYERS
    assert found.score_low.min() < 0  # points below 0 are possible


def test_a_number_that_was_below_0_has_no_bound_there() -> None:
    variant = tabletop.make(PEBBLES, players=PLAYERS)
    variant.game = dataclasses.replace(PEBBLES, facts=(Fact("warmth", "degrees"),))
    for coldest in (0, -1):
        facts = np.array([coldest, 0, 9], np.int32)[:, None, None] * np.ones((3, 1, PLAYERS), np.int32)
        played = dataclasses.replace(made_up(3, np.random.default_rng(14)), facts=facts)
        low = summed(variant, played).table().warmth_low[0]
        assert low == 0 if coldest == 0 else low < -10


def test_one_game_has_no_interval() -> None:
    assert np.isnan(rate_interval(1.0, 0.0, 1)).all() and np.isnan(rate_interval(0.5, np.nan, 1)).all()
    assert (
        with_interval((75.04, np.nan, np.nan), 1) == "75.0" and with_interval((75, 60.25, 85), 1) == "75.0 [60.2, 85.0]"
    )


def test_a_number_with_its_interval_takes_three_columns() -> None:
    assert in_columns("win", np.array([0.3, 0.2, 0.4])) == {"win": 0.3, "win_low": 0.2, "win_high": 0.4}
    assert [
        leaves_out_zero(*ends) for ends in ((0.1, 0.2), (-0.2, -0.1), (-0.1, 0.1), (0.0, 0.1), (np.nan, np.nan))
    ] == [
        True,
        True,
        False,
        False,
        False,
    ]
