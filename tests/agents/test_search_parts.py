"""The parts of the searching bots, each against values worked out by hand."""

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from choices import of_view
from pebbles import PEBBLES
from sticks import MOST_TAKEN, STICKS

import tabletop
from agents.flat import best_mean
from agents.lookahead import value_after
from agents.maxn import BEST, COUNTS, EVENT, Room, take_up
from agents.search.iteration import search
from agents.search.player import Found, Player, _found
from agents.search.reuse import copy_subtree
from agents.search.rollouts import roll_out
from agents.search.selection import choose_child
from agents.search.settings import numbers
from agents.search.tree import BASE, NO_NODE, ROOT, WALK, Work, back_up, most_visited, positions_and_work
from agents.search.values import share_out, value_position
from tabletop import CHANCE, Variant, bot, compiled_bot
from tabletop.bots import BotParameter, read_bot
from tabletop.game import NO_EVENT, Game

SOME_NODES = 12
ILLEGAL = 2  # takes three sticks where there are only two


def sticks(pile: int, players: int = 2, wind: bool = False) -> tuple[Variant, np.ndarray]:
    game = tabletop.make(STICKS, players=players, pile=pile, wind=wind)
    return game, game.new(1)


def params_of(text: str, game: Game = STICKS) -> np.ndarray:
    """The numbers of a search, fixed as the loops of a game have them."""
    _, values = read_bot(text, game)
    params = numbers(game, values)
    params.setflags(write=False)
    return params


def begun(state: np.ndarray, seed: int = 0, nodes: int = SOME_NODES) -> tuple[np.ndarray, Work]:
    """A search at a position, shape (1,), with the root alone; its first walk is at the root."""
    states, work = positions_and_work(state[0], nodes, np.array([seed], np.uint64))
    states[WALK] = states[BASE]
    return states, work


def grow(work: Work, event: int, seat: int = 0, parent: int = ROOT, **known: float) -> int:
    """A new child that has the known visits, total, available and prior, else 0."""
    place = int(work.used[0])
    work.used[0] += 1
    for name, value in {"visits": 0, "available": 0, "total": 0, "prior": 0, **known}.items():
        work.tree[name][place] = value
    work.tree["event"][place], work.tree["seat"][place] = event, seat
    work.tree["first_child"][place] = NO_NODE
    work.tree["next_sibling"][place] = work.tree["first_child"][parent]
    work.tree["first_child"][parent] = place
    return place


def children(work: Work, parent: int = ROOT) -> dict[int, np.void]:
    """The children of a node by their events, all of one seat."""
    found, child = {}, int(work.tree["first_child"][parent])
    while child != NO_NODE:
        found[int(work.tree["event"][child])] = work.tree[child]
        child = int(work.tree["next_sibling"][child])
    return found


def sticks_times_seat(s, seat, params):
    """An evaluation with two numbers: to the second seat each stick that is left is worth something."""
    return params[0] + params[1] * seat * np.float64(s.sticks)


