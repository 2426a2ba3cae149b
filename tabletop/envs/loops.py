"""The compiled loop of the environments: a step of every lane of a batch in one call.

A lane is a place of the batch in which one game after the other is played. A learner is a seat whose actions come
from outside; the other seats are played by bots. Entry e of the table of bots sits on seat (e + shift) mod players,
and the learners are its first entries.

A step of a lane plays a learner's action, then chance and bots until a learner must act or the game is over; pays the
learners; begins the next game if it is time to; and shows observation and mask. Where a bot in plain Python must act
the step stops, the caller plays what that bot chooses, and the step goes on in the next call.
"""

import numpy as np

from tabletop.bits import WORD_BITS, write_set
from tabletop.envs.rewards import forfeit, value
from tabletop.game import (
    CHANCE,
    OVER,
    act_unseeing,
    actions,
    legal,
    observe,
    ranking,
    scores,
    seat_stream,
    step,
    to_move,
    uniform_action,
)
from tabletop.jit import jit
from tabletop.play import ask_bot, is_legal_action, resolve_chance
from tabletop.rng import start_streams

LEARNER, PLAIN, UNIFORM = 0, 1, 2  # in a table of bots, in place of an address
BEGIN, GO_ON, IDLE = -1, -2, -3  # in place of an action: begin the lane's game, go on with a step, only show
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
        ("fresh", np.bool_),  # no learner has acted yet
        ("waits", np.bool_),  # a bot in plain Python must act before the step can go on, or a compiled one has not yet
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


@jit(inlined=True)
def is_learners_turn(s, lane, setup) -> bool:
    """Whether a learner is to move."""
    mover = to_move(s)
    return mover >= 0 and entry_on(mover, lane, setup) < setup.learners


# Playing. What is called in one place only is inlined: a call passes on some sixty numbers, for the arrays.


@jit
def run_on(s, lane, rng, legal_words, view, setup, bots, params):
    """Plays chance and compiled bots until somebody else must act or the game is over.

    UNIFORM stands for the uniform bot: it draws from the stream of its seat what it would through `ask_bot`, but needs
    no view. Returns whether all went well; a bot's illegal choice is not played.
    """
    lane.waits = False
    while True:
        mover = to_move(s)
        if mover == OVER:
            return True
        if mover == CHANCE:
            resolve_chance(s, rng)
            continue
        entry = entry_on(mover, lane, setup)
        if bots[entry] == LEARNER or bots[entry] == PLAIN:
            lane.waits = bots[entry] == PLAIN
            return True
        if bots[entry] == UNIFORM:
            act_unseeing(s, rng, legal_words)
            continue
        lane.waits = True
        event = ask_bot(s, rng, legal_words, view, bots[entry], params[entry])
        lane.waits = False
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
    """Begins the lane's game and plays to the first decision of a learner or a plain bot; whether all went well.

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


@jit(inlined=True)
def play_action(s, lane, rng, legal_words, action, setup):
    """Plays a learner's action; an illegal one loses the game, or a random legal one takes its place."""
    lane.turn += 1
    lane.fresh = False
    if not is_legal_action(s, legal_words, action):
        if setup.illegal == LOSE:
            lane.offender = to_move(s)
            return
        action = uniform_action(s, legal_words, rng, seat_stream(s))
    step(s, action)


# Paying


@jit
def count_up(s, lane, tally, setup):
    """Writes points and places of all seats to `tally` (2 × seats), as they count for the rewards."""
    scores(s, tally[0])
    ranking(s, tally[1])
    if lane.offender != NOBODY:
        forfeit(tally[0], tally[1], setup.players, lane.offender)


@jit
def pay(s, lane, last, tally, rewards, setup):
    """Writes the rewards of the learners since their last turns: at the end of all, else of the one to move."""
    for entry in range(setup.learners):
        seat = seat_of(entry, lane, setup)
        if lane.over or seat == to_move(s):
            worth = value(setup.reward, tally[0], tally[1], setup.players, seat)
            rewards[entry] = worth - last[entry]
            last[entry] = worth


@jit(inlined=True)
def settle(s, lane, last, tally, rewards, setup):
    """Notes whether the game is over, and pays the learners."""
    lane.over = lane.offender != NOBODY or to_move(s) == OVER
    if lane.over or setup.dense or setup.tells:
        count_up(s, lane, tally, setup)
    if lane.over or setup.dense:
        pay(s, lane, last, tally, rewards, setup)


