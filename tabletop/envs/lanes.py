"""A batch of lanes, the core of every environment: what it holds, and a step of it.

Lane i plays game after game. Game k of a lane with the seed s is game number k of s, as everywhere in the project:
its streams start from (s, k). So a lane does not depend on the batch that it is in.
"""

import io
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tabletop import play
from tabletop.bots import Bot, bot, kinds
from tabletop.choices import FailedBotError, IllegalChoiceError, chosen_event, failed_bot, failures_told
from tabletop.envs import loops
from tabletop.envs.crew import cuts, run_cuts
from tabletop.envs.rewards import reward_code
from tabletop.envs.saved import FORMAT, SAVED, as_bytes, read_saved
from tabletop.layout import by_attribute, copied, repeated
from tabletop.matches import compiled_table
from tabletop.options import OptionError
from tabletop.rng import seed_word, word
from tabletop.variant import Variant

ILLEGAL = ("lose", "random", "raise")
UNIFORM = "uniform"  # the bot that plays every legal action equally often
MOST_LANES = 2**31 - 1


@dataclass
class Turn:
    """What a step or a reset shows of every lane.

    observations: int8 (lanes, observation_size). masks: int8 (lanes, actions). rewards: float64 (lanes, learners),
    since the last turn of each. terminated: bool (lanes,). seats: the seat to move, OVER (−2) where the game is over,
    int64 (lanes,).
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int64]


@dataclass
class Ends:
    """How the games ended that gave way to the next in the same step; a row counts only where `terminated`.

    observations: of the learner, int8. tallies: (lanes, 2, players), points and places of every seat, int32. turns:
    (lanes, 2), actions of the learner and its seat, int64.
    """

    observations: npt.NDArray[np.int8]
    tallies: npt.NDArray[np.int32]
    turns: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Conduct:
    """How lanes behave: what an illegal action does, what is paid, when the next game begins.

    tells: points and places of every step are wanted.
    """

    illegal: str = "lose"
    reward: str = "win"
    dense: bool = False
    autoreset: int = loops.DISABLED
    tells: bool = True
    codes: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.illegal, str) or self.illegal not in ILLEGAL:
            raise OptionError(f"illegal: {self.illegal!r} is not allowed; expected one of {', '.join(ILLEGAL)}")
        codes = ILLEGAL.index(self.illegal), reward_code(self.reward, self.dense)
        object.__setattr__(self, "codes", codes)


class Lanes:
    """Positions, random streams and rewards of a batch of lanes, and the compiled step over all of them."""

    def __init__(
        self,
        variant: Variant,
        count: int,
        bots: Sequence[Bot],
        conduct: Conduct,
        seat: int | str = 0,
        threads: int | None = None,
    ) -> None:
        """bots: those of the seats that are not learners'; the learners sit before them, the first on `seat`.

        seat: a number, or "rotate": then it is (seed + number of the game) mod players. threads: how many share a
        step, by default what suits the number of lanes.
        """
        self.variant, self.count, self.conduct = variant, _count(count), conduct
        self.learners = variant.players - len(bots)
        self.bots = list(bots)
        self.setup = self._write_setup(seat)
        self.addresses, self.params = self._table()
        self.all_compiled = all(b.compiled for b in bots)
        self.cuts = cuts(self.count, threads if self.all_compiled else 1)
        self._allocate()
        self.begun = np.zeros(self.count, np.bool_)
        self.broken = np.zeros(self.count, np.bool_)
        self._players: dict[tuple[int, int], tuple[tuple[int, int], Bot]] = {}

    def _write_setup(self, seat: int | str) -> npt.NDArray[Any]:
        setup, players = by_attribute(np.zeros(1, loops.SETUP)), self.variant.players
        rotates = isinstance(seat, str) and seat == "rotate"
        is_number = isinstance(seat, (int, np.integer)) and not isinstance(seat, bool)
        if not rotates and not (is_number and seat in range(players)):
            raise OptionError(f"seat: {seat!r} is not allowed; expected 0 … {players - 1} or 'rotate'")
        illegal, reward = self.conduct.codes
        values = (players, self.learners, 0 if rotates else seat, rotates, illegal)
        setup[0] = (*values, self.conduct.autoreset, reward, self.conduct.dense, self.conduct.tells)
        return setup

    def _table(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Addresses and numbers of the table of bots, learners first."""
        addresses = np.full(self.variant.players, loops.LEARNER, np.int64)
        params = np.zeros((self.variant.players, 1))
        compiled = [b for b in self.bots if b.compiled]
        if compiled:
            found, numbers = compiled_table(compiled)
            params = np.zeros((self.variant.players, max(1, numbers.shape[1])))
            rows = [self.learners + i for i, b in enumerate(self.bots) if b.compiled]
            addresses[rows], params[rows, : numbers.shape[1]] = found, numbers
        addresses[[self.learners + i for i, b in enumerate(self.bots) if not b.compiled]] = loops.PLAIN
        addresses[[self.learners + i for i, b in enumerate(self.bots) if self._draws_ahead(b)]] = loops.UNIFORM
        return addresses, params

    def _draws_ahead(self, one: Bot) -> bool:
        """Whether a bot is the uniform one, in a game that says how many random words a view would have taken."""
        game = self.variant.game
        is_known = game.perfect_information or "redeal_words" in game.functions
        return is_known and UNIFORM in kinds() and one.act is bot(UNIFORM, game).act

    def _allocate(self) -> None:
        game, n, players = self.variant.game, self.count, self.variant.players
        self.states = by_attribute(repeated(self.variant.template, n))
        self.lanes = by_attribute(np.zeros(n, loops.LANE))
        self.rngs = np.zeros((n, len(self.variant.stream_keys)), np.uint64)
        self.sets = np.zeros((n, -(-game.events // 64)), np.uint64)
        self.lasts = np.zeros((n, self.learners))
        self.tallies = np.zeros((n, 2, players), np.int32)
        self.views = by_attribute(np.zeros(len(self.cuts), game.state))
        kept = n if self.conduct.autoreset == loops.SAME_STEP else 1
        self.ends = Ends(
            np.zeros((kept, game.observation_size), np.int8),
            np.zeros((kept, 2, players), np.int32),
            np.zeros((kept, 2), np.int64),
        )

    def new_turn(self) -> Turn:
        """Arrays for what a step shows."""
        game, n = self.variant.game, self.count
        return Turn(
            np.empty((n, game.observation_size), np.int8),
            np.empty((n, game.actions), np.int8),
            np.zeros((n, self.learners)),
            np.zeros(n, np.bool_),
            np.zeros(n, np.int64),
        )

    @property
    def ready(self) -> npt.NDArray[np.bool_]:
        """The lanes whose game has begun and was not broken off in the middle of a step: bool (lanes,)."""
        return self.begun & ~self.broken

    # Reset

    def reset(self, seeds: Sequence[int | None] | None, chosen: npt.NDArray[np.bool_], turn: Turn) -> None:
        """Begins games in the chosen lanes: number 0 of a lane's seed, or its next number where the seed is None.

        A lane that has never had a seed gets one from the operating system.
        """
        given = self._seed_words(seeds, chosen)
        for i, seed in given.items():
            self.lanes["seed"][i], self.lanes["game"][i] = seed, 0
        going_on = chosen.copy()
        going_on[list(given)] = False
        self._players = {place: kept for place, kept in self._players.items() if not chosen[place[0]]}
        self.lanes["game"][going_on] += np.uint64(1)
        self.begun |= chosen
        self.broken &= ~chosen
        self._advance(np.where(chosen, loops.BEGIN, loops.IDLE), turn)

    def _seed_words(self, seeds: Sequence[int | None] | None, chosen: npt.NDArray[np.bool_]) -> dict[int, np.uint64]:
        """The lanes that get a new seed, with the seeds."""
        given = {i: seeds[i] for i in np.flatnonzero(chosen).tolist()} if seeds is not None else {}
        words = {i: seed_word(seed) for i, seed in given.items() if seed is not None}
        unseeded = [int(i) for i in np.flatnonzero(chosen & ~self.begun) if int(i) not in words]
        fresh = np.random.SeedSequence().generate_state(max(1, len(unseeded)), np.uint64)
        return words | dict(zip(unseeded, fresh, strict=False))

    # Step

    def step(self, actions: npt.NDArray[np.int64], turn: Turn) -> None:
        """One action of a learner in every lane; writes what follows to `turn`, and how games ended to `ends`."""
        if self.conduct.illegal == "raise":
            self._refuse_illegal(actions)
        self._advance(actions, turn)

    def _advance(self, actions: npt.NDArray[np.int64], turn: Turn) -> None:
        """A step of all lanes; if a bot fails in it, it is nobody's turn any more, and only a reset mends the lanes."""
        try:
            self._play_on(actions, turn)
        except BaseException:
            self.broken[:], self.lanes["waits"][:] = True, False
            raise

    def _play_on(self, actions: npt.NDArray[np.int64], turn: Turn) -> None:
        """A step of all lanes; plain bots choose wherever it waits for one."""
        self._call(actions, turn)
        while not self.all_compiled and (waiting := self.lanes["waits"].copy()).any():
            for i in np.flatnonzero(waiting):
                self._ask_plain_bot(int(i))
            self._call(np.where(waiting, loops.GO_ON, loops.IDLE), turn)

    def _call(self, actions: npt.NDArray[np.int64], turn: Turn) -> None:
        """The compiled step of all lanes, in as many threads as there are parts."""
        arrays = (self.states, self.lanes, self.rngs, self.sets, self.lasts, self.tallies)
        fixed = (self.variant.template, self.variant.stream_keys, self.setup, self.addresses, self.params)
        shown = (turn.observations, turn.masks, turn.rewards, turn.terminated, turn.seats)
        ends = (self.ends.observations, self.ends.tallies, self.ends.turns)

        def work(low: int, high: int, part: int) -> int:
            view = self.views[part : part + 1]
            try:
                return loops.step_lanes(low, high, *arrays, view, *fixed, actions, *shown, *ends)
            except Exception as error:  # of a compiled bot
                raise self._failed(error, low, high) from error

        for trouble in run_cuts(work, self.cuts):
            self._check(trouble)

    def _refuse_illegal(self, actions: npt.NDArray[np.int64]) -> None:
        lane = loops.first_illegal_action(self.states, self.lanes, self.sets, actions)
        if lane != loops.SOUND:
            legal = ", ".join(self.legal_tokens(lane))
            raise ValueError(f"action {int(actions[lane])} of lane {lane} is not legal; legal are {legal}")

    # Bots

    def _ask_plain_bot(self, i: int) -> None:
        """Plays what a bot in plain Python chooses in a lane, from a view dealt anew for its seat."""
        one = slice(i, i + 1)
        seat = int(self.variant.to_move(self.states[one])[0])
        chosen_by = self._bot_on(i, seat)
        stream = len(self.variant.game.streams) + seat
        view = copied(self.states[one])
        play.redeal_all(view, np.array([seat]), self.rngs[one, stream : stream + 1])
        generator = np.random.default_rng(int(word(self.rngs[i], stream)))
        with failures_told(self._told(i, seat)):
            choice = chosen_by.act(view, self.variant.legal(view)[0], generator)
        event = chosen_event(self.variant, self.states[one], choice, self._told(i, seat))
        play.step_all(self.states[one], np.array([event]))

    def _bot_on(self, i: int, seat: int) -> Bot:
        """The bot on a seat of a lane; one with memory begins every game anew."""
        entry = (seat - int(self.lanes["shift"][i])) % self.variant.players
        game = int(self.lanes["seed"][i]), int(self.lanes["game"][i])
        if self._players.get((i, entry), (None,))[0] != game:
            self._players[i, entry] = game, self.bots[entry - self.learners].for_one_game()
        return self._players[i, entry][1]

    def _failed(self, error: Exception, low: int, high: int) -> FailedBotError | Exception:
        """The error that names the compiled bot that was asked last in one of the lanes low … high − 1."""
        movers = self.variant.to_move(self.states)
        for i in low + np.flatnonzero(self.lanes["waits"][low:high]):
            if self._bot_on(int(i), int(movers[i])).compiled:
                return failed_bot(error, self._told(int(i), int(movers[i])))
        return error

    def _check(self, trouble: int) -> None:
        """Raises the error of a lane that could not go on."""
        if trouble == loops.SOUND:
            return
        seat = int(self.variant.to_move(self.states)[trouble])
        if seat < 0:
            raise RuntimeError(f"lane {trouble}: {loops.MOST_UNDECIDED} games ended before a decision of a learner")
        legal = ", ".join(self.legal_tokens(trouble))
        raise IllegalChoiceError(f"{self._told(trouble, seat)} made an illegal choice; legal are {legal}")

    def _told(self, i: int, seat: int) -> str:
        """The game of a lane and the bot on a seat, as errors tell them."""
        lane, name = self.lanes[i], self._bot_on(i, seat).name
        return f"lane {i}, game {lane['game']} of seed {lane['seed']}: bot {name!r} on seat {seat}"

    # What may be asked

    def legal_tokens(self, i: int) -> list[str]:
        """Tokens of what is legal in a lane now; none when its game is over."""
        if self.lanes["over"][i]:
            return []
        return [self.variant.token(int(e)) for e in self.variant.legal(self.states[i : i + 1])[0]]

    def movers(self) -> npt.NDArray[np.int64]:
        """The seat to act in every lane, OVER (−2) where the game is over."""
        movers = self.variant.to_move(self.states)
        return np.where(self.lanes["over"], -2, movers)

    def text(self, i: int) -> str:
        """The position of a lane as readable text."""
        return self.variant.text(self.states[i : i + 1])

    @property
    def points(self) -> npt.NDArray[np.int32]:
        """Points of every seat of every lane (lanes, players), as last counted."""
        return self.tallies[:, 0]

    @property
    def places(self) -> npt.NDArray[np.int32]:
        """Places of every seat of every lane (lanes, players), as last counted."""
        return self.tallies[:, 1]

    # Copies

    def copy(self) -> "Lanes":
        """Independent lanes that go on in the same way."""
        twin = object.__new__(Lanes)
        twin.__dict__.update(self.__dict__)
        twin._allocate()
        for name in (*SAVED, "broken", "sets", "tallies"):
            setattr(twin, name, copied(getattr(self, name)))
        twin._players = deepcopy(self._players)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: compiled bots by their names, as addresses hold in one process only."""
        players = {place: kept for place, kept in self._players.items() if not kept[1].compiled}
        bots = [b.name if b.compiled else b for b in self.bots]
        return self.__dict__ | {"bots": bots, "addresses": None, "params": None, "_players": players}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.bots = [bot(b, self.variant.game) if isinstance(b, str) else b for b in state["bots"]]
        self.addresses, self.params = self._table()

    def save(self, **more: npt.NDArray[Any]) -> bytes:
        """All lanes as bytes, to be continued by `load` on lanes of the same game, options and size.

        more: arrays of the environment to be kept beside. What a bot in plain Python remembers is not saved.
        """
        file = io.BytesIO()
        arrays: dict[str, Any] = {name: as_bytes(getattr(self, name)) for name in SAVED} | more
        np.savez(file, format=np.array(FORMAT), template=as_bytes(self.variant.template), **arrays)
        return file.getvalue()

    def load(self, data: bytes, turn: Turn, **more: npt.NDArray[Any]) -> None:
        """Goes on where `save` was called; ValueError for anything else than its bytes for lanes like these.

        more: arrays into which is written what `save` kept beside.
        """
        saved = read_saved(data)
        if not np.array_equal(saved["template"], as_bytes(self.variant.template)):
            raise ValueError("saved environment: it has another game, players, options or parameters")
        for name in SAVED:
            here = as_bytes(getattr(self, name))
            if saved[name].shape != here.shape or saved[name].dtype != here.dtype:
                raise ValueError(f"saved environment: {name} has shape {saved[name].shape}; expected {here.shape}")
        seats = saved["lanes"].view(self.lanes.dtype)[:, 0]["shift"]
        if (
            self.variant.faults(saved["states"].view(self.states.dtype)[:, 0]).any()
            or not ((seats >= 0) & (seats < self.variant.players)).all()
        ):
            raise ValueError("saved environment: its positions are not sound")
        for name, here in more.items():
            if name not in saved or (saved[name].shape, saved[name].dtype) != (here.shape, here.dtype):
                raise ValueError(f"saved environment: it has no {name} as here; expected the bytes of one made alike")
        for name in SAVED:
            as_bytes(getattr(self, name))[:] = saved[name]
        for name, here in more.items():
            here[:] = saved[name]
        self.broken[:] = False
        turn.rewards[:] = 0.0
        turn.terminated[:] = self.lanes["over"]
        self._call(np.full(self.count, loops.IDLE), turn)


def _count(count: Any) -> int:
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= MOST_LANES:
        raise OptionError(f"number of environments: {count!r} is not allowed; expected 1 … {MOST_LANES}")
    return int(count)
