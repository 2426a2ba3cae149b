"""What is in the box of The Treaty of Rodentia: faces, species, goals. Nothing but literal tables and their sizes.

The printed map could not be consulted: `map.json` is a reconstruction, read and checked by `maps.py`.
"""

from typing import NamedTuple

RULEBOOK = "rulebook"
RULING = "ruling"
RECONSTRUCTION = "reconstruction"

SOLO, TWO_SHEETS_FROM = 1, 4  # players: R40; R1
MOST_PLAYERS = 5

# R1: hexes of each face on one sheet. R5: a die's faces in their order, the number of a face is its place + 1.
FACES = ("forest", "mountain", "river", "swamp", "grassland", "wolf")
FOREST, MOUNTAIN, RIVER, SWAMP, GRASSLAND, WOLF = range(6)
TERRAINS = 5  # the faces before the wolf
HEXES_OF_FACE = (5, 5, 5, 5, 5, 1)
SHEET_HEXES = sum(HEXES_OF_FACE)
MOST_SHEETS = 2
MOST_HEXES = SHEET_HEXES * MOST_SHEETS
MOST_ROWS = 26  # R3: a row is named by a letter
LETTERS = {"F": "forest", "M": "mountain", "R": "river", "S": "swamp", "G": "grassland", "W": "wolf"}

MOST_DICE = MOST_PLAYERS + 1  # R5
SOLO_DICE = 2
MOST_CATCHES = 3  # R29

# R6: species s is at home in terrain s.
SPECIES = ("squirrels", "marmots", "otters", "beavers", "moles")
MARMOTS = 1  # R40: the player's species in the solo game

GOALS = ("row", "zones", "area", "diagonal", "burrows", "edges")
ROW, ZONES, AREA, DIAGONAL, BURROWS, EDGES = range(6)
GOALS_IN_PLAY = 2  # R8
DIRECTIONS = ("ascending", "descending")
ASCENDING, DESCENDING = range(2)
SHORTEST_LINE = 3  # R36


class Goal(NamedTuple):
    """A goal of the rulebook and what it asks for."""

    name: str
    effect: str


GOAL_CARDS = (
    Goal("row", "In each row of the map, the players with most controlled hexes score 3."),
    Goal("zones", "3 for each connected group of two or more controlled hexes."),
    Goal("area", "8 for the largest connected group of controlled hexes, 4 for the second largest."),
    Goal("diagonal", "In each line of three or more hexes one way, the players with most controlled hexes score 3."),
    Goal("burrows", "4 for each burrow that a connected group links to another one."),
    Goal("edges", "On each edge of the map, the players with most controlled hexes score 1 for each of theirs."),
)
