"""Siblings: a rule that holds at nearly all places of a pattern needs little evidence at the few places that are left.

"Not night and then morning the next day" may be sure of 90 pairs of a nurse and a day, and six others may have too few
nights to tell. Let s siblings be stated, and let b be broken by some example. A place is then an exception with
probability (b + 1)/(s + b + 2), by the rule of succession. If it is one, E examples were expected to break the row
there, and none does: e^−E. The probability that it is an exception all the same is the doubt.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.mining.gate import row_keys
from unwritten.mining.miner import Context, Mined
from unwritten.rules import Evidence, RuleSet
from unwritten.rules.patterns import SiblingRows, sibling_rows

STATED = 5  # least stated rules of a pattern that can make its other rules sure
BROKEN = 0.1  # most broken siblings for each stated one


def with_completed_patterns(context: Context, mined: Mined) -> Mined:
    """State the siblings of mined inequalities that no example breaks, if they are sure enough together."""
    known = set(row_keys(context.known + mined.rules))
    sure: dict[bytes, tuple[IntArray, float]] = {}
    for family in sibling_rows(mined.rules):
        for row, doubt in _sure_siblings(context, family):
            key = row.tobytes()
            if key not in sure or doubt < sure[key][1]:
                sure[key] = row, doubt
    if not sure:
        return mined
    rows, doubts = (np.array(part) for part in zip(*sure.values(), strict=True))
    rules = _with_evidence(context.scored(rows, equality=False), doubts)
    rules = rules[np.array([key not in known for key in row_keys(rules)], bool)]
    return mined.with_rules(rules)


def _sure_siblings(context: Context, family: SiblingRows) -> list[tuple[IntArray, float]]:
    """The rows of a family that hold on all labels, with the doubt about each; none if they are not sure together."""
    if len(family.stated) < STATED or not len(family.others):
        return []
    rules = context.scored(family.others, equality=False)
    broken = np.asarray(rules.broken(context.labels).any(axis=0))
    if broken.sum() > BROKEN * len(family.stated):
        return []
    rows, holding = family.others[~broken], rules[~broken]
    exception = (broken.sum() + 1) / (len(family.stated) + broken.sum() + 2)
    expected = np.array([0.0 if e is None else e.expected for e in holding.evidence])
    doubts: FloatArray = exception * np.exp(-expected)
    if doubts.sum() > 1 - context.options.confidence:
        return []
    return list(zip(rows, doubts.tolist(), strict=True))


def _with_evidence(rules: RuleSet, doubts: FloatArray) -> RuleSet:
    """The rules, as sure as their siblings make them."""
    evidence: list[Evidence | None] = [
        None if e is None else replace(e, joint_confidence=1 - doubt, doubt=doubt)
        for e, doubt in zip(rules.evidence, (float(f"{d:.12g}") for d in doubts.tolist()), strict=True)
    ]
    return replace(rules, evidence=tuple(evidence))
