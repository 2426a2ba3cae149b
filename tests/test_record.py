"""Records and traces: round trips, and a reader that finds every kind of fault where it is."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabletop
from tabletop import record
from tabletop.record import Record, RecordError

TRACES = Path(__file__).parent / "traces"


def made(trace: bool = True, players: int = 3, number: int = 0, **settings: Any) -> dict[str, Any]:
    """A sound finished record of Bites as the content of its line."""
    variant = tabletop.make("bites", players, **settings)
    (one,) = record.record_games(variant, 1, "uniform", seed=11, first=number, trace=trace)
    return json.loads(one.to_json())


@pytest.fixture(scope="module")
def sound() -> dict[str, Any]:
    return made()


def line_of(content: dict[str, Any]) -> str:
    return json.dumps(content)


def fault(content: dict[str, Any] | str) -> RecordError:
    line = content if isinstance(content, str) else line_of(content)
    with pytest.raises(RecordError) as caught:
        record.replay(Record.from_json(line))
    return caught.value


def changed(content: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {**content, **values}


def without(content: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key not in keys}


# Lines that are no record at all: no event is to blame.


@pytest.mark.parametrize("line", ["", "{", "[]", "3", "null", '"text"', "{'a': 1}", '{"format": 1,}', "[" * 100_000])
def test_what_is_no_json_object_is_refused(line):
    error = fault(line)
    assert error.message.startswith("not a JSON object") and error.event is None


def test_bytes_that_are_no_utf_8_are_refused():
    with pytest.raises(RecordError, match="not a JSON object"):
        Record.from_json(b'{"format": "\xff\xfe"}')


@pytest.mark.parametrize("key", ["game", "players", "options", "parameters", "events"])
def test_a_missing_key_is_named(sound, key):
    assert fault(without(sound, key)).message.startswith(f"the key '{key}' is missing; expected")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", 3),
        ("players", "3"),
        ("players", True),
        ("players", 3.0),
        ("options", []),
        ("parameters", None),
        ("events", "move:red"),
        ("events", [1, 2]),
        ("events", {}),
        ("scores", [1.0, 2.0, 3.0]),
        ("scores", [True, False, True]),
        ("scores", None),
        ("winners", 0),
        ("winners", ["0"]),
        ("legal", [["a"], "b"]),
        ("legal", [[1]]),
        ("legal", None),
    ],
)
def test_a_value_of_the_wrong_type_is_named(sound, key, value):
    error = fault(changed(sound, **{key: value}))
    assert error.message.startswith(f"{key}: ") and "is not allowed; expected" in error.message
    assert json.dumps(value) in error.message


@pytest.mark.parametrize("value", ["tabletop-record/2", "", None, 1])
def test_another_format_is_refused(sound, value):
    assert "expected 'tabletop-record/1'" in fault(changed(sound, format=value)).message


def test_a_missing_format_is_refused(sound):
    assert fault(without(sound, "format")).message.startswith("format: None")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"game": "chess"}, "unknown game 'chess'; there are bites"),
        ({"players": 9}, r"players: 9 is not allowed; expected one of \[2, 3, 4, 5\]"),
        ({"options": {"wine": "beer"}}, "option 'wine': 'beer' is not allowed; expected one of 'collector'"),
        ({"options": {"beer": 1}}, "unknown option 'beer'"),
        ({"options": {"gold_points": 3}}, "unknown option 'gold_points'"),
        ({"parameters": {"wine": "collector"}}, "unknown parameter 'wine'"),
        ({"parameters": {"gold_points": "3"}}, "parameter 'gold_points': '3' is not allowed; expected an integer"),
        ({"parameters": {"stack_per_food": 11}}, "stack_per_food"),
        ({"options": {"players": 2}}, "unknown option 'players'"),
    ],
)
def test_wrong_settings_are_refused(sound, values, message):
    error = fault(changed(sound, **values))
    assert error.event is None
    with pytest.raises(RecordError, match=message):
        raise error


# Events


def test_an_unknown_token_is_named_with_its_index(sound):
    events = list(sound["events"])
    events[60] = "Move:red"
    error = fault(changed(sound, events=events))
    assert (error.event, error.message) == (60, "bites has no event 'Move:red'")


def test_an_illegal_event_is_named_with_its_index_and_what_is_legal(sound):
    events = list(sound["events"])
    events[55] = "take:front"
    error = fault(changed(sound, events=events))
    assert error.event == 55
    assert error.message.startswith("'take:front' is not legal; legal are move:brown, move:green, move:purple")


def test_the_first_of_several_faults_is_named(sound):
    events = list(sound["events"])
    events[70], events[58] = "nonsense", "trail:wine"
    legal = [list(tokens) for tokens in sound["legal"]]
    legal[64] = []
    assert fault(changed(sound, events=events, legal=legal)).event == 58
    legal[57] = []
    assert fault(changed(sound, events=events, legal=legal)).event == 57


def test_events_after_the_end_are_refused(sound):
    events = [*sound["events"], "move:red"]
    error = fault(changed(sound, events=events, legal=[*sound["legal"], []]))
    assert (error.event, error.message) == (len(events) - 1, "'move:red' comes after the end of the game")
    assert fault(changed(without(sound, "legal"), events=events)).event == len(events) - 1


# Results


@pytest.mark.parametrize("claims", [("scores",), ("winners",), ("scores", "winners")])
def test_claims_of_an_unfinished_game_are_refused(sound, claims):
    cut = changed(sound, events=sound["events"][:-1], legal=sound["legal"][:-1])
    error = fault(without(cut, *{"scores", "winners"} - set(claims)))
    assert error.event == len(sound["events"]) - 1
    assert error.message == f"the record claims {' and '.join(claims)}, but the game is not over"


@pytest.mark.parametrize("missing", [("scores",), ("winners",), ("scores", "winners")])
def test_a_finished_game_needs_scores_and_winners(sound, missing):
    error = fault(without(sound, *missing))
    assert error.event == len(sound["events"])
    assert error.message == f"the game is over, but the record has no {' and no '.join(missing)}"


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("scores", lambda true: [true[0] + 1, *true[1:]]),
        ("scores", lambda true: true[:-1]),
        ("scores", lambda true: []),
        ("winners", lambda true: []),
        ("winners", lambda true: [0, 1, 2]),
        ("winners", lambda true: true * 2),
    ],
)
def test_wrong_scores_and_winners_are_refused(sound, key, change):
    error = fault(changed(sound, **{key: change(sound[key])}))
    assert error.event == len(sound["events"])
    assert error.message.startswith(f"{key}: ") and error.message.endswith(f"they are {sound[key]}")


# Legal lists


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tokens: tokens[1:], "legal lacks trail:apple"),
        (lambda tokens: [*tokens, "zebra"], "legal has wrongly zebra"),
        (lambda tokens: tokens[::-1], "not each once and sorted by byte value"),
        (lambda tokens: [tokens[0], *tokens], "not each once and sorted by byte value"),
        (lambda tokens: [], "legal lacks trail:apple, trail:bread"),
    ],
)
def test_a_legal_list_of_other_content_is_refused(sound, change, message):
    legal = [list(tokens) for tokens in sound["legal"]]
    legal[7] = change(legal[7])
    error = fault(changed(sound, legal=legal))
    assert error.event == 7 and message in error.message


def test_a_legal_list_of_another_length_is_refused(sound):
    events = sound["events"]
    short = fault(changed(sound, legal=sound["legal"][:-3]))
    assert (short.event, short.message) == (
        len(events) - 3,
        f"legal has {len(events) - 3} entries; expected one for each of {len(events)} events",
    )
    assert fault(changed(sound, legal=[*sound["legal"], []])).event == len(events)
    assert fault(changed(sound, legal=[])).event == 0


# What is valid


def test_a_sound_record_gives_its_result(sound):
    played = record.replay(Record.from_json(line_of(sound)))
    assert played.over and played.scores == sound["scores"] and played.winners == sound["winners"]


@given(st.integers(0, 200), st.booleans())
def test_every_beginning_of_a_game_is_valid_without_claims(length, keep_legal):
    whole = made()
    length = min(length, len(whole["events"]) - 1)
    cut = changed(without(whole, "scores", "winners"), events=whole["events"][:length], legal=whole["legal"][:length])
    played = record.replay(Record.from_json(line_of(cut if keep_legal else without(cut, "legal"))))
    assert not played.over


def test_extra_keys_are_allowed_ignored_and_kept(sound):
    one = Record.from_json(line_of(changed(sound, comment={"by": ["anybody"]}, winner="none")))
    record.replay(one)
    assert one.extra["comment"] == {"by": ["anybody"]}
    assert json.loads(one.to_json())["winner"] == "none"


def test_defaults_may_be_spelt_out(sound):
    record.replay(Record.from_json(line_of(changed(sound, options={"wine": "collector", "sets": 1}))))


def test_a_record_holds_only_what_differs_from_the_defaults():
    content = made(
        trace=False, wine="oenophile", chocolate="double_fister", gold_points=4, level_points=[5, 4, 3, 2, 1]
    )
    assert content["options"] == {"wine": "oenophile"}
    assert content["parameters"] == {"level_points": [5, 4, 3, 2, 1]}
    assert "legal" not in content


# Files


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
@pytest.mark.parametrize("trace", [False, True])
def test_what_is_written_is_read_again(tmp_path, name, trace):
    variant = tabletop.make("bites", 2, hill="random", wine="random", special="random", chocolate="random", sets=2)
    games = list(record.record_games(variant, 20, "uniform", seed=4, trace=trace))
    assert record.write_records(tmp_path / name, games) == 20
    assert list(record.read_records(tmp_path / name)) == games
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_equal_records_make_equal_compressed_files(tmp_path):
    games = [Record.from_json(line_of(made(number=k))) for k in range(3)]
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        record.write_records(tmp_path / name, games)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_each_broken_record_of_a_file_is_named_and_the_others_are_read(tmp_path, sound):
    bad_score = changed(sound, scores=[-1, 0, 0])
    lines = [line_of(sound), "{}", line_of(sound), line_of(bad_score), "", line_of(sound)]
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join(lines) + "\n")
    checked = list(record.check_records(path))
    errors = [one for one in checked if isinstance(one, RecordError)]
    assert [(e.record, e.event) for e in errors] == [(1, None), (3, len(sound["events"]))]
    assert str(errors[1]).startswith(f"record 3, event {len(sound['events'])}: scores: [-1, 0, 0] is wrong")
    assert len(checked) == 5
    with pytest.raises(RecordError, match=r"^record 1: format"):
        list(record.read_records(path))


def test_a_damaged_compressed_file_is_refused(tmp_path, sound):
    whole = gzip.compress(line_of(sound).encode())
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "plain.jsonl.gz").write_text(line_of(sound))
    for name in ("cut", "plain"):
        with pytest.raises(RecordError, match="is not a sound gzip file"):
            list(record.check_records(tmp_path / f"{name}.jsonl.gz"))


def test_a_file_that_cannot_be_finished_leaves_the_older_one(tmp_path, sound):
    path = tmp_path / "deep" / "games.jsonl"
    record.write_records(path, [Record.from_json(line_of(sound))])
    before = path.read_bytes()

    def broken():
        yield Record.from_json(line_of(sound))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record.write_records(path, broken())
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


# Recording


def highest(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
    """A bot in plain Python."""
    return int(legal[-1])


@pytest.mark.parametrize("bots", ["uniform", ["uniform", tabletop.plain_bot(highest), "uniform"]])
def test_recorded_games_are_the_games_that_are_played(bots):
    variant = tabletop.make("bites", 3, special="random")
    played = variant.play(6, bots, seed=9, first=40, keep_states=True)
    games = list(record.record_games(variant, 6, bots, seed=9, first=40))
    for k, one in enumerate(games):
        again = record.replay(one)
        assert again.states[0].tobytes() == played.states[k].tobytes()
        assert list(one.scores) == played.scores[k].tolist() and len(one.events) == played.lengths[k]
        assert one.extra["bots"] == [played.names[bot] for bot in played.bots[k]]
        assert (one.extra["seed"], one.extra["number"]) == (9, 40 + k)


def spent_by_seat(variant: tabletop.Variant, one: Record) -> list[int]:
    """Chocolates that each of five seats spent, read off the tokens."""
    spent, states = [0] * 5, variant.new(1)
    for token in one.events:
        mover = int(variant.to_move(states)[0])
        if mover >= 0 and token.partition(":")[0] in ("chocolate", "turbo", "backwards", "recycle", "tiptoe", "swap"):
            spent[mover] += 1
        variant.step(states, [variant.event(token)])
    return spent


@pytest.mark.parametrize("first_bot", ["uniform", tabletop.plain_bot(highest)])
def test_facts_tell_what_the_events_tell(first_bot):
    variant = tabletop.make("bites", 3, chocolate="random", special="random")
    bots = [first_bot, "uniform", "uniform"]
    facts = variant.play(30, bots, seed=2).facts
    names = [fact.name for fact in variant.game.facts]
    special = variant.game.facts[names.index("special")].categories
    for k, one in enumerate(record.record_games(variant, 30, bots, seed=2)):
        assert facts[k, names.index("spent")].tolist() == spent_by_seat(variant, one)
        assert f"special:{special[facts[k, names.index('special'), 0]]}" in one.events
    assert facts[:, names.index("spent")].any()


@pytest.mark.parametrize("values", [{"seed": -1}, {"games": -1}, {"seed": 2**64}, {"first": -3}])
def test_recording_refuses_wrong_numbers(values):
    variant = tabletop.make("bites", 2)
    with pytest.raises(ValueError, match=f"{next(iter(values.values()))} is not allowed; expected an integer"):
        list(record.record_games(variant, **{"games": 1, "bots": "uniform", "seed": 0} | values))


def test_an_illegal_id_cannot_be_recorded():
    variant = tabletop.make("bites", 2)
    with pytest.raises(ValueError, match="event 0: 3 is not legal"):
        record.make_record(variant, [3])


@pytest.mark.parametrize("game", tabletop.games())
def test_traces_of_an_independent_implementation_are_sound(game):
    checked = list(record.check_records(TRACES / f"{game}.jsonl.gz"))
    assert len(checked) >= 200
    assert not [str(one) for one in checked if isinstance(one, RecordError)]


def test_a_rodentia_game_that_nobody_won_has_no_winners():
    """The solo game of Rodentia can be lost: then no seat is a winner."""
    solo = [one for one in record.check_records(TRACES / "rodentia.jsonl.gz") if one.players == 1]
    assert solo and all(one.winners == [] or one.winners == [0] for one in solo)
    lost = next(one for one in solo if one.winners == [])
    claimed = json.loads(lost.to_json()) | {"winners": [0]}
    assert fault(claimed).message == "winners: [0] is wrong; they are []"
