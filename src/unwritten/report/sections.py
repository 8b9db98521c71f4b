"""Sections: what was mined from what, how sure that is, and the columns."""

from __future__ import annotations

from unwritten.model import Model
from unwritten.report.evidence import evidence_lines
from unwritten.report.fields import Fields, examples_of
from unwritten.report.text import count_text, html, name_text
from unwritten.rules import GIVEN, MINED
from unwritten.tables import Column

MOST_COLUMNS = 1_000
NOTE = 2_000  # characters
VALUES = 6  # shown of one column
_SAID = ("source", "rows")  # of `about`, in the summary already


def title_of(model: Model) -> str:
    """The source's name, if it is known."""
    return name_text(str(model.about.get("source") or "")) or count_text(examples_of(model), "example")


def summary(model: Model) -> str:
    """The numbers at the head of the page."""
    columns = [] if model.schema is None else list(model.schema.columns)
    noun = "row" if columns else "example"
    total = examples_of(model)
    latents = len(model.extended) - len(model.variables)
    origins = [sentence.origin for sentence in model.sentences]
    facts = [
        (f"{len(origins):,}", f"rule{_s(len(origins))}", _by_origin(origins)),
        (f"{total:,}", f"{noun}{_s(total)}", f"{len(model.seen):,} distinct"),
    ]
    if columns:
        used = sum(column.width > 0 for column in columns)
        skipped = len(columns) - used
        facts.append((f"{used:,}", f"column{_s(used)}", f"{skipped:,} left out" if skipped else "all in use"))
    facts.append(
        (
            f"{len(model.variables):,}",
            f"variable{_s(len(model.variables))}",
            f"and {count_text(latents, 'latent')}" if latents else "all 0 or 1" if model.variables.binary.all() else "",
        )
    )
    if model.noisy:
        facts.append((f"{len(model.suspects):,}", f"suspect{_s(len(model.suspects))}", "rows that break a rule"))
    if len(model.cuts):
        facts.append(
            (f"{len(model.cuts):,}", f"cut{_s(len(model.cuts))}", "exact" if model.cuts.exact else "with slack")
        )
    items = "".join(
        f"<li><b>{number}</b> <span>{word}</span> <small>{more}</small></li>" for number, word, more in facts
    )
    return f'<ul class="facts">{items}</ul>{_about(model)}'


def _s(number: int) -> str:
    return "" if number == 1 else "s"


def _by_origin(origins: list[str]) -> str:
    given, other = origins.count(GIVEN), len(origins) - origins.count(GIVEN) - origins.count(MINED)
    parts = [f"{origins.count(MINED):,} mined"]
    parts += [f"{given:,} given"] if given else []
    return ", ".join(parts + ([f"{other:,} other"] if other else []))


def _about(model: Model) -> str:
    """What else is known of the source."""
    parts = [
        f"<dt>{html(name_text(str(key), 40))}</dt><dd><bdi>{html(name_text(_fact(value), 120))}</bdi></dd>"
        for key, value in model.about.items()
        if key not in _SAID and value not in (None, "")
    ]
    if model.dropped:
        parts.append(f"<dt>taken out</dt><dd>{count_text(len(model.dropped), 'rule')}, by a person</dd>")
    return f'<dl class="about">{"".join(parts)}</dl>' if parts else ""


def _fact(value: object) -> str:
    return f"“{value}”" if isinstance(value, str) and not value.strip() else str(value)


def sureness(model: Model) -> str:
    """The evidence of the whole, and what the miner noted."""
    told = "".join(f"<li>{html(line)}</li>" for line in evidence_lines(model))
    notes = "".join(f"<li><bdi>{html(name_text(note, NOTE))}</bdi></li>" for note in model.notes)
    noted = f'<div class="notes"><h3>Notes</h3><ul>{notes}</ul></div>' if notes else ""
    return f'<ul class="told">{told}</ul>{noted}'


def columns_table(model: Model, fields: Fields) -> str:
    """All columns (or variables), how they were read, and how many rules speak of each."""
    number = [0] * len(fields.names)
    for columns in fields.columns:
        for c in set(columns):
            number[c] += 1
    if model.schema is None:
        rows = [_variable(model, k, name, number[k]) for k, name in enumerate(fields.names[:MOST_COLUMNS])]
        total, heads = len(fields.names), ("variable", "kind", "values")
    else:
        rows = [
            _column(column, number[fields.index[column.name]] if column.width else None, fields.index.get(column.name))
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
    if rules is None or place is None:
        reason = html(name_text(column.reason or "not used"))
        return (
            f'<tr class="skipped"><td>{_name(column.name)}</td><td>left out</td><td>{reason}</td>'
            '<td class="number">–</td></tr>'
        )
    if column.kind == "integer":
        values = f"{column.lower:,} to {column.upper:,}"
    else:
        some = ", ".join("missing" if level is None else name_text(level, 24) for level in column.levels[:VALUES])
        more = ", …" if len(column.levels) > VALUES else ""
        values = f'<b>{len(column.levels):,}</b> <span class="levels"><bdi>{html(some)}</bdi>{more}</span>'
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
