"""R40–R53: the solo game, on positions written as pictures. The burrow is d7 and the wolf starts on b4."""

import json

import pytest
from rodentia_positions import at, start

from rodentia.box import FACES
from tabletop.game import CHANCE, OVER

MOUNTAINS = {"a5", "b2", "c4", "d2", "d7"}
FORESTS_TAKEN = "a1 000   b3 000   b7 www   c5 www   d3 000"
RIVERS_TAKEN = "a3 000   b6 000   c3 000   d1 www   d6 www"
BEFORE_KING = "next leader, seat 0, side 2\nseat 0 marmots, forest\ndice river 1"


def solo(picture="", **settings):
    return at(picture, 1, **settings)


def wolf_first(picture, face, **settings):
    """An even round: the wolf acts with this die before the player does anything."""
    other = "grassland" if face != "grassland" else "swamp"
    return solo(f"round 2, starting player 0\n{picture}", **settings).dice(other, face)


def struck(picture):
    """The picture with the tally of its struck rodents."""
    return f"scared {picture.count('x')}\n{picture}"


def circles(table, name):
    return table.hex(name).partition("*")[0]


def test_r40_set_up():
    table = start(1)
    assert table.node() == "burrow, seat 0"
    assert table.places("burrow") == MOUNTAINS
    table.play("burrow:c4")
    assert table.hex("c4") == "#0^0"
    assert table.wolf() == "b4"
    assert table.node() == "roll, chance"
    assert table.line("goals") == ""
    assert table.line("seat 0") == "marmots"


def test_r41_two_different_dice():
    table = solo()
    assert table.weights() == {f"roll:{face}": 1 for face in FACES}
    table.play("roll:swamp")
    assert table.to_move() == CHANCE
    assert table.weights() == {f"roll:{face}": 1 for face in FACES if face != "swamp"}
    table.play("roll:wolf")
    assert table.legal() == {"take:swamp"}
    assert table.play("take:swamp").line("numbers") == "6 1"
    table = solo("numbers 3 1").play("roll:swamp roll:river")
    assert table.legal() == {"take:swamp", "take:river"}
    assert table.play("take:swamp").line("numbers") == "3 2"


def test_r42_initiative_in_turn():
    table = solo("round 3, starting player 0").dice("forest", "river")
    assert (table.node(), table.wolf()) == ("advanced, seat 0", "b4")
    assert table.play("stop").wolf() == "c3"
    table = solo("round 2, starting player 0").dice("forest", "river")
    assert (table.node(), table.hex("c3")) == ("advanced, seat 0", "ww*A")


@pytest.mark.parametrize(
    ("picture", "is_open"),
    [
        ("c6 0wwx", True),
        ("c6 00", True),
        ("c6 www", False),
        ("c6 000", False),
        ("c6 00wwx", False),
        ("c6 xxxxx", False),
        ("c6 *A", False),
        ("c6 ^0", True),
    ],
)
def test_r43_the_player_places_by_r19_to_r23(picture, is_open):
    table = solo(struck(picture)).dice("swamp", "forest")
    assert table.node() == ("place, seat 0" if is_open else "advanced, seat 0")
    assert ("c6" in table.places()) == is_open


def test_r43_up_to_three_rodents_and_a_jump():
    table = solo("scared 1\nc6 x").dice("swamp", "forest")
    assert table.play("place:c6").legal() == {"place:c6", "stop"}
    assert table.play("place:c6").node() == "leader, seat 0"
    table = solo().dice("forest", "river").play("place:a1")
    assert table.legal() == {"jump", "stay"}
    assert table.play("jump").leader() == "a1"
    assert solo(advanced_placement=False).dice("forest", "river").node() == "leader, seat 0"


@pytest.mark.parametrize(
    ("picture", "face", "target"),
    [
        ("", "forest", "b3"),  # the nearest
        ("b3 000", "forest", "c5"),  # c5 and d3 are next, c5 is nearer to the King
        ("b3 www", "forest", "c5"),
        ("b3 wwxxx", "forest", "c5"),  # no free circle and no rodent
        ("b3 0wwxx", "forest", "b3"),
        ("b3 *A", "forest", "d3"),  # not where it stands; a1 is as near, but farther from the King
        ("a1 000   b3 000   b7 000   c5 000   d3 000", "forest", "b3"),  # none in which it can act
        ("c4 #0^0", "mountain", "a5"),  # not the burrow
        ("c4 #0^0   a5 000   b2 000   d2 000   d7 000", "mountain", "a5"),
    ],
)
def test_r44_where_the_wolf_goes(picture, face, target):
    assert wolf_first(struck(picture), face).wolf() == target


