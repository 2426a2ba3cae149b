"""Each paragraph of the rules, on positions written as pictures."""

import json

import numpy as np
import pytest
from rattus_positions import (
    PLAYERS,
    arguments,
    at,
    cubes,
    legal,
    line,
    play,
    played_until,
    rats,
    reserve,
    to_move,
    weights,
)

from tabletop.game import CHANCE, OVER
from tabletop.variant import make

NAMES = [
    region
    for row in ("anglia gallia germania hispania hungaria italia", "polonia scandia bulgaria turcia russia tartaria")
    for region in row.split()
]


def regions_in_play(players):
    return NAMES[: 2 * players + 4]


def set_up(players, **settings):
    """A game after P5: every region in play has the first starting token that is left."""
    game = make("rattus", players=players, **settings)
    state = game.new(1)
    while line(game, state, "next").startswith("rat"):
        game.step(state, game.legal(state)[0][:1])
    return game, state


# ---------------------------------------------------------------- components and set-up


def test_p1_the_box():
    game = make("rattus", players=4)
    kinds = [component.kind for component in game.components]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "class card": 6,
        "region": 12,
        "edge": 22,
        "rat token": 49,
    }
    cards = [component.name for component in game.components if component.kind == "class card"]
    assert cards == ["king", "knight", "monk", "merchant", "peasant", "witch"]
    assert all(component.provenance and component.effect for component in game.components)
    table = game.settings.tables["tokens"]
    assert (table.tokens(), table.tokens(starting_only=True)) == (49, 12)
    limits = [kind.limit for kind in table.types for _ in range(kind.tokens)]
    assert [limits.count(limit) for limit in range(1, 7)] == [12, 12, 6, 6, 6, 7]
    state = game.new(1)
    assert reserve(game, state) == [20] * 4


@pytest.mark.parametrize("players", PLAYERS)
def test_p2_regions_in_id_order_by_players(players):
    game = make("rattus", players=players)
    starts = [token for token in game.game.tokens(game.settings) if token.startswith("start:")]
    assert starts == [f"start:{name}" for name in regions_in_play(players)]
    with pytest.raises(ValueError, match="no event"):
        make("rattus", players=2).event("start:russia")


@pytest.mark.parametrize(("players", "regions", "edges"), [(2, 8, 12), (3, 10, 15), (4, 12, 22)])
def test_p3_the_map_is_connected_with_least_degree_two(players, regions, edges):
    game = make("rattus", players=players)
    adjacency = [neighbours for neighbours in game.settings.tables["map"].adjacency(players) if neighbours]
    assert len(adjacency) == regions
    assert sum(map(len, adjacency)) == 2 * edges
    assert min(map(len, adjacency)) == 2


def test_p4_fronts_are_packed_as_named():
    game = make("rattus", players=4)
    state = game.new(1)
    names = [kind.name for kind in game.settings.tables["tokens"].types]
    face = int(state["tokens"]["face"][0][names.index("6MRAA")])
    assert (face & 7, face >> 3 & 7, face >> 6 & 63, face >> 12) == (6, 1, 1, 2)  # limit, M, {king}, A
    assert names[:12] == ["1PB", "2MPC", "1BC", "2MBK", "1CK", "2MCW", "1KW", "2MKR", "1WR", "2MPW", "1PR", "2MBR"]


@pytest.mark.parametrize("players", PLAYERS)
def test_p5_a_starting_token_for_each_region_in_id_order(players):
    game = make("rattus", players=players)
    state = game.new(1)
    left = {kind.name for kind in game.settings.tables["tokens"].types if kind.is_starting}
    for region in regions_in_play(players):
        assert to_move(game, state) == CHANCE
        assert weights(game, state) == {f"rat:{region}:{kind}": 1 for kind in left}
        kind = sorted(left)[-1]
        play(game, state, f"rat:{region}:{kind}")
        left.remove(kind)
        assert rats(game, state, region) == [kind]


def test_p5_weights_are_the_tokens_left(tmp_path):
    path = write_tokens(tmp_path, {"1PB": 7, "2MPC": 3}, {"1BC": 2})
    game = make("rattus", players=2, tokens=path, removed={"2": 0})
    state = game.new(1)
    assert weights(game, state) == {"rat:anglia:1PB": 7, "rat:anglia:2MPC": 3}
    play(game, state, "rat:anglia:1PB")
    assert weights(game, state) == {"rat:gallia:1PB": 6, "rat:gallia:2MPC": 3}


