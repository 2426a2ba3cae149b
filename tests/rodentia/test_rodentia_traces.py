"""Games played by an independent implementation, replayed event for event."""

import gzip
import json
from pathlib import Path

import pytest

from tabletop.record import Record, RecordError, replay
from tabletop.variant import make

TRACES = Path(__file__).parent.parent / "traces" / "rodentia.jsonl.gz"

with gzip.open(TRACES, "rt") as lines:
    RECORDS = [Record.from_json(line) for line in lines]


def test_there_are_traces_of_all_player_counts_options_and_kinds_of_events():
    assert {record.players for record in RECORDS} == {1, 2, 3, 4, 5}
    chosen = {name for record in RECORDS for name in record.options}
    assert chosen >= {option.name for option in make("rodentia").game.options} - {"map", "species"}
    words = {event.partition(":")[0] for record in RECORDS for event in record.events}
    variant = make("rodentia", players=5)
    assert words >= {token.partition(":")[0] for token in variant.game.tokens(variant.settings)} - {"", "scare", "mix"}


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_traces_are_equal(players):
    records = [record for record in RECORDS if record.players == players]
    assert len(records) == 40
    for record in records:
        assert record.legal is not None
        played = replay(record)
        assert played.over
        assert (played.scores, played.winners) == (list(record.scores), list(record.winners))


def test_a_trace_with_a_wrong_score_or_event_is_refused():
    content = json.loads(RECORDS[50].to_json())
    content["scores"][0] += 1
    with pytest.raises(RecordError, match="scores"):
        replay(Record.from_json(json.dumps(content)))
    content["events"][-1] = "jump"
    with pytest.raises(RecordError):
        replay(Record.from_json(json.dumps(content)))
