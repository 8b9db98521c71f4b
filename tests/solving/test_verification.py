"""Verification: bounds that rounding cannot break, verdicts of our own search, and what one solver's word is worth."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import unwritten
from solving.programs import allowed, best_value, small
from unwritten import budgets
from unwritten.samples import trees
from unwritten.solving import data_proof
from unwritten.solving.backends import Limits, Reply, Rows, backend_class, family, installed
from unwritten.solving.decision import Status
from unwritten.solving.verification import Bounding, SearchEnd, Verifier

NO_LIMITS = Limits()


@pytest.mark.parametrize("scale", [1.0, 1e-12, 1e12])
def test_bounds_hold_for_any_multipliers(scale: float) -> None:
    """In exact fractions, no point within the box and the rows exceeds a bound, however large the multipliers are."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        d, r = int(rng.integers(1, 5)), int(rng.integers(1, 4))
        low = rng.integers(-2, 2, d).astype(float)
        high = low + rng.integers(0, 3, d)
        points = np.array(list(product(*(np.arange(a, b + 1) for a, b in zip(low, high, strict=True)))))
        matrix, inside = rng.normal(size=(r, d)), points[rng.integers(len(points))]
        rows = Rows.at_most(matrix, matrix @ inside + rng.random(r), d)
        obeys = (points @ rows.matrix.T <= rows.upper).all(axis=1)
        objective, multipliers = rng.normal(size=d), scale * rng.normal(size=r)
        best = max(sum(Fraction(w) * Fraction(x) for w, x in zip(objective, p, strict=True)) for p in points[obeys])
        for given in (multipliers, np.zeros(r), None):
            assert Fraction(Bounding(rows).bound(objective, given, low, high)) >= best


def test_verdicts_are_those_of_listing() -> None:
    """With room for many boxes every question is settled, and rightly, with and without rules, cuts and integers."""
    for seed in range(12):
        model = small(seed, binary=seed % 2 == 0, rules="auto" if seed % 3 else []).model
        program = model._desk.program
        verifier = Verifier(program)
        weights = np.random.default_rng(seed).normal(size=(4, program.width))
        weights[3] = np.round(weights[3])
        for w, best in zip(weights, best_value(allowed(model), weights), strict=True):
            assert verifier.better_label(w, best, 1e-9, NO_LIMITS, 10_000) == SearchEnd(True)
            beaten = verifier.better_label(w, best - 1e-3, 1e-9, NO_LIMITS, 10_000)
            assert beaten.settled and beaten.label is not None
            assert best - 1e-3 < w @ beaten.label <= best + 1e-9
        assert verifier.any_label(NO_LIMITS).label is not None


def test_no_label_is_proven_exactly() -> None:
    """Contradictions of linear rows, of parities and of cuts are proven; a hard one is left open, never guessed."""
    labels = np.zeros((2, 6), int)
    model = unwritten.mine(labels, rules=[], bounds=(0, 3))
    for rows in (
        [([1] * 6, ">=", 19)],
        [([1, 1, 1, 0, 0, 0], ">=", 5), ([1, 1, 1, 0, 0, 0], "<=", 4)],
        [([2, 4, 6, 2, 4, 2], "==", 5)],
        [([3, 6, 0, 0, 0, 0], "==", 4)],
    ):
        assert Verifier(model.with_rules(rows)._desk.program).any_label(NO_LIMITS) == SearchEnd(True)
    hard = Verifier(model.with_rules([([2, 4, 6, 2, 4, 2], "==", 5)])._desk.program)
    assert hard.better_label(np.zeros(6), -np.inf, 0.0, NO_LIMITS, 1) == SearchEnd(False)


def test_matroids_and_lifts_are_verified() -> None:
    """Rows of a matroid join as they are broken; latent variables are split like others."""
    weights, labels = trees.sample(5, 300, seed=0)
    queries, truth = trees.sample(5, 20, seed=1)
    for model in (
        unwritten.mine(labels, weights),
        unwritten.mine(labels, weights, lifts="pairs", rules=["equalities"]),
    ):
        verifier = Verifier(model._desk.program)
        decided = model.decide(queries, engine="lazy", backend="highs")
        assert (decided.values >= (queries * truth).sum(axis=1) - 1e-9).all()
        for query, value in zip(queries, decided.values, strict=True):
            assert verifier.better_label(query, value, 1e-9, NO_LIMITS, 10_000).proven


def test_one_solvers_word_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If our search gives up, an answer of a solver is not proven and the note says why; two solvers prove it."""
    for name in ("VERIFIED_BOXES", "VERIFIED_BOXES_DATA", "VERIFIED_BOXES_INFEASIBLE"):
        monkeypatch.setattr(budgets, name, 0)
    weights, labels = trees.sample(5, 300, seed=0)
    queries = weights[:8]
    model = unwritten.mine(labels, weights, rules=[])
    assert model.decide(queries, engine="best-first").proven.all()
    alone = model.decide(queries, engine="lazy", backend="highs")
    assert set(alone.status) == {"optimal"} and not alone.proven.any()
    assert all("one solver's word" in note for note in alone.notes)
    families = {family(name) for name in installed()}
    confirmed = model.decide(queries, engine="lazy", backend="highs", proof="data")
    assert confirmed.proven.all() == (len(families) > 1)
    monkeypatch.setattr(data_proof, "installed", lambda: ("highs", "scipy"))
    copies = model.decide(queries, engine="lazy", backend="highs", proof="data")
    assert not copies.proven.any()
    assert all("no independent solver" in note for note in copies.notes)


def test_infeasible_needs_a_proof_or_two_independent_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """If our search gives up, HiGHS and its copy in scipy are one witness, and the query fails with a note."""
    model = unwritten.mine(np.zeros((2, 4), int), rules=[], bounds=(0, 3)).with_rules([([1] * 4, ">=", 13)])
    query = np.ones((1, 4))
    assert model.decide(query, engine="lazy", backend="highs").status[0] == "infeasible"
    monkeypatch.setattr(budgets, "VERIFIED_BOXES_INFEASIBLE", 0)
    if len({family(name) for name in installed()}) > 1:
        assert model.decide(query, engine="lazy", backend="highs").status[0] == "infeasible"
    monkeypatch.setattr("unwritten.solving.session.installed", lambda: ("highs", "scipy"))
    decision = unwritten.Model.decide(model.with_rules([]), query, engine="lazy", backend="highs")[0]
    assert decision.status == "failed"
    assert "independent solver" in decision.note


def test_solvers_that_all_call_it_infeasible_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A label that our search finds outweighs the word of all solvers."""
    for name in installed():
        monkeypatch.setattr(backend_class(name), "solve", lambda *a, **k: Reply(Status.INFEASIBLE))
    model = unwritten.mine(np.eye(6, dtype=int)[:4], rules=[], bounds=(0, 1)).with_rules([([1] * 6, ">=", 2)])
    decision = model.decide(np.ones((1, 6)), engine="lazy")[0]
    assert decision.status == "failed"
    assert "called infeasible a program that has labels" in decision.note
