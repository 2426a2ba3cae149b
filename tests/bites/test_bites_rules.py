"""Each paragraph of the rules, on positions written as pictures or as lists of events."""

import numpy as np
import pytest

from bites.draw import position
from tabletop.bots import plain_bot
from tabletop.game import CHANCE, OVER
from tabletop.variant import make

FOODS = ["grape", "apple", "bread", "cheese", "pepper"]
ANTS = ["purple", "red", "brown", "yellow", "green"]


def at(lines, players=2, **settings):
    """A game and the position that the picture shows."""
    game = make("bites", players=players, **settings)
    return game, position(lines, game.settings).reshape(())


def legal(game, state):
    return [game.token(event) for event in game.legal(state)]


def play(game, state, *tokens):
    for token in tokens:
        game.step(state, game.event(token))


def line(game, state, name):
    """A line of the position's picture."""
    for row in game.text(state).splitlines():
        if row.startswith(name):
            return row[len(name) :].strip()
    raise AssertionError(f"no line {name!r} in\n{game.text(state)}")


def starts(tokens, prefix):
    return [token for token in tokens if token.startswith(prefix)]


def laid(trail, players=2, **settings):
    """A game whose trail was laid in this order of events, topped up with what is left."""
    game = make("bites", players=players, **settings)
    state = game.new()
    letters = dict(zip("GABCPHW$", [*FOODS, "chocolate", "wine", "gold"], strict=True))
    for letter in trail:
        play(game, state, f"trail:{letters[letter]}")
    while starts(legal(game, state), "trail:"):
        game.step(state, game.legal(state)[0])
    return game, state


def outcome_weights(game, state):
    weights = game.weights(state)
    return {game.token(game.actions + i): int(w) for i, w in enumerate(weights) if w}


# ---------------------------------------------------------------- components and set-up


def test_b1_foods_and_ants_in_order():
    game, state = laid("")
    assert legal(game, state) == [f"move:{ant}" for ant in ANTS]
    for ant, food in zip(ANTS, "GABCP", strict=True):
        game, state = laid("H" * 5 + "GABCP")
        play(game, state, f"move:{ant}")
        assert line(game, state, "ants").index(ant[0]) == 5 + "GABCP".index(food)


@pytest.mark.parametrize(("sets", "food", "other"), [(1, 10, 5), (2, 20, 10)])
def test_b2_tokens_of_one_and_two_sets(sets, food, other):
    game = make("bites", players=2, sets=sets)
    in_trail = outcome_weights(game, game.new())
    assert in_trail == {f"trail:{name}": food - 1 for name in FOODS} | {"trail:chocolate": other, "trail:wine": other}


def test_b3_levels_are_worth_four_to_nothing():
    game, state = laid("")
    assert line(game, state, "hill") == "4 -, 3 -, 2 -, 1 -, 0 -"


def test_b4_four_decks():
    cards = [(card.kind, card.name) for card in make("bites").components]
    assert [sum(kind == deck for kind, _ in cards) for deck in ("hill", "chocolate", "wine", "special")] == [2, 6, 6, 5]
    assert all(card.provenance and card.effect for card in make("bites").components)


def test_b5_the_first_game_is_the_default():
    game, state = laid("")
    assert line(game, state, "cards") == "overachiever, double_fister, collector, minimalist"


def test_b5_random_cards_are_drawn_in_the_order_of_the_decks():
    game = make("bites", players=2, hill="random", chocolate="random", wine="random", special="random")
    state = game.new()
    for deck, size in [("hill", 2), ("chocolate", 6), ("wine", 6), ("special", 5)]:
        weights = outcome_weights(game, state)
        assert len(weights) == size and set(weights.values()) == {1}
        assert set(starts(legal(game, state), f"{deck}:")) == set(legal(game, state)) == set(weights)
        game.step(state, game.legal(state)[-1])
    assert starts(legal(game, state), "trail:") == legal(game, state)


