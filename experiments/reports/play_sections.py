"""The parts of a report about how games run: tension, decisions, and what winners choose."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from experiments.reports import figures
from experiments.reports.choices import FEWEST, places, sure
from experiments.reports.counts import STEP
from experiments.reports.courses import DEFINITIONS, MEANINGS
from experiments.reports.page import boards, figure, listed, paragraph, section, spaced, table
from experiments.reports.sections import INTERVALS, Told, if_known, percent, ranged
from experiments.rows import COURSE
from experiments.summary import has_intervals
from tabletop.picture import Picture

SHARES = ("real", "behind", "decided")  # shown as percent
IN_SHORT = {
    "turns": "turns",
    "lead_changes": "changes of the leader",
    "behind": "winner behind",
    "decided": "lead for good after",
    "margin": "points between first and second",
}
SHOWN = {
    "lead_changes": (
        1.0,
        "changes of the leader in a game",
        "On the left: games with one leader; on the right: see-saws.",
    ),
    "behind": (STEP, "share of turns after which the winner was behind", "On the right: games that were turned round."),
    "decided": (
        STEP,
        "share of the game when the lead was taken for good",
        "On the right: the lead was taken late. Games that are tied on points at the end are left out.",
    ),
    "uncertainty": (
        STEP,
        "uncertainty",
        "1: the first two are always level; 0: the second is always as far behind as anybody ever is.",
    ),
}
PREFERRED = 12  # events shown at each end
FEWEST_OF_KIND = 200  # choices below which no board is drawn


def course(told: Told) -> Iterator[str]:
    """The measures of the course, and pictures of some."""
    found = told.findings.course
    if not len(found):
        return
    row = found.iloc[0]
    rows = [(MEANINGS[name], _number(name, row[name]), _interval(name, row)) for name in MEANINGS if name in row.index]
    columns = 3 if has_intervals(found[:1]) else 2  # a single game gives no intervals
    caption = "Means over games" + ("; how everything is defined stands below" if told.players > 1 else "")
    parts = [table(("a game", "mean", "95 % interval")[:columns], [cells[:columns] for cells in rows], caption)]
    for name, (step, what, read) in SHOWN.items():
        counts = told.counts(COURSE + name)
        if counts.value.nunique() > 1:
            mean = f"{row[name]:.2f} on average"
            picture = figures.distributions(f"course-{name}", counts, what, step)
            parts.append(figure(picture, mean, f"How often games had this: {what}; {mean}. {read}"))
    defined = [paragraph("How this is defined, and after whom:"), listed(DEFINITIONS)] if told.players > 1 else []
    parts += [*_by_card(told), *defined, paragraph(told.strength, "strength")]
    yield section("course", "How does a game run?", *parts)


def _number(name: str, value: float) -> str:
    return percent(value) if name in SHARES or np.isnan(value) else f"{value:.2f}"


def _interval(name: str, row: pd.Series) -> str:
    """Of a measure's mean; a single game gives none."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return "–" if np.isnan(low) else f"{_number(name, low)} to {_number(name, high)}"


def _by_card(told: Told) -> Iterator[str]:
    """The course with each card of the whole game."""
    if told.players == 1:
        return
    for fact, own in told.findings.course.iloc[1:].groupby("fact", sort=False):
        if len(own) > 1:
            rows = [
                (spaced(row.category), f"{row.games:,}", *(_with_interval(name, row) for name in IN_SHORT))
                for _, row in own.iterrows()
            ]
            caption = (
                "The course of the games with each of them, not separated from others: winner behind and lead for good "
                f"after are percent of the turns{if_known(own, INTERVALS)}"
            )
            yield table((spaced(str(fact)), "games", *IN_SHORT.values()), rows, caption)


def _with_interval(name: str, row: pd.Series) -> str:
    """A measure's mean with its interval."""
    if np.isnan(row[name]):
        return "–"
    return ranged(row, name, 100) if name in SHARES else ranged(row, name, 1, 2)


def choices(told: Told) -> Iterator[str]:
    """What winners choose, for the strongest bot."""
    own = _compared(told)
    if not len(own):
        return
    text = (
        f"Only seats of {told.strongest} are compared here, those that won with those that did not: the same player, "
        "so what differs is what it came to choose. This tells what goes along with winning; a player who is ahead "
        "also has other choices."
    )
    read = (
        "Each line is an event by its token (see above). A dot to the right: winners spend a larger share of their "
        "decisions on it than others. Only events whose interval leaves out 0 are shown, the largest differences first."
    )
    drawn = [figure(picture, spoken, read) for picture, spoken in preferred(told)]
    drawn = drawn or [paragraph("Of no event it is sure that winners choose it more often or less often than others.")]
    heading, strength = "What do winners choose?", paragraph(told.strength, "strength")
    texts = (paragraph(text), paragraph(_tokens(told)), paragraph(_care(own)))
    yield section("choices", heading, *texts, *drawn, *_boards(told), strength)


def _tokens(told: Told) -> str:
    """How to read the names of events."""
    game, example = told.variant.game.name, _compared(told).token.iloc[0]
    return (
        f"A token, such as {example}, names an event: first what is done, then, after colons, where, to what or how "
        f"often. The project lists all tokens in docs/{game}.md and tells the rules in {game}/README.md."
    )


