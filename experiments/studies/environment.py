"""With what a study, or another result of games, was made: versions, platform and a hash of the sources."""

import hashlib
import platform
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from experiments.studies.plan import Plan, modules_of
from experiments.studies.sources import definitions
from tabletop import Variant
from tabletop.options import TableFile
from tabletop.plug_ins import GAMES_GROUP, plug_ins

PACKAGES = ("critters", "numpy", "numba", "pyarrow")
SOURCES = ("*.py", "*.json")  # what results depend on: rules and the tables that come with them
ENVIRONMENTS = "envs"  # the folder of the core that trains others and plays no game of a study


def environment(plan: Plan) -> dict[str, str]:
    """With what the shards of a study are made."""
    makers = {name: text.encode() for name, text in definitions(type(plan)).items()}
    return _made_with(plan.variant, plan.modules_of_bots(), makers)


def environment_of(variant: Variant, bots: Iterable[str], makers: Iterable[Path]) -> dict[str, str]:
    """Versions, platform, a hash of the sources that make a result, and one of each file that the options name.

    bots: the texts of all that play. makers: the files that make the result of their games.
    """
    return _made_with(variant, modules_of(bots), {_name(path): path.read_bytes() for path in makers})


def _made_with(variant: Variant, bots: Iterable[str], makers: Mapping[str, bytes]) -> dict[str, str]:
    """bots: their modules. makers: the sources of what makes a result, by names."""
    found = {name: version(name) for name in PACKAGES}
    found |= {"python": platform.python_version(), "platform": f"{sys.platform} {platform.machine()}"}
    files = [(_name(path), path.read_bytes()) for path in source_files(variant.name, bots)]
    return found | {"sources": _hash([*makers.items(), *files])} | _hashes_of_tables(variant)


def _hash(sources: Iterable[tuple[str, bytes]]) -> str:
    hashed = hashlib.sha256()
    for name, content in sources:
        hashed.update(f"{name}\n".encode())
        hashed.update(content)
    return hashed.hexdigest()[:16]


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def source_files(game: str, bots: Iterable[str]) -> list[Path]:
    """The files beside this package on which games depend: of the core, of their game and of the modules of bots.

    Of the packages of bots those are left out that are named after another game, as `greedy/rattus.py` is.
    """
    found = {path for path in _sources_in("tabletop") if path.parent.name != ENVIRONMENTS}
    if point := plug_ins(GAMES_GROUP).get(game):
        found |= _sources_in(point.module)
    for module in bots:
        found |= {path for path in _sources_in(module) if not _is_of_another_game(path, game)}
    return sorted(found, key=_name)


def _is_of_another_game(path: Path, game: str) -> bool:
    named = {name for name in plug_ins(GAMES_GROUP) if path.stem == name or path.stem.startswith(f"{name}_")}
    return bool(named) and game not in named


def _sources_in(module: str) -> set[Path]:
    """The sources of the package in which a module lies."""
    package = module.partition(".")[0]
    spec = find_spec(package)
    assert spec and spec.origin, package  # it has been imported
    return {path for pattern in SOURCES for path in Path(spec.origin).parent.rglob(pattern)}


def _hashes_of_tables(variant: Variant) -> dict[str, str]:
    """A hash of every table that the user has in a file of his own."""
    found = {}
    for option in variant.game.options:
        value = variant.settings.options[option.name]
        if isinstance(option, TableFile) and value != option.default and Path(value).is_file():
            found[f"file of option {option.name}"] = hashlib.sha256(Path(value).read_bytes()).hexdigest()[:16]
    return found
