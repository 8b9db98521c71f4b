"""ConstrainedClassifier: every prediction obeys the mined rules, marginals equal brute force, scikit-learn agrees."""

from __future__ import annotations

import pickle
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

import unwritten
from unwritten import ConstrainedClassifier
from unwritten.errors import DataError

LOGISTIC = OneVsRestClassifier(LogisticRegression())
ESTIMATORS = {
    "one-vs-rest": LOGISTIC,
    "multi-output": MultiOutputClassifier(LogisticRegression()),
    "chain": ClassifierChain(LogisticRegression()),
    "forest": RandomForestClassifier(20, random_state=0),
    "neighbours": KNeighborsClassifier(),
    "network": MLPClassifier((20,), max_iter=150, random_state=0),
    "linear-svm": OneVsRestClassifier(LinearSVC()),
    "svm": OneVsRestClassifier(SVC()),
    "ridge": RidgeClassifier(),
    "pipeline": make_pipeline(StandardScaler(), OneVsRestClassifier(LogisticRegression())),
}


@pytest.fixture(autouse=True)
def one_thread():
    """Use one thread for linear algebra: fits this small are far slower with several."""
    with threadpool_limits(1):
        yield


NAMES = ["cat", "animal", "car", "tree", "night"]


def planted(n=500, seed=0):
    """Features and labels under three rules: cat requires animal, car excludes tree, at least one of animal, night."""
    X, Y = make_multilabel_classification(n, n_features=12, n_classes=5, n_labels=2, random_state=seed)
    Y[:, 1] |= Y[:, 0]
    Y[:, 3] &= 1 - Y[:, 2]
    Y[:, 4] |= 1 - Y[:, 1]
    return StandardScaler().fit_transform(X), Y


def hierarchy(n, seed):
    """Two chains of labels that exclude each other; each label requires its parents."""
    features, labels = make_multilabel_classification(n, n_features=20, n_classes=8, n_labels=3, random_state=seed)
    for child, parent in [(0, 1), (1, 2), (6, 2)]:
        labels[:, parent] |= labels[:, child]
    labels[:, 3:6] *= 1 - labels[:, [2]]
    labels[:, 4] |= labels[:, 3]
    labels[:, 5] |= labels[:, 4]
    labels[:, 7] &= labels[:, 5]
    return features, labels


def allowed(model):
    """The labels that obey the mined rules, as a set."""
    return set(map(tuple, model.model_.labels().tolist()))


X, Y = planted()
LAWFUL = {y for y in product([0, 1], repeat=5) if y[0] <= y[1] and y[2] + y[3] <= 1 and y[1] + y[4] >= 1}
A, B, P, Q = X[:350], X[350:], Y[:350], Y[350:]


