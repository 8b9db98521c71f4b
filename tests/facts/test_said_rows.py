"""Rules that one miner doubts and another one states: they are not both."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import unwritten
from unwritten.facts import LinearFact, Order, RangeWhen, said_by_facts
from unwritten.rules import RuleSet
from unwritten.tables import Schema
from unwritten.tables.column import Column


@pytest.mark.parametrize("rows", [40, 80])
def test_a_stated_sum_is_not_doubtful(rows: int) -> None:
    """Few rows suffice to state a sum of whole columns; the same sum over their values is not doubtful then."""
    rng = np.random.default_rng(1)
    adults, children = rng.integers(0, 6, (2, rows))
    frame = pd.DataFrame({"adults": adults, "children": children, "seats": adults + children})
    model = unwritten.mine(frame.assign(id=[f"r{k:04}" for k in range(rows)]))
    assert "seats = adults + children" in [sentence.text for sentence in model.sentences]
    assert not [sentence.text for sentence in model.doubtful_sentences if set(sentence.columns) > {"adults", "seats"}]


def test_what_facts_say() -> None:
    """A sum says both of its inequalities; an order does not say that two columns are equal."""
    numbers = [Column(name, "integer", role="integer", lower=-9, upper=9) for name in "abc"]
    schema = Schema((*numbers, Column("kind", "category", ("x", "y"))))
    rows = [
        ({"a": 1, "b": 1, "c": -1}, "==", 0),
        ({"a": -2, "b": -2, "c": 2}, "<=", 0),
        ({"a": 1, "b": 1, "c": -1}, "<=", -1),
        ({"a": 1, "b": -1}, "<=", 0),
        ({"a": 1, "b": -1}, "==", 0),
        ({"kind=x": 1}, "<=", 0),
    ]
    facts = [LinearFact(("c", "a", "b"), (1, -1, -1)), Order("a", "b"), RangeWhen("kind", "x", "a", 0, 3)]
    said = said_by_facts(RuleSet.of(schema.variables, rows), facts, schema)
    assert said.tolist() == [True, True, False, True, False, False]