def give_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives Sticks an evaluation of its own, as a game with a greedy bot has one."""
    own = (BotParameter("base", 7.0, "what cancels out"), BotParameter("each", 0.25, "points a stick"))
    module = SimpleNamespace(PARAMETERS=own, evaluate=sticks_times_seat)
    monkeypatch.setattr("agents.search.evaluation.module_of", lambda game: module)


# The way down: UCT


@pytest.mark.parametrize(("exploration", "chosen"), [(0.445, 1), (0.455, 0)])
def test_uct_adds_a_bonus_to_the_mean(exploration, chosen):
    """0 + c·√(ln 16 / 1) against 1/2 + c·√(ln 16 / 9): equal if c = 0.4504."""
    _, state = sticks(2)
    states, work = begun(state)
    work.tree["visits"][ROOT] = 1000
    grow(work, event=0, visits=1, total=0, available=15)
    grow(work, event=1, visits=9, total=4.5, available=15)
    child = choose_child(states, work, ROOT, params_of(f"mcts:exploration={exploration}"))
    assert work.tree["event"][child] == chosen


def test_uct_counts_how_often_a_child_was_available():
    """0.52 + √(ln 4 / 4) = 1.11 against 0.50 + √(ln 100 / 4) = 1.57."""
    _, state = sticks(2)
    states, work = begun(state)
    work.tree["visits"][ROOT] = 100
    grow(work, event=0, visits=4, total=2.08, available=3)
    grow(work, event=1, visits=4, total=2.0, available=99)
    child = choose_child(states, work, ROOT, params_of("mcts:exploration=1"))
    assert work.tree["event"][child] == 1


@pytest.mark.parametrize("selection", ["uct", "puct"])
def test_only_children_that_fit_are_available_and_chosen(selection):
    """Not an action that is illegal now, nor that of another seat, however good they are."""
    _, state = sticks(2)
    states, work = begun(state)
    fitting = [grow(work, event, visits=2, total=0.5, available=5, prior=0.1) for event in (0, 1)]
    others = [
        grow(work, event, seat, visits=2, total=2, available=5, prior=0.8) for event, seat in ((ILLEGAL, 0), (0, 1))
    ]
    child = choose_child(states, work, ROOT, params_of(f"mcts:selection={selection}"))
    assert child in fitting
    assert work.tree["available"][fitting].tolist() == [6, 6] and work.tree["available"][others].tolist() == [5, 5]


def test_uct_first_tries_every_action():
    _, state = sticks(3)
    states, work = begun(state)
    for event in (0, 2):
        grow(work, event, visits=1, total=1, available=1)
    child = work.tree[choose_child(states, work, ROOT, params_of("mcts"))]
    assert (child["event"], child["seat"], child["visits"], child["available"]) == (1, 0, 0, 1)
    assert {n: int(node["available"]) for n, node in children(work).items()} == {0: 2, 1: 1, 2: 2}


def test_uct_tries_actions_in_a_random_order():
    _, state = sticks(3)
    tried = []
    for seed in range(60):
        states, work = begun(state, seed)
        tried.append(int(work.tree["event"][choose_child(states, work, ROOT, params_of("mcts"))]))
    assert min(tried.count(event) for event in range(MOST_TAKEN)) > 10


# The way down: PUCT


@pytest.mark.parametrize(("exploration", "chosen"), [(0.74, 1), (0.76, 0)])
def test_puct_adds_a_bonus_times_the_prior(exploration, chosen):
    """1/2 + c·1/2·√16/(1 + 3) against 4/5 + c·1/4·√16/(1 + 9): equal if c = 3/4."""
    _, state = sticks(2)
    states, work = begun(state)
    work.tree["visits"][ROOT] = 1000
    grow(work, event=0, visits=3, total=1.5, available=15, prior=0.5)
    grow(work, event=1, visits=9, total=7.2, available=15, prior=0.25)
    child = choose_child(states, work, ROOT, params_of(f"mcts:selection=puct,exploration={exploration}"))
    assert work.tree["event"][child] == chosen


@pytest.mark.parametrize(("exploration", "chosen"), [(0.49, 0), (0.51, 2)])
def test_puct_takes_an_unvisited_child_for_the_mean_of_its_siblings(exploration, chosen):
    """9/10 + c·1/3·√9/(1 + 4) against (3.6 + 0.4)/(4 + 4) + c·1/3·√9/(1 + 0): equal if c = 1/2."""
    _, state = sticks(3)
    states, work = begun(state)
    for event, visits, total in ((0, 4, 3.6), (1, 4, 0.4), (2, 0, 0)):
        grow(work, event, visits=visits, total=total, available=8, prior=1 / 3)
    grow(work, event=0, seat=1, visits=100, total=100, available=100)
    child = choose_child(states, work, ROOT, params_of(f"mcts:selection=puct,exploration={exploration}"))
    assert work.tree["event"][child] == chosen


def test_puct_knows_nothing_beforehand_with_equal_priors():
    _, state = sticks(3)
    states, work = begun(state)
    choose_child(states, work, ROOT, params_of("mcts:selection=puct"))
    assert {n: (float(c["prior"]), int(c["available"])) for n, c in children(work).items()} == dict.fromkeys(
        range(MOST_TAKEN), (1 / 3, 1)
    )


@pytest.mark.parametrize("sharpness", [0.5, 2])
def test_puct_expects_more_of_what_is_valued_more(sharpness):
    """Of three sticks only taking all brings a point."""
    _, state = sticks(3)
    states, work = begun(state)
    text = f"mcts:selection=puct,prior=evaluated,sharpness={sharpness}"
    child = choose_child(states, work, ROOT, params_of(text))
    a_point_less = math.exp(-1 / sharpness)
    expected = np.array([a_point_less, a_point_less, 1]) / (2 * a_point_less + 1)
    assert [float(children(work)[n]["prior"]) for n in range(MOST_TAKEN)] == pytest.approx(expected)
    assert work.tree["event"][child] == 2


@pytest.mark.parametrize("sharpness", [0.25, 1])
def test_puct_expects_most_of_the_first_action_where_that_is_valued_most(sharpness, monkeypatch):
    """The second seat would leave as many sticks as it can: two, one or none."""
    give_evaluation(monkeypatch)
    _, state = sticks(3)
    state["mover"] = state["seat"] = 1
    states, work = begun(state)
    text = f"mcts:selection=puct,prior=evaluated,evaluation=greedy,sharpness={sharpness}"
    child = choose_child(states, work, ROOT, params_of(text))
    powers = np.exp(0.25 * np.array([2, 1, 0]) / sharpness)
    assert [float(children(work)[n]["prior"]) for n in range(MOST_TAKEN)] == pytest.approx(powers / powers.sum())
    assert work.tree["event"][child] == 0 and work.tree["seat"][child] == 1


def test_priors_of_new_children_are_shares_of_all_actions():
    _, state = sticks(3)
    states, work = begun(state)
    grow(work, event=2, visits=1, total=1, available=1, prior=0.4)
    choose_child(states, work, ROOT, params_of("mcts:selection=puct,prior=evaluated,sharpness=1"))
    share = math.exp(-1) / (1 + 2 * math.exp(-1))
    assert [float(children(work)[n]["prior"]) for n in range(MOST_TAKEN)] == pytest.approx([share, share, 0.4])


# Roll-outs and values


@compiled_bot("takes", count=3)
def takes(state, legal, rng, params):
    """Takes so many sticks, or all if there are fewer."""
    return min(np.int64(params[0]), np.int64(state.sticks)) - 1


@pytest.mark.parametrize(
    ("settings", "wind", "events", "taken"),
    [
        ("depth=0", False, 0, 0),
        ("depth=0,rollout=takes", False, 0, 0),
        ("depth=4", False, 4, None),
        ("depth=4", True, 4 + 3, None),  # no gust is waited for after the last decision
        ("depth=4,rollout=takes:count=2", False, 4, 8),
        ("depth=4,rollout=takes", True, 4 + 3, None),
        ("depth=1,rollout=takes:count=2", True, 1, 2),
        ("rollout=takes", False, 20, 60),
    ],
)
def test_a_roll_out_lasts_so_many_decisions(settings, wind, events, taken):
    _, state = sticks(60, wind=wind)
    states, work = begun(state)
    assert roll_out(states, work, params_of(f"mcts:{settings}")) == events
    assert taken in (None, 60 - states["sticks"][WALK])


def test_a_roll_out_lasts_to_the_end():
    _, state = sticks(60, wind=True)
    states, work = begun(state)
    roll_out(states, work, params_of("mcts"))
    assert states["sticks"][WALK] == 0 and sorted(work.values) == [0, 1]
    assert work.values[states["seat"][WALK]] == 1


@compiled_bot("spoils")
def spoils(state, legal, rng, params):
    """Takes a stick, but puts many into what it was shown."""
    state.sticks = 1000
    return 0


def test_a_roll_out_bot_may_spoil_what_it_is_shown():
    _, state = sticks(60)
    states, work = begun(state)
    roll_out(states, work, params_of("mcts:depth=4,rollout=spoils"))
    assert states["sticks"][WALK] == 60 - 4


@pytest.mark.parametrize("settings", ["depth=3", "depth=3,rollout=takes:count=1"])
def test_a_search_counts_the_events_of_its_roll_outs_and_its_walks(settings):
    """Each walk goes at most six decisions deep in a tree, and plays on for three of the many that are left."""
    _, state = sticks(60)
    states, work = begun(state)
    assert search(states, work, params_of(f"mcts:iterations=7,{settings}")) == 7 * 3
    assert work.tree["visits"][ROOT] == 7


@pytest.mark.parametrize("noise", [0, 0.3, 1])
def test_noise_is_the_share_of_random_actions(noise):
    """Of the random ones, two thirds are not what the bot does."""
    _, state = sticks(60)
    states, work = begun(state)
    params, taken = params_of(f"mcts:depth=1,rollout=takes,noise={noise}"), []
    for _ in range(1000):
        states[WALK] = states[BASE]
        roll_out(states, work, params)
        taken.append(60 - int(states["sticks"][WALK]))
    for count in (1, 2):
        assert taken.count(count) == pytest.approx(1000 * noise / 3, abs=50 * (noise > 0))


@pytest.mark.parametrize(
    ("settings", "players", "winner", "loser"),
    [
        ("margin=0", 2, 1, 0),
        ("margin=1,scale=2", 2, 1 / (1 + math.exp(-1 / 2)), 1 / (1 + math.exp(1 / 2))),
        ("margin=0.25,scale=2", 2, 0.75 + 0.25 / (1 + math.exp(-1 / 2)), 0.25 / (1 + math.exp(1 / 2))),
        ("margin=0.5,scale=1", 3, 0.5 + 0.5 * math.e / (math.e + 2), 0.5 / (math.e + 2)),
        ("margin=0.5", 3, 0.5 + 0.5 / (1 + 2 * math.exp(-1 / 4)), 0.5 / (2 + math.exp(1 / 4))),
    ],
)
def test_the_end_of_a_game_is_worth_the_win_and_a_share_of_the_points(settings, players, winner, loser):
    """The winner has a point, the others have none."""
    game, state = sticks(3, players)
    game.step(state, [2])
    states, work = begun(state)
    assert roll_out(states, work, params_of(f"mcts:{settings}")) == 0
    assert work.values.tolist() == pytest.approx([winner] + [loser] * (players - 1))


def value_of_pebbles(text: str, over: bool, taken: Sequence[int], stones: Sequence[int]) -> list[float]:
    game = tabletop.make(PEBBLES, players=len(taken))
    state = game.new(1, seed=1)
    state["taken"][0, : len(taken)], state["stone"][0, : len(taken)] = taken, stones
    if over:
        state["mover"] = tabletop.OVER
    values, whole = np.zeros(len(taken)), np.zeros(len(taken), np.int32)
    value_position(state[0], values, whole, params_of(text, game.game))
    return values.tolist()


def test_winners_share_the_win():
    assert value_of_pebbles("mcts", True, (4, 4, 2), (2, 2, 3)) == [0.5, 0.5, 0]
    assert value_of_pebbles("mcts", True, (2, 2, 2), (1, 1, 1)) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("scale", [1, 4])
def test_a_game_that_goes_on_is_worth_the_share_of_points(scale):
    """5, 3 and 4 points."""
    powers = np.exp(np.array([5, 3, 4]) / scale)
    values = value_of_pebbles(f"mcts:evaluation=points,scale={scale}", False, (4, 0, 2), (1, 3, 2))
    assert values == pytest.approx(powers / powers.sum())


@pytest.mark.parametrize(
    ("points", "value"), [(0, 1 / 2), (6, 1 / (1 + math.exp(-3 / 2))), (-6, 1 / (1 + math.exp(3 / 2)))]
)
def test_a_lone_player_has_a_chance_to_win_by_his_points(points, value):
    values = np.array([points], np.float64)
    share_out(values, 1, 4.0)
    assert values == pytest.approx([value])


@pytest.mark.parametrize(
    ("settings", "value"),
    [
        ("evaluation=points", 1 / 2),
        ("evaluation=greedy", 1 / (1 + math.exp(0.25 * 6 / 4))),
        ("evaluation=greedy,scale=2,rollout=takes:count=2", 1 / (1 + math.exp(0.25 * 6 / 2))),
    ],
)
def test_a_game_has_its_own_evaluation_or_the_points(settings, value, monkeypatch):
    """Without any points, of six sticks; the evaluation of the second seat is a quarter of a point a stick higher."""
    give_evaluation(monkeypatch)
    _, state = sticks(6)
    states, work = begun(state)
    roll_out(states, work, params_of(f"mcts:depth=0,{settings}"))
    assert work.values.tolist() == pytest.approx([value, 1 - value])


# One-step look-ahead


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("pile", "chosen"), [(2, 1), (3, 2), (10, 0)])
def test_lookahead_takes_the_best_action_and_the_first_of_equals(pile, chosen, seat):
    game, state = sticks(pile)
    state["mover"] = state["seat"] = seat
    assert of_view(game, bot("lookahead", STICKS), state, 1) == chosen


def test_lookahead_averages_over_draws():
    """Three of four sticks leave one, which a gust takes in two of three cases; else nothing is decided."""
    game, state = sticks(4, wind=True)
    assert {of_view(game, bot("lookahead:samples=16", STICKS), state, seed) for seed in range(10)} == {2}
    assert {of_view(game, bot("lookahead:samples=1", STICKS), state, seed) for seed in range(10)} == {0, 2}


def test_lookahead_sums_up_as_many_draws_as_it_is_told():
    _, state = sticks(3)
    states, work = begun(state)
    for event, value in ((0, 0.5), (2, 1)):
        assert value_after(states, work, event, params_of("lookahead:samples=8")) == 8 * value


def test_lookahead_weighs_chance():
    """One of two sticks: 2/3 · 1 + 1/3 · 1/2."""
    _, state = sticks(2, wind=True)
    states, work = begun(state)
    value = value_after(states, work, 0, params_of("lookahead:samples=1000"))
    assert value / 1000 == pytest.approx(5 / 6, abs=0.02)


def test_lookahead_compares_all_actions_over_the_same_draws():
    """Which heap the pebbles are from does not matter, but the rival's stone does."""
    game = tabletop.make(PEBBLES, players=2, take="up_to")
    state = game.new(seed=1).reshape(1)
    state["dealt"], state["stone"][0, :2], state["roll"], state["mover"] = 2, (1, 2), 3, 0
    chosen = {of_view(game, bot("lookahead:samples=1", PEBBLES), state, seed) for seed in range(20)}
    assert chosen == {game.event("take:0:3")}


