"""Axes: declared, or read off MultiIndex columns and xarray arrays; kept with the model, and refused with a cure."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import unwritten
from unwritten.cli import app
from unwritten.data.layout import Axis
from unwritten.errors import DataError, FormatError
from unwritten.sklearn import ConstraintMiner

SHIFTS = ["early", "late", "night", "off"]
DRAWN = np.random.default_rng(0).integers(0, 4, (300, 3))
CUBE = np.eye(4, dtype=np.int64)[DRAWN]  # 300 examples × 3 nurses × 4 shifts: one shift each
LABELS = CUBE.reshape(300, 12)
AXES = {"nurse": [1, 2, 3], "shift": SHIFTS}
NAMES = [f"nurse {i} / {shift}" for i, shift in product((1, 2, 3), SHIFTS)]
SENTENCE = "for every nurse: exactly one of early, late, night, off"


def levels(labels: Any = LABELS) -> pd.DataFrame:
    """The labels as a frame whose columns have two levels."""
    return pd.DataFrame(labels, columns=pd.MultiIndex.from_product(AXES.values(), names=AXES))


def test_declared_axes_name_the_columns_and_their_order() -> None:
    """Columns without names get names from the axes, and declared values are ordered."""
    model = unwritten.mine(LABELS, axes=AXES)
    assert list(model.variables.names) == NAMES
    (grid,) = model.variables.layout.grids
    assert grid.axes == (Axis("nurse", ("1", "2", "3"), ordered=True), Axis("shift", tuple(SHIFTS), ordered=True))
    assert str(model.rules) == SENTENCE
    assert str(model).endswith(SENTENCE)
    assert next(rule.text for rule in model.rules).startswith("exactly one of nurse 1 / early, nurse 1 / late")


def test_declared_axes_keep_given_names() -> None:
    """Names that were given stay, and so do those of a frame; the axes are only their structure."""
    names = [f"column {chr(97 + j)}" for j in range(12)]
    for labels, given in ((LABELS, names), (pd.DataFrame(LABELS, columns=names), None)):
        model = unwritten.mine(labels, names=given, axes=AXES)
        assert list(model.variables.names) == names
        assert str(model.rules) == SENTENCE


@pytest.mark.parametrize("several", [[AXES, {"open": ["mon"]}], {"work": AXES, "open": {"day": ["mon"]}}])
def test_several_grids_cover_the_columns_in_order(several: Any) -> None:
    """A list of axes, or a mapping of them, describes one grid of columns after the other."""
    model = unwritten.mine(np.column_stack([LABELS, LABELS[:, 0]]), axes=several)
    assert [grid.places.ravel().tolist() for grid in model.variables.layout.grids] == [list(range(12)), [12]]
    assert len(set(model.variables.names)) == 13


BAD_AXES: dict[str, tuple[Any, str]] = {
    "too few combinations": ({"nurse": [1, 2]}, "have 2 = 2 combinations but there are 12 columns: give every axis"),
    "too many columns": ({"a": range(3), "b": range(5)}, "have 3 × 5 = 15 combinations but there are 12 columns"),
    "a value twice": ({"nurse": [1, 1], "b": range(6)}, "has the value '1' twice: list every value once"),
    "an empty axis": ({"nurse": [], "b": range(12)}, "has no values, or an empty one: list its values in order"),
    "a number": (3, "axes hold 3: write {'nurse'"),
    "text": ("nurse", "axes hold 'nurse': write"),
    "text as values": ({"nurse": "abc"}, "has 'abc' as its values: write"),
    "a number of values": ({"nurse": 12}, "has 12 as its values: write"),
    "nothing": ({}, "name no axis: write"),
    "no grids": ([], "are empty: write"),
    "a grid that is none": ([AXES, 3], "hold 3: write"),
    "a name that is none": ({1: range(12)}, "has the name 1: write"),
    "two equal grids": ([{"a": range(6)}, {"a": range(6)}], "two grids of axes have the same values: name the grids"),
}


@pytest.mark.parametrize(("axes", "message"), BAD_AXES.values(), ids=BAD_AXES)
def test_bad_axes_are_refused_with_a_cure(axes: Any, message: str) -> None:
    """Axes that do not fit the columns are refused in one sentence that names the cure."""
    with pytest.raises(DataError) as error:
        unwritten.mine(LABELS, axes=axes)
    assert message in str(error.value)


def test_tables_have_no_axes() -> None:
    """A table has columns of its own, so axes are refused."""
    with pytest.raises(DataError, match="leave out axes"):
        unwritten.mine(pd.DataFrame({"a": ["x", "y"] * 20}), axes={"a": [1]})


def test_axes_of_batches_and_estimators() -> None:
    """Batches and ConstraintMiner take axes, too."""
    batched = unwritten.mine([LABELS[:100], LABELS[100:]], axes=AXES)
    whole = unwritten.mine(LABELS, axes=AXES)
    assert batched.variables == whole.variables
    assert batched.rules == whole.rules
    miner = ConstraintMiner(axes=AXES).partial_fit(None, LABELS[:100]).partial_fit(None, LABELS[100:])
    assert str(miner.rules_) == SENTENCE
    assert str(ConstraintMiner().fit(None, levels()).rules_) == SENTENCE


def test_declared_axes_are_saved_and_names_are_read_again(tmp_path: Path) -> None:
    """A saved model keeps declared axes; a file without them has the layout that its names show."""
    for model in (unwritten.mine(LABELS, axes=AXES), unwritten.mine(LABELS, names=NAMES)):
        model.save(tmp_path / "model.rules")
        loaded = unwritten.load(tmp_path / "model.rules")
        assert loaded == model
        assert loaded.variables.layout == model.variables.layout
    assert unwritten.mine(LABELS, axes=AXES) != unwritten.mine(LABELS, names=NAMES)


def test_damaged_axes_in_a_file_are_refused() -> None:
    """A layout whose places are not those of the variables is refused when a file is read."""
    from unwritten.model.state import pack, unpack

    header, arrays = pack(unwritten.mine(LABELS, axes=AXES))
    for damage in ([0] * 12, list(range(1, 13)), [0], "x", None):
        header["layout"][0]["places"] = damage
        with pytest.raises(FormatError, match="save the model again"):
            unpack(header, arrays)


def test_frames_with_levels() -> None:
    """Columns of several levels are axes; results come back with the same columns."""
    frame = levels()
    model = unwritten.mine(frame)
    assert list(model.variables.names) == NAMES
    (grid,) = model.variables.layout.grids
    assert [(axis.name, axis.ordered) for axis in grid.axes] == [("nurse", True), ("shift", False)]
    assert str(model.rules) == SENTENCE
    assert model.check(frame).feasible.all()
    labels = model.predict(frame[:5].astype(float))
    pd.testing.assert_frame_equal(labels, frame[:5])
    assert model.decide(frame[:5].astype(float)).proven.all()
    broken = frame.iloc[0] * 0
    assert "exactly one of nurse 1 / early" in str(model.explain(broken))
    with pytest.raises(DataError, match="in another order"):
        model.check(frame[frame.columns[::-1]])


def test_frames_with_levels_in_any_order_with_gaps() -> None:
    """Levels without names are numbered, combinations may be missing, and ordered categories keep their order."""
    columns = pd.MultiIndex.from_tuples([("b", 2), ("a", 2), ("a", 10)])
    (grid,) = unwritten.mine(pd.DataFrame(LABELS[:, :3], columns=columns)).variables.layout.grids
    assert [axis.values for axis in grid.axes] == [("b", "a"), ("2", "10")]
    assert grid.places.tolist() == [[0, -1], [1, 2]]
    size = pd.CategoricalIndex(["S", "M", "L"], categories=["S", "M", "L"], ordered=True)
    columns = pd.MultiIndex.from_arrays([size[[2, 0, 1]], ["x"] * 3], names=["size", "kind"])
    (grid,) = unwritten.mine(pd.DataFrame(LABELS[:, :3], columns=columns)).variables.layout.grids
    assert grid.axes[0] == Axis("size", ("S", "M", "L"), ordered=True)
    twice = pd.DataFrame(LABELS[:, :2], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 1)]))
    with pytest.raises(DataError, match="rename one of them"):
        unwritten.mine(twice)


def test_labelled_arrays() -> None:
    """The first dimension of an xarray.DataArray are the examples, all others are axes."""
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray(CUBE, dims=("week", "nurse", "shift"), coords={"shift": SHIFTS, "nurse": [1, 2, 3]})
    model = unwritten.mine(array)
    assert list(model.variables.names) == NAMES
    assert str(model.rules) == SENTENCE
    assert model.check(array).feasible.all()
    assert (model.predict(array[:5] * 1.0) == LABELS[:5]).all()
    with pytest.raises(DataError, match="1 dimension"):
        model.check(array[0, 0])


def test_json_lists_each_rule_with_its_pattern(tmp_path: Path) -> None:
    """`unwritten rules` prints the pattern once; with --json it lists each rule with the pattern that it is part of."""
    path = tmp_path / "model.rules"
    model = unwritten.mine(LABELS, axes=AXES)
    model.save(path)
    shown = CliRunner().invoke(app, ["rules", str(path)]).stdout
    assert shown.count(SENTENCE) == 1
    assert "1 of 1 rules (1 of them patterns of 3 rules: --json lists each)" in shown
    listed = json.loads(CliRunner().invoke(app, ["rules", str(path), "--json"]).stdout)
    assert [state["pattern"] for state in listed] == [SENTENCE] * 3
    assert {state["text"] for state in listed} == {rule.text for rule in model.rules}
    for state in listed:
        assert len(model.without([state["id"]]).rules) == 2
    assert len(model.without([model.sentences[0].id]).rules) == 0
    assert SENTENCE in model.report()
