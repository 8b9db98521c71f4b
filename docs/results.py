"""Put the tables and figures of experiments into the documentation: `python docs/results.py RESULTS`.

RESULTS is the directory that `unwritten reproduce NAME --out RESULTS` wrote to. Its numbers are copied to `measured/`,
its figures to `figures/`, and then all blocks are written anew; without RESULTS, from what `measured/` has already.

A block is what is between a marker and `<!-- end -->` in any page:

- `<!-- results NAME -->`: all rows, figures and notes. A measure is a column. It is a row beside the paper's number if
  the paper has one, and a row if every measure stands once. With `wide` it is always a column.
- `<!-- results NAME only="TEXT" -->`: a short table, of the rows with this text in their case, model or measure; `a|b`
  has either, and a second `only="..."` must match too.
- `<!-- results NAME measure="MEASURE" -->`: a short table of one measure, with a column for each model.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BLOCK = re.compile(r"<!-- results ([\w-]+)((?: wide| \w+=\"[^\"]*\")*) -->\n.*?<!-- end -->", re.DOTALL)
OPTION = re.compile(r"(\w+)=\"([^\"]*)\"")


def update(results: Path | None, docs: Path = HERE) -> list[str]:
    """Store new results, rewrite the blocks of all stored ones, and return the names of those with a whole block."""
    if results is not None:
        store(results, docs)
    updated = []
    for page in sorted(docs.rglob("*.md")):

        def new_block(match: re.Match[str], folder: Path = page.parent) -> str:
            name, options = match[1], match[2]
            source = docs / "measured" / f"{name}.json"
            if not source.exists():
                return match[0]
            result = json.loads(source.read_text(encoding="utf-8"))
            if short := OPTION.findall(options):
                text = "\n".join(_short(result["rows"], short))
            else:
                updated.append(name)
                text = rendered(result, options != "", os.path.relpath(docs / "figures", folder))
            return f"<!-- results {name}{options} -->\n{text}\n<!-- end -->"

        text = page.read_text(encoding="utf-8")
        if (new := BLOCK.sub(new_block, text)) != text:
            page.write_text(new, encoding="utf-8")
    return updated


def store(results: Path, docs: Path) -> None:
    """Copy the numbers of experiments that some page has a block of, and their figures."""
    named = {match[1] for page in docs.rglob("*.md") for match in BLOCK.finditer(page.read_text(encoding="utf-8"))}
    for name in sorted(named):
        source = results / name / "results.json"
        if not source.exists():
            continue
        result = json.loads(source.read_text(encoding="utf-8"))
        for folder in ("measured", "figures"):
            (docs / folder).mkdir(exist_ok=True)
        (docs / "measured" / f"{name}.json").write_text(packed(result), encoding="utf-8")
        for figure in result["figures"]:
            shutil.copy(results / name / f"{figure}.svg", docs / "figures" / f"{figure}.svg")


def packed(result: dict[str, Any]) -> str:
    """What pages need of a result as JSON, with one line for each row."""
    result = {"facts": {}, **result}
    result["facts"] = {key: result["facts"][key] for key in ("command",) if key in result["facts"]}
    rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in result.pop("rows"))
    rest = json.dumps(result, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{rest},\n "rows": [\n  {rows}\n ]\n}}\n'


def rendered(result: dict[str, Any], wide: bool = False, figures: str = "figures") -> str:
    """Return an experiment as Markdown: its table, figures and notes, its command, its time and the versions used."""
    has_paper = any(row["paper"] is not None for row in result["rows"])
    measures = [row["measure"] for row in result["rows"]]
    stand_once = len(set(measures)) == len(measures)  # then columns would be nearly empty
    lines = _long(result["rows"]) if (has_paper or stand_once) and not wide else _wide(result["rows"])
    for more in ([f"![{figure}]({figures}/{figure}.svg)" for figure in result["figures"]], _notes(result)):
        lines += ["", *more] if more else []
    kind = " --quick" if result["quick"] else ""
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    command = result["facts"].get("command", f"unwritten reproduce {result['name']}")
    lines += ["", f"`{command}{kind} --seed {result['seed']}`: {result['seconds']:.0f} s; {versions}."]
    return "\n".join(lines)


def _notes(result: dict[str, Any]) -> list[str]:
    return [f"- {note}" for note in result["notes"]]


def _short(rows: list[dict[str, Any]], options: list[tuple[str, str]]) -> list[str]:
    """Return a table of the rows that the options choose."""
    for key, text in options:
        if key == "measure":
            rows = [{**row, "model": "", "measure": row["model"]} for row in rows if row["measure"] == text]
        elif key == "only":
            wanted = re.compile("|".join(rf"(?<![\w,.]){re.escape(one)}(?![\w.])" for one in text.split("|")))
            rows = [row for row in rows if any(wanted.search(row[part]) for part in ("case", "model", "measure"))]
        else:
            raise SystemExit(f"a block has the option {key}: it takes only= and measure=")
    if not rows:
        raise SystemExit(f"no row has {options}")
    if any(row["paper"] is not None for row in rows):
        return _long(rows)
    return _wide(rows, with_model=len({row["model"] for row in rows}) > 1)


def _long(rows: list[dict[str, Any]]) -> list[str]:
    """Return a table with a row for each measure, beside the paper's number if there is one."""
    has_paper = any(row["paper"] is not None for row in rows)
    heads = "| paper | ours | difference |\n|---|---|---|---:|---:|---:|" if has_paper else "| |\n|---|---|---|---:|"
    lines = [f"| case | model | measure {heads}"]
    before = ("", "")
    for row in rows:
        here = (row["case"], row["model"])
        case = "" if here[0] == before[0] else _cell(here[0])
        model = "" if here == before else _cell(here[1])
        before = here
        if not has_paper:
            lines.append(f"| {case} | {model} | {_cell(row['measure'])} | {_ours(row, digits=3)} |")
            continue
        paper = "–" if row["paper"] is None else f"{row['paper']:.5g}"
        difference = "" if row["difference"] is None else f"{row['difference']:+.3g}"
        lines.append(f"| {case} | {model} | {_cell(row['measure'])} | {paper} | {_ours(row)} | {difference} |")
    return lines


