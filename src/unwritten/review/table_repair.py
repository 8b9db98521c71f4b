"""Table repair: the wrong rows of a table with the fewest cells changed, so that `check` accepts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unwritten.counted import counted
from unwritten.data.frames import FrameLike
from unwritten.errors import DataError
from unwritten.progress import Progress, silent
from unwritten.review.explanation import explain
from unwritten.review.repair import Change
from unwritten.review.table_check import check_table
from unwritten.tables import open_table
from unwritten.tables.cell_texts import texts_of, value_text
from unwritten.tables.column import Level

if TYPE_CHECKING:
    import pyarrow as pa

    from unwritten.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class TableRepair:
    """A table with its wrong rows repaired.

    `frame` is the repaired table as the kind of frame that was given. `changes` are the changed cells by the place of
    the row, from 0, and `left` the places of wrong rows for which no repair was found: they are as they were.
    """

    frame: Any
    changes: dict[int, tuple[Change, ...]]
    left: tuple[int, ...]
    frame_kind: FrameLike = field(default_factory=FrameLike)

    def to_frame(self) -> Any:
        """A frame with one line per changed cell: the place of the row (from 0), the column, the old and new value."""
        lines = [(row, each) for row, changes in self.changes.items() for each in changes]
        return self.frame_kind.table(
            {
                "row": [row for row, _ in lines],
                "column": [each.column for _, each in lines],
                "old": [value_text(each.old, each.column) for _, each in lines],
                "new": [value_text(each.new, each.column) for _, each in lines],
            }
        )

    def __repr__(self) -> str:
        rest = f", {counted(len(self.left), 'wrong row')} left" if self.left else ""
        return f"TableRepair({counted(len(self.changes), 'row')} repaired{rest})"


def repair_table(model: Model, table: object, strict: bool = False, progress: Progress = silent) -> TableRepair:
    """Repair the rows of a table that break rules of a model, or hold values that it has never seen.

    Each row is repaired by itself, by the first of the repairs that `explain` offers; rows that only other rows make
    wrong, such as the second of two with one key, are left. Repaired rows are checked again, together with all others.
    """
    import pyarrow as pa

    schema = model.schema
    if schema is None:
        raise DataError("the model was mined from labels and not from a table: use model.explain(label)")
    given = pa.Table.from_batches([batch for batch, _ in open_table(table).batches()])
    names = [column.name for column in schema.columns if column.name in given.column_names]
    known: dict[tuple[Level, ...], tuple[Change, ...]] = {}
    changes: dict[int, tuple[Change, ...]] = {}
    wrong = [finding.row - 1 for finding in check_table(model, given, strict, progress).findings]
    for done, place in enumerate(wrong):
        progress("repairing", done, len(wrong))
        row = {name: _text(given, name, place) for name in names}
        key = tuple(row.values())
        if key not in known:
            repairs = explain(model, row, nearest=0, strict=strict).repairs
            known[key] = repairs[0].changes if repairs else ()
        if known[key]:
            changes[place] = known[key]
    while True:
        repaired = _with_changes(given, changes)
        left = [finding.row - 1 for finding in check_table(model, repaired, strict).findings]
        refused = changes.keys() & set(left)  # a repaired row may have the key of another one
        if not refused:
            break
        changes = {place: each for place, each in changes.items() if place not in refused}
    kind = FrameLike.of(table)
    columns = {name: repaired.column(name).to_pylist() for name in repaired.column_names}
    return TableRepair(kind.table(columns, keep_index=True), changes, tuple(left), kind)


def _text(table: pa.Table, name: str, place: int) -> Level:
    texts, index = texts_of(table.column(name).slice(place, 1).combine_chunks(), name)
    return texts[int(index[0])]


def _with_changes(table: pa.Table, changes: Mapping[int, Iterable[Change]]) -> pa.Table:
    """Return the table with other cells, which take the types of their columns."""
    import pyarrow as pa

    by_column: dict[str, dict[int, Any]] = {}
    for place, several in changes.items():
        for change in several:
            by_column.setdefault(change.column, {})[place] = value_text(change.new, change.column)
    for name, cells in by_column.items():
        k, column = table.column_names.index(name), table.column(name)
        values = column.to_pylist()
        for place, text in cells.items():
            values[place] = None if text is None else pa.scalar(text).cast(_plain(column.type)).as_py()
        table = table.set_column(k, name, pa.array(values, column.type))
    return table


def _plain(kind: pa.DataType) -> pa.DataType:
    """Return the type of the values of a column that may be coded by a dictionary."""
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind
