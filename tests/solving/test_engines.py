"""Every engine on every back end gives the value that listing all labels gives."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import unwritten
from solving.programs import allowed, best_value, small
from unwritten import budgets
from unwritten.samples import trees
from unwritten.solving.backends import Limits, installed
from unwritten.solving.engines import ON_BACKEND, TABLE, BestFirst, QueryBatch

WAYS = [(e, b) for e in TABLE if e != "inner" for b in (installed() if e in ON_BACKEND else ["auto"])]


@pytest.mark.parametrize(("engine", "backend"), WAYS, ids=lambda x: x)
@pytest.mark.parametrize("binary", [True, False], ids=["0/1", "integers"])
def test_values_are_those_of_brute_force(engine: str, backend: str, binary: bool) -> None:
    """Every engine and back end finds the same optimum as brute force, with a tight bound and a valid label."""
    for seed in range(6):
        case = small(seed, binary=binary, rules="auto" if seed % 2 else [])
        queries = np.random.default_rng(seed + 99).normal(size=(4, case.labels.shape[1]))
        decided = case.model.decide(queries, engine=engine, backend=backend)
        assert (decided.status == "optimal").all(), decided.summary()
        assert np.allclose(decided.values, best_value(allowed(case.model), queries), rtol=0, atol=1e-9)
        assert np.allclose(decided.bounds, decided.values, rtol=0, atol=1e-8)
        assert case.model.check(decided.labels).feasible.all()
        wanted = {engine} if engine not in ON_BACKEND else {f"{engine}+{backend}"}
        # these take some programs only, and give way to lazy rows elsewhere
        partial = engine in ("groups", "greedy", "forest", "closure")
        assert set(decided.engine) <= (wanted | {"lazy+highs"} if partial else wanted)


def test_ties_zero_weights_and_signs() -> None:
    """All engines give the same values for equal, zero and negative weights."""
    case = small(3)
    d = case.labels.shape[1]
    queries = np.array([np.zeros(d), np.ones(d), -np.ones(d), np.eye(d)[0], -np.eye(d)[0]])
    truth = best_value(allowed(case.model), queries)
    for engine in ("explicit", "best-first", "lazy", "monolithic"):
        assert np.allclose(case.model.decide(queries, engine=engine).values, truth)


def test_minimising_mirrors_maximising() -> None:
    """sense="min" with weights w gives the labels of sense="max" with −w, and values and bounds with opposite signs."""
    case = small(5)
    mirrored = unwritten.mine(case.labels, -case.weights, sense="min", bounds=(0, 1), confidence=0.5)
    queries = np.random.default_rng(0).normal(size=(5, case.labels.shape[1]))
    up, down = case.model.decide(queries), mirrored.decide(-queries)
    assert np.array_equal(up.labels, down.labels)
    assert np.allclose(up.values, -down.values)
    assert np.allclose(up.bounds, -down.bounds)
    assert np.array_equal(up.proof, down.proof)


def test_inner_is_the_best_seen_label() -> None:
    """The inner engine returns only seen labels, never with a value above the outer optimum."""
    case = small(7)
    queries = np.random.default_rng(1).normal(size=(8, case.labels.shape[1]))
    inner, outer = case.model.decide(queries, engine="inner"), case.model.decide(queries)
    assert np.allclose(inner.values, best_value(np.unique(case.labels, axis=0), queries))
    assert (inner.values <= outer.values + 1e-9).all()
    assert np.allclose(inner.values, outer.seen_values)


def test_inner_and_outer_values_enclose_the_optimum() -> None:
    """On every query, inner value ≤ true optimum ≤ outer value, as the paper guarantees."""
    for seed in range(10):
        case = small(seed, rules=[])
        queries = np.random.default_rng(seed).normal(size=(6, case.labels.shape[1]))
        decided = case.model.decide(queries)
        truth = best_value(case.feasible, queries)
        assert (decided.seen_values <= truth + 1e-9).all()
        assert (truth <= decided.bounds + 1e-9).all()


def test_automatic_choice_follows_the_documented_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few labels → explicit; many labels → best-first, without cuts only if rules and columns are few; else lazy."""
    rng = np.random.default_rng(0)
    few = unwritten.mine(np.eye(4, dtype=int))
    assert set(few.decide(np.ones((1, 4))).engine) == {"explicit"}
    weights = rng.normal(size=(30, 16))
    labels = np.zeros((30, 16), int)
    labels[np.arange(30)[:, None], np.argsort(-weights, axis=1)[:, :8]] = 1
    assert set(unwritten.mine(labels, weights, rules=[]).decide(weights[:2]).engine) == {"best-first"}
    capacity = [(rng.integers(1, 20, 16).tolist(), "<=", 60)]
    assert set(unwritten.mine(labels, rules=[]).with_rules(capacity).decide(weights[:2]).engine) == {"best-first"}
    monkeypatch.setattr(budgets, "BEST_FIRST_ENTRIES", 15)
    assert set(unwritten.mine(labels, rules=[]).with_rules(capacity).decide(weights[:2]).engine) == {"lazy+highs"}


