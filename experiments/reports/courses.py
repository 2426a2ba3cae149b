"""The course of the games of a study: means with intervals, over all games and with each card of the whole game."""

import numpy as np
import pandas as pd

from experiments.summary import mean_interval
from tabletop import Results, Variant
from tabletop.course import FIRST_OF_SEVERAL, MEASURES

MEANINGS = {
    "decisions": "decisions of all players",
    "options": "legal actions of a decision (branching factor)",
    "real": "share of decisions with more than one legal action",
    "turns": "turns: runs of decisions of one player",
    "lead_changes": "changes of the leader",
    "behind": "share of the turns after which the winner was behind",
    "comeback": "most points by which the winner was behind",
    "drama": "drama: how far behind the winner was when behind (0 to 1)",
    "uncertainty": "uncertainty: how close the first two were (0 to 1)",
    "late_uncertainty": "the same, late turns counting more",
    "decided": "share of the game when the winner took the lead for good",
    "margin": "points between first and second",
}


def measures_of(players: int) -> tuple[str, ...]:
    """The measures that mean something for so many players."""
    return MEASURES if players > 1 else MEASURES[:FIRST_OF_SEVERAL]


class Courses:
    """Sums over games of the measures and of their squares, by category of the facts of whole games that explain."""

    def __init__(self, variant: Variant) -> None:
        self.players = variant.players
        self.facts = [(i, f) for i, f in enumerate(variant.game.facts) if f.explains and not f.of_seat]
        self.cells = [("", ""), *((f.name, label) for _, f in self.facts for label in f.categories)]
        self.sums = np.zeros((len(self.cells), 1 + 2 * len(MEASURES)))

    def add(self, results: Results) -> None:
        """Adds a chunk of games, if their course was noted."""
        if results.course is None:
            return
        measures = results.course.measures
        values = np.hstack([np.ones((len(measures), 1)), measures, measures**2])
        self.sums[0] += values.sum(axis=0)
        first = 1
        for i, fact in self.facts:
            categories = results.facts[:, i, 0]
            is_of = categories[:, None] == np.arange(len(fact.categories))
            self.sums[first : first + len(fact.categories)] += is_of.T.astype(np.float64) @ values
            first += len(fact.categories)

    def table(self) -> pd.DataFrame:
        """A row for all games and each category that occurred: fact, category, games, each measure with interval."""
        return pd.DataFrame(
            [self._row(*cell, sums) for cell, sums in zip(self.cells, self.sums, strict=True) if sums[0]]
        )

    def _row(self, fact: str, category: str, sums: np.ndarray) -> dict[str, object]:
        games = int(sums[0])
        row: dict[str, object] = {"fact": fact, "category": category, "games": games}
        means, squares = sums[1:].reshape(2, -1) / games
        errors = np.sqrt(np.maximum(0, squares - means**2) / max(1, games - 1))
        for name, mean, error in zip(MEASURES, means, errors, strict=True):
            if name in measures_of(self.players):
                low, high = mean_interval(float(mean), float(error), games)
                row |= {name: float(mean), f"{name}_low": low, f"{name}_high": high}
        return row
