"""`mine` and its model: bad input, chunks, files, determinism, and the rules of SATNet grids."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unwritten
from experiments import datasets
from helpers import box
from unwritten import Examples, Model, RuleSet, Variables
from unwritten.building import build_exact as build
from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError, FormatError, InfeasibleError, SolverError, UnwrittenError
from unwritten.formats import read_archive, write_archive
from unwritten.model.state import pack
from unwritten.options import MiningOptions
from unwritten.rules import MINED
from unwritten.samples import sudoku, trees
from unwritten.sources import Gathered
from unwritten.tally import Tally

LABELS = np.eye(3, dtype=np.int64)
WEIGHTS = np.eye(3) + 0.5
NAMES = ["red", "green", "blue"]
MODEL = unwritten.mine(LABELS, WEIGHTS, rules=["equalities"], names=NAMES)


@dataclass(frozen=True)
class Top:
    """A user's own lift: the largest variable."""

    limit: int
    name: ClassVar[str] = "top"

    @classmethod
    def fit(cls, seen: IntArray, variables: Variables) -> Top:
        return cls(int(seen.max()))

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Top:
        return cls(state["limit"])

    def state(self) -> dict[str, Any]:
        return {"limit": self.limit}

    def latents(self, variables: Variables) -> Variables:
        return Variables.named(["top"], 0, self.limit)

    def apply(self, labels: IntArray) -> IntArray:
        return labels.max(axis=1, keepdims=True)

    def rows(self, variables: Variables) -> list[tuple[dict[str, int], str, int]]:
        return [({name: 1, "top": -1}, "<=", 0) for name in variables.names]


def refuses(call: Callable[[], object], cure: str, kind: type[UnwrittenError] = DataError) -> None:
    """The call raises an error of ours, which is also a ValueError, with this message."""
    with pytest.raises(kind, match=cure) as raised:
        call()
    assert isinstance(raised.value, ValueError)


