"""What the tests of Rodentia share: positions written as short pictures, events by their tokens.

A picture has the lines of `rodentia.draw`, but of the map only the hexes that hold something, each name followed by
what is there: `b3 #0^0   c3 0011   b4 *A`. What it does not say is as in `BURROWS`: every seat has its burrow there,
each leader is at home, the wolves on their hexes, round 1 begins and the dice are to be rolled.
"""

import re

import numpy as np

from rodentia import position
from rodentia.box import FACES, LETTERS
from rodentia.settings import map_of
from tabletop.variant import make

PLAYERS = (2, 3, 4, 5)
BURROWS = ("b3", "d7", "d1", "h2", "h4")
SPECIES = ("squirrels", "marmots", "otters", "beavers", "moles")
LETTER = {face: letter for letter, face in LETTERS.items()}
HEX_NAME = re.compile(r"[a-z]\d+")
PARTS = re.compile(r"([\d.wx]*)(?:#(\d))?(?:\^(\d+))?(?:\*([AB]+))?")


def hexes_of(lines):
    """The parts (circles, burrow, leaders, wolves) of each hex that the lines name."""
    words = " ".join(lines).split()
    found = [PARTS.fullmatch(word) for word in words[1::2]]
    assert all(found), words
    return {name: [part or "" for part in parts.groups()] for name, parts in zip(words[::2], found, strict=True)}


def with_pieces(hexes, players, names, wolf_hexes):
    """Adds the burrows, leaders and wolves that are not drawn."""
    drawn = ["".join(parts[k] for parts in hexes.values()) for k in range(4)]
    for seat in map(str, range(players)):
        home = ("d7",) if players == 1 else BURROWS
        if seat not in drawn[1]:
            hexes.setdefault(home[int(seat)], ["", "", "", ""])[1] = seat
        burrow = next(name for name, parts in hexes.items() if parts[1] == seat)
        if seat not in drawn[2]:
            hexes[burrow][2] += seat
    for wolf, name in zip("AB", wolf_hexes, strict=False):
        if wolf not in drawn[3]:
            hexes.setdefault(name, ["", "", "", ""])[3] += wolf
    assert set(hexes) <= set(names), hexes
    return hexes


def full_picture(game, picture):
    found = map_of(game.settings)
    lines = [line.strip() for line in picture.splitlines() if line.strip()]
    hexes = hexes_of([line for line in lines if HEX_NAME.match(line)])
    lines = [line for line in lines if not HEX_NAME.match(line)]
    wolf_hexes = [name for name, face in zip(found.names, found.faces, strict=True) if FACES[face] == "wolf"]
    hexes = with_pieces(hexes, game.players, found.names, wolf_hexes)
    begun = {line.split(",")[0][:6] if line.startswith("seat") else line.split()[0] for line in lines}
    species = ("marmots",) if game.players == 1 else SPECIES
    lines += [f"seat {k} {species[k]}" for k in range(game.players) if f"seat {k}" not in begun]
    lines += ["round 1, starting player 0"] * ("round" not in begun)
    for row in sorted({name[0] for name in found.names}):
        words = [
            word(hexes.get(n), LETTER[FACES[f]]) for n, f in zip(found.names, found.faces, strict=True) if n[0] == row
        ]
        lines.append(f"{row} {' '.join(words)}")
    return "\n".join(lines)


def word(parts, letter):
    if parts is None:
        return letter
    return letter + "".join(sign + part for sign, part in zip(("", "#", "^", "*"), parts, strict=True) if part)


class Table:
    """One game on the table: its settings and its position."""

    def __init__(self, game, state):
        self.game, self.state = game, state
        self.check()

    def check(self):
        broken = int(self.game.faults(self.state)[0])
        assert broken == 0, [name for k, name in enumerate(self.game.fault_names) if broken >> k & 1]

    def play(self, tokens):
        """Applies events; every position on the way must be sound."""
        for token in tokens.split():
            self.game.step(self.state, [self.game.event(token)])
            self.check()
        return self

    def dice(self, taken, free):
        """A roll, and what the players take of it in turn order."""
        faces = taken.split()
        self.play(" ".join(f"roll:{face}" for face in [free, *faces]))
        return self.play(" ".join(f"take:{face}" for face in faces))

    def legal(self):
        return {self.game.token(event) for event in self.game.legal(self.state)[0]}

    def places(self, word="place"):
        """What follows a word in the legal tokens that begin with it."""
        return {token.partition(":")[2] for token in self.legal() if token.partition(":")[0] == word}

    def to_move(self):
        return int(self.game.to_move(self.state)[0])

    def weights(self):
        """The weight of every outcome of a chance node that has one, by token."""
        found = self.game.weights(self.state)[0]
        return {self.game.token(self.game.actions + k): int(found[k]) for k in np.flatnonzero(found)}

    def scores(self):
        return self.game.scores(self.state)[0].tolist()

    def ranking(self):
        return self.game.ranking(self.state)[0].tolist()

    def text(self):
        return self.game.text(self.state)

    def line(self, name):
        """What a named line of the text says; "" if it is left out."""
        for row in self.text().splitlines():
            if row.startswith(f"{name} "):
                return row[len(name) :].strip()
        return ""

    def node(self):
        """What is awaited, and of whom."""
        return ", ".join(self.line("next").split(", ")[:2])

    def hex(self, name):
        """What is in a hex: no letter, no free circles."""
        return self.line(name[0]).split()[int(name[1:]) - 1][1:].replace(".", "")

    def where(self, sign, who):
        """The hex with the leader of a seat ("^", 0) or a wolf ("*", "A")."""
        found = map_of(self.game.settings).names
        parts = {name: PARTS.fullmatch(self.hex(name)) for name in found}
        return next(name for name, part in parts.items() if str(who) in (part[3 if sign == "^" else 4] or ""))

    def leader(self, seat=0):
        return self.where("^", seat)

    def wolf(self, which="A"):
        return self.where("*", which)


def at(picture="", players=2, **settings):
    """The position of a picture."""
    game = make("rodentia", players=players, **settings)
    return Table(game, position(full_picture(game, picture), game.settings))


def start(players=2, **settings):
    """A new game."""
    game = make("rodentia", players=players, **settings)
    return Table(game, game.new(1))


def goal_points(goal, picture, players=2, **settings):
    """The points that a goal adds."""
    with_goal = at(f"goals {goal}\n{picture}", players, **settings).scores()
    return np.subtract(with_goal, at(picture, players, **settings).scores()).tolist()
