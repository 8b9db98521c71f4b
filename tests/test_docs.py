"""What the documentation shows is what the project does: examples run, names exist, links lead somewhere."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
from collections import Counter
from functools import reduce
from pathlib import Path

import pytest

import unwritten
from experiments.registry import EXPERIMENTS
from experiments.result import Result, RunContext

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
CONSOLE = runpy.run_path(str(DOCS / "console.py"))
TABLES = runpy.run_path(str(DOCS / "results.py"))

EXAMPLES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
PAGES = [*EXAMPLES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", ROOT / "CHANGELOG.md"]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OLD_NAME = "".join(["ta", "cit"])


def page_name(page: Path) -> str:
    """The path of a page below the root, for the name of a test."""
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """The text of a page without its fenced blocks."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors that the headings of a page get on GitHub."""
    heads = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", EXAMPLES, ids=page_name)
def test_every_python_block_is_run(page: Path) -> None:
    """A block of Python has prompts, so that pytest runs it as a doctest; other code is marked as text."""
    blocks = FENCED.findall(page.read_text(encoding="utf-8"))
    assert [code for kind, code in blocks if kind.startswith("py") and not code.startswith(">>> ")] == []
    assert [code for kind, code in blocks if kind in ("", "text") and ">>> " in code] == []


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_link_leads_somewhere(page: Path) -> None:
    """Files and headings that a page links to exist."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        linked = page.parent / path if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=page_name)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    """Each `name.py` and `folder/` in a page is a file or folder of the project, or the end of the path of one."""
    folders = ("src/unwritten", "experiments", "tests", "benchmarks", "docs")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in paths if path.is_file()]
    places = [
        f"/{path.relative_to(ROOT).as_posix()}/" for path in [*paths, *map(ROOT.joinpath, folders)] if path.is_dir()
    ]
    named = re.findall(r"`([\w./-]+(?:\.py|/))`", prose(page))
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in files + places)] == []


def test_every_folder_is_in_the_architecture() -> None:
    """The map has a row for each folder of the package, and for each file beside them."""
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "unwritten"
    rooms = [f"{path.name}/" for path in package.iterdir() if (path / "__init__.py").exists()]
    rooms += [path.name for path in package.glob("*.py") if not path.name.startswith("__")]
    assert [room for room in rooms if f"| `{room}`" not in page and f", `{room}` |" not in page] == []


def test_no_two_files_or_classes_share_a_name() -> None:
    """A name means one thing: each file of the package, and each class that other files may use, has its own."""
    files = [path for path in (ROOT / "src" / "unwritten").rglob("*.py") if not path.name.startswith("__")]
    classes = [
        name for path in files for name in re.findall(r"^class ([A-Z]\w*)", path.read_text("utf-8"), re.MULTILINE)
    ]
    for names in ([path.name for path in files], classes):
        assert [name for name, times in Counter(names).items() if times > 1] == []


def test_every_call_of_the_readme_exists() -> None:
    """In the table of the README, names after `unwritten.` and `model.` are there after a plain `import unwritten`."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## What you can do")[1].split("## ")[0]
    calls = re.findall(r"\b(unwritten|model|old)\.([\w.]+\w)\(", table)
    assert len(calls) > 20
    wholes = {"unwritten": unwritten, "model": unwritten.mine([[0, 1], [1, 0]] * 9)}
    for whole, names in calls:
        assert callable(reduce(getattr, names.split("."), wholes.get(whole, wholes["model"]))), names


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="needs a git checkout")
def test_the_old_name_is_gone() -> None:
    """No tracked file says what the package was called before."""
    command = ["git", "grep", "--ignore-case", "--files-with-matches", OLD_NAME]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == ""


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize("page", [page for page in EXAMPLES if page.name != "tutorial.md"], ids=page_name)
def test_console_blocks_print_what_they_say(page: Path, tmp_path: Path) -> None:
    """The commands of every page but the tutorial, which has its own test, are run in an empty directory."""
    assert CONSOLE["differences"](page.read_text(encoding="utf-8"), tmp_path) == []


def test_the_readme_has_a_console_session() -> None:
    """The test above has something to run: the README mines, checks and explains."""
    commands = [command for command, _ in CONSOLE["sessions"]((ROOT / "README.md").read_text(encoding="utf-8"))]
    assert {"mine", "check", "explain"} <= {command.split()[1] for command in commands if command[:9] == "unwritten"}


def test_every_experiment_has_a_block_with_a_full_run() -> None:
    """Some page shows the table and the figures of each experiment, from a full run."""
    whole = {}
    for page in sorted(DOCS.rglob("*.md")):
        for match in TABLES["BLOCK"].finditer(page.read_text(encoding="utf-8")):
            if match[2] in ("", " wide"):
                whole[match[1]] = (page, match[0])
    for name in EXPERIMENTS:
        page, block = whole[name]
        assert f"`unwritten reproduce {name} --seed" in block
        assert all((page.parent / part.split(")")[0]).exists() for part in block.split("](")[1:])


