"""ConstraintMiner: scikit-learn's own checks, partial_fit in chunks equals fit, and errors for bad input."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    check_estimators_partial_fit_n_features,
    parametrize_with_checks,
)

import unwritten
from unwritten import ConstraintMiner
from unwritten.errors import DataError


class Widened(ConstraintMiner):
    """A ConstraintMiner that repeats the single y column of scikit-learn's checks once per column of X."""

    def fit(self, X, y):
        return super().fit(X, wide(X, y))

    def partial_fit(self, X, y):
        return super().partial_fit(X, wide(X, y))

    def score(self, X, y, sample_weight=None):
        return super().score(X, wide(X, y), sample_weight)


def wide(X, y):
    """Repeat y once per column of X; leave y as it is if X is not a table, so that the estimator refuses it."""
    if y is None or len(np.shape(X)) != 2:
        return y
    return np.repeat(np.reshape(y, (-1, 1)), np.shape(X)[1], axis=1)


ONE_COLUMN = "fits one column of y to many columns of X: labels need one column per weight (Widened passes)"
ONE_PREDICTED = "asserts that predictions have one column: labels have one per weight (see test_sparse_weights)"
EXPECTED_FAILURES = {
    ConstraintMiner: {
        "check_array_api_input": ONE_COLUMN,
        "check_dict_unchanged": ONE_COLUMN,
        "check_dont_overwrite_parameters": ONE_COLUMN,
        "check_dtype_object": ONE_COLUMN,
        "check_estimator_sparse_array": ONE_COLUMN,
        "check_estimator_sparse_matrix": ONE_COLUMN,
        "check_estimator_sparse_tag": ONE_COLUMN,
        "check_estimators_dtypes": ONE_COLUMN,
        "check_estimators_fit_returns_self": ONE_COLUMN,
        "check_estimators_nan_inf": ONE_COLUMN,
        "check_estimators_overwrite_params": ONE_COLUMN,
        "check_estimators_pickle": ONE_COLUMN,
        "check_f_contiguous_array_estimator": ONE_COLUMN,
        "check_fit2d_predict1d": ONE_COLUMN,
        "check_fit_check_is_fitted": ONE_COLUMN,
        "check_fit_idempotent": ONE_COLUMN,
        "check_fit_score_takes_y": ONE_COLUMN,
        "check_methods_sample_order_invariance": ONE_COLUMN,
        "check_methods_subset_invariance": ONE_COLUMN,
        "check_n_features_in": ONE_COLUMN,
        "check_n_features_in_after_fitting": ONE_COLUMN,
        "check_pipeline_consistency": ONE_COLUMN,
        "check_positive_only_tag_during_fit": ONE_COLUMN,
        "check_readonly_memmap_input": ONE_COLUMN,
    },
    Widened: {
        "check_estimator_sparse_array": ONE_PREDICTED,
        "check_estimator_sparse_matrix": ONE_PREDICTED,
    },
}


@parametrize_with_checks(
    [ConstraintMiner(), Widened()],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES[type(estimator)],
    xfail_strict=True,
)
def test_scikit_learn_checks(estimator, check):
    """Every check of scikit-learn passes, or is listed above with its reason and truly fails."""
    check(estimator)


@pytest.mark.parametrize("check", [check_dataframe_column_names_consistency, check_estimators_partial_fit_n_features])
def test_further_scikit_learn_checks(check):
    """Two checks pass that scikit-learn runs on its own estimators only: column names, and widths of chunks."""
    check("Widened", Widened())


# --- chunks are the union ---------------------------------------------------------------------------------------------

NUMBER = st.integers(-20, 20) | st.floats(-5, 5, width=32)


@st.composite
def decided(draw):
    """Weights, the labels that are best for them in a random finite set (a few of them wrong), and the sense."""
    d = draw(st.integers(1, 4))
    low, high = draw(st.sampled_from([(0, 1), (-2, 3)]))
    row = st.tuples(*[st.integers(low, high)] * d)
    feasible = np.array(draw(st.lists(row, min_size=1, max_size=6, unique=True)))
    n = draw(st.integers(2, 12))
    weights = np.array(draw(st.lists(st.tuples(*[NUMBER] * d), min_size=n, max_size=n)), dtype=float)
    sense = draw(st.sampled_from(["max", "min"]))
    best = (weights @ feasible.T * (1 if sense == "max" else -1)).argmax(axis=1)
    for i in draw(st.sets(st.integers(0, n - 1), max_size=2)):
        best[i] = draw(st.integers(0, len(feasible) - 1))
    return weights, feasible[best], sense


