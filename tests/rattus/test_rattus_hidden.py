"""P30 and P31: what a seat may know, and dealing again what it cannot know."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from rattus_positions import PLAYERS, at, line, played_until, rats, to_move
from scipy.stats import chisquare

from rattus.box import REGIONS, SLOTS
from rattus.state import DRAWN, SEEN, THERE, TOKEN_BITS, TOKEN_MASK, TYPE_MASK
from tabletop.game import OVER
from tabletop.variant import make

TYPE_BITS = sum(TYPE_MASK << TOKEN_BITS * slot for slot in range(SLOTS))


def entries(state):
    """All tokens on the board: (region, slot, entry)."""
    for region in range(REGIONS):
        for slot in range(SLOTS):
            entry = int(state["rats"][0][region]) >> TOKEN_BITS * slot & TOKEN_MASK
            if entry & THERE:
                yield region, slot, entry


def known_to(state, seat):
    return {(region, slot): entry for region, slot, entry in entries(state) if entry & SEEN << seat}


def without_fronts(state):
    """All of a position but the types of its face-down tokens and the pool: what everybody knows."""
    public = state.copy()
    public["rats"] &= ~TYPE_BITS
    public["left"], public["pool"] = 0, 0
    return public


def middles(count, **settings):
    """Positions in the middle of random games with Witches at work."""
    found = []
    for seed in range(count):
        game = make("rattus", players=PLAYERS[seed % 3], **settings)
        wanted = 8 + 5 * (seed % 7)
        state = played_until(game, seed, lambda s, wanted=wanted: s["turns"][0] >= wanted or s["phase"][0] == 4)
        found.append((game, state))
    return found


@pytest.fixture(scope="module")
def positions():
    return middles(21)


def test_p30_nothing_hidden_is_observed(positions):
    """Every redealt state is one that differs only in what the seat cannot know."""
    for game, state in positions:
        for seat in range(game.players):
            seen = game.observe(state, seat)
            for seed in range(5):
                assert np.array_equal(game.observe(game.redeal(state, seat, seed), seat), seen)


def test_p30_at_every_node_of_whole_games():
    for players in PLAYERS:
        game = make("rattus", players=players)
        rng = np.random.default_rng(players)
        state = game.new(1, seed=players)
        while to_move(game, state) != OVER:
            for seat in range(players):
                again = game.redeal(state, seat, int(rng.integers(1000)))
                assert np.array_equal(game.observe(again, seat), game.observe(state, seat))
                assert game.faults(again)[0] == 0
            game.step(state, [rng.choice(game.legal(state)[0])])


def test_p30_every_hidden_arrangement_is_observed_alike():
    """All exchanges of two unknown tokens of one origin leave an observation as it is."""
    game, state = at(SMALL, removed={"2": 1})
    seen = game.observe(state, 0)
    for arrangement in arrangements(game, state, 0):
        other = arranged(game, state, arrangement)
        assert game.faults(other)[0] == 0
        assert np.array_equal(game.observe(other, 0), seen)


def test_p30_the_witch_knows_and_nobody_else():
    picture = "next first part, seat 0\n| gallia |\n| . . |\n| 1PB!0 2MPC |"
    game, state = at(picture)
    other = at(picture.replace("1PB", "1BC"))[1]
    assert not np.array_equal(game.observe(state, 0), game.observe(other, 0))
    assert np.array_equal(game.observe(state, 1), game.observe(other, 1))


def test_p30_where_tokens_come_from_and_who_saw_them_is_public():
    picture = "next first part, seat 0\n| gallia |\n| . . |\n| 1PB 2MPC |"
    game, state = at(picture)
    for change in ("1PB 2MPC+", "1PB!0 2MPC", "1PB!1 2MPC"):
        other = at(picture.replace("1PB 2MPC", change))[1]
        for seat in range(2):
            assert not np.array_equal(game.observe(state, seat), game.observe(other, seat)), change


def test_p30_revealed_tokens_are_public():
    game, state = at("revealed 1PB\n| gallia |\n| . . |\n| 2MPC |")
    other = at("revealed 1BC\n| gallia |\n| . . |\n| 2MPC |")[1]
    assert not np.array_equal(game.observe(state, 0), game.observe(other, 0))


def test_p30_observations_keep_to_their_ranges(positions):
    game = positions[0][0]
    low = np.concatenate([[f.low] * f.size for f in game.features])
    high = np.concatenate([[f.high] * f.size for f in game.features])
    for of, state in positions:
        for seat in range(of.players):
            seen = of.observe(state, seat)[0]
            assert np.all((low <= seen) & (seen <= high))


def test_p30_an_observation_is_rotated_to_the_seat():
    game, state = at("next first part, seat 0\ncards king 0\n| gallia |\n| 3 3 |\n| 1PB |")
    other = at("next first part, seat 1\ncards king 1\n| gallia |\n| 3 3 |\n| 1PB |")[1]
    assert np.array_equal(game.observe(state, 0), game.observe(other, 1))


def test_p31_redeal_changes_nothing_that_the_seat_knows(positions):
    for game, state in positions:
        for seat in range(game.players):
            again = game.redeal(state, seat, seed=7)
            assert game.faults(again)[0] == 0
            assert without_fronts(again).tobytes() == without_fronts(state).tobytes()
            assert known_to(again, seat) == known_to(state, seat)


def test_p31_redeal_deals_what_the_seat_does_not_know(positions):
    changed = sum(
        game.redeal(state, seat, seed=3).tobytes() != state.tobytes()
        for game, state in positions
        for seat in range(game.players)
    )
    assert changed > 40


# Three starting tokens (one revealed, one on the board, one in the pool) and three others, one of them seen by seat 0.
SMALL = """
    next     first part, seat 0
    revealed {revealed}
    | gallia          | hispania |
    | 1 .             | . 1      |
    | 1PB 6MMAA+!0    | 2MPC+ 3MPBC+ |
