"""Each paragraph of the rules for two to five players, on positions written as pictures."""

import pytest
from rodentia_positions import BURROWS, PLAYERS, SPECIES, at, goal_points, start

from rodentia.box import FACES, GOALS
from tabletop.game import CHANCE, OVER
from tabletop.options import OptionError
from tabletop.variant import make

FORESTS = {"a1", "b3", "b7", "c5", "d3"}
BLOCKED_FORESTS = "a1 000   b7 000   c5 111   d3 000"  # b3 is a burrow
GOALS_NAMED = {"goals": ["row", "edges"]}


# ---------------------------------------------------------------- components and set-up


def test_r4_five_circles_a_hex():
    table = at("a3 0011   c3 111", 3).dice("river wolf wolf", "wolf")
    assert table.places() == {"a3"}
    table.play("place:a3")
    assert table.hex("a3") == "00011"
    table = at("a3 01122", 3).dice("river wolf wolf", "wolf")
    assert table.places() == {"c3"}


def test_r4_the_wolf_hex_has_no_circles_and_is_never_controlled():
    assert at("b4 ^0   b1 *A").scores()[0] == 2  # the burrow, and nothing for the leader
    seat = "seat 0 squirrels, wolf\nseat 1 marmots, wolf\ndice wolf 1"
    table = at(f"next leader, seat 0\n{seat}\nb4 ^0   b1 *A").play("stay stay stop stop")
    assert table.hex("b4") == "^0"


@pytest.mark.parametrize(("players", "dice"), [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)])
def test_r5_faces_and_number_of_dice(players, dice):
    table = at("", players)
    assert [token.partition(":")[2] for token in table.game.event_ids if token.startswith("roll:")] == list(FACES)
    assert FACES == ("forest", "mountain", "river", "swamp", "grassland", "wolf")
    for face in FACES[:dice]:
        assert table.to_move() == CHANCE
        table.play(f"roll:{face}")
    assert table.to_move() == 0


@pytest.mark.parametrize(("species", "home"), list(zip(SPECIES, FACES, strict=False)))
def test_r6_home_terrains(species, home):
    other = "moles" if species != "moles" else "otters"
    table = start(2, species=[other, species], **GOALS_NAMED)
    homes = {
        "forest": FORESTS,
        "mountain": {"a5", "b2", "c4", "d2", "d7"},
        "river": {"a3", "b6", "c3", "d1", "d6"},
        "swamp": {"a4", "b1", "c2", "c6", "d4"},
        "grassland": {"a2", "a6", "b5", "c1", "d5"},
    }
    assert table.places("burrow") == homes[home]


def test_r7_wolves():
    assert start(3).wolf("A") == "b4"
    table = start(4)
    assert (table.wolf("A"), table.wolf("B")) == ("b4", "f4")
    assert "*B" not in start(3).text()


@pytest.mark.parametrize("players", PLAYERS)
def test_r8_two_different_goals(players):
    table = start(players)
    names = set(GOALS) - ({"zones"} if players == 2 else set())
    assert table.weights() == {f"goal:{name}": 1 for name in names}
    table.play("goal:area")
    assert table.weights() == {f"goal:{name}": 1 for name in names - {"area"}}
    table.play("goal:edges")
    assert table.line("goals") == "area, edges"
    assert table.node() == "species, chance"


def test_r8_option_goals():
    table = start(2, goals=["zones", "row"])
    assert table.line("goals") == "row, zones"
    assert table.node() == "species, chance"
    for wrong in (["row"], ["row", "row"], ["row", "rows"], "fixed", ["row", "area", "zones"]):
        with pytest.raises(OptionError, match="goals"):
            make("rodentia", players=3, goals=wrong)


def test_r9_direction_of_the_diagonal():
    table = start(3).play("goal:diagonal goal:row")
    assert table.weights() == {"diagonal:ascending": 1, "diagonal:descending": 1}
    assert table.play("diagonal:descending").line("goals") == "row, diagonal descending"
    assert table.node() == "species, chance"
    for direction in ("ascending", "descending"):
        table = start(3, diagonal=direction, goals=["diagonal", "area"])
        assert table.line("goals") == f"area, diagonal {direction}"
        assert table.node() == "species, chance"
    assert start(3, diagonal="descending", **GOALS_NAMED).line("goals") == "row, edges"


