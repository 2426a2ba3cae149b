"""The report of a study: a page that stands alone, and its data."""

import dataclasses
import json
import pickle
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.table import Table

import tabletop
from experiments import balance, console, report
from experiments.reports import effect_sections, fact_sections, figures, play_sections, sections, tables
from experiments.reports.courses import MEANINGS, PARTS
from experiments.reports.findings import Gathering, findings_of
from experiments.reports.played import all_in_play, what_was_played
from experiments.reports.sections import Told
from experiments.studies import Specification, Study, Workers, running
from experiments.studies.metrics import metrics_of
from experiments.summary import Summary
from tabletop import Results, matches
from tabletop.extras import MissingExtraError
from tabletop.game import Fact

pytest.importorskip("matplotlib")

TABLES = ("summary", "gap", "head_starts", "ties", "effects", "course", "choices", "counts")
PLAYED = {"bites": Specification(game="bites", players=3, bots=("greedy", "uniform", "uniform"), games=150, seed=1)}


class Reader(HTMLParser):
    """What a page holds: links to elsewhere, ids, descriptions of pictures, and headings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.ids: list[str] = []
        self.described: list[str | None] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.append(tag)
        self.outside += [v for k, v in attrs if v and k in ("href", "src", "xlink:href") and not v.startswith("#")]
        self.ids += [v for k, v in attrs if k == "id" and v]
        if values.get("role") == "img":
            self.described.append(values.get("aria-label"))


def made(game: str, players: int, games: int, course: bool = True) -> str:
    plan = Specification(game=game, players=players, bots=("uniform",), games=games, seed=2, course=course)
    return report.made(plan, findings_of(plan))


# The command


@pytest.fixture(scope="module")
def bites_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small study of Bites, with its report."""
    folder = tmp_path_factory.mktemp("study")
    options = {"wine": "random", "special": "random"}
    bots = ("greedy", "uniform", "uniform")
    command = balance.Balance(game="bites", players=3, games=300, bots=bots, options=options, seed=1, out=folder)
    assert command.run() == 0
    return folder


def test_bites_page_stands_alone(bites_study: Path) -> None:
    page = Reader((bites_study / "report.html").read_text())
    assert page.outside == [] and "script" not in page.tags
    assert len(page.ids) == len(set(page.ids))
    assert page.tags.count("figcaption") == page.tags.count("figure") > 10
    assert all(page.described) and len(page.described) >= page.tags.count("figure")
    for name in ("short", "played", "bots", "seats", "points", "length", "effects", "course", "choices", "method"):
        assert name in page.ids


def test_bites_page_tells_the_numbers(bites_study: Path) -> None:
    text = (bites_study / "report.html").read_text()
    summary = pd.read_csv(bites_study / "summary.csv", dtype={"seat": str}, keep_default_na=False)
    (greedy,) = summary[(summary.bot == "greedy") & (summary.seat == "") & (summary.fact == "")].win
    assert f"greedy won {100 * float(greedy):.1f} %" in text
    effects = pd.read_csv(bites_study / "effects.csv")
    row = effects[(effects.outcome == "score") & (effects.category == "oenophile")].iloc[0]
    numbers = f"{row.effect:+.1f} ({row.low:+.1f} to {row.high:+.1f})"
    assert f"Wine card in play, oenophile: {numbers}" in text  # the name of the factor, too


def rows_of(page: str, section: str) -> dict[str, list[str]]:
    """The cells of the tables of a section, by what stands in the first column."""
    (part,) = re.findall(rf'<section id="{section}">.*?</section>', page, flags=re.DOTALL)
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', part)
    return {name: re.findall("<td>(.*?)</td>", cells) for name, cells in rows}


def ranged(row: pd.Series, name: str, factor: int, digits: int) -> str:
    value, low, high = (f"{factor * float(row[name + end]):.{digits}f}" for end in ("", "_low", "_high"))
    return f"{value} ({low} to {high})"


def test_bites_page_tells_wins_by_seat_with_each_card(bites_study: Path) -> None:
    found = rows_of((bites_study / "report.html").read_text(), "facts")
    summary = pd.read_csv(bites_study / "summary.csv", dtype={"seat": str}, keep_default_na=False)
    own = summary[(summary.category == "collector") & (summary.seat != "")]
    games, *shares, lead, _ = found["wine: collector"]
    assert games == str(own.games.iloc[0]) and shares == [ranged(row, "win", 100, 1) for _, row in own.iterrows()]
    best, worst = own.loc[own.win.astype(float).idxmax()], own.loc[own.win.astype(float).idxmin()]
    assert lead == f"{100 * (float(best.win) - float(worst.win)):.1f} (seat {best.seat} over {worst.seat})"


