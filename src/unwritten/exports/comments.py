"""Comments: what people read in an export. Each is one line, and nothing in a name can end it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from unwritten.model import Model
from unwritten.tables.quoting import shown

WIDEST = 240
SIGNS = str.maketrans({"≤": "<=", "≥": ">=", "−": "-", "·": "*", "∈": "in", "≠": "<>", "…": "..."})


def line(text: str, ascii_only: bool = False) -> str:
    r"""One printable line of at most 240 characters.

    >>> line("a\nDROP ≤ 3", ascii_only=True)
    'a\\nDROP <= 3'
    """
    safe = shown(text)
    if ascii_only:
        safe = safe.translate(SIGNS).encode("ascii", "backslashreplace").decode("ascii")
    return safe if len(safe) <= WIDEST else safe[: WIDEST - 3] + "..."


def rule_texts(model: Model) -> list[str]:
    """What each rule says in comments and messages; for a table the sentence that it is part of, with its id."""
    table = model.sentences if model.schema is not None else ()
    said = {i: f"{sentence.text} ({sentence.id})" for sentence in table for i in sentence.rules}
    return [said.get(i, rule.text) for i, rule in enumerate(model.rules)]


def header(model: Model) -> str:
    """Who wrote the file, from what."""
    source = model.about.get("source") or "labels"
    sizes = {"example": model.examples, "variable": len(model.variables), "rule": len(model.rules)}
    counts = ", ".join(f"{size:,} {word}{'' if size == 1 else 's'}" for word, size in sizes.items())
    return f"written by unwritten {_version()} from {source}: {counts}"


def _version() -> str:
    """Of the installed package: its own module is above this one, and is not imported from here."""
    try:
        return version("unwritten")
    except PackageNotFoundError:
        return "(not installed)"


def block(sign: str, texts: list[str], ascii_only: bool = False) -> list[str]:
    """Comment lines."""
    return [f"{sign} {line(text, ascii_only)}" for text in texts]
