"""Timing, and tables of what was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")


def best_of(times: int, run: Callable[[], T]) -> tuple[float, T]:
    """The shortest of several runs, in seconds, and the last result."""
    seconds = []
    for _ in range(times):
        start = perf_counter()
        result = run()
        seconds.append(perf_counter() - start)
    return min(seconds), result


@dataclass
class Table:
    """Rows of named cells, printed as Markdown."""

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