def in_chunks(miner, weights, labels, cuts):
    """The miner after partial_fit on the pieces between `cuts`, in order."""
    for start, stop in zip([0, *cuts], [*cuts, len(labels)], strict=True):
        miner.partial_fit(None if weights is None else weights[start:stop], labels[start:stop])
    return miner


@settings(deadline=None, max_examples=150)
@given(decided(), st.data())
def test_chunks_equal_the_union(example, data):
    """However examples are cut into chunks, partial_fit, fit and mine give the same model."""
    weights, labels, sense = example
    cuts = sorted(data.draw(st.sets(st.integers(1, len(labels) - 1))))
    given_weights = data.draw(st.sampled_from([weights, None]))
    miner = ConstraintMiner(
        sense=sense,
        rules=data.draw(st.sampled_from(["auto", "equalities", []])),
        lifts=data.draw(st.sampled_from(["pairs", ()])) if labels.min() >= 0 and labels.max() <= 1 else (),
        bounds=data.draw(st.sampled_from([None, (-2, 3)])) if labels.min() < 0 else None,
    )
    whole = clone(miner).fit(given_weights, labels)
    parts = in_chunks(clone(miner), given_weights, labels, cuts)
    assert parts.model_ == whole.model_
    assert parts.rules_ == whole.rules_
    assert parts.n_samples_seen_ == whole.n_samples_seen_ == len(labels)
    options = {name: getattr(miner, name) for name in ("sense", "rules", "lifts", "bounds")}
    assert whole.model_ == unwritten.mine(labels, given_weights, **options)


@settings(deadline=None, max_examples=60)
@given(decided())
def test_training_labels_obey_the_mined_rules(example):
    """Every training label obeys the rules and cuts, so a prediction is never worth less than the given label."""
    weights, labels, sense = example
    miner = ConstraintMiner(sense=sense, engine="explicit").fit(weights, labels)
    assert miner.model_.check(labels).feasible.all()
    sign = 1 if sense == "max" else -1
    before, after = (sign * (weights * y).sum(axis=1) for y in (labels, miner.predict(weights)))
    assert (after >= before - 1e-6).all()


def test_chunks_widen_bounds_and_slack():
    """Bounds and slack are computed again when later chunks bring larger labels."""
    weights, labels = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]]), np.array([[0, 2], [2, 0], [5, 5]])
    miner = ConstraintMiner().partial_fit(weights[:2], labels[:2])
    assert miner.model_.variables.upper.tolist() == [2, 2]
    miner.partial_fit(weights[2:], labels[2:])
    assert miner.model_.variables.upper.tolist() == [5, 5]
    assert miner.model_ == ConstraintMiner().fit(weights, labels).model_
    assert not miner.model_.cuts.exact


def test_first_chunk_of_one_example():
    """A first chunk of one example gives no rules; later chunks do."""
    miner = ConstraintMiner().partial_fit(None, [[1, 0]])
    assert len(miner.rules_) == 0
    assert miner.partial_fit(None, [[0, 1], [1, 0]] * 100).rules_.rank == 1


def test_fit_forgets_and_partial_fit_goes_on():
    """Fit forgets earlier chunks, even of another width; partial_fit then continues from fit."""
    weights, labels = toy()
    miner = ConstraintMiner().partial_fit(None, [[0, 1, 0]]).fit(weights[:20], labels[:20])
    assert miner.n_features_in_ == weights.shape[1]
    assert miner.partial_fit(weights[20:], labels[20:]).model_ == unwritten.mine(labels, weights)


def test_refused_chunk_changes_nothing():
    """A refused chunk leaves the model as it was, and later chunks are accepted."""
    weights, labels = toy()
    miner = ConstraintMiner().fit(weights[:20], labels[:20])
    for bad in [(None, labels), (weights, labels[:, :4]), (weights[:, :4], labels[:, :4]), (weights, labels + 0.5)]:
        with pytest.raises(ValueError):
            miner.partial_fit(*bad)
    assert miner.model_ == unwritten.mine(labels[:20], weights[:20])
    assert miner.partial_fit(weights[20:], labels[20:]).model_ == unwritten.mine(labels, weights)


