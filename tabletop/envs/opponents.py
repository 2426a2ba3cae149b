"""The bots that play the seats beside the learner's, from what a user names."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from tabletop.bots import Bot, bot, plain_bot
from tabletop.options import OptionError
from tabletop.variant import Variant

Opponent: TypeAlias = str | Bot | Callable[..., int]
Opponents: TypeAlias = Opponent | Sequence[Opponent]


def seat_opponents(variant: Variant, opponents: Opponents) -> list[Bot]:
    """The bots of the seats after the learner's, clockwise, from one for all or a sequence of one each."""
    others = variant.players - 1
    if isinstance(opponents, (str, Bot)) or callable(opponents):
        listed: list[Any] = [opponents] * others
    elif isinstance(opponents, Sequence):
        listed = list(opponents)
    else:
        raise _refuse_opponent(opponents)
    if len(listed) != others:
        raise OptionError(f"opponents: {len(listed)} given; expected {others}, one for each other seat, or one for all")
    made = {text: bot(text, variant.game) for text in listed if isinstance(text, str)}
    return [_as_bot(made.get(b, b) if isinstance(b, str) else b) for b in listed]


def _as_bot(opponent: Any) -> Bot:
    if isinstance(opponent, Bot):
        return opponent
    if callable(opponent):
        return plain_bot(opponent)
    raise _refuse_opponent(opponent)


def _refuse_opponent(opponent: Any) -> OptionError:
    return OptionError(f"opponents: {opponent!r} is not allowed; expected a bot's name, a Bot, a callable, or a list")
