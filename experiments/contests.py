"""The outcome of a tournament's rounds, and what it says about the strength of the bots.

The unit of every interval is the round: its games share a deal, so they depend on each other. Bradley–Terry ratings
are fitted by choix, whose algorithm (iterative Luce spectral ranking) takes a dense matrix of comparisons with
fractional counts, as ties give them, and is fast enough to fit hundreds of resampled tournaments. Plackett–Luce
ratings, which look at whole rankings, are openskill's.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from types import ModuleType

import numpy as np
import numpy.typing as npt
import scipy

from experiments.summary import mean_interval, mean_places, rate_of_rounds, reach, win_shares
from tabletop.extras import MissingExtraError

ELO = 400 / np.log(10)  # a Bradley–Terry difference of 1 on the scale of chess ratings
VIRTUAL_WIN = 0.5  # added to both sides of every pair, so that a bot that won everything has a finite rating
RATING_PACKAGES = ("choix", "openskill.models")
RESAMPLES = 500
ROUNDS_AT_ONCE = 1000  # whose games are summed up together, which bounds the memory that it takes
COUNTS_AT_ONCE = 1_000_000  # of how often a round is resampled, likewise


@dataclass(frozen=True)
class Contests:
    """Sums over the games of each round; the first axis is the round.

    ahead[r, a, b]: comparisons of a seat of a with a seat of b in one game that a won, ties half. seats: seats of
    each bot. wins: its shares of wins. places, scores: sums over its seats; seats that tie share the mean place.
    """

    ahead: npt.NDArray[np.float64]
    seats: npt.NDArray[np.float64]
    wins: npt.NDArray[np.float64]
    places: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.ahead)


def joined(parts: Sequence[Contests]) -> Contests:
    """Several runs of rounds as one."""
    names = ("ahead", "seats", "wins", "places", "scores")
    return Contests(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def contests(
    bots: int,
    rounds: npt.NDArray[np.int64],
    seated: npt.NDArray[np.int64],
    scores: npt.NDArray[np.int32],
    places: npt.NDArray[np.int32],
) -> Contests:
    """Sums up games, of which those of one round stand together; the other arrays are (games, players).

    Games for one player are compared within the round: a win is better than none, then more points are.
    """
    starts = np.flatnonzero(np.diff(rounds, prepend=rounds[0] - 1))
    ends = [*starts[ROUNDS_AT_ONCE::ROUNDS_AT_ONCE], len(rounds)]
    parts = [slice(low, high) for low, high in pairwise([0, *ends])]
    return joined([_of_rounds(bots, rounds[part], seated[part], scores[part], places[part]) for part in parts])


def _of_rounds(
    bots: int,
    rounds: npt.NDArray[np.int64],
    seated: npt.NDArray[np.int64],
    scores: npt.NDArray[np.int32],
    places: npt.NDArray[np.int32],
) -> Contests:
    starts = np.flatnonzero(np.diff(rounds, prepend=rounds[0] - 1))
    shared = mean_places(places)
    sums = [_by_bot(bots, seated, x) for x in (np.ones_like(shared), win_shares(places), shared, scores)]
    seats, wins, of_places, points = (np.add.reduceat(x, starts, axis=0) for x in sums)
    ahead = _ahead(bots, *compared(len(starts), seated, scores, places))
    ahead = ahead if len(ahead) == len(starts) else np.add.reduceat(ahead, starts, axis=0)
    return Contests(ahead, seats, wins, of_places, points)


def compared(
    rounds: int, seated: npt.NDArray[np.int64], scores: npt.NDArray[np.int32], places: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Bots and places in which they are compared: those of each game, or of the lone games of a round together."""
    if seated.shape[1] > 1:
        return seated, places
    lost, points = places.reshape(rounds, -1) > 1, scores.reshape(rounds, -1).astype(np.int64)
    order = lost * (np.ptp(points) + 1) - points
    return seated.reshape(rounds, -1), scipy.stats.rankdata(order, method="min", axis=1).astype(np.int32)


