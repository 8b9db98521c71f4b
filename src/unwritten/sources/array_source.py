"""Examples in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from unwritten.data import Examples
from unwritten.sources.example_source import Gathered
from unwritten.sources.label_test import LabelTest, LabelTestResult
from unwritten.tables import Schema, Table
from unwritten.tally import Tally
from unwritten.tally.following import example_weight


@dataclass(frozen=True, eq=False)
class ArraySource:
    """All examples in memory; `schema` says how labels encode the rows of a table, if they come from one."""

    examples: Examples
    schema: Schema | None = None
    about: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    table: Table | None = None

    def gather(self) -> Gathered:
        """Count all labels at once."""
        tally = Tally.of(self.examples.labels)
        return Gathered(
            tally,
            self.examples,
            tally,
            schema=self.schema,
            about=self.about,
            notes=self.notes,
            weight=example_weight(self.examples.labels),
        )

    def scan(self, test: LabelTest) -> Iterable[LabelTestResult]:
        """Test all labels at once."""
        return [test(self.examples.labels)]

    def close(self, *, finished: bool) -> None:
        """Do nothing: there are no files."""
