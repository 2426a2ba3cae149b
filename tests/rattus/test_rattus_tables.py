"""P3, P4 and section 6: files of maps and tokens, options and parameters, and what is refused."""

import json

import numpy as np
import pytest
from rattus_positions import at, legal, played_until, to_move

from rattus.tables import MAP_FILE, TOKENS_FILE
from tabletop.game import OVER
from tabletop.options import OptionError
from tabletop.variant import make


@pytest.fixture
def changed(tmp_path):
    """Writes a built-in file with changes, and gives its path."""

    def write(source, change):
        content = json.loads(source.read_text())
        change(content)
        path = tmp_path / "table.json"
        path.write_text(json.dumps(content))
        return str(path)

    return write


def rename(region, name):
    def change(content):
        content["regions"] = {name if key == region else key: value for key, value in content["regions"].items()}

    return change


def test_p3_a_file_replaces_the_map_and_its_keys_are_the_id_order(changed, monkeypatch, tmp_path):
    def reverse(content):
        content["regions"] = dict(reversed(content["regions"].items()))

    changed(MAP_FILE, reverse)
    monkeypatch.chdir(tmp_path)
    game = make("rattus", players=2, map="table.json")  # relative to the working directory
    starts = [token for token in game.game.tokens(game.settings) if token.startswith("rat:")]
    assert starts[0].startswith("rat:scandia:")
    assert starts[-1].startswith("rat:anglia:")
    original = make("rattus", players=2)
    assert int(game.template["map"]["in_play"][0]) == 0b111111110000
    neighbours = game.template["map"]["adjacent"][0]
    assert sorted(int(word).bit_count() for word in neighbours) == sorted(
        int(word).bit_count() for word in original.template["map"]["adjacent"][0]
    )
    state = played_until(game, 1, lambda s: to_move(game, s) == OVER)
    assert game.faults(state)[0] == 0


def test_p3_another_map_has_its_own_names_and_neighbours(tmp_path):
    names = ["a", "b", "c", "d", "e", "f", "g", "h"]
    ring = [{"between": [names[i], names[i - 1]]} for i in range(8)]
    path = tmp_path / "ring.json"
    path.write_text(json.dumps({"regions": {name: {"players": 2} for name in names}, "edges": ring}))
    game, state = at("next plague, seat 0\n| * a |\n| . . |\n| |", map=str(path))
    assert legal(game, state) == {"plague:b", "plague:h"}
    game, state = at("next plague, seat 0\ncards knight 0\n| * a |\n| . . |\n| |", map=str(path))
    assert legal(game, state) == {"plague:b", "plague:h", "plague:c", "plague:g"}
    assert [c.provenance for c in game.components if c.kind == "edge"] == ["not stated"] * 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c["edges"][0].update(between=["gallia", "atlantis"]), "unknown region 'atlantis'"),
        (lambda c: c["edges"][0].update(between=["gallia", "gallia"]), "from a region to itself"),
        (lambda c: c["edges"][0].update(between=["gallia"]), "two names"),
        (lambda c: c.update(edges=c["edges"][:3]), "not connected with 2 players"),
        (lambda c: c.update(edges=[e for e in c["edges"] if "turcia" not in e["between"]]), "connected with 3 players"),
        (lambda c: [c["regions"].pop(r) for r in ("russia", "tartaria")], "unknown region"),
        (lambda c: c["regions"]["gallia"].update(players=5), "'players' is 5"),
        (lambda c: c["regions"].update({"x": {"players": 4}}), "at most 12 regions"),
        (lambda c: c.update(regions=[]), "'regions' must be an object"),
        (lambda c: c.pop("edges"), "'edges' must be a list"),
        (rename("gallia", "gal:lia"), "without colon"),
    ],
)
def test_p3_broken_maps_are_refused(changed, change, message):
    path = changed(MAP_FILE, change)
    with pytest.raises(OptionError, match=message) as refused:
        make("rattus", players=2, map=path)
    assert path in str(refused.value)


def test_p3_too_few_regions_are_refused(tmp_path):
    names = ["a", "b", "c", "d", "e", "f", "g"]
    edges = [{"between": [names[i], names[i - 1]]} for i in range(7)]
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"regions": {name: {"players": 2} for name in names}, "edges": edges}))
    with pytest.raises(OptionError, match="7 regions with 4 players; expected at least 2 a player"):
        make("rattus", players=4, map=str(path))


@pytest.mark.parametrize("option", ["map", "tokens"])
def test_files_that_cannot_be_read_or_repeat_a_name_are_refused(option, tmp_path):
    with pytest.raises(OptionError, match=r"cannot be read.*reconstruction-1"):
        make("rattus", **{option: str(tmp_path / "nowhere.json")})
    for content, message in [
        ("{", "is not JSON"),
        ("[]", "not a JSON object"),
        ('{"a": 1, "a": 2}', "'a' is repeated"),
    ]:
        path = tmp_path / "broken.json"
        path.write_text(content)
        with pytest.raises(OptionError, match=message):
            make("rattus", **{option: str(path)})
    with pytest.raises(OptionError, match="expected 'reconstruction-1' or the path"):
        make("rattus", **{option: 3})


