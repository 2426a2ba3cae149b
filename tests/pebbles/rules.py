"""State, ids and rules of Pebbles; the paragraphs E1–E7 stand in the package's docstring."""

import numpy as np

from tabletop.bits import bit
from tabletop.game import CHANCE, OVER, Component, Feature
from tabletop.jit import jit
from tabletop.layout import state_dtype
from tabletop.options import Choice, OptionError, Parameter, Settings, flag, write_choices, write_parameters
from tabletop.rng import uniform, weighted

HEAPS = 16
SEATS = 4
STONES = 3
FACES = 3
MOST_PEBBLES = 9  # in a heap

PASS = 4 * HEAPS
ACTIONS = PASS + 1
FIRST_STONE = ACTIONS  # the stone of value 1
FIRST_FACE = FIRST_STONE + STONES  # the face 1
EVENTS = FIRST_FACE + FACES

STREAM_OF_STONES, STREAM_OF_DIE = 0, 1
EXACT, UP_TO = 0, 1
PLAIN, LOADED = 0, 1

OPTION_FIELDS = state_dtype([("take", np.int8), ("die", np.int8), ("passing", np.int8)])
RULE_FIELDS = state_dtype([("heaps", np.int16), ("size", np.int16), ("turns", np.int16), ("bag", np.int16, STONES)])
STATE = state_dtype(
    [
        ("players", np.int8),
        ("mover", np.int8),  # seat, CHANCE or OVER
        ("seat", np.int8),  # whose turn it is
        ("dealt", np.int8),  # seats that have drawn a stone
        ("roll", np.int8),  # 0: not rolled yet
        ("turn", np.int16),  # turns that are over
        ("heap", np.int8, HEAPS),
        ("stone", np.int8, SEATS),  # value, 0: none yet
        ("taken", np.int16, SEATS),
        ("options", OPTION_FIELDS),
        ("rules", RULE_FIELDS),
    ]
)

OPTIONS = (
    Choice("take", "exact", "how many pebbles a seat takes", "E4", choices=("exact", "up_to")),
    Choice("die", "plain", "how likely the faces are", "E3", choices=("plain", "loaded")),
    flag("passing", False, "whether a seat may pass", "E5"),
)
PARAMETERS = (
    Parameter("heaps", 3, 1, HEAPS, "heaps at the beginning"),
    Parameter("size", 3, 1, MOST_PEBBLES, "pebbles in each"),
    Parameter("turns", 40, 1, 200, "turns after which the game ends"),
    Parameter("bag", (2, 2, 2), 0, 9, "stones of the values 1, 2, 3"),
)
FEATURES = (
    Feature("heaps", HEAPS, 0, MOST_PEBBLES, "pebbles in each heap"),
    Feature("taken", SEATS, 0, 127, "pebbles of each seat, the observer first"),
    Feature("stones", SEATS, 0, STONES, "stones, the observer's first; 0 where unknown"),
    Feature("roll", 1, 0, FACES, "the die, 0 before the roll"),
    Feature("turn of", SEATS, 0, 1, "whose turn it is, the observer first"),
)
FAULTS = ("pebbles were lost or made", "more stones of a value than the bag held", "nobody is to move")


def fill(state: np.ndarray, settings: Settings) -> None:
    if sum(settings.parameters["bag"]) < settings.players:
        raise OptionError(f"parameter 'bag': {settings.parameters['bag']} has no stone for each of the players")
    state["players"] = settings.players
    write_choices(state["options"], OPTIONS, settings)
    write_parameters(state["rules"], settings)


def tokens(settings: Settings) -> tuple[str, ...]:
    takes = [f"take:{i // 4}:{i % 4}" if i % 4 else "" for i in range(PASS)]
    return (*takes, "pass", *(f"stone:{v}" for v in (1, 2, 3)), *(f"roll:{v}" for v in (1, 2, 3)))


def text(state: np.ndarray, settings: Settings) -> str:
    heaps = " ".join(str(n) for n in state["heap"][: settings.parameters["heaps"]])
    return f"heaps {heaps}, roll {state['roll']}, taken {state['taken'][: settings.players].tolist()}"


def components(settings: Settings) -> tuple[Component, ...]:
    return tuple(Component("stone", f"stone:{v}", "made up for the tests", f"scores {v}") for v in (1, 2, 3))


@jit
def setup(s):
    """E1: full heaps; E2: chance deals first."""
    for h in range(s.rules.heaps):
        s.heap[h] = s.rules.size
    s.mover = CHANCE


@jit(inlined=True)
def is_dealing(s):
    return s.dealt < s.players


@jit
def stones_left(s, value):
    """How many stones of a value are still in the bag."""
    left = np.int64(s.rules.bag[value - 1])
    for seat in range(s.players):
        left -= s.stone[seat] == value
    return left


@jit(inlined=True)
def fewest(s):
    """E4: the fewest pebbles that may be taken after this roll."""
    return s.roll if s.options.take == EXACT else 1


@jit
def can_take(s):
    found = False
    for h in range(s.rules.heaps):
        found = found or s.heap[h] >= fewest(s)
    return found


@jit
def to_move(s):
    return np.int64(s.mover)