# --- with other parts of scikit-learn ---------------------------------------------------------------------------------


def toy(n=200, seed=0):
    """Weights of five items, and the best two of them."""
    weights = np.random.default_rng(seed).normal(size=(n, 5))
    pairs = np.array([[int(j in pair) for j in range(5)] for pair in combinations(range(5), 2)])
    return weights, pairs[(weights @ pairs.T).argmax(axis=1)]


def test_cross_validation():
    """The rule mined in each fold decides the held-out rows."""
    assert cross_val_score(ConstraintMiner(confidence=0.5), *toy(40), cv=4).tolist() == [1.0] * 4
    assert min(cross_val_score(ConstraintMiner(rules=[]), *toy(40), cv=4)) < 1.0  # cuts alone do not


def test_grid_search():
    """A grid search prefers rules and cuts to cuts alone."""
    search = GridSearchCV(ConstraintMiner(confidence=0.5), {"rules": [[], "auto"]}, cv=3).fit(*toy(20))
    assert search.best_params_ == {"rules": "auto"}
    assert search.cv_results_["mean_test_score"][0] < search.best_score_ == 1.0


def test_pipeline():
    """In a pipeline, weights come from the earlier steps."""
    weights, labels = toy()
    pipeline = make_pipeline(FunctionTransformer(np.log), ConstraintMiner()).fit(np.exp(weights), labels)
    assert pipeline.score(np.exp(weights), labels) == 1.0
    assert str(pipeline[-1].rules_) == "exactly two of y0, y1, y2, y3, y4"


def test_clone_and_pickle():
    """A fitted clone and a pickled copy predict the same, and the copy accepts further chunks."""
    weights, labels = toy()
    miner = ConstraintMiner(engine="lazy", prior=[([1, 1, 1, 1, 1], "<=", 2)]).fit(weights[:30], labels[:30])
    copy = pickle.loads(pickle.dumps(miner))  # noqa: S301 (our own bytes)
    again = clone(miner).fit(weights[:30], labels[:30])
    for other in (copy, again):
        assert other.model_ == miner.model_
        assert other.get_params() == miner.get_params()
        np.testing.assert_array_equal(other.predict(weights), miner.predict(weights))
    assert copy.partial_fit(weights[30:], labels[30:]).model_ == clone(miner).fit(weights, labels).model_


def test_decide_follows_the_parameters():
    """Decide uses the engine, sense and back end of the parameters, and returns values and proofs."""
    weights, labels = toy()
    miner = ConstraintMiner(sense="min", engine="lazy", backend="highs", n_jobs=2).fit(-weights, labels)
    decisions = miner.decide(-weights)
    np.testing.assert_array_equal(decisions.labels, labels)
    np.testing.assert_allclose(decisions.values, -(weights * labels).sum(axis=1))
    assert set(decisions.engine) == {"lazy+highs"}
    assert decisions.proven.all()


def test_score_is_the_share_of_exact_labels():
    """A row with one wrong entry counts as wrong, and sample weights weight the rows."""
    weights, labels = toy(4)
    wrong = labels.copy()
    wrong[0] = 1 - wrong[0]
    wrong[1, 0] = 1 - wrong[1, 0]
    miner = ConstraintMiner().fit(*toy())
    assert miner.score(weights, labels) == 1.0
    assert miner.score(weights, wrong) == 0.5
    assert miner.score(weights, wrong, sample_weight=[1, 0, 3, 0]) == 0.75


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok"])
def test_sparse_weights(kind):
    """Sparse weights, as a matrix or an array, give the same model and the same labels as dense ones."""
    weights, labels = toy()
    weights[np.abs(weights) < 0.5] = 0
    dense = ConstraintMiner().fit(weights, labels)
    for make in (sparse.coo_matrix, sparse.coo_array):
        thin = make(weights).asformat(kind)
        miner = ConstraintMiner().fit(thin, labels)
        assert miner.model_ == dense.model_
        np.testing.assert_array_equal(miner.predict(thin), dense.predict(weights))


# --- names ------------------------------------------------------------------------------------------------------------

