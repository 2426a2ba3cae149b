"""Pebbles: a game made up to test the core. It is no part of the distribution and the core does not know it.

Rules, for two to four players:

E1 There are `heaps` heaps of `size` pebbles each. A bag holds stones: `bag[v - 1]` of each value v = 1, 2, 3.
E2 Before the first turn every seat, beginning with seat 0, draws a stone from the bag and keeps it secret.
E3 Seat 0 begins and turns go round. In its turn a seat first rolls a die with the faces 1, 2, 3; the option
   `die` says whether they are equally likely ("plain") or have the chances 1, 2, 3 in six ("loaded").
E4 Then it takes pebbles from one heap: as many as it rolled, if the option `take` is "exact", or any number from 1
   to what it rolled, if it is "up_to".
E5 With the option `passing` it may pass instead. Where nothing can be taken, the turn passes by itself.
E6 The game ends when all heaps are empty, or after `turns` turns.
E7 A seat scores its pebbles and the value of its stone. The most points win; among equals the lesser stone wins;
   seats that are equal in both share the better place.

Ids: `take:heap:count` is 4 · heap + count, so that every fourth number is unused; `pass` is 64, in the second
word; then come the chance outcomes `stone:1` … `stone:3` and `roll:1` … `roll:3`.
"""

from pebbles.rules import (
    ACTIONS,
    EVENTS,
    FAULTS,
    FEATURES,
    FUNCTIONS,
    OPTIONS,
    PARAMETERS,
    STATE,
    components,
    fill,
    text,
    tokens,
)
from tabletop.game import Game, register

PEBBLES = register(
    Game(
        name="pebbles",
        title="Pebbles",
        state=STATE,
        players=(2, 3, 4),
        default_players=2,
        options=OPTIONS,
        parameters=PARAMETERS,
        streams=("stones", "die"),
        actions=ACTIONS,
        events=EVENTS,
        functions=FUNCTIONS,
        fill=fill,
        tokens=tokens,
        text=text,
        features=FEATURES,
        faults=FAULTS,
        components=components,
        perfect_information=False,
    )
)

__all__ = ["PEBBLES", "STATE"]