def test_r44_it_does_not_act_where_it_cannot():
    table = wolf_first("a1 000   b3 000   b7 000   c5 000   d3 000", "forest")
    assert table.hex("b3") == "000*A"
    assert table.line("scared") == ""


def test_r45_the_king_is_caught_on_the_way():
    table = wolf_first("c4 ^0   b3 000", "forest")
    assert (table.wolf(), table.leader(), table.line("seat 0")) == ("c5", "d7", "marmots, grassland, 1 caught")
    assert circles(table, "c5") == "ww"  # it went on to its target
    table = wolf_first("a4 ^0   b3 000", "forest")
    assert (table.wolf(), table.leader()) == ("c5", "a4")
    table = wolf_first("c5 ^0   b3 000", "forest")
    assert (table.wolf(), table.leader()) == ("c5", "d7")
    table = wolf_first("c4 #0^0   b3 000", "forest")  # across the burrow, where he is safe
    assert (table.wolf(), table.line("seat 0")) == ("c5", "marmots, grassland")


def test_r46_two_steps_toward_the_king():
    table = wolf_first("d7 #0^0   c5 *A", "wolf")
    assert (table.node(), table.places("tie")) == ("tie_step, seat 0", {"c6", "d6"})
    table.play("tie:c6")  # the next step would be the burrow
    assert (table.wolf(), circles(table, "c6"), table.line("seat 0")) == ("c6", "ww", "marmots, grassland")
    table = wolf_first("a2 ^0", "wolf")
    assert table.places("tie") == {"a3", "b3"}
    table.play("tie:b3")
    assert (table.wolf(), table.leader(), circles(table, "a2")) == ("a2", "d7", "ww")


def test_r46_it_stops_when_it_catches_and_acts_there():
    table = wolf_first("c4 0^0", "wolf")
    assert (table.wolf(), table.leader(), circles(table, "c4")) == ("c4", "d7", "wx")
    table = wolf_first("c6 *A", "wolf")  # beside the burrow it cannot move
    assert (table.wolf(), circles(table, "c6")) == ("c6", "ww")


def test_r46_parameter_wolf_steps():
    table = wolf_first("a2 ^0", "wolf", wolf_steps=1).play("tie:b3")
    assert (table.wolf(), table.leader(), circles(table, "b3")) == ("b3", "a2", "ww")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "ww"),
        ("0", "wx"),
        ("00", "xx"),
        ("w", "www"),
        ("ww", "www"),
        ("0ww", "wwwx"),
        ("00ww", "wwxx"),
        ("wwxx", "wwwxx"),
        ("0wwxx", "wwxxx"),
        ("0wxxx", "wxxxx"),
        ("xxxx", "wxxxx"),
    ],
)
def test_r47_acting_by_the_number_of_rodents(before, after):
    table = wolf_first(struck(f"b3 {before}" if before else ""), "forest")
    assert circles(table, "b3") == after
    assert table.line("scared") == (str(after.count("x")) if "x" in after else "")


@pytest.mark.parametrize(
    ("before", "results"),
    [
        ("", {"mark": "ww"}),
        ("0", {"mark": "0ww", "scare": "x", "mix": "wx"}),
        ("00", {"mark": "00ww", "scare": "xx", "mix": "0wx"}),
        ("ww", {"mark": "www"}),
        ("0wwxx", {"scare": "wwxxx"}),
        ("0xxx", {"mark": "0wxxx", "scare": "xxxx", "mix": "wxxxx"}),
    ],
)
def test_r47_option_solo_action(before, results):
    picture = struck(f"b3 {before}" if before else "")
    assert wolf_first(picture, "forest", solo_action="player").legal() == set(results)
    for action, after in results.items():
        table = wolf_first(picture, "forest", solo_action="player").play(action)
        assert circles(table, "b3") == after


def test_r48_ties():
    table = wolf_first("b2 #0^0", "river")
    assert (table.node(), table.legal()) == ("tie_target, seat 0", {"tie:a3", "tie:c3"})
    assert table.play("tie:c3").hex("c3") == "ww*A"
    assert wolf_first("b2 #0^0", "river", solo_ties="fixed").wolf() == "a3"  # the top row first
    table = wolf_first("c5 *A", "wolf", solo_ties="fixed")
    assert table.wolf() == "c6"
    # b3 and b4 lie between a3 and c3: the leftmost of a row.
    assert wolf_first("c3 ^0   a3 *A", "wolf", solo_ties="fixed", wolf_steps=1).wolf() == "b3"


