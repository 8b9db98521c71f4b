"""Text form: the values of a column are codes of one form, or of a few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.conditions import Condition, HasForm
from unwritten.conditions.forms import TOKEN, pieces_of
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName
from unwritten.facts.parts_of_sentences import read_name, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
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
    name: ColumnName
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

    @classmethod
    def read(cls, reader: Reader) -> TextForm:
        """Read the sentence."""
        name = read_name(reader)
        read_words(reader, "looks like", "sku looks like AA-9999")
        forms = [_read_form(reader)]
        while reader.try_words("or"):
            forms.append(_read_form(reader))
        return cls(name, tuple(forms), origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`sku looks like AA-9999`."""
        return f"{quoted(self.name)} looks like {' or '.join(self.forms)}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if the cell is there and has another form."""
        return HasForm(self.name, self.forms)


def _read_form(reader: Reader) -> str:
    _ = reader.rest  # skips blanks
    start = reader.place
    while token := TOKEN.match(reader.text, reader.place):
        reader.place = token.end()
    form, rest = reader.text[start : reader.place], reader.text[reader.place :]
    if rest and not rest[0].isspace():
        form += rest.split()[0]
    try:
        pieces_of(form)
    except DataError as error:
        reader.fail(str(error), reader.place + 1)
    return form
