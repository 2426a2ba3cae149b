"""Writes the reference tables from the code: of the games, `docs/<game>.md`, and of the bots, `docs/bots.md`.

`python tests/make_tables.py`
"""

import ast
import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # before this folder, where tests of a game lie in its name

import tabletop
from tabletop import Variant
from tabletop.bots import BotKind, BotParameter, kinds
from tabletop.game import Game
from tabletop.options import Choice, Names, Option, Parameter
from tabletop.plug_ins import BOTS_GROUP, plug_ins
from tabletop.variant import description

DOCS = Path(__file__).parents[1] / "docs"
LISTED = 16  # tokens of a run that are listed one by one; of a longer one the first and the last


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def code(value: object) -> str:
    return f"`{value}`"


# Events


def runs(game: Variant) -> Iterator[tuple[int, list[str]]]:
    """Neighbouring ids whose tokens begin with the same word: the first id and the tokens; ids without one left out."""
    for word, ids in groupby(range(game.events), key=lambda i: game.game.tokens(game.settings)[i].partition(":")[0]):
        found = list(ids)
        if word:
            yield found[0], [game.token(i) for i in found]


def events(game: Variant) -> str:
    def row(first: int, tokens: list[str]) -> tuple[object, ...]:
        last = first + len(tokens) - 1
        listed = tokens if len(tokens) <= LISTED else [tokens[0], "…", tokens[-1]]
        shown = " ".join(token if token == "…" else code(token) for token in listed)
        return first if last == first else f"{first}–{last}", "a seat" if first < game.actions else "chance", shown

    return table(("ids", "decided by", "tokens"), (row(*run) for run in runs(game)))


# Observation


def observation(game: Game) -> str:
    rows, offset = [], 0
    for feature in game.features:
        rows.append((code(feature.name), offset, feature.size, f"{feature.low} … {feature.high}", feature.meaning))
        offset += feature.size
    return table(("part", "from", "size", "range", "meaning"), rows)


# Options and parameters


def allowed(option: Option) -> str:
    if isinstance(option, Choice):
        return ", ".join(code(choice) for choice in option.choices)
    if isinstance(option, Names):
        length = "one a seat" if option.length is None else str(option.length)
        return f"`random`, or a list ({length}) of " + ", ".join(code(name) for name in option.names)
    return f"{code(option.default)} or the path of a JSON file"


def options(game: Game) -> str:
    rows = ((code(o.name), code(o.default), allowed(o), o.meaning, o.provenance) for o in game.options)
    return table(("option", "default", "allowed", "meaning", "where it comes from"), rows)


def default_of(parameter: Parameter) -> str:
    value = parameter.default
    return code(list(value) if isinstance(value, tuple) else value)


def parameters(game: Game) -> str:
    rows = ((code(p.name), default_of(p), f"{p.low} … {p.high}", p.meaning) for p in game.parameters)
    return table(("parameter", "default", "range", "meaning"), rows)


# The state


