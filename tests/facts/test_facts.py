"""Facts: what is mined, said, checked, explained, saved, edited and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from orders_table import orders, random_table

import unwritten
from unwritten import budgets
from unwritten.errors import FormatError
from unwritten.facts import Dependency, LinearFact, Order, RangeFact
from unwritten.formats import read_archive, write_archive
from unwritten.mining.facts.column_orders import without_followers
from unwritten.mining.facts.dependencies import without_implied
from unwritten.mining.facts.value_ends import ends_at
from unwritten.tables import Column, Schema

SAID = {
    "gross = net + tax",
    "paid ≤ gross",
    "ordered ≤ shipped",
    "customer determines city",
    "order is unique",
    "refund and refunded_by are missing together",
}


@pytest.fixture(scope="module")
def model() -> unwritten.Model:
    return unwritten.mine(orders())


def by_text(model: unwritten.Model) -> dict[str, str]:
    return {sentence.text: sentence.id for sentence in model.sentences}


def row(**changes: Any) -> dict[str, Any]:
    """The first order with some cells changed."""
    return orders().slice(0, 1).to_pylist()[0] | changes


def test_facts_of_orders(model: unwritten.Model) -> None:
    """Sums, orders, keys, dependencies and missing values are found in one table, and nothing else links columns."""
    linking = {s.text for s in model.sentences if s.kind not in ("range", "never-missing")}
    assert linking == SAID | {"order looks like 'A'999999"}
    assert all((sentence.confidence or 0) >= 0.95 for sentence in model.sentences)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"gross": "1.00"}, "gross = net + tax"),
        ({"paid": "999999.00"}, "paid ≤ gross"),
        ({"shipped": "2020-01-01"}, "ordered ≤ shipped"),
        ({"city": "city 0" if orders()["city"][0].as_py() != "city 0" else "city 1"}, "customer determines city"),
        ({"refund": "7", "refunded_by": None}, "refund and refunded_by are missing together"),
        ({"net": "-999"}, "net"),
        ({"net": "abc"}, "net"),
        ({"order": None}, "never missing"),
    ],
)
def test_one_wrong_cell_is_named(model: unwritten.Model, changes: dict[str, Any], text: str) -> None:
    """`check` and `explain` name the fact that a changed cell breaks; the row as it was breaks none."""
    checked = model.check([row(), row(**{"order": "A000000"} | changes)])
    assert checked.feasible.tolist() == [True, False]
    assert any(text in sentence.text for sentence in checked.broken(1))
    explained = model.explain(row(**changes))
    assert not explained.feasible
    assert any(text in sentence.text for sentence in explained.broken)


def test_a_repeated_key_is_found_in_the_table_that_is_checked(model: unwritten.Model) -> None:
    """The second row with the same key is wrong; the rows that the model was mined from are right."""
    assert model.check(orders()).feasible.all()
    checked = model.check([row(), row()])
    assert [sentence.text for sentence in checked.broken(1)] == ["order is unique"]


def test_new_values_break_no_dependency(model: unwritten.Model) -> None:
    """A customer that was never seen may live anywhere."""
    assert model.check([row(customer=999, city="city 7")]).feasible.all()


def test_facts_survive_saving(model: unwritten.Model, tmp_path: Path) -> None:
    """A loaded model has the same facts and sentences; damaged facts are refused."""
    model.save(tmp_path / "m.rules")
    back = unwritten.load(tmp_path / "m.rules")
    assert back == model
    assert back.sentences == model.sentences
    header, arrays = read_archive(tmp_path / "m.rules")
    good = header["facts"][0]
    for bad in ({"kind": "colour"}, {"meaning": {"names": ["nope"], "coefficients": [1]}}, {"origin": "somewhere"}):
        write_archive(tmp_path / "bad.rules", header | {"facts": [good | bad]}, arrays)
        with pytest.raises(FormatError):
            unwritten.load(tmp_path / "bad.rules")


def test_edits_of_facts(model: unwritten.Model) -> None:
    """A dropped fact stays dropped and a pinned one stays when the table is mined again."""
    names = by_text(model)
    edited = model.without([names["paid ≤ gross"]]).pinned([names["gross = net + tax"]])
    assert "paid ≤ gross" not in by_text(edited)
    again = unwritten.mine(orders(seed=5)).with_edits_from(edited)
    assert "paid ≤ gross" not in by_text(again)
    assert {s.text: s.origin for s in again.sentences}["gross = net + tax"] == "given"


def test_diff_of_facts(model: unwritten.Model) -> None:
    """Two samples of the same orders say the same; a table in which tax is missing from the sum does not."""
    other = orders(seed=3)
    gross = pa.array([f"{float(v) + 1 + k % 7:.2f}" for k, v in enumerate(other["gross"].to_pylist())])
    assert not model.diff(unwritten.mine(other)).lost
    broken = other.set_column(5, "gross", gross)
    changed = unwritten.mine(broken)
    assert "gross = net + tax" in [sentence.text for sentence in model.diff(changed, rows=broken).lost]
    without_rows = model.diff(changed)
    assert not without_rows.lost
    assert "gross = net + tax" in [sentence.text for sentence in without_rows.untested]


def test_few_rows_lose_no_fact(model: unwritten.Model) -> None:
    """A fact that few rows cannot show, and none of them breaks, is not lost."""
    few = orders(60, seed=3)
    difference = model.diff(unwritten.mine(few), rows=few)
    unshown = {sentence.text for sentence in difference.unshown}
    assert "customer determines city" in unshown
    assert not {"customer determines city"} & {sentence.text for sentence in difference.lost}
    assert "? customer determines city" in difference.summary()


def test_reports_and_exports_say_what_becomes_of_facts(model: unwritten.Model) -> None:
    """The report lists facts; the files for other tools say which of them they leave out."""
    assert "customer determines city" in model.report()
    assert "left out" in model.export("lp")
    assert "left out" not in model.export("sql")
    assert "customer determines city" in model.export("sql")
    assert "customer determines city" in model.export("pandera")


def test_facts_of_a_sample_are_verified_on_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that a row outside the sample breaks is dropped, and dependencies know values outside the sample."""
    table = orders(3_000)
    monkeypatch.setattr(budgets, "FACT_ROWS", 1_000)
    shipped = table["shipped"].to_pylist()
    sampled = set(np.unique(np.random.default_rng(0).integers(0, 3_000, 1_000)).tolist())
    shipped[next(k for k in range(3_000) if k not in sampled)] = "2001-01-01"
    model = unwritten.mine(table.set_column(8, "shipped", pa.array(shipped)))
    assert "ordered ≤ shipped" not in by_text(model)
    assert "gross = net + tax" in by_text(model)
    (known,) = [fact for fact in model.facts if isinstance(fact, Dependency)]
    assert len(known.mapping) == len(set(table["customer"].to_pylist()))


