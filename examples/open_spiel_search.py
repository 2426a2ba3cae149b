"""Lets OpenSpiel's tree searches play a game against random players (extra `openspiel`).

    python examples/open_spiel_search.py --game rattus --simulations 100

MCTS plays a game without hidden information, information-set MCTS one with it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
import tyro
from open_spiel.python.algorithms import ismcts, mcts

import tabletop.envs.open_spiel  # noqa: F401  (makes the games known to OpenSpiel)


@dataclass
class Arguments:
    """Which game, and how hard the search thinks."""

    game: str = "bites"
    players: int = 2
    simulations: int = 30
    most_decisions: int = 10_000  # of all players, after which the game is left
    seed: int = 0


def searcher(game: Any, arguments: Arguments, rng: np.random.RandomState) -> Any:
    """The search that suits the game's information."""
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        return mcts.MCTSBot(game, 1.4, arguments.simulations, evaluator, random_state=rng)
    return ismcts.ISMCTSBot(game, evaluator, 1.4, arguments.simulations, random_state=rng)


def main(arguments: Arguments) -> None:
    """Plays one game: the search on seat 0, random players on the others."""
    rng = np.random.RandomState(arguments.seed)
    game = pyspiel.load_game(f"critters_{arguments.game}", {"players": arguments.players})
    search, state, decisions = searcher(game, arguments, rng), game.new_initial_state(), 0
    while not state.is_terminal() and decisions < arguments.most_decisions:
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
            continue
        is_searcher = state.current_player() == 0
        action = search.step(state) if is_searcher else int(rng.choice(state.legal_actions()))
        print(f"{state.current_player()} {'search' if is_searcher else 'random'}: {state.action_to_string(action)}")
        state.apply_action(action)
        decisions += 1
    print(f"{state}\nreturns: {state.returns()}")


if __name__ == "__main__":
    main(tyro.cli(Arguments))