def write_tokens(folder, starting, other):
    path = folder / "tokens.json"
    path.write_text(json.dumps({"starting": starting, "other": other}))
    return str(path)


@pytest.mark.parametrize(("players", "supply", "removed"), [(2, 29, 12), (3, 33, 6), (4, 37, 0)])
def test_p6_supply_and_pool(players, supply, removed):
    game, state = set_up(players)
    assert line(game, state, "supply") == str(supply)
    assert int(state["pool_tokens"][0]) == supply + removed == 49 - len(regions_in_play(players))
    on_board = {token for name in regions_in_play(players) for token in rats(game, state, name)}
    surplus = {kind.name for kind in game.settings.tables["tokens"].types if kind.is_starting} - on_board
    play(game, state, "start:gallia")
    while to_move(game, state) != CHANCE:
        game.step(state, game.legal(state)[0][-1:])
    assert surplus < arguments(weights(game, state), "draw")
    assert len(weights(game, state)) == supply + removed


@pytest.mark.parametrize("players", PLAYERS)
def test_p7_the_plague_piece_starts_anywhere(players):
    game, state = set_up(players)
    assert weights(game, state) == {f"start:{name}": 1 for name in regions_in_play(players)}
    play(game, state, "start:italia")
    assert "* italia" in game.text(state)
    assert reserve(game, state) == [20] * players
    assert len(rats(game, state, "italia")) == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_p8_settling_goes_forth_and_back(players):
    game, state = set_up(players)
    play(game, state, "start:italia")
    empty = regions_in_play(players)
    for seat in [*range(players), *reversed(range(players))]:
        assert to_move(game, state) == seat
        assert legal(game, state) == {f"settle:{name}" for name in empty}
        play(game, state, f"settle:{empty[0]}")
        assert cubes(game, state, empty.pop(0))[seat] == 2
    assert reserve(game, state) == [16] * players
    assert line(game, state, "next") == "first part, seat 0"
    assert line(game, state, "settled") is None


def test_p8_own_distinct_also_where_no_cube_was_left_to_settle():
    game, state = set_up(2, initial_placement="own_distinct", settle_cubes=0)
    play(game, state, "start:italia", "settle:gallia", "settle:gallia")
    assert legal(game, state) == {f"settle:{name}" for name in regions_in_play(2) if name != "gallia"}
    play(game, state, "settle:anglia")
    assert legal(game, state) == {f"settle:{name}" for name in regions_in_play(2) if name != "gallia"}


def test_p8_any_region_and_at_most_the_reserve():
    game, state = set_up(2, initial_placement="any", cubes=3)
    play(game, state, "start:italia", *["settle:gallia"] * 4)
    assert cubes(game, state, "gallia") == [3, 3]
    assert reserve(game, state) == [0, 0]


# ---------------------------------------------------------------- P10, the first part

FIRST_PART = """
    next  first part, seat 1
    cards {}
    | gallia | hispania | germania |
    | 2 3    | . 1      | 1 .      |
    | 1PB 1BC+ |        | 2MPC     |
"""


def test_p10_all_actions_in_one_node():
    game, state = at(FIRST_PART.format("king 1, monk 1, merchant 1, peasant 1, witch 1, knight 0"))
    regions = regions_in_play(2)
    assert legal(game, state) == {
        "card:knight",
        "end",
        "place:gallia",
        "place:germania",
        *(f"peasant:{name}" for name in regions),
        "king:hispania",
        "monk:gallia:1",
        "monk:gallia:2",
        "monk:germania:1",
        "merchant:gallia",
        "merchant:hispania",
        "witch:gallia:1",
        "witch:gallia:2",
        "witch:germania:1",
    }


def test_p10_card_from_the_table_or_another_player_once_a_turn():
    game, state = at(FIRST_PART.format("king 1, witch 0"))
    assert arguments(legal(game, state), "card") == {"knight", "monk", "merchant", "peasant", "witch"}
    play(game, state, "card:witch")
    assert line(game, state, "cards") == "king 1, witch 1"
    assert arguments(legal(game, state), "card") == set()
    assert "witch:gallia:1" in legal(game, state)  # it may be used this turn


