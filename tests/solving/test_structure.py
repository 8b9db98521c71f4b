"""Matroids as the structure of a model: greedy and lazy separation against listing all trees, statuses and proofs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unwritten
from helpers import box
from unwritten import Model, Status
from unwritten.data import FloatArray, IntArray
from unwritten.errors import FormatError, InfeasibleError
from unwritten.formats import read_archive, write_archive
from unwritten.mining import Cuts
from unwritten.model.state import pack
from unwritten.samples import trees

NODES, WIDTH = 5, 10
EVERY = box(0, 1, WIDTH)
TREES = EVERY[trees.is_tree(EVERY, NODES)]
QUERIES = np.random.default_rng(7).normal(size=(25, WIDTH))


@cache
def tree_model(kind: str) -> Model:
    """Mine 800 trees: from labels alone, with true weights, with predicted ones (slack), or minimising."""
    weights, labels = trees.sample(NODES, 800, seed=0)
    wrong = np.random.default_rng(5).normal(size=weights.shape)
    return {
        "labels": lambda: unwritten.mine(labels),
        "cuts": lambda: unwritten.mine(labels, weights),
        "slack": lambda: replace(unwritten.mine(labels), cuts=unwritten.mine(labels, wrong, rules=[]).cuts),
        "min": lambda: unwritten.mine(labels, -weights, sense="min"),
        "named": lambda: unwritten.mine(labels, rules=["matroid"]),
        "few cuts": lambda: replace(
            unwritten.mine(labels), cuts=unwritten.mine(labels[:9], weights[:9], rules=[]).cuts
        ),
    }[kind]()


KINDS = ["labels", "cuts", "slack", "min", "named", "few cuts"]

ADDED: dict[str, list[tuple[Any, str, int]]] = {
    "none": [],
    "an edge is out": [([1, *[0] * 9], "==", 0)],
    "an edge is in": [([0, 0, 1, *[0] * 7], "==", 1)],
    "at most two at node 0": [([1, 1, 1, 1, *[0] * 6], "<=", 2)],
    "a path": [([1 if k in edge else 0 for edge in trees.edges(NODES)], "<=", 2) for k in range(NODES)],
    "an implication": [([1, 0, 0, 0, 0, 0, 0, 0, 0, -1], "<=", 0)],
    "weights of edges": [([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], "<=", 12)],
}


def feasible(model: Model) -> IntArray:
    """List all trees that obey the rules and cuts."""
    rules, cuts = model.rules, model.cuts
    lawful = TREES[~rules.violations(TREES).any(axis=1)]
    return lawful[(lawful @ cuts.weights.T <= cuts.limits(model.variables)).all(axis=1)]


def best_values(model: Model, weights: FloatArray) -> FloatArray:
    """The best value over all feasible trees."""
    values = weights @ feasible(model).T
    return np.asarray(values.max(axis=1) if model.sense == "max" else values.min(axis=1))


def seen_feasible(model: Model) -> IntArray:
    """List the seen labels that obey the rules and cuts."""
    known = {row.tobytes() for row in model.seen}
    return np.array([row for row in feasible(model) if row.tobytes() in known], np.int64).reshape(-1, WIDTH)


@pytest.mark.parametrize("kind", KINDS)
def test_the_matroid_is_that_of_trees(kind: str) -> None:
    """In every model exactly the 125 spanning trees are bases."""
    matroid = tree_model(kind).matroid
    assert matroid is not None
    assert len(TREES) == 125
    assert np.array_equal(EVERY[matroid.is_basis(EVERY)], TREES)


@pytest.mark.parametrize("added", ADDED)
@pytest.mark.parametrize("kind", KINDS)
def test_every_engine_gives_the_best_tree(kind: str, added: str) -> None:
    """Greedy, lazy, explicit and auto give the value of brute force, whether or not rules and cuts bite."""
    model = tree_model(kind).with_rules(ADDED[added])
    truth = best_values(model, QUERIES)
    known = {row.tobytes() for row in feasible(model)}
    for engine in ("auto", "greedy", "lazy", "explicit"):
        decided = model.decide(QUERIES[:10] if engine == "lazy" else QUERIES, engine=engine)
        assert np.allclose(decided.values, truth[: len(decided)], rtol=0, atol=1e-9), engine
        assert (decided.status == Status.OPTIMAL).all()
        assert all(label.tobytes() in known for label in decided.labels)
        assert np.allclose(decided.bounds, decided.values, rtol=0, atol=1e-6)


def test_rules_and_cuts_do_bite() -> None:
    """Some queries have another answer without the added rules or cuts, so the tests above are not vacuous."""
    free = best_values(tree_model("labels"), QUERIES)
    for name, rows in ADDED.items():
        bound = best_values(tree_model("labels").with_rules(rows), QUERIES)
        assert (bound < free - 1e-9).any() == (name != "none")
    values = TREES @ QUERIES[:8].T
    some = TREES[(values < free[:8] - 0.5).all(axis=1)]
    cuts = Cuts(QUERIES[:8], (QUERIES[:8] @ some.T).max(axis=1), np.zeros(8))
    hit = replace(tree_model("labels"), cuts=cuts, seen=some, counts=np.ones(len(some), np.int64))
    assert len(some) > 5
    assert (best_values(hit, QUERIES) < free - 1e-9).any()
    for engine in ("greedy", "lazy", "explicit", "auto"):
        decided = hit.decide(QUERIES, engine=engine)
        assert np.allclose(decided.values, best_values(hit, QUERIES), rtol=0, atol=1e-9), engine
        assert decided.proven[:8].all()
        assert (decided.status == Status.OPTIMAL).all()


@pytest.mark.parametrize("kind", ["labels", "cuts", "min"])
@pytest.mark.parametrize("added", ["none", "an edge is out", "a path"])
def test_proofs_are_of_seen_labels_at_the_optimum(kind: str, added: str) -> None:
    """An answer is proven by rules if a seen label attains the maximum, and by data if bounds or cuts suffice."""
    model = tree_model(kind).with_rules(ADDED[added])
    seen = QUERIES @ seen_feasible(model).T
    best = seen.max(axis=1) if model.sense == "max" else seen.min(axis=1)
    attained = np.abs(best - best_values(model, QUERIES)) < 1e-9
    assert attained.any()
    for engine in ("greedy", "lazy", "explicit"):
        decided = model.decide(QUERIES[:12], engine=engine)
        assert np.array_equal(decided.proven, attained[:12]), engine
        known = {row.tobytes() for row in model.seen}
        assert all(d.label.tobytes() in known for d in decided if d.proven)
        reached = np.abs(best[:12] - (np.maximum if model.sense == "max" else np.minimum)(QUERIES[:12], 0).sum(axis=1))
        assert np.array_equal(decided.proof == "data", attained[:12] & (reached < 1e-9))


@pytest.mark.parametrize("kind", ["cuts", "min"])
def test_proofs_by_data_need_no_matroid(kind: str) -> None:
    """Under proof="data" the matroid counts as mined: what is proven is the maximum over the cuts alone."""
    model = tree_model(kind)
    weights = np.concatenate([model.cuts.weights[:6], QUERIES[:6]])
    weights = weights if kind == "cuts" else -weights
    decided = model.decide(weights, proof="data", engine="greedy")
    activity, limits = EVERY @ model.cuts.weights.T, model.cuts.limits(model.variables)
    under_cuts = EVERY[(activity <= limits).all(axis=1)]
    values = weights @ under_cuts.T
    free = values.max(axis=1) if kind == "cuts" else values.min(axis=1)
    by_data = decided.proof == "data"
    assert by_data.any()
    assert np.allclose(decided.values[by_data], free[by_data], atol=1e-6)
    assert np.array_equal(by_data, np.abs(decided.seen_values - free) < 1e-6)


def test_cuts_with_slack_prove_only_what_does_not_rest_on_them() -> None:
    """A greedy answer uses no cut, so it is proven if it was seen, although the model's cuts are estimates."""
    model = tree_model("slack")
    assert not model.cuts.exact
    decided = model.decide(QUERIES, engine="greedy")
    seen = (QUERIES @ model.seen.T).max(axis=1)
    assert np.array_equal(decided.proven, np.abs(seen - (QUERIES @ TREES.T).max(axis=1)) < 1e-9)


