"""Which numbers make a bot strongest? `critters tune GAME --players P --generations G --seed S --out FILE`."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import tyro

from experiments import console
from experiments.arguments import GameArguments, Seed, expect_from_1, game_described, make_folder
from experiments.studies.environment import environment_of
from experiments.summary import rate_of_rounds, win_shares, with_interval
from tabletop import BotError, Variant, bot, matches, play
from tabletop.bots import Bot, BotParameter, kinds
from tabletop.extras import MissingExtraError
from tabletop.files import replacing
from tabletop.threads import run_ranges

SHARE_OF_RANGE = 0.1  # first step of the search: this share of what a parameter may be, at most its default
Interval = tuple[float, float, float]  # an estimate with the ends of its interval
CHECK = 1 << 40  # games of the last check have numbers from here on, so that they are none of those tuned with

MAKERS = (Path(__file__), Path(__file__).parent / "summary.py")  # the sources on which a result depends


@dataclass(frozen=True, kw_only=True)
class Tune(GameArguments):
    """Tunes the numbers of a bot by an evolution strategy (CMA-ES) on games against the bot as it is now.

    In each generation some candidates are drawn. Each of them plays one seat against copies of the present bot, in
    every seat, all with the same deals; the better half draws the next generation. The mean of the last generation
    then plays new games; FILE gets it with its share of wins and the 95 % interval (JSON). Alone each candidate plays
    by itself, and the wins of the last are compared with those of the present bot, deal by deal.
    """

    generations: Annotated[int, tyro.conf.arg(metavar="G")]
    """Number of generations."""

    seed: Seed
    """Seed of the search and of the deals."""

    out: Annotated[Path, tyro.conf.arg(metavar="FILE")]
    """File for the result."""

    bot: Annotated[str, tyro.conf.arg(metavar="BOT")] = "greedy"
    """The bot, with values from which to begin."""

    games: Annotated[int, tyro.conf.arg(metavar="N")] = 400
    """Games of each candidate in each generation, rounded up to all seats."""

    check: Annotated[int, tyro.conf.arg(metavar="N")] = 20_000
    """New games of the last check, rounded up to all seats."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="T")] = None
    """Threads, by default one for each processor."""

    def run(self) -> int:
        """Tunes, checks, writes and prints; returns the exit code."""
        variant = self.variant()
        expect_from_1(self, "generations", "games", "check")
        parameters = numbers_of(self.bot, variant)
        if self.out.is_dir():
            raise IsADirectoryError(f"{self.out} is a folder; expected the name of a file")
        make_folder(self.out.parent)
        tuned = self._tune(variant, parameters)
        found = self._checked(variant, tuned)
        result = {
            "tuned": tuned,
            **{name: [None if np.isnan(value) else value for value in values] for name, values in found.items()},
            "equal": 1 / variant.players if variant.players > 1 else None,
        }
        with replacing(self.out) as path:
            path.write_text(json.dumps(result | self._described(variant), indent=2) + "\n")
        console.print_plain(tuned)
        console.print_plain(self._told(variant, found))
        return console.SUCCESS

    def _checked(self, variant: Variant, tuned: str) -> dict[str, Interval]:
        """How often the tuned bot wins the games of the last check; alone also how often the present one does."""
        candidate, present = (bot(text, variant.game) for text in (tuned, self.bot))
        wins = wins_of_deals(variant, candidate, present, self.seed, self.check, threads=self.threads)
        if variant.players > 1:
            return {"wins": mean_of_deals(wins)}
        before = wins_of_deals(variant, present, present, self.seed, self.check, threads=self.threads)
        means = {"wins": mean_of_deals(wins), "wins_before": mean_of_deals(before)}
        return means | {"difference": difference_of_deals(wins, before)}

    def _described(self, variant: Variant) -> dict[str, object]:
        """Everything on which the result depends: what was asked for, and the versions and sources that made it."""
        return {
            **game_described(variant),
            "bot": self.bot,
            "generations": self.generations,
            "games_of_each_candidate": self.games,
            "games_of_the_check": self.check,
            "seed": self.seed,
            "environment": environment_of(variant, (self.bot,), MAKERS) | {"cmaes": version("cmaes")},
        }

    def _told(self, variant: Variant, found: dict[str, Interval]) -> str:
        """What the last check says, in percent."""
        shown = {name: with_interval((100 * value for value in values), 1) for name, values in found.items()}
        wins = f"wins {shown['wins']} % of {self.check:,} new games"
        if variant.players > 1:
            return f"{wins} in one seat against {self.bot} in the others; equal would be {100 / variant.players:.1f} %"
        difference = f"the difference is {shown['difference']} percentage points"
        return f"{wins} alone, {self.bot} {shown['wins_before']} % with the same deals; {difference}"

    def _tune(self, variant: Variant, parameters: Sequence[BotParameter]) -> str:
        try:
            from cmaes import CMA
        except ImportError as error:
            raise MissingExtraError("cmaes", "tuning", error) from None
        present = bot(self.bot, variant.game)
        scale = Scale(parameters, present.params)
        search = CMA(np.zeros(len(parameters)), 1.0, bounds=scale.bounds(), seed=self.seed % 2**32)
        with console.progress_bar("tuning", self.generations * search.population_size) as bar:
            for generation in range(self.generations):
                points = [search.ask() for _ in range(search.population_size)]
                shares = []
                for point in points:
                    candidate = bot(named(self.bot, parameters, scale.values(point)), variant.game)
                    shares.append(self._share(variant, candidate, present, generation))
                    bar.advance(1)
                search.tell([(point, -share) for point, share in zip(points, shares, strict=True)])
                console.say(
                    f"generation {generation + 1}: best {100 * max(shares):.1f} %, mean {100 * np.mean(shares):.1f} %"
                )
        return named(self.bot, parameters, scale.values(search.mean))

    def _share(self, variant: Variant, candidate: Bot, present: Bot, generation: int) -> float:
        return gain(variant, candidate, present, self.seed, self.games, generation * self.games, self.threads)[0]


