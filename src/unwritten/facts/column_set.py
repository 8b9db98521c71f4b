"""Column set: what facts about a set of columns have in common, whatever the order of the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnNames


@dataclass(frozen=True, repr=False)
class ColumnSetFact(Fact):
    """A fact about the columns `names` together."""

    about = ("names",)
    names: ColumnNames

    @property
    def identity(self) -> Any:
        """The same whatever the order of the columns."""
        return sorted(self.names)
