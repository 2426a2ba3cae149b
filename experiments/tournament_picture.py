"""The picture of a tournament: ratings with their intervals, and who ends before whom."""

from importlib import import_module
from pathlib import Path
from textwrap import wrap

import numpy as np

from experiments import console
from experiments.standings import Standings, key
from tabletop.files import replacing

LETTERS_A_LINE = 130  # of the key, at the width of the picture
LINE_HEIGHT = 0.17  # inches


def can_draw() -> bool:
    """Whether there can be a picture; without matplotlib it says how to get it."""
    try:
        import_module("matplotlib.figure")
    except ImportError:
        console.say("no picture: it needs matplotlib: pip install 'critters[plots]'")
        return False
    return True


def draw(found: Standings, title: str, path: Path) -> None:
    """Writes a PNG file."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    lines = [part for line in key(found) for part in wrap(line, LETTERS_A_LINE, subsequent_indent="    ")]
    height, below = 3 + 0.4 * len(found.table), LINE_HEIGHT * (len(lines) + 1) if lines else 0.0
    share = below / (height + below)
    figure = Figure(figsize=(11, height + below), layout=ConstrainedLayoutEngine(rect=(0, share, 1, 1 - share)))
    figure.text(0.01, share, "\n".join(lines), va="top", fontsize="small")
    ratings, payoffs = figure.subplots(1, 2, width_ratios=(1.2, 1))
    figure.suptitle(title)
    _draw_ratings(ratings, found)
    _draw_payoffs(payoffs, found)
    with replacing(path) as unfinished:
        figure.savefig(unfinished, format="png", dpi=150)


def _draw_ratings(axes, found: Standings) -> None:
    table = found.table
    rows = np.arange(len(table))
    errors = [table.elo - table.elo_low, table.elo_high - table.elo]
    axes.errorbar(table.elo, rows, xerr=errors, fmt="o", capsize=4)
    axes.set_yticks(rows, found.labels)
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.set_xlabel("rating (Bradley–Terry, Elo scale, 95 % bootstrap interval)")
    axes.grid(axis="x", alpha=0.4)


def _draw_payoffs(axes, found: Standings) -> None:
    names = list(found.table.bot)
    matrix = found.pairs.pivot(index="bot", columns="against", values="ahead").reindex(index=names, columns=names)
    axes.imshow(100 * matrix, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    axes.set_xticks(range(len(names)), found.labels, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), found.labels)
    axes.set_title(f"{found.comparison.lower()} (percent)", fontsize="medium")
    for row, values in enumerate(matrix.to_numpy()):
        for column, value in enumerate(values):
            if not np.isnan(value):
                colour = "black" if 0.2 < value < 0.8 else "white"
                axes.text(column, row, f"{100 * value:.0f}", ha="center", va="center", color=colour)
