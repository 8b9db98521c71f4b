"""The figure of spanning trees: the test accuracy of every model beside the paper's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.figures import figure
from experiments.paper.published import MST
from experiments.result import Result, RunContext
from unwritten.data import FloatArray


@dataclass(frozen=True)
class Bars:
    """The heights of one bar per model, with their spread, drawn in one style."""

    look: dict[str, str]
    height: FloatArray
    spread: FloatArray


def draw_accuracy(context: RunContext, result: Result, sizes: tuple[int, ...], models: list[str]) -> None:
    """Draw the test EM of every model, the paper's bar beside ours, in one panel per size."""
    with figure(context, result, "mst", columns=len(sizes)) as panels:
        for panel, size in zip(panels, sizes, strict=True):
            _draw_bars(panel, _bars(result, size, models), models)
            panel.set_title(f"{size:,} examples")
        panels[0].set_ylabel("test exact match (%)")
        panels[0].legend(loc="upper left")


def _bars(result: Result, size: int, models: list[str]) -> list[Bars]:
    """Collect the paper's numbers, and ours on fresh queries and on the test file; what is missing is left out."""
    bars = []
    if size in MST:
        heights = np.array([numbers[1] for numbers in MST[size].values()])
        bars.append(Bars({"label": "paper", "color": "white", "hatch": "////"}, heights, np.zeros(len(heights))))
    looks = {
        "fresh": {"label": "ours, fresh queries", "color": "#7fa6c2"},
        "file": {"label": "ours, paper's test file", "color": "#e8e8e8", "hatch": "..."},
    }
    for tested, look in looks.items():
        ours = [row for row in result.rows if (row.case, row.measure) == (f"{size:,} {tested}", "test EM")]
        rows = [row for row in ours if row.model in models]
        if rows:
            spread = np.array([row.spread or 0.0 for row in rows])
            bars.append(Bars(look, np.array([row.ours for row in rows]), spread))
    return bars


def _draw_bars(panel: Any, groups: list[Bars], models: list[str]) -> None:
    """Draw bars side by side, with their spread and their height in digits."""
    width = 0.86 / len(groups)
    frame = {"edgecolor": "black", "linewidth": 0.7, "zorder": 2}
    error = {"elinewidth": 1, "capsize": 2.5}
    for i, bars in enumerate(groups):
        places = np.arange(len(bars.height)) + (i - (len(groups) - 1) / 2) * width
        spread = np.where(bars.spread > 0, bars.spread, np.nan)
        panel.bar(places, bars.height, width, yerr=spread, error_kw=error, **frame, **bars.look)
        for place, height, top in zip(places, bars.height, bars.height + bars.spread, strict=True):
            panel.annotate(f"{height:.0f}", (place, top), (0, 2), textcoords="offset points", ha="center", fontsize=8)
    panel.set_xticks(range(len(models)), models)
    panel.set_yticks(range(0, 101, 20))
    panel.set_ylim(0, 112)
    panel.grid(axis="x", visible=False)
