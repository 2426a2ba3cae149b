"""Bots: the texts that name them, compiled and plain ones, and what a bot cannot do."""

import re

import numpy as np
import pytest
from numba.core.errors import TypingError
from pebbles import PEBBLES
from pebbles.rules import ACTIONS, EVENTS, PASS

import tabletop
from tabletop import (
    BotError,
    FailedBotError,
    IllegalChoiceError,
    Variant,
    compiled_bot,
    plain_bot,
    play,
    python_bot,
)
from tabletop.bits import count_in, nth_in
from tabletop.bots import LENT, OWN, Bot, BotParameter, bot, compile_bot, kinds
from tabletop.jit import jit
from tabletop.matches import compiled_table, play_games
from tabletop.rng import uniform


@pytest.fixture(scope="module")
def game() -> Variant:
    return tabletop.make(PEBBLES, players=3, take="up_to", passing=True)


def compiled(act, *numbers: float, name: str = "mine") -> Bot:
    return Bot(name, compile_bot(PEBBLES, act), np.array(numbers, np.float64))


def first_act(state, legal, rng, params):
    return nth_in(legal, 0)


def first_choice(state, legal, rng):
    return legal[0]


def numbered_act(state, legal, rng, params):
    return nth_in(legal, min(np.int64(params[0]), count_in(legal, 2) - 1))


def vandal_act(state, legal, rng, params):
    """Spoils its whole view and plays as `first_act`."""
    state.heap[:] = 0
    state.taken[:] = 99
    state.stone[:] = 3
    state.mover = -2
    state.players = 1
    state.rules.heaps = 1
    return nth_in(legal, 0)


def vandal_choice(state, legal, rng):
    event = legal[0]
    state.view(np.uint8).fill(7)
    legal.fill(0)
    return event


def wasteful_act(state, legal, rng, params):
    """Uses up much of its own stream and plays as `first_act`."""
    for _ in range(100):
        uniform(rng, 0, 6)
    return nth_in(legal, 0)


def peering_act(state, legal, rng, params):
    """Reads a word beside its stream."""
    return nth_in(legal, np.int64(rng[np.int64(params[0])] & np.uint64(1)))


def stray_act(state, legal, rng, params):
    """Draws from another stream than its own and plays as `first_act`."""
    uniform(rng, np.int64(params[0]), 5)
    return nth_in(legal, 0)


def state_reading_act(state, legal, rng, params):
    return np.int64(state.heap[np.int64(params[0])]) * 0 + nth_in(legal, 0)


@jit
def overwrite(rng, place):
    rng[place] = np.uint64(1)


def overwriting_act(state, legal, rng, params):
    overwrite(rng, np.int64(params[0]))
    return nth_in(legal, 0)


def failing_act(state, legal, rng, params):
    """Raises an error now and then."""
    if uniform(rng, 0, 50) == 0:
        raise ValueError("no idea")
    return nth_in(legal, 0)


def illegal_act(state, legal, rng, params):
    return np.int64(params[0])


def forging_act(state, legal, rng, params):
    legal[0] = np.uint64(2**64 - 1)
    return 3


def tuning_act(state, legal, rng, params):
    params[0] += 1.0
    return nth_in(legal, 0)


def peeking_act(state, legal, rng, params):
    """Takes one pebble if the next seat seems to hold the stone of value 3, else passes."""
    other = state.seat + 1 if state.seat + 1 < state.players else 0
    return nth_in(legal, 0) if state.stone[other] == 3 else nth_in(legal, count_in(legal, 2) - 1)


# Names


@pytest.mark.parametrize("text", ["nobody", "Uniform", "", ":", " uniform"])
def test_unknown_bots_are_refused_with_a_list(text: str) -> None:
    with pytest.raises(BotError, match=r"unknown bot .*; there are .*uniform"):
        bot(text, PEBBLES)


@pytest.mark.parametrize("text", ["uniform:depth=3", "uniform:x", "uniform:=", "uniform:a=1,b"])
def test_unknown_parameters_are_refused(text: str) -> None:
    with pytest.raises(BotError, match=rf"bot '{text}': .*; the parameters are none"):
        bot(text, PEBBLES)


def test_uniform_is_installed() -> None:
    assert "uniform" in kinds()
    made = bot("uniform", PEBBLES)
    assert (made.name, made.compiled, made.params.size) == ("uniform", True, 0)


DEPTH = BotParameter("depth", 3, "plies", low=1, high=9)
WEIGHT = BotParameter("weight", 0.5, "weight")
NODES = BotParameter("nodes", 0, "nodes of a tree", low=0, high=2**31 - 1)
ROLL_OUT = BotParameter("rollout", "uniform", "bot", words=("uniform", "greedy"))


