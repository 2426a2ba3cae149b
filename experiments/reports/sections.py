"""The parts of a report about results: bots, seats, points, length and endings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from experiments.reports import figures
from experiments.reports.effects import DEALT
from experiments.reports.findings import Findings, number_of
from experiments.reports.head_starts import in_short
from experiments.reports.leads import dealt_facts, leads
from experiments.reports.page import figure, listed, paragraph, section, spaced, table
from experiments.reports.played import OTHER_PLAYERS, what_was_played
from experiments.reports.ties import WAYS
from experiments.studies.specification import Specification
from experiments.summary import CONFIDENCE, CONFIDENT, has_intervals
from tabletop import Variant

LINE = " The thin line at the end of a bar is its 95 % interval: in one of twenty cases the truth lies outside it."

SHARED = "Seats that share the first place share the win"

INTERVALS = f"; {CONFIDENT} intervals"  # at the end of a caption

FEWEST = 100  # seats with something that is named in short or drawn: with fewer, shares of wins are not normal


@dataclass(frozen=True)
class Told:
    """A study and what it says."""

    plan: Specification
    findings: Findings

    @property
    def variant(self) -> Variant:
        """The game as it was played."""
        return self.plan.variant

    @property
    def players(self) -> int:
        """How many."""
        return self.variant.players

    @property
    def strength(self) -> str:
        """Who played how well, in one sentence, to stand beside every number about balance."""
        bots = self.findings.bots
        if len(bots) == 1:
            all_of_it = "All seats were" if self.players > 1 else "All games were"
            return f"{all_of_it} played by {bots[0]}; {OTHER_PLAYERS}"
        rows = self.rows(bot=True)
        shares = ", ".join(f"{row.bot} won {percent(row.win)} a seat" for _, row in rows.iterrows())
        return f"Played by bots of this strength: {shares}; equal players would win {percent(1 / self.players)} a seat."

    @property
    def strongest(self) -> str:
        """The bot that won most a seat."""
        rows = self.rows(bot=True)
        return str(rows.bot.iloc[int(rows.win.to_numpy().argmax())])

    @property
    def gap(self) -> tuple[float, str, str]:
        """By how much the best seat leads in all games, that seat, and the worst one."""
        for _, row in self.findings.gap.iterrows():
            return row.gap, f"{row.best:.0f}", f"{row.worst:.0f}"
        rows = self.rows(seat=True)  # of a single game
        best, worst = rows.iloc[int(rows.win.to_numpy().argmax())], rows.iloc[int(rows.win.to_numpy().argmin())]
        return best.win - worst.win, best.seat, worst.seat

    def rows(self, fact: str = "", seat: bool = False, bot: bool = False) -> pd.DataFrame:
        """The rows of the summary by a fact, by seat or by bot alone."""
        s = self.findings.summary
        return s[(s.fact == fact) & ((s.seat != "") == seat) & ((s.bot != "") == bot)]

    def counts(self, name: str) -> pd.DataFrame:
        """How often each value of something occurred."""
        return self.findings.counts[self.findings.counts.name == name]


def percent(value: float) -> str:
    """A share as percent."""
    return "–" if np.isnan(value) else f"{100 * value:.1f} %"


def ranged(row: pd.Series, name: str, factor: float, digits: int = 1) -> str:
    """A measure with its interval; without one where a single game gives none."""
    value, low, high = (factor * row[f"{name}{end}"] for end in ("", "_low", "_high"))
    interval = "" if np.isnan(low) else f" ({low:.{digits}f} to {high:.{digits}f})"
    return f"{value:.{digits}f}{interval}"


def if_known(rows: pd.DataFrame, text: str) -> str:
    """A text about the intervals of some rows; nothing where a single game gives none."""
    return text if has_intervals(rows) else ""


def results_table(rows: pd.DataFrame, by: str) -> str:
    """Wins, points and places of each seat or bot."""
    cells = [
        (str(row[by]), ranged(row, "win", 100), ranged(row, "score", 1), ranged(row, "place", 1, 2))
        for _, row in rows.iterrows()
    ]
    return table(
        (by, "wins %", "score", "mean place"),
        cells,
        f"{SHARED}; seats with the same place have the mean one{if_known(rows, INTERVALS)}",
    )


def summary(told: Told) -> str:
    """What a reader in a hurry should know."""
    found = told.findings
    overall = told.rows().iloc[0]
    lines = [f"{told.variant.heading}, {found.number_of_games}.", told.strength]
    lines += [f"A seat has {overall.score:.1f} points on average."]
    for _, gap in found.gap.iterrows():
        lines.append(_gap_in_short(gap))
    lines += [
        *_games_won(told),
        *in_short(found.head_starts),
        *_ties_in_short(told),
        *_largest_lead(told),
        *_largest_effects(found.effects),
        *_course_in_short(told),
    ]
    return section("short", "In short", listed(lines))


def _gap_in_short(gap: pd.Series) -> str:
    interval = f"95 % interval {100 * gap.gap_low:.1f} to {100 * gap.gap_high:.1f}"
    if gap.gap == 0:
        return f"All seats won equally often; the true largest gap has the {interval} percentage points."
    unsure = "" if gap.chance < 1 - CONFIDENCE else ", which may be chance"
    return (
        f"Seat {gap.best:.0f} wins most and seat {gap.worst:.0f} least; the gap is {100 * gap.gap:.1f} percentage "
        f"points ({interval}){unsure}."
    )


def _games_won(told: Told) -> Iterator[str]:
    """How often the only player won."""
    if told.players == 1:
        rows = told.rows()
        row = rows.iloc[0]
        interval = f" (95 % interval {100 * row.win_low:.1f} to {100 * row.win_high:.1f})"
        yield f"{percent(row.win)} of the games were won{if_known(rows, interval)}."


def _ties_in_short(told: Told) -> Iterator[str]:
    """How often the points of the first are level."""
    for _, row in told.findings.ties[:1].iterrows():
        yield (
            f"{percent(row.points)} of the games were won with more points than all others have, {percent(row.shared)} "
            f"were shared, and {percent(row.tie_break)} were decided by a tie-break between equal points."
        )


def _largest_lead(told: Told) -> Iterator[str]:
    """The card and the like with which it matters most where one sits, of those with which luck hardly ever does so."""
    if told.players == 1:
        return
    found, (everywhere, _, _) = leads(told.variant, told.findings.summary), told.gap
    for _, row in found[found.lead > everywhere + found.luck][:1].iterrows():
        yield (
            f"Of the {len(found)} cards and the like that are told of one by one, "
            f"{spaced(f'{row.category} ({row.fact})')} goes along with the largest lead of a seat that "
            f"is more than luck: {100 * row.lead:.1f} percentage points of seat {row.best} over seat {row.worst}, "
            f"against {100 * everywhere:.1f} in all games. By luck alone one of them would stand out like this in "
            "fewer than one of twenty studies."
        )


def _largest_effects(effects: pd.DataFrame) -> Iterator[str]:
    """Of what is dealt, the effect on each outcome that is largest for certain."""
    for outcome, unit, factor in (("win", "percentage points of the win", 100), ("score", "points", 1)):
        own = effects[(effects.outcome == outcome) & (effects.origin == DEALT) & ~effects.factor.isin(["seat", "bot"])]
        sure = own[(own.chance < 1 - CONFIDENCE) & (own.seats >= FEWEST)]
        if len(sure):
            row = sure.iloc[int(sure[["low", "high"]].abs().min(axis=1).to_numpy().argmax())]
            yield (
                f"Of the {len(own)} cards and the like whose effects are separated, {spaced(row.category)} "
                f"({row.meaning}) surely matters most for the {'chance to win' if outcome == 'win' else 'score'}: "
                f"{factor * row.effect:+.1f} {unit} against the average ({factor * row.low:+.1f} to "
                f"{factor * row.high:+.1f})."
            )


def _course_in_short(told: Told) -> Iterator[str]:
    if len(told.findings.course):
        row = told.findings.course.iloc[0]
        yield f"A game has {row.decisions:.0f} decisions with {row.options:.1f} legal actions each on average."
        if told.players > 1:
            yield f"The leader changes {row.lead_changes:.1f} times a game."
        if told.players > 1 and row.decided_games:
            yield (
                f"Where one seat won by points, in {number_of(row.decided_games)}, it takes the lead for good after "
                f"{percent(row.decided)} of the turns."
            )


def played(told: Told) -> str:
    """What was played, and with what."""
    plan = told.plan
    rows = [
        ("bots", ", ".join(bot.name for bot in plan.seated())),
        ("games", f"{plan.games:,}"),
        ("seed", str(plan.seed)),
    ]
    in_play = {fact.name: told.rows(fact.name).category.tolist() for fact in dealt_facts(told.variant)}
    text = "The bots change seats from game to game." if told.players > 1 else ""
    return what_was_played(told.variant, rows, in_play, text=text, named=_named(told, in_play))


def _named(told: Told, in_play: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The cards and the like that are named on the page: those that came, and those that seats chose."""
    for categories in in_play.values():
        yield from categories
    kinds = {fact.chosen for fact in told.variant.game.facts}
    yield from (c.name for c in told.variant.components if c.kind in kinds)


