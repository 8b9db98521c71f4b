"""Differences of two models: small cases by hand, and every "implied" checked against brute force."""

import json
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unwritten
from unwritten.data import Variables
from unwritten.errors import DataError
from unwritten.mining import Cuts
from unwritten.model import Model
from unwritten.review import Difference, diff
from unwritten.review.implied import ImpliedRows
from unwritten.rules import DEFINITION, RuleSet
from unwritten.tables import Column, Schema, Table

TRIM = Column("trim", "category", ("base", "sport"))
ENGINE = Column("engine", "category", ("A", "B", "C"))
ROOF = Column("roof", "boolean", ("no", "yes"))
SEATS = Column("seats", "integer", (), "integer", 2, 7)
PLAIN = (TRIM, ENGINE, ROOF, SEATS)


def model_of(columns: tuple[Column, ...], *rules: Any) -> Model:
    """A model of a table with these rules, built without mining."""
    schema = Schema(columns)
    variables = schema.variables
    ones = [({variables.names[j]: 1 for j in block}, "==", 1) for block in schema.blocks]
    nothing = np.zeros((0, len(variables)), np.int64)
    model = Model(
        variables,
        RuleSet.of(variables, ones, DEFINITION),
        RuleSet.empty(variables),
        Cuts.none(len(variables)),
        nothing,
        nothing[:, 0],
        schema=schema,
    )
    return model.with_rules(rules)


def texts(difference: Difference) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    changed = [(old.text, new.text) for old, new in difference.changed]
    return [s.text for s in difference.gained], [s.text for s in difference.lost], changed


def levels(column: Column, *more: str) -> Column:
    return Column(column.name, "category", (*(str(level) for level in column.levels), *more))


def test_a_model_is_the_same_as_itself() -> None:
    """There is no difference for any order of columns and rules, and any confidence of the rules."""
    rules = ["trim = sport requires engine = B", "roof = yes excludes engine = A"]
    one, two = model_of(PLAIN, *rules), model_of(PLAIN[::-1], *rules[::-1])
    found = diff(one, two)
    assert found.same
    assert found.summary() == "The two models say the same."
    table = {"a": ["x", "y"] * 60, "b": ["u", "v"] * 60}
    often = pa.table({name: values * 3 for name, values in table.items()})
    assert diff(unwritten.mine(Table.of(pa.table(table))), unwritten.mine(Table.of(often))).same


def test_gained_and_lost() -> None:
    """A sentence of only one model is gained or lost."""
    one = model_of(PLAIN, "trim = sport requires engine = B")
    two = model_of(PLAIN, "roof = yes excludes engine = A")
    difference = diff(one, two)
    assert texts(difference)[1:] == (["trim = sport requires engine = B"], [])
    assert [set(sentence.columns) for sentence in difference.gained] == [{"roof", "engine"}]
    assert not difference.same
    assert texts(diff(two, one))[:2] == texts(difference)[1::-1]
    assert "− trim = sport requires engine = B" in difference.summary()


def test_other_values_are_a_change() -> None:
    """Two rules with the same left side and other values on the right are one changed rule."""
    one = model_of(PLAIN, "trim = sport requires engine = B")
    two = model_of(PLAIN, "trim = sport requires engine in {A, C}")
    gained, lost, changed = texts(diff(one, two))
    assert (gained, lost, len(changed)) == ([], [], 1)
    one, two = model_of(PLAIN, "seats + roof = 5"), model_of(PLAIN, "seats + roof = 6")
    assert len(diff(one, two).changed) == 1


def test_a_weaker_rule_is_a_change() -> None:
    """A rule and a weaker form of it are one changed rule, in either direction."""
    one = model_of(PLAIN, "trim = sport requires engine = B")
    two = model_of(PLAIN, "trim = sport requires engine in {B, C}")
    assert [len(part) for part in texts(diff(one, two))] == [0, 0, 1]
    assert [len(part) for part in texts(diff(two, one))] == [0, 0, 1]
    alone = model_of(PLAIN, "engine = A requires roof = no")
    three = model_of(PLAIN, "roof = yes requires engine = B")
    assert [len(part) for part in texts(diff(one, alone))] == [1, 1, 0]
    assert [len(part) for part in texts(diff(alone, three))] == [0, 0, 1]