@pytest.mark.parametrize("kind", ["labels", "cuts", "named"])
def test_contradictions_are_infeasible(kind: str) -> None:
    """Rules that require a triangle contradict the trees, and every engine reports it."""
    triangle = [int(edge in ((0, 1), (0, 2), (1, 2))) for edge in trees.edges(NODES)]
    model = tree_model(kind).with_rules([(triangle, "==", 3)])
    assert len(feasible(model)) == 0
    for engine in ("auto", "greedy", "lazy", "explicit"):
        decided = model.decide(QUERIES[:2], engine=engine)
        assert (decided.status == Status.INFEASIBLE).all(), engine
        assert np.isnan(decided.values).all()
        assert not decided.proven.any()
    with pytest.raises(InfeasibleError):
        model.predict(QUERIES[:1])


def test_a_clash_with_the_structure_is_named() -> None:
    """The rule that asks for a triangle is one of those that clash."""
    triangle = [int(edge in ((0, 1), (0, 2), (1, 2))) for edge in trees.edges(NODES)]
    assert tree_model("labels").with_rules([(triangle, "==", 3)]).decide(QUERIES[:1]).clash


def test_ties_are_won_by_seen_labels() -> None:
    """With equal weights every tree is best: greedy returns a seen one, which is proven."""
    model = tree_model("labels")
    for engine in ("greedy", "lazy", "explicit"):
        decided = model.decide(np.ones((1, WIDTH)), engine=engine)
        assert decided.values[0] == NODES - 1
        assert decided.proof[0] == "rules"
        assert (model.seen == decided.labels[0]).all(axis=1).any()


