"""Plays games between bots and writes them down: `critters record GAME --players P --games N --seed S --out FILE`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from experiments import console
from experiments.arguments import Bots, GameArguments, Seed, expect_from_1, seats_of
from tabletop import record


@dataclass(frozen=True, kw_only=True)
class Record(GameArguments):
    """Writes records of games between bots, one JSON object a line.

    Game k is game k of any study with the same game, bots and seed. FILE takes the place of an older one when it
    is complete.
    """

    games: Annotated[int, tyro.conf.arg(metavar="N")]
    """Number of games."""

    seed: Seed
    """Seed of the study, 0 to 2**64 - 1."""

    out: Annotated[Path, tyro.conf.arg(metavar="FILE")]
    """File to write: `.jsonl`, or `.jsonl.gz` to compress it."""

    bots: Bots = ("uniform",)
    """Bots that change seats from game to game; fewer than players are repeated."""

    trace: bool = False
    """Also write what was legal at every event."""

    def run(self) -> int:
        """Plays and writes; returns the exit code."""
        expect_from_1(self, "games")
        variant = self.variant()
        bots = seats_of(self.bots, variant.players)
        replaced = self.out.exists()
        with console.progress_bar("recording", self.games) as bar:
            records = record.record_games(variant, self.games, bots, self.seed, trace=self.trace)
            written = record.write_records(self.out, _watched(records, bar))
        console.say(f"{written} records written to {self.out}{' in place of the older file' if replaced else ''}")
        return console.SUCCESS


def _watched(records: Iterator[record.Record], bar: console.Bar) -> Iterator[record.Record]:
    for one in records:
        yield one
        bar.advance(1)


if __name__ == "__main__":
    sys.exit(console.run_one(Record))
