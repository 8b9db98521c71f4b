"""Decisions as people see them: one line, a summary, and a table in a notebook."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import unwritten
from unwritten import Decisions
from unwritten.solving.label_text import ENTRIES_SHOWN, label_text

MODEL = unwritten.mine(np.eye(3, dtype=int), rules=["equalities"], names=["red", "green", "<blue>"])
QUERIES = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])


def infeasible() -> Decisions:
    """Decisions about a model that no label obeys."""
    return MODEL.with_rules([([1, 1, 1], "==", 2)]).decide(QUERIES[:1])


def test_one_line() -> None:
    """The representation counts queries, statuses and proofs, or says what one decision is."""
    decided = MODEL.decide(QUERIES)
    assert repr(decided) == "Decisions(2 queries: 2 optimal, 2 proven)"
    assert repr(decided[1]) == "Decision(optimal, proven by rules, value 3: red)"
    assert repr(MODEL.decide(QUERIES[:0])) == "Decisions(0 queries: 0 proven)"
    assert repr(infeasible()) == "Decisions(1 query: 1 infeasible, 0 proven)"
    assert repr(infeasible()[0]) == "Decision(infeasible: no label)"


def test_names_are_optional() -> None:
    """Without names a label is shown as its numbers."""
    decided = replace(MODEL.decide(QUERIES), names=())
    assert decided[1].text == "1 0 0"


def test_long_labels_are_shortened() -> None:
    """Only the first entries are shown, and how many more there are."""
    names = [f"y{j}" for j in range(40)]
    assert label_text(np.arange(40), names).endswith(
        f"y{ENTRIES_SHOWN} = {ENTRIES_SHOWN}, … ({39 - ENTRIES_SHOWN} more)"
    )
    assert label_text(np.ones(40, int)).endswith(f"… ({40 - ENTRIES_SHOWN} more)")
    assert label_text(np.zeros(3, int), names) == "all entries are 0"
    assert label_text(np.ones(ENTRIES_SHOWN, int), names).count(",") == ENTRIES_SHOWN - 1


def test_table_of_a_notebook() -> None:
    """The table has a row per decision, up to twenty, with the names of the label's non-zero entries, escaped."""
    decided = MODEL.decide(QUERIES)
    text = decided._repr_html_()
    assert "2 queries: 2 optimal, 2 proven" in text
    assert all(f">{head}</th>" in text for head in ("label", "value", "bound", "status", "proven by", "engine"))
    assert "&lt;blue&gt;" in text and "<blue>" not in text
    many = MODEL.decide(np.random.default_rng(0).normal(size=(50, 3)))
    assert many._repr_html_().count("<tr>") == 21
    assert "the first 20" in many._repr_html_()
    assert ">infeasible</td>" in infeasible()._repr_html_() and "nan" not in infeasible()._repr_html_()