# max^n


def room_for(values: Sequence[Sequence[float]], levels: int = 2) -> Room:
    return Room(
        np.array(values, np.float64),
        np.zeros((levels, 1), np.uint64),
        np.zeros((levels, 2), np.int64),
        np.zeros(levels),
        np.zeros((levels, COUNTS), np.int64),
        np.zeros(len(values[0]), np.int32),
        np.zeros(1, np.uint64),
    )


@pytest.mark.parametrize(
    ("mover", "best", "expected"), [(1, 0, [0.1, 0.6, 0.3]), (0, 0, [0.4, 0.3, 0.3]), (0, NO_EVENT, [0.1, 0.6, 0.3])]
)
def test_maxn_takes_over_the_values_of_all_seats_if_they_are_better_for_the_mover(mover, best, expected):
    _, state = sticks(6, players=3)
    state["mover"] = state["seat"] = mover
    room = room_for([[0.4, 0.3, 0.3], [0.1, 0.6, 0.3]])
    room.counts[0, EVENT], room.counts[0, BEST] = 2, best
    take_up(state[0], room, 0, params_of("maxn"))
    assert room.values[0].tolist() == expected
    assert room.counts[0, BEST] == (2 if expected[0] == 0.1 else best)


@pytest.mark.parametrize(("chance", "expected"), [("open", [0.5, 0.5]), ("explicit", [1 / 3, 2 / 3])])
def test_maxn_weighs_outcomes_and_counts_draws(chance, expected):
    """The first outcome is worth a win for the first seat, the other, twice as likely, for the second."""
    _, state = sticks(6, wind=True)
    state["mover"] = CHANCE
    room, params = room_for([[0, 0], [0, 0]]), params_of(f"maxn:chance={chance}")
    room.weights[0] = 1, 2
    for outcome in (0, 1):
        room.counts[0, EVENT] = MOST_TAKEN + outcome
        room.values[1] = 1 - outcome, outcome
        take_up(state[0], room, 0, params)
    assert room.values[0].tolist() == pytest.approx(expected)