def test_bites_page_tells_wins_with_each_head_start(bites_study: Path) -> None:
    text = (bites_study / "report.html").read_text()
    found, table = rows_of(text, "head-starts"), pd.read_csv(bites_study / "head_starts.csv")
    later = "before" if table.points.iloc[-1] > 0 else "after"
    assert list(found)[:2] == ["no head start", f"0.25 point more than the seat {later} it"]
    for cells, (_, row) in zip(found.values(), table.iterrows(), strict=True):
        assert cells[:3] == [f"{100 * row[f'win_{seat}']:.1f}" for seat in range(3)]
        gap, low, high = (f"{100 * row[name]:.1f}" for name in ("gap", "gap_low", "gap_high"))
        assert cells[3:] == [f"{gap} ({low} to {high})", "smallest" * row.smallest]


def test_bites_page_puts_the_largest_lead_first_and_says_among_how_many(bites_study: Path) -> None:
    text = (bites_study / "report.html").read_text()
    found = {name: cells for name, cells in rows_of(text, "facts").items() if len(cells) == 6}
    name, *others = found
    shown = [float(found[other][-2].split()[0]) for other in others]
    assert name == "all games" and shown == sorted(shown, reverse=True)
    assert {other.split(":")[0] for other in others} == {"wine", "special"}
    assert f"{len(others)} rows are compared here" in text
    assert found[name][-1] == "" and all(0 < float(found[other][-1]) < 100 for other in others)


def test_bites_page_tells_places_and_points_by_seat_and_bot(bites_study: Path) -> None:
    text = (bites_study / "report.html").read_text()
    summary = pd.read_csv(bites_study / "summary.csv", dtype={"seat": str}, keep_default_na=False)
    whole = summary[summary.fact == ""]
    for section, row in (
        ("seats", whole[(whole.seat == "2") & (whole.bot == "")].iloc[0]),
        ("bots", whole[(whole.seat == "") & (whole.bot == "greedy")].iloc[0]),
    ):
        shown = [ranged(row, "win", 100, 1), ranged(row, "score", 1, 1), ranged(row, "place", 1, 2)]
        assert rows_of(text, section)[row.seat or row.bot] == shown


def test_bites_page_names_the_cards_in_play(bites_study: Path) -> None:
    found = rows_of((bites_study / "report.html").read_text(), "played")
    assert found["option wine"] == found["option special"] == ["drawn anew in every game"]
    assert found["option hill"] == ["overachiever (default)"]
    assert found["option chocolate"] == ["double_fister (default)"] and "option sets" not in found


def test_bites_page_tells_what_cards_do_and_where_tokens_are_explained(bites_study: Path) -> None:
    text = (bites_study / "report.html").read_text()
    found = rows_of(text, "played")
    assert found["chocolate: double fister"] == [
        "After taking from the trail, spend a chocolate to take a second front or back token of the same ant."
    ]
    assert "wine: collector" in found and "special: allergy" in found and "hill: humble" not in found
    assert "A token, such as move:purple, names an event" in text and "docs/bites.md" in text


def test_bites_strength_stands_beside_balance(bites_study: Path) -> None:
    text = (bites_study / "report.html").read_text()
    for name in ("seats", "points", "effects", "course", "choices", "facts"):
        (part,) = re.findall(rf'<section id="{name}">.*?</section>', text, flags=re.DOTALL)
        assert "Played by bots of this strength: greedy won" in part


def test_bites_data_lie_beside_the_page(bites_study: Path) -> None:
    for name in TABLES:
        table, text = pd.read_parquet(bites_study / f"{name}.parquet"), pd.read_csv(bites_study / f"{name}.csv")
        assert list(table.columns) == list(text.columns) and len(table) == len(text) > 0
        numbers = table.select_dtypes("number").columns
        np.testing.assert_allclose(table[numbers], text[numbers], rtol=1e-12)


def test_bites_report_is_made_again_byte_for_byte(bites_study: Path) -> None:
    files = ["report.html", *(f"{name}.csv" for name in TABLES)]
    before = {name: (bites_study / name).read_bytes() for name in files}
    for name in files:
        (bites_study / name).unlink()
    assert report.Report(folder=bites_study).run() == 0
    assert {name: (bites_study / name).read_bytes() for name in files} == before


def test_bites_choices_agree_with_the_games(bites_study: Path) -> None:
    """Every decision is a choice: the counts of the choices add up to the decisions of the games."""
    shards, choices = pd.read_parquet(bites_study / "shards"), pd.read_parquet(bites_study / "choices.parquet")
    assert (choices.winners + choices.others).sum() == shards.course_decisions.sum()
    own = choices[choices.bot == "greedy"]
    assert own.winners_share.sum() == pytest.approx(1) and own.others_share.sum() == pytest.approx(1)