def test_r10_species():
    table = start(3, **GOALS_NAMED)
    left = set(SPECIES)
    for name in ("otters", "moles", "squirrels"):
        assert table.weights() == {f"species:{species}": 1 for species in left}
        table.play(f"species:{name}")
        left.remove(name)
    assert [table.line(f"seat {k}") for k in range(3)] == ["otters", "moles", "squirrels"]
    table = start(3, species=["moles", "beavers", "otters"], **GOALS_NAMED)
    assert [table.line(f"seat {k}") for k in range(3)] == ["moles", "beavers", "otters"]
    assert table.places("burrow") == {"a3", "b6", "c3", "d1", "d6"}
    for wrong in (["moles", "moles", "otters"], ["moles"], ["mice", "moles", "otters"]):
        with pytest.raises(OptionError, match="species"):
            make("rodentia", players=3, species=wrong)


def test_r11_burrows_last_seat_first():
    table = start(3, species=["squirrels", "marmots", "otters"], **GOALS_NAMED)
    for seat, hex_ in ((2, "a3"), (1, "b2"), (0, "b3")):
        assert table.node() == f"burrow, seat {seat}"
        table.play(f"burrow:{hex_}")
        assert table.hex(hex_) == f"#{seat}^{seat}"
    assert table.node() == "roll, chance"


def test_r11_no_neighbouring_burrows_with_the_goal_burrows():
    settings = {"species": ["squirrels", "marmots", "otters"], "goals": ["burrows", "row"]}
    table = start(3, **settings).play("burrow:a3")
    assert table.places("burrow") == {"a5", "b2", "c4", "d2", "d7"}
    assert table.play("burrow:b2").places("burrow") == {"b7", "c5", "d3"}  # a1 and b3 touch b2
    assert start(3, **settings | GOALS_NAMED).play("burrow:a3 burrow:b2").places("burrow") == FORESTS


def test_r11_every_home_hex_if_no_site_is_left(tmp_path):
    path = tmp_path / "map.json"
    path.write_text('{"sheet1": ["FF", "FMF", "FW", "MMMMRRRRRSSSSSGGGGG"]}')  # all forests are around b2
    settings = {"species": ["squirrels", "marmots"], "goals": ["burrows", "row"], "map": str(path)}
    assert start(2, **settings).play("burrow:d1").places("burrow") == {"a1", "a2", "b1", "b3"}
    assert start(2, **settings).play("burrow:b2").places("burrow") == {"a1", "a2", "b1", "b3", "c1"}


@pytest.mark.parametrize("players", PLAYERS)
def test_r12_leaders_at_home_counters_zero_seat_0_starts(players):
    table = start(players, species=list(SPECIES[:players]), **GOALS_NAMED)
    table.play(" ".join(f"burrow:{hex_}" for hex_ in reversed(BURROWS[:players])))
    assert table.node() == "roll, chance"
    assert table.line("round") == "1, starting player 0"
    for seat in range(players):
        assert table.leader(seat) == BURROWS[seat]
        assert table.line(f"seat {seat}") == SPECIES[seat]
    assert table.line("bonus") == ""
    table.play(" ".join(["roll:river"] * (players + 1)))
    assert table.node() == "take, seat 0"


def test_r13_a_burrow_is_closed_to_everybody_and_scores():
    for controlled, points in ((True, [5, 5]), (False, [3, 3])):
        table = at("a3 ^1 b6 ^0", burrow_controlled=controlled)
        assert table.scores() == [points[0] - 3, points[1] - 3]
        assert at("", burrow_controlled=controlled).scores() == points
        table = at("d7 ^0 c6 ^1", burrow_controlled=controlled).dice("forest mountain", "wolf")
        assert table.node() == "advanced, seat 0"
        assert "b3" not in table.places()
        assert "d7" not in table.play("stop").places()
    assert goal_points("row", "") == [3, 3]
    assert goal_points("row", "", burrow_controlled=False) == [0, 0]


# ---------------------------------------------------------------- phase 1


