"""A position as text, and text as a position.

    next     place, seat 1, turn 0, done 1
    round    3, starting player 1
    goals    row, diagonal ascending
    bonus    forest 2, river 1
    dice     wolf 1
    placed   b2 1
    seat 0   squirrels, wolf, 1 caught
    seat 1   marmots, mountain
    a          F.....      G.....      R.....      S.....      M.....      G.....
    b    S.....      M1....      F#0^0       W*A         G.....      R.....      F.....
    …

Each hex is one word: the letter of its face, then its circles (the number of a seat for a rodent, a dot for a free
circle; solo: 0 for a rodent, w for a wolf mark, x for a struck rodent) or # and the seat whose burrow it is, then
^ and the seats whose leaders stand there, then * and the wolves. Lines that say nothing are left out.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from rodentia.box import DIAGONAL, DIRECTIONS, FACES, GOALS, LETTERS, SPECIES, TWO_SHEETS_FROM
from rodentia.derived import derive
from rodentia.maps import Map
from rodentia.placing import BITS_A_COUNT
from rodentia.settings import fill, map_of
from rodentia.state import (
    BURROW,
    ENDED,
    ENDING_NAMES,
    NO_DIE,
    NODE_NAMES,
    PLANES,
    ROLL,
    STATE,
    TIE_MARK,
    WOLF_MARKS,
    WOLF_STEP,
)
from tabletop.game import CHANCE, OVER
from tabletop.layout import zeroed
from tabletop.options import Settings

LETTER_OF_FACE = {FACES.index(face): letter for letter, face in LETTERS.items()}
FREE, MARK, STRUCK = ".", "w", "x"
BURROW_SIGN, LEADER_SIGN, WOLF_SIGN = "#", "^", "*"
WOLVES = "AB"
LABEL = 9  # width of the names of lines
HALF = 6  # width of half a hex; more if a word needs it
UNKNOWN = "?"
HEX = re.compile(
    r"(?P<face>\S)(?P<circles>[\d.wx]*)(?:#(?P<burrow>\d))?(?:\^(?P<leaders>\d+))?(?:\*(?P<wolves>[AB]+))?"
)


# A position as text


def _members(word: Any) -> list[int]:
    return [i for i in range(64) if int(word) >> i & 1]


def _number(planes: Any, hex_: int) -> int:
    return sum((int(plane) >> hex_ & 1) << k for k, plane in enumerate(planes))


def _counts(numbers: Iterable[Any], names: Iterable[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=False) if number)


def _next(state: Any) -> str:
    mover = int(state["to_move"])
    who = f"seat {mover}" if mover >= 0 else "chance" if mover == CHANCE else ENDING_NAMES[int(state["ending"])]
    words = [NODE_NAMES[int(state["node"])], who]
    words += [f"{name} {state[name]}" for name in ("turn", "done", "side") if state[name]]
    words += [name for name in ("is_forced", "is_new_catch") if state[name]]
    return ", ".join(words)


def _goals(state: Any) -> str:
    direction = DIRECTIONS[int(state["direction"])]
    return ", ".join(f"{GOALS[g]} {direction}" if g == DIAGONAL else GOALS[g] for g in _members(state["goals"]))


def _seat(state: Any, seat: int) -> str:
    words = [SPECIES[int(state["species"][seat])]] if _has_species(state, seat) else [UNKNOWN]
    if state["die"][seat] != NO_DIE:
        words.append(FACES[int(state["die"][seat])])
    return ", ".join(words + [f"{state['catches'][seat]} caught"] * bool(state["catches"][seat]))


def _has_species(state: Any, seat: int) -> bool:
    return int(state["node"]) >= ROLL or (seat < state["turn"] and NODE_NAMES[int(state["node"])] == "species")


def _lines(state: Any, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    yield "next", _next(state)
    yield "round", f"{state['round']}, starting player {state['starter']}" if state["round"] else ""
    yield "goals", _goals(state)
    yield "bonus", _counts(state["bonus"], FACES)
    yield "dice", _counts(state["dice"], FACES)
    yield "movers", ", ".join(map(str, _members(state["movers"]))) if state["node"] == WOLF_STEP else ""
    yield "placed", _placed(state, names)
    yield "target", names[int(state["target"])] if NODE_NAMES[int(state["node"])] == "jump" else ""
    yield "sites", ", ".join(names[h] for h in _members(state["sites"])) if state["node"] == TIE_MARK else ""
    yield "numbers", _counts(state["numbers"], map(str, range(1, len(FACES) + 1)))
    yield "scared", str(state["scared"]) if state["scared"] else ""
    for seat in range(int(state["players"])):
        yield f"seat {seat}", _seat(state, seat)


def _circles(state: Any, hex_: int) -> str:
    sides = range(1) if state["players"] == 1 else range(int(state["players"]))
    words = "".join(str(seat) * _number(state["rodents"][seat], hex_) for seat in sides)
    if state["players"] == 1:
        words += MARK * _number(state["rodents"][WOLF_MARKS], hex_)
    words += STRUCK * (int(state["used"][hex_]) - len(words))
    return words.ljust(int(state["rules"]["circles"]), FREE)


def _hex(state: Any, hex_: int, face: int) -> str:
    drawn = _seats_with_burrow(state)
    owners = [seat for seat in drawn if state["burrow"][seat] == hex_]
    leaders = "".join(str(seat) for seat in drawn if state["leader"][seat] == hex_)
    two = state["players"] >= TWO_SHEETS_FROM
    wolves = "".join(WOLVES[wolf] for wolf in range(1 + two) if state["wolf"][wolf] == hex_)
    land = "" if FACES[face] == "wolf" else f"{BURROW_SIGN}{owners[0]}" if owners else _circles(state, hex_)
    return LETTER_OF_FACE[face] + land + (LEADER_SIGN + leaders) * bool(leaders) + (WOLF_SIGN + wolves) * bool(wolves)


def _sites(state: Any) -> list[int]:
    """The hexes of the terrain in which the seat to move places, in the order of the counts of `placed`."""
    return _members(state["board"]["terrain"][state["die"][state["to_move"]]])


def _placed(state: Any, names: tuple[str, ...]) -> str:
    if NODE_NAMES[int(state["node"])] != "place":
        return ""
    numbers = [int(state["placed"]) >> BITS_A_COUNT * k & 2**BITS_A_COUNT - 1 for k in range(len(_sites(state)))]
    return _counts(numbers, [names[hex_] for hex_ in _sites(state)])


def _seats_with_burrow(state: Any) -> list[int]:
    players, node = int(state["players"]), int(state["node"])
    without = players - int(state["turn"]) if node == BURROW else players if node < ROLL else 0
    return list(range(without, players))


def _rows(state: Any, found: Map) -> Iterator[tuple[str, str]]:
    words = iter([_hex(state, hex_, face) for hex_, face in enumerate(found.faces)])
    rows = [[next(words) for _ in row] for row in found.rows]
    half = max(HALF, *(len(word) // 2 + 1 for row in rows for word in row))
    for r, row in enumerate(rows):
        shift = " " * half * (found.indents[r] - min(found.indents))
        yield chr(ord("a") + r), shift + "".join(word.ljust(2 * half) for word in row)


def text(state: Any, settings: Settings) -> str:
    """One position (a record of `STATE`) as readable text."""
    found = map_of(settings)
    lines = [*((name, value) for name, value in _lines(state, found.names) if value), *_rows(state, found)]
    return "\n".join(f"{name:<{LABEL}}{value}".rstrip() for name, value in lines)


# Text as a position


class _Reader:
    """Writes the lines of a text into a state."""

    def __init__(self, lines: str, settings: Settings) -> None:
        self.found, self.states = map_of(settings), zeroed(1, STATE)
        self.state: Any = self.states[0]
        fill(self.state, settings)
        self.values = dict(self._split(line) for line in lines.splitlines() if line.strip())
        self.state["die"] = NO_DIE

    def _split(self, line: str) -> tuple[str, str]:
        name = " ".join(line.split()[:2]) if line.lstrip().startswith("seat ") else line.split()[0]
        known = ("next", "round", "goals", "bonus", "dice", "movers", "placed", "target", "sites", "numbers", "scared")
        rows = [chr(ord("a") + r) for r in range(len(self.found.rows))]
        seats = [f"seat {seat}" for seat in range(int(self.state["players"]))]
        if name not in (*known, *rows, *seats):
            raise ValueError(f"unknown line {name!r}; there are {', '.join((*known, *seats, *rows))}")
        return name, line.strip()[len(name) :].strip()

    def words(self, name: str) -> list[str]:
        """The words of a line, separated by commas."""
        return [word.strip() for word in self.values.get(name, "").split(",") if word.strip()]

    def numbers(self, name: str, names: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """The counts of a line: index of the name, number."""
        for word in self.words(name):
            which, number = word.rsplit(maxsplit=1)
            yield _index(names, which), int(number)

    def read_next(self) -> None:
        """What is awaited, and of whom."""
        node, who, *rest = self.words("next") or ["roll", "chance"]
        state = self.state
        state["node"] = _index(NODE_NAMES, node)
        state["to_move"] = OVER if state["node"] == ENDED else CHANCE
        if who.startswith("seat "):
            state["to_move"] = int(who.removeprefix("seat "))
        elif state["node"] == ENDED:
            state["ending"] = _index(ENDING_NAMES, who)
        for word in rest:
            name, _, number = word.partition(" ")
            state[_index(("turn", "done", "side", "is_forced", "is_new_catch"), name, True)] = int(number or 1)

    def read_table(self) -> None:
        """Round, goals, counters."""
        state = self.state
        for word in self.words("round"):
            state["starter" if "player" in word else "round"] = int(word.split()[-1])
        for word in self.words("goals"):
            goal, _, direction = word.partition(" ")
            state["goals"] |= 1 << _index(GOALS, goal)
            if direction:
                state["direction"] = _index(DIRECTIONS, direction)
        for name, names in {"bonus": FACES, "dice": FACES, "numbers": tuple("123456")}.items():
            for which, number in self.numbers(name, names):
                state[name][which] = number
        state["movers"] = sum(1 << int(word) for word in self.words("movers"))
        state["scared"] = int(self.values.get("scared", 0))
        state["target"] = _index(self.found.names, self.values.get("target", self.found.names[0]))
        state["sites"] = sum(1 << _index(self.found.names, word) for word in self.words("sites"))

    def read_seats(self) -> None:
        """Species, die and catches of each seat."""
        for seat in range(int(self.state["players"])):
            for word in self.words(f"seat {seat}"):
                if word in SPECIES:
                    self.state["species"][seat] = SPECIES.index(word)
                elif word in FACES:
                    self.state["die"][seat] = FACES.index(word)
                elif word.endswith(" caught"):
                    self.state["catches"][seat] = int(word.split()[0])
                elif word != UNKNOWN:
                    raise ValueError(f"seat {seat}: unknown word {word!r}; expected a species, a face, or '… caught'")

    def read_placed(self) -> None:
        """The rodents placed in this turn; the seats have been read."""
        for which, number in self.numbers("placed", self.found.names):
            self.state["placed"] |= number << BITS_A_COUNT * _sites(self.state).index(which)

    def read_map(self) -> None:
        """The hexes, row by row."""
        hex_ = 0
        for r, row in enumerate(self.found.rows):
            words = self.values.get(chr(ord("a") + r), "").split()
            if len(words) != len(row):
                raise ValueError(f"row {chr(ord('a') + r)!r} has {len(words)} hexes; expected {len(row)}")
            for word in words:
                self.read_hex(hex_, word)
                hex_ += 1

    def read_hex(self, hex_: int, word: str) -> None:
        """One hex."""
        parts, state = HEX.fullmatch(word), self.state
        face = LETTER_OF_FACE[self.found.faces[hex_]]
        if parts is None or parts["face"] != face:
            raise ValueError(f"hex {self.found.names[hex_]}: {word!r}; expected {face!r} and what is there")
        for circle in parts["circles"].replace(FREE, ""):
            state["used"][hex_] += 1
            if circle != STRUCK:
                _add_one(state["rodents"][WOLF_MARKS if circle == MARK else int(circle)], hex_)
        for seat in parts["burrow"] or "":
            state["burrow"][int(seat)] = hex_
        for seat in parts["leaders"] or "":
            state["leader"][int(seat)] = hex_
        for wolf in parts["wolves"] or "":
            state["wolf"][WOLVES.index(wolf)] = hex_


def _index(names: tuple[str, ...], name: str, itself: bool = False) -> Any:
    if name not in names:
        raise ValueError(f"unknown name {name!r}; expected one of {', '.join(names)}")
    return name if itself else names.index(name)


def _write_number(planes: Any, hex_: int, number: int) -> None:
    for k in range(PLANES):
        planes[k] = int(planes[k]) & ~(1 << hex_) | (number >> k & 1) << hex_


def _add_one(planes: Any, hex_: int) -> None:
    _write_number(planes, hex_, _number(planes, hex_) + 1)


def position(lines: str, settings: Settings) -> np.ndarray:
    """The position that `text` writes so, as a batch of one state.

    Lines that are left out mean nothing there; without a line `next` the dice are to be rolled. ValueError for an
    unknown line or word. Whether the position is possible is not checked here: `faults` does.
    """
    reader = _Reader(lines, settings)
    reader.read_next()
    reader.read_table()
    reader.read_seats()
    reader.read_placed()
    reader.read_map()
    state = reader.state
    derive(state)
    return reader.states