def test_bites_without_course_and_page(tmp_path: Path) -> None:
    command = balance.Balance(
        game="bites",
        players=3,
        games=30,
        bots=("uniform",),
        seed=1,
        out=tmp_path,
        without_course=True,
        without_page=True,
    )
    assert command.run() == 0
    assert not (tmp_path / "report.html").exists()
    assert not any(name.startswith("course") for name in pd.read_parquet(tmp_path / "shards").columns)
    assert pd.read_csv(tmp_path / "summary.csv").games[0] == 30


def test_no_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert console.run_one(report.Report, [str(tmp_path)]) == console.BAD_INPUT
    assert "holds no study" in capsys.readouterr().err


# Without matplotlib


def test_bites_page_names_the_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = findings_of(PLAYED["bites"])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"matplotlib is needed .*: pip install 'critters\[plots\]'"):
        report.made(PLAYED["bites"], findings)


def test_bites_study_goes_on_without_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    command = balance.Balance(game="bites", players=2, games=20, bots=("uniform",), seed=1, out=tmp_path)
    assert command.run() == 0
    assert (tmp_path / "summary.csv").exists() and not (tmp_path / "report.html").exists()
    assert json.loads((tmp_path / "manifest.json").read_text())


# Every game


@pytest.mark.parametrize(
    ("game", "players", "games"), [("bites", 4, 80), ("rodentia", 2, 40), ("rodentia", 1, 30), ("rattus", 3, 60)]
)
def test_every_game_has_a_page(game: str, players: int, games: int) -> None:
    page = Reader(made(game, players, games))
    assert page.outside == [] and all(page.described)
    assert ("seats" in page.ids) == ("head-starts" in page.ids) == (players > 1)
    assert any("each place is chosen" in (text or "") for text in page.described)


def test_rattus_page_tells_how_many_seats_of_a_game_took_a_card() -> None:
    """Where all of them did, they win an equal share whatever the card is worth."""
    plan = Specification(game="rattus", players=3, bots=("uniform",), games=60, seed=1)
    findings = findings_of(plan)
    rows = findings.summary[(findings.summary.fact == "king_taken") & (findings.summary.bot == "")]
    text = "".join(fact_sections.facts(Told(plan, findings)))
    table = text[text.index('scope="col">king taken<') :]
    for _, row in rows[rows.seat == ""].iterrows():
        cells = f'<th scope="row">{row.category}</th><td>{row.games}</td><td>{row.seats / row.games:.2f}</td>'
        assert cells in table
    assert (rows.seats > rows.games).any()


@pytest.mark.parametrize(("game", "games"), [("bites", 1), ("bites", 2), ("rodentia", 1)])
def test_few_games_are_no_error(game: str, games: int) -> None:
    assert Reader(made(game, 2, games)).tags.count("section") >= 5


def test_bites_what_hardly_any_seat_had_is_not_drawn() -> None:
    plan = Specification(game="bites", players=2, bots=("uniform",), options={"wine": "random"}, games=60, seed=1)
    findings = findings_of(plan)
    rare = findings.effects.category == "collector"
    spoken = []
    for seats in (1000, np.where(rare, 3, 1000), 3):
        told = Told(plan, replace(findings, effects=findings.effects.assign(seats=seats)))
        spoken.append("".join(text for _, text in effect_sections.forests(told, "score")))
    assert ["collector" in text for text in spoken] == [True, False, True]
    assert all("oenophile" in text for text in spoken)


def test_bites_single_game_has_no_margins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = balance.Balance(game="bites", players=2, games=1, bots=("uniform",), seed=1, out=tmp_path)
    assert command.run() == 0
    shown = capsys.readouterr().out
    assert "seat 1" in shown and "nan" not in shown


def test_bites_page_without_the_course() -> None:
    page = Reader(made("bites", 2, 40, course=False))
    assert "course" not in page.ids and "seats" in page.ids


def test_bites_strongest_bot_is_the_one_that_wins_most() -> None:
    plan = PLAYED["bites"]
    assert Told(plan, findings_of(plan)).strongest == "greedy"


