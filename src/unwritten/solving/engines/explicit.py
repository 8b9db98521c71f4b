"""Explicit: list the labels under the rules once, if they are few, and answer queries by one matrix product."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data.label_entries import LabelTable
from unwritten.errors import SolverError
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.engine import QueryBatch
from unwritten.solving.enumerate import OutOfTimeError, list_labels
from unwritten.solving.program import Program


class TooManyLabelsError(Exception):
    """The labels under the rules are too many to list."""


class Explicit:
    """The listed labels under rules and cuts; seen ones come first, so that they win ties."""

    def __init__(self, program: Program, backend: str, branches: int | None = None) -> None:
        self._program = program
        self._tables: tuple[LabelTable, LabelTable] | None = None  # of the labels under the rules, and under all rows
        if branches is not None:  # so few that this takes milliseconds
            self._tables = self._listed(branches, Limits())

    def _listed(self, branches: int, limits: Limits) -> tuple[LabelTable, LabelTable]:
        labels = list_labels(self._program, branches, cuts=False, seen_first=True, over=lambda: limits.over)
        if labels is None:
            raise TooManyLabelsError(f"a list of all labels needs more than {branches} partial labels at a time")
        under_rules = LabelTable(labels)
        passes = self._program.passes_cuts(labels)
        return under_rules, under_rules if passes.all() else LabelTable(labels[passes])

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Return the best listed label; the cuts mattered if some label under the rules alone is better."""
        if self._tables is None:
            try:
                self._tables = self._listed(budgets.EXPLICIT_LABELS, limits)
            except TooManyLabelsError as error:
                raise SolverError(f"engine 'explicit' is impossible, as {error}: use engine='auto'") from error
            except OutOfTimeError:
                return _late(queries)
        under_rules, feasible = self._tables
        answers = Answers.blank(len(queries), self._program.width)
        if not len(feasible.labels):
            answers.status[:] = Status.INFEASIBLE
            return answers
        best, values = feasible.best(queries.weights, queries.tolerance)
        answers.labels = feasible.labels[best]
        answers.bounds = values
        answers.status[:] = Status.OPTIMAL
        if feasible is under_rules:
            answers.used_cuts[:] = False
        else:
            exactly = np.zeros(len(queries))  # the largest value, not that of a label that counts as equal
            _, largest = under_rules.best(queries.weights, exactly)
            answers.used_cuts = largest > values + queries.tolerance
        return answers


def _late(queries: QueryBatch) -> Answers:
    """Return what is known if there was no time for the list."""
    answers = Answers.blank(*queries.weights.shape)
    answers.status[:], answers.out_of_time[:] = Status.TIME_LIMIT, True
    answers.notes[:] = "there was no time to list all labels"
    return answers
