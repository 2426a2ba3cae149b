"""How games are won, by points, by a tie-break or together, and what is said of games that are tied on points."""

import dataclasses

import numpy as np
import pytest
from pebbles import PEBBLES

import tabletop
from experiments.reports import play_sections, sections, tables
from experiments.reports.counts import Counts
from experiments.reports.courses import Courses
from experiments.reports.findings import findings_of
from experiments.reports.sections import Told
from experiments.reports.ties import Ties, ways_of
from experiments.studies import Specification
from experiments.summary import rate_interval
from tabletop import Results, Variant
from tabletop.course import DECIDED, MARGIN, MEASURES
from tabletop.matches import Course

BOTS = ("same",) * 3
SCORES = [(7, 5, 2), (5, 5, 2), (5, 5, 2), (4, 1, 4), (3, 3, 3), (0, 1, 2)]
PLACES = [(1, 2, 3), (1, 1, 3), (2, 1, 3), (3, 2, 1), (1, 1, 1), (3, 2, 1)]
WON = ["points", "shared", "tie_break", "tie_break", "shared", "points"]
DECIDED_AT = [0.5, 1.0, 1.0, 1.0, 1.0, 0.8]


@pytest.fixture
def game() -> Variant:
    return tabletop.make(PEBBLES, players=3)


def results(*games: int) -> Results:
    """Those of the games above with these numbers."""
    chosen = list(games)
    scores, places = np.array(SCORES, np.int32)[chosen], np.array(PLACES, np.int32)[chosen]
    measures = np.zeros((len(chosen), len(MEASURES)))
    ordered = np.sort(scores, axis=1)
    measures[:, DECIDED], measures[:, MARGIN] = np.array(DECIDED_AT)[chosen], ordered[:, -1] - ordered[:, -2]
    number, facts = np.arange(len(chosen)), np.zeros((len(chosen), len(PEBBLES.facts), 4), np.int32)
    course = Course(measures, np.zeros((1, 0, 9)), np.zeros((1, 8)))
    bots = np.broadcast_to(np.arange(3), scores.shape)
    return Results(BOTS, number, bots, scores, places, np.full(len(chosen), 9), facts, course=course)


def test_how_each_game_was_won() -> None:
    assert [("points", "tie_break", "shared")[way] for way in ways_of(results(*range(6)))] == WON


def test_ways_to_win_are_counted_by_seat() -> None:
    ties = Ties(3)
    for chunk in ((0, 1, 2), (3, 4, 5)):
        ties.add(results(*chunk))
    table = ties.table().set_index("seat")
    assert (table.games == 6).all()
    for seat, points, tie_break, shared in (("", 2, 2, 2), ("0", 1, 0, 2), ("1", 0, 1, 2), ("2", 1, 1, 1)):
        found = table.loc[seat]
        assert (6 * found.points, 6 * found.tie_break, 6 * found.shared) == pytest.approx((points, tie_break, shared))
    assert (table.points_low[""], table.points_high[""]) == rate_interval(1 / 3, np.sqrt(2 / 9 / 6), 6)


def test_games_that_nobody_won_are_not_won_by_points() -> None:
    ties, played = Ties(3), results(0, 1)
    ties.add(dataclasses.replace(played, places=played.places + 1))
    assert (ties.table()[["points", "tie_break", "shared"]] == 0).all(axis=None)
    assert Ties(1).table().empty


def test_games_tied_on_points_do_not_say_when_the_lead_was_taken(game: Variant) -> None:
    courses = Courses(game)
    courses.add(results(*range(6)))
    row = courses.table().iloc[0]
    assert (row.games, row.decided_games) == (6, 2)
    assert row.decided == pytest.approx(0.65) and row.margin == pytest.approx(0.5)
    assert (row.decided_low, row.decided_high) == (0, 1)  # of two games, which tell nothing
    counts = Counts(game, BOTS)
    counts.add(results(*range(6)))
    table = counts.table()
    assert table[table.name == "course_decided"].value.tolist() == pytest.approx([0.5, 0.8])


def test_where_all_games_are_tied_nothing_is_said_of_it(game: Variant) -> None:
    courses = Courses(game)
    courses.add(results(1, 2))
    row = courses.table().iloc[0]
    assert row.decided_games == 0 and np.isnan([row.decided, row.decided_low, row.decided_high]).all()
    assert play_sections._number("decided", row.decided) == play_sections._with_interval("decided", row) == "–"


def test_shares_lie_in_steps_that_end_at_1(game: Variant) -> None:
    """Shares come from tables of games as single-precision numbers."""
    played = results(*[0] * 5)
    assert played.course
    played.course.measures[:, MEASURES.index("behind")] = np.array([0.0, 0.3, 0.95, 0.999, 1.0], np.float32)
    counts = Counts(game, BOTS)
    counts.add(played)
    table = counts.table()
    own = table[table.name == "course_behind"]
    assert own.value.tolist() == pytest.approx([0, 0.3, 0.95]) and own["count"].tolist() == [1, 1, 3]


@pytest.fixture(scope="module")
def bites() -> Told:
    plan = Specification(game="bites", players=3, bots=("uniform",), options={"wine": "random"}, games=120, seed=2)
    return Told(plan, findings_of(plan))


def test_bites_page_tells_ties(bites: Told) -> None:
    every = bites.findings.ties.iloc[0]
    assert every.tie_break == 0 < every.shared < 1 and every.points + every.shared == pytest.approx(1)
    short, (seats,) = sections.summary(bites), sections.seats(bites)
    assert f"{100 * every.shared:.1f} % were shared, and 0.0 % were decided by a tie-break" in short
    decided = bites.findings.course.iloc[0]
    assert decided.decided_games == round(120 * every.points)
    assert f"Where one seat won by points, in {decided.decided_games} games, it takes the lead" in short
    assert "by a tie-break of equal points" in seats and f"{100 * every.points:.1f} (" in seats


def test_bites_page_tells_the_course_with_each_card(bites: Told) -> None:
    (page,) = play_sections.course(bites)
    own = bites.findings.course
    row = own[own.category == "collector"].iloc[0]
    turns = f"{row.turns:.2f} ({row.turns_low:.2f} to {row.turns_high:.2f})"
    behind = f"{100 * row.behind:.1f} ({100 * row.behind_low:.1f} to {100 * row.behind_high:.1f})"
    assert f'<th scope="row">collector</th><td>{row.games}</td><td>{turns}</td>' in page and behind in page
    assert not any(name in page for name in (">lead_changes<", ">behind<", ">decided<"))


def test_bites_terminal_is_silent_of_the_lead_where_all_games_are_tied(bites: Told) -> None:
    course = bites.findings.course.assign(decided=np.nan, decided_low=np.nan, decided_high=np.nan, decided_games=0)
    (shown,) = tables._course_table(course)
    cells = [str(cell) for column in shown.columns for cell in column.cells]
    assert not any("for good" in cell or "nan" in cell for cell in [*cells, str(shown.caption)])
    told = Told(bites.plan, dataclasses.replace(bites.findings, course=course))
    assert "for good" not in sections.summary(told)
