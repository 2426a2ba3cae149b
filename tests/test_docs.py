"""The reference tables in `docs/` are those that the code makes."""

import re

import numpy as np
import pytest
from make_tables import comments, page, path_of

import tabletop
from tabletop.variant import description


@pytest.mark.parametrize("name", tabletop.games())
def test_the_tables_are_up_to_date(name: str) -> None:
    assert path_of(name).read_text(encoding="utf-8") == page(name), "run: python tests/make_tables.py"


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
