"""The kinds of arguments that several commands share."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import tyro

from tabletop import Variant
from tabletop.bots import Value as BotValue
from tabletop.bots import read_bot
from tabletop.record import make_variant, without_repeats
from tabletop.rng import seed_word

Value = TypeVar("Value")


def _one_word(metavar: str, read: Callable[[str], Value], show: Callable[[Value], str]) -> Any:
    """How tyro reads an argument that is one word."""
    return tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar=metavar,
        instance_from_str=lambda words: read(words[0]),
        is_instance=lambda value: isinstance(value, (dict, tuple, int, Path)),
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


def whole_numbers(text: str) -> tuple[int, ...]:
    """The integers in a text that are separated by commas."""
    try:
        return tuple(int(part) for part in names(text))
    except ValueError:
        raise ValueError(f"{text!r} is not a list of integers such as 2,3") from None


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


def _seed(text: str) -> int:
    try:
        value: int | str = int(text)
    except ValueError:
        value = text
    return int(seed_word(value))  # type: ignore[arg-type]  # which refuses the text


JsonObject = Annotated[dict[str, Any], _one_word("JSON", _json_object, json.dumps)]
Names = Annotated[tuple[str, ...], _one_word("NAME,…", names, ",".join)]
Numbers = Annotated[tuple[int, ...], _one_word("N,…", whole_numbers, lambda value: ",".join(map(str, value)))]
Bots = Annotated[tuple[str, ...], _one_word("BOT,…", bot_names, ",".join)]
Folder = Annotated[Path, _one_word("DIR", _folder, str)]
Seed = Annotated[int, _one_word("S", _seed, str)]


def seats_of(bots: tuple[str, ...], players: int) -> tuple[str, ...]:
    """A bot for each seat: those given, again and again; ValueError unless that ends with the last of them."""
    if not bots or players % len(bots):
        raise ValueError(
            f"bots: {len(bots)} given ({', '.join(bots)}); expected {players}, one a seat, or a number of bots that "
            f"divides {players}, to be repeated"
        )
    return bots * (players // len(bots))


def expect_different(bots: Sequence[str], variant: Variant, fewest: Literal[1, 2] = 2) -> None:
    """ValueError unless all these bots differ in kind or in a parameter, however they are written."""
    kinds = [(kind.name, tuple(values.items())) for kind, values in (read_bot(text, variant.game) for text in bots)]
    if len(bots) < fewest or len(set(kinds)) < len(bots):
        number = {1: "one", 2: "two"}[fewest]
        few = f"{len(bots)} given ({', '.join(bots)})" if len(bots) < fewest else f"{', '.join(bots)} is not allowed"
        raise ValueError(f"bots: {few}; expected {number} or more different ones")


def make_folder(folder: Path) -> None:
    """Makes a folder for results before long work begins; OSError if nothing can be written there."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file; expected a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"{folder} is not allowed; expected a folder in which files may be written")


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


def game_described(variant: Variant) -> dict[str, object]:
    """What was played, for a file: the game, its players, and the options and parameters that are not defaults."""
    options, parameters = variant.differences
    return {"game": variant.name, "players": variant.players, "options": options, "parameters": parameters}


def bots_described(variant: Variant, bots: Sequence[str]) -> dict[str, dict[str, BotValue]]:
    """The values of all parameters of each bot, for a file: a text leaves out those that are defaults today."""
    return {text: read_bot(text, variant.game)[1] for text in bots}
