"""The reference tables in `docs/` are those that the code makes."""

import re

import numpy as np
import pytest
from make_tables import bots_page, comments, page, path_of

import tabletop
from tabletop.bots import kinds
from tabletop.plug_ins import BOTS_GROUP, plug_ins
from tabletop.variant import description


@pytest.mark.parametrize("name", tabletop.games())
def test_the_tables_are_up_to_date(name: str) -> None:
    assert path_of(name).read_text(encoding="utf-8") == page(name), "run: python tests/make_tables.py"


def test_the_tables_of_the_bots_are_up_to_date() -> None:
    assert path_of("bots").read_text(encoding="utf-8") == bots_page(), "run: python tests/make_tables.py"


@pytest.mark.parametrize("name", sorted(plug_ins(BOTS_GROUP)))
def test_every_parameter_of_every_bot_is_explained(name: str) -> None:
    """Each one of each game, with its default, its bounds or words and its meaning."""
    _, _, told = bots_page().partition(f"## `{name}`\n")
    told, _, _ = told.partition("\n## ")
    assert kinds()[name].summary[1:] in told
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$", told, re.MULTILINE)
    for game in map(description, tabletop.games()):
        for parameter in kinds()[name].parameters(game):
            found = [row for row in rows if row[0] == parameter.name and row[3] == parameter.meaning]
            default = f"`{parameter.default}`" if parameter.default != "" else "none"
            assert any(default in row[1] for row in found), parameter
            bounds = [f"`{word}`" for word in parameter.words] or [f"{parameter.low:.10g} … {parameter.high:.10g}"]
            assert isinstance(parameter.default, str) or all(part in found[0][2] for part in bounds), parameter


@pytest.mark.parametrize("name", tabletop.games())
def test_the_tables_are_complete(name: str) -> None:
    """Every id with a token lies in one range, parts of the observation follow each other to its end."""
    game, text = tabletop.make(name, description(name).most_players), page(name)
    ranges = re.findall(r"^\| (\d+)(?:–(\d+))? \| (?:a seat|chance) \|", text, re.MULTILINE)
    covered = [i for first, last in ranges for i in range(int(first), int(last or first) + 1)]
    assert covered == sorted(game.event_ids.values())
    parts = [(int(a), int(b)) for a, b in re.findall(r"^\| `\w+` \| (\d+) \| (\d+) \| -?\d+ … ", text, re.MULTILINE)]
    assert [a for a, _ in parts] == [0, *np.cumsum([size for _, size in parts])][:-1]
    assert sum(size for _, size in parts) == game.game.observation_size


@pytest.mark.parametrize("name", tabletop.games())
def test_every_field_of_the_state_is_listed(name: str) -> None:
    text = page(name)
    for record, fields in comments(f"{name}.state").items():
        prefix = "" if record == "STATE" else f"{record.lower()}."
        assert all(f"| `{prefix}{field}" in text for field in fields), record
