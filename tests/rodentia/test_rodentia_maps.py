"""R1–R3: the map, its names and neighbours, and map files."""

import json

import numpy as np
import pytest
from rodentia_positions import SPECIES, at, goal_points, start

from rodentia.box import FACES
from rodentia.hexes import is_between
from rodentia.settings import map_of
from tabletop import record
from tabletop.jit import jit
from tabletop.options import OptionError
from tabletop.variant import make

SHEET = ["FGRSMG", "SMFWGRF", "GSRMFS", "RMFSGRM"]
TWO_ROWS = ["FFFFFMMMMMRRR", "RRSSSSSGGGGGW"]
THREE_ROWS = ["FFFFFMMMM", "MRRRWRRSS", "SSSGGGGG"]
STEPS = ((1, 0), (-1, 0), (1, -1), (0, -1), (0, 1), (-1, 1))


def write(folder, **content):
    path = folder / "map.json"
    path.write_text(json.dumps(content))
    return str(path)


def names_around(found, name):
    return {found.names[h] for h in found.neighbours[found.names.index(name)]}


@pytest.mark.parametrize(("players", "sheets"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_r1_26_hexes_a_sheet_five_of_each_terrain(players, sheets):
    game = make("rodentia", players=players)
    found = map_of(game.settings)
    assert [found.faces.count(face) for face in range(6)] == [5 * sheets] * 5 + [sheets]
    assert len([token for token in game.event_ids if token.startswith("burrow:")]) == 26 * sheets


def test_r2_rows_of_the_built_in_map():
    found = map_of(make("rodentia", players=5).settings)
    assert [len(row) for row in found.rows] == [6, 7] * 4
    assert found.indents == (1, 0) * 4
    assert (found.name, found.provenance) == ("reconstruction-1", "reconstruction")


def axial(name, indents):
    """R3, literally."""
    row, col = ord(name[0]) - ord("a"), int(name[1:]) - 1
    return (indents[row] + 2 * col - 1 - row) // 2, row


@pytest.mark.parametrize("players", [2, 4])
def test_r3_neighbours_and_distances_are_those_of_axial_coordinates(players):
    found = map_of(make("rodentia", players=players).settings)
    places = {name: axial(name, found.indents) for name in found.names}
    for a, (q, r) in places.items():
        assert names_around(found, a) == {b for b, p in places.items() if (p[0] - q, p[1] - r) in STEPS}
        for b, (q2, r2) in places.items():
            distance = max(abs(q2 - q), abs(r2 - r), abs(q2 - q + r2 - r))
            assert found.distance(found.names.index(a), found.names.index(b)) == distance
        assert q == int(a[1:]) - 1 - (r + r % 2) // 2


@pytest.mark.parametrize("players", [2, 4])
def test_r3_leaders_move_to_the_neighbours(players):
    found = map_of(make("rodentia", players=players).settings)
    seats = "\n".join(f"seat {k} {SPECIES[k]}, wolf" for k in range(players))
    wolves = "b7 *A" if players == 2 else "b7 *AB"
    for name in found.names:
        if name == "b7":
            continue
        own = "b3 #0^0" if name == "b3" else f"{name} #1^01" if name == "d7" else f"{name} ^0"
        if players == 4 and name in ("d1", "h2"):
            own = f"{name} #{2 if name == 'd1' else 3}^0{2 if name == 'd1' else 3}"
        table = at(f"next leader, seat 0\n{seats}\ndice wolf 1\n{own} {wolves}", players)
        assert table.places("leader") == names_around(found, name) - {"b7"}


def test_worked_position_1_hexes_and_adjacent_pairs():
    for players, hexes, pairs in ((2, 26, 58), (4, 52, 128)):
        found = map_of(make("rodentia", players=players).settings)
        assert len(found.faces) == hexes
        assert sum(map(len, found.neighbours)) == 2 * pairs
        assert all(found.faces[a] != found.faces[b] for a, around in enumerate(found.neighbours) for b in around)


def test_worked_position_2_neighbours():
    found = map_of(make("rodentia", players=4).settings)
    assert names_around(found, "b4") == {"a3", "a4", "b3", "b5", "c3", "c4"}
    assert names_around(found, "d1") == {"c1", "d2", "e1"}
    assert names_around(found, "e1") == {"d1", "d2", "e2", "f1", "f2"}
    assert names_around(found, "d7") == {"c6", "d6", "e6"}
    assert FACES[found.faces[found.names.index("b4")]] == "wolf"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "expected a key 'sheet1'"),
        ({"sheet2": SHEET}, "expected a key 'sheet1'"),
        ({"sheet1": "FGRSMG"}, "expected a list of rows"),
        ({"sheet1": [*SHEET[:3], ""]}, "expected a list of rows"),
        ({"sheet1": [*SHEET[:3], 7]}, "expected a list of rows"),
        ({"sheet1": [*SHEET[:3], "RMFSGRX"]}, "unknown letter 'X'"),
        ({"sheet1": [*SHEET[:3], "RMFSGRF"]}, "6 forest hexes instead of 5"),
        ({"sheet1": [*SHEET[:3], "RMFSGR"]}, "4 mountain hexes instead of 5"),
        ({"sheet1": [*SHEET[:3], "RMFSGRW"]}, "4 mountain hexes instead of 5"),
        ({"sheet1": [*SHEET, "W"]}, "2 wolf hexes instead of 1"),
        ({"sheet1": SHEET, "sheet2": [*SHEET, "F"]}, "sheet2: 6 forest hexes instead of 5"),
        ({"sheet1": SHEET, "indent": [0, 1]}, "expected a list of 4 integers"),
        ({"sheet1": SHEET, "indent": [0, 1, 0, 0.5]}, "expected a list of 4 integers"),
        ({"sheet1": SHEET, "indent": [0, 1, 0, 2]}, "differ by an odd number"),
        ({"sheet1": SHEET, "indent": [0, 1, 0, 99]}, "not connected"),
        ({"sheet1": SHEET, "indent": [0, 1, 0, 1001]}, "expected integers from"),
        ({"sheet1": SHEET, "letters": {"F": "wood"}}, "letters"),
    ],
)
def test_r2_a_broken_map_file_is_refused(tmp_path, content, message):
    with pytest.raises(OptionError, match=message):
        make("rodentia", players=2, map=write(tmp_path, **content))


