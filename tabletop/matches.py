"""Whole games between bots: seat rotation, threads, results."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tabletop import course, play
from tabletop.bots import Bot, address_of, bot
from tabletop.choices import IllegalChoiceError as IllegalChoiceError
from tabletop.choices import chosen_event, failed_bot, failures_told, illegal_choice
from tabletop.game import CHANCE, NO_EVENT, OVER
from tabletop.rng import number_of, seed_word
from tabletop.threads import run_ranges, thread_count

if TYPE_CHECKING:
    from tabletop.variant import Variant

GAMES_A_CHUNK = 10_000  # games whose results are handed over together
EVENTS_A_LOG = 4096  # events that a compiled game writes before it hands them over


@dataclass(frozen=True)
class Course:
    """What happened on the way; `tabletop.course` defines everything.

    measures: a row a game, float64. choices: (names, actions, CHOICES) and totals: (names, TOTALS), int64, are sums
    over the games for each different name of a bot, in the order in which they first occur in `Results.names`.
    """

    measures: npt.NDArray[np.float64]
    choices: npt.NDArray[np.int64]
    totals: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Results:
    """What came of some games; every array has one row a game.

    number: of the game in its study, int64. bots: index of the bot on each seat (games, players), int64.
    scores: points (games, players), int32. places: 1 for every winner (games, players), int32.
    lengths: events of each game, int64. names: the bots that the indexes mean. facts: the values of the game's
    `Fact`s (games, facts, most players), int32. states, course: the last positions, and what happened on the way,
    where they were asked for.
    """

    names: tuple[str, ...]
    number: npt.NDArray[np.int64]
    bots: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int64]
    facts: npt.NDArray[np.int32]
    states: npt.NDArray[Any] | None = None
    course: Course | None = None


def seat_bots(variant: "Variant", bots: Sequence[str | Bot] | str) -> tuple[Bot, ...]:
    """The bots of the seats 0, 1, … from names or bots; one name stands for every seat."""
    if not isinstance(bots, str | Sequence):
        raise TypeError(f"bots: {bots!r} is not allowed; expected a name, or a sequence of names and bots")
    named = [bots] * variant.players if isinstance(bots, str) else list(bots)
    if len(named) != variant.players:
        raise ValueError(f"bots: {len(named)} given; expected {variant.players}, one a seat, or one name for all")
    for given in named:
        if not isinstance(given, str | Bot):
            raise TypeError(f"bots: {given!r} is not allowed; expected a name or a bot, such as plain_bot makes one")
    made = {text: bot(text, variant.game) for text in named if isinstance(text, str)}
    return tuple(made[b] if isinstance(b, str) else b for b in named)


def seating(numbers: npt.NDArray[np.int64], players: int, rotate: bool) -> npt.NDArray[np.int64]:
    """Index of the bot on each seat of each game; rotated, bot b of game g sits on seat (b + g) mod players."""
    shift = numbers if rotate else np.zeros_like(numbers)
    return (np.arange(players)[None, :] - shift[:, None]) % players


def play_games(
    variant: "Variant",
    games: int,
    bots: Sequence[str | Bot] | str,
    seed: int = 0,
    first: int = 0,
    rotate: bool = True,
    threads: int | None = None,
    done: Callable[[int], None] | None = None,
    keep_states: bool = False,
    with_course: bool = False,
) -> Results:
    """Plays games first … first + games − 1 of the study `seed` and returns what came of them.

    bots: one a seat, or one name for all; with `rotate` they change seats from game to game. Game k is the same
    whatever the batch, the threads and the machine. threads: how many, by default all processors. done: hears of
    each finished number of games. keep_states: the results hold the last positions. with_course: they hold what
    happened on the way, which takes up to half as long again. IllegalChoiceError if a bot chooses what is not legal,
    FailedBotError if one raises an error.
    """
    play_range = _range_player(variant, games, bots, seed, first, rotate, keep_states, with_course)
    return _joined([play_range(0, 0), *run_ranges(play_range, games, threads, done)])


def play_chunks(
    variant: "Variant",
    games: int,
    bots: Sequence[str | Bot] | str,
    seed: int = 0,
    first: int = 0,
    rotate: bool = True,
    threads: int | None = None,
    done: Callable[[int], None] | None = None,
    keep_states: bool = False,
    with_course: bool = False,
    chunk: int = GAMES_A_CHUNK,
) -> Iterator[Results]:
    """Yields the results of `play_games` in order, `chunk` games at a time (the last time fewer).

    The memory that it takes does not depend on the number of games: threads go on playing while a chunk is looked
    at, but only a few ranges ahead. Wrong arguments are refused at the call, not at the first chunk.
    """
    number_of(chunk, "chunk", least=1)
    play_range = _range_player(variant, games, bots, seed, first, rotate, keep_states, with_course)
    thread_count(threads)
    return _chunks(run_ranges(play_range, games, threads, done, chunk), games, chunk)


def _chunks(ranges: Iterator[Results], games: int, chunk: int) -> Iterator[Results]:
    held: list[Results] = []
    for played in ranges:
        held.append(played)
        size = sum(len(r.number) for r in held)
        games_left = games - size
        if size == chunk or games_left == 0:
            yield _joined(held)
            held, games = [], games_left


def _joined(parts: Sequence[Results]) -> Results:
    def column(name: str) -> npt.NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts])

    states = None if parts[0].states is None else column("states")
    columns = {name: column(name) for name in ("number", "bots", "scores", "places", "lengths", "facts")}
    ways = [part.course for part in parts if part.course]
    return Results(parts[0].names, states=states, course=joined_courses(ways) if ways else None, **columns)


def joined_courses(parts: Sequence[Course]) -> Course:
    """The courses of several batches of games between the same bots as one."""
    measures = np.concatenate([part.measures for part in parts])
    choices, totals = (sum(getattr(part, name) for part in parts) for name in ("choices", "totals"))
    return Course(measures, choices, totals)


def _range_player(
    variant: "Variant",
    games: int,
    bots: Sequence[str | Bot] | str,
    seed: int,
    first: int,
    rotate: bool,
    keep_states: bool,
    with_course: bool,
) -> Callable[[int, int], Results]:
    """Checks what a user asked for; returns the function that plays the games first + low … first + high − 1."""
    seated, seed = seat_bots(variant, bots), int(seed_word(seed))
    first, games = number_of(first, "first game"), number_of(games, "number of games")
    number_of(first + games, "number after the last game")
    if not isinstance(rotate, bool):
        raise TypeError(f"rotate: {rotate!r} is not allowed; expected True or False")

    def play_range(low: int, high: int) -> Results:
        numbers = np.arange(first + low, first + high, dtype=np.int64)
        seats = seating(numbers, variant.players, rotate)
        if with_course:
            states, lengths, facts, way = _followed(variant, seated, seats, numbers, seed)
        else:
            (states, lengths, facts), way = final_states(variant, seated, seats, numbers, seed), None
        points, places = np.zeros((2, len(numbers), variant.players), np.int32)
        play.all_scores(states, points)
        play.all_rankings(states, places)
        names = tuple(b.name for b in seated)
        return Results(names, numbers, seats, points, places, lengths, facts, states if keep_states else None, way)

    return play_range


def final_states(
    variant: "Variant",
    bots: Sequence[Bot],
    seats: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    seed: int,
) -> tuple[npt.NDArray, npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Last positions, numbers of events and facts of the games `numbers`, with the bots of the rows of `seats`.

    ValueError for a seed that is not from 0 to 2⁶⁴ − 1.
    """
    word, (states, lengths, facts) = seed_word(seed), _room(variant, len(numbers))
    if not all(b.compiled for b in bots):
        for i, number in enumerate(numbers):
            _play_plain(variant, bots, seats[i], int(number), seed, states[i : i + 1], lengths[i : i + 1], facts[i])
        return states, lengths, facts
    acts, params = compiled_table(bots)
    start = (variant.template, word, numbers, variant.stream_keys, seats, acts, params)
    try:
        play.match_games(*start, states, lengths, facts)
    finally:
        _name_culprit(variant, bots, seats, numbers, seed, lengths)
    return states, lengths, facts


