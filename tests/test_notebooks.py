"""The notebooks run, and print what they show."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).parent.parent / "docs" / "notebooks"
SCRIPT = runpy.run_path(str(NOTEBOOKS.parent / "site" / "notebooks.py"))
NAMES = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
FIGURES = {"data-engineer": 2, "planner": 1, "ml-engineer": 1, "researcher": 2, "cluster": 0}


def test_there_is_one_for_each_user() -> None:
    """Five notebooks, with their figures stored."""
    assert sorted(FIGURES) == NAMES
    for name, count in FIGURES.items():
        cells = SCRIPT["code_cells"](NOTEBOOKS / f"{name}.ipynb")
        kinds = [kind for cell in cells for output in cell["outputs"] for kind in output.get("data", {})]
        assert sum(kind.startswith("image/") for kind in kinds) == count
        assert all(cell["outputs"] or "import" in "".join(cell["source"]) for cell in cells)


@pytest.mark.parametrize("name", NAMES)
def test_cells_print_what_the_notebook_shows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cells are run in this process, one after the other, and their text is compared with the stored one."""
    matplotlib = pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'unwritten[notebooks]'")
    pytest.importorskip("pandas")
    if name == "cluster":
        pytest.importorskip("dask", reason="needs dask: pip install 'unwritten[dask]'")
    matplotlib.use("agg")
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
    names: dict[str, Any] = {"__name__": "notebook"}
    for cell in SCRIPT["code_cells"](NOTEBOOKS / f"{name}.ipynb"):
        shown = SCRIPT["stored_texts"](cell).splitlines()
        fresh = SCRIPT["fresh_texts"]("".join(cell["source"]), names).splitlines()
        assert [line.rstrip() for line in fresh] == [line.rstrip() for line in shown if line.strip()]
    matplotlib.pyplot.close("all")


def test_a_kernel_runs_them() -> None:
    """The quickest notebook, run as Jupyter runs it."""
    nbclient = pytest.importorskip("nbclient", reason="needs nbclient: make extras")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel", reason="needs ipykernel: make extras")
    pytest.importorskip("dask", reason="needs dask: pip install 'unwritten[dask]'")
    book = nbformat.read(NOTEBOOKS / "cluster.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    assert "exactly one of red, green, blue" in book.cells[3].outputs[-1]["text"]
