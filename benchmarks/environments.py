"""Steps a second of the environments beside their peers, all in one run on one machine.

    python benchmarks/environments.py --lanes 1,64,1024,4096,8192

A step of `vector` is a decision of the learner and all that follows from it: the moves of the other seats by uniform
bots, chance, the next game where one ends, observation, mask and reward. A step of `self-play`, of Pgx and of OpenSpiel
is one decision of whoever is to move. Only `step` is timed; the actions are chosen at random beforehand, outside the
clock. All are measured in turn, a short piece of each, round after round, so that other work on the machine slows all
alike; a figure is the median over the rounds. `x Pgx` is the speed as a multiple of Pgx with as many lanes in the same
round. `copied` is the time that a plain copy of the same observations and masks takes, as a share of the step.

The peers need `pip install 'jax[cpu]' pgx 'critters[openspiel]'`; one that is not installed is left out.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np
import tyro
from rich import box
from rich.console import Console
from rich.table import Table

from tabletop.envs.selfplay import SelfPlay
from tabletop.threads import available_threads

WARM_UP = 3  # steps that compile and fill the caches
LOOP_LANES = 64  # lanes of environments that are stepped one by one in Python
FULL_INFO = ("action_mask", "scores", "ranking", "turn", "seat")
PGX = "Pgx"


@dataclass
class Arguments:
    """What to measure, and how long."""

    games: str = "bites,rattus,rodentia"
    lanes: str = "1,64,1024,4096,8192"
    rounds: int = 9
    seconds: float = 0.1  # of each piece
    threads: int = 0  # 0: all processors
    json: bool = False


@dataclass
class Case:
    """One thing to measure: `step` plays the actions that `choose` picks, off the clock, from what was shown.

    arrays: what a step shows, if a copy of it is to be timed too. times, copies: median seconds, one a round.
    """

    game: str
    what: str
    lanes: int
    step: Callable[[Any], Any]
    choose: Callable[[Any], Any]
    shown: Any
    arrays: list[np.ndarray] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    copies: list[float] = field(default_factory=list)

    def warm_up(self) -> None:
        """Steps that do not count."""
        for _ in range(WARM_UP):
            self.shown = self.step(self.choose(self.shown))

    def measure(self, seconds: float) -> None:
        """One piece."""
        times, end = [], perf_counter() + seconds
        while perf_counter() < end or not times:
            actions = self.choose(self.shown)
            start = perf_counter()
            self.shown = self.step(actions)
            times.append(perf_counter() - start)
        self.times.append(float(np.median(times)))
        if self.arrays:
            self.copies.append(copy_time(self.arrays, len(times)))


@dataclass(frozen=True)
class Row:
    """A measurement. bytes: of what one lane shows in a step; 0: not told. The last two: see above, 0: not measured."""

    game: str
    what: str
    lanes: int
    steps_per_s: float
    bytes: int
    times_pgx: float
    copied: float


def random_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for every row of masks."""
    return np.argmax(masks * rng.random(masks.shape, np.float32), axis=1)


def copy_time(arrays: list[np.ndarray], times: int) -> float:
    """Median seconds that a plain copy of the arrays takes."""
    targets, found = [np.zeros_like(array) for array in arrays], []
    for _ in range(times):
        start = perf_counter()
        for target, array in zip(targets, arrays, strict=True):
            np.copyto(target, array)
        found.append(perf_counter() - start)
    return float(np.median(found))


def vector_case(game: str, lanes: int, arguments: Arguments, info: tuple[str, ...] = ()) -> Case:
    """The native vector environment; with the full `info` on demand."""
    name, rng = f"{game}:{game.capitalize()}-v0", np.random.default_rng(0)
    env = gymnasium.make_vec(
        name, num_envs=lanes, info=info, copy=False, autoreset_mode="SameStep", threads=arguments.threads or None
    )
    seen, _ = env.reset(seed=0)
    what = "vector, full info" if info else "vector"
    arrays = list(seen.values())
    return Case(
        game, what, lanes, lambda a: env.step(a)[0], lambda o: random_legal(o["action_mask"], rng), seen, arrays
    )


def self_play_case(game: str, lanes: int, arguments: Arguments) -> Case:
    """The self-play batch."""
    batch, rng = SelfPlay(game, lanes, copy=False, threads=arguments.threads or None), np.random.default_rng(0)
    moment = batch.reset(0)
    arrays = [moment.observation, moment.action_mask]
    return Case(game, "self-play", lanes, batch.step, lambda m: random_legal(m.action_mask, rng), moment, arrays)


