"""Outer cuts: w_i·y ≤ w_i·y_i + slack_i for every example (eq. 2 and, with slack, eq. 4).

Guarantee: every feasible label satisfies every cut with zero slack, if each y_i is optimal for its w_i; with
computed slack every *seen* label does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.data import BoolArray, Examples, FloatArray, IntArray, Variables, floats, frozen, tolerance
from tacit.errors import DataError

BLOCK = 1 << 24  # entries of a (weights × seen labels) block held at once


@dataclass(frozen=True, eq=False)
class Cuts:
    """Rows `weights · y ≤ values + slack`, with weights turned so that larger is better.

    `exact` says that no example needed slack, not even one whose cut was dropped: only then do the cuts prove anything.
    """

    weights: FloatArray
    values: FloatArray
    slack: FloatArray
    exact: bool = True

    def __post_init__(self) -> None:
        for array in (self.weights, self.values, self.slack):
            frozen(array)

    @classmethod
    def none(cls, width: int) -> Cuts:
        """No cuts."""
        return cls(np.zeros((0, width)), np.zeros(0), np.zeros(0))

    def __len__(self) -> int:
        return len(self.weights)

    def __getitem__(self, which: BoolArray) -> Cuts:
        return Cuts(self.weights[which], self.values[which], self.slack[which], self.exact)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cuts) and all(
            np.array_equal(getattr(self, part), getattr(other, part))
            for part in ("weights", "values", "slack", "exact")
        )

    __hash__ = None  # type: ignore[assignment]

    def limits(self, variables: Variables) -> FloatArray:
        """The right-hand sides as they are tested: value + slack + the tolerance of the row."""
        return self.values + self.slack + tolerance(self.weights, variables)


def outer_cuts(examples: Examples, seen: IntArray, slack: object = "auto") -> Cuts:
    """The cuts of all examples, less those that no label within the bounds can break.

    `slack` is 0 (every label must be optimal for its weights among the seen ones), "auto" (the least slack
    that keeps every seen label: ξ_i = max_j w_i·(y_j − y_i), at least 0), or one value per example.
    """
    given = _slack(slack, len(examples))
    if examples.weights is None:
        return Cuts.none(len(examples.variables))
    weights = examples.weights if examples.sense == "max" else -examples.weights
    values = np.einsum("ij,ij->i", weights, examples.labels.astype(np.float64))
    variables = examples.variables
    best = np.maximum(weights * variables.lower, weights * variables.upper).sum(axis=1)
    noise = tolerance(weights, variables)
    useful = values < best - noise
    cuts = Cuts(weights[useful], values[useful], np.zeros(int(useful.sum())))
    excess = _excess(cuts, seen)
    excess[excess <= noise[useful]] = 0.0
    if given is None:
        chosen = excess
    else:
        chosen = given[useful]
        short = excess > chosen + noise[useful]
        if short.any():
            rows = np.flatnonzero(useful)[short]
            raise DataError(
                f"{len(rows)} of {len(examples)} labels are not optimal for their own weights among the seen labels "
                f"(the first is row {rows[0]}): use slack='auto' if the weights are predicted or rounded, "
                f"or check sense={examples.sense!r}"
            )
    binding = cuts.values + chosen < (best - noise)[useful]
    return Cuts(cuts.weights, cuts.values, chosen, exact=not chosen.any())[binding]


def _excess(cuts: Cuts, seen: IntArray) -> FloatArray:
    """max_j w_i·y_j − w_i·y_i over the seen labels, by one matrix product in blocks."""
    excess = np.zeros(len(cuts))
    candidates = seen.astype(np.float64).T
    step = max(1, BLOCK // max(1, len(seen)))
    for start in range(0, len(cuts), step):
        block = slice(start, start + step)
        excess[block] = (cuts.weights[block] @ candidates).max(axis=1) - cuts.values[block]
    return np.maximum(excess, 0.0)


def _slack(slack: object, n: int) -> FloatArray | None:
    """The slack of each example, or None where it is to be computed."""
    if isinstance(slack, str):
        if slack == "auto":
            return None
        raise DataError(f"slack is {slack!r}: use 0, 'auto', or one number per example")
    values = floats(slack, "slack values")
    if values.shape not in ((), (n,)):
        raise DataError(f"slack has shape {values.shape} for {n} examples: use 0, 'auto', or one number per example")
    if (values < 0).any():
        raise DataError("slack must not be negative: use 0, 'auto', or one number per example")
    return values if values.ndim else np.full(n, values)
