"""Matrix: a square for each pair of linked columns, for models with too many links for a network."""

from __future__ import annotations

from collections import defaultdict

from unwritten.report.page_text import html, name_text

CELL = 10  # width and height
MATRIX_LABEL = 14  # characters
SHADES = 3


def matrix(names: tuple[str, ...], columns: list[int], links: dict[tuple[int, int, str], int]) -> str:
    """Return the SVG: a square for each linked pair, in the colour of its most frequent family."""
    place = {c: k for k, c in enumerate(columns)}
    pairs: dict[tuple[int, int], tuple[int, int, str]] = {}  # all rules, those of the most frequent family, that family
    for (a, b, family), number in links.items():
        total, most, main_family = pairs.get((a, b), (0, 0, family))
        pairs[a, b] = (total + number, *((number, family) if number > most else (most, main_family)))
    largest = max(total for total, _, _ in pairs.values())
    paths: dict[tuple[str, int], list[str]] = defaultdict(list)
    for (a, b), (total, _, family) in pairs.items():
        shade = SHADES - 1 if largest == 1 else (total - 1) * (SHADES - 1) // (largest - 1)
        for x, y in ((place[a], place[b]), (place[b], place[a])):
            paths[family, shade].append(f"M{x * CELL + 0.5} {y * CELL + 0.5}h9v9h-9z")
    margin = 8 + 7 * min(MATRIX_LABEL, max(len(name_text(names[c], MATRIX_LABEL)) for c in columns))
    size = CELL * len(columns)
    squares = "".join(
        f'<path class="square k-{family} shade-{shade}" d="{"".join(parts)}"/>'
        for (family, shade), parts in sorted(paths.items())
    )
    return (
        f'<svg class="matrix" viewBox="{-margin} {-margin} {size + margin + 4} {size + margin + 4}" role="group" '
        f'aria-label="Columns against columns"><rect class="ground" width="{size}" height="{size}"/>'
        f'<path class="diagonal" d="{"".join(f"M{k * CELL + 0.5} {k * CELL + 0.5}h9v9h-9z" for k in place.values())}"/>'
        f"{squares}{''.join(_labels(k, c, names[c], size) for k, c in enumerate(columns))}</svg>"
    )


def _labels(k: int, c: int, name: str, size: int) -> str:
    """Return the name of a column, beside its row (where it can be chosen) and above its column."""
    text, at = html(name_text(name, MATRIX_LABEL)), k * CELL + CELL / 2
    return (
        f'<g class="node" data-column="{c}" tabindex="0" role="button" aria-label="Rules of {html(name_text(name))}">'
        f"<title>{html(name_text(name))}</title>"
        f'<rect class="band" x="0" y="{k * CELL}" width="{size}" height="{CELL}"/>'
        f'<text x="-5" y="{at}" dy="0.35em" text-anchor="end">{text}</text></g>'
        f'<text class="above" transform="translate({at} -5) rotate(-90)" dy="0.35em" aria-hidden="true">{text}</text>'
    )
