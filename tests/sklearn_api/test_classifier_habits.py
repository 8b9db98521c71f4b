"""ConstrainedClassifier in scikit-learn's machinery: each habit that a user of scikit-learn brings along."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier
from test_classifier import NAMES, classes, planted
from threadpoolctl import threadpool_limits

from unwritten import ConstrainedClassifier
from unwritten.errors import DataError

X, Y = planted(300, seed=1)
A, B, P, Q = X[:200], X[200:], Y[:200], Y[200:]
ONE_VS_REST = OneVsRestClassifier(LogisticRegression())
TREE = DecisionTreeClassifier(max_depth=4, random_state=0)
RULES = {"decode": "rules"}


@pytest.fixture(autouse=True)
def one_thread():
    """Use one thread for linear algebra: fits this small are far slower with several."""
    with threadpool_limits(1):
        yield


@pytest.mark.parametrize("method", ["predict_proba", "decision_function", "predict_log_proba", "predict"])
def test_cross_val_predict(method):
    """Every method can be cross-validated; the scores of held-out samples say something about their labels."""
    scores = cross_val_predict(ConstrainedClassifier(ONE_VS_REST, **RULES), X, Y, cv=3, method=method)
    assert scores.shape == Y.shape
    assert average_precision_score(Y, scores, average="micro") > 0.6


def test_cross_val_predict_columns_of_classes():
    """Columns of classes have a table of probabilities each."""
    features, target = classes(120)
    codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in target.T])
    model = ConstrainedClassifier(RandomForestClassifier(5, random_state=0), **RULES)
    tables = cross_val_predict(model, features, codes, cv=3, method="predict_proba")
    assert [table.shape for table in tables] == [(120, 3), (120, 3)]


def test_stacking():
    """The classifier is a base of a stack: its probabilities are the features of the last one."""
    bases = [("rules", ConstrainedClassifier(ONE_VS_REST, **RULES)), ("tree", TREE)]
    last = KNeighborsClassifier(9)
    stack = StackingClassifier(bases, last, cv=3).fit(A, P)
    assert stack.predict(B).shape == Q.shape
    assert (stack.predict(B) == Q).mean() > 0.8


def test_classes_follow_the_convention():
    """0/1 labels have their places as classes, as OneVsRestClassifier has them."""
    model = ConstrainedClassifier(ONE_VS_REST, **RULES).fit(A, P)
    np.testing.assert_array_equal(model.classes_, OneVsRestClassifier(LogisticRegression()).fit(A, P).classes_)


def test_sample_weight_reaches_the_estimator():
    """Weights change the fitted estimator; weight 0 is as if the sample were not there, for rules too."""
    weight = np.where(np.arange(len(A)) % 2, 5.0, 1.0)
    weighted = ConstrainedClassifier(TREE, **RULES).fit(A, P, sample_weight=weight)
    np.testing.assert_array_equal(
        weighted.predict_proba(B), ConstrainedClassifier(TREE, **RULES).fit(A, P, weight).predict_proba(B)
    )
    inner = clone(TREE).fit(A, P, sample_weight=weight)
    np.testing.assert_array_equal(weighted.estimator_.tree_.value, inner.tree_.value)
    broken = P.copy()
    broken[:5, 2:4] = 1  # a car beside a tree, against the rules
    weight[:5] = 0
    without = ConstrainedClassifier(TREE).fit(A[5:], P[5:], sample_weight=weight[5:])
    model = ConstrainedClassifier(TREE).fit(A, broken, sample_weight=weight)
    assert model.rules_ == without.rules_
    np.testing.assert_array_equal(model.predict_proba(B), without.predict_proba(B))
    assert model.score(B, Q, sample_weight=np.arange(len(Q))) != model.score(B, Q)


def test_metadata_routing():
    """With routing on, weights pass through OneVsRestClassifier, a grid search, and groups reach the splitter."""
    weight = np.where(np.arange(len(A)) % 2, 9.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = OneVsRestClassifier(LogisticRegression().set_fit_request(sample_weight=True))
        classifier = ConstrainedClassifier(inner, **RULES).set_fit_request(sample_weight=True)
        weighted = classifier.fit(A, P, sample_weight=weight)
        plain = ConstrainedClassifier(ONE_VS_REST, **RULES).fit(A, P)
        assert np.abs(weighted.predict_proba(B) - plain.predict_proba(B)).max() > 0.01
        classifier.set_score_request(sample_weight=False)
        search = GridSearchCV(classifier, {"confidence": [0.5, 0.95]}, cv=2).fit(A, P, sample_weight=weight)
        assert search.best_estimator_.predict(B).shape == Q.shape
        grouped = ConstrainedClassifier(TREE, cv=GroupKFold(3), temperature="fit")
        assert grouped.fit(A, P, groups=np.arange(len(A)) % 7).report_.scores


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_set_output(library):
    """set_output returns predictions and probabilities as frames with the columns of y; clones keep it."""
    model = clone(ConstrainedClassifier(TREE, **RULES).set_output(transform=library)).fit(
        A, pd.DataFrame(P, columns=NAMES)
    )
    kind = pd.DataFrame if library == "pandas" else pl.DataFrame
    for frame in (model.predict(B), model.predict_proba(B)):
        assert isinstance(frame, kind)
        assert list(frame.columns) == NAMES
    assert isinstance(model.set_output(transform="default").predict_proba(B), np.ndarray)


def test_frames_and_sparse_labels_come_back():
    """Frames of y return as frames, with rows named as in X, and sparse ones as sparse; scorers take frames."""
    features = pd.DataFrame(B, index=[f"row {i}" for i in range(len(B))])
    model = ConstrainedClassifier(TREE, **RULES).fit(pd.DataFrame(A), pd.DataFrame(P, columns=NAMES))
    assert list(model.predict(features).index) == list(features.index)
    assert sparse.issparse(ConstrainedClassifier(TREE, **RULES).fit(A, sparse.csr_matrix(P)).predict(B))
    frame = pd.DataFrame(Y, columns=NAMES)
    assert cross_val_score(ConstrainedClassifier(TREE, **RULES), X, frame, cv=2, scoring="accuracy").mean() > 0.1


def test_all_cores():
    """n_jobs=-1 and None are taken, and change no answer."""
    one, every, default = (ConstrainedClassifier(TREE, n_jobs=jobs, **RULES).fit(A, P) for jobs in (1, -1, None))
    np.testing.assert_array_equal(one.predict(B), every.predict(B))
    np.testing.assert_array_equal(one.predict(B), default.predict(B))


@pytest.mark.parametrize(
    "estimator",
    [MultiOutputClassifier(SGDClassifier(loss="log_loss", random_state=0)), MLPClassifier((8,), random_state=0)],
    ids=["multi-output", "network"],
)
def test_partial_fit(estimator):
    """After the last chunk the rules are those of fit on all chunks, and each chunk but the first has been scored."""
    model = ConstrainedClassifier(estimator)
    for start in range(0, 200, 50):
        model.partial_fit(A[start : start + 50], P[start : start + 50])
    whole = ConstrainedClassifier(estimator, **RULES).fit(A, P)
    assert model.model_.rules == whole.model_.rules
    assert model.predict(B).shape == Q.shape
    assert {"rules", "seen", "probabilities at 0.4", "threshold"} <= set(model.report_.scores)
    scores = model.report_.scores
    assert scores[model.report_.decode] >= max(scores["seen"], scores["threshold"])
    assert not hasattr(ConstrainedClassifier(TREE), "partial_fit")


def test_warm_start():
    """With warm_start, a forest grows: it keeps its first trees."""
    model = ConstrainedClassifier(RandomForestClassifier(3, warm_start=True, random_state=0), warm_start=True, **RULES)
    first = list(model.fit(A, P).estimator_.estimators_)
    again = model.set_params(estimator__n_estimators=5).fit(A, P).estimator_.estimators_
    assert len(again) == 5
    assert again[:3] == first


@pytest.mark.parametrize("y", [P[:, 0], P[:, 0].tolist(), pd.Series(np.array(["no", "yes"])[P[:, 0]])])
def test_one_column_passes_through(y):
    """A y of one dimension is the estimator's own business: it answers as if it were not wrapped."""
    model, plain = ConstrainedClassifier(TREE).fit(A, y), clone(TREE).fit(A, y)
    np.testing.assert_array_equal(model.predict(B), plain.predict(B))
    np.testing.assert_array_equal(model.predict_proba(B), plain.predict_proba(B))
    np.testing.assert_array_equal(model.classes_, plain.classes_)
    assert model.decision_function(B).shape == (len(B),)
    assert "one column" in str(model.report_)


