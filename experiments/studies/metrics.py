"""What a study may be asked for by name: a number for each game, or a ratio of two, whose means are compared."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.reports.courses import MEANINGS, are_decided, bounds_of, measures_of
from experiments.rows import COURSE
from experiments.studies.plan import PlanError
from experiments.studies.specification import Specification
from experiments.summary import ANY, COUNT, Bounds, facts_of, mean_places, win_shares, with_interval
from tabletop import Results
from tabletop.course import DECIDED, MEASURES

Floats = npt.NDArray[np.float64]
Values = Callable[[Results], tuple[Floats, Floats]]

UNKNOWN = "–"  # in the place of a number


@dataclass(frozen=True)
class Metric:
    """A number that says something about games.

    values: of each game a numerator and a denominator; the metric is the ratio of their sums. is_rate: it is a share,
    of wins or of a category, from 0 to 1, and shown in percent. bounds: outside of which it cannot be, whatever is
    played. of_wins: the share of the win that seats have, which win once together; the denominator counts them.
    """

    name: str
    meaning: str
    values: Values
    is_rate: bool = False
    bounds: Bounds = ANY
    of_wins: bool = False

    @property
    def range(self) -> Bounds:
        """The least and the most that it can be; a share is never outside of 0 … 1."""
        least, most = self.bounds
        return (max(0.0, least), min(1.0, most)) if self.is_rate else self.bounds

    def sums(self, results: Results) -> Floats:
        """Numerator and denominator of each game (games, 2)."""
        return np.stack(self.values(results), axis=1).astype(np.float64)

    @property
    def factor(self) -> int:
        """By what its numbers are multiplied where they are shown."""
        return 100 if self.is_rate else 1

    @property
    def unit(self) -> str:
        """What follows the metric's numbers."""
        return " %" if self.is_rate else ""

    @property
    def unit_of_changes(self) -> str:
        """What follows numbers that say by how much the metric changes."""
        return " percentage points" if self.is_rate else ""

    def shown(self, values: Iterable[float]) -> str:
        """A number with the ends of its interval, shares in percent; the number alone where it has no interval.

        A dash instead of a number that is not known, as the metric applies to no game.
        """
        value, low, high = values
        if np.isnan(value):
            return UNKNOWN
        if self.is_rate:
            return with_interval((self.factor * number for number in (value, low, high)), 1)
        return f"{value:.4g}" + ("" if np.isnan(low) else f" [{low:.4g}, {high:.4g}]")

    def told(self, values: Iterable[float]) -> str:
        """The same with its unit, as in a sentence."""
        shown = self.shown(values)
        return shown if shown == UNKNOWN else f"{shown}{self.unit}"


def metrics_of(specification: Specification) -> dict[str, Metric]:
    """All metrics of a study by their names."""
    seats = range(specification.variant.players)
    found = [
        Metric("events", "events of a game", _each(lambda r: r.lengths), bounds=COUNT),
        Metric("score", "points of a seat", _each(lambda r: r.scores.mean(axis=1))),
        _win_of_all(len(seats)),
        *(_wins(f"win_{seat}", f"share of wins of seat {seat}", _wins_of(seat)) for seat in seats),
        *(Metric(f"score_{seat}", f"points of seat {seat}", _points_of(seat)) for seat in seats),
        *(_place_of(seat, len(seats)) for seat in seats if len(seats) > 1),
        *(_of_bot(bot, specification) for bot in specification.all_bots()),
        *_of_facts(specification),
    ]
    known = {metric.name: metric for metric in found}
    for name in measures_of(specification.variant.players):
        plain = name if name not in known else f"{COURSE}{name}"  # where a fact of the game has this name
        meaning = MEANINGS[name].removeprefix(f"{name}: ")
        known[plain] = Metric(plain, meaning, _course(MEASURES.index(name)), bounds=bounds_of(name))
    return known


def chosen(specification: Specification, names: Sequence[str]) -> list[Metric]:
    """The metrics with these names; PlanError that lists what there is."""
    known = metrics_of(specification)
    for name in names:
        if name not in known:
            raise PlanError(f"unknown metric {name!r}; there are {', '.join(_listed(known, specification))}")
    return [known[name] for name in names]


