"""Forged models: whatever is wrong in a `.rules` file is refused when it is loaded, not found out in use."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attack.readers.rich_models import gap_model, label_model, order_model, rich_models, value_model
from attack.readers.samples import table_model
from unwritten import Model
from unwritten.errors import FormatError
from unwritten.evidence.row_probability import share_that_obeys
from unwritten.model.state import pack, unpack

Forge = Callable[[dict[str, Any], dict[str, Any]], object]


def fact(header: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the meaning of the last fact of a kind, and take away all other facts."""
    header["facts"] = [next(fact for fact in reversed(header["facts"]) if fact["kind"] == kind)]
    meaning: dict[str, Any] = header["facts"][0]["meaning"]
    return meaning


def bins(header: dict[str, Any]) -> dict[str, Any]:
    """Return the column of bins."""
    return next(column for column in header["schema"] if column["kind"] == "bins")


FORGED: dict[str, tuple[Callable[[], Model], Forge]] = {
    "a mapping of -1": (order_model, lambda h, a: fact(h, "determines").update(mapping=-1)),
    "a mapping of other width": (order_model, lambda h, a: fact(h, "determines").update(mapping=[["Ulm"]])),
    "a number for a text": (order_model, lambda h, a: fact(h, "starts-with").update(before=5)),
    "a bound of text": (order_model, lambda h, a: fact(h, "range-by").update(ranges=[["Ulm", "a", None]])),
    "a date beyond all calendars": (order_model, lambda h, a: fact(h, "range-when").update(name="day", highest=1e9)),
    "a sum of texts": (order_model, lambda h, a: fact(h, "sum").update(names=["code", "city", "net"])),
    "a step that is none": (order_model, lambda h, a: fact(h, "step").update(step=2.5)),
    "a column twice": (order_model, lambda h, a: fact(h, "order").update(low="stop")),
    "no values that say what is missing": (order_model, lambda h, a: fact(h, "missing-when").update(missing=[[]])),
    "values together of a column that is not there": (
        order_model,
        lambda h, a: fact(h, "seen-together").update(cells=[["nobody", "a"], ["city", "Rome"]]),
    ),
    "a column that is not there": (order_model, lambda h, a: fact(h, "key").update(names=["nobody"])),
    "fewer bins than edges": (table_model, lambda h, a: bins(h)["edges"].append(1e9)),
    "two columns of one name": (order_model, lambda h, a: h["schema"].append(h["schema"][0])),
    "a table whose definitions lack one": (order_model, lambda h, a: a["rule_rhs"].__setitem__(slice(None), 2)),
    "an entry that is not known": (label_model, lambda h, a: h.update(more=1)),
    "an array that is not known": (label_model, lambda h, a: a.update(more=np.zeros(3))),
    "half of a surrogate pair": (label_model, lambda h, a: h.update(notes=["\ud800"])),
    "a label that was never seen": (label_model, lambda h, a: a["counts"].__setitem__(0, 0)),
    "a label outside the bounds": (label_model, lambda h, a: a["seen"].__setitem__((0, 0), 9)),
    "suspects that are no examples": (label_model, lambda h, a: a["suspects"].__setitem__(0, -1)),
    "evidence of half an example": (label_model, lambda h, a: h["habit_evidence"][0].__setitem__(0, 59.5)),
    "an axis twice": (label_model, lambda h, a: h["layout"][0]["axes"][0].__setitem__(0, "shift")),
    "a gap of text": (gap_model, lambda h, a: h["gaps"][0]["numbers"].__setitem__(0, "1")),
    "a variable with 2⁴⁰ latents": (
        value_model,
        lambda h, a: h["lifts"][0]["state"]["domains"][0].__setitem__(2, 2**40),
    ),
    "latents of another variable": (value_model, lambda h, a: h["lifts"][0]["state"]["domains"][0].__setitem__(0, -1)),
}


def forged(model: Model, forge: Forge) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parts of a model after a change."""
    header, arrays = pack(model)
    header, arrays = json.loads(json.dumps(header)), {name: array.copy() for name, array in arrays.items()}
    forge(header, arrays)
    return header, arrays


@pytest.mark.parametrize("case", FORGED)
def test_what_is_forged_does_not_load(case: str) -> None:
    """The file is refused with one sentence: most of these loaded, and failed in an export, a report or a check."""
    model, forge = FORGED[case]
    with pytest.raises(FormatError, match="again") as caught:
        unpack(*forged(model(), forge))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("place", range(len(rich_models())))
def test_what_was_saved_loads(place: int) -> None:
    """Every model is the same after saving; older files lack entries that newer ones have."""
    model = rich_models()[place]
    header, arrays = forged(model, lambda header, arrays: None)
    assert Model(**unpack(header, arrays)) == model
    for name in (
        "doubtful_evidence",
        "forecast",
        "total",
        "about",
        "dropped",
        "schema" if not model.schema else "sums",
    ):
        header.pop(name, None)
    older = {name: array for name, array in arrays.items() if not name.startswith("doubtful")}
    evidence = [numbers and numbers[:5] for numbers in header["evidence"]]
    columns = [
        {k: v for k, v in column.items() if k not in ("role", "scale", "closed")} for column in header.get("schema", [])
    ]
    if not model.facts:
        header |= {"evidence": evidence, **({"schema": columns} if columns else {})}
    assert len(Model(**unpack(header, older)).rules) == len(model.rules)


def test_a_label_seen_often_costs_no_memory() -> None:
    """The forecast of new labels counted up to the largest count, 16 GiB for a label seen 2³¹ times."""
    header, arrays = forged(label_model(), lambda header, arrays: arrays["counts"].__setitem__(0, 2**40))
    model = Model(**unpack(header | {"total": None, "sums": []}, arrays))
    assert 0 <= model.evidence.inner_accuracy_after(100) <= 1


def test_large_coefficients_are_not_listed_value_by_value() -> None:
    """Coefficients of 2⁶² made a sum of 64 bits overflow, so that an array of as many values was asked for."""
    thirds = [np.full(3, 1 / 3)] * 2
    assert share_that_obeys(np.array([2**62, 2**62]), 1, True, thirds, np.zeros(2, np.int64)) is None
