"""Rare values that were only seen together: a row with some of them is wrong, and exports say so, too."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import unwritten
from exports.test_export_pandera import failures, schema_of
from exports.test_export_sql import insert, rows_of
from unwritten.facts import SeenTogether

ROWS = 2_500


def vans(rows: int = ROWS) -> pd.DataFrame:
    """Vans of which one alone has a glass roof, three axles and no radio."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "trim": rng.choice(["base", "sport", "lux"], rows),
            "roof": rng.choice(["steel", "cloth"], rows),
            "axles": rng.choice(["two", "lifted"], rows),
            "radio": ["yes"] * rows,
            **{f"option {k}": rng.choice(["a", "b", "c"], rows) for k in range(12)},
        }
    )
    table.loc[100, ["roof", "axles", "radio"]] = ["glass", "triple", "no"]
    return table


def together(model: unwritten.Model) -> list[SeenTogether]:
    return [fact for fact in model.facts if isinstance(fact, SeenTogether)]


@pytest.fixture(scope="module")
def model() -> unwritten.Model:
    return unwritten.mine(vans())


def test_rare_values_that_came_together(model: unwritten.Model) -> None:
    """One row is no ground for a rule, but a rare value without the others that it came with is wrong."""
    new = vans().iloc[[100, 101, 102]].assign(roof=["glass", "glass", "steel"])
    said = "roof = glass, axles = triple and radio = no were only seen together, in 1 row"
    assert [sentence.text for sentence in model.sentences if "roof" in sentence.columns] == [said]
    checked = model.check(new)
    assert checked.feasible.tolist() == [True, False, True]
    assert checked.findings[0].texts == (said,)
    assert f"1 row: {said}" in checked.summary()


def test_they_are_rules_like_others(model: unwritten.Model) -> None:
    """They have an id, can be dropped and given again in words, and make two models different."""
    (said,) = (sentence for sentence in model.sentences if sentence.kind == "seen-together")
    without = model.without([said.id])
    assert without != model
    assert [sentence.id for sentence in without.diff(model).gained] == [said.id]
    assert said.text in {sentence.text for sentence in without.with_rules([said.text]).sentences}


def test_the_rare_value_is_repaired(model: unwritten.Model) -> None:
    """The row is right again if the rare value is another one."""
    explained = model.explain(vans().iloc[[101]].assign(roof="glass"))
    assert not explained.feasible
    assert [sentence.kind for sentence in explained.broken] == ["seen-together"]
    assert [change.column for repair in explained.repairs for change in repair.changes] == ["roof", "roof"]


def test_few_rows_show_nothing() -> None:
    """In fewer than 1,000 rows, a value that came once is not rare."""
    assert together(unwritten.mine(vans(900))) == []


def test_a_rare_value_alone_is_no_matter() -> None:
    """A rare value that came with usual ones may come with others."""
    table = vans()
    table.loc[100, ["axles", "radio"]] = ["two", "yes"]
    assert together(unwritten.mine(table)) == []


def test_many_rare_values_are_not_rare() -> None:
    """If one row in 1,000 has such values, rows to come may have them in other company."""
    table = vans()
    for k, row in enumerate((200, 300, 400)):
        table.loc[row, [f"option {2 * k}", f"option {2 * k + 1}"]] = "z"
    assert [fact.rows for fact in together(unwritten.mine(table))] == [1, 1]


def test_saving(model: unwritten.Model, tmp_path: Path) -> None:
    """A saved model remembers them."""
    model.save(tmp_path / "vans.rules")
    assert together(unwritten.load(tmp_path / "vans.rules")) == together(model) != []


def test_exports_give_the_same_verdict(model: unwritten.Model) -> None:
    """SQL and pandera find the rows that the model finds."""
    rare = vans()
    rng = np.random.default_rng(1)
    for name in ("roof", "axles", "radio"):
        some = rng.random(ROWS) < 0.5
        rare.loc[some, name] = rare.loc[100, name]
    rare = rare.iloc[:300]
    fine = model.check(rare).feasible
    assert 0 < fine.sum() < len(fine)
    base = sqlite3.connect(":memory:")
    base.executescript(model.export("sql"))
    rows = rows_of(model, pa.Table.from_pandas(rare, preserve_index=False))
    base.executemany(insert("candidates", 16), rows)
    found = {tuple(row[2:]) for row in base.execute("SELECT * FROM violations")}
    assert [tuple(row) not in found for row in rows] == fine.tolist()
    pytest.importorskip("pandera")
    wrong = failures(schema_of(model.export("pandera")), rare.reset_index(drop=True))
    assert set(wrong["index"].astype(int)) == set(np.flatnonzero(~fine).tolist())