def test_r49_the_king_must_leave_his_burrow():
    assert solo(BEFORE_KING).legal() == {"leader:c6", "leader:d6"}
    assert solo(BEFORE_KING, solo_king="free").legal() == {"leader:c6", "leader:d6", "stay"}
    assert solo(f"{BEFORE_KING}\nc6 *A").legal() == {"leader:d6"}
    assert solo(f"{BEFORE_KING}\nd6 ^0").legal() == {"leader:c5", "leader:c6", "leader:d5", "leader:d7", "stay"}
    assert solo(f"{BEFORE_KING}\nd6 ^0").play("stay").leader() == "d6"


def test_r49_no_move_if_the_wolf_bars_the_only_way(tmp_path):
    path = tmp_path / "map.json"
    path.write_text(json.dumps({"sheet1": ["MFFFFFRRRRRSSSSSGGGGGMMMMW"]}))
    table = solo("a1 #0^0   a2 *A", map=str(path)).dice("river", "wolf").play("stop")
    assert (table.node(), table.leader(), table.wolf()) == ("roll, chance", "a1", "a2")


def test_r50_three_equal_numbers_the_wolf_hunts():
    table = solo(f"{BEFORE_KING}\nnumbers 2 3, 5 1", solo_ties="fixed").play("leader:d6")
    assert (table.wolf(), table.line("numbers"), table.leader()) == ("c5", "5 1", "d6")
    assert circles(table, "c5") == ""  # it does not act
    table = solo(f"{BEFORE_KING}\nnumbers 2 4, 5 1, 1 1, 3 1\nc5 *A").play("leader:d6")
    assert table.line("seat 0") == "marmots, 1 caught"
    assert (table.leader(), table.wolf()) == ("d7", "d6")
    assert table.line("numbers") == "1 1, 2 1, 3 1, 5 1"  # four different ones wait for the next round


def test_r50_four_different_numbers_two_marks():
    numbers = f"{BEFORE_KING}\nnumbers 1 1, 3 2, 5 1, 6 1"
    table = solo(f"{numbers}\na1 w   b1 ww   c2 w").play("leader:d6")
    assert table.line("numbers") == "3 1"
    assert [circles(table, name) for name in ("a1", "b1", "c2")] == ["w", "www", "ww"]
    table = solo(f"{numbers}\nb5 w   d5 w   c6 ^0").play("leader:c5")
    assert (table.node(), table.legal()) == ("tie_mark, seat 0", {"tie:b5", "tie:d5"})  # although both get a mark
    table.play("tie:d5")
    assert (table.node(), circles(table, "b5"), circles(table, "d5")) == ("roll, chance", "ww", "ww")


def test_r50_where_no_mark_is_made():
    numbers = f"{BEFORE_KING}\nnumbers 1 1, 3 1, 5 1, 6 1"
    table = solo(f"{numbers}\nscared 3\na1 www   b1 wwxxx   d6 w   c2 000w").play("leader:d6")
    assert [circles(table, name) for name in ("a1", "b1", "d6", "c2")] == ["www", "wwxxx", "w^0", "000w"]
    assert (table.line("numbers"), table.node()) == ("", "roll, chance")
    table = solo(f"{BEFORE_KING}\nnumbers 1 2, 3 2, 5 1\na1 w").play("leader:d6")
    assert (table.line("numbers"), circles(table, "a1")) == ("1 2, 3 2, 5 1", "w")


def test_r51_the_third_catch_ends_the_game_at_once():
    twice = "seat 0 marmots, 2 caught"
    table = wolf_first(f"{twice}\nc4 ^0   b3 000", "forest")
    assert (table.node(), table.to_move()) == ("ended, King caught three times", OVER)
    assert circles(table, "c5") == ""
    table = wolf_first(f"{twice}\nc4 0^0", "wolf")
    assert (table.node(), circles(table, "c4")) == ("ended, King caught three times", "0")
    hunted = BEFORE_KING.replace("forest", "forest, 2 caught")
    table = solo(f"{hunted}\nnumbers 2 3\nc5 *A").play("leader:d6")
    assert table.node() == "ended, King caught three times"


def test_r52_the_last_round():
    last = BEFORE_KING + "\nround 14, starting player 0\nnumbers 2 3"
    table = solo(f"{last}\nc5 *A").play("leader:d6")
    assert table.node() == "ended, last round"
    assert table.line("seat 0").endswith("1 caught")  # R50 comes before
    assert solo(f"{BEFORE_KING}\nround 13, starting player 0").play("leader:d6").node() == "roll, chance"
    table = solo(f"{BEFORE_KING}\nround 2, starting player 0", solo_rounds=2).play("leader:d6")
    assert table.node() == "ended, last round"


