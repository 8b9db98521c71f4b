"""Lifts: latent variables h(y) with the rows that define them (section 3.3 of the paper).

A lift turns inequalities between labels (y_i + y_j ≤ 1) into equalities of latents (h_11 = 0), which need far
fewer examples. `LIFTS` names the built-in ones; a user's own follows the same small protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from unwritten.data import IntArray, Variables, integers
from unwritten.errors import DataError
from unwritten.rules import DEFINITION, RuleSet

Row = tuple[dict[str, int], str, int]


@runtime_checkable
class Lift(Protocol):
    """A fitted lift: which latents there are, how they follow from labels, and which rows define them."""

    name: str

    def latents(self, variables: Variables) -> Variables:
        """The latent variables."""

    def apply(self, labels: IntArray) -> IntArray:
        """Their values (n × number of latents)."""

    def rows(self, variables: Variables) -> Sequence[Row]:
        """The rows that define them, as `({name: coefficient}, sense, rhs)` over labels and latents."""

    def state(self) -> dict[str, Any]:
        """What `restore` needs, as plain JSON values."""


class LiftMaker(Protocol):
    """A class or object that decides from the seen labels which latents are worth having."""

    name: str

    def fit(self, seen: IntArray, variables: Variables) -> Lift:
        """A fitted lift for these labels."""

    def restore(self, state: dict[str, Any]) -> Lift:
        """The fitted lift that `state` describes."""


@dataclass(frozen=True)
class Pairs:
    """h_ij,ab = [y_i = a and y_j = b] for the pairs of 0/1 variables that are 1 together in some seen label."""

    pairs: tuple[tuple[int, int], ...]
    name: str = "pairs"

    @classmethod
    def fit(cls, seen: IntArray, variables: Variables) -> Pairs:
        """All co-occurring pairs."""
        if not variables.binary.all():
            j = int(np.flatnonzero(~variables.binary)[0])
            raise DataError(
                f"the lift 'pairs' needs 0/1 variables but {variables.names[j]!r} is not: encode it as indicators"
            )
        together = np.triu(seen.T.astype(np.float64) @ seen, k=1)
        return cls(tuple((int(i), int(j)) for i, j in np.argwhere(together > 0)))

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Pairs:
        """The pairs written by `state`."""
        pairs = integers(np.asarray(state["pairs"], object).reshape(-1, 2), "the pairs of a lift")
        return cls(tuple((int(i), int(j)) for i, j in pairs))

    def state(self) -> dict[str, Any]:
        """The pairs as lists."""
        return {"pairs": [list(pair) for pair in self.pairs]}

    def latents(self, variables: Variables) -> Variables:
        """Four indicators a pair, in the order 11, 10, 01, 00."""
        names = [name for pair in self.pairs for name in self._names(pair, variables)]
        return Variables.named(names)

    def apply(self, labels: IntArray) -> IntArray:
        """The indicators of these labels."""
        pairs = np.array(self.pairs, np.int64).reshape(-1, 2)
        left, right = labels[:, pairs[:, 0]], labels[:, pairs[:, 1]]
        values = np.stack([left * right, left * (1 - right), (1 - left) * right, (1 - left) * (1 - right)], axis=2)
        return values.reshape(len(labels), -1)

    def rows(self, variables: Variables) -> list[Row]:
        """h_11 + h_10 = y_i; h_11 + h_01 = y_j; all four sum to 1."""
        rows: list[Row] = []
        for pair in self.pairs:
            both, first, second, neither = self._names(pair, variables)
            left, right = (variables.names[k] for k in pair)
            rows.append(({both: 1, first: 1, left: -1}, "==", 0))
            rows.append(({both: 1, second: 1, right: -1}, "==", 0))
            rows.append(({both: 1, first: 1, second: 1, neither: 1}, "==", 1))
        return rows

    @staticmethod
    def _names(pair: tuple[int, int], variables: Variables) -> list[str]:
        left, right = (variables.names[k] for k in pair)
        return [f"[{left}∧{right}]", f"[{left}∧¬{right}]", f"[¬{left}∧{right}]", f"[¬{left}∧¬{right}]"]


LIFTS: dict[str, LiftMaker] = {"pairs": Pairs}  # type: ignore[dict-item]


def fit_lifts(lifts: object, seen: IntArray, variables: Variables) -> tuple[Lift, ...]:
    """The fitted lifts that a user named or gave."""
    if isinstance(lifts, str) or not isinstance(lifts, Iterable):
        lifts = (lifts,)
    fitted = []
    for lift in lifts:
        maker = LIFTS.get(lift) if isinstance(lift, str) else lift
        if isinstance(maker, Lift) and not isinstance(maker, type):
            fitted.append(maker)
        elif hasattr(maker, "fit"):
            fitted.append(maker.fit(seen, variables))
        else:
            raise DataError(f"lift {lift!r} is unknown: use one of {sorted(LIFTS)} or an object with a fit method")
    return tuple(fitted)


def lifted_variables(lifts: Sequence[Lift], variables: Variables) -> Variables:
    """The variables followed by the latents of all lifts."""
    extended = variables
    for lift in lifts:
        latents = lift.latents(variables)
        extended = extended + latents
    return extended


def lifted_labels(lifts: Sequence[Lift], labels: IntArray) -> IntArray:
    """The labels followed by their latents."""
    return np.concatenate([labels, *(_latents(lift, labels) for lift in lifts)], axis=1) if lifts else labels


def _latents(lift: Lift, labels: IntArray) -> IntArray:
    values = np.asarray(lift.apply(labels))
    if values.ndim != 2 or len(values) != len(labels) or values.dtype.kind not in "bui":
        raise DataError(
            f"lift {lift.name!r} turned {len(labels)} labels into an array of shape {values.shape} and type "
            f"{values.dtype}: let apply return integers, one row per label and one column per latent"
        )
    return values.astype(np.int64, copy=False)


def defining_rules(lifts: Sequence[Lift], variables: Variables, extended: Variables, seen: IntArray) -> RuleSet:
    """The rows that define all latents, over the extended variables; refused if the lifted `seen` labels break one."""
    if not lifts:
        return RuleSet.empty(extended)
    rows: list[tuple[object, str, object]] = []
    for lift in lifts:
        rows.extend(lift.rows(variables))
    rules = RuleSet.of(extended, rows, origin=DEFINITION)
    if seen.shape[1] != len(extended):
        raise DataError(
            f"the lifts name {len(extended) - len(variables)} latents but compute {seen.shape[1] - len(variables)}: "
            "let latents and apply agree"
        )
    outside = (seen < extended.lower) | (seen > extended.upper)
    if outside.any():
        name = extended.names[int(np.flatnonzero(outside.any(axis=0))[0])]
        raise DataError(f"the latent {name!r} leaves its bounds on a seen label: widen the bounds in latents")
    broken = rules.violations(seen).any(axis=0)
    if broken.any():
        raise DataError(
            f"the defining row “{rules[int(broken.argmax())].text}” of a lift does not hold for its own latents: "
            "let rows and apply agree"
        )
    return rules
