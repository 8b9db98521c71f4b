"""Explanations of rows: small cases by hand, against brute force, and on car sales."""

import datetime
import json
import os
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unwritten
from experiments import datasets
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.mining import Cuts
from unwritten.model import Model
from unwritten.review import explain
from unwritten.rules import DEFINITION, RuleSet
from unwritten.tables import Column, Schema, Table

CARS = [("base", "A", "no"), ("base", "B", "no"), ("sport", "B", "yes"), ("base", "C", "no"), ("sport", "C", "yes")]


def model_of(schema: Schema, rows: list[Any], seen: IntArray) -> Model:
    """A model of a table with these rules and examples, built without mining."""
    variables = schema.variables
    ones = [({variables.names[j]: 1 for j in block}, "==", 1) for block in schema.blocks]
    rules = RuleSet.of(variables, ones, DEFINITION) + RuleSet.of(variables, rows)
    counts = np.arange(1, len(seen) + 1)
    none = Cuts.none(len(variables))
    return Model(variables, rules, RuleSet.empty(variables), none, seen, counts, schema=schema)


@pytest.fixture(scope="module")
def cars() -> Model:
    """Exactly the sport cars have a sunroof; a person adds that sport cars have no engine A."""
    columns = dict(zip(("trim", "engine", "roof"), zip(*CARS * 24, strict=True), strict=True))
    table = pa.table({name: list(values) for name, values in columns.items()} | {"id": list(range(120))})
    return unwritten.mine(Table.of(table, types={"id": "skip"})).with_rules(["trim = sport excludes engine = A"])


@pytest.fixture(scope="module")
def bills() -> Model:
    """A table in which net + tax = gross."""
    rng = np.random.default_rng(0)
    net, tax = rng.integers(0, 90_000, 100), rng.integers(0, 50, 100)
    table = pa.table({"net": net, "tax": tax, "gross": net + tax})
    return unwritten.mine(Table.of(table, types=dict.fromkeys(("net", "tax", "gross"), "integer")))


def changes(repair: Any) -> dict[str, Any]:
    return {change.column: change.new for change in repair.changes}


def test_a_right_row_needs_no_repair(cars: Model) -> None:
    """A right row is called feasible, and the equal examples are shown."""
    explanation = explain(cars, {"trim": "base", "engine": "A", "roof": "no"})
    assert explanation.feasible
    assert explanation.broken == explanation.unknown == explanation.outside == ()
    assert explanation.repairs == explanation.notes == ()
    assert explanation.nearest[0].differs == ()
    assert explanation.nearest[0].count == 24
    assert "obeys every rule" in explanation.summary()


def test_one_cell_is_wrong(cars: Model) -> None:
    """Each cell that could be wrong has a repair; the repair with the more frequent value comes first."""
    explanation = explain(cars, {"trim": "sport", "engine": "B", "roof": "no"})
    assert not explanation.feasible
    assert [sentence.text for sentence in explanation.broken] == ["trim = sport exactly when roof = yes"]
    assert [changes(repair) for repair in explanation.repairs] == [{"trim": "base"}, {"roof": "yes"}]
    assert all(repair.exact and repair.like == 24 and repair.distance == 0 for repair in explanation.repairs)
    assert explanation.repairs[1].changes[0].old == "no"
    assert "roof: no → yes (as 24 examples)" in explanation.summary()


def test_skipped_columns_may_be_there(cars: Model) -> None:
    """A row may hold skipped columns, and its values need not be texts."""
    assert explain(cars, {"trim": "base", "engine": "A", "roof": "no", "id": 7}).feasible


def test_two_rules_share_a_cell(cars: Model) -> None:
    """One change corrects both broken rules."""
    explanation = explain(cars, {"trim": "sport", "engine": "A", "roof": "no"})
    assert {sentence.text for sentence in explanation.broken} == {
        "engine = A requires trim = base",  # given, and mined
        "trim = sport exactly when roof = yes",
    }
    assert [changes(repair) for repair in explanation.repairs] == [{"trim": "base"}]


