"""Text forms: the forms of codes, and the lengths of other texts.

A form is stated only if hardly any new value is expected to have another one: every form that was seen came with at
least FACT_TRIALS different values. By Good and Turing, the share of new values with a new form is about the share of
values whose form came once, and there is none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from unwritten import budgets
from unwritten.conditions.forms import DIGITS, LOWER, MORE, SIGNS, UPPER, literal
from unwritten.facts import TextForm, TextLength
from unwritten.mining.facts.ranges import CERTAIN_END, NO_CHANCE
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.value_ends import expected_below
from unwritten.mining.facts.weighing import NEAR, doubt_of_kind, evidence_of
from unwritten.rules.rule import Evidence
from unwritten.tables import Column

ROLES = ("identifier", "text", "category")
RUN = re.compile(f"[{DIGITS}]+|[{UPPER}]+|[{LOWER}]+|.", re.DOTALL)
BY_CLASSES = {"9": "9", "A": "A", "a": "a", "9A": "X", "9a": "x"}
MOST_FORMS = 3
MOST_RUNS = 9
LONGEST = 40  # characters of a code
LONGEST_OF_ALL = 1_000  # characters of texts whose length is looked at


def find_text_forms(sample: Sample) -> list[TextForm | TextLength]:
    """Return the forms of codes, and the lengths of other texts, of columns whose values are not all known."""
    stated: list[TextForm] = []
    lengths: list[TextLength] = []
    values: dict[str, list[str]] = {}
    near = 0
    for column in sample.columns:
        if column.role not in ROLES or (column.width and column.closed):
            continue
        texts = values[column.name] = [text for text in sample.rows.texts(column.name)[0] if text is not None]
        if len(texts) < 2 * budgets.FACT_TRIALS or all(text.isdecimal() and text[:1] != "0" for text in texts):
            continue
        forms, exceptions = forms_of(texts)
        near += 0 < exceptions <= NEAR * len(texts)
        if forms:
            stated.append(TextForm(column.name, forms))
        else:
            lengths += _length(column, texts)
    doubt = doubt_of_kind(near, len(stated), sample.n)
    return [*(replace(fact, evidence=_evidence(len(values[fact.name]), doubt)) for fact in stated), *lengths]


def _evidence(values: int, doubt: float = 0.0) -> Evidence:
    """Return the evidence of a form: chance plays no part, the doubt is only about values to come."""
    return evidence_of(values, NO_CHANCE, 0.0, doubt)


def forms_of(texts: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Return the few forms that all texts have, and without them how many texts have a rare form.

    >>> forms_of([f"INV-{k}" for k in range(100, 9_000, 7)])
    (("'INV'-9…",), 0)
    """
    if max(map(len, texts)) > LONGEST:
        return (), 0
    rare = 0
    for grouping, form_of in ((_run_classes, _form_of_runs), (_length_key, _form_of_places)):
        groups = _grouped(texts, grouping)
        counts = sorted(map(len, groups.values()), reverse=True)
        if len(counts) > MOST_FORMS or counts[-1] < budgets.FACT_TRIALS:
            rare = rare or sum(count for count in counts if count < budgets.FACT_TRIALS)
            continue
        forms = [form_of(members) for members in sorted(groups.values(), key=len, reverse=True)]
        if None not in forms:
            return tuple(dict.fromkeys(form for form in forms if form is not None)), 0
    return (), rare


def _grouped(texts: Sequence[str], key: Callable[[str], tuple[str, ...]]) -> dict[tuple[str, ...], list[str]]:
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for text in texts:
        groups[key(text)].append(text)
    return groups


def _class_of(character: str) -> str:
    """Return the sign of a character's class; the character itself if it has none."""
    return "9" if character in DIGITS else "A" if character in UPPER else "a" if character in LOWER else character


def _run_classes(text: str) -> tuple[str, ...]:
    return tuple(_class_of(run[0]) for run in RUN.findall(text))


def _length_key(text: str) -> tuple[str, ...]:
    return (str(len(text)),)


def _form_of_runs(members: list[str]) -> str | None:
    """Return the form of texts whose runs of digits and letters come in the same order.

    Letters that are the same in all texts are part of the form. Only numbers may have any length: words of any length
    are no code.
    """
    runs = [RUN.findall(text) for text in members]
    if not runs[0] or len(runs[0]) > MOST_RUNS:
        return None
    parts: list[str] = []
    texts = ""
    for column in zip(*runs, strict=True):
        sign, lengths = _class_of(column[0][0]), {len(run) for run in column}
        if sign not in SIGNS or (sign != "9" and len(set(column)) == 1):
            texts += column[0]
            continue
        if len(lengths) > 1 and sign != "9":
            return None
        parts += [*_quoted(texts), sign * lengths.pop() if len(lengths) == 1 else sign + MORE]
        texts = ""
    is_code = bool(parts) and sum(part.endswith(MORE) for part in parts) <= 1
    return "".join([*parts, *_quoted(texts)]) if is_code else None


def _form_of_places(members: list[str]) -> str | None:
    """Return the form of texts of equal length, by the characters at each place."""
    parts: list[str] = []
    texts = ""
    for characters in zip(*members, strict=True):
        seen = set(characters)
        if len(seen) == 1 and not seen <= set(DIGITS):
            texts += characters[0]
            continue
        counts = Counter(map(_class_of, characters))
        sign = BY_CLASSES.get("".join(sorted(counts)))
        if sign is None or min(counts.values()) < budgets.FACT_TRIALS:
            return None
        parts += [*_quoted(texts), sign]
        texts = ""
    return "".join([*parts, *_quoted(texts)]) if parts else None


def _quoted(text: str) -> list[str]:
    return [literal(text)] if text else []


def _length(column: Column, texts: list[str]) -> list[TextLength]:
    """Return the length that all texts have, or the one at which they are cut off."""
    distinct = np.array([len(text) for text in texts], float)
    longest = int(distinct.max())
    if longest > LONGEST_OF_ALL:
        return []
    if distinct.min() == longest > 1:
        return [TextLength(column.name, longest, longest, evidence=_evidence(len(texts)))]
    if longest >= 10 and expected_below(longest - distinct, 1.0) >= CERTAIN_END:
        return [TextLength(column.name, 0, longest, evidence=_evidence(len(texts)))]
    return []
