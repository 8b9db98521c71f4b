"""Outer cuts: w_i·y ≤ w_i·y_i + slack_i for every example (eq. 2 and, with slack, eq. 4).

Guarantee: every feasible label satisfies every cut with zero slack, if each y_i is optimal for its w_i; with
computed slack every *seen* label does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from unwritten.data import BoolArray, Examples, FloatArray, IntArray, Variables, frozen, maximised, tolerance
from unwritten.data.examples import given_slack
from unwritten.data.halfspaces import number_per_row
from unwritten.data.products import box_values, highest_values, row_values
from unwritten.errors import DataError


@dataclass(frozen=True, eq=False, repr=False)
class Cuts:
    """Rows `weights · y ≤ values + slack`; weights have the sign that makes larger values better.

    `exact` says that no example needed slack, not even one whose cut was dropped: only then do the cuts prove anything.
    The weights may be a memory-mapped file; then a copy of the cuts (also in another process) maps the same file. They
    may also be in the partitions of a cluster (`data.halfspaces`); then a pickled or saved copy holds all of them.

    Values, slack and limits have the same bits on every machine and for every division into blocks (`data.products`).
    """

    weights: FloatArray
    values: FloatArray
    slack: FloatArray
    exact: bool = True

    def __post_init__(self) -> None:
        for array in (self.weights, self.values, self.slack):
            if isinstance(array, np.ndarray):
                frozen(array)

    def __repr__(self) -> str:
        slack = "" if self.exact else ", some with slack"
        return f"Cuts({len(self.values):,} rows over {self.weights.shape[1]:,} variables{slack})"

    @classmethod
    def none(cls, width: int) -> Cuts:
        """An empty set of cuts over `width` variables."""
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
        """The right-hand sides that labels are tested against: value + slack + the tolerance of the row."""
        allowed = number_per_row(self.weights, partial(tolerance, variables=variables), width=self.weights.shape[1])
        return self.values + self.slack + allowed

    def highest(self, labels: IntArray) -> FloatArray:
        """For every cut i, the highest value of a given label: max_j w_i·y_j."""
        return number_per_row(self.weights, partial(highest_values, labels=labels), width=self.weights.shape[1])

    def __getstate__(self) -> dict[str, Any]:
        state = dict(vars(self))
        weights = self.weights
        if not isinstance(weights, np.ndarray):
            state["weights"] = np.asarray(weights)
        if isinstance(weights, np.memmap) and weights.filename is not None:
            path = Path(weights.filename)
            if path.is_file() and path.stat().st_size == weights.offset + weights.nbytes:
                state["weights"] = path
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state["weights"], Path):
            state = state | {"weights": _mapped(state["weights"], len(state["values"]))}
        for name, value in state.items():
            object.__setattr__(self, name, value)


def _mapped(path: Path, rows: int) -> FloatArray:
    """Map the weights of cuts from their file."""
    try:
        weights: FloatArray = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise DataError(
            f"the cuts of this model are in {path.name}, which cannot be read here: send a saved model instead, "
            "which holds them"
        ) from error
    if len(weights) != rows:
        raise DataError(f"the file {path.name} holds the cuts of another model: mine again")
    return weights


def outer_cuts(examples: Examples, seen: IntArray, slack: object = "auto") -> Cuts:
    """The cuts of all examples, without those that no label within the bounds can break.

    `slack` is 0 (every label must be optimal for its weights among the seen ones), "auto" (the least slack
    that keeps every seen label: ξ_i = max_j w_i·(y_j − y_i), at least 0), or one value per example.
    """
    given = given_slack(slack, len(examples))
    if examples.weights is None:
        return Cuts.none(len(examples.variables))
    weights = maximised(examples.weights, examples.sense)
    values = row_values(weights, examples.labels)
    judgement = judge(weights, values, examples.variables, seen, given)
    refuse_too_little_slack(np.flatnonzero(judgement.too_little), len(examples), examples.sense)
    binding = judgement.binding
    return Cuts(weights[binding], values[binding], judgement.slack[binding], exact=not judgement.slack.any())


@dataclass(frozen=True, eq=False)
class Judgement:
    """For each example: whether some label can break its cut, its slack, and whether a given slack is too little."""

    binding: BoolArray
    slack: FloatArray
    too_little: BoolArray

    @classmethod
    def joined(cls, parts: Iterable[Judgement]) -> Judgement:
        """Join the judgements of consecutive blocks of examples."""
        columns = zip(*((part.binding, part.slack, part.too_little) for part in parts), strict=True)
        return cls(*(np.concatenate(column) for column in columns))


def judge(
    weights: FloatArray, values: FloatArray, variables: Variables, seen: IntArray, given: FloatArray | None
) -> Judgement:
    """Judge examples by the seen labels.

    `weights` have the sign that makes larger values better, `values` are w_i·y_i by `row_values`, and `given` is the
    slack of each example, or None if it is to be computed.
    """
    best = box_values(weights, variables.lower, variables.upper)
    noise = tolerance(weights, variables)
    breakable = values < best - noise
    equal = (values + noise)[breakable]
    highest = highest_values(weights[breakable], seen, floor=equal)
    needed = np.zeros(len(values))
    needed[breakable] = np.where(highest > equal, highest - values[breakable], 0.0)
    slack = needed if given is None else np.where(breakable, given, 0.0)
    binding = breakable & (values + slack < best - noise)
    return Judgement(binding, slack, breakable & (needed > slack + noise))


def refuse_too_little_slack(rows: IntArray, n: int, sense: str) -> None:
    """Raise if some of the n examples have less slack than they need; `rows` are the places of these examples."""
    if len(rows):
        raise DataError(
            f"{len(rows)} of {n} labels are not optimal for their own weights among the seen labels "
            f"(the first is row {rows[0]}): use slack='auto' if the weights are predicted or rounded, "
            f"or check sense={sense!r}"
        )
