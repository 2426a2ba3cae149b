"""With what a study, or another result of games, was made: versions, platform and a hash of the sources."""

import hashlib
import platform
import sys
from collections.abc import Iterable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from experiments.studies.plan import Plan
from tabletop import Variant
from tabletop.options import TableFile
from tabletop.plug_ins import BOTS_GROUP, GAMES_GROUP, plug_ins

PACKAGES = ("critters", "numpy", "numba", "pyarrow")
SOURCES = ("*.py", "*.json")  # what results depend on: rules and the tables that come with them
HERE = Path(__file__).parent
MAKERS = (*sorted(HERE.glob("*.py")), *(HERE.parent / name for name in ("rows.py", "lineups.py", "tournament.py")))
"""The sources of this package on which shards depend; reports may change without making a study another one."""


def environment(plan: Plan) -> dict[str, str]:
    """With what the shards of a study are made."""
    return environment_of(plan.variant, plan.all_bots(), MAKERS)


def environment_of(variant: Variant, bots: Iterable[str], makers: Iterable[Path]) -> dict[str, str]:
    """Versions, platform, a hash of the sources that make a result, and one of each file that the options name.

    bots: the texts of all that play. makers: the files that make the result of their games.
    """
    found = {name: version(name) for name in PACKAGES}
    found |= {"python": platform.python_version(), "platform": f"{sys.platform} {platform.machine()}"}
    return found | {"sources": _hash_of_sources(_packages(variant, bots), makers)} | _hashes_of_tables(variant)


def _hash_of_sources(packages: Iterable[str], makers: Iterable[Path]) -> str:
    hashed = hashlib.sha256()
    folders = [_folder_of(package) for package in sorted(packages)]
    for path in (*makers, *(path for folder in folders for path in _sources_in(folder))):
        hashed.update(f"{path.parent.name}/{path.name}\n".encode())
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:16]


def _sources_in(folder: Path) -> list[Path]:
    return sorted(path for pattern in SOURCES for path in folder.rglob(pattern))


def _folder_of(package: str) -> Path:
    spec = find_spec(package)
    assert spec and spec.origin, package  # it has been imported
    return Path(spec.origin).parent


def _packages(variant: Variant, bots: Iterable[str]) -> set[str]:
    """The packages that games run through besides this one: the core, the game's and those of the bots."""
    points = [plug_ins(GAMES_GROUP).get(variant.name)]
    points += [plug_ins(BOTS_GROUP).get(text.partition(":")[0]) for text in bots]
    return {"tabletop"} | {point.module.partition(".")[0] for point in points if point}


def _hashes_of_tables(variant: Variant) -> dict[str, str]:
    """A hash of every table that the user has in a file of his own."""
    found = {}
    for option in variant.game.options:
        value = variant.settings.options[option.name]
        if isinstance(option, TableFile) and value != option.default and Path(value).is_file():
            found[f"file of option {option.name}"] = hashlib.sha256(Path(value).read_bytes()).hexdigest()[:16]
    return found
