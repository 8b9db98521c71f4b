"""Figures in one style that stays readable in print and in grey, saved as PNG and SVG."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from experiments.result import Result, RunContext
from unwritten.errors import MissingPackageError

#: line styles and markers that can be told apart without colour
STYLES: tuple[dict[str, Any], ...] = (
    {"color": "#1b4f72", "linestyle": "-", "marker": "o"},
    {"color": "#b03a2e", "linestyle": "--", "marker": "s"},
    {"color": "#1e8449", "linestyle": "-.", "marker": "^"},
    {"color": "#7d6608", "linestyle": ":", "marker": "D"},
    {"color": "#6c3483", "linestyle": (0, (5, 1, 1, 1)), "marker": "v"},
)


@contextmanager
def figure(
    context: RunContext, result: Result, name: str, columns: int = 1, *, width: float = 5.2, height: float = 3.6
) -> Iterator[Any]:
    """Yield the axes of a figure, or an array of `columns` axes, and save the figure afterwards.

    `width` and `height` are those of each of the axes, in inches.
    """
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise MissingPackageError("matplotlib", "experiments", "drawing the figures") from error
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    style = {
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.alpha": 0.3,
        "legend.frameon": False,
        "lines.markersize": 5,
        "svg.hashsalt": "unwritten",  # so that every run writes the same bytes
    }
    with plt.rc_context(style):
        canvas, axes = plt.subplots(1, columns, figsize=(width * columns, height), layout="constrained")
        yield axes
        context.out.mkdir(parents=True, exist_ok=True)
        for ending in ("png", "svg"):
            metadata = {"Date": None} if ending == "svg" else None
            canvas.savefig(context.out / f"{name}.{ending}", dpi=160, metadata=metadata)
        plt.close(canvas)
    result.figures.append(name)
