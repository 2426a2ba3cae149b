"""Experiments: one question a file, each a sub-command of `critters` and runnable as `python -m`."""
