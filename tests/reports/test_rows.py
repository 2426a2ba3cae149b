"""Results of games as tables, and back again."""

import numpy as np
import pyarrow.parquet as pq
import pytest
from pebbles import PEBBLES

import tabletop
from experiments import rows
from tabletop import Results, matches, plain_bot
from tabletop.matches import Course


def last_legal(state: np.ndarray, legal: np.ndarray, generator: np.random.Generator) -> int:
    return int(legal[-1])


@pytest.mark.parametrize("with_course", [True, False])
@pytest.mark.parametrize("bots", [["uniform"] * 3, ["uniform", plain_bot(last_legal), "uniform"]])
def test_a_table_holds_the_results(bots: list, with_course: bool, tmp_path) -> None:
    game = tabletop.make(PEBBLES, players=3)
    results = matches.play_games(game, 30, bots, seed=4, with_course=with_course)
    pq.write_table(rows.table(game, results), tmp_path / "games.parquet")
    again = rows.results_of(game, results.names, pq.read_table(tmp_path / "games.parquet"))
    for name in ("number", "scores", "places", "lengths", "facts"):
        np.testing.assert_array_equal(getattr(again, name), getattr(results, name))
    names = np.array(results.names)
    np.testing.assert_array_equal(names[again.bots], names[results.bots])
    assert_same_course(again, results)


def assert_same_course(again: Results, results: Results) -> None:
    if results.course is None:
        assert again.course is None
        return
    assert isinstance(again.course, Course)
    np.testing.assert_allclose(again.course.measures, results.course.measures, rtol=1e-6)
    np.testing.assert_array_equal(again.course.choices, results.course.choices)
    np.testing.assert_array_equal(again.course.totals, results.course.totals)
