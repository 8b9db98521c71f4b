"""Verifying: where rules were mined from a sample of the labels, what all labels say of them.

The Gram matrix is of all labels: a·y = b holds on each of them if and only if [a, −b]ᵀG[a, −b] = 0, and "at most one
of some 0/1 literals" if and only if no two of them were ever true together. Other rules need another pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import linalg
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.mining import Cuts, Lift, Matroid, lifted_labels
from unwritten.mining.cuts import refuse_too_little_slack
from unwritten.model import Model
from unwritten.rules import DEFINITION, MINED, RuleSet
from unwritten.tables.quoting import shown
from unwritten.tally import Tally

HOLDS, BROKEN, UNKNOWN = 1, -1, 0


@dataclass(frozen=True, eq=False)
class Found:
    """What some labels say: their number, how many break each rule, whether all are bases, the best of each cut."""

    n: int
    broken: IntArray
    fits: bool
    highest: FloatArray

    def __add__(self, other: Found) -> Found:
        highest = np.maximum(self.highest, other.highest)
        return Found(self.n + other.n, self.broken + other.broken, self.fits and other.fits, highest)


@dataclass(frozen=True, eq=False)
class Test:
    """What is asked of every label."""

    rules: RuleSet
    lifts: tuple[Lift, ...]
    matroid: Matroid | None
    cuts: Cuts

    def __call__(self, labels: NDArray[Any]) -> Found:
        """Ask it of some."""
        wide = labels.astype(np.int64, copy=False)
        broken = self.rules.broken(lifted_labels(self.lifts, wide)).sum(axis=0)
        fits = self.matroid is None or bool(self.matroid.is_basis(wide).all())
        highest = self.cuts.highest(wide) if len(wide) else np.full(len(self.cuts), -np.inf)
        return Found(len(wide), broken, fits, highest)


Scan = Callable[[Test], Iterable[Found]]  # asks it of all labels again


def verified(model: Model, tally: Tally, scan: Scan | None, slack: object = "auto") -> Model:
    """The rules that every label obeys, mined from a sample of them; `scan` is None where labels come only once."""
    verdicts = by_counts(model.rules, tally.gram)
    open_ = verdicts == UNKNOWN
    broken = (verdicts == BROKEN).astype(np.int64)
    mined = np.array([origin == MINED for origin in model.rules.origins], bool)
    matroid, cuts = model.matroid, model.cuts
    if open_.any() or matroid is not None or len(cuts):
        if scan is None:
            broken[open_ & mined] = 1
            matroid, cuts = None, replace(cuts, exact=cuts.exact and not len(cuts))
        else:
            found = _all(scan(Test(model.rules[open_], model.lifts, matroid, cuts)), tally.n)
            broken[open_] = found.broken
            matroid = matroid if found.fits else None
            cuts = _widened(cuts, found.highest, model, slack, tally.n)
    kept = broken == 0
    wrong = ~kept & ~mined
    if wrong.any():
        text = shown(model.rules[int(np.flatnonzero(wrong)[0])].text)
        raise DataError(f"some rows break the prior row “{text}”: drop that row, or correct those")
    return replace(
        model,
        rules=model.rules[kept],
        redundant=model.redundant if kept.all() else model.redundant[:0],
        matroid=matroid,
        cuts=cuts,
        notes=(*model.notes, _note(tally, kept, None if scan is not None else open_, model)),
        total=tally.n,
    )


def _note(tally: Tally, kept: BoolArray, open_: BoolArray | None, model: Model) -> str:
    """What became of the rules; `open_` are those that only another pass could have told, where there was none."""
    told = np.ones(len(kept), bool) if open_ is None else ~open_
    fell = int((~kept & told).sum())
    text = (
        f"of the distinct rows a fair sample is kept, {len(tally.seen):,} or one in {2**tally.thinned}; every mined "
        f"rule was verified on all {tally.n:,} rows" + (f", and {fell} fell" if fell else "")
    )
    if open_ is None:
        return text
    without = [
        f"{int((~told & ~kept).sum())} rules were left out" if (~told & ~kept).any() else "",
        f"{int((~told & kept).sum())} prior rows were tested on the sample only" if (~told & kept).any() else "",
        "a matroid was left out" if model.matroid is not None else "",
        "the cuts prove nothing" if len(model.cuts) else "",
    ]
    lacking = ", ".join(part for part in without if part)
    if not lacking:
        return text
    return f"{text}; the batches came only once, so {lacking}: give batches that can be read again to mend that"


def _all(parts: Iterable[Found], n: int) -> Found:
    total: Found | None = None
    for part in parts:
        total = part if total is None else total + part
    if total is None or total.n != n:
        raise DataError(
            f"a second pass over the labels saw {0 if total is None else total.n:,} of them and the first {n:,}: give "
            "batches that are the same every time, or an iterator that can be read only once"
        )
    return total


def _widened(cuts: Cuts, highest: FloatArray, model: Model, slack: object, n: int) -> Cuts:
    """The cuts with the slack that all labels need, not only the sample."""
    short = highest > cuts.limits(model.variables)
    if not short.any():
        return cuts
    if slack != "auto":
        refuse_too_little_slack(np.flatnonzero(short), n, model.sense)
    wider = np.where(short, highest - cuts.values, cuts.slack)
    return Cuts(cuts.weights, cuts.values, wider, exact=False)


def by_counts(rules: RuleSet, gram: IntArray) -> IntArray:
    """What the Gram matrix of all labels says of each rule: HOLDS, BROKEN or UNKNOWN."""
    width = len(gram) - 1
    verdicts = np.full(len(rules), UNKNOWN)
    verdicts[[origin == DEFINITION for origin in rules.origins]] = HOLDS
    plain = (verdicts == UNKNOWN) & ~rules.matrix[:, width:].any(axis=1)
    equal = np.flatnonzero(plain & rules.equality)
    rows = np.column_stack([rules.matrix[equal, :width], -rules.rhs[equal]])
    # a row is in the kernel of a Gram matrix if and only if its square is 0
    product = linalg.exact_product(rows, gram)
    verdicts[equal] = np.where((product == 0).all(axis=1), HOLDS, BROKEN)
    binary = np.diag(gram)[:-1] == gram[-1, :-1]  # integers with Σy² = Σy are 0 or 1
    for i in np.flatnonzero(plain & ~rules.equality):
        verdicts[i] = _apart(rules.matrix[i, :width], int(rules.rhs[i]), gram, binary)
    return verdicts


def _apart(row: IntArray, rhs: int, gram: IntArray, binary: BoolArray) -> int:
    """The verdict on "at most one of" literals; UNKNOWN for any other row."""
    columns = np.flatnonzero(row)
    negated = row[columns] < 0
    if (np.abs(row[columns]) != 1).any() or rhs + int(negated.sum()) != 1 or not binary[columns].all():
        return UNKNOWN
    both, ones, n = gram[np.ix_(columns, columns)], gram[-1, columns], int(gram[-1, -1])
    only = np.where(negated[None, :], ones[:, None] - both, both)  # the first itself, and the second literal
    other = np.where(negated[None, :], n - ones[:, None] - ones[None, :] + both, ones[None, :] - both)
    together = np.where(negated[:, None], other, only)
    np.fill_diagonal(together, 0)
    return BROKEN if together.any() else HOLDS
