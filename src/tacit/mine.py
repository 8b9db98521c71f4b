"""The door: from examples to a model. Whoever reads this function knows the method."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tacit.data import Examples, IntArray, Variables
from tacit.errors import DataError
from tacit.mining import (
    Tally,
    defining_rules,
    equalities,
    fit_lifts,
    gram_of,
    lifted_labels,
    lifted_variables,
    outer_cuts,
)
from tacit.model import Model
from tacit.rules import GIVEN, MINED, Evidence, RuleSet

MINERS = ("equalities",)
AUTO = ("equalities",)


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
        "auto", or the names of miners: ["equalities"] is the paper's Outer+EQ, [] its Outer.
    slack
        "auto" (computed where labels are not optimal for their weights), 0, or one value per example.
    prior
        Rows already known: a RuleSet, or triples such as ([1, 1, 0], "<=", 1).
    lifts
        Latent variables: "pairs", or objects of your own.
    names, bounds
        Names of the columns, and a pair (lower, upper); read off the data by default.

    Examples
    --------
    >>> model = mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]], names=["red", "green", "blue"])
    >>> print(model.rules)
    exactly one of red, green, blue
    >>> model.predict([[0.2, 0.9, 0.4]])
    array([[0, 1, 0]])
    """
    examples = Examples.of(labels, weights, sense=sense, names=names, bounds=bounds)
    return mine_tally(examples, Tally.of(examples.labels), rules=rules, slack=slack, prior=prior, lifts=lifts)


def mine_tally(
    examples: Examples,
    tally: Tally,
    *,
    rules: str | Sequence[str] = "auto",
    slack: object = "auto",
    prior: object = None,
    lifts: Any = (),
) -> Model:
    """The same from a tally (which may be merged from many), with the examples that the cuts are made of."""
    miners = chosen_miners(rules)
    variables = examples.variables
    fitted = fit_lifts(lifts, tally.seen, variables)
    extended = lifted_variables(fitted, variables)
    seen = lifted_labels(fitted, tally.seen)
    evidence = Evidence(tally.n)
    given = given_rules(prior, variables, tally.seen, evidence).over(extended)
    known = given + defining_rules(fitted, variables, extended, seen)
    found = RuleSet.empty(extended)
    if "equalities" in miners:
        if tally.n < 2:
            raise DataError(
                "one example cannot show a rule: give at least two, or rules=[] to use only the cut of its weights"
            )
        gram = gram_of(seen) if fitted else tally.gram
        found = RuleSet.of_equalities(extended, equalities(gram, known.rows), MINED, evidence)
    cuts = outer_cuts(examples, tally.seen, slack)
    return Model(variables, known + found, cuts, tally.seen, tally.counts, examples.sense, fitted)


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
