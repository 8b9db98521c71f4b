"""Evidence: bounds that cover, forecasts that come true, and a summary that says both."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import unwritten
from unwritten import Evidence, RuleSet
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.evidence.model_evidence import ModelEvidence
from unwritten.forecast import forecast
from unwritten.samples import trees


def at(n: int, violations: int, **more: float) -> Evidence:
    """The evidence of n examples."""
    return Evidence(n, violations, **more)


@pytest.mark.parametrize("n", [1, 2, 10, 60])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
@pytest.mark.parametrize("price", [0.0, 2.0])
def test_bound_covers_by_the_binomial_law(n: int, confidence: float, price: float) -> None:
    """For every share p of labels that break a rule, the bound is at least p with the promised probability."""
    bounds = np.array([at(n, v, price=price).bound(confidence) for v in range(n + 1)])
    assert n < 10 or (np.diff(bounds) > 0).all()
    assert ((bounds >= 0) & (bounds <= 1)).all()
    for p in np.linspace(0.001, 0.999, 60):
        covered = binom.pmf(np.arange(n + 1), n, p)[bounds >= p - 1e-12].sum()
        assert covered >= 1 - (1 - confidence) * exp(-price) - 1e-9


def test_bound_depends_on_examples_confidence_and_price() -> None:
    """The bound shrinks as 1/n, grows with confidence and price, and is 1 without examples."""
    assert at(1000, 0).bound() == pytest.approx(1 - 0.05 ** (1 / 1000), rel=0.01)
    assert at(1000, 5).bound() == pytest.approx(binom_upper(5, 1000, 0.05), abs=1e-9)
    assert at(100, 0).bound(0.99) > at(100, 0).bound(0.9) > at(100, 0).bound(0.0) == 0.0
    assert at(100, 0, price=3.0).bound() > at(100, 0).bound()
    assert at(100, 3, price=3.0).bound() > at(100, 3).bound()
    assert at(0, 0).bound() == at(5, 5).bound() == at(5, 0).bound(1.0) == at(5, 2).bound(1.0) == 1.0


def binom_upper(violations: int, n: int, doubt: float) -> float:
    """By bisection, the p at which at most this number of violations has probability `doubt`."""
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if binom.cdf(violations, n, middle) > doubt else (low, middle)
    return low


@pytest.mark.parametrize("chance", [0.2, 0.7, 0.95])
@pytest.mark.parametrize("price", [0.0, 1.5])
def test_confidence_is_a_bound_on_accidents(chance: float, price: float) -> None:
    """If labels obey a rule by chance only, evidence of m nats occurs with probability at most e^−(m + price)."""
    for n in (1, 5, 40):
        nats = np.array([at(n, v, chance=chance, price=price).nats for v in range(n + 1)])
        law = binom.pmf(np.arange(n + 1), n, 1 - chance)
        assert (np.diff(nats) <= 1e-9).all()
        for m in (0.0, 0.5, 1.0, 3.0, 6.0):
            assert law[nats > m].sum() <= exp(-m - price) + 1e-12
        assert nats[0] == pytest.approx(-n * log(chance) - price)
        confidence = [at(n, v, chance=chance, price=price).confidence for v in range(n + 1)]
        assert confidence == pytest.approx([1 - exp(-max(0.0, m)) for m in nats])


def test_evidence_at_the_ends() -> None:
    """No examples, certain rules and impossible ones give numbers, not errors."""
    assert at(0, 0, price=2.0).nats == -2.0
    assert at(10, 0).confidence == 0.0
    assert at(10, 0, chance=0.0).confidence == 1.0
    assert at(10, 10, chance=0.5).confidence == 0.0
    assert np.isfinite(at(10, 3, chance=0.0).nats)
    assert at(10, 3, chance=1.0).nats == 0.0
    assert (at(10, 3).support, at(10, 3).lemma2, at(0, 0).lemma2) == (7, 1.0, 1.0)
    assert at(10, 0).lemma2 == pytest.approx(1 / (np.e * 10))


def test_bounds_of_all_mined_rules_hold_at_once() -> None:
    """In 95 % of the draws, no mined pair, however doubtful, is broken more often than its bound says."""
    missed = mined = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        every = np.array(np.meshgrid(*[[0, 1]] * 5, indexing="ij")).reshape(5, -1).T
        share = rng.dirichlet(np.ones(32) * 0.15)
        labels = every[rng.choice(32, 200, p=share)]
        rules = unwritten.mine(labels, rules=["pairs"], bounds=(0, 1), confidence=0).rules
        breaks = share @ rules.violations(every)
        bounds = [rule.evidence.bound() for rule in rules if rule.evidence is not None]
        assert len(bounds) == len(rules)
        missed += bool((breaks > np.array(bounds)).any()) if len(rules) else False
        mined += len(rules)
    assert missed <= 5
    assert mined > 20


def drawn(n: int, seed: int, kinds: int = 60) -> tuple[IntArray, np.ndarray, IntArray]:
    """One-hot labels with unequal shares, those shares, and the kinds drawn."""
    share = 1 / np.arange(1, kinds + 1)
    share /= share.sum()
    which = np.random.default_rng(seed).choice(kinds, n, p=share)
    return np.eye(kinds, dtype=np.int64)[which], share, which


def evidence_of(labels: IntArray) -> ModelEvidence:
    """The evidence of a model without rules."""
    return unwritten.mine(labels, rules=[]).evidence


def test_unseen_is_the_missing_mass() -> None:
    """The Good–Turing estimate and the forecast for twice the examples are right on average; the bound holds."""
    errors, later, covered = [], [], 0
    for seed in range(150):
        labels, share, which = drawn(200, seed)
        evidence = evidence_of(labels[:100])
        missing = 1 - share[np.unique(which[:100])].sum()
        errors.append(evidence.unseen - missing)
        later.append(evidence.inner_accuracy_after(100) - share[np.unique(which)].sum())
        covered += missing <= evidence.unseen_bound()
        assert evidence.inner_accuracy == 1 - evidence.unseen
    assert abs(np.mean(errors)) < 3 * np.std(errors) / np.sqrt(150) + 0.005
    assert abs(np.mean(later)) < 0.03
    assert covered >= 0.95 * 150


def test_forecasts_of_more_examples_stay_in_range() -> None:
    """A forecast is at least today's accuracy and at most 1, and stays the same beyond twice the examples."""
    for seed in range(10):
        evidence = evidence_of(drawn(80, seed)[0])
        now, later, much_later = (evidence.inner_accuracy_after(more) for more in (0, 80, 10**6))
        assert evidence.inner_accuracy == pytest.approx(now)
        assert now <= later == much_later <= 1
    assert evidence_of(np.repeat(np.eye(3, dtype=np.int64), 50, axis=0)).inner_accuracy_after(150) == 1.0


