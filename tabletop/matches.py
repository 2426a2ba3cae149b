"""Whole games between bots: seat rotation, threads, results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tabletop import play
from tabletop.bits import WORD_BITS
from tabletop.bots import Bot, address_of, bot
from tabletop.game import CHANCE, OVER
from tabletop.threads import available_threads, run_ranges

if TYPE_CHECKING:
    from tabletop.variant import Variant

GAMES_A_RANGE = 256  # games that a thread plays before it reports
EVENTS_A_LOG = 4096  # events that a compiled game writes before it hands them over


class IllegalChoiceError(RuntimeError):
    """A bot chose an event that was not legal."""


@dataclass(frozen=True)
class Results:
    """What came of some games; every array has one row a game.

    number: of the game in its study, int64. bots: index of the bot on each seat (games, players), int64.
    scores: points (games, players), int32. places: 1 for every winner (games, players), int32.
    lengths: events of each game, int64. names: the bots that the indexes mean.
    """

    names: tuple[str, ...]
    number: npt.NDArray[np.int64]
    bots: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int64]


def seat_bots(variant: "Variant", bots: Sequence[str | Bot] | str) -> tuple[Bot, ...]:
    """The bots of the seats 0, 1, … from names or bots; one name stands for every seat."""
    named = [bots] * variant.players if isinstance(bots, str) else list(bots)
    if len(named) != variant.players:
        raise ValueError(f"bots: {len(named)} given; expected {variant.players}, one a seat, or one name for all")
    made = {text: bot(text, variant.game) for text in named if isinstance(text, str)}
    return tuple(made[b] if isinstance(b, str) else b for b in named)


def seating(numbers: npt.NDArray[np.int64], players: int, rotate: bool) -> npt.NDArray[np.int64]:
    """Index of the bot on each seat of each game; rotated, bot b of game g sits on seat (b + g) mod players."""
    shift = numbers[:, None] if rotate else 0
    return (np.arange(players)[None, :] - shift) % players


def play_games(
    variant: "Variant",
    games: int,
    bots: Sequence[str | Bot] | str,
    seed: int = 0,
    first: int = 0,
    rotate: bool = True,
    threads: int | None = None,
    done: Callable[[int], None] | None = None,
) -> Results:
    """Plays games first … first + games − 1 of the study `seed` and returns what came of them.

    bots: one a seat, or one name for all; with `rotate` they change seats from game to game. Game k is the same
    whatever the batch, the threads and the machine. threads: how many, by default all processors. done: hears of
    each finished number of games. IllegalChoiceError if a bot chooses what is not legal.
    """
    seated = seat_bots(variant, bots)
    numbers = np.arange(first, first + games, dtype=np.int64)
    results = Results(
        tuple(b.name for b in seated),
        numbers,
        seating(numbers, variant.players, rotate),
        np.zeros((games, variant.players), np.int32),
        np.zeros((games, variant.players), np.int32),
        np.zeros(games, np.int64),
    )

    def work(low: int, high: int) -> None:
        states, lengths = final_states(variant, seated, results.bots[low:high], numbers[low:high], seed)
        play.all_scores(states, results.scores[low:high])
        play.all_rankings(states, results.places[low:high])
        results.lengths[low:high] = lengths

    run_ranges(work, games, GAMES_A_RANGE, threads or available_threads(), done)
    return results


def final_states(
    variant: "Variant",
    bots: Sequence[Bot],
    seats: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    seed: int,
) -> tuple[npt.NDArray, npt.NDArray[np.int64]]:
    """Last positions and numbers of events of the games `numbers`, with the bots of the rows of `seats`."""
    if not all(b.compiled for b in bots):
        played = [play_recorded(variant, bots, row, int(n), seed) for row, n in zip(seats, numbers, strict=True)]
        return np.concatenate([state for state, _ in played]), np.array([len(events) for _, events in played])
    states = np.repeat(variant.template, len(numbers))
    lengths = np.zeros(len(numbers), np.int64)
    acts, params = compiled_table(bots)
    play.match_games(
        variant.template, np.uint64(seed), numbers, variant.stream_keys, seats, acts, params, states, lengths
    )
    for i in np.flatnonzero(lengths < 0)[:1]:
        play_recorded(variant, bots, seats[i], int(numbers[i]), seed)  # raises the error that names the choice
    return states, lengths


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
        events = _record_plain(variant, [bots[b] for b in seats], states, rng, number)
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
    log = np.zeros(EVENTS_A_LOG, np.int32)
    while variant.to_move(states)[0] != OVER:
        written = play.advance_first(states, rng, seats, acts, params, log)
        events += log[: written if written >= 0 else -written].tolist()
        if written < 0:
            raise _illegal(variant, bots[seats[variant.to_move(states)[0]]], states, number, events)
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
            own = rng[streams_of_seats[mover] : streams_of_seats[mover] + 1]
            event = _choice(variant, bots[mover], states, mover, own, generators[mover])
        events.append(event)
        if event not in variant.legal(states)[0]:
            raise _illegal(variant, bots[mover], states, number, events)
        play.step_all(states, np.array([event]))
    return events


def _choice(
    variant: "Variant",
    bot_of_seat: Bot,
    states: npt.NDArray,
    seat: int,
    rng: npt.NDArray[np.uint64],
    generator: np.random.Generator,
) -> int:
    view = states.copy()
    play.redeal_all(view, np.array([seat]), rng[None, :])
    if not bot_of_seat.compiled:
        return int(bot_of_seat.act(view, variant.legal(view)[0], generator))
    words = np.zeros((1, -(-variant.events // WORD_BITS)), np.uint64)
    play.legal_sets(view, words)
    return int(bot_of_seat.act(view[0], words[0], rng, bot_of_seat.params))


def _illegal(
    variant: "Variant", chooser: Bot, states: npt.NDArray, number: int, events: Sequence[int]
) -> IllegalChoiceError:
    legal = ", ".join(variant.token(int(e)) for e in variant.legal(states)[0])
    at = len(events) - 1
    return IllegalChoiceError(
        f"game {number}: bot {chooser.name!r} chose {events[-1]} at event {at}; legal are {legal}"
    )
