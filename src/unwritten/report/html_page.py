"""HTML page: one file that holds its styles, script and data, and loads nothing."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from unwritten.report.fields import Fields
from unwritten.report.grid import grid_html, grids_of
from unwritten.report.linked_columns import Links
from unwritten.report.page_data import page_data
from unwritten.report.page_text import embedded, html
from unwritten.report.plots import plots
from unwritten.report.sample_rows import SampleRows, sample_rows
from unwritten.report.sections import columns_table, habits_list, summary, sureness, title_of
from unwritten.report.structure import is_dense, structure
from unwritten.report.suspect_rows import SuspectRows, suspects_html

if TYPE_CHECKING:
    from unwritten.model import Model


def report(model: Model, examples: object = None) -> str:
    """Return the model as one self-contained HTML page; the same model gives the same page.

    Parameters
    ----------
    model
        Any model.
    examples
        The table or labels that the model was mined from. A noisy model knows only the places of its suspect rows; with
        the examples, the page shows their values too.

    Examples
    --------
    >>> from unwritten import mine
    >>> page = report(mine([[1, 0], [0, 1]] * 100, names=["day", "night"]))
    >>> page[:15], "exactly one of day, night" in page
    ('<!doctype html>', True)
    """
    fields = Fields(model)
    links = Links.of(model, fields)
    samples = sample_rows(model, fields)
    suspects = SuspectRows.of(model, examples)
    data = embedded(page_data(model, fields, links, samples, suspects))
    style, script = _packaged("page.css"), _packaged("page.js")
    noun = "column" if model.schema is not None else "variable"
    grids = _grids(fields, samples)
    network = _section("structure", f"How {noun}s are linked", structure(links, noun))
    beside, below = (grids, network) if grids or is_dense(links) else (network, "")
    title = html(title_of(model))
    suspect_section = (
        _section("suspects", "Suspect rows", suspects_html(model, fields, suspects)) if model.noisy else ""
    )
    habit_section = f"{_section('habits', 'Habits', habits_list(model))}\n" if len(model.habits) else ""
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="unwritten">
<title>Rules of {title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<a class="skip" href="#rules">Skip to the rules</a>
<header>
<p class="brand">Unwritten · mined rules</p>
<h1><bdi>{title}</bdi></h1>
{summary(model)}
</header>
<main>
{_section("sure", "How sure", sureness(model))}
<div class="{"split" if beside else "single"}">
{_section("rules", "The rules", _CONTROLS.format(noun=noun.capitalize()))}
{f"<aside>{beside}</aside>" if beside else ""}
</div>
{suspect_section}
{habit_section}{_section("evidence", "The evidence", f'<div class="plots">{plots(model)}</div>')}
{below}
{_section("columns", f"{noun.capitalize()}s", columns_table(model, fields))}
</main>
<footer><p>Written by Unwritten from the model alone. This file needs no network and sends nothing.</p></footer>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


_CONTROLS = """<form class="controls" role="search" aria-label="Filter the rules">
<label class="wide">Search <input type="search" id="search" autocomplete="off" spellcheck="false"></label>
<label>Kind <select id="kind"><option value="">all</option></select></label>
<label>{noun} <select id="column"><option value="">all</option></select></label>
<label>Origin <select id="origin"><option value="">all</option></select></label>
<label>Confidence <select id="confidence"><option value="0">any</option></select></label>
<label>Sort by <select id="sort"><option value="use">usefulness</option><option value="confidence">confidence</option>
<option value="support">rows it is about</option><option value="text">text</option></select></label>
</form>
<p class="status"><output id="count" aria-live="polite"></output>
<button type="button" id="clear" hidden>Show all</button></p>
<noscript><p class="empty">The list of rules needs JavaScript: allow the script of this page to run.</p></noscript>
<ol id="list" class="rules"></ol>
<p class="status"><button type="button" id="more" hidden>Show more</button></p>"""


def _section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>\n{body}</section>'


def _grids(fields: Fields, samples: SampleRows) -> str:
    """Return the grids with the values of the most frequent row; empty if the names make no grid."""
    grids = grids_of(fields.names)
    if not grids:
        return ""
    values = fields.values(samples.labels[:1])
    tables = "".join(grid_html(grid, list(fields.columns), values[0] if values else [], fields.names) for grid in grids)
    hint = (
        '<p class="hint">The cells show the row that was seen most often. Point at a cell to mark the cells that share '
        "a rule with it, choose it to list its rules, or open a rule to mark its cells.</p>"
    )
    return _section("grid", "The grid", hint + tables)


def _packaged(name: str) -> str:
    """Return the text of a file of this package."""
    return files("unwritten.report").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the digest by which a content security policy names a text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
