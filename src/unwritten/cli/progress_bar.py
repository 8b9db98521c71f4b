"""A progress bar on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from unwritten.progress import Progress


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a progress bar if standard error is a terminal; yield the function that updates it."""
    from unwritten.progress import silent

    console = Console(stderr=True)
    if not console.is_terminal:
        yield silent
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("reading", total=None)

        def update(step: str, done: int, total: int) -> None:
            bar.update(task, description=step, completed=done, total=total or None)

        yield update
