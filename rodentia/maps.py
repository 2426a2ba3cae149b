"""R2, R3: maps as data: reading and checking a file, names and coordinates of the hexes, and the form in a state."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rodentia.box import FACES, HEXES_OF_FACE, LETTERS, MOST_ROWS, SHEET_HEXES, WOLF
from tabletop.options import OptionError

BUILT_IN = "reconstruction-1"
BUILT_IN_FILE = Path(__file__).with_name("map.json")
SHEET_KEYS = ("sheet1", "sheet2")
FURTHEST_INDENT = 100  # half-hexes; two rows of a connected map are never that far apart

# Neighbours in doubled coordinates: x grows by 2 from a hex to the next one in its row, r by 1 a row.
STEPS = ((2, 0), (-2, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))


class MapError(ValueError):
    """What is wrong with a map file."""


@dataclass(frozen=True)
class Map:
    """The hexes in reading order. rows: faces of each row; indents: half-hexes by which each row is shifted."""

    name: str
    provenance: str
    rows: tuple[tuple[int, ...], ...]
    indents: tuple[int, ...]
    sheets: tuple[int, ...]  # rows of each sheet

    def first_sheets(self, sheets: int) -> "Map":
        """The map of the first `sheets` sheets; OptionError if the file has fewer or they are not connected."""
        if sheets > len(self.sheets):
            missing = SHEET_KEYS[sheets - 1]
            raise OptionError(f"option 'map': {self.name!r} has no {missing!r}, which 4 and 5 players need")
        rows = sum(self.sheets[:sheets])
        part = Map(self.name, self.provenance, self.rows[:rows], self.indents[:rows], self.sheets[:sheets])
        if not part.is_connected:
            raise OptionError(f"option 'map': the hexes of {SHEET_KEYS[0]!r} of {self.name!r} are not connected")
        return part

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """Face of each hex."""
        return tuple(face for row in self.rows for face in row)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """R3: names of the hexes: the letter of the row, then the column from 1."""
        return tuple(f"{chr(ord('a') + r)}{c + 1}" for r, row in enumerate(self.rows) for c in range(len(row)))

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Doubled coordinates (x, r) of each hex: x = 2q + r + constant."""
        return tuple((self.indents[r] + 2 * c, r) for r, row in enumerate(self.rows) for c in range(len(row)))

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """R3: neighbours of each hex, ascending."""
        at = {place: h for h, place in enumerate(self.places)}
        around = [[at.get((x + dx, r + dr)) for dx, dr in STEPS] for x, r in self.places]
        return tuple(tuple(sorted(h for h in hexes if h is not None)) for hexes in around)

    def distance(self, a: int, b: int) -> int:
        """R3: steps between two hexes of an endless plane."""
        across, down = (abs(p - q) for p, q in zip(self.places[a], self.places[b], strict=True))
        return down + max(0, across - down) // 2

    @cached_property
    def has_short_ways(self) -> bool:
        """Whether from every hex a neighbour is nearer to any other hex, so that no way is longer than the distance."""
        hexes = range(len(self.faces))
        pairs = ((a, b) for a in hexes for b in hexes if a != b)
        return all(any(self.distance(n, b) < self.distance(a, b) for n in self.neighbours[a]) for a, b in pairs)

    @cached_property
    def is_connected(self) -> bool:
        """Whether every hex can be reached from every other one."""
        reached, edge = {0}, [0]
        while edge:
            edge = [h for hex_ in edge for h in self.neighbours[hex_] if h not in reached]
            reached.update(edge)
        return len(reached) == len(self.faces)


def load(value: str) -> Map:
    """R2: the map of this name or path, with all its sheets; OptionError says what is broken."""
    path = BUILT_IN_FILE if value == BUILT_IN else Path(value)
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        expected = f"{BUILT_IN!r} or a file that can be read"
        raise OptionError(f"option 'map': {value!r} is not {expected}: {error}") from None
    except ValueError as error:
        raise OptionError(f"option 'map': {value!r} is not a JSON file: {error}") from None
    try:
        return from_table(value, table)
    except MapError as error:
        raise OptionError(f"option 'map': {value!r}: {error}") from None


