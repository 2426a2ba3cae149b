"""How fast and how strong the bots are: `python -m benchmarks.search [--only speed|openspiel|greedy|…]`.

speed: walks and roll-out events a second of MCTS on one thread, at first positions.
openspiel: the same of OpenSpiel's C++ MCTSBot with random roll-outs on its connect_four, in the same run.
greedy: one greedy bot against uniform ones. tuned: against greedy ones with the weights before tuning.
mcts: one MCTS bot against greedy ones.
ladder: MCTS with twice the iterations against MCTS, from 50 on, for two players; a picture if asked for.
solo: how often uniform, greedy and MCTS win alone.

All comparisons are over all seats with the same deals in each; the intervals are 95 % intervals over deals.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Literal

import numpy as np
from rich.table import Table

from agents.search.iteration import search
from agents.search.settings import NODES
from agents.search.tree import positions_and_work
from experiments import console
from experiments.summary import rate_interval
from experiments.tune import gain
from tabletop import Variant, bot, games, make
from tabletop.extras import MissingExtraError
from tabletop.files import replacing

FIRST_RUNG, RUNGS = 50, 5
MOST_SEARCHED = 4  # players
UNIFORM = "uniform roll-outs"
PLAIN = "rollout=uniform,depth=-1,selection=uct"
SEED = 2  # of deals with which nothing has been tuned
UNTUNED = {
    "bites": "greedy:chocolate=1,wine=1,denial=0.3,climb=1,advance=0.5,finish=10",
    "rattus": "greedy:threat=0.4,near=0.3,late=0.6,reserve=0.1,card=0.5,knight=0.5,look=0.1,rivalry=0.6",
    "rodentia": "greedy:secure=0.5,foothold=0.3,reach=0.05,home=0.3,die=0.6,wolf_die=1,"
    "fear=0.4,approach=0.5,rivalry=0.5",
}
"""The weights of the greedy bots as they were thought of, before they were tuned."""


@dataclass(frozen=True)
class Comparison:
    """One bot in one seat of a game against copies of another, and its share of wins with the interval."""

    game: str
    players: int
    one: str
    others: str
    share: float = np.nan
    low: float = np.nan
    high: float = np.nan


@dataclass(frozen=True, kw_only=True)
class Search:
    """Measures speed and strength and prints tables."""

    only: Literal["speed", "openspiel", "greedy", "tuned", "mcts", "ladder", "solo", "all"] = "all"
    """What to measure."""

    games: tuple[str, ...] = games()
    """On which games."""

    players: tuple[int, ...] = ()
    """With how many players; by default all counts that are measured."""

    iterations: int = 1000
    """Walks of a search."""

    matches: int = 200
    """Games of each comparison."""

    seconds: float = 1.0
    """How long each speed is measured."""

    options: str = ""
    """Further parameters of the search, such as depth=4,evaluation=greedy."""

    picture: Path | None = None
    """File for a picture of the ladder."""

    threads: int | None = None
    """Threads of the comparisons, by default one for each processor."""

    def run(self) -> int:
        """Measures and prints; returns the exit code."""
        if self.only in ("speed", "openspiel", "all"):
            console.OUT.print(self._speed())
        for name, pairs in (("greedy", self._greedy()), ("tuned", self._tuned()), ("mcts", self._mcts())):
            if self.only in (name, "all"):
                self._compare(pairs)
        if self.only in ("ladder", "all"):
            rungs = self._compare(self._ladder())
            if self.picture is not None:
                draw(rungs, self.picture)
        if self.only in ("solo", "all"):
            console.OUT.print(self._solo())
        return console.SUCCESS

    def _search(self, iterations: int) -> str:
        return ",".join(filter(None, [f"mcts:iterations={iterations}", self.options]))

    def _speed(self) -> Table:
        columns = ("game", "players", "search", "walks/s", "roll-out events/s")
        shown = Table(*columns, title="MCTS at first positions, one thread")
        rates = []
        for name in self.games:
            game = make(name)
            for title, options in ((UNIFORM, PLAIN), ("default", self.options)):
                walks, events = speed(game, f"mcts:iterations={self.iterations},{options}", self.seconds)
                shown.add_row(name, str(game.players), title, f"{walks:,.0f}", f"{events:,.0f}")
                if title == UNIFORM:
                    rates.append(events)
        if self.only != "speed":
            walks, events = openspiel_speed(self.seconds)
            shown.add_row("OpenSpiel connect_four", "2", UNIFORM, f"{walks:,.0f}", f"at most {events:,.0f}")
            shown.caption = f"ratio with uniform roll-outs: {min(rates) / events:.1f} to {max(rates) / events:.1f}"
        return shown

    def _compare(self, pairs: Iterator[Comparison]) -> list[Comparison]:
        shown = Table("game", "players", "one seat", "the others", "win %", "95 %", "equal")
        found = []
        for pair in pairs:
            if self.players and pair.players not in self.players:
                continue
            found.append(self._measured(pair))
            shown.add_row(*cells(found[-1]))
            console.say(" ".join(cells(found[-1])))
        console.OUT.print(shown)
        return found

    def _measured(self, pair: Comparison) -> Comparison:
        game = make(pair.game, pair.players)
        rivals = bot(pair.one, game.game), bot(pair.others, game.game)
        found = gain(game, *rivals, seed=SEED, games=self.matches, first=0, threads=self.threads)
        return Comparison(pair.game, pair.players, pair.one, pair.others, *found)

    def _greedy(self) -> Iterator[Comparison]:
        for name, players in self._tables():
            yield Comparison(name, players, "greedy", "uniform")

    def _tuned(self) -> Iterator[Comparison]:
        for name, players in self._tables():
            yield Comparison(name, players, "greedy", UNTUNED[name])

    def _mcts(self) -> Iterator[Comparison]:
        for name, players in self._tables():
            if players <= MOST_SEARCHED:
                yield Comparison(name, players, self._search(self.iterations), "greedy")

    def _tables(self) -> Iterator[tuple[str, int]]:
        for name in self.games:
            yield from ((name, players) for players in make(name).game.players if players > 1)

    def _ladder(self) -> Iterator[Comparison]:
        for name in self.games:
            for rung in range(RUNGS):
                below = FIRST_RUNG << rung
                yield Comparison(name, 2, self._search(2 * below), self._search(below))

    def _solo(self) -> Table:
        shown = Table("game", "bot", "win %", "95 %", "mean score")
        for name in self.games:
            if 1 not in make(name).game.players:
                continue
            game = make(name, 1)
            for text in ("uniform", "greedy", self._search(self.iterations)):
                results = game.play(self.matches, text, seed=SEED, threads=self.threads)
                share = float((results.places == 1).mean())
                low, high = rate_interval(share, np.sqrt(share * (1 - share) / self.matches), self.matches)
                interval = f"{100 * low:.1f} – {100 * high:.1f}"
                shown.add_row(name, text, f"{100 * share:.1f}", interval, f"{results.scores.mean():.1f}")
        return shown


def cells(found: Comparison) -> tuple[str, ...]:
    """A comparison as the cells of a table, in percent."""
    interval, equal = f"{100 * found.low:.1f} – {100 * found.high:.1f}", f"{100 / found.players:.1f}"
    return found.game, str(found.players), found.one, found.others, f"{100 * found.share:.1f}", interval, equal


def draw(rungs: list[Comparison], path: Path) -> None:
    """Writes an SVG: how often a search wins against one with half its iterations."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "ladder"  # the same figures make the same file
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for shift, name in enumerate(dict.fromkeys(rung.game for rung in rungs)):
        own = [rung for rung in rungs if rung.game == name]
        steps = np.arange(len(own)) + 0.06 * (shift - 1)
        shares = np.array([(100 * r.share, 100 * (r.share - r.low), 100 * (r.high - r.share)) for r in own])
        axes.errorbar(steps, shares[:, 0], yerr=shares[:, 1:].T, fmt="o-", capsize=4, label=make(name).game.title)
    axes.axhline(50, color="grey", linestyle=":")
    axes.set_xticks(range(RUNGS), [f"{FIRST_RUNG << k} → {FIRST_RUNG << k + 1}" for k in range(RUNGS)])
    axes.set_xlabel("iterations")
    axes.set_ylabel("wins against half the iterations (percent, 95 %)")
    axes.legend()
    with replacing(path) as unfinished:
        figure.savefig(unfinished, format="svg", metadata={"Date": None})


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
        start = thread_time()
        played = search(states, work, params)
        if number > 0:  # the first one compiles
            spent += thread_time() - start
            walks, events = walks + int(work.tree["visits"][0]), events + played
        number += 1
    return walks / spent, events / spent


def openspiel_speed(seconds: float) -> tuple[float, float]:
    """Simulations a second of OpenSpiel's C++ search, and at most how many events its roll-outs have.

    A roll-out from a leaf is shorter than a random game from the first position, which is what is counted here.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise MissingExtraError("OpenSpiel", "openspiel", error) from None
    game = pyspiel.load_game("connect_four")
    simulations, spent, number = 1000, 0.0, 0
    while spent < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        searcher = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, number, False)
        start = thread_time()
        searcher.step(game.new_initial_state())
        spent += thread_time() - start
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
