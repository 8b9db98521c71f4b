"""`unwritten rules`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.allowed_values import RuleFormat, RuleOrigin
from unwritten.cli.console import csv_line, percent, say, say_json, say_whole
from unwritten.cli.files import load_model
from unwritten.errors import DataError
from unwritten.rules import HABIT
from unwritten.rules.rule import often_text
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model import Model
    from unwritten.rules import Sentence

HEADINGS = ("id", "kind", "origin", "support", "confidence", "rule")
NAMES_IN_ERROR = 8


def complete_kinds() -> list[str]:
    """The kinds that a shell offers: those of sentences about columns, and those of facts."""
    from unwritten.facts import FACTS
    from unwritten.rules.language.sentence import KINDS

    return [*dict.fromkeys((*KINDS, *FACTS))]


def rules(
    model: options.ModelPath,
    column: Annotated[list[str] | None, typer.Option(help="Only rules about this column. May be repeated.")] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(help="Only rules of this kind, e.g. requires. May be repeated.", autocompletion=complete_kinds),
    ] = None,
    origin: Annotated[
        RuleOrigin | None,
        typer.Option(help="Only rules that were mined, given by a person, that define a derived variable, or habits."),
    ] = None,
    confidence: Annotated[float, typer.Option(help="Only rules with at least this confidence, from 0 to 1.")] = 0.0,
    doubtful: Annotated[
        bool,
        typer.Option(
            "--doubtful", help="The rules that were held back instead: all examples obey them, but few show it."
        ),
    ] = False,
    search: Annotated[str | None, typer.Option(help="Only rules that contain this text.")] = None,
    form: Annotated[RuleFormat, typer.Option("--format", help="The format to print.")] = "text",
    as_json: options.AsJson = False,
) -> None:
    """Print the rules of a model, the most useful first.

    Takes a model. Prints one line per rule: its id, the number of rows it applies to, how sure it is that there is such
    a rule, how many new rows may break it (with 95 % confidence), and its sentence. Habits come last; nothing uses them
    unless a command is told to, with --habits.

    Examples:

        unwritten rules sales.rules --column engine --kind requires

        unwritten rules sales.rules --format markdown > rules.md
    """
    read, is_json = load_model(model), as_json or form == "json"
    said = read.rule_sentences if is_json else read.sentences
    sentences = read.doubtful_sentences if doubtful else (*said, *read.habit_sentences)
    _require_known(column, {name for s in sentences for name in s.columns} | _columns(read), "column")
    _require_known(kind, {s.kind for s in sentences}, "kind")
    chosen = [
        s
        for s in sentences
        if (not column or set(column) & set(s.columns))
        and (not kind or s.kind in kind)
        and (origin is None or s.origin == origin)
        and (s.confidence is None or s.confidence >= confidence)
        and (search is None or search.lower() in s.text.lower())
    ]
    if is_json:
        patterns = {} if doubtful else patterns_by_rule(read)
        say_json([sentence_state(s) | ({"pattern": patterns[s.id]} if s.id in patterns else {}) for s in chosen])
        return
    if form != "text":
        for line in {"csv": _csv, "markdown": _markdown}[form](chosen):
            say_whole(line)
    else:
        say_rules(chosen)
        say(_counts(chosen, sentences) + _in_all(read, doubtful))


def _counts(chosen: Sequence[Sentence], sentences: Sequence[Sentence]) -> str:
    """How many rules and, if the model has any, habits were printed."""
    habits, all_habits = (sum(s.origin == HABIT for s in each) for each in (chosen, sentences))
    text = f"{len(chosen) - habits} of {len(sentences) - all_habits} rules"
    return f"{text}, {habits} of {all_habits} habits" if all_habits else text


def _in_all(model: Model, doubtful: bool) -> str:
    """How many single rules the patterns stand for; empty if there are no patterns."""
    patterns = [s for s in model.sentences if len(s.rules) > 1] if model.schema is None and not doubtful else []
    rules = sum(len(s.rules) for s in patterns)
    return f" ({len(patterns)} of them patterns of {rules:,} rules: --json lists each)" if patterns else ""


def say_rules(sentences: Iterable[Sentence]) -> None:
    """Print sentences under a heading; on a terminal, long ones go on below their own beginning."""
    lines = lines_of(sentences)
    for line in lines:
        say(line, hang=len(lines[0]) - len("rule"))


def lines_of(sentences: Iterable[Sentence]) -> list[str]:
    """Format sentences as lines for a terminal, under a heading."""
    rows = [(s.id, f"{s.support:,}", percent(s.confidence), _often(s), shown(s.text), s.origin) for s in sentences]
    if not rows:
        return []
    width = max(4, *(len(support) for _, support, *_ in rows))
    lines = [f"{'id':<8}{'rows':>{width}}  {'sure':>8}  {'breaks':>10}  rule"]
    for name, support, sure, often, text, origin in rows:
        mark = "" if origin == "mined" else f"  [{origin}]"
        lines.append(f"{name:<8}{support:>{width}}  {sure:>8}  {often:>10}  {text}{mark}")
    return lines


def _often(sentence: Sentence) -> str:
    """How many new rows may break a sentence, in a few characters; empty if nothing is known."""
    if sentence.evidence is None:
        return ""
    return often_text(sentence.evidence.bound()).replace("at most", "≤").replace("any number", "any")


def sentence_state(sentence: Sentence) -> dict[str, object]:
    """Return a sentence as plain JSON."""
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
        "bound": None if evidence is None else evidence.bound(),
        "needed": None if evidence is None else evidence.needed,
    }


def patterns_by_rule(model: Model) -> dict[str, str]:
    """The text of the pattern that each rule is part of, by the id of the rule; rules in no pattern are left out."""
    texts = {i: s.text for s in model.sentences if len(s.rules) > 1 for i in s.rules} if model.schema is None else {}
    return {s.id: texts[s.rules[0]] for s in model.rule_sentences if s.rules[0] in texts} if texts else {}


def _columns(model: Model) -> set[str]:
    return set(model.variables.names) if model.schema is None else {column.name for column in model.schema.columns}


def _require_known(names: list[str] | None, known: set[str], what: str) -> None:
    """Refuse a column or kind that no rule has, so that a misspelt name does not look like an empty answer."""
    for name in names or ():
        if name not in known:
            examples = ", ".join(sorted(known)[:NAMES_IN_ERROR]) or "none"
            raise DataError(f"no rule has the {what} {name!r}: use one of {examples}")


def _cells(sentence: Sentence) -> list[str]:
    confidence = "" if sentence.confidence is None else f"{sentence.confidence:.6g}"
    return [sentence.id, sentence.kind, sentence.origin, str(sentence.support), confidence, sentence.text]


def _csv(sentences: Iterable[Sentence]) -> list[str]:
    return [csv_line(HEADINGS), *(csv_line(_cells(sentence)) for sentence in sentences)]


def _markdown(sentences: Iterable[Sentence]) -> list[str]:
    rows = [HEADINGS, *(map(_markdown_cell, _cells(sentence)) for sentence in sentences)]
    heading, *lines = [f"| {' | '.join(row)} |" for row in rows]
    return [heading, f"|{'---|' * len(HEADINGS)}", *lines]


def _markdown_cell(text: str) -> str:
    """Escape what would start HTML or a link, or end the cell or its line."""
    for sign, safe in (("\\", "\\\\"), ("|", "\\|"), ("`", "\\`"), ("](", "]\\("), ("&", "&amp;"), ("<", "&lt;")):
        text = text.replace(sign, safe)
    return shown(text)
