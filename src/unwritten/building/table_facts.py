"""Table facts: rules about whole columns, and what is left out of the others because of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unwritten.facts import said_by_facts
from unwritten.mining.facts import (
    Sample,
    accidents,
    drawn,
    listed_codes,
    mine_facts,
    mine_noisy_facts,
    rest_on_copies,
    seen_together,
)
from unwritten.model import Model
from unwritten.model.edits import joined_facts
from unwritten.model.known_rules import given_facts
from unwritten.options import MiningOptions
from unwritten.tables import Table


def with_facts(model: Model, table: Table, options: MiningOptions) -> Model:
    """Return the model with the facts of its table; despite noise, rows that break one are the first suspects."""
    given = given_facts(options.prior, table)
    if options.noise_rate == 0:
        sample = drawn(table)
        model = replace(model, facts=joined_facts(given, mine_facts(table, options.confidence, sample, options.effort)))
        model = _without_repeated_doubt(without_accidents(model, sample, options.confidence))
        if model.total is not None or model.schema is None:
            return model
        rare = seen_together(model.schema, model.seen, model.counts, model.rules)
        return replace(model, facts=(*model.facts, *rare))
    noisy = mine_noisy_facts(table, options.confidence, options.noise_rate, options.effort)
    suspects = list(dict.fromkeys([*noisy.suspects.tolist(), *model.suspects.tolist()]))
    facts = joined_facts(given, noisy.facts)
    return _without_repeated_doubt(replace(model, facts=facts, suspects=np.array(suspects, np.int64)))


def _without_repeated_doubt(model: Model) -> Model:
    """The model without doubtful rules that facts state: what one miner doubts, another one is sure of."""
    if model.schema is None or not len(model.doubtful):
        return model
    return replace(model, doubtful=model.doubtful[~said_by_facts(model.doubtful, model.facts, model.schema)])


def without_accidents(model: Model, sample: Sample, confidence: float) -> Model:
    """The model without rules that rest on rows which repeat others, and without lists of codes."""
    schema = model.schema
    if schema is None or not len(model.rules):
        return model
    copied = rest_on_copies(model.rules, schema, sample, model.facts, confidence)
    unsaid = listed_codes(model.rules, schema) | copied  # dependencies say what they say
    if unsaid.any():
        model = replace(model, rules=model.rules[~unsaid], redundant=model.redundant[:0])
    doubtful = accidents(model.rules, schema, sample, confidence)
    if not doubtful.any():
        return model
    count = int(doubtful.sum())
    are = "rule is" if count == 1 else "rules are"
    note = f"{count:,} {are} left out: they rest on rows that repeat the ones before"
    return replace(model, rules=model.rules[~doubtful], redundant=model.redundant[:0], notes=(*model.notes, note))
