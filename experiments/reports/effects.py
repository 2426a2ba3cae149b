"""The effects of cards, species, seats and bots on wins and points, separated from each other.

A linear model: the share of the win, or the points, of one seat in one game is the sum of one effect for each factor
(its seat, its bot, each fact that explains results) and a rest. The effects are fitted by least squares, and told as
differences to the average over all seats and games, so that none of the categories is the norm. Facts of the whole
game explain points but not wins: with several players, the shares of the seats make up the same whole with any card.

The seats of a game depend on each other, and a linear model is not exact, so the standard errors come from a
jackknife over groups of games, which assumes neither; the games in which the bots go once round the seats are in one
group. Sums over games are all that is needed for it (the products of the factors' categories, which are counts, and
of categories and results), so that the memory does not depend on the number of games.

The delete-a-group jackknife: P. S. Kott, Delete-a-Group Jackknife, Journal of Official Statistics 17(4), 2001.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from experiments.summary import CONFIDENCE, win_shares
from tabletop import Results, Variant
from tabletop.jit import jit

GROUPS = 64  # of the jackknife; all games of one rotation of the bots belong to the same group
OUTCOMES = ("win", "score")
NOT_THERE = -1  # the category of a fact that does not apply
SINGULAR = 1e-10  # relative to the largest one, an eigenvalue that small is none
COLUMNS = ["factor", "meaning", "category", "seats", "effect", "low", "high", "error"]


@dataclass(frozen=True)
class Factor:
    """Something with categories that a seat of a game has. fact: its place in `Game.facts`, or None."""

    name: str
    meaning: str
    labels: tuple[str, ...]
    first: int  # column of the first category
    fact: int | None = None
    of_seat: bool = True


@jit
def add_products(columns: np.ndarray, outcomes: np.ndarray, groups: np.ndarray, counts: np.ndarray, sums: np.ndarray):
    """Adds seats of games to the products of columns and outcomes.

    columns: those that are 1 for a seat (seats × factors), negative where a factor does not apply. outcomes: (seats ×
    OUTCOMES). groups: of each seat. counts: (groups × columns × columns). sums: (groups × columns × OUTCOMES).
    """
    for i in range(columns.shape[0]):
        for one in columns[i]:
            if one >= 0:
                for outcome in range(outcomes.shape[1]):
                    sums[groups[i], one, outcome] += outcomes[i, outcome]
                for other in columns[i]:
                    if other >= 0:
                        counts[groups[i], one, other] += 1


def _factors(variant: Variant, bots: Sequence[str]) -> list[Factor]:
    named: list[tuple[str, str, tuple[str, ...], int | None, bool]] = [
        ("seat", "seat", tuple(map(str, range(variant.players))), None, True),
        ("bot", "bot", tuple(bots), None, True),
    ]
    named += [
        (fact.name, fact.meaning, fact.categories, i, fact.of_seat)
        for i, fact in enumerate(variant.game.facts)
        if fact.explains
    ]
    factors: list[Factor] = []
    first = 0
    for name, meaning, labels, fact, of_seat in named:
        factors.append(Factor(name, meaning, labels, first, fact, of_seat))
        first += len(labels)
    return factors


class Effects:
    """Sums over games from which the effects follow."""

    def __init__(self, variant: Variant, bots: Sequence[str]) -> None:
        """bots: the names that the indexes in the results mean; equal names are one bot."""
        self.players = variant.players
        self.bots = tuple(dict.fromkeys(bots))
        self.bot_of = np.array([self.bots.index(name) for name in bots], np.int64)
        self.factors = _factors(variant, self.bots)
        columns = self.factors[-1].first + len(self.factors[-1].labels)
        self.counts = np.zeros((GROUPS, columns, columns))
        self.sums = np.zeros((GROUPS, columns, len(OUTCOMES)))

    def add(self, results: Results) -> None:
        """Adds a chunk of games."""
        columns = np.stack([self._columns(results, factor) for factor in self.factors], axis=-1)
        outcomes = np.stack([win_shares(results.places), results.scores.astype(np.float64)], axis=-1)
        groups = np.repeat(results.number // self.players % GROUPS, self.players)
        flat = columns.reshape(-1, len(self.factors))
        add_products(flat, outcomes.reshape(-1, len(OUTCOMES)), groups, self.counts, self.sums)

    def _columns(self, results: Results, factor: Factor) -> npt.NDArray[np.int64]:
        """The column of a factor that is 1, for each seat of each game (games, players)."""
        shape = results.scores.shape
        if factor.name == "seat" and factor.fact is None:
            values = np.broadcast_to(np.arange(self.players), shape)
        elif factor.fact is None:
            values = self.bot_of[results.bots]
        else:
            seats = slice(self.players if factor.of_seat else 1)
            values = np.broadcast_to(results.facts[:, factor.fact, seats], shape)
        return np.where(values < 0, NOT_THERE, values + factor.first).astype(np.int64)

    def table(self) -> pd.DataFrame:
        """A row for each outcome and category that occurred beside another one of its factor.

        factor, meaning, category; seats: how many; effect, low, high: how much higher the outcome is than on average,
        with its interval; error: standard error. No rows for what cannot be told apart, such as a card that always
        comes with the same other card.
        """
        parts = [self._of_outcome(outcome) for outcome in range(len(OUTCOMES))]
        return pd.concat(parts, ignore_index=True)

    def _of_outcome(self, outcome: int) -> pd.DataFrame:
        is_win = OUTCOMES[outcome] == "win"
        factors = [f for f in self.factors if f.of_seat or not is_win or self.players == 1]
        varying = [f for f in factors if self._varies(f)]
        frame = _Model(self.factors[0], varying, self.counts, self.sums[:, :, outcome]).table()
        frame.insert(0, "outcome", OUTCOMES[outcome])
        return frame

    def _varies(self, factor: Factor) -> bool:
        """Whether more than one category occurred."""
        own = slice(factor.first, factor.first + len(factor.labels))
        return bool(np.count_nonzero(np.diagonal(self.counts.sum(axis=0))[own]) > 1)


class _Model:
    """One outcome explained by some factors, from the sums of all groups.

    Its numbers are the common level, which is the sum of all seats' columns because every row has one seat, and for
    each factor as many contrasts as it has categories beyond the most frequent one. A basis (columns × numbers) leads
    from the numbers to the effects, which are 0 on average over all to whom the factor applies.
    """

    def __init__(
        self,
        seats: Factor,
        factors: list[Factor],
        counts: npt.NDArray[np.float64],
        sums: npt.NDArray[np.float64],
    ) -> None:
        self.seats, self.factors = seats, factors
        self.counts, self.sums = counts, sums
        self.used = np.flatnonzero(counts[:, seats.first, seats.first])  # groups with games
        self.weights = np.diagonal(counts.sum(axis=0))
        self.kept = [self._by_frequency(factor) for factor in factors]

    def _by_frequency(self, factor: Factor) -> npt.NDArray[np.int64]:
        """The columns of the categories that occurred, the most frequent one first."""
        columns = np.arange(factor.first, factor.first + len(factor.labels))
        order = columns[np.argsort(-self.weights[columns], kind="stable")]
        return order[self.weights[order] > 0]

    def _basis(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        weights = np.diagonal(counts)
        level = np.zeros((len(weights), 1))
        level[self.seats.first : self.seats.first + len(self.seats.labels)] = 1
        parts = [level]
        for kept in self.kept:
            contrasts = np.zeros((len(weights), len(kept) - 1))
            contrasts[kept[1:]] = np.eye(len(kept) - 1)
            contrasts[kept[0]] = -weights[kept[1:]] / max(1.0, weights[kept[0]])
            parts.append(contrasts)
        return np.hstack(parts)

    def _effects(self, counts: npt.NDArray[np.float64], sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The effects of all columns."""
        basis = self._basis(counts)
        numbers = np.linalg.lstsq(basis.T @ counts @ basis, basis.T @ sums, rcond=SINGULAR)[0]
        return basis[:, 1:] @ numbers[1:]

    def table(self) -> pd.DataFrame:
        """See `Effects.table`."""
        counts, sums = self.counts.sum(axis=0), self.sums.sum(axis=0)
        effects = self._effects(counts, sums)
        errors = self._errors(counts, sums, effects)
        half = stats.t.ppf((1 + CONFIDENCE) / 2, max(1, len(self.used) - 1)) * errors
        numbers = np.stack([effects, effects - half, effects + half, errors], axis=1)
        told = self._told_apart(counts)
        rows = [
            (f.name, f.meaning, f.labels[c - f.first], int(self.weights[c]), *numbers[c])
            for f, kept in zip(self.factors, self.kept, strict=True)
            for c in sorted(kept)
            if told[c]
        ]
        return pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(COLUMNS[-4:], float))

    def _errors(
        self, counts: npt.NDArray[np.float64], sums: npt.NDArray[np.float64], effects: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Standard errors by leaving out each group of games in turn; nan if there is only one."""
        groups = len(self.used)
        if groups < 2:
            return np.full(len(effects), np.nan)
        without = [self._effects(counts - self.counts[g], sums - self.sums[g]) for g in self.used]
        return np.sqrt((groups - 1) / groups * ((np.array(without) - effects) ** 2).sum(axis=0))

    def _told_apart(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """Whether the effect of each column follows from the data: no combination of others does the same."""
        basis = self._basis(counts)
        values, vectors = np.linalg.eigh(basis.T @ counts @ basis)
        unseen = vectors[:, values < SINGULAR * max(1.0, values.max())]
        return (np.abs(basis[:, 1:] @ unseen[1:]) < 1e-6).all(axis=1)
