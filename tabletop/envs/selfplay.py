"""Many games at once in which every seat is a learner: what a self-play trainer needs."""

from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from tabletop.envs import loops
from tabletop.envs.lanes import Conduct, Lanes, Turn
from tabletop.envs.spaces import action_space, check_actions, check_flag, observation_space
from tabletop.envs.vector import lane_seeds, reset_mask
from tabletop.game import Game
from tabletop.variant import Variant, make


@dataclass(frozen=True)
class Moment:
    """What every lane shows: the seat to move, what it sees and may do, and what the seats have got.

    observation: int8 (lanes, observation_size). action_mask: int8 (lanes, actions). seat: the seat to move, int64
    (lanes,); −2 where a game is over and no other has begun. rewards: float64 (lanes, players): what the seat to
    move has got since its last turn; where a game has ended, what every seat has. terminated: bool (lanes,), whether
    a game has ended. scores, ranking: int32 (lanes, players), of the games that have ended, else 0.
    """

    observation: npt.NDArray[np.int8]
    action_mask: npt.NDArray[np.int8]
    seat: npt.NDArray[np.int64]
    rewards: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.int32]
    ranking: npt.NDArray[np.int32]


class SelfPlay:
    """`lanes` games side by side; each step takes the action of the seat to move of every lane.

    autoreset: where a game ends the next begins in the same step, and its first seat to move is shown; otherwise the
    lane stays as it is, actions there have no effect, and `reset` with a mask begins the next game. Games, seeds and
    the other arguments are as in `GameVectorEnv`; `observation_space` and `action_space` are those of one lane.
    """

    def __init__(
        self,
        game: str | Game,
        lanes: int = 1,
        players: int | None = None,
        illegal: str = "lose",
        reward: str = "win",
        dense: bool = False,
        autoreset: bool = True,
        copy: bool = True,
        threads: int | None = None,
        **settings: Any,
    ) -> None:
        self.variant: Variant = make(game, players, **settings)
        self.autoreset, self.copies = check_flag("autoreset", autoreset), check_flag("copy", copy)
        mode = loops.SAME_STEP if self.autoreset else loops.DISABLED
        self.lanes = Lanes(self.variant, lanes, (), Conduct(illegal, reward, dense, mode, False), 0, threads)
        self.observation_space, self.action_space = observation_space(self.variant), action_space(self.variant)
        self._turn = self.lanes.new_turn()

    def reset(
        self, seed: int | Sequence[int | None] | None = None, mask: npt.NDArray[np.bool_] | None = None
    ) -> Moment:
        """Begins a game in every lane, or in those of `mask`; seeds as in `GameVectorEnv.reset`."""
        chosen = reset_mask(None if mask is None else {"reset_mask": mask}, self.lanes.count)
        if not (self.lanes.ready | chosen).all():
            raise ResetNeeded(
                "the first reset, and one after a step that failed, must begin a game in every lane; leave out the mask"
            )
        turn = self._next_turn()
        self.lanes.reset(lane_seeds(seed, self.lanes.count), chosen, turn)
        turn.terminated[:] = self.lanes.lanes["over"]
        turn.rewards[:] = 0.0
        return self._moment(turn)

    def step(self, actions: npt.NDArray[np.int64]) -> Moment:
        """Plays the action of the seat to move in every lane, and chance up to the next decision."""
        self._check_begun()
        chosen = check_actions(actions, self.lanes.count, self.variant.actions)
        turn = self._next_turn()
        self.lanes.step(chosen, turn)
        return self._moment(turn)

    def copy(self) -> "SelfPlay":
        """An independent batch in the same positions, which goes on in the same way."""
        twin = copy(self)
        twin.lanes, twin._turn = self.lanes.copy(), self.lanes.new_turn()
        twin.observation_space, twin.action_space = deepcopy((self.observation_space, self.action_space))
        return twin

    def __deepcopy__(self, memo: Mapping[int, Any]) -> "SelfPlay":
        return self.copy()

    def save(self) -> bytes:
        """Positions and random streams of all lanes as bytes, for `load`."""
        self._check_begun()
        return self.lanes.save()

    def load(self, data: bytes) -> Moment:
        """Goes on where `save` was called, in a batch made with the same arguments."""
        turn = self._next_turn()
        self.lanes.load(data, turn)
        return self._moment(turn)

    def _check_begun(self) -> None:
        if not self.lanes.ready.all():
            raise ResetNeeded("no games have begun, or they were broken off; call reset() first")

    def _next_turn(self) -> Turn:
        return self.lanes.new_turn() if self.copies else self._turn

    def _moment(self, turn: Turn) -> Moment:
        tallies = self.lanes.ends.tallies if self.autoreset else self.lanes.tallies
        scores, ranking = np.zeros((2, self.lanes.count, self.variant.players), np.int32)
        ended = np.flatnonzero(turn.terminated)
        scores[ended], ranking[ended] = tallies[ended, 0], tallies[ended, 1]
        return Moment(turn.observations, turn.masks, turn.seats, turn.rewards, turn.terminated, scores, ranking)