def test_p10_place_as_many_cubes_as_there_are_tokens():
    game, state = at(FIRST_PART.format("-"))
    play(game, state, "place:gallia")
    assert cubes(game, state, "gallia") == [2, 5]
    assert arguments(legal(game, state), "place") == set()


def test_p10_place_is_limited_by_the_reserve():
    game, state = at(FIRST_PART.format("-"), cubes=5)
    assert reserve(game, state) == [2, 1]
    play(game, state, "place:gallia")
    assert cubes(game, state, "gallia") == [2, 4]
    game, state = at(FIRST_PART.format("peasant 1"), cubes=4)
    assert not arguments(legal(game, state), "place") | arguments(legal(game, state), "peasant")


def test_p10_peasant_adds_one_cube_more_instead_of_placing():
    game, state = at(FIRST_PART.format("peasant 1"))
    play(game, state, "peasant:gallia")
    assert cubes(game, state, "gallia") == [2, 6]
    assert not arguments(legal(game, state), "place") | arguments(legal(game, state), "peasant")
    game, state = at(FIRST_PART.format("peasant 1"))
    play(game, state, "peasant:anglia")
    assert cubes(game, state, "anglia") == [0, 1]
    game, state = at(FIRST_PART.format("peasant 1"))
    assert not arguments(legal(game, play(game, state, "place:gallia")), "peasant")


def test_p10_peasant_without_cubes_of_his_own():
    game, state = at(FIRST_PART.format("peasant 1"), peasant_cubes=0)
    play(game, state, "peasant:anglia")
    assert cubes(game, state, "anglia") == [0, 0]
    assert not state["own"][0][1] & 1


def test_p10_king_brings_a_cube_to_the_palace_once():
    game, state = at(FIRST_PART.format("king 1"))
    play(game, state, "king:hispania")
    assert (cubes(game, state, "hispania"), line(game, state, "palace")) == ([0, 0], "0 1")
    assert game.scores(state)[0].tolist() == [3, 4]
    assert arguments(legal(game, state), "king") == set()


MONK = """
    next  first part, seat 0
    cards monk 0
    | anglia        | scandia         | gallia       |
    | . .           | . .             | . .          |
    | 1PB 1BC+ 1CK  | 1KW 1WR 1PR+    | 2MPC 2MBK+!1 |
"""


def test_p10_monk_moves_a_token_to_the_last_place_of_a_region_with_room():
    game, state = at(MONK)
    assert arguments(legal(game, state), "monk") == {
        *(f"{name}:{slot}" for name in ("anglia", "scandia") for slot in (1, 2, 3)),
        "gallia:1",
        "gallia:2",
    }
    play(game, state, "monk:anglia:1")
    assert legal(game, state) == {"monk_to:gallia"}  # scandia is full
    play(game, state, "monk_to:gallia")
    assert rats(game, state, "anglia") == ["1BC+", "1CK"]
    assert rats(game, state, "gallia") == ["2MPC", "2MBK+!1", "1PB"]
    assert arguments(legal(game, state), "monk") == set()
    assert line(game, state, "begun") is None


def test_p10_monk_needs_an_adjacent_region_with_room():
    game, state = at(MONK, tokens_per_region=3)
    assert "monk:anglia:1" in legal(game, state)
    play(game, state, "card:witch")
    crowded = MONK.replace("2MPC 2MBK+!1", "2MPC 2MBK+ 2MCW")
    game, state = at(crowded)
    assert arguments(legal(game, state), "monk") == {
        f"{name}:{slot}" for name in ("scandia", "gallia") for slot in (1, 2, 3)
    }


def test_p10_merchant_moves_up_to_three_own_cubes():
    game, state = at(FIRST_PART.format("merchant 1"))
    play(game, state, "merchant:gallia")
    assert legal(game, state) == {f"merchant_to:{name}" for name in ("anglia", "hispania", "germania", "italia")}
    play(game, state, "merchant_to:italia")
    assert legal(game, state) == {"merchant_count:1", "merchant_count:2", "merchant_count:3"}
    play(game, state, "merchant_count:2")
    assert (cubes(game, state, "gallia"), cubes(game, state, "italia")) == ([2, 1], [0, 2])
    assert arguments(legal(game, state), "merchant") == set()


