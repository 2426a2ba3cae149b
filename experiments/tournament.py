"""Which bot is best? `critters tournament GAME --players P --bots A,B,… --games N --seed S --out DIR`."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from importlib.metadata import version
from typing import Annotated

import numpy as np
import numpy.typing as npt
import pandas as pd
import tyro

from experiments import console
from experiments.arguments import Bots, Folder, GameArguments, Seed, expect_different, expect_from_1, make_folder
from experiments.contests import Contests, contests, is_certain, looks
from experiments.lineups import Schedule, lineups
from experiments.standings import Standings, key, payoff_table, standing_table, standings
from experiments.tournament_picture import draw
from tabletop import Variant, matches, play
from tabletop.bots import Bot, bot
from tabletop.files import replacing
from tabletop.options import differences
from tabletop.threads import run_ranges

FIRST_LOOK = 8  # rounds
DESCRIPTION = "tournament.json"


@dataclass(frozen=True)
class Games:
    """What came of the games of some rounds, one row a game; games of one round stand together.

    round: (games,). bots: index of the bot on each seat (int16), scores, places: (games, players). lengths: (games,).
    """

    round: npt.NDArray[np.int64]
    bots: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int64]

    def contests(self, bots: int) -> Contests:
        """The sums of each round."""
        return contests(bots, self.round, self.bots, self.scores, self.places)

    def first(self, count: int) -> "Games":
        """The first of them."""
        return Games(*(getattr(self, field.name)[:count] for field in fields(self)))

    def table(self, names: tuple[str, ...]) -> pd.DataFrame:
        """A row a game: its round, its events, then bot, score and place of each seat."""
        columns: dict[str, npt.NDArray | pd.Categorical] = {"round": self.round, "events": self.lengths}
        kinds = pd.CategoricalDtype(list(names))
        for seat in range(self.bots.shape[1]):
            columns[f"bot_{seat}"] = pd.Categorical.from_codes(self.bots[:, seat], dtype=kinds)
            columns[f"score_{seat}"] = self.scores[:, seat]
            columns[f"place_{seat}"] = self.places[:, seat]
        return pd.DataFrame(columns)


def together(parts: Sequence[Games]) -> Games:
    """Several runs of rounds as one."""
    return Games(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Games)))


def played(
    variant: Variant,
    bots: Sequence[Bot],
    schedule: Schedule,
    first: int,
    count: int,
    threads: int | None = None,
    done: Callable[[int], None] | None = None,
) -> Iterator[Games]:
    """Plays some rounds, every line-up and rotation with the same deal, and yields their games in order.

    The games are the same whatever the threads; where they are cut is not, and may be within a round.
    """
    before = first * schedule.games_a_round

    def play_range(low: int, high: int) -> Games:
        return play_seated(variant, bots, *schedule.games(before + low, before + high), schedule.seed)

    return run_ranges(play_range, count * schedule.games_a_round, threads, done)


def play_rounds(
    variant: Variant,
    bots: Sequence[Bot],
    schedule: Schedule,
    first: int,
    count: int,
    threads: int | None = None,
    done: Callable[[int], None] | None = None,
) -> Games:
    """The games that `played` yields as one."""
    return together(list(played(variant, bots, schedule, first, count, threads, done)))


def play_seated(
    variant: Variant,
    bots: Sequence[Bot],
    rounds: npt.NDArray[np.int64],
    seated: npt.NDArray[np.int64],
    seed: int,
) -> Games:
    """Plays a game for each row of `seated`, the bot on each seat, with the deal of its round."""
    states, lengths, _ = matches.final_states(variant, bots, seated, rounds, seed)
    scores, places = np.zeros((2, *seated.shape), np.int32)
    play.all_scores(states, scores)
    play.all_rankings(states, places)
    return Games(rounds, seated.astype(np.int16), scores, places, lengths)


@dataclass(frozen=True, kw_only=True)
class Tournament(GameArguments):
    """Lets bots meet in every line-up and seat rotation, with the same deals for all, and ranks them.

    With fewer bots than seats every way to seat each bot at least once is a line-up. DIR gets games.parquet (a row a
    game), standings.csv, payoffs.csv (how often a seat of one bot ends before a seat of another), tournament.png and
    tournament.json (what was played), in place of those of an older tournament. A tournament that is interrupted keeps
    the complete rounds.
    """

    bots: Bots
    """Bots, each by its name and perhaps parameters: greedy,mcts:iterations=1000,rollout=greedy,uniform."""

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Number of games at least; whole rounds are played, of every line-up in every rotation."""

    seed: Seed
    """Seed of the deals, 0 to 2**64 - 1."""

    out: Folder
    """Folder for the results; it is made if it does not exist."""

    certain: Annotated[float | None, tyro.conf.arg(metavar="C")] = None
    """Stop early when the whole ranking is certain with this probability, such as 0.95."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="T")] = None
    """Threads, by default one for each processor."""

    timed: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 0.5
    """How long the time a move of each bot is measured; 0: not at all."""

    def run(self) -> int:
        """Plays, ranks, writes and prints; returns the exit code."""
        variant = self.variant()
        schedule = self._schedule(variant)
        bots = [bot(text, variant.game) for text in self.bots]
        make_folder(self.out)
        replaced = (self.out / DESCRIPTION).exists()
        games, is_interrupted = self._play(variant, bots, schedule)
        found = standings(variant, bots, games, self.seed, self.timed)
        self._write(variant, schedule, games, found)
        console.OUT.print(standing_table(variant, found))
        console.OUT.print(payoff_table(found))
        for line in key(found):
            console.print_plain(line)
        size = f"{len(games.round):,} games in {len(found.contests):,} rounds"
        instead = " in place of those of an older tournament" if replaced else ""
        console.say(f"{'interrupted after ' if is_interrupted else ''}{size}; results are in {self.out}{instead}")
        return console.INTERRUPTED if is_interrupted else console.SUCCESS

    def _schedule(self, variant: Variant) -> Schedule:
        expect_different(self.bots, variant)
        expect_from_1(self, "games")
        if self.threads is not None:
            expect_from_1(self, "threads")
        if self.certain is not None and not 0.5 < self.certain < 1:
            raise ValueError(f"certain: {self.certain} is not allowed; expected a number between 0.5 and 1")
        if not 0 <= self.timed < np.inf:
            raise ValueError(f"timed: {self.timed} is not allowed; expected a number of seconds from 0")
        return Schedule(lineups(len(self.bots), variant.players), variant.players, self.seed)

    def _play(self, variant: Variant, bots: list[Bot], schedule: Schedule) -> tuple[Games, bool]:
        """Plays whole rounds; also says whether the user stopped it. KeyboardInterrupt if no round is complete."""
        rounds = -(-self.games // schedule.games_a_round)
        ends = [rounds] if self.certain is None else looks(rounds, FIRST_LOOK)
        parts: list[Games] = []
        with console.progress_bar("playing", rounds * schedule.games_a_round) as bar:
            try:
                for first, end in zip([0, *ends], ends, strict=False):
                    for part in played(variant, bots, schedule, first, end - first, self.threads, bar.advance):
                        parts.append(part)
                    if self.certain is not None:
                        found = together(parts).contests(len(bots))
                        if is_certain(found, self.certain, len(ends)):
                            break
            except KeyboardInterrupt:
                complete = sum(len(part.round) for part in parts) // schedule.games_a_round
                if complete == 0:
                    raise
                console.say("interrupted; the complete rounds are summed up and kept …")
                return together(parts).first(complete * schedule.games_a_round), True
        return together(parts), False

    def _write(self, variant: Variant, schedule: Schedule, games: Games, found: Standings) -> None:
        with replacing(self.out / "games.parquet") as path:
            games.table(self.bots).to_parquet(path, index=False)
        with replacing(self.out / "standings.csv") as path:
            found.table.to_csv(path, index=False)
        with replacing(self.out / "payoffs.csv") as path:
            found.pairs.to_csv(path, index=False)
        with replacing(self.out / DESCRIPTION) as path:
            path.write_text(json.dumps(self._described(variant, schedule, len(found.contests)), indent=2) + "\n")
        draw(found, variant.heading, self.out / "tournament.png")

    def _described(self, variant: Variant, schedule: Schedule, rounds: int) -> dict[str, object]:
        options, parameters = differences(variant.settings, variant.game.options, variant.game.parameters)
        return {
            "game": variant.name,
            "players": variant.players,
            "options": options,
            "parameters": parameters,
            "bots": self.bots,
            "lineups": [[self.bots[b] for b in line] for line in schedule.lines],
            "seed": self.seed,
            "rounds": rounds,
            "games": rounds * schedule.games_a_round,
            "certain": self.certain,
            "version": version("critters"),
        }


if __name__ == "__main__":
    sys.exit(console.run_one(Tournament))
