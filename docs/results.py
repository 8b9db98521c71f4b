"""Put the tables and figures of experiments into the documentation: `python docs/results.py RESULTS`.

RESULTS is the directory that `unwritten reproduce NAME --out RESULTS` wrote to. In every page beside this file, what is
between `<!-- results NAME -->` and `<!-- end -->` is replaced by the table of RESULTS/NAME, and the figures are copied.
With `<!-- results NAME wide -->` a measure is a column instead of a row.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BLOCK = re.compile(r"<!-- results ([\w-]+)( wide)? -->\n.*?<!-- end -->", re.DOTALL)


def update(results: Path, docs: Path = HERE) -> list[str]:
    """Rewrite the blocks of all experiments that have results, and return the names of these experiments."""
    updated = []
    for page in sorted(docs.glob("*.md")):

        def new_block(match: re.Match[str]) -> str:
            name = match[1]
            source = results / name / "results.json"
            if not source.exists():
                return match[0]
            updated.append(name)
            result = json.loads(source.read_text(encoding="utf-8"))
            for figure in result["figures"]:
                (docs / "figures").mkdir(exist_ok=True)
                shutil.copy(results / name / f"{figure}.svg", docs / "figures" / f"{figure}.svg")
            table = (_wide if match[2] else _long)(result["rows"])
            return f"<!-- results {name}{match[2] or ''} -->\n{rendered(result, table)}\n<!-- end -->"

        text = page.read_text(encoding="utf-8")
        page.write_text(BLOCK.sub(new_block, text), encoding="utf-8")
    return updated


def rendered(result: dict[str, Any], table: list[str]) -> str:
    """Return an experiment as Markdown: its table, figures and notes, its command, its time and the versions used."""
    lines = [*table, "", *(f"![{figure}](figures/{figure}.svg)" for figure in result["figures"]), ""]
    lines += [f"- {note}" for note in result["notes"]]
    kind = " --quick" if result["quick"] else ""
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    command = result["facts"].get("command", f"unwritten reproduce {result['name']}")
    lines += ["", f"`{command}{kind} --seed {result['seed']}`: {result['seconds']:.0f} s; {versions}."]
    return "\n".join(lines)


def _long(rows: list[dict[str, Any]]) -> list[str]:
    """Return a table with a row for each measure, beside the paper's number."""
    lines = ["| case | model | measure | paper | ours | difference |", "|---|---|---|---:|---:|---:|"]
    before = ("", "")
    for row in rows:
        here = (row["case"], row["model"])
        case = "" if here[0] == before[0] else _cell(here[0])
        model = "" if here == before else _cell(here[1])
        before = here
        paper = "–" if row["paper"] is None else f"{row['paper']:.5g}"
        difference = "" if row["difference"] is None else f"{row['difference']:+.3g}"
        lines.append(f"| {case} | {model} | {_cell(row['measure'])} | {paper} | {_ours(row)} | {difference} |")
    return lines


def _wide(rows: list[dict[str, Any]]) -> list[str]:
    """Return tables with a column for each measure, one table for each set of measures, without the paper's numbers."""
    cases: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        cases.setdefault((row["case"], row["model"]), {})[row["measure"]] = _ours(row)
    lines: list[str] = []
    for measures, members in itertools.groupby(cases.items(), key=lambda member: tuple(member[1])):
        lines += ["", f"| case | model | {' | '.join(map(_cell, measures))} |", f"|---|---|{'---:|' * len(measures)}"]
        before = ""
        for (case, model), numbers in members:
            shown = "" if case == before else _cell(case)
            before = case
            lines.append(f"| {shown} | {_cell(model)} | {' | '.join(numbers.values())} |")
    return lines[1:]


def _ours(row: dict[str, Any]) -> str:
    spread = "" if row["spread"] is None else f" ± {row['spread']:.2g}"
    return f"{row['ours']:.5g}{spread}"


def _cell(text: str) -> str:
    """Return a text that cannot end its cell of a Markdown table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python docs/results.py RESULTS")
    sys.stdout.write(f"updated: {', '.join(update(Path(sys.argv[1]))) or 'nothing'}\n")