def _care(own: pd.DataFrame) -> str:
    """How it is avoided that chance looks like a preference."""
    return (
        f"{len(own)} events are compared at once; among so many some would seem to differ by chance alone. So all "
        f"intervals here are wider than for one event by itself: in 95 of 100 studies all {len(own)} of them together "
        "hold the truth (Bonferroni's correction; the unit is the game). Where nothing is shown there may still be a "
        f"difference that needs more games to be seen. What was chosen fewer than {FEWEST} times is never called sure."
    )


def _compared(told: Told) -> pd.DataFrame:
    """The choices of the strongest bot, where winners and others can be compared."""
    found = told.findings.choices
    return found[(found.bot == told.strongest) & found.difference.notna()]


def preferred(told: Told) -> Iterator[tuple[str, str]]:
    """A picture of the events of which the shares differ most, and surely, with its numbers as a text; if any do."""
    own = _compared(told)
    found = own[sure(own)].sort_values("difference", ascending=False)
    if not len(found):
        return
    shown = found if len(found) <= 2 * PREFERRED else pd.concat([found[:PREFERRED], found[-PREFERRED:]])
    groups = np.where(shown.difference > 0, "winners choose more often", "winners choose less often")
    rows = pd.DataFrame({"group": groups, "label": shown.token})
    for name, column in (("value", "difference"), ("low", "wide_low"), ("high", "wide_high")):
        rows[name] = 100 * shown[column]
    spoken = "; ".join(f"{row.label}: {row.value:+.2f}" for _, row in rows.iterrows())
    yield figures.ranges("choices", rows, "difference of the shares of all decisions, percentage points"), spoken


def _boards(told: Told) -> Iterator[str]:
    """The board for each kind of event that names places: how often each is chosen, and by whom more."""
    make = told.variant.game.picture
    if make is None:
        return
    unsure = []
    for kind in _kinds_of_places(told.findings.choices, make(told.variant.settings)):
        drawn = list(board_pictures(told, kind))
        name = spaced(kind)
        reads = (
            f"{name}: the darker a place, the more often it is chosen for this.",
            f"{name}: green places winners surely choose more often than others, red ones less often; +10% means that "
            "the share of this choice among all decisions of winners is a tenth greater than among those of others. "
            f"{figures.UNSURE}: the study does not show a difference. Empty: chosen too rarely to tell.",
        )
        if drawn:
            yield boards(*(figure(svg, spoken, read) for (svg, spoken), read in zip(drawn, reads, strict=False)))
            unsure += [name] * (len(drawn) < len(reads))
    if unsure:
        yield paragraph(f"Of no place it is sure that winners prefer it or avoid it for: {', '.join(unsure)}.")


def board_pictures(told: Told, kind: str) -> Iterator[tuple[str, str]]:
    """Pictures for a kind of event, with their numbers as texts: where it is chosen, and where by winners, if sure.

    None if the strongest bot chose it fewer than `FEWEST_OF_KIND` times.
    """
    make = told.variant.game.picture
    if make is None:
        return
    picture = make(told.variant.settings)
    found = places(told.findings.choices, told.strongest, kind)
    found = found[found.place.isin(picture.names)]
    if len(found) > 1 and found.choices.sum() >= FEWEST_OF_KIND:
        yield _chosen(picture, kind, found)
        if sure(found).any():
            yield _preferred(picture, kind, found)


def _kinds_of_places(choices: pd.DataFrame, picture: Picture) -> Iterator[str]:
    """The kinds of events whose tokens name one place, and not a pair of places."""
    for kind, own in choices.groupby("kind", sort=False):
        named = own.token.str.split(":").map(lambda parts: sum(part in picture.names for part in parts[1:]))
        if named.max() == 1:
            yield str(kind)


def _chosen(picture: Picture, kind: str, found: pd.DataFrame) -> tuple[str, str]:
    """How often each place is chosen."""
    shares = dict(zip(found.place, found.share, strict=True))
    title = f"{spaced(kind)}: how often each place is chosen"
    spoken = "; ".join(f"{place} {percent(share)}" for place, share in shares.items())
    return figures.heat_map(picture, shares, lambda v: f"{100 * v:.1f}%", title), f"{title}: {spoken}"


def _preferred(picture: Picture, kind: str, found: pd.DataFrame) -> tuple[str, str]:
    """Which places winners surely choose more or less often than others."""
    enough = found[found.choices >= FEWEST]
    values = dict(zip(enough.place, enough.preference.where(sure(enough)), strict=True))
    title = f"{spaced(kind)}: what winners prefer"
    told = [f"{place} {_more(value)}" for place, value in values.items() if not np.isnan(value)]
    told += ["of other places the study does not show a difference"] * (len(told) < len(found))
    spoken = f"{title}: {'; '.join(told)}"
    return figures.contrast_map(picture, values, _more, title), spoken


def _more(value: float) -> str:
    """How much more often winners choose something."""
    return f"{100 * value:+.0f}%" if np.isfinite(value) else "only they"
