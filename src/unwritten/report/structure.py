"""Structure: the picture of which columns are linked, as a network or, if there are too many links, as a matrix."""

from __future__ import annotations

from unwritten.counted import counted
from unwritten.report.linked_columns import WIDEST_RULE, Links
from unwritten.report.matrix import matrix
from unwritten.report.network import network
from unwritten.report.page_text import html, name_text
from unwritten.report.rule_families import LEGEND

MOST_NODES = 60  # of a network
MOST_EDGES = 200  # of a network
MOST_ROWS = 100  # of a matrix
MOST_LISTED = 400  # pairs in the table
UNLINKED_NAMES = 12  # of columns without links


def is_dense(links: Links) -> bool:
    """Return True if a network would have too many lines to be read; then a matrix is drawn over the whole width."""
    return len(links.among(links.strongest(MOST_NODES))) > MOST_EDGES


def structure(links: Links, noun: str) -> str:
    """Return the picture, its legend, a note on what it leaves out, and the links as a table."""
    if not links.pairs:
        return f'<p class="empty">No rule links two {noun}s, so there is no structure to draw.</p>'
    dense = is_dense(links)
    columns = links.strongest(MOST_ROWS if dense else MOST_NODES)
    shown = links.among(columns)
    picture = matrix(links.names, columns, shown) if dense else network(links.names, columns, shown)
    hint = (
        f"A square marks two {noun}s that share rules; the stronger its colour, the more rules."
        if dense
        else f"A line joins two {noun}s that share rules; the thicker the line, the more rules."
    )
    return (
        f'<p class="hint">{hint} Choose a {noun} to see its rules.</p>'
        f'<div class="picture" tabindex="0" role="group" aria-label="Structure of the rules">{picture}</div>'
        f"{_legend(links.families)}{_left_out(links, columns, noun)}{_table(links, noun)}"
    )


def _legend(families: list[str]) -> str:
    items = "".join(
        f'<li class="k-{family}"><svg viewBox="0 0 28 8" aria-hidden="true">'
        f'<line class="edge" x1="1" y1="4" x2="27" y2="4"/></svg>{LEGEND[family]}</li>'
        for family in families
    )
    return f'<ul class="legend" aria-label="Legend">{items}</ul>'


def _left_out(links: Links, columns: list[int], noun: str) -> str:
    """Return which columns and rules the picture leaves out."""
    parts = []
    weaker = len(links.strength) - len(columns)
    if weaker:
        parts.append(
            f"The {len(columns)} {noun}s with most links are drawn; {counted(weaker, noun)} with fewer links "
            f"{'is' if weaker == 1 else 'are'} not."
        )
    alone = [name for k, name in enumerate(links.names) if k not in links.strength]
    if alone:
        listed = ", ".join(html(name_text(name, 40)) for name in alone[:UNLINKED_NAMES])
        more = f" and {len(alone) - UNLINKED_NAMES:,} more" if len(alone) > UNLINKED_NAMES else ""
        verb = "is" if len(alone) == 1 else "are"
        parts.append(f"No rule links {counted(len(alone), noun)}, which {verb} not drawn: <bdi>{listed}</bdi>{more}.")
    if links.wide:
        verb = "is" if links.wide == 1 else "are"
        parts.append(f"{counted(links.wide, 'rule')} over more than {WIDEST_RULE} {noun}s {verb} not drawn.")
    return f'<p class="hint">{" ".join(parts)}</p>' if parts else ""


def _table(links: Links, noun: str) -> str:
    """Return the links as a table, the pairs with most rules first."""
    by_pair: dict[tuple[int, int], dict[str, int]] = {}
    for (a, b, family), number in links.pairs.items():
        by_pair.setdefault((a, b), {})[family] = number
    ranked = sorted(by_pair, key=lambda pair: (-sum(by_pair[pair].values()), pair))
    rows = "".join(
        f"<tr><td><bdi>{html(name_text(links.names[a], 60))}</bdi></td><td><bdi>{html(name_text(links.names[b], 60))}"
        f'</bdi></td><td>{_families(by_pair[a, b])}</td><td class="number">{sum(by_pair[a, b].values()):,}</td></tr>'
        for a, b in ranked[:MOST_LISTED]
    )
    rest = len(ranked) - MOST_LISTED
    more = f'<p class="hint">The {rest:,} pairs with fewest rules are not listed.</p>' if rest > 0 else ""
    return (
        f"<details><summary>The links as a table ({counted(len(ranked), 'pair')})</summary>"
        f'<div class="scroll" tabindex="0" role="group" aria-label="Linked {noun}s"><table><thead><tr>'
        f'<th scope="col">{noun}</th><th scope="col">linked with</th><th scope="col">by</th>'
        f'<th scope="col" class="number">rules</th></tr></thead><tbody>{rows}</tbody></table></div>{more}</details>'
    )


def _families(counts: dict[str, int]) -> str:
    return "; ".join(f"{counts[family]} × {LEGEND[family]}" for family in LEGEND if family in counts)
