"""What head start would make the seats equal: the same games, with points for later or for earlier seats.

Each seat gets so many points more, at the end, than the seat before it (or after it). Nobody knew of them in the games,
so this tells what they would change if all played as before. Seats that come level by them share the win: what would
break such a tie is not known. Where the gap is smallest of all head starts that were tried it is a little too small
by luck, and the less so the more games there are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments.reports.gaps import SeatGap
from experiments.summary import CONFIDENT
from tabletop import Results

PARTS = 4  # of a point: the unit of head starts
SIZES = (1, 2, 3, 4, 6, 8, 12)
GAP_ITSELF = 2  # place in a `Gap`, after the seats
TRIED = (0, *SIZES, *(-size for size in SIZES))  # what each seat has more than the one before it, in parts of a point


class HeadStarts:
    """How often each seat would have won with each head start."""

    def __init__(self, bots: Sequence[str]) -> None:
        """bots: the names that the indexes in the results mean; equal names are one bot."""
        self.players = len(bots)
        self.gaps = {size: SeatGap(bots) for size in TRIED}
        self.most_points_win = True

    @property
    def without(self) -> SeatGap:
        """The gap as it was, without a head start."""
        return self.gaps[0]

    def add(self, results: Results) -> None:
        """Adds a chunk of games."""
        most = results.scores.max(axis=1, keepdims=True)
        winners = results.places == 1
        self.most_points_win &= bool(winners.any(axis=1).all() and (winners <= (results.scores == most)).all())
        for size, gap in self.gaps.items():
            gap.add(replace(results, places=places_with(results, size)) if size else results)

    def table(self) -> pd.DataFrame:
        """A row for each head start, from none on, for those seats that it must be given to make the gap smallest.

        points: that each seat has more than the one before it, negative if it has less. win_0, win_1, …: shares of wins
        of the seats. gap, gap_low, gap_high: between the best and the worst seat. smallest: whether the gap is. Empty
        with one player or one game, and if ever a player won who had not the most points, or nobody did.
        """
        wins = [f"win_{seat}" for seat in range(self.players)]
        columns = ["points", *wins, "gap", "gap_low", "gap_high", "smallest"]
        if self.players < 2 or self.without.games < 2 or not self.most_points_win:
            return pd.DataFrame(columns=columns)
        found = {size: gap.largest() for size, gap in self.gaps.items()}
        smallest = min(TRIED, key=lambda size: found[size].gap)
        shown = [size for size in TRIED if size == 0 or (size < 0) == (smallest < 0)]
        rows = [(size / PARTS, *self.gaps[size].rates(), *found[size][GAP_ITSELF:], size == smallest) for size in shown]
        return pd.DataFrame(rows, columns=columns)


def places_with(results: Results, size: int) -> npt.NDArray[np.int32]:
    """Places (games, seats) with a head start: 1 for who has most, else 2."""
    points = PARTS * results.scores.astype(np.int64) + size * np.arange(results.scores.shape[1])
    return np.where(points == points.max(axis=1, keepdims=True), 1, 2).astype(np.int32)


def in_short(head_starts: pd.DataFrame) -> Iterator[str]:
    """The head start with the smallest gap, if that is surely smaller than without one."""
    for _, row in head_starts[head_starts.smallest].iterrows():
        none = head_starts.iloc[0]
        if row.gap_high < none.gap_low:
            yield (
                f"If each seat had {as_text(row.points)} at the end, and all played as they did, the gap would be "
                f"{100 * row.gap:.1f} percentage points ({CONFIDENT} interval {100 * row.gap_low:.1f} to "
                f"{100 * row.gap_high:.1f}) instead of {100 * none.gap:.1f}: the smallest of the head starts that were "
                "tried."
            )


def as_text(points: float) -> str:
    """What a seat has more than its neighbour."""
    unit = "point" if abs(points) <= 1 else "points"
    return f"{abs(points):g} {unit} more than the seat {'before' if points > 0 else 'after'} it"
