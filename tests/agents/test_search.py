"""Searches against exact values on small games, and what all searching bots must keep."""

import time

import numpy as np
import pytest
from choices import in_game, of_view
from exhaustive import Exhaustive
from pebbles import PEBBLES
from sticks import STICKS

import tabletop
from agents.search.player import Found, Player
from agents.search.reuse import copy_subtree
from agents.search.tree import BASE, NO_NODE, ROOT, child_of, positions_and_work
from tabletop import BotError, Variant, bot, compiled_bot, python_bot
from tabletop.bots import Bot, kinds

SEARCHES = (
    "mcts:iterations=300",
    "mcts:iterations=300,selection=puct,exploration=2",
    "mcts:iterations=300,selection=puct,prior=evaluated",
    "mcts:iterations=300,threads=2",
    "flat:iterations=300",
    "lookahead",
)


def sticks(pile: int, players: int = 2, wind: bool = False) -> tuple[Variant, np.ndarray]:
    game = tabletop.make(STICKS, players=players, pile=pile, wind=wind)
    return game, game.new()


def named(text: str, game: Variant) -> Bot:
    return bot(text, game.game)


# Exact values


@pytest.mark.parametrize("pile", [5, 6, 7, 9, 10, 11])
@pytest.mark.parametrize(
    "text", ["mcts:iterations=2000", "mcts:iterations=2000,selection=puct,exploration=2", "maxn:depth=16"]
)
def test_the_only_winning_move_is_found(pile, text):
    game, state = sticks(pile)
    assert of_view(game, named(text, game), state, 1) == pile % 4 - 1


def test_three_seats_each_for_itself():
    """Exactly as in exhaustive search, with the same choice among equals: the first."""
    for pile in range(2, 12):
        game, state = sticks(pile, players=3)
        values = Exhaustive(game).values_after(state)
        assert of_view(game, named("maxn:depth=16", game), state, 1) == max(values, key=lambda e: values[e][0])


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    "text", ["maxn:depth=16,chance=explicit", "mcts:iterations=4000,chance=explicit", "mcts:iterations=4000"]
)
def test_chance_is_weighed(text, players):
    for pile in range(4, 10):
        game, state = sticks(pile, players=players, wind=True)
        best = {e: v[0] for e, v in Exhaustive(game).values_after(state).items()}
        assert best[of_view(game, named(text, game), state, 1)] >= max(best.values()) - 0.02


@pytest.mark.parametrize("players", [2, 3])
def test_values_with_chance_nodes_converge_to_the_exact_ones(players):
    game, state = sticks(6, players=players, wind=True)
    exact = {e: v[0] for e, v in Exhaustive(game).values_after(state).items()}
    errors = {}
    for iterations in (200, 20_000):
        player = Player(named(f"mcts:iterations={iterations},chance=explicit,exploration=1.4", game).params)
        errors[iterations] = np.mean([error_of_best(player.find(state.reshape(1), seed), exact) for seed in range(10)])
    assert errors[20_000] < 0.02 and errors[20_000] < errors[200] / 2


def error_of_best(found: Found, exact: dict[int, float]) -> float:
    """How far the value that a search found for its choice is from the exact one."""
    best = np.argmax(found.visits)
    return abs(found.values[best] - exact[int(found.events[best])])


def test_exact_values_by_hand():
    """One stick: the mover wins. Two with wind: taking one leaves one, which a gust takes in two of three cases."""
    game, state = sticks(2, wind=True)
    assert Exhaustive(game).values_after(state)[0][0] == pytest.approx(2 / 3)
    assert Exhaustive(game).values(state)[0] == 1


# Chance, time, memory


def test_explicit_and_open_chance_differ_in_the_tree():
    game, state = sticks(8, wind=True)
    trees = {}
    for chance in ("open", "explicit"):
        player = Player(named(f"mcts:iterations=500,chance={chance}", game).params, reuse=True)
        player.find(state.reshape(1), seed=1)
        work = player._kept[0][1]
        trees[chance] = work.tree["seat"][: work.used[0]]
    assert (trees["open"][1:] >= 0).all()
    assert (trees["explicit"][1:] == tabletop.CHANCE).any()


