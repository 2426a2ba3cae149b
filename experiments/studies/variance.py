"""How much of the variance of a result lies between groups of games, and how far apart the groups are."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.studies.paired import Estimate
from experiments.summary import CONFIDENCE

RESAMPLES = 2000
TRIM = 5  # percent at either end
FENCE = 1.5  # interquartile ranges outside of the quartiles (Tukey)

Floats = npt.NDArray[np.float64]


def share_between(values: Floats, seed: int) -> Estimate:
    """Share of the variance that lies between groups: values (groups, games, seats), summed over the seats.

    The estimate of a one-way analysis of variance with random groups, where the chance in the means of groups is
    subtracted; the interval is a bootstrap over groups. nan where nothing varies.
    """
    groups = len(values)
    counts = np.random.default_rng(seed).multinomial(groups, np.full(groups, 1 / groups), RESAMPLES)
    shares = _shares(values, np.concatenate([np.ones((1, groups)), counts]))
    tail = 100 * (1 - CONFIDENCE) / 2
    if np.isnan(shares[0]):
        return Estimate(np.nan, np.nan, np.nan)
    low, high = np.nanpercentile(shares[1:], [tail, 100 - tail])
    return Estimate(float(shares[0]), float(low), float(high))


def _shares(values: Floats, counts: npt.NDArray) -> Floats:
    """The share for each resample, where group g counts counts[…, g] times."""
    groups, games = values.shape[:2]
    means = values.mean(axis=1) - values.mean(axis=(0, 1))
    inside = values.var(axis=1, ddof=1).sum(axis=1)
    middle, square = counts @ means / groups, counts @ (means**2) / groups
    of_means = (square - middle**2).sum(axis=1) * groups / (groups - 1)
    within = counts @ inside / groups
    between = np.maximum(0.0, of_means - within / games)
    total = between + within
    return np.divide(between, total, out=np.full_like(total, np.nan), where=total > 1e-12)


@dataclass(frozen=True)
class Spread:
    """How far apart the means of groups are, as a mean over the seats.

    span: the greatest less the least. trimmed: the same without the outer 5 % on either side. by_chance: what
    `trimmed` would be if the groups did not differ. outliers: share of the means far outside the quartiles.
    """

    span: float
    trimmed: float
    by_chance: float
    outliers: float


def spread(values: Floats, seed: int) -> Spread:
    """The spread of the means of groups: values (groups, games, seats)."""
    groups, games, seats = values.shape
    mixed = np.random.default_rng(seed).permutation(values.reshape(groups * games, seats)).reshape(values.shape)
    means = values.mean(axis=1)
    low, high = np.percentile(means, [25, 75], axis=0)
    reach = FENCE * (high - low) + 1e-12
    outside = (means < low - reach) | (means > high + reach)
    return Spread(
        float(np.ptp(means, axis=0).mean()), _trimmed(means), _trimmed(mixed.mean(axis=1)), float(outside.mean())
    )


def _trimmed(means: Floats) -> float:
    low, high = np.percentile(means, [TRIM, 100 - TRIM], axis=0)
    return float((high - low).mean())


def entropy_of_winner(wins: Floats) -> float:
    """How open a group is: the mean entropy of who wins, from 0 (always the same) to 1 (all seats alike, or more).

    wins: win shares (groups, games, seats). Several winners together, and nobody, count as outcomes of their own.
    Corrected for the number of games (Miller, Madow 1955).
    """
    games, seats = wins.shape[1:]
    outcome = (wins > 0) @ (1 << np.arange(seats))
    rates = np.stack([(outcome == which).mean(axis=1) for which in np.unique(outcome)], axis=1)
    terms = -rates * np.log2(np.where(rates > 0, rates, 1.0))
    bias = ((rates > 0).sum(axis=1) - 1) / (2 * games * np.log(2))
    open_to = (terms.sum(axis=1) + bias) / np.log2(max(2, seats))
    return float(np.minimum(open_to, 1).mean())
