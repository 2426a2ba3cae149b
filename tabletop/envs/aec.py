"""A game as an agent-environment-cycle environment of PettingZoo (extra `multiagent`).

Importing this module makes every installed game known to `pettingzoo.make("aec", "critters/<game>_v0")`.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from tabletop.envs.lanes import Conduct, Lanes
from tabletop.envs.one_lane import OneLane
from tabletop.envs.spaces import (
    action_space,
    bounds,
    check_action,
    check_info,
    check_render_mode,
    observation_space,
)
from tabletop.extras import MissingExtraError
from tabletop.game import Game
from tabletop.variant import Variant, games, make

try:
    from pettingzoo import AECEnv, register
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise MissingExtraError("PettingZoo", "multiagent", error) from error

ONLY = np.ones(1, np.bool_)
AEC_INFO = ("action_mask",)
MODES = ["ansi"]


class GameAEC(OneLane, AECEnv[str, dict[str, npt.NDArray[np.int8]], int | None]):
    """Every seat is an agent, `player_0`, `player_1`, … in the order of the seats; an episode is one game.

    The arguments are those of `tabletop.envs.gym.GameEnv` without seat and opponents. The mask of an agent that is
    not to move is all 0. `state()` is what all seats see, a row a seat.
    """

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        illegal: str = "lose",
        reward: str = "win",
        dense: bool = False,
        info: Sequence[str] = AEC_INFO,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.variant: Variant = make(game, players, **settings)
        self.metadata = {"render_modes": MODES, "name": f"{self.variant.name}_v0", "is_parallelizable": False}
        self.info_names = check_info(info)
        self.render_mode = check_render_mode(render_mode, MODES)
        self.lanes = Lanes(self.variant, 1, (), Conduct(illegal, reward, dense))
        self.possible_agents = [f"player_{seat}" for seat in range(self.variant.players)]
        self.agents: list[str] = []
        self._make_spaces()

    def _make_spaces(self) -> None:
        self.observation_spaces = {agent: observation_space(self.variant) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.variant) for agent in self.possible_agents}
        low, high = (np.tile(edge, (self.variant.players, 1)) for edge in bounds(self.variant))
        self.state_space = spaces.Box(low, high, dtype=np.int8)

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent observes and its action mask, both int8."""
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The ids of all actions."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins game 0 of a seed, or the next game of the present one; `options` have no effect."""
        self._check_open()
        turn = self.lanes.new_turn()
        self.lanes.reset([seed], ONLY, turn)
        self._turn = turn
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._select()

    def step(self, action: int | None) -> None:
        """Plays the action of the selected agent; None takes an agent away whose game is over."""
        self._check_asked()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        chosen = check_action(action, self.variant.actions)
        turn = self.lanes.new_turn()
        self.lanes.step(np.array([chosen]), turn)
        self._turn = turn
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self._turn.rewards[0].tolist(), strict=True))
        self._accumulate_rewards()
        if self._turn.terminated[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()

    def last(self, observe: bool = True) -> Any:
        """Of the selected agent: what it sees, what it has been paid, whether it is done, its info."""
        self._check_asked()
        return super().last(observe)

    def _select(self) -> None:
        """Selects the seat to move, after the end the first one, and tells every agent its info."""
        mover = int(self.lanes.movers()[0])
        self.agent_selection = self.possible_agents[mover] if mover >= 0 else next(iter(self.agents), "")
        self.infos = {agent: self._info(self._seat(agent)) for agent in self.agents}

    def _info(self, seat: int) -> dict[str, Any]:
        return {name: self._entry(name, seat) for name in self.info_names}

    def _entry(self, name: str, seat: int) -> Any:
        if name == "action_mask":
            return self._mask(seat)
        if name == "scores":
            return self.lanes.points[0].copy()
        if name == "ranking":
            return self.lanes.places[0].copy()
        if name == "turn":
            return int(self.lanes.lanes["turn"][0])
        return seat if name == "seat" else self.lanes.legal_tokens(0)

    def observe(self, agent: str) -> dict[str, npt.NDArray[np.int8]]:
        """What an agent may know now, and its action mask."""
        self._check_begun()
        seat = self._seat(agent)
        return {"observation": self.variant.observe(self.lanes.states, seat)[0], "action_mask": self._mask(seat)}

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        if self.lanes.movers()[0] == seat:
            return self._turn.masks[0].copy()
        return np.zeros(self.variant.actions, np.int8)

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"agent: {agent!r} is not allowed; expected one of {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def state(self) -> npt.NDArray[np.int8]:
        """What all seats see: int8 (players, observation_size)."""
        self._check_begun()
        return np.stack([self.variant.observe(self.lanes.states, seat)[0] for seat in range(self.variant.players)])

    def _check_asked(self) -> None:
        self._check_begun()
        if not self.agents:
            raise ResetNeeded("the game is over and all agents have gone; call reset() first")

    def copy(self) -> "GameAEC":
        """An independent environment in the same position, which goes on in the same way."""
        twin = copy(self)
        twin.lanes = self.lanes.copy()
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            if hasattr(self, name):
                setattr(twin, name, getattr(self, name).copy())
        twin._make_spaces()
        return twin

    def save(self) -> bytes:
        """The position, the random streams, who is there and what is still to be paid as bytes, for `load`."""
        self._check_begun()
        there = np.array([agent in self.agents for agent in self.possible_agents])
        paid, owed = (self._by_seat(amounts) for amounts in (self.rewards, self._cumulative_rewards))
        return self.lanes.save(there=there, paid=paid, owed=owed)

    def load(self, data: bytes) -> None:
        """Goes on where `save` was called, in an environment made with the same arguments."""
        self._check_open()
        there = np.zeros(self.variant.players, np.bool_)
        paid, owed, turn = np.zeros(there.size), np.zeros(there.size), self.lanes.new_turn()
        self.lanes.load(data, turn, there=there, paid=paid, owed=owed)
        self._turn = turn
        seats = dict(zip(np.array(self.possible_agents)[there].tolist(), np.flatnonzero(there).tolist(), strict=True))
        self.agents = list(seats)
        self.rewards = {agent: float(paid[seat]) for agent, seat in seats.items()}
        self._cumulative_rewards = {agent: float(owed[seat]) for agent, seat in seats.items()}
        self.terminations = dict.fromkeys(self.agents, bool(turn.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._select()

    def _by_seat(self, amounts: Mapping[str, float]) -> npt.NDArray[np.float64]:
        return np.array([amounts.get(agent, 0.0) for agent in self.possible_agents])


def raw_env(game: str | Game, **arguments: Any) -> GameAEC:
    """The environment itself."""
    return GameAEC(game, **arguments)


def env(game: str | Game, **arguments: Any) -> OrderEnforcingWrapper:
    """The environment in the wrapper that says what is wrong when it is used in the wrong order."""
    return OrderEnforcingWrapper(raw_env(game, **arguments))


def _register(name: str) -> None:
    register("aec", f"critters/{name}_v0", entry_point=f"{__name__}:env", kwargs={"game": name})


for _name in games():
    _register(_name)

__all__ = ["GameAEC", "env", "raw_env"]