def test_larger_trees_are_answered_by_greedy() -> None:
    """If trees are too many to list, engine="auto" is greedy, right on fresh queries, and lazy agrees."""
    labels = trees.sample(8, 800, seed=0)[1]
    model = unwritten.mine(labels)
    fresh, truth = trees.sample(8, 40, seed=1)
    decided = model.decide(fresh)
    assert set(decided.engine) == {"greedy"}
    assert np.array_equal(decided.labels, truth)
    assert np.allclose(model.decide(fresh[:4], engine="lazy").values, decided.values[:4])
    out = model.with_rules([([1] * 7 + [0] * 21, "<=", 1)])
    some = out.decide(fresh[:12])
    assert (some.status == Status.OPTIMAL).all()
    assert (some.labels[:, :7].sum(axis=1) <= 1).all()
    assert trees.is_tree(some.labels, 8).all()
    bitten = truth[:12, :7].sum(axis=1) > 1
    assert bitten.any()
    assert np.array_equal(some.labels[~bitten], truth[:12][~bitten])
    assert np.allclose(some.values, out.decide(fresh[:12], engine="lazy").values)


def test_check_refuses_labels_that_are_not_trees() -> None:
    """Labels that obey every listed rule but hold a cycle are infeasible, and the summary says why."""
    model = tree_model("labels")
    checked = model.check(EVERY)
    assert np.array_equal(EVERY[checked.feasible], TREES)
    assert np.array_equal(EVERY[checked.structured], TREES)
    only = checked.within_bounds & ~checked.violations.any(axis=1) & ~checked.structured
    assert only.any()
    text = model.check(EVERY[only][:3]).summary()
    assert text.startswith("0 of 3 labels obey")
    assert "3 labels: not a basis of the matroid" in text
    assert not model.check(2 * TREES[:2]).feasible.any()
    assert model.check(model.seen).feasible.all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_keeps_the_structure(kind: str, tmp_path: Path) -> None:
    """A loaded model is equal, has the same bases and gives the same decisions; saving again gives the same bytes."""
    model = tree_model(kind).with_rules(ADDED["at most two at node 0"])
    model.save(tmp_path / "a.rules")
    loaded = unwritten.load(tmp_path / "a.rules")
    assert loaded == model
    assert loaded.matroid == model.matroid
    assert loaded != replace(model, matroid=None)
    loaded.save(tmp_path / "b.rules")
    assert (tmp_path / "a.rules").read_bytes() == (tmp_path / "b.rules").read_bytes()
    for engine in ("greedy", "explicit"):
        one, other = model.decide(QUERIES, engine=engine), loaded.decide(QUERIES, engine=engine)
        assert np.array_equal(one.labels, other.labels)
        assert one.proof.tolist() == other.proof.tolist()


@pytest.mark.parametrize(
    "rows", [np.ones((4, 3), np.int64), np.full((4, WIDTH), 2), np.ones((4, WIDTH)), np.ones(WIDTH, np.int64)]
)
def test_files_with_a_broken_matroid(rows: np.ndarray, tmp_path: Path) -> None:
    """A matroid of another width, of other numbers or of another type is refused."""
    header, arrays = pack(tree_model("labels"))
    write_archive(tmp_path / "bad.rules", header, {**arrays, "matroid": rows})
    assert read_archive(tmp_path / "bad.rules")
    with pytest.raises(FormatError, match="save the model again"):
        unwritten.load(tmp_path / "bad.rules")


def test_summary_names_the_matroid() -> None:
    """The summary of a model says that its labels are bases."""
    assert "a basis of a matroid" in tree_model("labels").summary()
    assert "a basis of a matroid" not in unwritten.mine(trees.sample(5, 300, 0)[1], rules=["equalities"]).summary()


def paths() -> tuple[FloatArray, IntArray]:
    """The paths through all nodes that are best for random weights."""
    weights, _ = trees.sample(NODES, 400, seed=3)
    degree = np.array([[int(k in edge) for edge in trees.edges(NODES)] for k in range(NODES)])
    every = TREES[((TREES @ degree.T) <= 2).all(axis=1)]
    return weights, every[(weights @ every.T).argmax(axis=1)]


def test_labels_that_are_only_some_trees_are_no_matroid() -> None:
    """Paths are trees, but not all of them: their weights refute the matroid."""
    weights, labels = paths()
    assert unwritten.mine(labels, weights).matroid is None


def test_labels_alone_that_are_only_some_trees_are_no_matroid() -> None:
    """400 paths show 60 distinct labels over and over, where trees would show more than a hundred."""
    assert unwritten.mine(paths()[1]).matroid is None


def test_greedy_needs_a_matroid() -> None:
    """Chosen by name without a matroid, greedy says so and another engine answers."""
    model = unwritten.mine(np.eye(3, dtype=np.int64).repeat(60, axis=0))
    decided = model.decide([[1.0, 2.0, 3.0]], engine="greedy")
    assert decided.labels.tolist() == [[0, 0, 1]]
    assert "needs labels that are the bases of a matroid" in decided.notes[0]
    assert decided.engine[0].startswith("lazy")
