"""The questions of the game, which lead to the parts of the rules: set-up, class cards, plague, final round."""

import numpy as np

from rattus.actions import (
    CARD,
    DRAW,
    END,
    KING,
    KNIGHT,
    MERCHANT,
    MERCHANT_COUNT,
    MERCHANT_TO,
    MONK,
    MONK_TO,
    PEASANT,
    PLACE,
    PLAGUE,
    RAT,
    REVEAL,
    REVEAL_AT,
    SETTLE,
    SPREAD,
    START,
    SWAP,
    WITCH,
    only,
    region_of,
    slot_of,
)
from rattus.board import (
    ONE,
    on_turn,
    rats_in,
    regions_in_play,
)
from rattus.box import REGIONS, TYPES
from rattus.classes import (
    begin_merchant,
    begin_monk,
    begin_witch,
    can_only_end,
    legal_final_part,
    legal_first_part,
    legal_merchant_count,
    legal_merchant_to,
    legal_monk_to,
    legal_witch_second,
    merchant_count,
    merchant_to,
    monk_to,
    place,
    take_card,
    use_king,
    use_knight,
    use_peasant,
    witch_choice,
    witch_second,
)
from rattus.final import last_reveal, next_in_final_round, random_last_reveal
from rattus.plague import (
    NONE,
    choose_neutral,
    draw,
    end_first_part,
    go_on_with_plague,
    legal_knight_choice,
    legal_plague,
    legal_reveal,
    legal_spread,
    move_plague,
    random_draw,
    spread,
)
from rattus.setup import lay_rat, random_rat, region_for_rat, regions_to_settle, settle, start_plague
from rattus.state import (
    AT_DRAW,
    AT_END,
    AT_FINAL_PART,
    AT_FIRST_PART,
    AT_KNIGHT_CHOICE,
    AT_LAST_REVEAL,
    AT_MERCHANT_COUNT,
    AT_MERCHANT_TO,
    AT_MONK_TO,
    AT_PLAGUE,
    AT_RAT,
    AT_REVEAL,
    AT_SETTLE,
    AT_SPREAD,
    AT_START,
    AT_WITCH_CHOICE,
    AT_WITCH_SECOND,
)
from tabletop.bits import EMPTY, has, put
from tabletop.game import CHANCE, OVER
from tabletop.jit import jit
from tabletop.rng import uniform_member

STREAMS = ("rats", "start", "draw", "reveal")  # in the order of the phases in which chance acts
RATS_STREAM, START_STREAM, DRAW_STREAM, REVEAL_STREAM = range(4)

# ---------------------------------------------------------------- P10, P21: an action of the first part


@jit(inlined=True)
def end_part(s) -> None:
    """P10, P21 `end`."""
    if s.phase == AT_FINAL_PART:
        next_in_final_round(s)
    else:
        end_first_part(s)


@jit(inlined=True)
def use_tokens(s, event: int) -> None:
    """P10: an action on a rat token, or P21 `knight`."""
    if event >= KNIGHT:
        use_knight(s, event - KNIGHT)
    elif event >= WITCH:
        begin_witch(s, region_of(event - WITCH), slot_of(event - WITCH))
    else:
        begin_monk(s, region_of(event - MONK), slot_of(event - MONK))


@jit(inlined=True)
def act(s, event: int) -> None:
    """P10, P21: one action of the node, the most frequent kinds first."""
    if event < PEASANT:
        place(s, event - PLACE)
    elif CARD <= event < END:
        take_card(s, event - CARD)
    elif event == END:
        end_part(s)
    elif event < CARD:
        use_peasant(s, event - PEASANT)
    elif event < MERCHANT:
        use_king(s, event - KING)
    elif event < MONK:
        begin_merchant(s, event - MERCHANT)
    else:
        use_tokens(s, event)


# ---------------------------------------------------------------- the questions


@jit(inlined=True)
def to_move(s) -> int:
    """The seat that must act, or CHANCE, or OVER."""
    if s.phase > AT_END:
        return on_turn(s)
    return OVER if s.phase == AT_END else CHANCE


@jit(inlined=True)
def seats(s) -> int:
    """The number of players."""
    return np.int64(s.players)


@jit(inlined=True)
def stream(s) -> int:
    """The stream of the chance node: its phase is its number."""
    return np.int64(s.phase)


@jit(inlined=True)
def legal(s, out: np.ndarray) -> None:
    """Writes the legal actions to four words of `out`, or the possible outcomes to all its words."""
    phase = s.phase
    if phase == AT_FIRST_PART:
        legal_first_part(s, out)
    elif phase == AT_PLAGUE:
        legal_plague(s, out)
    elif phase == AT_SPREAD:
        legal_spread(s, out)
    elif phase == AT_REVEAL:
        legal_reveal(s, out)
    elif phase == AT_KNIGHT_CHOICE:
        legal_knight_choice(s, out)
    elif phase == AT_SETTLE:
        only(out, SETTLE, regions_to_settle(s))
    elif phase == AT_FINAL_PART:
        legal_final_part(s, out)
    elif phase < AT_END:
        legal_chance(s, out)
    else:
        legal_ability(s, out)


