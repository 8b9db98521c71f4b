"""Network: columns on a circle, joined by lines in the colours of their rules; laid out the same every time."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, log2, pi, sin

import numpy as np

from unwritten.report.text import html, name_text

RADIUS = 250.0
LABEL = 18  # characters


def network(names: tuple[str, ...], columns: list[int], links: dict[tuple[int, int, str], int]) -> str:
    """The SVG of these columns and links."""
    order = circle_order(columns, links)
    radius = RADIUS if len(order) > 12 else RADIUS * 0.72
    reach = radius + 20 + 8.6 * min(LABEL, max(len(name_text(names[c], LABEL)) for c in order))
    angle = {c: 2 * pi * k / len(order) - pi / 2 for k, c in enumerate(order)}
    at = {c: (radius * cos(t), radius * sin(t)) for c, t in angle.items()}
    turns: dict[tuple[int, int], int] = {}
    edges = []
    for (a, b, family), number in links.items():
        turn = turns[a, b] = turns.get((a, b), -1) + 1
        edges.append(_edge(a, b, family, number, at, turn, names))
    nodes = [_node(c, angle[c], at[c], names[c]) for c in order]
    few = " few" if len(order) <= 12 else ""
    box = f"{-reach:.0f} {-reach:.0f} {2 * reach:.0f} {2 * reach:.0f}"
    return (
        f'<svg class="network{few}" viewBox="{box}" role="group" aria-label="Columns and their rules">'
        f"<g>{''.join(edges)}</g><g>{''.join(nodes)}</g></svg>"
    )


def circle_order(columns: list[int], links: dict[tuple[int, int, str], int]) -> list[int]:
    """Columns so that linked ones are near each other: group by group, each by its Fiedler vector."""
    place = {c: k for k, c in enumerate(columns)}
    weight = np.zeros((len(columns), len(columns)))
    for (a, b, _), number in links.items():
        weight[place[a], place[b]] += number
        weight[place[b], place[a]] += number
    ordered: list[int] = []
    for group in sorted(_groups(weight), key=lambda part: (-len(part), part)):
        ordered += [columns[k] for k in _line(group, weight)]
    return ordered


def _groups(weight: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[list[int]]:
    left, found = set(range(len(weight))), []
    while left:
        group, front = set[int](), [min(left)]
        while front:
            k = front.pop()
            if k in left:
                left.remove(k)
                group.add(k)
                front += np.flatnonzero(weight[k]).tolist()
        found.append(sorted(group))
    return found


def _line(group: list[int], weight: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[int]:
    """A group on a line, its ends the most distant."""
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
    a: int, b: int, family: str, number: int, at: dict[int, tuple[float, float]], turn: int, names: tuple[str, ...]
) -> str:
    """A curve towards the middle, the more the further it goes; further links of the same pair bend less."""
    (x1, y1), (x2, y2) = at[a], at[b]
    bend = 0.85 - 0.55 * hypot(x1 - x2, y1 - y2) / (2 * hypot(x1, y1)) + 0.15 * turn
    middle = ((x1 + x2) * bend / 2, (y1 + y2) * bend / 2)
    if hypot(x1 + x2, y1 + y2) < 40 and turn:  # across the circle: step aside instead
        middle = ((y1 - y2) * 0.08 * turn, (x2 - x1) * 0.08 * turn)
    title = f"{name_text(names[a], 40)} – {name_text(names[b], 40)}: {number}"
    return (
        f'<path class="edge k-{family}" data-a="{a}" data-b="{b}" stroke-width="{1.1 + 0.7 * log2(number):.1f}" '
        f'd="M{x1:.1f} {y1:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {x2:.1f} {y2:.1f}">'
        f"<title>{html(title)}</title></path>"
    )


def _node(c: int, angle: float, at: tuple[float, float], name: str) -> str:
    """A dot and its name, turned outwards and never upside down."""
    x, y = at
    turn = degrees(atan2(sin(angle), cos(angle)))
    left = abs(turn) > 90
    rotate = turn + 180 if left else turn
    return (
        f'<g class="node" data-column="{c}" tabindex="0" role="button" aria-label="Rules of {html(name_text(name))}">'
        f"<title>{html(name_text(name))}</title>"
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
        f'<text transform="translate({x:.1f} {y:.1f}) rotate({rotate:.1f})" x="{-11 if left else 11}" dy="0.35em" '
        f'text-anchor="{"end" if left else "start"}">{html(name_text(name, LABEL))}</text></g>'
    )
