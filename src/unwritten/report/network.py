"""Network: columns on a circle, joined by lines in the colours of their rules; equal input gives an equal layout."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, log2, pi, sin

import numpy as np

from unwritten.report.page_text import html, name_text

RADIUS = 250.0
NETWORK_LABEL = 18  # characters
FEW_COLUMNS = 12  # drawn on a smaller circle

Weights = np.ndarray[tuple[int, int], np.dtype[np.float64]]


def network(names: tuple[str, ...], columns: list[int], links: dict[tuple[int, int, str], int]) -> str:
    """Return the SVG of these columns and links."""
    order = circle_order(columns, links)
    radius = RADIUS if len(order) > FEW_COLUMNS else RADIUS * 0.72
    reach = radius + 20 + 8.6 * min(NETWORK_LABEL, max(len(name_text(names[c], NETWORK_LABEL)) for c in order))
    angle = {c: 2 * pi * k / len(order) - pi / 2 for k, c in enumerate(order)}
    at = {c: (radius * cos(t), radius * sin(t)) for c, t in angle.items()}
    drawn: dict[tuple[int, int], int] = {}  # lines between two columns so far
    edges = []
    for (a, b, family), number in links.items():
        edges.append(_edge(a, b, family, number, at, drawn.get((a, b), 0), names))
        drawn[a, b] = drawn.get((a, b), 0) + 1
    nodes = [_node(c, angle[c], at[c], names[c]) for c in order]
    few = " few" if len(order) <= FEW_COLUMNS else ""
    box = f"{-reach:.0f} {-reach:.0f} {2 * reach:.0f} {2 * reach:.0f}"
    return (
        f'<svg class="network{few}" viewBox="{box}" role="group" aria-label="Columns and their rules">'
        f"<g>{''.join(edges)}</g><g>{''.join(nodes)}</g></svg>"
    )


def circle_order(columns: list[int], links: dict[tuple[int, int, str], int]) -> list[int]:
    """Order the columns so that linked ones are near each other.

    Columns that are linked directly or through others form a group. A group is ordered by the Fiedler vector of its
    links: the eigenvector of the second smallest eigenvalue of the graph Laplacian.
    """
    place = {c: k for k, c in enumerate(columns)}
    weight = np.zeros((len(columns), len(columns)))
    for (a, b, _), number in links.items():
        weight[place[a], place[b]] += number
        weight[place[b], place[a]] += number
    ordered: list[int] = []
    for group in sorted(_groups(weight), key=lambda part: (-len(part), part)):
        ordered += [columns[k] for k in _ordered(group, weight)]
    return ordered


def _groups(weight: Weights) -> list[list[int]]:
    """Return the connected components of the links."""
    left, groups = set(range(len(weight))), []
    while left:
        group, front = set[int](), [min(left)]
        while front:
            k = front.pop()
            if k in left:
                left.remove(k)
                group.add(k)
                front += np.flatnonzero(weight[k]).tolist()
        groups.append(sorted(group))
    return groups


def _ordered(group: list[int], weight: Weights) -> list[int]:
    """Order a group by its Fiedler vector, whose first entry that is not 0 is made positive."""
    if len(group) < 3:
        return group
    part = np.log1p(weight[np.ix_(group, group)])
    _, vectors = np.linalg.eigh(np.diag(part.sum(axis=1)) - part)
    second = np.round(vectors[:, 1], 6)
    first = np.flatnonzero(second)
    if len(first) and second[first[0]] < 0:
        second = -second
    return [group[int(k)] for k in np.argsort(second, kind="stable")]


def _edge(
    a: int, b: int, family: str, number: int, at: dict[int, tuple[float, float]], before: int, names: tuple[str, ...]
) -> str:
    """Return a curve that bends towards the middle, a long one more; `before` lines of the pair were drawn already.

    Each further line of the same pair bends less, so that the lines stay apart.
    """
    (x1, y1), (x2, y2) = at[a], at[b]
    bend = 0.85 - 0.55 * hypot(x1 - x2, y1 - y2) / (2 * hypot(x1, y1)) + 0.15 * before
    middle = ((x1 + x2) * bend / 2, (y1 + y2) * bend / 2)
    if hypot(x1 + x2, y1 + y2) < 40 and before:  # a line across the circle is moved sideways instead
        middle = ((y1 - y2) * 0.08 * before, (x2 - x1) * 0.08 * before)
    title = f"{name_text(names[a], 40)} – {name_text(names[b], 40)}: {number}"
    return (
        f'<path class="edge k-{family}" data-a="{a}" data-b="{b}" stroke-width="{1.1 + 0.7 * log2(number):.1f}" '
        f'd="M{x1:.1f} {y1:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {x2:.1f} {y2:.1f}">'
        f"<title>{html(title)}</title></path>"
    )


def _node(c: int, angle: float, at: tuple[float, float], name: str) -> str:
    """Return a dot and its name, which points outwards and is never upside down."""
    x, y = at
    turn = degrees(atan2(sin(angle), cos(angle)))
    left = abs(turn) > 90
    rotate = turn + 180 if left else turn
    return (
        f'<g class="node" data-column="{c}" tabindex="0" role="button" aria-label="Rules of {html(name_text(name))}">'
        f"<title>{html(name_text(name))}</title>"
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
        f'<text transform="translate({x:.1f} {y:.1f}) rotate({rotate:.1f})" x="{-11 if left else 11}" dy="0.35em" '
        f'text-anchor="{"end" if left else "start"}">{html(name_text(name, NETWORK_LABEL))}</text></g>'
    )
