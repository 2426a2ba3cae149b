"""Rodentia in the training stacks: known to Gymnasium as `Rodentia-v0` after an import."""

from tabletop.envs import register

register("rodentia")