def test_rodentia_page_of_one_player_tells_the_games_won_and_what_was_in_play() -> None:
    plan = Specification(game="rodentia", players=1, bots=("uniform",), games=30, seed=2)
    found = findings_of(plan)
    won, text = found.summary.iloc[0], report.made(plan, found)
    told = f"{100 * won.win:.1f} % of the games were won (95 % interval {100 * won.win_low:.1f} to"
    assert text.count(told) == 2 and 0 < won.win_high < 1
    assert rows_of(text, "played")["option species"] == ["marmots in every game (default)"]
    assert "option goals" not in text and "mean place" not in text
    assert "turns: runs of decisions" not in text and "stands below" not in text  # one player has a single turn
    endings = found.summary[(found.summary.fact == "ending") & (found.summary.seat + found.summary.bot == "")]
    for _, row in endings.iterrows():
        assert rows_of(text, "fact-ending")[row.category][-1] == ranged(row, "win", 100, 1)


def test_rodentia_page_names_the_goals_in_play() -> None:
    plan = Specification(game="rodentia", players=2, bots=("uniform",), games=5, seed=2)
    fixed = dataclasses.replace(plan, options={"goals": ["area", "burrows"]})
    for one, shown in ((plan, "drawn anew in every game (default)"), (fixed, "area, burrows")):
        told = Told(one, findings_of(one))
        assert rows_of(sections.played(told), "played")["option goals"] == [shown]


def test_rodentia_alone_has_no_place() -> None:
    alone, together = (Specification(game="rodentia", players=p, bots=("uniform",), games=1, seed=1) for p in (1, 2))
    assert "place" in Summary(together.variant, ("a", "b")).measures and "place_1" in metrics_of(together)
    assert "place" not in Summary(alone.variant, ("a",)).measures and "place_0" not in metrics_of(alone)


# Pictures of boards


@pytest.mark.parametrize("game", tabletop.games())
@pytest.mark.parametrize("players", [2, 4])
def test_places_of_a_picture_are_those_of_tokens(game: str, players: int) -> None:
    variant = tabletop.make(game, players)
    assert variant.game.picture
    picture = variant.game.picture(variant.settings)
    named = {part for token in variant.event_ids for part in token.split(":")[1:]}
    assert len(set(picture.names)) == len(picture.names) > 5
    assert set(picture.names) <= named


def test_bites_picture_is_coloured() -> None:
    variant = tabletop.make("bites")
    assert variant.game.picture
    picture = variant.game.picture(variant.settings)
    svg = picture.svg({"red": "#102030"}, {"red": "<7>"}, 'a "title"')
    assert svg.count("#102030") == 1 and "&lt;7&gt;" in svg and "<7>" not in svg
    assert "aria-label='a \"title\"'" in svg
    for colours in ({"blue": "#102030"}, {"red": "dark"}):
        with pytest.raises(ValueError, match="expected #rrggbb"):
            picture.svg(colours, {}, "")


def with_choices(preferred: float) -> Told:
    """A study of Bites: winners surely move the red ant more often, others perhaps, and the green one is too rare."""
    plan = PLAYED["bites"]
    found = findings_of(plan)
    table = found.choices.assign(winners=500, others=1000, winners_share=0.03, others_share=0.02)
    table = table.assign(difference=0.01, low=0.001, high=0.019, wide_low=-0.01, wide_high=0.03)
    red, green = table.token == "move:red", table.token == "move:green"
    table.loc[red, ["wide_low", "others_share"]] = 0.005, 0.02 * preferred
    table.loc[green, ["winners", "others", "wide_low"]] = 9, 9, 0.005
    return Told(plan, dataclasses.replace(found, choices=table))


def test_bites_board_colours_only_what_is_sure() -> None:
    (_, _), (svg, spoken) = play_sections.board_pictures(with_choices(1.0), "move")
    assert svg.count("+50%") == 2 and svg.count("#00796b") == 1  # the label, and again as a tip
    assert svg.count(f'fill="{figures.PLAIN}"') == 3 and svg.count(f">{figures.UNSURE}<") == 3
    assert "red +50%;" in spoken and "purple" not in spoken and "green" not in spoken


def test_bites_board_tells_what_only_winners_choose() -> None:
    (_, _), (svg, spoken) = play_sections.board_pictures(with_choices(0.0), "move")
    assert "red only they;" in spoken and "inf" not in svg


def test_bites_list_of_choices_names_only_what_is_sure() -> None:
    ((_, spoken),) = play_sections.preferred(with_choices(1.0))
    assert spoken == "move:red: +1.00"
    (page,) = play_sections.choices(with_choices(1.0))
    assert (
        "Of no place it is sure that winners prefer it or avoid it for: take, " in page and "move: green places" in page
    )


def test_bites_page_without_a_sure_choice_says_so() -> None:
    told = with_choices(1.0)
    told.findings.choices.wide_low = -0.01
    (page,) = play_sections.choices(told)
    assert "Of no event it is sure" in page and figures.UNSURE not in page


