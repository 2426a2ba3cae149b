"""How fast and how strong the bots are: `python -m benchmarks.search [--only speed|openspiel|greedy|…]`.

speed: walks and roll-out events a second of MCTS on one thread, at first positions.
openspiel: the same of OpenSpiel's C++ MCTSBot with random roll-outs on its connect_four, in the same run.
greedy: one greedy bot against uniform ones. tuned: against greedy ones with the weights before tuning.
mcts: one MCTS bot against greedy ones.
ladder: MCTS with twice the iterations against MCTS, from 50 on, for two players; a picture if asked for.
solo: how often uniform, greedy and MCTS win alone.
pair: any bot against any other: `--only pair --one BOT --others BOT`.

All comparisons are over all seats with the same deals in each; the intervals are 95 % intervals over deals.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import thread_time
from typing import Any, Literal

import numpy as np
from rich.table import Table

from agents.search.iteration import search
from agents.search.settings import NODES
from agents.search.tree import positions_and_work
from experiments import console
from experiments.arguments import JsonObject, Names, Numbers, Seed, expect_from_1
from experiments.summary import rate_interval
from experiments.tune import gain
from tabletop import Variant, bot, games, make
from tabletop.bots import read_bot
from tabletop.extras import MissingExtraError
from tabletop.files import replacing

FIRST_RUNG, RUNGS = 50, 5
MOST_SEARCHED = 4  # players
UNIFORM = "uniform roll-outs"
PLAIN = "rollout=uniform,depth=-1,selection=uct"
SEED = 2  # of deals with which nothing has been tuned
SPEEDS = ("speed", "openspiel")
KINDS = ("greedy", "tuned", "mcts", "ladder", "solo")  # of comparisons
TITLES = {
    "greedy": "One greedy bot against uniform ones",
    "tuned": "One greedy bot with the tuned weights against those with the weights before",
    "mcts": "One MCTS bot against greedy ones",
    "ladder": "MCTS against MCTS with half the iterations",
    "solo": "Alone",
    "pair": "One bot against others",
}
UNTUNED = {
    "bites": "greedy:chocolate=1,wine=1,denial=0.3,climb=1,advance=0.5,finish=10",
    "rattus": "greedy:threat=0.4,near=0.3,late=0.6,reserve=0.1,card=0.5,knight=0.5,look=0.1,rivalry=0.6",
    "rodentia": "greedy:secure=0.5,foothold=0.3,reach=0.05,home=0.3,die=0.6,wolf_die=1,"
    "fear=0.4,approach=0.5,rivalry=0.5",
}
"""The weights of the greedy bots as they were thought of, before they were tuned."""

TUNED_WITH = {"bites": {"hill": "random", "chocolate": "random", "wine": "random", "special": "random"}}
"""The options with which the weights of a game were tuned, where they are not the defaults."""


@dataclass(frozen=True)
class Comparison:
    """One bot in one seat of a game against copies of another, and its share of wins with the interval.

    settings: options and rule parameters of the game. Alone there are no others.
    """

    game: str
    players: int
    one: str
    others: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    share: float = np.nan
    low: float = np.nan
    high: float = np.nan

    def variant(self) -> Variant:
        """The game that is played; OptionError lists what is allowed."""
        return make(self.game, self.players, **self.settings)


@dataclass(frozen=True, kw_only=True)
class Search:
    """Measures speed and strength and prints tables."""

    only: Literal["speed", "openspiel", "greedy", "tuned", "mcts", "ladder", "solo", "pair", "all"] = "all"
    """What to measure; all: everything but a pair."""

    games: Names = ()
    """On which games; by default all."""

    players: Numbers = ()
    """With how many players; by default all counts that are measured."""

    settings: JsonObject = field(default_factory=dict)
    """Options and rule parameters of the games that differ from their defaults."""

    one: str = ""
    """The bot in one seat of a pair."""

    others: str = ""
    """The bot in all other seats of a pair."""

    iterations: int = 1000
    """Walks of a search."""

    matches: int = 200
    """Games of each comparison, rounded up to all seats."""

    seed: Seed = SEED
    """Seed of the deals."""

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
        asked = self._asked()
        if self.only in (*SPEEDS, "all"):
            console.OUT.print(self._speed())
        for kind, pairs in asked.items():
            if kind == "solo":
                console.OUT.print(self._alone(pairs))
                continue
            found = self._compare(kind, pairs)
            if kind == "ladder" and self.picture is not None:
                draw(found, self.picture)
        return console.SUCCESS

    # What is compared

    def _asked(self) -> dict[str, list[Comparison]]:
        """The comparisons of each kind that has some; ValueError if nothing is compared with what was given."""
        self._check()
        if self.only in SPEEDS:
            return {}
        kinds = {kind: list(self._of_kind(kind)) for kind in (KINDS if self.only == "all" else (self.only,))}
        self._expect_all_given([pair for pairs in kinds.values() for pair in pairs])
        kinds = {
            kind: [p for p in pairs if p.players in (self.players or (p.players,))] for kind, pairs in kinds.items()
        }
        for pair in (pair for pairs in kinds.values() for pair in pairs):
            for text in filter(None, (pair.one, pair.others)):
                read_bot(text, pair.variant().game)
        return {kind: pairs for kind, pairs in kinds.items() if pairs}

    def _check(self) -> None:
        expect_from_1(self, "matches", "iterations")
        if bool(self.one and self.others) != (self.only == "pair") or bool(self.one) != bool(self.others):
            raise ValueError("one, others: expected both of these bots with --only pair, and none with anything else")
        if self.only in SPEEDS and self.players:
            raise ValueError(f"players: not allowed with --only {self.only}; expected none, as each game has its own")

    def _expect_all_given(self, every: Sequence[Comparison]) -> None:
        """ValueError unless each game, and each number of players in one of the games, is compared."""
        for name in self._names():
            if self.games and name not in {pair.game for pair in every}:
                raise ValueError(f"games: {name} is not allowed with --only {self.only}, which compares nothing there")
        counts = sorted({pair.players for pair in every})
        for players in self.players:
            if players not in counts:
                expected = ", ".join(map(str, counts))
                raise ValueError(f"players: {players} is not allowed with --only {self.only}; expected {expected}")

    def _names(self) -> tuple[str, ...]:
        return self.games or games()

    def _of_kind(self, kind: str) -> Iterator[Comparison]:
        kinds = {
            "greedy": self._greedy,
            "tuned": self._tuned,
            "mcts": self._mcts,
            "ladder": self._ladder,
            "solo": self._solo,
            "pair": self._pair,
        }
        return kinds[kind]()

    def _greedy(self) -> Iterator[Comparison]:
        for name, players in self._tables():
            yield Comparison(name, players, "greedy", "uniform", self.settings)

    def _tuned(self) -> Iterator[Comparison]:
        """With the options with which the weights were tuned, unless others are given."""
        for name, players in self._tables():
            if name in UNTUNED:
                yield Comparison(name, players, "greedy", UNTUNED[name], {**TUNED_WITH.get(name, {}), **self.settings})

    def _mcts(self) -> Iterator[Comparison]:
        for name, players in self._tables():
            if players <= MOST_SEARCHED:
                yield Comparison(name, players, self._search(self.iterations), "greedy", self.settings)

    def _ladder(self) -> Iterator[Comparison]:
        for name in self._names():
            for rung in range(RUNGS):
                below = FIRST_RUNG << rung
                yield Comparison(name, 2, self._search(2 * below), self._search(below), self.settings)

    def _solo(self) -> Iterator[Comparison]:
        for name in self._names():
            if 1 in make(name).game.players:
                for text in ("uniform", "greedy", self._search(self.iterations)):
                    yield Comparison(name, 1, text, settings=self.settings)

    def _pair(self) -> Iterator[Comparison]:
        for name, players in self._tables():
            yield Comparison(name, players, self.one, self.others, self.settings)

    def _tables(self) -> Iterator[tuple[str, int]]:
        for name in self._names():
            yield from ((name, players) for players in make(name).game.players if players > 1)

    def _search(self, iterations: int) -> str:
        return ",".join(filter(None, [f"mcts:iterations={iterations}", self.options]))

    # Measuring

    def _speed(self) -> Table:
        columns = ("game", "players", "search", "walks/s", "roll-out events/s")
        shown = Table(*columns, title="MCTS at first positions, one thread")
        rates = []
        for name in self._names():
            game = make(name, **self.settings)
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

    def _compare(self, kind: str, pairs: Sequence[Comparison]) -> list[Comparison]:
        columns = ("game", "players", "one seat", "the others", "win %", "95 %", "equal")
        shown = Table(*columns, title=TITLES[kind], caption=self._caption(pairs))
        found = []
        for pair in pairs:
            found.append(self._measured(pair))
            shown.add_row(*cells(found[-1]))
            console.say(" ".join(cells(found[-1])))
        console.OUT.print(shown)
        return found

    def _measured(self, pair: Comparison) -> Comparison:
        game = pair.variant()
        one, others = (bot(text, game.game) for text in (pair.one, pair.others))
        share, low, high = gain(game, one, others, self.seed, self.matches, first=0, threads=self.threads)
        return replace(pair, share=share, low=low, high=high)

    def _alone(self, pairs: Sequence[Comparison]) -> Table:
        shown = Table("game", "bot", "win %", "95 %", "mean score", title=TITLES["solo"], caption=self._caption(pairs))
        for pair in pairs:
            results = pair.variant().play(self.matches, pair.one, seed=self.seed, threads=self.threads)
            share = float((results.places == 1).mean())
            ends = rate_interval(share, np.sqrt(share * (1 - share) / self.matches), self.matches)
            shown.add_row(pair.game, pair.one, f"{100 * share:.1f}", interval(*ends), f"{results.scores.mean():.1f}")
        return shown

    def _caption(self, pairs: Iterable[Comparison]) -> str:
        """How many games of which deals, and what is not as by default in each game."""
        chosen = {pair.game: ", ".join(f"{k}={v}" for k, v in pair.settings.items()) for pair in pairs}
        named = [f"{make(game).game.title} with {settings}" for game, settings in chosen.items() if settings]
        return "; ".join([f"{self.matches} games each, seed {self.seed}", *named])


def interval(low: float, high: float) -> str:
    """The ends of an interval, in percent; nothing where there is none."""
    return "" if np.isnan(low) else f"{100 * low:.1f} – {100 * high:.1f}"


def cells(found: Comparison) -> tuple[str, ...]:
    """A comparison as the cells of a table, in percent."""
    equal, ends = f"{100 / found.players:.1f}", interval(found.low, found.high)
    return found.game, str(found.players), found.one, found.others, f"{100 * found.share:.1f}", ends, equal


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
