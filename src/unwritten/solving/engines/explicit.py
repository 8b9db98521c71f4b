"""Explicit: list the labels under the rules once, if they are few, and answer queries by one matrix product."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data.label_entries import LabelTable
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.engine import QueryBatch
from unwritten.solving.enumerate import list_labels
from unwritten.solving.program import Program


class TooManyLabelsError(Exception):
    """The labels under the rules are too many to list."""


class Explicit:
    """The listed labels under rules and cuts; seen ones come first, so that they win ties."""

    def __init__(self, program: Program, backend: str, branches: int | None = None) -> None:
        branches = budgets.EXPLICIT_LABELS if branches is None else branches
        labels = list_labels(program, branches, cuts=False, seen_first=True)
        if labels is None:
            raise TooManyLabelsError(f"a list of all labels needs more than {branches} partial labels at a time")
        self._program = program
        self._under_rules = LabelTable(labels)
        passes = program.passes_cuts(labels)
        self._feasible = self._under_rules if passes.all() else LabelTable(labels[passes])

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Return the best listed label; the cuts mattered if some label under the rules alone is better."""
        answers = Answers.blank(len(queries), self._program.width)
        if not len(self._feasible.labels):
            answers.status[:] = Status.INFEASIBLE
            return answers
        best, values = self._feasible.best(queries.weights, queries.tolerance)
        answers.labels = self._feasible.labels[best]
        answers.bounds = values
        answers.status[:] = Status.OPTIMAL
        if self._feasible is self._under_rules:
            answers.used_cuts[:] = False
        else:
            exactly = np.zeros(len(queries))  # the largest value, not that of a label that counts as equal
            _, largest = self._under_rules.best(queries.weights, exactly)
            answers.used_cuts = largest > values + queries.tolerance
        return answers
