"""The games in the stacks that people train with. Every environment is built on the same batch of lanes.

| module       | what                                                        | extra        |
|--------------|-------------------------------------------------------------|--------------|
| `gym`        | `GameEnv`: one game for Gymnasium                           |              |
| `vector`     | `GameVectorEnv`: many games in one compiled call            |              |
| `selfplay`   | `SelfPlay`: many games in which every seat is a learner     |              |
| `aec`        | PettingZoo                                                  | `multiagent` |
| `sb3`        | a native `VecEnv` for Stable-Baselines3                     | `train`      |
| `rllib`      | a `MultiAgentEnv` for RLlib                                 | `cluster`    |
| `open_spiel` | a Python game for OpenSpiel                                 | `openspiel`  |

The frameworks of the extras are imported only with their module.
"""

import gymnasium

from tabletop.extras import MissingExtraError

__all__ = ["MissingExtraError", "register"]


def register(name: str) -> None:
    """Makes an installed game known to Gymnasium as its name with a capital and `-v0`, single and native vector."""
    gymnasium.register(
        f"{name.capitalize()}-v0",
        entry_point="tabletop.envs.gym:GameEnv",
        vector_entry_point="tabletop.envs.vector:GameVectorEnv",
        kwargs={"game": name},
    )
