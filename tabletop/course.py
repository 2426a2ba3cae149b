"""The course of games: how much there was to decide, who led, how close it was, and what winners chose.

A turn is a run of decisions of one seat. After each turn the points are taken as they would count now (`scores`);
a seat is behind if another one has more of them, and leads if all others have fewer. `range` is the greatest
distance between the most and the fewest points of seats after any turn of the game. Winners are all seats with
place 1. What is said of winners is averaged over them; it is 0 where nobody won.

The measures of a game, in the order of `MEASURES`:

* decisions: events that seats chose. options: mean number of legal actions of a decision (branching factor).
  real: share of the decisions with more than one legal action. turns: see above.
* lead_changes: how often a seat led that had not been the last one to lead; the first leader is no change.
  [B] divide it by the number of moves.
* behind: share of the turns before the last one after which a winner was behind. comeback: the most points by which
  it was behind after a turn.
* drama: mean of √(points behind ÷ range) over the turns after which a winner was behind. [B] define it for two
  players, by estimates of the position instead of points; to compare a winner with whoever leads makes it one for
  any number of players, as in [X].
* uncertainty: 1 − mean of (points of the first − points of the second) ÷ range over the turns before the last one:
  1 if nobody ever leads. late_uncertainty: the same, but turn t counts t times. [B] measure how slowly the lead
  grows over the game; here it is the lead of the first over the second, whoever they are.
* decided: share of the turns that had passed when the only winner took the lead for good; 1 for several winners.
* margin: distance of the two highest scores in the end.

With one player all from lead_changes on are 0.

[B] C. Browne and F. Maire, Evolutionary Game Design, IEEE Transactions on Computational Intelligence and AI in
Games 2(1), 2010; C. Browne, Automatic Generation and Evaluation of Recombination Games, PhD thesis, Queensland
University of Technology, 2008. [X] G. Xexéo, E. Mangeli and L. F. Oliveira, Drama Measures Applied to a Large Scale
Business Game: there, too, drama is extended to several players by comparing the winner with the leader.
"""

import numpy as np

from tabletop.bits import count_in
from tabletop.game import OVER, action_words, actions, legal, ranking, report, scores, seats, step, tally, to_move
from tabletop.game import words as all_words
from tabletop.jit import jit
from tabletop.layout import by_attribute, state_dtype
from tabletop.play import choose, is_legal_action
from tabletop.rng import start_streams

MOST_SEATS = 8
NOBODY = -1

MEASURES = (
    *("decisions", "options", "real", "turns"),
    *("lead_changes", "behind", "comeback", "drama", "uncertainty", "late_uncertainty", "decided", "margin"),
)
DECISIONS, OPTIONS, REAL, TURNS = range(4)
LEAD_CHANGES, BEHIND, COMEBACK, DRAMA, UNCERTAINTY, LATE_UNCERTAINTY, DECIDED, MARGIN = range(4, len(MEASURES))
FIRST_OF_SEVERAL = LEAD_CHANGES  # the measures from here on need two players

# Columns of the sums over games for one action of one bot: y is how often winners chose it in a game, z how often the
# other seats of that bot did; m and n are all their decisions.
CHOICES = ("y", "z", "yy", "zz", "yz", "ym", "zn", "yn", "zm")
TOTALS = ("m", "n", "mm", "nn", "mn", "winners", "others", "games")

NOTES = state_dtype(
    [
        ("decisions", np.int64),
        ("options", np.int64),  # legal actions of all decisions
        ("real", np.int64),  # decisions with more than one
        ("seat", np.int64),  # whose turn it is, or NOBODY
        ("turns", np.int64),  # that are over
        ("leader", np.int64),  # who led last, or NOBODY
        ("lead_changes", np.int64),
        ("range", np.int64),
        ("lead", np.int64),  # sum over turns of the points of the first less those of the second
        ("late_lead", np.int64),  # the same times the number of the turn
        ("margin", np.int64),  # the lead after the newest turn
        ("behind", np.int64, MOST_SEATS),  # turns after which a seat was behind
        ("comeback", np.int64, MOST_SEATS),  # the most points by which it was
        ("drama", np.float64, MOST_SEATS),  # sum over turns of the roots of the points by which it was
        ("undecided", np.int64, MOST_SEATS),  # the last turn after which it did not lead
    ]
)
"""What is noted while one game is played."""


def blank_notes(games: int) -> np.ndarray:
    """Notes of games that have not begun."""
    notes = np.zeros(games, NOTES)
    notes["seat"] = notes["leader"] = NOBODY
    return by_attribute(notes)