def test_b5_without_reconstructed_cards_only_the_others_are_drawn():
    random = dict.fromkeys(["hill", "chocolate", "wine", "special"], "random")
    game = make("bites", players=2, reconstructed_cards=False, **random)
    state = game.new()
    seen = []
    for _ in range(4):
        seen.append(legal(game, state))
        game.step(state, game.legal(state)[0])
    assert seen == [
        ["hill:overachiever", "hill:humble"],
        ["chocolate:double_fister", "chocolate:turbo", "chocolate:swap"],
        ["wine:collector", "wine:oenophile"],
        ["special:minimalist"],
    ]
    named = make("bites", reconstructed_cards=False, wine="pairing")
    assert "pairing" in line(named, named.new(), "cards")


@pytest.mark.parametrize(
    ("settings", "places"),
    [
        ({}, 55),
        ({"sets": 2}, 115),
        ({"special": "gold"}, 57),
        ({"stack_per_food": 0}, 60),
        ({"stack_per_food": 10}, 10),
    ],
)
def test_b6_length_of_the_trail(settings, places):
    game = make("bites", players=2, **settings)
    state = game.new()
    for left in range(places, 0, -1):
        weights = outcome_weights(game, state)
        assert sum(weights.values()) == left and set(weights) == set(legal(game, state))
        game.step(state, game.legal(state)[0])
    assert game.to_move(state) == 0


def test_b6_the_stack_has_one_of_each_food_also_with_two_sets():
    for sets in (1, 2):
        game, state = laid("", sets=sets)
        assert line(game, state, "stack") == "1 grape, 1 apple, 1 bread, 1 cheese, 1 pepper"


def test_b6_the_stack_is_bounded_by_the_tokens_there_are():
    assert make("bites", sets=2, stack_per_food=20).settings.parameters["stack_per_food"] == 20
    with pytest.raises(ValueError, match=r"stack_per_food.*11"):
        make("bites", sets=1, stack_per_food=11)


def test_b6_places_keep_their_numbers():
    game, state = laid("GGAAB")
    play(game, state, "move:purple", "take:front")
    assert line(game, state, "trail").startswith("G.AAB")


@pytest.mark.parametrize("special", ["favourite", "allergy"])
def test_b7_small_tokens_are_dealt_in_seat_order_without_repetition(special):
    game, state = laid("", players=3, special=special)
    for seat in range(3):
        assert game.to_move(state) == CHANCE and len(legal(game, state)) == 5 - seat
        assert set(outcome_weights(game, state).values()) == {1}
        play(game, state, f"small:{FOODS[seat]}")
    assert [line(game, state, f"seat {seat}")[-5:] for seat in range(3)] == ["grape", "apple", "bread"]
    assert game.to_move(state) == 0


def test_b8_ants_stand_before_the_trail_and_seat_0_begins():
    game, state = laid("")
    assert line(game, state, "start") == ", ".join(ANTS) and game.to_move(state) == 0


# ---------------------------------------------------------------- the turn


def test_b10_front_and_back_skip_ants_and_gaps_and_the_token_under_the_ant():
    game, state = at(
        """
        start  brown, yellow, green
        trail  GW.AG.HB
        ants   p..r....
        """
    )
    play(game, state, "move:purple")  # from place 1 to 5, the red ant on 4 is passed
    assert legal(game, state) == ["take:front", "take:back"]
    front, back = state.copy(), state.copy()
    play(game, front, "take:front")
    assert line(game, front, "seat 0") == "1 chocolate"
    play(game, back, "take:back")
    assert line(game, back, "seat 0") == "1 wine"


def test_b10_an_ant_on_the_first_token_has_no_back():
    game, state = laid("GAB")
    play(game, state, "move:purple")
    assert legal(game, state) == ["take:front"]


def test_b11_to_the_first_matching_token_strictly_ahead_or_onto_the_hill():
    game, state = at("trail GAGAH\nants p....\nstart red, brown, yellow, green")
    ahead = state.copy()
    play(game, ahead, "move:purple")
    assert line(game, ahead, "ants") == "..p.."
    play(game, state, "move:brown")
    assert line(game, state, "hill").startswith("4 brown")
    assert "move:brown" not in legal(game, state)


def test_b11_an_ant_on_the_hill_cannot_be_chosen():
    game, state = at("hill 4 -, 3 -, 2 red, 1 -, 0 -\ntrail GABCP\nstart purple, brown, yellow, green")
    assert legal(game, state) == ["move:purple", "move:brown", "move:yellow", "move:green"]


