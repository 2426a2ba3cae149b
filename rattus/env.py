"""Rattus in the training stacks: known to Gymnasium as `Rattus-v0` after an import."""

from tabletop.envs import register

register("rattus")
