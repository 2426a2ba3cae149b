"""What every game must keep, checked at every node of random games by compiled loops that know no game.

`walk` plays one random game and returns the set of broken promises, as bits of `PROMISES`, and the number of
events after which the first one was broken.
"""

import numpy as np

from tabletop.bits import ALL, EMPTY, bit, count_in, has_in
from tabletop.game import (
    CHANCE,
    OVER,
    act_ahead,
    action_words,
    actions,
    chance_streams,
    draw_ahead,
    faults,
    legal,
    observe,
    ranking,
    redeal,
    sample,
    scores,
    seat_stream,
    seats,
    step,
    stream,
    to_move,
    uniform_action,
    weights,
    words,
)
from tabletop.game import events as all_events
from tabletop.jit import jit

PROMISES = (
    "faults is 0",
    "to_move is a seat, CHANCE or OVER",
    "a seat has a legal event, and only actions",
    "a lone pass is skipped",
    "chance has a legal event, and only outcomes",
    "exactly the legal outcomes have a weight",
    "sample draws a legal outcome",
    "sample draws from the node's own stream only",
    "draw_ahead does what as many samples and steps do, to the position and to the streams",
    "act_ahead does what as many random actions and steps do, to the position and to the streams",
    "every legal event leads to a sound position",
    "questions do not change the position",
    "the same question has the same answer, whatever the buffer held",
    "an observation keeps within its features",
    "redeal changes nothing that the seat may know",
    "redeal makes a sound position",
    "redeal draws from stream 0 only",
    "places fit each other: as many seats are better as the place says",
    "more points do not mean a worse place",
    "the game ends",
    "a fixed seat order: no more seats than the game has",
)
(
    SOUND,
    MOVER,
    ACTIONS_ONLY,
    NO_LONE_PASS,
    OUTCOMES_ONLY,
    WEIGHTS,
    SAMPLE,
    OWN_STREAM,
    DRAW_AHEAD,
    ACT_AHEAD,
    SOUND_AFTER,
    UNCHANGED,
    SAME_ANSWER,
    BOUNDS,
    SAME_KNOWLEDGE,
    SOUND_REDEAL,
    STREAM_0,
    PLACES,
    POINTS,
    ENDS,
    SEATS,
) = range(len(PROMISES))

MOST_EVENTS = 20_000
JUNK = 77  # what buffers hold before a question


@jit
def broken(promise, kept):
    return 0 if kept else 1 << promise


@jit
def are_equal(one, other, size):
    same = True
    for i in range(size):
        same = same and one[i] == other[i]
    return same


@jit
def copy_to(target, source):
    """Copies an array; assigning to a slice would allocate."""
    for i in range(target.size):
        target[i] = source[i]


@jit
def take_step(s, event):
    """`step`, compiled once for all that call it here."""
    step(s, event)


@jit
def draw_outcome(s, rng):
    """`sample`, compiled once for all that call it here."""
    return sample(s, rng)


@jit
def write_legal(s, out):
    """`legal`, compiled once for all that call it here."""
    legal(s, out)


@jit
def only_in(members, size, low, high):
    """Whether all members of the set in the first `size` words are from low to high − 1."""
    within = True
    for i in range(size * 64):
        within = within and (low <= i < high or not has_in(members, i))
    return within


@jit
def audit_mover(s):
    mover = to_move(s)
    found = broken(MOVER, mover in (CHANCE, OVER) or 0 <= mover < seats(s))
    return found | broken(SOUND, faults(s) == 0)


@jit
def audit_legal(s, one, other, passes):
    """Fills `one` with the legal events."""
    at_chance = to_move(s) == CHANCE
    size = words(s) if at_chance else action_words(s)
    one[:] = EMPTY
    other[:] = ALL
    write_legal(s, one)
    write_legal(s, other)
    found = broken(SAME_ANSWER, are_equal(one, other, size))
    number = count_in(one, size)
    if at_chance:
        return found | broken(OUTCOMES_ONLY, number > 0 and only_in(one, size, actions(s), all_events(s)))
    found |= broken(ACTIONS_ONLY, number > 0 and only_in(one, size, 0, actions(s)))
    lone_pass = number == 1
    for w in range(size):
        lone_pass = lone_pass and one[w] & ~passes[w] == EMPTY
    return found | broken(NO_LONE_PASS, not lone_pass)