def comments(module: str) -> dict[str, dict[str, str]]:
    """What the comments behind the fields say, by the name of the record in the source and that of the field."""
    source = Path(importlib.import_module(module).__file__).read_text(encoding="utf-8")
    lines, found = source.splitlines(), {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("state_dtype("):
            fields = [t for t in ast.walk(node.value) if isinstance(t, ast.Tuple) and is_field(t)]
            says = {field.elts[0].value: lines[field.end_lineno - 1][field.end_col_offset :] for field in fields}
            found[ast.unparse(node.targets[0])] = {name: text.partition("#")[2].strip() for name, text in says.items()}
    return found


def is_field(node: ast.Tuple) -> bool:
    return len(node.elts) > 1 and isinstance(node.elts[0], ast.Constant) and isinstance(node.elts[0].value, str)


def meaning_of(game: Game, record: str, field: str, said: dict[str, str]) -> str:
    """The comment; for a number of the rules or an option, what its own table says."""
    described = {d.name: d.meaning for d in (*game.options, *game.parameters)} if record != "STATE" else {}
    return said.get(field) or described.get(field, "")


def state(game: Game) -> str:
    said = comments(f"{game.name}.state")

    def rows(record: str, prefix: str = "") -> Iterator[tuple[object, ...]]:
        dtype = getattr(importlib.import_module(f"{game.name}.state"), record)
        for name in dtype.names:
            kind = dtype.fields[name][0]
            base, shape = kind.subdtype or (kind, ())
            if base.names:
                yield from rows(name.upper(), f"{prefix}{name}.")
            elif not name.startswith("_"):
                size = " × ".join(map(str, shape))
                yield code(prefix + name), base.name, size, meaning_of(game, record, name, said[record])

    return table(("field", "type", "shape", "meaning"), rows("STATE"))


# The page


def page(name: str) -> str:
    """The whole page of a game."""
    game = description(name)
    most = tabletop.make(name, game.most_players)
    parts = {
        "Options": options(game),
        "Parameters": parameters(game),
        f"Events, with default settings and {game.most_players} players": events(most),
        f"Observation: {game.observation_size} integers (int8)": observation(game),
        f"State: {game.state.itemsize} bytes": state(game),
        "Components": table(
            ("kind", "name", "effect", "where it comes from"),
            ((c.kind, code(c.name), c.effect, c.provenance) for c in game.components(most.settings)),
        ),
        "Facts that studies tell of a finished game": table(
            ("fact", "of", "meaning", "categories"),
            (
                (code(f.name), "each seat" if f.of_seat else "the game", f.meaning, ", ".join(f.categories))
                for f in game.facts
            ),
        ),
        "Streams of chance": ", ".join(code(stream) for stream in game.streams) + ", and one for each seat.",
    }
    head = [
        f"# {game.title}: tables\n",
        "Written by `python tests/make_tables.py` from the code; a test compares them. The rules are in",
        f"[{name}/README.md](../{name}/README.md). Ids and offsets count from 0; ids between those listed stand for",
        "nothing. An observation is seen from the observing seat, which comes first.\n",
    ]
    return "\n".join([*head, *(f"## {title}\n\n{text}\n" for title, text in parts.items())])


# The bots


def values_of(parameter: BotParameter) -> str:
    """What may be given: words, or numbers from … to …"""
    if isinstance(parameter.default, str):
        return ", ".join(map(code, parameter.words)) or "text"
    low, high = (f"{bound:.10g}" for bound in (parameter.low, parameter.high))
    return f"{low} … {high}"


def default_by_game(parameters: Mapping[str, BotParameter]) -> str:
    """The default, or those of the games if they differ; parameters: the same one by the title of each game."""
    defaults = {title: code(p.default) if p.default != "" else "none" for title, p in parameters.items()}
    if len(set(defaults.values())) == 1:
        return next(iter(defaults.values()))
    return ", ".join(f"{title} {default}" for title, default in defaults.items())


def bot_parameters(kind: BotKind, of: Sequence[Game]) -> str:
    """The parameters of a family of bots in some games."""
    by_game = {game.title: {p.name: p for p in kind.parameters(game)} for game in of}
    names = dict.fromkeys(name for found in by_game.values() for name in found)
    if not names:
        return "It has no parameters."
    rows = []
    for name in names:
        same = {title: found[name] for title, found in by_game.items() if name in found}
        one = next(iter(same.values()))
        rows.append((code(name), default_by_game(same), values_of(one), one.meaning))
    return table(("parameter", "default", "values", "meaning"), rows)


def of_kind(name: str, games: Sequence[Game]) -> str:
    """What is told of a family of bots: its parameters once, or for each game if each has its own."""
    kind = kinds()[name]
    told = [f"## `{name}`\n", f"{kind.summary[:1].upper()}{kind.summary[1:]}.\n"]
    has_own = len({tuple(p.name for p in kind.parameters(game)) for game in games}) > 1
    for some in [[game] for game in games] if has_own else [games]:
        told += [f"In {some[0].title}:\n"] * has_own + [bot_parameters(kind, some) + "\n"]
    return "\n".join(told)


def bots_page() -> str:
    """The page of the installed bots."""
    games = [description(name) for name in tabletop.games()]
    head = [
        "# Bots: tables\n",
        "Written by `python tests/make_tables.py` from the code; a test compares them. A bot is named by a text,",
        "`kind` or `kind:parameter=value,…`, wherever bots are named: `uniform`, `greedy:wine=0.5`,",
        "`mcts:milliseconds=50,threads=2,reuse=yes`, `flat:iterations=500,rollout=greedy`, `maxn:depth=3`,",
        "`restricted:bot=greedy,forbid=swap:*`. How strong they are stands in [strength.md](strength.md); own bots in",
        "`help(tabletop.user_bots)`. Where defaults differ they are given by game. A bot with a time for a move plays",
        "no game twice, so studies do not take it; tournaments and environments do.\n",
    ]
    return "\n".join([*head, *(of_kind(name, games) for name in sorted(plug_ins(BOTS_GROUP)))])


def path_of(name: str) -> Path:
    return DOCS / f"{name}.md"


if __name__ == "__main__":
    for game_name in tabletop.games():
        path_of(game_name).write_text(page(game_name), encoding="utf-8")
    path_of("bots").write_text(bots_page(), encoding="utf-8")