@jit
def note_decision(s, notes, chosen, mover, legal_words, event):
    """Before an action is applied that is one of the legal ones."""
    notes.seat = mover
    legal_actions = count_in(legal_words, action_words(s))
    notes.decisions += 1
    notes.options += legal_actions
    notes.real += legal_actions > 1
    chosen[mover, event] += 1


@jit
def note_turn(s, notes, points, is_last):
    """After a turn: who leads and by how much, and how far the others are behind."""
    scores(s, points)
    notes.turns += 1
    players = seats(s)
    first, second, last = extremes(points, players)
    notes.range = max(notes.range, first - last)
    notes.margin = first - second
    for seat in range(players):
        note_place(notes, seat, first - points[seat], first > second)
    if not is_last:
        notes.lead += first - second
        notes.late_lead += notes.turns * (first - second)
        note_distances(notes, first, points, players)


@jit(inlined=True)
def extremes(points, players):
    """The most points, the most of all other seats, the fewest."""
    first, second, last = np.int64(points[0]), np.int64(points[0]), np.int64(points[0])
    for seat in range(1, players):
        own = np.int64(points[seat])
        last = min(last, own)
        if own > first:
            first, second = own, first
        elif own > second or seat == 1:
            second = own
    return first, second, last


@jit(inlined=True)
def note_place(notes, seat, distance, is_lead):
    """After a turn: whether a seat, so far behind the first ones, leads; `is_lead`: one is ahead of all others."""
    if distance > 0 or not is_lead:
        notes.undecided[seat] = notes.turns
    else:
        notes.lead_changes += notes.leader != NOBODY and notes.leader != seat
        notes.leader = seat


@jit(inlined=True)
def note_distances(notes, first, points, players):
    """After a turn that is not the last one: how far each seat is behind."""
    for seat in range(players):
        distance = first - points[seat]
        if distance > 0:
            notes.behind[seat] += 1
            notes.comeback[seat] = max(notes.comeback[seat], distance)
            notes.drama[seat] += np.sqrt(distance)


@jit
def conclude(s, notes, places, out):
    """After the end of a game: writes its measures to `out`, and the places of the seats to `places`."""
    ranking(s, places)
    out[DECISIONS] = notes.decisions
    out[OPTIONS] = notes.options / max(1, notes.decisions)
    out[REAL] = notes.real / max(1, notes.decisions)
    out[TURNS] = notes.turns
    if seats(s) > 1:
        out[LEAD_CHANGES] = notes.lead_changes
        out[MARGIN] = notes.margin
        conclude_leads(notes, out)
        conclude_winners(notes, seats(s), places, out)


@jit(inlined=True)
def conclude_leads(notes, out):
    """Uncertainty: the leads after all turns but the last one, relative to the range."""
    before = notes.turns - 1
    out[UNCERTAINTY] = out[LATE_UNCERTAINTY] = 1.0
    if before > 0 and notes.range > 0:
        out[UNCERTAINTY] = 1 - notes.lead / (before * notes.range)
        out[LATE_UNCERTAINTY] = 1 - 2 * notes.late_lead / (before * (before + 1) * notes.range)


@jit(inlined=True)
def conclude_winners(notes, players, places, out):
    """What is said of winners, averaged over them."""
    winners = 0
    for seat in range(players):
        winners += places[seat] == 1
    out[DECIDED] = 1.0 if winners > 1 else 0.0
    for seat in range(players):
        if places[seat] == 1:
            conclude_winner(notes, seat, winners, out)


@jit(inlined=True)
def conclude_winner(notes, seat, winners, out):
    """Adds the share of one winner to the measures of winners."""
    before = max(1, notes.turns - 1)
    out[BEHIND] += notes.behind[seat] / before / winners
    out[COMEBACK] += notes.comeback[seat] / winners
    if notes.behind[seat] > 0:
        out[DRAMA] += notes.drama[seat] / np.sqrt(notes.range) / notes.behind[seat] / winners
    if winners == 1:
        out[DECIDED] = min(1.0, (notes.undecided[seat] + 1) / max(1, notes.turns))


@jit
def add_choices(s, chosen, places, kinds, choices, totals):
    """Adds what winners and others chose in a game to the sums over games, for each kind of bot.

    chosen: (seats × actions). kinds: of the bot on each seat. choices: (kinds × actions × CHOICES). totals: (kinds ×
    TOTALS).
    """
    for kind in range(totals.shape[0]):
        m, n = add_totals(s, chosen, places, kinds, kind, totals[kind])
        for action in range(actions(s)):
            y, z = 0, 0
            for seat in range(seats(s)):
                if kinds[seat] == kind:
                    y += chosen[seat, action] * (places[seat] == 1)
                    z += chosen[seat, action] * (places[seat] != 1)
            if y + z > 0:
                add_products(choices[kind, action], y, z, m, n)


