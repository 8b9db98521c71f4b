"""TableReader: a table that is read in batches, as often as needed, whatever it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.quoting import shown
from unwritten.temporary import Spool

if TYPE_CHECKING:
    import pyarrow as pa

Batches = Iterator[tuple["pa.RecordBatch", int]]


@dataclass(frozen=True, eq=False)
class TableReader:
    """The column `names` of a table, and `batches()`, which starts a new pass over its rows.

    Each batch comes with the number of units read so far, and `size` is the number of units in a whole pass (bytes of a
    CSV file, rows of anything else; 0 if unknown): a progress bar needs no more. `title` names the table in messages,
    and `facts` holds what was found out about the file, such as its encoding. If several files are one table, `place`
    tells the file of a row that was read, and its number there; rows are counted from 1.
    """

    names: tuple[str, ...]
    title: str
    batches: Callable[[], Batches] = field(repr=False)
    size: int = 0
    facts: dict[str, str] = field(default_factory=dict)
    place: Callable[[int], tuple[str, int]] | None = field(default=None, repr=False)

    def holding(self, spool: Spool) -> TableReader:
        """Return this reader, which keeps the temporary file that it reads until the reader itself is gone."""

        def batches(held: Spool = spool) -> Batches:
            yield from self.batches()

        return replace(self, batches=batches)


def check_names(names: Sequence[object], title: str) -> tuple[str, ...]:
    """Return the column names as text, or raise if there are none or too many, or if one is empty or used twice."""
    if len(names) > budgets.TABLE_COLUMNS:
        raise DataError(
            f"{title} has {len(names):,} columns, more than {budgets.TABLE_COLUMNS:,}: leave some of them out"
        )
    seen: set[str] = set()
    for number, name in enumerate(names, 1):
        text = str(name)
        if not text.strip():
            raise DataError(f"column {number} of {title} has no name: give it one in the first line")
        if text in seen:
            raise DataError(f"{title} has two columns named {shown(text)!r}: rename one of them")
        seen.add(text)
    if not names:
        raise DataError(f"{title} has no columns: give a table with a first line of column names")
    return tuple(str(name) for name in names)
