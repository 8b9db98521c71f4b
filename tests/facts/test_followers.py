"""Sentences that follow from facts and others are not said, and nothing that rules say is lost."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import unwritten
from unwritten.facts import LinearFact
from unwritten.facts.followers import without_followers
from unwritten.model import Model
from unwritten.rules import RuleSet, Sentence
from unwritten.tables import Column, Schema


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    start, hours = rng.choice([6, 8, 9, 13], 800), rng.choice([4, 6, 8], 800)
    shift = np.where(start < 9, "early", np.where(start < 13, "day", "late"))
    code = rng.choice(list("abc"), 800)
    return pd.DataFrame({"start": start, "hours": hours, "end": start + hours, "shift": shift, "code": code})


@pytest.fixture(scope="module")
def model(table: pd.DataFrame) -> Model:
    return unwritten.mine(table, types=dict.fromkeys(table.columns, "category"))


def test_what_follows_from_a_sum_is_not_said(model: Model) -> None:
    """Many values of `end` allow one start only, and the sum says that; which shift a start has, it does not say."""
    texts = [sentence.text for sentence in model.sentences]
    assert "end = start + hours" in texts
    assert any("shift" in text and "start" in text for text in texts)
    assert not any("end" in text for text in texts if text != "end = start + hours")


def test_a_row_that_breaks_a_rule_breaks_a_sentence(model: Model, table: pd.DataFrame) -> None:
    """All combinations of known values: whatever the rules refuse, some sentence that is shown refuses."""
    levels = [sorted(table[name].unique()) for name in table.columns]
    rows = pd.DataFrame(list(product(*levels)), columns=table.columns)
    labels = model.schema.encode(pa.Table.from_pandas(rows)).labels
    broken = model.rules.violations(labels).any(axis=1)
    check = model.check(rows)
    assert broken.any()
    assert not check.feasible[broken].any()
    shown = {sentence.id for sentence in model.sentences}
    assert all(check.broken(int(row)) for row in np.flatnonzero(broken))
    assert {each.id for row in np.flatnonzero(broken) for each in check.broken(int(row))} <= shown


def test_dropped_facts_say_nothing(model: Model) -> None:
    """Without the sum, what followed from it is said again."""
    chosen = next(sentence for sentence in model.sentences if sentence.text == "end = start + hours")
    assert len(model.without([chosen.id]).sentences) > len(model.sentences)


def test_wide_sentences_are_not_tried() -> None:
    """A rule about many columns has more combinations of values than memory: it is said, in no time."""
    digits = tuple(str(k) for k in range(9))
    schema = Schema(tuple(Column(f"c{k}", "category", digits, "integer", role="integer") for k in range(14)))
    rules = RuleSet.of(schema.variables, [({f"c{k}=0": 1 for k in range(14)}, "<=", 7)])
    sentence = Sentence("0", "at most 7", "at-most", tuple(f"c{k}" for k in range(14)), (0,), "mined", 9, None)
    assert without_followers([sentence], rules, [LinearFact(("c0", "c1"), (1, -1))], schema) == [sentence]
