"""What is known about values: a lift, and rules over its latents."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unwritten.data import BoolArray, IntArray, Variables
from unwritten.mining.value_lift import Values
from unwritten.rules import RuleSet


@dataclass(frozen=True, eq=False)
class ValueRules:
    """Rules over the latents of a lift."""

    lift: Values
    rules: RuleSet

    def allow(self, labels: IntArray) -> BoolArray:
        """Which labels obey the rules."""
        return self.rules.obeyed_by(self.lift.apply(labels))

    def narrowed(self, variables: Variables) -> ValueRules:
        """The same with latents only for the variables that a rule is about."""
        touched = np.asarray(self.rules.matrix.any(axis=0))
        ends = np.cumsum([high - low + 1 for _, low, high in self.lift.domains])
        parts = np.split(np.arange(len(touched)), ends[:-1])
        used = [k for k, part in enumerate(parts) if touched[part].any()]
        lift = Values(tuple(self.lift.domains[k] for k in used))
        columns = np.concatenate([parts[k] for k in used])
        return ValueRules(
            lift, replace(self.rules, variables=lift.latents(variables), matrix=self.rules.matrix[:, columns].copy())
        )

    def over(self, extended: Variables) -> RuleSet:
        """The rules over variables of which the last ones are the latents."""
        ahead = np.zeros((len(self.rules), len(extended) - len(self.rules.variables)), np.int64)
        return replace(self.rules, variables=extended, matrix=np.concatenate([ahead, self.rules.matrix], axis=1))