def _by_bot(bots: int, seated: npt.NDArray[np.int64], values: npt.NDArray) -> npt.NDArray[np.float64]:
    """Sums of a seat's values over the seats of each bot (games, bots)."""
    sums = np.zeros((len(seated), bots))
    np.add.at(sums, (np.arange(len(seated))[:, None], seated), values)
    return sums


def _ahead(bots: int, seated: npt.NDArray[np.int64], places: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Comparisons between the seats of each game (games, bots, bots); a bot is not compared with itself."""
    won = (places[:, :, None] < places[:, None, :]) + 0.5 * (places[:, :, None] == places[:, None, :])
    won *= seated[:, :, None] != seated[:, None, :]
    sums = np.zeros((len(seated), bots, bots))
    game = np.arange(len(seated))[:, None, None]
    np.add.at(sums, (game, seated[:, :, None], seated[:, None, :]), won)
    return sums


def means(values: npt.NDArray[np.float64], seats: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Mean over the seats of each bot, with the ends of its interval (bots, 3)."""
    return np.array([_interval(values[:, b], seats[:, b], mean_interval) for b in range(values.shape[1])])


def rates(values: npt.NDArray[np.float64], trials: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Rate over the trials of each bot or pair, with the ends of its interval (…, 3); nan where there were none."""
    flat, counts = values.reshape(len(values), -1), trials.reshape(len(trials), -1)
    rows = [_interval(flat[:, k], counts[:, k], rate_of_rounds) for k in range(flat.shape[1])]
    return np.array(rows).reshape(*values.shape[1:], 3)


def places_of_bots(found: Contests, players: int) -> npt.NDArray[np.float64]:
    """Mean place of each bot with its interval, as the rate of the rivals that end before it (bots, 3)."""
    rivals = players - 1
    return 1 + rivals * rates((found.places - found.seats) / rivals, found.seats)


def _interval(sums: npt.NDArray[np.float64], counts: npt.NDArray[np.float64], interval) -> tuple[float, float, float]:
    """The mean with its interval; a single round has none, as nobody knows how much rounds differ."""
    if not counts.any():
        return np.nan, np.nan, np.nan
    mean = sums.sum() / counts.sum()
    spread = np.sum((sums - mean * counts) ** 2) * len(sums) / max(1, len(sums) - 1)
    low, high = interval(mean, float(np.sqrt(spread)) / counts.sum(), len(sums))
    return float(mean), float(low), float(high)


def payoffs(found: Contests) -> npt.NDArray[np.float64]:
    """How often a seat of bot a ends before a seat of bot b of the same game, with intervals (bots, bots, 3)."""
    return rates(found.ahead, found.ahead + found.ahead.transpose(0, 2, 1))


def superiority(found: Contests) -> npt.NDArray[np.float64]:
    """Likelihood that bot a is better than bot b, given the rounds so far (bots, bots); 0.5 on the diagonal.

    The mean difference of a round has Student's distribution. Two virtual rounds, one for each side, keep a short
    run of equal results from looking certain.
    """
    difference = found.ahead - found.ahead.transpose(0, 2, 1)
    size = np.maximum(1, (found.ahead + found.ahead.transpose(0, 2, 1)).max(axis=0))
    share = difference / size
    rounds = len(found) + 2
    mean = share.sum(axis=0) / rounds
    variance = ((share**2).sum(axis=0) + 2) / rounds - mean**2
    likelihood = scipy.stats.t.cdf(mean / np.sqrt(variance / (rounds - 1)), rounds - 1)
    np.fill_diagonal(likelihood, 0.5)
    return likelihood


def rating_package(name: str) -> ModuleType:
    """One of the packages that rate; MissingExtraError if it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(name.partition(".")[0], "ratings", error) from None


def expect_rating_packages() -> None:
    """MissingExtraError unless all that it takes to rate bots is installed."""
    for name in RATING_PACKAGES:
        rating_package(name)


def bradley_terry(
    ahead: npt.NDArray[np.float64], virtual: npt.NDArray[np.float64] | float = 1.0
) -> npt.NDArray[np.float64]:
    """Ratings on the scale of chess, mean 0, from a matrix of comparisons (bots, bots).

    virtual: how much the virtual wins count, all of them or each (bots, bots).
    """
    met = ahead + ahead.T > 0
    return ELO * rating_package("choix").ilsr_pairwise_dense(ahead + VIRTUAL_WIN * virtual * met, max_iter=1000)


def bradley_terry_intervals(
    found: Contests, seed: int, resamples: int = RESAMPLES, done: Callable[[int], None] | None = None
) -> npt.NDArray[np.float64]:
    """Rating of each bot with its bootstrap interval over rounds (bots, 3); nan as the ends for a single round.

    Resampled rounds differ by less than new ones would, above all if there are few: their standard error is widened
    by √(n / (n − 1)), and its quantile is Student's. The virtual wins count by chance in each resample, with the
    weights of the Bayesian bootstrap (Rubin 1981), so that a bot that won everything has no certain rating.
    `done` hears of each resample.
    """
    ratings, rounds = bradley_terry(found.ahead.sum(axis=0)), len(found)
    if rounds < 2:
        return np.stack([ratings, *np.full((2, len(ratings)), np.nan)], axis=1)
    generator = np.random.default_rng(seed)
    fitted = []
    for ahead in _resampled(found, generator, resamples):
        fitted.append(bradley_terry(ahead, generator.standard_exponential(ahead.shape)))
        if done:
            done(1)
    spread = np.std(fitted, axis=0, ddof=1)
    half = reach(rounds - 1) * np.sqrt(rounds / (rounds - 1)) * spread
    return np.stack([ratings, ratings - half, ratings + half], axis=1)


def _resampled(found: Contests, generator: np.random.Generator, resamples: int) -> Iterator[npt.NDArray[np.float64]]:
    """The sum of comparisons of each resample (bots, bots): as many rounds as there are, drawn with replacement."""
    rounds = len(found)
    at_once = max(1, COUNTS_AT_ONCE // rounds)
    for first in range(0, resamples, at_once):
        counts = [
            np.bincount(generator.integers(rounds, size=rounds), minlength=rounds)
            for _ in range(min(at_once, resamples - first))
        ]
        yield from np.tensordot(np.array(counts, np.float64), found.ahead, axes=1)


def plackett_luce(
    bots: int,
    seated: npt.NDArray[np.int64],
    places: npt.NDArray[np.int32],
    done: Callable[[int], None] | None = None,
) -> npt.NDArray[np.float64]:
    """Mean and deviation of each bot's rating after the games in their order (bots, 2).

    Where a bot has several seats, each is rated as a player of its own and the bot takes the mean of the changes.
    `done` hears of each game.
    """
    model = rating_package("openskill.models").PlackettLuce()
    current = [model.rating() for _ in range(bots)]
    for game in range(len(seated)):
        line, ranks = seated[game].tolist(), places[game].tolist()
        teams = [[model.rating(mu=current[b].mu, sigma=current[b].sigma)] for b in line]
        after = model.rate(teams, ranks=ranks)
        for b in set(line):
            own = [team[0] for team, sitting in zip(after, line, strict=True) if sitting == b]
            current[b].mu = float(np.mean([rating.mu for rating in own]))
            current[b].sigma = float(np.mean([rating.sigma for rating in own]))
        if done:
            done(1)
    return np.array([[rating.mu, rating.sigma] for rating in current])


def is_certain(found: Contests, confidence: float, looks: int) -> bool:
    """Whether every bot is better than the next in the ranking, with this confidence for all of it together.

    The chance of an error is shared out over the neighbours and over how often one looks.
    """
    order = np.argsort(-bradley_terry(found.ahead.sum(axis=0)))
    needed = 1 - (1 - confidence) / (looks * (len(order) - 1))
    likelihood = superiority(found)
    return all(likelihood[a, b] >= needed for a, b in pairwise(order))


def looks(most_rounds: int, first: int) -> list[int]:
    """The numbers of rounds after which one looks whether the ranking is certain: each twice the one before."""
    ends = [first]
    while ends[-1] < most_rounds:
        ends.append(2 * ends[-1])
    return [*ends[:-1], most_rounds]