@pytest.mark.parametrize("players", PLAYERS)
def test_r14_dice_are_fair(players):
    table = at("", players)
    for _ in range(players + 1):
        assert table.weights() == {f"roll:{face}": 1 for face in FACES}
        table.play("roll:swamp")
    assert table.line("dice") == f"swamp {players + 1}"


def test_r15_dice_are_taken_in_turn_order():
    table = at("round 3, starting player 2", 3).play("roll:river roll:swamp roll:river roll:wolf")
    assert table.node() == "take, seat 2"
    assert table.legal() == {"take:river", "take:swamp", "take:wolf"}
    table.play("take:swamp")
    assert table.node() == "take, seat 0"
    assert table.legal() == {"take:river", "take:wolf"}
    table.play("take:river")
    assert table.node() == "take, seat 1"
    assert table.play("take:wolf").line("dice") == "river 1"


def test_r16_the_game_ends_at_once_if_all_dice_left_are_blocked():
    table = at(BLOCKED_FORESTS).play("roll:forest roll:forest roll:forest")
    assert table.to_move() == OVER
    assert table.node() == "ended, blocked dice"
    assert table.line("bonus") == ""
    table = at(BLOCKED_FORESTS).play("roll:forest roll:forest roll:river take:river")
    assert table.node() == "ended, blocked dice"  # seat 0 does not place any more
    assert table.hex("a3") == ""


def test_r16_blocked_for_the_player_whose_turn_it_is():
    others = "a1 000   b7 000   c5 111   d3"
    assert at(f"{others} ^1").play("roll:forest roll:forest roll:forest").to_move() == OVER
    assert at(f"{others} ^0").play("roll:forest roll:forest roll:forest").node() == "take, seat 0"
    table = at(f"{others} ^0").play("roll:forest roll:forest roll:forest take:forest")
    assert table.node() == "ended, blocked dice"


@pytest.mark.parametrize("goes_on", [True, False])
def test_r16_option_six_prevents_end(goes_on):
    for dice in ("forest wolf forest", "wolf wolf wolf"):
        table = at(BLOCKED_FORESTS, six_prevents_end=goes_on)
        table.play(" ".join(f"roll:{face}" for face in dice.split()))
        assert table.node() == ("take, seat 0" if goes_on else "ended, blocked dice")
    table = at(BLOCKED_FORESTS, six_prevents_end=False).play("roll:forest roll:wolf roll:river")
    assert table.legal() == {"take:forest", "take:wolf", "take:river"}


def test_r17_a_blocked_die_taken_freely_places_nothing():
    table = at(BLOCKED_FORESTS).dice("forest river", "forest")
    assert table.node() == "place, seat 1"
    assert table.places() == {"b6", "d6"}


# ---------------------------------------------------------------- phase 2


def test_r18_a_wolf_die_places_nothing():
    table = at().dice("wolf river", "swamp")
    assert table.node() == "place, seat 1"
    assert at().dice("wolf wolf", "swamp").node() == "leader, seat 0"


@pytest.mark.parametrize(
    ("there", "is_open"),
    [
        ("a3 00", True),
        ("a3 0011", True),
        ("a3 000", False),
        ("a3 111", False),
        ("a3 00112", False),
        ("a3 *A", False),
        ("a3 ^1", False),
        ("a3 ^0", True),
        ("a3 ^01", False),
        ("a3 #2", False),
    ],
)
def test_r19_open_hexes(there, is_open):
    table = at(there, 3).dice("river wolf wolf", "wolf")
    assert table.places() == ({"a3", "c3"} if is_open else {"c3"})


def test_r20_sources_and_reach():
    assert at().dice("river wolf", "wolf").places() == {"a3", "c3"}  # around the burrow
    assert at("a6 0").dice("river wolf", "wolf").places() == {"a3", "b6", "c3"}  # a6 touches b6
    assert at("d6 0").dice("river wolf", "wolf").places() == {"a3", "c3", "d6"}
    assert at("c5 0111").dice("river wolf", "wolf").places() == {"a3", "b6", "c3", "d6"}  # controlled by another
    assert at("c5 111").dice("river wolf", "wolf").places() == {"a3", "c3"}


