"""Explicit set: where the labels under the rules are few, list them once and answer by one matrix product."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import among
from unwritten.data.halfspaces import within
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.base import Queries, best_of
from unwritten.solving.enumerate import labels_under_rules
from unwritten.solving.program import Program


class TooManyLabelsError(Exception):
    """The labels under the rules are too many to list."""


class Explicit:
    """The labels under rules and cuts, seen ones first so that they win ties."""

    def __init__(self, program: Program, backend: str, limit: int = budgets.EXPLICIT_LABELS) -> None:
        labels = labels_under_rules(program, limit)
        if labels is None:
            raise TooManyLabelsError(f"more than {limit} labels obey the rules")
        seen = among(labels, program.seen)
        labels = np.concatenate([labels[seen], labels[~seen]])
        self._program = program
        self._under_rules = np.ascontiguousarray(labels.T, np.float64)
        kept = within(labels, program.cut_weights, program.cut_limits)
        self._labels = labels[kept]
        self._points = self._under_rules if kept.all() else np.ascontiguousarray(self._under_rules[:, kept])

    def answer(self, queries: Queries, limits: Limits) -> Answers:
        """The best listed label; the cuts mattered where some label under the rules alone is better."""
        answers = Answers.blank(len(queries), self._program.width)
        if not len(self._labels):
            answers.status[:] = Status.INFEASIBLE
            return answers
        best, values = best_of(self._points, queries.weights, queries.tolerance)
        answers.labels = self._labels[best]
        answers.bounds = values
        answers.status[:] = Status.OPTIMAL
        if self._points is self._under_rules:
            answers.used_cuts[:] = False
        else:
            _, freely = best_of(self._under_rules, queries.weights, queries.tolerance)
            answers.used_cuts = freely > values + queries.tolerance
        return answers
