"""Assembly: from examples and their tally to a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from unwritten.data import Examples, IntArray, Variables
from unwritten.errors import DataError
from unwritten.mining import (
    AUTO,
    MINERS,
    Cuts,
    Ladder,
    defining_rules,
    fit_lifts,
    lifted_labels,
    lifted_variables,
    outer_cuts,
)
from unwritten.model import Model
from unwritten.model.edit import written_rules
from unwritten.rules import DEFINITION, GIVEN, Evidence, RuleSet
from unwritten.tables import Schema
from unwritten.tables.quoting import shown
from unwritten.tally import Symmetry, Tally


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
    schema: Schema | None = None,
    cuts: Cuts | None = None,
) -> Model:
    """The same from a tally (which may be merged from many), with the examples that the cuts are made of.

    Where the cuts are made already, the examples need not be all.
    """
    blocks, alike = ((), None) if schema is None else (schema.blocks, schema.alike)
    ladder = Ladder(chosen_miners(rules), rules == "auto", checked_confidence(confidence), blocks, alike)
    variables = examples.variables
    symmetry = Symmetry.of(symmetries, variables)
    if len(symmetry):
        if cuts is not None:
            raise DataError("images of cuts are made in memory: use cuts='memory' with symmetries")
        if not isinstance(slack, str | Real):
            raise DataError("with symmetries, slack is 'auto' or one number for all: images have no slack of their own")
        tally, examples = symmetry.tally(tally), symmetry.examples(examples)
        variables = examples.variables
    fitted = fit_lifts(lifts, tally.seen, variables)
    extended = lifted_variables(fitted, variables)
    seen = lifted_labels(fitted, tally.seen)
    given = given_rules(prior, variables, tally.seen, Evidence(tally.n), schema).over(extended)
    known = given + _one_hot(schema, variables).over(extended) + defining_rules(fitted, variables, extended, seen)
    mined = ladder.climb(tally, seen, known, examples)
    if alike is not None and alike.any():  # all groups of a grid are told, though some follow from the others
        mined = replace(mined, rules=mined.rules + mined.redundant, redundant=mined.redundant[:0])
    return Model(
        variables,
        known + mined.rules,
        mined.redundant,
        outer_cuts(examples, tally.seen, slack) if cuts is None else cuts,
        tally.seen,
        tally.counts,
        examples.sense,
        fitted,
        mined.notes,
        mined.matroid,
        schema=schema,
    )


def _one_hot(schema: Schema | None, variables: Variables) -> RuleSet:
    """Exactly one value in each column of a table."""
    blocks = () if schema is None else schema.blocks
    rows = np.zeros((len(blocks), len(variables) + 1), np.int64)
    for row, block in zip(rows, blocks, strict=True):
        row[block], row[-1] = 1, -1
    return RuleSet.of_rows(variables, rows, DEFINITION, None)


def checked_confidence(confidence: object) -> float:
    """A share from 0 to below 1."""
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


def given_rules(
    prior: object, variables: Variables, seen: IntArray, evidence: Evidence, schema: Schema | None = None
) -> RuleSet:
    """The prior rows as rules, refused if a label breaks one of them."""
    if prior is None:
        return RuleSet.empty(variables)
    if isinstance(prior, RuleSet):
        prior = prior.triples()
    if not isinstance(prior, list | tuple):
        raise DataError(
            "prior must be a RuleSet or a list of (coefficients, sense, right-hand side) triples or sentences"
        )
    given = RuleSet.of(variables, written_rules(prior, variables, schema), GIVEN, evidence)
    broken = given.violations(seen)
    if broken.any():
        rule = int(np.flatnonzero(broken.any(axis=0))[0])
        raise DataError(
            f"{int(broken[:, rule].sum())} of {len(seen)} distinct labels break the prior row "
            f"“{shown(given[rule].text)}”: drop that row, or correct those labels"
        )
    return given
