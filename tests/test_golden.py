"""Golden games: short traces of each installed game that must be played again event for event."""

from pathlib import Path

import pytest
from games import GAMES

import tabletop
from tabletop.record import RecordError, check_records, read_records

GOLDEN = Path(__file__).parent / "golden"


def test_no_installed_game_lacks_golden_games() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(tabletop.games())


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(name), id=name) for name in tabletop.games()]
)
def test_golden_games_are_played_again(name: str) -> None:
    checked = list(check_records(GOLDEN / f"{name}.jsonl"))
    broken = [str(record) for record in checked if isinstance(record, RecordError)]
    assert not broken, f"{broken}; if the rules were changed on purpose run `python tests/make_golden.py {name}`"
    records = list(read_records(GOLDEN / f"{name}.jsonl"))
    assert {record.players for record in records} == set(GAMES[name].players)
    assert all(record.legal and record.scores and record.winners is not None for record in records)
