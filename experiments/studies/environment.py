"""With what a study was made: versions, platform and a hash of the sources."""

import hashlib
import platform
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from experiments.studies.plan import Plan
from experiments.studies.sources import definitions
from tabletop.options import TableFile
from tabletop.plug_ins import GAMES_GROUP, plug_ins

PACKAGES = ("critters", "numpy", "numba", "pyarrow")
SOURCES = ("*.py", "*.json")  # what results depend on: rules and the tables that come with them
ENVIRONMENTS = "envs"  # the folder of the core that trains others and plays no shard


def environment(plan: Plan) -> dict[str, str]:
    """Versions, platform, a hash of the sources that make shards, and one of each file that the options name."""
    found = {name: version(name) for name in PACKAGES}
    found |= {"python": platform.python_version(), "platform": f"{sys.platform} {platform.machine()}"}
    return found | {"sources": _hash_of_sources(plan)} | _hashes_of_tables(plan)


def _hash_of_sources(plan: Plan) -> str:
    hashed = hashlib.sha256()
    for name, text in definitions(type(plan)).items():
        hashed.update(f"{name}\n{text}\n".encode())
    for path in source_files(plan):
        hashed.update(f"{path.parent.name}/{path.name}\n".encode())
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:16]


def source_files(plan: Plan) -> list[Path]:
    """The files beside this package on which a study depends: of the core, of its game and of its bots.

    Of the packages of bots those are left out that are named after another game, as `greedy/rattus.py` is.
    """
    found = {path for path in _sources_in("tabletop") if path.parent.name != ENVIRONMENTS}
    if point := plug_ins(GAMES_GROUP).get(plan.game):
        found |= _sources_in(point.module)
    for module in plan.modules_of_bots():
        found |= {path for path in _sources_in(module) if not _is_of_another_game(path, plan.game)}
    return sorted(found, key=lambda path: (path.parent.name, path.name))


def _is_of_another_game(path: Path, game: str) -> bool:
    named = {name for name in plug_ins(GAMES_GROUP) if path.stem == name or path.stem.startswith(f"{name}_")}
    return bool(named) and game not in named


def _sources_in(module: str) -> set[Path]:
    """The sources of the package in which a module lies."""
    package = module.partition(".")[0]
    spec = find_spec(package)
    assert spec and spec.origin, package  # it has been imported
    return {path for pattern in SOURCES for path in Path(spec.origin).parent.rglob(pattern)}


def _hashes_of_tables(plan: Plan) -> dict[str, str]:
    """A hash of every table that the user has in a file of his own."""
    found = {}
    for option in plan.variant.game.options:
        value = plan.variant.settings.options[option.name]
        if isinstance(option, TableFile) and value != option.default and Path(value).is_file():
            found[f"file of option {option.name}"] = hashlib.sha256(Path(value).read_bytes()).hexdigest()[:16]
    return found
