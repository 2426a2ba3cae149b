"""The benchmark of strength: what it compares, and its picture."""

from itertools import pairwise

from benchmarks.search import RUNGS, Comparison, Search, cells, draw
from tabletop import make
from tabletop.bots import read_bot


def test_every_comparison_names_bots_of_its_game():
    """Read and not built, as a search in a large game takes a minute to compile."""
    search = Search()
    for pairs in (search._greedy(), search._tuned(), search._mcts(), search._ladder()):
        for pair in pairs:
            game = make(pair.game, pair.players).game
            for text in (pair.one, pair.others):
                kind, values = read_bot(text, game)
                assert text.startswith(kind.name) and set(values) == {p.name for p in kind.parameters(game)}


def test_untuned_weights_are_all_given_and_differ():
    """Read and not built, too."""
    for pair in Search()._tuned():
        game = make(pair.game, pair.players).game
        (_, tuned), (_, untuned) = (read_bot(text, game) for text in (pair.one, pair.others))
        assert tuned.keys() == untuned.keys() and all(tuned[name] != untuned[name] for name in tuned)


def test_a_comparison_is_measured():
    (found,) = Search(only="greedy", games=("bites",), players=(3,), matches=300)._compare(
        iter([Comparison("bites", 3, "greedy", "uniform")])
    )
    assert found.low > 0.8 and found.low < found.share < found.high
    assert cells(found)[:4] == ("bites", "3", "greedy", "uniform") and cells(found)[-1] == "33.3"


def test_the_ladder_doubles_and_is_drawn(tmp_path):
    rungs = list(Search(games=("bites",), options="depth=2")._ladder())
    assert [rung.one for rung in rungs] == [f"mcts:iterations={n},depth=2" for n in (100, 200, 400, 800, 1600)]
    assert all(above.others == below.one for below, above in pairwise(rungs))
    measured = [Comparison(r.game, 2, r.one, r.others, 0.6, 0.55, 0.65) for r in rungs]
    pictures = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in pictures:
        draw(measured, path)
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert b"<svg" in pictures[0].read_bytes() and len(rungs) == RUNGS