def test_rattus_turns_of_rules_and_of_the_course_are_not_mixed_up() -> None:
    plan = Specification(game="rattus", players=3, bots=("uniform",), games=40, seed=3)
    counts = findings_of(plan).counts.groupby("name")["count"].sum()
    assert counts["turns"] == counts["course_turns"] == plan.games


def test_bites_bot_that_is_restricted_has_a_name_of_its_own(tmp_path: Path) -> None:
    plan = Specification(game="bites", players=2, bots=("uniform",), games=20, seed=3, forbid=("take:front",))
    study = Study(tmp_path, plan)
    with study.at_work(), Workers(1).ready() as workers:
        assert list(running.run(study, workers)) == list(range(plan.shards))
    assert report.Report(folder=tmp_path).run() == 0
    assert "uniform without take:front won" in (tmp_path / "report.html").read_text()


def test_the_line_at_0_does_not_cross_headings(monkeypatch: pytest.MonkeyPatch) -> None:
    held, drawn = [], figures.drawn

    @contextmanager
    def keeping(name: str, height: float) -> Iterator:
        with drawn(name, height) as (axes, text):
            yield axes, text
            held.append(axes)

    monkeypatch.setattr(figures, "drawn", keeping)
    rows = pd.DataFrame({"group": ["one", "one", "two"], "label": list("abc"), "value": 0.5, "low": 0.1, "high": 0.9})
    figures.ranges("forest", rows, "effect")
    (axes,) = held
    lines = [line.get_segments() for line in axes.collections]
    upright = [[y for _, y in line] for of in lines for line in of if (np.asarray(line)[:, 0] == 0).all()]
    crossed = [[low < y < high for low, high in upright] for y in range(5)]
    assert [any(row) for row in crossed] == [False, True, True, False, True]
    assert [text.get_position()[1] for text in axes.texts] == [0, 3]
    assert not any((np.asarray(line.get_xdata()) == 0).any() for line in axes.lines)


# Size


def test_bites_gathering_does_not_grow_with_the_games() -> None:
    plan = PLAYED["bites"]
    results = matches.play_games(plan.variant, 100, plan.bots, 5, with_course=True)
    gathering = Gathering(plan.variant, plan.bots)
    gathering.add(results)
    size = len(pickle.dumps(vars(gathering.effects) | {"counted": gathering.counts.counted}))
    for _ in range(20):
        gathering.add(results)
    assert len(pickle.dumps(vars(gathering.effects) | {"counted": gathering.counts.counted})) < 1.05 * size
    findings = gathering.findings()
    assert findings.games == 2100 and findings.summary.games[0] == 2100


# What the page says, and when it is silent


def told_with(**tables: pd.DataFrame) -> Told:
    """Bites with some tables of its findings exchanged."""
    plan = PLAYED["bites"]
    return Told(plan, dataclasses.replace(findings_of(plan), **tables))


def effect(category: str, seats: int, value: float, error: float, chance: float, origin: str = "dealt") -> dict:
    """A row of the table of effects on wins."""
    low, high = value - 2 * error, value + 2 * error
    named = {"outcome": "win", "factor": "species", "meaning": "species", "category": category, "origin": origin}
    return {**named, "seats": seats, "effect": value, "low": low, "high": high, "error": error, "chance": chance}


def test_bites_in_short_names_what_is_sure_and_dealt() -> None:
    rows = [
        effect("mole", 16_000, 0.03, 0.002, 1e-9),
        effect("otter", 117, 0.3, 0.12, 0.2),  # large and uncertain
        effect("newt", 20, 0.5, 0.05, 1e-5),  # hardly any seats
        effect("adder", 5000, 0.06, 0.018, 0.02),  # sure, but at least 0.024 only
        effect("king_taken", 9000, 0.2, 0.001, 1e-30, "chosen"),
    ]
    (line,) = sections._largest_effects(pd.DataFrame(rows))
    assert "Of the 4 cards and the like whose effects are separated, mole (species) surely matters most" in line
    assert list(sections._largest_effects(pd.DataFrame(rows[1:3]))) == []


def test_bites_in_short_names_the_largest_lead_of_those_that_are_more_than_luck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [("newt", 0.6, 0.7), ("mole", 0.5, 0.1), ("otter", 0.4, 0.01)]  # the first is too rare to tell
    found = pd.DataFrame(rows, columns=["category", "lead", "luck"]).assign(fact="wine", best="0", worst="2")
    monkeypatch.setattr(sections, "leads", lambda *_: found)
    told = told_with()
    everywhere = np.ptp(told.rows(seat=True).win)
    (line,) = sections._largest_lead(told)
    assert everywhere < 0.39 and line.startswith(
        "Of the 3 cards and the like that are told of one by one, mole (wine) goes along with the largest"
    )
    found.lead = everywhere + found.luck
    assert list(sections._largest_lead(told)) == []


