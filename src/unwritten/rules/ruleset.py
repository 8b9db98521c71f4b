"""RuleSet: rules in a stable order, tested, compared and reasoned about exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray, Variables, frozen, integers, labels_from
from unwritten.errors import DataError
from unwritten.rules.language.words import kind_of, text_of
from unwritten.rules.rule import GIVEN, Evidence, RowSense, Rule

Row = tuple[dict[str, int], RowSense, int]  # ({name: coefficient}, sense, right-hand side)


@dataclass(frozen=True)
class Comparison:
    """What two rule sets' equalities say of each other: `missing` are theirs that ours do not imply."""

    missing: RuleSet
    extra: RuleSet

    @property
    def same(self) -> bool:
        """Whether the equalities of both sets have the same solutions."""
        return not len(self.missing) and not len(self.extra)


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules over named variables: row `i` is `matrix[i] · y (== if equality[i] else <=) rhs[i]`.

    >>> rules = RuleSet.of(Variables.named("abc"), [([1, 1, 1], "==", 1), ([1, -1, 0], "<=", 0)])
    >>> print(rules)
    exactly one of a, b, c
    a requires b
    >>> rules.implies([2, 2, 2], 2, "==")
    True
    """

    variables: Variables
    matrix: IntArray
    equality: BoolArray
    rhs: IntArray
    origins: tuple[str, ...]
    evidence: tuple[Evidence | None, ...]

    def __post_init__(self) -> None:
        r = len(self.matrix)
        shapes = (self.matrix.shape, self.equality.shape, self.rhs.shape, len(self.origins), len(self.evidence))
        if shapes != ((r, len(self.variables)), (r,), (r,), r, r):
            raise DataError("the parts of a rule set have different lengths: give one entry per rule to each")
        for array in (self.matrix, self.equality, self.rhs):
            frozen(array)

    @classmethod
    def empty(cls, variables: Variables) -> RuleSet:
        """No rules over these variables."""
        return cls.of(variables, [])

    @classmethod
    def of(
        cls,
        variables: Variables,
        rows: Sequence[tuple[object, str, object]],
        origin: str = GIVEN,
        evidence: Evidence | None = None,
    ) -> RuleSet:
        """Rules from `(coefficients, sense, rhs)` triples; coefficients are a sequence or `{name: integer}`."""
        if len(rows) == 3 and isinstance(rows[1], str):
            raise DataError("a single rule was given where a list is expected: write [(coefficients, sense, rhs)]")
        parsed = [_parse(variables, row) for row in rows]
        return cls(
            variables,
            np.array([a for a, _, _ in parsed], np.int64).reshape(len(parsed), len(variables)),
            np.array([sense == "==" for _, sense, _ in parsed], bool),
            np.array([b for _, _, b in parsed], np.int64),
            (origin,) * len(parsed),
            (evidence,) * len(parsed),
        )

    @classmethod
    def of_rows(
        cls, variables: Variables, rows: IntArray, origin: str, evidence: Evidence | None, equality: bool = True
    ) -> RuleSet:
        """Equalities from rows `[a, −b]` that annihilate `[y, 1]`, or inequalities from rows that keep it at most 0."""
        r = len(rows)
        return cls(variables, rows[:, :-1].copy(), np.full(r, equality), -rows[:, -1], (origin,) * r, (evidence,) * r)

    def __len__(self) -> int:
        return len(self.matrix)

    def __iter__(self) -> Iterator[Rule]:
        return (self[i] for i in range(len(self)))

    @overload
    def __getitem__(self, which: int) -> Rule: ...
    @overload
    def __getitem__(self, which: slice | BoolArray | IntArray | list[int]) -> RuleSet: ...
    def __getitem__(self, which: Any) -> Rule | RuleSet:
        if isinstance(which, int | np.integer):
            i = range(len(self))[which]
            coefficients, rhs = self.matrix[i], int(self.rhs[i])
            sense: RowSense = "==" if self.equality[i] else "<="
            kind = kind_of(coefficients, sense, rhs, self.variables)
            text = text_of(kind, coefficients, sense, rhs, self.variables)
            evidence = self.evidence[i]
            if evidence is not None and evidence.violations:
                text += f" (noisy: {evidence.violations} of {evidence.examples} examples break it)"
            return Rule(coefficients, sense, rhs, kind, text, self.origins[i], self.evidence[i])
        kept = np.arange(len(self))[which]
        return RuleSet(
            self.variables,
            self.matrix[kept],
            self.equality[kept],
            self.rhs[kept],
            tuple(self.origins[i] for i in kept),
            tuple(self.evidence[i] for i in kept),
        )

    def __add__(self, other: RuleSet) -> RuleSet:
        if other.variables.names != self.variables.names:
            raise DataError("the two rule sets are over different variables: mine or write them over the same names")
        return RuleSet(
            self.variables,
            np.concatenate([self.matrix, other.matrix]),
            np.concatenate([self.equality, other.equality]),
            np.concatenate([self.rhs, other.rhs]),
            self.origins + other.origins,
            self.evidence + other.evidence,
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RuleSet)
            and self.variables == other.variables
            and np.array_equal(self.matrix, other.matrix)
            and np.array_equal(self.equality, other.equality)
            and np.array_equal(self.rhs, other.rhs)
            and self.origins == other.origins
            and self.evidence == other.evidence
        )

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return "\n".join(rule.text for rule in self) or "no rules"

    def __repr__(self) -> str:
        return f"RuleSet({len(self)} rules over {len(self.variables)} variables, rank {self.rank})"

    @cached_property
    def equalities(self) -> RuleSet:
        """The rules that are equalities."""
        return self[self.equality]

    @cached_property
    def inequalities(self) -> RuleSet:
        """The rules that are inequalities."""
        return self[~self.equality]

    def over(self, extended: Variables) -> RuleSet:
        """The same rules over these variables followed by others, which they do not touch."""
        more = np.zeros((len(self), len(extended) - len(self.variables)), np.int64)
        return replace(self, variables=extended, matrix=np.concatenate([self.matrix, more], axis=1))

    def triples(self) -> list[Row]:
        """Each rule as `({name: coefficient}, sense, rhs)`, the form that `of` reads."""
        names = self.variables.names
        return [
            ({names[j]: int(rule.coefficients[j]) for j in np.flatnonzero(rule.coefficients)}, rule.sense, rule.rhs)
            for rule in self
        ]

    def settled(self, confidence: float) -> RuleSet:
        """The same rules, settled together at this confidence."""
        weighed = (None if e is None else replace(e, settled=confidence) for e in self.evidence)
        return replace(self, evidence=tuple(weighed))

    def by_origin(self, *origins: str) -> RuleSet:
        """The rules that came about in one of these ways."""
        return self[np.array([origin in origins for origin in self.origins], bool)]

    @cached_property
    def rows(self) -> IntArray:
        """The equalities as rows `[a, −b]`."""
        chosen = self.equality
        return np.column_stack([self.matrix[chosen], -self.rhs[chosen]])

    @cached_property
    def rank(self) -> int:
        """The number of linearly independent equalities."""
        return linalg.rank(self.rows)

    @cached_property
    def _solutions(self) -> linalg.Integers:
        """Rows that span all `[y, 1]` allowed by the equalities: a row is implied iff it annihilates them."""
        return linalg.kernel(self.rows)

    def implies(self, coefficients: object, rhs: object, sense: str = "==") -> bool:
        """Exactly: is this row a consequence of the equalities?

        `a·y == b` is, iff `[a, −b]` is in their row space; `a·y <= b` iff they fix `a·y` at a value that is
        at most `b`.
        """
        a, kind, b = _parse(self.variables, (coefficients, sense, rhs))
        residual = linalg.exact_product(np.array([[*a, -b]]), self._solutions.T)[0]
        if kind == "==":
            return not (residual != 0).any()
        # Along every solution [y, t] with t > 0, a·y − b·t must be the same non-positive multiple of t.
        times = self._solutions[:, -1]
        at = np.flatnonzero(times)
        if not at.size:
            return not (residual != 0).any()
        k = int(at[0])
        proportional = all(
            int(r) * int(times[k]) == int(residual[k]) * int(t) for r, t in zip(residual, times, strict=True)
        )
        return proportional and int(residual[k]) * int(np.sign(times[k])) <= 0

    def implied(self, rows: IntArray) -> BoolArray:
        """Which of the rows `[a, −b]` the equalities imply."""
        return np.asarray(~(linalg.exact_product(rows, self._solutions.T) != 0).any(axis=1))

    def compare(self, other: RuleSet) -> Comparison:
        """Compare the equalities of two sets over the same variables: same solutions, or which rows differ."""
        if other.variables.names != self.variables.names:
            raise DataError("the two rule sets are over different variables: compare sets over the same names")
        theirs, ours = other.equalities, self.equalities
        return Comparison(missing=theirs[~self.implied(theirs.rows)], extra=ours[~other.implied(ours.rows)])

    def violations(self, labels: object) -> BoolArray:
        """Which label (row) breaks which rule (column)."""
        checked, _ = labels_from(labels, order=self.variables.names)
        if checked.shape[1] != len(self.variables):
            raise DataError(
                f"labels have {checked.shape[1]} columns but the rules are over {len(self.variables)} variables: "
                "give the columns the rules were mined from, in that order"
            )
        return self.broken(checked)

    def broken(self, labels: IntArray) -> BoolArray:
        """The same for labels that are known to be sound."""
        broken = np.zeros((len(labels), len(self)), bool)
        step = max(1, budgets.RULE_BLOCK_ENTRIES // max(1, len(self)))
        for start in range(0, len(labels), step):
            activity = linalg.product(labels[start : start + step], self.matrix.T)
            broken[start : start + step] = np.where(self.equality, activity != self.rhs, activity > self.rhs)
        return broken


def _parse(variables: Variables, row: object) -> tuple[IntArray, RowSense, int]:
    """One checked row, with `>=` turned into `<=`."""
    if not isinstance(row, tuple | list) or len(row) != 3:
        raise DataError("a rule is a triple (coefficients, sense, right-hand side), e.g. ([1, 1], '<=', 1)")
    coefficients, sense, rhs = row
    if isinstance(coefficients, Mapping):
        dense = np.zeros(len(variables), object)
        for name, value in coefficients.items():
            if name not in variables.index:
                some = ", ".join(variables.names[:5]) + (" …" if len(variables) > 5 else "")
                raise DataError(f"a rule names {name!r}, which is not a variable: use names from {some}")
            dense[variables.index[name]] = value
        coefficients = dense
    a, b = integers(coefficients, "rule coefficients"), integers(rhs, "right-hand sides")
    if b.size != 1:
        raise DataError(f"a rule has {b.size} right-hand sides: give one number")
    if a.shape != (len(variables),):
        count = f"{a.size} coefficients" if a.ndim == 1 else f"coefficients of shape {a.shape}"
        raise DataError(f"a rule has {count} for {len(variables)} variables: give one per variable")
    match sense:
        case "==" | "=":
            return a, "==", int(b.item())
        case "<=":
            return a, "<=", int(b.item())
        case ">=":
            return -a, "<=", -int(b.item())
    raise DataError(f"a rule has sense {sense!r}: use '==', '<=' or '>='")