def test_b12_taking_is_compulsory_and_any_kind_may_be_taken():
    game, state = laid("HGW")
    play(game, state, "move:purple")
    assert legal(game, state) == ["take:front", "take:back"]
    play(game, state, "take:back")
    assert line(game, state, "seat 0") == "1 chocolate" and game.to_move(state) == 1


def test_b12_nothing_is_taken_and_no_event_written_if_there_is_neither():
    game, state = at("trail G\nstart purple, red, brown, yellow, green\nstack 1 apple")
    play(game, state, "move:purple")
    assert line(game, state, "next") == "turn, seat 1" and line(game, state, "seat 0") == "-"


def test_b13_on_the_hill_one_token_of_the_stack():
    game, state = at("trail AAA\nstack 1 apple, 2 pepper")
    play(game, state, "move:purple")
    assert legal(game, state) == ["stack:apple", "stack:pepper"]
    play(game, state, "stack:pepper")
    assert line(game, state, "stack") == "1 apple, 1 pepper" and line(game, state, "seat 0") == "1 pepper"


def test_b13_nothing_from_an_empty_stack():
    game, state = at("trail AAA\nstack -", stack_per_food=0)
    play(game, state, "move:purple")
    assert line(game, state, "next") == "turn, seat 1" and line(game, state, "hill").startswith("4 purple")


def test_b14_a_token_left_behind_is_free_again():
    game, state = at("trail GAG\nants p..\nstart red, brown, yellow, green")
    play(game, state, "move:purple", "take:back")
    assert line(game, state, "trail") == "G.G"
    assert legal(game, state)[0] == "move:purple"
    play(game, state, "move:red")  # no apple is left: onto the hill, so place 1 stays
    assert line(game, state, "trail") == "G.G"


def test_b15_the_turn_of_the_fifth_ant_is_the_last():
    game, state = at(
        """
        hill   4 red, 3 brown, 2 yellow, 1 green, 0 -
        trail  AAA
        start  purple
        stack  1 grape
        """
    )
    play(game, state, "move:purple")
    assert game.to_move(state) == 0
    play(game, state, "stack:grape")
    assert game.to_move(state) == OVER and legal(game, state) == []


# ---------------------------------------------------------------- chocolate


def test_b20_only_a_chocolate_from_before_the_turn_may_be_spent():
    game, state = at("trail HGAB\nstart purple, red, brown, yellow, green")
    play(game, state, "move:purple", "take:back")
    assert line(game, state, "seat 0") == "1 chocolate" and game.to_move(state) == 1


def test_b20_at_most_one_a_turn_and_spent_chocolate_is_out_of_the_game():
    game, state = at("next turn, seat 0, may spend\nseat 0 3 chocolate\ntrail BBGABA")
    play(game, state, "move:purple", "take:back")
    assert legal(game, state) == ["chocolate", "pass"]
    play(game, state, "chocolate")
    assert line(game, state, "seat 0") == "1 bread, 2 chocolate" and line(game, state, "spent") == "1 chocolate"
    play(game, state, "take:back")
    assert game.to_move(state) == 1


def test_b21_chocolate_scores_nothing():
    game, state = at("seat 0 5 chocolate\ntrail GA")
    assert game.scores(state).tolist() == [0, 0]


# ---------------------------------------------------------------- Ant Hill cards


@pytest.mark.parametrize(("card", "first", "second"), [("overachiever", 0, 1), ("humble", 4, 3)])
def test_hill_cards_choose_the_level(card, first, second):
    game, state = at("trail BBB\nstack 2 bread", hill=card)
    play(game, state, "move:purple", "stack:bread", "move:green", "stack:bread")
    levels = [word.split()[1] for word in line(game, state, "hill").split(", ")]
    assert levels[first] == "purple" and levels[second] == "green" and levels.count("-") == 3


# ---------------------------------------------------------------- Chocolate cards


def test_double_fister_takes_twice_also_from_the_same_side():
    game, state = at("next turn, seat 0, may spend\nseat 0 1 chocolate\ntrail BCGPA")
    play(game, state, "move:purple", "take:back")
    play(game, state, "chocolate")
    assert legal(game, state) == ["take:front", "take:back"]
    play(game, state, "take:back")
    assert line(game, state, "trail") == "..GPA" and line(game, state, "seat 0") == "1 bread, 1 cheese"