def _listed(known: Iterable[str], specification: Specification) -> list[str]:
    """The names of metrics, those of categories taken together."""
    facts = [fact for fact in facts_of(specification.variant).values() if fact.categories]
    together = {f"{start}{fact.name}={label}" for fact in facts for label in fact.categories for start in ("", "win:")}
    named = [f"{'[win:]' if fact.of_seat else ''}{fact.name}={'|'.join(fact.categories)}" for fact in facts]
    return [*(name for name in known if name not in together), *named]


def _each(value: Callable[[Results], npt.NDArray]) -> Values:
    """A value that every game has."""
    return lambda results: (value(results), np.ones(len(results.number)))


def _wins_of(seat: int) -> Values:
    return _each(lambda results: win_shares(results.places)[:, seat])


def _points_of(seat: int) -> Values:
    return _each(lambda results: results.scores[:, seat])


def _wins(name: str, meaning: str, values: Values, most: float = 1.0) -> Metric:
    return Metric(name, meaning, values, is_rate=True, bounds=(0.0, most), of_wins=True)


def _win_of_all(players: int) -> Metric:
    """Together the seats win at most once in a game."""

    def values(results: Results) -> tuple[Floats, Floats]:
        shares = win_shares(results.places)
        return shares.sum(axis=1), np.full(len(shares), players, np.float64)

    return _wins("win", "share of wins of a seat", values, 1 / players)


def _place_of(seat: int, players: int) -> Metric:
    """With ties in the mean of their places; a game for one player has none."""
    places = _each(lambda results: mean_places(results.places)[:, seat])
    return Metric(f"place_{seat}", f"mean place of seat {seat}", places, bounds=(1.0, float(players)))


def _mean_fact(fact: int, seats: int) -> Values:
    return _each(lambda results: results.facts[:, fact, :seats].mean(axis=1))


def _course(measure: int) -> Values:
    """Games tied on points, in which nobody took the lead for good, do not count where that is asked."""

    def values(results: Results) -> tuple[Floats, Floats]:
        assert results.course is not None
        measures = results.course.measures
        counted = are_decided(measures) if measure == DECIDED else np.ones(len(measures), bool)
        return measures[:, measure] * counted, counted.astype(np.float64)

    return values


def _of_bot(name: str, specification: Specification) -> Metric:
    of_index = np.array([bot == name for bot in specification.bots])

    def values(results: Results) -> tuple[Floats, Floats]:
        own = of_index[results.bots]
        return (win_shares(results.places) * own).sum(axis=1), own.sum(axis=1)

    return _wins(f"win:{name}", f"share of wins of a seat of {name}", values)


def _of_facts(specification: Specification) -> list[Metric]:
    players, found = specification.variant.players, []
    for i, fact in facts_of(specification.variant).items():
        seats = players if fact.of_seat else 1
        for code, category in enumerate(fact.categories):
            found.append(Metric(f"{fact.name}={category}", f"how often: {fact.meaning}", _share(i, seats, code), True))
            if fact.of_seat:
                meaning = f"share of wins of a seat with it: {fact.meaning}"
                found.append(_wins(f"win:{fact.name}={category}", meaning, _wins_where(i, seats, code)))
        if not fact.categories:
            found.append(Metric(fact.name, fact.meaning, _mean_fact(i, seats)))
    return found


def _share(fact: int, seats: int, code: int) -> Values:
    """Of the seats or games to which a fact applies, those of one category."""

    def values(results: Results) -> tuple[Floats, Floats]:
        codes = results.facts[:, fact, :seats]
        return (codes == code).sum(axis=1), (codes >= 0).sum(axis=1)

    return values


def _wins_where(fact: int, seats: int, code: int) -> Values:
    def values(results: Results) -> tuple[Floats, Floats]:
        own = results.facts[:, fact, :seats] == code
        return (win_shares(results.places) * own).sum(axis=1), own.sum(axis=1)

    return values
