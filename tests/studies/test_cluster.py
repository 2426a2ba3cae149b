"""Studies on a Ray cluster, which is started here once for all: the same shards, and errors told as elsewhere."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from frail import Deadly, Failing, made_by_others, without_manifest
from studying import made, pebbles

from experiments.studies import Specification, Study, Workers
from experiments.studies import run as run_study
from experiments.studies.running import WorkersError
from tabletop import FailedBotError

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.xdist_group("pebbles")


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """Two workers on a cluster of their own, although Ray has noted that another one runs on this machine."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(dir="/tmp") as folder:  # paths are short
        patch.setenv("RAY_TMPDIR", folder)
        patch.delenv("RAY_ADDRESS", raising=False)
        (Path(folder) / "ray").mkdir()
        (Path(folder) / "ray/ray_current_cluster").write_text("127.0.0.1:1")
        with Workers(2, cluster=True).ready() as ready:
            assert ray.cluster_resources()["CPU"] == 2
            yield ready
        assert not ray.is_initialized()


def made_on_a_cluster(kind: type[Specification], folder: Path, workers: Workers) -> None:
    """Makes a study of a single shard."""
    study = Study(folder, kind(**pebbles(games=1).__getstate__()))
    with study.at_work():
        list(run_study(study, workers))


def test_a_cluster_makes_the_same_shards_and_loses_none_when_a_worker_dies(tmp_path, workers):
    plan = pebbles(games=80, games_a_shard=10)
    expected = without_manifest(made(tmp_path / "here", plan))
    assert made_by_others(tmp_path / "there", plan, workers) == expected and len(expected) == 9


def test_what_fails_in_a_cluster_is_told_as_elsewhere(tmp_path, workers):
    """Without the traceback of the other process."""
    with pytest.raises(FailedBotError) as caught:
        made_on_a_cluster(Failing, tmp_path, workers)
    assert str(caught.value) == "pebbles: bot 'odd' raised KeyError(3) in game 7"
    assert type(caught.value) is FailedBotError


def test_workers_of_a_cluster_that_die_again_and_again_are_told_of(tmp_path, workers, monkeypatch):
    monkeypatch.setattr("experiments.studies.cluster.MOST_DEATHS", 0)
    with pytest.raises(WorkersError, match=r"shard 0 was not made on the cluster.* is there enough memory\?") as caught:
        made_on_a_cluster(Deadly, tmp_path, workers)
    assert "\n" not in str(caught.value)
