"""The result of a compiled search over labels, and the answers that it gives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.solving.decision import NO_LABEL, Answers, Status
from unwritten.solving.engines.engine import QueryBatch


class SearchResult(NamedTuple):
    """What a search returns for m queries, in the order of the kernels."""

    best: FloatArray  # (m,) best value, or the floor if no label beats that
    labels: IntArray  # (m, d) the labels of these values, if above the floor
    rejected: FloatArray  # (m,) best value that a cut rejected, or −∞
    ceiling: FloatArray  # (m,) no label has more
    visited: IntArray  # (m,) number of nodes or labels
    finished: BoolArray  # (m,) whether the search came to its end
    late: BoolArray  # (m,) whether time or a request to stop ended the search

    def answers(self, queries: QueryBatch, stopped: str) -> Answers:
        """Turn the result into answers; `stopped` is the note of an unfinished search, with the number it visited."""
        answers = Answers.blank(len(queries), 0)
        answers.labels = self.labels
        has_label = np.isfinite(self.best)
        as_before = np.flatnonzero(has_label & (self.best <= queries.floor))
        answers.labels[as_before] = queries.floor_labels[as_before]
        answers.labels[~has_label] = NO_LABEL
        answers.bounds = np.where(self.finished, self.best, np.maximum(self.ceiling, self.best))
        answers.used_cuts = self.rejected > self.best + queries.tolerance
        answers.out_of_time = self.late
        answers.status[self.late] = Status.TIME_LIMIT
        answers.status[self.finished] = Status.INFEASIBLE
        answers.status[has_label] = Status.FEASIBLE
        answers.status[has_label & self.finished] = Status.OPTIMAL
        for i in np.flatnonzero(~self.finished):
            answers.notes[i] = stopped.format(self.visited[i])
        return answers
