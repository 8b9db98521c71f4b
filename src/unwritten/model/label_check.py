"""Check: which labels are feasible, and which rules the others break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray
from unwritten.rules import Rule, RuleSet


@dataclass(frozen=True, eq=False)
class Check:
    """The outcome for n labels: `feasible` (n,), and `violations` (n × rules).

    `within_bounds` (n,) tells labels that fail because a variable is outside its bounds, `structured` (n,) those that
    are no bases where the model's labels are.
    """

    rules: RuleSet
    violations: BoolArray
    within_bounds: BoolArray
    structured: BoolArray

    @property
    def feasible(self) -> BoolArray:
        """Which labels are within bounds, break no rule, and fit the structure."""
        return self.within_bounds & self.structured & ~self.violations.any(axis=1)

    def broken(self, i: int) -> list[Rule]:
        """The rules that label `i` breaks."""
        return [self.rules[int(k)] for k in np.flatnonzero(self.violations[i])]

    def __len__(self) -> int:
        return len(self.within_bounds)

    def __iter__(self) -> Iterator[tuple[bool, list[Rule]]]:
        return ((bool(ok), self.broken(i)) for i, ok in enumerate(self.feasible))

    def summary(self) -> str:
        """One line, then the rules broken most often."""
        bad = int((~self.feasible).sum())
        lines = [f"{len(self) - bad} of {len(self)} labels obey all {len(self.rules)} rules"]
        outside = int((~self.within_bounds).sum())
        if outside:
            lines.append(f"  {outside} have a value outside its bounds")
        unfit = int((~self.structured).sum())
        if unfit:
            lines.append(f"  {unfit} are not what every example is: a basis of the matroid of the covers")
        counts = self.violations.sum(axis=0)
        worst = [int(k) for k in np.argsort(-counts, kind="stable")[:5] if counts[k]]
        lines += [f"  broken {counts[k]} times: {self.rules[k].text}" for k in worst]
        return "\n".join(lines)

    __str__ = summary