BAD_CALLS: dict[str, tuple[dict[str, Any], str]] = {
    # what it is: (arguments of mine() in place of good ones, part of the message)
    "no labels": ({"data": None}, "labels are missing: give an array"),
    "empty labels": ({"data": []}, "labels are empty: give at least one example"),
    "labels without rows": ({"data": np.zeros((0, 3))}, "labels are empty: give at least one example"),
    "labels without columns": ({"data": np.zeros((3, 0))}, "labels have no columns"),
    "one row as a vector": ({"data": [1, 0, 0]}, r"labels have 1 dimension .*reshape\(1, -1\)"),
    "ragged labels": ({"data": [[1, 0], [1]]}, "rows of different lengths: give every row the same columns"),
    "NaN labels": ({"data": LABELS + np.nan}, "labels hold nan at row 0, column 0: replace or drop"),
    "infinite labels": ({"data": [[np.inf] * 3] * 3}, "labels hold inf .* replace or drop"),
    "fractions": ({"data": LABELS / 2}, "labels hold 0.5 at row 0, column 0: round, bin or rescale"),
    "text": ({"data": [["red"], ["blue"]]}, "labels hold text: encode categories"),
    "too large": ({"data": LABELS * 2**40}, "labels hold 1099511627776 at row 0, column 0: rescale"),
    "a missing value": (
        {"data": pl.DataFrame({"a": [1, None], "b": [0, 1]})},
        "a table has names and bounds of its own .*: give types",
    ),
    "one example": (
        {"data": LABELS[:1], "weights": WEIGHTS[:1]},
        r"one example cannot show a rule: give at least two, or rules=\[\]",
    ),
    "weights of the wrong width": ({"weights": WEIGHTS[:, :2]}, "weights have 2 columns but there are 3 variables"),
    "weights of the wrong length": (
        {"weights": WEIGHTS[:2]},
        "3 labels but 2 rows of weights: give one row of weights",
    ),
    "NaN weights": ({"weights": WEIGHTS * np.nan}, "weights hold nan at row 0, column 0: replace or drop"),
    "weights as text": ({"weights": [["a"] * 3] * 3}, "weights hold text: give plain numbers"),
    "overflowing weights": ({"weights": WEIGHTS * 1e300}, r"weights hold 1.5e\+300 .* rescale"),
    "weights in another order": (
        {
            "data": pd.DataFrame(LABELS, columns=NAMES),
            "weights": pd.DataFrame(WEIGHTS, columns=NAMES[::-1]),
            "names": None,
        },
        "weights have the right columns in another order: give them as red, green, blue",
    ),
    "an unknown sense": ({"sense": "best"}, "sense is 'best': use 'max' or 'min'"),
    "an unknown miner": ({"rules": ["equalities", "magic"]}, r"no miner 'magic': use 'auto', \[\] or names from"),
    "an unknown miner by name": ({"rules": "magic"}, "no miner 'magic': use 'auto'"),
    "no miners": ({"rules": None}, r"rules is None: use 'auto', \[\] or names from"),
    "an unknown slack": ({"slack": "some"}, "slack is 'some': use 0, 'auto', or one number per example"),
    "slack of the wrong length": ({"slack": [0, 0]}, r"slack has shape \(2,\) for 3 examples"),
    "negative slack": ({"slack": -1}, "slack must not be negative"),
    "labels that are not optimal": (
        {"weights": -WEIGHTS, "slack": 0},
        r"3 of 3 labels are not optimal .* use slack='auto' .* or check sense='max'",
    ),
    "prior that is not a list": ({"prior": 5}, r"prior must be a RuleSet or a list of \(coefficients, sense"),
    "prior that is one row": ({"prior": ([1, 1, 1], "==", 1)}, r"a single rule .* write \[\(coefficients"),
    "prior of the wrong width": (
        {"prior": [([1, 1], "==", 1)]},
        "2 coefficients for 3 variables: give one per variable",
    ),
    "prior of unknown names": ({"prior": [({"pink": 1}, "<=", 0)]}, "'pink', which is not a variable: use names from"),
    "prior over other variables": (
        {"prior": RuleSet.of(Variables.named("ab"), [([1, 1], "==", 1)])},
        "'a', which is not a variable: use names from red, green, blue",
    ),
    "prior that labels break": (
        {"prior": [([1, 1, 1], "<=", 1), ({"red": 1}, "==", 0)]},
        "1 of 3 distinct labels break the prior row “red = 0”: drop that row, or correct those labels",
    ),
    "contradictory prior": (
        {"prior": [({"red": 1}, "<=", 0), ({"red": 1}, ">=", 1)]},
        "1 of 3 distinct labels break the prior row “red ≤ 0”: drop that row",
    ),
    "an impossible prior": ({"prior": [({}, "==", 1)]}, "3 of 3 distinct labels break the prior row “0 = 1”"),
    "an unknown lift": ({"lifts": "triples"}, r"lift 'triples' is unknown: use one of \['pairs', 'values'\]"),
    "two of one name": ({"names": ["red", "red", "blue"]}, "'red' is used by two variables: rename one"),
    "an empty name": ({"names": ["red", "", "blue"]}, "'' is not a non-empty string: rename that column"),
    "too few names": ({"names": ["red"]}, "1 names were given for 3 columns: give one name per column"),
    "bounds crossed": ({"bounds": (1, 0)}, "lower bound 1 above its upper bound 0: swap them"),
    "labels outside bounds": ({"bounds": (0, 0)}, r"label 0 has red = 1, outside its bounds 0\.\.0: widen"),
    "bounds that are not a pair": ({"bounds": 1}, r"bounds must be a pair \(lower, upper\)"),
    "weights beside examples": (
        {"data": Examples.of(LABELS), "names": None},
        "carry their own weights, names and bounds: give those to Examples.of",
    ),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_bad_input_to_mine(case: str) -> None:
    """mine() refuses bad input with a message that names the problem and the cure."""
    arguments, cure = BAD_CALLS[case]
    refuses(lambda: unwritten.mine(**{"data": LABELS, "weights": WEIGHTS, "names": NAMES, **arguments}), cure)


def test_labels_that_pass_64_bits() -> None:
    """Labels whose squares cannot be added up raise our OverflowError, with the cure."""
    with pytest.raises(OverflowError, match="64 bits: rescale the labels") as raised:
        unwritten.mine(np.full((4, 2), 2**31 - 1))
    assert isinstance(raised.value, UnwrittenError)


BAD_WEIGHTS: dict[str, tuple[Any, str]] = {
    "nothing": (None, "weights are missing"),
    "a vector": ([1, 2, 3], r"weights have 1 dimension .*reshape\(1, -1\)"),
    "too narrow": ([[1, 2]], "weights have 2 columns but there are 3 variables: give one weight per variable"),
    "too wide": ([[1, 2, 3, 4]], "weights have 4 columns but there are 3 variables"),
    "NaN": ([[1, 2, np.nan]], "weights hold nan at row 0, column 2: replace or drop"),
    "infinity": ([[1, -np.inf, 2]], "weights hold -inf at row 0, column 1: replace or drop"),
    "text": ([["a", "b", "c"]], "weights hold text: give plain numbers"),
    "too large": ([[1, 2, 1e200]], r"weights hold 1e\+200 at row 0, column 2: rescale"),
    "ragged": ([[1, 2, 3], [1, 2]], "rows of different lengths"),
    "another order": (pd.DataFrame([[1, 2, 3]], columns=["blue", "red", "green"]), "right columns in another order"),
}


@pytest.mark.parametrize("case", BAD_WEIGHTS)
@pytest.mark.parametrize("ask", [MODEL.decide, MODEL.predict], ids=["decide", "predict"])
def test_bad_weights_to_decide(ask: Callable[[Any], Any], case: str) -> None:
    """Queries that do not fit the model are refused."""
    weights, cure = BAD_WEIGHTS[case]
    refuses(lambda: ask(weights), cure)


BAD_SETTINGS: dict[str, tuple[dict[str, Any], str]] = {
    "engine": ({"engine": "warp"}, "engine 'warp' is unknown: use 'auto' or one of"),
    "backend": ({"backend": "abacus"}, "backend 'abacus' is unknown: use 'auto' or one of highs"),
    "negative gap": ({"mip_gap": -0.1}, "mip_gap is -0.1: use a share such as 0 or 0.05"),
    "gap NaN": ({"mip_gap": np.nan}, "mip_gap is nan: use a share"),
    "infinite gap": ({"mip_gap": np.inf}, "mip_gap is inf: use a share"),
    "no time": ({"time_limit": 0}, "time_limit is 0: use seconds per query, or None"),
    "negative time": ({"time_limit": -1}, "time_limit is -1: use seconds per query, or None"),
    "time NaN": ({"time_limit": np.nan}, "time_limit is nan: use seconds"),
    "no threads": ({"n_jobs": 0}, "n_jobs is 0: use a whole number of threads, at least 1"),
    "half a thread": ({"n_jobs": 0.5}, "n_jobs is 0.5: use a whole number of threads"),
    "proof": ({"proof": "magic"}, "proof is 'magic': use 'auto', or 'data'"),
}


@pytest.mark.parametrize("case", BAD_SETTINGS)
@pytest.mark.parametrize("ask", [MODEL.decide, MODEL.predict], ids=["decide", "predict"])
def test_bad_settings(ask: Callable[..., Any], case: str) -> None:
    """Settings are checked before anything is solved, and the message names what can be used."""
    arguments, cure = BAD_SETTINGS[case]
    refuses(lambda: ask(WEIGHTS, **arguments), cure)


@pytest.mark.parametrize(
    ("labels", "cure"),
    [
        (None, "labels are missing"),
        ([1, 0, 0], r"labels have 1 dimension .*reshape\(1, -1\)"),
        ([[1, 0]], "labels have 2 columns but the model has 3 variables: give the columns it was mined from"),
        ([[0.5, 0, 0]], "labels hold 0.5 at row 0, column 0: round"),
        ([[np.nan, 0, 0]], "labels hold nan at row 0, column 0: replace"),
        ([["x", "y", "z"]], "labels hold text: encode"),
        (pd.DataFrame([[1, 0, 0]], columns=["blue", "red", "green"]), "right columns in another order"),
    ],
)
def test_bad_labels_to_check(labels: object, cure: str) -> None:
    """Labels that do not fit the model are refused, not declared infeasible."""
    refuses(lambda: MODEL.check(labels), cure)


@pytest.mark.parametrize(
    ("rows", "cure"),
    [
        (None, r"rules must be a RuleSet or a list of \(coefficients"),
        ("red", r"rules must be a RuleSet or a list of \(coefficients"),
        (([1, 1, 1], "<=", 1), r"a single rule .* write \[\(coefficients"),
        ([5], r"a rule is a triple"),
        ([([1, 1], "<=", 1)], "2 coefficients for 3 variables"),
        ([({"pink": 1}, "<=", 1)], "'pink', which is not a variable"),
        ([([1, 1, 1], "<", 1)], "sense '<': use '=='"),
    ],
)
def test_bad_rules_to_add(rows: Any, cure: str) -> None:
    """Rows that cannot be read are refused and the model stays as it was."""
    before = str(MODEL.rules)
    refuses(lambda: MODEL.with_rules(rows), cure)
    assert str(MODEL.rules) == before


def test_added_rules_that_clash_are_named() -> None:
    """Rules added by hand may contradict the mined ones; asking then names the rows that cannot hold together."""
    clashing = MODEL.with_rules([([1, 1, 1], ">=", 2)])
    assert len(MODEL.rules) == 1
    assert clashing.decide(WEIGHTS).status.tolist() == ["infeasible"] * 3
    with pytest.raises(InfeasibleError, match="exactly one of red, green, blue") as raised:
        clashing.predict(WEIGHTS)
    assert set(raised.value.clash) == {"exactly one of red, green, blue", "at least two of red, green, blue"}


def test_one_example_without_rules() -> None:
    """One example still has its cut, if no rules are asked for."""
    model = unwritten.mine([[0, 1]], [[1.0, 2.0]], rules=[])
    assert len(model.rules) == 0
    assert len(model.cuts) == 1
    assert model.predict([[1.0, 2.0]]).tolist() == [[0, 1]]


def test_constant_columns() -> None:
    """A constant column is mined as a rule, and decisions obey it for any weight."""
    model = unwritten.mine([[1, 0, 4], [0, 1, 4]], rules=["equalities"], names="abc")
    assert str(model.rules) == "c = 4\nexactly one of a, b"
    assert model.predict([[1, 2, 9], [3, 2, -9]]).tolist() == [[0, 1, 4], [1, 0, 4]]


def test_minimising_mirrors_maximising() -> None:
    """With sense="min" labels, values and bounds are those of the cheapest label, in the user's own signs."""
    model = unwritten.mine(LABELS, -WEIGHTS, rules=["equalities"], sense="min", slack=0)
    decided = model.decide([[3.0, 1.0, 2.0], [-1.0, 0.0, 5.0]])
    assert decided.labels.tolist() == [[0, 1, 0], [1, 0, 0]]
    assert decided.values.tolist() == decided.bounds.tolist() == decided.seen_values.tolist() == [1.0, -1.0]
    mirrored = unwritten.mine(LABELS, WEIGHTS, rules=["equalities"], slack=0)
    assert mirrored.cuts == model.cuts
    assert mirrored.decide([[-3.0, -1.0, -2.0]]).values.tolist() == [-1.0]


def test_frames_name_the_rules() -> None:
    """Column names of a data frame appear in the sentences, and frames can be asked and checked."""
    frame = pl.DataFrame(LABELS, schema=NAMES)
    model = unwritten.mine(frame, pl.DataFrame(WEIGHTS, schema=NAMES), rules=["equalities"])
    assert str(model.rules) == "exactly one of red, green, blue"
    assert model == MODEL
    assert model.check(frame).feasible.all()
    predicted = model.predict(pl.DataFrame(WEIGHTS, schema=NAMES))
    assert predicted.equals(pl.DataFrame(LABELS, schema=NAMES))


def test_known_rows_are_not_mined_again() -> None:
    """A given row is listed as given, and only what goes beyond it is mined."""
    labels = [[1, 0, 1], [0, 1, 1]]
    model = unwritten.mine(
        labels, rules=["equalities"], names="abc", prior=[([1, 1, 0], "==", 1), ([1, 0, -1], "<=", 0)]
    )
    assert [(rule.text, rule.origin) for rule in model.rules] == [
        ("exactly one of a, b", "given"),
        ("a requires c", "given"),
        ("c = 1", "mined"),
    ]
    again = unwritten.mine(
        labels, rules=["equalities"], names="abc", prior=unwritten.mine(labels, rules=["equalities"], names="abc").rules
    )
    assert again.rules.by_origin(MINED).rank == 0


def test_check_names_rules_and_bounds() -> None:
    """A check says which labels break which rules, and which leave the bounds."""
    check = MODEL.check([[1, 0, 0], [1, 1, 0], [2, -1, 0]])
    assert check.feasible.tolist() == [True, False, False]
    assert check.within_bounds.tolist() == [True, True, False]
    assert [rule.text for rule in check.broken(1)] == ["exactly one of red, green, blue"]
    assert [(ok, len(broken)) for ok, broken in check] == [(True, 0), (False, 1), (False, 0)]
    assert check.summary() == (
        "1 of 3 labels obey every rule\n"
        "  1 label: a value is outside its bounds\n"
        "  1 label: exactly one of red, green, blue"
    )
    assert MODEL.check(np.zeros((0, 3))).summary() == "0 of 0 labels obey every rule"


def test_summary_and_repr() -> None:
    """The summary and the repr count examples, rules and cuts."""
    assert MODEL.summary() == "3 examples (3 distinct) with 3 variables\n1 rule mined (rank 1)\n3 cuts (exact)"
    assert repr(MODEL) == "Model(3 examples (3 distinct) with 3 variables; 1 rule mined (rank 1); 3 cuts (exact))"
    noisy = unwritten.mine(LABELS, WEIGHTS[::-1], rules=["equalities"], prior=[([1, 1, 1], "<=", 1)], lifts=Top)
    assert "1 given" in noisy.summary()
    assert "1 latent variable, which 3 rows define" in noisy.summary()
    assert "cuts (with slack)" in noisy.summary()


def test_dropped_slack_still_forbids_proofs() -> None:
    """If one label is not optimal for its weights, no cut proves anything, even if that example's cut was dropped."""
    labels = np.array([[0, 1, 1], [1, 1, 1], [1, 0, 0]])
    weights = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, -1.0]])
    noisy = unwritten.mine(labels, weights, rules=[])
    assert len(noisy.cuts) == 1
    assert not noisy.cuts.slack.any()
    assert not noisy.cuts.exact
    assert noisy.decide([[1.0, 1.0, -1.0]]).proof.tolist() == [None]
    honest = unwritten.mine(labels[1:], weights[1:], rules=[])
    assert honest.decide([[1.0, 1.0, -1.0]]).proof.tolist() == ["data"]