NAMES = ["ann", "bob", "eve", "kim", "zoe"]
FRAMES = {
    "pandas": lambda table: pd.DataFrame(table, columns=NAMES),
    "polars": lambda table: pl.DataFrame(table, schema=NAMES),
    "pyarrow": lambda table: pa.table(dict(zip(NAMES, table.T, strict=True))),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_names_come_from_labels_then_weights(frame):
    """Variables have the names of the labels' columns, else of the weights', else y0, y1, …"""
    weights, labels = toy()
    for W, Y, names in [
        (weights, frame(labels), NAMES),
        (None, frame(labels), NAMES),
        (frame(weights), labels, NAMES),
        (frame(weights), pd.DataFrame(labels, columns=list("vwxyz")), list("vwxyz")),
        (weights, labels, ["y0", "y1", "y2", "y3", "y4"]),
    ]:
        miner = ConstraintMiner().fit(W, Y)
        assert list(miner.model_.variables.names) == names
        assert miner.n_features_in_ == 5
        assert hasattr(miner, "feature_names_in_") == (W is not None and W is not weights)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(miner.predict(weights if W is None else W), labels)


def test_names_of_chunks():
    """Chunks without names get those of the first chunk, and the model equals that of fit on a named frame."""
    weights, labels = toy()
    table = pd.DataFrame(labels, columns=NAMES)
    miner = ConstraintMiner().partial_fit(weights[:9], table[:9]).partial_fit(weights[9:], labels[9:])
    assert miner.model_ == ConstraintMiner().fit(weights, table).model_


def test_refit_without_weights_forgets_their_names():
    """After a refit without weights, queries need not have the old column names."""
    weights, labels = toy()
    miner = ConstraintMiner().fit(FRAMES["pandas"](weights), labels).fit(None, labels)
    assert not hasattr(miner, "feature_names_in_")
    np.testing.assert_array_equal(miner.predict(weights), labels)


# --- bad input --------------------------------------------------------------------------------------------------------

W, Y = toy(6)
HOLE, ENDLESS = W.copy(), W.copy()
HOLE[1, 2], ENDLESS[1, 2] = np.nan, np.inf
MINER = ConstraintMiner()
TABLE = pd.DataFrame(Y, columns=NAMES)


def fitted():
    """A miner that has seen W and Y."""
    return ConstraintMiner().fit(W, Y)


BAD = [
    # fit: shapes
    (lambda: MINER.fit(W[:4], Y), DataError, "6 labels but 4 rows of weights"),
    (lambda: MINER.fit(W[:, :3], Y), DataError, "weights have 3 columns but there are 5 variables"),
    (lambda: MINER.fit(W, Y[:, 0]), DataError, "labels have 1 dimension"),
    (lambda: MINER.fit(W[0], Y[:1]), ValueError, "Expected 2D array, got 1D array instead"),
    (lambda: MINER.fit(W[:0], Y[:0]), ValueError, r"Found array with 0 sample\(s\)"),
    (lambda: MINER.fit(None, Y[:0]), DataError, "labels are empty"),
    (lambda: MINER.fit(W[:, :0], Y[:, :0]), ValueError, r"Found array with 0 feature\(s\)"),
    (lambda: MINER.fit(W[:1], Y[:1]), ValueError, "minimum of 2 is required by ConstraintMiner"),
    (lambda: MINER.fit(None, Y[:1]), DataError, "one example cannot show a rule"),
    # fit: values
    (lambda: MINER.fit(HOLE, Y), ValueError, "Input X contains NaN"),
    (lambda: MINER.fit(ENDLESS, Y), ValueError, "Input X contains infinity"),
    (lambda: MINER.fit(W, np.where(np.isnan(HOLE), np.nan, Y)), DataError, "labels hold nan at row 1, column 2"),
    (lambda: MINER.fit(W, Y - 0.5), DataError, "labels hold -?0.5 at row 0, column"),
    (lambda: MINER.fit(W, np.full(Y.shape, "a")), DataError, "as integers"),
    (lambda: MINER.fit(W, None), DataError, "requires y to be passed, but the target y is None"),
    (lambda: MINER.fit(W + 1j, Y), ValueError, "Complex data not supported"),
    # fit: names
    (lambda: MINER.fit(pd.DataFrame(W, columns=NAMES[::-1]), TABLE), DataError, "same columns in different orders"),
    (lambda: MINER.fit(W, pd.DataFrame(Y, columns=list("aabcd"))), DataError, "rename one of them"),
    # fit: parameters
    (lambda: ConstraintMiner(sense="up").fit(W, Y), DataError, "use 'max' or 'min'"),
    (lambda: ConstraintMiner(rules="magic").fit(W, Y), DataError, "no miner 'magic'"),
    (lambda: ConstraintMiner(slack=-1).fit(W, Y), DataError, "slack must not be negative"),
    (lambda: ConstraintMiner(slack=0).fit(-W, Y), DataError, "not optimal for their own weights"),
    (lambda: ConstraintMiner(bounds=(0, 0)).fit(W, Y), DataError, "outside its bounds"),
    (lambda: ConstraintMiner(prior=[([1] * 5, "<=", 1)]).fit(W, Y), DataError, "break the prior row"),
    (lambda: ConstraintMiner(lifts="magic").fit(W, Y), DataError, "magic"),
    (lambda: ConstraintMiner(engine="magic").fit(W, Y).predict(W), DataError, "engine 'magic' is unknown"),
    (lambda: ConstraintMiner(backend="magic").fit(W, Y).predict(W), DataError, "backend 'magic' is unknown"),
    # partial_fit: chunks that do not fit the earlier ones
    (
        lambda: fitted().partial_fit(W[:, :3], Y[:, :3]),
        ValueError,
        "X has 3 features, but ConstraintMiner is expecting 5",
    ),
    (lambda: fitted().partial_fit(W, Y[:, :3]), DataError, "other columns than earlier chunks"),
    (
        lambda: ConstraintMiner().partial_fit(None, Y).partial_fit(None, Y[:, 1:]),
        DataError,
        "other columns than earlier",
    ),
    (lambda: fitted().partial_fit(W, TABLE), DataError, "give y0, y1, y2, y3, y4 every time"),
    (lambda: fitted().partial_fit(None, Y), DataError, "some chunks have weights and some have none"),
    (lambda: ConstraintMiner().partial_fit(None, Y).partial_fit(W, Y), DataError, "some chunks have weights"),
    (lambda: fitted().partial_fit(W[:0], Y[:0]), ValueError, r"Found array with 0 sample\(s\)"),
    # queries
    (lambda: MINER.predict(W), NotFittedError, "not fitted yet"),
    (lambda: MINER.decide(W), NotFittedError, "not fitted yet"),
    (lambda: MINER.score(W, Y), NotFittedError, "not fitted yet"),
    (lambda: fitted().predict(W[:, :3]), ValueError, "X has 3 features, but ConstraintMiner is expecting 5"),
    (lambda: fitted().decide(HOLE), ValueError, "Input X contains NaN"),
    (lambda: fitted().predict(None), ValueError, "Expected 2D array"),
    (lambda: fitted().score(W, Y[:3]), DataError, "give one label per row"),
    (lambda: fitted().score(W, Y[:, :3]), DataError, "give one label per row"),
    (lambda: fitted().score(W, Y, sample_weight=[1, 2]), ValueError, "inconsistent numbers of samples"),
]


@pytest.mark.parametrize(("act", "error", "message"), BAD)
def test_bad_input(act, error, message):
    """Bad input raises an error that says what is wrong, in scikit-learn's words where it has a check."""
    with pytest.raises(error, match=message):
        act()


def test_bad_noise_with_chunks():
    """Chunks cannot be mined with noise, because wrong rows show only among all rows."""
    with pytest.raises(DataError, match=r"use fit\(\) with noise, or noise=0"):
        ConstraintMiner(noise=0.1).partial_fit(W, Y)


def test_repr_is_short():
    """The repr names only the parameters that were changed."""
    assert repr(ConstraintMiner(rules=[], n_jobs=2)) == "ConstraintMiner(n_jobs=2, rules=[])"


# --- imports ----------------------------------------------------------------------------------------------------------

HEAVY = ["sklearn", "highspy", "ortools", "scipy", "narwhals", "pandas"]


def test_heavy_packages_are_imported_on_demand():
    """`import unwritten` imports none of the heavy packages; the first use of ConstraintMiner imports scikit-learn."""
    code = f"""
import sys, unwritten
loaded = [name for name in {HEAVY} if name in sys.modules]
from unwritten import ConstraintMiner
print(loaded, "sklearn" in sys.modules, ConstraintMiner.__name__)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[0] == "[] True ConstraintMiner"
