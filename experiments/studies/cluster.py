"""Shards made by a Ray cluster: the nodes need the same version of this package, but no common disk.

The cluster is the one that the environment variable RAY_ADDRESS names; without it, one is started on this machine,
even if another one runs there.
"""

import logging
import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from experiments.studies.plan import Done, Plan
from experiments.studies.running import MOST_DEATHS, SHARDS_A_WORKER, Made, WorkersError, make
from tabletop.extras import MissingExtraError


def made_by_ray(plan: Plan, shards: Sequence[int], workers: int | None, done: Done) -> Made:
    """Makes shards on a cluster; the shards of a worker or node that dies are made by another one."""
    with connected(workers) as ray:
        task = ray.remote(make).options(max_retries=MOST_DEATHS, num_cpus=1)
        shared, left = ray.put(plan), deque(shards)
        pending: dict[Any, int] = {}
        try:
            while left or pending:
                while left and len(pending) < SHARDS_A_WORKER * _processors(ray, workers):
                    shard = left.popleft()
                    pending[task.remote(shared, shard)] = shard
                finished, _ = ray.wait(list(pending))
                for reference in finished:
                    content = _got(ray, reference, pending[reference])
                    done(plan.games_of(pending[reference]))
                    yield pending.pop(reference), content
        finally:
            for reference in pending:
                ray.cancel(reference, force=True)


def _got(ray: Any, reference: Any, shard: int) -> bytes:
    """A shard that was made; the error that was raised there, or WorkersError if the workers that make it die."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None  # as the error itself, whose text is a traceback, is told nowhere else
    except ray.exceptions.RayError as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise WorkersError(
            f"shard {shard} was not made on the cluster, where it was tried up to {MOST_DEATHS + 1} times: {reason}; "
            "is there enough memory? Fewer --workers take less"
        ) from None


def _processors(ray: Any, workers: int | None) -> int:
    return workers or max(1, int(ray.cluster_resources().get("CPU", 1)))


@contextmanager
def connected(workers: int | None) -> Iterator[Any]:
    """The module ray, connected: to the cluster that is there already, or to one that ends with the block."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("ray", "cluster", error) from None
    if ray.is_initialized():
        yield ray
        return
    with_address = bool(os.environ.get("RAY_ADDRESS"))
    ray.init(
        address=None if with_address else "local",
        num_cpus=None if with_address else workers,
        include_dashboard=None if with_address else False,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    try:
        yield ray
    finally:
        ray.shutdown()
