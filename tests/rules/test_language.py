"""The language of rules: texts become exact rows, and texts that cannot be read raise an error that says why."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import box
from rules.rule_tables import AWKWARD, every_row, feasible, schemas
from unwritten.data import Variables
from unwritten.errors import DataError
from unwritten.rules import RuleSet, parse_rule
from unwritten.tables.column import Column
from unwritten.tables.schema import Schema

CAR = Schema(
    (
        Column("trim", "category", ("base", "sport", "lux", "-5")),
        Column("engine", "category", ("A", "B", "two stroke", None)),
        Column("roof", "boolean", ("no", "yes")),
        Column("seats", "category", ("2", "4", "5")),
        Column("rows", "category", ("2", "4", "5")),
        Column("cargo", "integer", (), "integer", 0, 9),
        Column("two door", "boolean", ("0", "1")),
        Column("notes", "skip", reason="free text"),
    )
)
TRIM = {"trim=base": 1, "trim=sport": 1, "trim=lux": 1, "trim=-5": 1}
SEATS = {"seats=2": 2, "seats=4": 4, "seats=5": 5}

READ = [
    # a text over the columns of CAR, and one row that says the same
    ("trim = sport requires engine in {A, B}", {"trim=sport": 1, "engine=A": -1, "engine=B": -1}, "<=", 0),
    ("trim = sport requires engine ∈ {A, B}", {"trim=sport": 1, "engine=A": -1, "engine=B": -1}, "<=", 0),
    ("trim = sport EXCLUDES engine=A", {"trim=sport": 1, "engine=A": 1}, "<=", 1),
    ("trim != sport requires roof = yes", {"trim=sport": -1, "roof": -1}, "<=", -1),
    ("trim not in {sport, lux} requires roof", {"trim=base": 1, "trim=-5": 1, "roof": -1}, "<=", 0),
    ("trim ∉ {sport, lux} excludes roof", {"trim=base": 1, "trim=-5": 1, "roof": 1}, "<=", 1),
    ("trim = −5 never", {"trim=-5": 1}, "==", 0),
    ("trim = -5", {"trim=-5": 1}, "==", 1),
    ("trim ≠ base", {"trim=base": 1}, "==", 0),
    ('"trim" = "sport" exactly when roof = no', {"trim=sport": 1, "roof": 1}, "==", 1),
    ("engine = missing requires roof = no", {"engine=missing": 1, "roof": 1}, "<=", 1),
    ('engine = "two stroke" never', {'engine="two stroke"': 1}, "<=", 0),
    ("engine = two stroke never", {'engine="two stroke"': 1}, "<=", 0),
    ("two door = 1 requires roof", {'"two door"': 1, "roof": -1}, "<=", 0),
    ('"two door" requires roof = yes (noisy: 3 of 100 examples break it)', {'"two door"': 1, "roof": -1}, "<=", 0),
    ("exactly one of trim = sport, roof = yes, seats in {4, 5}",
     {"trim=sport": 1, "roof": 1, "seats=4": 1, "seats=5": 1}, "==", 1),
    ("at most 2 of trim = sport, roof = yes, seats = 4", {"trim=sport": 1, "roof": 1, "seats=4": 1}, "<=", 2),
    ("at least two of trim = sport, roof, seats = 4", {"trim=sport": -1, "roof": -1, "seats=4": -1}, "<=", -2),
    ("seats + cargo = 9", {**SEATS, "cargo": 1}, "==", 9),
    ("seats+cargo=9", {**SEATS, "cargo": 1}, "==", 9),
    ("seats-cargo <= 3", {**SEATS, "cargo": -1}, "<=", 3),
    ("9 ≥ seats + cargo", {**SEATS, "cargo": 1}, "<=", 9),
    ("seats + cargo < 9", {**SEATS, "cargo": 1}, "<=", 8),
    ("cargo > 2", {"cargo": -1}, "<=", -3),
    ("cargo = 3 always", {"cargo": 1}, "==", 3),
    ("2*[trim = sport] + seats ≤ 5", {"trim=sport": 2, **SEATS}, "<=", 5),
    ("seats = 4", {"seats=4": 1}, "==", 1),
    ("seats = 2·cargo + 1", {**SEATS, "cargo": -2}, "==", 1),
    ("trim = sport excludes trim = sport", {"trim=sport": 1}, "<=", 0),
    ("0 ≤ −1", {}, "<=", -1),
    # the text of single rules, over variables
    ("trim=sport requires engine=B", {"trim=sport": 1, "engine=B": -1}, "<=", 0),
    ("trim=sport = engine=B", {"trim=sport": 1, "engine=B": -1}, "==", 0),
    ("trim=sport = engine=B + roof", {"trim=sport": 1, "engine=B": -1, "roof": -1}, "==", 0),
    ("2·trim=sport + roof − cargo ≤ 5", {"trim=sport": 2, "roof": 1, "cargo": -1}, "<=", 5),
    ("trim=sport = 1", {"trim=sport": 1}, "==", 1),
    ("roof = 1", {"roof": 1}, "==", 1),
    ('engine="two stroke" + roof = 2', {'engine="two stroke"': 1, "roof": 1}, "==", 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "row", "sense", "rhs"), READ)
def test_texts_become_rows(text: str, row: dict[str, int], sense: str, rhs: int) -> None:
    """The rows that are read allow exactly those rows of a table that the expected row allows."""
    labels = every_row(CAR)
    expected = feasible(CAR.variables, [(row, sense, rhs)], labels)
    assert feasible(CAR.variables, parse_rule(text, CAR.variables, CAR), labels) == expected


def test_several_rows() -> None:
    """“All differ” and “go together” become one row per value."""
    assert parse_rule("seats, rows all differ", CAR.variables, CAR) == [
        ({f"seats={v}": 1, f"rows={v}": 1}, "<=", 1) for v in (2, 4, 5)
    ]
    assert parse_rule("seats and rows go together: 2 <-> 4, 4 ↔ 2", CAR.variables, CAR) == [
        ({"seats=2": 1, "rows=4": -1}, "==", 0),
        ({"seats=4": 1, "rows=2": -1}, "==", 0),
    ]
    square = Schema(tuple(Column(name, "category", ("x", "y", "z")) for name in "abc"))
    assert parse_rule("a, b, c all differ", square.variables, square)[0] == ({"a=x": 1, "b=x": 1, "c=x": 1}, "==", 1)


BAD = [
    # a text that cannot be read, and what the message says
    ("", "empty"),
    ("   ", "empty"),
    ("a" * 100_001, "100,001 characters"),
    ("tirm = sport requires roof", "no column 'tirm': did you mean trim"),
    ("trim = sprot never", "trim has no value 'sprot': use one of base, sport, lux"),
    ("seats = 99", "seats has no value '99': use one of 2, 4, 5"),
    ("roof = 7", "roof has no value '7': use one of no, yes"),
    ("engine in {A, D} never", "engine has no value 'D': use one of A, B, \"two stroke\", missing"),
    ("trim", "operator is missing"),
    ("trim sport", "operator is missing after trim, before “sport”"),
    ("trim = sport roof = yes", "operator is missing before “roof = yes”"),
    ("trim = sport requires", "a column is missing before the end"),
    ("requires roof", "no column 'requires'"),
    ('trim = "sport', "quote is not closed"),
    ('"trim = sport', "quote is not closed"),
    ("trim in {base, sport never", "brace is not closed before “never”"),
    ("trim in {} never", "a value of trim is missing before “} never”"),
    ("[trim = sport + seats <= 2", "bracket is not closed"),
    ("trim + seats <= 3", "trim does not hold integers: write [trim = …]"),
    ("cargo = 3 requires roof", "does not end before “requires roof”"),
    ("roof requires cargo = 3", "cargo is an integer column"),
    ("cargo, seats all differ", "cargo is an integer column"),
    ("seats, seats all differ", "named twice"),
    ("seats, rows", "“all differ” is missing"),
    ("trim = sport requires roof = yes requires seats = 4", "does not end before “requires seats = 4”"),
    ("seats + cargo", "operator is missing before the end"),
    ("seats + cargo = 9 = 10", "does not end before “= 10”"),
    ("999999999999999998·cargo + 9999999999999999999·seats <= 3", "beyond 64 bits"),
    ("at most two", "“of” is missing before the end"),
    ("notes = x never", "no column 'notes'"),
    ("seats and rows go together: 2 4", "“↔” is missing before “4”"),
    ("((((((((((", "a column is missing before"),
    ("x" * 9999 + " never", "no column 'xxxx"),
    ('"no\\n such" never', "no column"),
    ("bell\x07 = 1 never", "'bell'"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_unreadable_texts_say_why(text: str, message: str) -> None:
    """The message is one sentence that says what to do, free of control characters."""
    with pytest.raises(DataError) as caught:
        parse_rule(text, CAR.variables, CAR)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 250


def test_unknown_variables_are_called_variables() -> None:
    """Without a table the message says “variable”, not “column”."""
    with pytest.raises(DataError, match="no variable 'alhpa': did you mean alpha"):
        parse_rule("alhpa requires beta", Variables.named(["alpha", "beta"]), None)


def test_names_that_are_numbers() -> None:
    """Digits are read as a name where only a name is possible, else as a number; if both are possible, an error."""
    variables = Variables.named("012")
    assert parse_rule("exactly one of 0, 1, 2", variables, None) == [({"0": 1, "1": 1, "2": 1}, "==", 1)]
    assert parse_rule("0 requires 1", variables, None) == [({"0": 1, "1": -1}, "<=", 0)]
    assert parse_rule("2·0 + 1 ≤ 2", variables, None) == [({"0": 2, "1": 1}, "<=", 2)]
    assert parse_rule("0 = 1 requires 2 = 0", variables, None) == [({"0": 1, "2": 1}, "<=", 1)]
    assert parse_rule('"0" = 1', variables, None) == [({"0": 1}, "==", 1)]
    with pytest.raises(DataError, match="in quotes"):
        parse_rule("0 = 1", variables, None)


NAMES = ["a", "b", "c d", "requires", "[x∧y]", "e=f", '"g"=h', "i-j", "é"]


@settings(max_examples=300, deadline=None)
@given(
    st.booleans(),
    st.lists(st.sampled_from(NAMES), min_size=3, max_size=3, unique=True),
    st.integers(1, 2).flatmap(lambda most: st.lists(st.integers(-most, most), min_size=3, max_size=3)),
    st.sampled_from(["==", "<="]),
    st.integers(-3, 3),
)  # fmt: skip
def test_the_text_of_a_rule_is_read_back(binary: bool, names: list[str], row: list[int], sense: str, rhs: int) -> None:
    """The text of a rule over plain variables is read back as rows with the same solutions."""
    low, high = (0, 1) if binary else (-2, 2)
    variables = Variables.named(names, low, high)
    rules = RuleSet.of(variables, [(row, sense, rhs)])
    points = box(low, high, 3)
    again = parse_rule(rules[0].text, variables, None)
    assert feasible(variables, again, points) == rules.obeyed_by(points).tolist()


WORDS = ["requires", "excludes", "exactly", "when", "one", "of", "at", "most", "least", "all", "differ", "always",
         "never", "missing", "in", "not", "and", "go together", "=", "≠", "∈", "{", "}", "[", "]", ",", "+", "−", "-",
         "·", "<=", "≤", "↔", ":", '"', "3", "99999999999999999999", "(noisy: ", " examples break it)"]  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.data())
def test_any_text_is_read_or_refused(data: st.DataObject) -> None:
    """Any text becomes rows that a rule set accepts, or raises a DataError."""
    schema = data.draw(st.none() | schemas())
    variables = Variables.named(["a", "b", "7"], [0, 0, -3], [1, 1, 3]) if schema is None else schema.variables
    words = st.sampled_from([*WORDS, *AWKWARD, *variables.names])
    text = data.draw(st.text(max_size=30) | st.lists(words, max_size=12).map(" ".join) | st.lists(words).map("".join))
    try:
        rows = parse_rule(text, variables, schema)
    except DataError:
        return
    assert len(RuleSet.of(variables, rows)) == len(rows) > 0


@pytest.mark.parametrize("text", ["a" * 100_000, '"' * 100_000, "[" * 100_000, "a." * 50_000, " " * 99_999 + "x",
                                  "a, " * 33_000, "a + " * 25_000, "{" * 100_000, "-" * 100_000])  # fmt: skip
def test_long_texts_are_quick(text: str) -> None:
    """Long and deeply nested texts are refused quickly, without deep recursion."""
    variables = Variables.named(["a", "b"])
    for schema in (None, Schema((Column("a", "boolean", ("0", "1")), Column("b", "boolean", ("0", "1"))))):
        with pytest.raises(DataError):
            parse_rule(text, variables, schema)


def test_a_large_sentence() -> None:
    """A thousand literals are one row."""
    variables = Variables.named([f"v{j}" for j in range(1000)])
    (row,) = parse_rule("exactly one of " + ", ".join(variables.names), variables, None)
    assert row == (dict.fromkeys(variables.names, 1), "==", 1)
    assert np.array_equal(RuleSet.of(variables, [row]).matrix, np.ones((1, 1000)))
