"""The compiled loops of the environments: a step of every lane of a batch in one call.

A lane is a place of the batch in which one game after the other is played. A learner is a seat whose actions come
from outside; the other seats are played by bots. Entry e of the table of bots sits on seat (e + shift) mod players,
and the learners are its first entries. A step of a lane has three stages, between which bots in plain Python may
have to be asked:

1. `move`: the learner's action is played, then chance and bots until a learner must act; or the next game begins.
2. `settle`: rewards; a game that is over gives way to the next one, if lanes begin anew in the same step.
3. `show`: observation and action mask.
"""

import numpy as np

from tabletop.bits import EMPTY, lowest, without_lowest
from tabletop.bots import call_act
from tabletop.envs.rewards import forfeit, value
from tabletop.game import (
    CHANCE,
    OVER,
    action_words,
    chance_streams,
    legal,
    observe,
    ranking,
    redeal,
    sample,
    scores,
    step,
    to_move,
)
from tabletop.jit import jit
from tabletop.play import is_legal_action, uniform_action
from tabletop.rng import start_streams

LEARNER, PLAIN = 0, 1  # in a table of bots, in place of an address
NOBODY = -1
LOSE, RANDOM, RAISE = range(3)  # what an illegal action does
NEXT_STEP, SAME_STEP, DISABLED = range(3)  # when the next game of a lane begins
SOUND = -1  # no lane in trouble
MOST_UNDECIDED = 1000  # games in a row that may end before a learner's first decision

LANE = np.dtype(
    [
        ("seed", np.uint64),
        ("game", np.uint64),  # number of the game among those of the seed
        ("shift", np.int64),  # seat of the first entry of the table of bots
        ("turn", np.int64),  # actions of learners so far
        ("offender", np.int64),  # seat that lost by an illegal action, or NOBODY
        ("over", np.bool_),  # the game has ended, and the next has not begun
        ("fresh", np.bool_),  # the game has just begun
    ],
    align=True,
)

SETUP = np.dtype(
    [
        ("players", np.int64),
        ("learners", np.int64),
        ("seat", np.int64),  # seat of the first entry of the table of bots
        ("rotates", np.bool_),  # it moves on by one seat from game to game
        ("illegal", np.int64),
        ("autoreset", np.int64),
        ("reward", np.int64),
        ("dense", np.bool_),
        ("tells", np.bool_),  # points and places are wanted in every step
    ],
    align=True,
)


@jit(inlined=True)
def entry_on(seat: int, lane, setup) -> int:
    """The entry of the table of bots that sits on a seat."""
    entry = seat - lane.shift
    return entry if entry >= 0 else entry + setup.players


@jit(inlined=True)
def seat_of(entry: int, lane, setup) -> int:
    """The seat of an entry of the table of bots."""
    seat = entry + lane.shift
    return seat if seat < setup.players else seat - setup.players


# Stage 1: move


@jit
def ask_bot(s, rng, legal_words, view, address, params):
    """What a compiled bot chooses for the seat to move, from a view dealt anew for it; fills `legal_words`."""
    mover = to_move(s)
    stream = chance_streams(s) + mover
    own_stream = rng[stream : stream + 1]
    legal(s, legal_words)
    view[0] = s
    redeal(view[0], mover, own_stream)
    return call_act(address, view[0], legal_words, own_stream, params)


@jit
def run_on(s, lane, rng, legal_words, view, setup, bots, params):
    """Plays chance and compiled bots until somebody else must act or the game is over.

    Returns whether all went well; a bot's illegal choice is not played.
    """
    while True:
        mover = to_move(s)
        if mover == OVER:
            return True
        if mover == CHANCE:
            step(s, sample(s, rng))
            continue
        entry = entry_on(mover, lane, setup)
        if bots[entry] == LEARNER or bots[entry] == PLAIN:
            return True
        event = ask_bot(s, rng, legal_words, view, bots[entry], params[entry])
        if not is_legal_action(s, legal_words, event):
            return False
        step(s, event)


@jit
def lay_out(states, i, template, lane, rng, keys, last, setup):
    """Sets a lane to the first position of its game."""
    start_streams(rng, lane.seed, lane.game, keys)
    states[i] = template[0]
    lane.turn = 0
    lane.offender = NOBODY
    lane.over = False
    lane.fresh = True
    turned = np.int64((lane.seed + lane.game) % np.uint64(setup.players)) if setup.rotates else 0
    lane.shift = (setup.seat + turned) % setup.players
    last[:] = 0.0


