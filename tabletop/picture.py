"""Boards as pictures: where the places of a board lie, and an SVG text in which each of them has a colour and a label.

A game says where its places lie (`Game.picture`); who draws says what the colours mean. The text uses the colour of
the page's own text for lines and captions, so that it can be read on light and dark pages.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]

COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
MARGIN = 8.0  # around everything
DARK = 140  # a colour whose luminance (0 … 255) is below this takes white text


@dataclass(frozen=True)
class Place:
    """A place of the board: its name as in tokens, its outline, its own colour (#rrggbb), and what is printed on it."""

    name: str
    outline: tuple[Point, ...]
    colour: str
    caption: str

    @property
    def centre(self) -> Point:
        """The middle of the outline."""
        xs, ys = zip(*self.outline, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


@dataclass(frozen=True)
class Line:
    """A connection that is drawn below the places."""

    start: Point
    end: Point
    is_dashed: bool = False


@dataclass(frozen=True)
class Picture:
    """A board. `size`: of the captions, in the units of the outlines."""

    places: tuple[Place, ...]
    lines: tuple[Line, ...] = ()
    size: float = 12.0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the places."""
        return tuple(place.name for place in self.places)

    def svg(self, colours: Mapping[str, str], labels: Mapping[str, str], title: str) -> str:
        """The board as SVG text: places of `colours` filled, the others empty; `title` is for those who cannot see it.

        ValueError for an unknown place or a colour that is not #rrggbb.
        """
        for name, colour in colours.items():
            if name not in self.names or not COLOUR.fullmatch(colour):
                raise ValueError(f"place {name!r} of colour {colour!r}; expected #rrggbb and one of {self.names}")
        left, top, width, height = self._frame()
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}" '
            f'width="{width:g}" role="img" aria-label={quoteattr(title)} font-family="sans-serif">',
            f"<title>{escape(title)}</title>",
            *map(_line, self.lines),
            *(self._place(place, colours.get(place.name), labels.get(place.name, "")) for place in self.places),
            "</svg>",
        ]
        return "\n".join(parts)

    def _frame(self) -> tuple[float, float, float, float]:
        points = [point for place in self.places for point in place.outline]
        xs, ys = zip(*points, strict=True)
        left, top = min(xs) - MARGIN, min(ys) - MARGIN
        return left, top, max(xs) - left + MARGIN, max(ys) - top + MARGIN

    def _place(self, place: Place, colour: str | None, label: str) -> str:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in place.outline)
        text = "currentColor" if colour is None else "#ffffff" if luminance(colour) < DARK else "#000000"
        x, y = place.centre
        shape = f'<polygon points="{points}" fill="{colour or "none"}" stroke="{place.colour}" stroke-width="3"/>'
        lines = [(place.caption, y - 0.25 * self.size, self.size), (label, y + self.size, 0.9 * self.size)]
        written = [
            f'<text x="{x:.1f}" y="{at:.1f}" font-size="{size:g}" text-anchor="middle" fill="{text}">{escape(line)}'
            "</text>"
            for line, at, size in lines
            if line
        ]
        tip = f"<title>{escape(f'{place.name}: {label}' if label else place.name)}</title>"
        return f"<g>{tip}{shape}{''.join(written)}</g>"


def _line(line: Line) -> str:
    (x1, y1), (x2, y2) = line.start, line.end
    dashes = ' stroke-dasharray="6 5"' if line.is_dashed else ""
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="currentColor" stroke-opacity="0.5" '
        f'stroke-width="2"{dashes}/>'
    )


def luminance(colour: str) -> float:
    """How bright a colour #rrggbb looks, 0 to 255 (ITU-R BT.601)."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def box(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """The outline of a rectangle."""
    return (left, top), (left + width, top), (left + width, top + height), (left, top + height)
