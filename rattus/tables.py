"""Maps (P3) and tables of rat tokens (P4): read from JSON files, checked, with their provenance."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rattus.box import BUILT_IN, CLASS_OF_LETTER, PLAYERS, REGIONS, SAME_SYMBOLS, SYMBOL_ORDER, TYPE_COUNT, TYPES
from tabletop.options import OptionError

MAP_FILE = Path(__file__).with_name("adjacency.json")
TOKENS_FILE = Path(__file__).with_name("tokens.json")

TYPE_NAME = re.compile(r"([1-6])(M*)(" + "".join(f"{letter}?" for letter in SYMBOL_ORDER) + r")(A*)")


@dataclass(frozen=True)
class Edge:
    """Two neighbouring regions; land borders and sea arrows are alike in the rules."""

    between: tuple[str, str]
    kind: str
    provenance: str


@dataclass(frozen=True)
class Map:
    """Regions in id order, each with the least number of players it is in play with, and the edges."""

    name: str
    provenance: str
    regions: Mapping[str, int]
    edges: tuple[Edge, ...]

    def in_play(self, players: int) -> tuple[int, ...]:
        """Ids of the regions in play with so many players."""
        return tuple(i for i, least in enumerate(self.regions.values()) if least <= players)

    def adjacency(self, players: int) -> list[set[int]]:
        """The neighbours in play of every region; regions that are not in play have none."""
        ids = {name: i for i, name in enumerate(self.regions)}
        playing = set(self.in_play(players))
        neighbours: list[set[int]] = [set() for _ in ids]
        for a, b in (map(ids.__getitem__, edge.between) for edge in self.edges):
            if {a, b} <= playing:
                neighbours[a].add(b)
                neighbours[b].add(a)
        return neighbours


@dataclass(frozen=True)
class TokenType:
    """The front of a rat token. `classes` are places of class cards in `CLASS_CARDS`."""

    name: str
    limit: int
    majorities: int
    classes: frozenset[int]
    alls: int
    tokens: int
    is_starting: bool


@dataclass(frozen=True)
class TokenTable:
    """The types of rat tokens in the order of their file, the starting ones first."""

    name: str
    provenance: str
    types: tuple[TokenType, ...]

    def tokens(self, starting_only: bool = False) -> int:
        """How many tokens there are."""
        return sum(kind.tokens for kind in self.types if kind.is_starting or not starting_only)


def within(start: int, steps: int, neighbours: list[set[int]]) -> set[int]:
    """The regions at distance 1 to `steps` from a region."""
    reached = {start}
    for _ in range(min(steps, len(neighbours))):
        reached |= {far for near in reached for far in neighbours[near]}
    return reached - {start}


def read_map(name: str) -> Map:
    """P3: the built-in map or the map of a file; OptionError names what is broken."""
    content = _read("map", name, MAP_FILE)
    regions = _regions(content, name)
    provenance = str(content.get("provenance", "not stated"))
    found = Map(str(content.get("id", name)), provenance, regions, _edges(content, name, regions, provenance))
    for players in PLAYERS:
        _check_in_play(found, name, players)
    return found


def read_tokens(name: str) -> TokenTable:
    """P4: the built-in token table or the table of a file; OptionError names what is broken."""
    content = _read("tokens", name, TOKENS_FILE)
    starting, other = (_counts(content, key, name) for key in ("starting", "other"))
    if both := set(starting) & set(other):
        raise _broken("tokens", name, f"type {min(both)!r} is in both lists; expected it in one of them")
    if len(starting) + len(other) > TYPES:
        found = len(starting) + len(other)
        raise _broken("tokens", name, f"{found} types of tokens; expected at most {TYPES} in both lists together")
    types = [_token_type(name, kind, tokens, True) for kind, tokens in starting.items()]
    types += [_token_type(name, kind, tokens, False) for kind, tokens in other.items()]
    return TokenTable(str(content.get("id", name)), str(content.get("provenance", "not stated")), tuple(types))


def _broken(option: str, name: str, problem: str) -> OptionError:
    return OptionError(f"option {option!r}: {name!r}: {problem}")


def _read(option: str, name: str, built_in: Path) -> dict[str, Any]:
    """The JSON object of the built-in table or of a file; a key that is written twice is refused."""

    def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        if repeated := {key for key in keys if keys.count(key) > 1}:
            raise _broken(option, name, f"{min(repeated)!r} is repeated; expected every name once")
        return dict(pairs)

    path = built_in if name == BUILT_IN else Path(name)
    try:
        content = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=without_repeats)
    except OSError as error:
        problem = f"cannot be read ({error.strerror}); expected {BUILT_IN!r} or the path of a JSON file"
        raise _broken(option, name, problem) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise _broken(option, name, f"is not JSON ({error})") from error
    if not isinstance(content, dict):
        raise _broken(option, name, "is not a JSON object")
    return content


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _regions(content: dict[str, Any], name: str) -> dict[str, int]:
    regions = content.get("regions")
    if not isinstance(regions, dict) or not 0 < len(regions) <= REGIONS:
        raise _broken("map", name, f"'regions' must be an object of at most {REGIONS} regions")
    for region, entry in regions.items():
        if not region or ":" in region or any(character.isspace() for character in region):
            raise _broken("map", name, f"region {region!r}: expected a name without colon and spaces")
        least = entry.get("players") if isinstance(entry, dict) else None
        if not _is_whole(least) or least not in PLAYERS:
            raise _broken("map", name, f"region {region!r}: 'players' is {least!r}; expected one of {list(PLAYERS)}")
    return {region: entry["players"] for region, entry in regions.items()}


def _edges(content: dict[str, Any], name: str, regions: Mapping[str, int], provenance: str) -> tuple[Edge, ...]:
    edges = content.get("edges")
    if not isinstance(edges, list):
        raise _broken("map", name, "'edges' must be a list")
    found = []
    for entry in edges:
        pair = entry.get("between") if isinstance(entry, dict) else None
        if not isinstance(pair, list) or len(pair) != 2:
            raise _broken("map", name, f"edge {entry!r}: expected 'between' with two names")
        for region in pair:
            if not isinstance(region, str) or region not in regions:
                raise _broken("map", name, f"edge {pair!r}: unknown region {region!r}")
        if pair[0] == pair[1]:
            raise _broken("map", name, f"edge {pair!r}: an edge from a region to itself")
        found.append(Edge((pair[0], pair[1]), str(entry.get("kind", "")), str(entry.get("provenance", provenance))))
    return tuple(found)


def _check_in_play(found: Map, name: str, players: int) -> None:
    regions = found.in_play(players)
    if len(regions) < 2 * players:
        problem = f"{len(regions)} regions with {players} players; expected at least 2 a player"
        raise _broken("map", name, problem)
    apart = set(regions) - within(regions[0], REGIONS, found.adjacency(players)) - {regions[0]}
    if apart:
        names = ", ".join(list(found.regions)[region] for region in sorted(apart))
        raise _broken("map", name, f"not connected with {players} players; apart from the others: {names}")


def _counts(content: dict[str, Any], key: str, name: str) -> dict[str, int]:
    counts = content.get(key)
    if not isinstance(counts, dict):
        raise _broken("tokens", name, f"{key!r} must be an object of token types and their counts")
    for kind, tokens in counts.items():
        if not _is_whole(tokens) or not 1 <= tokens <= TYPE_COUNT:
            raise _broken("tokens", name, f"type {kind!r}: count {tokens!r}; expected 1 to {TYPE_COUNT}")
    return counts


def _token_type(table: str, name: str, tokens: int, is_starting: bool) -> TokenType:
    match = TYPE_NAME.fullmatch(name)
    if not match:
        expected = f"a limit 1 to 6, then M, classes in the order {SYMBOL_ORDER}, A (as in 2MBC)"
        raise _broken("tokens", table, f"malformed type {name!r}; expected {expected}")
    limit, majorities, classes, alls = match.groups()
    if max(len(majorities), len(alls)) > SAME_SYMBOLS:
        raise _broken("tokens", table, f"type {name!r}: expected at most {SAME_SYMBOLS} M and {SAME_SYMBOLS} A")
    members = frozenset(CLASS_OF_LETTER[letter] for letter in classes)
    return TokenType(name, int(limit), len(majorities), members, len(alls), tokens, is_starting)