def test_p10_merchant_with_fewer_cubes_there_and_without_use():
    game, state = at(FIRST_PART.format("merchant 1"))
    play(game, state, "merchant:hispania", "merchant_to:gallia")
    assert legal(game, state) == {"merchant_count:1"}
    play(game, state, "merchant_count:1")
    assert cubes(game, state, "hispania") == [0, 0]
    game, state = at(FIRST_PART.format("merchant 1"), merchant_cubes=0)
    assert arguments(legal(game, state), "merchant") == set()


def test_p10_witch_sees_two_tokens_and_may_swap_them():
    game, state = at(FIRST_PART.format("witch 1"))
    play(game, state, "witch:gallia:2")
    assert rats(game, state, "gallia") == ["1PB", "1BC+!1"]
    assert legal(game, state) == {"witch:gallia:1", "witch:germania:1"}
    play(game, state, "witch:germania:1")
    assert legal(game, state) == {"swap", "keep"}
    play(game, state, "swap")
    assert rats(game, state, "gallia") == ["1PB", "2MPC!1"]
    assert rats(game, state, "germania") == ["1BC+!1"]
    assert arguments(legal(game, state), "witch") == set()


def test_p10_witch_keeps_or_has_nothing_to_swap():
    game, state = at(FIRST_PART.format("witch 1"))
    play(game, state, "witch:gallia:2", "witch:germania:1", "keep")
    assert (rats(game, state, "gallia"), rats(game, state, "germania")) == (["1PB", "1BC+!1"], ["2MPC!1"])
    game, state = at(FIRST_PART.format("witch 1"))
    play(game, state, "witch:gallia:2", "witch:gallia:1")
    assert rats(game, state, "gallia") == ["1PB!1", "1BC+!1"]
    assert "end" in legal(game, state)
    game, state = at("next first part, seat 0\ncards witch 0\n| gallia |\n| 1 . |\n| 1PB |")
    play(game, state, "witch:gallia:1")
    assert rats(game, state, "gallia") == ["1PB!0"]
    assert "end" in legal(game, state)


def test_p10_knight_does_nothing_in_the_first_part():
    game, state = at(FIRST_PART.format("knight 1"))
    assert arguments(legal(game, state), "knight") == set()


def test_p10_a_node_with_end_alone_is_skipped():
    game, state = at("""
        next  first part, seat 0
        cards king 0, knight 0, monk 0, merchant 0, peasant 0
        usable -
        done  placed
        | * gallia |
        | 2 1      |
        | 1PB      |
    """)
    play(game, state, "card:witch", "witch:gallia:1")
    assert line(game, state, "next") == "plague, seat 0"
    assert line(game, state, "done") is None


# ---------------------------------------------------------------- P11–P15

PLAGUE = """
    next  plague, seat 0
    cards {}
    | * gallia | hispania | italia      | anglia       |
    | . .      | 1 .      | 1 1         | . .          |
    | 1PB      | 1BC      | 1CK 1KW+ {} | 1WR 1PR 2MPC |
"""


def test_p11_the_piece_must_move_to_an_adjacent_region():
    game, state = at(PLAGUE.format("knight 1", ""))
    assert legal(game, state) == {f"plague:{name}" for name in ("anglia", "hispania", "germania", "italia")}


@pytest.mark.parametrize(
    ("steps", "reached"),
    [
        (1, {"anglia", "hispania", "germania", "italia"}),
        (2, {"anglia", "hispania", "germania", "italia", "scandia", "hungaria", "polonia"}),
        (100, set(regions_in_play(2)) - {"gallia"}),
    ],
)
def test_p11_the_knight_moves_it_further(steps, reached):
    game, state = at(PLAGUE.format("knight 0", ""), knight_steps=steps)
    assert legal(game, state) == {f"plague:{name}" for name in reached}


def test_p12_new_tokens_by_the_tokens_in_the_region_reached():
    for region, new in [("germania", 0), ("hispania", 1), ("italia", 2), ("anglia", 2)]:
        game, state = at(PLAGUE.format("-", ""))
        play(game, state, f"plague:{region}")
        spreads = 0
        while line(game, state, "next").startswith("spread"):
            play(game, state, f"spread:{sorted(arguments(legal(game, state), 'spread'))[-1]}")
            assert to_move(game, state) == CHANCE
            play(game, state, sorted(legal(game, state))[0])
            spreads += 1
        assert spreads == new, region


