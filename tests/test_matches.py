"""Whole games between bots: the same game whatever the batch, the threads and the ranges."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pebbles import PEBBLES

import tabletop
from tabletop import OVER, Results, Variant, matches, plain_bot, threads
from tabletop.threads import run_ranges

COLUMNS = ("number", "bots", "scores", "places", "lengths", "facts")


@pytest.fixture(scope="module")
def game() -> Variant:
    return tabletop.make(PEBBLES, players=3, take="up_to", passing=True)


@pytest.fixture(scope="module")
def whole(game: Variant) -> Results:
    return game.play(700, "uniform", seed=8)


def assert_equal(one: Results, other: Results, rows: slice = slice(None)) -> None:
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(one, column), getattr(other, column)[rows])


# The same games


def test_results(game: Variant, whole: Results) -> None:
    assert whole.names == ("uniform",) * 3
    assert whole.number.tolist() == list(range(700))
    assert whole.scores.shape == whole.places.shape == whole.bots.shape == (700, 3)
    assert (whole.scores.dtype, whole.places.dtype, whole.lengths.dtype) == (np.int32, np.int32, np.int64)
    assert (whole.places.min(axis=1) == 1).all()
    assert (whole.lengths > 6).all()
    assert whole.states is None


def test_winners_have_the_most_points(whole: Results) -> None:
    best = whole.scores.max(axis=1)
    assert (whole.scores[whole.places == 1] == np.repeat(best, (whole.places == 1).sum(axis=1))).all()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_threads_make_no_difference(game: Variant, whole: Results, count: int) -> None:
    assert_equal(game.play(700, "uniform", seed=8, threads=count), whole)


@pytest.mark.parametrize(("first", "games"), [(0, 1), (699, 1), (100, 250), (13, 1)])
def test_any_part_of_a_study_can_be_played_alone(game: Variant, whole: Results, first: int, games: int) -> None:
    assert_equal(game.play(games, "uniform", seed=8, first=first), whole, slice(first, first + games))


@pytest.mark.parametrize("most", [1, 7, 100_000])
def test_the_size_of_ranges_makes_no_difference(
    game: Variant, whole: Results, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "MOST_GAMES_A_RANGE", most)
    assert_equal(game.play(700, "uniform", seed=8), whole)


def test_seeds_make_a_difference(game: Variant, whole: Results) -> None:
    assert not np.array_equal(game.play(700, "uniform", seed=9).scores, whole.scores)


def test_no_two_games_are_alike_by_chance(game: Variant, whole: Results) -> None:
    rows = np.column_stack([whole.scores, whole.lengths])
    assert len(np.unique(rows, axis=0)) > 300


def test_a_recorded_game_is_the_same_game(game: Variant, whole: Results) -> None:
    bots = matches.seat_bots(game, "uniform")
    for number in (0, 5, 699):
        last, events = matches.play_recorded(game, bots, whole.bots[number], number, 8)
        assert len(events) == whole.lengths[number]
        assert game.scores(last)[0].tolist() == whole.scores[number].tolist()
        states = game.new(1)
        for event in events:
            game.step(states, [event])
        assert states.tobytes() == last.tobytes()


def test_a_long_game_is_recorded_whole(game: Variant, whole: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    bots = matches.seat_bots(game, "uniform")
    _, events = matches.play_recorded(game, bots, whole.bots[3], 3, 8)
    monkeypatch.setattr(matches, "EVENTS_A_LOG", 4)
    _, pieces = matches.play_recorded(game, bots, whole.bots[3], 3, 8)
    assert events.tolist() == pieces.tolist()


def test_plain_and_compiled_paths_play_equal_games(game: Variant, whole: Results) -> None:
    """One plain bot in the list sends all games through the slow path; seated by number, it never sits here."""
    bots = [*matches.seat_bots(game, "uniform"), plain_bot(lambda state, legal, rng: 1 / 0)]
    states, lengths, _ = matches.final_states(game, bots, whole.bots[:30], whole.number[:30], 8)
    assert lengths.tolist() == whole.lengths[:30].tolist()
    assert game.scores(states).tolist() == whole.scores[:30].tolist()


# Seats


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_rotation_gives_every_bot_every_seat(first: int, players: int) -> None:
    rows = matches.seating(np.arange(first, first + players), players, rotate=True)
    for line in (*rows, *rows.T):
        assert sorted(line.tolist()) == list(range(players))
    for number, row in zip(range(first, first + players), rows, strict=True):
        for seat, which in enumerate(row):
            assert seat == (which + number) % players


def test_without_rotation_bots_keep_their_seats(game: Variant) -> None:
    assert game.play(5, "uniform", rotate=False).bots.tolist() == [[0, 1, 2]] * 5


def test_common_random_numbers(game: Variant) -> None:
    """Whoever plays, game k has the same stones and the same dice."""
    one, other = (game.play(50, bots, seed=4, keep_states=True) for bots in ("uniform", [plain_bot(take_last)] * 3))
    np.testing.assert_array_equal(one.states["stone"], other.states["stone"])


def take_last(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
    return int(legal[-2] if len(legal) > 1 else legal[0])


# Chunks


@pytest.mark.parametrize("chunk", [1, 99, 100, 350, 700, 701, 10_000])
def test_chunks_make_up_the_whole(game: Variant, whole: Results, chunk: int) -> None:
    parts = list(matches.play_chunks(game, 700, "uniform", seed=8, chunk=chunk))
    sizes = [len(part.number) for part in parts]
    assert sizes == [chunk] * (700 // chunk) + [700 % chunk] * (700 % chunk > 0)
    assert_equal(matches._joined(parts), whole)


def test_chunks_of_a_part_of_a_study(game: Variant, whole: Results) -> None:
    parts = list(matches.play_chunks(game, 105, "uniform", seed=8, first=33, chunk=50))
    assert [part.number[0] for part in parts] == [33, 83, 133]
    assert_equal(matches._joined(parts), whole, slice(33, 138))


def test_no_games_have_no_chunks(game: Variant) -> None:
    assert list(matches.play_chunks(game, 0, "uniform")) == []
    assert game.play(0).scores.shape == (0, 3)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"chunk": 0}, "chunk: 0 is not allowed"),
        ({"chunk": -1}, "chunk: -1 is not allowed"),
        ({"threads": 0}, "threads: 0 is not allowed; expected an integer from 1"),
        ({"threads": True}, "threads: True is not allowed"),
        ({"threads": 1.5}, r"threads: 1\.5 is not allowed"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"first": -1}, "first game: -1 is not allowed"),
        ({"games": -1}, "number of games: -1 is not allowed"),
        ({"bots": "nobody"}, "unknown bot 'nobody'"),
    ],
)
def test_wrong_arguments_are_refused_at_the_call(game: Variant, wrong: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        matches.play_chunks(game, **{"games": 3, "bots": "uniform", **wrong})


def test_chunks_are_played_as_they_are_taken(game: Variant) -> None:
    """Memory does not grow with the study: 10⁹ games are begun, a few are played."""
    heard: list[int] = []
    chunks = matches.play_chunks(game, 10**9, "uniform", done=heard.append, chunk=1_000)
    assert next(chunks).number.tolist() == list(range(1_000))
    assert next(chunks).number[0] == 1_000
    chunks.close()
    assert sum(heard) < 20_000


def test_last_positions_are_kept_on_request(game: Variant, whole: Results) -> None:
    kept = game.play(20, "uniform", seed=8, keep_states=True)
    assert (game.to_move(kept.states) == OVER).all()
    np.testing.assert_array_equal(game.scores(kept.states), whole.scores[:20])


# Ranges


def cuts(total: int, count: int | None = 2, chunk: int | None = None) -> list[tuple[int, int]]:
    return list(run_ranges(lambda low, high: (low, high), total, count, chunk=chunk))


@given(st.integers(0, 3_000), st.integers(1, 4), st.none() | st.integers(1, 500))
def test_ranges_cover_all_in_order(total: int, count: int, chunk: int | None) -> None:
    ranges = cuts(total, count, chunk)
    assert [i for low, high in ranges for i in range(low, high)] == list(range(total))
    if chunk:
        assert all(low // chunk == (high - 1) // chunk for low, high in ranges)


def test_ranges_of_fast_games_grow_and_shrink_at_the_end() -> None:
    sizes = [high - low for low, high in cuts(200_000)]
    assert max(sizes) == threads.MOST_GAMES_A_RANGE
    assert sizes[0] == 1
    assert sizes[-1] < 100


def test_ranges_of_slow_games_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks: Iterator[float] = iter(range(10**6))
    monkeypatch.setattr(threads, "perf_counter", lambda: next(ticks))  # every range takes a second
    assert {high - low for low, high in cuts(50, count=1)} == {1}


def test_done_hears_of_every_game(game: Variant) -> None:
    heard: list[int] = []
    game.play(1_234, "uniform", done=heard.append)
    assert sum(heard) == 1_234
    assert len(heard) > 3


def test_the_first_error_stops_the_rest() -> None:
    begun: list[int] = []

    def work(low: int, high: int) -> None:
        begun.append(low)
        if low >= 5:
            raise RuntimeError(f"range {low}")

    with pytest.raises(RuntimeError, match="range "):
        list(run_ranges(work, 10**6, 2))
    assert len(begun) < 100


def test_available_threads() -> None:
    assert threads.available_threads() >= 1
    assert threads.thread_count(None) == threads.available_threads()
    assert threads.thread_count(3) == 3


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5])
def test_games_with_chosen_seats_refuse_wrong_seeds_too(game: Variant, seed: int) -> None:
    numbers = np.arange(2)
    with pytest.raises(ValueError, match="is not allowed; expected an integer from 0 to"):
        matches.final_states(game, matches.seat_bots(game, "uniform"), matches.seating(numbers, 3, True), numbers, seed)
