"""Makes the golden games and the leaf counts again: `python tests/make_golden.py [GAME …]`.

Do so when rules have changed on purpose, and read the difference before you commit it. A golden game is a trace:
every legal list, score and winner is compared.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
sys.path.insert(0, str(TESTS.parent))  # before this folder, where tests of a game lie in a folder of its name

import numpy as np  # noqa: E402
from games import GAMES  # noqa: E402
from walks import GOLDEN, game_of_positions, leaves, position_after  # noqa: E402

import tabletop  # noqa: E402
from tabletop import matches  # noqa: E402
from tabletop.record import Record, make_record, write_records  # noqa: E402

PERFT = TESTS / "perft.txt"
SEED = 2026
PARTS_BEFORE = (0, 0.4, 0.7, 0.9)  # positions of the leaf counts: how much of the golden game is played before
MOST_LEAVES = 200_000

HEADING = """\
# Leaf counts, made by tests/make_golden.py: game, players, settings, events of the golden game before, then the number
# of lines of play of 1, 2, 3 … events, chance included.
"""


def golden_games(name: str) -> Iterator[Record]:
    """One random game for each number of players."""
    for players in GAMES[name].players:
        game = tabletop.make(name, players)
        bots = matches.seat_bots(game, "uniform")
        seats = np.arange(players)
        _, events = matches.play_recorded(game, bots, seats, 0, SEED)
        yield make_record(game, events, trace=True)


def leaf_counts(name: str) -> Iterator[str]:
    for players in GAMES[name].players:
        game = tabletop.make(GAMES[name], players)
        length = len(game_of_positions(game))
        for before in (int(part * length) for part in PARTS_BEFORE):
            position = position_after(game, before)
            counts = [leaves(game, position, 1), leaves(game, position, 2)]
            while 0 < counts[-1] * counts[0] < MOST_LEAVES and len(counts) < 4:
                counts.append(leaves(game, position, len(counts) + 1))
            yield "\t".join([name, str(players), "{}", str(before), *map(str, counts)])


def kept_counts(names: list[str]) -> list[str]:
    """The lines of the games that are not made again."""
    lines = PERFT.read_text().splitlines() if PERFT.exists() else []
    return [line for line in lines if not line.startswith("#") and line.split("\t")[0] not in names]


def main(names: list[str]) -> None:
    for name in names:
        if name in tabletop.games():
            count = write_records(GOLDEN / f"{name}.jsonl", golden_games(name))
            print(f"{name}: {count} golden games")
    lines = [*kept_counts(names), *(line for name in names for line in leaf_counts(name))]
    PERFT.write_text(HEADING + "\n".join(sorted(lines)) + "\n")
    print(f"{len(lines)} lines of leaf counts")


if __name__ == "__main__":
    main(sys.argv[1:] or list(GAMES))