def classes(n=400):
    """Features and two columns of classes, the second decided by the first."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(n, 3))
    colour = np.array(["blue", "green", "red"])[np.digitize(features[:, 0] + 0.3 * features[:, 2], [-0.5, 0.5])]
    size = np.where(colour == "red", "L", np.where(features[:, 1] > 0, "M", "S"))
    return features, np.column_stack([colour, size])


# --- what it is for ---------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
def test_every_estimator_is_made_to_obey(estimator):
    """With any scorer, the planted rules are mined, predictions obey them, and exact match falls at most 0.02."""
    model = ConstrainedClassifier(estimator, decode="rules").fit(A, P)
    assert allowed(model) == LAWFUL
    predicted = model.predict(B)
    assert model.model_.check(predicted).feasible.all()
    assert predicted.dtype == Y.dtype
    before = (clone(estimator).fit(A, P).predict(B) == Q).all(axis=1).mean()
    assert model.score(B, Q) >= before - 0.02
    assert model.marginals_ == "feasible"
    assert is_classifier(model)


def test_exact_match_improves_on_planted_rules():
    """On four data sets, predictions under the rules match exactly more often than thresholds do."""
    gains = []
    for seed in range(4):
        features, labels = hierarchy(1400, seed)
        model = ConstrainedClassifier(LOGISTIC).fit(features[:1000], labels[:1000])
        plain = (model.estimator_.predict(features[1000:]) == labels[1000:]).all(axis=1).mean()
        gains.append(model.score(features[1000:], labels[1000:]) - plain)
    assert min(gains) > 0
    assert np.mean(gains) > 0.01


@pytest.mark.parametrize("estimator", ["one-vs-rest", "linear-svm", "forest"])
@pytest.mark.parametrize("options", [{"slack": "auto"}, {"calibration": "platt"}, {"temperature": "fit"}], ids=str)
def test_cross_fitted_options(estimator, options):
    """With cuts, sigmoids or a fitted temperature, predictions stay feasible, and exact match falls at most 0.05."""
    plain = ConstrainedClassifier(ESTIMATORS[estimator], decode="rules").fit(A, P)
    model = ConstrainedClassifier(ESTIMATORS[estimator], decode="rules", cv=3, **options).fit(A, P)
    assert model.model_.check(model.predict(B)).feasible.all()
    assert model.score(B, Q) >= plain.score(B, Q) - 0.05
    assert (len(model.model_.cuts) > 0) <= (options == {"slack": "auto"})
    assert model.model_.rules == plain.model_.rules
    if "temperature" in options:
        np.testing.assert_array_equal(model.predict(B), plain.predict(B))


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_predictions_always_obey(data):
    """For random labels and features, predictions obey the mined rules, and marginals lie between 0 and 1."""
    k = data.draw(st.integers(1, 4))
    row = st.tuples(*[st.integers(0, 1)] * k)
    n = data.draw(st.integers(6, 20))
    labels = np.array(data.draw(st.lists(row, min_size=n, max_size=n).filter(lambda rows: len(set(rows)) > 1)))
    features = np.random.default_rng(n).normal(size=(n, 2))
    options = data.draw(st.sampled_from([{}, {"slack": "auto"}, {"temperature": "fit"}, {"calibration": "platt"}]))
    confidence = data.draw(st.sampled_from([0.0, 0.95]))
    options = {"decode": "rules", "confidence": confidence, "cv": 2, **options}
    model = ConstrainedClassifier(KNeighborsClassifier(2), **options).fit(features, labels)
    queries = np.random.default_rng(0).normal(size=(9, 2))
    assert model.model_.check(model.predict(queries)).feasible.all()
    chances = model.predict_proba(queries)
    assert chances.shape == (9, k)
    assert ((chances >= 0) & (chances <= 1)).all()


# --- probabilities ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"temperature": 2.5}, {"slack": "auto", "cv": 2}], ids=str)
def test_marginals_against_brute_force(options):
    """Marginals and margins are sums over every 0/1 vector that passes rules and cuts."""
    model = ConstrainedClassifier(LOGISTIC, decode="rules", probabilities="joint", **options).fit(A, P)
    cube = np.array(list(product([0, 1], repeat=5)))
    cuts = model.model_.cuts
    inside = model.model_.check(cube).feasible
    inside &= (cube @ cuts.weights.T <= cuts.limits(model.model_.variables)).all(axis=1)
    feasible = cube[inside]
    weights = model.decision_function(B)
    chances = np.exp(weights @ feasible.T)
    chances /= chances.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(B), chances @ feasible, atol=1e-9)
    np.testing.assert_array_equal(model.predict(B), feasible[chances.argmax(axis=1)])
    top = np.sort(chances, axis=1)
    np.testing.assert_allclose(model.margins(B), top[:, -1] - top[:, -2], atol=1e-9)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(B)), model.predict_proba(B))


def test_marginals_over_seen_labels_where_feasible_ones_are_too_many():
    """With thirty labels that are hardly constrained, probabilities are over the seen ones, as `marginals_` says."""
    rng = np.random.default_rng(0)
    features, labels = rng.normal(size=(60, 30)), rng.integers(0, 2, (60, 30))
    given = [([1] * 30, "<=", 29)]
    model = ConstrainedClassifier(KNeighborsClassifier(3), rules=[], prior=given, probabilities="joint")
    model.fit(features, labels)
    assert model.marginals_ == "seen"
    weights = model.decision_function(features)
    chances = np.exp(weights @ labels.T - (weights @ labels.T).max(axis=1, keepdims=True))
    expected = chances @ labels / chances.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(features), expected, atol=1e-9)
    assert (model.margins(features) <= 1).all()


@pytest.mark.parametrize("estimator", ["linear-svm", "neighbours"])
def test_fitted_temperature_is_likelier(estimator):
    """On held-out samples the true labels are likelier with a fitted temperature than without."""

    def loss(model):
        feasible = model.model_.labels()
        weights = model.decision_function(B)
        known = model.model_.check(Q).feasible
        return (np.logaddexp.reduce(weights @ feasible.T, axis=1) - (weights * Q).sum(axis=1))[known].mean()

    plain = ConstrainedClassifier(ESTIMATORS[estimator]).fit(A, P)
    fitted = ConstrainedClassifier(ESTIMATORS[estimator], temperature="fit").fit(A, P)
    assert fitted.temperature_ != 1
    assert loss(fitted) < loss(plain)


def test_platt_turns_margins_into_log_odds():
    """The mean probability that sigmoids give each label is close to its share."""
    model = ConstrainedClassifier(OneVsRestClassifier(LinearSVC()), calibration="platt", rules=[]).fit(A, P)
    chances = 1 / (1 + np.exp(-model.decision_function(A)))
    np.testing.assert_allclose(chances.mean(axis=0), P.mean(axis=0), atol=0.05)


def test_abstaining_keeps_the_better_half():
    """Samples with a margin of at least `abstain` are answered and score higher; predict still answers all."""
    model = ConstrainedClassifier(LOGISTIC, decode="rules", temperature="fit").fit(A, P)
    careful = clone(model).set_params(abstain=0.3).fit(A, P)
    labels, answered = careful.predict_or_abstain(B)
    np.testing.assert_array_equal(labels, model.predict(B))
    np.testing.assert_array_equal(careful.predict(B), labels)
    np.testing.assert_array_equal(careful.abstains(B), ~answered)
    np.testing.assert_array_equal(answered, model.margins(B) >= 0.3)
    assert 0 < careful.coverage(B) < 1 == model.coverage(B)
    assert careful.score(B, Q) == (labels == Q).all(axis=1)[answered].mean() > model.score(B, Q)
    assert np.isnan(clone(model).set_params(abstain=1).fit(A, P).score(B, Q))


# --- targets ----------------------------------------------------------------------------------------------------------

TARGETS = {
    "list": lambda labels: labels.tolist(),
    "bool": lambda labels: labels.astype(bool),
    "float": lambda labels: labels.astype(float),
    "object": lambda labels: labels.astype(object),
    "csr": sparse.csr_matrix,
    "csc-array": sparse.csc_array,
    "pandas": lambda labels: pd.DataFrame(labels, columns=NAMES),
    "polars": lambda labels: pl.DataFrame(labels, schema=NAMES),
}


@pytest.mark.parametrize("form", TARGETS.values(), ids=TARGETS)
def test_forms_of_labels(form):
    """Arrays, lists, sparse matrices and frames give the same classifier."""
    plain, model = (ConstrainedClassifier(LOGISTIC).fit(A, labels) for labels in (P, form(P)))
    predicted = model.predict(B)
    assert type(predicted) is (sparse.csr_array if form is TARGETS["csc-array"] else type(form(P[:0]))) or form in (
        TARGETS["list"],
    )
    dense = predicted.toarray() if sparse.issparse(predicted) else np.asarray(predicted)
    np.testing.assert_array_equal(dense, plain.predict(B))
    assert model.score(B, form(Q)) == plain.score(B, Q)
    assert getattr(predicted, "columns", NAMES) is NAMES or list(predicted.columns) == NAMES


def test_rules_speak_of_the_columns():
    """Rules and prior sentences use the column names of a frame."""
    frame = pd.DataFrame(P, columns=NAMES)
    model = ConstrainedClassifier(LOGISTIC, prior=["cat requires animal"]).fit(A, frame)
    assert "cat" in str(model.rules_)
    assert model.model_.variables.names == tuple(NAMES)
    with pytest.raises(DataError, match="other columns than in fit"):
        model.score(B, pd.DataFrame(Q, columns=NAMES[::-1]))


@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_labels_never_or_always_seen(estimator):
    """Every estimator can be fitted if some labels never vary, or if only one label varies."""
    labels = P.copy()
    labels[:, 0], labels[:, 2] = 0, 1
    if isinstance(estimator, MLPClassifier):
        estimator = clone(estimator).set_params(max_iter=20)
    model = ConstrainedClassifier(estimator).fit(A, labels)
    assert (model.predict(B)[:, [0, 2]] == [0, 1]).all()
    assert model.varying_.tolist() == [False, True, False, True, True]
    labels[:, [3, 4]] = 0
    model = ConstrainedClassifier(estimator).fit(A, labels)
    assert len(np.unique(model.predict(A)[:, 1])) == 2


def test_rare_labels_in_folds():
    """Cross-fitting works if a label is 1 in a single example, and so never varies in one of the folds."""
    labels = P.copy()
    labels[:, 4] = 0
    labels[7, 4] = 1
    for options in ({"slack": "auto"}, {"calibration": "platt"}, {"temperature": "fit"}):
        model = ConstrainedClassifier(OneVsRestClassifier(LinearSVC()), **options).fit(A, labels)
        assert model.predict(B)[:, 4].sum() <= 1


@pytest.mark.parametrize("estimator", ["forest", "multi-output", "neighbours"])
def test_columns_of_classes(estimator):
    """Predicted classes have their original values and obey the rules; the probabilities of a column add up to 1."""
    features, target = classes()
    model = ConstrainedClassifier(ESTIMATORS[estimator], decode="rules", temperature="fit")
    model.fit(features[:300], target[:300])
    predicted = model.predict(features[300:])
    assert predicted.dtype == target.dtype
    assert set(predicted[:, 0]) <= {"blue", "green", "red"}
    assert ((predicted[:, 0] == "red") == (predicted[:, 1] == "L")).all()
    chances = model.predict_proba(features[300:])
    assert [block.shape for block in chances] == [(100, 3), (100, 3)]
    np.testing.assert_allclose([block.sum(axis=1) for block in chances], 1)
    assert [names.tolist() for names in model.classes_] == [["blue", "green", "red"], ["L", "M", "S"]]
    assert "y0 = red exactly when y1 = L" in [sentence.text for sentence in model.model_.sentences]
    codes = model.estimator_.predict(features[300:])
    plain = np.column_stack([names[codes[:, j]] for j, names in enumerate(model.classes_)])
    assert model.score(features[300:], target[300:]) >= (plain == target[300:]).all(axis=1).mean() - 0.02


def test_classes_of_frames_and_numbers():
    """A frame may mix columns of texts and numbers; rules use its names; a class that is new in score is wrong."""
    features, target = classes()
    frame = pd.DataFrame({"colour": target[:, 0], "doors": np.where(target[:, 1] == "L", 5, 3)})
    model = ConstrainedClassifier(RandomForestClassifier(10, random_state=0)).fit(features, frame)
    predicted = model.predict(features)
    assert list(predicted.columns) == ["colour", "doors"]
    assert predicted["doors"].dtype == np.int64
    assert any("colour" in sentence.text for sentence in model.model_.sentences)
    right = model.score(features, frame)
    assert right > 0.9
    frame.loc[:199, "colour"] = "pink"
    assert model.score(features, frame) == pytest.approx(right / 2, abs=0.05)
    numbers = ConstrainedClassifier(KNeighborsClassifier()).fit(features, np.where(target == "red", -1, 1))
    assert set(numbers.predict(features).ravel()) == {-1, 1}


# --- scikit-learn's ways ----------------------------------------------------------------------------------------------


def test_clone_pickle_and_parameters():
    """Clones have the same parameters, copies the same answers, and fit does not change the given estimator."""
    model = ConstrainedClassifier(LOGISTIC, confidence=0.9, calibration="platt", cv=KFold(3)).fit(A, P)
    assert not hasattr(LOGISTIC, "estimators_")
    again = clone(model)
    assert again.get_params()["estimator__estimator__C"] == 1.0
    assert not hasattr(again, "model_")
    copy = pickle.loads(pickle.dumps(model))  # noqa: S301
    np.testing.assert_array_equal(copy.predict(B), model.predict(B))
    np.testing.assert_array_equal(copy.predict_proba(B), model.predict_proba(B))
    np.testing.assert_array_equal(again.fit(A, P).predict_proba(B), model.predict_proba(B))
    assert model.decide(B).engine.tolist() == ["explicit"] * len(B)


def test_search_and_pipelines():
    """It works at the end of a pipeline, in cross-validation, and in grids over its and the estimator's settings."""
    chain = make_pipeline(StandardScaler(), ConstrainedClassifier(LOGISTIC))
    assert cross_val_score(chain, X, Y, cv=3).mean() > 0.3
    assert cross_val_score(chain, X, Y, cv=3, scoring="roc_auc").mean() > 0.7
    grid = {"estimator__estimator__C": [0.1, 1], "confidence": [0.9, 0.99]}
    search = GridSearchCV(ConstrainedClassifier(LOGISTIC), grid, cv=2).fit(A, P)
    assert set(search.best_params_) == set(grid)
    assert search.best_estimator_.model_.check(search.predict(B)).feasible.all()
    inner = ConstrainedClassifier(GridSearchCV(LOGISTIC, {"estimator__C": [0.1, 1]}, cv=2)).fit(A, P)
    assert inner.model_.check(inner.predict(B)).feasible.all()


