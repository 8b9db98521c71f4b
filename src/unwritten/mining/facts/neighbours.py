"""Neighbours: rules that are not sure if rows that follow one another and are alike count as one.

Rows often come in sessions: all animals of one day, all hours of one storm. Which days and years met is then shown by
the number of sessions and not by the number of rows. A rule about values of several columns counts as many rows as
there are runs of equal values in these columns, as a share of the runs that shuffled rows would have. If these are few,
it must also pay for the choice of its values.

Equalities about values that were hardly ever seen are left to dependencies between whole columns.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb, log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.mining.facts.sample import Sample
from unwritten.rules import RuleSet
from unwritten.rules.columns.scope import Scope
from unwritten.rules.rule import MINED
from unwritten.tables import Column, Schema

SESSIONS = 0.5  # share of runs, below which rows come in sessions


def accidents(rules: RuleSet, schema: Schema, sample: Sample, confidence: float) -> BoolArray:
    """Return which mined rules about values of several columns rest on equal neighbours, or on hardly any rows."""
    scope = Scope.of(schema.variables, schema)
    owners = np.array(scope.owners, np.int64)
    shares: dict[tuple[str, ...], float] = {}
    doubtful = np.zeros(len(rules), bool)
    for i, rule in enumerate(rules):
        evidence = rule.evidence
        if rule.origin != MINED or evidence is None:
            continue
        places = np.unique(owners[np.flatnonzero(rules.matrix[i])]).tolist()
        columns = [scope.columns[c] for c in places]
        if len(columns) < 2 or any(column.name not in sample.rows.names for column in columns):
            continue
        if not all(column.one_hot or column.kind == "boolean" for column in columns):
            continue
        names = tuple(column.name for column in columns)
        values = [_additions(rules.matrix[i], scope, c) for c in places]
        if evidence.own_confidence < confidence:  # it rests on a test of all equalities together
            told = [_rows_that_tell(sample, column, each) for column, each in zip(columns, values, strict=True)]
            doubtful[i] = min(told) < budgets.FACT_TRIALS
            continue
        if names not in shares:
            shares[names] = _share_of_runs([sample.codes(name) for name in names])
        if shares[names] < SESSIONS:
            price = evidence.price + sum(_choices(each) for each in values)
            doubtful[i] = replace(evidence, weight=evidence.weight * shares[names], price=price).confidence < confidence
    return doubtful


def _additions(row: IntArray, scope: Scope, c: int) -> IntArray:
    """Return what each level of a column adds to a row of a rule."""
    start, column = scope.starts[c], scope.columns[c]
    part = row[start : start + column.width]
    return np.asarray(part if column.one_hot else [0, part[0]])


def _rows_that_tell(sample: Sample, column: Column, values: IntArray) -> int:
    """Return in how many rows a column adds something else than what it mostly adds."""
    texts, index = sample.rows.texts(column.name)
    codes, _ = column.codes(texts, index)
    added = np.append(values, 0)[codes]
    return len(added) - int(np.unique(added, return_counts=True)[1].max(initial=0))


def _choices(values: IntArray) -> float:
    """Return the logarithm of the number of sets of as many levels."""
    few = min(int(count) for count in np.unique(values, return_counts=True)[1])
    return log(comb(len(values), few))


def _share_of_runs(codes: list[IntArray]) -> float:
    """Return the number of runs of equal rows as a share of those that shuffled rows would have; at most 1."""
    joint = np.zeros(len(codes[0]), np.int64)
    for each in codes:
        joint = np.unique(joint * (int(each.max(initial=0)) + 1) + each, return_inverse=True)[1]
    counts = np.bincount(joint).astype(float)
    n = len(joint)
    expected = 1.0 + (n - 1) * (1.0 - float((counts**2).sum()) / n**2)
    return min(1.0, (1.0 + int((joint[1:] != joint[:-1]).sum())) / expected)