def test_double_fister_asks_only_if_something_is_left_and_not_after_a_hill_move():
    game, state = at("next turn, seat 0, may spend\nseat 0 1 chocolate\ntrail BG")
    play(game, state, "move:purple", "take:back")
    assert game.to_move(state) == 1
    game, state = at("next turn, seat 0, may spend\nseat 0 1 chocolate\ntrail BB\nstack 1 grape")
    play(game, state, "move:purple", "stack:grape")
    assert game.to_move(state) == 1


def test_double_fister_passed_keeps_the_chocolate():
    game, state = at("next turn, seat 0, may spend\nseat 0 1 chocolate\ntrail BCGPA")
    play(game, state, "move:purple", "take:back", "pass")
    assert line(game, state, "seat 0") == "1 cheese, 1 chocolate" and game.to_move(state) == 1


def test_turbo_skips_the_first_match_and_needs_two():
    game, state = at("next turn, seat 0, may spend\nseat 0 1 chocolate\ntrail GBGA", chocolate="turbo")
    assert starts(legal(game, state), "turbo:") == ["turbo:purple"]
    play(game, state, "turbo:purple")
    assert line(game, state, "ants") == "..p." and legal(game, state) == ["take:front", "take:back"]
    assert line(game, state, "seat 0") == "-"


def test_turbo_needs_a_chocolate():
    game, state = at("trail GBGA", chocolate="turbo")
    assert starts(legal(game, state), "turbo:") == []


def test_backwards_moves_to_the_nearest_match_behind():
    game, state = at(
        """
        next   turn, seat 0, may spend
        seat 0 1 chocolate
        start  brown, yellow, green
        trail  GAGBGA
        ants   .r..p.
        """,
        chocolate="backwards",
    )
    assert starts(legal(game, state), "backwards:") == ["backwards:purple"]
    play(game, state, "backwards:purple")
    assert line(game, state, "ants") == ".rp..." and legal(game, state) == ["take:front", "take:back"]


def test_recycler_takes_the_first_three_free_tokens_instead_of_the_turn():
    game, state = at(
        """
        next   turn, seat 0, may spend
        seat 0 1 chocolate
        start  red, brown, yellow, green
        trail  WGABC
        ants   .p...
        """,
        chocolate="recycler",
    )
    play(game, state, "recycle")
    assert line(game, state, "seat 0") == "1 apple, 1 bread, 1 wine" and line(game, state, "trail") == ".G..C"
    assert game.to_move(state) == 1


def test_recycler_takes_fewer_if_fewer_are_left_but_needs_one():
    head = "next turn, seat 0, may spend\nseat 0 1 chocolate\nstart red, brown, yellow, green\n"
    game, state = at(head + "trail GA\nants p.", chocolate="recycler")
    play(game, state, "recycle")
    assert line(game, state, "seat 0") == "1 apple"
    game, state = at(head + "trail G\nants p", chocolate="recycler")
    assert "recycle" not in legal(game, state)


def test_tiptoe_goes_one_token_then_the_normal_turn_follows():
    game, state = at(
        """
        next   turn, seat 0, may spend
        seat 0 2 chocolate
        start  brown, yellow, green
        trail  GC.AB
        ants   p..r.
        """,
        chocolate="tiptoe",
    )
    # For the ants at the start the next token bears the purple one: they cannot tiptoe.
    assert starts(legal(game, state), "tiptoe:") == ["tiptoe:purple", "tiptoe:red"]
    play(game, state, "tiptoe:purple")
    assert line(game, state, "ants") == ".p.r." and line(game, state, "seat 0") == "1 chocolate"
    assert legal(game, state) == [f"move:{ant}" for ant in ANTS] and game.to_move(state) == 0


def test_tiptoe_skips_gaps_and_never_goes_onto_the_hill():
    head = "next turn, seat 0, may spend\nseat 0 1 chocolate\nstart red, brown, yellow, green\n"
    game, state = at(head + "trail G..A\nants p...", chocolate="tiptoe")
    play(game, state, "tiptoe:purple")
    assert line(game, state, "ants") == "...p"
    game, state = at(head + "trail AG\nants .p", chocolate="tiptoe")
    assert "tiptoe:purple" not in legal(game, state) and "tiptoe:red" in legal(game, state)