@pytest.mark.parametrize("text", SEARCHES)
@pytest.mark.parametrize(
    "game", [tabletop.make(STICKS, players=3, wind=True), tabletop.make(PEBBLES, players=3)], ids=str
)
def test_a_search_is_deterministic_and_leaves_its_input_alone(text, game):
    state = game.new(1, seed=4)[0:1].reshape(())
    before = state.tobytes()
    chosen = [of_view(game, named(text, game), state, seed) for seed in (1, 2, 1, 2)]
    assert chosen[:2] == chosen[2:] and set(chosen) <= set(game.legal(state))
    assert state.tobytes() == before


def test_games_do_not_depend_on_the_threads():
    game = tabletop.make(PEBBLES, players=2, take="up_to")
    played = [game.play(12, ["mcts:iterations=50", "flat:iterations=50"], seed=3, threads=t) for t in (1, 3)]
    assert (played[0].scores == played[1].scores).all() and (played[0].lengths == played[1].lengths).all()


def test_games_with_memory_and_threads_can_be_repeated():
    game = tabletop.make(PEBBLES, players=2, take="up_to")
    bots = ["mcts:iterations=50,threads=2,reuse=yes", "mcts:iterations=50,reuse=yes"]
    first, again = (game.play(4, bots, seed=3, threads=1) for _ in range(2))
    single = game.play(1, bots, seed=3, first=3)
    assert (first.scores == again.scores).all() and (first.scores[3] == single.scores[0]).all()


def test_time_limits_a_search():
    game, state = sticks(60)
    act = named("mcts:milliseconds=60", game)
    of_view(game, act, state, 1)
    start = time.perf_counter()
    of_view(game, act, state, 2)
    assert 0.055 < time.perf_counter() - start < 2


def test_threads_add_up_their_visits():
    game, state = sticks(9)
    found = [
        Player(named("mcts:iterations=400", game).params, threads=t).find(state.reshape(1), seed=2) for t in (1, 3)
    ]
    assert found[0].visits.sum() == 400 and found[1].visits.sum() == 1200


def test_a_kept_tree_is_found_again():
    """After the own move and any answer, the tree starts with the visits that the old one had there.

    Two sticks go in two moves in one way only.
    """
    game, state = sticks(12)
    player = Player(named("mcts:iterations=500", game).params, reuse=True)
    states = state.reshape(1).copy()
    player.find(states, seed=1)
    old = player._kept[0][1]
    node = child_of(old, child_of(old, ROOT, 0, 0), 0, 1)
    game.step(states, [0])
    game.step(states, [0])
    player.find(states, seed=2)
    tree = player._kept[0][1].tree
    assert tree[ROOT]["visits"] == 500 + old.tree[node]["visits"] > 500
    fresh = Player(player.params, reuse=True)
    fresh.find(states, seed=2)
    assert fresh._kept[0][1].tree[ROOT]["visits"] == 500


def test_a_full_tree_still_searches():
    game, state = sticks(5)
    assert of_view(game, named("mcts:iterations=3000,nodes=4", game), state, 1) == 0


@pytest.mark.parametrize("game", [tabletop.make(STICKS, pile=9, wind=True), tabletop.make(PEBBLES)], ids=str)
@pytest.mark.parametrize("more", ["", ",threads=2", ",reuse=yes", ",depth=0", ",selection=puct,threads=2,reuse=yes"])
def test_the_smallest_tree_plays(game, more):
    results = game.play(3, f"mcts:iterations=20,nodes=2{more}", seed=1)
    assert (results.lengths > 0).all()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mcts:nodes=2147483647", "'nodes': '2147483647' is not allowed; trees of 2147483647 nodes need 85.9 GB"),
        ("mcts:nodes=2147483647,threads=3,reuse=yes", "trees of 2147483647 nodes need 515.4 GB"),
        ("mcts:iterations=2147483646", "'iterations': '2147483646' is not allowed; trees of 2147483647 nodes need"),
    ],
)
def test_trees_for_which_there_is_no_memory_are_refused(text, told, monkeypatch):
    monkeypatch.setattr(np, "empty", without_memory(np.empty, at_most=10**9))
    with pytest.raises(BotError, match=None) as error:
        bot(text, STICKS)
    assert told in str(error.value)