@pytest.mark.parametrize(
    ("option", "own_hex", "neighbour"),
    [("hex_and_neighbours", True, True), ("hex", True, False), ("neighbours", False, True)],
)
def test_r20_option_leader_source(option, own_hex, neighbour):
    table = at("d6 ^0", leader_source=option).dice("river wolf", "wolf")
    assert ("d6" in table.places()) == own_hex
    table = at("d5 ^0", leader_source=option).dice("river wolf", "wolf")
    assert ("d6" in table.places()) == neighbour
    assert {"a3", "c3"} <= table.places()


def test_r21_one_to_three_rodents():
    table = at().dice("river wolf", "wolf")
    assert table.legal() == {"place:a3", "place:c3"}
    assert table.play("place:a3").legal() == {"place:a3", "place:c3", "stop"}
    assert table.play("place:a3").legal() == {"place:c3", "stop"}  # two in a hex at most
    assert table.play("place:c3").node() == "leader, seat 0"
    assert (table.hex("a3"), table.hex("c3")) == ("00", "0")
    assert at().dice("river wolf", "wolf").play("place:c3 stop").node() == "leader, seat 0"


def test_r21_all_is_checked_anew_and_it_ends_without_candidates():
    table = at("a3 00").dice("river wolf", "wolf").play("place:a3")
    assert table.places() == {"c3"}
    table = at("a3 00   c3 111").dice("river wolf", "wolf").play("place:a3")
    assert table.node() == "leader, seat 0"
    table = at("a3 0   c3 111").dice("river wolf", "wolf").play("place:a3 place:a3")
    assert table.node() == "leader, seat 0"


def test_r22_three_rodents_control_for_good():
    table = at("a3 0011   c3 111").dice("river wolf", "wolf").play("place:a3")
    assert table.node() == "leader, seat 0"
    assert table.scores()[0] == at("a3 000").scores()[0]
    table = at("c3 111", control=4).dice("river wolf", "wolf")
    assert table.places() == {"a3", "c3"}
    assert at("a3 0", control=2).dice("river wolf", "wolf").play("place:a3").places() == {"c3"}


def test_r23_advanced_placement():
    table = at().dice("forest wolf", "wolf")
    assert table.legal() == {"place:a1", "place:b7", "place:c5", "place:d3", "stop"}
    table.play("place:c5")
    assert table.legal() == {"jump", "stay"}
    table.play("jump")
    assert (table.hex("c5"), table.leader()) == ("0^0", "c5")
    assert table.node() == "leader, seat 0"
    assert table.play("leader:b5").leader() == "b5"  # the move of phase 3 is not used up
    assert at().dice("forest wolf", "wolf").play("place:c5 stay").leader() == "b3"
    assert at().dice("forest wolf", "wolf").play("stop").node() == "leader, seat 0"


def test_r23_no_jump_to_where_the_leader_is():
    table = at("c5 ^0", leader_source="neighbours").dice("forest wolf", "wolf")
    assert table.legal() == {"place:a1", "place:b7", "place:c5", "place:d3", "stop"}
    assert table.play("place:c5").node() == "leader, seat 0"


def test_r23_only_if_there_was_no_candidate_at_the_start_and_an_open_hex():
    table = at("a3 00   c3 111").dice("river wolf", "wolf").play("place:a3")
    assert table.node() == "leader, seat 0"
    assert at(BLOCKED_FORESTS).dice("forest wolf", "wolf").node() == "leader, seat 0"


def test_r23_option_advanced_placement():
    assert at(advanced_placement=False).dice("forest wolf", "wolf").node() == "leader, seat 0"
    assert at(advanced_placement=False).dice("river wolf", "wolf").places() == {"a3", "c3"}


# ---------------------------------------------------------------- phase 3


def test_r24_all_leaders_then_all_wolves_in_turn_order():
    table = at("round 2, starting player 1\nd6 2", 3).dice("wolf river wolf", "swamp")
    assert table.node() == "place, seat 2"
    table.play("place:d6 stop")
    for seat in (1, 2, 0):
        assert table.node() == f"leader, seat {seat}"
        table.play("stay")
    for seat in (1, 0):
        assert table.node() == f"wolf_step, seat {seat}"
        table.play("stop")
    assert table.node() == "roll, chance"


