"""Grid: columns whose names are places in a rectangle, shown as that rectangle."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

from unwritten.report.page_text import html, name_text

LEAST_CELLS, MOST_CELLS = 4, 2_500
LEAST_FILLED = 0.75  # share of the rectangle's cells
MOST_GRIDS = 3
BORDER_RATIO = 8  # a thick line is drawn where this many times fewer rules cross than elsewhere
LONGEST_PLACE = 80  # characters; a longer name is not read as a place

_NUMBER = r"(\d{1,4})"
_FORMS = tuple(
    re.compile(form, re.ASCII)
    for form in (
        rf"(.*?)[rR](?:ow)?[_ ]?{_NUMBER}[_ ,]?[cC](?:ol)?[_ ]?{_NUMBER}(?:[=_,: ](.+))?",  # r1c2, r1c2=5
        rf"(.*?)[\[(] ?{_NUMBER} ?[,;] ?{_NUMBER} ?(?:[,;] ?([^\])]+))?[\])]",  # x[1,2], cell(1, 2), x[1,2,5]
        rf"(.*?)\[{_NUMBER}\]\[{_NUMBER}\](?:\[([^\]]+)\])?",  # x[1][2]
        rf"(|.*?\D){_NUMBER}[_,.:x-]{_NUMBER}(?:[_,.:x=-](.+))?",  # x_1_2, x_1_2_5
    )
)


@dataclass(frozen=True)
class GridPicture:
    """Cells by (row, column); each holds columns of the model with their third index (empty if they have none)."""

    title: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    cells: dict[tuple[int, int], tuple[tuple[int, str], ...]]


def place_of(name: str) -> tuple[str, int, int, str] | None:
    """Return prefix, row, column and third index of a name that is a place in a grid; None for other names.

    >>> place_of("r1c2"), place_of("x_1_2_5"), place_of("cell(3, 4)"), place_of("engine")
    (('', 1, 2, ''), ('x_', 1, 2, '5'), ('cell', 3, 4, ''), None)
    """
    if len(name) > LONGEST_PLACE:
        return None
    for form in _FORMS:
        match = form.fullmatch(name)
        if match:
            prefix, row, column, third = match.groups()
            return prefix, int(row), int(column), third or ""
    return None


def grids_of(names: tuple[str, ...]) -> list[GridPicture]:
    """Return the rectangles that the names fill, the largest first."""
    parts: dict[str, dict[tuple[int, int], list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))
    for k, name in enumerate(names):
        place = place_of(name)
        if place is not None:
            prefix, row, column, third = place
            parts[prefix][row, column].append((k, third))
    grids = []
    for prefix, cells in parts.items():
        rows, columns = (tuple(sorted({place[axis] for place in cells})) for axis in (0, 1))
        fits = (
            min(len(rows), len(columns)) >= 2 and len(cells) >= LEAST_CELLS and len(rows) * len(columns) <= MOST_CELLS
        )
        if fits and len(cells) >= LEAST_FILLED * len(rows) * len(columns):
            grids.append(
                GridPicture(prefix.strip(" _"), rows, columns, {place: tuple(part) for place, part in cells.items()})
            )
    return sorted(grids, key=lambda grid: -len(grid.cells))[:MOST_GRIDS]


def grid_html(grid: GridPicture, rules: list[tuple[int, ...]], values: list[str], names: tuple[str, ...]) -> str:
    """Return the grid as a table of buttons; `rules` are the columns of each rule, `values` the cells of an example."""
    at = {c: place for place, cell in grid.cells.items() for c, _ in cell}
    inside = [{at[c] for c in columns if c in at} for columns in rules]
    number = {place: sum(place in cells for cells in inside) for place in grid.cells}
    across = _borders([{row: {c for r, c in cells if r == row} for row, _ in cells} for cells in inside], grid.columns)
    down = _borders([{col: {r for r, c in cells if c == col} for _, col in cells} for cells in inside], grid.rows)
    head = "".join(f'<th scope="col"{_edge(c in across, "right")}>{c}</th>' for c in grid.columns)
    body = "".join(
        f'<tr{_edge(row in down, "below")}><th scope="row">{row}</th>'
        + "".join(
            f"<td{_edge(c in across, 'right')}>"
            f"{_cell(grid.cells.get((row, c)), number.get((row, c), 0), values, names)}</td>"
            for c in grid.columns
        )
        + "</tr>"
        for row in grid.rows
    )
    wide = " small" if len(grid.columns) > 16 else ""
    title = f"<caption><bdi>{html(name_text(grid.title, 60))}</bdi></caption>" if grid.title else ""
    return (
        '<div class="picture" tabindex="0" role="group" aria-label="Grid of the columns">'
        f'<table class="grid{wide}">{title}<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _edge(thick: bool, side: str) -> str:
    return f' class="thick-{side}"' if thick else ""


def _cell(cell: tuple[tuple[int, str], ...] | None, number: int, values: list[str], names: tuple[str, ...]) -> str:
    if cell is None:
        return ""
    text = "·"
    if values:
        single = len(cell) == 1 and not cell[0][1]
        text = values[cell[0][0]] if single else ",".join(k for c, k in cell if values[c] not in ("0", "false")) or "·"
    name = name_text(names[cell[0][0]] + (f" and {len(cell) - 1} more" if len(cell) > 1 else ""))
    places = " ".join(str(c) for c, _ in cell)
    title = html(f"{name}: in {number} rule{'' if number == 1 else 's'}")
    return (
        f'<button type="button" class="cell" data-columns="{places}" aria-label="{title}" title="{title}">'
        f"{html(name_text(text, 5))}</button>"
    )


def _borders(rules: list[dict[int, set[int]]], places: tuple[int, ...]) -> set[int]:
    """Return the places after which a thick line is drawn: far fewer rules cross it than the lines next to it.

    A rule along a single line crosses every border of that line, so only rules that reach into several lines count.
    """
    crossing = [
        sum(left in part and right in part for cells in rules if len(cells) > 1 for part in cells.values())
        for left, right in pairwise(places)
    ]
    joined = [False, *(BORDER_RATIO * number > max(crossing, default=0) for number in crossing), False]
    return {place for k, place in enumerate(places[:-1]) if not joined[k + 1] and (joined[k] or joined[k + 2])}
