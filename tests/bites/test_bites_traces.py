"""Games played by an independent implementation, replayed event for event."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tabletop.game import OVER
from tabletop.variant import make

TRACES = Path(__file__).parent.parent / "traces" / "bites.jsonl.gz"

with gzip.open(TRACES, "rt") as lines:
    RECORDS = [json.loads(line) for line in lines]


def test_there_are_traces_of_all_player_counts_and_cards():
    assert {record["players"] for record in RECORDS} == {2, 3, 4, 5}
    drawn = {event for record in RECORDS for event in record["events"]}
    game = make("bites")
    assert {f"{card.kind}:{card.name}" for card in game.components} <= drawn


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_traces_are_equal(players):
    for record in RECORDS:
        if record["players"] == players:
            replay(record)


def replay(record):
    game = make("bites", players=record["players"], **record["options"], **record["parameters"])
    state = game.new()
    for token, legal in zip(record["events"], record["legal"], strict=True):
        assert sorted(game.token(event) for event in game.legal(state)) == legal
        game.step(state, game.event(token))
        assert game.faults(state) == 0
    assert game.to_move(state) == OVER
    assert game.scores(state).tolist() == record["scores"]
    assert np.flatnonzero(game.ranking(state) == 1).tolist() == record["winners"]
