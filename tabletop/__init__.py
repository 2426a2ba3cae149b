"""What every game shares: dispatch, compiled loops, random numbers, records. It names no game."""

from tabletop.bots import Bot, BotError, bot, compile_bot, plain_bot
from tabletop.choices import FailedBotError, IllegalChoiceError
from tabletop.game import CHANCE, NO_EVENT, OVER
from tabletop.matches import Results
from tabletop.options import OptionError
from tabletop.user_bots import compiled_bot, python_bot
from tabletop.variant import Variant, games, make

__all__ = [
    "CHANCE",
    "NO_EVENT",
    "OVER",
    "Bot",
    "BotError",
    "FailedBotError",
    "IllegalChoiceError",
    "OptionError",
    "Results",
    "Variant",
    "bot",
    "compile_bot",
    "compiled_bot",
    "games",
    "make",
    "plain_bot",
    "python_bot",
]