def test_swap_exchanges_two_ants_on_the_hill_at_the_end_of_a_turn():
    game, state = at(
        """
        next   turn, seat 0, may spend
        seat 0 1 chocolate
        hill   4 red, 3 -, 2 -, 1 -, 0 -
        start  purple, brown, yellow, green
        trail  BBA
        stack  1 grape
        """,
        chocolate="swap",
    )
    play(game, state, "move:purple", "stack:grape")
    assert set(legal(game, state)) == {"swap:purple:red", "pass"}
    play(game, state, "swap:purple:red")
    assert line(game, state, "hill").startswith("4 purple, 3 red") and line(game, state, "spent") == "1 chocolate"


def test_swap_is_offered_on_the_last_turn_too_and_needs_two_ants():
    game, state = at(
        """
        next   turn, seat 0, may spend
        seat 0 1 chocolate
        hill   4 red, 3 brown, 2 yellow, 1 green, 0 -
        start  purple
        trail  AAA
        stack  1 grape
        """,
        chocolate="swap",
    )
    play(game, state, "move:purple", "stack:grape")
    assert len(legal(game, state)) == 11 and game.to_move(state) == 0
    play(game, state, "swap:purple:green")
    assert game.to_move(state) == OVER
    game, state = at("next turn, seat 0, may spend\nseat 0 1 chocolate\ntrail BGB", chocolate="swap")
    play(game, state, "move:purple", "take:front")
    assert game.to_move(state) == 1


# ---------------------------------------------------------------- Wine cards and scoring

HILL = "hill 4 purple, 3 red, 2 brown, 1 yellow, 0 green\n"


def scores(picture, players=2, **settings):
    game, state = at(HILL + picture, players, **settings)
    return game.scores(state).tolist()


def test_facts_all_foods_and_levels_make_ten():
    assert scores("seat 0 1 grape, 1 apple, 1 bread, 1 cheese, 1 pepper") == [10, 0]


def test_collector_three_wines_and_four_foods_make_twelve():
    game, state = at("seat 0 3 wine, 1 grape, 2 apple, 1 bread, 1 pepper")
    assert game.scores(state).tolist() == [12, 0]


@pytest.mark.parametrize("wines", range(6))
def test_oenophile_squares(wines):
    assert scores(f"seat 1 {wines} wine", wine="oenophile") == [0, wines**2]


def test_protege_scores_the_wine_of_the_left_neighbour():
    pictures = "seat 0 1 wine\nseat 1 2 wine\nseat 2 -"
    assert scores(pictures, 3, wine="protege") == [4, 0, 2]
    assert scores(pictures, 3, wine="protege", protege_points=3) == [6, 0, 3]


def test_connoisseur_rewards_most_wine_also_if_tied_but_not_none():
    assert scores("seat 0 2 wine\nseat 1 2 wine\nseat 2 1 wine", 3, wine="connoisseur") == [7, 7, 0]
    assert scores("seat 0 -", wine="connoisseur") == [0, 0]
    assert scores("seat 0 1 wine", wine="connoisseur", connoisseur_points=5) == [5, 0]


def test_pairing_counts_each_cheese_once_and_the_cheese_still_scores():
    assert scores("seat 0 3 wine, 2 cheese\nseat 1 1 wine, 3 cheese", wine="pairing") == [6 + 2, 3 + 3]
    assert scores("seat 0 1 wine, 1 cheese", wine="pairing", pairing_points=5) == [6, 0]


def test_teetotaler_rewards_least_wine_all_who_tie():
    assert scores("seat 0 2 wine\nseat 1 1 wine\nseat 2 1 wine", 3, wine="teetotaler") == [0, 6, 6]
    assert scores("seat 0 -", wine="teetotaler", teetotaler_points=2) == [2, 2]


def test_gold_scores_four_each():
    assert scores("seat 0 2 gold", special="gold") == [8, 0]
    assert scores("seat 1 1 gold", special="gold", gold_points=2) == [0, 2]


def test_favourite_adds_one_a_token_and_wine_cards_count_tokens_as_before():
    assert scores("seat 0 3 grape, 1 wine; small grape", special="favourite") == [3 * 5 + 1, 0]
    assert scores("seat 0 1 pepper; small pepper", special="favourite", favourite_bonus=4) == [4, 0]


