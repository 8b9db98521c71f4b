"""Lifts: latent variables h(y) with the rows that define them (section 3.3 of the paper).

A lift turns an inequality between variables (y_i + y_j ≤ 1) into an equality of latents (h_11 = 0), and equalities need
far fewer examples. `LIFTS` names the built-in lifts. A user's own lift follows the protocol `Lift`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from unwritten.data import IntArray, Variables
from unwritten.errors import DataError
from unwritten.mining.value_lift import Values
from unwritten.rules import DEFINITION, RuleSet
from unwritten.shapes import read

Row = tuple[dict[str, int], str, int]


@runtime_checkable
class Lift(Protocol):
    """A fitted lift: names the latents, computes their values from labels, and gives the rows that define them."""

    @property
    def name(self) -> str:
        """What the lift is called in a saved model."""

    def latents(self, variables: Variables) -> Variables:
        """The latent variables."""

    def apply(self, labels: IntArray) -> IntArray:
        """The values of the latents for n labels (n × number of latents)."""

    def rows(self, variables: Variables) -> Sequence[Row]:
        """The rows that define the latents: `({name: coefficient}, sense, rhs)` over variables and latents."""

    def state(self) -> dict[str, Any]:
        """Everything that `restore` needs to rebuild the lift, as plain JSON values."""


class LiftMaker(Protocol):
    """A class or object that chooses latents for the seen labels and returns a fitted `Lift`."""

    name: str

    def fit(self, seen: IntArray, variables: Variables) -> Lift:
        """Choose latents for these labels."""

    def restore(self, state: dict[str, Any]) -> Lift:
        """Rebuild a fitted lift from its state."""


@dataclass(frozen=True)
class _State:
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Pairs:
    """Four latents for each pair of 0/1 variables that are both 1 in some seen label.

    Latent h_ab of the pair (i, j) is 1 if y_i = a and y_j = b, and else 0.
    """

    pairs: tuple[tuple[int, int], ...]
    name: str = "pairs"

    @classmethod
    def fit(cls, seen: IntArray, variables: Variables) -> Pairs:
        """Choose the pairs of variables that are both 1 in some seen label."""
        if not variables.binary.all():
            j = int(np.flatnonzero(~variables.binary)[0])
            raise DataError(
                f"the lift 'pairs' needs 0/1 variables but {variables.names[j]!r} is not: encode it as indicators"
            )
        both_one = np.triu(seen.T.astype(np.float64) @ seen, k=1)
        return cls(tuple((int(i), int(j)) for i, j in np.argwhere(both_one > 0)))

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Pairs:
        """Rebuild the lift from the pairs that `state` returned."""
        return cls(read(_State, state, "the state of a lift").pairs)

    @property
    def size(self) -> int:
        """The number of latents."""
        return 4 * len(self.pairs)

    def state(self) -> dict[str, Any]:
        """The pairs of variables as lists of places."""
        return {"pairs": [list(pair) for pair in self.pairs]}

    def latents(self, variables: Variables) -> Variables:
        """The latents h_11, h_10, h_01, h_00 of each pair, in this order."""
        if not all(0 <= i < j < len(variables) and variables.binary[[i, j]].all() for i, j in self.pairs):
            raise DataError("a pair of a lift is not one of two 0/1 variables: mine the labels again")
        names = [name for pair in self.pairs for name in self._names(pair, variables)]
        return Variables.named(names)

    def apply(self, labels: IntArray) -> IntArray:
        """The values of the latents: 0 or 1 (n × four per pair)."""
        pairs = np.array(self.pairs, np.int64).reshape(-1, 2)
        first, second = labels[:, pairs[:, 0]], labels[:, pairs[:, 1]]
        values = np.stack(
            [first * second, first * (1 - second), (1 - first) * second, (1 - first) * (1 - second)], axis=2
        )
        return values.reshape(len(labels), -1)

    def rows(self, variables: Variables) -> list[Row]:
        """Three rows per pair: h_11 + h_10 = y_i, h_11 + h_01 = y_j, and the four latents add up to 1."""
        rows: list[Row] = []
        for pair in self.pairs:
            both, only_first, only_second, neither = self._names(pair, variables)
            first, second = (variables.names[k] for k in pair)
            rows.append(({both: 1, only_first: 1, first: -1}, "==", 0))
            rows.append(({both: 1, only_second: 1, second: -1}, "==", 0))
            rows.append(({both: 1, only_first: 1, only_second: 1, neither: 1}, "==", 1))
        return rows

    @staticmethod
    def _names(pair: tuple[int, int], variables: Variables) -> list[str]:
        first, second = (variables.names[k] for k in pair)
        return [f"[{first}∧{second}]", f"[{first}∧¬{second}]", f"[¬{first}∧{second}]", f"[¬{first}∧¬{second}]"]


LIFTS: dict[str, LiftMaker] = {"pairs": Pairs, "values": Values}  # type: ignore[dict-item]


def fit_lifts(lifts: object, seen: IntArray, variables: Variables) -> tuple[Lift, ...]:
    """Fit what a user gave: names from `LIFTS`, objects with a fit method, or lifts that are fitted already."""
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
    """The variables, then the latents of all lifts."""
    extended = variables
    for lift in lifts:
        latents = lift.latents(variables)
        extended = extended + latents
    return extended


def lifted_labels(lifts: Sequence[Lift], labels: IntArray) -> IntArray:
    """The labels with the values of their latents as further columns."""
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
    """The rows that define all latents, over the extended variables; raises if a seen label breaks one of them.

    `extended` are the variables and latents, and `seen` the distinct labels with the values of their latents.
    """
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