@jit
def begin_game(states, i, template, lane, rng, keys, last, legal_words, view, setup, bots, params):
    """Begins the lane's game and plays to the first decision of a learner; returns whether all went well.

    A game that is over before a learner had to decide is passed over for the next.
    """
    for _ in range(MOST_UNDECIDED):
        lay_out(states, i, template, lane, rng, keys, last, setup)
        if not run_on(states[i], lane, rng, legal_words, view, setup, bots, params):
            return False
        if to_move(states[i]) != OVER:
            return True
        lane.game += np.uint64(1)
    return False


@jit
def play_action(s, lane, rng, legal_words, action, setup):
    """Plays a learner's action; an illegal one loses the game, or a random legal one takes its place."""
    lane.turn += 1
    lane.fresh = False
    if not is_legal_action(s, legal_words, action):
        if setup.illegal == LOSE:
            lane.offender = to_move(s)
            return
        action = uniform_action(s, legal_words, rng, chance_streams(s) + to_move(s))
    step(s, action)


@jit
def move(states, i, template, lane, rng, keys, last, legal_words, view, setup, bots, params, action):
    """Stage 1 of a lane; returns whether all went well."""
    if lane.over:
        if setup.autoreset != NEXT_STEP:
            return True
        lane.game += np.uint64(1)
        return begin_game(states, i, template, lane, rng, keys, last, legal_words, view, setup, bots, params)
    play_action(states[i], lane, rng, legal_words, action, setup)
    if lane.offender != NOBODY:
        return True
    return run_on(states[i], lane, rng, legal_words, view, setup, bots, params)


# Stage 2: settle


@jit
def count_up(s, lane, points, places, setup):
    """Writes the points and places of all seats, as they count for the rewards."""
    scores(s, points)
    ranking(s, places)
    if lane.offender != NOBODY:
        forfeit(points, places, setup.players, lane.offender)


@jit
def pay(s, lane, last, points, places, rewards, setup):
    """Writes the rewards of the learners since their last turns: at the end of all, else of the one to move."""
    for entry in range(setup.learners):
        seat = seat_of(entry, lane, setup)
        if lane.over or seat == to_move(s):
            worth = value(setup.reward, points, places, setup.players, seat)
            rewards[entry] = worth - last[entry]
            last[entry] = worth


@jit
def settle(s, lane, last, points, places, rewards, setup):
    """Stage 2 of a lane, up to the beginning of the next game."""
    rewards[:] = 0.0
    if lane.over:
        return
    lane.over = lane.offender != NOBODY or to_move(s) == OVER
    if lane.over or setup.dense or setup.tells:
        count_up(s, lane, points, places, setup)
    if not lane.fresh and (lane.over or setup.dense):
        pay(s, lane, last, points, places, rewards, setup)


@jit
def keep_end(s, lane, points, places, ends, end_points, end_places, end_turns, setup):
    """Keeps what is to be told of a game that gives way to the next one."""
    observe(s, seat_of(0, lane, setup), ends)
    for seat in range(points.size):
        end_points[seat], end_places[seat] = points[seat], places[seat]
    end_turns[0], end_turns[1] = lane.turn, seat_of(0, lane, setup)


# Stage 3: show


@jit
def unpack_actions(s, legal_words, mask):
    """Writes the set of actions as 0 and 1."""
    mask[:] = 0
    for w in range(action_words(s)):
        members = legal_words[w]
        while members != EMPTY:
            mask[64 * w + lowest(members)] = 1
            members = without_lowest(members)


@jit
def show(s, lane, legal_words, observation, mask, setup):
    """Stage 3 of a lane: what its learner, or the one of several who must act, sees and may do.

    When the game is over the mask is all 1: whatever is chosen has no effect.
    """
    mover = to_move(s)
    observe(s, mover if setup.learners > 1 and mover >= 0 else seat_of(0, lane, setup), observation)
    if lane.over:
        mask[:] = 1
    else:
        legal(s, legal_words)
        unpack_actions(s, legal_words, mask)


# Batches of lanes, from `low` to `high` − 1


@jit
def move_lanes(low, high, states, lanes, rngs, sets, lasts, view, template, keys, setups, bots, params, actions):
    """Stage 1 of the lanes; returns the first one in which a bot chose illegally, or SOUND."""
    trouble = SOUND
    for i in range(low, high):
        if not move(
            states, i, template, lanes[i], rngs[i], keys, lasts[i], sets[i], view, setups[0], bots, params, actions[i]
        ):
            trouble = i if trouble == SOUND else trouble
    return trouble