def test_maxn_averages_over_as_many_draws_as_it_is_told():
    """Three of four sticks win in two of three cases; whatever else is done, the rival can win."""
    game, state = sticks(4, wind=True)
    assert {of_view(game, bot("maxn:depth=2,samples=16", STICKS), state, seed) for seed in range(10)} == {2}
    assert {of_view(game, bot("maxn:depth=2,samples=1", STICKS), state, seed) for seed in range(10)} == {0, 2}


def test_maxn_looks_at_every_outcome_of_explicit_chance():
    """With two draws instead it would see no gust in one of nine cases, and take the first of equals."""
    game, state = sticks(4, wind=True)
    assert {of_view(game, bot("maxn:depth=2,chance=explicit", STICKS), state, seed) for seed in range(60)} == {2}


@pytest.mark.parametrize(("pile", "chosen"), [(8, 1), (9, 2)])
def test_maxn_does_not_count_outcomes_as_decisions(pile, chosen):
    """Five decisions and outcomes reach far enough to see the own second choice; three would find all equal."""
    game, state = sticks(pile, wind=True)
    assert of_view(game, bot("maxn:depth=3,chance=explicit", STICKS), state, 1) == chosen


@pytest.mark.parametrize(("depth", "chosen"), [(1, 0), (2, 0), (3, 1)])
def test_maxn_looks_so_many_decisions_ahead(depth, chosen):
    """Two of six sticks win, but not before the third decision; until then the first of equals is taken."""
    game, state = sticks(6)
    assert of_view(game, bot(f"maxn:depth={depth}", STICKS), state, 1) == chosen


