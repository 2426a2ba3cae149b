"""Tree search at the end of games against everything that can still happen there."""

import numpy as np
import pytest
from choices import of_view
from exhaustive import choices_of_game, exact_after

import tabletop
from tabletop import Variant, bot
from tabletop.game import NO_EVENT

DEALS = 1000  # of hidden tokens and chance for each action
MARGIN = 0.06  # of shares of wins; over so many deals, common to all actions, they are off by some 0.01


def values_for_mover(game: Variant, state: np.ndarray) -> dict[int, float]:
    """What each action is worth to whoever chooses; nothing if too much can happen or others choose between equals."""
    try:
        values = exact_after(game, state, {}, any_of_equals=False)
    except (OverflowError, RecursionError):
        return {}
    return {event: float(v[game.to_move(state)]) for event, v in values.items()}


def decisive(game: Variant, number: int, looked_at: int, bots: str) -> tuple[np.ndarray, dict[int, float]] | None:
    """Of the last choices of a game, the earliest at which actions are of different exact values, with these."""
    found = None
    for state in choices_of_game(game, number, bots)[:looked_at]:
        values = values_for_mover(game, state)
        if not values:
            break
        if max(values.values()) > min(values.values()) + 0.01:
            found = state, values
    return found


def check_optimal(game: Variant, text: str, wanted: int, looked_at: int, bots: str = "uniform") -> None:
    """The search takes an action of the best value, at the ends of so many games."""
    search, checked = bot(text, game.game), 0
    for number in range(400):
        if checked == wanted:
            break
        if ending := decisive(game, number, looked_at, bots):
            state, values = ending
            assert values[of_view(game, search, state, number)] == pytest.approx(max(values.values()))
            checked += 1
    assert checked == wanted


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("settings", ["", ",selection=uct,rollout=uniform,depth=-1"])
def test_search_is_optimal_at_the_end_of_bites(settings: str, players: int) -> None:
    check_optimal(tabletop.make("bites", players=players), f"mcts:iterations=3000{settings}", wanted=8, looked_at=3)


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


@pytest.mark.parametrize("players", [2, 3])
def test_search_is_close_to_optimal_at_the_last_choice_in_rattus(players: int) -> None:
    game, checked = tabletop.make("rattus", players=players), 0
    search = bot("mcts:iterations=3000", game.game)
    for number in range(200):
        if checked == 6:
            break
        state = choices_of_game(game, number)[0]
        try:
            values = {int(e): share_of_wins(game, state, e, number) for e in game.legal(state)}
        except OverflowError:
            continue
        if max(values.values()) > min(values.values()) + 2 * MARGIN:
            assert values[of_view(game, search, state, number)] > max(values.values()) - MARGIN
            checked += 1
    assert checked == 6