def test_unknown_values_must_change(cars: Model) -> None:
    """No rule is called broken because of an unseen value, and every repair replaces it."""
    explanation = explain(cars, {"trim": "lux", "engine": "A", "roof": None})
    assert explanation.unknown == (("trim", "lux"), ("roof", None))
    assert explanation.broken == ()
    assert [changes(repair) for repair in explanation.repairs] == [{"trim": "base", "roof": "no"}]
    assert explanation.repairs[0].exact
    assert "roof = missing was never seen" in explanation.summary()


def test_a_wrong_sum_has_a_repair_for_each_number(bills: Model) -> None:
    """Each number of a wrong sum can be corrected from the others, however large its range."""
    net, tax, gross = (int(x) for x in bills.seen[np.argsort(bills.seen[:, 0])[50]])
    explanation = explain(bills, {"net": net, "tax": tax, "gross": gross + 2})
    assert [sentence.text for sentence in explanation.broken] == ["gross = net + tax"]
    assert changes(explanation.repairs[0]) == {"gross": gross}
    assert {"net": net + 2} in [changes(repair) for repair in explanation.repairs]


def test_numbers_outside_the_range_seen(bills: Model) -> None:
    """Numbers outside the range are listed; far outside they break it, and others must change if it is strict."""
    row = {"net": 500_000, "tax": 7, "gross": 500_008}
    strict, loose = explain(bills, row, strict=True), explain(bills, row)
    assert strict.outside == loose.outside == (("net", 500_000), ("gross", 500_008))
    assert {"net", "gross"} <= set(changes(strict.repairs[0]))
    assert all(bills.check([row | changes(repair)]).feasible[0] for repair in loose.repairs)
    assert loose.repairs and not loose.feasible
    assert {sentence.kind for sentence in explain(bills, row | {"gross": 500_007}).broken} == {"range"}


def test_missing_numbers_are_filled_from_examples(bills: Model) -> None:
    """Two unknown numbers are filled in from the nearest examples."""
    tax = int(bills.seen[0, 1])
    explanation = explain(bills, {"net": None, "tax": tax, "gross": "many"})
    repaired = changes(explanation.repairs[0])
    assert repaired["net"] + tax == repaired["gross"]
    assert explanation.repairs[0].distance == 0
    assert explanation.repairs[0].exact


def test_rules_that_clash_leave_no_repair(cars: Model) -> None:
    """If the rules clash, the explanation says that no row at all obeys them."""
    never = cars.with_rules(["trim = base never", "roof = yes never"])
    found = explain(never, {"trim": "base", "engine": "A", "roof": "no"}, nearest=0)
    assert not found.feasible
    assert found.repairs == ()
    assert "no row at all obeys every rule" in found.summary()


def test_a_search_out_of_time_claims_nothing(bills: Model) -> None:
    """A search that is stopped early returns a repair that is not called exact, or a note."""
    explanation = explain(bills, {"net": None, "tax": 3, "gross": None}, time_limit=1e-9)
    assert explanation.repairs or explanation.notes
    assert all(not repair.exact for repair in explanation.repairs) or not explanation.notes


def test_labels_without_a_table() -> None:
    """A label is given in order or by name, and a number that was never seen is out of range."""
    model = unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 60, names=["red", "green", "blue"])
    assert explain(model, [0, 1, 0]).feasible
    assert explain(model, np.array([False, True, False])).feasible
    explanation = explain(model, {"red": 1, "green": 1, "blue": 0})
    assert [changes(repair) for repair in explanation.repairs] == [{"red": 0}, {"green": 0}]
    assert explain(model, [5, 1, 0]).outside == (("red", 5),)
    assert changes(explain(model, [5, 1, 0]).repairs[0]) == {"red": 0}


def test_bases_of_a_matroid() -> None:
    """A repair under a matroid, whose rows are too many to list, is a basis."""
    trees = [[int(j not in pair) for j in range(6)] for pair in product(range(6), repeat=2) if pair[0] < pair[1]]
    model = unwritten.mine(trees * 15)
    explanation = explain(model, [1, 1, 1, 1, 1, 1])
    assert not explanation.feasible
    assert len(explanation.repairs[0].changes) == 2
    assert explanation.repairs[0].exact


