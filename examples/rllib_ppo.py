"""Trains RLlib's PPO with action masks on Rattus, all seats playing with one shared policy (extra `cluster`).

python examples/rllib_ppo.py --iterations 20
"""

from dataclasses import dataclass

import ray
import tyro
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from tabletop.envs.rllib import GameMultiAgentEnv


@dataclass
class Arguments:
    """What to train, and how long."""

    iterations: int = 20
    decisions: int = 4_000  # of all seats in an iteration
    players: int = 2
    hidden: int = 128  # units of each of two layers
    runners: int = 0  # processes that play beside the one that learns


def configuration(arguments: Arguments) -> PPOConfig:
    """One masked policy for every seat."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [arguments.hidden] * 2}
    )
    game = {"game": "rattus", "players": arguments.players, "name": "observations", "reward": "rank"}
    return (
        PPOConfig()
        .environment(GameMultiAgentEnv, env_config=game)
        .env_runners(num_env_runners=arguments.runners)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, *_, **__: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": module}))
        .training(
            train_batch_size=arguments.decisions, minibatch_size=min(512, arguments.decisions), num_epochs=4, gamma=1.0
        )
    )


def main(arguments: Arguments) -> None:
    """Trains and tells how long the games are and how much the policy still tries."""
    ray.init(num_cpus=1 + arguments.runners, include_dashboard=False, log_to_driver=False)
    algorithm = configuration(arguments).build_algo()
    for iteration in range(arguments.iterations):
        results = algorithm.train()
        entropy = results["learners"]["shared"]["entropy"]
        print(f"iteration {iteration}: {results['env_runners'].get('num_episodes', 0)} games, entropy {entropy:.2f}")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main(tyro.cli(Arguments))