def test_names_and_number_of_features():
    """The number and names of features are those of the fitted estimator, and are replaced by a refit."""
    frame = pd.DataFrame(A, columns=[f"x{j}" for j in range(A.shape[1])])
    pipe = make_pipeline(StandardScaler(), OneVsRestClassifier(LogisticRegression()))
    model = ConstrainedClassifier(pipe).fit(frame, P)
    assert model.n_features_in_ == A.shape[1]
    assert list(model.feature_names_in_) == list(frame.columns)
    assert not hasattr(model.fit(A, P), "feature_names_in_")
    sparse_model = ConstrainedClassifier(LOGISTIC, temperature="fit").fit(sparse.csr_matrix(A), P)
    np.testing.assert_array_equal(sparse_model.predict(sparse.csr_matrix(B)), sparse_model.predict(B))


def test_lifts_and_given_rules_go_through():
    """The parameters lifts and prior are passed on to mining."""
    prior = [([0, 0, 1, 1, 0], "<=", 1)]
    model = ConstrainedClassifier(LOGISTIC, rules=[], lifts="pairs", prior=prior, decode="rules").fit(A, P)
    assert len(model.model_.extended) > 5
    assert (model.predict(B)[:, 2:4].sum(axis=1) <= 1).all()
    assert model.predict_proba(B)[:, 2:4].sum(axis=1).max() <= 1 + 1e-6


