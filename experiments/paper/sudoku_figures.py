"""The figures of Sudoku: the test accuracy of every model, and a solved puzzle."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.figures import figure
from experiments.paper.published import SUDOKU, SUDOKU_MODELS
from experiments.paper.sudoku_puzzles import Puzzles
from experiments.result import Result, RunContext

QUOTED = "SATNet"  # its published numbers are shown; it is not run here
MEASURES = ("whole grids", "entries")
CAPTIONS = {"original": "clues (bold, on grey) and the answer", "permuted": "the same with its cells permuted"}
LOOKS: tuple[dict[str, Any], ...] = (
    {"facecolor": "#1b4f72", "edgecolor": "black"},
    {"facecolor": "#d5d8dc", "edgecolor": "black", "hatch": "//"},
)


def draw_scores(context: RunContext, result: Result) -> None:
    """Draw the test accuracy of every model in both settings."""
    place = np.arange(len(SUDOKU_MODELS))
    with figure(context, result, "sudoku", columns=2) as panels:
        for axes, (name, table) in zip(panels, SUDOKU.items(), strict=True):
            for k, (measure, look) in enumerate(zip(MEASURES, LOOKS, strict=True)):
                for x, model in zip(place, SUDOKU_MODELS, strict=True):
                    quoted = model == QUOTED
                    if quoted and measure == "entries":
                        continue
                    height = table[model][1] if quoted else result.ours(name, model, f"test {measure}")
                    _bar(axes, x + (0 if quoted else 0.4 * k - 0.2), height, look, quoted)
            axes.set_xticks(place, [f"{m}\n(as published)" if m == QUOTED else m for m in SUDOKU_MODELS], fontsize=8)
            axes.set(title=f"{name} cells", ylabel="test accuracy (%)", ylim=(0, 118), yticks=range(0, 101, 20))
            axes.grid(axis="x", visible=False)
        _legend(panels[0])


def _bar(axes: Any, x: float, height: float, look: dict[str, Any], quoted: bool) -> None:
    """Draw one bar with its number; the bar of a quoted number is white with a dashed border."""
    chosen = {"facecolor": "white", "edgecolor": "black", "linestyle": "--"} if quoted else look
    axes.bar(x, height, width=0.38, linewidth=0.8, zorder=2, **chosen)
    number = {"ha": "center", "fontsize": 7, "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.3}}
    axes.annotate(f"{height:.3g}", (x, height), (0, 3), textcoords="offset points", **number)


def _legend(axes: Any) -> None:
    """Add the legend of the two measures."""
    from matplotlib.patches import Patch

    handles = [Patch(label=measure, **look) for measure, look in zip(MEASURES, LOOKS, strict=True)]
    axes.legend(handles=handles, loc="upper left", ncols=2, fontsize=8)


def draw_puzzles(context: RunContext, result: Result, solved: dict[str, Puzzles]) -> None:
    """Draw one test puzzle as the mined rules solve it, and its permuted form."""
    with figure(context, result, "sudoku-puzzle", columns=2) as panels:
        for axes, (name, puzzle) in zip(panels, solved.items(), strict=True):
            for k in range(10):
                width = 1.6 if (k % 3 == 0 and name == "original") or k in (0, 9) else 0.5
                axes.plot([0, 9], [k, k], color="black", linewidth=width)
                axes.plot([k, k], [0, 9], color="black", linewidth=width)
            for cell, (clue, digit) in enumerate(zip(puzzle.clues[0], puzzle.solutions[0], strict=True)):
                row, column = divmod(cell, 9)
                look = {"weight": "bold"} if clue else {"color": "0.45", "style": "italic"}
                axes.text(column + 0.5, row + 0.5, str(digit), ha="center", va="center", fontsize=11, **look)
                if clue:
                    axes.fill_between([column, column + 1], row, row + 1, color="0.9", zorder=0)
            axes.set(xlim=(-0.1, 9.1), ylim=(9.1, -0.1), aspect="equal", title=CAPTIONS[name])
            axes.axis("off")
