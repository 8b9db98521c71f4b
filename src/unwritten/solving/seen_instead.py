"""Seen instead: the best seen label replaces answers by rules where the forecast says that it is more often right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unwritten.evidence.answer_forecast import AnswerForecast
from unwritten.solving.decision import Decisions, Status, joined_notes


def seen_instead(decisions: Decisions, inner: Decisions, forecast: AnswerForecast) -> Decisions:
    """Return the decisions with the best seen label (`inner`) wherever the rules found a label worth more than it.

    Such a label was never seen, and the forecast says that it is probably not allowed. The bounds of the rules stay.
    Where the rules find no better label, both agree, and the answer keeps its proof.
    """
    answered = np.isfinite(inner.values)
    rows = np.flatnonzero(answered & (decisions.values != inner.values) & ~decisions.proven)
    if not rows.size:
        return decisions
    labels, values = decisions.labels.copy(), decisions.values.copy()
    status, engines, notes = decisions.status.copy(), decisions.engine.copy(), list(decisions.notes)
    for i in rows.tolist():
        better = f"; the rules find {values[i]:g} instead of {inner.values[i]:g}" if np.isfinite(values[i]) else ""
        notes[i] = joined_notes(notes[i], f"the best seen label, because {forecast}{better}")
        status[i] = Status.FEASIBLE
    labels[rows], values[rows], engines[rows] = inner.labels[rows], inner.values[rows], "inner"
    return replace(decisions, labels=labels, values=values, status=status, engine=engines, notes=tuple(notes))
