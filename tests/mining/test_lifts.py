"""Lifts: the values of latents, the rows that define them, and the rules that they let mining find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import unwritten
from helpers import box
from unwritten import Variables
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.mining import defining_rules, fit_lifts, lifted_labels, lifted_variables
from unwritten.rules import DEFINITION

BINARY = arrays(np.int64, st.tuples(st.integers(2, 8), st.integers(2, 5)), elements=st.integers(0, 1))

# A parent, two children that exclude each other, and a grandchild of the second; each node requires its parent.
FAMILY = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 1, 1]])
NAMES = ["p", "c", "d", "g"]


@dataclass(frozen=True)
class Total:
    """One latent: the sum of all variables."""

    limit: int
    name: ClassVar[str] = "total"

    @classmethod
    def fit(cls, seen: IntArray, variables: Variables) -> Total:
        return cls(int(variables.reach.sum()))

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Total:
        return cls(state["limit"])

    def state(self) -> dict[str, Any]:
        return {"limit": self.limit}

    def latents(self, variables: Variables) -> Variables:
        return Variables.named(["total"], -self.limit, self.limit)

    def apply(self, labels: IntArray) -> IntArray:
        return labels.sum(axis=1, keepdims=True)

    def rows(self, variables: Variables) -> list[tuple[dict[str, int], str, int]]:
        return [({"total": -1, **dict.fromkeys(variables.names, 1)}, "==", 0)]


@dataclass(frozen=True)
class Top(Total):
    """One latent: the largest of the first two variables."""

    name: ClassVar[str] = "top"

    def latents(self, variables: Variables) -> Variables:
        return Variables.named(["top"], -self.limit, self.limit)

    def apply(self, labels: IntArray) -> IntArray:
        return labels[:, :2].max(axis=1, keepdims=True)

    def rows(self, variables: Variables) -> list[tuple[dict[str, int], str, int]]:
        return [({name: 1, "top": -1}, "<=", 0) for name in variables.names[:2]]


@given(BINARY)
def test_pairs_are_what_they_say_and_obey_their_rows(labels: IntArray) -> None:
    """Latents are 1 exactly if both variables have the named values, and the defining rows hold on all labels."""
    variables = Variables.of(labels)
    fitted = fit_lifts("pairs", labels, variables)
    extended = lifted_variables(fitted, variables)
    d = labels.shape[1]
    pairs = [(i, j) for i in range(d) for j in range(i + 1, d) if (labels[:, i] * labels[:, j]).any()]
    assert list(fitted[0].pairs) == pairs  # type: ignore[attr-defined]
    assert len(extended) == d + 4 * len(pairs)
    everything = lifted_labels(fitted, box(0, 1, d))
    for k, (i, j) in enumerate(pairs):
        for offset, (a, b) in enumerate([(1, 1), (1, 0), (0, 1), (0, 0)]):
            expected = (everything[:, i] == a) & (everything[:, j] == b)
            assert everything[:, d + 4 * k + offset].tolist() == expected.astype(int).tolist()
    rules = defining_rules(fitted, variables, extended, lifted_labels(fitted, labels))
    assert len(rules) == rules.rank == 3 * len(pairs)
    assert set(rules.origins) <= {DEFINITION}
    assert not rules.violations(everything).any()


@given(BINARY)
def test_the_defining_rows_leave_no_choice(labels: IntArray) -> None:
    """For a given label, only the right values of its latents obey the defining rows."""
    variables = Variables.of(labels[:, :2])
    fitted = fit_lifts("pairs", np.ones((1, 2), np.int64), variables)
    extended = lifted_variables(fitted, variables)
    rules = defining_rules(fitted, variables, extended, lifted_labels(fitted, labels[:, :2]))
    for label in box(0, 1, 2):
        candidates = np.column_stack([np.tile(label, (16, 1)), box(0, 1, 4)])
        allowed = candidates[~rules.violations(candidates).any(axis=1)]
        assert allowed.tolist() == lifted_labels(fitted, label[None, :]).tolist()


def test_implications_become_equalities() -> None:
    """ "No child without its parent" is an inequality of labels, and becomes an equality of latents."""
    plain = unwritten.mine(FAMILY, rules=["equalities"], names=NAMES)
    assert plain.rules.rank == 0
    model = unwritten.mine(FAMILY, rules=["equalities"], names=NAMES, lifts="pairs")
    rules = model.rules
    for parent, child in [("p", "c"), ("p", "d"), ("p", "g"), ("d", "g")]:
        assert rules.implies({f"[¬{parent}∧{child}]": 1}, 0)
    assert not rules.implies({"[p∧¬c]": 1}, 0)
    assert "[c∧d]" not in model.extended.index  # c and d are never both 1, so they have no latents
    check = model.check([[0, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 1]])
    assert check.feasible.tolist() == [False, True, False]
    assert [rule.text for rule in check.broken(0)] == ["c = [p∧c]"]  # the same in the shortest words


@given(BINARY)
def test_lifted_rules_hold_on_all_lifted_labels(labels: IntArray) -> None:
    """Mined rows hold on labels with latents; together with the defining rows they span the whole kernel."""
    model = unwritten.mine(labels, rules=["equalities"], lifts="pairs")
    lifted = lifted_labels(model.lifts, labels)
    assert not model.rules.violations(lifted).any()
    whole = unwritten.mine(lifted, rules=["equalities"]).rules
    assert model.rules.rank == len(model.rules) == whole.rank
    assert model.rules.compare(type(whole).of(model.extended, [(r.coefficients, "==", r.rhs) for r in whole])).same


def test_without_pairs_there_are_no_latents() -> None:
    """If no two variables are ever both 1, the lift has no latents, and the rules are those of the labels."""
    model = unwritten.mine(np.eye(3, dtype=int), rules=["equalities"], lifts="pairs")
    assert len(model.extended) == 3
    assert str(model.rules) == "exactly one of y0, y1, y2"
    assert model.predict([[1, 3, 2]]).tolist() == [[0, 1, 0]]


def test_a_lift_of_ones_own_is_mined() -> None:
    """A user's lift with the sum of all variables is mined: its defining row is stated, and so are rows of labels."""
    labels = np.array([[2, 1, 0], [0, 1, 2], [1, 1, 1], [3, 0, 0]])
    model = unwritten.mine(labels, rules=["equalities"], names="abc", bounds=(0, 3), lifts=[Total])
    assert [rule.text for rule in model.rules.by_origin(DEFINITION)] == ["total = a + b + c"]
    assert model.rules.implies({"total": 1}, 3)
    assert model.rules.implies([1, 1, 1, 0], 3)
    assert model.check([[1, 2, 0], [1, 2, 1]]).feasible.tolist() == [True, False]


