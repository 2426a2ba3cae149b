"""What studies tell of a finished game, against a count in plain Python over the pictures of its positions."""

import numpy as np
import pytest
from rattus_positions import PLAYERS, at, rats
from test_rattus_traces import RECORDS

from rattus.box import CLASS_NAMES
from rattus.facts import FACTS, TIMES
from tabletop import play
from tabletop.variant import make

RECOUNTED = 4  # records for each number of players
RAVAGING = {"plague", "draw", "reveal", "neutral", "no_neutral"}  # events in which cubes can be lost


def told(game, state, tokens):
    """The facts after some events, by name: one number or category, or a list of one a seat."""
    facts = np.zeros((len(FACTS), game.game.most_players), np.int32)
    events = np.array([game.event(token) for token in tokens], np.int64)
    assert play.retrace(state.reshape(-1), events, game.empty_sets(len(events)), facts) == len(events)
    values = {}
    for fact, row in zip(FACTS, facts, strict=True):
        of_seats = [fact.categories[value] if fact.categories else int(value) for value in row]
        values[fact.name] = of_seats[: game.players] if fact.of_seat else of_seats[0]
    return values


class Seen:
    """A position as its picture tells it."""

    def __init__(self, game, state):
        self.text = game.text(state)
        rows = [row for row in self.text.splitlines() if row[0] not in "|+"]
        self.lines = {row.split(" ")[0]: row[8:].strip() for row in rows}
        self.phase, _, seat = self.lines["next"].partition(", seat ")
        self.seat = int(seat or -1)
        self.reserve = [int(word) for word in self.lines["reserve"].split()]
        self.plague = next((c.strip()[2:] for c in self.text.split("|") if c.strip().startswith("* ")), None)
        self.cards = [word.split() for word in self.lines.get("cards", "-").split(", ") if word != "-"]


def edges_of(game):
    return {frozenset(edge.between) for edge in game.settings.tables["map"].edges}


def cubes_brought(game, state, seen, word, tail):
    """By P8, P10 and P21, with the default parameters."""
    if word not in ("settle", "place", "peasant"):
        return 0
    tokens = len(rats(game, state, tail))
    cubes = {"settle": 2, "place": tokens, "peasant": 1 if "final" in seen.lines else tokens + 1}[word]
    return min(cubes, seen.reserve[seen.seat])


def class_used(game, seen, word, tail):
    if word == "witch":
        return "witch" if seen.phase != "witch second" else None
    if word == "neutral" or (word == "plague" and frozenset((seen.plague, tail)) not in edges_of(game)):
        return "knight"
    return word if word in CLASS_NAMES else None


def recount(record):
    """The same facts, event by event."""
    game = make("rattus", players=record["players"], **record["options"], **record["parameters"])
    state, seen, before_the_end = game.new(), None, None
    zeros = dict.fromkeys(CLASS_NAMES, 0)
    placed, lost = [0] * game.players, [0] * game.players
    taken, used = [zeros.copy() for _ in placed], [zeros.copy() for _ in placed]
    for token in record["events"]:
        word, _, tail = token.partition(":")
        seen = Seen(game, state)
        brought = [0] * game.players
        if seen.seat >= 0 and game.to_move(state) >= 0:
            brought[seen.seat] = cubes_brought(game, state, seen, word, tail)
            if used_now := class_used(game, seen, word, tail):
                used[seen.seat][used_now] += 1
            if word == "card":
                taken[seen.seat][tail] += 1
        before_the_end = seen if "final" not in seen.lines and seen.phase != "over" else before_the_end
        game.step(state, game.event(token))
        for seat, left in enumerate(Seen(game, state).reserve):
            lost_now = left - seen.reserve[seat] + brought[seat]
            assert lost_now == 0 or (lost_now > 0 and (word in RAVAGING or "final" in seen.lines)), token
            placed[seat] += brought[seat]
            lost[seat] += lost_now
    return game, placed, lost, taken, used, Seen(game, state), before_the_end


def by_card(counts, name):
    return [TIMES[min(of_seat[name], len(TIMES) - 1)] for of_seat in counts]


@pytest.mark.parametrize("players", PLAYERS)
def test_facts_are_those_counted_in_traces(players):
    records = [r for r in RECORDS if r["players"] == players and not r["parameters"]][:RECOUNTED]
    for record in records:
        game, placed, lost, taken, used, last, before_the_end = recount(record)
        facts = told(game, game.new(), record["events"])
        assert (facts["placed"], facts["lost"], facts["lost_by_all"]) == (placed, lost, sum(lost))
        assert facts["turns"] == int(last.lines["turns"])
        assert facts["palace"] == [int(word) for word in last.lines["palace"].split()]
        assert facts["revealed"] == len(last.lines["revealed"].split(", "))
        assert facts["triggered"] == ["yes" if seat == before_the_end.seat else "no" for seat in range(players)]
        for name in CLASS_NAMES:
            assert facts[f"{name}_taken"] == by_card(taken, name)
            assert facts[f"{name}_used"] == by_card(used, name)
            assert facts[f"{name}_held"] == [
                "yes" if [name, str(seat)] in last.cards else "no" for seat in range(players)
            ]
    assert len(records) == RECOUNTED


def test_the_end_by_an_empty_reserve_by_an_empty_supply_and_by_the_last_turn():
    """P20. Without new rat tokens the supply does not end before it must."""
    ways = {
        "reserve empty": {"cubes": 8, "spread": [0, 0, 0, 0], "max_turns": 60_000},
        "supply empty": {"spread": [3, 3, 3, 3], "cubes": 100},
        "last turn": {"max_turns": 1, "cubes": 100},
    }
    for ending, settings in ways.items():
        facts = make("rattus", players=2, **settings).play(20, "uniform", seed=1).facts
        endings = {FACTS[0].categories[value] for value in facts[:, 0, 0]}
        assert endings == {ending}, settings


GALLIA = "| * gallia |\n| 1 . |\n| 1PB |"


def test_the_knight_is_used_by_a_far_move_by_neutral_cubes_and_in_the_final_round():
    """P11, P13, P21: each use counts."""
    picture = (
        "next first part, seat 0\nturns 3\ncards knight 0\nusable knight\n"
        "| * anglia | gallia | hispania |\n| . . | . . | 1 . |\n| 1PB | 1BC | 2MPC |"
    )
    game, state = at(picture)
    near = ["end", "plague:gallia", "spread:italia", "draw:1KW"]
    far = ["end", "plague:hispania", "spread:italia", "draw:1KW", "neutral"]
    assert told(game, state.copy(), near)["knight_used"] == ["0", "0"]
    assert told(game, state.copy(), far[:2])["knight_used"] == ["1", "0"]
    assert told(game, state.copy(), [*far[:-1], "no_neutral"])["knight_used"] == ["1", "0"]
    assert told(game, state.copy(), far)["knight_used"] == ["2", "0"]
    game, state = at("next final part, seat 1\nturns 3\nfinal by 0\ncards knight 1\nusable knight\n" + GALLIA)
    assert told(game, state, ["knight:hispania"])["knight_used"] == ["0", "1"]