def from_table(name: str, table: Any) -> Map:
    """The map that a table of the form of `map.json` describes."""
    if not isinstance(table, Mapping):
        raise MapError("expected an object with the keys sheet1, sheet2")
    keys = [key for key in SHEET_KEYS if key in table]
    if SHEET_KEYS[0] not in keys:
        raise MapError("expected a key 'sheet1', a list of rows")
    letters = _letters(table.get("letters", LETTERS))
    sheets = [_sheet(key, table[key], letters) for key in keys]
    rows = tuple(row for sheet in sheets for row in sheet)
    if len(rows) > MOST_ROWS:
        raise MapError(f"{len(rows)} rows; expected at most {MOST_ROWS}, a letter each")
    indents = _indents(table.get("indent"), len(rows))
    found = Map(name, str(table.get("provenance", "user's file")), rows, indents, tuple(map(len, sheets)))
    if not found.is_connected:
        raise MapError("the hexes are not connected")
    return found


def _letters(letters: Any) -> dict[str, int]:
    if not isinstance(letters, Mapping) or any(len(k) != 1 or v not in FACES for k, v in letters.items()):
        raise MapError(f"letters: {letters!r}; expected single letters, each for one of {', '.join(FACES)}")
    return {letter: FACES.index(face) for letter, face in letters.items()}


def _sheet(key: str, sheet: Any, letters: Mapping[str, int]) -> list[tuple[int, ...]]:
    """R1: the faces of a sheet's rows."""
    if not isinstance(sheet, list) or not all(isinstance(row, str) and row for row in sheet):
        raise MapError(f"{key}: {sheet!r}; expected a list of rows, each a text of one letter a hex")
    for letter in "".join(sheet):
        if letter not in letters:
            raise MapError(f"{key}: unknown letter {letter!r}; expected one of {', '.join(letters)}")
    rows = [tuple(letters[letter] for letter in row) for row in sheet]
    counts = Counter(face for row in rows for face in row)
    wrong = [
        f"{counts[face]} {FACES[face]} hexes instead of {expected}"
        for face, expected in enumerate(HEXES_OF_FACE)
        if counts[face] != expected
    ]
    if wrong:
        raise MapError(f"{key}: {', '.join(wrong)}")
    return rows


def _indents(indents: Any, rows: int) -> tuple[int, ...]:
    """R2: half-hexes by which each row is shifted: 1, 0, 1, 0, … unless the file says otherwise."""
    if indents is None:
        return tuple(1 - r % 2 for r in range(rows))
    if not isinstance(indents, list) or len(indents) != rows or not all(type(i) is int for i in indents):
        raise MapError(f"indent: {indents!r}; expected a list of {rows} integers, one a row")
    if any(abs(i) > FURTHEST_INDENT for i in indents):
        raise MapError(f"indent: {indents!r}; expected integers from {-FURTHEST_INDENT} to {FURTHEST_INDENT}")
    if any((a - b) % 2 == 0 for a, b in pairwise(indents)):
        raise MapError(f"indent: {indents!r}; neighbouring rows must differ by an odd number")
    return tuple(indents)


def set_of(hexes: Any) -> np.uint64:
    """The set of some hexes as a word."""
    return np.uint64(sum(1 << h for h in hexes))


def south_step(found: Map, row: int) -> int:
    """What is added to the number of a hex for its south-west neighbour (if it has one) in the row below."""
    return len(found.rows[row]) + (found.indents[row] - 1 - found.indents[row + 1]) // 2


def write_board(board: Any, found: Map) -> None:
    """Writes the map into the nested record `state["board"]`; the fields are explained in `state.BOARD`."""
    at = {place: h for h, place in enumerate(found.places)}
    for name, (dx, dr) in {"east": (2, 0), "southwest": (-1, 1), "southeast": (1, 1)}.items():
        board[name] = set_of(h for (x, r), h in at.items() if (x + dx, r + dr) in at)
    for face in range(len(FACES)):
        board["terrain"][face] = set_of(h for h, f in enumerate(found.faces) if f == face)
    board["land"] = set_of(h for h, f in enumerate(found.faces) if f != WOLF)
    starts = np.cumsum([0, *map(len, found.rows)])
    board["row_starts"] = set_of(int(h) for h in starts[:-1])
    board["hexes"], board["rows"] = len(found.faces), len(found.rows)
    board["indent"][: len(found.rows)] = np.subtract(found.indents, min(found.indents))
    board["has_touching"] = any(
        found.faces[h] == found.faces[n] != WOLF for h, around in enumerate(found.neighbours) for n in around
    )
    board["has_short_ways"] = found.has_short_ways
    steps = {south_step(found, r) for r in range(len(found.rows) - 1)}
    only = steps.pop() if len(steps) == 1 else 0
    board["south"] = only if 0 < only < SHEET_HEXES else 0
