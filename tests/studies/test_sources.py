"""Which sources tell one study from another: all that make its shards, and nothing that only speaks of them."""

import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest
from studying import pebbles

import agents
import experiments
import tabletop
from experiments.studies import Plan, running, sources
from experiments.studies.environment import environment, source_files
from experiments.studies.ladder import Rung
from experiments.studies.luck import Luck
from experiments.studies.plan import modules_of
from experiments.studies.sources import definitions

pytestmark = pytest.mark.xdist_group("pebbles")

HERE = Path(experiments.__file__).parent


def games() -> Plan:
    return pebbles(games=6, forbid=("take:*",), bots=("uniform",))


def rung() -> Plan:
    return Rung(game="pebbles", players=3, bots=("uniform", "first"), seed=3, games=2)


def luck() -> Plan:
    return Luck(game="pebbles", players=3, bot="uniform", seed=3, games=2, repeats=2)


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    sources.led_to.cache_clear()
    yield
    sources.led_to.cache_clear()


def called(work: Callable[[], object]) -> set[str]:
    """The functions and methods of the package that work calls, by module and name."""
    found = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(HERE):
            parts = [HERE.name, *path.relative_to(HERE).with_suffix("").parts]
            found.add(".".join([*parts, frame.f_code.co_qualname.partition(".<locals>")[0]]))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {name for name in found if not name.endswith((".<module>", ".<lambda>"))}


@pytest.mark.parametrize("made", [games, rung, luck])
def test_all_that_is_called_to_make_a_shard_counts(made: Callable[[], Plan]):
    plan = made()
    names = called(lambda: running.make(type(plan)(**plan.__getstate__()), 0))
    assert {"experiments.studies.running.make", "experiments.studies.folder.encoded"} < names and len(names) > 10
    assert names <= definitions(type(plan)).keys()


def with_text(monkeypatch: pytest.MonkeyPatch, module: str, old: str, new: str) -> None:
    """Another source of a module, as far as can be seen."""
    real = sources._text
    assert old in real(module)
    monkeypatch.setattr(sources, "_text", lambda name: real(name).replace(old, new) if name == module else real(name))
    sources.led_to.cache_clear()


CHANGES = [  # module, old text, new text, kinds of studies that become others
    ("experiments.summary", "winners = places == 1", "winners = places == 2", {"chance"}),
    ("experiments.rows", 'WHOLE = ("decisions",', 'WHOLE = ("real",', {"games"}),
    ("experiments.rows", "COURSE = ", "COURSE = 2 * ", {"games"}),
    ("experiments.arguments", "return bots * (", "return bots[::-1] * (", {"games"}),
    ("experiments.lineups", "combinations(range(bots), players)", "combinations(range(players), bots)", {"rung"}),
    ("experiments.lineups", "default_rng([self.seed, number])", "default_rng([number])", {"rung"}),
    ("experiments.tournament", "bots, seated, rounds, seed)", "bots, seated, rounds, 1)", {"rung"}),
    ("experiments.studies.luck", "FIXED = 1 << 40", "FIXED = 1 << 41", {"chance"}),
    ("experiments.studies.plan", "LEAST_SHARDS = 32", "LEAST_SHARDS = 33", {"games", "rung", "chance"}),
    ("experiments.studies.folder", 'compression="zstd"', 'compression="gzip"', {"games", "rung", "chance"}),
    ("experiments.summary", "CONFIDENCE = 0.95", "CONFIDENCE = 0.9", set()),
    ("experiments.summary", '"""The share of each seat in the win', '"""The share', set()),
    ("experiments.rows", "def _named(", "# A comment\n\n\ndef _named(", set()),
    ("experiments.rows", "return places[whole", "return -places[whole", set()),  # only reads shards
    ("experiments.tournament", "FIRST_LOOK = 8", "FIRST_LOOK = 9", set()),
    ("experiments.contests", "def contests(", "def contents(", set()),
    ("experiments.studies.targets", "FIRST = 7", "FIRST = 9", set()),
    ("experiments.studies.metrics", "is_rate: bool = False", "is_rate: bool = True", set()),
    ("experiments.studies.folder", "MOST_NAMED = 4", "MOST_NAMED = 5", set()),
]


@pytest.mark.parametrize(("module", "old", "new", "kinds"), CHANGES)
def test_only_what_makes_shards_makes_a_study_another_one(monkeypatch, module, old, new, kinds):
    plans = [games(), rung(), luck()]
    before = [environment(plan)["sources"] for plan in plans]
    with_text(monkeypatch, module, old, new)
    after = [environment(plan)["sources"] for plan in plans]
    changed = {plan.kind for plan, old, new in zip(plans, before, after, strict=True) if old != new}
    assert changed == kinds


def test_every_kind_of_study_has_its_own_sources():
    of_games, of_rungs, of_luck = (set(definitions(type(plan))) for plan in (games(), rung(), luck()))
    assert "experiments.summary.win_shares" in of_luck - of_games - of_rungs
    assert "experiments.tournament.play_seated" in of_rungs - of_games - of_luck
    assert "experiments.rows.table" in of_games - of_rungs - of_luck


# Files beside the package


def named(paths: list[Path]) -> set[str]:
    return {f"{path.parent.name}/{path.name}" for path in paths}


def names_of(plan: Plan) -> set[str]:
    return named(source_files(plan.game, plan.modules_of_bots()))


def test_the_bots_of_other_games_do_not_count():
    """Asked without a plan, which would build the bots and so compile them."""
    bites, rattus = (named(source_files(game, modules_of(["greedy"]))) for game in ("bites", "rattus"))
    assert {"greedy/__init__.py", "greedy/bites.py", "search/tree.py", "bites/rules.py", "tabletop/play.py"} <= bites
    assert not {"greedy/rattus.py", "greedy/rattus_tokens.py", "greedy/rodentia.py", "rattus/rules.py"} & bites
    assert {"greedy/rattus.py", "greedy/rattus_tokens.py", "rattus/rules.py"} <= rattus
    assert not {"greedy/bites.py", "bites/rules.py"} & rattus


def test_what_restricts_a_bot_counts_where_one_is_restricted():
    assert "agents/restricted.py" in names_of(pebbles(bots=("first",), forbid=("take:*",)))
    assert "agents/restricted.py" not in names_of(pebbles(bots=("first",)))
    assert "pebbles/rules.py" in names_of(pebbles(bots=("first",)))


def imported(path: Path) -> set[str]:
    return set(re.findall(r"^\s*(?:from|import) ([\w.]+)", path.read_text(), re.MULTILINE))


def test_what_is_left_out_is_imported_by_nothing_that_counts():
    """Modules of bots that are named after a game, and the environments of the core."""
    by_game = re.compile(r"agents\.(\w+\.)?(bites|rattus|rodentia)(_\w+)?")
    for path in Path(agents.__file__).parent.rglob("*.py"):
        games_of_others = {match[2] for name in imported(path) if (match := by_game.fullmatch(name))}
        assert games_of_others <= {path.stem.partition("_")[0]}, path
    core = [path for path in Path(tabletop.__file__).parent.rglob("*.py") if path.parent.name != "envs"]
    assert len(core) > 20 and not any(name.startswith("tabletop.envs") for path in core for name in imported(path))
    assert not any(name.startswith("envs/") for name in names_of(games()))