@jit
def audit_weights(s, legal_words, one):
    """Fills `one` with the weights."""
    one[:] = JUNK
    weights(s, one)
    agree = True
    for k in range(one.size):
        agree = agree and one[k] >= 0 and (one[k] > 0) == has_in(legal_words, actions(s) + k)
    return broken(WEIGHTS, agree)


@jit
def audit_sample(s, legal_words, rng, rng_before):
    copy_to(rng_before, rng)
    drawn = draw_outcome(s, rng)
    own = stream(s)
    found = broken(SAMPLE, actions(s) <= drawn < all_events(s) and has_in(legal_words, drawn))
    others_kept = 0 <= own < chance_streams(s)
    for k in range(rng.size):
        others_kept = others_kept and (k == own or rng[k] == rng_before[k])
    copy_to(rng, rng_before)
    return found | broken(OWN_STREAM, others_kept)


@jit
def audit_draw_ahead(states, pair, pair_bytes, rng, rngs):
    """One copy of the position and of the streams draws ahead, the other one by one."""
    copy_twice(states, pair, rng, rngs)
    drawn = draw_ahead(pair[0], rngs[0])
    at_chance = True
    for _ in range(drawn):
        at_chance = at_chance and to_move(pair[1]) == CHANCE
        if at_chance:
            take_step(pair[1], draw_outcome(pair[1], rngs[1]))
    return broken(DRAW_AHEAD, drawn > 0 and at_chance and are_alike(pair_bytes, rngs))


@jit
def audit_act_ahead(states, pair, pair_bytes, rng, rngs, legal_words):
    """One copy of the position and of the streams acts ahead, the other one by one."""
    copy_twice(states, pair, rng, rngs)
    acted = act_ahead(pair[0], rngs[0], legal_words)
    at_seat = True
    for _ in range(acted):
        at_seat = at_seat and to_move(pair[1]) >= 0
        if at_seat:
            write_legal(pair[1], legal_words)
            take_step(pair[1], uniform_action(pair[1], legal_words, rngs[1], seat_stream(pair[1])))
    return broken(ACT_AHEAD, acted > 0 and at_seat and are_alike(pair_bytes, rngs))


@jit
def copy_twice(states, pair, rng, rngs):
    """Copies the position and the streams twice."""
    for k in range(2):
        pair[k] = states[0]
        copy_to(rngs[k], rng)


@jit
def are_alike(pair_bytes, rngs):
    """Whether both positions are the same bytes and both sets of streams the same words."""
    size = pair_bytes.size // 2
    return are_equal(pair_bytes[:size], pair_bytes[size:], size) and are_equal(rngs[0], rngs[1], rngs.shape[1])


@jit
def audit_steps(states, copies, legal_words):
    """Tries every legal event on a copy."""
    found = 0
    at_chance = to_move(states[0]) == CHANCE
    for event in range(all_events(states[0]) if at_chance else actions(states[0])):
        if has_in(legal_words, event):
            copies[0] = states[0]
            take_step(copies[0], event)
            if audit_mover(copies[0]):
                found |= broken(SOUND_AFTER, False)
    return found


@jit
def audit_observation(s, seat, one, other, low, high):
    """Fills `one` with what the seat observes."""
    one[:] = JUNK
    other[:] = -JUNK
    observe(s, seat, one)
    observe(s, seat, other)
    within = True
    for k in range(one.size):
        within = within and low[k] <= one[k] <= high[k]
    return broken(BOUNDS, within) | broken(SAME_ANSWER, are_equal(one, other, one.size))