def win_bars(told: Told, by: str) -> str:
    """A picture of the share of wins by `seat` or by `bot`."""
    rows = told.rows(seat=by == "seat", bot=by == "bot")
    labels = [f"seat {seat}" for seat in rows.seat] if by == "seat" else rows.bot.tolist()
    values, low, high = (100 * rows[name].to_numpy() for name in ("win", "win_low", "win_high"))
    return figures.bars(by, labels, values, low, high, "share of wins, percent", 100 / told.players, "equal share")


def bots(told: Told) -> Iterator[str]:
    """How strong the bots were against each other."""
    rows = told.rows(bot=True)
    if len(rows) > 1:
        line = if_known(rows, LINE)
        text = f"How often a seat of each bot won. {SHARED}.{line} Balance is told among such players."
        drawn = figure(win_bars(told, "bot"), _spoken(rows, "bot"), text)
        yield section("bots", "How strong the players were", drawn, results_table(rows, "bot"))


def _spoken(rows: pd.DataFrame, label: str, prefix: str = "") -> str:
    """Shares of wins as a text."""
    return "; ".join(f"{prefix}{row[label]}: {percent(row.win)}" for _, row in rows.iterrows())


def seats(told: Told) -> Iterator[str]:
    """Who sits well."""
    rows = told.rows(seat=True)
    if told.players == 1:
        yield section(
            "wins",
            "How often is the game won?",
            *map(paragraph, _games_won(told)),
            paragraph(told.strength, "strength"),
        )
        return
    read = f"How often each seat won, seat 0 being the first in the order of play. {SHARED}.{if_known(rows, LINE)}"
    yield section(
        "seats",
        "Does it matter where you sit?",
        figure(win_bars(told, "seat"), _spoken(rows, "seat", "seat "), read),
        results_table(rows, "seat"),
        *(paragraph(_gap_text(gap)) for _, gap in told.findings.gap.iterrows()),
        _ties_table(told.findings.ties),
        paragraph(told.strength, "strength"),
    )