def test_p12_spread_goes_to_adjacent_regions_with_room():
    game, state = at(PLAGUE.format("-", ""))
    play(game, state, "plague:hispania")
    assert legal(game, state) == {"spread:gallia", "spread:italia"}
    play(game, state, "spread:gallia")
    left = {kind.name for kind in game.settings.tables["tokens"].types}
    left -= {"1PB", "1BC", "1CK", "1KW", "1WR", "1PR", "2MPC"}
    assert weights(game, state) == {f"draw:{kind}": 1 for kind in left}
    play(game, state, "draw:6MMAA")
    assert rats(game, state, "gallia") == ["1PB", "6MMAA+"]


def test_p12_lost_without_room_or_supply():
    full = """
        next plague, seat 0
        | * gallia       | hispania | italia       |
        | . .            | . .      | . .          |
        | 1PB 1BC+ 1CK+  | 1KW      | 1WR 1PR 2MPC |
    """
    game, state = at(full)
    play(game, state, "plague:hispania")
    assert line(game, state, "next") == "first part, seat 1"
    with_room = full.replace("1WR 1PR 2MPC", "1WR") + "revealed 1PR, 2MPC, 2MKR"
    game, state = at(with_room, removed={"2": 41})
    assert line(game, state, "supply") == "0"
    play(game, state, "plague:hispania")
    assert line(game, state, "final") == "triggered by seat 0"  # P20


def test_p12_drawn_tokens_are_lost_once_the_supply_is_empty():
    game, state = at(PLAGUE.format("-", ""), removed={"2": 41})
    assert line(game, state, "supply") == "1"
    play(game, state, "plague:italia", "spread:germania", "draw:6MMAA")
    assert not line(game, state, "next").startswith("spread")


def ravage(tokens, gallia, cards="-", players=4, **settings):
    """The cubes in gallia after its ravage, and the game; the seat on turn is 0."""
    game, state = at(
        f"""
        next  plague, seat 0
        cards {cards}
        | * anglia | gallia   | germania |
        | . . . .  | {gallia} | 1 1 1 1  |
        | 2MBR     | {tokens} |          |
        """,
        players=players,
        spread=[0, 0, 0, 0],
        **settings,
    )
    play(game, state, "plague:gallia")
    return game, state


def test_p13_the_official_example():
    """§7: yellow holds the Knight, green Peasant and Merchant, blue Monk, Witch and King, red moves the plague."""
    red, yellow, green, blue = range(4)
    game, state = at(
        f"""
        next  plague, seat {red}
        cards knight {yellow}, peasant {green}, merchant {green}, monk {blue}, witch {blue}, king {blue}
        | gallia           | hispania | * anglia |
        | . 1 2 .          | . . . .  | . . . .  |
        | 1BC 2MBC+ 6MMAA+ | 1PB      | 1KW      |
        """,
        players=4,
    )
    play(game, state, "plague:gallia")
    play(game, state, "spread:hispania", "draw:1WR", "spread:hispania", "draw:2MPC")
    assert legal(game, state) == {"reveal:1", "reveal:2", "reveal:3"}
    play(game, state, "reveal:1")  # 3 >= 1: the Merchant loses 1, the Monk has no cube there
    assert cubes(game, state, "gallia") == [0, 1, 1, 0]
    play(game, state, "reveal:1")  # 2 >= 2: both tie, both lose 1
    assert cubes(game, state, "gallia") == [0, 0, 0, 0]
    assert rats(game, state, "gallia") == ["6MMAA+"]
    assert reserve(game, state) == [20, 20, 20, 20]
    assert line(game, state, "next") == "first part, seat 1"


def test_p13_below_the_limit_nothing_happens():
    game, state = ravage("4MRA", "1 2 . .")
    assert cubes(game, state, "gallia") == [1, 2, 0, 0]
    assert rats(game, state, "gallia") == []
    assert line(game, state, "revealed") == "4MRA"


def test_p13_majority_hits_all_who_tie_and_never_seats_without_cubes():
    assert cubes(*ravage("2MPW", "3 3 1 ."), "gallia") == [2, 2, 1, 0]
    assert cubes(*ravage("6MMAA", "4 2 . ."), "gallia") == [0, 0, 0, 0]  # M: 3 2, M: 2 2, A: 1 1, A: 0 0
    assert cubes(*ravage("6MMAA", "5 3 1 ."), "gallia") == [1, 1, 0, 0]  # M: 4 3, M: 3 3, A: 2 2 0, A: 1 1