# Counting and choosing


def test_a_walk_is_counted_for_the_seats_that_chose():
    _, state = sticks(9, players=3)
    _, work = begun(state)
    work.tree["visits"][ROOT] = 4
    path, parent = [], ROOT
    for seat in (0, 1, CHANCE, 2, 0):
        parent = grow(work, event=0, seat=seat, parent=parent, visits=1, total=0.25)
        path.append(parent)
    aside = grow(work, event=1, visits=1, total=0.25)
    work.path[: len(path)], work.values[:] = path, (0.5, 0.125, 0.375)
    back_up(work, 4)
    assert work.tree["visits"][[ROOT, *path, aside]].tolist() == [5, 2, 2, 2, 2, 1, 1]
    assert work.tree["total"][[*path, aside]].tolist() == [0.75, 0.375, 0.25, 0.625, 0.25, 0.25]


@pytest.mark.parametrize(
    ("nodes", "best"),
    [
        ([(0, 5, 4.0), (1, 7, 1.0), (2, 6, 5.0)], 1),  # most visits
        ([(0, 7, 1.0), (1, 7, 3.0), (2, 7, 2.0)], 1),  # of these the higher value
        ([(2, 7, 3.0), (1, 7, 3.0), (0, 6, 3.0)], 1),  # of these the lower event
        ([(1, 7, 3.0), (2, 7, 3.0), (0, 6, 3.0)], 1),
    ],
)
def test_the_action_that_was_visited_most_is_best(nodes, best):
    _, state = sticks(9)
    _, work = begun(state)
    for event, visits, total in nodes:
        grow(work, event, visits=visits, total=total)
    assert work.tree["event"][most_visited(work)] == best == _found([work]).best


