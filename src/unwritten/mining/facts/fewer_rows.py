"""Fewer rows: the evidence of a rule over columns of a table, if its rows count as fewer than they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb, log

import numpy as np

from unwritten.data import IntArray
from unwritten.mining.facts.row_sample import Sample
from unwritten.rules import Evidence, RuleSet
from unwritten.rules.columns.scope import Scope
from unwritten.tables import Column


def evidence_of_fewer_rows(
    rules: RuleSet, i: int, levels: Mapping[int, Sequence[int]], scope: Scope, sample: Sample, share: float
) -> Evidence:
    """Return the evidence of a rule if each row counts as this share of a row, less the price of choosing its values.

    `levels` is what the values of each column add to the rule. The test of all equalities together does not count.
    """
    evidence = rules.evidence[i]
    if evidence is None:
        raise ValueError("a rule without evidence has no rows to count")
    values = {scope.columns[c]: np.array(added, np.int64) for c, added in levels.items()}
    added = [_added(sample, column, each) for column, each in values.items()]
    price = evidence.price + sum(_choices(each) for each in values.values())
    chance = _chance(added, bool(rules.equality[i]), int(rules.rhs[i]))
    weight = evidence.weight * share
    return replace(evidence, weight=weight, chance=chance, price=price, joint_confidence=0.0)


def _added(sample: Sample, column: Column, values: IntArray) -> dict[int, float]:
    """Return what a column adds to a rule, with the share of rows in which it adds that."""
    texts, index = sample.rows.texts(column.name)
    codes, _ = column.codes(texts, index)
    numbers, counts = np.unique(np.append(values, 0)[codes], return_counts=True)
    return dict(zip(numbers.tolist(), (counts / len(codes)).tolist(), strict=True))


def _chance(added: list[dict[int, float]], equality: bool, rhs: int) -> float:
    """Return how many rows would obey a rule if its columns were independent, as a share."""
    sums = {0: 1.0}
    for column in added:
        further: dict[int, float] = {}
        for total, share in sums.items():
            for number, part in column.items():
                further[total + number] = further.get(total + number, 0.0) + share * part
        sums = further
    return min(1.0, sum(share for total, share in sums.items() if (total == rhs if equality else total <= rhs)))


def _choices(values: IntArray) -> float:
    """Return the logarithm of the number of sets of as many levels."""
    few = min(int(count) for count in np.unique(values, return_counts=True)[1])
    return log(comb(len(values), few))
