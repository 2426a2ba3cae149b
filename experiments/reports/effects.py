"""The effects of cards, species, seats and bots on wins and points, separated from each other.

A linear model: the share of the win, or the points, of one seat in one game is the sum of one effect for each factor
(its seat, its bot, each fact that explains results) and a rest. The effects are fitted by least squares, and told as
differences to the average over all seats and games, so that none of the categories is the norm. Facts of the whole
game explain points but not wins: with several players, the shares of the seats make up the same whole with any card.

What is dealt comes first. What seats chose in play is a consequence of how the game went as well as a cause, so it has
no say in the effects of what is dealt; its own effects come from a second fit beside all that is dealt and only tell
what goes along with winning. Choices of one kind exclude each other: who took one card did not take another one. So
they are a single factor with an amount, the number of times, for each of them, and the fit compares seats that chose
things of this kind equally often: an effect is that of each further time instead of another one, on average 0 over all
times. How often at all is told by nothing here, because it depends on the length of the game.

The seats of a game depend on each other, and a linear model is not exact, so the standard errors come from a
jackknife over groups of games, which assumes neither; the games in which the bots go once round the seats are in one
group. Sums over games are all that is needed for it (the products of the factors' amounts, which are counts, and
of amounts and results), so that the memory does not depend on the number of games.

The delete-a-group jackknife: P. S. Kott, Delete-a-Group Jackknife, Journal of Official Statistics 17(4), 2001.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from experiments.summary import CHANGE_OF_PART, reach, win_shares
from tabletop import Results, Variant
from tabletop.game import Fact
from tabletop.jit import jit

GROUPS = 64  # of the jackknife; all games of one rotation of the bots belong to the same group
OUTCOMES = ("win", "score")
NOT_THERE = -1  # the column of a fact that does not apply
SINGULAR = 1e-10  # relative to the largest one, an eigenvalue that small is none
DEALT, CHOSEN, TIMES = "dealt", "chosen", "times"  # origins of factors; the last one's effects are not told
COLUMNS = ["factor", "meaning", "category", "origin", "seats", "effect", "low", "high", "error", "chance"]


@dataclass(frozen=True)
class Factor:
    """Something that a seat of a game has: one of some categories or, if CHOSEN, so many times each of them.

    facts: their places in `Game.facts`; one for each label if CHOSEN, all those counted together if TIMES.
    """

    name: str
    meaning: str
    labels: tuple[str, ...]
    first: int  # column of the first category
    facts: tuple[int, ...] = ()
    of_seat: bool = True
    origin: str = DEALT


@jit
def add_products(
    columns: np.ndarray,
    amounts: np.ndarray,
    outcomes: np.ndarray,
    groups: np.ndarray,
    counts: np.ndarray,
    sums: np.ndarray,
):
    """Adds seats of games to the products of columns and outcomes.

    columns: those that are not 0 for a seat (seats × entries), negative where there is none. amounts: what stands in
    them. outcomes: (seats × OUTCOMES). groups: of each seat. counts: (groups × columns × columns). sums: (groups ×
    columns × OUTCOMES).
    """
    for i in range(columns.shape[0]):
        for entry in range(columns.shape[1]):
            one, amount = columns[i, entry], amounts[i, entry]
            if one >= 0:
                for outcome in range(outcomes.shape[1]):
                    sums[groups[i], one, outcome] += amount * outcomes[i, outcome]
                for other in range(columns.shape[1]):
                    if columns[i, other] >= 0:
                        counts[groups[i], one, columns[i, other]] += amount * amounts[i, other]


def _factors(variant: Variant, bots: Sequence[str]) -> list[Factor]:
    """All factors, their columns one after the other: what is dealt, then each kind of thing that seats choose."""
    seats = tuple(map(str, range(variant.players)))
    made = [Factor("seat", "seat", seats, 0), Factor("bot", "bot", tuple(bots), 0)]
    explaining = {i: fact for i, fact in enumerate(variant.game.facts) if fact.explains}
    for i, fact in explaining.items():
        if not fact.chosen:
            made.append(Factor(fact.name, fact.meaning, fact.categories, 0, (i,), fact.of_seat))
    for kind in dict.fromkeys(fact.chosen for fact in explaining.values() if fact.chosen):
        made += _choices({i: fact for i, fact in explaining.items() if fact.chosen == kind}, kind)
    firsts = np.cumsum([0, *(len(factor.labels) for factor in made)])
    return [replace(factor, first=int(first)) for factor, first in zip(made, firsts, strict=False)]


def _choices(facts: dict[int, Fact], kind: str) -> list[Factor]:
    """How often each thing of a kind was chosen, and how often all of them together."""
    names, most = tuple(fact.name for fact in facts.values()), sum(len(fact.categories) - 1 for fact in facts.values())
    meaning = f"{kind}: each further time instead of another {kind}"
    together = tuple(map(str, range(most + 1)))
    return [
        Factor(kind, meaning, names, 0, tuple(facts), origin=CHOSEN),
        Factor(f"{kind} times", f"how often a seat chose a {kind}", together, 0, tuple(facts), origin=TIMES),
    ]


class Effects:
    """Sums over games from which the effects follow."""

    def __init__(self, variant: Variant, bots: Sequence[str]) -> None:
        """bots: the names that the indexes in the results mean; equal names are one bot."""
        self.players = variant.players
        self.bots = tuple(dict.fromkeys(bots))
        self.bot_of = np.array([self.bots.index(name) for name in bots], np.int64)
        self.factors = _factors(variant, self.bots)
        columns = self.factors[-1].first + len(self.factors[-1].labels)
        self.seats = np.zeros(columns, np.int64)  # in which a column is not 0
        self.counts = np.zeros((GROUPS, columns, columns))
        self.sums = np.zeros((GROUPS, columns, len(OUTCOMES)))

    def add(self, results: Results) -> None:
        """Adds a chunk of games."""
        entries = [self._entries(results, factor) for factor in self.factors]
        columns, amounts = (np.concatenate(parts, axis=-1) for parts in zip(*entries, strict=True))
        columns, amounts = columns.reshape(-1, columns.shape[-1]), amounts.reshape(-1, columns.shape[-1])
        self.seats += np.bincount(columns[columns >= 0], minlength=len(self.seats))
        outcomes = np.stack([win_shares(results.places), results.scores.astype(np.float64)], axis=-1)
        groups = np.repeat(results.number // self.players % GROUPS, self.players)
        add_products(columns, amounts, outcomes.reshape(-1, len(OUTCOMES)), groups, self.counts, self.sums)

    def _entries(self, results: Results, factor: Factor) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The columns of a factor that are not 0, for each seat of each game, and their amounts (games, players, n)."""
        if factor.origin == DEALT:
            values = self._categories(results, factor)[:, :, None]
            amounts = np.ones(values.shape)
        else:
            times = np.maximum(0, np.moveaxis(results.facts[:, factor.facts, : self.players], 1, 2))
            if factor.origin == TIMES:
                values = times.sum(axis=2, keepdims=True)
                amounts = np.ones(values.shape)
            else:
                values = np.where(times > 0, np.arange(len(factor.labels)), NOT_THERE)
                amounts = times.astype(np.float64)
        return np.where(values < 0, NOT_THERE, values + factor.first).astype(np.int64), amounts

    def _categories(self, results: Results, factor: Factor) -> npt.NDArray[np.integer]:
        """The category that each seat of each game has of something dealt (games, players); negative for none."""
        shape = results.scores.shape
        if factor.facts:
            seats = slice(self.players if factor.of_seat else 1)
            return np.broadcast_to(results.facts[:, factor.facts[0], seats], shape)
        return np.broadcast_to(np.arange(self.players), shape) if factor.name == "seat" else self.bot_of[results.bots]

    def table(self) -> pd.DataFrame:
        """A row for each outcome and category that occurred beside another one of its factor.

        factor, meaning, category; origin: whether it was DEALT or CHOSEN in play; seats: how many; effect, low, high:
        how much higher the outcome is than on average, with its interval; error: standard error; chance: at most the
        probability that any of the outcome's effects is as far from 0 as this one, compared with its error, if there
        are none (Bonferroni's correction for their number). No rows for what cannot be told apart, such as a card that
        always comes with the same other card.
        """
        parts = [self._of_outcome(outcome) for outcome in range(len(OUTCOMES))]
        return pd.concat(parts, ignore_index=True)

    def _of_outcome(self, outcome: int) -> pd.DataFrame:
        is_win = OUTCOMES[outcome] == "win"
        factors = [f for f in self.factors if f.of_seat or not is_win or self.players == 1]
        varying = [f for f in factors if self._varies(f)]
        dealt = [f for f in varying if f.origin == DEALT]
        parts = [self._model(dealt, outcome).table(self.seats, DEALT)]
        if len(dealt) < len(varying):
            parts.append(self._model(varying, outcome).table(self.seats, CHOSEN))
        frame = pd.concat(parts, ignore_index=True)
        frame["chance"] = np.minimum(1.0, len(frame) * frame.chance)
        if is_win:  # the fit knows nothing of what is possible, which shows if there are few games
            possible = ["effect", "low", "high"]
            frame[possible] = frame[possible].clip(*CHANGE_OF_PART)
        frame.insert(0, "outcome", OUTCOMES[outcome])
        return frame

    def _model(self, factors: list[Factor], outcome: int) -> "_Model":
        return _Model(self.factors[0], factors, self.counts, self.sums[:, :, outcome])

    def _varies(self, factor: Factor) -> bool:
        """Whether more than one category occurred."""
        return bool(np.count_nonzero(self.seats[factor.first : factor.first + len(factor.labels)]) > 1)