def _followed(
    variant: "Variant",
    bots: Sequence[Bot],
    seats: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    seed: int,
) -> tuple[npt.NDArray, npt.NDArray[np.int64], npt.NDArray[np.int32], Course]:
    """`final_states`, and what happened on the way."""
    names = list(dict.fromkeys(b.name for b in bots))
    kinds = np.array([names.index(b.name) for b in bots], np.int64)[seats]
    notes, way = course.blank_notes(len(numbers)), _empty_course(variant, len(names), len(numbers))
    sums = (way.choices, way.totals)
    states, lengths, facts = _room(variant, len(numbers))
    if not all(b.compiled for b in bots):
        for i, number in enumerate(numbers):
            row = slice(i, i + 1)
            events = _play_plain(variant, bots, seats[i], int(number), seed, states[row], lengths[row], facts[i])
            course.follow_first(variant.template.copy(), events, kinds[row], notes[row], way.measures[row], *sums)
        return states, lengths, facts, way
    acts, params = compiled_table(bots)
    start = (variant.template, np.uint64(seed), numbers, variant.stream_keys, seats, acts, params)
    try:
        course.follow_games(*start, kinds, states, lengths, facts, notes, way.measures, *sums)
    finally:
        _name_culprit(variant, bots, seats, numbers, seed, lengths)
    return states, lengths, facts, way


