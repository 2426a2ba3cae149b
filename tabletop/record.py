"""Game records and traces: writing, reading, and replaying them as a referee.

A record is one JSON object: the game, its settings where they differ from the defaults, and the tokens of all
events; a finished game also has scores and winners. A trace has one more key, `legal`: the legal tokens at every
event. A file has one record a line (`.jsonl`, or `.jsonl.gz`). Records and events are counted from 0.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from tabletop import matches, play
from tabletop.bots import Bot
from tabletop.files import replacing
from tabletop.game import OVER
from tabletop.options import OptionError, TableFile
from tabletop.rng import number_of, seed_word
from tabletop.variant import Variant, description, unpack

FORMAT = "tabletop-record/1"
Files = tuple[tuple[str, int, int], ...]  # path, time of change and size of each
VARIANTS_KEPT = 256  # settings whose tokens and first position are kept while records are read


class RecordError(ValueError):
    """A broken record: which record of its file and which event, where they are known, and what is wrong."""

    def __init__(self, message: str, record: int | None = None, event: int | None = None) -> None:
        self.message, self.record, self.event = message, record, event
        super().__init__(message)

    def __str__(self) -> str:
        places = [f"{name} {i}" for name, i in (("record", self.record), ("event", self.event)) if i is not None]
        return ", ".join(places) + ": " + self.message if places else self.message


@dataclass(frozen=True)
class Record:
    """One game as it was played. Without scores and winners it is unfinished; with `legal` it is a trace.

    events: their tokens. winners: the seats that won, ascending. legal: the legal tokens at each event, sorted by
    byte value. extra: keys of the file that records do not know.
    """

    game: str
    players: int
    options: Mapping[str, Any]
    parameters: Mapping[str, Any]
    events: Sequence[str]
    scores: Sequence[int] | None = None
    winners: Sequence[int] | None = None
    legal: Sequence[Sequence[str]] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """The record as one line of a file, without the line's end."""
        optional = {"legal": self.legal, "scores": self.scores, "winners": self.winners}
        content = {
            "format": FORMAT,
            "game": self.game,
            "players": self.players,
            "options": dict(self.options),
            "parameters": dict(self.parameters),
            "events": self.events,
            **{key: value for key, value in optional.items() if value is not None},
            **self.extra,
        }
        return json.dumps(content, separators=(",", ":"), ensure_ascii=False)

    @staticmethod
    def from_json(line: str | bytes) -> "Record":
        """The record that a line holds; RecordError if it is not JSON, or a key is missing or of the wrong type."""
        content = _parsed(line)
        if content.get("format") != FORMAT:
            raise RecordError(f"format: {content.get('format')!r} is not allowed; expected {FORMAT!r}")
        known = {name: _checked(content, name) for name in _KINDS if name in content or name in _REQUIRED}
        extra = {key: value for key, value in content.items() if key not in _KINDS and key != "format"}
        return Record(**known, extra=extra)

    def variant(self) -> Variant:
        """The game with the record's players, options and parameters; RecordError if there is none such."""
        try:
            files = _files(self.game, self.options)
            return _variant(self.game, self.players, json.dumps(self.options), json.dumps(self.parameters), files)
        except OptionError as error:
            raise RecordError(str(error)) from None


# Reading


def _are(values: Any, kind: type) -> bool:
    return isinstance(values, list) and all(type(value) is kind for value in values)


# What each key must be: a test, and the words for it.
_KINDS = {
    "game": (lambda v: isinstance(v, str), "a text"),
    "players": (lambda v: type(v) is int, "an integer"),
    "options": (lambda v: isinstance(v, dict), "an object"),
    "parameters": (lambda v: isinstance(v, dict), "an object"),
    "events": (lambda v: _are(v, str), "a list of texts"),
    "scores": (lambda v: _are(v, int), "a list of integers"),
    "winners": (lambda v: _are(v, int), "a list of integers"),
    "legal": (lambda v: isinstance(v, list) and all(_are(row, str) for row in v), "a list of lists of texts"),
}
_REQUIRED = ("game", "players", "options", "parameters", "events")


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these keys and values; ValueError if a key comes twice, of which JSON would keep the last."""
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            raise ValueError(f"the key {key!r} is given twice")
        content[key] = value
    return content


def _parsed(line: str | bytes) -> dict[str, Any]:
    try:
        content = json.loads(line, object_pairs_hook=without_repeats)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not a JSON object: {error}") from None
    if not isinstance(content, dict):
        raise RecordError(f"not a JSON object but {_short(content)}")
    return content


def _checked(content: Mapping[str, Any], name: str) -> Any:
    fits, expected = _KINDS[name]
    if name not in content:
        raise RecordError(f"the key {name!r} is missing; expected {expected}")
    if not fits(content[name]):
        raise RecordError(f"{name}: {_short(content[name])} is not allowed; expected {expected}")
    return content[name]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "…"


@lru_cache(VARIANTS_KEPT)
def _variant(game: str, players: int, options: str, parameters: str, files: Files) -> Variant:
    return make_variant(game, players, json.loads(options), json.loads(parameters))


def _files(game: str, options: Mapping[str, Any]) -> Files:
    """The files that options name, as they are now: a changed file makes another variant."""
    tables = [option.name for option in description(game).options if isinstance(option, TableFile)]
    paths = [Path(options[name]) for name in tables if isinstance(options.get(name), str)]
    try:
        found = [path.resolve() for path in paths if path.is_file()]
        return tuple((str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in found)
    except (OSError, ValueError):  # no such file; what is wrong is said where it is read
        return ()


def make_variant(game: str, players: int | None, options: Mapping[str, Any], parameters: Mapping[str, Any]) -> Variant:
    """The game that a record's keys name; unlike `make` it wants options and parameters apart. OptionError."""
    of = description(game)
    _check_names("option", options, [option.name for option in of.options])
    _check_names("parameter", parameters, [parameter.name for parameter in of.parameters])
    return Variant(of, of.default_players if players is None else players, {**options, **parameters})


