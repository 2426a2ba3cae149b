"""A position as text, and text as a position.

    next     first part, seat 2
    turns    7
    supply   26
    reserve  14 16 15 12
    palace   0 0 1 0
    cards    king 2, witch 0
    revealed 1PB, 2MBC
    +---------------+---------------+
    | anglia        | * scandia     |
    | 2 . . 1       | . . . .       |
    | 1KW           | 2MPC!0 3MBCK+ |
    +---------------+---------------+

A region has three lines: its name, with a star where the plague piece is; the cubes of the seats 0, 1, …; its rat
tokens in the order of their slots, with their fronts (this is the view of a referee), `+` for a token that was
drawn and not set up, and after `!` the seats that have seen it. The built-in map lies as on the board; the regions
of another one lie in the order of their ids. Supply and reserve follow from the rest.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rattus.box import CLASS_NAMES, REGIONS, SLOTS
from rattus.settings import as_set, fill
from rattus.state import (
    AT_DRAW,
    AT_END,
    AT_FINAL_PART,
    AT_FIRST_PART,
    AT_LAST_REVEAL,
    AT_MERCHANT_COUNT,
    AT_MERCHANT_TO,
    AT_MONK_TO,
    AT_RAT,
    AT_SETTLE,
    AT_WITCH_CHOICE,
    AT_WITCH_SECOND,
    DRAWN,
    PHASES,
    SEEN,
    STATE,
    THERE,
    TOKEN_BITS,
    TOKEN_MASK,
    TYPE_MASK,
)
from tabletop.jit import JIT_ENABLED
from tabletop.options import Settings

ON_THE_BOARD = (
    ("anglia", "scandia", "polonia", "russia"),
    ("gallia", "germania", "hungaria", "tartaria"),
    ("hispania", "italia", "bulgaria", "turcia"),
)
COLUMNS = len(ON_THE_BOARD[0])
CELL_LINES = 3
NOTHING = "-"
PLAGUE_MARK, DRAWN_MARK, SEEN_MARK = "* ", "+", "!"
ONE_REGION_BEGUN = (AT_DRAW, AT_LAST_REVEAL, AT_MONK_TO, AT_MERCHANT_TO, AT_WITCH_SECOND)
TWO_REGIONS_BEGUN = (AT_MERCHANT_COUNT, AT_WITCH_CHOICE)
LINES = (
    *("next", "turns", "supply", "reserve", "palace", "cards", "usable"),
    *("done", "begun", "spread", "neutral", "final", "settled", "revealed"),
)


# ---------------------------------------------------------------- a position as text


def text(state: np.ndarray, settings: Settings) -> str:
    """One position (a record of `STATE`) as readable text."""
    lines = [f"{name:<8} {value}" for name, value in _lines(state, settings)]
    return "\n".join([*lines, *_picture(state, settings)])


def _listed(words: Sequence[Any]) -> str:
    return ", ".join(str(word) for word in words) or NOTHING


def _by_seat(packed: int, players: int) -> list[int]:
    return [int(packed) >> 8 * seat & 255 for seat in range(players)]


def _spaced(numbers: Sequence[int]) -> str:
    return " ".join(str(number) for number in numbers)


def _lines(state: np.ndarray, settings: Settings) -> Iterator[tuple[str, str]]:
    """The named lines; those with nothing to say are left out."""
    players, phase = settings.players, int(state["phase"])
    yield "next", PHASES[phase] + (f", seat {state['seat']}" if phase != AT_END else "")
    yield "turns", str(state["turns"])
    yield "supply", str(int(state["pool_tokens"]) - int(state["rules"]["removed"]))
    yield "reserve", _spaced(_by_seat(state["reserve"], players))
    yield "palace", _spaced(_by_seat(state["palace"], players))
    yield "cards", _listed(_holders(state, players))
    yield from _turn(state, settings)
    revealed = zip(settings.tables["tokens"].types, state["revealed"].tolist(), strict=False)
    yield "revealed", _listed([kind.name for kind, tokens in revealed for _ in range(tokens)])


def _holders(state: np.ndarray, players: int) -> list[str]:
    held = _by_seat(state["held"], players)
    return [f"{name} {seat}" for i, name in enumerate(CLASS_NAMES) for seat in range(players) if held[seat] >> i & 1]


def _turn(state: np.ndarray, settings: Settings) -> Iterator[tuple[str, str]]:
    """What has happened in this turn and in the end of the game."""
    names, phase = list(settings.tables["map"].regions), int(state["phase"])
    done = [word for word, field in (("card", "card_taken"), ("placed", "placed")) if state[field]]
    if phase > AT_SETTLE:
        yield "usable", _listed([name for i, name in enumerate(CLASS_NAMES) if int(state["usable"]) >> i & 1])
    if done:
        yield "done", _listed(done)
    if phase in ONE_REGION_BEGUN + TWO_REGIONS_BEGUN:
        begun = [f"{names[state['region']]}:{state['slot'] + 1}", f"{names[state['region_2']]}:{state['slot_2'] + 1}"]
        yield "begun", _listed(begun[: 1 + (phase in TWO_REGIONS_BEGUN)])
    if state["spread_left"]:
        yield "spread", str(state["spread_left"])
    if neutral := [word for word, field in (("now", "neutral"), ("last", "piece_neutral")) if state[field]]:
        yield "neutral", _listed(neutral)
    if state["final"]:
        yield "final", f"triggered by seat {state['trigger']}"
    if state["settled"]:
        first = state["first_region"][: min(int(state["settled"]), settings.players)]
        yield "settled", f"{state['settled']}, first in {' '.join(names[region] for region in first)}"


def _picture(state: np.ndarray, settings: Settings) -> list[str]:
    """The map, a cell a region."""
    cells = {name: _cell(state, region, settings) for region, name in _regions(settings)}
    blank = [""] * CELL_LINES
    rows = [[cells.get(name, blank) for name in row] for row in layout(list(cells))]
    width = max(len(line) for cell in cells.values() for line in cell)
    rule = ("+" + "-" * (width + 2)) * COLUMNS + "+"
    lines = [rule]
    for row in rows:
        lines += ["".join(f"| {cell[i]:<{width}} " for cell in row) + "|" for i in range(CELL_LINES)]
        lines.append(rule)
    return lines


def _regions(settings: Settings) -> list[tuple[int, str]]:
    names = list(settings.tables["map"].regions)
    return [(region, names[region]) for region in settings.tables["map"].in_play(settings.players)]


def layout(names: list[str]) -> list[Sequence[str]]:
    """The rows of the picture: as on the board, or in id order for regions that the board does not have."""
    if set(names) <= {name for row in ON_THE_BOARD for name in row}:
        return [row for row in ON_THE_BOARD if set(row) & set(names)]
    padded = names + [""] * (-len(names) % COLUMNS)
    return [padded[i : i + COLUMNS] for i in range(0, len(padded), COLUMNS)]


def _cell(state: np.ndarray, region: int, settings: Settings) -> list[str]:
    is_started = int(state["phase"]) > AT_RAT + 1 or state["turns"] > 0
    star = PLAGUE_MARK if is_started and state["plague"] == region else ""
    cubes = _by_seat(state["cubes"][region], settings.players)
    entries = [int(state["rats"][region]) >> TOKEN_BITS * slot & TOKEN_MASK for slot in range(SLOTS)]
    tokens = [_token(entry, settings) for entry in entries if entry & THERE]
    return [star + dict(_regions(settings))[region], " ".join(str(n) if n else "." for n in cubes), " ".join(tokens)]


def _token(entry: int, settings: Settings) -> str:
    seen = "".join(str(seat) for seat in range(settings.players) if entry & SEEN << seat)
    name = settings.tables["tokens"].types[entry & TYPE_MASK].name
    return name + DRAWN_MARK * (entry & DRAWN > 0) + (SEEN_MARK + seen if seen else "")


# ---------------------------------------------------------------- text as a position


def position(lines: str, settings: Settings) -> np.ndarray:
    """The position that `text` writes so, as a batch of one state.

    Lines that are left out mean nothing there; without `usable` the seat may use all cards that it holds. ValueError
    for an unknown line or name, and if a supply or reserve is written that does not follow from the rest.
    """
    states = np.zeros(1, STATE)
    states = states if JIT_ENABLED else states.view(np.recarray)
    state = states[0]
    fill(state, settings)
    values, cells = _read(lines)
    for cell in cells:
        _write_cell(state, cell, settings)
    _write_next(state, values.get("next", f"{PHASES[AT_FIRST_PART]}, seat 0"))
    _write_turn(state, values, settings)
    _write_rest(state, values, settings)
    return states


def _read(lines: str) -> tuple[dict[str, str], list[list[str]]]:
    """The named lines, and the cells of the picture."""
    values: dict[str, str] = {}
    rows: list[list[str]] = []
    for line in filter(None, map(str.strip, lines.splitlines())):
        name, _, value = line.partition(" ")
        if line.startswith("|"):
            rows.append([part.strip() for part in line.strip("|").split("|")])
        elif not line.startswith("+") and name not in LINES:
            raise ValueError(f"unknown line {name!r}; there are {', '.join(LINES)} and the picture")
        elif not line.startswith("+"):
            values[name] = value.strip()
    groups = [rows[i : i + CELL_LINES] for i in range(0, len(rows), CELL_LINES)]
    return values, [list(cell) for group in groups for cell in zip(*group, strict=True) if cell[0]]


def _index(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise ValueError(f"unknown name {name!r}; there are {', '.join(names)}")
    return list(names).index(name)


def _words(value: str) -> list[str]:
    return [] if value in ("", NOTHING) else [word.strip() for word in value.split(",")]


def _packed(numbers: Sequence[int]) -> int:
    return sum(number << 8 * seat for seat, number in enumerate(numbers))


def _write_cell(state: np.ndarray, cell: list[str], settings: Settings) -> None:
    name = cell[0].removeprefix(PLAGUE_MARK)
    region = _index(list(settings.tables["map"].regions), name)
    if name != cell[0]:
        state["plague"] = region
    cubes = [0 if word == "." else int(word) for word in cell[1].split()]
    state["cubes"][region] = _packed(cubes)
    for seat, number in enumerate(cubes):
        state["own"][seat] |= (number > 0) << region
    for slot, token in enumerate(cell[2].split()):
        state["rats"][region] |= _entry(token, settings) << TOKEN_BITS * slot
        state["places"] |= 1 << REGIONS * slot + region


def _entry(token: str, settings: Settings) -> int:
    front, _, seen = token.partition(SEEN_MARK)
    name = front.removesuffix(DRAWN_MARK)
    kind = _index([kind.name for kind in settings.tables["tokens"].types], name)
    return kind | THERE | DRAWN * (name != front) | sum(SEEN << int(seat) for seat in seen)


def _write_next(state: np.ndarray, value: str) -> None:
    phase, _, seat = value.partition(", seat ")
    state["phase"], state["seat"] = _index(PHASES, phase), int(seat or 0)


def _write_turn(state: np.ndarray, values: dict[str, str], settings: Settings) -> None:
    """Cards, and what has happened in this turn."""
    names = list(settings.tables["map"].regions)
    for word in _words(values.get("cards", "")):
        card, _, seat = word.partition(" ")
        state["held"] |= 1 << 8 * int(seat) + _index(CLASS_NAMES, card)
    if state["phase"] in (AT_FIRST_PART, AT_FINAL_PART):
        state["usable"] = _by_seat(state["held"], settings.players)[state["seat"]]
    if "usable" in values:
        state["usable"] = as_set(_index(CLASS_NAMES, card) for card in _words(values["usable"]))
    done = _words(values.get("done", ""))
    state["card_taken"], state["placed"] = "card" in done, "placed" in done
    for word, end in zip(_words(values.get("begun", "")), ("", "_2"), strict=False):
        region, _, slot = word.partition(":")
        state["region" + end], state["slot" + end] = _index(names, region), int(slot or 1) - 1
    state["spread_left"] = int(values.get("spread", 0))


def _write_rest(state: np.ndarray, values: dict[str, str], settings: Settings) -> None:
    """The course of the game, and what follows from the rest."""
    state["turns"] = int(values.get("turns", 0))
    neutral = _words(values.get("neutral", ""))
    state["neutral"], state["piece_neutral"] = "now" in neutral, "last" in neutral
    if "final" in values:
        state["final"], state["trigger"] = 1, int(values["final"].split()[-1])
    if state["phase"] == AT_END:
        state["seat"] = state["trigger"]
    if "settled" in values:
        settled, _, first = values["settled"].partition(", first in ")
        state["settled"] = int(settled)
        for seat, region in enumerate(first.split()):
            state["first_region"][seat] = _index(list(settings.tables["map"].regions), region)
    state["palace"] = _packed([int(number) for number in values.get("palace", "0").split()])
    _write_reserve(state, values, settings)
    _write_pool(state, values, settings)


def _write_reserve(state: np.ndarray, values: dict[str, str], settings: Settings) -> None:
    """The reserve is what is neither on the board nor in the palace."""
    players = settings.players
    elsewhere = [_by_seat(packed, players) for packed in (*state["cubes"], state["palace"])]
    reserve = [settings.parameters["cubes"] - sum(numbers) for numbers in zip(*elsewhere, strict=True)]
    if min(reserve) < 0:
        raise ValueError(f"cubes: seat {reserve.index(min(reserve))} has more than {settings.parameters['cubes']}")
    _check("reserve", values, _spaced(reserve))
    state["reserve"] = _packed(reserve)


def _write_pool(state: np.ndarray, values: dict[str, str], settings: Settings) -> None:
    """The pool is what is neither on the board nor revealed."""
    types = [kind.name for kind in settings.tables["tokens"].types]
    for name in _words(values.get("revealed", "")):
        state["revealed"][_index(types, name)] += 1
    entries = [int(word) >> TOKEN_BITS * slot & TOKEN_MASK for word in state["rats"] for slot in range(SLOTS)]
    on_board = np.bincount([entry & TYPE_MASK for entry in entries if entry & THERE], minlength=len(state["left"]))
    left = state["tokens"]["printed"].astype(np.int64) - on_board - state["revealed"]
    if left.min() < 0:
        raise ValueError(f"rat tokens: more of {types[int(left.argmin())]!r} than there are")
    state["left"], state["pool_tokens"] = left, left.sum()
    state["pool"] = as_set(np.flatnonzero(left).tolist())
    _check("supply", values, str(int(left.sum()) - int(state["rules"]["removed"])))


def _check(name: str, values: dict[str, str], expected: str) -> None:
    if values.get(name, expected) != expected:
        raise ValueError(f"{name} {values[name]!r} does not follow from the rest; expected {expected!r}")
