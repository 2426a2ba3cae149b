"""The files of a tournament: its games while they are played, then what they say; never mixed with an older one's."""

import json
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import pandas as pd

from experiments.standings import Standings
from experiments.studies.folder import differences
from tabletop.files import replacing

GAMES, DESCRIPTION, STANDINGS, PAYOFFS = "games.parquet", "tournament.json", "standings.csv", "payoffs.csv"
PICTURE = "tournament.png"
IDENTITY = ("game", "players", "options", "parameters", "bots", "seed")  # what tells one from another
CHOICE = "--out names another folder, or this one to replace what is there"
FILES = (GAMES, DESCRIPTION, STANDINGS, PAYOFFS, PICTURE)

SECONDS_BETWEEN = 60.0  # after which games are kept again while more are played: no more are lost to a power cut
COST = 0.02  # share of the time that keeping them takes at most, however many there are


class TournamentFiles:
    """What a folder holds of a tournament. An older one stays there until rounds of this one are kept.

    about: what is played, and with what, as it is when the tournament begins.
    """

    def __init__(self, folder: Path, about: Mapping[str, object]) -> None:
        self.folder, self.about = folder, about
        self.replaces = (folder / DESCRIPTION).exists()
        self.has_begun = False
        self.next = perf_counter() + SECONDS_BETWEEN

    def expect_no_other(self) -> None:
        """ValueError if a tournament lies in the folder that is none of the same game, bots and deals."""
        try:
            there = json.loads((self.folder / DESCRIPTION).read_bytes())
        except FileNotFoundError:
            return
        except ValueError as error:
            raise ValueError(f"{self.folder / DESCRIPTION} cannot be read: {error}; {CHOICE}") from None
        if not isinstance(there, dict):
            raise ValueError(f"{self.folder / DESCRIPTION} describes no tournament; {CHOICE}")
        now = json.loads(json.dumps(self.about))
        if found := differences(*({name: of.get(name) for name in IDENTITY} for of in (there, now))):
            raise ValueError(f"{self.folder} holds another tournament: {'; '.join(found)}; {CHOICE}")

    def is_due(self) -> bool:
        """Whether it is time to keep the games that are played so far."""
        return perf_counter() >= self.next

    def keep(self, games: pd.DataFrame, reached: Mapping[str, object]) -> None:
        """Writes the games of complete rounds and what they are, in place of those that were kept before."""
        start = perf_counter()
        with replacing(self.folder / GAMES) as table, replacing(self.folder / DESCRIPTION) as text:
            games.to_parquet(table, index=False)
            text.write_text(json.dumps({**self.about, **reached}, indent=2) + "\n")
            self._begin()  # after both are written: where the disk is full, what was there before stays
        end = perf_counter()
        self.next = end + max(SECONDS_BETWEEN, (end - start) / COST)

    def _begin(self) -> None:
        """The first time that there is something to keep, the files of an older tournament go."""
        if not self.has_begun:
            self.has_begun = True
            for name in FILES:
                (self.folder / name).unlink(missing_ok=True)

    def conclude(self, found: Standings) -> None:
        """Writes what the games say."""
        for name, table in ((STANDINGS, found.table), (PAYOFFS, found.pairs)):
            with replacing(self.folder / name) as unfinished:
                table.to_csv(unfinished, index=False)

    @contextmanager
    def told_when_stopped(self) -> Iterator[None]:
        """Lets Ctrl-C, and likewise SIGTERM by which machines stop a program, end the block by saying what is there."""
        try:
            with _termination_as_interrupt():
                yield
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self._told()) from None

    def _told(self) -> str:
        """Nothing if no file was changed."""
        if not self.has_begun:
            return ""
        there = [name for name in FILES if (self.folder / name).exists()]
        return f"interrupted; complete in {self.folder}: {', '.join(there) or 'nothing'}"


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Lets SIGTERM raise KeyboardInterrupt; only the main thread of a program can, and hears of signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)
