"""Steps a second of the environments beside their peers, all in one run on one machine.

    python benchmarks/environments.py --lanes 1,64,1024,4096,8192

A step of `vector` is a decision of the learner and all that follows from it: the moves of the other seats by uniform
bots, chance, the next game where one ends, observation, mask and reward. A step of `self-play`, of Pgx and of OpenSpiel
is one decision of whoever is to move. Only `step` is timed; the actions are chosen at random beforehand, outside the
clock. `copied` is the time that a plain copy of the same observations and masks takes, as a share of the step.

The peers need `pip install 'critters[peers,openspiel]'`; one that is not installed is left out.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from tabletop.envs.selfplay import SelfPlay
from tabletop.threads import available_threads

WARM_UP = 3  # steps that compile and fill the caches
LOOP_LANES = 64  # lanes of environments that are stepped one by one in Python


@dataclass
class Arguments:
    """What to measure, and how long."""

    games: str = "bites,rattus,rodentia"
    lanes: str = "1,64,1024,4096,8192"
    seconds: float = 1.0  # of each measurement
    threads: int = 0  # 0: all processors
    json: bool = False


@dataclass(frozen=True)
class Row:
    """A measurement. bytes: of what one step shows. copied: time of a plain copy of it / time of the step."""

    game: str
    what: str
    lanes: int
    steps_per_s: float
    bytes: int = 0
    copied: float = 0.0


def random_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for every row of masks."""
    return np.argmax(masks * rng.random(masks.shape, np.float32), axis=1)


def timed(step: Callable[[Any], Any], choose: Callable[[Any], Any], shown: Any, seconds: float) -> float:
    """Seconds of one call of `step`, the fastest half of many on average; `choose` picks actions off the clock."""
    times, end = [], perf_counter() + seconds
    while perf_counter() < end or len(times) < 2 * WARM_UP:
        actions = choose(shown)
        start = perf_counter()
        shown = step(actions)
        times.append(perf_counter() - start)
    steady = sorted(times[WARM_UP:])
    return float(np.mean(steady[: len(steady) // 2 + 1]))


def copy_time(arrays: list[np.ndarray], seconds: float) -> float:
    """Seconds that a plain copy of the arrays takes."""
    targets = [np.empty_like(array) for array in arrays]

    def copy(_: Any) -> None:
        for target, array in zip(targets, arrays, strict=True):
            np.copyto(target, array)

    return timed(copy, lambda shown: None, None, seconds / 4)


def vector_row(game: str, lanes: int, arguments: Arguments, info: tuple[str, ...] = ()) -> Row:
    """The native vector environment; with the full `info` on demand."""
    name, rng = f"{game}:{game.capitalize()}-v0", np.random.default_rng(0)
    env = gymnasium.make_vec(
        name, num_envs=lanes, info=info, copy=False, autoreset_mode="SameStep", threads=arguments.threads or None
    )
    observations, _ = env.reset(seed=0)
    seconds = timed(
        lambda actions: env.step(actions)[0],
        lambda shown: random_legal(shown["action_mask"], rng),
        observations,
        arguments.seconds,
    )
    arrays = list(observations.values())
    what = "vector, full info" if info else "vector"
    size = sum(array.nbytes for array in arrays)
    return Row(game, what, lanes, lanes / seconds, size, copy_time(arrays, arguments.seconds) / seconds)


def self_play_row(game: str, lanes: int, arguments: Arguments) -> Row:
    """The self-play batch."""
    batch, rng = SelfPlay(game, lanes, copy=False, threads=arguments.threads or None), np.random.default_rng(0)
    moment = batch.reset(0)
    seconds = timed(batch.step, lambda shown: random_legal(shown.action_mask, rng), moment, arguments.seconds)
    arrays = [moment.observation, moment.action_mask]
    size = sum(array.nbytes for array in arrays)
    return Row(game, "self-play", lanes, lanes / seconds, size, copy_time(arrays, arguments.seconds) / seconds)


def sync_row(game: str, arguments: Arguments) -> Row:
    """Gymnasium's own vector environment over single environments of ours."""
    name, rng = f"{game}:{game.capitalize()}-v0", np.random.default_rng(0)
    env = gymnasium.make_vec(name, num_envs=LOOP_LANES, vectorization_mode="sync", info=(), disable_env_checker=True)
    observations, _ = env.reset(seed=0)
    seconds = timed(
        lambda actions: env.step(actions)[0],
        lambda shown: random_legal(shown["action_mask"], rng),
        observations,
        arguments.seconds,
    )
    return Row(game, "Gymnasium SyncVectorEnv", LOOP_LANES, LOOP_LANES / seconds)


def pgx_row(lanes: int, arguments: Arguments) -> Row:
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

    seconds = timed(play, choose, state, arguments.seconds)
    return Row("connect four", "Pgx", lanes, lanes / seconds, int(state.observation.nbytes))


def open_spiel_row(name: str, label: str, arguments: Arguments) -> Row:
    """A loop in Python over a game of OpenSpiel: random play with the observation of whoever is to move."""
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.default_rng(0)
    decisions, start = 0, perf_counter()
    while perf_counter() - start < arguments.seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                state.observation_tensor(state.current_player())
                decisions += 1
            state.apply_action(legal[int(rng.integers(len(legal)))])
    return Row(label, "OpenSpiel, Python loop", 1, decisions / (perf_counter() - start))


def rows(arguments: Arguments) -> Iterator[Row]:
    """All measurements."""
    sizes = [int(text) for text in arguments.lanes.split(",")]
    for game in arguments.games.split(","):
        for lanes in sizes:
            yield vector_row(game, lanes, arguments)
            yield self_play_row(game, lanes, arguments)
        yield vector_row(game, sizes[-1], arguments, ("action_mask", "scores", "ranking", "turn", "seat"))
        yield sync_row(game, arguments)
    if find_spec("pgx"):
        for lanes in sizes:
            yield pgx_row(lanes, arguments)
    if find_spec("pyspiel"):
        yield open_spiel_row("connect_four", "connect four", arguments)
        import tabletop.envs.open_spiel  # noqa: F401

        for game in arguments.games.split(","):
            yield open_spiel_row(f"critters_{game}", game, arguments)


def table_of(measured: list[Row], threads: int) -> Table:
    """The measurements as a table."""
    table = Table(title=f"Environment steps a second, {threads} threads")
    for heading, justify in (("game", "left"), ("what", "left"), ("lanes", "right"), ("steps/s", "right")):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for heading in ("ns a step", "bytes a step", "copied"):
        table.add_column(heading, justify="right")
    for row in measured:
        copied = f"{row.copied:.2f}" if row.copied else ""
        size = f"{row.bytes // row.lanes:,}" if row.bytes else ""
        speed = f"{row.steps_per_s:,.0f}", f"{1e9 / row.steps_per_s:,.0f}"
        table.add_row(row.game, row.what, f"{row.lanes:,}", *speed, size, copied)
    return table


def main(arguments: Arguments) -> None:
    """Measures and prints."""
    measured = list(rows(arguments))
    if arguments.json:
        print(json.dumps([asdict(row) for row in measured], indent=1))
    else:
        Console().print(table_of(measured, arguments.threads or available_threads()))


if __name__ == "__main__":
    main(tyro.cli(Arguments))
