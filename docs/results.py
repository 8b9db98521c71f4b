"""Put the tables and figures of a run into the documentation: `python docs/results.py RESULTS`.

RESULTS is a directory that `unwritten reproduce all --out RESULTS` filled. In every page of this directory, what stands
between `<!-- results NAME -->` and `<!-- end -->` is written anew from RESULTS/NAME, and the figures are copied.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BLOCK = re.compile(r"<!-- results ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)


def update(results: Path, docs: Path = HERE) -> list[str]:
    """Rewrite the blocks of all pages for which there are results, and return the names of the experiments."""
    done = []
    for page in sorted(docs.glob("*.md")):

        def block(match: re.Match[str]) -> str:
            name = match[1]
            source = results / name / "results.json"
            if not source.exists():
                return match[0]
            done.append(name)
            result = json.loads(source.read_text(encoding="utf-8"))
            for figure in result["figures"]:
                (docs / "figures").mkdir(exist_ok=True)
                shutil.copy(results / name / f"{figure}.svg", docs / "figures" / f"{figure}.svg")
            return f"<!-- results {name} -->\n{rendered(result)}\n<!-- end -->"

        text = page.read_text(encoding="utf-8")
        page.write_text(BLOCK.sub(block, text), encoding="utf-8")
    return done


def rendered(result: dict[str, Any]) -> str:
    """One experiment as Markdown: table, figures, notes, and what it was run with."""
    lines = ["| case | model | measure | paper | ours | difference |", "|---|---|---|---:|---:|---:|"]
    before = ("", "")
    for row in result["rows"]:
        here = (row["case"], row["model"])
        case = "" if here[0] == before[0] else _cell(here[0])
        model = "" if here == before else _cell(here[1])
        before = here
        spread = "" if row["spread"] is None else f" ± {row['spread']:.2g}"
        paper = "–" if row["paper"] is None else f"{row['paper']:.5g}"
        difference = "" if row["difference"] is None else f"{row['difference']:+.3g}"
        lines.append(
            f"| {case} | {model} | {_cell(row['measure'])} | {paper} | {row['ours']:.5g}{spread} | {difference} |"
        )
    lines += ["", *(f"![{figure}](figures/{figure}.svg)" for figure in result["figures"]), ""]
    lines += [f"- {note}" for note in result["notes"]]
    kind = " --quick" if result["quick"] else ""
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    lines += [
        "",
        f"`unwritten reproduce {result['name']}{kind} --seed {result['seed']}`: {result['seconds']:.0f} s; {versions}.",
    ]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python docs/results.py RESULTS")
    sys.stdout.write(f"updated: {', '.join(update(Path(sys.argv[1]))) or 'nothing'}\n")
