"""Pair forms: two tasks of one job are a pair of one form, two tasks of one machine a pair of another.

Orders are judged among pairs of their own form. If both orders of many pairs occur, though never overlapping, then a
pair that always has the same order may be one of them, of which the other order is rare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.data.layout import Layout
from unwritten.mining.bounds.bound_claims import Claim
from unwritten.mining.miner import Context

Form = tuple[int, int, tuple[int, ...]]  # the grids of both columns, and the axes along which their indices agree


class PairForms:
    """The forms of pairs of columns: columns in no grid are in grid −1.

    >>> forms = PairForms(Layout.of_names(["s[job1,cut]", "s[job1,drill]", "s[job2,cut]"]))
    >>> forms.form(0, 1), forms.form(0, 2), forms.form(1, 2)
    ((0, 0, (0,)), (0, 0, (1,)), (0, 0, ()))
    """

    def __init__(self, layout: Layout) -> None:
        self._indices: dict[int, tuple[int, tuple[int, ...]]] = {}
        for k, grid in enumerate(layout.grids):
            for indices in np.argwhere(grid.places >= 0).tolist():
                self._indices[int(grid.places[tuple(indices)])] = (k, tuple(indices))

    def form(self, one: int, other: int) -> Form:
        """The form of a pair."""
        (first, here), (second, there) = (self._indices.get(column, (-1, ())) for column in sorted((one, other)))
        shared = [k for k, (a, b) in enumerate(zip(here, there, strict=False)) if a == b] if first == second else []
        return first, second, tuple(shared)


def claim_form(claim: Claim, forms: PairForms) -> Form | None:
    """The form of the pair that a difference is about; None for other claims."""
    if claim.level != "difference" or len(claim.bounds) > 1:
        return None
    one, other = claim.bounds[0].columns.tolist()
    return forms.form(one, other)


def rare_order_odds(rules: Sequence[Claim], own_forms: Sequence[Form | None], context: Context) -> FloatArray:
    """The odds that a pair has both orders: its siblings that have both, for each sibling with only one order.

    Only pairs that share an index are judged so; among all others, too many do not exclude each other.
    """
    forms = PairForms(context.examples.variables.layout)
    either_or = Counter(forms.form(*pair) for pair in _both_orders(context))
    pairs = {(form, *_pair(rule)) for rule, form in zip(rules, own_forms, strict=True) if form is not None}
    ordered = Counter(form for form, _, _ in pairs)
    return np.array([either_or[form] / ordered[form] if form and form[2] else 0.0 for form in own_forms])


def _pair(claim: Claim) -> tuple[int, int]:
    one, other = sorted(claim.bounds[0].columns.tolist())
    return one, other


def _both_orders(context: Context) -> list[tuple[int, int]]:
    """The pairs of columns of which one is before the other, in either order."""
    index, seen = context.variables.index, context.tally.seen
    gaps = (gap for gap in context.mined.gaps if gap.kind == "either-or")
    pairs = [tuple(index[name] for name in gap.variables) for gap in gaps]
    return [(i, j) for i, j in pairs if _has_both(seen[:, i], seen[:, j])]


def _has_both(one: IntArray, other: IntArray) -> bool:
    return bool((one < other).any() and (one > other).any())
