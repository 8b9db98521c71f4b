"""What a miner receives (`Context`), and what it returns (`Mined`)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, Examples, IntArray, Variables
from unwritten.effort import Effort
from unwritten.evidence.scorer import EvidenceScorer
from unwritten.mining.kernel_memory import KernelMemory
from unwritten.mining.matroids.matroid import Matroid
from unwritten.mining.value_rules import ValueRules
from unwritten.options import MinerName, MiningOptions
from unwritten.rules import MINED, RuleSet
from unwritten.rules.gaps import Gap
from unwritten.tally import Tally, gram_of


@dataclass(frozen=True, eq=False)
class Mined:
    """Everything that has been mined so far.

    `groups` are all exactly-one groups that are believed, also those that follow from the `rules`. `groups_complete`
    is False if the search for groups was cut short. `notes` tell the user what was not mined, and why. `habits` hold on
    all labels too, but optimality can explain them. `suspects` are the places of examples that look wrong because of
    what they alone claim. `gaps` are rules that no linear row can say, and `values` rules on latents "x = v".
    """

    rules: RuleSet
    groups: RuleSet
    groups_complete: bool = True
    notes: tuple[str, ...] = ()
    matroid: Matroid | None = None
    doubtful: RuleSet = field(kw_only=True)
    habits: RuleSet = field(kw_only=True)
    suspects: IntArray = field(default_factory=lambda: np.zeros(0, np.int64), kw_only=True)
    gaps: tuple[Gap, ...] = field(default=(), kw_only=True)
    values: ValueRules | None = field(default=None, kw_only=True)

    @classmethod
    def nothing(cls, variables: Variables) -> Mined:
        """The start: no rules."""
        none = RuleSet.empty(variables)
        return cls(none, none, doubtful=none, habits=none)

    def with_rules(self, rules: RuleSet) -> Mined:
        """A copy with these rules appended."""
        return replace(self, rules=self.rules + rules)

    def with_note(self, note: str | None) -> Mined:
        """A copy with this note appended; None adds nothing."""
        return self if note is None else replace(self, notes=(*self.notes, note))


@dataclass(frozen=True, eq=False)
class Context:
    """What a miner works on.

    Parameters
    ----------
    tally
        Every distinct label, counted as often as it counts as evidence.
    all_examples
        The tally in which every example counts.
    labels
        The distinct labels, followed by their latent variables.
    known
        The rules that hold by definition or were given.
    examples
        The labels, with the weights that they were optimal for if these are known.
    blocks
        For each one-hot column of a table, its variables; exactly one of them is 1.
    grid_cells
        True for variables of table columns that look like the cells of one grid; they may be in several groups.
    mined
        The result of the miners that ran before.
    effort
        The work and the seconds that are left for the miner; searches ask it between units of work.
    kernels
        The kernels that were computed before, from these labels or from some of them.
    """

    tally: Tally
    all_examples: Tally
    labels: IntArray
    known: RuleSet
    examples: Examples
    options: MiningOptions
    scorer: EvidenceScorer
    blocks: tuple[IntArray, ...] = ()
    grid_cells: BoolArray | None = None
    mined: Mined = field(kw_only=True)
    effort: Effort = field(default_factory=Effort, kw_only=True)
    kernels: KernelMemory = field(default_factory=KernelMemory, kw_only=True)

    @property
    def variables(self) -> Variables:
        """The variables of the rules: those of the labels, then the latent ones."""
        return self.known.variables

    @property
    def margin(self) -> float:
        """The evidence that a rule needs, in nats."""
        return self.options.margin

    @property
    def has_latents(self) -> bool:
        """True if lifts have added latent variables to the labels."""
        return bool(self.labels.shape[1] != self.tally.seen.shape[1])

    @cached_property
    def lifted_tally(self) -> Tally:
        """The tally of the labels with their latent variables; each distinct label counts once."""
        return replace(self.tally, gram=gram_of(self.labels), seen=self.labels) if self.has_latents else self.tally

    @cached_property
    def stated(self) -> RuleSet:
        """The known rules and those mined so far."""
        return self.known + self.mined.rules

    @cached_property
    def redundant(self) -> RuleSet:
        """The groups that follow from the stated rules; they make solving and reasoning faster.

        There are none if the search for groups was cut short, because then only independent groups are kept.
        """
        if not self.mined.groups_complete:
            return self.mined.groups[:0]
        stated = {row.tobytes() for row in self.stated.rows}
        return self.mined.groups[np.array([row.tobytes() not in stated for row in self.mined.groups.rows], bool)]

    def scored(self, rows: IntArray, *, equality: bool = True) -> RuleSet:
        """Rows `[a, −b]` over the labels, or over labels and latent variables, as mined rules with their evidence."""
        self.effort.spend(len(rows) * budgets.SHUFFLED_LABELS)
        missing = len(self.variables) + 1 - rows.shape[1]
        latents = np.zeros((len(rows), missing), np.int64)
        wide = np.concatenate([rows[:, :-1], latents, rows[:, -1:]], axis=1)
        return self.scorer.scored(RuleSet.of_rows(self.variables, wide, MINED, None, equality=equality))

    def believed(self, rows: IntArray) -> RuleSet:
        """The equalities among the rows that stand out against chance and do not follow from stated rules."""
        rules = self.scored(rows)
        strong = np.array([e is not None and e.nats >= self.margin for e in rules.evidence], bool)
        return self.not_implied(rules[strong])

    def not_implied(self, rules: RuleSet) -> RuleSet:
        """The equalities that do not follow from the stated rules and the equalities before them."""
        self.effort.spend(rules.rows.size)
        start = len(self.stated.rows)
        independent = linalg.independent(np.concatenate([self.stated.rows, rules.rows]))
        return rules[independent[independent >= start] - start]


class Miner(Protocol):
    """One way to find rules."""

    name: MinerName

    def supports(self, context: Context) -> bool:
        """True if this miner can find anything in the labels of the context."""

    def run(self, context: Context) -> Mined:
        """Return everything mined so far, with the rules that this miner adds."""
