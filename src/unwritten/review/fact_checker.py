"""Fact checker: which facts the rows of a table break, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten.data import BoolArray
from unwritten.facts import Fact
from unwritten.rules import Sentence
from unwritten.tables.typed_rows import TypedRows


class FactChecker:
    """Facts of a model, prepared for one pass over a table; `lacking` are columns that the table turned out to lack."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._facts = facts
        self._checkers = [fact.checker() for fact in facts]
        self._lacking: dict[str, None] = {}

    @property
    def lacking(self) -> tuple[str, ...]:
        """The columns of facts that were not checked, because the table does not have them."""
        return tuple(self._lacking)

    def broken(self, rows: TypedRows) -> BoolArray:
        """Return which row (first axis) breaks which fact (second axis)."""
        broken = np.zeros((rows.rows, len(self._facts)), bool)
        for k, (fact, check) in enumerate(zip(self._facts, self._checkers, strict=True)):
            absent = [name for name in fact.columns if name not in rows.names]
            self._lacking.update(dict.fromkeys(absent))
            if not absent:
                broken[:, k] = check(rows)
        return broken

    def said_by(self, sentences: Sequence[Sentence]) -> BoolArray:
        """Return which sentence (column) says which fact (row)."""
        says = np.zeros((len(self._facts), len(sentences)), bool)
        for k, sentence in enumerate(sentences):
            says[list(sentence.facts), k] = True
        return says
