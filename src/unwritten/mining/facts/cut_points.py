"""Cut points: where a bound between two neighbouring values is drawn."""

from __future__ import annotations

from math import ceil, floor, inf, log10, nextafter

from unwritten.tables import Column
from unwritten.tables.roles import NUMBERS


def cut_between(below: float, above: float, column: Column) -> tuple[float, float]:
    """Return the highest number of the lower side and the lowest of the upper one, in the unit of a column.

    The upper side starts at the roundest number in the middle half between the two values; dates are cut in the middle.

    >>> cut_between(110, 115, Column("wind", "integer", role="integer"))
    (112.0, 113.0)
    >>> cut_between(880, 1130, Column("price", "skip", role="decimal", scale=2))
    (999.0, 1000.0)
    """
    whole = column.role != "float"
    if whole and above - below <= 1:
        return float(below), float(above)
    width, middle = above - below, (below + above) / 2
    cut = _roundest(below + width / 4, above - width / 4, middle) if column.role in NUMBERS else middle
    if not whole:
        return nextafter(cut, -inf), cut
    cut = float(min(max(ceil(cut), floor(below) + 1), floor(above)))
    return cut - 1, cut


def _roundest(low: float, high: float, middle: float) -> float:
    """Return the roundest number of an interval that is nearest its middle, by multiples of 1 or 5 and zeros."""
    power = floor(log10(max(abs(low), abs(high), high - low, 1e-300))) + 1
    for exponent in range(power, power - 20, -1):
        for lead in (5, 1):
            step = lead * 10.0**exponent
            first, last = ceil(low / step), floor(high / step)
            if first <= last:
                nearest = min(max(floor(middle / step + 0.5), first), last)
                return float(f"{nearest * step:.12g}")
    return middle
