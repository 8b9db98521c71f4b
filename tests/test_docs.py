"""The documentation's blocks are written from results, and name every experiment."""

from __future__ import annotations

import json
import os
import runpy
import shutil
from pathlib import Path

import pytest

from experiments.datasets import VARIABLE
from experiments.registry import EXPERIMENTS
from experiments.result import Result, RunContext

DOCS = Path(__file__).parent.parent / "docs"
CONSOLE = runpy.run_path(str(DOCS / "console.py"))
TABLES = runpy.run_path(str(DOCS / "results.py"))


def test_every_experiment_has_a_block_with_a_full_run() -> None:
    """Each experiment's table is there, from a full run, with its figures."""
    pages = "".join(page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md")))
    blocks = {match[1]: match[0] for match in TABLES["BLOCK"].finditer(pages)}
    for name in EXPERIMENTS:
        assert f"`unwritten reproduce {name} --seed" in blocks[name]
        assert all((DOCS / part.split(")")[0]).exists() for part in blocks[name].split("](")[1:])


@pytest.mark.skipif(
    not os.environ.get(VARIABLE) or not shutil.which("xz") or not shutil.which("awk"),
    reason=f"needs xz, awk, and {VARIABLE} set to the directory of the data sets",
)
def test_the_tutorial_prints_what_it_says(tmp_path: Path) -> None:
    """Every command of the tutorial, from the CSV file to the report, run in an empty directory."""
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    assert len(CONSOLE["sessions"](page)) > 15
    assert CONSOLE["differences"](page, tmp_path) == []
    assert (tmp_path / "sales.html").stat().st_size > 10_000


def test_console_sessions_are_compared_and_written_anew(tmp_path: Path) -> None:
    """A wrong line is reported, an ellipsis matches any lines, and rewriting corrects the page."""
    page = "text\n```console\n$ seq 9\n1\n…\n9\n$ echo hi\nho\n$ exit 3\nexit code 3\n```\nmore\n"
    (wrong,) = CONSOLE["differences"](page, tmp_path)
    assert wrong == "$ echo hi\nhi"
    assert CONSOLE["rewritten"](page, tmp_path) == page.replace("ho\n", "hi\n")


def test_blocks_are_rewritten_and_the_rest_is_left(tmp_path: Path) -> None:
    """Only the named block changes; a second run changes nothing."""
    result = Result("mst", "Trees")
    result.add("a|b", "NN", "EM", 1.0, 2.0, spread=0.5)
    result.save(RunContext(tmp_path / "results" / "mst", quick=True))
    docs = tmp_path / "docs"
    docs.mkdir()
    page = docs / "page.md"
    text = "before\n<!-- results mst -->\nold\n<!-- end -->\nbetween\n<!-- results hmc -->\nkept\n<!-- end -->\n"
    page.write_text(text, encoding="utf-8")
    assert TABLES["update"](tmp_path / "results", docs) == ["mst"]
    once = page.read_text(encoding="utf-8")
    assert "| a\\|b | NN | EM | 1 | 2 ± 0.5 | +1 |" in once
    assert "old" not in once and "between" in once and "kept" in once
    TABLES["update"](tmp_path / "results", docs)
    assert page.read_text(encoding="utf-8") == once
    assert json.loads((tmp_path / "results" / "mst" / "results.json").read_text(encoding="utf-8"))["quick"]
