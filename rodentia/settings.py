"""Options and rule parameters, and how they come into a state."""

from typing import Any

from rodentia import maps
from rodentia.box import (
    DIRECTIONS,
    FACES,
    GOAL_CARDS,
    GOALS,
    GOALS_IN_PLAY,
    RECONSTRUCTION,
    RULEBOOK,
    RULING,
    SPECIES,
    TERRAINS,
    TWO_SHEETS_FROM,
)
from rodentia.state import MOST_CIRCLES
from tabletop.game import Component
from tabletop.options import Choice, Names, Parameter, Settings, TableFile, flag, write_choices, write_parameters

OPTIONS = (
    TableFile("map", maps.BUILT_IN, "R2: the map", RECONSTRUCTION, load=maps.load),
    Names("goals", "random", "R8: the two goals", RULEBOOK, names=GOALS, length=GOALS_IN_PLAY),
    Choice("diagonal", "random", "R9: direction of the goal `diagonal`", RULEBOOK, choices=("random", *DIRECTIONS)),
    Names("species", "random", "R10: species of each seat", RULING, names=SPECIES),
    flag("burrow_controlled", True, "R13: a burrow counts as a hex that its owner controls", RULING),
    flag("six_prevents_end", True, "R16: a wolf die that is left keeps the game going", RULING),
    Choice(
        "leader_source",
        "hex_and_neighbours",
        "R20: what a leader adds to the reach",
        RULING,
        choices=("hex_and_neighbours", "hex", "neighbours"),
    ),
    flag("advanced_placement", True, "R23: one rodent anywhere when no hex is in reach", RULEBOOK),
    Choice(
        "wolf_end", "all_of", "R33: whether all three or one of the three ends it", RULING, choices=("all_of", "any_of")
    ),
    flag("leader_bonus_on_burrow", True, "R35: a leader on the own burrow scores", RULING),
    Choice("solo_action", "by_rodents", "R47: who says how the wolf acts", RULING, choices=("by_rodents", "player")),
    Choice("solo_ties", "player", "R48: who decides between equal hexes", RULING, choices=("player", "fixed")),
    Choice("solo_king", "leave_burrow", "R49: whether the King must leave", RULING, choices=("leave_burrow", "free")),
)

MOST_POINTS = 1000  # of a single award
MOST_ROUNDS = 1000


def _points(name: str, default: int | tuple[int, ...], meaning: str) -> Parameter:
    return Parameter(name, default, -MOST_POINTS, MOST_POINTS, meaning)


PARAMETERS = (
    _points("home_vp", 2, "R35: a controlled hex of the home terrain"),
    _points("other_vp", 1, "R35: another controlled hex"),
    _points("bonus_vp", 1, "R35: each X of a controlled hex's terrain"),
    _points("leader_vp", 3, "R35: the leader on an own hex"),
    _points("catch_vp", (3, 5, 7), "R35, R53: 1, 2, 3 catches; subtracted"),
    _points("row_vp", 3, "R36: most hexes in a row"),
    _points("zone_vp", 3, "R36: a group of two or more hexes"),
    _points("area_vp", (8, 4), "R36: largest and second largest group"),
    _points("diagonal_vp", 3, "R36: most hexes in a line"),
    _points("burrow_vp", 4, "R36: a linked burrow"),
    _points("edge_vp", 1, "R36: a hex on an edge with most hexes"),
    Parameter("rodents_per_turn", 3, 1, 25, "R21: rodents that a player places at most in a turn"),
    Parameter("rodents_per_hex_per_turn", 2, 1, MOST_CIRCLES, "R21: of these at most in the same hex"),
    Parameter("circles", 5, 1, MOST_CIRCLES, "R4: circles of a terrain hex"),
    Parameter("control", 3, 1, MOST_CIRCLES, "R22, R43: rodents of one player, or wolf marks, that control a hex"),
    Parameter("wolf_steps", 2, 1, 20, "R27, R46, R50: steps of a wolf move"),
    Parameter("max_rounds", 100, 1, MOST_ROUNDS, "R31: rounds after which the game ends"),
    Parameter("solo_rounds", 14, 1, MOST_ROUNDS, "R52: rounds of the solo game"),
    _points("solo_hex_vp", 2, "R53: a hex with a majority, for or against"),
    _points("solo_scare_vp", 1, "R53: a scared rodent; subtracted"),
    Parameter("solo_win_hexes", 10, 1, 26, "R53: controlled hexes that a solo win needs"),
)


def sheets_of(players: int) -> int:
    """R1: one sheet for 1 to 3 players, two for 4 and 5."""
    return 2 if players >= TWO_SHEETS_FROM else 1


def map_of(values: Settings) -> maps.Map:
    """The part of the map that these players use."""
    return values.tables["map"].first_sheets(sheets_of(values.players))


def fill(state: Any, values: Settings) -> None:
    """Writes players, options, parameters and the map into a zeroed state; OptionError if the map does not fit."""
    state["players"] = values.players
    write_choices(state["options"], OPTIONS, values)
    write_parameters(state["rules"], values)
    goals, species = values.options["goals"], values.options["species"]
    if goals != "random":
        state["options"]["goals"] = sum(1 << GOALS.index(goal) for goal in goals)
    if species != "random":
        for seat, name in enumerate(species):
            state["options"]["species"][seat] = 1 + SPECIES.index(name)
    maps.write_board(state["board"], map_of(values))


def components(values: Settings) -> tuple[Component, ...]:
    """What is in the box under these settings, each with where our knowledge of it comes from."""
    found = map_of(values)
    sheets = " and ".join(f"sheet {sheet + 1}" for sheet in range(len(found.sheets)))
    return (
        Component("map", found.name, found.provenance, f"{sheets}: {len(found.faces)} hexes in {len(found.rows)} rows"),
        *(Component("goal", goal.name, RULEBOOK, goal.effect) for goal in GOAL_CARDS),
        *(Component("species", name, RULEBOOK, f"At home in the {FACES[s]}.") for s, name in enumerate(SPECIES)),
        *(Component("die face", face, RULEBOOK, _face_effect(face)) for face in FACES),
    )


def _face_effect(face: str) -> str:
    return f"Place rodents in the {face}." if face in FACES[:TERRAINS] else "Move a wolf."
