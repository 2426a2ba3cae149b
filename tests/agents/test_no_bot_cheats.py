"""No bot sees what is hidden from its seat, nor what chance will bring.

The property is exact: with the same random stream of its own, a bot decides the same in all positions that its seat
cannot tell apart, whatever else chance has in store.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from choices import from_views, in_game, of_view
from pebbles import PEBBLES

import tabletop
from tabletop import Variant, bot, plain_bot
from tabletop.bits import count_in, nth_in
from tabletop.bots import Bot, compile_bot
from tabletop.jit import JIT_ENABLED, jit
from tabletop.plug_ins import BOTS_GROUP, plug_ins

SIMPLE = ("uniform", "greedy", "restricted:bot=greedy,forbid=card:*")
ONE_CALL = ("lookahead:samples=2", "flat:iterations=40", "mcts:iterations=40", "mcts:iterations=40,selection=uct")
MORE_CALLS = (
    "mcts:iterations=40,threads=2",
    "mcts:iterations=40,reuse=yes",
    "mcts:iterations=40,threads=2,reuse=yes",
)
IN_RATTUS = (*SIMPLE, *ONE_CALL, *(pytest.param(text, marks=pytest.mark.slow) for text in MORE_CALLS))
SEARCHES = (*ONE_CALL, *MORE_CALLS, "mcts:iterations=40,selection=puct,prior=evaluated")
IN_PEBBLES = ("uniform", "restricted:bot=uniform,forbid=pass", *SEARCHES)
DEALS = (1, 2, 3)  # seeds by which what is hidden is dealt anew


def decisions(game: Variant, number: int, count: int) -> list[np.ndarray]:
    """Positions of one random game in which the seat that is first to choose has a choice, in order."""
    states, rng, generator = game.new(1), game.streams(1, 6, number), np.random.default_rng(number)
    game.resolve(states, rng)
    seat, found = None, []
    while game.to_move(states)[0] >= 0 and len(found) < count:
        legal, mover = game.legal(states)[0], int(game.to_move(states)[0])
        if len(legal) > 1 and seat in (None, mover):
            seat = mover
            found.append(states.copy())
        game.step(states, [generator.choice(legal)])
        game.resolve(states, rng)
    return found


def indistinguishable(game: Variant, state: np.ndarray) -> list[np.ndarray]:
    """The position and others that differ from it only in what the seat to move cannot know."""
    positions = [state, *(game.redeal(state, seed=seed) for seed in DEALS)]
    assert all((game.observe(other) == game.observe(state)).all() for other in positions)
    return positions


def differ(positions: Sequence[np.ndarray]) -> bool:
    return len({position.tobytes() for position in positions}) > 1


def check_hidden(game: Variant, chosen: Bot, states: Sequence[np.ndarray]) -> None:
    """In each position: the same decision, whatever is hidden and whatever chance has in store."""
    checked = 0
    for seed, state in enumerate(states):
        positions = indistinguishable(game, state)
        checked += differ(positions)
        assert len({in_game(game, chosen, position, seed) for position in positions}) == 1
        assert len({in_game(game, chosen, state, seed, chance_seed) for chance_seed in (None, *DEALS)}) == 1
    assert checked > 0


def check_memory(game: Variant, chosen: Bot, states: Sequence[np.ndarray]) -> None:
    """Over the moves of one game, as a bot with memory sees them: the same decisions, whatever is hidden."""
    deals = list(zip(*(indistinguishable(game, state) for state in states), strict=True))
    assert len({from_views(game, chosen, deal, seed=5) for deal in deals}) == 1


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("text", IN_PEBBLES)
def test_no_bot_sees_hidden_stones_or_dice(text: str, players: int) -> None:
    game = tabletop.make(PEBBLES, players=players, take="up_to", passing=True)
    for number in range(3):
        states = decisions(game, number, 4)
        check_hidden(game, bot(text, game.game), states)
        check_memory(game, bot(text, game.game), states)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("text", IN_RATTUS)
def test_no_bot_sees_face_down_tokens_of_rattus_or_what_will_be_drawn(text: str, players: int) -> None:
    game = tabletop.make("rattus", players=players)
    for number in range(2):
        states = decisions(game, number, 12)
        check_hidden(game, bot(text, game.game), states)
        check_memory(game, bot(text, game.game), states)


@pytest.mark.parametrize("text", SEARCHES)
def test_a_search_does_not_trust_the_one_deal_that_it_is_shown(text: str) -> None:
    """Shown the truth instead of a view, it decides the same all the same."""
    game = tabletop.make(PEBBLES, players=3, take="up_to", passing=True)
    for number in range(3):
        for state in decisions(game, number, 4):
            assert len({of_view(game, bot(text, game.game), p, 1) for p in indistinguishable(game, state)}) == 1


def test_the_test_would_notice_a_cheat() -> None:
    """It decides by the stone of its rival: differently if it is shown the truth, but not in a game."""
    game = tabletop.make(PEBBLES, players=2, take="up_to", passing=True)
    cheat = plain_bot(lambda state, legal, rng: legal[min(len(legal), int(state.ravel()["stone"][0, 1])) - 1])
    states = decisions(game, 1, 4)
    shown = [{of_view(game, cheat, position, 1) for position in indistinguishable(game, state)} for state in states]
    assert max(len(choices) for choices in shown) > 1
    check_hidden(game, cheat, states)


@jit
def word_beside(rng, place):
    """A word beside a stream, read where no index is checked."""
    return rng[place]


def reading_act(state, legal, rng, params):
    """Decides by words beside its stream."""
    beside = word_beside(rng, np.int64(params[0]))
    return nth_in(legal, np.int64(beside % np.uint64(count_in(legal, 2))))


@pytest.mark.skipif(not JIT_ENABLED, reason="plain Python checks each index")
@pytest.mark.parametrize("place", [-5, -4, -3, -2, 1, 2])
def test_no_stream_of_the_game_or_of_others_lies_beside_that_of_a_bot(place: int) -> None:
    game = tabletop.make(PEBBLES, players=2, take="up_to", passing=True)
    cheat = Bot("cheat", compile_bot(PEBBLES, reading_act), np.array([place], np.float64))
    for number in range(3):
        check_hidden(game, cheat, decisions(game, number, 4))
        for state in decisions(game, number, 4):
            assert len({in_game(game, cheat, state, seed) for seed in range(20)}) == 1


def test_every_installed_bot_is_tested_here() -> None:
    """All but max^n, which refuses games with hidden information."""
    tested = {text.partition(":")[0] for text in (*SIMPLE, *ONE_CALL)}
    assert set(plug_ins(BOTS_GROUP)) == tested | {"maxn"}
