"""Findings: which rows of a table break which rules, or hold a value that the model has never seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.review.verdicts import Verdicts
from unwritten.rules import Sentence
from unwritten.tables import MISSING, Column, Encoded, Progress, encoded_batches, open_table, silent
from unwritten.tables.cells import texts_of
from unwritten.tables.quoting import quoted, shown


@dataclass(frozen=True)
class Finding:
    """What is wrong with row `row` (the first is 1): broken sentences, unknown values, integers outside their range."""

    row: int
    broken: tuple[Sentence, ...] = ()
    unknown: tuple[tuple[str, str | None], ...] = ()
    outside: tuple[tuple[str, int], ...] = ()
    misfit: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """Each thing that is wrong, in words."""
        unseen = (f"{quoted(c)} = {MISSING if v is None else quoted(v)} was never seen" for c, v in self.unknown)
        outside = (f"{quoted(column)} = {value} is outside the range seen" for column, value in self.outside)
        misfit = ("it is no basis of the matroid that every example is a basis of",) if self.misfit else ()
        return (*(shown(sentence.text) for sentence in self.broken), *unseen, *outside, *misfit)

    def state(self) -> dict[str, Any]:
        """The finding as plain JSON."""
        return {
            "row": self.row,
            "broken": [{"id": sentence.id, "text": sentence.text} for sentence in self.broken],
            "unknown": [{"column": column, "value": value} for column, value in self.unknown],
            "outside": [{"column": column, "value": value} for column, value in self.outside],
            "misfit": self.misfit,
        }


@dataclass
class Findings:
    """The findings of a table, row by row, read in blocks; the counts grow as it is read.

    Parameters
    ----------
    table
        A path, a data frame or anything else that a table is read from.
    strict
        Whether an integer outside the range that the model has seen is a finding.
    """

    model: Model
    table: object
    strict: bool = False
    progress: Progress = field(default=silent, repr=False)
    rows: int = 0
    bad: int = 0
    outside: int = 0
    broken: Counter[str] = field(default_factory=Counter)  # rows that break a sentence, by its id
    unknown: Counter[str] = field(default_factory=Counter)  # rows with an unknown value, by column

    def __iter__(self) -> Iterator[Finding]:
        model, schema = self.model, self.model.schema
        if schema is None:
            raise DataError("the model was not mined from a table: check labels with model.check in Python")
        self.rows = self.bad = self.outside = 0
        self.broken, self.unknown = Counter(), Counter()
        sentences = model.sentences
        says = _says(sentences, len(model.rules))
        touches = np.array([[column.name in s.columns for s in sentences] for column in schema.used], bool)
        ranged = [k for k, column in enumerate(schema.used) if column.kind == "integer"]
        said = np.flatnonzero(says.any(axis=1))
        verdicts, says = Verdicts(model.rules[said], schema, model.lifts), says[said]
        for batch, block in encoded_batches(open_table(self.table), schema, self.progress, "checking"):
            unknown, n = block.unknown, len(block.unknown)
            broken = verdicts.broken(block)
            outside = _outside(block, schema.used, ranged)
            misfit = np.zeros(n, bool) if model.matroid is None else ~model.matroid.is_basis(block.labels)
            bad = broken.any(axis=1) | unknown.any(axis=1) | misfit
            self.outside += int(outside.any(axis=1).sum())
            if self.strict:
                bad |= outside.any(axis=1)
            for i in np.flatnonzero(bad).tolist():
                # where a value is unknown, sentences about its column have nothing to say
                breaks = says[broken[i]].any(axis=0) & ~touches[unknown[i]].any(axis=0)
                strange = [schema.used[int(k)].name for k in np.flatnonzero(unknown[i])]
                far = [ranged[int(k)] for k in np.flatnonzero(outside[i])] if self.strict else []
                finding = Finding(
                    self.rows + i + 1,
                    tuple(sentences[int(k)] for k in np.flatnonzero(breaks)),
                    tuple((name, _text(batch, name, i)) for name in strange),
                    tuple((schema.used[k].name, int(block.codes[k][i])) for k in far),
                    bool(misfit[i]),
                )
                self.bad += 1
                self.broken.update(sentence.id for sentence in finding.broken)
                self.unknown.update(strange)
                yield finding
            self.rows += n

    def summary(self) -> str:
        """The counts in words, once all has been read."""
        lines = [f"{self.bad:,} of {self.rows:,} rows break a rule or hold an unknown value"]
        texts = {sentence.id: sentence.text for sentence in self.model.sentences}
        lines += [f"  {_rows(times)}: {shown(texts[name])}" for name, times in self.broken.most_common(10)]
        lines += [f"  {_rows(times)}: a value of {quoted(c)} never seen" for c, times in self.unknown.most_common(10)]
        if self.outside and not self.strict:
            lines.append(f"  {self.outside:,} rows have an integer outside the range seen (--strict flags them)")
        return "\n".join(lines)

    def state(self) -> dict[str, Any]:
        """The counts as plain JSON."""
        return {
            "rows": self.rows,
            "bad": self.bad,
            "broken": dict(self.broken),
            "unknown": dict(self.unknown),
            "outside": self.outside,
        }


def _says(sentences: tuple[Sentence, ...], rules: int) -> BoolArray:
    """Which sentence (column) says which rule (row)."""
    says = np.zeros((rules, len(sentences)), bool)
    for k, sentence in enumerate(sentences):
        says[list(sentence.rules), k] = True
    return says


def _outside(block: Encoded, columns: tuple[Column, ...], ranged: list[int]) -> BoolArray:
    """Which integer columns of each row are outside the range seen."""
    out = np.zeros((len(block.unknown), len(ranged)), bool)
    for at, k in enumerate(ranged):
        out[:, at] = (block.codes[k] < columns[k].lower) | (block.codes[k] > columns[k].upper)
        out[:, at] &= ~block.unknown[:, k]
    return out


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _text(batch: Any, name: str, row: int) -> str | None:
    texts, index = texts_of(batch.column(name).slice(row, 1), name)
    return texts[int(index[0])]
