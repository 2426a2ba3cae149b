"""P3: the map as a picture: a box for every region in play, lines to its neighbours, those across the sea dashed."""

from rattus.draw import layout
from tabletop.options import Settings
from tabletop.picture import Line, Picture, Place, box

WIDTH, HEIGHT = 110.0, 62.0  # of a region
ACROSS, DOWN = 150.0, 100.0  # from one region to the next
LAND = "#8d6e63"
SEA = "sea"


def picture(settings: Settings) -> Picture:
    """The regions in play, as they lie on the board, and their borders."""
    found = settings.tables["map"]
    names = [name for i, name in enumerate(found.regions) if i in found.in_play(settings.players)]
    corners = {
        name: (column * ACROSS, row * DOWN)
        for row, in_row in enumerate(layout(names))
        for column, name in enumerate(in_row)
        if name in names
    }
    places = tuple(Place(name, box(*corners[name], WIDTH, HEIGHT), LAND, name) for name in names)
    centres = {place.name: place.centre for place in places}
    pairs = [(edge.between, edge.kind == SEA) for edge in found.edges if set(edge.between) <= set(names)]
    lines = tuple(Line(centres[a], centres[b], is_sea) for (a, b), is_sea in pairs)
    return Picture(places, lines, size=13.0)
