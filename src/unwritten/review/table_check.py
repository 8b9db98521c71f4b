"""Table check: the whole outcome of checking a table against the rules of a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.data import BoolArray, frozen
from unwritten.data.frames import FrameLike
from unwritten.data.html import html_table
from unwritten.progress import Progress, silent
from unwritten.review.findings import Finding, Findings
from unwritten.review.wording import html_lines
from unwritten.rules import Sentence

if TYPE_CHECKING:
    from unwritten.model import Model

FINDINGS_SHOWN = 20  # findings in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class TableCheck:
    """The outcome for all rows of a table.

    `feasible` has one entry per row: True if nothing is wrong with the row. `findings` are the wrong rows in order;
    `Finding.row` counts from 1, as people count rows, while `feasible` and `broken` count from 0.

    >>> import pyarrow as pa
    >>> import unwritten
    >>> cars = pa.table({"trim": ["base", "sport"] * 100, "roof": ["no", "yes"] * 100})
    >>> model = unwritten.mine(unwritten.Table.of(cars))
    >>> checked = check_table(model, pa.table({"trim": ["base", "sport"], "roof": ["no", "no"]}))
    >>> checked
    TableCheck(1 of 2 rows is wrong)
    >>> checked.feasible.tolist(), [str(sentence) for sentence in checked.broken(1)]
    ([True, False], ['trim = sport exactly when roof = yes'])
    """

    feasible: BoolArray
    findings: tuple[Finding, ...]
    _summary: str
    frame_kind: FrameLike = field(default_factory=FrameLike)

    @property
    def rows(self) -> int:
        """The number of rows checked."""
        return len(self.feasible)

    @cached_property
    def _by_row(self) -> dict[int, Finding]:
        return {finding.row - 1: finding for finding in self.findings}

    def broken(self, i: int) -> tuple[Sentence, ...]:
        """Return the sentences that row `i` breaks; the first row is 0, and -1 is the last."""
        finding = self._by_row.get(range(self.rows)[i])
        return () if finding is None else finding.broken

    def __len__(self) -> int:
        return self.rows

    def __iter__(self) -> Iterator[tuple[bool, tuple[Sentence, ...]]]:
        """Yield for each row whether nothing is wrong with it, and the sentences that it breaks."""
        return ((bool(ok), self.broken(i)) for i, ok in enumerate(self.feasible))

    def summary(self) -> str:
        """Return how many rows are wrong, and the rules broken most often."""
        return self._summary

    __str__ = summary

    def __repr__(self) -> str:
        wrong = len(self.findings)
        return f"TableCheck({wrong:,} of {self.rows:,} rows {'is' if wrong == 1 else 'are'} wrong)"

    def _repr_html_(self) -> str:
        if not self.findings:
            return html_lines(self.summary())
        shown = self.findings[:FINDINGS_SHOWN]
        rows = [[f"{finding.row:,}", "; ".join(finding.texts)] for finding in shown]
        caption = (
            f"The first {len(shown)} of {len(self.findings):,} wrong rows" if len(self.findings) > len(shown) else ""
        )
        return html_lines(self.summary()) + html_table(["row", "what is wrong"], rows, caption or "The wrong rows")

    def to_frame(self) -> Any:
        """Return a frame with one line per problem: the kind of frame that was checked, or an Arrow table.

        Its columns are `row` (the first row is 1), `id` (of the broken sentence; null for a value that was never seen
        or is outside its range) and `problem` (in words).
        """
        lines = [(finding.row, name, text) for finding in self.findings for name, text in finding.problems]
        return self.frame_kind.table(
            {head: [line[k] for line in lines] for k, head in enumerate(("row", "id", "problem"))}
        )


def check_table(model: Model, table: object, strict: bool = False, progress: Progress = silent) -> TableCheck:
    """Check every row of a table against the rules of a model that was mined from a table.

    Parameters
    ----------
    table
        A path, a data frame or anything else that a table is read from.
    strict
        True if an integer outside the range that the model has seen is wrong.
    progress
        Called with what is being done, the units done so far and all units.
    """
    findings = Findings(model, table, strict, progress)
    wrong = tuple(findings)
    feasible = np.ones(findings.rows, bool)
    feasible[[finding.row - 1 for finding in wrong]] = False
    return TableCheck(frozen(feasible), wrong, findings.summary(), FrameLike.of(table))
