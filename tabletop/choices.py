"""The one check of what bots choose, in whole games as in environments, and what is told of bots that fail."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tabletop.variant import Variant


class IllegalChoiceError(RuntimeError):
    """A bot chose what is not the id of a legal event."""


class FailedBotError(RuntimeError):
    """A bot raised an error instead of choosing; `__cause__` is that error."""


def failed_bot(error: Exception, who: str, when: str = "") -> FailedBotError:
    """The error that tells which bot raised an error; who, when: as for `chosen_event`."""
    return FailedBotError(f"{who} raised {error!r}{when}")


@contextmanager
def failures_told(who: str, when: str = "") -> Iterator[None]:
    """Within the context a bot chooses; what it raises becomes a FailedBotError."""
    try:
        yield
    except Exception as error:  # whatever a bot may raise
        raise failed_bot(error, who, when) from error


def chosen_event(variant: "Variant", state: npt.NDArray[Any], choice: Any, who: str, when: str = "") -> int:
    """The event that a bot chose in a position, shape (1,); IllegalChoiceError unless it is the id of a legal one.

    who: the game and the bot, for the message; when: more of it, such as the number of the event.
    """
    if isinstance(choice, (int, np.integer)) and int(choice) in variant.legal(state)[0]:
        return int(choice)
    raise illegal_choice(variant, state, choice, who, when)


def illegal_choice(
    variant: "Variant", state: npt.NDArray[Any], choice: Any, who: str, when: str = ""
) -> IllegalChoiceError:
    """The error that tells who chose what, and what is legal in the position, shape (1,)."""
    is_id = isinstance(choice, (int, np.integer))
    chose = f"{who} chose {int(choice) if is_id else repr(choice)}{when}"
    legal = ", ".join(variant.token(int(event)) for event in variant.legal(state)[0])
    return IllegalChoiceError(f"{chose}; {'' if is_id else 'expected the id of a legal event; '}legal are {legal}")
