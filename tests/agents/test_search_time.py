"""The time for a move: looking for the kept tree counts, compiling does not."""

import re
import time

import pytest
from pebbles import PEBBLES
from sticks import STICKS

import tabletop
from agents.search import player as players
from agents.search.iteration import now, search_since
from agents.search.player import Player
from agents.search.reuse import find_position
from agents.search.tree import ROOT
from tabletop import bot
from tabletop.jit import JIT_ENABLED

TEXT = "mcts:milliseconds=100,reuse=yes,threads=2"


@pytest.mark.parametrize("text", [TEXT, "mcts:milliseconds=1", "flat:milliseconds=1"])
def test_a_bot_with_a_time_for_a_move_is_timed(text: str) -> None:
    assert bot(text, PEBBLES).timed
    assert not bot(re.sub("milliseconds=[0-9]+", "milliseconds=0", text), PEBBLES).timed
    assert not bot(text.replace("milliseconds", "iterations"), PEBBLES).timed


@pytest.mark.skipif(not JIT_ENABLED, reason="there is nothing to compile")
def test_the_first_move_compiles_nothing() -> None:
    game = tabletop.make(PEBBLES, players=2)
    player = bot(TEXT, PEBBLES).for_one_game().act
    known = [len(function.overloads) for function in (search_since, find_position)]
    for seed in (1, 2):
        player.find(game.new(1, seed=1), seed)
    assert known == [len(function.overloads) for function in (search_since, find_position)]


def test_looking_for_the_kept_tree_takes_from_the_time_for_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    game = tabletop.make(PEBBLES, players=2)
    player = bot(TEXT, PEBBLES).for_one_game().act
    state = game.new(1, seed=1)
    assert player.find(state, seed=1).visits.sum() > 2
    monkeypatch.setattr(Player, "_take_over", lambda *arguments: time.sleep(0.15))
    assert player.find(state, seed=2).visits.sum() == 2  # one walk of each thread


def test_the_kept_tree_is_given_up_when_the_time_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    game, visits = tabletop.make(STICKS, pile=12), {}
    for late in (0, 10**10):
        player = Player(bot("mcts:milliseconds=50,reuse=yes", STICKS).params, reuse=True)
        states = game.new(1)
        player.find(states, seed=1)
        game.step(states, [1])
        game.step(states, [2])
        with monkeypatch.context() as patch:
            patch.setattr(players, "now", lambda late=late: now() - late)
            player.find(states, seed=2)
        visits[late] = player._kept[0][1].tree[ROOT]["visits"]
    assert visits[10**10] == 1 < visits[0]
