"""The door: from examples to a model. Whoever reads this function knows the method."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from tacit.data import BoolArray, Examples, IntArray, Variables
from tacit.errors import DataError
from tacit.mining import (
    AUTO,
    MINERS,
    Ladder,
    Symmetry,
    Tally,
    defining_rules,
    fit_lifts,
    lifted_labels,
    lifted_variables,
    outer_cuts,
)
from tacit.mining.noise import suspects
from tacit.mining.weigh import Scale
from tacit.model import Model
from tacit.rules import GIVEN, MINED, Evidence, RuleSet


def mine(
    labels: object,
    weights: object = None,
    *,
    sense: str = "max",
    rules: str | Sequence[str] = "auto",
    slack: object = "auto",
    prior: object = None,
    lifts: Any = (),
    names: Sequence[str] | None = None,
    bounds: tuple[Sequence[int] | int, Sequence[int] | int] | None = None,
    confidence: float = 0.95,
    symmetries: object = (),
    noise: float | str = 0,
) -> Model:
    """Mine the rules that all labels obey, and the cuts that their weights imply.

    Parameters
    ----------
    labels
        Decided labels, n × d integers: an array, a scipy.sparse matrix, or a data frame.
    weights
        The weights each label was optimal for (n × d), if known.
    sense
        Whether labels maximise ("max") or minimise ("min") their weights.
    rules
        "auto" (what the examples support), or names of miners: "groups", "equalities", "pairs", "matroid", "covers",
        "ranks".
        ["equalities"] is the paper's Outer+EQ, [] its Outer.
    slack
        "auto" (computed where labels are not optimal for their weights), 0, or one value per example.
    prior
        Rows already known: a RuleSet, or triples such as ([1, 1, 0], "<=", 1).
    lifts
        Latent variables: "pairs", or objects of your own.
    names, bounds
        Names of the columns, and a pair (lower, upper); read off the data by default.
    confidence
        How sure a rule must be that it is no accident of the examples. Only "equalities" by name take no heed of it.
    symmetries
        Permutations of the variables that turn decided labels into others that could have been decided: each example
        then stands for all its images. Lists of places, mappings, or `interchangeable(...)` and `relabelled(...)`.

    noise
        The share of examples that may be wrong, or "auto" to estimate it. Rules then hold on all but so many; the
        examples that break one are the model's `suspects`, and nothing is called proven if there are any.

    Examples
    --------
    >>> model = mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 2, names=["red", "green", "blue"])
    >>> print(model.rules)
    exactly one of red, green, blue
    >>> model.predict([[0.2, 0.9, 0.4]])
    array([[0, 1, 0]])
    """
    examples = Examples.of(labels, weights, sense=sense, names=names, bounds=bounds)
    options: dict[str, Any] = {
        "rules": rules,
        "slack": slack,
        "prior": prior,
        "lifts": lifts,
        "confidence": confidence,
        "symmetries": symmetries,
    }
    if _rate(noise) == 0:
        return mine_tally(examples, Tally.of(examples.labels), **options)
    return _mine_noisy(examples, _rate(noise), options)


def _mine_noisy(examples: Examples, rate: float | None, options: dict[str, Any]) -> Model:
    """Set suspect rows aside, mine the others exactly, and keep the rules that all but the wrong share obey."""
    if len(Symmetry.of(options["symmetries"], examples.variables)):
        raise DataError("noise and symmetries do not go together yet: declare one of them")
    found = suspects(examples.labels, rate)
    clean, slack = examples[~found.rows], options["slack"]
    model = mine_tally(clean, Tally.of(clean.labels), **options | {"slack": _some(slack, ~found.rows)})
    broken = model.rules.violations(lifted_labels(model.lifts, examples.labels))
    share = max(found.rate, float(found.rows.mean())) if rate is None else rate
    kept = broken.mean(axis=0) <= share
    kept |= np.array([origin != MINED for origin in model.rules.origins], bool)
    wrong: BoolArray = np.asarray(broken[:, kept].any(axis=1))
    if model.matroid is not None:
        wrong |= ~model.matroid.is_basis(examples.labels)
    right = examples[~wrong]
    tally, whole = Tally.of(right.labels), Tally.of(examples.labels)
    count = broken[:, kept].sum(axis=0)
    weighed = Scale(whole, lifted_labels(model.lifts, whole.seen)).weighed(model.rules[kept], count)
    evidence = zip(count, weighed.evidence, model.rules[kept].evidence, strict=True)
    return replace(
        model,
        rules=replace(weighed, evidence=tuple(new if breaks else old for breaks, new, old in evidence)),
        redundant=model.redundant if kept.all() else model.redundant[:0],
        cuts=outer_cuts(right, tally.seen, _some(slack, ~wrong)),
        seen=tally.seen,
        counts=tally.counts,
        suspects=np.flatnonzero(wrong),
    )


def _some(slack: object, rows: BoolArray) -> object:
    """The slack of some examples: a word, one number for all, or theirs."""
    return slack if isinstance(slack, str | Real) else np.asarray(slack)[rows]


def _rate(noise: object) -> float | None:
    """The share of wrong examples; None to estimate it."""
    if isinstance(noise, str) and noise == "auto":
        return None
    if isinstance(noise, bool) or not isinstance(noise, Real) or not 0 <= float(noise) < 0.5:
        raise DataError(f"noise is {noise!r}: use a share from 0 to below 0.5, or 'auto'")
    return float(noise)


def mine_tally(
    examples: Examples,
    tally: Tally,
    *,
    rules: str | Sequence[str] = "auto",
    slack: object = "auto",
    prior: object = None,
    lifts: Any = (),
    confidence: float = 0.95,
    symmetries: object = (),
) -> Model:
    """The same from a tally (which may be merged from many), with the examples that the cuts are made of."""
    ladder = Ladder(chosen_miners(rules), automatic=rules == "auto", confidence=_checked(confidence))
    variables = examples.variables
    symmetry = Symmetry.of(symmetries, variables)
    if len(symmetry):
        if not isinstance(slack, str | Real):
            raise DataError("with symmetries, slack is 'auto' or one number for all: images have no slack of their own")
        tally, examples = symmetry.tally(tally), symmetry.examples(examples)
        variables = examples.variables
    fitted = fit_lifts(lifts, tally.seen, variables)
    extended = lifted_variables(fitted, variables)
    seen = lifted_labels(fitted, tally.seen)
    given = given_rules(prior, variables, tally.seen, Evidence(tally.n)).over(extended)
    known = given + defining_rules(fitted, variables, extended, seen)
    mined = ladder.climb(tally, seen, known, examples)
    cuts = outer_cuts(examples, tally.seen, slack)
    return Model(
        variables,
        known + mined.rules,
        mined.redundant,
        cuts,
        tally.seen,
        tally.counts,
        examples.sense,
        fitted,
        mined.notes,
        mined.matroid,
    )


def _checked(confidence: object) -> float:
    if isinstance(confidence, bool) or not isinstance(confidence, Real) or not 0 <= float(confidence) < 1:
        raise DataError(f"confidence is {confidence!r}: use a share from 0 to below 1, such as 0.95")
    return float(confidence)


def chosen_miners(rules: str | Sequence[str]) -> tuple[str, ...]:
    """The names of the miners to run."""
    if isinstance(rules, str):
        rules = AUTO if rules == "auto" else (rules,)
    if not isinstance(rules, Iterable):
        raise DataError(f"rules is {rules!r}: use 'auto', [] or names from {', '.join(MINERS)}")
    unknown = [name for name in rules if name not in MINERS]
    if unknown:
        raise DataError(f"there is no miner {unknown[0]!r}: use 'auto', [] or names from {', '.join(MINERS)}")
    return tuple(rules)


def given_rules(prior: object, variables: Variables, seen: IntArray, evidence: Evidence) -> RuleSet:
    """The prior rows as rules, refused if a label breaks one of them."""
    if prior is None:
        return RuleSet.empty(variables)
    if isinstance(prior, RuleSet):
        prior = prior.triples()
    if not isinstance(prior, list | tuple):
        raise DataError("prior must be a RuleSet or a list of (coefficients, sense, right-hand side) triples")
    given = RuleSet.of(variables, prior, GIVEN, evidence)
    broken = given.violations(seen)
    if broken.any():
        rule = int(np.flatnonzero(broken.any(axis=0))[0])
        raise DataError(
            f"{int(broken[:, rule].sum())} of {len(seen)} distinct labels break the prior row "
            f"“{given[rule].text}”: drop that row, or correct those labels"
        )
    return given
