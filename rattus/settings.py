"""Options and rule parameters (sections 2–6 of the rules), and how they come into a state."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rattus import actions
from rattus.box import BUILT_IN, CLASS_CARDS, CLASS_NAMES, REGIONS, RULEBOOK, SLOTS, SOURCE
from rattus.state import CLASS_BITS, LIMIT_BITS, QUARTER, SYMBOL_BITS
from rattus.tables import Map, TokenTable, TokenType, read_map, read_tokens, within
from tabletop.game import Component
from tabletop.options import (
    Choice,
    OptionError,
    Parameter,
    Settings,
    TableFile,
    write_choices,
    write_parameters,
)


@dataclass(frozen=True)
class ByPlayers(Parameter):
    """A number of the rules for each number of players, keyed by its digit; it may be given in part."""

    default: Any  # {"2": …, "3": …, "4": …}

    def check(self, value: Any) -> Any:
        """The full mapping; OptionError for another key, type or range."""
        if not isinstance(value, Mapping) or any(key not in self.default for key in value):
            raise self._refuse(value)
        return {key: self._whole(value.get(key, number), value) for key, number in self.default.items()}

    def _refuse(self, value: Any) -> OptionError:
        keys = ", ".join(repr(key) for key in self.default)
        return OptionError(
            f"parameter {self.name!r}: {value!r} is not allowed; expected a mapping from {keys} (or some of them)"
            f" to integers from {self.low} to {self.high}"
        )


OPTIONS = (
    TableFile(
        "map",
        BUILT_IN,
        f"regions and edges: {BUILT_IN!r} or the path of a JSON file of the same form",
        "reconstruction: the published map could not be consulted",
        load=read_map,
    ),
    TableFile(
        "tokens",
        BUILT_IN,
        f"types of rat tokens and their counts: {BUILT_IN!r} or the path of a JSON file of the same form",
        "reconstruction: the published fronts could not be consulted",
        load=read_tokens,
    ),
    Choice(
        "initial_placement",
        "empty",
        "settle in a region without cubes; or in one other than one's own first; or in any",
        RULEBOOK,
        choices=("empty", "own_distinct", "any"),
    ),
    Choice(
        "reveal",
        "until_empty",
        "a ravage stops when no player's cube is left; or goes on until all rat tokens there are revealed",
        SOURCE,
        choices=("until_empty", "all"),
    ),
    Choice(
        "knight_final",
        "neutral",
        "in the final round the Knight moves the plague piece, which then counts as neutral cubes; or does nothing",
        RULEBOOK,
        choices=("neutral", "none"),
    ),
)

PARAMETERS = (
    Parameter("cubes", 20, 0, 100, "cubes of a player"),
    Parameter("settle_cubes", 2, 0, 100, "cubes that settle at a time, at most the reserve"),
    Parameter("tokens_per_region", SLOTS, 1, SLOTS, "most rat tokens in a region"),
    Parameter("spread", (0, 1, 2, 2), 0, 100, "new rat tokens for 0, 1, 2, 3 tokens in the region reached"),
    ByPlayers("removed", {"2": 12, "3": 6, "4": 0}, 0, 20_000, "tokens removed unseen, by the number of players"),
    Parameter("merchant_cubes", 3, 0, actions.MERCHANT_CUBES, "most cubes that the Merchant moves; 0: no use"),
    Parameter("knight_steps", 2, 1, 100, "most steps of the plague piece with the Knight"),
    Parameter("neutral_cubes", 2, 0, 100, "neutral cubes that the plague piece can count as"),
    Parameter("peasant_cubes", 1, 0, 100, "cubes that the Peasant adds"),
    Parameter("max_turns", 500, 1, 60_000, "turns of all players together after which the final round begins"),
)


def fill(state: np.ndarray, settings: Settings) -> None:
    """Writes players, options, parameters, map and tokens into a zeroed state; OptionError if they do not fit."""
    chosen_map, table = settings.tables["map"], settings.tables["tokens"]
    removed = settings.parameters["removed"][str(settings.players)]
    check_tokens(table, len(chosen_map.in_play(settings.players)), removed, settings)
    state["players"] = settings.players
    write_choices(state["options"], OPTIONS, settings)
    write_parameters(state["rules"], replace(settings, parameters={**settings.parameters, "removed": removed}))
    write_map(state["map"], chosen_map, settings.players, settings.parameters["knight_steps"])
    write_tokens(state["tokens"], table)


def check_tokens(table: TokenTable, regions: int, removed: int, settings: Settings) -> None:
    """P4, P6: refuses a table with too few tokens for the regions in play or for the tokens that are removed."""
    name = settings.options["tokens"]
    starting, mixed = table.tokens(starting_only=True), table.tokens() - regions
    if starting < regions:
        raise OptionError(
            f"option 'tokens': {name!r}: {starting} starting tokens; expected one for each of {regions} regions in play"
        )
    if mixed < removed:
        raise OptionError(
            f"parameter 'removed': {removed} with {settings.players} players is not allowed;"
            f" expected at most the {mixed} tokens of {name!r} that are not on the board after set-up"
        )


def write_map(record: Any, chosen_map: Map, players: int, knight_steps: int) -> None:
    """P3, P11: the regions in play, their neighbours, and what the Knight reaches, as sets."""
    adjacency = chosen_map.adjacency(players)
    record["in_play"] = as_set(chosen_map.in_play(players))
    for region, neighbours in enumerate(adjacency):
        record["adjacent"][region] = as_set(neighbours)
        record["within_knight"][region] = as_set(within(region, min(knight_steps, REGIONS), adjacency))
    for quarter, members in np.ndindex(record["beside"].shape):
        regions = [QUARTER * quarter + i for i in range(QUARTER) if members >> i & 1]
        record["beside"][quarter, members] = as_set(b for a in regions if a < len(adjacency) for b in adjacency[a])


def write_tokens(record: Any, table: TokenTable) -> None:
    """P4: the fronts of the types, how many there are of each, and which are starting tokens."""
    record["starting"] = as_set(i for i, kind in enumerate(table.types) if kind.is_starting)
    for i, kind in enumerate(table.types):
        record["printed"][i] = kind.tokens
        record["face"][i] = face_of(kind)


def face_of(kind: TokenType) -> int:
    """A token's front in one number: limit, M, set of classes, A, from the lowest bits on."""
    face = kind.alls
    for value, width in ((as_set(kind.classes), CLASS_BITS), (kind.majorities, SYMBOL_BITS), (kind.limit, LIMIT_BITS)):
        face = face << width | value
    return face