def without_memory(empty, at_most: int):
    """`np.empty` of a machine that has memory for so many entries."""

    def limited(shape, *rest, **more):
        if np.prod(shape) > at_most:
            raise MemoryError
        return empty(shape, *rest, **more)

    return limited


@pytest.mark.parametrize("more", ["", ",threads=2"])
@pytest.mark.parametrize(("wind", "chance"), [(False, "open"), (True, "explicit")])
def test_a_search_that_keeps_its_tree_has_room_to_grow(wind, chance, more, monkeypatch):
    """In every move of a game: the tree has got as many nodes as it could use."""
    shares = []

    def find(self, state, seed):
        found = searched(self, state, seed)
        shares.extend(work.used[0] / len(work.tree) for _, work in self._kept)
        kept.extend(work.tree[ROOT]["visits"] > 100 for _, work in self._kept)
        return found

    kept, searched = [], Player.find
    monkeypatch.setattr(Player, "find", find)
    game = tabletop.make(STICKS, pile=60, wind=wind)
    game.play(1, f"mcts:iterations=100,chance={chance},reuse=yes{more}", seed=2)
    assert sum(kept) > 5 and max(shares) < 1


def test_only_what_fits_is_kept_at_the_root():
    """With wind the same choices lead to piles in which other numbers may be taken."""
    game, state = sticks(9, wind=True)
    player = Player(named("mcts:iterations=400", game).params, reuse=True)
    states = state.reshape(1).copy()
    player.find(states, seed=1)
    old, seen = player._kept[0][1], 0
    for sticks_left in (1, 2):
        now = states.copy()
        now["sticks"] = sticks_left
        for node in range(1, int(old.used[0])):
            new_states, new = positions_and_work(now[0], len(old.tree), np.zeros(1, np.uint64))
            copy_subtree(old, node, new_states[BASE], new, np.zeros(len(new.tree), np.int32))
            child = int(new.tree[ROOT]["first_child"])
            while child != NO_NODE:
                assert new.tree[child]["event"] < sticks_left and new.tree[child]["seat"] == 0
                child, seen = int(new.tree[child]["next_sibling"]), seen + 1
    assert seen > 0


def test_hidden_information_is_dealt_anew():
    """The root of a search sees as many walks as iterations, spread over all that could be hidden."""
    game = tabletop.make(PEBBLES, players=2, take="up_to")
    state = game.new(seed=1)
    found = Player(named("mcts:iterations=200", game).params).find(state.reshape(1), seed=1)
    assert found.visits.sum() == 200 and set(found.events) == set(game.legal(state))


# Roll-outs and registry


@compiled_bot("greatest_take")
def greatest_take(state, legal, rng, params):
    """Takes as many sticks as it may."""
    return min(3, np.int64(state.sticks)) - 1


@compiled_bot("nonsense")
def nonsense(state, legal, rng, params):
    """Chooses what nobody may."""
    return 77


@python_bot("plainly", skip=0)
def plainly(state, legal, rng, skip):
    """The first legal action."""
    return legal[0]


def test_any_compiled_bot_plays_roll_outs():
    game, state = sticks(9)
    uniform, greatest = (named(f"flat:iterations=3,rollout={r}", game) for r in ("uniform", "greatest_take"))
    assert of_view(game, greatest, state, 1) == 2  # 9 → 6 → 3 → 0; after the other moves the rival takes the last
    assert len({of_view(game, uniform, state, seed) for seed in range(30)}) > 1


