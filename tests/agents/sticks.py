"""Sticks: a game with perfect information made up to test searches against exact values.

For two or three players. There are `pile` sticks. A seat takes one, two or three. With the option `wind` a gust
follows each move: it blows away no stick, or one with twice the chance. Whoever moved when the last stick went wins.
Without wind and for two players a seat that leaves a multiple of four wins.

Ids: `take:k` is k − 1; then the outcomes `gust:0`, `gust:1`.
"""

import numpy as np

from tabletop import CHANCE, OVER
from tabletop.bits import EMPTY, below, bit
from tabletop.game import Feature, Game, register
from tabletop.jit import jit
from tabletop.layout import state_dtype
from tabletop.options import Parameter, flag, write_choices, write_parameters
from tabletop.rng import uniform

MOST_TAKEN = 3
GUST = MOST_TAKEN
EVENTS = GUST + 2
SEATS = 3

STATE = state_dtype(
    [
        ("mover", np.int8),  # seat, CHANCE or OVER
        ("seat", np.int8),  # who moves or has just moved
        ("players", np.int8),
        ("sticks", np.int16),
        ("options", state_dtype([("wind", np.int8)])),
        ("rules", state_dtype([("pile", np.int16)])),
    ]
)
OPTIONS = (flag("wind", False, "whether a gust follows each move", "made up"),)
PARAMETERS = (Parameter("pile", 10, 1, 60, "sticks at the beginning"),)


@jit
def setup(s):
    s.sticks, s.seat, s.mover = s.rules.pile, 0, 0


@jit
def to_move(s):
    return np.int64(s.mover)


@jit
def legal(s, out):
    out[0] = EMPTY
    if s.mover == CHANCE:
        out[0] = bit(GUST) | bit(GUST + 1)
    elif s.mover >= 0:
        out[0] = below(min(MOST_TAKEN, np.int64(s.sticks)))


@jit
def weights(s, out):
    out[0], out[1] = 1, 2


@jit
def sample(s, rng):
    return GUST + min(1, uniform(rng, 0, 3))


@jit
def stream(s):
    return 0


@jit
def step(s, event):
    s.sticks -= event - GUST if event >= GUST else event + 1
    if s.sticks == 0:
        s.mover = OVER
    elif event < GUST and s.options.wind:
        s.mover = CHANCE
    else:
        s.seat = s.seat + 1 if s.seat + 1 < s.players else 0
        s.mover = s.seat


@jit
def scores(s, out):
    for seat in range(s.players):
        out[seat] = s.mover == OVER and seat == s.seat


@jit
def ranking(s, out):
    for seat in range(s.players):
        out[seat] = 1 if seat == s.seat else 2


@jit
def observe(s, seat, out):
    out[0], out[1] = min(np.int64(s.sticks), 127), s.seat


@jit
def redeal(s, seat, rng):
    pass


@jit
def faults(s):
    return 0


@jit
def seats(s):
    return np.int64(s.players)


def fill(state, settings):
    state["players"] = settings.players
    write_choices(state["options"], OPTIONS, settings)
    write_parameters(state["rules"], settings)


STICKS = register(
    Game(
        name="sticks",
        title="Sticks",
        state=STATE,
        players=(2, 3),
        default_players=2,
        options=OPTIONS,
        parameters=PARAMETERS,
        streams=("wind",),
        actions=MOST_TAKEN,
        events=EVENTS,
        functions={
            f.__name__: f
            for f in (
                setup,
                to_move,
                legal,
                weights,
                sample,
                stream,
                step,
                scores,
                ranking,
                observe,
                redeal,
                faults,
                seats,
            )
        },
        fill=fill,
        tokens=lambda settings: ("take:1", "take:2", "take:3", "gust:0", "gust:1"),
        text=lambda state, settings: f"{state['sticks']} sticks",
        features=(Feature("sticks", 1, 0, 127, "sticks left"), Feature("seat", 1, 0, SEATS, "who moves or moved")),
        faults=(),
        components=lambda settings: (),
        perfect_information=True,
    )
)
