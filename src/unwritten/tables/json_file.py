"""JSON files: a record on each line, or one array of records."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.cell_texts import value_text
from unwritten.tables.packed_file import DAMAGE, unpacked, unreadable
from unwritten.tables.quoting import shown
from unwritten.tables.read_options import ReadOptions
from unwritten.tables.table_reader import Batches, TableReader, check_names
from unwritten.tables.text_encoding import encoding_of, undecodable

Record = dict[str, str | None]

HALF = re.compile("[\ud800-\udfff]")  # half of a character: JSON can write it, text cannot hold it
DEEPEST = 16  # objects within objects; what lies deeper is text


@dataclass(frozen=True)
class JsonFile:
    """A file of records; `by_line` says that each line holds one of them."""

    path: Path
    title: str
    encoding: str
    by_line: bool

    def records(self) -> Iterator[tuple[Record, int]]:
        """Yield each record as texts by column name, with the bytes of the file read so far."""
        try:
            with unpacked(self.path) as (file, packed), io.TextIOWrapper(file, self.encoding) as text:
                if self.by_line:
                    for number, line in enumerate(self._lines(text), 1):
                        if line.strip():
                            value = _parsed(line, f"line {number:,} of {self.title}")
                            yield self._record(value, f"line {number:,}"), packed.tell()
                else:
                    for number, value in enumerate(self._all_records(text.read(budgets.JSON_CHARACTERS + 1)), 1):
                        yield self._record(value, f"record {number:,}"), packed.tell()
        except UnicodeError as error:
            raise undecodable(self.title, self.encoding) from error
        except DAMAGE as error:
            raise unreadable(self.title, error) from error

    def _lines(self, text: IO[str]) -> Iterator[str]:
        most = budgets.JSON_LINE_CHARACTERS
        for number, line in enumerate(iter(lambda: text.readline(most + 1), ""), 1):
            if len(line) > most:
                raise DataError(f"line {number:,} of {self.title} has more than {most:,} characters: shorten it")
            yield line

    def batches(self, names: tuple[str, ...]) -> Batches:
        """Yield the records as batches of texts with these columns."""
        import pyarrow as pa

        records = self.records()
        while chunk := list(islice(records, budgets.FRAME_BATCH_ROWS)):
            columns = [pa.array([record.get(name) for record, _ in chunk], pa.string()) for name in names]
            yield pa.record_batch(columns, names=list(names)), chunk[-1][1]

    def _all_records(self, text: str) -> list[Any]:
        """Return the records of one document: an array, or the only array in an object."""
        if len(text) > budgets.JSON_CHARACTERS:
            raise DataError(
                f"{self.title} is one JSON document of more than {budgets.JSON_CHARACTERS:,} characters: write it as "
                "JSON lines, one record on each line"
            )
        records = _records_of(_parsed(text, self.title))
        if records is None:
            raise DataError(f"{self.title} holds no array of records: write one JSON object on each line, or an array")
        return records

    def _record(self, value: Any, place: str) -> Record:
        if not isinstance(value, dict):
            raise DataError(
                f"{place} of {self.title} is not a JSON object: write each row as an object from column to value"
            )
        record: Record = {}
        _flatten(value, "", record)
        for text in (*record, *record.values()):
            if text is not None and HALF.search(text):
                raise DataError(f"{place} of {self.title} holds half a character, {HALF.findall(text)[0]!a}: mend it")
        return record


def json_file(path: Path, title: str, options: ReadOptions) -> TableReader:
    """Return a reader of a file of records; a column that a record lacks is missing there.

    The columns of an object within a record are named `outer.inner`; an array within a record is text.
    """
    title = shown(title)
    encoding = encoding_of(path, title, options.get("encoding"))
    file = JsonFile(path, title, encoding, _is_by_line(path, encoding))
    names: dict[str, None] = {}
    for record, _ in file.records():
        names.update(dict.fromkeys(record))
        if len(names) > budgets.TABLE_COLUMNS:
            break
    checked = check_names(list(names), title)
    return TableReader(checked, title, lambda: file.batches(checked), path.stat().st_size, {"encoding": encoding})


def _is_by_line(path: Path, encoding: str) -> bool:
    """Return whether the first line is an object, and not one that holds all records."""
    try:
        with unpacked(path) as (file, _), io.TextIOWrapper(file, encoding) as text:
            lines = (line for line in iter(lambda: text.readline(budgets.CSV_LINE_BYTES), "") if line.strip())
            first = json.loads(next(lines, ""))
            return isinstance(first, dict) and (_records_of(first) is None or next(lines, None) is not None)
    except (ValueError, RecursionError, *DAMAGE):
        return False


def _records_of(document: Any) -> list[Any] | None:
    """Return the records of a document: an array of them, the only such array in an object, or columns of values."""
    if isinstance(document, list):
        return document
    parts = list(document.values()) if isinstance(document, dict) else []
    arrays = [part for part in parts if isinstance(part, list) and all(isinstance(record, dict) for record in part)]
    if len(arrays) == 1 and arrays[0]:
        return arrays[0]
    if parts and all(isinstance(part, dict) and part and part.keys() == parts[0].keys() for part in parts):
        parts = [list(part.values()) for part in parts]
    elif not parts or not all(isinstance(part, list) and len(part) == len(parts[0]) for part in parts):
        return None
    return [dict(zip(document, values, strict=True)) for values in zip(*parts, strict=True)]


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f" in line {error.lineno:,}" if "\n" in text.strip() else ""
        raise DataError(f"{place} is not complete JSON ({error.msg}{where}): mend or remove it") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place} cannot be read as JSON ({shown(str(error))[:160]}): mend or remove it") from error


def _flatten(value: dict[str, Any], prefix: str, record: Record, depth: int = 0) -> None:
    for name, part in value.items():
        if isinstance(part, dict) and part and depth < DEEPEST:
            _flatten(part, f"{prefix}{name}.", record, depth + 1)
        elif isinstance(part, list | dict):
            record[f"{prefix}{name}"] = json.dumps(part, ensure_ascii=False)
        else:
            record[f"{prefix}{name}"] = value_text(part, name)
