"""Trains the maskable PPO of sb3-contrib on Bites against greedy bots (extra `train`).

    python examples/maskable_ppo.py --steps 200000
    python examples/maskable_ppo.py --single          # the plain Gymnasium environment instead of the native one

It prints the win rate against the same bots before and after.
"""

from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import tyro
from sb3_contrib import MaskablePPO

from tabletop.envs.sb3 import GameVecEnv


@dataclass
class Arguments:
    """What to train, and how long."""

    steps: int = 200_000  # decisions of the learner
    lanes: int = 64  # games side by side
    players: int = 2
    opponents: str = "greedy"
    single: bool = False  # one game in the plain Gymnasium environment
    games: int = 400  # to measure the win rate
    seed: int = 0


def win_rate(model: MaskablePPO, arguments: Arguments) -> float:
    """Share of games that the model wins, from a rotating seat."""
    env = GameVecEnv(
        "bites", min(64, arguments.games), players=arguments.players, opponents=arguments.opponents, seat="rotate"
    )
    env.seed(arguments.seed + 10**6)
    observations, rewards = env.reset(), list[float]()
    while len(rewards) < arguments.games:
        actions, _ = model.predict(observations, action_masks=env.action_masks(), deterministic=True)  # type: ignore[arg-type]
        observations, paid, ended, _ = env.step(actions)
        rewards += paid[ended].tolist()
    return float(np.mean(np.array(rewards) > 0))


def main(arguments: Arguments) -> None:
    """Trains and tells what came of it."""
    settings: dict[str, Any] = {"players": arguments.players, "opponents": arguments.opponents, "seat": "rotate"}
    env = (
        gymnasium.make("bites:Bites-v0", **settings)
        if arguments.single
        else GameVecEnv("bites", arguments.lanes, **settings)
    )
    model = MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=512, seed=arguments.seed, device="cpu")
    print(f"before: wins {win_rate(model, arguments):.1%} of the games against {arguments.opponents}")
    model.learn(arguments.steps)
    print(f"after {model.num_timesteps} steps: wins {win_rate(model, arguments):.1%}")


if __name__ == "__main__":
    main(tyro.cli(Arguments))
