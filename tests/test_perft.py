"""Leaf counts: how many lines of play there are to a depth, chance included, from fixed positions.

Each line of `perft.txt` is: game, players, settings as JSON, events of the golden game played before, and the
counts for the depths 1, 2, 3, …. They are made again by `python tests/make_golden.py`.
"""

import json
from pathlib import Path

import pytest
from games import GAMES
from walks import leaves, position_after

import tabletop

LINES = [
    line.split("\t")
    for line in (Path(__file__).parent / "perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=pytest.mark.xdist_group(line[0]), id=" ".join(line[:4])) for line in LINES]
)
def test_leaf_counts(line: list[str]) -> None:
    name, players, chosen, before, *counts = line
    game = tabletop.make(GAMES[name], int(players), **json.loads(chosen))
    position = position_after(game, int(before))
    assert [leaves(game, position, depth) for depth in range(1, len(counts) + 1)] == [int(n) for n in counts]


def test_every_game_has_leaf_counts_for_all_players() -> None:
    counted = {(line[0], int(line[1])) for line in LINES}
    assert counted >= {(name, players) for name, game in GAMES.items() for players in game.players}


def test_leaf_counts_of_a_game_that_is_counted_by_hand() -> None:
    """Pebbles with one heap of two: two stones each of three values, then the faces 1, 2, 3; of a 3 none is taken.

    Deals: 3 first stones, then 3 each (two of a value are in the bag) = 9. After a 1, one pebble can be taken;
    after a 2, two, which ends the game; after a 3 the turn passes and the other seat rolls.
    """
    game = tabletop.make(GAMES["pebbles"], 2, heaps=1, size=2)
    counts = [leaves(game, game.new(1), depth) for depth in range(1, 6)]
    # depth 3: 9 deals × 3 faces; depth 4: a take after 1 and after 2, three faces after 3, so 5 lines a deal.
    # depth 5: after take 1, 3 faces; the game is over after take 2; after 3 then 1 or 2 a take, after 3, 3 three faces.
    assert counts == [3, 9, 27, 45, 9 * (3 + 1 + 1 + 3)]


def test_finished_games_have_no_leaves_below() -> None:
    game = tabletop.make(GAMES["pebbles"], 2, heaps=1, size=1, turns=1)
    position = position_after(game, 1_000)
    assert leaves(game, position, 0) == 1
    assert leaves(game, position, 1) == 0
