"""Check: which labels are feasible, and which rules the others break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unwritten.counted import counted
from unwritten.data import BoolArray, IntArray, Variables
from unwritten.data.frames import FrameLike
from unwritten.data.html import html_table
from unwritten.rules import Gap, Gaps, Rule, RuleSet
from unwritten.shown import shown

LABELS_SHOWN = 20  # infeasible labels in the table that a notebook shows
RULES_IN_SUMMARY = 5  # rules in the summary, and of one label in the table that a notebook shows


@dataclass(frozen=True, eq=False)
class BeyondRange:
    """Values outside the range of the examples: of which label and variable, and how often that is to be expected."""

    rows: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    columns: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    values: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    variables: Variables | None = None
    expected: float = 0.0

    @classmethod
    def of(cls, labels: IntArray, variables: Variables, columns: BoolArray, expected: float) -> BeyondRange:
        """Collect the values of these columns that are outside the variables' bounds."""
        rows, places = np.nonzero(((labels < variables.lower) | (labels > variables.upper)) & columns)
        return cls(rows, places, labels[rows, places], variables, expected)

    def texts(self, i: int) -> list[str]:
        """Say of every value of label `i` that is outside the range, what the range is."""
        if self.variables is None:
            return []
        here = slice(*np.searchsorted(self.rows, [i, i + 1]).tolist())
        lower, upper, names = self.variables.lower, self.variables.upper, self.variables.names
        return [
            f"{names[k]} = {value} is outside the range seen, {lower[k]}..{upper[k]}"
            for k, value in zip(self.columns[here].tolist(), self.values[here].tolist(), strict=True)
        ]


@dataclass(frozen=True, eq=False, repr=False)
class Check:
    """The outcome for n labels: `feasible` (n,), `violations` (n × rules) and `gap_violations` (n × gaps).

    `within_bounds` (n,) is False for labels with a variable outside its bounds. `structured` (n,) is False for labels
    that are not a basis, if the model says that all labels are bases of a matroid. `beyond` are values outside the
    range of the examples, if bounds were only read off these: such a label is not infeasible, unless it is checked
    with `strict`.

    >>> import unwritten
    >>> model = unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40, names=["red", "green", "blue"])
    >>> model.check([[1, 0, 0], [1, 1, 0]])
    Check(1 of 2 labels is infeasible)
    >>> print(model.check([[1, 0, 0], [1, 1, 0]]).broken(1)[0])
    exactly one of red, green, blue
    """

    rules: RuleSet
    violations: BoolArray
    within_bounds: BoolArray
    structured: BoolArray
    frame_kind: FrameLike = field(default_factory=FrameLike)
    beyond: BeyondRange = field(default_factory=BeyondRange)
    gaps: Gaps | None = None
    gap_violations: BoolArray = field(default=None)  # type: ignore[arg-type]  # there are no gaps

    def __post_init__(self) -> None:
        if self.gap_violations is None:
            object.__setattr__(self, "gap_violations", np.zeros((len(self.violations), 0), bool))

    @property
    def outside(self) -> BoolArray:
        """Which labels have a value outside the range of the examples, whether or not that makes them infeasible."""
        outside = ~self.within_bounds
        outside[self.beyond.rows] = True
        return outside

    @property
    def feasible(self) -> BoolArray:
        """Which labels are within bounds, break no rule and, if the model has a matroid, are a basis of it."""
        broken = self.violations.any(axis=1) | self.gap_violations.any(axis=1)
        return self.within_bounds & self.structured & ~broken

    def broken(self, i: int) -> list[Rule | Gap]:
        """The rules that label `i` breaks, then the gaps."""
        gaps = () if self.gaps is None else self.gaps[np.flatnonzero(self.gap_violations[i])]
        return [*(self.rules[int(k)] for k in np.flatnonzero(self.violations[i])), *gaps]

    def problems(self, i: int) -> list[str]:
        """What is wrong with label `i`, in words."""
        problems = [rule.text for rule in self.broken(i)]
        if not self.within_bounds[i]:
            problems += self.beyond.texts(i) or ["a value is outside its bounds"]
        if not self.structured[i]:
            problems.append("it is not a basis of the matroid that every example is a basis of")
        return problems

    def warnings(self, i: int) -> list[str]:
        """What is unusual about label `i` without being wrong, in words: values outside the range of the examples."""
        return self.beyond.texts(i) if self.within_bounds[i] else []

    def __len__(self) -> int:
        return len(self.within_bounds)

    def __iter__(self) -> Iterator[tuple[bool, list[Rule | Gap]]]:
        return ((bool(ok), self.broken(i)) for i, ok in enumerate(self.feasible))

    def to_frame(self) -> Any:
        """A frame with one line per problem: the place of the label (from 0), and the problem in words.

        It is the kind of frame that was checked; an Arrow table if labels came as an array.
        """
        lines = [(i, text) for i in np.flatnonzero(~self.feasible).tolist() for text in self.problems(i)]
        return self.frame_kind.table({"row": [i for i, _ in lines], "problem": [text for _, text in lines]})

    def summary(self) -> str:
        """How many labels are feasible, then the rules that are broken most often."""
        bad = int((~self.feasible).sum())
        lines = [f"{len(self) - bad:,} of {counted(len(self), 'label')} obey every rule"]
        outside = int((~self.within_bounds).sum())
        if outside:
            lines.append(f"  {counted(outside, 'label')}: a value is outside its bounds")
        unfit = int((~self.structured).sum())
        if unfit:
            lines.append(f"  {counted(unfit, 'label')}: not a basis of the matroid that every example is a basis of")
        counts = np.concatenate([self.violations.sum(axis=0), self.gap_violations.sum(axis=0)])
        worst = [int(k) for k in np.argsort(-counts, kind="stable")[:RULES_IN_SUMMARY] if counts[k]]
        lines += [f"  {counted(int(counts[k]), 'label')}: {self._text(k)}" for k in worst]
        warned = int((self.outside & self.within_bounds).sum())
        if warned:
            have = "has" if warned == 1 else "have"
            lines.append(
                f"  {counted(warned, 'label')} {have} a value outside the range seen, as about "
                f"{100 * self.beyond.expected:.0f} % of new labels will (strict=True counts them as wrong); the first: "
                f"{self.warnings(int(np.flatnonzero(self.outside & self.within_bounds)[0]))[0]}"
            )
        return "\n".join(map(shown, lines))

    def _text(self, k: int) -> str:
        """The rule in words; gaps are numbered after the rules."""
        rules = len(self.rules)
        return self.rules[k].text if k < rules or self.gaps is None else self.gaps[k - rules].text

    __str__ = summary

    def __repr__(self) -> str:
        bad = int((~self.feasible).sum())
        return f"Check({bad:,} of {len(self):,} labels {'is' if bad == 1 else 'are'} infeasible)"

    def _repr_html_(self) -> str:
        bad = np.flatnonzero(~self.feasible)
        rows = [(i, _shortened(self.problems(i))) for i in bad[:LABELS_SHOWN].tolist()]
        caption = self.summary().splitlines()[0]
        if len(bad) > LABELS_SHOWN:
            caption += f"; the first {LABELS_SHOWN} of {len(bad):,} others"
        return html_table(["label", "what is wrong"], rows, caption)


def _shortened(problems: list[str]) -> str:
    """The first problems in one line, and how many more there are."""
    more = f"; and {len(problems) - RULES_IN_SUMMARY:,} more" if len(problems) > RULES_IN_SUMMARY else ""
    return "; ".join(problems[:RULES_IN_SUMMARY]) + more