def test_a_lift_says_what_no_linear_row_of_labels_can() -> None:
    """z = 3 − max(a, b) is mined, checked and obeyed in decisions, through a latent for the maximum."""
    free = box(0, 2, 2)
    labels = np.tile(np.column_stack([free, 3 - free.max(axis=1)]), (40, 1))
    assert unwritten.mine(labels).rules.rank == 0
    model = unwritten.mine(labels, names="abz", lifts=Top)
    assert model.rules.implies({"top": 1, "z": 1}, 3)
    points = box(0, 3, 3)
    points = points[(points >= model.variables.lower).all(axis=1) & (points <= model.variables.upper).all(axis=1)]
    assert model.check(points).feasible.tolist() == (points[:, 2] == 3 - points[:, :2].max(axis=1)).tolist()
    for weights in ([1, 1, 1], [1, 1, 5], [-1, 2, 1.5]):
        best = max(float(np.dot(weights, label)) for label in labels)
        assert model.decide([weights]).values[0] == pytest.approx(best)


def test_several_lifts_and_fitted_ones() -> None:
    """Names, classes and fitted objects can be given together; latents follow in that order."""
    model = unwritten.mine(FAMILY, names=NAMES, lifts=["pairs", Total, Top(limit=9)])
    assert model.extended.names[-2:] == ("total", "top")
    assert model.extended.upper[-2:].tolist() == [4, 9]
    assert not model.rules.violations(lifted_labels(model.lifts, FAMILY)).any()


class Flat(Total):
    """Returns an array of one dimension."""

    def apply(self, labels: IntArray) -> IntArray:
        return labels.sum(axis=1)


class Mean(Total):
    """Returns floats."""

    def apply(self, labels: IntArray) -> IntArray:
        return labels.mean(axis=1, keepdims=True)


class Two(Total):
    """Computes more latents than it names."""

    def apply(self, labels: IntArray) -> IntArray:
        return labels[:, :2]


class Tight(Total):
    """Declares bounds that its values exceed."""

    def latents(self, variables: Variables) -> Variables:
        return Variables.named(["total"], 0, 1)


class Wrong(Total):
    """Has a defining row that its values break."""

    def apply(self, labels: IntArray) -> IntArray:
        return labels.sum(axis=1, keepdims=True) + 1


class Stranger(Total):
    """Has a defining row with an unknown variable."""

    def rows(self, variables: Variables) -> list[tuple[dict[str, int], str, int]]:
        return [({"nobody": 1}, "==", 0)]


class Twin(Total):
    """Gives its latent the name of a variable."""

    def latents(self, variables: Variables) -> Variables:
        return Variables.named(["c"], 0, 9)


@pytest.mark.parametrize(
    ("lifts", "cure"),
    [
        ("triples", r"lift 'triples' is unknown: use one of \['pairs', 'values'\] or an object with a fit method"),
        (None, "lift None is unknown"),
        ([3], "lift 3 is unknown"),
        (
            Flat,
            r"lift 'total' .* shape \(5,\) .* let apply return integers, one row per label and one column per latent",
        ),
        (Mean, r"lift 'total' .* float64: let apply return integers"),
        (Two, "name 1 latents but compute 2: let latents and apply agree"),
        (Tight, "latent 'total' leaves its bounds on a seen label: widen the bounds in latents"),
        (Wrong, r"“total = p \+ c \+ d \+ g” .* does not hold for its own latents: let rows and apply agree"),
        (Stranger, "'nobody', which is not a variable"),
        (Twin, "'c' is used by two variables: rename"),
        ([Total, Total], "'total' is used by two variables: rename"),
    ],
)
def test_bad_lifts(lifts: object, cure: str) -> None:
    """An unknown or unsound lift is refused before anything is mined with it."""
    with pytest.raises(DataError, match=cure):
        unwritten.mine(FAMILY, names=NAMES, lifts=lifts)


def test_pairs_need_zeros_and_ones() -> None:
    """The lift of pairs refuses integer variables, and the message says how to encode them."""
    with pytest.raises(DataError, match="needs 0/1 variables but 'b' is not: encode it as indicators"):
        unwritten.mine([[0, 2], [1, 3]], names="ab", lifts="pairs")
