"""Timing, and Markdown tables of the results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")


def best_of(times: int, run: Callable[[], T]) -> tuple[float, T]:
    """Run several times; return the seconds of the fastest run and the result of the last."""
    seconds = []
    for _ in range(times):
        start = perf_counter()
        result = run()
        seconds.append(perf_counter() - start)
    return min(seconds), result


@dataclass
class MarkdownTable:
    """A table of rows with named cells, printed as Markdown."""

    title: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, **cells: Any) -> None:
        """Add a row."""
        self.rows.append(cells)

    def __str__(self) -> str:
        lines = [f"## {self.title}", ""]
        if self.rows:
            heads = list(self.rows[0])
            lines.append("| " + " | ".join(head.replace("_", " ") for head in heads) + " |")
            lines.append("|" + "---|" * len(heads))
            lines += ["| " + " | ".join(_cell(row[head]) for head in heads) + " |" for row in self.rows]
        return "\n".join([*lines, "", *self.notes, ""])


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return str(value)
