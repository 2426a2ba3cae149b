"""The conformance matrix: every game, for every number of players, in every stack."""

import pytest
from checks import CHECKS
from conformance import PAGE, page_with, table
from stacks import needs

from tabletop.variant import description, games

MATRIX = [
    pytest.param(
        game, players, name, marks=[*needs(stack), pytest.mark.xdist_group(game)], id=f"{game}-{players}-{name}"
    )
    for game in games()
    for players in description(game).players
    for name, (stack, _) in CHECKS.items()
]


@pytest.mark.parametrize(("game", "players", "name"), MATRIX)
def test_conformance(game: str, players: int, name: str) -> None:
    CHECKS[name][1](game, players)


def test_the_table_in_the_docs_is_up_to_date() -> None:
    """The tests above see to it that every mark is true."""
    expected = page_with(table(lambda game, players, name: True))
    assert PAGE.read_text(encoding="utf-8") == expected, "run: python tests/envs/conformance.py"
