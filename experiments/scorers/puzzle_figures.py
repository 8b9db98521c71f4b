"""Figures of image puzzles: accuracy by noise and by clues, and puzzles with the misread clues marked."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.figures import STYLES, figure
from experiments.result import Result, RunContext
from experiments.scorers.digit_images import SIDE
from experiments.scorers.puzzle_outcome import ALL_READ, DECODED, KEPT, NET, WHOLE, PuzzleOutcome
from unwritten.data import FloatArray

#: colours that colour-blind people can tell apart, and that differ in grey
WRONG, RIGHT, FILLED = "#d55e00", "#00694b", "#56789a"
BARS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    (NET, ALL_READ, "net alone: all clues read right", {"facecolor": "white", "hatch": "//"}),
    (KEPT, WHOLE, "net + rules, most readings kept", {"facecolor": "#b8cbd8"}),
    (DECODED, WHOLE, "net + rules, likeliest grid", {"facecolor": "#1b4f72"}),
)
BINS = ((24, 27), (28, 31), (32, 36))


def draw_scores(context: RunContext, result: Result, outcomes: dict[str, list[PuzzleOutcome]]) -> None:
    """Draw the share of whole puzzles that are right, by level of noise and by number of clues."""
    with figure(context, result, "visual-sudoku", columns=2) as (left, right):
        _bars(left, result, list(outcomes))
        _lines(right, outcomes)
        for axes in (left, right):
            axes.set(ylim=(0, 124), yticks=range(0, 101, 20), ylabel="whole puzzles right (%)")
            axes.grid(axis="x", visible=False)


def _bars(axes: Any, result: Result, cases: list[str]) -> None:
    """Draw bars by level of noise, with their spread and their height in digits."""
    places = np.arange(len(cases))
    for k, (model, measure, label, look) in enumerate(BARS):
        rows = {row.case: row for row in result.rows if (row.model, row.measure) == (model, measure)}
        heights = [rows[case].ours for case in cases]
        spread = [rows[case].spread or 0.0 for case in cases]
        x = places + 0.27 * (k - 1)
        error = {"yerr": spread, "error_kw": {"linewidth": 0.8, "capsize": 2, "zorder": 3}} if any(spread) else {}
        bars = {"linewidth": 0.8, "edgecolor": "black", "zorder": 2, "label": label}
        axes.bar(x, heights, 0.25, **bars, **look, **error)
        for place, height, above in zip(x, heights, spread, strict=True):
            axes.annotate(
                f"{height:.0f}", (place, height + above), (0, 2), textcoords="offset points", ha="center", fontsize=8
            )
    axes.set_xticks(places, cases)
    axes.legend(fontsize=8, loc="upper right")


def _lines(axes: Any, outcomes: dict[str, list[PuzzleOutcome]]) -> None:
    """Draw lines over the number of clues, two for each level of noise."""
    for style, (case, trials) in zip(STYLES, outcomes.items(), strict=False):
        clues = np.concatenate([outcome.given.sum(axis=1) for outcome in trials])
        parts = [(clues >= low) & (clues <= high) for low, high in BINS]
        shown = [k for k, part in enumerate(parts) if part.any()]
        for hits, label, more in (
            (np.concatenate([outcome.right for outcome in trials]), f"{case}, net + rules", {}),
            (np.concatenate([outcome.all_read for outcome in trials]), f"{case}, net alone", {"mfc": "white"}),
        ):
            axes.plot(shown, [100 * hits[parts[k]].mean() for k in shown], label=label, **style, **more)
    axes.set_xticks(range(len(BINS)), [f"{low}–{high}" for low, high in BINS])
    axes.set(xlabel="clues of the puzzle", xlim=(-0.2, len(BINS) - 0.8))
    axes.legend(fontsize=7, ncols=len(outcomes), loc="upper center", columnspacing=1.0)


def draw_puzzles(context: RunContext, result: Result, outcomes: dict[str, PuzzleOutcome]) -> None:
    """Draw, for each level of noise, the rightly decoded puzzle with most misread clues that was not drawn before."""
    shown: list[int] = []
    with figure(context, result, "visual-sudoku-puzzles", columns=len(outcomes)) as panels:
        panels[0].figure.set_size_inches(4.2 * len(outcomes), 4.9)
        for axes, (case, outcome) in zip(panels, outcomes.items(), strict=True):
            misread_clues = np.where(outcome.right, outcome.misread.sum(axis=1), -1)
            misread_clues[shown] = -1
            shown.append(i := int(np.argmax(misread_clues)))
            _puzzle(axes, outcome, i)
            clues, misread = int(outcome.given[i].sum()), int(outcome.misread[i].sum())
            axes.set_title(f"{case}: {clues} clues, {misread} misread", fontsize=11)
        _key(panels[0].figure, len(panels))


def _puzzle(axes: Any, outcome: PuzzleOutcome, i: int) -> None:
    """Draw one puzzle: clues as images, blanks filled in, and both readings of a misread clue."""
    axes.imshow(_mosaic(outcome.images[i]), cmap="gray_r", vmin=0, vmax=1.25, extent=(0, 9, 9, 0), aspect="equal")
    for k in range(10):
        width = 1.8 if k % 3 == 0 else 0.5
        axes.plot([0, 9], [k, k], color="black", linewidth=width, solid_capstyle="projecting")
        axes.plot([k, k], [0, 9], color="black", linewidth=width, solid_capstyle="projecting")
    for cell in range(81):
        row, column = divmod(cell, 9)
        digit = str(outcome.decoded[i, cell])
        if not outcome.given[i, cell]:
            axes.text(column + 0.5, row + 0.53, digit, ha="center", va="center", fontsize=12, color=FILLED)
        elif outcome.misread[i, cell]:
            _mark(axes, row, column, str(outcome.read[i, cell]), digit)
    axes.set(xlim=(-0.1, 9.1), ylim=(9.1, -0.1))
    axes.axis("off")


def _mark(axes: Any, row: int, column: int, read: str, digit: str) -> None:
    """Frame a misread clue: the net's reading at the top left, the corrected digit at the bottom right."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((column + 0.06, row + 0.06), 0.88, 0.88, fill=False, edgecolor=WRONG, linewidth=1.8))
    for x, y, text, colour in ((0.2, 0.24, read, WRONG), (0.8, 0.77, digit, RIGHT)):
        box = {"facecolor": colour, "edgecolor": "none", "boxstyle": "round,pad=0.12"}
        look = {"fontsize": 8, "weight": "bold", "color": "white", "bbox": box, "zorder": 4}
        axes.text(column + x, row + y, text, ha="center", va="center", **look)


def _mosaic(images: FloatArray) -> FloatArray:
    """Join the 81 images of a puzzle, with an empty pixel around each."""
    framed = np.pad(images.reshape(81, SIDE, SIDE), ((0, 0), (1, 1), (1, 1)))
    wide = SIDE + 2
    mosaic: FloatArray = framed.reshape(9, 9, wide, wide).transpose(0, 2, 1, 3).reshape(9 * wide, 9 * wide)
    return mosaic


def _key(canvas: Any, panels: int) -> None:
    """Add the legend of the marks."""
    from matplotlib.lines import Line2D

    marks = (
        ("s", "black", "image: a clue as the net sees it"),
        ("$8$", WRONG, "misread: the net's reading (above left)"),
        ("$3$", RIGHT, "as decoded (below right), the right digit"),
        ("$5$", FILLED, "a blank, filled in"),
    )
    handles = [Line2D([], [], marker=m, color=c, linestyle="", markersize=7, label=text) for m, c, text in marks]
    canvas.legend(handles=handles, loc="outside lower center", ncols=4 if panels > 2 else 2, fontsize=9)
