"""No bot sees what is hidden from its seat, nor what chance will bring."""

import numpy as np
import pytest
from choices import counts, in_game, of_view
from pebbles import PEBBLES
from scipy.stats import chi2_contingency

import tabletop
from tabletop import Variant, bot
from tabletop.plug_ins import BOTS_GROUP, plug_ins

EVERY_BOT = ("uniform", "mcts:iterations=40", "flat:iterations=40", "lookahead:samples=2")
SEARCHES = (*EVERY_BOT[1:], "mcts:iterations=40,selection=puct,prior=evaluated", "mcts:iterations=40,threads=2")
FAST_IN_RATTUS = ("uniform", "greedy", "restricted:bot=greedy,forbid=card:*")
SLOW_IN_RATTUS = (*EVERY_BOT[1:], "mcts:iterations=40,selection=uct")  # they compile for a minute
IN_RATTUS = (*FAST_IN_RATTUS, *(pytest.param(text, marks=pytest.mark.slow) for text in SLOW_IN_RATTUS))
DRAWS = range(150)


def differ(table: np.ndarray) -> float:
    """How likely it is that rows this different come from one distribution."""
    return 1.0 if table.shape[1] == 1 else chi2_contingency(table).pvalue


def pebbles() -> tuple[Variant, list[np.ndarray]]:
    """Two positions of which seat 0 cannot know in which it is: the rival's stone differs."""
    game = tabletop.make(PEBBLES, players=2, take="up_to")
    state = game.new(seed=2)
    truths = [state.copy(), state.copy()]
    for truth, stone in zip(truths, (1, 3), strict=True):
        truth["stone"][1] = stone
    assert (game.observe(truths[0]) == game.observe(truths[1])).all()
    return game, truths


def rattus(events: int = 30) -> tuple[Variant, list[np.ndarray]]:
    """Two positions of Rattus that differ only in face-down tokens."""
    game = tabletop.make("rattus", players=3)
    states, rng = game.new(1), game.streams(1, 6)
    generator = np.random.default_rng(6)
    game.resolve(states, rng)
    for _ in range(events):
        game.step(states, [generator.choice(game.legal(states)[0])])
        game.resolve(states, rng)
    truths = [game.redeal(states, seed=seed)[0:1].reshape(()) for seed in (1, 2)]
    assert truths[0].tobytes() != truths[1].tobytes()
    assert (game.observe(truths[0]) == game.observe(truths[1])).all()
    return game, truths


@pytest.mark.parametrize("text", EVERY_BOT)
def test_choices_do_not_depend_on_a_hidden_stone(text):
    game, truths = pebbles()
    chosen = bot(text, game.game)
    assert differ(counts(game, lambda s, seed: in_game(game, chosen, s, seed), truths, DRAWS)) > 0.001


@pytest.mark.parametrize("text", IN_RATTUS)
def test_choices_do_not_depend_on_face_down_tokens(text):
    game, truths = rattus()
    chosen = bot(text, game.game)
    assert differ(counts(game, lambda s, seed: in_game(game, chosen, s, seed), truths, DRAWS)) > 0.001


@pytest.mark.parametrize("text", SEARCHES)
def test_a_search_does_not_trust_the_one_deal_that_it_is_shown(text):
    game, truths = pebbles()
    chosen = bot(text, game.game)
    assert differ(counts(game, lambda s, seed: of_view(game, chosen, s, seed), truths, DRAWS)) > 0.001


def test_the_test_would_notice_a_cheat():
    game, truths = pebbles()

    def peek(state: np.ndarray, seed: int) -> int:
        generator = np.random.default_rng(seed)
        legal = game.legal(state)
        return int(legal[0] if generator.random() < 0.2 * state["stone"][1] else generator.choice(legal))

    assert differ(counts(game, peek, truths, DRAWS)) < 0.001


def is_blind_to_chance(game: Variant, text: str, state: np.ndarray, seed: int) -> bool:
    """Whether a bot chooses the same where the streams of chance differ and the stream of its seat does not."""
    chosen = bot(text, game.game)
    return len({in_game(game, chosen, state, seed, chance_seed) for chance_seed in (1, 2, 3)}) == 1


@pytest.mark.parametrize("text", EVERY_BOT)
def test_choices_do_not_depend_on_future_chance(text):
    game, truths = pebbles()
    for seed in range(10):
        assert is_blind_to_chance(game, text, truths[0], seed)


@pytest.mark.parametrize("text", IN_RATTUS)
def test_choices_do_not_depend_on_what_will_be_drawn(text):
    game, truths = rattus()
    for seed in range(5):
        assert is_blind_to_chance(game, text, truths[0], seed)


def test_every_installed_bot_is_tested_here():
    """All but max^n, which refuses games with hidden information."""
    tested = {text.partition(":")[0] for text in (*FAST_IN_RATTUS, *SLOW_IN_RATTUS)}
    assert set(plug_ins(BOTS_GROUP)) == tested | {"maxn"}