def _check_names(kind: str, values: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in values:
        if name not in known:
            raise OptionError(f"unknown {kind} {name!r}; there are {', '.join(known) or 'none'}")


def read_lines(path: Path | str) -> Iterator[bytes]:
    """The lines of a file that are not blank; RecordError if a compressed file is damaged."""
    with gzip.open(path) if _is_compressed(path) else Path(path).open("rb") as file:
        try:
            yield from (line for line in file if line.strip())
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise RecordError(f"{path} is not a sound gzip file: {error}") from None


def _is_compressed(path: Path | str) -> bool:
    return str(path).endswith(".gz")


def read_records(path: Path | str) -> Iterator[Record]:
    """The records of a file, each replayed; RecordError with the indexes at the first broken one."""
    for checked in check_records(path):
        if isinstance(checked, RecordError):
            raise checked
        yield checked


def check_records(path: Path | str) -> Iterator[Record | RecordError]:
    """For every record of a file: the record, if it is sound, else what is wrong with it. Never stops early."""
    for index, line in enumerate(read_lines(path)):
        try:
            record = Record.from_json(line)
            replay(record)
            yield record
        except RecordError as error:
            yield RecordError(error.message, index, error.event)


# Replaying


@dataclass(frozen=True)
class Replay:
    """What came of a record: the variant, the last position (shape (1,)), and the result of a finished game."""

    variant: Variant
    states: npt.NDArray[Any]
    over: bool
    scores: list[int]
    winners: list[int]


def replay(record: Record) -> Replay:
    """Plays a record again and checks all that it says; RecordError names the first event that is wrong."""
    variant = record.variant()
    trace = _retraced(variant, record)
    trace.check_events()
    if record.legal is not None:
        trace.check_lengths(record.legal)
    over = bool(variant.to_move(trace.states)[0] == OVER)
    scores, winners = result(variant, trace.states)
    _check_result(record, over, scores, winners)
    return Replay(variant, trace.states, over, scores, winners)


def result(variant: Variant, states: npt.NDArray[Any]) -> tuple[list[int], list[int]]:
    """Scores and winning seats in the first game of a batch, as they would be now."""
    winners = np.flatnonzero(variant.ranking(states[:1])[0] == 1)
    return variant.scores(states[:1])[0].tolist(), winners.tolist()


@dataclass(frozen=True)
class _Trace:
    """A record played as far as its events are legal: `applied` events, and what was legal at each."""

    variant: Variant
    record: Record
    states: npt.NDArray[Any]
    sets: npt.NDArray[np.uint64]
    applied: int

    def check_events(self) -> None:
        """Refuses the first event that is wrong, or is listed with wrong legal tokens, whichever comes first."""
        events, legal = self.record.events, self.record.legal
        if legal is not None:
            self._check_legal(legal[: self.applied + 1])
        if self.applied < len(events):
            raise RecordError(self._why_not(events[self.applied]), event=self.applied)

    def _why_not(self, token: str) -> str:
        if token not in self.variant.event_ids:
            return f"{self.variant.name} has no event {token!r}"
        if self.variant.to_move(self.states)[0] == OVER:
            return f"{token!r} comes after the end of the game"
        legal = ", ".join(tokens_of_sets(self.variant, self.sets[self.applied :][:1])[0])
        return f"{token!r} is not legal; legal are {legal}"

    def _check_legal(self, claimed: Sequence[Sequence[str]]) -> None:
        is_over = self.variant.to_move(self.states)[0] == OVER
        known = self.applied if is_over else min(self.applied + 1, len(self.sets))
        expected = tokens_of_sets(self.variant, self.sets[:known])
        for event, (said, true) in enumerate(zip(claimed, expected, strict=False)):
            if said != true:
                raise RecordError(_difference(said, true), event=event)

    def check_lengths(self, legal: Sequence[Any]) -> None:
        """Refuses a list of legal tokens that is not as long as the list of events."""
        events = self.record.events
        if len(legal) != len(events):
            raise RecordError(
                f"legal has {len(legal)} entries; expected one for each of {len(events)} events",
                event=min(len(legal), len(events)),
            )


def _difference(said: Sequence[str], true: Sequence[str]) -> str:
    missing, wrong = sorted(set(true) - set(said)), sorted(set(said) - set(true))
    if not missing and not wrong:
        return "legal holds the right tokens, but not each once and sorted by byte value"
    parts = [("lacks", missing), ("has wrongly", wrong)]
    return "legal " + " and ".join(f"{verb} {', '.join(tokens)}" for verb, tokens in parts if tokens)


def _retraced(variant: Variant, record: Record) -> _Trace:
    ids = variant.event_ids
    events = np.array([ids.get(token, -1) for token in record.events], np.int64)
    states, sets = variant.new(1), variant.empty_sets(len(events))
    facts = np.zeros((len(variant.game.facts), variant.game.most_players), np.int32)
    return _Trace(variant, record, states, sets, int(play.retrace(states, events, sets, facts)))


def _check_result(record: Record, over: bool, scores: list[int], winners: list[int]) -> None:
    end = len(record.events)
    claims = {"scores": record.scores, "winners": record.winners}
    missing = [name for name, claim in claims.items() if claim is None]
    if not over and len(missing) < len(claims):
        given = " and ".join(name for name in claims if name not in missing)
        raise RecordError(f"the record claims {given}, but the game is not over", event=end)
    if over and missing:
        raise RecordError(f"the game is over, but the record has no {' and no '.join(missing)}", event=end)
    for name, true in (("scores", scores), ("winners", winners)):
        if over and list(claims[name] or ()) != true:
            raise RecordError(f"{name}: {_short(claims[name])} is wrong; they are {true}", event=end)


def tokens_of_sets(variant: Variant, sets: npt.NDArray[np.uint64]) -> list[list[str]]:
    """The tokens of each set of event ids (sets × words), sorted by byte value."""
    order, names = _byte_order(variant)
    flags = unpack(sets, variant.events)[:, order]
    tokens = names[np.nonzero(flags)[1]].tolist()
    ends = np.cumsum(flags.sum(axis=1)).tolist()
    return [tokens[low:high] for low, high in zip([0, *ends], ends, strict=False)]


@lru_cache(VARIANTS_KEPT)
def _byte_order(variant: Variant) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """The ids that have a token, sorted by the bytes of their tokens, and these tokens."""
    tokens = sorted(variant.event_ids, key=str.encode)
    return np.array([variant.event_ids[token] for token in tokens], np.int64), np.array(tokens, object)


# Writing


def make_record(variant: Variant, events: Iterable[int], trace: bool = False, **extra: Any) -> Record:
    """The record of a game with these event ids, a trace if asked; ValueError at an illegal event."""
    ids = np.fromiter(events, np.int64)
    states, sets = variant.new(1), variant.empty_sets(len(ids))
    facts = np.zeros((len(variant.game.facts), variant.game.most_players), np.int32)
    applied = int(play.retrace(states, ids, sets, facts))
    if applied < len(ids):
        raise ValueError(f"event {applied}: {ids[applied]} is not legal")
    over = variant.to_move(states)[0] == OVER
    scores, winners = result(variant, states) if over else (None, None)
    options, parameters = variant.differences
    legal = tokens_of_sets(variant, sets) if trace else None
    tokens = [variant.token(int(e)) for e in ids]
    return Record(variant.name, variant.players, options, parameters, tokens, scores, winners, legal, extra)


def record_games(
    variant: Variant,
    games: int,
    bots: Sequence[str | Bot] | str,
    seed: int = 0,
    first: int = 0,
    rotate: bool = True,
    trace: bool = False,
) -> Iterator[Record]:
    """Records of the games that `Variant.play` plays with the same arguments.

    Each also says which bot sat on which seat, and the seed and number by which it can be played again.
    """
    seated, seed = matches.seat_bots(variant, bots), int(seed_word(seed))
    first, games = number_of(first, "first game"), number_of(games, "number of games")
    numbers = np.arange(first, first + games, dtype=np.int64)
    for number, seats in zip(numbers.tolist(), matches.seating(numbers, variant.players, rotate), strict=True):
        _, events = matches.play_recorded(variant, seated, seats, number, seed)
        names = [seated[bot].name for bot in seats]
        yield make_record(variant, events, trace, bots=names, seed=seed, number=number)


def write_records(path: Path | str, records: Iterable[Record]) -> int:
    """Writes records to a file, which appears, or takes the place of an older one, when it is complete.

    Returns how many there were.
    """
    count = 0
    with replacing(Path(path)) as unfinished, _open_for_writing(unfinished, _is_compressed(path)) as file:
        for record in records:
            file.write(record.to_json().encode() + b"\n")
            count += 1
    return count


@contextmanager
def _open_for_writing(path: Path, compressed: bool) -> Iterator[IO[bytes]]:
    with path.open("wb") as plain:
        if not compressed:
            yield plain
            return
        # Neither name nor time in the header: equal records make equal files.
        with gzip.GzipFile("", "wb", fileobj=plain, mtime=0) as file:
            yield file  # type: ignore[misc]
