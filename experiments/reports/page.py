"""The report of a study as one HTML page that needs no network: texts, tables and pictures one below the other."""

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1d2b2a; --paper: #fdfcf8; --soft: #6b7a78; --line: #d8d5c8; --card: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecea; --paper: #14191a; --soft: #a3b1af; --line: #38444400; --card: #1d2526; }
}
body { color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; margin: 0 auto;
  max-width: 60rem; padding: 1.5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; } h2 { margin-top: 2.6rem; border-bottom: 1px solid var(--line); }
figure { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 1.2rem 0; padding: 1rem; }
figure svg { max-width: 100%; height: auto; display: block; margin: auto; }
figcaption { color: var(--soft); margin-top: .6rem; }
.boards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
.boards figure { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .7rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
caption { color: var(--soft); text-align: left; caption-side: bottom; padding-top: .4rem; }
.strength { color: var(--soft); border-left: 3px solid #2a9d8f; padding-left: .8rem; }
nav a { margin-right: 1rem; } a { color: inherit; }
"""


def page(title: str, parts: Iterable[str]) -> str:
    """The whole page."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
    )


def section(name: str, heading: str, *parts: str) -> str:
    """A part of the page with a heading."""
    return f'<section id="{escape(name)}">\n<h2>{escape(heading)}</h2>\n' + "\n".join(parts) + "\n</section>"


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph."""
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def spaced(name: str) -> str:
    """A name of the data, such as `double_fister`, as words."""
    return name.replace("_", " ")


def listed(lines: Sequence[str]) -> str:
    """A list with a point for each line."""
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def figure(svg: str, says: str, how_to_read: str) -> str:
    """A picture, with what it says for those who cannot see it, and below it how to read it."""
    return (
        f'<figure><div role="img" aria-label="{escape(says)}">{svg}</div>'
        f"<figcaption>{escape(how_to_read)}</figcaption></figure>"
    )


def boards(*figures: str) -> str:
    """Pictures side by side, where there is room."""
    return f'<div class="boards">{"".join(figures)}</div>'


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table; the first column names the rows."""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in headings)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in rest) + "</tr>"
        for first, *rest in rows
    )
    return (
        f'<div class="scroll"><table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