@st.composite
def examples(draw: st.DrawFn) -> tuple[IntArray, FloatArray, dict[str, Any]]:
    """Small labels with weights and options of mining: counts or 0/1, exact or noisy, either sense, lifts."""
    high = draw(st.sampled_from([1, 2]))
    points = box(0, high, draw(st.integers(2, 4)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    feasible = points[rng.random(len(points)) < 0.5]
    feasible = feasible if len(feasible) else points
    weights = rng.normal(size=(draw(st.integers(2, 12)), points.shape[1]))
    sense = draw(st.sampled_from(["max", "min"]))
    values = weights @ feasible.T
    labels = feasible[values.argmax(axis=1) if sense == "max" else values.argmin(axis=1)]
    if draw(st.booleans()):
        weights = weights + rng.normal(size=weights.shape)
    lifts = draw(st.sampled_from([(), ("pairs",), (Top,)] if high == 1 else [(), (Top,)]))
    options = {"sense": sense, "lifts": lifts, "rules": draw(st.sampled_from(["auto", []]))}
    if draw(st.booleans()):
        options["prior"] = [([1] * points.shape[1], "<=", high * points.shape[1])]
    return labels, weights, options


@settings(max_examples=25)
@given(examples())
def test_save_and_load_is_the_identity(
    tmp_path_factory: pytest.TempPathFactory, case: tuple[IntArray, FloatArray, dict[str, Any]]
) -> None:
    """A loaded model equals the saved one, decides alike, and saves to the same bytes; so does a pickled one."""
    labels, weights, options = case
    model = unwritten.mine(labels, weights, **options)
    folder = tmp_path_factory.mktemp("models")
    model.save(folder / "a.rules")
    loaded = unwritten.load(folder / "a.rules", lifts=[Top])
    loaded.save(folder / "b.rules")
    assert (folder / "a.rules").read_bytes() == (folder / "b.rules").read_bytes()
    for other in (loaded, pickle.loads(pickle.dumps(model))):  # noqa: S301 (our own bytes)
        assert other == model
        asked, answered = model.decide(weights[:3]), other.decide(weights[:3])
        for part in ("labels", "values", "bounds", "status", "proof"):
            assert np.array_equal(getattr(asked, part), getattr(answered, part)), part


@settings(max_examples=25)
@given(examples(), st.data())
def test_merged_chunks_give_the_identical_model(
    case: tuple[IntArray, FloatArray, dict[str, Any]], data: st.DataObject
) -> None:
    """Tallies of chunks, merged in any order, make the model of all examples at once."""
    labels, weights, options = case
    owner = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(labels), max_size=len(labels))))
    chunks = [Tally.of(labels[owner == k]) for k in data.draw(st.permutations(range(3))) if (owner == k).any()]
    merged = chunks[0]
    for chunk in chunks[1:]:
        merged = merged + chunk
    sense = options.pop("sense")
    whole = unwritten.mine(labels, weights, sense=sense, **options)
    gathered = Gathered(merged, Examples.of(labels, weights, sense=sense), merged)
    assert build(gathered, MiningOptions(sense=sense, **options)) == whole


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    """Nothing depends on hashing: two processes with different hash seeds save identical files."""
    code = (
        "import sys, unwritten\n"
        "from unwritten.samples import trees\n"
        "weights, labels = trees.sample(5, n=300, seed=1)\n"
        "names = trees.names(5)\n"
        "prior = [({names[0]: 1}, '<=', 1)]\n"
        "unwritten.mine(labels, weights, names=names, lifts='pairs', prior=prior).save(sys.argv[1])\n"
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(tmp_path / seed)], check=True, env=environment)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert unwritten.load(tmp_path / "1").rules.rank > 1