def test_p4_a_file_replaces_the_tokens(tmp_path):
    path = tmp_path / "tokens.json"
    path.write_text(json.dumps({"starting": {"1PBCKWR": 12}, "other": {"6MMMAAA": 200, "3": 5}}))
    game = make("rattus", players=4, tokens=str(path))
    assert game.event("draw:6MMMAAA") == make("rattus", players=4).event("draw:2MPC")
    assert int(game.template["pool_tokens"][0]) == 217
    state = played_until(game, 3, lambda s: to_move(game, s) == OVER)
    assert game.faults(state)[0] == 0


@pytest.mark.parametrize("name", ["", "M", "0M", "7M", "1AM", "1BP", "1PP", "1X", "10M", "1 M", "1m", "1PMB"])
def test_p4_malformed_names_are_refused(changed, name):
    path = changed(TOKENS_FILE, lambda content: content["other"].update({name: 1}))
    with pytest.raises(OptionError, match="malformed type"):
        make("rattus", tokens=path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c["other"].update({"1PB": 1}), "'1PB' is in both lists"),
        (lambda c: c["other"].update({"1PC": 0}), "count 0"),
        (lambda c: c["other"].update({"1PC": 1.0}), "count 1.0"),
        (lambda c: c["other"].update({"1PC": True}), "count True"),
        (lambda c: c["other"].update({"1PC": 256}), "count 256"),
        (lambda c: c["starting"].pop("1PB"), "11 starting tokens; expected one for each of 12"),
        (lambda c: c["other"].update({"1MMMMMMMM": 1}), "at most 7 M"),
        (lambda c: c["other"].update({"1" + "M" * m + "A" * a: 1 for m in range(4, 8) for a in range(4)}), "65 types"),
        (lambda c: c.pop("other"), "'other' must be an object"),
    ],
)
def test_p4_broken_token_tables_are_refused(changed, change, message):
    path = changed(TOKENS_FILE, change)
    with pytest.raises(OptionError, match=message):
        make("rattus", players=4, tokens=path)


def test_p4_too_few_starting_tokens_depends_on_the_regions_in_play(changed):
    path = changed(TOKENS_FILE, lambda content: content["starting"].pop("1PB"))
    assert make("rattus", players=3, tokens=path).players == 3


def test_p4_fewer_tokens_than_are_removed():
    assert make("rattus", players=2, removed={"2": 41}).players == 2
    with pytest.raises(OptionError, match=r"parameter 'removed': 42 with 2 players.*at most the 41 tokens"):
        make("rattus", players=2, removed={"2": 42})
    assert make("rattus", players=3, removed={"2": 42}).players == 3  # it has no bearing on this game


def test_removed_may_be_given_in_part_and_is_recorded_in_full():
    game = make("rattus", players=3, removed={"3": 1})
    assert int(game.template["rules"]["removed"][0]) == 1
    assert game.differences == ({}, {"removed": {"2": 12, "3": 1, "4": 0}})
    assert make("rattus", removed={}).differences == ({}, {})


@pytest.mark.parametrize(
    "value", [3, [1, 2, 3], {"5": 1}, {2: 1}, {"2": -1}, {"2": "x"}, {"2": True}, {"2": 20_001}, "2"]
)
def test_removed_refuses_other_values(value):
    with pytest.raises(OptionError, match=r"parameter 'removed'.*expected a mapping from '2', '3', '4'"):
        make("rattus", removed=value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cubes": 101}, "from 0 to 100"),
        ({"cubes": -1}, "from 0 to 100"),
        ({"tokens_per_region": 0}, "from 1 to 3"),
        ({"tokens_per_region": 4}, "from 1 to 3"),
        ({"spread": [1, 2, 3]}, "4 integers"),
        ({"merchant_cubes": 41}, "from 0 to 40"),
        ({"knight_steps": 0}, "from 1 to 100"),
        ({"max_turns": 0}, "from 1 to"),
        ({"initial_placement": "own"}, "'own_distinct'"),
        ({"reveal": True}, "'until_empty'"),
        ({"knight_final": ""}, "'none'"),
        ({"plague": 1}, "unknown option or parameter 'plague'"),
        ({"players": 5}, "players: 5"),
    ],
)
def test_options_and_parameters_out_of_range_are_refused(settings, message):
    with pytest.raises(OptionError, match=message):
        make("rattus", **settings)


def test_tokens_of_events_are_different_and_fixed():
    for players in (2, 3, 4):
        game = make("rattus", players=players)
        tokens = [token for token in game.game.tokens(game.settings) if token]
        assert len(tokens) == len(set(tokens))
        most = make("rattus", players=4)
        assert all(most.event(token) == game.event(token) for token in tokens)
        assert np.all([game.token(game.event(token)) == token for token in tokens])