def test_p13_symbols_act_in_order_on_the_cubes_left():
    # M: seat 0 loses its only cube, so its Peasant has none left to lose.
    assert cubes(*ravage("2MPW", "1 1 . .", "peasant 0, witch 2"), "gallia") == [0, 0, 0, 0]
    assert cubes(*ravage("2MPW", "1 2 . .", "peasant 0, witch 0"), "gallia") == [0, 1, 0, 0]
    # A player with two matching cards loses two.
    assert cubes(*ravage("2MPW", "3 4 . .", "peasant 0, witch 0"), "gallia") == [1, 3, 0, 0]
    # M, class, A.
    assert cubes(*ravage("4MRA", "3 1 . .", "king 0"), "gallia") == [0, 0, 0, 0]


def test_p13_the_player_on_turn_chooses_among_two_or_more():
    game, state = ravage("4MRA 1PB+ 5MMPA+", "2 2 . .", "peasant 1")
    assert (to_move(game, state), legal(game, state)) == (0, {"reveal:1", "reveal:2", "reveal:3"})
    play(game, state, "reveal:2")  # seat 1 loses 1
    assert cubes(game, state, "gallia") == [2, 1, 0, 0]
    assert (rats(game, state, "gallia"), legal(game, state)) == (["4MRA", "5MMPA+"], {"reveal:1", "reveal:2"})
    play(game, state, "reveal:2")  # 3 < 5; the last one is revealed without an event: 3 < 4
    assert (rats(game, state, "gallia"), cubes(game, state, "gallia")) == ([], [2, 1, 0, 0])
    assert line(game, state, "next") == "first part, seat 1"


def test_p13_stops_when_no_cube_is_left_or_goes_on():
    game, state = ravage("2MPC 4MRA+ 5MMPA", "1 1 . .")
    play(game, state, "reveal:1")
    assert rats(game, state, "gallia") == ["4MRA+", "5MMPA"]
    assert line(game, state, "next") == "first part, seat 1"
    game, state = ravage("2MPC 4MRA+ 5MMPA", "1 1 . .", reveal="all")
    play(game, state, "reveal:1")
    assert legal(game, state) == {"reveal:1", "reveal:2"}
    play(game, state, "reveal:2")
    assert rats(game, state, "gallia") == []


def test_p13_a_region_without_cubes_is_cleared_with_all_only():
    game, state = ravage("2MPC 4MRA+", ". . . .")
    assert rats(game, state, "gallia") == ["2MPC", "4MRA+"]
    game, state = ravage("2MPC 4MRA+", ". . . .", "knight 0", reveal="all")
    assert legal(game, state) == {"reveal:1", "reveal:2"}  # the Knight's question needs a player's cube
    play(game, state, "reveal:1")
    assert rats(game, state, "gallia") == []


def test_p13_the_holder_of_the_knight_decides_about_neutral_cubes():
    game, state = ravage("4MRA", "1 1 . .", "knight 0")
    assert legal(game, state) == {"neutral", "no_neutral"}
    assert cubes(game, play(game, state, "neutral"), "gallia") == [0, 0, 0, 0]  # 2 + 2 >= 4; the M then the A
    assert line(game, state, "neutral") is None
    game, state = ravage("4MRA", "1 1 . .", "knight 0")
    assert cubes(game, play(game, state, "no_neutral"), "gallia") == [1, 1, 0, 0]


def test_p13_neutral_cubes_count_by_their_number_and_only_for_the_limit():
    game, state = ravage("4MRA", "1 . . .", "knight 0", neutral_cubes=3)
    assert cubes(game, play(game, state, "neutral"), "gallia") == [0, 0, 0, 0]
    game, state = ravage("4MRA", "1 1 . .", "knight 0", neutral_cubes=0)
    assert cubes(game, play(game, state, "neutral"), "gallia") == [1, 1, 0, 0]


@pytest.mark.parametrize(("tokens", "gallia", "cards"), [("", "1 1 . .", "knight 0"), ("1PB", ". . . .", "knight 0")])
def test_p13_no_question_without_token_or_cube(tokens, gallia, cards):
    game, state = ravage(tokens, gallia, cards)
    assert line(game, state, "next") == "first part, seat 1"