def test_allergy_makes_a_food_worthless_but_it_counts_for_wine():
    assert scores("seat 0 3 grape, 1 wine, 1 apple; small grape", special="allergy") == [3 + 2, 0]


def test_b40_a_food_scores_its_level_and_nothing_before_its_ant_is_on_the_hill():
    game, state = at("hill 4 green, 3 -, 2 -, 1 -, 0 -\nseat 0 2 pepper, 3 grape")
    assert game.scores(state).tolist() == [8, 0]
    game, state = at("hill 4 -, 3 -, 2 -, 1 -, 0 green\nseat 0 2 pepper", level_points=[5, 3, 2, 1, -1])
    assert game.scores(state).tolist() == [-2, 0]


def test_b41_all_who_tie_win():
    game, state = at(HILL + "seat 0 1 grape\nseat 1 1 grape\nseat 2 1 apple", 3)
    assert game.ranking(state).tolist() == [1, 1, 3]


# ---------------------------------------------------------------- logs


def logs(trail, ants=None, start="purple, red, brown, yellow, green", **more):
    """A short trail with logs: with 10 tokens they lie after the places 2, 4, 6, 8."""
    picture = f"start {start}\ntrail {trail}\n" + (f"ants {ants}\n" if ants else "")
    return at(more.pop("head", "") + picture, special="logs", stack_per_food=10, **more)


def test_logs_divide_the_trail_into_fifths():
    for settings, places in [({}, "11, 22, 33, 44"), ({"sets": 2}, "23, 46, 69, 92")]:
        game, state = laid("", special="logs", **settings)
        assert line(game, state, "logs") == f"after the places {places}"


def test_b30_a_move_stops_on_the_last_free_token_before_a_log():
    game, state = logs("HHHHHWWWWW")
    assert line(game, state, "logs") == "after the places 2, 4, 6, 8"
    play(game, state, "move:purple")
    assert line(game, state, "ants") == ".p........"


def test_b30_a_log_with_no_free_token_before_it_is_passed():
    game, state = logs("HHHHHWWWWW", ants=".p........", start="red, brown, yellow, green")
    play(game, state, "move:purple")
    assert line(game, state, "ants") == "...p......"


def test_b30_without_a_stop_the_target_is_reached():
    game, state = logs("HHHHHWWWWW", ants=".......r.b", start="purple, yellow, green")
    play(game, state, "move:red")  # no apple: from place 8, after the last log, straight to the hill
    assert "red" in line(game, state, "hill")


def test_b31_no_two_ants_on_one_token():
    game, state = at("trail GGBA\nants b...\nstart purple, red, yellow, green")
    play(game, state, "move:purple")  # the brown ant covers the first grape
    assert line(game, state, "ants") == "bp.."


# ---------------------------------------------------------------- facts


def test_facts_the_default_game_without_spending_has_a_take_each_turn_and_at_most_fifty_turns():
    game = make("bites", players=3)
    turns = []
    rng = np.random.default_rng(1)
    for number in range(20):
        state, played = game.new(seed=number), 0
        while game.to_move(state) != OVER:
            options = legal(game, state)
            token = "pass" if "pass" in options else options[rng.integers(len(options))]
            played += token.startswith("move:")
            if token.startswith("move:"):
                play(game, state, token)
                assert starts(legal(game, state), "take:") or starts(legal(game, state), "stack:")
            else:
                play(game, state, token)
        turns.append(played)
    assert max(turns) <= 50 and 30 < np.mean(turns) < 40


def test_a_position_written_as_text_is_the_position():
    game = make("bites", players=4, special="favourite", chocolate="tiptoe")
    rng = np.random.default_rng(3)
    state = game.new(seed=5)
    while game.to_move(state) != OVER:
        assert position(game.text(state), game.settings).tobytes() == state.tobytes()
        game.step(state, rng.choice(game.legal(state)))


@pytest.mark.slow
def test_facts_mean_number_of_turns_of_random_games_without_spending():
    game = make("bites", players=2, chocolate="recycler")

    def never_recycle(state, legal_events, rng):
        return rng.choice([e for e in legal_events if game.token(int(e)) != "recycle"])

    results = game.play(2000, [plain_bot(never_recycle)] * 2, seed=1)
    turns = (results.lengths - 55) / 2
    assert abs(turns.mean() - 34.7) < 0.3
