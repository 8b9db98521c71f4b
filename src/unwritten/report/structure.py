"""Structure: the picture of which columns are linked, drawn so that it stays readable."""

from __future__ import annotations

from unwritten.report.kinds import LEGEND
from unwritten.report.links import Links
from unwritten.report.matrix import matrix
from unwritten.report.network import network
from unwritten.report.text import count_text, html, name_text

MOST_NODES = 60
MOST_EDGES = 200
MOST_ROWS = 100  # of a matrix
MOST_LISTED = 400  # of the table


def is_dense(links: Links) -> bool:
    """Whether a network would be a ball of wool; then a matrix is drawn, which wants the width of the page."""
    return len(links.among(links.strongest(MOST_NODES))) > MOST_EDGES


def structure(links: Links, noun: str) -> str:
    """A picture, its legend, what it leaves out, and the same as a table."""
    if not links.pairs:
        return f'<p class="empty">No rule links two {noun}s, so there is no structure to draw.</p>'
    dense = is_dense(links)
    columns = links.strongest(MOST_ROWS if dense else MOST_NODES)
    shown = links.among(columns)
    picture = matrix(links.names, columns, shown) if dense else network(links.names, columns, shown)
    say = (
        f"A square marks two {noun}s with rules in common; the stronger its colour, the more."
        if dense
        else f"A line joins two {noun}s with rules in common; the thicker, the more."
    )
    return (
        f'<p class="hint">{say} Choose a {noun} to see its rules.</p>'
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
    parts = []
    weaker = len(links.strength) - len(columns)
    if weaker:
        parts.append(
            f"The {len(columns)} {noun}s with most links are drawn; {count_text(weaker, noun)} with fewer not."
        )
    alone = [name for k, name in enumerate(links.names) if k not in links.strength]
    if alone:
        some = ", ".join(html(name_text(name, 40)) for name in alone[:12])
        more = f" and {len(alone) - 12:,} more" if len(alone) > 12 else ""
        verb = "is" if len(alone) == 1 else "are"
        parts.append(f"No rule links {count_text(len(alone), noun)}, which {verb} not drawn: <bdi>{some}</bdi>{more}.")
    if links.wide:
        parts.append(
            f"{count_text(links.wide, 'rule')} over very many {noun}s would hide the others and are not drawn."
        )
    return f'<p class="hint">{" ".join(parts)}</p>' if parts else ""


def _table(links: Links, noun: str) -> str:
    """The links in words, most rules first."""
    both: dict[tuple[int, int], dict[str, int]] = {}
    for (a, b, family), number in links.pairs.items():
        both.setdefault((a, b), {})[family] = number
    ranked = sorted(both, key=lambda pair: (-sum(both[pair].values()), pair))
    rows = "".join(
        f"<tr><td><bdi>{html(name_text(links.names[a], 60))}</bdi></td><td><bdi>{html(name_text(links.names[b], 60))}"
        f'</bdi></td><td>{_families(both[a, b])}</td><td class="number">{sum(both[a, b].values()):,}</td></tr>'
        for a, b in ranked[:MOST_LISTED]
    )
    rest = len(ranked) - MOST_LISTED
    more = f'<p class="hint">The {rest:,} pairs with fewest rules are not listed.</p>' if rest > 0 else ""
    return (
        f"<details><summary>The same as a table ({count_text(len(ranked), 'pair')})</summary>"
        f'<div class="scroll" tabindex="0" role="group" aria-label="Linked {noun}s"><table><thead><tr>'
        f'<th scope="col">{noun}</th><th scope="col">linked with</th><th scope="col">by</th>'
        f'<th scope="col" class="number">rules</th></tr></thead><tbody>{rows}</tbody></table></div>{more}</details>'
    )


def _families(found: dict[str, int]) -> str:
    return "; ".join(f"{found[family]} × {LEGEND[family]}" for family in LEGEND if family in found)
