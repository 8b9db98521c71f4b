"""Excel and OpenDocument workbooks: one sheet, with every cell as text."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path

from unwritten import budgets
from unwritten.errors import DataError, MissingPackageError
from unwritten.tables.cell_texts import value_text
from unwritten.tables.frame_table import frame_table
from unwritten.tables.quoting import first_line, shown
from unwritten.tables.read_options import ReadOptions, missing_words_of
from unwritten.tables.table_reader import TableReader, check_names

CHUNK_BYTES = 1 << 20
CELL_NAME_BYTES = 32  # more than the longest name of a cell
CELL_NAME = re.compile(rb"""\br=["']([A-Z]{1,8})([0-9]{1,16})["']""")


def excel_file(path: Path, title: str, options: ReadOptions) -> TableReader:
    """Return a reader of a sheet of a workbook, whose first row with content holds the column names.

    The first sheet is read unless the options name one. Cells become text, as in a CSV file: a column may mix numbers
    and words, and 3.0 is read as 3. Empty cells and words for missing are missing values; rows without any content are
    left out.
    """
    import pyarrow as pa

    title = shown(title)
    sheet, rows = _sheet(path, title, options.get("sheet"))
    texts = [[value_text(None if cell == "" else cell, title) for cell in row] for row in rows]
    texts = [row for row in texts if any(text is not None for text in row)]
    if not texts:
        raise DataError(f"{title} is empty: give a sheet with a first row of column names")
    names = check_names([text or "" for text in texts[0]], title)
    absent = set(missing_words_of(options))
    columns = [[None if text in absent else text for text in column] for column in zip(*texts[1:], strict=True)]
    table = pa.table([pa.array(column, pa.string()) for column in columns or [[] for _ in names]], names=list(names))
    reader = frame_table(table)
    return TableReader(names, title, reader.batches, reader.size, {"sheet": sheet})


def _sheet(path: Path, title: str, name: str | None) -> tuple[str, Sequence[Sequence[object]]]:
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        raise MissingPackageError("python-calamine", "excel", f"reading {title}") from error
    try:
        _require_small(path, title)
        workbook = CalamineWorkbook.from_path(path)
        names = workbook.sheet_names
        if names and (name is None or name in names):
            sheet = workbook.get_sheet_by_name(names[0] if name is None else name)
            return sheet.name, sheet.to_python()
    except (CalamineError, zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise DataError(
            f"{title} cannot be read as a workbook ({first_line(error)}): save it again as .xlsx or .csv"
        ) from error
    if names:
        listed = ", ".join(repr(shown(each)) for each in names[:8])
        raise DataError(f"{title} has no sheet {shown(str(name))!r}: use one of {listed}")
    raise DataError(f"{title} has no sheets: give a workbook with a table on its first sheet")


def _require_small(path: Path, title: str) -> None:
    """Raise if a workbook unpacks to too many bytes or cells: calamine would abort for lack of memory.

    Sizes are counted, because those in the archive may be wrong. A sheet takes memory for the whole rectangle around
    its values: one stray value far below or beside a table is enough (github.com/tafia/calamine/issues/693). Only .xlsx
    files have such sheets; calamine itself limits those of .ods files.
    """
    if not zipfile.is_zipfile(path):
        return
    unpacked = 0
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            extent = _Extent()
            is_sheet = member.filename.startswith("xl/worksheets/") and member.filename.endswith(".xml")
            for chunk in _chunks(archive, member):
                unpacked += len(chunk)
                if unpacked > budgets.EXCEL_BYTES:
                    raise DataError(
                        f"{title} unpacks to more than {budgets.EXCEL_BYTES >> 20:,} MiB: save the table as .csv"
                    )
                if is_sheet:
                    extent.add(chunk)
            if extent.width * extent.height > budgets.EXCEL_CELLS:
                raise DataError(
                    f"a sheet of {title} reaches to column {extent.width:,} and row {extent.height:,}, which are too "
                    "many cells: clear stray cells outside the table, or save the table as .csv"
                )


def _chunks(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield all bytes of a member up to the end of its packed data, whatever size the archive claims for it."""
    member = copy(member)
    if member.compress_type != zipfile.ZIP_STORED:
        member.file_size = 2**63
    with archive.open(member) as file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


class _Extent:
    """The number of the last column and of the last row that has a cell in a sheet that is read in chunks."""

    def __init__(self) -> None:
        self._columns, self.height, self._tail = set[bytes](), 0, b""

    def add(self, chunk: bytes) -> None:
        names = CELL_NAME.findall(self._tail + chunk)
        self._columns |= {letters for letters, _ in names}
        self.height = max(self.height, *map(int, {digits for _, digits in names})) if names else self.height
        self._tail = (self._tail + chunk)[-CELL_NAME_BYTES:]

    @property
    def width(self) -> int:
        return max((_column_number(letters) for letters in self._columns), default=0)


def _column_number(letters: bytes) -> int:
    """Return the number of a column by its letters: A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number
