"""What happens in the course of games: compiled loops against the definitions, told again in plain Python."""

from itertools import pairwise

import numpy as np
import pytest
from pebbles import PEBBLES

import tabletop
from experiments.reports.courses import Courses
from tabletop import Results, Variant, matches, plain_bot
from tabletop.course import CHOICES, MEASURES, TOTALS

GAMES = 120
SEED = 5


@pytest.fixture(scope="module", params=[2, 3, 4])
def game(request: pytest.FixtureRequest) -> Variant:
    return tabletop.make(PEBBLES, players=request.param, take="up_to", heaps=5)


def played(game: Variant, bots: str | list = "uniform", games: int = GAMES, **others: int) -> Results:
    return matches.play_games(game, games, bots, SEED, with_course=True, **others)


@pytest.fixture(scope="module")
def results(game: Variant) -> Results:
    return played(game)


def told(game: Variant, results: Results, number: int) -> tuple[list[tuple[int, int, int]], list[list[int]]]:
    """The decisions of a game (seat, event, legal actions), and the points after each turn."""
    bots = matches.seat_bots(game, "uniform")
    states, events = game.new(1), matches.play_recorded(game, bots, results.bots[number], number, SEED)[1]
    decisions: list[tuple[int, int, int]] = []
    points = []
    for event in events:
        mover = int(game.to_move(states)[0])
        if mover >= 0:
            if decisions and decisions[-1][0] != mover:
                points.append(game.scores(states)[0].tolist())
            decisions.append((mover, int(event), len(game.legal(states)[0])))
        game.step(states, [event])
    return decisions, [*points, game.scores(states)[0].tolist()]


def leader(points: list[int]) -> int | None:
    return points.index(max(points)) if points.count(max(points)) == 1 else None


def expected(decisions: list[tuple[int, int, int]], points: list[list[int]], winners: list[int]) -> dict[str, float]:
    """The measures by their definitions."""
    legal = [n for _, _, n in decisions]
    span = max(max(p) - min(p) for p in points)
    before = points[:-1]
    leaders = [one for one in map(leader, points) if one is not None]
    leads = [sorted(p)[-1] - sorted(p)[-2] for p in before]
    behind = {w: [max(p) - p[w] for p in before if p[w] < max(p)] for w in winners}
    turns = range(1, len(before) + 1)
    undecided = [t for t, p in enumerate(points, 1) if leader(p) != winners[0]]
    final = sorted(points[-1])
    return {
        "decisions": len(legal),
        "options": np.mean(legal),
        "real": np.mean([n > 1 for n in legal]),
        "turns": len(points),
        "lead_changes": sum(a != b for a, b in pairwise(leaders)),
        "behind": np.mean([len(behind[w]) / max(1, len(before)) for w in winners]),
        "comeback": np.mean([max(behind[w], default=0) for w in winners]),
        "drama": np.mean([np.mean(np.sqrt(np.divide(behind[w], span))) if behind[w] else 0 for w in winners]),
        "uncertainty": 1 - np.mean(leads) / span if leads and span else 1,
        "late_uncertainty": 1 - np.average(leads, weights=list(turns)) / span if leads and span else 1,
        "decided": 1 if len(winners) > 1 else min(1, (max(undecided, default=0) + 1) / len(points)),
        "margin": final[-1] - final[-2],
    }


def test_the_measures_are_what_they_are_defined_to_be(game: Variant, results: Results) -> None:
    assert results.course
    for number in range(GAMES):
        winners = np.flatnonzero(results.places[number] == 1).tolist()
        measures = expected(*told(game, results, number), winners)
        assert tuple(measures) == MEASURES
        np.testing.assert_allclose(results.course.measures[number], list(measures.values()), atol=1e-12)


def test_the_measures_say_something(results: Results) -> None:
    assert results.course
    assert (np.ptp(results.course.measures, axis=0) > 0).all()


def test_games_in_which_the_winner_was_never_behind_count_as_0(game: Variant, results: Results) -> None:
    """The page says so of these measures, and that all that is told is a mean over games."""
    assert results.course
    measures = {name: results.course.measures[:, k] for k, name in enumerate(MEASURES)}
    never = measures["behind"] == 0
    assert 5 < never.sum() < GAMES
    for name in ("drama", "comeback"):
        np.testing.assert_array_equal(measures[name] == 0, never)
    courses = Courses(game)
    courses.add(results)
    assert courses.table().drama.iloc[0] == pytest.approx(measures["drama"][~never].sum() / GAMES)