class _Model:
    """One outcome explained by some factors, from the sums of all groups.

    Its numbers are the common level, which is the sum of all seats' columns because every row has one seat, and for
    each factor as many contrasts as it has categories beyond the most frequent one. A basis (columns × numbers) leads
    from the numbers to the effects, which are 0 on average over all to whom the factor applies, or over all times.
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
        self.weights = self._amounts(counts.sum(axis=0))
        self.kept = [self._by_frequency(factor) for factor in factors]

    def _amounts(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The sum of each column over all seats of games, each of which is in one of the seats' columns."""
        return counts[self.seats.first : self.seats.first + len(self.seats.labels)].sum(axis=0)

    def _by_frequency(self, factor: Factor) -> npt.NDArray[np.int64]:
        """The columns of the categories that occurred, the most frequent one first."""
        columns = np.arange(factor.first, factor.first + len(factor.labels))
        order = columns[np.argsort(-self.weights[columns], kind="stable")]
        return order[self.weights[order] > 0]

    def _basis(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        weights = self._amounts(counts)
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

    def table(self, seats: npt.NDArray[np.int64], origin: str) -> pd.DataFrame:
        """See `Effects.table`, but that `chance` is of one effect alone. Only factors of one origin are told."""
        counts, sums = self.counts.sum(axis=0), self.sums.sum(axis=0)
        effects = self._effects(counts, sums)
        numbers = self._intervals(effects, self._errors(counts, sums, effects))
        told = self._told_apart(counts)
        rows = [
            (f.name, f.meaning, f.labels[c - f.first], f.origin, int(seats[c]), *numbers[c])
            for f, kept in zip(self.factors, self.kept, strict=True)
            for c in sorted(kept)
            if told[c] and f.origin == origin
        ]
        return pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(COLUMNS[-5:], float))

    def _intervals(self, effects: npt.NDArray[np.float64], errors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Effect, low, high, error and chance of each column; nan but for the effect if it is in one group alone.

        What occurs in few groups has an error that is known no better than from so many.
        """
        occurs = np.count_nonzero(np.diagonal(self.counts, axis1=1, axis2=2), axis=0)
        errors = np.where(occurs > 1, errors, np.nan)
        freedom = np.maximum(1, occurs - 1)
        half = reach(freedom) * errors
        distance = np.divide(np.abs(effects), errors, out=np.zeros_like(errors), where=errors != 0)
        return np.stack(
            [effects, effects - half, effects + half, errors, 2 * scipy.stats.t.sf(distance, freedom)], axis=1
        )

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
