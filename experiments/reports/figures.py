"""The pictures of a report: bars and ranges with intervals, distributions, as SVG text for light and dark pages."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from tabletop.extras import MissingExtraError
from tabletop.picture import Picture

INK = "#123456"  # stands for the page's text colour until the picture is done
ACCENT, SECOND = "#2a9d8f", "#e76f51"
IDS = re.compile(r'(?<=\s)id="|href="#|url\(#')  # what comes before an id in SVG
COLOURS = (ACCENT, SECOND, "#7b6fd0", "#d9a441", "#4a90d9", "#c2528b")
WIDTH = 7.2  # inches
FULL = 0.1  # a contrast below which no place has the full colour
PLAIN, UNSURE = "#f7f7f7", "≈"  # colour and label of a place of which no difference is known
HALF_A_ROW = 0.45  # a bit less, so that lines of neighbouring rows do not touch headings
LONGEST = 34  # rows of a picture of ranges, or bars
STYLE = {
    "svg.fonttype": "none",
    "font.size": 10,
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "axes.titlecolor"), INK
    ),
}


@contextmanager
def drawn(name: str, height: float) -> Iterator[tuple[Any, list[str]]]:
    """Yields axes to draw on, and a list to which the SVG text is added when the block ends.

    MissingExtraError without matplotlib. name: keeps the ids in the text apart from those of other pictures.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plots", error) from None
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        text: list[str] = []
        yield figure.subplots(), text
        with io.StringIO() as file:
            figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
            text.append(_inline(file.getvalue(), name))


def _inline(svg: str, name: str) -> str:
    """The text from its <svg> on, in the colour of the page's text, with ids that no other picture has."""
    return IDS.sub(rf"\g<0>{name}-", svg[svg.index("<svg") :].replace(INK, "currentColor"))


def bars(
    name: str,
    labels: Sequence[str],
    values: npt.NDArray[np.float64],
    low: npt.NDArray[np.float64],
    high: npt.NDArray[np.float64],
    what: str,
    line: float | None = None,
    line_label: str = "",
) -> str:
    """A bar for each label with its interval, and a dashed line at a value for comparison."""
    with drawn(name, 1.0 + 0.36 * len(labels)) as (axes, text):
        rows = np.arange(len(labels))
        axes.barh(rows, values, color=ACCENT, height=0.62)
        axes.errorbar(values, rows, xerr=_arms(values, low, high), fmt="none", ecolor=INK, capsize=4)
        if line is not None:
            axes.axvline(line, color=SECOND, linestyle="--", label=line_label)
            axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), fontsize="small")
        axes.set_yticks(rows, labels)
        axes.invert_yaxis()
        axes.set_xlabel(what)
    return text[0]


def ranges(name: str, table: pd.DataFrame, what: str) -> str:
    """A forest plot: a point and its interval for each row, grouped. table: group, label, value, low, high."""
    with drawn(name, 1.0 + 0.27 * (len(table) + table.group.nunique())) as (axes, text):
        row, ticks, labels = 0, [], []
        for group, own in table.groupby("group", sort=False):
            axes.text(0.0, row, str(group), weight="bold", transform=axes.get_yaxis_transform(), va="center")
            rows = row + 1 + np.arange(len(own))
            values, low, high = (own[key].to_numpy() for key in ("value", "low", "high"))
            axes.errorbar(values, rows, xerr=_arms(values, low, high), fmt="o", color=ACCENT, ecolor=ACCENT, capsize=3)
            ends = rows[0] - HALF_A_ROW, rows[-1] + HALF_A_ROW  # so that the heading stays free
            axes.vlines(0, *ends, color=SECOND, linestyle="--")
            ticks += rows.tolist()
            labels += own.label.tolist()
            row = int(rows[-1]) + 1
        axes.set_yticks(ticks, labels)
        axes.set_ylim(row, -0.7)
        axes.set_xlabel(what)
    return text[0]


def _arms(
    values: npt.NDArray[np.float64], low: npt.NDArray[np.float64], high: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """How far the interval reaches to both sides; nothing where it is not known."""
    return np.nan_to_num(np.maximum(0, np.stack([values - low, high - values])))


def distributions(name: str, counts: pd.DataFrame, what: str, step: float = 1.0) -> str:
    """The share of each value, a line of steps for each group. counts: group, value, count."""
    with drawn(name, 2.7) as (axes, text):
        for colour, (group, own) in zip(COLOURS * len(counts), counts.groupby("group", sort=False), strict=False):
            edges, shares = _steps(own, step)
            axes.stairs(100 * shares, edges, color=colour, fill=counts.group.nunique() == 1, alpha=0.9, label=group)
        if counts.group.nunique() > 1:
            axes.legend(frameon=False)
        axes.set_xlabel(what)
        axes.set_ylabel("percent")
    return text[0]


def _steps(counts: pd.DataFrame, step: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Edges of equal steps over all values, and the share of each step; at most 60 steps."""
    values, times = counts.value.to_numpy(), counts["count"].to_numpy(dtype=float)
    width = step * max(1, int(np.ceil((np.ptp(values) + step) / step / 60)))
    places = np.floor((values - values.min()) / width + 1e-9).astype(np.int64)
    shares = np.bincount(places, weights=times) / times.sum()
    return values.min() + width * np.arange(len(shares) + 1) - (0.5 if step == 1 else 0), shares


def heat_map(picture: Picture, values: dict[str, float], written: Callable[[float], str], title: str) -> str:
    """The board with a colour for each value, from none to much."""
    most = max(values.values(), default=0) or 1
    colours = {place: mixed("#f4f1de", "#00695c", value / most) for place, value in values.items()}
    return picture.svg(colours, {place: written(value) for place, value in values.items()}, title)


def contrast_map(picture: Picture, values: dict[str, float], written: Callable[[float], str], title: str) -> str:
    """The board with a colour for each value above 0 (green) and below 0 (red), full from `FULL` on at the earliest.

    nan: it is not known whether the value is above or below 0; such a place is pale and has the mark `UNSURE`.
    """
    most = max([FULL, *(abs(v) for v in values.values() if np.isfinite(v))])
    colours = {place: _contrast(value, most) for place, value in values.items()}
    labels = {place: UNSURE if np.isnan(value) else written(value) for place, value in values.items()}
    return picture.svg(colours, labels, title)


def _contrast(value: float, most: float) -> str:
    if np.isnan(value):
        return PLAIN
    return mixed(PLAIN, "#00796b" if value > 0 else "#c0392b", abs(value) / most)


def mixed(first: str, second: str, share: float) -> str:
    """A colour between two, as #rrggbb."""
    share = float(np.clip(share, 0, 1))
    parts = [(int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)