def test_r25_where_a_leader_may_go():
    table = at("a3 ^0   a2 ^1   a4 111").dice("wolf wolf", "wolf")
    assert table.legal() == {"leader:a2", "leader:a4", "leader:b3", "stay"}  # not b4: the wolf
    assert at("a3 ^0   a4 *A").dice("wolf wolf", "wolf").places("leader") == {"a2", "b3", "b4"}
    assert at("d6 ^0").dice("wolf wolf", "wolf").places("leader") == {"c5", "c6", "d5", "d7"}  # a foreign burrow
    table = at("a3 ^0   b3 #0*A").dice("wolf wolf", "wolf")
    assert table.places("leader") == {"a2", "a4", "b4"}  # not the own burrow under a wolf
    table = at("a3 ^0*A").dice("wolf wolf", "wolf")
    assert table.legal() == {"leader:a2", "leader:a4", "leader:b3", "leader:b4", "stay"}
    assert table.play("leader:a4").leader() == "a4"


def moved_leaders(table, players):
    """Plays on until all leaders have stayed."""
    for _ in range(players):
        table.play("stay")
    return table


def test_r26_who_moves_a_wolf():
    table = at("", 3).dice("river wolf wolf", "wolf").play("place:a3 stop")
    assert moved_leaders(table, 3).node() == "wolf_step, seat 1"
    assert table.play("stop").node() == "wolf_step, seat 2"
    assert table.play("stop").node() == "roll, chance"
    table = at("round 2, starting player 1").dice("river river", "wolf").play("place:d6 stop place:a3 stop")
    assert moved_leaders(table, 2).node() == "wolf_step, seat 1"
    assert table.play("wolf_a:b3 stop").node() == "roll, chance"
    table = at("").dice("river river", "swamp").play("place:a3 stop place:d6 stop")
    assert moved_leaders(table, 2).node() == "roll, chance"


def test_r27_one_or_two_steps():
    table = moved_leaders(at().dice("wolf wolf", "swamp"), 2)
    around = {f"wolf_a:{hex_}" for hex_ in ["a3", "a4", "b3", "b5", "c3", "c4"]}
    assert table.legal() == around | {"stop"}
    table.play("wolf_a:a4")
    assert table.legal() == {"wolf_a:a3", "wolf_a:a5", "wolf_a:b4", "wolf_a:b5", "stop"}
    assert table.play("wolf_a:b4").node() == "wolf_step, seat 1"  # back to where it came from
    table = at("b3 #0^0 a3 000").dice("river river", "wolf").play("place:c3 stop place:d6 stop")
    assert moved_leaders(table, 2).legal() == around  # forced: no `stop`, controlled hexes and burrows allowed
    assert "stop" in table.play("wolf_a:a3").legal()


def test_r27_the_second_step_may_be_the_other_wolfs():
    table = moved_leaders(at("c3 *B", 4).dice("wolf wolf wolf wolf", "swamp"), 4)
    assert table.places("wolf_b") == {"b3", "b4", "c2", "c4", "d3", "d4"}
    table.play("wolf_a:b5")
    assert "stop" in table.legal()
    assert table.places("wolf_a") == {"a4", "a5", "b4", "b6", "c4", "c5"}
    table.play("wolf_b:b4")
    assert (table.wolf("A"), table.wolf("B")) == ("b5", "b4")
    assert table.node() == "wolf_step, seat 1"
    assert table.play("wolf_a:b4").wolf("A") == "b4"  # the other wolf's hex


def test_r28_a_wolf_catches_every_leader_where_it_enters():
    table = moved_leaders(at("a3 00^01   a4 ^2", 3).dice("wolf wolf wolf", "swamp"), 3)
    table.play("wolf_a:a3")
    assert [table.leader(seat) for seat in range(3)] == ["b3", "d7", "a4"]
    assert [table.line(f"seat {k}").endswith("1 caught") for k in range(3)] == [True, True, False]
    assert table.play("wolf_a:a4").leader(2) == "d1"  # it went on
    assert table.line("seat 2") == "otters, wolf, 1 caught"


