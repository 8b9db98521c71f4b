"""The laws of mining, tested on one record: what is stated, the rows it was mined from obey; and it can be exported.

A rule is tested by `model.check`, and once more by plain sums, which share no code with mining or checking.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

import unwritten
from laws.records import Record
from unwritten import Model, Table, budgets
from unwritten.data import BoolArray, IntArray
from unwritten.errors import UnwrittenError
from unwritten.exports import TARGETS, ExportTarget
from unwritten.mining import lifted_labels
from unwritten.mining.facts.fact_miner import broken_counts
from unwritten.rules import DEFINITION, RuleSet

ROW_TARGETS = ("sql", "pandera", "dbt", "gx")
ESTIMATED = 0.1  # largest share of rows that noise="auto" lets break one rule


def broken_laws(record: Record, counts: Counter[str]) -> list[str]:
    """Mine the record and say which laws the model breaks; `counts` gets what was stated, by kind."""
    counts["records"] += 1
    with smaller_budgets(record.budgets), warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            model = unwritten.mine(record.data, record.weights, **record.options)
        except UnwrittenError as error:
            counts[f"refused ({error})"] += 1
            return []
        count_what_is_stated(model, counts)
        return [*found_by_check(model, record), *found_by_sums(model, record), *refused_exports(model)]


@contextmanager
def smaller_budgets(smaller: dict[str, int]) -> Iterator[None]:
    """Set some budgets for a while."""
    before = {name: getattr(budgets, name) for name in smaller}
    for name, value in smaller.items():
        setattr(budgets, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(budgets, name, value)


def count_what_is_stated(model: Model, counts: Counter[str]) -> None:
    """Count the sentences of each kind, and what is no sentence."""
    counts.update(f"kind {sentence.kind}" for sentence in model.sentences)
    counts.update(f"fact {fact.kind}" for fact in model.facts)
    counts["matroids"] += model.matroid is not None
    counts["habits"] += len(model.habits)
    counts["doubtful rules"] += len(model.doubtful)
    counts["models with suspects"] += len(model.suspects) > 0
    counts["models of a sample"] += model.total is not None
    counts["models that verification has mended"] += any("left out, because" in note for note in model.notes)


def found_by_check(model: Model, record: Record) -> list[str]:
    """Rows that `check` calls wrong although they are no suspects."""
    checked = model.check(record.rows)
    wrong = ~checked.feasible
    wrong[model.suspects] = False
    return [f"{int(wrong.sum())} rows are wrong: {checked.summary()}"] if wrong.any() else []


def found_by_sums(model: Model, record: Record) -> list[str]:
    """Rules, habits and doubtful rules that too many rows break, by plain sums; and facts, by their own test."""
    labels = record.data.labels() if isinstance(record.data, Table) else record.rows
    suspect = np.zeros(len(labels), bool)
    suspect[model.suspects] = True
    faults = []
    if labels.shape[1]:
        lifted = lifted_labels(model.lifts, labels.astype(np.int64))
        for what, rules in {"rule": model.rules, "habit": model.habits, "doubtful rule": model.doubtful}.items():
            broken = _broken(rules, lifted)
            too_often = broken.mean(axis=0) > _allowed(record) if what == "rule" and record.noise else False
            faults += [
                f"{what} “{rules[int(k)].text}” is broken by {int(broken[:, k].sum())} rows"
                for k in np.flatnonzero(broken[~suspect].any(axis=0) | too_often)
            ]
        bases = model.matroid is None or model.matroid.is_basis(labels[~suspect].astype(np.int64)).all()
        faults += [] if bases else ["a row is no basis of the matroid"]
    if model.facts:
        most_rows = max(1.0, _allowed(record) * len(labels)) if record.noise else 0.0
        for fact, times in zip(model.facts, broken_counts(model.facts, record.data), strict=True):
            if times > most_rows:
                faults.append(f"fact {fact.kind} of {fact.columns} is broken by {times} rows")
    return faults


def _allowed(record: Record) -> float:
    """The share of rows that may break one rule or fact."""
    return ESTIMATED if record.noise == "auto" else float(record.noise)  # type: ignore[arg-type]


def _broken(rules: RuleSet, labels: IntArray) -> BoolArray:
    """Which label breaks which rule; definitions hold by themselves."""
    sums = labels @ rules.matrix.T
    broken = np.where(rules.equality, sums != rules.rhs, sums > rules.rhs)
    broken[:, [origin == DEFINITION for origin in rules.origins]] = False
    return np.asarray(broken)


def refused_exports(model: Model) -> list[str]:
    """Targets that refuse the model, unless it says that its labels are the bases of a matroid."""
    if model.matroid is not None:
        return []
    faults = []
    for target in able_targets(model):
        try:
            model.export(target)
        except UnwrittenError as error:
            faults.append(f"{target} refuses: {error}")
    return faults


def able_targets(model: Model) -> list[ExportTarget]:
    """The targets for a table, or those for labels; only two of these have a place for cuts."""
    if len(model.cuts):
        return ["lp", "mps"]
    return [name for name in TARGETS if (name in ROW_TARGETS) == (model.schema is not None)]
