"""Exhaustive search in plain Python, for tests: everything that can happen, chance by its weights."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tabletop import CHANCE, OVER, Variant
from tabletop.matches import play_recorded, seat_bots

ALIKE = 1e-9  # values that differ by less are equal


@dataclass
class Exhaustive:
    """Looks through what can still happen in a game, where each seat maximises its share of the win.

    Of equal actions a seat takes the first. OverflowError if that needs more than `most` positions; unless
    `any_of_equals`, also if it matters to others which of two equal actions is taken.
    """

    game: Variant
    most: int = 4000
    any_of_equals: bool = True
    known: dict[bytes, np.ndarray] = field(default_factory=dict, repr=False)

    def values(self, state: np.ndarray) -> np.ndarray:
        """The share of the win of every seat."""
        key = state.tobytes()
        if key not in self.known:
            if len(self.known) >= self.most:
                raise OverflowError("too much can happen from here")
            self.known[key] = self._looked_up(state)
        return self.known[key]

    def values_after(self, state: np.ndarray) -> dict[int, np.ndarray]:
        """The shares of the win after each legal event."""
        return {event: self.values(after) for event, after in self._each_after(state)}

    def _looked_up(self, state: np.ndarray) -> np.ndarray:
        mover = int(self.game.to_move(state))
        if mover == OVER:
            won = self.game.ranking(state) == 1
            return won / max(1, won.sum())
        return self._weighed(state) if mover == CHANCE else self._chosen(state, mover)

    def _weighed(self, state: np.ndarray) -> np.ndarray:
        weights, values = self.game.weights(state), self.values_after(state)
        return sum(weights[e - self.game.actions] * v for e, v in values.items()) / weights.sum()

    def _chosen(self, state: np.ndarray, mover: int) -> np.ndarray:
        values = self._up_to_a_sure_win(state, mover)
        best = max(values, key=lambda v: v[mover])
        equals = [v for v in values if v[mover] > best[mover] - ALIKE]
        if not self.any_of_equals and any(abs(v - best).max() > ALIKE for v in equals):
            raise OverflowError("others depend on which of two equal actions is chosen")
        return best

    def _up_to_a_sure_win(self, state: np.ndarray, mover: int) -> list[np.ndarray]:
        """The values of the actions in their order, but of none after a sure win: nothing is better for the mover."""
        values = []
        for _, after in self._each_after(state):
            values.append(self.values(after))
            if values[-1][mover] > 1 - ALIKE:
                break
        return values

    def _each_after(self, state: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Each legal event with the position after it."""
        events = self.game.legal(state)
        states = np.frombuffer(bytearray(state.tobytes() * len(events)), state.dtype)  # numpy copies field by field
        self.game.step(states, events)
        return ((int(event), states[i : i + 1].reshape(())) for i, event in enumerate(events))


def choices_of_game(game: Variant, number: int, bots: str = "uniform") -> list[np.ndarray]:
    """The positions of a game in which a seat had a choice, the last one first."""
    _, events = play_recorded(game, seat_bots(game, bots), np.arange(game.players), number, 3)
    state, found = game.new(), []
    for event in events:
        if game.to_move(state) >= 0 and len(game.legal(state)) > 1:
            found.append(state.copy())
        game.step(state, event)
    return found[::-1]