def test_r28_leaders_in_burrows_are_safe():
    table = moved_leaders(at("b3 #0^01").dice("wolf wolf", "swamp"), 2).play("wolf_a:b3")
    assert (table.leader(0), table.leader(1)) == ("b3", "b3")
    assert "caught" not in table.text()
    table = moved_leaders(at("a3 ^0   b3 #0*B", 4).dice("wolf wolf wolf wolf", "swamp"), 4).play("wolf_a:a3")
    assert table.leader(0) == "b3"
    assert table.line("seat 0") == "squirrels, wolf, 1 caught"


def test_r29_marks_stop_at_three_but_the_leader_goes_home():
    table = moved_leaders(at("seat 0 squirrels, 3 caught\na3 ^0").dice("wolf wolf", "swamp"), 2).play("wolf_a:a3")
    assert table.leader(0) == "b3"
    assert table.line("seat 0") == "squirrels, wolf, 3 caught"


# ---------------------------------------------------------------- phase 4 and the end


def whole_round(picture, taken, free, players=2, **settings):
    """A round in which everybody takes wolf dice or a blocked one, and passes."""
    table = moved_leaders(at(picture, players, **settings).dice(taken, free), players)
    while "stop" in table.legal():
        table.play("stop")
    return table


def test_r30_the_free_die_gives_an_x():
    assert whole_round("", "wolf wolf", "swamp").line("bonus") == "swamp 1"
    assert whole_round("bonus forest 2, swamp 299", "wolf wolf", "swamp").line("bonus") == "forest 2, swamp 300"
    assert whole_round("", "wolf wolf", "wolf").line("bonus") == ""


def test_r31_the_next_seat_starts_and_the_game_ends_after_max_rounds():
    table = whole_round("round 5, starting player 1", "wolf wolf wolf", "river", 3)
    assert table.line("round") == "6, starting player 2"
    assert (
        whole_round("round 5, starting player 2", "wolf wolf wolf", "river", 3).line("round") == "6, starting player 0"
    )
    assert whole_round("round 99, starting player 0", "wolf wolf", "river").node() == "roll, chance"
    table = whole_round("round 100, starting player 0", "wolf wolf", "river")
    assert table.node() == "ended, last round"
    assert (table.line("bonus"), table.scores()) == ("river 1", [5, 5])
    assert whole_round("", "wolf wolf", "river", max_rounds=1).node() == "ended, last round"


def test_r32_a_blocked_die_ends_the_game_with_normal_scoring():
    table = at(f"goals row\nbonus forest 1\n{BLOCKED_FORESTS}").play("roll:forest roll:forest roll:forest")
    assert table.to_move() == OVER
    # Seat 0: four forests of 3, leader 3, rows a, b and d (tie). Seat 1: c5 2, d7 2, leader 3, rows c and d.
    assert table.scores() == [4 * 3 + 3 + 9, 2 + 2 + 3 + 6]


WOLF_ENDS = [
    ((3, 2), "all_of", True),
    ((3, 1), "all_of", False),
    ((3, 2, 0), "all_of", False),
    ((3, 2, 1), "all_of", True),
    ((2, 2, 2), "all_of", False),
    ((1, 1), "any_of", True),
    ((1, 0), "any_of", False),
    ((2, 2, 0), "any_of", True),
    ((2, 1, 0), "any_of", False),
    ((3, 0, 0), "any_of", True),
    ((3, 2, 2, 1), "all_of", True),
]


def after_catches(catches, **settings):
    """A round in which seat 0 is caught and the counters come to these numbers."""
    before = (catches[0] - 1, *catches[1:])
    seats = "\n".join(f"seat {k} {SPECIES[k]}, {number} caught" for k, number in enumerate(before))
    players = len(catches)
    table = at(f"{seats}\na3 ^0", players, **settings).dice(" ".join(["wolf"] * players), "river")
    moved_leaders(table, players).play("wolf_a:a3 stop")
    while "stop" in table.legal():
        table.play("stop")
    return table


