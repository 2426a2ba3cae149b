"""The results of single games as a table, one row a game, and back again.

What was chosen in the games is summed up: it stands in the metadata of the table, which Parquet files keep.
"""

import base64
import io
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tabletop import Results, Variant
from tabletop.course import MEASURES
from tabletop.matches import Course

Column = tuple[str, pa.Array]

COURSE = "course_"  # before the names of the measures of the course
WHOLE = ("decisions", "turns", "lead_changes", "margin")  # measures that are integers
CHOICES, TOTALS = b"choices", b"totals"  # keys of the metadata


def columns(variant: Variant, results: Results) -> list[Column]:
    """The columns of a table of games: number, events, then bot, score and place of each seat, then the facts.

    If the course was noted, its measures follow.
    """
    seats = range(variant.players)
    found: list[Column] = [("game", pa.array(results.number)), ("events", pa.array(results.lengths))]
    found += [(f"bot_{s}", _named(results.bots[:, s], results.names)) for s in seats]
    found += [(f"score_{s}", pa.array(results.scores[:, s])) for s in seats]
    found += [(f"place_{s}", pa.array(results.places[:, s])) for s in seats]
    for i, fact in enumerate(variant.game.facts):
        for s in seats if fact.of_seat else (0,):
            name = f"{fact.name}_{s}" if fact.of_seat else fact.name
            values = results.facts[:, i, s]
            found.append((name, _named(values, fact.categories) if fact.categories else pa.array(values)))
    return [*found, *(_course_columns(results.course) if results.course else [])]


def _named(values: npt.NDArray[np.integer], labels: tuple[str, ...]) -> pa.Array:
    """The labels of the values, null where a value is negative.

    Each label comes once in the dictionary: of one with repetitions Arrow writes a Parquet page with random bytes.
    """
    different = tuple(dict.fromkeys(labels))
    places = np.array([different.index(label) for label in labels], np.int32)
    indices = pa.array(places[np.maximum(values, 0)], mask=values < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(different))


def _course_columns(course: Course) -> list[Column]:
    kinds = [np.int32 if name in WHOLE else np.float32 for name in MEASURES]
    measures = zip(MEASURES, kinds, course.measures.T, strict=True)
    return [(COURSE + name, pa.array(values.astype(kind))) for name, kind, values in measures]


def table(variant: Variant, results: Results) -> pa.Table:
    """The games as a table; what was chosen in all of them stands in its metadata."""
    made = pa.table(dict(columns(variant, results)))
    if results.course is None:
        return made
    return made.replace_schema_metadata({CHOICES: _text(results.course.choices), TOTALS: _text(results.course.totals)})


class ColumnError(ValueError):
    """A table that has not the columns, or the labels in them, that games of this kind have here."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what}: the games were played by another version of the game or of this package; read them with the one "
            f"that its manifest.json names, or play them again with --restart"
        )


def results_of(variant: Variant, bots: Sequence[str], games: pa.Table) -> Results:
    """The results from which `table` made this. bots: their names; of equal names, the first one's index is told.

    ColumnError that names what a table lacks, or has otherwise.
    """
    seats = range(variant.players)

    def of_seats(name: str, dtype: type) -> npt.NDArray:
        return np.stack([_numbers(games, f"{name}_{seat}").astype(dtype) for seat in seats], axis=1)

    seated = np.stack([_indices(games, f"bot_{seat}", tuple(bots)) for seat in seats], axis=1)
    scores, places = of_seats("score", np.int32), of_seats("place", np.int32)
    number, lengths = _numbers(games, "game"), _numbers(games, "events")
    facts, course = _facts(variant, games), _course(variant, games)
    return Results(tuple(bots), number, seated, scores, places, lengths, facts, course=course)


def _facts(variant: Variant, games: pa.Table) -> npt.NDArray[np.int32]:
    facts = np.zeros((len(games), len(variant.game.facts), variant.game.most_players), np.int32)
    for i, fact in enumerate(variant.game.facts):
        for seat in range(variant.players if fact.of_seat else 1):
            name = f"{fact.name}_{seat}" if fact.of_seat else fact.name
            values = _indices(games, name, fact.categories) if fact.categories else _numbers(games, name)
            facts[:, i, seat] = values
    return facts


def _column(games: pa.Table, name: str) -> pa.ChunkedArray:
    if name not in games.column_names:
        raise ColumnError(f"there is no column {name!r}")
    return games[name]


def _numbers(games: pa.Table, name: str) -> npt.NDArray:
    """A column of numbers."""
    column = _column(games, name)
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise ColumnError(f"the column {name!r} holds values of the type {column.type}; expected numbers")
    return column.to_numpy()


def _indices(games: pa.Table, name: str, labels: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """The index of each label in a column, −1 for none; of equal labels, the first."""
    column = _column(games, name)
    if not pa.types.is_dictionary(column.type):
        raise ColumnError(f"the column {name!r} holds values of the type {column.type}; expected labels")
    whole = column.combine_chunks()
    if unknown := [label for label in whole.dictionary.to_pylist() if label not in labels]:
        raise ColumnError(f"the column {name!r} holds {unknown[0]!r}; expected {', '.join(labels)}")
    places = np.array([labels.index(label) for label in whole.dictionary.to_pylist()] + [-1], np.int64)
    return places[whole.indices.fill_null(len(places) - 1).to_numpy(zero_copy_only=False)]


def _course(variant: Variant, games: pa.Table) -> Course | None:
    metadata = games.schema.metadata or {}
    if CHOICES not in metadata:
        return None
    measures = np.stack([_numbers(games, COURSE + name).astype(np.float64) for name in MEASURES], axis=1)
    choices = _array(metadata[CHOICES])
    if choices.shape[1] != variant.actions:
        raise ColumnError(f"choices among {choices.shape[1]} actions are noted; expected {variant.actions}")
    return Course(measures, choices, _array(metadata[TOTALS]))


def _text(values: npt.NDArray) -> bytes:
    """An array as text, compressed."""
    with io.BytesIO() as file:
        np.save(file, values, allow_pickle=False)
        return base64.b64encode(zlib.compress(file.getvalue()))


def _array(text: bytes) -> npt.NDArray:
    return np.load(io.BytesIO(zlib.decompress(base64.b64decode(text))), allow_pickle=False)
