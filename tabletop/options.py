"""Options and rule parameters: names, defaults, what is allowed, and where the rule comes from.

An option names two or more ways to play a rule; a parameter is a number of the rules. Both are data in the
state (`s.options`, `s.rules`), so a study that varies them compiles nothing anew.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


class OptionError(ValueError):
    """An unknown option or parameter, or a value of the wrong type or out of range."""


def _is_list(value: Any, length: int) -> bool:
    """Whether a value is a list, a tuple or an array of this length; a text is none."""
    if isinstance(value, np.ndarray):
        return value.shape == (length,)
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes)) and len(value) == length


@dataclass(frozen=True)
class Settings:
    """A game's number of players and the full, checked values of all its options and parameters."""

    players: int
    options: Mapping[str, Any]
    parameters: Mapping[str, Any]
    tables: Mapping[str, Any] = field(default_factory=dict)  # option name -> what was read from its file


@dataclass(frozen=True)
class Option:
    """An option. Subclasses say what is allowed."""

    name: str
    default: Any
    meaning: str
    provenance: str

    def check(self, value: Any, players: int) -> Any:
        """The value in its normal form; OptionError if it is not allowed."""
        raise NotImplementedError

    def refuse(self, value: Any, expected: str) -> OptionError:
        """The error that names the value and what was expected."""
        return OptionError(f"option {self.name!r}: {value!r} is not allowed; expected {expected}")


@dataclass(frozen=True)
class Choice(Option):
    """One of a few values; `True` and `1` are different values. In the state: its index in `choices`."""

    choices: tuple[Any, ...] = ()

    def check(self, value: Any, players: int) -> Any:
        """The value itself; OptionError if it is none of the choices."""
        if not any(type(value) is type(choice) and value == choice for choice in self.choices):
            raise self.refuse(value, "one of " + ", ".join(repr(choice) for choice in self.choices))
        return value

    def code(self, value: Any) -> int:
        """Index of a value in `choices`."""
        return next(i for i, c in enumerate(self.choices) if type(c) is type(value) and c == value)


def flag(name: str, default: bool, meaning: str, provenance: str) -> Choice:
    """An option that is true or false; in the state 1 or 0."""
    return Choice(name, default, meaning, provenance, choices=(False, True))


@dataclass(frozen=True)
class Names(Option):
    """`random`, or a list of different names. `length` None: one name a seat."""

    names: tuple[str, ...] = ()
    length: int | None = None

    def check(self, value: Any, players: int) -> Any:
        """`random` or a tuple of names; OptionError for another length, an unknown or repeated name."""
        if isinstance(value, str) and value == "random":
            return value
        length = players if self.length is None else self.length
        expected = f"'random' or a list of {length} different names out of {', '.join(self.names)}"
        if not _is_list(value, length):
            raise self.refuse(value, expected)
        if any(not isinstance(name, str) or name not in self.names for name in value) or len(set(value)) != length:
            raise self.refuse(value, expected)
        return tuple(str(name) for name in value)


@dataclass(frozen=True)
class TableFile(Option):
    """The name of a built-in table, or the path of a JSON file of the same form."""

    load: Callable[[str], Any] = lambda path: None  # raises OptionError that says what is broken

    def check(self, value: Any, players: int) -> Any:
        """The name or path; OptionError if it is not text. The file is read by `load`."""
        if not isinstance(value, str) or not value:
            raise self.refuse(value, f"{self.default!r} or the path of a file")
        if not value.isprintable():
            raise self.refuse(value, f"{self.default!r} or the path of a file, in printable characters")
        return value


@dataclass(frozen=True)
class Parameter:
    """A number of the rules, or a fixed-length list of numbers, each from `low` to `high`."""

    name: str
    default: int | tuple[int, ...]
    low: int
    high: int
    meaning: str

    def check(self, value: Any) -> int | tuple[int, ...]:
        """The value as int or tuple; OptionError for the wrong type, length or range."""
        if isinstance(self.default, int):
            return self._whole(value, value)
        if not _is_list(value, len(self.default)):
            raise self._refuse(value)
        return tuple(self._whole(entry, value) for entry in value)

    def _whole(self, entry: Any, value: Any) -> int:
        if isinstance(entry, (bool, np.bool_)) or not isinstance(entry, (int, np.integer)):
            raise self._refuse(value)
        if not self.low <= entry <= self.high:
            raise self._refuse(value)
        return int(entry)

    def _refuse(self, value: Any) -> OptionError:
        kind = "an integer" if isinstance(self.default, int) else f"a list of {len(self.default)} integers"
        return OptionError(
            f"parameter {self.name!r}: {value!r} is not allowed; expected {kind} from {self.low} to {self.high}"
        )


def settings(
    options: Sequence[Option],
    parameters: Sequence[Parameter],
    allowed_players: Sequence[int],
    players: Any,
    values: Mapping[str, Any],
) -> Settings:
    """The full settings of a game, from the values that a user gave; OptionError names what is wrong."""
    if isinstance(players, bool) or not isinstance(players, (int, np.integer)) or players not in allowed_players:
        raise OptionError(f"players: {players!r} is not allowed; expected one of {list(allowed_players)}")
    known = [o.name for o in options] + [p.name for p in parameters]
    for name in values:
        if name not in known:
            raise OptionError(f"unknown option or parameter {name!r}; there are {', '.join(known)}")
    chosen = {o.name: o.check(values.get(o.name, o.default), int(players)) for o in options}
    numbers = {p.name: p.check(values.get(p.name, p.default)) for p in parameters}
    tables = {o.name: o.load(chosen[o.name]) for o in options if isinstance(o, TableFile)}
    return Settings(int(players), chosen, numbers, tables)


def write_choices(record: Any, options: Sequence[Option], values: Settings) -> None:
    """Writes the code of every `Choice` that is a field of the nested record (`state["options"]`)."""
    for option in options:
        if isinstance(option, Choice) and option.name in record.dtype.names:
            record[option.name] = option.code(values.options[option.name])


def write_parameters(record: Any, values: Settings) -> None:
    """Writes every parameter into the field of its name (`state["rules"]`)."""
    for name, value in values.parameters.items():
        record[name] = value


def differences(values: Settings, options: Sequence[Option], parameters: Sequence[Parameter]) -> tuple[dict, dict]:
    """Options and parameters that differ from their defaults, as records hold them."""

    def plain(value: Any) -> Any:
        return list(value) if isinstance(value, tuple) else value

    def is_other(value: Any, default: Any) -> bool:
        return type(value) is not type(default) or value != default

    return (
        {o.name: plain(values.options[o.name]) for o in options if is_other(values.options[o.name], o.default)},
        {p.name: plain(values.parameters[p.name]) for p in parameters if values.parameters[p.name] != p.default},
    )