def test_random_tables_link_no_columns() -> None:
    """Of 50 tables of independent columns of mixed roles, none gets a fact about two columns, or a key."""
    for seed in range(50):
        facts = mine_facts_of(random_table(seed))
        assert [fact for fact in facts if fact.kind not in ("range", "never-missing", "looks-like")] == []


def mine_facts_of(table: pa.Table) -> tuple[Any, ...]:
    from unwritten.mining.facts import mine_facts

    return mine_facts(unwritten.Table.of(table), 0.95)


def test_an_unrelated_column_does_not_hide_a_sum() -> None:
    """A sum of three numbers is found beside text with a value of its own in each row, dates and rare missing cells."""
    table = orders(600)
    facts = mine_facts_of(table.append_column("remark", pa.array([f"remark no {k}" for k in range(600)])))
    assert LinearFact(("net", "tax", "gross"), (1, 1, -1)).digest in {fact.digest for fact in facts}


def test_what_follows_only_where_nothing_is_missing_is_said() -> None:
    """If strikeouts were not counted in early years, hits + strikeouts ≤ bats does not make hits ≤ bats superfluous."""
    rng = np.random.default_rng(2)
    bats = rng.integers(1, 60, 3_000)
    hits = rng.binomial(bats, 0.4)
    outs = pa.array(rng.binomial(bats - hits, 0.4).tolist())
    for missing, said in ((0, set()), (1_000, {"hits ≤ bats"})):
        known = pa.array([None] * missing + outs.to_pylist()[missing:])
        table = pa.table({"bats": bats, "hits": hits, "outs": known})
        texts = {sentence.text for sentence in unwritten.mine(table, types={"bats": "integer"}).sentences}
        assert "hits + outs ≤ bats" in texts
        assert texts & {"hits ≤ bats"} == said


