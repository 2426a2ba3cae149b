"""How far the best seat is ahead with each card that is dealt, and how much of that is luck."""

import dataclasses

import numpy as np
import pytest
from pebbles import PEBBLES

import tabletop
from experiments.reports.leads import dealt_facts, lead_by_luck, leads
from experiments.summary import Summary
from tabletop import Results, Variant
from tabletop.game import Fact

PLAYERS, CARDS = 4, ("ace", "king", "queen", "jack", "ten", "nine")
BOTS = ("same",) * PLAYERS


@pytest.fixture(params=[False, True], ids=["of the game", "of a seat"])
def game(request: pytest.FixtureRequest) -> Variant:
    """A game with a card that is dealt, to all or to each seat, and one that is only played."""
    return with_card(of_seat=request.param)


def with_card(of_seat: bool) -> Variant:
    variant = tabletop.make(PEBBLES, players=PLAYERS)
    kinds = {"explains": True, "of_seat": of_seat}
    facts = (Fact("card", "card in play", CARDS, **kinds), Fact("played", "card that was played", CARDS, **kinds))
    variant.game = dataclasses.replace(PEBBLES, facts=facts)
    variant.settings = dataclasses.replace(variant.settings, options={**variant.settings.options, "card": "random"})
    return variant


def results(game: Variant, cards: np.ndarray, chances: np.ndarray, generator: np.random.Generator) -> Results:
    """Games that one seat wins. cards: (games × seats). chances: to win, of each seat (games × seats)."""
    games = len(cards)
    winner = (generator.random((games, 1)) > chances.cumsum(axis=1)[:, :-1]).sum(axis=1)
    places = np.where(np.arange(PLAYERS) == winner[:, None], 1, 2).astype(np.int32)
    facts = np.repeat(cards[:, None, :], len(game.game.facts), axis=1).astype(np.int32)
    bots = (np.arange(PLAYERS)[None, :] - np.arange(games)[:, None]) % PLAYERS
    return Results(BOTS, np.arange(games), bots, 3 - places, places, np.full(games, 9), facts)


def dealt(game: Variant, games: int, generator: np.random.Generator) -> np.ndarray:
    of_seat = game.game.facts[0].of_seat
    return np.broadcast_to(generator.integers(0, len(CARDS), (games, PLAYERS if of_seat else 1)), (games, PLAYERS))


def found_in(game: Variant, played: Results):
    summary = Summary(game, BOTS)
    summary.add(played)
    return leads(game, summary.table())


def test_only_what_is_dealt_is_compared(game: Variant) -> None:
    assert [fact.name for fact in dealt_facts(game)] == ["card"]
    assert [fact.name for fact in dealt_facts(tabletop.make("bites"))] == ["hill", "chocolate", "wine", "special"]


def test_the_largest_lead_stands_first() -> None:
    game, generator = with_card(of_seat=False), np.random.default_rng(1)
    cards = dealt(game, 12_000, generator)
    more = np.where(cards[:, :1] == CARDS.index("queen"), [0.2, 0, 0, -0.2], [0.05, -0.05, 0, 0])
    found = found_in(game, results(game, cards, 0.25 + more, generator))
    assert sorted(found.category) == sorted(CARDS) and (np.diff(found.lead) <= 0).all()
    first = found.iloc[0]
    assert (first.fact, first.category, first.best, first.worst) == ("card", "queen", "0", "3")
    assert first.lead == pytest.approx(0.4, abs=0.05) and first.lead > 0.1 + lead_by_luck(found, PLAYERS)
    assert first.games == (cards[:, 0] == CARDS.index("queen")).sum()


def test_a_card_of_one_seat_alone_has_no_lead() -> None:
    game, generator = with_card(of_seat=True), np.random.default_rng(2)
    cards = np.broadcast_to(np.arange(PLAYERS), (100, PLAYERS)).copy()
    cards[50:, :2] = cards[50:, 1::-1]  # the first two seats change cards
    found = found_in(game, results(game, cards, np.full((100, PLAYERS), 0.25), generator))
    assert sorted(found.category) == ["ace", "king"]


def test_a_card_that_is_always_the_same_is_not_compared(game: Variant) -> None:
    cards = np.zeros((50, PLAYERS), np.int64)
    assert not len(found_in(game, results(game, cards, np.full((50, PLAYERS), 0.25), np.random.default_rng(3))))


def test_equal_seats_hardly_ever_have_a_lead_above_luck(game: Variant) -> None:
    generator, reached, studies = np.random.default_rng(4), 0, 60
    game.game = dataclasses.replace(game.game, facts=game.game.facts[:1])  # faster
    for _ in range(studies):
        cards = dealt(game, 900, generator)
        found = found_in(game, results(game, cards, np.full((900, PLAYERS), 0.25), generator))
        reached += found.lead.iloc[0] > lead_by_luck(found, PLAYERS)
    assert 1 <= reached <= 8  # 3 are expected