@pytest.mark.parametrize(
    ("parameter", "text", "value"), [(DEPTH, "9", 9), (WEIGHT, "-1e3", -1000.0), (ROLL_OUT, "greedy", "greedy")]
)
def test_parameters_are_read_in_their_type(parameter: BotParameter, text: str, value: object) -> None:
    read = parameter.read(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("parameter", "text", "expected"),
    [
        (DEPTH, "0", "an integer from 1 to 9"),
        (DEPTH, "10", "an integer from 1 to 9"),
        (DEPTH, "2.0", "an integer from 1 to 9"),
        (DEPTH, "", "an integer from 1 to 9"),
        (NODES, "-1", "an integer from 0 to 2147483647$"),
        (WEIGHT, "much", "a number"),
        (WEIGHT, "nan", "a number"),
        (ROLL_OUT, "mcts", "one of uniform, greedy"),
    ],
)
def test_wrong_values_are_refused(parameter: BotParameter, text: str, expected: str) -> None:
    with pytest.raises(
        BotError, match=f"bot parameter '{parameter.name}': '{text}' is not allowed; expected {expected}"
    ):
        parameter.read(text)


@pytest.mark.parametrize("bots", [[], ["uniform"], ["uniform"] * 4])
def test_wrong_numbers_of_bots_are_refused(game: Variant, bots: list[str]) -> None:
    with pytest.raises(ValueError, match=f"bots: {len(bots)} given; expected 3, one a seat"):
        game.play(1, bots)


def test_what_is_no_bot_is_refused(game: Variant) -> None:
    with pytest.raises(TypeError, match="bots: <built-in function min> is not allowed; expected a name or a bot"):
        game.play(1, [min, "uniform", "uniform"])


# Compiled and plain


def test_compiled_and_plain_bots_play_the_same_game(game: Variant) -> None:
    """The k-th die is the same whoever draws it, and the bots here choose alike."""
    fast = game.play(40, [compiled(first_act)] * 3, seed=3)
    slow = game.play(40, [plain_bot(first_choice)] * 3, seed=3)
    mixed = game.play(40, [compiled(first_act), plain_bot(first_choice), compiled(first_act)], seed=3)
    for other in (slow, mixed):
        np.testing.assert_array_equal(fast.scores, other.scores)
        np.testing.assert_array_equal(fast.places, other.places)
        np.testing.assert_array_equal(fast.lengths, other.lengths)


def test_a_compiled_bot_that_draws_is_the_same_beside_plain_ones(game: Variant) -> None:
    fast = game.play(30, ["uniform", compiled(first_act), "uniform"], seed=5)
    mixed = game.play(30, ["uniform", plain_bot(first_choice), "uniform"], seed=5)
    np.testing.assert_array_equal(fast.scores, mixed.scores)


def test_bots_of_one_kind_keep_their_own_numbers(game: Variant) -> None:
    """Of different lengths, too: 0 is the first action, a great number the pass."""
    results = game.play(
        9, [compiled(numbered_act, 0), compiled(numbered_act, 99, 1, 2), compiled(first_act)], rotate=False
    )
    stones_only = results.scores[:, 1] <= 3
    assert stones_only.all()
    assert (results.scores[:, [0, 2]].sum(axis=1) >= 9 + 2 - 1).all()