def test_search_past_its_cap_gives_way_to_lazy_rows() -> None:
    """If best-first reaches its limit of labels, the lazy engine finishes the query, and the decision says so."""
    weights, labels = trees.sample(5, 60, seed=0)
    model = unwritten.mine(labels, weights, rules=[])
    queries, _ = trees.sample(5, 4, seed=1)
    program = model._desk.program
    capped = BestFirst(program, "", most_labels=2)
    reply = capped.answer(QueryBatch.of(program, queries), Limits())
    assert "feasible" in set(reply.status)
    with model._desk.lend() as (session, _):
        session._engines["best-first", ""] = capped
    decided = model.decide(queries, engine="best-first")
    assert np.allclose(decided.values, best_value(allowed(model), queries))
    assert any("stopped after" in note for note in decided.notes)
    assert "lazy+highs" in set(decided.engine)


@pytest.mark.parametrize("rows", [1, 2, 4, 8])
@pytest.mark.parametrize("bounds", [(0, 1), (-1, 2)], ids=["0/1", "integers"])
@pytest.mark.parametrize("density", [1.0, 0.3], ids=["dense", "sparse"])
def test_limits_are_obeyed_by_every_engine(rows: int, bounds: tuple[int, int], density: float) -> None:
    """Under random limits, with cuts and without, our own engines and lazy find the best of all listed labels."""
    rng = np.random.default_rng(rows)
    low, high = bounds
    d = 8 if high == 1 else 5
    box = np.array(list(product(range(low, high + 1), repeat=d)))
    for _ in range(5):
        limits = rng.integers(-9, 20, (rows, d)) * (rng.random((rows, d)) < density)
        capacity = (0.7 * np.maximum(limits * low, limits * high).sum(axis=1)).astype(int)
        feasible = box[(box @ limits.T <= capacity).all(axis=1)]
        if not len(feasible):
            continue
        weights = rng.normal(size=(20, d))
        labels = feasible[(weights @ feasible.T).argmax(axis=1)]
        given = [(a.tolist(), "<=", int(b)) for a, b in zip(limits, capacity, strict=True)]
        queries = np.concatenate([rng.normal(size=(6, d)), rng.integers(-2, 3, (4, d)), limits[:1]])
        for cuts in (None, weights):
            model = unwritten.mine(labels, cuts, rules=[], bounds=bounds).with_rules(given)
            for engine in ("auto", "best-first", "lazy"):
                decided = model.decide(queries, engine=engine)
                assert (decided.status == "optimal").all()
                assert np.allclose(decided.values, best_value(allowed(model), queries), rtol=0, atol=1e-9)


def test_ties_are_broken_alike_in_every_order() -> None:
    """Which of several best labels best-first returns does not depend on the queries before."""
    rng = np.random.default_rng(0)
    rows = [(rng.integers(1, 5, 20).tolist(), "<=", 20) for _ in range(3)]
    model = unwritten.mine(np.zeros((1, 20), int), rules=[], bounds=(0, 1)).with_rules(rows)
    queries = rng.integers(0, 4, (40, 20)).astype(float)
    together = model.decide(queries, engine="best-first").labels
    assert np.array_equal(model.decide(queries[::-1], engine="best-first").labels[::-1], together)


def test_search_keeps_the_time_limit_without_another_engine() -> None:
    """Out of time, best-first returns its best label as feasible, and no other engine is asked."""
    weights, labels = trees.sample(7, 2_000, seed=0)
    model = unwritten.mine(labels, weights, rules=[])
    decided = model.decide(trees.sample(7, 20, seed=1)[0], engine="best-first", time_limit=1e-9)
    late = decided.status != "optimal"
    assert late.any() and set(decided.status[late]) == {"feasible"}
    assert not any("lazy" in engine for engine in decided.engine)
    assert (decided.bounds[late] >= decided.values[late]).all() and not decided.proven[late].any()


def test_a_hierarchy_with_rows_of_any_length_is_listed() -> None:
    """The 75 labels of a hierarchy with many short "parent = sum of children" rows are listed."""
    leaf = np.arange(75)
    labels = np.concatenate(
        [np.eye(5, dtype=int)[leaf // 15], np.eye(25, dtype=int)[leaf // 3], np.eye(75, dtype=int)], 1
    )
    rng = np.random.default_rng(0)
    model = unwritten.mine(labels[:, rng.permutation(labels.shape[1])], rules=["equalities"])
    assert ((model.rules.matrix != 0).sum(axis=1) == 4).sum() == 25
    decided = model.decide(rng.normal(size=(5, labels.shape[1])))
    assert set(decided.engine) == {"explicit"} and decided.proven.all()


def test_latents_are_decided_with_their_labels() -> None:
    """With label pairs lifted, explicit, lazy and monolithic agree with listing; best-first says it cannot."""
    labels = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]])
    model = unwritten.mine(labels, lifts="pairs")
    queries = np.random.default_rng(0).normal(size=(5, 4))
    truth = best_value(allowed(model), queries)
    for engine in ("auto", "explicit", "lazy", "monolithic"):
        assert np.allclose(model.decide(queries, engine=engine).values, truth)
    with pytest.raises(unwritten.errors.DataError, match="no latent variables"):
        model.decide(queries, engine="best-first")
