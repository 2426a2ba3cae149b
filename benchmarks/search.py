"""How fast and how strong the searches are: `python benchmarks/search.py [--only speed|openspiel|strength|ladder]`.

speed: walks and roll-out events a second of MCTS with uniform roll-outs, on one thread, at first positions.
openspiel: the same of OpenSpiel's C++ MCTSBot with random roll-outs on its connect_four, in the same run.
strength: win rates of one seat against others of another bot, all seats and the same deals, with 95 % intervals.
ladder: MCTS with twice the iterations against MCTS, from 50 on, two players.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import numpy as np
from rich.table import Table

from agents.search.iteration import search
from agents.search.settings import NODES
from agents.search.tree import positions_and_work
from experiments import console
from experiments.tune import gain
from tabletop import Variant, bot, games, make

FIRST_RUNG, RUNGS = 50, 5
PLAYERS = (2, 3, 4)


@dataclass(frozen=True, kw_only=True)
class Search:
    """Measures the searches and prints tables."""

    only: Literal["speed", "openspiel", "strength", "ladder", "all"] = "all"
    """What to measure."""

    games: tuple[str, ...] = games()
    """On which games."""

    iterations: int = 1000
    """Walks of a search."""

    matches: int = 200
    """Games of each comparison."""

    seconds: float = 1.0
    """How long each speed is measured."""

    options: str = ""
    """Further parameters of the search, such as depth=4,evaluation=greedy."""

    def run(self) -> int:
        """Measures and prints; returns the exit code."""
        if self.only in ("speed", "openspiel", "all"):
            console.OUT.print(self._speed())
        if self.only in ("strength", "all"):
            console.OUT.print(self._comparisons("who wins", self._strength()))
        if self.only in ("ladder", "all"):
            console.OUT.print(self._comparisons("twice the iterations", self._ladder()))
        return console.SUCCESS

    def _search(self, iterations: int) -> str:
        return ",".join(filter(None, [f"mcts:iterations={iterations}", self.options]))

    def _speed(self) -> Table:
        shown = Table("game", "players", "walks/s", "roll-out events/s", title="MCTS, uniform roll-outs, one thread")
        rates = []
        for name in self.games:
            game = make(name)
            walks, events = speed(game, self._search(self.iterations), self.seconds)
            rates.append(events)
            shown.add_row(name, str(game.players), f"{walks:,.0f}", f"{events:,.0f}")
        if self.only != "speed":
            theirs = openspiel_speed(self.seconds)
            walks, events = theirs
            shown.add_row("OpenSpiel connect_four", "2", f"{walks:,.0f}", f"at most {events:,.0f}")
            shown.caption = f"ratio of roll-out events: {min(rates) / events:.1f} to {max(rates) / events:.1f}"
        return shown

    def _comparisons(self, title: str, rows: Iterator[tuple[str, int, str, str]]) -> Table:
        shown = Table("game", "players", "one seat", "the others", "win %", "95 %", "equal", title=title)
        for name, players, one, others in rows:
            game = make(name, players)
            rivals = bot(one, game.game), bot(others, game.game)
            share, low, high = gain(game, *rivals, seed=1, games=self.matches, first=0)
            interval, equal = f"{100 * low:.1f} – {100 * high:.1f}", f"{100 / players:.1f}"
            shown.add_row(name, str(players), one, others, f"{100 * share:.1f}", interval, equal)
            console.say(f"{name}, {players} players: {one} against {others}: {100 * share:.1f} % [{interval}]")
        return shown

    def _strength(self) -> Iterator[tuple[str, int, str, str]]:
        for name in self.games:
            for players in PLAYERS:
                yield name, players, "greedy", "uniform"
                yield name, players, self._search(self.iterations), "greedy"

    def _ladder(self) -> Iterator[tuple[str, int, str, str]]:
        for name in self.games:
            for rung in range(RUNGS):
                below = FIRST_RUNG << rung
                yield name, 2, self._search(2 * below), self._search(below)


def speed(game: Variant, text: str, seconds: float) -> tuple[float, float]:
    """Walks and roll-out events a second at the first decision of random deals, on one thread."""
    params = bot(text, game.game).params.copy()
    params.setflags(write=False)
    walks = events = number = 0
    spent = 0.0
    while spent < seconds or number < 2:
        states, work = positions_and_work(
            game.new(1, seed=number)[0], int(params[NODES]), np.array([number], np.uint64)
        )
        start = perf_counter()
        played = search(states, work, params)
        if number > 0:  # the first one compiles
            spent += perf_counter() - start
            walks, events = walks + int(work.tree["visits"][0]), events + played
        number += 1
    return walks / spent, events / spent


def openspiel_speed(seconds: float) -> tuple[float, float]:
    """Simulations a second of OpenSpiel's C++ search, and at most how many events its roll-outs have.

    A roll-out from a leaf is shorter than a random game from the first position, which is what is counted here.
    """
    try:
        import pyspiel
    except ImportError:
        raise ValueError("this needs the package open_spiel: pip install 'critters[openspiel]'") from None
    game = pyspiel.load_game("connect_four")
    simulations, spent, number = 1000, 0.0, 0
    while spent < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        searcher = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, number, False)
        start = perf_counter()
        searcher.step(game.new_initial_state())
        spent += perf_counter() - start
        number += 1
    rate = number * simulations / spent
    return rate, rate * _mean_length(game, 500)


def _mean_length(game, count: int) -> float:
    generator = np.random.default_rng(1)
    events = 0
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(int(generator.choice(state.legal_actions())))
            events += 1
    return events / count


if __name__ == "__main__":
    sys.exit(console.run_one(Search))