def test_latent_variables() -> None:
    """Repairs obey the rules over latents."""
    labels = [[1, 0, 1], [0, 1, 1], [0, 0, 0]] * 60
    model = unwritten.mine(labels, names=list("abc"), lifts="pairs")
    explanation = explain(model, [1, 1, 1])
    for repair in explanation.repairs:
        label = np.array([[changes(repair).get(name, 1) for name in "abc"]])
        assert model.check(label).feasible[0]
    assert [len(repair.changes) for repair in explanation.repairs] == [1, 1]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([1, 2, 3], "a row must be a mapping"),  # a label, where rows have columns
        ("trim", "a row must be a mapping"),
        (None, "a row must be a mapping"),
        ({"trim": "base", "engine": "A"}, "lacks the column 'roof'"),
        ({}, "lacks the columns 'trim', 'engine', 'roof'"),
        ({"trim": "base", "engine": "A", "roof": "no", "Roof": "no"}, "does not know the column 'Roof'"),
        ({"trim": "base", "engine": "A", "roof": [1]}, "column 'roof' holds"),  # neither text nor number
        ({"trim": "base", "engine": "A", "roof": object()}, "column 'roof' holds object values"),
    ],
)
def test_bad_rows(cars: Model, row: object, words: str) -> None:
    """A row that cannot be read raises an error with the cure."""
    with pytest.raises(DataError, match=words):
        explain(cars, row)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([1, 0], "has 3 numbers"),
        ([[1, 0, 0]], "has 3 numbers"),
        ({"y0": 1}, "lacks the variable"),
        (7, "list of numbers"),
    ],
)
def test_bad_labels(row: object, words: str) -> None:
    """A label that cannot be read raises an error with the cure."""
    with pytest.raises(DataError, match=words):
        explain(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), row)


@pytest.mark.parametrize("settings", [{"nearest": -1}, {"nearest": True}, {"time_limit": 0}, {"time_limit": "1"}])
def test_bad_settings(cars: Model, settings: dict[str, Any]) -> None:
    """Wrong settings raise an error."""
    with pytest.raises(DataError):
        explain(cars, {"trim": "base", "engine": "A", "roof": "no"}, **settings)


def test_values_are_read_as_tables_write_them() -> None:
    """Whole floats, NumPy numbers, dates and NaN are read as in a data frame."""
    days = [datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)] * 60
    table = pa.table({"doors": [3.0, None] * 60, "day": days, "sold": [True, False] * 60})
    model = unwritten.mine(Table.of(table))
    assert explain(model, {"doors": np.int64(3), "day": days[0], "sold": np.True_}).feasible
    assert explain(model, {"doors": float("nan"), "day": "2024-01-02", "sold": False}).feasible
    explanation = explain(model, {"doors": 3.0, "day": days[0], "sold": False})
    assert changes(explanation.repairs[0]) == {"sold": True}


def test_state_is_json(cars: Model, bills: Model) -> None:
    """The state survives a round trip through JSON."""
    for model, row in (
        (cars, {"trim": "lux", "engine": "A", "roof": None}),
        (cars, {"trim": "sport", "engine": "B", "roof": "no"}),
        (bills, {"net": 4, "tax": 3, "gross": -8}),
    ):
        state = explain(model, row).state()
        assert json.loads(json.dumps(state, allow_nan=False)) == state


@st.composite
def problems(draw: st.DrawFn) -> tuple[Model, dict[str, Any], list[dict[str, Any]]]:
    """A small model, a row that may hold unseen values, and all rows of known values."""
    columns = []
    for k in range(draw(st.integers(2, 4))):
        match draw(st.sampled_from(["category", "boolean", "integer"])):
            case "category":
                columns.append(Column(f"c{k}", "category", tuple("xyzw"[: draw(st.integers(2, 4))])))
            case "boolean":
                columns.append(Column(f"c{k}", "boolean", ("no", "yes")))
            case _:
                low = draw(st.integers(-2, 1))
                columns.append(Column(f"c{k}", "integer", (), "integer", low, low + draw(st.integers(1, 3))))
    schema = Schema(tuple(columns))
    domains = [list(range(c.lower, c.upper + 1)) if c.kind == "integer" else list(c.levels) for c in columns]
    every = [dict(zip(schema.places, values, strict=True)) for values in product(*domains)]
    d = len(schema.variables)
    rows = draw(
        st.lists(
            st.tuples(
                st.lists(st.integers(-2, 2), min_size=d, max_size=d), st.sampled_from(["==", "<="]), st.integers(-2, 3)
            ),
            max_size=4,
        )
    )
    texts = [{name: str(value) for name, value in row.items()} for row in every]
    chosen = draw(st.lists(st.integers(0, len(every) - 1), min_size=1, max_size=5, unique=True))
    model = model_of(schema, rows, schema.encode_rows([texts[i] for i in chosen]).labels)
    row = {c.name: draw(st.sampled_from([*domain, "strange", 99])) for c, domain in zip(columns, domains, strict=True)}
    return model, row, every


