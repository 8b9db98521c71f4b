"""`unwritten rules`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unwritten.cli.console import AsJson, ModelPath, csv_line, model_of, percent, say, say_json
from unwritten.errors import DataError
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.rules import Sentence

FORMATS = ("text", "json", "csv", "markdown")
HEADS = ("id", "kind", "origin", "support", "confidence", "rule")


def rules(
    model: ModelPath,
    column: Annotated[list[str] | None, typer.Option(help="Only rules about this column.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only rules of this kind, e.g. requires.")] = None,
    origin: Annotated[str | None, typer.Option(help="Only rules that were mined, or given by a person.")] = None,
    confidence: Annotated[float, typer.Option(help="Only rules at least so sure.")] = 0.0,
    search: Annotated[str | None, typer.Option(help="Only rules with this text.")] = None,
    form: Annotated[str, typer.Option("--format", help="text, json, csv or markdown.")] = "text",
    as_json: AsJson = False,
) -> None:
    """Read the rules of a model, the most useful first.

    Examples:

        unwritten rules sales.rules --column engine --kind requires

        unwritten rules sales.rules --format markdown > rules.md
    """
    form = "json" if as_json else form
    if form not in FORMATS:
        raise DataError(f"--format {form!r} is unknown: use {', '.join(FORMATS)}")
    read = model_of(model)
    everything = read.sentences
    _require(column, {name for s in everything for name in s.columns} | _columns(read), "column")
    _require(kind, {s.kind for s in everything}, "kind")
    chosen = [
        s
        for s in everything
        if (not column or set(column) & set(s.columns))
        and (not kind or s.kind in kind)
        and (origin is None or s.origin == origin)
        and (s.confidence is None or s.confidence >= confidence)
        and (search is None or search.lower() in s.text.lower())
    ]
    if form == "json":
        say_json([sentence_state(s) for s in chosen])
        return
    lines = {"text": lines_of, "csv": _csv, "markdown": _markdown}[form](chosen)
    for line in lines:
        say(line)
    if form == "text":
        say(f"{len(chosen)} of {len(everything)} rules")


def _columns(model: Any) -> set[str]:
    return set(model.variables.names) if model.schema is None else {column.name for column in model.schema.columns}


def _require(asked: list[str] | None, known: set[str], what: str) -> None:
    for name in asked or ():
        if name not in known:
            some = ", ".join(sorted(known)[:8]) or "none"
            raise DataError(f"no rule has the {what} {name!r}: use one of {some}")


def lines_of(sentences: Iterable[Sentence]) -> list[str]:
    """Sentences as lines for a terminal."""
    rows = [(s.id, f"{s.support:,}", percent(s.confidence), shown(s.text), s.origin) for s in sentences]
    if not rows:
        return []
    wide = max(len(row[1]) for row in rows)
    lines = [f"{'id':<8}{'rows':>{max(4, wide)}}  {'sure':>8}  rule"]
    for name, support, sure, text, origin in rows:
        mark = "" if origin == "mined" else f"  [{origin}]"
        lines.append(f"{name:<8}{support:>{max(4, wide)}}  {sure:>8}  {text}{mark}")
    return lines


def sentence_state(sentence: Sentence) -> dict[str, Any]:
    """A sentence as plain JSON."""
    evidence = sentence.evidence
    return {
        "id": sentence.id,
        "text": sentence.text,
        "kind": sentence.kind,
        "columns": list(sentence.columns),
        "origin": sentence.origin,
        "support": sentence.support,
        "confidence": sentence.confidence,
        "examples": None if evidence is None else evidence.examples,
        "violations": None if evidence is None else evidence.violations,
    }


def _cells(sentence: Sentence) -> list[str]:
    sure = "" if sentence.confidence is None else f"{sentence.confidence:.6g}"
    return [sentence.id, sentence.kind, sentence.origin, str(sentence.support), sure, sentence.text]


def _csv(sentences: Iterable[Sentence]) -> list[str]:
    return [csv_line(HEADS), *(csv_line(_cells(sentence)) for sentence in sentences)]


def _markdown(sentences: Iterable[Sentence]) -> list[str]:
    rows = [HEADS, *(map(_markdown_cell, _cells(sentence)) for sentence in sentences)]
    first, *rest = [f"| {' | '.join(row)} |" for row in rows]
    return [first, f"|{'---|' * len(HEADS)}", *rest]


def _markdown_cell(text: str) -> str:
    """One cell: no HTML, no link, no end of the cell or of the line."""
    for sign, safe in (("\\", "\\\\"), ("|", "\\|"), ("`", "\\`"), ("](", "]\\("), ("&", "&amp;"), ("<", "&lt;")):
        text = text.replace(sign, safe)
    return shown(text)
