"""Excel workbooks: the first sheet is a table like any other, and a missing package or a bad file is named."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import pyarrow as pa
import pytest

from unwritten import budgets
from unwritten.errors import DataError, MissingPackageError
from unwritten.tables import Table, open_table

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"

Cell = str | float | bool | None


def cell(row: int, column: int, value: Cell) -> str:
    """One cell of a sheet, as XML."""
    return cell_at(f"{chr(65 + column)}{row + 1}", value)


def cell_at(name: str, value: Cell) -> str:
    """One cell by its name, as XML."""
    place = f'r="{name}"'
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c {place} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return f'<c {place} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c {place}><v>{value}</v></c>"


def workbook(path: Path, *sheets: list[list[Cell]]) -> Path:
    """Write a workbook with these sheets; None is an empty cell."""
    numbers = range(1, len(sheets) + 1)
    entries = "".join(f'<sheet name="Sheet{k}" sheetId="{k}" r:id="r{k}"/>' for k in numbers)
    links = "".join(
        f'<Relationship Id="r{k}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{k}.xml"/>' for k in numbers
    )
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    types = "".join(
        f'<Override PartName="/xl/worksheets/sheet{k}.xml" ContentType="{kinds}.worksheet+xml"/>' for k in numbers
    )
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>{types}</Types>',
        )
        file.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        file.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{entries}</sheets></workbook>'
        )
        file.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>'
        )
        for k, rows in zip(numbers, sheets, strict=True):
            body = "".join(
                f'<row r="{i + 1}">{"".join(cell(i, j, value) for j, value in enumerate(row))}</row>'
                for i, row in enumerate(rows)
            )
            file.writestr(
                f"xl/worksheets/sheet{k}.xml", f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'
            )
    return path


def test_the_first_sheet_is_read_as_text(tmp_path: Path) -> None:
    """Whole numbers, fractions, truth values, text and empty cells are read as from a CSV file; empty rows are not."""
    pytest.importorskip("python_calamine")
    path = workbook(
        tmp_path / "cars.xlsx",
        [
            [None, None, None, None],
            ["trim", "doors", "price", 2024.0],
            ["sport", 3.0, 1.5, True],
            [None, None, None, None],
            ["n/a", 5.0, None, False],
            ["base", "five", 2.0, True],
        ],
        [["other"], ["x"]],
    )
    reader = open_table(path, missing_words=["n/a"])
    table = pa.Table.from_batches([batch for batch, _ in reader.batches()])
    assert table.to_pydict() == {
        "trim": ["sport", None, "base"],
        "doors": ["3", "5", "five"],
        "price": ["1.5", None, "2"],
        "2024": ["true", "false", "true"],
    }
    assert (reader.title, reader.size, reader.facts) == ("cars.xlsx", 3, {"sheet": "Sheet1"})


def test_a_sheet_can_be_named(tmp_path: Path) -> None:
    """`sheet` chooses one of the sheets, and a wrong name is answered with the right ones."""
    pytest.importorskip("python_calamine")
    path = workbook(tmp_path / "t.xlsx", [["a"], ["x"]], [["b"], ["y"]])
    assert open_table(path, sheet="Sheet2").names == ("b",)
    assert open_table(path).names == ("a",)
    with pytest.raises(DataError, match="no sheet 'Nope': use one of 'Sheet1', 'Sheet2'"):
        open_table(path, sheet="Nope")
    path.rename(tmp_path / "t.csv")
    with pytest.raises(DataError, match=r"t.csv holds a workbook, .* ends with .xlsx: rename the file"):
        open_table(tmp_path / "t.csv")


def test_a_workbook_gives_the_same_table_as_a_csv_file(tmp_path: Path) -> None:
    """The kinds of columns are decided from the same texts."""
    pytest.importorskip("python_calamine")
    rows: list[list[Cell]] = [["size", "doors"], *[["S" if k % 2 else "M", float(k % 3)] for k in range(30)]]
    (tmp_path / "t.csv").write_text("\n".join(f"{a},{b if b == 'doors' else int(b)}" for a, b in rows))  # type: ignore[arg-type]
    excel, text = Table.of(workbook(tmp_path / "t.xlsx", rows)), Table.of(tmp_path / "t.csv")
    assert excel.schema == text.schema
    assert (excel.labels() == text.labels()).all()


@pytest.mark.parametrize(
    ("sheets", "words"),
    [
        ([[]], "t.xlsx is empty: give a sheet with a first row of column names"),
        ([[["a", "b"]]], "t.xlsx has no rows: give at least two below the column names"),
        ([[["a", "a"], ["1", "2"]]], "t.xlsx has two columns named 'a': rename one of them"),
        ([[["a", None], ["1", "2"]]], "column 2 of t.xlsx has no name: give it one in the first line"),
    ],
)
def test_bad_sheets(tmp_path: Path, sheets: list[list[list[Cell]]], words: str) -> None:
    """A sheet that is not a table is refused as a CSV file is."""
    pytest.importorskip("python_calamine")
    with pytest.raises(DataError, match=words):
        Table.of(workbook(tmp_path / "t.xlsx", *sheets))


@pytest.mark.parametrize("ending", [".xlsx", ".xlsm", ".xls"])
def test_damaged_workbooks(tmp_path: Path, ending: str) -> None:
    """Bytes that are not a workbook end in one sentence with the cure."""
    pytest.importorskip("python_calamine")
    path = tmp_path / f"t{ending}"
    path.write_bytes(b"PK\x03\x04 junk")
    with pytest.raises(DataError, match=r"cannot be read as a workbook .*: save it again as .xlsx or .csv") as error:
        Table.of(path)
    assert "\n" not in str(error.value)


def test_a_missing_package_is_named_with_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without python-calamine the error says what to install."""
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    path = workbook(tmp_path / "t.xlsx", [["a"], ["1"]])
    with pytest.raises(MissingPackageError, match=r"reading t.xlsx needs python-calamine.*unwritten\[excel\]"):
        Table.of(path)


@pytest.mark.parametrize("far", ["XFD1000000", "ZZZ9", "A99999999"])
def test_a_stray_cell_far_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, far: str) -> None:
    """A value far from the table would need more memory than there is: it is refused before anything is read."""
    monkeypatch.setattr(budgets, "EXCEL_CELLS", 100_000)
    pytest.importorskip("python_calamine")
    path = workbook(tmp_path / "t.xlsx", [["a", "b"], ["1", "2"]])
    with zipfile.ZipFile(path) as good:
        members = {name: good.read(name).decode() for name in good.namelist()}
    with zipfile.ZipFile(path, "w") as file:
        for name, text in members.items():
            file.writestr(name, text.replace("</row></sheetData>", f"{cell_at(far, 'x')}</row></sheetData>"))
    with pytest.raises(DataError, match=r"a sheet of t.xlsx reaches to .*: clear stray cells outside the table"):
        Table.of(path)