def test_choices_are_counted(game: Variant, results: Results) -> None:
    counts = np.zeros((GAMES, 2, game.actions), np.int64)
    for number in range(GAMES):
        for seat, event, _ in told(game, results, number)[0]:
            counts[number, int(results.places[number, seat] > 1), event] += 1
    (y, z), (m, n) = counts.transpose(1, 0, 2), counts.sum(axis=2).T[:, :, None]
    products = (y, z, y * y, z * z, y * z, y * m, z * n, y * n, z * m)
    assert results.course and len(products) == len(CHOICES)
    (choices,), (totals,) = results.course.choices, results.course.totals
    np.testing.assert_array_equal(choices, np.stack([p.sum(axis=0) for p in products], axis=1))
    winners = (results.places == 1).sum()
    sums = [
        m.sum(),
        n.sum(),
        (m * m).sum(),
        (n * n).sum(),
        (m * n).sum(),
        winners,
        results.places.size - winners,
        GAMES,
    ]
    assert totals.tolist() == [int(s) for s in sums] and len(sums) == len(TOTALS)


def first_legal(state: np.ndarray, legal: np.ndarray, generator: np.random.Generator) -> int:
    return int(legal[0])


def test_choices_are_told_apart_by_bot() -> None:
    game = tabletop.make(PEBBLES, players=3, passing=True)
    bots = [plain_bot(first_legal), *["uniform"] * (game.players - 1)]
    results = played(game, bots, 40)
    assert results.course and results.course.totals.shape == (2, len(TOTALS))
    firsts, others = results.course.totals[:, 5:7].sum(axis=1)
    assert (firsts, others) == (40, 40 * (game.players - 1))
    passes = results.course.choices[:, game.event("pass"), :2].sum(axis=1)
    assert passes[0] == 0 < passes[1]  # passing is never the first


def uniform_in_python(state: np.ndarray, legal: np.ndarray, generator: np.random.Generator) -> int:
    return int(generator.choice(legal))


def test_plain_bots_have_the_same_course_as_their_records(game: Variant) -> None:
    results = played(game, [plain_bot(uniform_in_python)] * game.players, 20)
    plain = matches.play_games(game, 20, [plain_bot(uniform_in_python)] * game.players, SEED)
    np.testing.assert_array_equal(results.lengths, plain.lengths)
    assert results.course
    np.testing.assert_array_equal(results.course.measures[:, 0], results.lengths - game.players - chance(game, results))


def chance(game: Variant, results: Results) -> np.ndarray:
    """Rolls of each game: one a turn that is not passed over, which are decisions here."""
    bots = [plain_bot(uniform_in_python)] * game.players
    rolls = []
    for number in range(len(results.number)):
        seated = matches.seat_bots(game, bots)
        events = matches.play_recorded(game, seated, results.bots[number], number, SEED)[1]
        rolls.append(int((events >= game.event("roll:1")).sum()))
    return np.array(rolls)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_and_chunks_make_no_difference(game: Variant, results: Results, threads: int) -> None:
    chunks = matches.play_chunks(game, GAMES, "uniform", SEED, threads=threads, chunk=50, with_course=True)
    whole = matches.joined_courses([chunk.course for chunk in chunks if chunk.course])
    assert results.course
    for name in ("measures", "choices", "totals"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(results.course, name))


def test_the_games_are_those_without_the_course(game: Variant, results: Results) -> None:
    plain = matches.play_games(game, GAMES, "uniform", SEED)
    assert plain.course is None
    for name in ("scores", "places", "lengths", "facts"):
        np.testing.assert_array_equal(getattr(plain, name), getattr(results, name))


def test_an_illegal_choice_is_named(game: Variant) -> None:
    with pytest.raises(tabletop.IllegalChoiceError, match="chose 63"):
        played(game, [plain_bot(lambda state, legal, generator: 63, "wrong")] * game.players, 1)
