"""What holds in every game: soundness, endings, agreement of `sample` and `weights`, text both ways."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rattus_positions import PLAYERS, at, played_until, to_move
from scipy.stats import chisquare

from rattus import position
from tabletop import play
from tabletop.game import CHANCE, OVER
from tabletop.rng import seed_word
from tabletop.variant import make

CHOICES = {
    "initial_placement": ("empty", "own_distinct", "any"),
    "reveal": ("until_empty", "all"),
    "knight_final": ("neutral", "none"),
}
OPTIONS = [dict(zip(CHOICES, values, strict=True)) for values in itertools.product(*CHOICES.values())]
ODD = [
    {"cubes": 0},
    {"cubes": 1, "settle_cubes": 0, "initial_placement": "own_distinct"},
    {"cubes": 100, "settle_cubes": 60, "merchant_cubes": 40, "initial_placement": "any", "peasant_cubes": 100},
    {"tokens_per_region": 1, "spread": [3, 3, 0, 0]},
    {"tokens_per_region": 2, "spread": [100, 100, 100, 100]},
    {"removed": {"2": 41, "3": 39, "4": 37}},
    {"removed": {"2": 0, "3": 0}, "knight_steps": 100, "neutral_cubes": 100},
    {"merchant_cubes": 0, "knight_steps": 1, "neutral_cubes": 0, "peasant_cubes": 0, "reveal": "all"},
    {"spread": [0, 0, 0, 0], "max_turns": 1},
    {"spread": [0, 0, 0, 0], "max_turns": 60_000, "cubes": 50},
]


def faults(game, games, seed=1):
    return play.faults_of_random_games(game.template, seed_word(seed), 0, games, game.stream_keys)


@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_are_sound_and_end(players):
    for options in OPTIONS:
        assert faults(make("rattus", players=players, **options), 20) == 0


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("settings", ODD, ids=str)
def test_random_games_with_odd_parameters_are_sound_and_end(players, settings):
    assert faults(make("rattus", players=players, **settings), 3) == 0


def test_random_games_with_other_files_are_sound_and_end(tmp_path):
    types = {
        f"{1 + i % 6}{'M' * (i % 8)}{'P' * (i & 1)}{'K' * (i >> 1 & 1)}{'A' * (i // 8)}": 1 + i % 5 for i in range(64)
    }
    starting = dict(list(types.items())[:20])
    (tmp_path / "tokens.json").write_text(
        json.dumps({"starting": starting, "other": {name: n for name, n in types.items() if name not in starting}})
    )
    names = "abcdefghijkl"
    regions = {name: {"players": (4, 2, 2, 3, 2, 2, 4, 2, 3, 2, 2, 2)[i]} for i, name in enumerate(names)}
    star = [{"between": ["b", name]} for name in names if name != "b"]
    (tmp_path / "map.json").write_text(json.dumps({"regions": regions, "edges": star}))
    for players in PLAYERS:
        files = {"tokens": str(tmp_path / "tokens.json"), "map": str(tmp_path / "map.json")}
        assert faults(make("rattus", players=players, **files), 30) == 0


@pytest.mark.slow
def test_a_hundred_thousand_random_games_are_sound_and_end():
    games = -(-100_000 // (len(OPTIONS) * len(PLAYERS)))
    for players, options in itertools.product(PLAYERS, OPTIONS):
        assert faults(make("rattus", players=players, **options), games, seed=players) == 0


def test_a_state_is_small():
    assert make("rattus").game.state.itemsize <= 768


def chance_nodes():
    """A node of each kind of chance, with and without several tokens of a type."""
    game = make("rattus", players=3)
    yield game, game.new(1)
    for name in ("start", "draw"):
        yield game, played_until(game, 2, lambda s, name=name: game.text(s).startswith(f"next     {name}"))
    yield at(
        "next last reveal, seat 0\nbegun gallia:1\nfinal by 0\nturns 9\n| * gallia |\n| 1 . |\n| 1PB 2MPC+ 6MMAA |",
        players=2,
    )


@pytest.fixture
def doubles(tmp_path):
    path = tmp_path / "tokens.json"
    path.write_text('{"starting": {"1PB": 7, "2MPC": 1, "1BC": 4}, "other": {"5MMPA": 3, "6MMAA": 9}}')
    game = make("rattus", players=2, tokens=str(path), removed={"2": 2})
    return [(game, game.new(1)), (game, played_until(game, 2, lambda s: game.text(s).startswith("next     draw")))]


def test_sample_agrees_with_weights(doubles):
    for game, state in [*chance_nodes(), *doubles]:
        assert to_move(game, state) == CHANCE
        weights = game.weights(state)[0]
        assert np.array_equal(np.flatnonzero(weights) + game.actions, game.legal(state)[0])
        draws = 4000
        streams = game.streams(draws, seed=8)
        sampled = [play.sample_first(state, streams[i]) for i in range(draws)]
        observed = np.bincount(np.array(sampled) - game.actions, minlength=len(weights))
        assert not observed[weights == 0].any()
        expected = weights[weights > 0] * draws / weights.sum()
        assert chisquare(observed[weights > 0], expected).pvalue > 0.001


@given(seed=st.integers(0, 10**6), players=st.sampled_from(PLAYERS), events=st.integers(0, 300))
def test_a_position_as_text_is_the_position(seed, players, events):
    game = make("rattus", players=players, initial_placement=("empty", "own_distinct", "any")[seed % 3])
    left = iter(range(events))
    state = played_until(game, seed, lambda s: next(left, None) is None or to_move(game, s) == OVER)
    assert position(game.text(state), game.settings).tobytes() == state.tobytes()


def test_text_of_a_position_is_readable():
    picture = "\n".join(
        [
            "next     first part, seat 0",
            "turns    3",
            "supply   27",
            "reserve  17 20",
            "palace   1 0",
            "cards    king 0, witch 1",
            "usable   king",
            "revealed 2MPC",
            *("+------------" * 4 + "+", "| anglia     | scandia    | polonia    |            |"),
            "| 2 .        | . .        | . .        |            |",
            "| 1KW!1 2MBC+ |            |            |            |",
        ]
    )
    game, state = at(picture.replace("supply   27\n", ""))
    text = game.text(state)
    for line in picture.splitlines():
        if line.startswith(("next", "turns", "reserve", "palace", "cards", "usable", "revealed")):
            assert line in text
    assert "1KW!1 2MBC+" in text


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("plagues 3", "unknown line 'plagues'"),
        ("| atlantis |\n| 1 1 |\n| |", "unknown name 'atlantis'"),
        ("| gallia |\n| 1 1 |\n| 9X |", "unknown name '9X'"),
        ("| gallia |\n| 21 1 |\n| |", "seat 0 has more than 20"),
        ("| gallia |\n| 1 1 |\n| 1PB 1PB |", "more of '1PB'"),
        ("reserve 3 3", "does not follow from the rest; expected '20 20'"),
        ("supply 3", "does not follow from the rest"),
        ("next thinking, seat 0", "unknown name 'thinking'"),
    ],
)
def test_text_that_is_no_position_is_refused(picture, message):
    with pytest.raises(ValueError, match=message):
        position(picture, make("rattus", players=2).settings)


def test_set_up_again_is_the_first_position():
    game = make("rattus", players=3)
    state = played_until(game, 5, lambda s: to_move(game, s) == OVER)
    play.set_up(state)
    assert state.tobytes() == game.template.tobytes()


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("reserve", 3, "cubes of a player"),
        ("left", 2, "rat tokens of a type"),
        ("places", 0b111, "slots of a region"),
        ("own", 0, "`own` is not"),
        ("pool", 1, "`pool`"),
        ("held", 0x0303, "class card is held twice"),
        ("plague", 11, "plague piece"),
        ("palace", 1 << 24, "seat that does not play"),
    ],
)
def test_faults_are_found(field, value, fault):
    game = make("rattus", players=2)
    state = played_until(game, 4, lambda s: s["turns"][0] == 4)
    assert game.faults(state)[0] == 0
    state[field] = value
    found = int(game.faults(state)[0])
    assert any(name for i, name in enumerate(game.fault_names) if found >> i & 1 and fault in name)


def test_the_rules_without_the_compiler(run_python):
    """The same games as compiled, event for event, in plain Python with bounds checks by numpy."""
    code = (
        "import warnings; warnings.filterwarnings('ignore')\n"
        "from tabletop.variant import make\n"
        "from tabletop import play\n"
        "import numpy as np\n"
        "for players in (2, 4):\n"
        "    game = make('rattus', players=players, max_turns=6)\n"
        "    state, streams = game.new(1), game.streams(1, 3)\n"
        "    words = np.zeros(len(game.empty_sets(1)[0]), np.uint64)\n"
        "    print(play.play_out(state[0], streams[0], words), state.tobytes().hex())\n"
    )
    assert run_python(code, NUMBA_DISABLE_JIT="1") == run_python(code)
