"""Every installed bot can be restricted, as it keeps to the actions that it is shown; in games that compile soon."""

import numpy as np
import pytest
from sticks import STICKS

import tabletop
from agents.restricted import matching
from tabletop import Variant, matches
from tabletop.bots import BotError, bot
from tabletop.plug_ins import BOTS_GROUP, plug_ins

IN_STICKS = (
    "uniform",
    "flat:iterations=6;evaluation=points",
    "lookahead:samples=1;evaluation=points",
    "mcts:iterations=8;evaluation=points",
    "maxn:depth=1;evaluation=points",
    "maxn:depth=3;evaluation=points",
    "restricted:forbid=take:3",
)
IN_BITES = ("greedy",)


def check_ban(game: Variant, inner: str, forbid: str, banned: str, games: int) -> tuple[int, int]:
    """Plays a restricted bot against the uniform one; how often it had to use a forbidden action, and how often not."""
    one = bot(f"restricted:bot={inner},forbid={forbid}", game.game)
    forced = free = 0
    for number in range(games):
        _, events = matches.play_recorded(game, [one, bot("uniform", game.game)], np.arange(2), number, 5)
        states = game.new(1)
        for event in events:
            if game.to_move(states)[0] == 0:
                tokens = [game.token(int(e)) for e in game.legal(states)[0]]
                others = [token for token in tokens if not token.startswith(banned)]
                assert not others or game.token(int(event)) in others
                forced += not others
                free += 0 < len(others) < len(tokens)
            game.step(states, [event])
    return forced, free


@pytest.mark.parametrize("banned", ["take:1", "take:2"])
@pytest.mark.parametrize("inner", IN_STICKS)
def test_a_restricted_bot_keeps_to_what_is_allowed(inner: str, banned: str) -> None:
    """It takes one stick all the same if no other is left."""
    forced, free = check_ban(tabletop.make(STICKS, pile=12), inner, banned, banned, 40)
    assert free > 40 and (forced > 4 if banned == "take:1" else forced == 0)


@pytest.mark.parametrize("inner", IN_BITES)
def test_a_greedy_bot_keeps_to_what_is_allowed_in_bites(inner: str) -> None:
    _, free = check_ban(tabletop.make("bites", players=2), inner, "move:red", "move:red", 2)
    assert free > 4


def test_every_installed_bot_is_restricted_here() -> None:
    tested = {text.partition(":")[0] for text in (*IN_STICKS, *IN_BITES)}
    assert tested == set(plug_ins(BOTS_GROUP))


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("chocolate:*", "whole tokens of this beginning: chocolate"),
        ("take:middle", "whole tokens of this beginning: take:"),
        ("swap:red:red", "whole tokens of this beginning: swap:red:green, "),
        ("chocolat", "begin with move, take, turbo, backwards, tiptoe, recycle, chocolate, pass, stack, swap; like it: "
         "chocolate"),
        ("fly:*", "begin with move, take, turbo, backwards, tiptoe, recycle, chocolate, pass, stack, swap"),
    ],
)  # fmt: skip
def test_a_pattern_that_matches_nothing_is_answered_with_whole_tokens(pattern: str, says: str) -> None:
    game = tabletop.make("bites", players=2)
    tokens = [game.token(event) for event in range(game.actions)]
    with pytest.raises(BotError) as raised:
        matching(tokens, [pattern])
    said = str(raised.value)
    assert said.startswith(f"no action matches {pattern!r}; ") and says in said
    assert said.endswith(says) or pattern in ("take:middle", "swap:red:red")
    assert said.endswith(" and 5 more") is (pattern == "swap:red:red")


@pytest.mark.parametrize(("banned", "chosen"), [("take:3", 1), ("take:2", 0)])
def test_maxn_finds_the_best_of_what_is_allowed(banned: str, chosen: int) -> None:
    """Two of six sticks win; without them all lose, and the first of equals is taken."""
    game = tabletop.make(STICKS, pile=6)
    one = bot(f"restricted:bot=maxn:depth=3;evaluation=points,forbid={banned}", STICKS)
    _, events = matches.play_recorded(game, [one, one], np.arange(2), 0, 1)
    assert events[0] == chosen
