"""How much less one seat wins than the same bot does on all seats, where luck in the base is known.

Where one bot sits on all seats and the seat that is looked at changes from game to game, nobody is better than another:
over all seats the share of the win that this seat has, less the mean share of all seats of its game, is 0 but for
luck. (The mean share is 1 / players where somebody wins, and the same number as the seat's own where it plays alone.)
This luck is seen, so it is taken off: it is a control variate.

The loss is the mean over seats of `lost` - c · `luck`, right for any c. With c = 0 a game is compared with the same
game of free seats, which is best where most games stay the same; with c = 1 with the share that is known, which is best
where games go apart, and where the base would otherwise err for all classes of a study together. c is the coefficient
of regression, whose variance is the smallest, and the interval is that of the regression line where luck is 0
(Lavenberg, Welch 1981). Only what games of the same seat differ by counts as error (a stratified sample).
"""

import numpy as np
import numpy.typing as npt

from experiments.studies.paired import Estimate, Floats
from experiments.summary import ROUNDING, mean_interval, rate_interval

LOST, LUCK = 0, 1  # columns
VIRTUAL = 1.0  # a game's worth of difference that may yet come, so that a few equal results do not look certain


class LostWins:
    """Sums over games by the seat that is looked at: of what it lost, of the luck of the base, and their products."""

    def __init__(self, players: int) -> None:
        self.players, self.won, self.alike = players, 0, 0
        self.counts, self.sums, self.products = np.zeros(players), np.zeros((players, 2)), np.zeros((2, 2))

    def add(self, seats: npt.NDArray[np.int64], here: Floats, base: Floats, alike: npt.NDArray[np.bool_]) -> None:
        """Adds games. seats: the one that is looked at. here, base: the shares of all seats in the win (games, seats).

        In the base all seats have the same bot. alike: whether all was the same in both games.
        """
        games = np.arange(len(seats))
        somebody = base.any(axis=1)
        free = base[games, seats]
        both = np.stack([free - here[games, seats], free - somebody / self.players], axis=1)
        np.add.at(self.counts, seats, 1)
        np.add.at(self.sums, seats, both)
        self.products += both.T @ both
        self.won += int(somebody.sum())
        self.alike += int(alike.sum())

    def loss(self) -> Estimate:
        """The loss with its interval; nan as the ends where games are too few to tell how much they differ."""
        if not self.counts.all():
            return Estimate(float(self.sums[:, LOST].sum() / self.counts.sum()), np.nan, np.nan)
        of_seats = self.sums / self.counts[:, None]
        means, within = of_seats.mean(axis=0), self.products - self.sums.T @ of_seats
        varies = bool(within[LUCK, LUCK] > ROUNDING)
        slope = float(within[LOST, LUCK] / within[LUCK, LUCK]) if varies else 0.0
        value = float(means[LOST] - slope * means[LUCK])
        freedom = int(self.counts.sum()) - self.players - varies
        weight = (1 / self.counts).sum() / self.players**2
        weight += means[LUCK] ** 2 / within[LUCK, LUCK] if varies else 0.0
        return Estimate(value, *self._ends(value, self._error(within, slope, freedom) * np.sqrt(weight), freedom + 1))

    def _error(self, within: Floats, slope: float, freedom: int) -> float:
        """By how much games differ from the line; nothing only where the games are the same."""
        if freedom < 1 or self.alike == self.counts.sum():
            return 0.0
        return float(np.sqrt((max(0.0, within[LOST, LOST] - slope * within[LOST, LUCK]) + VIRTUAL) / freedom))

    def _ends(self, loss: float, error: float, games: int) -> tuple[float, float]:
        """Where the base is known: from Wilson's interval of what the seat wins, which cannot be outside of 0 … 1."""
        if self.won < self.counts.sum():
            return mean_interval(loss, error, games)
        equal = 1 / self.players
        share = float(np.clip(equal - loss, 0, 1))
        low, high = rate_interval(share if ROUNDING < share < 1 - ROUNDING else round(share), error, games)
        return equal - high, equal - low
