"""Comments: the text for people in an export. Each comment is one line, and no name can end it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model import Model

LONGEST_COMMENT = 240  # characters
ASCII_SIGNS = str.maketrans({"≤": "<=", "≥": ">=", "−": "-", "·": "*", "∈": "in", "≠": "<>", "…": "..."})


def comment_text(text: str, ascii_only: bool = False) -> str:
    r"""Return the text as one printable line of at most 240 characters.

    >>> comment_text("a\nDROP ≤ 3", ascii_only=True)
    'a\\nDROP <= 3'
    """
    safe = shown(text)
    if ascii_only:
        safe = safe.translate(ASCII_SIGNS).encode("ascii", "backslashreplace").decode("ascii")
    return safe if len(safe) <= LONGEST_COMMENT else safe[: LONGEST_COMMENT - 3] + "..."


def comment_lines(sign: str, texts: list[str], ascii_only: bool = False) -> list[str]:
    """Return one comment line per text; `sign` starts a comment in the format."""
    return [f"{sign} {comment_text(text, ascii_only)}" for text in texts]


def rule_texts(model: Model) -> list[str]:
    """Return the text of each rule; for a table, the sentence that the rule is part of, with its id."""
    sentences = model.sentences if model.schema is not None else ()
    texts = {i: f"{sentence.text} ({sentence.id})" for sentence in sentences for i in sentence.rules}
    return [texts.get(i, rule.text) for i, rule in enumerate(model.rules)]


def provenance(model: Model) -> str:
    """Return which program wrote the file, and from how many examples."""
    source = model.about.get("source") or "labels"
    sizes = {"example": model.examples, "variable": len(model.variables), "rule": len(model.rules) + len(model.gaps)}
    sizes |= {"fact": len(model.facts)} if model.facts else {}
    counts = ", ".join(f"{size:,} {word}{'' if size == 1 else 's'}" for word, size in sizes.items())
    return f"written by unwritten {_installed_version()} from {source}: {counts}"


def _installed_version() -> str:
    """Return the version of the installed package; its own module lies above this one and cannot be imported."""
    try:
        return version("unwritten")
    except PackageNotFoundError:
        return "(not installed)"