def sync_case(game: str) -> Case:
    """Gymnasium's own vector environment over single environments of ours."""
    name, rng = f"{game}:{game.capitalize()}-v0", np.random.default_rng(0)
    env = gymnasium.make_vec(name, num_envs=LOOP_LANES, vectorization_mode="sync", info=(), disable_env_checker=True)
    seen, _ = env.reset(seed=0)
    what = "SyncVectorEnv of Gymnasium"
    return Case(game, what, LOOP_LANES, lambda a: env.step(a)[0], lambda o: random_legal(o["action_mask"], rng), seen)


def pgx_case(lanes: int) -> Case:
    """Pgx's connect four on the CPU, with the next game where one ends, compiled for the whole batch."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    keys = jax.random.split(jax.random.key(0), lanes)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    state, rng = jax.jit(jax.vmap(env.init))(keys), np.random.default_rng(0)
    holder = [state]

    def play(actions: Any) -> Any:
        holder[0] = jax.block_until_ready(step(holder[0], actions, keys))
        return holder[0]

    def choose(shown: Any) -> Any:
        return jax.numpy.asarray(random_legal(np.asarray(shown.legal_action_mask), rng))

    return Case("connect four", PGX, lanes, play, choose, state)


def open_spiel_case(name: str, label: str) -> Case:
    """A loop in Python over a game of OpenSpiel: random play with the observation of whoever is to move."""
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.default_rng(0)

    def to_decision(state: Any) -> Any:
        while state.is_terminal() or state.is_chance_node():
            if state.is_terminal():
                state = game.new_initial_state()
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
        state.observation_tensor(state.current_player())
        return state

    def play(action: int) -> Any:
        holder[0].apply_action(action)
        holder[0] = to_decision(holder[0])
        return holder[0]

    holder = [to_decision(game.new_initial_state())]
    return Case(label, "OpenSpiel, Python loop", 1, play, lambda s: int(rng.choice(s.legal_actions())), holder[0])


def cases(arguments: Arguments) -> Iterator[Case]:
    """All that is to be measured."""
    sizes, games = [int(text) for text in arguments.lanes.split(",")], arguments.games.split(",")
    for lanes in sizes:
        if find_spec("pgx"):
            yield pgx_case(lanes)
        for game in games:
            yield vector_case(game, lanes, arguments)
            yield self_play_case(game, lanes, arguments)
    for game in games:
        yield vector_case(game, sizes[-1], arguments, FULL_INFO)
        yield sync_case(game)
    if find_spec("pyspiel"):
        import tabletop.envs.open_spiel  # noqa: F401

        yield open_spiel_case("connect_four", "connect four")
        yield from (open_spiel_case(f"critters_{game}", game) for game in games)


def measured(arguments: Arguments) -> list[Row]:
    """All measurements, by game."""
    found = list(cases(arguments))
    for case in found:
        case.warm_up()
    for _ in range(arguments.rounds):
        for case in found:
            case.measure(arguments.seconds)
    pgx = {case.lanes: np.array(case.times) for case in found if case.what == PGX}
    return [row_of(case, pgx.get(case.lanes)) for case in sorted(found, key=lambda case: (case.game, case.what))]


def row_of(case: Case, pgx: np.ndarray | None) -> Row:
    """The medians of a case, beside the times of Pgx in the same rounds."""
    times = np.array(case.times)
    size = sum(array.nbytes for array in case.arrays) // case.lanes
    beside = 0.0 if pgx is None else float(np.median(pgx / times))
    copied = float(np.median(np.array(case.copies) / times)) if case.copies else 0.0
    return Row(case.game, case.what, case.lanes, case.lanes / float(np.median(times)), size, beside, copied)


def table_of(rows: list[Row], threads: int) -> Table:
    """The measurements as a table."""
    table = Table(title=f"Environment steps a second, {threads} threads", box=box.MARKDOWN)
    for heading in ("game", "what"):
        table.add_column(heading)
    for heading in ("lanes", "steps/s", "ns a step", "bytes a step", "x Pgx", "copied"):
        table.add_column(heading, justify="right")
    for row in rows:
        size = f"{row.bytes:,}" if row.bytes else ""
        shares = (f"{share:.2f}" if share else "" for share in (row.times_pgx, row.copied))
        speed = f"{row.steps_per_s:,.0f}", f"{1e9 / row.steps_per_s:,.0f}"
        table.add_row(row.game, row.what, f"{row.lanes:,}", *speed, size, *shares)
    return table


def main(arguments: Arguments) -> None:
    """Measures and prints."""
    rows = measured(arguments)
    if arguments.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
    else:
        Console(width=120).print(table_of(rows, arguments.threads or available_threads()))


if __name__ == "__main__":
    main(tyro.cli(Arguments))
