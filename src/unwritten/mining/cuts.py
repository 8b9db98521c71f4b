"""Outer cuts: w_i·y ≤ w_i·y_i + slack_i for every example (eq. 2 and, with slack, eq. 4).

Guarantee: every feasible label satisfies every cut with zero slack, if each y_i is optimal for its w_i; with
computed slack every *seen* label does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from unwritten.data import BoolArray, Examples, FloatArray, IntArray, Variables, floats, frozen, tolerance
from unwritten.data.halfspaces import by_row
from unwritten.errors import DataError


@dataclass(frozen=True, eq=False)
class Cuts:
    """Rows `weights · y ≤ values + slack`, with weights turned so that larger is better.

    `exact` says that no example needed slack, not even one whose cut was dropped: only then do the cuts prove anything.
    Weights may be a memory-mapped file; then a copy of the cuts (also in another process) maps the same file. They may
    also be far away (`data.halfspaces`): a pickled or saved copy has them all.
    """

    weights: FloatArray
    values: FloatArray
    slack: FloatArray
    exact: bool = True

    def __post_init__(self) -> None:
        for array in (self.weights, self.values, self.slack):
            if isinstance(array, np.ndarray):
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
        room = by_row(self.weights, partial(tolerance, variables=variables), width=self.weights.shape[1])
        return self.values + self.slack + room

    def highest(self, labels: IntArray) -> FloatArray:
        """max_j w_i·y_j over some labels, by one matrix product in blocks."""
        return by_row(self.weights, partial(_best, candidates=labels.astype(np.float64).T), width=len(labels))

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


def _best(weights: FloatArray, candidates: FloatArray) -> FloatArray:
    return np.asarray((weights @ candidates).max(axis=1))


def _mapped(path: Path, rows: int) -> FloatArray:
    """The weights of cuts that are kept in a file."""
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
    """The cuts of all examples, less those that no label within the bounds can break.

    `slack` is 0 (every label must be optimal for its weights among the seen ones), "auto" (the least slack
    that keeps every seen label: ξ_i = max_j w_i·(y_j − y_i), at least 0), or one value per example.
    """
    given = slack_of(slack, len(examples))
    if examples.weights is None:
        return Cuts.none(len(examples.variables))
    weights = examples.weights if examples.sense == "max" else -examples.weights
    values = np.einsum("ij,ij->i", weights, examples.labels.astype(np.float64))
    found = judged(weights, values, examples.variables, seen, given)
    refuse_short(np.flatnonzero(found.short), len(examples), examples.sense)
    kept = found.binding
    return Cuts(weights[kept], values[kept], found.slack[kept], exact=not found.slack.any())


@dataclass(frozen=True, eq=False)
class Judged:
    """Of each example: whether its cut can be broken, the slack it needs, and whether the one given is too small."""

    binding: BoolArray
    slack: FloatArray
    short: BoolArray


def judged(
    weights: FloatArray, values: FloatArray, variables: Variables, seen: IntArray, given: FloatArray | None
) -> Judged:
    """Judge some examples by the seen labels; weights are turned so that larger is better."""
    best = np.maximum(weights * variables.lower, weights * variables.upper).sum(axis=1)
    noise = tolerance(weights, variables)
    useful = values < best - noise
    cuts = Cuts(weights[useful], values[useful], np.zeros(int(useful.sum())))
    excess = np.zeros(len(values))
    excess[useful] = np.maximum(cuts.highest(seen) - cuts.values, 0.0)
    excess[excess <= noise] = 0.0
    slack = excess if given is None else np.where(useful, given, 0.0)
    return Judged(useful & (values + slack < best - noise), slack, useful & (excess > slack + noise))


def refuse_short(rows: IntArray, n: int, sense: str) -> None:
    """Raise if some examples (by place) have less slack than they need."""
    if len(rows):
        raise DataError(
            f"{len(rows)} of {n} labels are not optimal for their own weights among the seen labels "
            f"(the first is row {rows[0]}): use slack='auto' if the weights are predicted or rounded, "
            f"or check sense={sense!r}"
        )


def slack_of(slack: object, n: int) -> FloatArray | None:
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