@pytest.mark.parametrize(
    ("says", "implied"),
    [
        (["trim = sport requires engine = B", "engine = B requires roof = yes"], "trim = sport requires roof = yes"),
        (["trim = sport exactly when engine = B"], "trim = base excludes engine = B"),
        (
            ["trim = sport exactly when engine = B", "engine = B exactly when roof = yes"],
            "trim = sport exactly when roof = yes",
        ),
        (["trim = sport excludes engine = A", "trim = sport excludes engine = C"], "trim = sport requires engine = B"),
        (["engine in {A, B} requires trim = base", "engine = C requires trim = base"], "trim = base always"),
        (["seats + roof = 5", "roof = yes always"], "seats = 4"),
        (["seats <= 4"], "seats <= 5"),
        (["exactly one of trim = sport, roof = yes"], "at most one of trim = sport, roof = yes"),
    ],
)
def test_what_is_implied_is_no_difference(says: list[str], implied: str) -> None:
    """What linear algebra or unit propagation proves is not a difference, in either direction."""
    one, two = model_of(PLAIN, *says), model_of(PLAIN, *says, implied)
    assert diff(one, two).same
    assert diff(two, one).same


def test_new_values() -> None:
    """An unseen value counts as absent: old rules stay, and rules about the value are only counted in a note."""
    rules = ["trim = sport requires engine = B"]
    one = model_of(PLAIN, *rules)
    two = model_of((levels(TRIM, "lux"), *PLAIN[1:]), *rules, "trim = lux requires engine = A")
    difference = diff(one, two)
    assert texts(difference) == ([], [], [])
    assert difference.columns.values_added == (("trim", ("lux",)),)
    assert difference.notes == ("1 rule of the new model left out: about values that the other model has never seen",)
    assert not difference.same
    assert diff(two, one).columns.values_removed == (("trim", ("lux",)),)


def test_new_values_can_weaken_what_words_say() -> None:
    """“Requires base” becomes “excludes sport” when a third value appears: the words change, so it is a change."""
    one = model_of(PLAIN, "engine = A requires trim = base")
    two = model_of((levels(TRIM, "lux"), *PLAIN[1:]), "engine = A excludes trim = sport")
    difference = diff(one, two)
    assert [len(part) for part in texts(difference)] == [0, 0, 1]
    assert difference.changed[0][0].text == "engine = A requires trim = base"


def test_a_boolean_that_gets_a_third_value() -> None:
    """The column changes its kind, and its rules are still compared."""
    rules = ["trim = sport requires roof = yes", "engine = A requires roof = no"]
    one = model_of(PLAIN, *rules)
    two = model_of((TRIM, ENGINE, levels(ROOF, "maybe"), SEATS), *rules)
    for difference in (diff(one, two), diff(two, one)):
        assert texts(difference) == ([], [], [])
        assert difference.columns.kinds[0][0] == "roof"


def test_columns_that_come_and_go() -> None:
    """Sentences about a removed or new column are lost or gained; changed ranges of numbers are listed."""
    wide = Column("seats", "integer", (), "integer", 2, 9)
    one = model_of(PLAIN, "trim = sport requires engine = B", "roof = yes excludes engine = A")
    two = model_of((TRIM, ENGINE, wide, Column("hook", "boolean", ("0", "1"))), "hook = 1 requires engine = A")
    difference = diff(one, two)
    assert [len(part) for part in texts(difference)] == [1, 2, 0]
    assert (difference.columns.added, difference.columns.removed) == (("hook",), ("roof",))
    assert difference.columns.ranges == (("seats", (2, 7), (2, 9)),)


def test_columns_that_cannot_be_compared() -> None:
    """If an integer column became bins, the sentences about it are lost and gained."""
    bins = Column("seats", "bins", ("below 4", "4 or more"), "integer", edges=(4.0,))
    one = model_of(PLAIN, "seats + roof = 5")
    two = model_of((TRIM, ENGINE, ROOF, bins), 'seats = "4 or more" requires roof = no')
    difference = diff(one, two)
    assert [len(part) for part in texts(difference)] == [1, 1, 0]
    assert difference.columns.kinds == (("seats", "integer", "bins"),)


def test_models_without_a_table() -> None:
    """Variables are compared by name."""
    names = ["red", "green", "blue"]
    one = unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 60, names=names)
    two = unwritten.mine([[0, 0, 1], [0, 1, 0], [1, 0, 0]] * 60, names=names[::-1])
    assert diff(one, two).same
    three = unwritten.mine([[1, 0], [0, 1], [1, 1], [0, 0]] * 60, names=names[:2])
    difference = diff(one, three)
    assert [len(part) for part in texts(difference)] == [0, 1, 0]
    assert difference.columns.removed == ("blue",)


