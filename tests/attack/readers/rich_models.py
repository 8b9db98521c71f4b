"""Rich models: small ones that together have everything a model can have, with edits and facts of every kind."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

import unwritten
from attack.readers.samples import models
from unwritten.data import Variables
from unwritten.evidence.answer_forecast import AnswerForecast
from unwritten.facts import Dependency
from unwritten.facts.date_part import DatePart
from unwritten.facts.missing_when import MissingWhen
from unwritten.facts.range_by import RangeBy
from unwritten.facts.range_when import RangeWhen
from unwritten.facts.seen_together import SeenTogether
from unwritten.rules import HABIT, Evidence, Gap, Gaps, RuleSet

SURE = Evidence(60, 0, 0.5, 3.0)
DOUBTFUL = Evidence(60, 1, 0.9, 3.0, 0.25, 0.1, 0.5, 7, 4, True)

SAID = (
    "gross = net + tax within 0.01",
    "start <= stop",
    "net + tax <= gross",
    "id is unique",
    "city determines zip",
    "city and zip determine each other",
    "hour = hour of start",
    "code starts with city",
    'code starts with "C" and year of day',
    "id and city are never missing",
    "net and tax are missing together",
    "code looks like AA-9999 or 'X'-9…",
    "code has 2 to 40 characters",
    "net is a multiple of 0.25",
    "gross >= 0",
    "day from 2020-01-01 to 2030-12-31",
    "start is a timestamp",
)


def orders() -> pd.DataFrame:
    """Return a table whose columns have every role, and rare values that came together."""
    n = 40
    rng = np.random.default_rng(3)
    city = rng.choice(["Ulm", "Bonn", "two words"], n)
    net, day = rng.integers(1, 400, n) / 4, pd.Timestamp("2024-02-28") + pd.to_timedelta(np.arange(n), "D")
    start = day + pd.to_timedelta(rng.integers(0, 24, n), "h")
    tax = rng.integers(1, 40, n) / 4
    table = pd.DataFrame(
        {
            "id": [f"k{k}" for k in range(n)],
            "city": city,
            "zip": np.where(city == "Ulm", 1, np.where(city == "Bonn", 2, 3)),
            "net": net,
            "tax": tax,
            "gross": net + tax,
            "day": day.strftime("%Y-%m-%d"),
            "start": start.strftime("%Y-%m-%d %H:%M:%S"),
            "stop": (start + pd.Timedelta(hours=1)).strftime("%Y-%m-%d %H:%M:%S"),
            "hour": start.hour,
            "code": [f"AB-{k:04d}" for k in range(n)],
            "wind": rng.integers(0, 90, n),
            "flag": rng.choice(["yes", "no"], n),
            "note": [None if k % 3 else "x" for k in range(n)],
        }
    )
    table.loc[7, ["city", "note"]] = ["Rome", "rare"]
    return table


@cache
def order_model() -> unwritten.Model:
    """Return a model of the orders with facts of every kind, and everything that a person dropped."""
    model = unwritten.mine(orders(), types={"wind": "integer", "hour": "category", "start": "timestamp"})
    said = [text for text in SAID if not (text.startswith("city and zip") or "within" in text)]
    model = model.with_rules([*said, "city = Ulm requires flag = yes"])
    more = (
        Dependency(("city",), "zip", (("Ulm", "1"), ("Bonn", "2")), both=True, evidence=SURE),
        MissingWhen("note", "flag", ("yes",), ("no",), exactly=True, evidence=DOUBTFUL),
        RangeWhen("city", "Ulm", "wind", 3, 60.5),
        RangeWhen("flag", "no", "day", 19_000, None, exactly=True),
        RangeBy("city", "gross", (("Ulm", 0.0, 9_000.0), ("Bonn", None, 5.0), ("Rome", 1.0, None))),
        DatePart("city", "quarter", "day", ("Ulm", "Bonn", None, "Rome")),
        SeenTogether((("city", "Rome"), ("note", "rare")), 1),
    )
    text = model.sentences[0].text
    return replace(
        model,
        facts=(*model.facts, *more),
        notes=("a note", text),
        dropped=("ab" * 32,),
    )


@cache
def label_model() -> unwritten.Model:
    """Return a model of labels on two axes with habits, doubtful and redundant rules, suspects, sums and a forecast."""
    drawn = np.random.default_rng(0).integers(0, 3, (60, 2))
    labels = np.eye(3, dtype=np.int64)[drawn].reshape(60, 6)
    model = unwritten.mine(labels, axes={"nurse": [1, 2], "shift": ["early", "late", "off"]})
    row = np.eye(1, 6, dtype=np.int64)[0]
    return replace(
        model,
        redundant=RuleSet.of(model.extended, [([1, 1, 0, 0, 0, 0], "<=", 1)], "mined", SURE),
        doubtful=RuleSet.of(model.extended, [(row, "<=", 1), ([0, 1, 0, 1, 0, 0], "<=", 1)], "mined", DOUBTFUL),
        habits=RuleSet.of(model.extended, [([1, 0, 0, -1, 0, 0], "==", 0)], HABIT, SURE),
        suspects=np.array([3, 1], np.int64),
        forecast=AnswerForecast(200, 104, 170, 100, 6),
        sums=tuple((2 * labels.sum(axis=0)).tolist()),
        total=120,
        dropped=("cd" * 32,),
    )


@cache
def gap_model() -> unwritten.Model:
    """Return a model of integers with gaps of every kind."""
    drawn = np.array([np.random.default_rng(k).permutation(4) for k in range(50)])
    model = unwritten.mine(drawn, names=["a", "b c", "ü", "d"])
    gaps = (
        Gap.all_different(["a", "b c", "ü", "d"]),
        Gap.not_equal("a", "d", -2),
        Gap("distance", ("a", "b c"), (5,), "mined", SURE),
        Gap("either-or", ("a", "ü"), (-2, 3), "mined", SURE),
        Gap.all_differences(["a", "b c", "d"]),
    )
    return replace(model, gaps=Gaps(model.variables, gaps))


@cache
def value_model() -> unwritten.Model:
    """Return a model with a latent for every value of integers."""
    drawn = np.array([np.random.default_rng(k).permutation(3) for k in range(40)])
    return unwritten.mine(drawn, lifts=["values"], rules=["equalities"])


@cache
def rich_models() -> tuple[unwritten.Model, ...]:
    """Return the sample models and the rich ones."""
    plain = Variables.named(["a", "b"], [-3, 0], [7, 1])
    empty = unwritten.mine(np.array([[-3, 0], [7, 1], [0, 1]]), names=plain.names)
    return (*models(), order_model(), label_model(), gap_model(), value_model(), empty)