@jit
def run_on_lanes(low, high, states, lanes, rngs, sets, view, setups, bots, params):
    """Plays chance and compiled bots; returns the first lane in which a bot chose illegally, or SOUND."""
    trouble = SOUND
    for i in range(low, high):
        waits = not lanes[i].over and lanes[i].offender == NOBODY
        if waits and not run_on(states[i], lanes[i], rngs[i], sets[i], view, setups[0], bots, params):
            trouble = i if trouble == SOUND else trouble
    return trouble


@jit
def settle_lanes(low, high, states, lanes, lasts, points, places, setups, rewards, terminated):
    """Stage 2 of the lanes, up to the beginning of the next games."""
    for i in range(low, high):
        settle(states[i], lanes[i], lasts[i], points[i], places[i], rewards[i], setups[0])
        terminated[i] = lanes[i].over


@jit
def begin_lanes(states, lanes, rngs, sets, lasts, view, template, keys, setups, bots, params, chosen):
    """Begins the games of the chosen lanes; returns the first in which a bot chose illegally, or SOUND."""
    trouble = SOUND
    for i in range(chosen.size):
        if chosen[i] and not begin_game(
            states, i, template, lanes[i], rngs[i], keys, lasts[i], sets[i], view, setups[0], bots, params
        ):
            trouble = i if trouble == SOUND else trouble
    return trouble


@jit
def show_lanes(states, lanes, sets, setups, observations, masks):
    """Stage 3 of all lanes."""
    for i in range(states.shape[0]):
        show(states[i], lanes[i], sets[i], observations[i], masks[i], setups[0])


@jit
def count_up_lanes(states, lanes, points, places, setups):
    """Writes the points and places of all lanes."""
    for i in range(states.shape[0]):
        count_up(states[i], lanes[i], points[i], places[i], setups[0])


@jit
def keep_ends(states, lanes, points, places, setups, ended, ends, end_points, end_places, end_turns):
    """Keeps what is to be told of the games that have ended."""
    for i in range(states.shape[0]):
        if ended[i]:
            keep_end(
                states[i],
                lanes[i],
                points[i],
                places[i],
                ends[i],
                end_points[i],
                end_places[i],
                end_turns[i],
                setups[0],
            )


@jit
def step_lanes(
    low,
    high,
    states,
    lanes,
    rngs,
    sets,
    lasts,
    points,
    places,
    view,
    template,
    keys,
    setups,
    bots,
    params,
    actions,
    observations,
    masks,
    rewards,
    terminated,
    ends,
    end_points,
    end_places,
    end_turns,
):
    """All three stages of the lanes, for tables of compiled bots; the first lane in trouble, or SOUND."""
    trouble = SOUND
    setup = setups[0]
    for i in range(low, high):
        lane, rng, legal_words, last = lanes[i], rngs[i], sets[i], lasts[i]
        sound = move(
            states, i, template, lane, rng, keys, last, legal_words, view, setup, bots, params, np.int64(actions[i])
        )
        settle(states[i], lane, last, points[i], places[i], rewards[i], setup)
        terminated[i] = lane.over
        if lane.over and setup.autoreset == SAME_STEP:
            keep_end(states[i], lane, points[i], places[i], ends[i], end_points[i], end_places[i], end_turns[i], setup)
            lane.game += np.uint64(1)
            sound &= begin_game(states, i, template, lane, rng, keys, last, legal_words, view, setup, bots, params)
            if setup.tells:
                count_up(states[i], lane, points[i], places[i], setup)
        show(states[i], lane, legal_words, observations[i], masks[i], setup)
        if not sound and trouble == SOUND:
            trouble = i
    return trouble


@jit
def first_illegal_action(states, lanes, sets, actions):
    """The first lane that is not over and whose action is not legal, or SOUND."""
    for i in range(states.shape[0]):
        if not lanes[i].over and not is_legal_action(states[i], sets[i], np.int64(actions[i])):
            return i
    return SOUND


@jit
def lanes_that_wait(states, lanes, setups, bots, out):
    """Writes the seat to move in every lane that waits for a bot in plain Python, else NOBODY; returns how many."""
    waiting = 0
    for i in range(states.shape[0]):
        mover = to_move(states[i])
        out[i] = NOBODY
        if mover >= 0 and lanes[i].offender == NOBODY and bots[entry_on(mover, lanes[i], setups[0])] == PLAIN:
            out[i] = mover
            waiting += 1
    return waiting
