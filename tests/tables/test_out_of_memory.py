"""A reader that runs out of memory says so, and does not blame the file."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq
import pytest

from unwritten.tables import Table

FRAME = pa.table({"a": ["x", "y"] * 30, "b": [1, 2] * 30})


def _full(*_: object, **__: object) -> NoReturn:
    raise pa.ArrowMemoryError("malloc of size 64 failed")


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "records"])
def test_no_file_is_blamed_for_too_little_memory(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow's own error of memory reaches the caller as a MemoryError, whatever is read."""
    path = tmp_path / f"t.{kind}"
    match kind:
        case "csv":
            arrow_csv.write_csv(FRAME, path)
            monkeypatch.setattr(arrow_csv, "open_csv", _full)
        case "parquet":
            pq.write_table(FRAME, path)
            monkeypatch.setattr(pq, "ParquetFile", _full)
        case "arrow":
            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, FRAME.schema) as writer:
                writer.write_table(FRAME)
            monkeypatch.setattr(pa.ipc, "open_file", _full)
        case "records":
            monkeypatch.setattr(pa, "array", _full)
    with pytest.raises(MemoryError):
        Table.of([{"a": 1}] if kind == "records" else str(path))