@jit
def keep_end(s, lane, tally, end, end_tally, end_turn, setup):
    """Keeps what is to be told of a game that gives way to the next one."""
    observe(s, seat_of(0, lane, setup), end)
    for seat in range(setup.players):
        end_tally[0, seat], end_tally[1, seat] = tally[0, seat], tally[1, seat]
    end_turn[0], end_turn[1] = lane.turn, seat_of(0, lane, setup)


# Showing


@jit
def unpack_actions(s, legal_words, mask):
    """Writes the set of actions as 0 and 1."""
    whole = actions(s) // WORD_BITS
    for w in range(whole):
        write_set(mask, WORD_BITS * w, WORD_BITS, legal_words[w])
    if actions(s) > WORD_BITS * whole:
        write_set(mask, WORD_BITS * whole, actions(s) - WORD_BITS * whole, legal_words[whole])


@jit(inlined=True)
def show(s, lane, legal_words, observation, mask, setup):
    """What the learner of a lane, or the one of several who must act, sees and may do; returns the seat to move.

    When the game is over the mask is all 1: whatever is chosen has no effect.
    """
    mover = to_move(s)
    observe(s, mover if setup.learners > 1 and mover >= 0 else seat_of(0, lane, setup), observation)
    if lane.over:
        mask[:] = 1
        return OVER
    legal(s, legal_words)
    unpack_actions(s, legal_words, mask)
    return mover


# Lanes


@jit(inlined=True)
def play_and_pay(s, lane, rng, legal_words, view, setup, bots, params, action, last, tally, rewards):
    """Plays an action and what follows from it, or goes on with that, and pays; returns whether all went well."""
    if action >= 0:
        play_action(s, lane, rng, legal_words, action, setup)
    sound, lane.waits = True, False
    if lane.offender == NOBODY and not is_learners_turn(s, lane, setup):
        sound = run_on(s, lane, rng, legal_words, view, setup, bots, params)
    if sound and not lane.waits and not lane.fresh:
        settle(s, lane, last, tally, rewards, setup)
    return sound


@jit(inlined=True)
def begins_next(s, lane, action, was_over, setup):
    """Whether the next game of a lane begins: at a step after the end, at the end, or when this one was undecided."""
    if lane.over:
        return action != IDLE and setup.autoreset == (NEXT_STEP if was_over else SAME_STEP)
    return action == GO_ON and lane.fresh and to_move(s) == OVER


@jit
def step_lanes(
    low,
    high,
    states,
    lanes,
    rngs,
    sets,
    lasts,
    tallies,
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
    seats,
    ends,
    end_tallies,
    end_turns,
):
    """A step of the lanes `low` … `high` − 1; returns the first in which a bot chose illegally, or SOUND.

    actions: of the learners, or BEGIN, GO_ON or IDLE. Arrays have the lane as their first axis, but view (1 state),
    template (1), keys (one a stream), setups (1), bots and params (one an entry of the table).
    """
    trouble, setup = SOUND, setups[0]
    for i in range(low, high):
        s, lane, rng, legal_words, last = states[i], lanes[i], rngs[i], sets[i], lasts[i]
        action, was_over, sound = np.int64(actions[i]), lane.over, True
        if action >= BEGIN:
            rewards[i, :] = 0.0
            terminated[i] = was_over and action >= 0 and setup.autoreset == DISABLED
        if action == GO_ON or (action >= 0 and not was_over):
            sound = play_and_pay(
                s, lane, rng, legal_words, view, setup, bots, params, action, last, tallies[i], rewards[i]
            )
            terminated[i] |= lane.over
        is_next = action != BEGIN and begins_next(s, lane, action, was_over, setup)
        if is_next and lane.over and not was_over:
            keep_end(s, lane, tallies[i], ends[i], end_tallies[i], end_turns[i], setup)
        if is_next or action == BEGIN:
            lane.game += np.uint64(is_next)
            sound = begin_game(states, i, template, lane, rng, keys, last, legal_words, view, setup, bots, params)
        if setup.tells and (lane.fresh or action == IDLE):
            count_up(s, lane, tallies[i], setup)
        seats[i] = show(s, lane, legal_words, observations[i], masks[i], setup)
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