def _play_plain(
    variant: "Variant",
    bots: Sequence[Bot],
    seats: npt.NDArray[np.int64],
    number: int,
    seed: int,
    state: npt.NDArray,
    length: npt.NDArray[np.int64],
    facts: npt.NDArray[np.int32],
) -> npt.NDArray[np.int64]:
    """Plays one game of which not all bots are compiled; writes what `final_states` does, and returns its events."""
    last, events = play_recorded(variant, bots, seats, number, seed)
    state[0], length[0] = last[0], len(events)
    play.retrace(variant.template.copy(), events, variant.empty_sets(len(events)), facts)
    return events


def _empty_course(variant: "Variant", kinds: int, games: int) -> Course:
    return Course(
        np.zeros((games, len(course.MEASURES))),
        np.zeros((kinds, variant.actions, len(course.CHOICES)), np.int64),
        np.zeros((kinds, len(course.TOTALS)), np.int64),
    )


def _room(variant: "Variant", games: int) -> tuple[npt.NDArray, npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """First positions, and room for the numbers of events and the facts of games."""
    facts = np.zeros((games, len(variant.game.facts), variant.game.most_players), np.int32)
    return np.repeat(variant.template, games), np.zeros(games, np.int64), facts


def _name_culprit(
    variant: "Variant",
    bots: Sequence[Bot],
    seats: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    seed: int,
    lengths: npt.NDArray[np.int64],
) -> None:
    """Raises the error that names the bot of the first game that a bot did not let come to its end, if there is one.

    lengths: less than 0 for a game with an illegal choice, 0 for one in which a bot raised an error.
    """
    for i in np.flatnonzero(lengths <= 0)[:1]:
        play_recorded(variant, bots, seats[i], int(numbers[i]), seed)


def compiled_table(bots: Sequence[Bot]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Addresses (bots,) and numbers (bots, longest) of compiled bots, as compiled loops take them."""
    params = np.zeros((len(bots), max(len(b.params) for b in bots)))
    for row, b in zip(params, bots, strict=True):
        row[: len(b.params)] = b.params
    return np.array([address_of(b.act) for b in bots], np.int64), params


def play_recorded(
    variant: "Variant", bots: Sequence[Bot], seats: npt.NDArray[np.int64], number: int, seed: int
) -> tuple[npt.NDArray, npt.NDArray[np.int64]]:
    """Plays one game: its last position, shape (1,), and the ids of its events. The same game as `final_states`."""
    states, rng = variant.new(1), variant.streams(1, seed, number)[0]
    if all(b.compiled for b in bots):
        events = _record_compiled(variant, bots, states, rng, seats, number)
    else:
        events = _record_plain(variant, [bots[b].for_one_game() for b in seats], states, rng, number)
    return states, np.array(events, np.int64)


def _record_compiled(
    variant: "Variant",
    bots: Sequence[Bot],
    states: npt.NDArray,
    rng: npt.NDArray[np.uint64],
    seats: npt.NDArray[np.int64],
    number: int,
) -> list[int]:
    acts, params = compiled_table(bots)
    events: list[int] = []
    log = np.zeros(EVENTS_A_LOG, np.int64)
    while variant.to_move(states)[0] != OVER:
        log[:] = NO_EVENT
        try:
            written = play.advance_first(states, rng, seats, acts, params, log)
        except Exception as error:  # of a bot; the log ends before it
            chooser, event = bots[seats[variant.to_move(states)[0]]], len(events) + int((log != NO_EVENT).sum())
            raise failed_bot(error, *_told(number, chooser, event)) from error
        events += log[: written if written >= 0 else -written].tolist()
        if written < 0:
            chooser = bots[seats[variant.to_move(states)[0]]]
            raise illegal_choice(variant, states, events[-1], *_told(number, chooser, len(events) - 1))
    return events


def _record_plain(
    variant: "Variant", bots: Sequence[Bot], states: npt.NDArray, rng: npt.NDArray[np.uint64], number: int
) -> list[int]:
    """Event by event in Python, for the bots that are plain callables."""
    streams_of_seats = len(rng) - variant.game.most_players + np.arange(variant.players)
    generators = [np.random.default_rng(int(rng[stream])) for stream in streams_of_seats]
    events: list[int] = []
    while (mover := int(variant.to_move(states)[0])) != OVER:
        if mover == CHANCE:
            event = int(play.sample_first(states, rng))
        else:
            told = _told(number, bots[mover], len(events))
            with failures_told(*told):
                choice = _choice(variant, bots[mover], states, rng, generators[mover])
            event = chosen_event(variant, states, choice, *told)
        events.append(event)
        play.step_all(states, np.array([event]))
    return events


def _choice(
    variant: "Variant",
    bot_of_seat: Bot,
    states: npt.NDArray,
    rng: npt.NDArray[np.uint64],
    generator: np.random.Generator,
) -> Any:
    """What a bot chooses for the seat to move, not yet checked; rng: all streams of the game."""
    if bot_of_seat.compiled:
        return _choice_of_compiled(bot_of_seat, variant.players, states, rng)
    view, seat = states.copy(), int(variant.to_move(states)[0])
    stream = len(variant.game.streams) + seat
    play.redeal_all(view, np.array([seat]), rng[None, stream : stream + 1])
    return bot_of_seat.act(view, variant.legal(view)[0], generator)


def _choice_of_compiled(one: Bot, players: int, states: npt.NDArray, rng: npt.NDArray[np.uint64]) -> int:
    """What a compiled bot chooses, by the loop in which it plays otherwise, too."""
    acts, params = compiled_table([one])
    log = np.zeros(1, np.int64)
    play.advance_first(states.copy(), rng, np.zeros(players, np.int64), acts, params, log)
    return int(log[0])


def _told(number: int, chooser: Bot, event: int) -> tuple[str, str]:
    """Who chooses and when, as errors tell it."""
    return f"game {number}: bot {chooser.name!r}", f" at event {event}"
