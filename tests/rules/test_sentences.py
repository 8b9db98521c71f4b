"""Sentences: short, exact, in a stable order, and read back by the language of rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.rule_tables import every_row, feasible, row_lists, schemas
from unwritten.data import Variables
from unwritten.rules import DEFINITION, GIVEN, MINED, Evidence, RuleSet, parse_rule, sentences
from unwritten.rules.language.sentence import KINDS
from unwritten.samples import sudoku
from unwritten.tables.column import Column
from unwritten.tables.schema import Schema

CAR = Schema(
    (
        Column("trim", "category", ("base", "sport", "lux", "eco")),
        Column("engine", "category", ("A", "B", "C", None)),
        Column("roof", "boolean", ("no", "yes")),
        Column("seats", "category", ("2", "4", "5")),
        Column("rows", "category", ("1", "2", "3")),
        Column("cargo", "integer", (), "integer", 0, 9),
        Column("lamp", "boolean", ("0", "1")),
        Column("horn", "boolean", ("0", "1")),
        Column("bell", "boolean", ("0", "1")),
        Column("two door", "category", ("x", "y z")),
    )
)


def texts_of(rows: list[tuple[object, str, object]], schema: Schema = CAR) -> list[str]:
    """The sentences of these rows."""
    rules = RuleSet.of(schema.variables, rows)
    none = np.zeros((0, len(schema.variables)), np.int64)
    return [s.text for s in sentences(rules, schema, none, np.zeros(0, np.int64))]


ONE_ROW = [
    # one row and its sentence
    ({"trim=base": 1}, "==", 1, "trim = base always"),
    ({"trim=sport": 1}, "<=", 0, "trim = sport never"),
    ({"trim=sport": 1, "trim=lux": 1}, "==", 0, "trim ∈ {base, eco} always"),
    ({"trim=base": 1, "trim=sport": 1, "trim=lux": 1, "trim=eco": 1}, "<=", 1, None),
    ({"engine=missing": 1}, "==", 0, "engine = missing never"),
    ({"trim=sport": 1, "roof": -1}, "<=", 0, "trim = sport requires roof = yes"),
    ({"trim=sport": 1, "roof": 1}, "<=", 1, "trim = sport requires roof = no"),
    ({"trim=sport": 1, "engine=A": 1}, "<=", 1, "trim = sport excludes engine = A"),
    ({"trim=sport": 1, "engine=B": -1, "engine=C": -1}, "<=", 0, "trim = sport requires engine ∈ {B, C}"),
    ({"trim=sport": 1, "engine=B": -1}, "<=", 0, "trim = sport requires engine = B"),
    ({"trim=sport": -1, "roof": -1}, "<=", -1, "roof = no requires trim = sport"),
    ({"trim=sport": 2, "roof": -2}, "<=", 1, "trim = sport requires roof = yes"),
    ({"trim=sport": 1, "engine=A": -1}, "==", 0, "trim = sport exactly when engine = A"),
    ({"trim=sport": 1, "trim=lux": 1, "roof": 1}, "==", 1, "trim ∈ {sport, lux} exactly when roof = no"),
    ({"lamp": 1, "horn": -1}, "==", 0, "lamp = horn"),
    ({"lamp": 1, "horn": 1}, "==", 1, "lamp = 1 exactly when horn = 0"),
    ({"lamp": 1, "horn": -1}, "<=", 0, "lamp = 1 requires horn = 1"),
    ({"lamp": 1, "horn": -1, "bell": -1}, "==", 0, "lamp = horn + bell"),
    ({"lamp": 1, "horn": 1, "bell": 1}, "<=", 1, "lamp + horn + bell ≤ 1"),
    ({"trim=sport": 1, "engine=B": 1, "roof": 1}, "==", 1, "exactly one of trim = sport, engine = B, roof = yes"),
    ({"trim=sport": 1, "engine=B": 1, "roof": 1}, "<=", 2, "at most two of trim = sport, engine = B, roof = yes"),
    ({"trim=sport": -1, "engine=B": -1, "roof": -1}, "<=", -2, "at least two of trim = sport, engine = B, roof = yes"),
    ({"seats=2": 2, "seats=4": 4, "seats=5": 5, "cargo": 1}, "==", 9, "seats + cargo = 9"),
    ({"seats=4": 2, "seats=5": 3, "cargo": 1}, "<=", 7, "seats + cargo ≤ 9"),
    ({"rows=2": -1, "rows=3": -2, "cargo": 2}, "<=", 3, "2·cargo ≤ rows + 2"),
    ({"trim=sport": 2, "cargo": 1}, "<=", 5, "2·[trim = sport] + cargo ≤ 5"),
    ({"cargo": 1}, "==", 3, "cargo = 3"),
    ({"cargo": -1}, "<=", -3, "cargo ≥ 3"),
    ({'"two door"="y z"': 1, "roof": 1}, "<=", 1, 'roof = yes requires "two door" = x'),
    ({"trim=base": 1, "trim=sport": 1, "trim=lux": 1, "cargo": -1}, "<=", 0, "[trim = eco] + cargo ≥ 1"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "sense", "rhs", "text"), ONE_ROW)
def test_every_form_has_its_sentence(row: dict[str, int], sense: str, rhs: int, text: str | None) -> None:
    """Each row has its sentence; a row that always holds has none."""
    assert texts_of([(row, sense, rhs)]) == ([] if text is None else [text])


def test_pairs_of_values_come_in_rectangles() -> None:
    """Pairs of values that exclude each other are joined into sets of values."""
    cells = [("sport", "A"), ("sport", "B"), ("lux", "A"), ("lux", "B"), ("eco", "C")]
    rows = [({f"trim={t}": 1, f"engine={e}": 1}, "<=", 1) for t, e in cells]
    assert texts_of(rows) == ["trim = eco excludes engine = C", "trim ∈ {sport, lux} requires engine ∈ {C, missing}"]


def test_two_requirements_are_an_equivalence() -> None:
    """A requires B and B requires A is A exactly when B."""
    rows = [({"trim=sport": 1, "roof": -1}, "<=", 0), ({"trim=sport": -1, "roof": 1}, "<=", 0)]
    assert texts_of(rows) == ["trim = sport exactly when roof = yes"]


def test_values_of_a_column_join() -> None:
    """Values that are never taken, or that count towards the same limit, are named together."""
    assert texts_of([({"trim=sport": 1}, "<=", 0), ({"trim=lux": 1}, "<=", 0)]) == ["trim ∈ {base, eco} always"]
    rows = [({f"trim={t}": 1, "engine=A": 1, "roof": 1}, "<=", 1) for t in ("sport", "lux")]
    assert texts_of(rows) == ["at most one of trim ∈ {sport, lux}, engine = A, roof = yes"]


def test_columns_that_go_together() -> None:
    """Columns whose values match one to one: an equation between numbers if it is one, else a list."""
    pairs = [("2", "3"), ("4", "1"), ("5", "2")]
    rows = [({f"seats={a}": 1, f"rows={b}": -1}, "==", 0) for a, b in pairs]
    assert texts_of(rows) == texts_of(rows[:2]) == ["seats and rows go together: 2 ↔ 3, 4 ↔ 1, 5 ↔ 2"]
    numbers = Schema((Column("p", "category", ("1", "2", "3")), Column("q", "category", ("1", "2", "3"))))
    mirror = [({f"p={k}": 1, f"q={4 - k}": -1}, "==", 0) for k in (1, 2, 3)]
    same = [({f"p={k}": 1, f"q={k}": -1}, "==", 0) for k in (1, 2, 3)]
    assert texts_of(mirror, numbers) == ["p + q = 4"]
    assert texts_of(same, numbers) == ["p = q"]


def sudoku_schema() -> Schema:
    """81 cells with nine digits."""
    digits = tuple(str(v) for v in range(1, 10))
    return Schema(tuple(Column(f"r{r}c{c}", "category", digits) for r in range(1, 10) for c in range(1, 10)))


@pytest.mark.parametrize("inequalities", [False, True])
def test_sudoku_is_27_sentences(inequalities: bool) -> None:
    """Rows, columns and boxes all differ, even if the row of one digit is missing, since the others imply it."""
    schema = sudoku_schema()
    rows = sudoku.true_rules()[81:]
    equality = np.full(len(rows), not inequalities)
    given_rows = np.ones(len(rows), bool)
    if not inequalities:
        given_rows[::9] = False  # one digit of each row, column and box
    rules = RuleSet(schema.variables, rows, equality, np.ones(243, np.int64), (MINED,) * 243, (None,) * 243)
    texts = [s.text for s in sentences(rules[given_rows], schema, np.zeros((0, 729), np.int64), np.zeros(0, np.int64))]
    assert len(texts) == 27
    assert "r1c1, r1c2, r1c3, r1c4, r1c5, r1c6, r1c7, r1c8, r1c9 all differ" in texts
    assert "r1c1, r1c2, r1c3, r2c1, r2c2, r2c3, r3c1, r3c2, r3c3 all differ" in texts


def test_two_columns_that_differ() -> None:
    """Two columns all differ if every value they share is forbidden to both at once."""
    schema = Schema(tuple(Column(name, "category", ("x", "y", "z")) for name in "ab"))
    rows = [({f"a={v}": 1, f"b={v}": 1}, "<=", 1) for v in "xyz"]
    assert texts_of(rows, schema) == ["a, b all differ"]
    assert texts_of(rows[:2], schema) == ["a = x requires b ∈ {y, z}", "a = y requires b ∈ {x, z}"]


def test_origin_evidence_and_support() -> None:
    """Given rules come first and are not merged with mined ones; evidence is the weakest rule's; noise is mentioned."""
    v = CAR.variables
    strong, weak, noisy = Evidence(100, 0, 0.5), Evidence(10, 0, 0.5), Evidence(100, 3, 0.5)
    rules = (
        RuleSet.of(v, [({"roof": 1, "lamp": 1}, "<=", 1)], MINED, noisy)
        + RuleSet.of(v, [({"trim=sport": 1, "engine=A": 1}, "<=", 1)], MINED, strong)
        + RuleSet.of(v, [({"trim=sport": 1, "engine=B": 1}, "<=", 1)], MINED, weak)
        + RuleSet.of(v, [({"trim=sport": 1, "engine=C": 1}, "<=", 1)], GIVEN)
        + RuleSet.of(v, [({"trim=sport": 1, "engine=C": 1}, "<=", 1)], MINED, weak)
        + RuleSet.of(v, [({f"trim={t}": 1 for t in ("base", "sport", "lux", "eco")}, "==", 1)], DEFINITION)
    )
    labels = np.zeros((2, len(v)), np.int64)
    labels[0, [0, 4]] = 1
    labels[1, [1, 7]] = 1
    written = sentences(rules, CAR, labels, np.array([5, 7]))
    assert [(s.text, s.rules, s.origin, s.support, s.columns) for s in written] == [
        ("trim = sport excludes engine = C", (3,), GIVEN, 7, ("trim", "engine")),
        ("trim = sport requires engine = missing", (1, 2, 4), MINED, 7, ("trim", "engine")),
        ("roof = yes requires lamp = 0 (noisy: 3 of 100 examples break it)", (0,), MINED, 0, ("roof", "lamp")),
    ]
    assert [s.evidence for s in written] == [None, weak, noisy]
    assert written[0].confidence is None
    assert written[1].confidence == weak.confidence


