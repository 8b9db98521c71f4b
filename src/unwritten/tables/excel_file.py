"""Excel and OpenDocument workbooks: the first sheet, every cell as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from unwritten.errors import DataError, MissingPackageError
from unwritten.tables.cells import value_text
from unwritten.tables.frame_table import frame_table
from unwritten.tables.quoting import first_line, shown
from unwritten.tables.table_reader import TableReader, check_names


def excel_file(path: Path, missing_words: Sequence[str] = ()) -> TableReader:
    """Return a reader of the first sheet of a workbook, whose first row with content holds the column names.

    Cells become text, as in a CSV file: a column may mix numbers and words, and 3.0 is read as 3. Empty cells and
    `missing_words` are missing values; rows without any content are left out.
    """
    import pyarrow as pa

    title = shown(path.name)
    sheet, rows = _first_sheet(path, title)
    texts = [[value_text(None if cell == "" else cell, title) for cell in row] for row in rows]
    texts = [row for row in texts if any(text is not None for text in row)]
    if not texts:
        raise DataError(f"{title} is empty: give a sheet with a first row of column names")
    names = check_names([text or "" for text in texts[0]], title)
    absent = set(missing_words)
    columns = [[None if text in absent else text for text in column] for column in zip(*texts[1:], strict=True)]
    table = pa.table([pa.array(column, pa.string()) for column in columns or [[] for _ in names]], names=list(names))
    reader = frame_table(table)
    return TableReader(names, title, reader.batches, reader.size, {"sheet": sheet})


def _first_sheet(path: Path, title: str) -> tuple[str, Sequence[Sequence[object]]]:
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        raise MissingPackageError("python-calamine", "excel", f"reading {title}") from error
    try:
        workbook = CalamineWorkbook.from_path(path)
        if workbook.sheet_names:
            sheet = workbook.get_sheet_by_index(0)
            return sheet.name, sheet.to_python()
    except (CalamineError, OSError, ValueError) as error:
        raise DataError(
            f"{title} cannot be read as a workbook ({first_line(error)}): save it again as .xlsx or .csv"
        ) from error
    raise DataError(f"{title} has no sheets: give a workbook with a table on its first sheet")