def test_models_differ_in_any_part() -> None:
    """Equality looks at variables, rules, cuts, seen labels, counts, sense and lifts."""
    others = {
        "names": unwritten.mine(LABELS, WEIGHTS, rules=["equalities"], names="abc"),
        "rules": MODEL.with_rules([([1, 0, 0], "<=", 1)]),
        "cuts": unwritten.mine(LABELS, WEIGHTS * 2, rules=["equalities"], names=NAMES),
        "counts": unwritten.mine(np.repeat(LABELS, 2, axis=0), np.repeat(WEIGHTS, 2, axis=0), names=NAMES),
        "sense": replace(MODEL, sense="min"),
        "lifts": unwritten.mine(LABELS, WEIGHTS, names=NAMES, lifts=Top),
        "no model": "model",
    }
    assert unwritten.mine(LABELS, WEIGHTS, rules=["equalities"], names=NAMES) == MODEL
    for part, other in others.items():
        assert other != MODEL, part


def test_a_lift_of_ones_own_is_needed_to_load(tmp_path: Path) -> None:
    """The file names the lift but holds no code: without its class the message says how to give it."""
    path = tmp_path / "top.rules"
    model = unwritten.mine([[0, 2], [1, 1], [2, 0]], lifts=Top)
    model.save(path)
    refuses(lambda: unwritten.load(path), r"uses the lift 'top'.*: load\(path, lifts=\[YourLift\]\)", FormatError)
    assert unwritten.load(path, lifts=[Top]) == Model.load(path, lifts=Top) == model  # type: ignore[arg-type]
    refuses(lambda: unwritten.load(path, lifts=[3]), r"3 is not a lift: load\(path, lifts=\[YourLift\]\)")
    refuses(lambda: unwritten.load(path, lifts=["top"]), "'top' is not a lift")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A saved model."""
    path = tmp_path / "model.rules"
    MODEL.save(path)
    return path


def test_a_failed_save_leaves_the_old_file(path: Path) -> None:
    """A lift whose state is not JSON cannot be saved; the old file stays, and no other file remains."""

    class Opaque(Top):
        def state(self) -> dict[str, Any]:
            return {"limit": object()}

    before = path.read_bytes()
    model = unwritten.mine([[0, 2], [1, 1]], lifts=Opaque(2))
    refuses(lambda: model.save(path), "cannot be written as JSON .* use plain values", FormatError)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_bad_places_to_save(tmp_path: Path) -> None:
    """A missing directory and a directory in place of a file are named, and nothing is written."""
    refuses(lambda: MODEL.save(tmp_path / "no" / "m.rules"), "folder .* does not exist, create it first", FormatError)
    refuses(lambda: MODEL.save(tmp_path), "is a folder, add a file name", FormatError)
    assert list(tmp_path.iterdir()) == []


def edited(path: Path, **changes: Any) -> None:
    """Rewrite the file with these entries of its JSON header changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = {**json.loads(members["header.json"]), **changes}
    members["header.json"] = json.dumps(document).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


