"""Training rows obey all that is mined from them, however rare a row is; and a broken rule would be noticed."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import unwritten
from laws.broken_laws import broken_laws
from laws.fuzz_laws import checked, main
from laws.label_parts import spanning_trees
from laws.records import FORMS, draw
from unwritten import Model, budgets
from unwritten.data import Examples, IntArray
from unwritten.options import MINERS, MiningOptions
from unwritten.rules import MINED, Evidence, Gaps, RuleSet
from unwritten.rules.gaps import Gap
from unwritten.sources.array_source import ArraySource
from unwritten.verification import verified

TREE_AND_ISOLATED_NODE = [1, 1, 0, 1, 0, 0]
"""Three edges of four nodes that form a triangle: as many as those of a tree, which they are not."""


@pytest.mark.parametrize("miner", [*MINERS, None])
def test_training_rows_obey_every_rule(miner: str | None) -> None:
    """Random records of every form break nothing that a miner states from them, and every file of it is written."""
    counts, faults = checked(0, range(12) if miner else range(12, 60), miner=miner)
    assert not faults, faults[0]
    assert counts["records"] == (12 if miner else 48)


def test_records_come_from_every_source() -> None:
    """The first records have every form: labels, tables, streams, partitions, with weights and with noise."""
    assert {draw(0, number).form for number in range(200)} == set(FORMS)


def test_a_broken_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without verification, the laws are broken."""
    record = _record_with_a_matroid()
    assert not broken_laws(record, Counter())
    monkeypatch.setattr(sys.modules["unwritten.mine"], "verified", lambda model, *_: model)
    assert any("no basis" in fault for fault in broken_laws(record, Counter()))


def test_the_command_counts_what_was_stated(capsys: pytest.CaptureFixture[str]) -> None:
    """The command exits with 0 if no law is broken, and says how often each kind of rule was stated."""
    assert main(["--records", "20", "--large", "0"]) == 0
    assert "20 records: 0 faults" in capsys.readouterr().out


def test_a_rare_row_of_a_table_is_not_called_wrong() -> None:
    """One row among 12,000 whose values come nowhere else breaks no rule, and the table can be exported to SQL."""
    rng = np.random.default_rng(0)
    left, right = rng.choice(["a", "b"], (2, 12_000)).astype(object)
    left[5], right[5] = "z", "w"
    rows = [{"x": x, "y": y} for x, y in zip(left.tolist(), right.tolist(), strict=True)]
    model = unwritten.mine(rows)
    assert model.check(rows).feasible.all()
    assert model.matroid is None and any("matroid" in note for note in model.notes)
    assert "never" not in str(model.rules)
    assert "CREATE TABLE" in model.export("sql")


def _trees(n: int, odd: int = 1) -> IntArray:
    """Spanning trees of four nodes; the last labels are no trees."""
    trees = spanning_trees()[np.random.default_rng(0).integers(0, 16, n)]
    trees[n - odd :] = TREE_AND_ISOLATED_NODE
    return trees


def _record_with_a_matroid() -> Any:
    return replace(draw(0, 0), form="labels", data=_trees(900), rows=_trees(900), weights=None, options={},
                   budgets={"SET_EXAMPLES": 200})  # fmt: skip


@pytest.mark.parametrize("form", ["labels", "weights", "batches", "partitions", "a sample"])
def test_a_matroid_is_verified_on_all_labels(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A matroid that all but one label obey is not stated, nor are its covers: from memory, batches and partitions."""
    monkeypatch.setattr(budgets, "SET_EXAMPLES", 200)
    labels, weights, keywords = _trees(900), None, {}
    data: Any = labels
    if form == "weights":  # without limits, for which the last label is a suspect
        keywords = {"rules": ["matroid", "covers"]}
        weights = np.random.default_rng(1).normal(size=labels.shape)
        labels[:-1] = spanning_trees()[(weights[:-1] @ spanning_trees().T).argmax(axis=1)]
    elif form == "partitions":
        data = pytest.importorskip("dask.array").from_array(labels, chunks=(300, 6))
    elif form != "labels":
        data, keywords = np.array_split(labels, 9), {"most_kept": 90 if form == "a sample" else None}
    good = unwritten.mine(labels[:-1], None if weights is None else weights[:-1], rules=keywords.get("rules", "auto"))
    assert good.matroid is not None
    model = unwritten.mine(data, weights, **keywords)
    assert model.matroid is None
    assert model.check(labels).feasible.all()
    model.export("lp")


@pytest.mark.parametrize("chunks", [1, 9])
def test_an_estimator_verifies_its_rules(chunks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for labels that a scikit-learn estimator gets at once, or chunk by chunk."""
    monkeypatch.setattr(budgets, "SET_EXAMPLES", 200)
    miner = unwritten.ConstraintMiner()
    for part in np.array_split(_trees(900), chunks):
        miner.partial_fit(None, part)
    assert miner.model_.matroid is None
    assert miner.model_.check(_trees(900)).feasible.all()


def test_greedy_answers_are_verified_on_all_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """No matroid is stated if one label in 900 is a basis, but not the best for its weights."""
    monkeypatch.setattr(budgets, "SET_EXAMPLES", 200)
    weights = np.random.default_rng(1).normal(size=(900, 6))
    labels = spanning_trees()[(weights @ spanning_trees().T).argmax(axis=1)]
    assert unwritten.mine(labels, weights, rules=["matroid"]).matroid is not None
    labels[-1] = spanning_trees()[(weights[-1] @ spanning_trees().T).argmin()]
    assert unwritten.mine(labels, weights, rules=["matroid"]).matroid is None


@pytest.mark.parametrize(("noise", "stated"), [(0.001, False), (0.01, True)])
def test_a_matroid_despite_noise_has_few_exceptions(
    noise: float, stated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A matroid that one of 900 labels breaks is stated if that many may be wrong, and this label is then a suspect."""
    monkeypatch.setattr(budgets, "SET_EXAMPLES", 200)
    model = unwritten.mine(_trees(900), noise=noise)
    assert (model.matroid is not None) == stated
    assert model.suspects.tolist() == ([899] if stated else [])


def test_no_kind_of_rule_is_exempt() -> None:
    """A broken rule, habit, doubtful rule and gap are left out, with a note; what holds stays."""
    labels = np.random.default_rng(0).integers(0, 3, (200, 3))
    model = unwritten.mine(labels, rules=[])
    evidence = Evidence(200)
    triples = [([1, 0, 0], "<=", 2), ([1, 0, 0], "<=", 1), ([1, 1, 0], "==", 2)]
    rows = RuleSet.of(model.variables, triples, MINED, evidence)
    gaps = Gaps(model.variables, (Gap("not-equal", ("y0", "y1"), (0, 0), MINED, evidence),))
    false = replace(model, rules=rows, redundant=rows[:1], habits=rows[1:], doubtful=rows, gaps=gaps)
    mended = _verified(false, labels)
    assert mended.rules == mended.doubtful == rows[:1]
    assert not len(mended.habits) and not len(mended.gaps) and not len(mended.redundant)
    assert "3 rules were left out, because some rows break them" in mended.notes
    assert _verified(replace(model, rules=rows[:1], doubtful=rows[:1]), labels).notes == model.notes


def _verified(model: Model, labels: IntArray) -> Model:
    source = ArraySource(Examples.of(labels))
    return verified(model, source.gather(), source, MiningOptions())