def test_latents_are_named_in_quotes() -> None:
    """A row with a latent has the latent's name in quotes, and can be read back."""
    variables = CAR.variables + Variables.named(["[a∧b]"])
    rules = RuleSet.of(variables, [({"trim=sport": 1, "[a∧b]": -1}, "<=", 0)])
    (sentence,) = sentences(rules, CAR, np.zeros((0, len(CAR.variables)), np.int64), np.zeros(0, np.int64))
    assert sentence.text == 'trim = sport requires "[a∧b]"'
    assert parse_rule(sentence.text, variables, CAR) == rules.triples()


def test_without_a_table_each_rule_is_a_sentence() -> None:
    """Each sentence has the text, the kind and the variables of one rule."""
    variables = Variables.named("abc")
    rules = RuleSet.of(variables, [([1, -1, 0], "<=", 0), ([1, 1, 1], "==", 1)])
    labels = np.array([[1, 1, 0], [0, 0, 1]])
    written = sentences(rules, None, labels, np.array([2, 3]))
    assert [(s.text, s.kind, s.columns, s.rules, s.support) for s in written] == [
        ("a requires b", "implies", ("a", "b"), (0,), 2),
        ("exactly one of a, b, c", "exactly", ("a", "b", "c"), (1,), 5),
    ]


