"""How a game describes itself: its questions, options and box, what it tells of a position and of a finished game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tabletop.options import Option, Parameter, Settings
    from tabletop.picture import Picture


@dataclass(frozen=True)
class Feature:
    """Some neighbouring entries of an observation: `size` integers from `low` to `high` (int8)."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


@dataclass(frozen=True)
class Component:
    """A card, token table or map of the box, and where our knowledge of it comes from."""

    kind: str
    name: str
    provenance: str
    effect: str


@dataclass(frozen=True)
class Fact:
    """What studies tell of finished games, as one integer a game or, with `of_seat`, one a seat.

    categories: what the values 0, 1, … are called (NO_FACT: none applies); without them the value is a number.
    explains: wins and points are explained by it (a card in play, a species), other than by a result such as an ending.
    players: numbers of players with whom it says something; empty: with all.
    chosen: the kind of thing, such as a class card, if it counts how often a seat chose this one in play instead of
    others of its kind, each of which has a fact; the last category means that often or more. Such a fact goes along
    with results without being their cause.
    """

    name: str
    meaning: str
    categories: tuple[str, ...] = ()
    of_seat: bool = False
    explains: bool = False
    players: tuple[int, ...] = ()
    chosen: str = ""

    def __post_init__(self) -> None:
        """ValueError where a choice is not counted for each seat."""
        if self.chosen and not (self.of_seat and self.categories):
            raise ValueError(
                f"the fact {self.name!r} is chosen, so it must be of a seat and have numbers of times as categories; "
                f"got of_seat={self.of_seat}, categories={self.categories}"
            )

    def applies(self, players: int) -> bool:
        """Whether it says something with so many players."""
        return not self.players or players in self.players


@dataclass(frozen=True)
class Game:
    """The description of one game, from which everything else is made.

    functions: the compiled function of each name in `QUESTIONS`. streams: names of its chance streams, in the
    order of the numbers that `stream` returns. fill: writes players, options and parameters into a zeroed state,
    and raises OptionError where they do not fit together. tokens: the token of every id under these settings
    ("" for an unused id). text: one position as readable text. components: what is in the box, with provenance.
    facts: what `report` and `tally`, which a game may have in `functions`, write about a finished game. picture: the
    board under these settings; its places are named as in tokens, such as `b2` in `place:b2`.
    """

    name: str
    title: str
    state: np.dtype
    players: tuple[int, ...]
    default_players: int
    options: "tuple[Option, ...]"
    parameters: "tuple[Parameter, ...]"
    streams: tuple[str, ...]
    actions: int
    events: int
    functions: Mapping[str, Callable[..., Any]]
    fill: "Callable[[np.ndarray, Settings], None]"
    tokens: "Callable[[Settings], tuple[str, ...]]"
    text: "Callable[[np.ndarray, Settings], str]"
    features: tuple[Feature, ...]
    faults: tuple[str, ...]
    components: "Callable[[Settings], tuple[Component, ...]]"
    perfect_information: bool
    facts: tuple[Fact, ...] = ()
    picture: "Callable[[Settings], Picture] | None" = None

    @property
    def observation_size(self) -> int:
        """Length of an observation vector."""
        return sum(feature.size for feature in self.features)

    @property
    def most_players(self) -> int:
        """The greatest number of seats."""
        return max(self.players)