@pytest.mark.parametrize("path", ["\0", "\ud800", "x" * 5000])
def test_r2_what_can_be_no_path_is_refused(path):
    with pytest.raises(OptionError, match="option 'map': "):
        make("rodentia", players=2, map=path)
    with pytest.raises(record.RecordError, match="option 'map': "):
        record.Record("rodentia", 2, {"map": path}, {}, []).variant()


def test_r2_records_are_replayed_on_the_map_as_it_is_now(tmp_path):
    for rows in (SHEET, TWO_ROWS, THREE_ROWS):
        path = write(tmp_path, sheet1=rows)
        for game in record.record_games(make("rodentia", players=2, map=path), 1, "uniform", trace=True):
            assert record.replay(game).over


def test_r2_a_file_that_is_no_map_is_refused(tmp_path):
    with pytest.raises(OptionError, match=r"nowhere\.json"):
        make("rodentia", players=2, map=str(tmp_path / "nowhere.json"))
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(OptionError, match="not a JSON file"):
        make("rodentia", players=2, map=str(tmp_path / "broken.json"))
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(OptionError, match="expected an object"):
        make("rodentia", players=2, map=str(tmp_path / "list.json"))


def test_r2_a_map_with_one_sheet_does_for_three_players_only(tmp_path):
    path = write(tmp_path, sheet1=SHEET)
    assert start(3, map=path).game.players == 3
    with pytest.raises(OptionError, match="sheet2"):
        make("rodentia", players=4, map=path)


def test_r2_rows_of_other_lengths_and_indents(tmp_path, monkeypatch):
    path = write(tmp_path, sheet1=TWO_ROWS)
    found = map_of(make("rodentia", players=2, map=path).settings)
    assert found.names[12:14] == ("a13", "b1")
    assert names_around(found, "a3") == {"a2", "a4", "b3", "b4"}
    monkeypatch.chdir(tmp_path)
    write(tmp_path, sheet1=TWO_ROWS, indent=[0, 3])
    moved = map_of(make("rodentia", players=2, map="map.json").settings)
    assert names_around(moved, "a3") == {"a2", "a4", "b1", "b2"}
    dice = "next leader, seat 0\nseat 0 squirrels, wolf\nseat 1 marmots, wolf\ndice wolf 1"
    table = at(f"{dice}\na1 #0 a3 ^0 a6 #1", map="map.json")
    assert table.places("leader") == {"a2", "a4", "b1", "b2"}


def test_r21_a_rodent_just_placed_is_a_source(tmp_path):
    path = write(tmp_path, sheet1=TWO_ROWS)
    table = at("a1 #0 a6 #1", map=path).dice("forest wolf", "wolf")
    assert table.places() == {"a2"}
    table.play("place:a2")
    assert table.places() == {"a2", "a3"}
    table.play("place:a3")
    assert table.places() == {"a2", "a3", "a4"}


@pytest.mark.parametrize(("direction", "hex_"), [("ascending", "a5"), ("descending", "a4")])
def test_r36_the_wolf_hex_counts_for_the_length_of_a_diagonal(tmp_path, direction, hex_):
    path = write(tmp_path, sheet1=THREE_ROWS)
    picture = f"a1 #0 a9 #1 {hex_} 0"
    assert goal_points(f"diagonal {direction}", picture, map=path, burrow_controlled=False) == [3, 0]


@jit
def betweens(s, hexes, out):
    """Writes which hexes `is_between` finds between which others."""
    for start_hex in range(hexes):
        for hex_ in range(hexes):
            for end in range(hexes):
                out[start_hex, hex_, end] = is_between(s, start_hex, hex_, end)


@pytest.mark.parametrize(
    ("players", "content"),
    [(1, {}), (4, {}), (1, {"sheet1": TWO_ROWS, "indent": [0, 3]}), (1, {"sheet1": THREE_ROWS, "indent": [5, 0, 3]})],
)
def test_r45_between_is_what_lies_on_a_shortest_way(tmp_path, players, content):
    settings = {"map": write(tmp_path, **content)} if content else {}
    game = make("rodentia", players=players, **settings)
    found = map_of(game.settings)
    hexes = len(found.names)
    steps = np.array([[found.distance(a, b) for b in range(hexes)] for a in range(hexes)])
    found_between = np.zeros((hexes, hexes, hexes), np.uint8)
    betweens(game.template[0], hexes, found_between)
    assert ((steps[:, :, None] + steps[None] == steps[:, None]) == found_between).all()
    assert found_between.sum() > hexes**2