def test_ids_do_not_depend_on_order() -> None:
    """The same rows over columns in another order, written in another way, have the same ids."""
    rows = [
        ({"trim=sport": 1, "roof": -1}, "<=", 0),
        ({"trim=base": -1, "trim=lux": -1, "trim=eco": -1, "roof": -1}, "<=", -1),
        ({"seats=2": 1, "rows=1": -1}, "==", 0),
        ({"lamp": 1, "horn": 1, "cargo": 1}, "<=", 4),
    ]
    other = Schema(tuple(reversed(CAR.columns)))
    ids = []
    for schema, part in ((CAR, [rows[0], *rows[2:]]), (other, rows[:0:-1])):
        rules = RuleSet.of(schema.variables, part)
        none = np.zeros((0, len(schema.variables)), np.int64)
        ids.append({s.id for s in sentences(rules, schema, none, np.zeros(0, np.int64))})
    assert ids[0] == ids[1]
    assert len(ids[0]) == 3
    assert all(len(key) == 6 for key in ids[0])


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_sentences_say_exactly_what_the_rows_say(data: st.DataObject) -> None:
    """Each sentence, read back, allows the rows of a table that its rules allow, and all together those of the set."""
    schema = data.draw(schemas())
    labels, variables = every_row(schema), schema.variables
    half = data.draw(row_lists(schema))
    rules = RuleSet.of(variables, half, MINED, Evidence(9, data.draw(st.sampled_from([0, 0, 2]))))
    rules += RuleSet.of(variables, data.draw(row_lists(schema)), GIVEN)
    written = sentences(rules, schema, labels, np.ones(len(labels), np.int64))
    assert written == sentences(rules, schema, labels, np.ones(len(labels), np.int64))
    assert len({s.id for s in written}) == len(written)
    together = np.ones(len(labels), bool)
    for sentence in written:
        own = rules[list(sentence.rules)].obeyed_by(labels)
        assert feasible(variables, parse_rule(sentence.text, variables, schema), labels) == own.tolist(), sentence
        assert sentence.kind in KINDS
        together &= own
    assert together.tolist() == rules.obeyed_by(labels).tolist()
