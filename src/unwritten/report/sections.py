"""Sections: the summary of the model, how sure it is, and the table of its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.counted import counted, plural_s
from unwritten.report.evidence_sentences import evidence_sentences
from unwritten.report.fields import Fields, examples_of, noun_of
from unwritten.report.page_text import html, name_text
from unwritten.rules import GIVEN, MINED
from unwritten.tables import Column

if TYPE_CHECKING:
    from unwritten.model import Model

MOST_COLUMNS = 1_000
MOST_HABITS = 200
LONGEST_NOTE = 2_000  # characters
MOST_VALUES = 6  # shown of one column
_IN_SUMMARY = ("source", "rows")  # entries of `about` that the summary shows already


def title_of(model: Model) -> str:
    """Return the name of the source, or the number of examples if it has no name."""
    return name_text(str(model.about.get("source") or "")) or counted(examples_of(model), "example")


def summary(model: Model) -> str:
    """Return the numbers at the head of the page."""
    columns = [] if model.schema is None else list(model.schema.columns)
    noun = noun_of(model)
    total = examples_of(model)
    latents = len(model.extended) - len(model.variables)
    origins = [sentence.origin for sentence in model.sentences]
    facts = [
        (f"{len(origins):,}", f"rule{plural_s(len(origins))}", _by_origin(origins)),
        (f"{total:,}", f"{noun}{plural_s(total)}", f"{len(model.seen):,} distinct"),
    ]
    if columns:
        used = sum(column.width > 0 for column in columns)
        skipped = len(columns) - used
        facts.append((f"{used:,}", f"column{plural_s(used)}", f"{skipped:,} left out" if skipped else "all in use"))
    facts.append(
        (
            f"{len(model.variables):,}",
            f"variable{plural_s(len(model.variables))}",
            f"and {counted(latents, 'latent')}" if latents else "all 0 or 1" if model.variables.binary.all() else "",
        )
    )
    if model.habit_sentences:
        habits = len(model.habit_sentences)
        facts.append((f"{habits:,}", f"habit{plural_s(habits)}", "not required"))
    if model.noisy:
        facts.append(
            (
                f"{len(model.suspects):,}",
                f"suspect{plural_s(len(model.suspects))}",
                "rows that break a rule" if model.rules_broken else "rows that contradict others",
            )
        )
    if len(model.cuts):
        facts.append(
            (f"{len(model.cuts):,}", f"cut{plural_s(len(model.cuts))}", "exact" if model.cuts.exact else "with slack")
        )
    items = "".join(
        f"<li><b>{number}</b> <span>{word}</span> <small>{more}</small></li>" for number, word, more in facts
    )
    return f'<ul class="facts">{items}</ul>{_about(model)}'


def _by_origin(origins: list[str]) -> str:
    """Return how many rules were mined and how many were given."""
    given, other = origins.count(GIVEN), len(origins) - origins.count(GIVEN) - origins.count(MINED)
    parts = [f"{origins.count(MINED):,} mined"]
    parts += [f"{given:,} given"] if given else []
    return ", ".join(parts + ([f"{other:,} other"] if other else []))


def _about(model: Model) -> str:
    """Return what else is known about the source."""
    parts = [
        f"<dt>{html(name_text(str(key), 40))}</dt><dd><bdi>{html(name_text(_fact(value), 120))}</bdi></dd>"
        for key, value in model.about.items()
        if key not in _IN_SUMMARY and value not in (None, "")
    ]
    if model.dropped:
        parts.append(f"<dt>removed</dt><dd>{counted(len(model.dropped), 'rule')}, by a person</dd>")
    return f'<dl class="about">{"".join(parts)}</dl>' if parts else ""


def _fact(value: object) -> str:
    return f"“{value}”" if isinstance(value, str) and not value.strip() else str(value)


def sureness(model: Model) -> str:
    """Return the evidence of the whole model and the notes of the miner."""
    evidence = "".join(f"<li>{html(line)}</li>" for line in evidence_sentences(model))
    notes = "".join(f"<li><bdi>{html(name_text(note, LONGEST_NOTE))}</bdi></li>" for note in model.notes)
    notes_html = f'<div class="notes"><h3>Notes</h3><ul>{notes}</ul></div>' if notes else ""
    return f'<ul class="evidence">{evidence}</ul>{notes_html}'


def habits_list(model: Model) -> str:
    """Return the habits of the model, and what a habit is."""
    said = model.habit_sentences
    items = "".join(f"<li><bdi>{html(name_text(s.text, LONGEST_NOTE))}</bdi></li>" for s in said[:MOST_HABITS])
    more = f'<p class="hint">{len(said) - MOST_HABITS:,} more are not listed.</p>' if len(said) > MOST_HABITS else ""
    return (
        '<p class="hint">Every example does this too, but nothing proves that it must: whoever chooses what is best '
        "for the given weights would do it anyway. Answers and checks do not use habits unless they are told to.</p>"
        f"<ul>{items}</ul>{more}"
    )


def columns_table(model: Model, fields: Fields) -> str:
    """Return all columns (or variables) with their kind, their values and the number of rules that use each."""
    rules = [0] * len(fields.names)
    for columns in fields.columns:
        for c in set(columns):
            rules[c] += 1
    if model.schema is None:
        rows = [_variable(model, k, name, rules[k]) for k, name in enumerate(fields.names[:MOST_COLUMNS])]
        total, heads = len(fields.names), ("variable", "kind", "values")
    else:
        rows = [
            _column(column, rules[fields.index[column.name]] if column.width else None, fields.index.get(column.name))
            for column in model.schema.columns[:MOST_COLUMNS]
        ]
        total, heads = len(model.schema.columns), ("column", "kind", "values")
    more = f'<p class="hint">{total - MOST_COLUMNS:,} more are not listed.</p>' if total > MOST_COLUMNS else ""
    head = "".join(f'<th scope="col">{word}</th>' for word in heads)
    return (
        '<div class="scroll tall" tabindex="0" role="group" aria-label="Columns"><table class="columns"><thead><tr>'
        f'{head}<th scope="col" class="number">rules</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        f"{more}"
    )


def _column(column: Column, rules: int | None, place: int | None) -> str:
    """Return the line of one column; a column without variables has no rules and no place."""
    if rules is None or place is None:
        reason = html(name_text(column.reason or "not used"))
        return (
            f'<tr class="skipped"><td>{_name(column.name)}</td><td>left out</td><td>{reason}</td>'
            '<td class="number">–</td></tr>'
        )
    if column.kind == "integer":
        values = f"{column.lower:,} to {column.upper:,}"
    else:
        listed = ", ".join(
            "missing" if level is None else name_text(level, 24) for level in column.levels[:MOST_VALUES]
        )
        more = ", …" if len(column.levels) > MOST_VALUES else ""
        values = f'<b>{len(column.levels):,}</b> <span class="levels"><bdi>{html(listed)}</bdi>{more}</span>'
    return f"<tr><td>{_button(column.name, place)}</td><td>{column.kind}</td><td>{values}</td>{_number(rules)}</tr>"


def _variable(model: Model, k: int, name: str, rules: int) -> str:
    low, high = int(model.extended.lower[k]), int(model.extended.upper[k])
    kind = "latent" if k >= len(model.variables) else "0/1" if model.extended.binary[k] else "integer"
    return f"<tr><td>{_button(name, k)}</td><td>{kind}</td><td>{low:,} to {high:,}</td>{_number(rules)}</tr>"


def _number(rules: int) -> str:
    return f'<td class="number">{rules:,}</td>'


def _name(name: str) -> str:
    return f'<bdi class="name" title="{html(name_text(name))}">{html(name_text(name))}</bdi>'


def _button(name: str, place: int) -> str:
    return f'<button type="button" class="link" data-filter="{place}">{_name(name)}</button>'
