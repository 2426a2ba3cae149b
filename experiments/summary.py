"""Sums up what came of games, chunk by chunk: rates and means with intervals, by seat, bot and fact.

The unit of every interval is the game, because the seats of one game depend on each other: a rate or mean is a
ratio of two sums over games, and its variance the usual one of a ratio. Bots that change seats sit in the same way
again every few games; as each way has its share of the games by design and not by chance, only what games with the
same seating differ by counts as error (a stratified sample). The memory taken does not depend on the number of games.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy  # whose statistics take a second to load, so they are loaded when first used

from tabletop import Results, Variant
from tabletop.game import Fact
from tabletop.jit import jit

CONFIDENCE = 0.95
CONFIDENT = f"{100 * CONFIDENCE:.0f} %"  # as texts have it
ROUNDING = 1e-9  # a variance is taken for 0 below this part of another one, a rate for 1 above 1 less this
NOT_COUNTED = -1  # cell of a seat to which a grouping does not apply
FIRST_AXIS, SECOND_AXIS, SECOND_SIZE, FIRST_CELL = range(4)  # columns of the groupings
ALL = "all"  # the axis on which everything has the same position
GAMES, SEATS, SEATS_SQUARED, MEASURED = 0, 1, 2, 3  # columns of the sums; three for each measure follow

Bounds = tuple[float, float]  # outside of which a number cannot be, whatever is played
ANY, COUNT, PART, CHANGE_OF_PART = (-np.inf, np.inf), (0.0, np.inf), (0.0, 1.0), (-1.0, 1.0)  # part: of a whole


@jit
def add_up(
    positions: np.ndarray,
    groupings: np.ndarray,
    values: np.ndarray,
    strata: np.ndarray,
    sums: np.ndarray,
    cells: np.ndarray,
    own: np.ndarray,
) -> None:
    """Adds games to the sums of their cells.

    positions: of each seat on each axis (games × axes × seats), int32, negative where the axis does not apply to it.
    groupings: rows of FIRST_AXIS, SECOND_AXIS, SECOND_SIZE, FIRST_CELL. values: (games × seats × measures), float64.
    strata: of each game. sums: (strata × cells × columns), float64. cells, own: room for the cells of the seats of one
    game and for its sums.
    """
    for game in range(positions.shape[0]):
        for grouping in range(groupings.shape[0]):
            find_cells(positions[game], groupings[grouping], cells)
            for seat in range(cells.shape[0]):
                if is_first_of_its_cell(cells, seat):
                    members = sum_cell(cells, seat, values[game], own)
                    add_game(sums[strata[game], cells[seat]], members, own)


@jit(inlined=True)
def find_cells(positions: np.ndarray, grouping: np.ndarray, cells: np.ndarray) -> None:
    """Writes the cell of each seat of a game in a grouping of one or two axes; NOT_COUNTED where one does not apply."""
    for seat in range(cells.shape[0]):
        first = positions[grouping[FIRST_AXIS], seat]
        second = positions[grouping[SECOND_AXIS], seat]
        if first < 0 or second < 0:
            cells[seat] = NOT_COUNTED
        else:
            cells[seat] = grouping[FIRST_CELL] + first * grouping[SECOND_SIZE] + second


@jit(inlined=True)
def is_first_of_its_cell(cells: np.ndarray, seat: int) -> bool:
    """Whether the seat is in a cell in which no earlier seat of the game is."""
    for earlier in range(seat):
        if cells[earlier] == cells[seat]:
            return False
    return cells[seat] != NOT_COUNTED


@jit(inlined=True)
def sum_cell(cells: np.ndarray, first: int, values: np.ndarray, own: np.ndarray) -> int:
    """Writes the sums of the measures over the game's seats in the cell of seat `first`; returns how many."""
    own[:] = 0.0
    members = 0
    for seat in range(first, cells.shape[0]):
        if cells[seat] == cells[first]:
            members += 1
            for measure in range(own.shape[0]):
                own[measure] += values[seat, measure]
    return members


@jit(inlined=True)
def add_game(sums: np.ndarray, members: int, own: np.ndarray) -> None:
    """Adds one game, with `members` seats in the cell, to the cell's sums: y, y² and y·members of each measure."""
    sums[GAMES] += 1
    sums[SEATS] += members
    sums[SEATS_SQUARED] += members * members
    for measure in range(own.shape[0]):
        y, column = own[measure], MEASURED + 3 * measure
        sums[column] += y
        sums[column + 1] += y * y
        sums[column + 2] += y * members


