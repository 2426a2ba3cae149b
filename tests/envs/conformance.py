"""Writes the table of what passes which check into `docs/environments.md`.

    python tests/envs/conformance.py

runs every check for every game and number of players and writes what it found.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from checks import CHECKS

from tabletop.variant import description, games

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"
BEGIN, END = "<!-- conformance: begin -->\n", "<!-- conformance: end -->\n"


def table(passes: Callable[[str, int, str], bool]) -> str:
    """The table in Markdown, from what says whether a game of so many players passes a check."""
    lines = ["| game | players | " + " | ".join(CHECKS) + " |", "|---|---|" + "---|" * len(CHECKS)]
    for game in games():
        for players in description(game).players:
            marks = ["✓" if passes(game, players, name) else "✗" for name in CHECKS]
            lines.append(f"| {game.capitalize()} | {players} | " + " | ".join(marks) + " |")
    meanings = [f"* **{name}**: {check.__doc__}." for name, (_, check) in CHECKS.items()]
    return "\n".join([*lines, "", *meanings, ""])


def page_with(text: str) -> str:
    """The page with its table replaced."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + text + END + rest.split(END)[1]


def run(game: str, players: int, name: str) -> bool:
    """Whether a check passes; tells why not."""
    try:
        CHECKS[name][1](game, players)
    except Exception as error:
        print(f"{game}, {players} players, {name}: {type(error).__name__}: {error}", file=sys.stderr)
        return False
    return True


if __name__ == "__main__":
    PAGE.write_text(page_with(table(run)), encoding="utf-8")
