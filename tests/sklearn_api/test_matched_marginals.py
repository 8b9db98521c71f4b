"""Matched probabilities: nearest to the classifier's, consistent in expectation, and its own where nothing moves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from test_classifier import planted

import unwritten
from unwritten import ConstrainedClassifier
from unwritten.rules import RuleSet
from unwritten.sklearn.matched_marginals import MatchedMarginals


def relative_entropy(q: np.ndarray, p: np.ndarray) -> float:
    """Σ KL(q ‖ p) of independent 0/1 variables."""
    return float((q * np.log(q / p) + (1 - q) * np.log((1 - q) / (1 - p))).sum())


@pytest.mark.parametrize("seed", range(4))
def test_nearest_by_a_general_solver(seed):
    """No probabilities that obey the rules are nearer, by SciPy's solver for constrained programs."""
    rng = np.random.default_rng(seed)
    variables = unwritten.mine(np.eye(5, dtype=int), rules=[], progress=False).variables
    rows = [([1, -1, 0, 0, 0], "<=", 0), ([0, 1, 1, 0, 0], "<=", 1), ([0, 0, 1, 1, 1], "==", 1)]
    matched = MatchedMarginals(RuleSet.of(variables, rows))
    given = rng.uniform(0.05, 0.95, (1, 5))
    found = matched.marginals(given)[0]
    constraints = [
        {"type": "eq" if sense == "==" else "ineq", "fun": lambda q, a=a, b=b: b - np.dot(a, q)} for a, sense, b in rows
    ]
    best = minimize(
        relative_entropy,
        found * 0.9 + 0.05,
        given[0],
        bounds=[(1e-6, 1 - 1e-6)] * 5,
        constraints=constraints,
        tol=1e-12,
    )
    np.testing.assert_allclose(found, best.x, atol=2e-4)
    assert all(abs(b - np.dot(a, found)) < 1e-5 if s == "==" else np.dot(a, found) <= b + 1e-5 for a, s, b in rows)


def test_without_rules_probabilities_are_the_estimators():
    """With no rules mined, predict_proba is the estimator's, bit for bit, also where it is 0 or 1."""
    features, labels = planted(200)
    scorer = OneVsRestClassifier(LogisticRegression())
    model = ConstrainedClassifier(scorer, rules=[]).fit(features, labels)
    np.testing.assert_array_equal(model.predict_proba(features), scorer.fit(features, labels).predict_proba(features))


def test_consistent_probabilities_keep_their_bits():
    """Only samples whose probabilities contradict a rule change, and only in the columns of such rules."""
    variables = unwritten.mine(np.eye(3, dtype=int), rules=[], progress=False).variables
    matched = MatchedMarginals(RuleSet.of(variables, [([1, -1, 0], "<=", 0)]))
    given = np.array([[0.2, 0.3, 0.1], [0.6, 0.3, 1 / 3], [1.0, 0.0, 1 / 7]])
    found = matched.marginals(given)
    np.testing.assert_array_equal(found[0], given[0])
    np.testing.assert_array_equal(found[:, 2], given[:, 2])
    np.testing.assert_allclose(found[1:, 0], found[1:, 1], atol=1e-5)
    assert 0.3 < found[1, 0] < 0.6


def chain(length: int) -> RuleSet:
    """Rules "each variable requires the one before"."""
    variables = unwritten.mine(np.eye(length, dtype=int), rules=[], progress=False).variables
    step = np.eye(length, dtype=int)
    return RuleSet.of(variables, [(step[j] - step[j - 1], "<=", 0) for j in range(1, length)])


@pytest.mark.parametrize("spread", [0.5, 2.0, 6.0])
def test_long_chains_are_isotonic_regression(spread):
    """Along a chain, the nearest log-odds are the isotonic regression of those given, however long the chain is."""
    odds = np.random.default_rng(7).normal(size=(3, 300)) * spread
    found = MatchedMarginals(chain(300)).marginals(expit(odds))
    places = np.arange(300)
    best = [expit(IsotonicRegression(increasing=False).fit_transform(places, row)) for row in odds]
    np.testing.assert_allclose(found, best, atol=1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_forests_and_cycles_obey_the_optimality_conditions(seed):
    """Moved log-odds are a sum of rules with multipliers, positive for inequalities, and only of rules that bind."""
    rng = np.random.default_rng(seed)
    parents = np.array([(j - 1) // 3 for j in range(40)])
    rows = []
    for parent in range(12):
        row = np.zeros(40, dtype=int)
        row[(parents == parent) & (np.arange(40) > 0)], row[parent] = 1, -1
        rows.append((row, ("==", "<=")[rng.integers(2)], 0))
    if seed % 2:
        rows += [(np.eye(40, dtype=int)[a] + np.eye(40, dtype=int)[b], "<=", 1) for a, b in ((3, 8), (8, 20), (3, 20))]
    rules = RuleSet.of(unwritten.mine(np.eye(40, dtype=int), rules=[], progress=False).variables, rows)
    given = expit(2 * rng.normal(size=40))
    found = MatchedMarginals(rules).marginals(given[None])[0]
    over = rules.matrix @ found - rules.rhs
    assert (np.where(rules.equality, np.abs(over), over) < 1e-5).all()
    free = rules.equality | (np.abs(over) < 1e-4)
    low = np.where(rules.equality[free], -np.inf, 0)
    fit = lsq_linear(rules.matrix[free].T.astype(float), logit(given) - logit(found), (low, np.inf), tol=1e-14)
    assert np.abs(fit.fun).max() < 1e-3