def test_breaks_counts_critical_examples() -> None:
    """`breaks` is the share of critical examples, and 0 without mined equalities."""
    labels = np.array([[0, 0, 0]] * 5 + [[1, 1, 0]] * 4 + [[0, 1, 1]])
    model = unwritten.mine(labels, rules=["equalities"])
    assert model.evidence.breaks == pytest.approx(0.1)
    assert 0.1 < model.evidence.breaks_bound() <= 1
    assert model.evidence.breaks_bound(0.5) <= model.evidence.breaks_bound(0.99)
    assert unwritten.mine(labels, rules=[]).evidence.breaks == 0.0


def test_breaks_bound_covers_fresh_labels() -> None:
    """The share of fresh labels that break a rule is at most the bound."""
    missed = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        share = rng.uniform(0, 0.1)
        pool = trees.sample(4, 600, seed)[1]
        pool[rng.random(600) < share, :] = [1, 1, 1, 1, 0, 0]
        model = unwritten.mine(pool[:60], rules=["equalities"])
        broken = model.rules.violations(pool[60:]).any(axis=1).mean()
        missed += float(broken) > model.evidence.breaks_bound() + 0.02
    assert missed <= 3


def test_weakest_is_the_least_confident_mined_rule() -> None:
    """`weakest` ignores given rules, and is 1 without mined rules."""
    labels = np.eye(3, dtype=np.int64).repeat(60, axis=0)
    model = unwritten.mine(labels, rules=["groups", "pairs"], prior=[([1, 0, 0], "<=", 1)])
    values = [rule.evidence.confidence for rule in model.rules if rule.origin == "mined" and rule.evidence]
    assert model.evidence.weakest == min(values)
    assert unwritten.mine(labels, rules=[]).evidence.weakest == 1.0


def test_summary_says_what_is_known() -> None:
    """Each line of the summary has its number, and lines that do not apply are left out."""
    labels = np.eye(4, dtype=np.int64).repeat(60, axis=0)
    text = unwritten.mine(labels).evidence.summary().splitlines()
    assert text[0] == "240 examples, 4 distinct labels, 0 seen once"
    assert text[1].startswith("the next label is unseen with probability 0.0 %")
    assert "the best seen label answers 100.0 % of fresh queries" in text[2]
    assert text[3].startswith("the next label breaks a mined equality with probability 0.0 % (at most ")
    assert text[4].startswith("1 rule mined; with ")
    assert len(text) == 5
    assert len(str(unwritten.mine(labels, rules=[]).evidence).splitlines()) == 3


