"""How games are won: by more points than all others have, by a tie-break, or together with others."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments.summary import in_columns, rate_interval
from tabletop import Results

WAYS = ("points", "tie_break", "shared")
POINTS, TIE_BREAK, SHARED = range(len(WAYS))


def ways_of(results: Results) -> npt.NDArray[np.int64]:
    """How each game was won (games), an index of WAYS."""
    most = results.scores.max(axis=1, keepdims=True)
    are_level = (results.scores == most).sum(axis=1) > 1
    are_shared = (results.places == 1).sum(axis=1) > 1
    return np.where(are_shared, SHARED, np.where(are_level, TIE_BREAK, POINTS))


class Ties:
    """How often each seat won in each way."""

    def __init__(self, players: int) -> None:
        self.games = 0
        self.ended = np.zeros(len(WAYS), np.int64)
        self.won = np.zeros((players, len(WAYS)), np.int64)

    def add(self, results: Results) -> None:
        """Adds a chunk of games."""
        found = ways_of(results)[:, None] == np.arange(len(WAYS))
        winners = results.places == 1
        self.games += len(found)
        self.ended += (found & winners.any(axis=1, keepdims=True)).sum(axis=0)
        self.won += winners.T.astype(np.int64) @ found

    def table(self) -> pd.DataFrame:
        """A row for all seats together and one for each; empty with one player.

        seat: empty for all together. games: played. points, tie_break, shared, with intervals: the share of all games
        that the seat won in this way; of a shared win, each of those who share it.
        """
        if len(self.won) == 1:
            return pd.DataFrame(columns=["seat", "games", *WAYS])
        rows = [("", self.ended), *((str(seat), own) for seat, own in enumerate(self.won))]
        return pd.DataFrame([{"seat": seat, "games": self.games, **self._rates(own)} for seat, own in rows])

    def _rates(self, won: npt.NDArray[np.int64]) -> dict[str, float]:
        columns: dict[str, float] = {}
        for way, rate in zip(WAYS, (won / self.games).tolist(), strict=True):
            error = float(np.sqrt(rate * (1 - rate) / self.games))
            columns |= in_columns(way, (rate, *rate_interval(rate, error, self.games)))
        return columns
