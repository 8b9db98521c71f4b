"""Axes: the frame of a small plot as SVG, with linear or logarithmic scales."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, log10

from unwritten.report.page_text import html

WIDTH, HEIGHT = 420, 250
LEFT, RIGHT, TOP, BOTTOM = 58, 22, 12, 44

Format = Callable[[float], str]


def plain(value: float) -> str:
    """Return a number as people write it."""
    return f"{value:,.0f}" if value >= 1 or value == 0 else f"{value:g}"


def percent(value: float) -> str:
    """Return a share in percent."""
    return f"{100 * value:.0f} %"


@dataclass(frozen=True)
class PlotAxis:
    """One axis: its label, its range, and how its numbers are written; `log` makes it logarithmic."""

    label: str
    low: float
    high: float
    log: bool = False
    form: Format = plain

    def share(self, value: float) -> float:
        """Return how far along the axis a value is, from 0 to 1."""
        if self.log:
            return (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return (value - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[float]:
        """About five round values within the range."""
        if self.log:
            first, last = ceil(log10(self.low) - 1e-9), floor(log10(self.high) + 1e-9)
            step = max(1, ceil((last - first) / 5))
            powers = [10.0**k for k in range(first, last + 1, step)]
            return powers if len(powers) > 1 else [self.low, self.high]
        span = self.high - self.low
        unit = 10 ** floor(log10(span / 4))
        step = next(unit * times for times in (1, 2, 5, 10) if span / (unit * times) <= 5)
        step = max(step, 1) if self.form is plain else step  # counts are whole numbers
        return [k * step for k in range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1)]


def across(axis: PlotAxis, value: float) -> float:
    """Return the x coordinate of a value."""
    return LEFT + axis.share(value) * (WIDTH - LEFT - RIGHT)


def up(axis: PlotAxis, value: float) -> float:
    """Return the y coordinate of a value."""
    return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - TOP - BOTTOM)


def plot(title: str, x: PlotAxis, y: PlotAxis, marks: str, caption: str) -> str:
    """Return a figure: the marks in their frame, with a title above and a sentence below."""
    floor_y, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    lines = "".join(
        f'<line class="rule-line" x1="{LEFT}" x2="{end}" y1="{up(y, t):.1f}" y2="{up(y, t):.1f}"/>'
        f'<text x="{LEFT - 7}" y="{up(y, t):.1f}" dy="0.35em" text-anchor="end">{html(y.form(t))}</text>'
        for t in y.ticks
    )
    below = "".join(
        f'<text x="{across(x, t):.1f}" y="{floor_y + 16}" text-anchor="middle">{html(x.form(t))}</text>'
        for t in x.ticks
    )
    middle = (TOP + floor_y) / 2
    return (
        f'<figure><figcaption class="title">{html(title)}</figcaption>'
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html(f"{title}. {caption}")}">'
        f'{lines}{below}{marks}<line class="axis" x1="{LEFT}" x2="{end}" y1="{floor_y}" y2="{floor_y}"/>'
        f'<text class="label" x="{(LEFT + end) / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">{html(x.label)}</text>'
        f'<text class="label" transform="translate(13 {middle:.0f}) rotate(-90)" text-anchor="middle">'
        f"{html(y.label)}</text>"
        f'</svg><p class="hint">{html(caption)}</p></figure>'
    )