@pytest.mark.parametrize(("catches", "option", "ends"), WOLF_ENDS)
def test_r33_wolf_end(catches, option, ends):
    table = after_catches(catches, wolf_end=option)
    assert table.node() == ("ended, wolf end" if ends else "roll, chance")
    assert table.line("bonus") == "river 1"  # tested after phase 4


# ---------------------------------------------------------------- parameters


def test_numbers_of_rodents_and_steps():
    table = at(rodents_per_turn=1).dice("river wolf", "wolf").play("place:a3")
    assert table.node() == "leader, seat 0"
    assert at(rodents_per_hex_per_turn=1).dice("river wolf", "wolf").play("place:a3").places() == {"c3"}
    table = at(rodents_per_hex_per_turn=3).dice("river wolf", "wolf").play("place:a3 place:a3")
    assert table.places() == {"a3", "c3"}
    assert at("a3 0", circles=2).dice("river wolf", "wolf").play("place:a3").places() == {"c3"}
    assert at("a3 00", circles=2).dice("river wolf", "wolf").places() == {"c3"}
    table = moved_leaders(at(wolf_steps=1).dice("wolf wolf", "swamp"), 2).play("wolf_a:a3")
    assert table.node() == "wolf_step, seat 1"
    table = moved_leaders(at(wolf_steps=3).dice("wolf wolf", "swamp"), 2).play("wolf_a:a3 wolf_a:a2")
    assert table.node() == "wolf_step, seat 0"
    assert table.play("wolf_a:a1").node() == "wolf_step, seat 1"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("circles", 0),
        ("control", 0),
        ("wolf_steps", 0),
        ("rodents_per_turn", 0),
        ("max_rounds", 0),
        ("home_vp", 1.5),
        ("area_vp", [8]),
        ("catch_vp", [3, 5]),
        ("circles", 8),
        ("wolf_end", "some_of"),
        ("diagonal", "left"),
        ("leader_source", "none"),
        ("burrow_controlled", "yes"),
        ("no_such_thing", 1),
    ],
)
def test_wrong_settings_are_refused_by_name(name, wrong):
    with pytest.raises(OptionError, match=name):
        make("rodentia", players=3, **{name: wrong})


@pytest.mark.parametrize("players", [0, 6])
def test_wrong_numbers_of_players_are_refused(players):
    with pytest.raises(OptionError, match="players"):
        make("rodentia", players=players)


# ---------------------------------------------------------------- worked positions (1 and 2 are about the map)


def test_worked_position_3_burrow_b3():
    home = "seat 0 squirrels\nb3 #0^0"
    table = at(home).dice("forest wolf", "wolf")
    assert table.node() == "advanced, seat 0"
    assert at(home).dice("river wolf", "wolf").places() == {"a3", "c3"}


def test_worked_position_4_full_hexes():
    table = at("a3 00").dice("river wolf", "wolf").play("place:a3")
    assert "place:a3" not in table.legal()
    assert "stop" in table.legal()
    full = at("c3 00112", 3).dice("river wolf wolf", "wolf")
    assert full.places() == {"a3"}


def test_worked_position_5_blocked_dice():
    blocked = "a3 000   b6 111   c3 000   d1 000   d6 111"
    table = at(blocked).play("roll:wolf roll:wolf roll:river take:river")
    assert table.node() == "take, seat 1"
    table = at(blocked).play("roll:river roll:river roll:river")
    assert (table.node(), table.line("bonus")) == ("ended, blocked dice", "")


def test_worked_position_6_the_free_six():
    table = at("").play("roll:wolf roll:mountain roll:grassland take:mountain take:grassland")
    table.play("place:b2 stop").play("stop")
    moved_leaders(table, 2)
    assert table.node() == "wolf_step, seat 0"
    assert "stop" not in table.legal()
    table.play("wolf_a:a4 stop")
    assert (table.node(), table.line("bonus")) == ("roll, chance", "")


@pytest.mark.parametrize(
    ("catches", "option", "ends"), [case for case in WOLF_ENDS if len(case[0]) < 4 and case[0] != (1, 0)]
)
def test_worked_position_7_wolf_end(catches, option, ends):
    assert (after_catches(catches, wolf_end=option).to_move() == OVER) == ends