def test_pages_are_what_the_committed_results_give(tmp_path: Path) -> None:
    """No table of a result in `docs/measured/` was written by hand, and each of them is on a page."""
    docs = tmp_path / "docs"
    shutil.copytree(DOCS, docs, ignore=shutil.ignore_patterns("*.svg", "*.ipynb"))
    assert sorted(TABLES["update"](None, docs)) == sorted(path.stem for path in (docs / "measured").glob("*.json"))
    for page in sorted(DOCS.rglob("*.md")):
        assert (docs / page.relative_to(DOCS)).read_text(encoding="utf-8") == page.read_text(encoding="utf-8"), page


@pytest.mark.skipif(not shutil.which("bash") or not shutil.which("awk"), reason="needs bash and awk")
def test_the_tutorial_prints_what_it_says(tmp_path: Path) -> None:
    """The commands of the tutorial, from the sample to the report, are run in an empty directory."""
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    assert len(CONSOLE["sessions"](page)) > 15
    assert CONSOLE["differences"](page, tmp_path) == []
    assert (tmp_path / "shifts.html").stat().st_size > 10_000


def test_console_sessions_are_compared_and_written_anew(tmp_path: Path) -> None:
    """A wrong line is reported, an ellipsis stands for any number of lines, and rewriting corrects the page."""
    page = "text\n```console\n$ seq 9\n1\n…\n9\n$ echo hi\nho\n$ exit 3\nexit code 3\n```\nmore\n"
    (wrong,) = CONSOLE["differences"](page, tmp_path)
    assert wrong == "$ echo hi\nhi"
    assert CONSOLE["rewritten"](page, tmp_path) == page.replace("ho\n", "hi\n")


def test_blocks_are_rewritten_and_the_rest_is_left(tmp_path: Path) -> None:
    """Only the blocks of experiments with results change, and a second run changes nothing."""
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


def test_a_wide_block_has_a_column_for_each_measure(tmp_path: Path) -> None:
    """Rows of one case and model become one row, and another set of measures begins another table."""
    result = Result("mst", "Trees")
    for model in ("NN", "Outer"):
        result.add("7 nodes", model, "EM", None, 2.0, spread=0.5)
        result.add("7 nodes", model, "s", None, 3.0)
    result.add("8 nodes", "NN", "rules", None, 4.0)
    result.save(RunContext(tmp_path / "results" / "mst"))
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "page.md").write_text("<!-- results mst wide -->\nold\n<!-- end -->\n", encoding="utf-8")
    assert TABLES["update"](tmp_path / "results", docs) == ["mst"]
    lines = (docs / "page.md").read_text(encoding="utf-8").splitlines()
    assert lines[:6] == [
        "<!-- results mst wide -->",
        "| case | model | EM | s |",
        "|---|---|---:|---:|",
        "| 7 nodes | NN | 2 ± 0.5 | 3 |",
        "|  | Outer | 2 ± 0.5 | 3 |",
        "",
    ]
    assert lines[6:9] == ["| case | model | rules |", "|---|---|---:|", "| 8 nodes | NN | 4 |"]


def test_a_short_block_has_the_rows_that_it_asks_for(tmp_path: Path) -> None:
    """A part of the rows, or one measure with a column for each model; the figures and the command are left out."""
    result = Result("mst", "Trees")
    for nodes in (7, 17):
        for model in ("NN", "Outer"):
            result.add(f"{nodes} nodes", model, "EM", None, nodes / 3)
            result.add(f"{nodes} nodes", model, "s", None, 12345.6)
    result.add("17 nodes", "Inner", "EM", None, 4.0, spread=0.0)
    result.save(RunContext(tmp_path / "results" / "mst"))
    docs = tmp_path / "docs"
    (docs / "deep").mkdir(parents=True)
    markers = ['only="7 nodes" only="NN|Inner"', 'measure="EM"']
    blocks = "".join(f"<!-- results mst {marker} -->\n<!-- end -->\n" for marker in markers)
    (docs / "deep" / "page.md").write_text(blocks, encoding="utf-8")
    assert TABLES["update"](tmp_path / "results", docs) == []
    assert (docs / "deep" / "page.md").read_text(encoding="utf-8").splitlines() == [
        '<!-- results mst only="7 nodes" only="NN|Inner" -->',
        "| case | EM | s |",
        "|---|---:|---:|",
        "| 7 nodes | 2.33 | 12346 |",
        "<!-- end -->",
        '<!-- results mst measure="EM" -->',
        "| case | NN | Outer | Inner |",
        "|---|---:|---:|---:|",
        "| 7 nodes | 2.33 | 2.33 |  |",
        "| 17 nodes | 5.67 | 5.67 | 4 |",
        "<!-- end -->",
    ]
    (docs / "deep" / "page.md").write_text('<!-- results mst only="8 nodes" -->\n<!-- end -->\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="no row"):
        TABLES["update"](None, docs)
