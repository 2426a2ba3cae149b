"""How studies are run: cut into shards that are pure functions of a specification, on any workers, resumable."""

from experiments.studies.folder import Study
from experiments.studies.manifest import StudyError
from experiments.studies.plan import Plan
from experiments.studies.running import Workers, run
from experiments.studies.specification import Specification, play_shard, results_of

__all__ = ["Plan", "Specification", "Study", "StudyError", "Workers", "play_shard", "results_of", "run"]
