"""Which bot is best? `critters tournament GAME --players P --bots A,B,… --games N`."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import pandas as pd
import tyro

from experiments import console
from experiments.arguments import (
    Bots,
    Folder,
    GameArguments,
    Seed,
    bots_described,
    expect_different,
    expect_from_1,
    game_described,
    make_folder,
)
from experiments.contests import RATING_PACKAGES, Contests, contests, expect_rating_packages, is_certain, looks
from experiments.lineups import Schedule, lineups
from experiments.standings import Standings, key, payoff_table, standing_table, standings
from experiments.studies.environment import environment_of
from experiments.tournament_files import PICTURE, TournamentFiles
from experiments.tournament_picture import can_draw, draw
from tabletop import FailedBotError, IllegalChoiceError, Variant, matches, play
from tabletop.bots import Bot, bot
from tabletop.threads import run_ranges

FIRST_LOOK = 8  # rounds

MAKERS = tuple(  # the sources beside rules and bots on which the results depend
    Path(__file__).parent / f"{name}.py"
    for name in ("tournament", "lineups", "contests", "standings", "move_times", "summary")
)


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


def has_whole_round(parts: Sequence[Games], schedule: Schedule) -> bool:
    """Whether a round is complete."""
    return sum(len(part.round) for part in parts) >= schedule.games_a_round


def whole_rounds(parts: Sequence[Games], schedule: Schedule) -> Games:
    """The games of the rounds that are complete."""
    games = together(parts)
    return games.first(len(games.round) // schedule.games_a_round * schedule.games_a_round)


@dataclass(frozen=True)
class Outcome:
    """The games of the complete rounds, whether the ranking became certain, and what stopped the tournament early."""

    games: Games
    is_certain: bool
    stopped_by: BaseException | None

    @property
    def is_interrupted(self) -> bool:
        """Whether the user stopped it."""
        return isinstance(self.stopped_by, KeyboardInterrupt)

    def told(self, rounds: int) -> str:
        """How many games there are, and why there are not more."""
        size = f"{len(self.games.round):,} games in {rounds:,} rounds"
        return size if self.stopped_by is None else f"{_stopped(self.stopped_by)} after {size}"


def _stopped(stopped_by: BaseException) -> str:
    return "interrupted" if isinstance(stopped_by, KeyboardInterrupt) else "stopped by an error"


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

    The games are the same whatever the threads; where they are cut is not, and may be within a round. If a bot fails,
    all games before that one are yielded before its error is raised.
    """
    before = first * schedule.games_a_round

    def play_some(low: int, high: int) -> Games:
        return play_seated(variant, bots, *schedule.games(before + low, before + high), schedule.seed)

    def play_range(low: int, high: int) -> tuple[Games, Exception | None]:
        return until_failure(play_some, low, high)

    for games, failure in run_ranges(play_range, count * schedule.games_a_round, threads, done):
        yield games
        if failure:
            raise failure


