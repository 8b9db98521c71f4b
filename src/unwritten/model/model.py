"""Model: what was mined, frozen. It answers queries, checks labels and rows, and is saved, exported and compared."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from unwritten.data import IntArray, Sense, Variables
from unwritten.data.frames import FrameLike
from unwritten.data.html import html_table
from unwritten.errors import DataError
from unwritten.evidence.answer_forecast import AnswerForecast
from unwritten.evidence.beyond_range import enforced_columns, share_beyond
from unwritten.evidence.model_evidence import ModelEvidence
from unwritten.facts import Fact, with_facts
from unwritten.formats import read_archive, write_archive, write_text
from unwritten.mining import Cuts, Lift, Matroid, lifted_labels
from unwritten.model import edits
from unwritten.model.asking import Asking
from unwritten.model.inputs import is_table_like, labels_in, refuse_unnamed_rows, table_rows
from unwritten.model.label_check import BeyondRange, Check
from unwritten.model.state import pack, unpack
from unwritten.model.summary import summary_lines
from unwritten.progress import Progress, shown_progress
from unwritten.rules import DEFINITION, Gaps, RuleSet, Sentence, TableRules, sentences
from unwritten.rules.rule import often_text, sure_text
from unwritten.shown import shown
from unwritten.tables import Schema

if TYPE_CHECKING:
    from unwritten.exports import ExportTarget
    from unwritten.objects import NamedProgram
    from unwritten.review import Difference, Explanation, TableCheck, TableRepair

RULES_PRINTED, HABITS_PRINTED = 10, 5  # by print(model)


@dataclass(frozen=True, eq=False, repr=False)
class Model(Asking):
    """What was mined from `examples` labels.

    Parameters
    ----------
    variables
        The variables of the labels.
    rules
        The rules, over the `extended` variables: those of the labels, then the latent ones of the lifts.
    redundant
        Rules that follow from the others; they only make solving faster.
    cuts
        The half-spaces that the weights of the examples imply (eq. 2 and 4).
    seen, counts
        The distinct labels, and how often each was seen. If they are a fair sample, `total` is the number of examples.
    notes
        What was not mined, why, and what to do about it.
    matroid
        The matroid whose bases the labels are, if they are.
    suspects
        The places of the examples that break a rule (only mining with noise leaves any), or that contradict others.
        Those that break most rules with fewest exceptions come first.
    schema
        How labels encode the rows of a table, if they come from one.
    dropped
        The digests of rules of any kind that a person dropped.
    about
        Where the examples came from.
    doubtful
        Rules that all examples obey but that may well be accidents; each says what is missing. Nothing else uses them.
    habits
        What the examples always do but do not prove to be required: optimality can explain it. Nothing uses habits
        unless `with_habits` makes them rules.
    gaps
        Rules that no linear row can say: not equal, all different, |x − y| ≠ c, one before the other.
    facts
        Rules about whole columns of a table: orders, sums, keys, dependencies, ranges, missing values.
    sums
        The sum of each variable over all examples, if the distinct labels are a sample; rules count rows by them.
    forecast
        Whether the rules or the seen labels answer better, as tried on held-out examples; None if that was not tried.
    """

    variables: Variables
    rules: RuleSet
    redundant: RuleSet
    cuts: Cuts
    seen: IntArray
    counts: IntArray
    sense: Sense = "max"
    lifts: tuple[Lift, ...] = ()
    notes: tuple[str, ...] = ()
    matroid: Matroid | None = None
    suspects: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    schema: Schema | None = None
    dropped: tuple[str, ...] = ()
    about: dict[str, Any] = field(default_factory=dict)
    total: int | None = None
    doubtful: RuleSet = field(default=None)  # type: ignore[assignment]  # no doubtful rules
    habits: RuleSet = field(default=None)  # type: ignore[assignment]  # no habits
    forecast: AnswerForecast | None = None
    gaps: Gaps = field(default=None)  # type: ignore[assignment]  # no gaps
    facts: tuple[Fact, ...] = ()
    sums: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.gaps is None:
            object.__setattr__(self, "gaps", Gaps(self.variables))
        for name in ("doubtful", "habits"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, RuleSet.empty(self.extended))
        for name in ("rules", "doubtful", "habits"):
            rules = getattr(self, name)
            if self.schema is not None and not isinstance(rules, TableRules):
                object.__setattr__(self, name, TableRules.over_table(rules, self.schema))

    @classmethod
    def of_rows(cls, rows: int, schema: Schema, about: dict[str, Any], notes: tuple[str, ...]) -> Model:
        """A model of a table whose columns have no variables."""
        none = RuleSet.empty(schema.variables)
        seen, counts = np.zeros((1, 0), np.int64), np.array([rows], np.int64)
        return cls(schema.variables, none, none, Cuts.none(0), seen, counts, schema=schema, about=about, notes=notes)

    @property
    def examples(self) -> int:
        """The number of labels mined."""
        return int(self.counts.sum()) if self.total is None else self.total

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The rules in words, the most useful first; several rules share a sentence if it says exactly the same."""
        said = self._in_words(self.rules, self.gaps)
        return said if self.schema is None else with_facts(said, self.rules, self.facts, self.schema)

    @cached_property
    def rule_sentences(self) -> tuple[Sentence, ...]:
        """Like `sentences`, but without patterns: over plain variables, one sentence for every rule."""
        if self.schema is not None or len(self.rules.said) == len(self.rules):
            return self.sentences
        return self._in_words(self.rules, self.gaps, patterns=False)

    @cached_property
    def habit_sentences(self) -> tuple[Sentence, ...]:
        """The habits in words, like `sentences`."""
        return self._in_words(self.habits)

    def _in_words(self, rules: RuleSet, gaps: Gaps | None = None, *, patterns: bool = True) -> tuple[Sentence, ...]:
        sums = self.sums if len(self.sums) == len(self.variables) else None
        total = None if sums is None else self.total
        return sentences(rules, self.schema, self.seen, self.counts, gaps, patterns=patterns, sums=sums, total=total)

    @cached_property
    def doubtful_sentences(self) -> tuple[Sentence, ...]:
        """The doubtful rules in words, each with what is missing."""
        return sentences(self.doubtful, self.schema, self.seen, self.counts)

    @cached_property
    def evidence(self) -> ModelEvidence:
        """How far to trust the model: what its examples say about the next label."""
        return ModelEvidence(self.rules, lifted_labels(self.lifts, self.seen), self.counts)

    @overload
    def check(
        self, labels: NDArray[Any], *, strict: bool = False, progress: bool | Progress | None = None
    ) -> Check: ...

    @overload
    def check(
        self, labels: object, *, strict: bool = False, progress: bool | Progress | None = None
    ) -> Check | TableCheck: ...

    def check(
        self, labels: object, *, strict: bool = False, progress: bool | Progress | None = None
    ) -> Check | TableCheck:
        """Check labels, or the rows of a table: which are feasible, and which rules the others break.

        A model that was mined from a table checks a path, a data frame, a `Table` or a list of records, and returns a
        `TableCheck`. Arrays are checked as labels, and a `Check` is returned. An integer outside the range that was
        seen in its column is only reported, unless bounds were declared; with `strict` it is wrong.
        """
        if self.schema is not None and is_table_like(labels):
            from unwritten.review import check_table

            with shown_progress(progress) as report:
                return check_table(self, table_rows(labels), strict, report)
        if self.schema is not None:
            refuse_unnamed_rows(labels, self.schema.places)
        return self.check_labels(labels, strict=strict)

    def check_labels(self, labels: object, *, strict: bool = False) -> Check:
        """Check labels as integers, one column per variable."""
        checked, variables = labels_in(labels, self.variables), self.variables
        enforced = enforced_columns(variables, self.examples)
        inside = ((checked >= variables.lower) & (checked <= variables.upper)) | ~enforced
        expected = 0.0 if enforced.all() else share_beyond(self.seen, self.counts, ~enforced)
        beyond = BeyondRange.of(checked, variables, ~enforced, expected)
        within = np.asarray(inside.all(axis=1))
        if strict:
            within[beyond.rows] = False
        fits = np.ones(len(checked), bool) if self.matroid is None else self.matroid.is_basis(checked)
        violations = self.rules.broken(lifted_labels(self.lifts, checked))
        latent = self.rules.matrix[:, len(variables) :].any(axis=1)  # no label breaks the definition of a latent
        violations[:, latent & np.array([origin == DEFINITION for origin in self.rules.origins], bool)] = False
        return Check(
            self.rules, violations, within, fits, FrameLike.of(labels), beyond, self.gaps, self.gaps.broken(checked)
        )

    def explain(
        self, row: object, *, nearest: int = 3, time_limit: float | None = 10.0, strict: bool = False
    ) -> Explanation:
        """Why a row breaks the rules, the fewest cells to change, and the examples most like it.

        Parameters
        ----------
        row
            A mapping, a Series or a one-row frame of values by column; for a model of labels also a list or an array.
        nearest
            How many of the examples most like the row to show.
        time_limit
            Seconds for the search if more than one cell must change.
        strict
            True if an integer outside the range that was seen must change.
        """
        from unwritten.review import explain

        return explain(self, row, nearest=nearest, time_limit=time_limit, strict=strict)

    def repair(self, table: object, *, strict: bool = False, progress: bool | Progress | None = None) -> TableRepair:
        """The table with its wrong rows repaired, each by the fewest changed cells; what cannot be repaired is left.

        `check` accepts every row that was changed. The repaired table is the same kind of frame as the one given.
        """
        from unwritten.review import repair_table

        with shown_progress(progress) as report:
            return repair_table(self, table_rows(table), strict, report)

    def diff(self, other: Model | str | os.PathLike[str], rows: object = None) -> Difference:
        """What a newer model says that this one does not, and the other way round.

        `other` is a model, or the path of a `.rules` file. Mine a table first:
        `model.diff(unwritten.mine(table), rows=table)`; with `rows`, rules about whole columns are tested on them.
        """
        from unwritten.review import diff

        return diff(self, _model_of(other), rows)

    def export(
        self, target: ExportTarget, weights: object = None, *, path: str | os.PathLike[str] | None = None
    ) -> str:
        """The model as the text of a file for another tool, which is also written to `path` if one is given.

        The files for dbt are written into the folder `path`; the text holds all of them.

        Parameters
        ----------
        target
            "lp", "mps", "opb", "cpmpy", "ortools", "minizinc", "sql", "pandera", "dbt" or "gx".
        weights
            An objective for the mathematical targets, one number per variable; none by default.
        """
        from unwritten.exports import export, write_export

        return export(self, target, weights) if path is None else write_export(self, target, path, weights)

    def to_cpmpy(self, weights: object = None) -> NamedProgram:
        """The rules as a `cpmpy.Model`, and its variables by name; with `weights`, also the objective.

        >>> import unwritten
        >>> model = unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40, names=["red", "green", "blue"])
        >>> program, variables = model.to_cpmpy(weights=[2, 3, 1])
        >>> program.solve(), int(variables["green"].value())
        (True, 1)
        """
        from unwritten.objects import cpmpy_model

        return cpmpy_model(self, weights)

    def to_ortools(self, weights: object = None) -> NamedProgram:
        """The rules as a `CpModel` of OR-Tools, and its variables by name; with `weights`, also the objective.

        >>> import unwritten
        >>> model = unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40, names=["red", "green", "blue"])
        >>> program, variables = model.to_ortools()
        >>> variables["green"].name
        'green'
        """
        from unwritten.objects import ortools_model

        return ortools_model(self, weights)

    def to_highs(self, weights: object = None) -> NamedProgram:
        """The rules, cuts and gaps as a loaded `highspy.Highs`, and its variables by name.

        >>> import unwritten
        >>> model = unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40, names=["red", "green", "blue"])
        >>> highs, variables = model.to_highs(weights=[2, 3, 1])
        >>> _ = highs.run()
        >>> highs.val(variables["green"])
        1.0
        """
        from unwritten.objects import highs_model

        return highs_model(self, weights)

    def to_pandera(self) -> Any:
        """The rules of a table as a pandera schema for pandas data frames.

        >>> import unwritten
        >>> orders = unwritten.samples.sample_rows("orders", rows=200)
        >>> schema = unwritten.mine(orders).to_pandera()
        >>> schema.columns["country"].nullable
        False
        """
        from unwritten.objects import pandera_schema

        return pandera_schema(self)

    def report(self, path: str | os.PathLike[str] | None = None, *, examples: object = None) -> str:
        """The model as one HTML page, which is also written to `path` if one is given.

        `examples` are the table or the labels that the model was mined from: with them, the page shows suspect rows.
        """
        from unwritten.report import report

        page = report(self, examples)
        if path is not None:
            write_text(path, page)
        return page

    def with_rules(self, rows: RuleSet | Iterable[Any]) -> Model:
        """The same model with rules that a person knows, whether or not the examples obey them.

        Rules are sentences, such as those of `sentences`, or (coefficients, sense, right-hand side) triples.
        """
        return edits.with_rules(self, rows)

    def without(self, ids: Iterable[str]) -> Model:
        """The same model without the sentences that have these ids; it remembers what was dropped."""
        return edits.without(self, ids)

    def pinned(self, ids: Iterable[str]) -> Model:
        """The same model in which a person has confirmed the sentences with these ids; habits become rules."""
        return edits.pinned(self, ids)

    def with_habits(self) -> Model:
        """The same model in which its habits are rules: answers and checks then hold to what the examples always do."""
        return edits.with_habits(self)

    def with_edits_from(self, old: Model | str | os.PathLike[str]) -> Model:
        """The same model with the edits of an older one: the rules that people gave, confirmed or dropped there.

        `old` is a model, or the path of a `.rules` file.
        """
        return edits.with_edits_from(self, _model_of(old))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a `.rules` file: whole or not at all."""
        write_archive(path, *pack(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str], lifts: Iterable[Any] = ()) -> Model:
        """Read a `.rules` file; `lifts` are the classes of any lifts of your own that the model was mined with."""
        return cls(**unpack(*read_archive(path), lifts))

    def summary(self) -> str:
        """The examples and the rules mined from them, counted in a few lines."""
        return "\n".join(map(shown, summary_lines(self)))

    def __str__(self) -> str:
        """The summary, then the first rules in words."""
        in_words = self.sentences
        lines = [f"  {shown(sentence.text)}" for sentence in in_words[:RULES_PRINTED]]
        if len(in_words) > RULES_PRINTED:
            where = "print(model.rules) and print(model.gaps) show" if len(self.gaps) else "print(model.rules) shows"
            where = "model.sentences has" if self.facts else where
            lines.append(f"  … and {len(in_words) - RULES_PRINTED:,} more: {where} them all")
        habits = self.habit_sentences
        if habits:
            lines.append("habits, which nothing proves to be required:")
            lines += [f"  {shown(sentence.text)}" for sentence in habits[:HABITS_PRINTED]]
        if len(habits) > HABITS_PRINTED:
            lines.append(f"  … and {len(habits) - HABITS_PRINTED:,} more: print(model.habits) shows them all")
        return "\n".join([self.summary(), *lines])

    def __repr__(self) -> str:
        return f"Model({shown('; '.join(summary_lines(self, short=True)))})"

    def _repr_html_(self) -> str:
        first = self.sentences[:RULES_PRINTED]
        caption = "; ".join(summary_lines(self, short=True))
        if len(self.sentences) > len(first):
            caption += f". The first {len(first)} of {len(self.sentences):,} rules (model.rules shows more):"
        what = "examples" if self.schema is None else "rows"
        heads = ["rule", "kind", f"{what} it applies to", f"new {what} that break it", "sure it is not an accident"]
        rows = [
            (
                s.text,
                s.kind,
                f"{s.support:,} of {self.examples:,}",
                s.evidence and often_text(s.evidence.bound()),
                s.evidence and sure_text(s.evidence.confidence),
            )
            for s in first
        ]
        return html_table(heads, rows, caption)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Model)
            and self.variables == other.variables
            and self.rules == other.rules
            and self.redundant == other.redundant
            and self.doubtful == other.doubtful
            and self.habits == other.habits
            and (self.gaps, self.facts, self.sums) == (other.gaps, other.facts, other.sums)
            and self.notes == other.notes
            and self.matroid == other.matroid
            and np.array_equal(self.suspects, other.suspects)
            and self.cuts == other.cuts
            and np.array_equal(self.seen, other.seen)
            and np.array_equal(self.counts, other.counts)
            and self.sense == other.sense
            and (self.schema, self.dropped, self.about, self.total, self.forecast)
            == (other.schema, other.dropped, other.about, other.total, other.forecast)
            and [(lift.name, lift.state()) for lift in self.lifts]
            == [(lift.name, lift.state()) for lift in other.lifts]
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        """The fields only: open solvers are not copied or sent to another process."""
        return {name: vars(self)[name] for name in self.__dataclass_fields__}


def load(path: str | os.PathLike[str], lifts: Iterable[Any] = ()) -> Model:
    """Read a model from a `.rules` file; `lifts` are the classes of lifts of your own that it was mined with."""
    return Model.load(path, lifts)


def _model_of(other: object) -> Model:
    """A model, or the model in a `.rules` file."""
    if isinstance(other, Model):
        return other
    if isinstance(other, str | os.PathLike) and Path(other).suffix == ".rules":
        return load(other)
    raise DataError(
        f"another model is needed here, not a {type(other).__name__}: mine the other data first, as in "
        "model.diff(unwritten.mine(data)), or give the path of a .rules file"
    )