def _ties_table(ties: pd.DataFrame) -> str:
    """How often each seat won in each way."""
    cells = [
        (f"seat {row.seat}" if row.seat else "all games", *(ranged(row, way, 100) for way in WAYS))
        for _, row in ties.iterrows()
    ]
    headings = ("wins, % of all games", "by more points than all others", "by a tie-break of equal points", "shared")
    return table(headings, cells, f"A shared win counts for each seat that shares it{if_known(ties, INTERVALS)}")


def _gap_text(gap: pd.Series) -> str:
    interval = f"with 95 % confidence the true largest gap is {100 * gap.gap_low:.1f} to {100 * gap.gap_high:.1f}"
    if gap.gap == 0:
        return f"All seats won equally often; {interval} percentage points."
    if np.isnan(gap.chance):
        equal = "These are too few games to tell how probable such differences would be if all seats were equal."
    else:
        chance = "less than one in a million" if gap.chance < 1e-6 else f"{gap.chance:.3g}"
        equal = f"If all seats were equal, differences as large as here would have the probability {chance}."
    return (
        f"The largest gap between two seats is {100 * gap.gap:.1f} percentage points (seat {gap.best:.0f} over seat "
        f"{gap.worst:.0f}; {interval}). {equal}"
    )


def scores(told: Told) -> str:
    """How points are spread."""
    counts = told.counts("score")
    picture = figures.distributions("scores", counts, "points of a seat at the end")
    rows = told.rows(bot=True)
    spoken = "; ".join(f"{row.bot}: {row.score:.1f} points on average" for _, row in rows.iterrows())
    text = "How often a seat ended with so many points: the higher the line or bar, the more often."
    parts = [figure(picture, spoken, text)]
    margins = told.counts("course_margin")
    if len(margins):
        margin = figures.distributions("margin", margins, "points between the first and the second")
        mean = told.findings.course.margin.iloc[0]
        text = "How far the two highest scores of a game lie apart: much on the left means close games."
        parts.append(figure(margin, f"{mean:.1f} points on average", text))
    return section("points", "How many points?", *parts, paragraph(told.strength, "strength"))


def lengths(told: Told) -> str:
    """How long games are."""
    facts = {
        f.name: f"{spaced(f.name)} ({f.meaning})" for f in told.variant.game.facts if not f.categories and not f.of_seat
    }
    known = {"course_turns": "runs of decisions of one player", "course_decisions": "decisions of all players"}
    known = known if len(told.counts("course_decisions")) else {"events": "events, those of chance included"}
    mean = told.rows().events.iloc[0]
    parts = [paragraph(f"A game has {mean:.1f} events on average: decisions and draws of chance together.")]
    for name, what in (known | facts).items():
        counts = told.counts(name)
        if counts.value.nunique() > 1:
            picture = figures.distributions(f"length-{name}", counts, what)
            mean = np.average(counts.value, weights=counts["count"])
            text = f"How often games had each number of {what}; {mean:.1f} on average."
            parts.append(figure(picture, f"{mean:.1f} on average", text))
    return section("length", "How long is a game?", *parts)


def endings(told: Told) -> Iterator[str]:
    """Facts of the whole game that tell a result, such as how it ended."""
    for fact in told.variant.game.facts:
        rows = told.rows(fact.name)
        if fact.categories and not fact.of_seat and not fact.explains and len(rows):
            shares = rows.games / told.findings.games
            shown = {"score": ("score", 1)} | ({"wins %": ("win", 100)} if told.players == 1 else {})
            cells = [
                (spaced(row.category), f"{row.games:,}", percent(share), *(ranged(row, *how) for how in shown.values()))
                for (_, row), share in zip(rows.iterrows(), shares, strict=True)
            ]
            whose = "of all seats in those games" if told.players > 1 else "of those games"
            caption = f"{fact.meaning}; the score is the mean {whose}{if_known(rows, INTERVALS)}"
            yield section(
                f"fact-{fact.name}",
                f"{fact.meaning[0].upper()}{fact.meaning[1:]}",
                table((spaced(fact.name), "games", "share", *shown), cells, caption),
            )
