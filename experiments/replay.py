"""Verifies records, whoever made them: `critters replay FILE`; or shows one of them, or a game of a study."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

import tyro

from experiments import console
from experiments.studies import Specification, Study, results_of
from tabletop import record
from tabletop.game import CHANCE, OVER
from tabletop.variant import Ids, States, Variant


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Replays every record of a file and checks each event, legal list, score and winner.

    Prints a line for each broken record and a summary. Exit code 1 if a record is broken. In the folder of a study
    there are no records, but every game of it can be played again: `critters replay DIR --game K`.
    """

    file: tyro.conf.Positional[Path]
    """File of records: `.jsonl` or `.jsonl.gz`; or the folder of a study."""

    show: Annotated[int | None, tyro.conf.arg(metavar="K")] = None
    """Print record K, counted from 0, as readable text instead."""

    game: Annotated[int | None, tyro.conf.arg(metavar="K")] = None
    """Print game K of the study in the folder as readable text, and compare its result with the study's."""

    json: bool = False
    """With --game: print the record of the game instead, to be kept in a file."""

    def run(self) -> int:
        """Verifies, or shows; returns the exit code."""
        if self.game is not None:
            if self.show is not None:
                raise ValueError("--show K is for a file of records, --game K for the folder of a study; expected one")
            if self.file.is_file():
                raise ValueError(f"{self.file} is a file; expected the folder of a study, or --show K for a record")
            return self._show_game(self.game)
        if self.file.is_dir():
            raise ValueError(f"{self.file} is a folder; expected a file of records, or --game K for a game of a study")
        return self._verify() if self.show is None else self._show(self.show)

    def _show_game(self, number: int) -> int:
        study, specification = Study.open(self.file, Specification)
        game = specification.record(number)
        for text in (game.to_json(),) if self.json else _told(specification.variant, game):
            console.print_plain(text)
        shard, row = divmod(number, specification.games_a_shard)
        if study.has(shard):
            kept = results_of(specification, study.table(shard)).scores[row].tolist()
            if kept != game.scores:
                console.print_plain(f"broken: the study has the scores {kept} for game {number}")
                return console.FAILURE
        return console.SUCCESS

    def _verify(self) -> int:
        sound = broken = 0
        with console.progress_bar("replaying", None) as bar:
            for checked in record.check_records(self.file):
                if isinstance(checked, record.RecordError):
                    broken += 1
                    console.print_plain(str(checked))
                else:
                    sound += 1
                bar.advance(1)
        console.print_plain(f"{self.file}: {sound + broken} records, {sound} sound, {broken} broken")
        return console.FAILURE if broken else console.SUCCESS

    def _show(self, index: int) -> int:
        lines = list(islice(record.read_lines(self.file), index, index + 1)) if index >= 0 else []
        if not lines:
            raise ValueError(f"{self.file} has no record {index}; they are counted from 0")
        game = record.Record.from_json(lines[0])
        for text in _told(game.variant(), game):
            console.print_plain(text)
        try:
            record.replay(game)
        except record.RecordError as error:
            console.print_plain(f"broken: {error}")
            return console.FAILURE
        return console.SUCCESS


def _told(variant: Variant, game: record.Record) -> Iterator[str]:
    """A game as text: its settings, every position and event up to one that is not legal, and its result."""
    states = variant.new(1)
    yield repr(variant)
    for number, token in enumerate(game.events):
        mover = int(variant.to_move(states)[0])
        yield f"\n{variant.text(states)}\n\nevent {number}, {_name(mover)}: {_safe(token, variant)}"
        if not _apply(variant, states, token):
            return
    yield f"\n{variant.text(states)}"
    if game.scores is not None:
        yield f"\nscores {list(game.scores)}, winners {list(game.winners or ())}"


def _safe(token: str, variant: Variant) -> str:
    """A token, quoted if the game has none like it: it may hold anything."""
    return token if token in variant.event_ids else repr(token)


def _name(mover: int) -> str:
    return {CHANCE: "chance", OVER: "nobody"}.get(mover, f"seat {mover}")


def _apply(variant: Variant, states: States, token: str) -> bool:
    """Applies an event if it is legal; whether it was."""
    event = variant.event_ids.get(token, -1)
    legal: Ids = variant.legal(states)[0]
    if event not in legal:
        return False
    variant.step(states, [event])
    return True


if __name__ == "__main__":
    sys.exit(console.run_one(Replay))
