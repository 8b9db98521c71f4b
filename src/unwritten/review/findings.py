"""Findings: which rows of a table break which rules, or hold a value that the model has never seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten import budgets
from unwritten.counted import counted
from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.progress import Progress, silent
from unwritten.review.fact_checker import FactChecker
from unwritten.review.rule_checker import RuleChecker
from unwritten.review.wording import NOT_A_BASIS, outside_text, unknown_text
from unwritten.rules import Sentence
from unwritten.tables import Column, Companions, Encoded, Schema, encoded_batches, open_table
from unwritten.tables.cells import texts_of
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
    `outside` the integers outside the range seen. `alone` are rare values, with what is wrong: they came without the
    values that they were always seen with. `misfit` is True if the row is not a basis of the model's matroid.
    """

    row: int
    broken: tuple[Sentence, ...] = ()
    unknown: tuple[tuple[str, Level], ...] = ()
    outside: tuple[tuple[str, int], ...] = ()
    misfit: bool = False
    alone: tuple[tuple[str, str], ...] = ()

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
            *((None, shown(text)) for _, text in self.alone),
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
            "alone": [{"column": column, "text": text} for column, text in self.alone],
        }


@dataclass(repr=False)
class Findings:
    """The findings of a table, read in blocks; iterate over them once to fill the counts.

    `rows` counts the rows read, `bad` those with a finding, and `outside` those with an integer outside the range seen.
    `broken` counts rows by the id of the sentence they break, `unknown` by the column of an unknown value, `alone` by
    what is wrong with a rare value. `new` counts unknown values that are no findings, because new values were to be
    expected in their column. `lacking` are columns that the table does not have and that only facts are about: these
    facts were not checked.
    `extra_columns` are the columns of the table that the model does not know, and that are not checked.

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
    alone: Counter[str] = field(default_factory=Counter)

    def __iter__(self) -> Iterator[Finding]:
        model, schema = self.model, self.model.schema
        if schema is None:
            raise DataError("the model was mined from labels and not from a table: use model.check(labels)")
        self.rows = self.bad = self.outside = 0
        self.broken, self.unknown, self.new, self.alone = Counter(), Counter(), Counter(), Counter()
        sentences = model.sentences
        says = _says(sentences, len(model.rules))
        mentions = np.array([[column.name in s.columns for s in sentences] for column in schema.used], bool)
        integer_columns = [k for k, column in enumerate(schema.used) if column.kind == "integer"]
        stated = np.flatnonzero(says.any(axis=1))  # the rules that some sentence states
        checker = RuleChecker(model.rules[stated], schema, model.lifts, model.gaps)
        says = np.concatenate([says[stated], _says_gap(sentences, len(model.gaps))])
        facts = FactChecker(model.facts)
        says_fact = facts.said_by(sentences)
        reader = open_table(self.table)
        known = {column.name for column in schema.columns}
        self.extra_columns = tuple(name for name in reader.names if name not in known)
        for batch, block in encoded_batches(reader, schema, self.progress, "checking"):
            unknown, n = block.unknown, len(block.unknown)
            broken = checker.broken(block)
            alarming = self._alarming(batch, block)
            outside = _outside(block, schema.used, integer_columns)
            misfit = np.zeros(n, bool) if model.matroid is None else ~model.matroid.is_basis(block.labels)
            wrong_facts = facts.broken(TypedRows.of_batch(schema, batch))
            alone = [each.alone(block) for each in model.companions]
            lonely = np.logical_or.reduce([np.zeros(n, bool), *(mask.any(axis=1) for mask in alone)])
            bad = lonely | broken.any(axis=1) | alarming.any(axis=1) | misfit | wrong_facts.any(axis=1)
            self.outside += int(outside.any(axis=1).sum())
            new = (unknown & ~alarming).sum(axis=0).tolist()
            self.new.update({column.name: count for column, count in zip(schema.used, new, strict=True) if count})
            if self.strict:
                bad |= outside.any(axis=1)
            for i in np.flatnonzero(bad).tolist():
                # sentences about a column with an unknown value say nothing about that value
                breaks = says[broken[i]].any(axis=0) & ~mentions[unknown[i]].any(axis=0)
                breaks |= says_fact[wrong_facts[i]].any(axis=0)
                unknown_columns = [schema.used[int(k)].name for k in np.flatnonzero(alarming[i])]
                beyond = [integer_columns[int(k)] for k in np.flatnonzero(outside[i])] if self.strict else []
                finding = Finding(
                    self.rows + i + 1,
                    tuple(sentences[int(k)] for k in np.flatnonzero(breaks)),
                    tuple((name, _cell(batch, name, i)) for name in unknown_columns),
                    tuple((schema.used[k].name, int(block.codes[k][i])) for k in beyond),
                    bool(misfit[i]),
                    tuple(_alone(model.companions, alone, schema, i)) if lonely[i] else (),
                )
                if not finding.problems:
                    continue
                self.bad += 1
                self.broken.update(sentence.id for sentence in finding.broken)
                self.unknown.update(unknown_columns)
                self.alone.update(text for _, text in finding.alone)
                yield finding
            self.rows += n
        self.lacking = facts.lacking

    def summary(self) -> str:
        """Return the counts in words, once all rows have been read."""
        lines = [f"{self.bad:,} of {self.rows:,} rows break a rule or hold an unknown value"]
        texts = {sentence.id: sentence.text for sentence in self.model.sentences}
        for name, times in self.broken.most_common(MOST_SUMMARISED):
            lines.append(f"  {counted(times, 'row')}: {texts[name]}")
        for column, times in self.unknown.most_common(MOST_SUMMARISED):
            lines.append(f"  {counted(times, 'row')}: a value of {quoted(column)} never seen")
        for text, times in self.alone.most_common(MOST_SUMMARISED):
            lines.append(f"  {counted(times, 'row')}: {text}")
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
            "alone": dict(self.alone),
            "lacking": list(self.lacking),
            "outside": self.outside,
            "extra_columns": list(self.extra_columns),
        }

    def _alarming(self, batch: Any, block: Encoded) -> BoolArray:
        """Return which unknown values are findings: not those of a column in which new values are to be expected.

        A missing value is a finding wherever 1,000 rows had none.
        """
        alarming = block.unknown.copy()
        for k, column in enumerate(block.schema.used):
            if column.closed or not alarming[:, k].any():
                continue
            nulls = np.zeros(len(alarming), bool)
            if self.model.examples >= budgets.NEW_VALUE_ROWS:
                texts, index = texts_of(batch.column(column.name), column.name)
                nulls = np.array([text is None for text in texts], bool)[index]
            alarming[:, k] &= nulls
        return alarming


def _alone(
    companions: tuple[Companions, ...], masks: list[BoolArray], schema: Schema, row: int
) -> Iterator[tuple[str, str]]:
    """Yield the rare values of a row that came without their companions, each with what is wrong."""
    for each, mask in zip(companions, masks, strict=True):
        for k in np.flatnonzero(mask[row]).tolist():
            yield schema.used[k].name, each.text(schema.used[k].name)


def _says(sentences: tuple[Sentence, ...], rules: int) -> BoolArray:
    """Return which sentence (column) says which rule (row)."""
    says = np.zeros((rules, len(sentences)), bool)
    for k, sentence in enumerate(sentences):
        says[list(sentence.rules), k] = True
    return says


def _says_gap(sentences: tuple[Sentence, ...], gaps: int) -> BoolArray:
    """Return which sentence (column) says which gap (row)."""
    says = np.zeros((gaps, len(sentences)), bool)
    for k, sentence in enumerate(sentences):
        says[list(sentence.gaps), k] = True
    return says


def _outside(block: Encoded, columns: tuple[Column, ...], integer_columns: list[int]) -> BoolArray:
    """Return which integer columns of each row hold a value outside the range seen."""
    outside = np.zeros((len(block.unknown), len(integer_columns)), bool)
    for at, k in enumerate(integer_columns):
        outside[:, at] = (block.codes[k] < columns[k].lower) | (block.codes[k] > columns[k].upper)
        outside[:, at] &= ~block.unknown[:, k]
    return outside


def _cell(batch: Any, name: str, row: int) -> Level:
    """Return the text of one cell of an Arrow batch."""
    texts, index = texts_of(batch.column(name).slice(row, 1), name)
    return texts[int(index[0])]