"""
KEPT = {"1PB", "2MPC", "1KW", "3MPBC", "6MMAA", "4MRA"}


def _small():
    types = [kind.name for kind in make("rattus").settings.tables["tokens"].types]
    return SMALL.format(revealed=", ".join(name for name in types if name not in KEPT))


SMALL = _small()


def unknown(state, seat):
    return [(region, slot, entry) for region, slot, entry in entries(state) if not entry & SEEN << seat]


def arrangements(game, state, seat):
    """P31 by enumeration: every equally likely way to deal the unknown tokens, as their types by place.

    Starting tokens over the places of the set-up and the surplus; then all others over the places of drawn tokens
    and the pool. Every token is its own, so every order counts once.
    """
    types = game.settings.tables["tokens"].types
    places = unknown(state, seat)
    at_setup = [place[:2] for place in places if not place[2] & DRAWN]
    drawn = [place[:2] for place in places if place[2] & DRAWN]
    hidden = [entry & TYPE_MASK for _, _, entry in places]
    hidden += [kind for kind, left in enumerate(state["left"][0].tolist()) for _ in range(left)]
    starting = [i for i, kind in enumerate(hidden) if types[kind].is_starting]
    for first in permutations(starting, len(at_setup)):
        rest = [i for i in range(len(hidden)) if i not in first]
        for second in permutations(rest, len(drawn)):
            kinds = [hidden[i] for i in first + second]
            yield tuple(zip(at_setup + drawn, kinds, strict=True))


def arranged(game, state, arrangement):
    """The position with the unknown tokens so arranged; the pool is what is left."""
    other = state.copy()
    left = other["tokens"]["printed"][0].astype(int) - other["revealed"][0]
    for (region, slot), kind in arrangement:
        word = int(other["rats"][0][region])
        at_bit = TOKEN_BITS * slot
        other["rats"][0][region] = word & ~(TYPE_MASK << at_bit) | kind << at_bit
    for _, _, entry in entries(other):
        left[entry & TYPE_MASK] -= 1
    other["left"][0] = left
    other["pool"][0] = sum(1 << int(kind) for kind in np.flatnonzero(left))
    return other


def fronts(state, seat):
    return tuple(((region, slot), entry & TYPE_MASK) for region, slot, entry in sorted(unknown(state, seat)))


@pytest.mark.parametrize("seat", [0, 1])
def test_p31_frequencies_agree_with_enumeration(seat):
    game, state = at(SMALL, removed={"2": 1})
    exact = Counter(tuple(sorted(arrangement)) for arrangement in arrangements(game, state, seat))
    assert len(exact) > 10
    deals = 6000
    batch = np.repeat(state, deals)
    dealt = Counter(fronts(again.reshape(1), seat) for again in game.redeal(batch, seat, seed=11))
    assert set(dealt) <= set(exact)
    expected = np.array([exact[key] for key in exact]) * deals / exact.total()
    assert chisquare([dealt[key] for key in exact], expected).pvalue > 0.001


def test_p31_frequencies_with_several_tokens_of_a_type(tmp_path):
    path = tmp_path / "tokens.json"
    path.write_text('{"starting": {"1PB": 6, "2MPC": 3}, "other": {"1BC": 3, "6MMAA": 1}}')
    picture = """
        next     first part, seat 0
        revealed 1PB, 1PB, 1PB, 1BC
        | gallia       | hispania |
        | 1 .          | . 1      |
        | 1PB 2MPC+    | 2MPC 1BC+ |
    """
    game, state = at(picture, tokens=str(path), removed={"2": 5})
    exact = Counter(tuple(sorted(arrangement)) for arrangement in arrangements(game, state, 0))
    deals = 6000
    dealt = Counter(fronts(again.reshape(1), 0) for again in game.redeal(np.repeat(state, deals), 0, seed=5))
    assert set(dealt) <= set(exact)
    expected = np.array([exact[key] for key in exact]) * deals / exact.total()
    assert chisquare([dealt[key] for key in exact], expected).pvalue > 0.001


def test_p31_before_the_set_up_is_complete():
    game = make("rattus", players=2)
    state = game.new(1)
    for kind in ("1PB", "2MPC", "1BC"):
        game.step(state, [event for event in game.legal(state)[0] if game.token(event).endswith(":" + kind)])
    again = game.redeal(np.repeat(state, 500), 1, seed=2)
    assert not game.faults(again).any()
    assert {rats(game, one.reshape(1), "anglia")[0] for one in again} == {
        kind.name for kind in game.settings.tables["tokens"].types if kind.is_starting
    }


def test_p31_a_drawn_token_may_be_a_surplus_starting_token_but_one_of_the_set_up_is_no_other(positions):
    game, state = at("next first part, seat 0\n| gallia |\n| . . |\n| 1PB 6MMAA+ |")
    again = game.redeal(np.repeat(state, 2000), 0, seed=4)
    starting = {kind.name for kind in game.settings.tables["tokens"].types if kind.is_starting}
    placed = [rats(game, one.reshape(1), "gallia") for one in again[:400]]
    assert {first for first, _ in placed} == starting
    assert {second.removesuffix("+") for _, second in placed} & starting
    assert line(game, again[:1], "supply") == line(game, state, "supply")
