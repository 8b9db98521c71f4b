"""What rules look like in a notebook and at a prompt."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from unwritten import Evidence, RuleSet, Variables
from unwritten.rules import MINED

ABC = Variables.named("abc")
RULES = RuleSet.of(ABC, [([1, 1, 1], "==", 1), ([1, -1, 0], "<=", 0)])


def rows(table: str) -> list[list[str]]:
    """The texts of the cells, row by row, heads first."""
    return [[cell.text or "" for cell in row] for row in ElementTree.fromstring(table).iter("tr")]


def caption(table: str) -> str | None:
    """The caption of a table."""
    return ElementTree.fromstring(table).findtext("caption")


def test_reprs_are_one_line() -> None:
    """Sets say how large they are, rules what they say, evidence what was counted."""
    assert repr(RULES) == "RuleSet(2 rules over 3 variables)"
    assert repr(RuleSet.of(Variables.named("a"), [([1], "==", 1)])) == "RuleSet(1 rule over 1 variable)"
    assert repr(RULES[0]) == "Rule('exactly one of a, b, c')"
    assert repr(Evidence(1)) == "Evidence(1 example, any number will, 0.0 % sure it is not an accident)"
    assert str(Evidence(1000, 2, 0.5)) == (
        "1,000 examples, 2 break it, at most 1 in 159 will, >99.9 % sure it is not an accident"
    )
    assert str(Evidence(10, 1, 0.5)) == (
        "10 examples, 1 breaks it, at most 1 in 2 will, 97.5 % sure it is not an accident"
    )
    assert repr(Evidence(5, chance=0.5)) == "Evidence(5 examples, any number will, 96.9 % sure it is not an accident)"


def test_a_rule_set_is_a_table() -> None:
    """One row per rule; rules that were given have no evidence."""
    mined = RuleSet.of(ABC, [([0, 1, 1], "<=", 1)], MINED, Evidence(5, chance=0.5))
    table = (RULES + mined)._repr_html_()
    assert caption(table) == "3 rules over 3 variables"
    assert rows(table) == [
        ["rule", "kind", "origin", "evidence"],
        ["exactly one of a, b, c", "exactly", "given", ""],
        ["a requires b", "implies", "given", ""],
        ["at most one of b, c", "at-most", "mined", "5 examples, any number will, 96.9 % sure it is not an accident"],
    ]
    assert rows(RULES[1]._repr_html_()) == [rows(table)[0], rows(table)[2]]


@pytest.mark.parametrize(("n", "shown", "more"), [(50, 50, None), (53, 50, "the first 50, and 3 more")])
def test_large_sets_show_the_first_rules(n: int, shown: int, more: str | None) -> None:
    """At most 50 rules are shown, and the caption says how many are not."""
    table = RuleSet.of(ABC, [([1, 0, 0], "<=", k) for k in range(n)])._repr_html_()
    assert len(rows(table)) == shown + 1
    assert (more or "") in (caption(table) or "")
    assert (more is None) == ("more" not in (caption(table) or ""))


def test_names_are_escaped() -> None:
    """Names from data cannot add markup."""
    rules = RuleSet.of(Variables.named(["<script>", "b&c"]), [([1, 1], "<=", 1)])
    assert "<script>" not in rules._repr_html_()
    assert rows(rules._repr_html_())[1][0] == "at most one of <script>, b&c"


def test_evidence_is_a_table_of_measures() -> None:
    """Each measure has a name in words."""
    table = dict(rows(Evidence(200, 4, 0.5, 3.0)._repr_html_()))
    assert table["examples"] == "200"
    assert table["examples that break the rule"] == "4"
    assert table["examples that would break it by chance"] == "100.0"
    assert table["how sure it is not an accident"] == ">99.9 %"
