"""Gap sentences: gaps in words over the columns of a table, or over plain variables."""

from __future__ import annotations

import json
from hashlib import sha256

from unwritten.rules.gaps.gap import Gap, worded
from unwritten.rules.gaps.gaps import Gaps
from unwritten.rules.gaps.parts import GapPart
from unwritten.rules.language.sentence import Sentence
from unwritten.rules.words import noise_text
from unwritten.tables.quoting import quoted
from unwritten.tables.schema import Schema


def gap_sentences(gaps: Gaps, schema: Schema | None, support: int) -> list[Sentence]:
    """One sentence per gap; its id is still the full digest. `support` is the number of examples."""
    return [
        Sentence(
            gap_digest(gap),
            gap_text(gap, schema),
            gap.kind,
            gap_columns(gap, schema),
            (),
            gap.origin,
            support,
            gap.evidence,
            gaps=(k,),
        )
        for k, gap in enumerate(gaps)
    ]


def gap_text(gap: Gap, schema: Schema | None) -> str:
    """The sentence of a gap; the names of a table's columns are quoted where they are not plain words."""
    names = gap_columns(gap, schema)
    names = names if schema is None else tuple(quoted(name) for name in names)
    return worded(gap, names) + noise_text(gap.evidence)


def gap_columns(gap: Gap, schema: Schema | None) -> tuple[str, ...]:
    """The columns that a gap is about, which may have other names than their variables."""
    if schema is None:
        return gap.variables
    columns = {column.names[0]: column.name for column in schema.used if not column.one_hot}
    return tuple(columns.get(name, name) for name in gap.variables)


def gap_digest(gap: Gap) -> str:
    """The SHA-256 of what a gap means, whatever the order of its variables."""
    parts = [min(_meaning(part), _meaning(part.reversed)) for part in gap.parts]
    parts.sort(key=lambda part: (len(part), part))
    return sha256(json.dumps(["gap", *parts]).encode()).hexdigest()


def _meaning(part: GapPart) -> list[str | int]:
    """The variables of a part with the numbers that belong to them; of a difference, its two variables alone."""
    terms = sorted(part.terms, key=lambda term: (-term[1], term[0]))
    is_difference = [factor for _, factor in terms] == [1, -1]
    said = [name for name, _ in terms] if is_difference else [entry for term in terms for entry in term]
    return [*said, part.low, part.high]
