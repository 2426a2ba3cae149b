"""Bites in the training stacks: known to Gymnasium as `Bites-v0` after an import."""

from tabletop.envs import register

register("bites")