BAD_FILES: dict[str, tuple[Callable[[Path], Any], str]] = {
    # what it is: (what is done to a good file, part of the message)
    "missing": (lambda path: path.unlink(), "does not exist, check the path"),
    "a directory": (lambda path: (path.unlink(), path.mkdir()), "is not an ordinary file, check the path"),
    "empty": (
        lambda path: path.write_bytes(b""),
        "is not a complete .rules file: check the path, or save the model again",
    ),
    "text": (lambda path: path.write_text("a,b\n1,0\n"), "is not a complete .rules file: check the path"),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:-30]), "is not a complete .rules file"),
    "cut short inside": (
        lambda path: path.write_bytes(path.read_bytes()[:300] + path.read_bytes()[320:]),
        "is damaged .*: save the model again",
    ),
    "another zip": (
        lambda path: zipfile.ZipFile(path, "w").writestr("a.txt", "hello"),
        "is not a complete .rules file|is a zip archive but not a .rules file",
    ),
    "newer": (
        lambda path: edited(path, version=2),
        "version 2, and this version of unwritten reads up to 1: upgrade with pip install",
    ),
    "no version": (lambda path: edited(path, version=None), "lacks the version or the content.*: save the model again"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files(path: Path, case: str) -> None:
    """Loading a bad file raises a FormatError that says what to do."""
    spoil, cure = BAD_FILES[case]
    spoil(path)
    refuses(lambda: unwritten.load(path), cure, FormatError)


def test_oversized_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that would unpack beyond the limit is refused before it is read."""
    monkeypatch.setitem(read_archive.__kwdefaults__, "max_bytes", 100)
    refuses(lambda: unwritten.load(path), "bytes, more than 100: raise max_bytes", FormatError)


BAD_PARTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # what it is: (changed entries of the header, changed arrays); None takes a part out
    "no names": ({"names": None}, {}),
    "an empty list of names": ({"names": []}, {"lower": np.zeros(0, np.int64), "upper": np.zeros(0, np.int64)}),
    "two of one name": ({"names": ["red", "red", "blue"]}, {}),
    "names that are numbers": ({"names": [1, 2, 3]}, {}),
    "bounds crossed": ({}, {"lower": np.full(3, 5)}),
    "bounds of the wrong length": ({}, {"upper": np.ones(2, np.int64)}),
    "no bounds": ({}, {"lower": None}),
    "float rules": ({}, {"rule_matrix": np.ones((1, 3))}),
    "rules of the wrong width": ({}, {"rule_matrix": np.ones((1, 4), np.int64)}),
    "too many right-hand sides": ({}, {"rule_rhs": np.ones(2, np.int64)}),
    "an unknown origin": ({"origins": ["rumour"]}, {}),
    "too few origins": ({"origins": []}, {}),
    "evidence that is not a pair": ({"evidence": [[1]]}, {}),
    "cuts of the wrong width": ({}, {"cut_weights": np.ones((3, 2))}),
    "cuts of different lengths": ({}, {"cut_values": np.ones(2)}),
    "NaN cuts": ({}, {"cut_slack": np.full(3, np.nan)}),
    "seen labels of the wrong width": ({}, {"seen": np.ones((3, 2), np.int64)}),
    "float seen labels": ({}, {"seen": np.eye(3)}),
    "a label seen less than never": ({}, {"counts": np.array([1, -1, 1])}),
    "an unknown sense": ({"sense": "best"}, {}),
    "no lifts entry": ({"lifts": None}, {}),
    "lifts that are not a list": ({"lifts": 5}, {}),
    "pairs beyond the variables": ({"lifts": [{"name": "pairs", "state": {"pairs": [[0, 7]]}}]}, {}),
    "a lift without state": ({"lifts": [{"name": "pairs"}]}, {}),
}


@pytest.mark.parametrize("case", BAD_PARTS)
def test_files_whose_parts_do_not_fit(path: Path, case: str) -> None:
    """A well-formed file with a part missing, of the wrong kind or the wrong size is refused, not half loaded."""
    entries, arrays = BAD_PARTS[case]
    good_header, good_arrays = pack(MODEL)
    header = {key: value for key, value in {**good_header, **entries}.items() if value is not None}
    content = {key: value for key, value in {**good_arrays, **arrays}.items() if value is not None}
    write_archive(path, header, content)
    refuses(lambda: unwritten.load(path), "the file.*: save the model again", FormatError)


def test_trees_are_decided_within_the_rules() -> None:
    """The rule of medium-sized trees is mined, and every answer obeys the rule and the cuts."""
    weights, labels = trees.sample(5, n=400, seed=0)
    model = unwritten.mine(labels, weights, slack=0)
    assert model.rules.implies([1] * 10, 4)
    queries, _ = trees.sample(5, n=20, seed=1)
    answers = model.predict(queries)
    assert model.check(answers).feasible.all()
    assert (answers @ model.cuts.weights.T <= model.cuts.limits(model.variables)).all()


@pytest.fixture(scope="module")
def satnet() -> IntArray:
    """The first 9,000 SATNet solutions as labels."""
    try:
        _, solutions = datasets.satnet()
    except DataError as error:
        pytest.skip(f"the SATNet facts need the data: {error}")
    return sudoku.one_hot(solutions[:9000])


@pytest.mark.parametrize("permuted", [False, True])
def test_satnet_facts(satnet: IntArray, permuted: bool) -> None:
    """The mined rules are 249 independent sums of nine variables that imply all 324 rules, for any order of cells."""
    truth = sudoku.true_rules()
    if permuted:
        cells = np.random.default_rng(0).permutation(81)
        columns = (9 * cells[:, None] + np.arange(9)).ravel()
        satnet, truth = satnet[:, columns], truth[:, columns]
    rules = unwritten.mine(satnet).rules
    assert rules.rank == len(rules) == 249
    assert set(np.unique(rules.matrix)) == {0, 1}
    assert (rules.matrix.sum(axis=1) == 9).all()
    assert (rules.rhs == 1).all()
    assert set(map(tuple, rules.matrix.tolist())) <= set(map(tuple, truth.tolist()))
    assert rules.implied(np.column_stack([truth, -np.ones(324, np.int64)])).all()
    assert all(rules.implies(row, 1, "==") for row in truth[::27])


def test_all_labels_under_the_rules() -> None:
    """All labels under the rules are listed, or an error names the cure if there are too many."""
    model = unwritten.mine(np.eye(4, dtype=int), rules=["equalities"])
    assert model.labels().tolist() == np.eye(4, dtype=int)[::-1].tolist()
    with pytest.raises(SolverError, match="raise limit"):
        unwritten.mine(np.zeros((2, 40), int), rules=[], bounds=(0, 1)).labels()
