"""Tree search at the end of games against everything that can still happen there."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from choices import of_view
from exhaustive import ALIKE, Exhaustive, choices_of_game

import tabletop
from tabletop import Variant, bot
from tabletop.game import NO_EVENT

Values = dict[int, float]  # what each action is worth to whoever chooses, in shares of the win
Ending = tuple[np.ndarray, Values]

SEARCHES = ("mcts:iterations=3000", "mcts:iterations=3000,selection=uct,rollout=uniform,depth=-1")
GAMES = 400  # that are played at most to find as many endings as are wanted
SEEDS = 5  # with which each search is made
DIFFERENT = 0.01  # by which an action is worse at least
DEALS = 1000  # of hidden tokens and chance for each action
MARGIN = 0.06  # of shares of wins; over so many deals, common to all actions, they are off by some 0.01


def is_decisive(values: Values, difference: float = DIFFERENT) -> bool:
    """Whether at least half of the actions are worse than the best, so that luck does not find it again and again."""
    worse = [value for value in values.values() if value < max(values.values()) - difference]
    return 2 * len(worse) >= len(values)


def hangs_on_chance(values: Values) -> bool:
    """Whether an action neither decides the game nor shares the win between two."""
    return any(min(abs(value - sure) for sure in (0, 0.5, 1)) > DIFFERENT for value in values.values())


def endings(game: Variant, most: int, bots: str = "uniform", first: int = 0, chance: bool = False) -> Iterator[Ending]:
    """Of each game the earliest decisive choice from which all can be looked through, with the exact values.

    With at most so many positions a game; if `chance` must matter, the earliest at which it does.
    """
    for number in range(first, first + GAMES):
        tree, found = Exhaustive(game, most, any_of_equals=False), None
        for state in choices_of_game(game, number, bots):
            try:
                shares = tree.values_after(state)
            except (OverflowError, RecursionError):
                break
            values = {event: float(v[game.to_move(state)]) for event, v in shares.items()}
            if is_decisive(values) and (hangs_on_chance(values) or not chance):
                found = state, values
        if found:
            yield found


def check_optimal(
    game: Variant, found: Iterator[Ending], wanted: int, texts: Sequence[str] = SEARCHES, margin: float = ALIKE
) -> None:
    """The bots take actions of the best value, but for a margin, at so many endings, whatever their seed."""
    checked = list(islice(found, wanted))
    assert len(checked) == wanted
    for text, seed in product(texts, range(SEEDS)):
        search = bot(text, game.game)
        for state, values in checked:
            assert values[of_view(game, search, state, seed)] > max(values.values()) - margin, (text, seed, values)


@pytest.mark.parametrize("players", [2, 3])
def test_search_is_optimal_at_the_end_of_bites(players: int) -> None:
    game = tabletop.make("bites", players=players)
    check_optimal(game, endings(game, most=1000), 8)


def test_luck_is_not_enough() -> None:
    game = tabletop.make("bites", players=3)
    with pytest.raises(AssertionError, match="uniform"):
        check_optimal(game, endings(game, most=1000), 8, ["uniform"])


@pytest.mark.slow  # a search in Rodentia takes a minute to compile
@pytest.mark.parametrize(("players", "rounds", "bots"), [(2, 20, "uniform"), (3, 10, "greedy")])
def test_search_is_optimal_in_the_last_round_of_rodentia(players: int, rounds: int, bots: str) -> None:
    """R31: with a limit of rounds, nothing is left to chance after the last roll."""
    game = tabletop.make("rodentia", players=players, max_rounds=rounds)
    check_optimal(game, endings(game, 1000, bots), 8)


@pytest.mark.slow  # a search in Rodentia takes a minute to compile
@pytest.mark.parametrize(
    ("players", "settings", "most", "bots", "first", "wanted"),
    [(1, {"solo_ties": "fixed"}, 3000, "greedy", 50, 4), (2, {"max_rounds": 26}, 20_000, "uniform", 5, 2)],
)
def test_search_is_optimal_before_the_last_roll_of_rodentia(
    players: int, settings: dict[str, Any], most: int, bots: str, first: int, wanted: int
) -> None:
    """R14, R41: all rolls by their weights. The games before `first` have no such ending that is small enough."""
    game = tabletop.make("rodentia", players=players, **settings)
    check_optimal(game, endings(game, most, bots, first, chance=True), wanted)


def share_of_wins(game: Variant, state: np.ndarray, event: int, seed: int) -> float:
    """How often the mover wins after an action, over deals of what it cannot know; OverflowError if others choose."""
    seat = int(game.to_move(state))
    deals = game.redeal(np.repeat(state.reshape(1), DEALS), seat=np.full(DEALS, seat), seed=seed)
    streams, events = game.streams(DEALS, seed), np.full(DEALS, event)
    while True:
        game.step(deals, events)
        game.resolve(deals, streams)
        movers = game.to_move(deals)
        if (movers < 0).all():
            won = game.ranking(deals) == 1
            return float((won[:, seat] / won.sum(axis=1)).mean())
        legal = game.legal(deals)
        if any(len(legal[i]) > 1 for i in np.flatnonzero(movers >= 0)):
            raise OverflowError("somebody has a choice")
        events = np.array([legal[i][0] if movers[i] >= 0 else NO_EVENT for i in range(DEALS)])


def last_choices(game: Variant) -> Iterator[Ending]:
    """Of each game the last choice, where it is decisive and nobody has another one, with values over many deals."""
    for number in range(GAMES):
        state = choices_of_game(game, number)[0]
        try:
            values = {int(e): share_of_wins(game, state, e, number) for e in game.legal(state)}
        except OverflowError:
            continue
        if is_decisive(values, 2 * MARGIN):
            yield state, values


@pytest.mark.parametrize("players", [2, 3])
def test_search_is_close_to_optimal_at_the_last_choice_in_rattus(players: int) -> None:
    game = tabletop.make("rattus", players=players)
    check_optimal(game, last_choices(game), 6, SEARCHES[:1], MARGIN)
