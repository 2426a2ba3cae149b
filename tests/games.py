"""All games and the ways to play them, as parameters of tests."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st
from pebbles import PEBBLES

import tabletop
from tabletop import OptionError, Variant
from tabletop.game import Game
from tabletop.options import Choice, Names, Parameter
from tabletop.variant import description

PASSES = {"pass", "stop", "stay", "end"}  # the tokens of all games that do nothing


GAMES: dict[str, Game] = {"pebbles": PEBBLES, **{name: description(name) for name in tabletop.games()}}


def of_each_game(*values: Any) -> list[Any]:
    """One parameter a game; the tests of a game stay in one process, where it is compiled once."""
    return [pytest.param(name, *values, marks=pytest.mark.xdist_group(name), id=name) for name in GAMES]


def of_each_size() -> list[Any]:
    """Parameters (name of the game, players)."""
    return [
        pytest.param(name, players, marks=pytest.mark.xdist_group(name), id=f"{name}-{players}")
        for name, game in GAMES.items()
        for players in game.players
    ]


def of_each_setting() -> list[Any]:
    """Parameters (name of the game, {setting: value}): the default, and each value of each setting once."""
    return [
        pytest.param(name, chosen, marks=pytest.mark.xdist_group(name), id=f"{name}-{chosen or 'default'}")
        for name, game in GAMES.items()
        for chosen in single_settings(game)
    ]


def single_settings(game: Game) -> Iterator[dict[str, Any]]:
    yield {}
    for option in game.options:
        if isinstance(option, Choice):
            yield from ({option.name: choice} for choice in option.choices if choice is not option.default)
        if isinstance(option, Names) and option.length is not None:
            yield {option.name: list(option.names[: option.length])}
            yield {option.name: list(option.names[-option.length :])}
    for parameter in game.parameters:
        yield from ({parameter.name: value} for value in near_values(parameter) if value != parameter.default)


def near_values(parameter: Parameter) -> list[Any]:
    """Small and large values of a parameter, not so large that games take forever."""
    if not isinstance(parameter.default, int):
        return []
    return [parameter.low, min(parameter.high, parameter.default + 1), min(parameter.high, 2 * parameter.default + 3)]


def any_settings(game: Game) -> st.SearchStrategy[dict[str, Any]]:
    """Random combinations of options and numbers."""
    values: dict[str, st.SearchStrategy[Any]] = {}
    for option in game.options:
        if isinstance(option, Choice):
            values[option.name] = st.sampled_from(option.choices)
        if isinstance(option, Names) and option.length is not None:
            values[option.name] = st.permutations(option.names).map(lambda names, n=option.length: list(names[:n]))
    for parameter in game.parameters:
        if near_values(parameter):
            values[parameter.name] = st.sampled_from(near_values(parameter))
    return st.fixed_dictionaries({}, optional=values)


def made(name: str, players: int, chosen: dict[str, Any]) -> Variant | None:
    """The variant, or None if the game says that these settings do not go together."""
    try:
        return tabletop.make(GAMES[name], players, **chosen)
    except OptionError:
        return None


def passes_of(game: Variant) -> list[int]:
    return [event for token, event in game.event_ids.items() if token in PASSES]