def test_a_plain_bot_sees_arrays_and_a_generator(game: Variant) -> None:
    seen = []

    def choose(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
        seen.append((state.shape, state.dtype == PEBBLES.state, legal.dtype, isinstance(rng, np.random.Generator)))
        return int(rng.choice(legal))

    game.play(1, [plain_bot(choose)] * 3)
    assert set(seen) == {((1,), True, np.dtype(np.int64), True)}


def test_plain_bots_draw_the_same_in_every_run(game: Variant) -> None:
    def choose(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
        return int(rng.choice(legal))

    runs = [game.play(5, [plain_bot(choose)] * 3, seed=1, threads=t).scores.tolist() for t in (1, 2)]
    assert runs[0] == runs[1]
    assert runs[0] != game.play(5, [plain_bot(choose)] * 3, seed=2).scores.tolist()


class Remembering:
    """Takes one of the legal actions by what it has been asked so far, and by its parameter."""

    def __init__(self) -> None:
        self.sum = 0

    def __call__(self, state, legal, rng, factor):
        self.sum = self.sum * factor + int(legal.sum()) + len(legal)
        return legal[self.sum % len(legal)]

    def new_game(self) -> "Remembering":
        return Remembering()


def test_a_player_of_an_own_bot_remembers_one_game_of_one_seat_only(game: Variant) -> None:
    """So a game is the same alone, in a batch, and whatever the threads; and the parameters reach the player."""
    shared = Remembering()
    python_bot("remembering", factor=3)(shared)
    batch = game.play(40, "remembering", seed=4, threads=1)
    parallel = game.play(40, "remembering", seed=4, threads=2)
    for column in ("scores", "lengths"):
        np.testing.assert_array_equal(getattr(batch, column), getattr(parallel, column))
        alone = [getattr(game.play(1, "remembering", seed=4, first=k), column)[0] for k in range(40)]
        np.testing.assert_array_equal(getattr(batch, column), alone)
    assert shared.sum == 0
    assert (batch.scores != game.play(40, "remembering:factor=5", seed=4).scores).any()


def test_an_own_bot_without_players_is_asked_itself(game: Variant) -> None:
    asked = []

    @python_bot("asking", skip=0)
    def asking(state, legal, rng, skip):
        asked.append(skip)
        return legal[0]

    game.play(1, ["asking:skip=7", "uniform", "uniform"])
    assert set(asked) == {7}


# What a bot cannot do


@pytest.mark.parametrize("event", [-1, 0, 3, ACTIONS, EVENTS - 1, 2**62, -(2**62)])
def test_illegal_choices_of_compiled_bots_are_named(game: Variant, event: int) -> None:
    bots = [compiled(first_act), compiled(illegal_act, event, name="bad"), compiled(first_act)]
    with pytest.raises(IllegalChoiceError, match=rf"game 0: bot 'bad' chose {event} at event 6; legal are take:"):
        game.play(3, bots, seed=1)


@pytest.mark.parametrize("event", [-1, 0, 3, ACTIONS, EVENTS - 1, 2**62])
def test_illegal_choices_of_plain_bots_are_named(game: Variant, event: int) -> None:
    bots = ["uniform", plain_bot(lambda state, legal, rng: event, "bad"), "uniform"]
    with pytest.raises(IllegalChoiceError, match=rf"game 0: bot 'bad' chose {event} at event 6; legal are take:"):
        game.play(1, bots, seed=1)


@pytest.mark.parametrize("choice", [None, 1.0, "take:0:1", [1]])
def test_choices_that_are_no_ids_are_named(game: Variant, choice: object) -> None:
    with pytest.raises(
        IllegalChoiceError,
        match=r"game 0: bot 'bad' chose .* at event 4; expected the id of a legal event; legal are take:",
    ):
        game.play(1, [plain_bot(lambda state, legal, rng: choice, "bad")] * 3)


def test_errors_of_plain_bots_are_named(game: Variant) -> None:
    def broken(state: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
        raise KeyError("mine")

    with pytest.raises(FailedBotError, match=r"^game 7: bot 'broken' raised KeyError\('mine'\) at event 4$") as told:
        game.play(5, [plain_bot(broken)] * 3, first=7)
    assert isinstance(told.value.__cause__, KeyError)


def test_errors_of_compiled_bots_are_named(game: Variant) -> None:
    """By the first game in which one is raised, whatever else is asked for or plays."""
    bots = [compiled(first_act), compiled(failing_act, name="bad"), compiled(first_act)]
    told = r"^game (\d+): bot 'bad' raised ValueError\('no idea'\) at event (\d+)$"
    with pytest.raises(FailedBotError, match=told) as error:
        game.play(100, bots, seed=3, threads=1)
    assert isinstance(error.value.__cause__, ValueError)
    number, event = map(int, re.match(told, str(error.value)).groups())
    assert 0 < number < 100 and event >= 4
    game.play(number, bots, seed=3)
    beside_plain = [*bots[:2], plain_bot(first_choice)]
    for seated, with_course in ((bots, True), (beside_plain, False), (beside_plain, True)):
        with pytest.raises(FailedBotError, match=f"^{re.escape(str(error.value))}$"):
            play_games(game, 1, seated, seed=3, first=number, with_course=with_course)


OUT_OF_BOUNDS = [
    *((peering_act, place) for place in (-100, -5, -2, 1, 2, 100)),
    *((stray_act, place) for place in (-OWN, -2, 1, 5, LENT - OWN - 1)),
    *((overwriting_act, place) for place in (-OWN, -2, 1, LENT - OWN - 1)),
    (state_reading_act, 16),
]


@pytest.mark.parametrize(("act", "place"), OUT_OF_BOUNDS)
def test_what_is_out_of_bounds_is_an_error(game: Variant, act, place: int) -> None:
    """Beside compiled bots and beside plain ones; without it the streams of the game and of others were in reach."""
    for other in (compiled(first_act), plain_bot(first_choice)):
        with pytest.raises(FailedBotError, match=r"^game 0: bot 'bad' raised IndexError\(.* at event \d+$"):
            game.play(1, [other, compiled(act, place, name="bad"), other], seed=1)


@pytest.mark.parametrize("place", [0, -1])
def test_the_own_stream_is_in_bounds(game: Variant, place: int) -> None:
    own = [compiled(stray_act, place), compiled(first_act), compiled(first_act)]
    good = game.play(5, [compiled(first_act)] * 3, seed=2)
    np.testing.assert_array_equal(game.play(5, own, seed=2).scores, good.scores)


def test_a_roll_out_bot_that_draws_from_another_stream_is_an_error(game: Variant) -> None:
    compiled_bot("stray", stream=1)(stray_act)
    game.play(1, "flat:iterations=5,rollout=stray:stream=0")
    with pytest.raises(FailedBotError, match=r"bot 'flat:.*' raised IndexError"):
        game.play(1, "flat:iterations=5,rollout=stray")


def test_a_bot_that_spoils_its_view_harms_nobody(game: Variant) -> None:
    good = game.play(30, [compiled(first_act)] * 3, seed=2)
    for bad in (compiled(vandal_act), plain_bot(vandal_choice)):
        results = game.play(30, [bad, compiled(first_act), compiled(first_act)], seed=2)
        np.testing.assert_array_equal(results.scores, good.scores)


def test_a_bot_that_uses_up_its_stream_changes_no_other_draw(game: Variant) -> None:
    good = game.play(30, [compiled(first_act), "uniform", "uniform"], seed=2, rotate=False)
    wasteful = game.play(30, [compiled(wasteful_act), "uniform", "uniform"], seed=2, rotate=False)
    np.testing.assert_array_equal(good.scores, wasteful.scores)


@pytest.mark.parametrize("act", [forging_act, tuning_act])
def test_a_bot_cannot_write_to_what_it_shares(act) -> None:
    with pytest.raises(TypingError, match=r"(?i)readonly|cannot modify"):
        compile_bot(PEBBLES, act)


def test_a_bot_cannot_see_hidden_stones(game: Variant) -> None:
    """What seat 0 does does not depend on the stone of seat 1, which it is dealt anew in its view."""
    chosen: dict[int, list[bool]] = {1: [], 2: [], 3: []}
    peek = compiled(peeking_act)
    for number in range(900):
        states, streams = game.new(1), game.streams(1, 11, number)
        game.resolve(states, streams)
        truth = int(states["stone"][0, 1])
        event = choice_of(game, peek, states, streams)
        chosen[truth].append(event != PASS)
    rates = {truth: np.mean(takes) for truth, takes in chosen.items()}
    assert all(abs(rate - 1 / 3) < 0.09 for rate in rates.values()), rates


def choice_of(game: Variant, player: Bot, states: np.ndarray, streams: np.ndarray) -> int:
    """What a compiled bot chooses in the compiled loop for the seat to move."""
    acts, params = compiled_table([player] * 3)
    log = np.zeros(1, np.int64)
    assert play.advance_first(states.copy(), streams[0], np.arange(3), acts, params, log) == 1
    return int(log[0])


# Bots under a name


def fraction_act(state, legal, rng, params):
    return 1.5


def silent_act(state, legal, rng, params):
    pass


def half_silent_act(state, legal, rng, params):
    if params.size == 0:
        return nth_in(legal, 0)


def mixed_act(state, legal, rng, params):
    return legal[0] if params.size else nth_in(legal, 0)


def mistaken_act(state, legal, rng, params):
    return state.rules.no_such_field


def short_act(state, legal):
    return 0


def allocating_act(state, legal, rng, params):
    return nth_in(legal, np.zeros(1, np.int64)[0])


def told_allocating_act(state, legal, rng, params):
    return nth_in(legal, np.zeros(1, np.int64)[0])


def narrow_act(state, legal, rng, params):
    """An integer of fewer bits, and another one."""
    return np.int32(nth_in(legal, 0)) if params.size else 2


EXPECTED = r"; expected act\(state, legal, rng, params\) that returns the id of a legal event"


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (fraction_act, "it returns float64; expected an integer"),
        (silent_act, "it returns none; expected an integer"),
        (half_silent_act, r"it returns OptionalType\(int64\); expected an integer"),
        (mixed_act, r"it returns float64; expected an integer everywhere, as np.int64\(…\) makes one"),
        (mistaken_act, "the state has no field 'no_such_field'"),
        (short_act, r"it is short_act\(state, legal\)"),
        (forging_act, r"No implementation of function .*setitem\(readonly"),
    ],
)
def test_bots_that_do_not_compile_are_named(act, told: str) -> None:
    compiled_bot("unfit")(act)
    for text in ("unfit", "restricted:bot=unfit,forbid=pass"):
        with pytest.raises(BotError, match=rf"bot 'unfit' does not compile for the game 'pebbles': {told}.*{EXPECTED}"):
            bot(text, PEBBLES)


def test_a_bot_that_creates_arrays_must_say_so(game: Variant) -> None:
    compiled_bot("creates")(allocating_act)
    with pytest.raises(BotError, match=rf"bot 'creates' .*zeros.*{EXPECTED}.*compiled_bot\(…, allocates=True\)"):
        bot("creates", PEBBLES)
    compiled_bot("creates", allocates=True)(told_allocating_act)
    assert (game.play(5, "creates").scores == game.play(5, [compiled(first_act)] * 3).scores).all()


def test_a_fraction_is_refused_whenever_it_is_compiled() -> None:
    """The second time it comes from the cache."""
    for _ in range(2):
        with pytest.raises(TypeError, match="it returns float64"):
            compile_bot(PEBBLES, fraction_act)


def test_bots_may_return_narrow_integers(game: Variant) -> None:
    results = game.play(5, [compiled(narrow_act, 1.0), compiled(first_act), compiled(first_act)], seed=4)
    assert (results.scores == game.play(5, [compiled(first_act)] * 3, seed=4).scores).all()


@pytest.mark.parametrize(("decorator", "default"), [(compiled_bot, True), (compiled_bot, "abc"), (python_bot, False)])
def test_parameters_of_the_wrong_kind_are_refused(decorator, default: object) -> None:
    with pytest.raises(BotError, match=f"bot parameter 'on': default {default!r} is not allowed; expected a number"):
        decorator("tuned", on=default)


@pytest.mark.parametrize("given", [(0.5, 0), (2, 0, 1), (0, 0, 0), (0.5, 1, 0), (0.5, "0", "1"), (float("nan"), 0, 1)])
def test_wrong_bounds_are_refused(given: tuple) -> None:
    told = rf"'on': default {re.escape(repr(given))} is not allowed; expected a number, or \(default, lowest, highest\)"
    with pytest.raises(BotError, match=told):
        compiled_bot("tuned", on=given)


def test_bounds_hold() -> None:
    compiled_bot("bounded", on=(0.5, 0, 1), off=7)(numbered_act)
    assert bot("bounded:on=1,off=-9", PEBBLES).params.tolist() == [1, -9]
    with pytest.raises(BotError, match=r"'on': '1.1' is not allowed; expected a number from 0 to 1"):
        bot("bounded:on=1.1", PEBBLES)


@pytest.mark.parametrize(("decorator", "name"), [(compiled_bot, "compiled_bot"), (python_bot, "python_bot")])
def test_a_decorator_without_a_name_is_refused(decorator, name: str) -> None:
    with pytest.raises(BotError, match=rf'{name}: .* is missing; expected @tabletop.{name}\("first_choice"\)'):
        decorator(first_choice)


class Undocumented:
    def __call__(self, state, legal, rng):
        return legal[0]


class Documented(Undocumented):
    """The first legal action.

    Always.
    """


@pytest.mark.parametrize(
    ("choose", "summary"),
    [
        (Undocumented(), "Undocumented"),
        (Documented(), "The first legal action."),
        (first_choice, "first_choice"),
        (vandal_choice, "vandal_choice"),
        (choice_of, "What a compiled bot chooses in the compiled loop for the seat to move."),
    ],
)
def test_own_bots_are_summed_up_by_their_first_line_or_name(game: Variant, choose, summary: str) -> None:
    python_bot("summed_up")(choose)
    assert kinds()["summed_up"].summary == summary
    if isinstance(choose, Undocumented):
        first = game.play(4, [plain_bot(first_choice)] * 3).scores
        np.testing.assert_array_equal(game.play(4, "summed_up").scores, first)


def test_an_object_is_no_compiled_bot() -> None:
    """Told as other mistakes are, though it has no name of its own."""
    compiled_bot("no_function")(Undocumented())
    with pytest.raises(BotError, match=r"'no_function' does not compile .*: it is Undocumented\(state, legal, rng\)"):
        bot("no_function", PEBBLES)
