"""The page: one HTML file with its styles, script and data inside, and nothing from anywhere else."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from unwritten.model import Model
from unwritten.report.data import payload
from unwritten.report.fields import Fields
from unwritten.report.grid import grid_html, grids_of
from unwritten.report.links import Links
from unwritten.report.plots import plots
from unwritten.report.samples import Samples, samples
from unwritten.report.sections import columns_table, summary, sureness, title_of
from unwritten.report.structure import is_dense, structure
from unwritten.report.suspects import Suspects, suspects_html
from unwritten.report.text import embedded, html


def report(model: Model, examples: object = None) -> str:
    """The model as one self-contained HTML page; the same model gives the same page.

    Parameters
    ----------
    model
        Any model.
    examples
        The table or labels that it was mined from, if suspect rows are to be shown with their values: a noisy model
        knows only their places.

    Examples
    --------
    >>> from unwritten import mine
    >>> page = report(mine([[1, 0], [0, 1]] * 20, names=["day", "night"]))
    >>> page[:15], "exactly one of day, night" in page
    ('<!doctype html>', True)
    """
    fields = Fields(model)
    links = Links.of(model, fields)
    shown = samples(model, fields)
    suspects = Suspects.of(model, examples)
    data = embedded(payload(model, fields, links, shown, suspects))
    style, script = _own("page.css"), _own("page.js")
    noun = "column" if model.schema is not None else "variable"
    grids = _grids(model, fields, shown)
    network = _section("structure", f"How {noun}s are linked", structure(links, noun))
    beside, below = (grids, network) if grids or is_dense(links) else (network, "")
    title = html(title_of(model))
    doubt = _section("suspects", "Suspect rows", suspects_html(model, fields, suspects)) if model.noisy else ""
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
{doubt}
{_section("evidence", "The evidence", f'<div class="plots">{plots(model)}</div>')}
{below}
{_section("columns", f"{noun.capitalize()}s", columns_table(model, fields))}
</main>
<footer><p>Made by Unwritten from the model alone. This file needs no network and sends nothing anywhere.</p></footer>
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
<option value="support">rows it speaks about</option><option value="text">text</option></select></label>
</form>
<p class="status"><output id="count" aria-live="polite"></output>
<button type="button" id="clear" hidden>Show all</button></p>
<noscript><p class="empty">The list of rules needs JavaScript, which this page carries with it.</p></noscript>
<ol id="list" class="rules"></ol>
<p class="status"><button type="button" id="more" hidden>Show more</button></p>"""


def _section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>\n{body}</section>'


def _grids(model: Model, fields: Fields, shown: Samples) -> str:
    """The grid view, with the values of the commonest row; empty where names make no grid."""
    grids = grids_of(fields.names)
    if not grids:
        return ""
    values = fields.values(shown.labels[:1])
    tables = "".join(grid_html(grid, list(fields.columns), values[0] if values else [], fields.names) for grid in grids)
    say = (
        '<p class="hint">Cells show one row that was seen. Point at a cell to see which cells it shares a rule with, '
        "choose it to list its rules; open a rule to see its cells.</p>"
    )
    return _section("grid", "The grid", say + tables)


def _own(name: str) -> str:
    return files("unwritten.report").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """How a content security policy names a text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