def test_nothing_in_common_is_an_error() -> None:
    """Models with nothing in common raise an error with the cure."""
    other = Column("other", "boolean", ("0", "1"))
    with pytest.raises(DataError, match="no column in common: compare"):
        diff(model_of(PLAIN), model_of((other,)))
    with pytest.raises(DataError, match="no variable in common: compare"):
        diff(unwritten.mine([[1, 0]] * 2, names=["a", "b"]), unwritten.mine([[1, 0]] * 2, names=["c", "d"]))
    with pytest.raises(DataError, match="mine both in the same way"):
        diff(model_of(PLAIN), unwritten.mine([[1, 0]] * 2))


def test_state_is_json() -> None:
    """The state survives a round trip through JSON."""
    one = model_of(PLAIN, "trim = sport requires engine = B", "seats + roof = 5")
    two = model_of((levels(TRIM, "lux"), *PLAIN[1:3]), "trim = sport requires engine = C", "trim = lux never")
    state = diff(one, two).state()
    assert json.loads(json.dumps(state)) == state
    assert len(state["changed"]) == 1


@st.composite
def knowledge(draw: st.DrawFn) -> tuple[RuleSet, list[np.ndarray[Any, Any]], list[tuple[dict[str, int], str, int]]]:
    """A small rule set over two columns of three values and three 0/1 variables, and a row that may follow from it."""
    variables = Variables.named([f"v{j}" for j in range(9)])
    blocks = [np.arange(3), np.arange(3, 6)]
    numbers = st.lists(st.sampled_from([0, 0, 0, 1, 1, -1, 2]), min_size=9, max_size=9)
    row = st.tuples(numbers, st.sampled_from(["==", "<="]), st.integers(-1, 2))
    rows: list[Any] = [([int(j in block) for j in range(9)], "==", 1) for block in blocks]
    rows += draw(st.lists(row, max_size=5))
    a, sense, b = draw(row)
    return RuleSet.of(variables, rows), blocks, [({f"v{j}": x for j, x in enumerate(a) if x}, sense, b)]


@given(knowledge())
def test_implied_rows_do_follow(asked: tuple[RuleSet, list[Any], list[Any]]) -> None:
    """No label that obeys the rules breaks an implied row."""
    rules, blocks, rows = asked
    if not ImpliedRows(rules, blocks).follow(rows):
        return
    labels = np.array(list(product((0, 1), repeat=9)))
    right = labels[~rules.violations(labels).any(axis=1)]
    assert not RuleSet.of(rules.variables, rows).violations(right).any()


def test_how_a_difference_is_shown() -> None:
    """A short line, and HTML with one line per sentence."""
    one = model_of(PLAIN, "trim = sport requires engine = B")
    two = model_of(PLAIN, "trim = sport requires engine = C", "roof = yes excludes engine = A")
    difference = diff(one, two)
    assert repr(difference) == "Difference(rules: 1 gained, 0 lost, 1 changed)"
    assert difference._repr_html_().count("<tr>") == 3
    assert repr(diff(one, one)) == "Difference(the two models say the same)"
    assert "<table" not in diff(one, one)._repr_html_()


def test_a_rule_is_lost_only_if_new_rows_break_it() -> None:
    """Rules that fewer rows do not show again are listed apart and are no difference; a broken rule is lost."""
    rng = np.random.default_rng(0)
    trim = rng.choice(["base", "sport", "lux"], 400)
    engine = np.where(trim == "sport", "B", rng.choice(["A", "B", "C"], 400))
    many = pa.table({"trim": trim, "engine": engine})
    model, few = unwritten.mine(many), many.slice(0, 12)
    text = "trim = sport requires engine = B"
    difference = diff(model, unwritten.mine(few), few)
    assert [s.text for s in difference.unshown] == [text]
    assert not difference.lost
    assert text in difference.summary()
    assert [s["text"] for s in difference.state()["unshown"]] == [text]
    wrong = pa.table({"trim": trim, "engine": rng.choice(["A", "B", "C"], 400)})
    assert [s.text for s in diff(model, unwritten.mine(wrong), wrong).lost] == [text]