@dataclass(frozen=True)
class Axis:
    """Something by which seats of games are told apart, and what its values 0, 1, … are called."""

    name: str
    labels: tuple[str, ...]


def win_shares(places: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """The share of each seat in the win of each game (games, seats): ties share it; all 0 where nobody won."""
    winners = places == 1
    return winners / np.maximum(winners.sum(axis=1, keepdims=True), 1)


def mean_places(places: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Places in which seats that tie share the mean of the places that they take up (games, seats)."""
    return scipy.stats.rankdata(places, axis=1)


def ways_to_sit(bots: Sequence[str]) -> int:
    """After how many games bots that change seats sit in the same way again; equal names are one bot."""
    names = tuple(bots)
    return next(shift for shift in range(1, len(names) + 1) if names[shift:] + names[:shift] == names)


def facts_of(variant: Variant) -> dict[int, Fact]:
    """The facts that say something with this number of players, by their places in `Game.facts`."""
    return {i: fact for i, fact in enumerate(variant.game.facts) if fact.applies(variant.players)}


class Summary:
    """Rates and means of a study, by seat, by bot, by both, and by each fact that has categories."""

    def __init__(self, variant: Variant, bots: Sequence[str]) -> None:
        """bots: the names that the indexes in the results mean; equal names are one bot."""
        self.players = variant.players
        self.bots = tuple(dict.fromkeys(bots))
        self.bot_of = np.array([self.bots.index(name) for name in bots], np.int64)
        self.facts = facts_of(variant)
        self.numbers = tuple(i for i, fact in self.facts.items() if not fact.categories)
        results = ("win", "score", "place") if self.players > 1 else ("win", "score")
        self.measures = (*results, "events", *(self.facts[i].name for i in self.numbers))
        self.axes = _axes(self.players, self.bots, tuple(self.facts.values()))
        self.groupings = _groupings(self.axes)
        sizes = [len(self.axes[first].labels) * len(self.axes[second].labels) for first, second in self.groupings]
        self.ends = np.cumsum(sizes).tolist()
        self.strata = ways_to_sit(bots)
        self.sums = np.zeros((self.strata, self.ends[-1], MEASURED + 3 * len(self.measures)))
        self.below_0 = np.zeros(len(self.measures), np.bool_)  # whether some game had less

    def add(self, results: Results) -> None:
        """Adds a chunk of games."""
        cells, own = np.zeros(self.players, np.int64), np.zeros(len(self.measures))
        positions, values = self._positions(results), self._values(results)
        strata = results.number % self.strata
        self.below_0 |= (values < 0).any(axis=(0, 1))
        add_up(positions, self._table_of_groupings(), values, strata, self.sums, cells, own)

    def _values(self, results: Results) -> npt.NDArray[np.float64]:
        values = np.zeros((*results.scores.shape, len(self.measures)))
        found = [win_shares(results.places), results.scores]
        found += [mean_places(results.places)] if "place" in self.measures else []
        found += [results.lengths[:, None], *(self._of_seats(results, fact) for fact in self.numbers)]
        for measure, value in enumerate(found):
            values[:, :, measure] = value
        return values

    def _of_seats(self, results: Results, fact: int) -> npt.NDArray[np.int32]:
        """A fact's value for every seat (games, seats), or one for all seats (games, 1)."""
        return results.facts[:, fact, : self.players if self.facts[fact].of_seat else 1]

    def _positions(self, results: Results) -> npt.NDArray[np.int32]:
        positions = np.zeros((len(results.number), len(self.axes), self.players), np.int32)
        for a, name in enumerate(self.axes):
            if name == "seat":
                positions[:, a] = np.arange(self.players)
            elif name == "bot":
                positions[:, a] = self.bot_of[results.bots]
            elif name != ALL:
                fact = next(i for i, fact in self.facts.items() if fact.name == name)
                positions[:, a] = self._of_seats(results, fact)
        return positions

    def _table_of_groupings(self) -> npt.NDArray[np.int64]:
        """The groupings as `add_up` takes them."""
        names = list(self.axes)
        starts = [0, *self.ends[:-1]]
        return np.array(
            [
                (names.index(first), names.index(second), len(self.axes[second].labels), start)
                for (first, second), start in zip(self.groupings, starts, strict=True)
            ],
            np.int64,
        )

    def table(self) -> pd.DataFrame:
        """One row for each cell that has games; see the columns' names.

        `fact` and `category`, `seat`, `bot` say what the row is about, empty for all together. games: in which the
        cell occurs; seats: counted in them. Then each measure with its interval, `<name>`, `<name>_low`, `<name>_high`.
        """
        rows = []
        for grouping, end in zip(self.groupings, self.ends, strict=True):
            labels = list(product(*(self.axes[name].labels for name in grouping)))
            for found, cell in zip(labels, range(end - len(labels), end), strict=True):
                if self.sums[:, cell, GAMES].any():
                    rows.append(_head(grouping, found) | self._row(cell))
        return pd.DataFrame(rows)

    def estimate(self, cell: int, measure: int) -> tuple[float, float, float]:
        """A measure's mean over the seats of a cell with its interval."""
        mean, error = ratio(self.sums[:, cell], self.sums[:, 0, GAMES], MEASURED + 3 * measure)
        counted = self.sums[:, cell, :MEASURED].sum(axis=0)
        if self.measures[measure] == "win":
            return (mean, *win_interval(mean, error, counted, self.players))
        return (mean, *mean_interval(mean, error, int(counted[GAMES]), self._bounds(measure)))

    def _bounds(self, measure: int) -> Bounds:
        """What is possible: points may always be below 0, a number that a game tells of itself only where some are."""
        if self.measures[measure] == "place":
            return 1.0, float(self.players)
        return ANY if self.measures[measure] == "score" or self.below_0[measure] else COUNT

    def _row(self, cell: int) -> dict[str, float]:
        sums = self.sums[:, cell].sum(axis=0)
        row: dict[str, float] = {"games": int(sums[GAMES]), "seats": int(sums[SEATS])}
        for m, name in enumerate(self.measures):
            row |= in_columns(name, self.estimate(cell, m))
        return row


def _head(grouping: tuple[str, str], labels: Sequence[str]) -> dict[str, str]:
    """The columns that say what a row is about."""
    head = {"fact": "", "category": "", "seat": "", "bot": ""}
    for name, label in zip(grouping, labels, strict=True):
        if name in ("seat", "bot"):
            head[name] = label
        elif name != ALL:
            head |= {"fact": name, "category": label}
    return head


def _axes(players: int, bots: tuple[str, ...], facts: Sequence[Fact]) -> dict[str, Axis]:
    axes = [Axis(ALL, ("",)), Axis("seat", tuple(map(str, range(players)))), Axis("bot", bots)]
    axes += [Axis(fact.name, fact.categories) for fact in facts if fact.categories]
    return {axis.name: axis for axis in axes}


def _groupings(axes: dict[str, Axis]) -> list[tuple[str, str]]:
    """Which axes are crossed: seat with bot, each with nothing, and every fact with nothing, with seat, with bot."""
    facts = [name for name in axes if name not in (ALL, "seat", "bot")]
    by_fact = [(name, other) for name in facts for other in (ALL, "seat", "bot")]
    return [(ALL, ALL), ("seat", ALL), ("bot", ALL), ("bot", "seat"), *by_fact]


def ratio(sums: npt.NDArray[np.float64], all_games: npt.NDArray[np.float64], column: int) -> tuple[float, float]:
    """A measure's mean over the seats of a cell, and its standard error with the game as the unit.

    sums: of the cell in each stratum (strata, columns). all_games: of each stratum, in the cell or not.
    """
    games, seats = sums[:, GAMES].sum(), sums[:, SEATS].sum()
    y, y_squared, y_members = sums[:, column : column + 3].T
    mean = y.sum() / seats
    squares = y_squared - 2 * mean * y_members + mean * mean * sums[:, SEATS_SQUARED]
    return float(mean), error_of_sum(y - mean * sums[:, SEATS], squares, all_games, games) / float(seats)


def error_of_sum(
    residuals: npt.NDArray[np.float64], squares: npt.NDArray[np.float64], games: npt.NDArray[np.float64], counted: float
) -> float:
    """Standard error of a sum over games, of which only what games with the same seating differ by is chance.

    residuals, squares: in each stratum the sums of the games' residuals, all of which together are 0, and of their
    squares. games: of each stratum. counted: games that tell something, of all strata.
    """
    variance = max(0.0, float(squares.sum())) * (counted / (counted - 1) if counted > 1 else np.nan)
    if games.min() > 1 and len(games) > 1:
        within = float((games / (games - 1) * (squares - residuals**2 / games)).sum())
        variance = within if within > ROUNDING * variance else variance  # nothing is certain because of few games
    return float(np.sqrt(variance))


def reach(freedom: Any, of: Any = 1) -> Any:
    """How many standard errors Student's interval reaches to both sides; so many hold together (Bonferroni).

    freedom, of: numbers, or arrays of them; the answer has their shape.
    """
    return scipy.stats.t.ppf(1 - (1 - CONFIDENCE) / 2 / of, freedom)


@cache
def _reach(games: int) -> float:
    """The same for games; asked for once for each cell of a table."""
    return float(reach(games - 1))


def mean_interval(mean: float, error: float, games: int, bounds: Bounds = ANY) -> tuple[float, float]:
    """Student's interval, without what is impossible: so it holds the truth as often. (nan, nan) for a single game."""
    if games < 2:
        return np.nan, np.nan
    half, (least, most) = _reach(games) * error, bounds
    low, high = (min(max(float(end), least), most) for end in (mean - half, mean + half))
    return low, high


def rate_interval(rate: float, error: float, games: int) -> tuple[float, float]:
    """Wilson's interval for as many independent trials as would have this standard error; all games at 0 and 1.

    The error is estimated from the games, so the quantile is Student's. (nan, nan) for a single game.
    """
    if games < 2:
        return np.nan, np.nan
    rate = 1.0 if 1 - rate < ROUNDING else rate
    if 0 < rate < 1 and error == 0:  # every game has the same rate, as the seats of a game together
        return rate, rate
    trials = rate * (1 - rate) / error**2 if 0 < rate < 1 else games
    weight = _reach(games) ** 2 / trials
    middle, half = rate + weight / 2, np.sqrt(weight * (rate * (1 - rate) + weight / 4))
    low, high = np.clip(np.array([middle - half, middle + half]) / (1 + weight), 0, 1)
    return float(low), float(high)


def rate_of_rounds(rate: float, error: float, rounds: int) -> tuple[float, float]:
    """The interval of a rate over rounds, of one game or of several with one deal; (nan, nan) for a single round.

    If all rounds are alike, as many others may yet differ as none in so many tells.
    """
    if error > ROUNDING or rate in (0, 1):
        return rate_interval(rate, error, rounds)
    _, differ = rate_interval(0.0, 0.0, rounds)
    return rate * (1 - differ), rate + (1 - rate) * differ


def win_interval(rate: float, error: float, counted: npt.NDArray[np.float64], players: int) -> tuple[float, float]:
    """The interval of the share of wins of some seats, with its standard error. counted: see `_together`."""
    together, (games, seats) = _together(counted, rate, players), counted[: SEATS + 1]
    is_whole = players > 1 and seats == games * players  # which wins once in every game
    interval = rate_interval if is_whole else rate_of_rounds
    low, high = interval(rate * together, error * together, int(games))
    return low / together, high / together


def _together(counted: npt.NDArray[np.float64], rate: float, players: int) -> float:
    """The seats of a kind in a game, which win at most once together; 1 if this says nothing of how often they win.

    counted: the games with such seats, the seats, and the sum over games of the square of their number. Where it
    differs from game to game how many they are, their mean is an estimate, too, and no bound of it. Where all seats of
    a game are of the kind, they always win once.
    """
    games, seats, squares = counted
    is_always_the_same = games * squares == seats * seats
    return float(seats / games) if seats < games * players and (is_always_the_same or rate == 0) else 1.0


def in_columns(name: str, values: Iterable[float]) -> dict[str, float]:
    """A number and the ends of its interval as the columns of a row: `<name>`, `<name>_low`, `<name>_high`."""
    value, low, high = values
    return {name: float(value), f"{name}_low": float(low), f"{name}_high": float(high)}


def has_intervals(table: pd.DataFrame) -> bool:
    """Whether any number of a table has an interval, the lower end of which is in a column `…low`."""
    return bool(table.filter(regex="low$").notna().any(axis=None))


def leaves_out_zero(low: float, high: float) -> bool:
    """Whether an interval lies above or below 0 altogether; not if its ends are nan."""
    return bool(low > 0 or high < 0)


def with_interval(values: Iterable[float], digits: int) -> str:
    """A number and the ends of its interval as `75.0 [61.2, 84.9]`; the number alone where it has no interval."""
    value, low, high = values
    return f"{value:.{digits}f}" + ("" if np.isnan(low) else f" [{low:.{digits}f}, {high:.{digits}f}]")
