"""Effects that are separated from each other, against an independent fit and against what was put in."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from pebbles import PEBBLES

import tabletop
from experiments.reports.effects import Effects
from tabletop import Results, Variant
from tabletop.game import Fact

FACTS = (
    Fact("card", "card in play", ("low", "high", "never"), explains=True),
    Fact("class", "class of a seat", ("mage", "thief"), of_seat=True, explains=True),
    Fact("token", "token of a seat, with the card high alone", ("sun", "moon"), of_seat=True, explains=True),
    Fact("ending", "how it ended", ("early", "late")),
    Fact("shells", "shells that a seat found", of_seat=True),
)
CARD, CLASS, TOKEN = range(3)
PLAYERS = 3
BOTS = ("strong", "weak", "strong")
SEAT_POINTS, BOT_POINTS = np.array([3.0, 0.0, 0.0]), np.array([5.0, 0.0, 5.0])
CARD_POINTS, CLASS_POINTS, TOKEN_POINTS = np.array([0.0, 4.0]), np.array([0.0, 2.0]), np.array([0.0, 6.0])


@pytest.fixture(scope="module")
def game() -> Variant:
    """A game with facts of every kind; it is not played here."""
    variant = tabletop.make(PEBBLES, players=PLAYERS)
    variant.game = dataclasses.replace(PEBBLES, facts=FACTS)
    return variant


def made_up(games: int, seed: int) -> Results:
    """Results in which cards and classes go together, so that simple means would mix up their effects."""
    generator = np.random.default_rng(seed)
    number = np.arange(games)
    facts = np.zeros((games, len(FACTS), 4), np.int32)
    card = generator.integers(0, 2, games)
    facts[:, CARD, 0] = card
    facts[:, CLASS, :PLAYERS] = generator.random((games, PLAYERS)) < 0.25 + 0.5 * card[:, None]
    facts[:, TOKEN, :PLAYERS] = np.where(card[:, None] == 1, generator.integers(0, 2, (games, PLAYERS)), -1)
    bots = (np.arange(PLAYERS)[None, :] - number[:, None]) % PLAYERS
    points = 10 + SEAT_POINTS + BOT_POINTS[bots] + CARD_POINTS[card][:, None]
    points += CLASS_POINTS[facts[:, CLASS, :PLAYERS]]
    points += np.where(card[:, None] == 1, TOKEN_POINTS[facts[:, TOKEN, :PLAYERS]], 0)
    points += generator.normal(0, 2, (games, 1)) + generator.normal(0, 3, (games, PLAYERS))
    scores = np.round(points).astype(np.int32)
    places = (1 + (scores[:, :, None] < scores[:, None, :]).sum(axis=2)).astype(np.int32)
    return Results(BOTS, number, bots, scores, places, np.full(games, 9), facts)


def fitted(game: Variant, *chunks: Results) -> pd.DataFrame:
    effects = Effects(game, BOTS)
    for chunk in chunks:
        effects.add(chunk)
    return effects.table().set_index(["outcome", "factor", "category"])


def test_effects_are_found_again(game: Variant) -> None:
    table = fitted(game, made_up(30_000, 1)).loc["score"]
    differences = {
        ("seat", "0", "1"): 3.0,
        ("bot", "strong", "weak"): 5.0,
        ("class", "thief", "mage"): 2.0,
        ("token", "moon", "sun"): 6.0,
        ("card", "high", "low"): 4.0 + 3.0,  # with the card comes a token, worth 3 on average
    }
    for (factor, one, other), difference in differences.items():
        assert table.effect[factor, one] - table.effect[factor, other] == pytest.approx(difference, abs=0.15)
    assert "ending" not in table.index and ("card", "never") not in table.index


def test_effects_are_differences_to_the_average(game: Variant) -> None:
    table = fitted(game, made_up(2000, 2))
    for _, own in table.groupby(["outcome", "factor"]):
        assert np.average(own.effect, weights=own.seats) == pytest.approx(0, abs=1e-9)


def test_wins_are_not_explained_by_what_all_seats_share(game: Variant) -> None:
    table = fitted(game, made_up(2000, 2))
    assert set(table.loc["win"].index.get_level_values("factor")) == {"seat", "bot", "class", "token"}


def rows_of(results: Results) -> pd.DataFrame:
    """A row a seat of a game."""
    games, players = results.scores.shape
    rows = {
        "game": np.repeat(results.number, players),
        "score": results.scores.ravel(),
        "seat": np.tile(np.arange(players), games),
        "weak": (results.bots == 1).ravel(),
        "card": np.repeat(results.facts[:, CARD, 0], players),
        "class": results.facts[:, CLASS, :players].ravel(),
        "token": results.facts[:, TOKEN, :players].ravel(),
    }
    return pd.DataFrame(rows)


def test_it_is_the_fit_of_statsmodels(game: Variant) -> None:
    """The same estimates; the errors are those of a sandwich over games, but for the few groups of the jackknife."""
    results = made_up(3000, 3)
    rows = rows_of(results)
    design = pd.DataFrame({"level": 1.0, "seat1": rows.seat == 1, "seat2": rows.seat == 2, "weak": rows.weak})
    design["high"], design["thief"] = rows.card == 1, rows["class"] == 1
    design["moon"], design["sun"] = rows.token == 1, rows.token == 0
    design["high"] = design["high"].astype(float)
    design["moon"] = design.pop("moon").astype(float) - design.pop("sun").astype(float)
    reference = sm.OLS(rows.score, design.astype(float)).fit(cov_type="cluster", cov_kwds={"groups": rows.game})
    table = fitted(game, results).loc["score"]
    assert table.effect["class", "thief"] - table.effect["class", "mage"] == pytest.approx(reference.params["thief"])
    assert table.effect["bot", "weak"] - table.effect["bot", "strong"] == pytest.approx(reference.params["weak"])
    assert table.effect["seat", "2"] - table.effect["seat", "0"] == pytest.approx(reference.params["seat2"])
    share_of_mages = table.seats["class", "mage"] / table.seats["class"].sum()
    error = reference.bse["thief"] * share_of_mages  # an effect is that share of the difference
    assert table.error["class", "thief"] == pytest.approx(error, rel=0.25)


def test_rotation_of_the_bots_does_not_widen_intervals() -> None:
    """With four players and bots that differ much, errors of seats are those of games, not of ways to sit."""
    variant = tabletop.make(PEBBLES, players=4)
    bots = ("strong", "weak", "strong", "weak")
    number, generator = np.arange(20_000), np.random.default_rng(8)
    seated = (np.arange(4)[None, :] - number[:, None]) % 4
    scores = np.round(20 * (seated % 2 == 0) + generator.normal(0, 3, (len(number), 4))).astype(np.int32)
    places = (1 + (scores[:, :, None] < scores[:, None, :]).sum(axis=2)).astype(np.int32)
    effects = Effects(variant, bots)
    facts = np.zeros((len(number), 0, 4), np.int32)
    effects.add(Results(bots, number, seated, scores, places, np.full(len(number), 9), facts))
    table = effects.table().set_index(["outcome", "factor", "category"])
    error = 3 * np.sqrt(3 / 4 / len(number))  # of one of four means against the mean of all
    assert table.error["score", "seat", "0"] == pytest.approx(error, rel=0.3)
    assert abs(table.effect["score", "seat", "0"]) < 4 * error


def test_chunks_make_no_difference(game: Variant) -> None:
    whole = made_up(1000, 4)

    def part(rows: slice) -> Results:
        names = ("number", "bots", "scores", "places", "lengths", "facts")
        return Results(BOTS, *(getattr(whole, name)[rows] for name in names))

    pd.testing.assert_frame_equal(fitted(game, whole), fitted(game, part(slice(0, 137)), part(slice(137, None))))


def test_what_cannot_be_told_apart_is_left_out(game: Variant) -> None:
    results = made_up(1000, 5)
    results.facts[:, CLASS, :PLAYERS] = results.facts[:, CARD, :1]  # a card and a class that always come together
    factors = set(fitted(game, results).loc["score"].index.get_level_values("factor"))
    assert factors == {"seat", "bot", "token"}


@pytest.mark.parametrize("games", [1, 2, 3, 7])
def test_few_games(game: Variant, games: int) -> None:
    table = fitted(game, made_up(games, 6))
    assert np.isfinite(table.effect).all()
    assert table.error.isna().all() if games <= PLAYERS else table.error.notna().any()


COVERED = (("win", "seat", "0"), ("win", "class", "thief"), ("score", "card", "high"), ("score", "token", "moon"))


def test_intervals_cover_as_often_as_they_say(game: Variant) -> None:
    """95 % intervals of a known truth cover it in 93 to 97 % of studies."""
    truth = fitted(game, made_up(400_000, 7)).effect
    studies = [fitted(game, made_up(500, seed)) for seed in range(100, 300)]
    covered = [[s.low[key] <= truth[key] <= s.high[key] for key in COVERED] for s in studies]
    assert 0.93 <= np.mean(covered) <= 0.97
    assert np.mean(covered, axis=0).min() > 0.9  # of each alone, with 200 studies


# What seats choose in play

CLASSES = ("mage", "thief", "bard", "smith")
TIMES = ("0", "1", "2", "3", "4 or more")
TAKEN = tuple(
    Fact(f"{name}_taken", f"how often a seat took the {name}", TIMES, True, True, chosen="class") for name in CLASSES
)
SPECIES_FACT = Fact("species", "species of a seat", ("mole", "otter"), of_seat=True, explains=True)
SEATS = 4


@pytest.fixture(scope="module")
def choosing() -> Variant:
    """A game whose seats take classes; it is not played here."""
    variant = tabletop.make(PEBBLES, players=SEATS)
    variant.game = dataclasses.replace(PEBBLES, facts=(SPECIES_FACT, *TAKEN))
    return variant


def taken(games: int, generator: np.random.Generator) -> np.ndarray:
    """How often each seat took each class (games, seats, classes): most keep to one, the others take two or three."""
    times = np.zeros((games, SEATS, len(CLASSES)), np.int64)
    favourite = generator.permuted(np.broadcast_to(np.arange(SEATS), (games, SEATS)), axis=1)
    np.put_along_axis(times, favourite[:, :, None], 4, axis=2)
    mixed = np.minimum(4, generator.poisson(1.6, times.shape))
    return np.where(generator.random((games, SEATS, 1)) < 0.2, mixed, times)


def chosen_results(times: np.ndarray, strength: np.ndarray, generator: np.random.Generator) -> Results:
    """Games won in proportion to exp(strength) of the seats (games, seats)."""
    games = len(times)
    facts = np.zeros((games, 1 + len(CLASSES), 4), np.int32)
    facts[:, 0] = generator.integers(0, 2, (games, SEATS))
    facts[:, 1:] = times.transpose(0, 2, 1)
    order = np.argsort(-(strength + generator.gumbel(size=strength.shape)), axis=1)
    places = 1 + np.argsort(order, axis=1).astype(np.int32)
    bots = np.broadcast_to(np.arange(SEATS), places.shape)
    return Results(("greedy",) * SEATS, np.arange(games), bots, -places, places, np.full(games, 9), facts)


def effects_of_choices(choosing: Variant, *chunks: Results) -> pd.DataFrame:
    effects = Effects(choosing, ("greedy",) * SEATS)
    for chunk in chunks:
        effects.add(chunk)
    return effects.table().set_index(["outcome", "factor", "category"])


def test_choices_that_exclude_each_other_have_no_effects_of_their_own(choosing: Variant) -> None:
    """Who takes much of everything wins more often here; no class is better than another one."""
    generator = np.random.default_rng(11)
    times = taken(40_000, generator)
    found = chosen_results(times, 0.25 * times.sum(axis=2), generator)
    own = effects_of_choices(choosing, found).loc["win", "class"]
    assert list(own.index) == [fact.name for fact in TAKEN]
    assert (own.effect.abs() < 0.003).all() and (own.effect.abs() < 4 * own.error).all() and (own.chance > 0.05).all()
    assert (own.error < 0.002).all()  # not 0 because nothing is known
    assert set(own.origin) == {"chosen"}
    averages = [np.average(own.effect, weights=times.sum(axis=(0, 1)))]
    np.testing.assert_allclose(averages, 0, atol=1e-9)


def test_a_class_that_helps_is_found_among_those_chosen(choosing: Variant) -> None:
    generator = np.random.default_rng(12)
    times = taken(20_000, generator)
    own = effects_of_choices(choosing, chosen_results(times, 0.2 * times[:, :, 2], generator)).loc["win", "class"]
    assert own.effect["bard_taken"] > 0.01 and own.chance["bard_taken"] < 1e-6
    assert (own.effect.drop("bard_taken") < 0).all()


def test_choices_have_no_say_in_effects_of_what_is_dealt(choosing: Variant) -> None:
    """Otters win because they take the bard: that is an effect of the species all the same."""
    generator = np.random.default_rng(13)
    found = chosen_results(taken(20_000, generator), np.zeros((20_000, SEATS)), generator)
    is_otter = found.facts[:, 0] == 1
    found.facts[:, 1:] = np.where(is_otter[:, None, :], np.array([0, 0, 4, 0])[:, None], found.facts[:, 1:])
    places = chosen_results(found.facts[:, 1:].transpose(0, 2, 1), 0.2 * found.facts[:, 3], generator).places
    found = dataclasses.replace(found, places=places, scores=-places)
    both = effects_of_choices(choosing, found).loc["win"]
    rates = [(places == 1)[is_otter == otter].mean() for otter in (False, True)]
    difference = both.effect["species", "otter"] - both.effect["species", "mole"]
    assert difference == pytest.approx(rates[1] - rates[0], abs=0.003) and difference > 0.05
    assert both.origin["species", "otter"] == "dealt"


def test_numbers_of_seats_are_those_that_chose(choosing: Variant) -> None:
    generator = np.random.default_rng(14)
    times = taken(500, generator)
    own = effects_of_choices(choosing, chosen_results(times, np.zeros((500, SEATS)), generator)).loc["score", "class"]
    np.testing.assert_array_equal(own.seats, (times > 0).sum(axis=(0, 1)))


def test_what_hardly_any_seat_has_is_not_established(choosing: Variant) -> None:
    """Three seats of a class that all won: the error is known no better than from three groups of games."""
    generator = np.random.default_rng(15)
    found = chosen_results(taken(5000, generator), np.zeros((5000, SEATS)), generator)
    found.facts[:, 0] = np.where(np.isin(np.arange(5000), (4, 8, 12))[:, None] & (found.places == 1), 1, 0)
    species = effects_of_choices(choosing, found).loc["win", "species"]
    assert species.seats["otter"] == 3 and species.effect["otter"] > 0.7
    assert species.high["otter"] - species.effect["otter"] > 4 * species.error["otter"]
    found.facts[4:, 0] = 0
    species = effects_of_choices(choosing, dataclasses.replace(found, number=found.number * SEATS * 64)).loc["win"]
    assert species.chance.isna().all()


def test_chances_are_corrected_for_the_number_of_effects(game: Variant) -> None:
    """Where nothing matters, one of all effects seems to in about one of twenty studies."""
    found = []
    for seed in range(150):
        generator = np.random.default_rng(1000 + seed)
        results = made_up(300, seed)
        scores = generator.integers(0, 100, results.scores.shape).astype(np.int32)
        places = (1 + (scores[:, :, None] < scores[:, None, :]).sum(axis=2)).astype(np.int32)
        found.append(fitted(game, dataclasses.replace(results, scores=scores, places=places)).loc["win"].chance.min())
    assert (np.array(found) < 0.05).mean() <= 0.07


def test_facts_of_choices_need_numbers_of_seats() -> None:
    with pytest.raises(ValueError, match="'taken' is chosen, so it must be of a seat"):
        Fact("taken", "how often the king was taken", TIMES, explains=True, chosen="class")
