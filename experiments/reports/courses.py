"""The course of the games of a study: means with intervals, over all games and with each card of the whole game."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments.summary import COUNT, PART, Bounds, in_columns, mean_interval
from tabletop import Results, Variant
from tabletop.course import DECIDED, FIRST_OF_SEVERAL, MARGIN, MEASURES, TURNS

MEANINGS = {
    "decisions": "decisions of all players",
    "options": "legal actions of a decision (branching factor)",
    "real": "share of decisions with more than one legal action",
    "turns": "turns: runs of decisions of one player",
    "lead_changes": "changes of the leader",
    "behind": "share of the turns after which the winner was behind",
    "comeback": "most points by which the winner was behind; 0 in games in which it never was",
    "drama": "drama: how far behind the winner was when behind (0 to 1); 0 in games in which it never was",
    "uncertainty": "uncertainty: how close the first two were (0 to 1)",
    "late_uncertainty": "the same, late turns counting more",
    "decided": "share of the game when the winner took the lead for good",
    "margin": "points between first and second at the end",
}

PARTS = ("real", "behind", "drama", "uncertainty", "late_uncertainty", "decided")  # measures that are from 0 to 1

DEFINITIONS = (
    "A turn is a run of decisions of one player. After each turn, before another player decides, the points are taken "
    "as they would count now; a player is behind if another one has more, and leads if all others have fewer. Each "
    "measure is taken of each game, and told is its mean over games. What is said of the winner is averaged over the "
    "winners of a game that tie, but for the share of the game when the lead was taken for good; it is 0 where nobody "
    "won.",
    "Behind: how many of the turns, but for the last one, ended with the winner behind, ÷ all turns but the last; and "
    "the most points by which it was behind after one of them. Both are 0 in games in which it never was.",
    "Changes of the leader: how often another player led than the last one that had led, after any turn; the first one "
    "to lead is no change (after Browne, who divides it by the number of moves).",
    "The winner takes the lead for good after the last turn after which it did not lead, in the next turn (in the "
    "first one if it led after all turns): the number of that next turn ÷ the number of all turns. So it is 100 % if "
    "the winner led only after the last turn. Games in which several players have the most points at the end are left "
    "out of this one number: nobody takes the lead for good in them, as the win is shared or a tie-break decides.",
    "Drama: over the turns, but for the last one, after which the winner was behind, the mean of √(points behind ÷ "
    "range), where range is the greatest distance of the most and the fewest points after any turn of the game. A game "
    "in which the winner was never behind counts as 0, so the mean over games is also the lower the more such games "
    "there are. Browne and Maire define it for two players with estimates of the position; here, as Xexéo and others "
    "do, the winner is compared with the leader.",
    "Uncertainty: 1 less the mean, over all turns but the last, of (points of the first less points of the second) ÷ "
    "range; in the late form turn t counts t times in this mean. It is 1 in games in which all have the same points "
    "after every turn, and in games of a single turn. Browne and Maire look at how slowly the lead grows; this is a "
    "form for any number of players.",
    "Points between first and second: of the two highest scores at the end, 0 if several players have the most.",
    "Sources: C. Browne and F. Maire, Evolutionary Game Design, IEEE Transactions on Computational Intelligence and "
    "AI in Games 2(1), 2010; C. Browne, Automatic Generation and Evaluation of Recombination Games, PhD thesis, "
    "Queensland University of Technology, 2008; G. Xexéo, E. Mangeli and L. F. Oliveira, Drama Measures Applied to a "
    "Large Scale Business Game.",
)


def measures_of(players: int) -> tuple[str, ...]:
    """The measures that mean something for so many players; one alone has a single turn."""
    alone = tuple(name for name in MEASURES[:FIRST_OF_SEVERAL] if name != MEASURES[TURNS])
    return MEASURES if players > 1 else alone


def bounds_of(name: str) -> Bounds:
    """Outside of which a measure cannot be."""
    return PART if name in PARTS else COUNT


def are_decided(measures: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Whether one seat alone had the most points at the end (games). measures: of games for several players."""
    return measures[:, MARGIN] > 0


class Courses:
    """Sums over games of the measures and of their squares, by category of the facts of whole games that explain."""

    def __init__(self, variant: Variant) -> None:
        self.players = variant.players
        self.facts = [(i, f) for i, f in enumerate(variant.game.facts) if f.explains and not f.of_seat]
        self.cells = [("", ""), *((f.name, label) for _, f in self.facts for label in f.categories)]
        self.sums = np.zeros((len(self.cells), 2 + 2 * len(MEASURES)))

    def add(self, results: Results) -> None:
        """Adds a chunk of games, if their course was noted."""
        if results.course is None:
            return
        measures = results.course.measures.copy()
        decided = are_decided(measures)[:, None]
        measures[:, DECIDED] *= decided[:, 0]
        values = np.hstack([np.ones((len(measures), 1)), measures, measures**2, decided])
        self.sums[0] += values.sum(axis=0)
        first = 1
        for i, fact in self.facts:
            categories = results.facts[:, i, 0]
            is_of = categories[:, None] == np.arange(len(fact.categories))
            self.sums[first : first + len(fact.categories)] += is_of.T.astype(np.float64) @ values
            first += len(fact.categories)

    def table(self) -> pd.DataFrame:
        """A row for all games and each category that occurred.

        fact, category, games; then each measure with its interval. decided_games: in which one seat alone has the most
        points; `decided` is a mean over them, nan if there are none.
        """
        return pd.DataFrame(
            [self._row(*cell, sums) for cell, sums in zip(self.cells, self.sums, strict=True) if sums[0]]
        )

    def _row(self, fact: str, category: str, sums: np.ndarray) -> dict[str, object]:
        games = int(sums[0])
        row: dict[str, object] = {"fact": fact, "category": category, "games": games}
        counted = np.full(len(MEASURES), games)
        counted[DECIDED] = int(sums[-1])
        means, squares = np.where(counted > 0, sums[1:-1].reshape(2, -1) / np.maximum(1, counted), np.nan)
        errors = np.sqrt(np.maximum(0, squares - means**2) / np.maximum(1, counted - 1))
        for name, mean, error, of in zip(MEASURES, means, errors, counted.tolist(), strict=True):
            if name in measures_of(self.players):
                row |= in_columns(name, (mean, *mean_interval(float(mean), float(error), of, bounds_of(name))))
        return row | ({"decided_games": int(counted[DECIDED])} if self.players > 1 else {})