@jit(inlined=True)
def legal_ability(s, out: np.ndarray) -> None:
    """P10: how an ability that was begun may go on."""
    phase = s.phase
    if phase == AT_MONK_TO:
        legal_monk_to(s, out)
    elif phase == AT_MERCHANT_TO:
        legal_merchant_to(s, out)
    elif phase == AT_MERCHANT_COUNT:
        legal_merchant_count(s, out)
    elif phase == AT_WITCH_SECOND:
        legal_witch_second(s, out)
    elif phase == AT_WITCH_CHOICE:
        only(out, SWAP, ONE * 3)


@jit
def legal_chance(s, out: np.ndarray) -> None:
    """P5, P7, P12, P22: the outcomes that are possible."""
    out[:] = EMPTY
    if s.phase == AT_RAT:
        put(out, RAT + TYPES * region_for_rat(s), s.pool & s.tokens.starting)
    elif s.phase == AT_START:
        put(out, START, np.uint64(regions_in_play(s)))
    elif s.phase == AT_DRAW:
        put(out, DRAW, s.pool)
    elif s.phase == AT_LAST_REVEAL:
        region = np.int64(s.region)
        for slot in range(rats_in(s, region)):
            put(out, REVEAL_AT + REGIONS * slot + region, np.uint64(1))


@jit
def weights(s, out: np.ndarray) -> None:
    """P5, P7, P12, P22: writes the weight of each outcome: tokens left of a type, or 1."""
    out[:] = 0
    if s.phase == AT_RAT:
        write_tokens_left(s, s.pool & s.tokens.starting, RAT + TYPES * region_for_rat(s), out)
    elif s.phase == AT_START:
        for region in range(REGIONS):
            out[START - RAT + region] = regions_in_play(s) >> region & 1
    elif s.phase == AT_DRAW:
        write_tokens_left(s, s.pool, DRAW, out)
    elif s.phase == AT_LAST_REVEAL:
        region = np.int64(s.region)
        for slot in range(rats_in(s, region)):
            out[REVEAL_AT - RAT + REGIONS * slot + region] = 1


@jit
def write_tokens_left(s, kinds: np.uint64, first: int, out: np.ndarray) -> None:
    """Writes how many tokens of each of some types are in the pool, at the outcomes from `first` on."""
    for kind in range(TYPES):
        if has(kinds, kind):
            out[first - RAT + kind] = s.left[kind]


@jit(inlined=True)
def sample(s, rng: np.ndarray) -> int:
    """Draws an outcome with the probabilities of `weights`."""
    if s.phase == AT_DRAW:
        return random_draw(s, rng, DRAW_STREAM)
    if s.phase == AT_LAST_REVEAL:
        return random_last_reveal(s, rng, REVEAL_STREAM)
    if s.phase == AT_RAT:
        return random_rat(s, rng, RATS_STREAM)
    return START + uniform_member(rng, START_STREAM, np.uint64(regions_in_play(s)))


@jit(inlined=True)
def step(s, event: int) -> None:
    """Applies a legal event and goes on to the next node with more than a pass."""
    phase = s.phase
    if phase == AT_SPREAD:
        spread(s, event - SPREAD)
        return
    if phase >= AT_PLAGUE or phase == AT_DRAW:
        step_plague(s, event)
    elif phase >= AT_FIRST_PART:
        act(s, event)
    elif phase <= AT_SETTLE:
        step_setup_or_last_reveal(s, event)
    else:
        step_ability(s, event)
    while can_only_end(s):
        end_part(s)


@jit(inlined=True)
def step_plague(s, event: int) -> None:
    """P11–P13: the plague piece has moved, a token has come, or the ravage goes on."""
    phase, chosen = s.phase, NONE
    if phase == AT_DRAW:
        draw(s, event - DRAW)
    elif phase == AT_PLAGUE:
        move_plague(s, event - PLAGUE)
    elif phase == AT_REVEAL:
        chosen = event - REVEAL
    else:
        choose_neutral(s, event)
    go_on_with_plague(s, chosen)


@jit
def step_setup_or_last_reveal(s, event: int) -> None:
    """P5, P7, P8, P22: an event of the set-up, or a token of the last ravage."""
    if s.phase == AT_SETTLE:
        settle(s, event - SETTLE)
    elif s.phase == AT_RAT:
        lay_rat(s, event - RAT >> 6, event - RAT & TYPES - 1)
    elif s.phase == AT_START:
        start_plague(s, event - START)
    elif s.phase == AT_LAST_REVEAL:
        last_reveal(s, region_of(event - REVEAL_AT), slot_of(event - REVEAL_AT))


@jit(inlined=True)
def step_ability(s, event: int) -> None:
    """P10: an ability that was begun goes on."""
    phase = s.phase
    if phase == AT_MONK_TO:
        monk_to(s, event - MONK_TO)
    elif phase == AT_MERCHANT_TO:
        merchant_to(s, event - MERCHANT_TO)
    elif phase == AT_MERCHANT_COUNT:
        merchant_count(s, event - MERCHANT_COUNT + 1)
    elif phase == AT_WITCH_SECOND:
        witch_second(s, region_of(event - WITCH), slot_of(event - WITCH))
    elif phase == AT_WITCH_CHOICE:
        witch_choice(s, event)
