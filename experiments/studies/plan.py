"""What all studies have in common: a frozen description from which every shard of the result follows."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, TypeVar, get_type_hints

import pyarrow as pa

from tabletop import Variant
from tabletop.bots import Bot, bot
from tabletop.plug_ins import BOTS_GROUP, GAMES_GROUP, plug_ins
from tabletop.record import Record, make_variant
from tabletop.rng import number_of, seed_word

LEAST_SHARDS = 32  # of a study that has as many games: an interrupted one loses little, many workers have work
MOST_GAMES_A_SHARD = 20_000  # keeps the memory of a worker small

Done = Callable[[int], None]
AnyPlan = TypeVar("AnyPlan", bound="Plan")


class PlanError(ValueError):
    """A study that cannot be: names the value and what was expected."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A study of one game. Shard k is a table that follows from the plan and k alone, whoever makes it and when.

    games: how many units the study has, most often games; a subclass says what a unit is. Shard k holds the units
    k·games_a_shard … The size of a shard follows from the other fields unless it is given.
    """

    kind: ClassVar[str] = ""  # the name of the kind of study in a manifest
    command: ClassVar[str] = "the command"  # that makes such studies

    game: str
    players: int
    options: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    games: int = 0
    games_a_shard: int = 0

    def __post_init__(self) -> None:
        """Checks everything and brings it into its normal form: only what differs from the game's defaults."""
        variant = self.variant
        options, parameters = variant.differences
        self._set(players=variant.players, options=options, parameters=parameters, seed=int(seed_word(self.seed)))
        number_of(self.games, "games", least=1)
        number_of(self.games_a_shard, "games_a_shard")
        if self.games_a_shard == 0:
            self._set(games_a_shard=min(MOST_GAMES_A_SHARD, -(-self.games // LEAST_SHARDS)))
        for text in self.all_bots():
            if self.made(text).timed:
                raise PlanError(
                    f"bot {text!r} is not allowed in a study: it plays by the clock, so none of its games can be "
                    "played again; expected a bot that does not, such as one with iterations=N instead of milliseconds"
                )

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @cached_property
    def variant(self) -> Variant:
        """The game with the players, options and parameters."""
        return make_variant(self.game, self.players, self.options, self.parameters)

    # Shards

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return -(-self.games // self.games_a_shard)

    def units(self, shard: int) -> range:
        """The numbers of the units of a shard."""
        return range(shard * self.games_a_shard, min(self.games, (shard + 1) * self.games_a_shard))

    @property
    def games_a_unit(self) -> int:
        """Games that are played for one unit."""
        return 1

    @property
    def all_games(self) -> int:
        """Games that are played in all."""
        return self.games * self.games_a_unit

    def games_of(self, shard: int) -> int:
        """Games that are played for a shard."""
        return len(self.units(shard)) * self.games_a_unit

    def play(self, shard: int, done: Done | None = None) -> pa.Table:
        """Makes a shard, in one thread. `done` hears of games as they are finished, and may raise to stop."""
        raise NotImplementedError

    # Single games

    def record(self, number: int, trace: bool = False) -> Record:
        """The record of a game, played again; ValueError if there is no such game."""
        raise NotImplementedError

    def row(self, number: int) -> pa.Table:
        """The row of a game in its shard, played again."""
        raise NotImplementedError

    def place_of(self, number: int) -> tuple[int, int]:
        """In which shard and there in which row a game stands; ValueError if there is no such game."""
        self.expect_game(number)
        unit, game = divmod(number, self.games_a_unit)
        shard, before = divmod(unit, self.games_a_shard)
        return shard, before * self.games_a_unit + game

    def expect_game(self, number: int) -> None:
        """ValueError if the study has no game of this number."""
        if not 0 <= number < self.all_games:
            raise ValueError(f"game: {number} is not allowed; the study has the games 0 … {self.all_games - 1}")

    # Bots

    def all_bots(self) -> tuple[str, ...]:
        """The texts of all bots that play."""
        return ()

    def modules_of_bots(self) -> set[str]:
        """The modules of those bots that are installed, by whose sources games may change."""
        return modules_of(self.all_bots())

    @property
    def is_compiled(self) -> bool:
        """Whether all bots play in compiled loops, which let other threads run."""
        return all(self.made(text).compiled for text in self.all_bots())

    @property
    def is_portable(self) -> bool:
        """Whether another process knows the game and all bots by name, because they are installed."""
        names = {text.partition(":")[0] for text in self.all_bots()}
        return self.game in plug_ins(GAMES_GROUP) and names <= set(plug_ins(BOTS_GROUP))

    def made(self, text: str) -> Bot:
        """The bot that a text means in this game."""
        return bot(text, self.variant.game)

    # Writing down

    def to_json(self) -> dict[str, Any]:
        """The plan as an object that JSON can hold; `from_json` reads it."""
        return json.loads(json.dumps({"kind": self.kind, **self.__getstate__()}))

    @classmethod
    def from_json(cls: type[AnyPlan], content: Mapping[str, Any]) -> AnyPlan:
        """The plan that an object describes; PlanError for another kind, a key too many or too few, a wrong type."""
        if content.get("kind") != cls.kind:
            raise PlanError(f"this is a study of the kind {content.get('kind')!r}; expected {cls.kind!r}")
        known = [f.name for f in fields(cls)]
        return cls(**values_of(cls, known, {name: content[name] for name in content if name != "kind"}, "study"))

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone, for other processes: the game is made anew there."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def modules_of(bots: Iterable[str]) -> set[str]:
    """The modules of those bots, given by their texts, that are installed."""
    points = [plug_ins(BOTS_GROUP).get(text.partition(":")[0]) for text in bots]
    return {point.module for point in points if point}


def _expected(kind: type, what: str) -> tuple[Callable[[Any], bool], str]:
    return lambda value: isinstance(value, kind), what


def _or_null(kind: type, what: str) -> tuple[Callable[[Any], bool], str]:
    return lambda value: value is None or type(value) is kind, f"{what} or null"


EXPECTED: dict[Any, tuple[Callable[[Any], bool], str]] = {
    int: (lambda value: type(value) is int, "an integer"),
    int | None: _or_null(int, "an integer"),
    float: (lambda value: type(value) in (int, float), "a number"),
    bool: _expected(bool, "true or false"),
    str: _expected(str, "a text"),
    str | None: _or_null(str, "a text"),
    tuple[str, ...]: (
        lambda value: isinstance(value, list) and all(isinstance(part, str) for part in value),
        "a list of texts",
    ),
    Mapping[str, Any]: _expected(dict, "an object"),
    dict[str, Any]: _expected(dict, "an object"),
}
"""What a manifest may hold for a field of each type, and that in words."""


def values_of(kind: type, known: Sequence[str], content: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The values of the known fields of a dataclass from an object that JSON held.

    PlanError for a key too many or too few, or a value of a wrong type. what: the object's name in a message.
    """
    if wrong := sorted({*content} ^ {*known}):
        raise PlanError(f"{what}: the keys {', '.join(wrong)} are missing or unknown; expected {', '.join(known)}")
    hints = get_type_hints(kind)
    for name in known:
        fits, expected = EXPECTED[hints[name]]
        if not fits(content[name]):
            raise PlanError(f"{what}: {name}: {content[name]!r} is not allowed; expected {expected}")
    return {name: _frozen(content[name]) for name in known}


def _frozen(value: Any) -> Any:
    """Lists as tuples, as plans hold them."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
