"""How far the best seat is ahead with each card that is dealt, and how much of that is luck."""

import dataclasses

import numpy as np
import pytest
from pebbles import PEBBLES

import tabletop
from experiments.reports.leads import critical, dealt_facts, error_of_one_seat, leads
from experiments.summary import Summary, rate_of_rounds
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
    assert first.lead == pytest.approx(0.4, abs=0.05) and first.lead > 0.1 + first.luck
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


RARE_AND_FREQUENT = [0.7, 0.2, 0.05, 0.02, 0.02, 0.01]


@pytest.mark.parametrize("of_seat", [False, True], ids=["of the game", "of a seat"])
@pytest.mark.parametrize("shares", [[1 / 6] * 6, RARE_AND_FREQUENT], ids=["alike", "rare and frequent"])
def test_equal_seats_have_a_lead_above_luck_in_one_of_twenty_studies(shares: list[float], of_seat: bool) -> None:
    generator, studies, games, equal = np.random.default_rng(4), 1500, 3000, [1 / PLAYERS] * PLAYERS
    if of_seat:  # how often each seat had each card, and won with it (studies × cards × seats)
        had = generator.multinomial(games, shares, (studies, PLAYERS)).swapaxes(1, 2)
        won = generator.binomial(had, equal)
    else:
        had = np.repeat(generator.multinomial(games, shares, studies)[:, :, None], PLAYERS, axis=2)
        won = generator.multinomial(had[:, :, 0], equal)
    rates = won / had
    errors = np.sqrt(rates * (1 - rates) / (had - 1))
    ends = [rate_of_rounds(*one) for one in zip(rates.ravel(), errors.ravel(), had.ravel().tolist(), strict=True)]
    low, high = np.array(ends).reshape(*rates.shape, 2).transpose(3, 0, 1, 2)
    luck = error_of_one_seat(low, high, not of_seat) * critical(PLAYERS, len(CARDS))
    reached = (np.ptp(rates, axis=2) > luck).any(axis=1).mean()
    assert 0.035 <= reached <= 0.065  # 0.05 ± 0.0056 is expected


def test_luck_is_told_for_each_row(game: Variant) -> None:
    generator = np.random.default_rng(6)
    summary = Summary(game, BOTS)
    summary.add(results(game, dealt(game, 600, generator), np.full((600, PLAYERS), 0.25), generator))
    table = summary.table()
    for _, row in leads(game, table).iterrows():
        own = table[
            (table.fact == row.fact) & (table.category == row.category) & (table.seat != "") & (table.bot == "")
        ]
        error = error_of_one_seat(own.win_low.to_numpy(), own.win_high.to_numpy(), not game.game.facts[0].of_seat)
        assert row.seats == len(own) == PLAYERS and row.luck == pytest.approx(error * critical(PLAYERS, len(CARDS)))


def test_a_rare_card_needs_a_larger_lead_than_a_frequent_one() -> None:
    game, generator = with_card(of_seat=False), np.random.default_rng(7)
    cards = np.where(generator.random((5000, 1)) < 0.9, 0, dealt(game, 5000, generator))
    more = np.where(cards[:, :1] == CARDS.index("ace"), [0.06, 0, 0, -0.06], [0.0, 0, 0, 0])
    found = found_in(game, results(game, cards, 0.25 + more, generator)).set_index("category")
    rare = found.drop(index="ace")
    assert found.lead["ace"] > found.luck["ace"] and (rare.lead < rare.luck).all()
    assert (rare.lead > found.luck["ace"]).sum() >= 3 and (rare.luck > 4 * found.luck["ace"]).all()
