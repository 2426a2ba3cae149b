"""Games played by an independent implementation, replayed event for event."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tabletop.game import CHANCE, OVER
from tabletop.variant import make

TRACES = Path(__file__).parent.parent / "traces" / "rattus.jsonl.gz"

with gzip.open(TRACES, "rt") as lines:
    RECORDS = [json.loads(line) for line in lines]


def test_there_are_traces_of_all_player_counts_options_and_kinds_of_events():
    assert {record["players"] for record in RECORDS} == {2, 3, 4}
    chosen = {(name, value) for record in RECORDS for name, value in record["options"].items()}
    assert chosen >= {("initial_placement", "any"), ("initial_placement", "own_distinct"), ("reveal", "all")}
    words = {event.partition(":")[0] for record in RECORDS for event in record["events"]}
    assert words == {token.partition(":")[0] for token in make("rattus").game.tokens(make("rattus").settings)} - {""}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_traces_are_equal(players):
    for record in RECORDS:
        if record["players"] == players:
            replay(record)


def replay(record):
    game = make("rattus", players=record["players"], **record["options"], **record["parameters"])
    state = game.new()
    for token, legal in zip(record["events"], record["legal"], strict=True):
        assert sorted(game.token(event) for event in game.legal(state)) == legal
        if game.to_move(state) == CHANCE:
            assert np.array_equal(np.flatnonzero(game.weights(state)) + game.actions, game.legal(state))
        game.step(state, game.event(token))
        assert game.faults(state) == 0
    assert game.to_move(state) == OVER
    assert game.scores(state).tolist() == record["scores"]
    assert np.flatnonzero(game.ranking(state) == 1).tolist() == record["winners"]
