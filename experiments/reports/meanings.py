"""What the options, parameters, cards and the like mean that a page names."""

import re
from collections.abc import Iterable, Iterator, Mapping

from experiments.reports.page import spaced, table
from experiments.studies.variations import meant
from tabletop import Variant
from tabletop.options import Choice, Option

FLAG = (False, True)  # the values of an option that needs no list of them


def meanings(variant: Variant, settings: Iterable[str], texts: Iterable[str]) -> Iterator[str]:
    """A table of meanings, if anything is named.

    settings: options and parameters, or entries of them such as `catch_vp[0]`. texts: in which cards and the like are
    named, by the names that the game has for them.
    """
    text = "\n".join(texts)
    rows = [_of_setting(variant, name) for name in settings]
    rows += [(f"{c.kind}: {spaced(c.name)}", c.effect) for c in variant.components if _is_named(c.name, text)]
    if rows:
        yield table(("name", "what it means"), rows, "Options, parameters, cards and the like named on this page")


def _is_named(name: str, text: str) -> bool:
    """Whether a name stands in a text, and not just as a part of a longer one."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _of_setting(variant: Variant, name: str) -> tuple[str, str]:
    """An option or a parameter, or an entry of one, and what it means."""
    whole, key = meant(name)
    for option in variant.game.options:
        if option.name == whole:
            return name, option.meaning + _values(variant, option)
    (parameter,) = (one for one in variant.game.parameters if one.name == whole)
    return name, parameter.meaning + (_entry(key, variant.settings.parameters[whole]) if key else "")


def _values(variant: Variant, option: Option) -> str:
    """The values of an option by which it names ways to play, not cards and the like, which have their own meanings."""
    values = option.choices if isinstance(option, Choice) and option.choices != FLAG else ()
    if not values or any(component.name in values for component in variant.components):
        return ""
    return f" (values: {', '.join(map(str, values))})"


def _entry(key: str, value: Iterable[object]) -> str:
    """Which entry of a parameter is meant; they are counted from 0 where they have no names."""
    there = list(value) if isinstance(value, Mapping) else range(len(list(value)))
    return f" (of its entries {', '.join(map(str, there))} this is {key})"
