"""Text form: the values of a column are codes of one form, or of a few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.conditions import Condition, HasForm
from unwritten.conditions.forms import pieces_of
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted


@dataclass(frozen=True)
class TextForm(Fact):
    """Every value of `name` has one of the `forms`: `AA-9999`, or `'INV'-9…`.

    >>> from unwritten.tables import Column
    >>> TextForm("sku", ("AA-9999", "'X'-9…")).words(Schema((Column("sku", "skip", role="text"),)))
    "sku looks like AA-9999 or 'X'-9…"
    """

    kind = "looks-like"
    name: str
    forms: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.forms:
            raise DataError("a text has no form: mine the table again")
        for form in self.forms:
            pieces_of(form)

    @property
    def identity(self) -> Any:
        """The same whatever the order of the forms."""
        return [self.name, sorted(self.forms)]

    def words(self, schema: Schema) -> str:
        """`sku looks like AA-9999`."""
        return f"{quoted(self.name)} looks like {' or '.join(self.forms)}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if the cell is there and has another form."""
        return HasForm(self.name, self.forms)