@given(problems())
def test_repairs_change_the_fewest_cells_of_all(problem: tuple[Model, dict[str, Any], list[dict[str, Any]]]) -> None:
    """Repairs are right and change as few cells as the best of all rows; there is none if no row is right."""
    model, row, every = problem
    assert model.schema is not None
    labels = model.schema.encode_rows([{k: str(v) for k, v in other.items()} for other in every]).labels
    activity = labels @ model.rules.matrix.T
    broken = np.where(model.rules.equality, activity != model.rules.rhs, activity > model.rules.rhs)
    right = [other for other, bad in zip(every, broken.any(axis=1), strict=True) if not bad]
    explanation = explain(model, row, strict=True)
    fewest = min((sum(row[k] != other[k] for k in row) for other in right), default=None)
    assert explanation.feasible == (fewest == 0)
    assert bool(explanation.repairs) == (fewest is not None and fewest > 0)
    assert fewest is not None or "no row at all obeys every rule" in explanation.notes[0]
    for repair in explanation.repairs:
        assert len(repair.changes) == fewest
        assert repair.exact
        assert row | changes(repair) in right
        assert all(str(change.old) == str(row[change.column]) for change in repair.changes)
    assert len({tuple(repair.changes) for repair in explanation.repairs}) == len(explanation.repairs)
    distances = [repair.distance for repair in explanation.repairs]
    assert distances == sorted(distances)


@given(problems())
def test_nearest_rows_differ_in_the_fewest_cells(problem: tuple[Model, dict[str, Any], list[dict[str, Any]]]) -> None:
    """The nearest rows are those of a plain count over the examples."""
    model, row, _ = problem
    assert model.schema is not None
    nearest_rows = explain(replace(model, rules=model.rules[:0]), row, nearest=2).nearest
    distances = sorted(sum(row[k] != seen[k] for k in row) for seen in model.schema.decode(model.seen))
    assert [len(one.differs) for one in nearest_rows] == distances[:2]
    assert all(set(one.differs) == {k for k in row if row[k] != one.row[k]} for one in nearest_rows)


@pytest.mark.skipif(
    not os.environ.get(datasets.VARIABLE), reason=f"set {datasets.VARIABLE} to the directory of the data sets"
)
def test_the_wrong_cell_of_a_car_sale_is_found() -> None:
    """In held-out sales with one impossible cell, the best repair names that cell at least four times in five."""
    pytest.importorskip("ortools")
    from experiments.manufacturer import Manufacturer

    data = Path(os.environ[datasets.VARIABLE])
    columns, values, folds = datasets.renault(data)
    sales = np.asarray(values)
    fold = folds == folds.max()
    table = pa.table({name: sales[~fold, k].astype(str).tolist() for k, name in enumerate(columns)})
    model = unwritten.mine(Table.of(table))
    maker = Manufacturer(datasets.renault_constraints(data), columns)
    held = np.unique(sales[fold], axis=0)
    rng = np.random.default_rng(0)
    flagged = hits = 0
    while flagged < 60:
        row, k = held[rng.integers(len(held))].copy(), int(rng.integers(len(columns)))
        row[k] = rng.choice(np.unique(sales[:, k]))
        if maker.allows(row[None])[0]:
            continue
        explanation = explain(model, dict(zip(columns, row.astype(str).tolist(), strict=True)))
        flagged += not explanation.feasible
        hits += any(change.column == columns[k] for repair in explanation.repairs[:1] for change in repair.changes)
    assert hits >= 0.8 * flagged
