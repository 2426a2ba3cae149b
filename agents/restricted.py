"""A bot that may not use some actions unless nothing else is legal: what they are worth shows in what it loses.

`restricted:bot=greedy,forbid=swap:*` plays as `greedy` without the actions whose tokens match the pattern. Several
patterns are separated by `+`, several parameters of the bot by `;`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

import numpy as np

from agents.search.settings import address_in, two_places
from tabletop.bits import WORD_BITS, count_in, has_in
from tabletop.bots import Bot, BotError, BotKind, BotParameter, Value, address_of, bot, call_act, compile_bot
from tabletop.game import Game, action_words
from tabletop.jit import jit
from tabletop.options import settings

ADDRESS, SIZE, FORBIDDEN = 0, 2, 3  # where `params` hold the bot within: its address, how many numbers it has, the set
NO_WORD = re.compile(r"[:*?\[]")  # what ends the first word of a pattern
EXAMPLES = 5  # tokens in a message


def act(state, legal, rng, params):
    """What the bot within chooses of the allowed actions; of all, if none is allowed."""
    size = action_words(state)
    allowed = np.empty(size, np.uint64)
    leave_out(legal, params, allowed)
    if count_in(allowed, size) == 0:
        for k in range(size):
            allowed[k] = legal[k]
    first = FORBIDDEN + 2 * size
    numbers = params[first : first + np.int64(params[SIZE])]
    event = call_act(address_in(params, ADDRESS), state, allowed, rng, numbers)
    if not (0 <= event < size * WORD_BITS and has_in(allowed, event)):
        raise ValueError("the bot within a restricted one does not keep to the actions that it is shown")
    return event


@jit
def leave_out(legal, params, allowed) -> None:
    """Writes the legal actions that are not forbidden to `allowed`."""
    for k in range(allowed.size):
        allowed[k] = legal[k] & ~np.uint64(address_in(params, FORBIDDEN + 2 * k))


def restrict(inner: Bot, game: Game, forbidden: Iterable[int]) -> Bot:
    """The bot without these actions; BotError unless it is a compiled one."""
    if not inner.compiled:
        raise BotError(f"bot {inner.name!r} cannot be restricted; expected a compiled one")
    words = [0] * -(-game.actions // WORD_BITS)
    for event in forbidden:
        words[event // WORD_BITS] |= 1 << event % WORD_BITS
    halves = [half for word in words for half in two_places(word)]
    head = [*two_places(address_of(inner.act)), len(inner.params), *halves]
    params = np.array([*head, *inner.params])
    return Bot(f"restricted {inner.name}", compile_bot(game, act, allocates=True), params, timed=inner.timed)


def matching(tokens: Sequence[str], patterns: Iterable[str]) -> list[int]:
    """The actions whose tokens match one of the patterns; BotError for a pattern that matches none."""
    found: set[int] = set()
    for pattern in patterns:
        events = {event for event, token in enumerate(tokens) if token and fnmatchcase(token, pattern)}
        if not events:
            raise BotError(f"no action matches {pattern!r}; {_there_is(list(filter(None, tokens)), pattern)}")
        found |= events
    return sorted(found)


def _there_is(tokens: Sequence[str], pattern: str) -> str:
    """What a pattern may have meant: whole tokens with its first word, if there are any."""
    word = NO_WORD.split(pattern)[0]
    if same := [token for token in tokens if token.partition(":")[0] == word]:
        shown = get_close_matches(pattern, same, EXAMPLES, cutoff=0.0)
        more = f" and {len(same) - len(shown)} more" if len(same) > len(shown) else ""
        return f"whole tokens of this beginning: {', '.join(shown)}{more}"
    words, near = dict.fromkeys(token.partition(":")[0] for token in tokens), get_close_matches(pattern, tokens)
    return f"the tokens of actions begin with {', '.join(words)}" + (f"; like it: {', '.join(near)}" if near else "")


def _parameters(game: Game) -> tuple[BotParameter, ...]:
    return (
        BotParameter("bot", "uniform", "the bot that is restricted; its parameters are separated by ;"),
        BotParameter("forbid", "", "patterns of the tokens of actions that it may not use, separated by +"),
    )


def _build(game: Game, values: Mapping[str, Value]) -> Bot:
    patterns = [pattern for pattern in str(values["forbid"]).split("+") if pattern]
    if not patterns:
        raise BotError("bot parameter 'forbid': '' is not allowed; expected patterns such as swap:*")
    name, colon, rest = str(values["bot"]).partition(":")
    return restrict(bot(name + colon + rest.replace(";", ","), game), game, _matching_by_default(game, patterns))


def _matching_by_default(game: Game, patterns: Sequence[str]) -> list[int]:
    """The actions that match with any number of players, where the other settings are the game's own."""
    all_tokens = [
        game.tokens(settings(game.options, game.parameters, game.players, players, {}))[: game.actions]
        for players in game.players
    ]
    joined = ["\n".join(dict.fromkeys(filter(None, names))) for names in zip(*all_tokens, strict=True)]
    if any("\n" in names for names in joined):
        raise BotError(f"tokens of {game.name!r} depend on the number of players; a bot cannot be restricted by name")
    return matching(joined, patterns)


BOT = BotKind("restricted", "a bot that may not use some actions unless nothing else is legal", _parameters, _build)
