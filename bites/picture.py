"""B1, B4: what players choose among, as a picture: the ants, the foods of the hill stack, the two sides of an ant."""

from math import cos, pi, sin

from bites.box import ANTS, FOODS, TOKENS
from tabletop.options import Settings
from tabletop.picture import Line, Picture, Place, Point

APART, RADIUS = 96.0, 40.0  # from one place to the next, and of each
CORNERS = 24
COLOURS = ("#7b1fa2", "#d32f2f", "#795548", "#f9a825", "#388e3c")  # of the ants, and of their foods
TRAIL = "#8d6e63"
SIDES = ("front", "back")


def picture(settings: Settings) -> Picture:
    """The ants above, the foods in the middle, and below them before and behind which an ant takes a token."""
    ants = [_place(name, i, 0, COLOURS[i]) for i, name in enumerate(ANTS)]
    foods = [_place(name, i, 1, COLOURS[i]) for i, name in enumerate(TOKENS[:FOODS])]
    sides = [_place(name, 1 + 2 * i, 2, TRAIL) for i, name in enumerate(reversed(SIDES))]
    (left, y), (right, _) = (side.centre for side in sides)
    trail = Line((left + RADIUS, y), (right - RADIUS, y))
    return Picture((*ants, *foods, *sides), (trail,), size=13.0)


def _place(name: str, column: int, row: int, colour: str) -> Place:
    x, y = column * APART, row * APART
    return Place(name, tuple(_corner(x, y, 2 * pi * k / CORNERS) for k in range(CORNERS)), colour, name)


def _corner(x: float, y: float, angle: float) -> Point:
    return x + RADIUS * cos(angle), y + RADIUS * sin(angle)
