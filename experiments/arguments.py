"""The kinds of arguments that several commands share."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

import tyro

from tabletop import Variant
from tabletop.record import make_variant, without_repeats

Value = TypeVar("Value")


def _one_word(metavar: str, read: Callable[[str], Value], show: Callable[[Value], str]) -> Any:
    """How tyro reads an argument that is one word."""
    return tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar=metavar,
        instance_from_str=lambda words: read(words[0]),
        is_instance=lambda value: isinstance(value, (dict, tuple, Path)),
        str_from_instance=lambda value: [show(value)],
    )


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=without_repeats)
    except ValueError as error:
        raise ValueError(f"{text!r} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f'{text!r} is not a JSON object such as \'{{"name": "value"}}\'')
    return value


def names(text: str) -> tuple[str, ...]:
    """The names in a text that are separated by commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def bot_names(text: str) -> tuple[str, ...]:
    """The bots in a text such as `greedy:wine=1,gold=2,uniform`: two, the first of them with two parameters."""
    bots: list[str] = []
    for part in names(text):
        if "=" in part and ":" not in part.partition("=")[0] and bots:
            bots[-1] += f",{part}"
        else:
            bots.append(part)
    return tuple(bots)


def _folder(text: str) -> Path:
    if not text.strip():
        raise ValueError(f"{text!r} is not the name of a folder; expected one, or . for the current folder")
    return Path(text)


JsonObject = Annotated[dict[str, Any], _one_word("JSON", _json_object, json.dumps)]
Names = Annotated[tuple[str, ...], _one_word("NAME,…", names, ",".join)]
Bots = Annotated[tuple[str, ...], _one_word("BOT,…", bot_names, ",".join)]
Folder = Annotated[Path, _one_word("DIR", _folder, str)]


def seats_of(bots: tuple[str, ...], players: int) -> tuple[str, ...]:
    """A bot for each seat: those given, again and again; ValueError unless that ends with the last of them."""
    if not bots or players % len(bots):
        raise ValueError(
            f"bots: {len(bots)} given ({', '.join(bots)}); expected {players}, one a seat, or a number of bots that "
            f"divides {players}, to be repeated"
        )
    return bots * (players // len(bots))


def expect_from_1(arguments: object, *names: str) -> None:
    """ValueError if one of these arguments is less than 1."""
    for name in names:
        if getattr(arguments, name) < 1:
            raise ValueError(f"{name}: {getattr(arguments, name)} is not allowed; expected an integer from 1")


@dataclass(frozen=True, kw_only=True)
class GameArguments:
    """Which game is played, and how."""

    game: tyro.conf.Positional[str]
    """Name of the game."""

    players: Annotated[int | None, tyro.conf.arg(metavar="P")] = None
    """Number of players; by default the game's own."""

    options: JsonObject = field(default_factory=dict)
    """Options that differ from their defaults."""

    parameters: JsonObject = field(default_factory=dict)
    """Rule parameters that differ from their defaults."""

    def variant(self) -> Variant:
        """The game with these players, options and parameters; OptionError lists what is allowed."""
        return make_variant(self.game, self.players, self.options, self.parameters)