def test_evidence_survives_a_file(tmp_path: Any) -> None:
    """Chance, price and violations are saved to the last bit."""
    labels = np.eye(4, dtype=np.int64).repeat(60, axis=0)
    model = unwritten.mine(labels)
    model.save(tmp_path / "a.rules")
    assert unwritten.load(tmp_path / "a.rules").rules.evidence == model.rules.evidence
    assert model.rules.evidence[0] is not None
    assert 0 < model.rules.evidence[0].chance < 1


# --- forecast -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("rules", [[], ["equalities"]], ids=["cuts", "equalities"])
def test_forecasts_come_true(sense: str, rules: list[str]) -> None:
    """From 60 trees of four nodes: the shares of fresh queries answered rightly are within three error bars."""
    weights, labels = trees.sample(4, 1060, seed=1)
    if sense == "min":
        weights = -weights
    prediction = forecast(labels[:60], weights[:60], sense=sense, rules=rules)
    model = unwritten.mine(labels[:60], weights[:60], sense=sense, rules=rules)
    best = (weights * labels).sum(axis=1)[60:]
    for engine, forecast_share in (("auto", prediction.outer), ("inner", prediction.inner)):
        values = model.decide(weights[60:], engine=engine).values
        truth = float((np.abs(values - best) < 1e-6).mean())
        assert abs(truth - forecast_share) <= 1.5 * max(prediction.error, 0.06), (engine, truth, forecast_share)
    assert prediction.examples == 60
    assert 0 < prediction.error < 0.5


def test_forecasts_tell_models_apart() -> None:
    """Better rules are forecast to answer better, and the same call gives the same forecast."""
    weights, labels = trees.sample(5, 60, seed=0)
    none, some = forecast(labels, weights, rules=[]), forecast(labels, weights, rules=["equalities"])
    assert none.outer < some.outer
    assert none.inner == some.inner
    assert forecast(labels, weights, rules=[]) == none


def test_forecast_takes_the_options_of_mine() -> None:
    """`forecast` accepts names, bounds, slack per example, prior rules and data frames, as `mine` does."""
    weights, labels = trees.sample(4, 40, seed=0)
    names = trees.names(4)
    plain = forecast(labels, weights, rules=["equalities"])
    frames = pd.DataFrame(labels, columns=names), pd.DataFrame(weights, columns=names)
    prior = [({"0-1": 1, "0-2": 1}, "<=", 2)]
    for options in (
        {"bounds": (0, 1)},
        {"names": names},
        {"names": names, "prior": prior},
        {"slack": np.zeros(40)},
        {"slack": [0.0] * 40},
        {"slack": 0},
    ):
        assert forecast(labels, weights, rules=["equalities"], **options) == plain, options
    assert forecast(*frames, rules=["equalities"], prior=prior) == plain


def test_forecast_refuses_what_it_cannot_do() -> None:
    """Without weights, or from too few examples, there is no forecast, and the message says what to give."""
    weights, labels = trees.sample(4, 19, seed=0)
    with pytest.raises(DataError, match="a forecast needs the weights that labels were decided for: give weights"):
        forecast(labels, None)
    with pytest.raises(DataError, match="19 examples are too few for a forecast: give at least 20"):
        forecast(labels, weights)
    with pytest.raises(DataError, match="bounds must be a pair"):
        forecast(labels, weights, bounds=3)


def test_forecast_in_words() -> None:
    """The text of a forecast has both shares and the error bar."""
    weights, labels = trees.sample(4, 30, seed=0)
    prediction = forecast(labels, weights, rules=["equalities"])
    assert str(prediction).startswith("from 30 examples: the best seen label is right on ")
    assert f"rules and cuts on {100 * prediction.outer:.1f} ± {100 * prediction.error:.1f} %" in str(prediction)


def test_rules_say_their_evidence() -> None:
    """A rule that some examples break says how many in its text."""
    variables = unwritten.Variables.named("ab")
    rules = RuleSet.of(variables, [([1, 1], "<=", 1)], "mined", Evidence(50, 2, 0.75))
    assert rules[0].text == "at most one of a, b (noisy: 2 of 50 examples break it)"
    assert RuleSet.of(variables, [([1, 1], "<=", 1)], "mined", Evidence(50))[0].text == "at most one of a, b"


def test_expected_violations() -> None:
    """A missing pair of columns with shares 1/2 and 1/4 was expected in an eighth of the examples."""
    rng = np.random.default_rng(0)
    first = rng.random(400) < 0.5
    second = ~first & (rng.random(400) < 0.5)
    (rule,) = unwritten.mine(np.column_stack([first, second]).astype(int), rules=["pairs"]).rules
    assert rule.evidence is not None
    assert rule.evidence.expected == pytest.approx(400 * first.mean() * second.mean())
