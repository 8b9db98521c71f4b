"""Findings: which rows of a table break which rules, or hold a value that the model has never seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.counted import counted
from unwritten.errors import DataError
from unwritten.progress import Progress, silent
from unwritten.review.row_checker import RowChecker
from unwritten.review.wording import NOT_A_BASIS, outside_text, unknown_text
from unwritten.rules import Sentence
from unwritten.tables import encoded_batches, open_table
from unwritten.tables.cell_texts import texts_of
from unwritten.tables.column import Level
from unwritten.tables.quoting import quoted, shown
from unwritten.tables.typed_rows import TypedRows

if TYPE_CHECKING:
    from unwritten.model import Model

MOST_SUMMARISED = 10  # sentences, and columns, in a summary


@dataclass(frozen=True, repr=False)
class Finding:
    """What is wrong with one row of a table; the first row is row 1.

    `broken` are the sentences that the row breaks, `unknown` the (column, value) pairs that the model has never seen,
    `outside` the integers outside the range seen. `misfit` is True if the row is not a basis of the model's matroid.
    """

    row: int
    broken: tuple[Sentence, ...] = ()
    unknown: tuple[tuple[str, Level], ...] = ()
    outside: tuple[tuple[str, int], ...] = ()
    misfit: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """One sentence for each problem."""
        return tuple(text for _, text in self.problems)

    @property
    def problems(self) -> tuple[tuple[str | None, str], ...]:
        """The id of the broken sentence (None for other problems) and the text of each problem."""
        return (
            *((sentence.id, shown(sentence.text)) for sentence in self.broken),
            *((None, unknown_text(column, value)) for column, value in self.unknown),
            *((None, outside_text(column, value)) for column, value in self.outside),
            *([(None, NOT_A_BASIS)] if self.misfit else []),
        )

    def __repr__(self) -> str:
        return f"Finding(row {self.row:,}: {'; '.join(self.texts)})"

    def state(self) -> dict[str, Any]:
        """Return the finding as plain JSON."""
        return {
            "row": self.row,
            "broken": [{"id": sentence.id, "text": sentence.text} for sentence in self.broken],
            "unknown": [{"column": column, "value": value} for column, value in self.unknown],
            "outside": [{"column": column, "value": value} for column, value in self.outside],
            "misfit": self.misfit,
        }


@dataclass(repr=False)
class Findings:
    """The findings of a table, read in blocks; iterate over them once to fill the counts.

    `rows` counts the rows read, `bad` those with a finding, and `outside` those with an integer outside the range seen.
    `broken` counts rows by the id of the sentence they break, `unknown` by the column of an unknown value. `new` counts
    unknown values that are no findings, because new values were to be expected in their column. `lacking` are columns
    that the table does not have and that only facts are about: these facts were not checked. `extra_columns` are the
    columns of the table that the model does not know, and that are not checked.

    Parameters
    ----------
    model
        A model that was mined from a table.
    table
        A path, a data frame or anything else that a table is read from.
    strict
        True if an integer outside the range that the model has seen is a finding.
    """

    model: Model
    table: object
    strict: bool = False
    progress: Progress = silent
    rows: int = 0
    bad: int = 0
    outside: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    extra_columns: tuple[str, ...] = ()
    new: Counter[str] = field(default_factory=Counter)
    lacking: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Finding]:
        model, schema = self.model, self.model.schema
        if schema is None:
            raise DataError("the model was mined from labels and not from a table: use model.check(labels)")
        self.rows = self.bad = self.outside = 0
        self.broken, self.unknown, self.new = Counter(), Counter(), Counter()
        sentences = model.sentences
        checker = RowChecker(model, schema, sentences)
        reader = open_table(self.table)
        known = {column.name for column in schema.columns}
        self.extra_columns = tuple(name for name in reader.names if name not in known)
        for batch, block in encoded_batches(reader, schema, self.progress, "checking"):
            verdict = checker.check(block, TypedRows.of_batch(schema, batch))
            self.outside += int(verdict.outside.any(axis=1).sum())
            new = verdict.new.sum(axis=0).tolist()
            self.new.update({column.name: count for column, count in zip(schema.used, new, strict=True) if count})
            for i in np.flatnonzero(verdict.bad(strict=self.strict)).tolist():
                unknown = [schema.used[k].name for k in np.flatnonzero(verdict.unknown[i]).tolist()]
                beyond = np.flatnonzero(verdict.outside[i]).tolist() if self.strict else []
                finding = Finding(
                    self.rows + i + 1,
                    tuple(sentences[k] for k in np.flatnonzero(verdict.broken[i]).tolist()),
                    tuple((name, _cell(batch, name, i)) for name in unknown),
                    tuple((schema.used[k].name, int(block.codes[k][i])) for k in beyond),
                    bool(verdict.misfit[i]),
                )
                self.bad += 1
                self.broken.update(sentence.id for sentence in finding.broken)
                self.unknown.update(unknown)
                yield finding
            self.rows += len(block.unknown)
        self.lacking = checker.lacking

    def summary(self) -> str:
        """Return the counts in words, once all rows have been read."""
        lines = [f"{self.bad:,} of {self.rows:,} rows break a rule or hold an unknown value"]
        texts = {sentence.id: sentence.text for sentence in self.model.sentences}
        for name, times in self.broken.most_common(MOST_SUMMARISED):
            lines.append(f"  {counted(times, 'row')}: {texts[name]}")
        for column, times in self.unknown.most_common(MOST_SUMMARISED):
            lines.append(f"  {counted(times, 'row')}: a value of {quoted(column)} never seen")
        for column, times in self.new.most_common(MOST_SUMMARISED):
            have = "has" if times == 1 else "have"
            lines.append(f"  {counted(times, 'row')} {have} a new value of {quoted(column)}, as was to be expected")
        if self.lacking:
            names = ", ".join(map(quoted, self.lacking))
            lines.append(f"  rules about {names} were not checked: the table has no such column")
        if self.outside and not self.strict:
            have = "has" if self.outside == 1 else "have"
            rows = f"{counted(self.outside, 'row')} {have} an integer outside the range seen"
            lines.append(f"  {rows} (strict=True or --strict counts them as wrong)")
        if self.extra_columns:
            names = ", ".join(map(quoted, self.extra_columns[:MOST_SUMMARISED]))
            more = ", …" if len(self.extra_columns) > MOST_SUMMARISED else ""
            are = "column is" if len(self.extra_columns) == 1 else "columns are"
            lines.append(f"  {len(self.extra_columns):,} {are} unknown to the model and not checked: {names}{more}")
        return "\n".join(map(shown, lines))

    def __repr__(self) -> str:
        return f"Findings({self.bad:,} of {self.rows:,} rows read are wrong)"

    def state(self) -> dict[str, Any]:
        """Return the counts as plain JSON."""
        return {
            "rows": self.rows,
            "bad": self.bad,
            "broken": dict(self.broken),
            "unknown": dict(self.unknown),
            "new": dict(self.new),
            "lacking": list(self.lacking),
            "outside": self.outside,
            "extra_columns": list(self.extra_columns),
        }


def _cell(batch: Any, name: str, row: int) -> Level:
    """Return the text of one cell of an Arrow batch."""
    texts, index = texts_of(batch.column(name).slice(row, 1), name)
    return texts[int(index[0])]
