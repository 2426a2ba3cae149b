"""How much of the variance of a result lies between groups of games, and how far apart the groups are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.studies.paired import Estimate
from experiments.summary import reach

TRIM = 5  # percent at either end
FENCE = 1.5  # interquartile ranges outside of the quartiles (Tukey)

Floats = npt.NDArray[np.float64]


def share_between(values: Floats) -> Estimate:
    """Share of the variance that lies between groups: values (groups, games, seats), summed over the seats.

    The estimate of a one-way analysis of variance with random groups, where the chance in the means of groups is
    subtracted. The interval is Student's, from a jackknife over groups of the logarithm of the ratio of variances
    (Arvesen, Schmitz 1970), which holds for few groups as well. nan where nothing varies.
    """
    groups, games = values.shape[:2]
    means = values.mean(axis=1) - values.mean(axis=(0, 1))
    inside = values.var(axis=1, ddof=1).sum(axis=1)
    of_means, within = float(means.var(axis=0, ddof=1).sum()), float(inside.mean())
    between = max(0.0, of_means - within / games)
    if between + within <= 1e-12:
        return Estimate(np.nan, np.nan, np.nan)
    share = between / (between + within)
    if within <= 1e-12:
        return Estimate(share, share, share)
    if groups < 3:
        return Estimate(share, 0.0, 1.0)
    low, high = _ends(means, inside, games, between + within)
    return Estimate(share, min(share, low), max(share, high))


def _ends(means: Floats, inside: Floats, games: int, total: float) -> tuple[float, float]:
    """The interval of the share: means (groups, seats) with the mean 0, and variances within the groups."""
    groups, others = len(means), len(means) - 1
    little = total / (groups * games)
    of_others = (means**2).sum(axis=0) - means**2 * groups / others  # squares about the mean of the others
    of_all = _log_ratio(means.var(axis=0, ddof=1).sum(), inside.mean(), games, little)
    without = _log_ratio(of_others.sum(axis=1) / (others - 1), (inside.sum() - inside) / others, games, little)
    pseudo_values = groups * of_all - others * without
    error = pseudo_values.std(ddof=1) / np.sqrt(groups)
    half = reach(others) * error
    return _share_at(pseudo_values.mean() - half, games), _share_at(pseudo_values.mean() + half, games)


def _log_ratio(of_means: Any, within: Any, games: int, little: float) -> Any:
    """Logarithm of the ratio of both estimates of the variance; a little is added, so that none of them is 0."""
    return np.log((games * of_means + little) / (within + little))


def _share_at(log_ratio: float, games: int) -> float:
    """The share that belongs to the logarithm of a ratio."""
    ratio = max(1.0, float(np.exp(min(log_ratio, 700.0))))
    return (ratio - 1) / (ratio + games - 1)


def left_over(shares: Sequence[Estimate]) -> Estimate:
    """What independently estimated shares leave of the whole, at least 0; the interval of a sum (Zou, Donner 2008)."""
    rest = 1 - sum(share.value for share in shares)
    down = np.sqrt(sum((share.high - share.value) ** 2 for share in shares))
    up = np.sqrt(sum((share.value - share.low) ** 2 for share in shares))
    value, low, high = np.clip([rest, rest - down, rest + up], 0, 1)
    return Estimate(float(value), float(low), float(high))


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
