"""Options and parameters: every error names the value and what is allowed."""

import re
from pathlib import Path

import numpy as np
import pytest
from pebbles import PEBBLES

import tabletop
from tabletop import options
from tabletop.options import Choice, Names, OptionError, Parameter, TableFile, differences, flag, settings

CHOICE = Choice("side", "left", "which side", "P1", choices=("left", "right", 1, True))
FLAG = flag("fast", False, "whether fast", "P2")
CARDS = Names("cards", "random", "cards in play", "P3", names=("ant", "bee", "cat", "dog"), length=2)
SPECIES = Names("species", "random", "one a seat", "P4", names=("ant", "bee", "cat", "dog"))
NUMBER = Parameter("size", 3, 1, 9, "pebbles")
LIST = Parameter("bag", (2, 2, 2), 0, 5, "stones")


def load_table(path: str) -> list[str]:
    if path == "standard":
        return ["standard"]
    try:
        return Path(path).read_text().split()
    except OSError as error:
        raise OptionError(f"option 'map': cannot read {path!r}: {error.strerror}") from None


TABLE = TableFile("map", "standard", "the map", "P5", load=load_table)
OPTIONS, PARAMETERS = (CHOICE, FLAG, CARDS, SPECIES, TABLE), (NUMBER, LIST)


def chosen(players: object = 2, **values: object) -> options.Settings:
    return settings(OPTIONS, PARAMETERS, (2, 3, 4), players, values)


def refused(message: str, **values: object) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        chosen(**values)


def test_defaults() -> None:
    got = chosen()
    assert got.players == 2
    assert got.options == {"side": "left", "fast": False, "cards": "random", "species": "random", "map": "standard"}
    assert got.parameters == {"size": 3, "bag": (2, 2, 2)}
    assert got.tables == {"map": ["standard"]}


@pytest.mark.parametrize("value", ["up", "Left", "", 0, 2, 1.0, False, None, ["left"], np.int64(1)])
def test_choice_refuses(value: object) -> None:
    refused(f"option 'side': {value!r} is not allowed; expected one of 'left', 'right', 1, True", side=value)


@pytest.mark.parametrize("value", ["left", "right", 1, True])
def test_choice_keeps_the_type_apart(value: object) -> None:
    got = chosen(side=value).options["side"]
    assert got == value
    assert type(got) is type(value)
    assert CHOICE.choices[CHOICE.code(value)] is value


@pytest.mark.parametrize("value", [0, 1, "true", "yes", None, 1.0])
def test_flag_takes_only_true_and_false(value: object) -> None:
    refused(f"option 'fast': {value!r} is not allowed; expected one of False, True", fast=value)


def test_flag_is_stored_as_zero_and_one() -> None:
    assert (FLAG.code(False), FLAG.code(True)) == (0, 1)


@pytest.mark.parametrize(
    "value",
    ["ant", "Random", [], ["ant"], ["ant", "bee", "cat"], ["ant", "ant"], ["ant", "eel"], 5, None, {"ant", "bee"}],
)
def test_names_refuse(value: object) -> None:
    refused("is not allowed; expected 'random' or a list of 2 different names out of ant, bee, cat, dog", cards=value)


@pytest.mark.parametrize("value", [[1, 2], [["ant"], ["bee"]], [None, "ant"]])
def test_names_refuse_what_is_no_text(value: object) -> None:
    refused(f"option 'cards': {value!r} is not allowed", cards=value)


def test_names_are_kept_in_order_as_a_tuple() -> None:
    assert chosen(cards=["cat", "ant"]).options["cards"] == ("cat", "ant")
    assert chosen(cards=("cat", "ant")).options["cards"] == ("cat", "ant")


def test_names_one_a_seat() -> None:
    assert chosen(3, species=["dog", "bee", "ant"]).options["species"] == ("dog", "bee", "ant")
    refused("expected 'random' or a list of 3 different names", players=3, species=["dog", "bee"])


@pytest.mark.parametrize("value", [0, 10, -1, 2**40, 3.0, "3", True, np.True_, None, [3], np.float64(3)])
def test_number_refuses(value: object) -> None:
    refused(f"parameter 'size': {value!r} is not allowed; expected an integer from 1 to 9", size=value)


@pytest.mark.parametrize("value", [1, 9, np.int8(5), np.uint64(7)])
def test_number_accepts_every_kind_of_integer(value: object) -> None:
    got = chosen(size=value).parameters["size"]
    assert got == value
    assert type(got) is int


@pytest.mark.parametrize(
    "value", [3, "222", [2, 2], [2, 2, 2, 2], [2, 2, 6], [2, 2, -1], [2, True, 2], [2, 2, 2.0], None, np.array(3)]
)
def test_list_refuses(value: object) -> None:
    refused(f"parameter 'bag': {value!r} is not allowed; expected a list of 3 integers from 0 to 5", bag=value)


@pytest.mark.parametrize("value", [[0, 5, 1], (0, 5, 1), np.array([0, 5, 1])])
def test_list_accepts_every_kind_of_sequence(value: object) -> None:
    assert chosen(bag=value).parameters["bag"] == (0, 5, 1)


@pytest.mark.parametrize("players", [1, 5, 0, -2, 2.0, "2", True, None])
def test_wrong_numbers_of_players(players: object) -> None:
    refused(f"players: {players!r} is not allowed; expected one of [2, 3, 4]", players=players)


def test_unknown_names_list_what_there_is() -> None:
    refused("unknown option or parameter 'sise'; there are side, fast, cards, species, map, size, bag", sise=3)


@pytest.mark.parametrize("value", ["", 3, None, ["a"]])
def test_table_must_be_named_by_text(value: object) -> None:
    refused(f"option 'map': {value!r} is not allowed; expected 'standard' or the path of a file", map=value)


def test_table_is_read(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("a b")
    assert chosen(map=str(tmp_path / "mine")).tables["map"] == ["a", "b"]
    refused("option 'map': cannot read", map=str(tmp_path / "none"))


def test_differences_hold_only_what_is_not_default() -> None:
    assert differences(chosen(), OPTIONS, PARAMETERS) == ({}, {})
    got = differences(chosen(fast=True, cards=["cat", "ant"], size=3, bag=[1, 2, 2]), OPTIONS, PARAMETERS)
    assert got == ({"fast": True, "cards": ["cat", "ant"]}, {"bag": [1, 2, 2]})


def test_differences_tell_one_from_true() -> None:
    choice = Choice("side", 1, "", "", choices=(1, True))
    values = settings((choice,), (), (2,), 2, {"side": True})
    assert differences(values, (choice,), ()) == ({"side": True}, {})


def test_options_and_parameters_reach_the_state() -> None:
    state = tabletop.make(PEBBLES, players=3, take="up_to", passing=True, size=5, bag=[1, 2, 3]).new()
    assert state["options"].tolist() == (1, 0, 1)
    assert [state["rules"][name].tolist() for name in ("heaps", "size", "turns", "bag")] == [3, 5, 40, [1, 2, 3]]
    assert state["players"] == 3


def test_a_game_refuses_combinations() -> None:
    with pytest.raises(OptionError, match=r"'bag': \(1, 1, 0\) has no stone for each"):
        tabletop.make(PEBBLES, players=3, bag=[1, 1, 0])


def test_errors_are_value_errors() -> None:
    assert issubclass(OptionError, ValueError)
