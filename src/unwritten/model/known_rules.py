"""The rules that hold before anything is mined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unwritten.data import IntArray, Variables
from unwritten.errors import DataError
from unwritten.facts import Fact, read_written
from unwritten.mining import Lift, defining_rules
from unwritten.mining.facts import broken_counts
from unwritten.rules import DEFINITION, GIVEN, Evidence, Gaps, RuleSet
from unwritten.tables import Schema, Table
from unwritten.tables.quoting import shown


def known_rules(
    prior: object,
    lifts: Sequence[Lift],
    variables: Variables,
    extended: Variables,
    seen: IntArray,
    n: int,
    schema: Schema | None,
) -> RuleSet:
    """The prior rules, the rules "exactly one value per column" of a table, and the rows that define latent variables.

    `seen` are the distinct labels of n examples, with the values of their latent variables as further columns.
    """
    given = given_rules(prior, variables, seen[:, : len(variables)], Evidence(n), schema)
    return given.over(extended) + definitions(lifts, variables, extended, seen, schema)


def definitions(
    lifts: Sequence[Lift], variables: Variables, extended: Variables, seen: IntArray, schema: Schema | None
) -> RuleSet:
    """The rules "exactly one value per column" of a table, and the rows that define latent variables."""
    one_hot = _one_value_per_column(schema, variables)
    return one_hot.over(extended) + defining_rules(lifts, variables, extended, seen)


def given_gaps(prior: object, variables: Variables, seen: IntArray, evidence: Evidence, schema: Schema | None) -> Gaps:
    """The gaps among the prior rules; raise if a seen label breaks one of them."""
    if not isinstance(prior, list | tuple):
        return Gaps(variables)
    gaps = Gaps(variables, read_written(prior, variables, schema).gaps)
    broken = gaps.broken(seen).sum(axis=0)
    if broken.any():
        k = int(np.flatnonzero(broken)[0])
        raise DataError(
            f"{int(broken[k])} of {len(seen)} distinct labels break the prior row “{shown(gaps[k].text)}”: drop that "
            "row, or correct those labels"
        )
    return replace(gaps, entries=tuple(replace(gap, evidence=evidence) for gap in gaps))


def given_facts(prior: object, table: Table) -> list[Fact]:
    """The facts among the prior rules; raise if a row of the table breaks one of them."""
    if not isinstance(prior, list | tuple):
        return []
    facts = read_written(prior, table.schema.variables, table.schema).facts
    broken = broken_counts(facts, table)
    for fact, count in zip(facts, broken, strict=True):
        if count:
            text = shown(fact.words(table.schema))
            raise DataError(
                f"{count} of {table.rows} rows break the prior rule “{text}”: drop that rule, or correct those rows"
            )
    return [replace(fact, evidence=Evidence(table.rows)) for fact in facts]


def given_rules(
    prior: object, variables: Variables, seen: IntArray, evidence: Evidence, schema: Schema | None = None
) -> RuleSet:
    """Turn the prior rows into rules; raise if a seen label breaks one of them."""
    if prior is None:
        return RuleSet.empty(variables)
    if isinstance(prior, RuleSet):
        prior = prior.triples()
    if not isinstance(prior, list | tuple):
        raise DataError(
            "prior must be a RuleSet or a list of (coefficients, sense, right-hand side) triples or sentences"
        )
    given = RuleSet.of(variables, read_written(prior, variables, schema).rows, GIVEN, evidence)
    broken = given.violations(seen)
    if broken.any():
        rule = int(np.flatnonzero(broken.any(axis=0))[0])
        raise DataError(
            f"{int(broken[:, rule].sum())} of {len(seen)} distinct labels break the prior row "
            f"“{shown(given[rule].text)}”: drop that row, or correct those labels"
        )
    return given


def _one_value_per_column(schema: Schema | None, variables: Variables) -> RuleSet:
    blocks = () if schema is None else schema.blocks
    rows = np.zeros((len(blocks), len(variables) + 1), np.int64)
    for row, block in zip(rows, blocks, strict=True):
        row[block], row[-1] = 1, -1
    return RuleSet.of_rows(variables, rows, DEFINITION, None)