class Scale:
    """The parameters on one scale: 0 is where the search begins, 1 a first step away."""

    def __init__(self, parameters: Sequence[BotParameter], start: npt.NDArray[np.float64]) -> None:
        self.start = np.array(start)
        self.low, self.high = np.array([[p.low, p.high] for p in parameters], np.float64).T
        self.step = np.minimum(SHARE_OF_RANGE * (self.high - self.low), np.maximum(np.abs(self.start), 0.1))

    def bounds(self) -> npt.NDArray[np.float64]:
        """What is allowed, on the scale (parameters, 2)."""
        return np.stack([(self.low - self.start) / self.step, (self.high - self.start) / self.step], axis=1)

    def values(self, point: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """A point of the scale as values of the parameters."""
        return np.clip(self.start + self.step * point, self.low, self.high)


def numbers_of(text: str, variant: Variant) -> tuple[BotParameter, ...]:
    """The parameters of a bot; BotError unless all of them are numbers with bounds."""
    bot(text, variant.game)
    parameters = kinds()[text.partition(":")[0]].parameters(variant.game)
    if not parameters or any(isinstance(p.default, (str, int)) or not np.isfinite(p.high - p.low) for p in parameters):
        raise BotError(f"bot {text!r} cannot be tuned; expected one whose parameters are numbers with bounds")
    return parameters


def named(text: str, parameters: Sequence[BotParameter], values: npt.NDArray[np.float64]) -> str:
    """The text of the bot with these values, to four digits."""
    given = ",".join(f"{p.name}={value:.4g}" for p, value in zip(parameters, values, strict=True))
    return f"{text.partition(':')[0]}:{given}"


def gain(
    variant: Variant,
    candidate: Bot,
    present: Bot,
    seed: int,
    games: int,
    first: int = CHECK,
    threads: int | None = None,
) -> Interval:
    """Share of wins of a candidate in one seat against copies of another bot, with its interval over deals."""
    return mean_of_deals(wins_of_deals(variant, candidate, present, seed, games, first, threads))


def difference_of_deals(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> Interval:
    """Mean difference between two shares of the same deals (deals,), with its interval."""
    mean, low, high = mean_of_deals((1 + one - other) / 2)  # from -1 … 1 to the range of a share
    return 2 * mean - 1, 2 * low - 1, 2 * high - 1


def mean_of_deals(shares: npt.NDArray[np.float64]) -> Interval:
    """Mean of a share from 0 to 1 of each deal (deals,), with its interval; nan as its ends for a single deal."""
    mean, deals = float(shares.mean()), len(shares)
    error = float(shares.std(ddof=1) / np.sqrt(deals)) if deals > 1 else np.nan
    return (mean, *rate_of_rounds(mean, error, deals))


def wins_of_deals(
    variant: Variant,
    candidate: Bot,
    present: Bot,
    seed: int,
    games: int,
    first: int = CHECK,
    threads: int | None = None,
) -> npt.NDArray[np.float64]:
    """Share of wins of a candidate in one seat against copies of another bot, with each deal (deals,).

    Each deal is played once for every seat of the candidate; games: rounded up to all seats.
    """
    deals = -(-games // variant.players)
    numbers = np.repeat(np.arange(first, first + deals), variant.players)
    seats = 1 - np.tile(np.eye(variant.players, dtype=np.int64), (deals, 1))

    def won(low: int, high: int) -> npt.NDArray[np.float64]:
        states, _, _ = matches.final_states(variant, (candidate, present), seats[low:high], numbers[low:high], seed)
        places = np.zeros((high - low, variant.players), np.int32)
        play.all_rankings(states, places)
        return (win_shares(places) * (seats[low:high] == 0)).sum(axis=1)

    return np.concatenate(list(run_ranges(won, len(numbers), threads))).reshape(deals, -1).mean(axis=1)


if __name__ == "__main__":
    sys.exit(console.run_one(Tune))
