"""The numbers of a search: where each stands in the `params` of a bot, and how they come from a user's words.

`params` are float64. They begin with one number for each name below; then follow the numbers of the roll-out bot
and those of the evaluation. These two are compiled functions, named by their address: a 64-bit address does not fit
into the 53 bits of a float64, so it takes two places of 32 bits. Addresses hold in this process only, and as long
as the functions live; bots are built from texts in every process, and compiled functions are kept.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from agents.search.evaluation import EVALUATIONS, GREEDY, POINTS, Numbered, evaluation_of, has_own
from agents.search.tree import NODE
from tabletop.bots import BotError, BotParameter, Value, address_of, bot
from tabletop.game import Game
from tabletop.jit import jit

NAMES = (
    "ITERATIONS",  # 0: no limit but time
    "MILLISECONDS",  # 0: no limit but iterations
    "NODES",  # most nodes of a tree
    "EXPLORATION",
    "SELECTION",  # UCT or PUCT
    "PRIOR",  # EQUAL or EVALUATED
    "SHARPNESS",  # of priors: how many points make an action e times as likely
    "CHANCE_NODES",  # OPEN_LOOP or EXPLICIT
    "DEPTH",  # decisions of a roll-out before it is cut off, or TO_THE_END
    "NOISE",  # probability of a random action in a roll-out
    "SCALE",  # how many points make a seat e times as likely to win
    "MARGIN",  # share of the points in the value of a finished game
    "SAMPLES",  # draws of hidden and future things, for the bots that average over some
    "ROLLOUT",  # address, two places; 0: uniform
    "ROLLOUT_LOW",
    "ROLLOUT_SIZE",  # how many numbers the roll-out bot has
    "EVALUATION",  # address, two places; 0: the points as they would count now
    "EVALUATION_LOW",
    "EVALUATION_SIZE",
)
(
    ITERATIONS,
    MILLISECONDS,
    NODES,
    EXPLORATION,
    SELECTION,
    PRIOR,
    SHARPNESS,
    CHANCE_NODES,
    DEPTH,
    NOISE,
    SCALE,
    MARGIN,
    SAMPLES,
    ROLLOUT,
    _,
    ROLLOUT_SIZE,
    EVALUATION,
    _,
    EVALUATION_SIZE,
) = range(len(NAMES))
HEAD = len(NAMES)

SELECTIONS = ("uct", "puct")
UCT, PUCT = range(2)
PRIORS = ("equal", "evaluated")
EQUAL, EVALUATED = range(2)
CHANCES = ("open", "explicit")
OPEN_LOOP, EXPLICIT = range(2)
TO_THE_END = -1

UNIFORM = "uniform"  # the roll-out bot that needs no address
LEAST_NODES = 2  # the root and an action
NODES_IN_TIME = 1 << 18  # most nodes where only time limits the search: 12 MB
NODES_AN_ITERATION = 16  # most nodes for each iteration where one may add many
HALF = 1 << 32


@jit(inlined=True)
def address_in(params, place: int) -> int:
    """The address that stands in two places of `params`."""
    return np.int64(params[place]) * np.int64(HALF) + np.int64(params[place + 1])


def two_places(word: int) -> tuple[int, int]:
    """An address or another word of 64 bits as it stands in two places of `params`."""
    return divmod(word, HALF)


@jit(inlined=True)
def rollout_end(params) -> int:
    """Where the numbers of the roll-out bot, which begin at HEAD, end and those of the evaluation begin."""
    return HEAD + np.int64(params[ROLLOUT_SIZE])


@jit(inlined=True)
def evaluation_end(params) -> int:
    """Where the numbers of the evaluation end."""
    return rollout_end(params) + np.int64(params[EVALUATION_SIZE])


class NodesParameter(BotParameter):
    """A number of nodes: 0, or so many that the tree holds an action beside its root."""

    def read(self, text: str) -> Value:
        """The number that a user wrote; BotError says what is expected."""
        value = super().read(text)
        if value in range(1, LEAST_NODES):
            raise self._refuse(text)
        return value

    def _refuse(self, text: str) -> BotError:
        expected = f"expected 0, or an integer from {LEAST_NODES} to {self.high:.0f}"
        return BotError(f"bot parameter {self.name!r}: {text!r} is not allowed; {expected}")


NODES_NEEDED = f"most nodes of a tree, from {LEAST_NODES}; 0: enough for the iterations, twice as many with reuse=yes"
KEPT = "whether the tree is kept from move to move; what is kept fills at most half of its nodes"
PARAMETERS = {
    p.name: p
    for p in (
        BotParameter("iterations", 1000, "walks from the root for a move", 1, 2**31 - 1),
        BotParameter(
            "milliseconds", 0, "if more than 0: the time for a move, instead of iterations", 0, 2**31 - 1, timed=True
        ),
        NodesParameter("nodes", 0, NODES_NEEDED, 0, 2**31 - 1),
        BotParameter("exploration", 1.0, "weight of what has been tried less", 0, 1e6),
        BotParameter(
            "selection", "uct", "uct, or puct: the bonus of an action is weighted by its prior", words=SELECTIONS
        ),
        BotParameter("prior", "equal", "with puct: equal, or evaluated right after the action", words=PRIORS),
        BotParameter("sharpness", 2.0, "with prior=evaluated: points that make an action e times as likely", 1e-6, 1e6),
        BotParameter("chance", "open", "open: one node for all outcomes, explicit: one for each", words=CHANCES),
        BotParameter("rollout", "uniform", "the bot that plays on from a leaf: its name, with at most one parameter"),
        BotParameter("depth", TO_THE_END, "decisions of a roll-out; -1: to the end of the game", TO_THE_END, 10**6),
        BotParameter("noise", 0.0, "how often a roll-out plays a random action instead", 0, 1),
        BotParameter("evaluation", GREEDY, "what values a position at which the search ends", words=EVALUATIONS),
        BotParameter("scale", 4.0, "points that make a seat e times as likely to win", 1e-6, 1e6),
        BotParameter("margin", 0.0, "share of the points, beside the win, in the value of a finished game", 0, 1),
        BotParameter("samples", 8, "draws of what is hidden or still to come", 1, 10**6),
        BotParameter("threads", 1, "independent searches whose visits are added up", 1, 1024),
        BotParameter("reuse", "no", KEPT, words=("no", "yes")),
    )
}
"""Every number and word that a searching bot may take."""


def parameters(game: Game, **defaults: Value) -> tuple[BotParameter, ...]:
    """The named parameters with these defaults; a game without an evaluation of its own has only `points`."""
    if defaults.get("evaluation") == GREEDY and not has_own(game):
        defaults["evaluation"] = POINTS
    return tuple(replace(PARAMETERS[name], default=default) for name, default in defaults.items())


def numbers(game: Game, values: Mapping[str, Value]) -> npt.NDArray[np.float64]:
    """The `params` of a search from the values of its parameters.

    BotError if its roll-out bot cannot be one, or if there is no memory for its trees.
    """
    full = {p.name: p.default for p in PARAMETERS.values()} | {"evaluation": POINTS} | dict(values)
    rollout, evaluation = _rollout(game, str(full["rollout"])), evaluation_of(game, str(full["evaluation"]))
    head = np.zeros(HEAD)
    for place, name in _PLAIN_NUMBERS.items():
        head[place] = float(full[name])
    for place, (name, words) in _WORDS.items():
        head[place] = words.index(str(full[name]))
    if full["milliseconds"]:
        head[ITERATIONS] = 0
    head[NODES] = full["nodes"] or _enough_nodes(head) * (2 if full["reuse"] == "yes" else 1)
    if "nodes" in values:
        _check_memory(full, int(head[NODES]))
    head[ROLLOUT : ROLLOUT + 2] = two_places(rollout.address)
    head[EVALUATION : EVALUATION + 2] = two_places(evaluation.address)
    head[ROLLOUT_SIZE], head[EVALUATION_SIZE] = len(rollout.params), len(evaluation.params)
    return np.concatenate([head, rollout.params, evaluation.params])


_PLAIN_NUMBERS = {
    ITERATIONS: "iterations",
    MILLISECONDS: "milliseconds",
    EXPLORATION: "exploration",
    SHARPNESS: "sharpness",
    DEPTH: "depth",
    NOISE: "noise",
    SCALE: "scale",
    MARGIN: "margin",
    SAMPLES: "samples",
}
_WORDS = {SELECTION: ("selection", SELECTIONS), PRIOR: ("prior", PRIORS), CHANCE_NODES: ("chance", CHANCES)}


def _rollout(game: Game, text: str) -> Numbered:
    if text == UNIFORM:
        return Numbered(0, np.zeros(0))
    player = bot(text, game)
    if not player.compiled:
        raise BotError(f"bot parameter 'rollout': {text!r} is not allowed; expected a compiled bot")
    return Numbered(address_of(player.act), player.params)


def _check_memory(values: Mapping[str, Value], nodes: int) -> None:
    """BotError unless the trees of a move can be made; no memory is really taken before nodes are written."""
    trees = int(values["threads"]) * (2 if values["reuse"] == "yes" else 1)
    try:
        np.empty(trees * nodes, NODE)
    except (MemoryError, ValueError):  # too much, or more than can be numbered
        name = "nodes" if values["nodes"] else "iterations"
        needed = f"trees of {nodes} nodes need {trees * nodes * NODE.itemsize / 1e9:.1f} GB of memory"
        raise BotError(
            f"bot parameter {name!r}: '{values[name]}' is not allowed; {needed}, more than there is; expected fewer"
        ) from None


def _enough_nodes(head: npt.NDArray[np.float64]) -> float:
    """What a search may add: a node an iteration, more where it may add several, or what fits into memory.

    A tree that is kept from move to move has twice as many, of which at most half are kept: see `agents.search.reuse`.
    """
    if head[MILLISECONDS]:
        return NODES_IN_TIME
    adds_one = head[SELECTION] == UCT and head[CHANCE_NODES] == OPEN_LOOP
    return head[ITERATIONS] + 1 if adds_one else min(head[ITERATIONS] * NODES_AN_ITERATION, 16 * NODES_IN_TIME)
