"""R2, R3: the map as a picture: a hex for every place, framed in the colour of its terrain."""

from rodentia.box import FACES
from rodentia.settings import map_of
from tabletop.options import Settings
from tabletop.picture import Picture, Place, Point

HALF_WIDTH, RADIUS = 35.0, 40.0  # of a hex that stands on a corner
COLOURS = {
    "forest": "#2e7d32",
    "river": "#1e88e5",
    "grassland": "#9ccc65",
    "swamp": "#6d8f8a",
    "mountain": "#8d6e63",
    "wolf": "#d32f2f",
}
OTHER = "#9e9e9e"


def picture(settings: Settings) -> Picture:
    """The map with the names of its hexes and the terrain of each."""
    found = map_of(settings)
    hexes = zip(found.names, found.places, found.faces, strict=True)
    places = [
        Place(name, _hex(x * HALF_WIDTH, r * 1.5 * RADIUS), COLOURS.get(FACES[face], OTHER), f"{name} {FACES[face]}")
        for name, (x, r), face in hexes
    ]
    return Picture(tuple(places), size=10.0)


def _hex(x: float, y: float) -> tuple[Point, ...]:
    """The corners of a hex around a point."""
    slopes = [(HALF_WIDTH, RADIUS / 2), (0, RADIUS), (-HALF_WIDTH, RADIUS / 2)]
    return tuple((x + dx, y + dy) for dx, dy in [*slopes, *((-dx, -dy) for dx, dy in slopes)])
