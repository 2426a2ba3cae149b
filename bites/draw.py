"""A position as text, and text as a position.

    next    take, seat 1, red, may spend
    cards   overachiever, double_fister, collector, minimalist
    hill    4 -, 3 -, 2 -, 1 -, 0 -
    stack   1 grape, 1 apple, 1 bread, 1 cheese, 1 pepper
    start   purple, brown, yellow, green
    trail   GA.CPHWGAAB
    ants    ...r.......
    seat 0  1 bread
    seat 1  -

Tokens on the trail are the letters G A B C P of the foods, H for chocolate, W for wine, $ for gold, and a dot for
a gap; ants are their initials under their tokens. A long trail goes on in further lines.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from bites.box import (
    ANTS,
    CARDS,
    CHOCOLATE,
    DECK_SIZES,
    DECKS,
    FOODS,
    GOLD,
    GOLD_IN_TRAIL,
    GOLD_TOKENS,
    KINDS,
    LEVELS,
    LOGS_ON_TRAIL,
    SPECIAL_DECK,
    TOKENS,
    TOKENS_A_SET,
)
from bites.settings import cards_in_play, fill
from bites.state import FINISHED, LAY_TRAIL, OFFER_TAKE, START, STATE, TAKE, TAKE_STACK, TURN, WORDS
from bites.trail import lay_logs, look_beside, prepare_trail
from tabletop.game import CHANCE, OVER
from tabletop.layout import zeroed
from tabletop.options import Settings

PHASE_NAMES = (
    *(f"draw {deck}" for deck in DECKS),
    "lay trail",
    "deal small",
    "turn",
    "take",
    "offer take",
    "take stack",
    "offer swap",
    "finished",
)
GAP = "."
NOTHING = "-"
UNKNOWN = "?"
TOKEN_LETTERS = GAP + "GABCPHW$"  # the letter of what `trail` holds
ANT_LETTERS = "".join(ant[0] for ant in ANTS)
ROW = 60  # places in a line
MAY_SPEND = "may spend"


# A position as text


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or NOTHING


def _counted(counts: np.ndarray) -> str:
    return _listed(f"{n} {TOKENS[kind]}" for kind, n in enumerate(counts.tolist()) if n)


def _next(state: np.ndarray) -> str:
    phase = int(state["phase"])
    words = [PHASE_NAMES[phase]]
    if state["mover"] >= 0:
        words.append(f"seat {state['mover']}")
    if phase in (TAKE, OFFER_TAKE, TAKE_STACK):
        words.append(ANTS[int(state["ant"])])
    return _listed(words + [MAY_SPEND] * int(state["may_spend"]))


def _hill(state: np.ndarray) -> str:
    on_level = {int(state["level"][ant]): name for ant, name in enumerate(ANTS) if not int(state["walking"]) >> ant & 1}
    points = state["rules"]["level_points"].tolist()
    return _listed(f"{points[level]} {on_level.get(level, NOTHING)}" for level in range(LEVELS))


def _rows(letters: str) -> list[str]:
    return [letters[i : i + ROW] for i in range(0, len(letters), ROW)] or [NOTHING]


def _places_of_ants(state: np.ndarray) -> list[int]:
    return [int(state["standing"]) >> 8 * ant & 0xFF for ant in range(FOODS)]


def _trail(state: np.ndarray) -> Iterator[tuple[str, str]]:
    laid = int(state["laid"])
    ants = {place: ANT_LETTERS[ant] for ant, place in enumerate(_places_of_ants(state))}
    tokens = "".join(TOKEN_LETTERS[token] for token in state["trail"][1 : laid + 1])
    marks = "".join(ants.get(place, GAP) for place in range(1, laid + 1))
    for row, below in zip(_rows(tokens), _rows(marks), strict=True):
        yield "trail", row
        yield "ants", below


def _places(words: np.ndarray) -> list[int]:
    return [64 * i + bit for i, word in enumerate(words.tolist()) for bit in range(64) if word >> bit & 1]


def _seats(state: np.ndarray) -> Iterator[tuple[str, str]]:
    for seat in range(int(state["players"])):
        small = f"; small {TOKENS[int(state['small'][seat])]}" if seat < state["small_dealt"] else ""
        yield f"seat {seat}", _counted(state["owned"][seat]) + small


def _lines(state: np.ndarray) -> Iterator[tuple[str, str]]:
    names = cards_in_play(state)
    yield "next", _next(state)
    yield "cards", _listed(names.get(deck, UNKNOWN) for deck in DECKS)
    yield "hill", _hill(state)
    yield "stack", _counted(state["stack"])
    yield "start", _listed(name for name, place in zip(ANTS, _places_of_ants(state), strict=True) if place == START)
    yield from _trail(state)
    if state["logs"].any():
        yield "logs", "after the places " + _listed(map(str, _places(state["logs"])[:-1]))
    yield from _seats(state)
    if state["spent"]:
        yield "spent", f"{state['spent']} {TOKENS[CHOCOLATE]}"


def text(state: np.ndarray, settings: Settings) -> str:
    """One position (a record of `STATE`) as readable text."""
    return "\n".join(f"{name:<8}{value}" for name, value in _lines(state))


# Text as a position


def _read(lines: str) -> dict[str, str]:
    """The lines by name; rows of the trail are joined."""
    values: dict[str, str] = {}
    for line in filter(None, map(str.strip, lines.splitlines())):
        name = line[:6] if line.startswith("seat") else line.split(maxsplit=1)[0]
        value = line[len(name) :].strip()
        values[name] = values.get(name, "") + value if name in ("trail", "ants") else value
    known = ("next", "cards", "hill", "stack", "start", "trail", "ants", "logs", "spent")
    for name in values:
        if name not in known and not name.startswith("seat "):
            raise ValueError(f"unknown line {name!r}; there are {', '.join(known)} and one a seat")
    return values


def _words(value: str) -> list[str]:
    return [word.strip() for word in value.split(",") if word.strip() not in ("", NOTHING)]


def _index(names: tuple[str, ...], name: str) -> int:
    if name not in names:
        raise ValueError(f"unknown name {name!r}; expected one of {', '.join(names)}")
    return names.index(name)


def _write_counts(counts: np.ndarray, value: str) -> None:
    for word in _words(value):
        number, name = word.split()
        counts[_index(TOKENS, name)] = int(number)


def _write_next(state: np.ndarray, value: str) -> None:
    phase, *words = _words(value)
    state["phase"] = _index(PHASE_NAMES, phase)
    state["mover"] = OVER if state["phase"] == FINISHED else CHANCE
    for word in words:
        if word == MAY_SPEND:
            state["may_spend"] = 1
        elif word.startswith("seat "):
            state["mover"] = int(word.removeprefix("seat "))
        else:
            state["ant"] = _index(ANTS, word)


def _write_cards(state: np.ndarray, value: str) -> None:
    for deck, name in enumerate(_words(value)):
        if name != UNKNOWN:
            state["card"][deck] = _index(tuple(card.name for card in CARDS[deck]), name)


def _put_from_start(state: np.ndarray, ant: int, place: int) -> None:
    state["standing"] |= np.uint64(place << 8 * ant)


def _write_hill(state: np.ndarray, value: str) -> None:
    for level, word in enumerate(value.split(",")):
        name = word.split()[-1]
        if name != NOTHING:
            ant = _index(ANTS, name)
            state["level"][ant] = level
            _put_from_start(state, ant, int(state["hill"]))
            state["walking"] &= ~np.uint64(1 << ant)


def _set_of(places: Iterable[int]) -> list[int]:
    members = sum(1 << place for place in {int(place) for place in places})
    return [members >> 64 * word & 2**64 - 1 for word in range(WORDS)]


def _write_trail(state: np.ndarray, tokens: str, marks: str) -> None:
    for place, letter in enumerate(tokens.replace(NOTHING, ""), start=1):
        state["trail"][place] = _index(tuple(TOKEN_LETTERS), letter)
        state["laid"] = place
    for place, letter in enumerate(marks.replace(NOTHING, ""), start=1):
        if letter != GAP:
            _put_from_start(state, _index(tuple(ANT_LETTERS), letter), place)


def _write_bag(state: np.ndarray) -> None:
    """The bag holds what is found nowhere else (B6), and with the trail makes up its length."""
    counts = TOKENS_A_SET.astype(np.int64) * (int(state["options"]["sets"]) + 1)
    counts[GOLD] = GOLD_TOKENS * (state["phase"] == LAY_TRAIL and state["card"][SPECIAL_DECK] == GOLD_IN_TRAIL)
    counts[:FOODS] -= state["stack"]
    counts -= np.bincount(state["trail"], minlength=KINDS + 1)[1:]
    if state["phase"] <= LAY_TRAIL:
        state["bag"] = sum(int(up_to) << 8 * kind for kind, up_to in enumerate(np.cumsum(counts)))
    if state["phase"] >= LAY_TRAIL:
        prepare_trail(state, int(state["laid"]) + (int(state["bag"]) >> 8 * (KINDS - 1)))
        if state["card"][SPECIAL_DECK] == LOGS_ON_TRAIL:
            lay_logs(state)


def _write_sets(state: np.ndarray) -> None:
    """The sets that say the same as the trail once it is complete (B10)."""
    ends = {START, int(state["hill"])} if state["places"] else set()
    complete = state["phase"] > LAY_TRAIL
    for kind in range(KINDS):
        state["lying"][kind] = _set_of(ends.union(np.flatnonzero(complete & (state["trail"] == kind + 1))))
    if complete:
        state["free"] = _set_of(ends.union(set(np.flatnonzero(state["trail"])) - set(_places_of_ants(state))))


def _write_seat(state: np.ndarray, seat: int, value: str) -> None:
    owned, _, small = value.partition(";")
    _write_counts(state["owned"][seat], owned)
    if small:
        state["small"][seat] = _index(TOKENS[:FOODS], small.split()[-1])
        state["small_dealt"] = seat + 1


def position(lines: str, settings: Settings) -> np.ndarray:
    """The position that `text` writes so, as a batch of one state.

    Lines that are left out mean nothing there: named cards, an empty stack, ants at the start, seats without tokens.
    ValueError for an unknown line or name. It is not checked that the tokens of the box are all there: `faults` does.
    """
    states, values = zeroed(1, STATE), _read(lines)
    state = states[0]
    fill(state, settings)
    wanted = state["options"]["wanted"]
    state["card"] = np.where(wanted < np.array(DECK_SIZES), wanted, 0)
    _write_next(state, values.get("next", PHASE_NAMES[TURN] + ", seat 0"))
    _write_cards(state, values.get("cards", ""))
    _write_counts(state["stack"], values.get("stack", ""))
    _write_trail(state, values.get("trail", ""), values.get("ants", ""))
    _write_bag(state)
    state["walking"] = (1 << FOODS) - 1
    _write_hill(state, values.get("hill", NOTHING))
    _write_sets(state)
    for seat in range(settings.players):
        _write_seat(state, seat, values.get(f"seat {seat}", ""))
    state["spent"] = int(values.get("spent", "0").split()[0])
    if state["phase"] in (TAKE, OFFER_TAKE):
        look_beside(state, _places_of_ants(state)[int(state["ant"])])
    return states