def test_bites_choices_of_seats_stand_apart_with_a_warning() -> None:
    dealt = [effect("mole", 100, 0.1, 0.01, 0.0), effect("newt", 100, -0.1, 0.01, 0.0)]
    chosen = [effect("king_taken", 100, 0.1, 0.01, 0.0, "chosen"), effect("monk_taken", 90, -0.1, 0.01, 0.0, "chosen")]
    told = told_with(effects=pd.DataFrame(dealt + chosen))
    told = dataclasses.replace(told, plan=dataclasses.replace(told.plan))  # with a variant of its own
    facts = tuple(Fact(f"{name}_taken", f"how often a seat took the {name}") for name in ("king", "monk"))
    told.variant.game = dataclasses.replace(told.variant.game, facts=(*told.variant.game.facts, *facts))
    (first,), (second,) = effect_sections.effects(told), effect_sections.chosen(told)
    assert "king_taken" not in first + second  # told in words
    assert "mole" in first and "how often a seat took the king" not in first and "compare like with like" in first
    assert (
        "how often a seat took the king" in second and "mole" not in second and "compare like with like" not in second
    )
    assert "These are no causes" in second and "critters restrict" in second
    assert not list(effect_sections.chosen(told_with(effects=pd.DataFrame(dealt))))


def gap_told(gap: float, chance: float, low: float = 0.0, high: float = 0.2) -> tuple[str, str, str]:
    """What the page says of a gap in short and at length, and the terminal's cells."""
    row = {"best": 0, "worst": 0 if gap == 0 else 1, "gap": gap, "gap_low": low, "gap_high": high, "chance": chance}
    told = told_with(gap=pd.DataFrame([row]))
    (part,), (shown,) = sections.seats(told), tables._gap_table(told.findings.gap)
    return sections.summary(told), part, " ".join(str(cell) for column in shown.columns for cell in column.cells)


def test_bites_equal_seats_are_called_equal() -> None:
    for text in gap_told(0.0, np.nan)[:2]:
        assert "All seats won equally often" in text and "wins most" not in text and "nan" not in text
    assert "equal" in gap_told(0.0, np.nan)[2]


def test_bites_too_few_games_to_tell_whether_seats_are_equal() -> None:
    short, part, cells = gap_told(1.0, np.nan, 0.0, 1.0)
    assert "which may be chance" in short and "too few games to tell" in part and "too few games to tell" in cells
    assert "nan" not in short + part + cells


def test_bites_gap_that_is_sure() -> None:
    short, part, cells = gap_told(0.1, 0.0012, 0.05, 0.15)
    assert "which may be chance" not in short and "the probability 0.0012" in part and "0.0012" in cells


@pytest.mark.parametrize("game", ["bites", pytest.param("rattus", marks=pytest.mark.slow)])
def test_single_game_is_told_in_the_singular(game: str) -> None:
    page = made(game, 2, 1).partition('<section id="facts">')[0]
    assert "1 game<" in page and "1 game." in page
    assert "1 games" not in page and "nan" not in re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)


NO_GAP = pd.DataFrame(columns=["gap", "chance"])


def alone(**tables: pd.DataFrame) -> Told:
    """A lone player of Rodentia, told of with tables of other games."""
    plan = Specification(game="rodentia", players=1, bots=("uniform",), games=40, seed=3)
    return Told(plan, dataclasses.replace(findings_of(PLAYED["bites"]), bots=("uniform",), **tables))


def test_bites_page_of_a_lone_player_says_nothing_of_others() -> None:
    dealt = pd.DataFrame([effect("mole", 100, 0.1, 0.01, 0.0), effect("newt", 100, -0.1, 0.01, 0.0)])
    for told, is_alone in ((told_with(effects=dealt), False), (alone(effects=dealt, gap=NO_GAP), True)):
        page = report._method(told, True, True, True) + sections.played(told) + "".join(effect_sections.effects(told))
        for text in (
            "Tukey",
            "bots change seats",
            "Whether seats are equal",
            "The bots change seats",
            "least squares on seat",
            "share the win",
            "species, seats and players",
            "wins of all seats together",
        ):
            assert (text in page) is not is_alone, text
        assert "Wilson" in page and "Student" in page and "come in all combinations" in page
    assert alone().strength.startswith("All games were played by uniform; other players")