def as_set(members: Any) -> int:
    """A set of small numbers as the bits of an integer."""
    return sum(1 << member for member in set(members))


def tokens(settings: Settings) -> tuple[str, ...]:
    """The token of every event id; "" for ids that stand for nothing under these settings."""
    return actions.tokens(settings.tables["map"], settings.tables["tokens"], settings.players)


def components(settings: Settings) -> tuple[Component, ...]:
    """The class cards, the regions and edges of the map, and the types of rat tokens, with their provenance."""
    chosen_map, table = settings.tables["map"], settings.tables["tokens"]
    cards = [Component("class card", card.name, card.provenance, card.effect) for card in CLASS_CARDS]
    regions = [
        Component("region", name, chosen_map.provenance, f"in play with {least} players and more")
        for name, least in chosen_map.regions.items()
    ]
    edges = [
        Component("edge", "–".join(edge.between), edge.provenance, f"neighbours ({edge.kind or 'kind not stated'})")
        for edge in chosen_map.edges
    ]
    types = [Component("rat token", kind.name, table.provenance, effect_of(kind)) for kind in table.types]
    return (*cards, *regions, *edges, *types)


def effect_of(kind: TokenType) -> str:
    """What a type of rat token does, in words."""
    symbols = ["M: every player with most cubes loses 1"] * kind.majorities
    symbols += [f"{CLASS_NAMES[card]}: the holder of the card loses 1" for card in sorted(kind.classes)]
    symbols += ["A: every player loses 1"] * kind.alls
    origin = "starting" if kind.is_starting else "other"
    return f"{kind.tokens} among the {origin} tokens; from {kind.limit} cubes on: {'; '.join(symbols) or 'nothing'}"
