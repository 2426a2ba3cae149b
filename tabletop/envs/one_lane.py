"""What the environments of one game at a time have in common."""

from collections.abc import Mapping
from typing import Any

from gymnasium.error import ClosedEnvironmentError, ResetNeeded

from tabletop.envs.lanes import Lanes


class OneLane:
    """An environment with `lanes` of one game, which is shown, saved, copied and closed."""

    lanes: Lanes
    render_mode: str | None
    closed = False

    def render(self) -> str | None:
        """The position as text in the render mode "ansi", else None."""
        self._check_begun()
        return self.lanes.text(0) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Ends the use of the environment; it may be called again."""
        self.closed = True

    def copy(self) -> Any:
        """An independent environment in the same position, which goes on in the same way."""
        raise NotImplementedError

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Any:
        return self.copy()

    def save(self) -> bytes:
        """The environment's position and random streams as bytes, for `load`."""
        self._check_begun()
        return self.lanes.save()

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment has been closed")

    def _check_begun(self) -> None:
        self._check_open()
        if not self.lanes.ready[0]:
            raise ResetNeeded("no game has begun, or it was broken off; call reset() first")
