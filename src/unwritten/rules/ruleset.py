"""RuleSet: rules in a stable order, which can be tested on labels and compared exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets, linalg
from unwritten.counted import counted
from unwritten.data import BoolArray, FloatArray, IntArray, Variables, frozen, labels_from
from unwritten.data.html import html_table
from unwritten.errors import DataError
from unwritten.native import kernels
from unwritten.rules.consequences import Consequences
from unwritten.rules.patterns import SaidRules, said_rules
from unwritten.rules.rule import GIVEN, RULE_HEADS, Evidence, RowSense, Rule, rule_cells
from unwritten.rules.triples import Row, read_triple
from unwritten.rules.words import describe_row, noise_text
from unwritten.shown import shown

RULES_SHOWN = 50  # rules in the table that a notebook shows


@dataclass(frozen=True)
class Comparison:
    """The difference between the equalities of two rule sets, ours and theirs.

    `missing` are their equalities that ours do not imply, `extra` our equalities that theirs do not imply.
    """

    missing: RuleSet
    extra: RuleSet

    @property
    def same(self) -> bool:
        """True if the equalities of both sets have the same solutions."""
        return not len(self.missing) and not len(self.extra)


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules over named variables: row `i` is `matrix[i] · y (== if equality[i] else <=) rhs[i]`.

    >>> rules = RuleSet.of(Variables.named("abc"), [([1, 1, 1], "==", 1), ([1, -1, 0], "<=", 0)])
    >>> print(rules)
    exactly one of a, b, c
    a requires b
    >>> rules
    RuleSet(2 rules over 3 variables)
    >>> rules.implies([2, 2, 2], 2, "==")
    True
    >>> rules.obeyed_by(np.array([[0, 1, 0], [1, 0, 0]]))  # the second label breaks "a requires b"
    array([ True, False])
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
        """Rules from `(coefficients, sense, rhs)` triples; coefficients are a sequence or `{name: integer}`.

        All of them get the same origin and evidence.
        """
        if len(rows) == 3 and isinstance(rows[1], str):
            raise DataError("a single rule was given where a list is expected: write [(coefficients, sense, rhs)]")
        parsed = [read_triple(variables, row) for row in rows]
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
        """Rules from rows `[a, −b]`: `a·y = b`, or `a·y <= b` unless `equality`."""
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
            return self._rule(range(len(self))[which])
        places = np.arange(len(self))[which]
        return replace(
            self,
            matrix=self.matrix[places],
            equality=self.equality[places],
            rhs=self.rhs[places],
            origins=tuple(self.origins[i] for i in places),
            evidence=tuple(self.evidence[i] for i in places),
        )

    def _rule(self, i: int) -> Rule:
        coefficients, rhs, evidence = self.matrix[i], int(self.rhs[i]), self.evidence[i]
        sense: RowSense = "==" if self.equality[i] else "<="
        kind, text = describe_row(coefficients, sense, rhs, self.variables)
        return Rule(coefficients, sense, rhs, kind, text + noise_text(evidence), self.origins[i], evidence)

    def __add__(self, other: RuleSet) -> RuleSet:
        if other.variables.names != self.variables.names:
            raise DataError("the two rule sets are over different variables: mine or write them over the same names")
        return replace(
            self,
            matrix=np.concatenate([self.matrix, other.matrix]),
            equality=np.concatenate([self.equality, other.equality]),
            rhs=np.concatenate([self.rhs, other.rhs]),
            origins=self.origins + other.origins,
            evidence=self.evidence + other.evidence,
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
        return "\n".join(shown(said.text) for said in self.said) or "no rules"

    def __repr__(self) -> str:
        return f"RuleSet({counted(len(self), 'rule')} over {counted(len(self.variables), 'variable')})"

    def _repr_html_(self) -> str:
        hidden = len(self.said) - RULES_SHOWN
        caption = f"{counted(len(self), 'rule')} over {counted(len(self.variables), 'variable')}"
        if len(self.said) < len(self):
            caption += f", in {counted(len(self.said), 'sentence')}"
        if hidden > 0:
            caption += f": the first {RULES_SHOWN}, and {hidden:,} more that are not shown"
        return html_table(RULE_HEADS, [rule_cells(said) for said in self.said[:RULES_SHOWN]], caption)

    @cached_property
    def said(self) -> tuple[SaidRules, ...]:
        """The rules in words, in their order; rules that are alike along the axes of the variables are said once."""
        return tuple(said_rules(self))

    @cached_property
    def equalities(self) -> RuleSet:
        """The rules that are equalities."""
        return self[self.equality]

    @cached_property
    def inequalities(self) -> RuleSet:
        """The rules that are inequalities."""
        return self[~self.equality]

    def over(self, extended: Variables) -> RuleSet:
        """The same rules over these variables followed by further ones, which the rules do not touch."""
        zeros = np.zeros((len(self), len(extended) - len(self.variables)), np.int64)
        return replace(self, variables=extended, matrix=np.concatenate([self.matrix, zeros], axis=1))

    def triples(self) -> list[Row]:
        """Each rule as `({name: coefficient}, sense, rhs)`, the form that `of` reads."""
        names = self.variables.names
        return [
            ({names[j]: int(a[j]) for j in np.flatnonzero(a)}, "==" if equal else "<=", b)
            for a, equal, b in zip(self.matrix, self.equality.tolist(), self.rhs.tolist(), strict=True)
        ]

    def with_joint_confidence(self, confidence: FloatArray) -> RuleSet:
        """The same rules, whose evidence says how sure the joint test of all equalities makes each of them."""
        evidence = (
            None if e is None else replace(e, joint_confidence=float(share))
            for e, share in zip(self.evidence, confidence, strict=True)
        )
        return replace(self, evidence=tuple(evidence))

    def with_doubt(self, doubt: FloatArray) -> RuleSet:
        """The same rules, whose evidence says how likely each is broken by labels yet to come."""
        rounded = (float(f"{d:.12g}") for d in doubt.tolist())  # logarithms differ in their last bit between CPUs
        pairs = zip(self.evidence, rounded, strict=True)
        return replace(self, evidence=tuple(None if e is None else replace(e, doubt=d) for e, d in pairs))

    def by_origin(self, *origins: str) -> RuleSet:
        """The rules with one of these origins."""
        return self[np.array([origin in origins for origin in self.origins], bool)]

    @cached_property
    def rows(self) -> IntArray:
        """The equalities as rows `[a, −b]`."""
        return self.bordered[self.equality]

    @cached_property
    def bordered(self) -> IntArray:
        """Every rule as a row `[a, −b]`."""
        return np.column_stack([self.matrix, -self.rhs])

    @cached_property
    def rank(self) -> int:
        """The number of linearly independent equalities."""
        return linalg.rank(self.rows)

    @cached_property
    def _consequences(self) -> Consequences:
        return Consequences(self.rows)

    def implies(self, coefficients: object, rhs: object, sense: str = "==") -> bool:
        """True if this row is a consequence of the equalities, decided exactly.

        `a·y == b` is one iff `[a, −b]` is in their row space; `a·y <= b` is one iff they fix `a·y` at a value of at
        most `b`.
        """
        a, normal_sense, b = read_triple(self.variables, (coefficients, sense, rhs))
        row = np.array([*a, -b])
        if normal_sense == "==":
            return bool(self._consequences.include_equalities(row[None])[0])
        return self._consequences.include_inequality(row)

    def implied(self, rows: IntArray) -> BoolArray:
        """Which of the rows `[a, −b]` the equalities imply as equalities."""
        return self._consequences.include_equalities(rows)

    def compare(self, other: RuleSet) -> Comparison:
        """Compare the equalities of two sets over the same variables: same solutions, or which rows differ."""
        if other.variables.names != self.variables.names:
            raise DataError("the two rule sets are over different variables: compare sets over the same names")
        theirs, ours = other.equalities, self.equalities
        return Comparison(missing=theirs[~self.implied(theirs.rows)], extra=ours[~other.implied(ours.rows)])

    def violations(self, labels: object) -> BoolArray:
        """Which label (row) breaks which rule (column); the labels are checked first, and may be any array or frame."""
        checked, _ = labels_from(labels, order=self.variables.names)
        if checked.shape[1] != len(self.variables):
            raise DataError(
                f"labels have {checked.shape[1]} columns but the rules are over {len(self.variables)} variables: "
                "give the columns the rules were mined from, in that order"
            )
        return self.broken(checked)

    def broken(self, labels: IntArray) -> BoolArray:
        """Which label (row) breaks which rule (column), without checks: labels are n × d integers."""
        broken = np.zeros((len(labels), len(self)), bool)
        for part, part_broken in self._broken_by_part(labels):
            broken[part] = part_broken
        return broken

    def obeyed_by(self, labels: IntArray) -> BoolArray:
        """Which labels obey every rule, without checks: labels are n × d integers."""
        obeyed = np.ones(len(labels), bool)
        if linalg.largest(labels) * self._reach < 2**63:
            step = max(1, budgets.RULE_BLOCK_ENTRIES // len(self.variables))
            for start in range(0, len(labels), step):
                block = np.ascontiguousarray(labels[start : start + step], np.int64)
                obeyed[start : start + step] = kernels.labels_obeying(block, *self.entries)
            return obeyed
        for part, part_broken in self._broken_by_part(labels):
            obeyed[part] = ~part_broken.any(axis=1)
        return obeyed

    @cached_property
    def entries(self) -> tuple[NDArray[Any], ...]:
        """The non-zero coefficients rule by rule, the right-hand sides and which are equalities, for the kernel."""
        rules, columns = np.nonzero(self.matrix)
        starts = np.searchsorted(rules, np.arange(len(self) + 1))
        coefficients = self.matrix[rules, columns]
        return starts, columns.astype(np.int32), coefficients, self.rhs, self.equality.astype(np.uint8)

    @cached_property
    def _reach(self) -> int:
        """A number that no sum of a rule passes if label entries are 0, 1 or −1."""
        largest: int = max(1, linalg.largest(self.matrix))
        return len(self.variables) * largest

    def _broken_by_part(self, labels: IntArray) -> Iterator[tuple[slice, BoolArray]]:
        """Parts of the labels, each with its table of broken rules, of at most RULE_BLOCK_ENTRIES entries."""
        step = max(1, budgets.RULE_BLOCK_ENTRIES // max(1, len(self)))
        for start in range(0, len(labels), step):
            part = slice(start, start + step)
            activity = linalg.product(labels[part], self.matrix.T)
            yield part, np.where(self.equality, activity != self.rhs, activity > self.rhs)