def _wide(rows: list[dict[str, Any]], with_model: bool = True) -> list[str]:
    """Return tables with a column for each measure, without the paper's numbers."""
    lines: list[str] = []
    for part in _parts(rows):
        measures = list(dict.fromkeys(row["measure"] for row in part))
        heads = ["case", *["model"] * with_model]
        lines += ["", f"| {' | '.join([*heads, *map(_cell, measures)])} |"]
        lines += [f"|{'---|' * len(heads)}{'---:|' * len(measures)}"]
        numbers: dict[tuple[str, str], dict[str, str]] = {}
        for row in part:
            numbers.setdefault((row["case"], row["model"]), {})[row["measure"]] = _ours(row, digits=3)
        before = ""
        for (case, model), shown in numbers.items():
            first = ["" if case == before else _cell(case), *[_cell(model)] * with_model]
            before = case
            lines.append(f"| {' | '.join([*first, *(shown.get(measure, '') for measure in measures)])} |")
    return lines[1:]


def _parts(rows: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Divide rows into tables: those of one case, and those with one measure, stay together."""
    parts: list[list[dict[str, Any]]] = []
    for row in rows:
        near = [part for part in parts if any(row["case"] == r["case"] or row["measure"] == r["measure"] for r in part)]
        joined = [*(r for part in near for r in part), row]
        if near:
            parts[parts.index(near[0])] = joined
            parts = [part for part in parts if part not in near[1:]]
        else:
            parts.append(joined)
    return parts


def _ours(row: dict[str, Any], digits: int = 5) -> str:
    """Our number with its spread: with some digits, but never without the digits before the point."""
    whole = len(str(int(abs(row["ours"]))))
    spread = "" if not row["spread"] else f" ± {row['spread']:.2g}"
    return f"{row['ours']:.{max(digits, whole)}g}{spread}"


def _cell(text: str) -> str:
    """Return a text that cannot end its cell of a Markdown table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit("usage: python docs/results.py [RESULTS]")
    done = update(Path(sys.argv[1]) if len(sys.argv) == 2 else None)
    sys.stdout.write(f"written: {', '.join(done) or 'nothing'}\n")
