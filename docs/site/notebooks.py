"""Run the notebooks again and store what they show: `python docs/site/notebooks.py [NAME …]`."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from ast import Expr, Expression, Module, parse
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
SECONDS = 300  # for one cell


def stored_texts(cell: dict[str, Any]) -> str:
    """What a cell has printed, and its last value; figures are left out."""
    parts = []
    for output in cell["outputs"]:
        data = output.get("data", {"text/plain": output.get("text", "")})
        parts += [] if any(kind.startswith("image/") for kind in data) else ["".join(data["text/plain"]).strip()]
    return "\n".join(part for part in parts if part)


def fresh_texts(source: str, names: dict[str, Any]) -> str:
    """What a cell prints and returns if it is run in this process, among the names of the cells before it."""
    statements = parse(source).body
    last = statements.pop() if statements and isinstance(statements[-1], Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(Module(statements, []), "<cell>", "exec"), names)
        if isinstance(last, Expr):
            value = eval(compile(Expression(last.value), "<cell>", "eval"), names)
            print("" if value is None else repr(value))
    return "\n".join(part for part in (line.rstrip() for line in printed.getvalue().strip().split("\n")) if part)


def code_cells(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook that hold code."""
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def run_again(path: Path) -> None:
    """Run a notebook in a kernel of its own, and store its outputs without what differs between two runs."""
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=SECONDS, kernel_name="python3").execute()
    book.metadata = KERNEL
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.metadata = {}
            cell.outputs = [output for output in cell.outputs if _shows_something(output)]
    nbformat.write(book, path)


def _shows_something(output: Any) -> bool:
    """True unless an output is an error stream or the empty rest of a progress line."""
    if output.get("name") == "stderr":
        return False
    return bool(output.get("text")) or any("".join(part).strip() for part in output.get("data", {}).values())


if __name__ == "__main__":
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")):
        if notebook.stem in sys.argv[1:] or not sys.argv[1:]:
            run_again(notebook)
