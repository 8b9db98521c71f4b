"""Said rules: rules about the values of two columns that facts about these columns say, too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten.facts.dependency import Dependency
from unwritten.facts.fact import Fact
from unwritten.facts.missing_when import MissingWhen
from unwritten.facts.range_by import RangeBy
from unwritten.facts.range_when import RangeWhen
from unwritten.rules import RuleSet, Sentence
from unwritten.tables import Column, Schema
from unwritten.tables.roles import TIMES
from unwritten.tables.typed_rows import TypedRows

ABOUT_VALUES = (RangeWhen, RangeBy, MissingWhen)


def is_said(sentence: Sentence, rules: RuleSet, facts: Sequence[Fact], schema: Schema) -> bool:
    """True if facts exclude every pair of values that a sentence about two columns excludes.

    Rules about columns that one time determines follow from the calendar.
    """
    if not sentence.rules or sentence.gaps or len(sentence.columns) < 2:
        return False
    if _of_one_time(sentence.columns, facts, schema):
        return True
    columns = [schema[name] for name in sentence.columns]
    about = [fact for fact in facts if isinstance(fact, ABOUT_VALUES) and set(fact.columns) == set(sentence.columns)]
    if len(columns) != 2 or not about or not all(column.kind in ("category", "boolean") for column in columns):
        return False
    left, right = (len(column.levels) for column in columns)
    index = np.divmod(np.arange(left * right), right)
    cells = {column.name: (list(column.levels), k) for column, k in zip(columns, index, strict=True)}
    rows = TypedRows.of_cells(schema, left * right, cells)
    excluded = np.any([fact.checker()(rows) for fact in about], axis=0)
    return not (_broken(sentence, rules, columns, schema, index) & ~excluded).any()


def _broken(
    sentence: Sentence, rules: RuleSet, columns: list[Column], schema: Schema, index: tuple[np.ndarray, ...]
) -> np.ndarray:
    """Return which pairs of values break a rule of the sentence."""
    starts, end = {}, 0
    for column in schema.used:
        starts[column.name] = end
        end += column.width
    places = list(sentence.rules)
    total = np.zeros((len(places), len(index[0])), np.int64)
    for column, k in zip(columns, index, strict=True):
        part = rules.matrix[places, starts[column.name] : starts[column.name] + column.width]
        added = part if column.one_hot else np.column_stack([np.zeros_like(part[:, 0]), part[:, 0]])
        total += added[:, k]
    rhs, equal = rules.rhs[places][:, None], rules.equality[places][:, None]
    return np.asarray(np.where(equal, total != rhs, total > rhs).any(axis=0))


def _of_one_time(names: Sequence[str], facts: Sequence[Fact], schema: Schema) -> bool:
    determined: dict[str, set[str]] = {}
    for fact in facts:
        if isinstance(fact, Dependency) and len(fact.left) == 1 and schema[fact.left[0]].role in TIMES:
            determined.setdefault(fact.left[0], {fact.left[0]}).add(fact.right)
    return any(set(names) <= parts for parts in determined.values())