def test_an_illegal_roll_out_is_an_error():
    game, state = sticks(9)
    with pytest.raises(ValueError, match="roll-out"):
        of_view(game, named("mcts:iterations=10,rollout=nonsense", game), state, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mcts:iteration=5", "unknown parameter 'iteration'; the parameters are iterations, "),
        ("mcts:iterations=0", "'0' is not allowed; expected an integer from 1"),
        ("mcts:nodes=1", "'nodes': '1' is not allowed; expected 0, or an integer from 2 to 2147483647"),
        ("mcts:nodes=1,threads=2,reuse=yes", "'nodes': '1' is not allowed; expected 0, or an integer from 2"),
        ("mcts:nodes=-1", "'nodes': '-1' is not allowed; expected 0, or an integer from 2"),
        ("mcts:iterations=many", "'many' is not allowed"),
        ("mcts:selection=best", "'best' is not allowed; expected one of uct, puct"),
        ("mcts:exploration=-1", "'-1' is not allowed"),
        ("mcts:rollout=nobody", "unknown bot 'nobody'; there are"),
        ("mcts:rollout=plainly", "'plainly' is not allowed; expected a compiled bot"),
        ("mcts:evaluation=greedy", "there is none for the game 'sticks'; expected 'points'"),
        ("maxn:depth=0", "'0' is not allowed; expected an integer from 1 to 16"),
        ("greedy", "there is no module"),
        ("plainly:hop=1", "the parameters are skip"),
    ],
)
def test_wrong_words_are_refused(text, told):
    with pytest.raises(BotError, match=None) as error:
        bot(text, STICKS)
    assert told in str(error.value)


@pytest.mark.parametrize("text", ["maxn", "mcts:chance=explicit"])
def test_what_would_see_hidden_things_is_refused(text):
    with pytest.raises(BotError, match="hidden"):
        bot(text, PEBBLES)


@pytest.mark.parametrize("name", ["uniform", "a b", "a:b", ""])
def test_names_of_own_bots_are_checked(name):
    with pytest.raises(BotError, match="not allowed"):
        compiled_bot(name)(greatest_take)


def test_own_bots_play_by_name():
    game = tabletop.make(STICKS, pile=9)
    results = game.play(4, ["greatest_take", "plainly:skip=2"], seed=1)
    assert results.names == ("greatest_take", "plainly:skip=2")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("bites", "rollout=greedy,depth=16,selection=puct,prior=evaluated,exploration=0.5"),
        ("rattus", "depth=16,selection=puct,prior=evaluated,exploration=0.5,scale=1.5,sharpness=1"),
        ("rodentia", "depth=32"),
        ("pebbles", "depth=-1,selection=uct,rollout=uniform,evaluation=points"),
    ],
)
def test_a_search_has_the_defaults_of_its_game(name, settings):
    """Looked up and not played, as a search in a large game takes a minute to compile."""
    game = tabletop.make(PEBBLES if name == "pebbles" else name).game
    parameters = {parameter.name: parameter for parameter in kinds()["mcts"].parameters(game)}
    for setting in settings.split(","):
        chosen, _, value = setting.partition("=")
        assert parameters[chosen].default == parameters[chosen].read(value)


def test_a_setting_that_is_not_named_has_its_default():
    game = tabletop.make(PEBBLES)
    spelt_out = named("mcts:depth=-1,selection=uct,rollout=uniform,evaluation=points", game)
    assert named("mcts", game).params.tolist() == spelt_out.params.tolist()
    assert named("mcts:depth=1", game).params.tolist() != spelt_out.params.tolist()


@pytest.mark.parametrize(
    "name", ["bites", *(pytest.param(name, marks=pytest.mark.slow) for name in ("rattus", "rodentia"))]
)
def test_search_beats_greedy(name):
    """The bound is far below what it wins; `docs/strength.md` has the figures."""
    results = tabletop.make(name, players=2).play(24, ["mcts:iterations=500", "greedy"], seed=5)
    winners = results.places == 1
    assert (winners / winners.sum(axis=1, keepdims=True))[results.bots == 0].sum() > 14


def test_strong_beats_weak():
    game = tabletop.make(STICKS, pile=15)
    results = game.play(60, ["mcts:iterations=400", "uniform"], seed=1)
    assert (results.places == 1)[results.bots == 0].mean() > 0.9
    assert in_game(game, named("mcts:iterations=400", game), tabletop.make(STICKS, pile=7).new(), 1) == 2