def test_noise_sets_wrong_labels_aside():
    """With noise=0.02, three labels that break a rule do not keep it from being mined."""
    labels = P.copy()
    labels[:3, 2:4] = 1  # a car beside a tree
    strict, lenient = (ConstrainedClassifier(LOGISTIC, noise=share).fit(A, labels) for share in (0, 0.02))
    assert allowed(strict) > LAWFUL
    assert allowed(lenient) == LAWFUL


@parametrize_with_checks([ConstrainedClassifier(RidgeClassifier())])
def test_scikit_learn_checks(estimator, check):
    """Every check of scikit-learn passes, without exceptions."""
    check(estimator)


# --- bad input --------------------------------------------------------------------------------------------------------


class Broken(ClassifierMixin, BaseEstimator):
    """Scores that are not finite, or of the wrong shape."""

    def __init__(self, shape=5, value=np.nan):
        self.shape = shape
        self.value = value

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        if isinstance(self.shape, list):
            return [np.full((len(X), width), self.value) for width in self.shape]
        return np.full((len(X), self.shape), self.value)


def fitted(y=P, features=A, estimator=LOGISTIC, **options):
    """Fit a classifier."""
    return ConstrainedClassifier(estimator, **options).fit(features, y)


HOLE = P.astype(float)
HOLE[3, 1] = np.nan
CLASHING = [([1, 1, 0, 0, 0], "<=", 0), ([1, 1, 0, 0, 0], ">=", 1)]
_, WORDS = classes(350)

