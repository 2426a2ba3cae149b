"""Plays a game of random agents in PettingZoo (extra `multiagent`).

python examples/pettingzoo_random.py --game rodentia --players 3
"""

from dataclasses import dataclass

import pettingzoo
import tyro

import tabletop.envs.aec  # noqa: F401  (makes the games known to PettingZoo)


@dataclass
class Arguments:
    """Which game."""

    game: str = "bites"
    players: int = 3
    seed: int = 0


def main(arguments: Arguments) -> None:
    """Every agent chooses one of its legal actions at random."""
    env = pettingzoo.make(
        "aec", f"critters/{arguments.game}_v0", players=arguments.players, reward="score", render_mode="ansi"
    )
    env.reset(seed=arguments.seed)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(arguments.seed + number)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    print(env.render())
    print("points:", ", ".join(f"{agent} {points:g}" for agent, points in totals.items()))


if __name__ == "__main__":
    main(tyro.cli(Arguments))