def until_failure(play_some: Callable[[int, int], Games], low: int, high: int) -> tuple[Games, Exception | None]:
    """The games low … high − 1, or those before the one in which a bot fails, with its error.

    A batch in which one fails is lost: those before it are played once more, one by one.
    """
    try:
        return play_some(low, high), None
    except (FailedBotError, IllegalChoiceError) as error:
        failure = error
    parts = [play_some(low, low)]
    with suppress(FailedBotError, IllegalChoiceError):
        for game in range(low, high - 1):
            parts.append(play_some(game, game + 1))
    return together(parts), failure


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
    tournament.json (what was played), in place of those of an older tournament. A tournament that is interrupted, or in
    which a bot fails, sums up and keeps the complete rounds; games are kept every minute, and before that.
    """

    bots: Bots
    """Bots, each by its name and perhaps parameters: greedy,mcts:iterations=1000,rollout=greedy,uniform."""

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Number of games at least; whole rounds are played, of every line-up in every rotation."""

    seed: Seed = 0
    """Seed of the deals, 0 to 2**64 - 1."""

    out: Annotated[Folder | None, tyro.conf.arg(metavar="DIR")] = None
    """Folder for the results, made if it does not exist; by default results/tournament-GAME, in which no tournament
    between other bots, of another game or with another seed is replaced."""

    certain: Annotated[float | None, tyro.conf.arg(metavar="C")] = None
    """Stop early when the whole ranking is certain with this probability, such as 0.95."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="T")] = None
    """Threads, by default one for each processor."""

    timed: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 0.5
    """How long the time a move of each bot is measured; 0: not at all."""

    def run(self) -> int:
        """Plays, ranks, writes and prints; returns the exit code, or raises what stopped it after the first rounds."""
        variant = self.variant()
        schedule = self._schedule(variant)
        bots = [bot(text, variant.game) for text in self.bots]
        expect_rating_packages()
        folder = self.out or Path("results", f"tournament-{self.game}")
        files = TournamentFiles(folder, self._about(variant, schedule))
        make_folder(folder)
        if self.out is None:
            files.expect_no_other()
        draws = can_draw()
        with files.told_when_stopped():
            outcome = self._play(variant, bots, schedule, files)
            found = self._summed_up(variant, bots, schedule, outcome, files)
            try:
                files.conclude(found)
                if draws:
                    draw(found, variant.heading, folder / PICTURE)
            finally:  # what was found is shown even where it cannot be written
                self._show(variant, found, outcome)
            instead = " in place of those of an older tournament" if files.replaces else ""
            console.say(f"{outcome.told(len(found.contests))}; results are in {folder}{instead}")
        if outcome.is_interrupted:
            return console.INTERRUPTED
        if outcome.stopped_by:
            raise outcome.stopped_by
        return console.SUCCESS

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

    def _play(self, variant: Variant, bots: list[Bot], schedule: Schedule, files: TournamentFiles) -> Outcome:
        """Plays and keeps rounds until the user or an error stops it; that is raised if no round is complete."""
        parts: list[Games] = []
        is_certain = False
        stopped_by: BaseException | None = None
        try:
            is_certain = self._play_all(variant, bots, schedule, parts, files)
        except (Exception, KeyboardInterrupt) as stop:  # whatever it is, it must not cost what is complete
            if not has_whole_round(parts, schedule):
                raise
            stopped_by = stop
            why = f" ({stop})" if str(stop) else ""
            console.say(f"{_stopped(stop)}{why}; the complete rounds are summed up and kept …")
        return Outcome(whole_rounds(parts, schedule), is_certain, stopped_by)

    def _summed_up(
        self, variant: Variant, bots: list[Bot], schedule: Schedule, outcome: Outcome, files: TournamentFiles
    ) -> Standings:
        """Keeps the games, then says what they mean; where they cannot be kept, that is at least shown."""
        try:
            self._keep(schedule, outcome.games, files, outcome.is_certain)
        except OSError:
            self._show(variant, standings(variant, bots, outcome.games, self.seed, self.timed), outcome)
            raise
        return standings(variant, bots, outcome.games, self.seed, self.timed)

    def _play_all(
        self, variant: Variant, bots: list[Bot], schedule: Schedule, parts: list[Games], files: TournamentFiles
    ) -> bool:
        """Adds games to `parts` and keeps them now and then; returns whether the ranking became certain."""
        rounds = -(-self.games // schedule.games_a_round)
        ends = [rounds] if self.certain is None else looks(rounds, FIRST_LOOK)
        with console.progress_bar("playing", rounds * schedule.games_a_round) as bar:
            for first, end in zip([0, *ends], ends, strict=False):
                for part in played(variant, bots, schedule, first, end - first, self.threads, bar.advance):
                    parts.append(part)
                    if files.is_due() and has_whole_round(parts, schedule):
                        self._keep(schedule, whole_rounds(parts, schedule), files)
                if self.certain and is_certain(together(parts).contests(len(bots)), self.certain, len(ends)):
                    return True
        return False

    def _keep(self, schedule: Schedule, games: Games, files: TournamentFiles, is_certain: bool = False) -> None:
        """Writes games of complete rounds."""
        reached = {
            "rounds": len(games.round) // schedule.games_a_round,
            "games": len(games.round),
            "is_certain": None if self.certain is None else is_certain,
        }
        files.keep(games.table(self.bots), reached)

    def _show(self, variant: Variant, found: Standings, outcome: Outcome) -> None:
        console.OUT.print(standing_table(variant, found))
        console.OUT.print(payoff_table(found))
        for line in key(found):
            console.print_plain(line)
        if self.certain is not None:
            console.print_plain(
                f"The whole ranking is {'' if outcome.is_certain else 'not '}certain with probability {self.certain:g} "
                f"after {len(outcome.games.round):,} games; {self.games:,} were asked for."
            )

    def _about(self, variant: Variant, schedule: Schedule) -> dict[str, object]:
        """What is played, and with what."""
        rating = {name: version(name) for name in (module.partition(".")[0] for module in RATING_PACKAGES)}
        return {
            **game_described(variant),
            "bots": self.bots,
            "parameters_of_bots": bots_described(variant, self.bots),
            "lineups": [[self.bots[b] for b in line] for line in schedule.lines],
            "seed": self.seed,
            "asked": self.games,
            "certain": self.certain,
            "environment": environment_of(variant, self.bots, MAKERS) | rating,
        }


if __name__ == "__main__":
    sys.exit(console.run_one(Tournament))