def test_p13_the_knight_of_another_player_is_not_asked():
    game, state = ravage("4MRA", "1 1 . .", "knight 1")
    assert line(game, state, "next") == "first part, seat 1"


def test_p14_slots_move_up_and_what_is_known_stays_with_the_token():
    game, state = ravage("1PB!02 4MRA+!1 5MMPA+", "1 1 1 .")
    play(game, state, "reveal:1")
    assert rats(game, state, "gallia") == ["4MRA+!1", "5MMPA+"]


def test_p15_the_next_seat_follows():
    for players in PLAYERS:
        game, state = at(f"next plague, seat {players - 1}\n| * gallia |\n| {'. ' * players}|\n| |", players=players)
        play(game, state, "plague:anglia")
        assert line(game, state, "next") == "first part, seat 0"
        assert line(game, state, "turns") == "1"


# ---------------------------------------------------------------- P20–P23


def test_p20_an_empty_reserve_after_a_complete_turn_triggers_the_end():
    picture = "next plague, seat 1\ncards peasant 2, peasant 2\n| * gallia |\n| . 3 . |\n| |"
    game, state = at(picture, players=3, cubes=3)
    play(game, state, "plague:anglia")
    assert line(game, state, "next") == "over" or line(game, state, "final") == "triggered by seat 1"
    game, state = at(picture.replace(". 3 .", "3 2 3"), players=3, cubes=3)
    play(game, state, "plague:anglia")  # the reserves of the others do not matter
    assert line(game, state, "next") == "first part, seat 2"


def test_p20_max_turns_ends_the_game():
    game, state = at("next plague, seat 1\nturns 6\ncards witch 0\n| * gallia |\n| . . |\n| 1PB |", max_turns=7)
    play(game, state, "plague:anglia")
    assert line(game, state, "final") == "triggered by seat 1"
    assert line(game, state, "next") == "final part, seat 0"


FINAL = """
    next  plague, seat 1
    turns 499
    cards {}
    | * anglia | gallia   | italia  |
    | . . . .  | 2 1 1 1  | 1 . . . |
    |          | 6MMAA    |         |
"""


def test_p21_counter_clockwise_each_once():
    game, state = at(FINAL.format("peasant 0, king 1, witch 2, merchant 3"), players=4)
    play(game, state, "plague:scandia")
    seats = []
    while to_move(game, state) >= 0:
        assert not arguments(legal(game, state), "card") | arguments(legal(game, state), "place")
        seats.append(to_move(game, state))
        play(game, state, "end")
    assert seats == [0, 3, 2]
    assert to_move(game, state) == OVER


def test_p21_seats_that_can_only_end_are_skipped():
    game, state = at(FINAL.format("knight 2"), players=4, knight_final="none")
    play(game, state, "plague:scandia")
    assert to_move(game, state) == OVER


def test_p21_the_peasant_adds_exactly_his_cubes():
    game, state = at(FINAL.format("peasant 0"), players=4, peasant_cubes=2)
    play(game, state, "plague:scandia")
    assert legal(game, state) == {"end", *(f"peasant:{name}" for name in regions_in_play(4))}
    game, state = at(FINAL.format("peasant 0, witch 0"), players=4, peasant_cubes=2)
    play(game, state, "plague:scandia", "peasant:gallia")
    assert cubes(game, state, "gallia") == [4, 1, 1, 1]
    assert not arguments(legal(game, state), "peasant")


def test_p21_the_other_cards_act_as_before():
    game, state = at(FINAL.format("king 0, monk 0, merchant 0, witch 0"), players=4)
    play(game, state, "plague:scandia")
    assert legal(game, state) == {
        "end",
        "king:italia",
        "monk:gallia:1",
        "merchant:gallia",
        "merchant:italia",
        "witch:gallia:1",
    }
    play(game, state, "king:italia", "monk:gallia:1", "monk_to:germania")
    play(game, state, "merchant:gallia", "merchant_to:germania", "merchant_count:2")
    assert (cubes(game, state, "germania"), rats(game, state, "germania")) == ([2, 0, 0, 0], ["6MMAA"])


