"""The results of single games as a Parquet file, written as they come: one row a game."""

from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from tabletop import Results, Variant

Column = tuple[str, pa.Array]


def columns(variant: Variant, results: Results) -> list[Column]:
    """The columns of a table of games: number, events, then bot, score and place of each seat, then the facts."""
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
    return found


def _named(values: npt.NDArray[np.integer], labels: tuple[str, ...]) -> pa.Array:
    """The labels of the values, null where a value is negative."""
    indices = pa.array(values.astype(np.int32), mask=values < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(labels))


class GamesFile:
    """A Parquet file that takes the results of games chunk by chunk, a row group each."""

    def __init__(self, path: Path, variant: Variant) -> None:
        self.path, self.variant = path, variant
        self.writer: pq.ParquetWriter | None = None

    def __enter__(self) -> "GamesFile":
        return self

    def add(self, results: Results) -> None:
        """Writes the rows of a chunk."""
        table = pa.table(dict(columns(self.variant, results)))
        if self.writer is None:
            self.writer = pq.ParquetWriter(self.path, table.schema)
        self.writer.write_table(table)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.writer is not None:
            self.writer.close()