@jit(inlined=True)
def add_products(sums, y, z, m, n):
    """One game's part of the sums in the order of CHOICES."""
    sums[0] += y
    sums[1] += z
    sums[2] += y * y
    sums[3] += z * z
    sums[4] += y * z
    sums[5] += y * m
    sums[6] += z * n
    sums[7] += y * n
    sums[8] += z * m


@jit
def add_totals(s, chosen, places, kinds, kind, sums):
    """One game's part of the sums in the order of TOTALS; returns the decisions of winners and of others."""
    m, n, winners, others = 0, 0, 0, 0
    for seat in range(seats(s)):
        if kinds[seat] == kind:
            winners += places[seat] == 1
            others += places[seat] != 1
            for action in range(actions(s)):
                m += chosen[seat, action] * (places[seat] == 1)
                n += chosen[seat, action] * (places[seat] != 1)
    sums[0] += m
    sums[1] += n
    sums[2] += m * m
    sums[3] += n * n
    sums[4] += m * n
    sums[5] += winners
    sums[6] += others
    sums[7] += winners + others > 0
    return m, n


@jit
def follow(s, rng, legal_words, view, seating, bots, params, facts, notes, chosen, points):
    """`play.finish`, and notes what happens; `chosen` (seats × actions) are zeros at first."""
    played = 0
    while to_move(s) != OVER:
        mover = to_move(s)
        note_end_of_turn(s, notes, points, mover)
        event = choose(s, rng, legal_words, view, seating, bots, params)
        if mover >= 0:
            if not is_legal_action(s, legal_words, event):
                return -1 - played
            note_decision(s, notes, chosen, mover, legal_words, event)
        tally(s, event, facts)
        step(s, event)
        played += 1
    note_turn(s, notes, points, True)
    report(s, facts)
    return played


@jit(inlined=True)
def note_end_of_turn(s, notes, points, mover):
    """Before an event: a turn has ended if another seat decides now than the last time."""
    if mover >= 0 and mover != notes.seat and notes.seat != NOBODY:
        note_turn(s, notes, points, False)


@jit
def follow_log(s, events, legal_words, notes, chosen, points):
    """`follow` for a game whose `events` are known."""
    for k in range(events.shape[0]):
        mover = to_move(s)
        note_end_of_turn(s, notes, points, mover)
        if mover >= 0:
            legal(s, legal_words)
            note_decision(s, notes, chosen, mover, legal_words, events[k])
        step(s, events[k])
    note_turn(s, notes, points, True)


@jit(allocates=True)
def follow_games(
    template,
    seed,
    numbers,
    keys,
    seating,
    bots,
    params,
    kinds,
    states,
    lengths,
    facts,
    notes,
    measures,
    choices,
    totals,
):
    """`play.match_games`, and what happens on the way.

    kinds: (games × seats), for each seat the number of the bot under which its choices are counted. notes: a record a
    game, blank at first. measures: (games × MEASURES), zeros at first. choices, totals: see `add_choices`.
    """
    view = template.copy()
    rng = np.empty(keys.size, np.uint64)
    legal_words = np.empty(all_words(template[0]), np.uint64)
    chosen = np.empty((seats(template[0]), actions(template[0])), np.int32)
    points = np.empty(seats(template[0]), np.int32)
    for i in range(lengths.shape[0]):
        start_streams(rng, seed, np.uint64(numbers[i]), keys)
        s = states[i]
        states[i] = template[0]
        chosen[:, :] = 0
        lengths[i] = follow(s, rng, legal_words, view, seating[i], bots, params, facts[i], notes[i], chosen, points)
        if lengths[i] >= 0:
            conclude(s, notes[i], points, measures[i])
            add_choices(s, chosen, points, kinds[i], choices, totals)


@jit(allocates=True)
def follow_first(states, events, kinds, notes, measures, choices, totals):
    """`follow_log` for the first game of a batch, which is at its beginning, with the sums of `follow_games`."""
    s = states[0]
    legal_words = np.empty(all_words(s), np.uint64)
    chosen = np.zeros((seats(s), actions(s)), np.int32)
    points = np.empty(seats(s), np.int32)
    follow_log(s, events, legal_words, notes[0], chosen, points)
    conclude(s, notes[0], points, measures[0])
    add_choices(s, chosen, points, kinds[0], choices, totals)
