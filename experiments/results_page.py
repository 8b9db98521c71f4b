"""One self-contained HTML page with the results of several experiments."""

from __future__ import annotations

import json
from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Any

from unwritten.formats import write_text

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
body { color: #222; background: #fff }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.9rem }
th, td { padding: 0.2rem 0.8rem; border-bottom: 1px solid #ddd; text-align: left }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
img { max-width: 100%; background: #fff }
.wide { overflow-x: auto }
p.small { color: #666; font-size: 0.85rem }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } th, td { border-color: #444 } }
"""


def write_page(out: Path, results: list[Path]) -> Path:
    """Write `out/index.html` from saved results, with the figures inside the page."""
    parts = [_section(json.loads(path.read_text(encoding="utf-8")), path.parent) for path in results]
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The paper, re-run</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><h1>The paper, re-run</h1>{''.join(parts)}</body></html>\n"
    )
    write_text(out / "index.html", page)
    return out / "index.html"


def _section(result: dict[str, Any], folder: Path) -> str:
    heads = "".join(f"<th>{head}</th>" for head in ("case", "model", "measure"))
    heads += "".join(f'<th class="n">{head}</th>' for head in ("paper", "ours", "difference"))
    rows = "".join(_row(row) for row in result["rows"])
    images = "".join(
        f'<p><img alt="{escape(name)}" src="data:image/png;base64,'
        f'{b64encode((folder / f"{name}.png").read_bytes()).decode()}"></p>'
        for name in result["figures"]
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in result["notes"])
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    kind = "quick" if result["quick"] else "full"
    return (
        f'<h2 id="{escape(result["name"])}">{escape(result["title"])}</h2>'
        f'<div class="wide"><table><tr>{heads}</tr>{rows}</table></div>{images}<ul>{notes}</ul>'
        f'<p class="small">unwritten reproduce {escape(result["name"])}, {kind} run, seed {result["seed"]}, '
        f"{result['seconds']:.0f} s; {escape(versions)}</p>"
    )


def _row(row: dict[str, Any]) -> str:
    words = "".join(f"<td>{escape(str(row[part]))}</td>" for part in ("case", "model", "measure"))
    spread = "" if row["spread"] is None else f" ± {row['spread']:.2g}"
    numbers = (
        "–" if row["paper"] is None else f"{row['paper']:.5g}",
        f"{row['ours']:.5g}{spread}",
        "" if row["difference"] is None else f"{row['difference']:+.3g}",
    )
    return f"<tr>{words}{''.join(f'<td class=n>{number}</td>' for number in numbers)}</tr>"
