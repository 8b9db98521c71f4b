"""Methods of a model accept every kind of input that `mine` accepts, and return frames for frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from test_mine_door import CARS, LABELS, NAMES

import unwritten
from unwritten.errors import DataError

TABLE_MODEL = unwritten.mine(CARS)
LABEL_MODEL = unwritten.mine(LABELS, names=NAMES)
WRONG = CARS.head(6).assign(trim="sport", roof="steel")


@pytest.mark.parametrize(
    "kind", ["pandas", "polars", "arrow", "csv", "records", "table", "list", "generator", "reader", "open"]
)
def test_a_table_is_checked_in_every_form(kind: str, tmp_path: Path) -> None:
    """Six wrong rows are found in every kind of table, with the sentence that they break."""
    WRONG.to_csv(tmp_path / "new.csv", index=False)
    given: Any = {
        "pandas": WRONG,
        "polars": pl.from_pandas(WRONG),
        "arrow": pa.Table.from_pandas(WRONG),
        "csv": tmp_path / "new.csv",
        "records": WRONG.to_dict("records"),
        "table": unwritten.Table.of(WRONG),
        "list": [WRONG[:2], WRONG[2:]],
        "generator": (WRONG[k : k + 2] for k in (0, 2, 4)),
        "reader": pd.read_csv(tmp_path / "new.csv", chunksize=4),
        "open": (tmp_path / "new.csv").open("rb"),
    }[kind]
    check = TABLE_MODEL.check(given)
    assert not check.feasible.any()
    assert [str(sentence) for sentence in check.broken(0)] == ["trim = sport requires roof = glass"]
    assert repr(check) == "TableCheck(6 of 6 rows are wrong)"


def test_frames_come_back_as_frames() -> None:
    """Predictions, decisions and findings are the kind of frame that was given, with its index."""
    weights = pd.DataFrame(np.eye(4)[:2], columns=NAMES, index=["mon", "tue"])
    predicted = LABEL_MODEL.predict(weights)
    assert isinstance(predicted, pd.DataFrame)
    assert predicted.index.tolist() == ["mon", "tue"]
    assert predicted.columns.tolist() == NAMES
    assert LABEL_MODEL.decide(weights).to_frame().index.tolist() == ["mon", "tue"]
    assert isinstance(LABEL_MODEL.predict(pl.DataFrame(weights)), pl.DataFrame)
    assert isinstance(LABEL_MODEL.predict(weights.to_numpy()), np.ndarray)
    assert isinstance(LABEL_MODEL.decide(weights.to_numpy()).to_frame(), pa.Table)
    assert isinstance(TABLE_MODEL.check(WRONG).to_frame(), pd.DataFrame)
    assert TABLE_MODEL.check(WRONG).to_frame()["row"].tolist() == [1, 2, 3, 4, 5, 6]
    assert isinstance(TABLE_MODEL.check(pl.from_pandas(WRONG)).to_frame(), pl.DataFrame)
    broken = LABEL_MODEL.check(pl.DataFrame([[1, 1, 0, 0]], schema=NAMES, orient="row")).to_frame()
    assert broken.rows() == [(0, "exactly one of a, b, c, d")]


def test_labels_are_checked_in_every_form(tmp_path: Path) -> None:
    """Labels can be checked as arrays, lists, frames, files of integers and batches."""
    pd.DataFrame(LABELS, columns=NAMES).to_csv(tmp_path / "labels.csv", index=False)
    for given in (LABELS, LABELS.tolist(), pd.DataFrame(LABELS, columns=NAMES), iter([LABELS[:9], LABELS[9:]])):
        check = LABEL_MODEL.check(given)
        assert len(check) == 300
        assert check.feasible.all()
    assert repr(LABEL_MODEL.check([[1, 1, 0, 0]])) == "Check(1 of 1 labels is infeasible)"


def test_rows_are_explained_in_every_form() -> None:
    """A Series, a mapping and a frame of one row give the same explanation; several rows are refused with the cure."""
    row = WRONG.iloc[0]
    texts = {
        str(TABLE_MODEL.explain(given)) for given in (row, row.to_dict(), WRONG.head(1), pl.from_pandas(WRONG)[:1])
    }
    assert len(texts) == 1
    assert "trim = sport requires roof = glass" in texts.pop()
    with pytest.raises(DataError, match=r"6 rows: give one row"):
        TABLE_MODEL.explain(WRONG)


def test_models_are_compared_with_models_and_their_files(tmp_path: Path) -> None:
    """diff takes a model or the path of one; data is refused with the cure."""
    TABLE_MODEL.save(tmp_path / "old.rules")
    assert TABLE_MODEL.diff(unwritten.mine(CARS)).same
    assert unwritten.mine(CARS).diff(tmp_path / "old.rules").same
    with pytest.raises(DataError, match=r"mine the other data first"):
        TABLE_MODEL.diff(CARS)  # type: ignore[arg-type]


def test_exports_and_reports_are_returned_and_written(tmp_path: Path) -> None:
    """The text is returned; with a path it is written too, whole."""
    text = TABLE_MODEL.export("sql", path=tmp_path / "cars.sql")
    assert (tmp_path / "cars.sql").read_text(encoding="utf-8") == text
    page = TABLE_MODEL.report(tmp_path / "cars.html")
    assert (tmp_path / "cars.html").read_text(encoding="utf-8") == page
    with pytest.raises(DataError, match="use one of"):
        TABLE_MODEL.export("excel")  # type: ignore[arg-type]


def test_a_tables_model_speaks_in_sentences() -> None:
    """print(model), print(model.rules) and single rules name columns and values, not variables."""
    assert "trim = sport requires roof = glass" in str(TABLE_MODEL)
    assert str(TABLE_MODEL.rules).splitlines() == ["seats + cargo = 9", "trim = sport requires roof = glass"]
    mined = TABLE_MODEL.rules.by_origin("mined")
    assert {"seats = 3 exactly when cargo = 6", "trim = sport requires roof = glass"} <= {rule.text for rule in mined}
    assert repr(TABLE_MODEL.rules) == "RuleSet(2 sentences about 4 columns)"


def test_packages_load_when_they_are_asked_for() -> None:
    """After a plain import, every package the README names is an attribute."""
    for name in ("exports", "report", "review", "samples", "sklearn", "torch"):
        assert getattr(unwritten, name).__name__ == f"unwritten.{name}"
    assert {"ConstraintMiner", "review", "mine"} <= set(dir(unwritten))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = unwritten.nonsense  # type: ignore[attr-defined]


def test_results_are_shown_as_tables_in_notebooks() -> None:
    """Models, rules, decisions and checks are shown in notebooks as small escaped tables."""
    weights = np.eye(4)[:2]
    shown = [
        TABLE_MODEL,
        TABLE_MODEL.rules,
        LABEL_MODEL.rules,
        LABEL_MODEL.rules[0],
        LABEL_MODEL.rules[0].evidence,
        LABEL_MODEL.decide(weights),
        TABLE_MODEL.check(WRONG),
        LABEL_MODEL.check([[1, 1, 0, 0]]),
        TABLE_MODEL.explain(WRONG.iloc[0]),
        TABLE_MODEL.diff(unwritten.mine(CARS.head(40))),
        LABEL_MODEL.evidence,
    ]
    for each in shown:
        html = each._repr_html_()  # type: ignore[union-attr]
        assert html.startswith("<"), type(each)
        assert "<script" not in html
        assert len(repr(each).splitlines()) == 1, type(each)
        assert len(repr(each)) < 250, repr(each)


def test_records_are_rows_everywhere() -> None:
    """A list of dicts is mined and checked like the data frame of the same rows."""
    records = [{"trim": trim, "roof": roof} for trim, roof in [("base", "no"), ("sport", "yes")] * 100]
    model = unwritten.mine(records)  # type: ignore[arg-type, unused-ignore]
    assert str(model.rules) == "trim = sport exactly when roof = yes"
    assert model.summary().startswith("200 rows (2 distinct) with 2 columns")
    assert model.check(records).feasible.all()
    labels = unwritten.mine([{"a": 1, "b": 0}, {"a": 0, "b": 1}] * 100)
    assert str(labels.rules) == "exactly one of a, b"
    assert labels.check([{"a": 1, "b": 1}]).feasible.tolist() == [False]


def test_rows_without_column_names_are_refused_with_the_cure() -> None:
    """One row, or an array of text, is not a table."""
    model = unwritten.mine([{"trim": trim, "roof": roof} for trim, roof in [("base", "no"), ("sport", "yes")] * 20])
    with pytest.raises(DataError, match=r"one row is not a table: use model.explain\(row\)"):
        model.check({"trim": "base", "roof": "no"})
    with pytest.raises(DataError, match="no column names: give a data frame with the columns trim, roof"):
        model.check(np.array([["base", "no"]], dtype=object))
    with pytest.raises(DataError, match="another model is needed here"):
        model.with_edits_from(None)  # type: ignore[arg-type]