def test_r52_neither_side_can_take_terrain():
    blocked = f"{FORESTS_TAKEN}   {RIVERS_TAKEN}"
    table = solo(blocked).play("roll:forest roll:river")
    assert (table.node(), table.to_move()) == ("ended, blocked dice", OVER)
    assert solo(blocked.replace("d6 www", "d6 ww")).play("roll:forest roll:river").node() == "take, seat 0"
    # The wolf's own hex is no target, and closed to the player.
    assert solo(blocked.replace("d6 www", "d6 *A")).play("roll:forest roll:river").to_move() == OVER
    # A hex that is full holds a rodent, which the wolf can scare.
    full = f"scared 2\n{blocked.replace('d6 www', 'd6 0wwxx')}"
    assert solo(full).play("roll:forest roll:river").node() == "take, seat 0"
    assert solo(blocked).play("roll:forest roll:wolf").legal() == {"take:forest"}


@pytest.mark.parametrize(("own_hex", "ends"), [("www", True), ("ww", False)])
def test_r52_a_wolf_die_is_able_while_there_is_any_hex(own_hex, ends):
    names = [f"{row}{col}" for row, cols in zip("abcd", (6, 7, 6, 7), strict=True) for col in range(1, cols + 1)]
    taken = "   ".join(f"{name} 000" for name in names if name not in ("b4", "d7", "a6"))
    table = solo(f"{taken}\na6 {own_hex}*A").play("roll:forest roll:wolf")
    assert (table.to_move() == OVER) == ends


SCORES = [
    ("", {}, 2),
    ("", {"burrow_controlled": False}, 0),
    ("a1 0   a3 00w   b1 000", {}, 8),
    ("a1 w   a3 0ww   b1 www", {}, -4),
    ("a1 0w", {}, 2),
    ("scared 3\na1 0xx   a3 x", {}, 1),
    ("seat 0 marmots, 1 caught", {}, -1),
    ("seat 0 marmots, 2 caught", {}, -3),
    ("seat 0 marmots, 2 caught", {"catch_vp": [3, 15, 7]}, -13),
    ("a1 0   a3 w   b1 w", {"solo_hex_vp": 5}, 0),
    ("a1 0   a3 0   b1 w", {"solo_hex_vp": 5}, 10),
    ("scared 2\na1 xx", {"solo_scare_vp": 4}, -6),
]


@pytest.mark.parametrize(("picture", "settings", "score"), SCORES)
def test_r53_score(picture, settings, score):
    assert solo(picture, **settings).scores() == [score]


def test_r53_win():
    nine = "a1 0   a2 0   a3 0   a4 0   a5 0   a6 0   b1 0   b2 0   b3 0"
    assert solo(nine).ranking() == [1]  # with the burrow ten hexes
    assert solo(nine, burrow_controlled=False).ranking() == [2]
    assert solo(nine.replace("   b3 0", "")).ranking() == [2]
    assert solo(nine.replace("   b3 0", ""), solo_win_hexes=9).ranking() == [1]
    assert solo(nine, solo_win_hexes=11).ranking() == [2]
    lost = "   ".join(f"{name} w" for name in ["c1", "c2", "c3", "c4", "c5", "c6", "d1", "d2", "d3", "d4"])
    assert (solo(f"{nine}\n{lost}").scores(), solo(f"{nine}\n{lost}").ranking()) == ([0], [2])


def finish_round(table):
    """Plays a round to its end: places nothing more, stays where it can be."""
    while table.to_move() >= 0:
        legal = sorted(table.legal())
        table.play("stop" if "stop" in legal else "stay" if "stay" in legal else legal[0])
    return table


def test_worked_position_11_numbers():
    table = finish_round(solo("numbers 2 2, 5 1").dice("swamp", "mountain"))
    assert table.line("numbers") == "5 1"
    for taken, free, left in (
        ("swamp", "forest", "1 1, 5 1"),
        ("swamp", "river", "1 1, 3 1, 5 1"),
        ("swamp", "wolf", ""),
    ):
        assert finish_round(table.dice(taken, free)).line("numbers") == left


def test_worked_position_11_marks():
    table = wolf_first("b3 0ww", "forest")
    assert circles(table, "b3") == "wwwx"
    assert table.line("b").split()[2] == "Fwwwx.*A"  # one circle left
    assert table.scores() == [2 - 2 - 1]