@pytest.mark.parametrize(
    ("nodes", "best"), [([(4, 2.0), (3, 2.0), (9, 5.0)], 2), ([(4, 2.0), (2, 1.0), (6, 3.0)], 1), ([(2, 1.0)], 1)]
)
def test_flat_monte_carlo_takes_the_best_mean_and_the_first_of_equals(nodes, best):
    _, state = sticks(9)
    _, work = begun(state)
    for event, (visits, total) in enumerate(nodes):
        grow(work, event, visits=visits, total=total)
    assert best_mean(work, len(nodes)) == best


@pytest.mark.parametrize("iterations", [1, 3, 4])
def test_flat_monte_carlo_tries_every_action_in_turn(iterations):
    """Even if that is more than it is told. Nine, six, three, none: taking three wins, if all take three."""
    game, state = sticks(9)
    assert of_view(game, bot(f"flat:iterations={iterations},rollout=takes", STICKS), state, 1) == 2


@pytest.mark.parametrize("selection", ["uct", "puct"])
def test_a_search_keeps_to_the_actions_that_it_may_take(selection):
    """One of nine sticks wins."""
    game, state = sticks(9)
    chosen = bot(f"mcts:iterations=60,selection={selection}", STICKS)
    legal = np.array([0b110], np.uint64)
    for fixed in (legal, chosen.params):
        fixed.setflags(write=False)
    for seed in range(5):
        assert chosen.act(state[0], legal, game.streams(1, seed)[0][-1:], chosen.params) in (1, 2)


