"""What was played and by whom, as the pages of all commands tell it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from experiments.reports.leads import dealt_facts
from experiments.reports.meanings import meanings
from experiments.reports.page import paragraph, section, table
from tabletop import Variant

OTHER_PLAYERS = "other players, stronger or weaker, may find another balance."


def what_was_played(
    variant: Variant,
    rows: Iterable[tuple[str, str]],
    in_play: Mapping[str, Sequence[str]],
    text: str = "",
    named: Iterable[str] = (),
    varies: Iterable[str] = (),
) -> str:
    """The part of a page about what was played, and what the names in it and elsewhere on the page mean.

    rows: who played, how many games, and the seed. in_play: the cards and the like that came or may come, by the option
    that decides on them. text: what else is to be said of how it was played. named: other texts of the page in which
    cards and the like are named. varies: options and parameters that vary, or entries of them.
    """
    rows, options, (chosen, parameters) = list(rows), dict(_options(variant, in_play)), variant.differences
    shown = [
        ("game", variant.game.title),
        ("players", str(variant.players)),
        *rows,
        *((f"option {name}", value) for name, value in options.items()),
        *((f"parameter {name}", str(value)) for name, value in parameters.items()),
    ]
    text = f"Options and parameters that are not named are those of the rules. {text}".strip()
    names, texts = dict.fromkeys([*chosen, *parameters, *varies]), [*named, *options.values(), *(v for _, v in rows)]
    parts = (table(("setting", "value"), shown, "The study"), paragraph(text), *meanings(variant, names, texts))
    return section("played", "What was played", *parts)


def all_in_play(variant: Variant) -> dict[str, Sequence[str]]:
    """The cards and the like that may come with the deal, by the option that decides on them.

    None of a game for one player, in which such options may have no bearing, and it takes games to see which have.
    """
    return {fact.name: fact.categories for fact in dealt_facts(variant) if variant.players > 1}


def _options(variant: Variant, in_play: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """The options that were chosen, and those that say which cards and the like were in play, chosen or not."""
    chosen, _ = variant.differences
    for name, value in variant.settings.options.items():
        categories = in_play.get(name, ())
        if name in chosen or categories:
            names = ", ".join(value) if isinstance(value, tuple) else str(value)
            shown = names if value != "random" else "drawn anew in every game"
            if value == "random" and len(categories) == 1:
                shown = f"{categories[0]} in every game"
            yield name, shown if name in chosen else f"{shown} (default)"
