"""A roster with its rules drawn in: who works when, the counts of each day and nurse, and what the rules allow."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.families.rosters import DAYS, SHIFTS
from experiments.figures import figure
from experiments.result import Result, RunContext
from unwritten import Model
from unwritten.data import IntArray

COLOURS = ("#f4f6f7", "#f7dc6f", "#e59866", "#1b4f72")
LETTERS = ("", "M", "E", "N")
BAND = {"color": "#aab7b8", "alpha": 0.45, "zorder": 0}


def draw_roster(context: RunContext, result: Result, model: Model, roster: IntArray) -> None:
    """Draw a roster (nurses × days × shifts, 0/1) with the counts that mined rules bound."""
    nurses, days, shifts = roster.shape
    columns = np.arange(roster.size).reshape(roster.shape)
    with figure(context, result, "roster", 3, width=3.9, height=4.6) as axes:
        _cells(axes[0], roster)
        width = 0.26
        for k in range(1, shifts):
            places = np.arange(days) + (k - 2) * width
            axes[1].bar(places, roster[:, :, k].sum(axis=0), width * 0.9, color=COLOURS[k], label=SHIFTS[k])
            for day, place in enumerate(places):
                low, high = allowed(model, columns[:, day, k])
                axes[1].fill_between([place - width / 2, place + width / 2], low, high, **BAND)
        most = int(roster[:, :, 1:].sum(axis=0).max()) + 2
        axes[1].set(title="nurses at work, by day", xticks=range(days), xticklabels=DAYS, ylim=(0, most))
        axes[1].legend(loc="upper center", bbox_to_anchor=(0.5, -0.06), ncols=shifts - 1)
        for nurse in range(nurses):
            low, high = allowed(model, columns[nurse, :, 0])
            axes[2].fill_betweenx([nurse - 0.5, nurse + 0.5], low, high, linewidth=0, **BAND)
        axes[2].barh(np.arange(nurses), roster[:, :, 0].sum(axis=1), 0.6, color="#5d6d7e")
        axes[2].set(title="days off, by nurse", ylim=(nurses - 0.5, -0.5), xlim=(0, days), yticks=range(nurses))


def allowed(model: Model, columns: IntArray) -> tuple[int, int]:
    """The least and the largest number of these 0/1 columns that the mined rules about exactly them allow."""
    low, high = 0, len(columns)
    inside = np.zeros(model.rules.matrix.shape[1], bool)
    inside[columns] = True
    for coefficients, most, equality in zip(model.rules.matrix, model.rules.rhs, model.rules.equality, strict=True):
        sign = int(coefficients[columns[0]])
        if abs(sign) != 1 or not np.array_equal(coefficients, sign * inside):
            continue
        if sign > 0 or equality:
            high = min(high, int(sign * most))
        if sign < 0 or equality:
            low = max(low, int(sign * most))
    return low, high


def _cells(axes: Any, roster: IntArray) -> None:
    """Draw the shift of each nurse and day as a letter in a colour of its own."""
    chosen = roster.argmax(axis=2)
    for (nurse, day), shift in np.ndenumerate(chosen):
        axes.add_patch(_square(day, nurse, COLOURS[shift]))
        axes.text(
            day, nurse, LETTERS[shift], ha="center", va="center", fontsize=8, color="white" if shift == 3 else "#1c2833"
        )
    nurses, days = chosen.shape
    axes.set(
        title="a new roster", xlim=(-0.5, days - 0.5), ylim=(nurses - 0.5, -0.5), xticks=range(days), xticklabels=DAYS,
        yticks=range(nurses), yticklabels=[f"nurse {k}" for k in range(nurses)],
    )  # fmt: skip
    axes.grid(visible=False)
    axes.tick_params(length=0)


def _square(x: int, y: int, colour: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.47, y - 0.46), 0.94, 0.92, facecolor=colour, edgecolor="white")