def test_p21_the_knight_moves_the_piece_which_then_counts_in_the_last_ravage():
    game, state = at(FINAL.format("knight 0"), players=4)
    play(game, state, "plague:scandia")
    assert legal(game, state) == {
        "end",
        *(
            f"knight:{name}"
            for name in ("anglia", "germania", "russia", "gallia", "italia", "polonia", "hungaria", "tartaria")
        ),
    }
    play(game, state, "knight:gallia")  # 5 + 2 >= 6: M 1 1 1 1, M 0 0 0 0
    assert to_move(game, state) == OVER
    assert cubes(game, state, "gallia") == [0, 0, 0, 0]
    game, state = at(FINAL.format("knight 0"), players=4)
    play(game, state, "plague:scandia", "end")
    assert cubes(game, state, "gallia") == [2, 1, 1, 1]  # without a move it does not count


def test_p21_a_piece_in_the_region_counts_only_after_a_move():
    game, state = at(FINAL.format("knight 0").replace("6MMAA", ""), players=4)
    state = at(FINAL.format("knight 0").replace("| * anglia | gallia", "| anglia | * gallia"), players=4)[1]
    play(game, state, "plague:italia", "end")
    assert cubes(game, state, "gallia") == [2, 1, 1, 1]


def test_p22_every_region_in_id_order_with_chance_among_two_or_more():
    game, state = at(
        """
        next  plague, seat 0
        turns 499
        | gallia     | germania            | * scandia | hungaria |
        | . 2        | 1 1                 | . .       | . .      |
        | 1PB 6MMAA+ | 2MPC 4MRA+ 5MMPA+!0 |           | 1KW 1WR  |
        """
    )
    play(game, state, "plague:anglia")
    assert to_move(game, state) == CHANCE
    assert weights(game, state) == {"reveal:gallia:1": 1, "reveal:gallia:2": 1}
    play(game, state, "reveal:gallia:2")  # 2 < 6; then 1PB hits nobody
    assert weights(game, state) == {f"reveal:germania:{slot}": 1 for slot in (1, 2, 3)}
    play(game, state, "reveal:germania:1")  # both lose 1, the rest stays; no cube in hungaria
    assert to_move(game, state) == OVER
    assert game.scores(state)[0].tolist() == [0, 2]
    assert rats(game, state, "germania") == ["4MRA+", "5MMPA+!0"]


def test_p22_reveal_all_also_clears_regions_without_cubes():
    game, state = at(
        "next plague, seat 0\nturns 499\n| * anglia | hungaria |\n| . . | . . |\n| | 1KW 1WR |", reveal="all"
    )
    play(game, state, "plague:scandia")
    assert weights(game, state) == {"reveal:hungaria:1": 1, "reveal:hungaria:2": 1}
    play(game, state, "reveal:hungaria:2")
    assert rats(game, state, "hungaria") == []
    assert to_move(game, state) == OVER


@pytest.mark.parametrize(
    ("trigger", "gallia", "ranking"),
    [
        (1, "2 2 2 2", [3, 4, 1, 2]),  # seat 2 would be next; the one who triggered is last
        (3, "2 2 2 2", [1, 2, 3, 4]),
        (1, "3 2 2 3", [2, 4, 3, 1]),
        (2, "1 5 4 5", [4, 2, 3, 1]),
    ],
)
def test_p23_most_cubes_then_the_earlier_next_turn(trigger, gallia, ranking):
    picture = f"next plague, seat {trigger}\nturns 499\n| * anglia | gallia |\n| . . . . | {gallia} |\n| | |"
    game, state = at(picture, players=4)
    play(game, state, "plague:scandia")
    assert to_move(game, state) == OVER
    assert game.scores(state)[0].tolist() == [int(word) for word in gallia.split()]
    assert game.ranking(state)[0].tolist() == ranking


def test_p23_cubes_in_the_palace_count():
    game, state = at("next plague, seat 0\nturns 499\npalace 0 2\n| * anglia | gallia |\n| . . | 1 . |\n| | |")
    play(game, state, "plague:scandia")
    assert game.scores(state)[0].tolist() == [1, 2]
    assert game.ranking(state)[0].tolist() == [2, 1]


@pytest.mark.parametrize("players", PLAYERS)
def test_p23_there_is_always_one_winner(players):
    game = make("rattus", players=players, max_turns=6)
    for seed in range(10):
        state = played_until(game, seed, lambda s: to_move(game, s) == OVER)
        assert sorted(game.ranking(state)[0].tolist()) == list(range(1, players + 1))
        points = game.scores(state)[0]
        assert points[np.argmin(game.ranking(state)[0])] == points.max()