BAD = [
    # labels
    (lambda: fitted(P[:, :0]), "one column per label or output"),
    (lambda: fitted(P[:, :, None]), "one column per label or output"),
    (lambda: fitted(None), "target y is None"),
    (lambda: fitted(P[:20]), "inconsistent numbers of samples"),
    (lambda: fitted(P[:0], A[:0]), "labels are empty"),
    (lambda: fitted(P * 0.5), "fractions"),
    (lambda: fitted(HOLE), "NaN"),
    (lambda: fitted(pd.DataFrame(HOLE)), "missing values"),
    (lambda: fitted(np.where(WORDS == "L", None, WORDS)), "missing values"),
    (lambda: fitted([[1, 0], [1]], A[:2]), "different lengths"),
    (lambda: fitted(P + 1j), "complex"),
    (lambda: fitted(np.ones_like(P)), "all labels are equal"),
    (lambda: fitted(np.array([["a", 1], [2, "b"]] * 9, object), A[:18]), "mix texts and numbers"),
    (lambda: fitted(pd.DataFrame(P[:, :2], columns=["a", "a"])), "two columns of one name"),
    (lambda: fitted(pd.DataFrame(WORDS, columns=["a", "a"])), "two columns of one name"),
    # rules
    (lambda: fitted(prior=CLASHING), "break the prior row"),
    (lambda: fitted(prior=[([1, 1, 1, 1, 1], "<=", 0)]), "break the prior row"),
    (lambda: fitted(rules="magic"), "no miner 'magic'"),
    (lambda: fitted(confidence=2), "confidence is 2"),
    (lambda: fitted(noise=0.9), "noise is 0.9"),
    (lambda: fitted(engine="magic").predict(B), "engine 'magic' is unknown"),
    # the classifier's own parameters
    (lambda: fitted(slack=3), "use None for rules only"),
    (lambda: fitted(slack="some"), "use None for rules only"),
    (lambda: fitted(slack=[1, 2]), "use None for rules only"),
    (lambda: fitted(calibration="magic"), "calibration is 'magic'"),
    (lambda: fitted(temperature=0), "temperature is 0"),
    (lambda: fitted(temperature="hot"), "temperature is 'hot'"),
    (lambda: fitted(temperature=np.nan), "temperature is nan"),
    (lambda: fitted(abstain=2), "abstain is 2"),
    (lambda: fitted(abstain="often"), "abstain is 'often'"),
    (lambda: fitted(response_method="magic"), "response_method is 'magic'"),
    (lambda: fitted(temperature="fit", cv=ShuffleSplit(3)), "score every example once"),
    (lambda: fitted(temperature="fit", cv=1), "n_splits=1"),
    # estimators
    (lambda: fitted(estimator=LogisticRegression), "give an instance"),
    (lambda: fitted(estimator=5), "give an instance"),
    (lambda: fitted(estimator=LinearRegression()), "LinearRegression is not a classifier"),
    (lambda: fitted(estimator=MultiOutputClassifier(LinearSVC())), "has no predict_proba or decision_function"),
    (lambda: fitted(estimator=KNeighborsClassifier(), response_method="decision_function"), "has no decision_function"),
    (lambda: fitted(estimator=Broken()).predict(B), "Broken.predict_proba gives NaN or infinity"),
    (lambda: fitted(estimator=Broken(3, 0.5)).predict(B), r"gives shape \(150, 3\) for 5 columns"),
    (lambda: fitted(WORDS, estimator=Broken(2, 0.5)).predict(B), r"gives shape \(150, 2\) for 2 columns of classes"),
    (lambda: fitted(WORDS, estimator=Broken([3], 0.5)).predict(B), "tables for 1 columns"),
    (lambda: fitted(WORDS, estimator=Broken([3, 2], 0.5)).predict(B), "scores every class of every column"),
    (lambda: fitted(WORDS, estimator=RidgeClassifier()), "columns of classes need predict_proba"),
    (lambda: fitted(WORDS, estimator=KNeighborsClassifier(), calibration="platt"), "need predict_proba"),
    # queries
    (lambda: ConstrainedClassifier(LOGISTIC).predict(B), "not fitted yet"),
    (lambda: ConstrainedClassifier(LOGISTIC).score(B, Q), "not fitted yet"),
    (lambda: fitted().predict(B[:, :3]), "X has 3 features"),
    (lambda: fitted().score(B, Q[:, :3]), "3 columns but the classifier was fitted on 5"),
    (lambda: fitted().score(B, Q[:9]), "inconsistent numbers of samples"),
    (lambda: fitted().score(B, Q[:, 0]), "one column per label"),
    (lambda: fitted(P[:, 0]).margins(B), "y had one column"),
]


@pytest.mark.parametrize(("act", "message"), BAD)
def test_bad_input(act, message):
    """Bad input raises an error that says what is wrong, in scikit-learn's words where it has a check."""
    with pytest.raises((ValueError, NotFittedError), match=message):
        act()


def test_public_name():
    """The class is an attribute of the package, which imports it on demand."""
    assert unwritten.ConstrainedClassifier is ConstrainedClassifier
    assert "ConstrainedClassifier" in unwritten.__all__


def test_repr_is_short():
    """The repr names only the parameters that were changed."""
    model = ConstrainedClassifier(KNeighborsClassifier(), abstain=0.5)
    assert repr(model) == "ConstrainedClassifier(abstain=0.5, estimator=KNeighborsClassifier())"