# Several threads


def test_what_all_threads_found_is_added_up():
    _, state = sticks(9)
    works = [begun(state)[1] for _ in range(2)]
    for work, nodes in zip(works, [{0: (3, 1.5), 2: (5, 1.0)}, {2: (3, 3.0), 1: (4, 3.0), 0: (2, 2.0)}], strict=True):
        for event, (visits, total) in nodes.items():
            grow(work, event, visits=visits, total=total)
    found = _found(works)
    assert found.events.tolist() == [0, 1, 2] and found.visits.tolist() == [5, 4, 8]
    assert found.values.tolist() == pytest.approx([3.5 / 5, 3 / 4, 4 / 8])
    assert found.best == 2


def test_of_equally_many_visits_the_higher_value_is_best():
    assert Found(np.array([4, 6, 9]), np.array([3, 5, 5]), np.array([0.9, 0.2, 0.4])).best == 9
    assert Found(np.array([4, 6, 9]), np.array([3, 5, 5]), np.array([0.9, 0.2, 0.2])).best == 6


def test_each_thread_searches_by_itself():
    """Three searches alike would find three times the visits of one."""
    _, state = sticks(10)
    alone, together = (Player(bot("mcts:iterations=60", STICKS).params, threads=t).find(state, seed=2) for t in (1, 3))
    assert together.visits.sum() == 3 * alone.visits.sum() == 180
    assert (together.visits != 3 * alone.visits).any()


# A tree that is kept


def test_a_kept_tree_keeps_what_it_has_counted():
    _, state = sticks(9)
    _, old = begun(state)
    _, new = begun(state, nodes=2 * SOME_NODES)
    counted: dict[int, dict[str, Any]] = {}
    for k, event in enumerate((0, 1, 2)):
        counted[event] = {"visits": 10 + k, "available": 20 + k, "total": 2.5 * k, "prior": k / 4}
    grow(old, event=0, visits=99)
    node = grow(old, event=1, visits=40, total=8, available=50, prior=0.5)
    kept = [grow(old, event, parent=node, **known) for event, known in counted.items()]
    below: dict[str, Any] = {"visits": 7, "available": 9, "total": 1.25, "prior": 0.125}
    grow(old, event=2, seat=1, parent=kept[1], **below)
    copy_subtree(old, node, state[0], new, np.zeros(len(new.tree), np.int32))
    assert new.used[0] == 5 and new.tree["visits"][ROOT] == 40
    assert known_of(children(new)) == counted
    grandchildren = [children(new, int(np.flatnonzero(new.tree["visits"][:5] == 10 + k)[0])) for k in range(3)]
    assert [known_of(each) for each in grandchildren] == [{}, {2: below}, {}]
    assert grandchildren[1][2]["seat"] == 1


def known_of(nodes: dict[int, np.void]) -> dict[int, dict[str, float]]:
    return {n: {name: node[name] for name in ("visits", "available", "total", "prior")} for n, node in nodes.items()}
