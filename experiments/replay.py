"""Verifies records, whoever made them: `critters replay FILE`; or shows one of them, or a game of a study."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import tyro

from experiments import console
from experiments.studies import Specification, Study
from experiments.studies.ladder import Rung
from experiments.studies.luck import Luck
from tabletop import record
from tabletop.game import CHANCE, OVER
from tabletop.variant import Ids, States, Variant

KINDS = (Specification, Rung, Luck)  # of studies whose games can be played again


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Replays every record of a file and checks each event, legal list, score and winner.

    Prints a line for each broken record and a summary. Exit code 1 if a record is broken. In the folder of a study
    there are no records, but every game of it can be played again and compared with its row: `critters replay DIR
    --game K`. What sweep, chance, skill and restrict leave is a folder with a study in each of its folders; DIR is one
    of these.
    """

    file: tyro.conf.Positional[Path]
    """File of records: `.jsonl` or `.jsonl.gz`; or the folder of a study."""

    show: Annotated[int | None, tyro.conf.arg(metavar="K")] = None
    """Print record K, counted from 0, as readable text instead."""

    game: Annotated[int | None, tyro.conf.arg(metavar="K")] = None
    """Print game K of the study in the folder as readable text, and compare it with the study's row of it."""

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
        study, plan = Study.open(self.file, *KINDS)
        shard, row = plan.place_of(number)
        kept = study.table(shard).slice(row, 1) if study.path(shard).exists() else None
        study.tell_other_environment()
        game = plan.record(number)
        for text in (game.to_json(),) if self.json else _told(plan.variant, game):
            console.print_plain(text)
        if kept is None:
            console.say(f"not compared with the study, as its row is not there: {study.path(shard)} is missing")
            return console.SUCCESS
        if wrong := _differences(kept, plan.row(number), game):
            text = f"broken: game {number} is another one than in the study: {'; '.join(wrong)}"
            console.ERR.print(text, style="bold red", markup=False, highlight=False, soft_wrap=True)
            return console.FAILURE
        console.say(f"game {number} is equal to the study's row, in all {kept.num_columns} columns")
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


def _differences(kept: pa.Table, again: pa.Table, game: record.Record) -> list[str]:
    """In what the row of a study differs from the row and the record of the game as it was played again."""
    there, now = (dict(*table.to_pylist()) for table in (kept, again))
    shown = {"events": len(game.events), **{f"score_{seat}": points for seat, points in enumerate(game.scores or ())}}
    now |= {name: value for name, value in shown.items() if name in now}
    return [
        f"{name} is {there.get(name)} there and {now.get(name)} now"
        for name in dict.fromkeys([*there, *now])
        if not _is_same(there.get(name), now.get(name))
    ]


def _is_same(one: Any, other: Any) -> bool:
    return one == other or (one != one and other != other)  # what is not a number is not equal to itself


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