@jit
def audit_redeal(states, copies, seat, one, other, legal_words, dealt_words, rng, rng_before):
    """`one` is what the seat observes of the position."""
    copies[0] = states[0]
    copy_to(rng_before, rng)
    redeal(copies[0], seat, rng)
    found = broken(STREAM_0, are_equal(rng[1:], rng_before[1:], rng.size - 1))
    copy_to(rng, rng_before)
    dealt = copies[0]
    observe(dealt, seat, other)
    same = to_move(dealt) == to_move(states[0]) and are_equal(one, other, one.size)
    if same and to_move(dealt) == seat:
        dealt_words[:] = EMPTY
        write_legal(dealt, dealt_words)
        same = are_equal(legal_words, dealt_words, action_words(dealt))
    return found | broken(SAME_KNOWLEDGE, same) | broken(SOUND_REDEAL, faults(dealt) == 0)


@jit
def audit_places(s, points, places):
    points[:] = JUNK
    places[:] = JUNK
    scores(s, points)
    ranking(s, places)
    fit, fair = True, True
    for seat in range(seats(s)):
        better = 0
        for other in range(seats(s)):
            better += places[other] < places[seat]
            fair = fair and not (points[other] > points[seat] and places[other] > places[seat])
        fit = fit and (places[seat] == better + 1 or seats(s) == 1)
    kept = True
    for seat in range(seats(s), points.size):
        kept = kept and points[seat] == JUNK and places[seat] == JUNK
    return broken(PLACES, fit) | broken(POINTS, fair) | broken(SEATS, kept)


@jit(allocates=True)
def walk(template, rng, passes, low, high, log):
    """Plays a random game from `template`; writes its events to `log` and returns (broken promises, events).

    rng: the streams of the game. passes: the set of the passes. low, high: bounds of the observation.
    """
    states, copies = template.copy(), template.copy()
    state_bytes, before = states.view(np.uint8), np.empty(template.itemsize, np.uint8)
    legal_words, other_words = np.empty(passes.size, np.uint64), np.empty(passes.size, np.uint64)
    chances = np.empty(all_events(template[0]) - actions(template[0]), np.int64)
    one, other = np.empty(low.size, np.int8), np.empty(low.size, np.int8)
    points, places = np.empty(8, np.int32), np.empty(8, np.int32)
    rng_before, rngs = rng.copy(), np.empty((2, rng.size), np.uint64)
    pair = np.repeat(template, 2)
    pair_bytes = pair.view(np.uint8)
    for k in range(log.size):
        copy_to(before, state_bytes)
        s = states[0]
        found = audit_mover(s) | audit_places(s, points, places)
        if to_move(s) != OVER:
            found |= audit_legal(s, legal_words, other_words, passes)
            found |= audit_steps(states, copies, legal_words)
        if to_move(s) == CHANCE:
            found |= audit_weights(s, legal_words, chances)
            found |= audit_sample(s, legal_words, rng, rng_before)
            found |= audit_draw_ahead(states, pair, pair_bytes, rng, rngs)
        elif to_move(s) >= 0:
            found |= audit_act_ahead(states, pair, pair_bytes, rng, rngs, other_words)
        for seat in range(seats(s)):
            found |= audit_observation(s, seat, one, other, low, high)
            found |= audit_redeal(states, copies, seat, one, other, legal_words, other_words, rng, rng_before)
        found |= broken(UNCHANGED, are_equal(before, state_bytes, before.size))
        if found or to_move(s) == OVER:
            return found, k
        log[k] = draw(s, legal_words, rng)
        take_step(s, log[k])
    return broken(ENDS, False), log.size


@jit
def draw(s, legal_words, rng):
    if to_move(s) == CHANCE:
        return draw_outcome(s, rng)
    return uniform_action(s, legal_words, rng, seat_stream(s))


@jit
def draw_often(states, rng, out):
    """Draws an outcome of the chance node `states[0]` again and again."""
    for i in range(out.size):
        out[i] = sample(states[0], rng)


def set_of(ids, size):
    """The set of some ids in `size` words."""
    members = np.zeros(size, np.uint64)
    for i in ids:
        members[i >> 6] |= bit(i & 63)
    return members
