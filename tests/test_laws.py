"""Laws of mining and deciding, tested on random small integer programs."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import unwritten
from unwritten import linalg
from unwritten.building import build_exact as build
from unwritten.data import Examples, IntArray
from unwritten.options import MiningOptions
from unwritten.sources import Gathered
from unwritten.tally import Tally

LAWS = settings(max_examples=60, deadline=None, derandomize=True)


@st.composite
def feasible_sets(draw: st.DrawFn) -> tuple[IntArray, list[tuple[IntArray, int]]]:
    """All integer points of a small box under one or two random equalities, and those equalities."""
    d = draw(st.integers(2, 5))
    low, high = draw(st.sampled_from([(0, 1), (0, 2), (-1, 1)]))
    box = np.array(list(product(range(low, high + 1), repeat=d)))
    anchor = box[draw(st.integers(0, len(box) - 1))]
    planted = []
    kept = np.ones(len(box), bool)
    for _ in range(draw(st.integers(1, 2))):
        a = np.array(draw(st.lists(st.integers(-2, 2), min_size=d, max_size=d)))
        planted.append((a, int(a @ anchor)))
        kept &= box @ a == a @ anchor
    return box[kept], planted


@st.composite
def examples(draw: st.DrawFn) -> tuple[IntArray, IntArray, list[tuple[IntArray, int]]]:
    """Weights and the labels that are optimal for them in a hidden feasible set."""
    feasible, planted = draw(feasible_sets())
    seed = draw(st.integers(0, 2**32 - 1))
    n = draw(st.integers(2, 15))
    weights = np.random.default_rng(seed).integers(-50, 51, (n, feasible.shape[1])).astype(float)
    labels = feasible[(weights @ feasible.T).argmax(axis=1)]
    return weights, labels, planted


@LAWS
@given(examples())
def test_kernel_rows_annihilate_all_data_and_imply_every_true_equality(case: tuple) -> None:
    """Lemma 1: mined rows hold on every label and imply every planted equality."""
    _, labels, planted = case
    rules = unwritten.mine(labels, rules=["equalities"]).rules
    assert not rules.violations(labels).any()
    for a, b in planted:
        assert rules.implies(a, b, "==")
    bordered = np.column_stack([labels, np.ones(len(labels), np.int64)])
    assert rules.rank == len(rules) == labels.shape[1] + 1 - linalg.rank(bordered)


@LAWS
@given(examples())
def test_every_training_label_satisfies_every_rule_and_cut(case: tuple) -> None:
    """Every training label satisfies every rule and cut, with exact and with wrong weights."""
    weights, labels, _ = case
    noise = np.random.default_rng(0).normal(size=weights.shape)
    for given_weights in (weights, noise):
        model = unwritten.mine(labels, given_weights)
        assert model.check(labels).feasible.all()
        activity = labels @ model.cuts.weights.T
        assert (activity <= model.cuts.limits(model.variables)).all()


@LAWS
@given(examples(), st.integers(1, 14), st.booleans())
def test_merging_is_fitting_the_union(case: tuple, cut: int, weighted: bool) -> None:
    """Tallies of two chunks add up to the tally of all, and give the identical model."""
    weights, labels, _ = case
    whole = Examples.of(labels, weights if weighted else None)
    merged = Tally.of(labels[:cut]) + Tally.of(labels[cut:]) if cut < len(labels) else Tally.of(labels)
    assert merged == Tally.of(labels)
    assert build(Gathered(merged, whole, merged), MiningOptions()) == unwritten.mine(
        labels, weights if weighted else None
    )


@LAWS
@given(examples(), st.sampled_from(["auto", "none"]))
def test_every_engine_gives_the_value_of_brute_force(case: tuple, rules: str) -> None:
    """Explicit, best-first, lazy and monolithic agree with listing all labels within the bounds."""
    weights, labels, _ = case
    model = unwritten.mine(labels, weights, rules="auto" if rules == "auto" else [])
    ranges = [range(a, b + 1) for a, b in zip(model.variables.lower, model.variables.upper, strict=True)]
    points = np.array(list(product(*ranges)))
    points = points[model.check(points).feasible]
    points = points[(points @ model.cuts.weights.T <= model.cuts.limits(model.variables)).all(axis=1)]
    queries = np.random.default_rng(1).normal(size=(2, labels.shape[1]))
    truth = (queries @ points.T).max(axis=1)
    for engine in ("explicit", "best-first", "lazy", "monolithic"):
        assert np.allclose(model.decide(queries, engine=engine).values, truth, rtol=0, atol=1e-9), engine


@LAWS
@given(examples(), st.booleans())
def test_save_and_load_is_the_identity(tmp_path_factory: object, case: tuple, lifted: bool) -> None:
    """A loaded model equals the saved one, and saving it again gives the same bytes."""
    weights, labels, _ = case
    pairs = lifted and labels.min() >= 0 and labels.max() <= 1
    model = unwritten.mine(labels, weights, lifts="pairs" if pairs else ())
    folder: Path = tmp_path_factory.mktemp("models")  # type: ignore[attr-defined]
    model.save(folder / "a.rules")
    loaded = unwritten.load(folder / "a.rules")
    assert loaded == model
    loaded.save(folder / "b.rules")
    assert (folder / "a.rules").read_bytes() == (folder / "b.rules").read_bytes()


@LAWS
@given(examples())
def test_certified_answers_are_true_when_the_rules_are(case: tuple) -> None:
    """If the mined equalities are the hidden ones, or no equality is mined, no proven decision is wrong."""
    weights, labels, _ = case
    model = unwritten.mine(labels, weights, rules=[], bounds=(int(labels.min()) - 1, int(labels.max()) + 1))
    decided = model.decide(weights)
    best = (weights * labels).sum(axis=1)
    assert np.allclose(decided.values[decided.proven], best[decided.proven])
    assert (decided.bounds >= best - 1e-6).all()