def test_missing_cells_do_not_hide_a_sum() -> None:
    """A sum over columns of which one is missing in half of the rows holds where it is not."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 500, (2, 800))
    c = [None if k % 2 else int(v) for k, v in enumerate(a + b)]
    assert "sum" in {fact.kind for fact in mine_facts_of(pa.table({"a": a, "b": b, "c": c}))}


def test_values_that_end_and_values_that_fade_out() -> None:
    """Values that pile up at 0 end there; a normal tail that happens to stop short of 0 does not."""
    rng = np.random.default_rng(0)
    assert ends_at(rng.exponential(size=2_000), 0.0, 0.0) > 50
    for _ in range(20):
        values = rng.normal(3.6, 1.0, 2_000)
        values = values[values > 0]
        assert ends_at(values, 0.0, 0.0) < 20


def test_what_follows_is_not_said() -> None:
    """a ≤ c follows from a ≤ b ≤ c, and a → c from a → b → c; columns that determine each other share a sentence."""
    kept = without_followers([Order("a", "b"), Order("b", "c"), Order("a", "c")], lambda _: frozenset("abc"))
    assert [order.columns for order in kept] == [("a", "b"), ("b", "c")]
    arrows = [Dependency((left,), right, ()) for left, right in ("ab", "bc", "ac")]
    assert [fact.columns for fact in without_implied(arrows, [])] == [("a", "b"), ("b", "c")]
    assert len(without_followers([Order("a", "b"), Order("b", "c"), Order("a", "c")], lambda _: frozenset("ac"))) == 3
    ring = [Dependency((left,), right, ()) for left, right in ("ab", "ba")]
    assert [fact.words(Schema(SCHEMA)) for fact in without_implied(ring, [])] == ["a and b determine each other"]


SCHEMA = tuple(Column(name, "skip", role="decimal", scale=2) for name in ("a", "b", "c"))


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (LinearFact(("a", "b"), (1, -1)), "a = b"),
        (LinearFact(("a", "b", "c"), (1, 1, -1)), "c = a + b"),
        (LinearFact(("a", "b"), (1, 1), 900), "a + b = 9"),
        (LinearFact(("a", "b"), (-1, -1), 900), "a + b = −9"),
        (LinearFact(("a", "b"), (1, -1), 0, 0.25), "a = b within 0.0025"),
        (LinearFact(("a", "b"), (1, -2), -150), "a + 1.5 = 2·b"),
        (LinearFact(("a", "b"), (1, -1), 0, 1), "a = b within 0.01"),
        (RangeFact("a", -150.0, 1_000.0), "a from −1.5 to 10"),
        (RangeFact("a", None, 1_000.0), "a ≤ 10"),
        (RangeFact("a"), "a is a number"),
    ],
)
def test_words(fact: LinearFact | RangeFact, text: str) -> None:
    """Facts are said in the units of the table, whatever they are counted in."""
    assert fact.words(Schema(SCHEMA)) == text


@pytest.mark.parametrize(
    ("names", "least", "said"),
    [
        (("tstart", "tstop"), 1, "tstart < tstop"),
        (("tstart", "tstop"), 0, "tstart ≤ tstop"),
        (("low", "high"), 1, "low ≤ high"),
    ],
)
def test_intervals_last(names: tuple[str, str], least: int, said: str) -> None:
    """A start is before its stop if no row has both at once, however few rows are near; other limits may be equal."""
    rng = np.random.default_rng(0)
    start = rng.integers(0, 300, 200)
    stop = start + least + rng.integers(0, 250, 200)
    if not least:
        stop[:3] = start[:3]
    columns = {names[0]: start, names[1]: stop, "ward": rng.choice(["north", "south"], 200)}
    assert said in by_text(unwritten.mine(pa.table(columns)))