def test_unseen_classes_are_wrong():
    """A class that fit did not see makes no error in score: no prediction can be right there."""
    features, target = classes(120)
    model = ConstrainedClassifier(RandomForestClassifier(8, random_state=0), **RULES).fit(features, target)
    predicted = model.predict(features)
    assert model.score(features, predicted) == 1
    unseen = predicted.astype(object)
    unseen[:30, 0] = "mauve"
    assert model.score(features, unseen) == 0.75


NETWORK = MLPClassifier((4,), random_state=0)
BAD = [
    (lambda: ConstrainedClassifier(TREE).fit(A, P, sample_weight=-np.ones(200)), "negative"),
    (lambda: ConstrainedClassifier(TREE).fit(A, P, sample_weight=np.ones(7)), "7 values but there are 200 samples"),
    (lambda: ConstrainedClassifier(TREE).fit(A, P, sample_weight=np.zeros(200)), "zero"),
    (lambda: ConstrainedClassifier(TREE).fit(A, P, sample_weight=["x"] * 200), "not all numbers"),
    (lambda: ConstrainedClassifier(ONE_VS_REST).fit(A, P, sample_weight=np.ones(200)), "takes no sample_weight"),
    (lambda: ConstrainedClassifier(TREE, decode="magic").fit(A, P), "decode is 'magic': use 'auto', 'rules'"),
    (lambda: ConstrainedClassifier(TREE, scoring="magic").fit(A, P), "scoring is 'magic'"),
    (lambda: ConstrainedClassifier(TREE, probabilities=1).fit(A, P), "probabilities is 1"),
    (lambda: ConstrainedClassifier(TREE, n_jobs=0, **RULES).fit(A, P).predict(B), "n_jobs is 0"),
    (lambda: ConstrainedClassifier(TREE).set_output(transform="excel"), "transform is 'excel'"),
    (lambda: ConstrainedClassifier(TREE).fit(A, P).score(B, Q, sample_weight=[1]), "1 values but there are 100"),
    (lambda: ConstrainedClassifier(TREE, **RULES).fit(A, P).score(B, Q[:, :3]), "give the same columns"),
    (lambda: ConstrainedClassifier(NETWORK).partial_fit(A, P + 1), "0/1 labels only"),
    (lambda: ConstrainedClassifier(NETWORK).partial_fit(A, np.where(P == 1, np.nan, P)), "NaN"),
    (lambda: ConstrainedClassifier(NETWORK, temperature="fit").partial_fit(A, P), "chunks cannot be cross-fitted"),
]


@pytest.mark.parametrize(("act", "message"), BAD)
def test_bad_use(act, message):
    """Bad use raises one sentence that says what is wrong."""
    with pytest.raises(DataError, match=message):
        act()