@jit
def legal(s, out):
    out[0] = np.uint64(0)
    out[1] = np.uint64(0)
    if s.mover >= 0:
        legal_actions(s, out)
    else:
        legal_outcomes(s, out)


@jit
def legal_actions(s, out):
    """E4, E5."""
    for h in range(s.rules.heaps):
        for n in range(fewest(s), s.roll + 1):
            if n <= s.heap[h]:
                out[0] |= bit(4 * h + n)
    if s.options.passing:
        out[1] |= bit(PASS - 64)


@jit
def legal_outcomes(s, out):
    """E2, E3."""
    for k in range(3):
        if not is_dealing(s):
            out[1] |= bit(FIRST_FACE + k - 64)
        elif stones_left(s, k + 1) > 0:
            out[1] |= bit(FIRST_STONE + k - 64)


@jit
def weights(s, out):
    for k in range(3):
        out[k] = stones_left(s, k + 1) if is_dealing(s) else 0
        out[STONES + k] = 0 if is_dealing(s) else face_weight(s, k)


@jit(inlined=True)
def face_weight(s, k):
    """E3: the chance of face k + 1."""
    return k + 1 if s.options.die == LOADED else 1


@jit
def draw_stone(s, rng, stream_number):
    """E2: the value of a stone drawn from the bag."""
    total = 0
    for value in (1, 2, 3):
        total += stones_left(s, value)
    left = uniform(rng, stream_number, total)
    value = 1
    while left >= stones_left(s, value):
        left -= stones_left(s, value)
        value += 1
    return value


LOADED_FACES = np.array([1, 2, 3])


@jit
def sample(s, rng):
    if is_dealing(s):
        return FIRST_STONE - 1 + draw_stone(s, rng, STREAM_OF_STONES)
    if s.options.die == LOADED:
        return FIRST_FACE + weighted(rng, STREAM_OF_DIE, LOADED_FACES, 6)
    return FIRST_FACE + uniform(rng, STREAM_OF_DIE, FACES)


@jit
def stream(s):
    return STREAM_OF_STONES if is_dealing(s) else STREAM_OF_DIE


@jit
def step(s, event):
    if event >= FIRST_FACE:
        rolled(s, event - FIRST_FACE + 1)
    elif event >= FIRST_STONE:
        s.stone[s.dealt] = event - FIRST_STONE + 1
        s.dealt += 1
    else:
        if event != PASS:
            s.heap[event >> 2] -= event & 3
            s.taken[s.seat] += event & 3
        end_turn(s)


@jit
def rolled(s, face):
    """E3; E5: a turn in which nothing can be taken passes by itself."""
    s.roll = face
    s.mover = s.seat
    if not can_take(s):
        end_turn(s)


@jit
def end_turn(s):
    """E3, E6."""
    s.roll = 0
    s.turn += 1
    s.seat = s.seat + 1 if s.seat + 1 < s.players else 0
    s.mover = OVER if s.turn == s.rules.turns or pebbles_left(s) == 0 else CHANCE


@jit
def pebbles_left(s):
    total = 0
    for h in range(s.rules.heaps):
        total += s.heap[h]
    return total


@jit
def scores(s, out):
    """E7."""
    for seat in range(s.players):
        out[seat] = s.taken[seat] + s.stone[seat]


@jit
def is_better(s, a, b):
    """E7: whether seat a is ahead of seat b."""
    of_a, of_b = s.taken[a] + s.stone[a], s.taken[b] + s.stone[b]
    return of_a > of_b or (of_a == of_b and s.stone[a] < s.stone[b])


@jit
def ranking(s, out):
    for seat in range(s.players):
        out[seat] = 1
        for other in range(s.players):
            out[seat] += is_better(s, other, seat)


@jit
def observe(s, seat, out):
    out[:] = 0
    for h in range(HEAPS):
        out[h] = s.heap[h]
    for k in range(s.players):
        other = seat + k if seat + k < s.players else seat + k - s.players
        out[HEAPS + k] = min(np.int64(s.taken[other]), 127)
        if k == 0 or s.mover == OVER:
            out[HEAPS + SEATS + k] = s.stone[other]
        out[HEAPS + 2 * SEATS + 1 + k] = other == s.seat
    out[HEAPS + 2 * SEATS] = s.roll


@jit
def redeal(s, seat, rng):
    """E2: the others' stones are drawn anew from what the seat does not hold."""
    if s.mover == OVER:
        return
    for other in range(s.dealt):
        if other != seat:
            s.stone[other] = 0
    for other in range(s.dealt):
        if other != seat:
            s.stone[other] = draw_stone(s, rng, 0)


@jit
def faults(s):
    pebbles = pebbles_left(s)
    for seat in range(s.players):
        pebbles += s.taken[seat]
    found = 1 if pebbles != s.rules.heaps * s.rules.size else 0
    for value in (1, 2, 3):
        if stones_left(s, value) < 0:
            found |= 2
    if not (s.mover == CHANCE or s.mover == OVER or s.mover == s.seat):
        found |= 4
    return found


@jit
def seats(s):
    return np.int64(s.players)


FUNCTIONS = {
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
}
