"""Sessions: rules that are not sure if neighbouring rows that are alike count as one row.

Rows often come in sessions: all animals of one day, all hours of one storm. Which days and years met is then shown by
the number of sessions and not by the number of rows. A rule about values of several columns, of which one is of the
calendar, counts only rows whose values did not come in the rows just before, as a share of those that shuffled rows
would have. If these are few, it must also pay for the choice of its values. Other columns are left alone: a table that
was merely sorted has like neighbours, too.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.mining.facts.fewer_rows import evidence_of_fewer_rows
from unwritten.mining.facts.related_names import is_of_the_calendar
from unwritten.mining.facts.row_sample import Sample
from unwritten.rules import RuleSet
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.rules.rule import MINED
from unwritten.tables import Column, Schema
from unwritten.tables.roles import TIMES

SESSIONS = 0.5  # share of rows with new values, below which rows come in sessions
ENOUGH = 100  # rows with new values that a shuffled table must have
JUST_BEFORE = (1, 10, 100)  # rows before a row in which its values are looked for


def accidents(rules: RuleSet, schema: Schema, sample: Sample, confidence: float) -> BoolArray:
    """Return which mined rules about values of several columns rest on equal neighbours."""
    scope = Scope.of(schema.variables, schema)
    shares: dict[tuple[str, ...], float] = {}
    doubtful = np.zeros(len(rules), bool)
    if not any(_is_of_the_calendar(column) for column in scope.columns):
        return doubtful
    for i, (origin, evidence) in enumerate(zip(rules.origins, rules.evidence, strict=True)):
        if origin != MINED or evidence is None:
            continue
        levels, numbers = level_values(rules.matrix[i], scope)
        columns = [scope.columns[c] for c in levels]
        if numbers or len(columns) < 2 or any(column.name not in sample.rows.names for column in columns):
            continue
        if not any(_is_of_the_calendar(column) for column in columns):
            continue
        names = tuple(column.name for column in columns)
        if evidence.own_confidence < confidence:  # it rests on a test of all equalities together
            continue
        if names not in shares:
            shares[names] = _share_of_new([sample.codes(name) for name in names])
        if shares[names] < SESSIONS:
            doubtful[i] = evidence_of_fewer_rows(rules, i, levels, scope, sample, shares[names]).confidence < confidence
    return doubtful


def _is_of_the_calendar(column: Column) -> bool:
    return column.role in TIMES or is_of_the_calendar(column.name)


def _share_of_new(codes: list[IntArray]) -> float:
    """Return the rows whose values did not come just before, as a share of those among shuffled rows; at most 1."""
    joint = np.zeros(len(codes[0]), np.int64)
    for each in codes:
        joint = np.unique(joint * (int(each.max(initial=0)) + 1) + each, return_inverse=True)[1]
    n, order = len(joint), np.argsort(joint, kind="stable")
    gap = np.full(n, n)
    gap[1:][joint[order][1:] == joint[order][:-1]] = np.diff(order)[joint[order][1:] == joint[order][:-1]]
    shares = np.bincount(joint) / n
    share = 1.0
    for before in JUST_BEFORE:
        expected = n * float((shares * (1 - shares) ** before).sum())
        if expected >= ENOUGH:
            share = min(share, int((gap > before).sum()) / expected)
    return share