def test_options_that_may_have_no_bearing_are_not_told_as_if_they_had() -> None:
    """Alone there are no goals in Rodentia, whatever the option says."""
    for players, shown in ((4, True), (1, False)):
        variant = tabletop.make("rodentia", players=players)
        page = what_was_played(variant, [("seed", "1")], all_in_play(variant))
        assert ("option goals" in page) is ("drawn anew in every game (default)" in page) is shown
    variant = tabletop.make("bites", wine="oenophile", gold_points=9)
    page = what_was_played(variant, [], all_in_play(variant))
    assert "<td>oenophile</td>" in page and "<td>overachiever (default)</td>" in page
    assert '<th scope="row">parameter gold_points</th><td>9</td>' in page


def test_it_is_told_what_is_meant_by_what_was_chosen_and_by_what_varies() -> None:
    variant = tabletop.make("bites", wine="oenophile", chocolate="random", gold_points=9)
    page = what_was_played(
        variant,
        [("forbid", "swap:*")],
        all_in_play(variant),
        named=["double_fister + turbo"],
        varies=["level_points[1]", "level_points", "reconstructed_cards"],
    )
    told = dict(re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', page.partition("</table>")[2]))
    levels = "points of the hill&#x27;s levels, top first"
    assert told["gold_points"] == "points of a gold token" and told["level_points"] == levels
    assert told["level_points[1]"] == f"{levels} (of its entries 0, 1, 2, 3, 4 this is 1)"
    assert told["reconstructed_cards"] == "whether `random` may draw reconstructed cards"
    assert told["wine"] == "the wine card in play, or drawn at random" and "hill" not in told
    assert told["wine: oenophile"] == "Each wine scores the number of wines that its owner has."
    for card in ("chocolate: double fister", "chocolate: turbo", "chocolate: swap", "hill: overachiever"):
        assert told[card].endswith(".")
    assert not {"wine: collector", "chocolate: tiptoe"} & set(told)


def test_it_is_told_what_values_of_options_and_entries_by_name_mean_in_rattus() -> None:
    page = what_was_played(tabletop.make("rattus", reveal="all"), [], {}, varies=["removed[3]"])
    assert "rat tokens there are revealed (values: until_empty, all)</td>" in page
    assert "by the number of players (of its entries 2, 3, 4 this is 3)</td>" in page


def test_bites_page_tells_which_intervals_hold_together(bites_study: Path) -> None:
    (part,) = re.findall(r'<section id="method">.*?</section>', (bites_study / "report.html").read_text(), re.DOTALL)
    assert "by itself, not all of them together" in part and "All intervals" not in part
    assert "those of all events together hold the truth (Bonferroni)" in part


def test_bites_lengths_name_what_is_counted() -> None:
    counts = pd.DataFrame([(name, "", n, 5) for name in ("bonus_marks", "scared") for n in (1, 2)])
    page = sections.lengths(alone(counts=counts.set_axis(["name", "group", "value", "count"], axis=1)))
    assert "How often games had each number of bonus marks (X of all terrains); 1.5 on average." in page
    assert "each number of scared (solo: rodents that the wolf scared); 1.5" in page and "so many" not in page


def test_bites_page_defines_when_the_lead_was_taken_for_good(bites_study: Path) -> None:
    text = (bites_study / "report.html").read_text()
    assert "the number of that next turn ÷ the number of all turns" in text
    assert "several players have the most points at the end are left out" in text


def test_bites_page_defines_drama_as_it_is_computed(bites_study: Path) -> None:
    """Of games in which the winner was never behind it is 0, which means say: see the test of the course."""
    text = (bites_study / "report.html").read_text()
    assert "A game in which the winner was never behind counts as 0" in text
    assert "how far behind the winner was when behind (0 to 1); 0 in games in which it never was" in text
    assert "It is 1 in games in which all have the same points after every turn" in text
    assert "Both are 0 in games in which it never was" in text and "the first one to lead is no change" in text


def lone_games(games: int) -> tuple[Specification, Gathering]:
    """Made-up games of one player of Rodentia, every second one won; nothing that players choose was noted."""
    plan = Specification(game="rodentia", players=1, bots=("uniform",), games=games, seed=3, course=False)
    number = np.arange(games)
    places, facts = 1 + number[:, None] % 2, np.zeros((games, len(plan.variant.game.facts), 4), np.int32)
    seats, scores = np.zeros((games, 1), np.int64), np.full((games, 1), 30, np.int32)
    gathering = Gathering(plan.variant, ("uniform",))
    gathering.add(Results(("uniform",), number, seats, scores, places.astype(np.int32), 400 + number, facts))
    return plan, gathering


def test_a_lone_player_is_told_of_nothing_that_is_not_there() -> None:
    plan, gathering = lone_games(40)
    findings = gathering.findings()
    (method,) = re.findall(r'<section id="method">.*?</section>', report.made(plan, findings), re.DOTALL)
    assert "Wilson" in method and "CSV" in method
    for text in ("winners choose", "least squares", "jackknife", "effects", "choices", "Tukey"):
        assert text not in method, text
    shown = [table for table in tables.tables(plan.variant, gathering.summary, findings) if isinstance(table, Table)]
    assert shown[0].caption == "± half of the 95 % interval" and all("share" not in str(t.caption) for t in shown)


def test_the_lead_for_good_is_explained_where_it_stands() -> None:
    row = {f"{name}{end}": 0.5 for name in ("decisions", "decided") for end in ("", "_low", "_high")}
    margins = "± half of the 95 % interval"
    lead = "the lead for good: only games in which one seat alone has the most points"
    for row_of_all, caption in ((row, f"{margins};\n{lead}"), (row | {"decided": np.nan}, margins)):
        (shown,) = tables._course_table(pd.DataFrame([row_of_all]))
        assert shown.caption == caption


def test_bites_page_explains_only_what_is_on_it(bites_study: Path) -> None:
    (whole,) = re.findall(r'<section id="method">.*?</section>', (bites_study / "report.html").read_text(), re.DOTALL)
    (part,) = re.findall(r'<section id="method">.*?</section>', made("bites", 2, 40, course=False), re.DOTALL)
    for text, in_both in (("winners choose", False), ("least squares", False), ("Tukey", True), ("Wilson", True)):
        assert text in whole and (text in part) is in_both, text
    assert "What goes along with choices" not in whole  # of which Bites has none that exclude each other


def test_bites_gap_is_the_same_number_everywhere() -> None:
    """However it is added up: 12.45 may come out a bit more or a bit less."""
    plan = dataclasses.replace(PLAYED["bites"], options={"wine": "random"})
    row = {"best": 1, "worst": 2, "gap": 0.12450000000000003, "gap_low": 0.1, "gap_high": 0.2, "chance": 0.001}
    found = findings_of(plan)
    summary = found.summary.copy()
    of_seats = (summary.fact == "") & (summary.seat != "") & (summary.bot == "")
    summary.loc[of_seats, "win"] = [0.3, 0.4122, 0.2877]  # 0.12449999999999994 apart
    told = Told(plan, dataclasses.replace(found, gap=pd.DataFrame([row]), summary=summary))
    page = sections.summary(told) + "".join(sections.seats(told)) + "".join(fact_sections.facts(told))
    assert page.count("gap is 12.5") == 1 and "between two seats is 12.5" in page
    assert rows_of(page, "facts")["all games"][-2] == "12.5 (seat 1 over 2)"


def test_bites_intervals_of_few_games_hold_nothing_impossible() -> None:
    plan = Specification(game="bites", players=2, bots=("greedy",), games=3, seed=3)
    found = findings_of(plan)
    for name in MEANINGS:
        low, high = (float(found.course[f"{name}_{end}"].iloc[0]) for end in ("low", "high"))
        assert 0 <= low <= float(found.course[name].iloc[0]) <= high <= (1 if name in PARTS else np.inf), name
    assert (found.course.behind_low == 0).all() and (found.course.lead_changes_low == 0).all()
    summary = found.summary
    assert summary.place_low.min() == 1 and summary.place_high.max() == 2
    assert summary.spent_low.min() == 0 and (summary.wines_low >= 0).all() and summary.win_low.min() >= 0
    wins = found.effects[found.effects.outcome == "win"]
    assert wins.low.min() == -1 and wins.high.max() == 1 and (wins.low <= wins.effect).all()
    assert found.effects[found.effects.outcome == "score"].low.min() < -20  # points may be anything
    assert np.nanmax(np.abs(found.choices.filter(regex="low|high").to_numpy())) <= 1


def test_bites_page_of_a_single_game_speaks_of_no_interval() -> None:
    page = re.sub(r"<svg.*?</svg>", "", made("bites", 2, 1), flags=re.DOTALL)
    for text in ("95 %", "95 of 100", "thin line", "Wilson", "Tukey", "jackknife", "would be as likely"):
        assert text not in page, text
    assert "thin line at the end of a bar is its 95 % interval" in made("bites", 2, 2)
    plan, gathering = lone_games(1)
    page = report.made(plan, gathering.findings())
    assert page.count("100.0 % of the games were won.") == 2 and "95 %" not in page and "nan" not in page


def test_bites_page_tells_how_many_events_a_game_has(bites_study: Path) -> None:
    events = pd.read_csv(bites_study / "summary.csv").events[0]
    told = f"<p>A game has {events:.1f} events on average: decisions and draws of chance together.</p>"
    assert told in (bites_study / "report.html").read_text()
    plan, gathering = lone_games(3)
    assert "A game has 401.0 events" in sections.lengths(Told(plan, gathering.findings()))
