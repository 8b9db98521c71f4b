"""decode="auto": the way to decode with the best held-out score, and never a worse one than was given."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier
from test_classifier import classes, planted

from experiments.scorers.forests import forest_sample
from unwritten import ConstrainedClassifier
from unwritten.errors import UnwrittenError
from unwritten.sklearn.column_scorer import ColumnScores
from unwritten.sklearn.held_out_scores import HeldOutScores, HeldOutSums
from unwritten.sklearn.label_decoder import LabelDecoder, RuleChoice

FEATURES, LABELS = forest_sample(300, 40, seed=5)
TRAIN, TEST = slice(0, 120), slice(120, None)


@pytest.mark.parametrize("scoring", ["exact-match", "f1", "hamming", "log-loss"])
def test_the_best_held_out_score_is_taken(scoring):
    """The chosen way has the best score; exact matches may be some fewer, but no fewer than of those it was given."""
    model = ConstrainedClassifier(RidgeClassifier(), scoring=scoring, cv=3).fit(FEATURES[TRAIN], LABELS[TRAIN])
    report = model.report_
    assert {"rules", "rules and implications", "seen", "threshold"} <= set(report.scores)
    for soft in ("seen-average at 0.5, temperature 0.25", "blend and implications at 0.5, temperature 0.25"):
        assert (soft in report.scores) == (scoring != "log-loss")
    best, chosen = max(report.scores.values()), report.scores[report.decode]
    assert chosen >= max(report.scores["seen"], report.scores["threshold"])
    assert chosen == best or (scoring == "exact-match" and chosen > best - (best * (1 - best) / 120) ** 0.5 - 1e-9)
    assert min(report.log_losses.values()) <= report.log_losses["estimator"]
    assert model.predict(FEATURES[TEST]).shape == LABELS[TEST].shape
    assert "held out" in str(report) and report.decode in str(report)


def test_a_way_that_the_rules_of_all_samples_spoil_is_not_taken():
    """Folds may lack a rule that all samples give; the worse of both scores decides, and the report shows it."""
    seen, rules, threshold = (LabelDecoder(kind) for kind in ("seen", "rules", "threshold"))
    held_out = HeldOutScores("exact-match", [seen, rules, threshold], width=3, n=10)
    for decoder, right in ((seen, 4.0), (rules, 8.0), (threshold, 3.0)):
        held_out.sums[decoder] = HeldOutSums(weight=10.0, right=right)
    held_out.losses[RuleChoice(), "estimator"] = 1.0
    assert held_out.best() == rules
    asked = []

    def again(decoder):
        asked.append(decoder)
        return HeldOutSums(weight=10.0, right=0.0 if decoder == rules else 9.0)

    assert held_out.best(again) == seen
    assert asked == [rules]  # the others need no rules
    assert held_out.report(seen, "estimator").scores == {"seen": 0.4, "rules": 0.0, "threshold": 0.3}


def test_a_way_that_gives_up_is_not_taken():
    """More matches do not count if F1 is below that of the better of estimator and seen label; F1 decides near ties."""
    seen, threshold = LabelDecoder("seen"), LabelDecoder("threshold")
    nothing, blend = LabelDecoder("probabilities", level=0.9), LabelDecoder("blend")
    scores = {seen: (2.0, 40.0), threshold: (1.0, 50.0), nothing: (6.0, 0.0), blend: (2.0, 48.0)}
    held_out = HeldOutScores("exact-match", list(scores), width=20, n=10)
    held_out.sums = {
        each: HeldOutSums(10.0, right, true_ones=ones, all_ones=120) for each, (right, ones) in scores.items()
    }
    assert held_out.best() == blend
    more = LabelDecoder("rules")
    held_out.sums[more] = HeldOutSums(10.0, 3.0, true_ones=41.0, all_ones=120)
    held_out.decoders.append(more)
    assert held_out.best() == blend  # one match more of 10 can be chance
    held_out.n = 1000
    assert held_out.best() == more
    held_out.decoders.remove(more)
    spoiled = HeldOutSums(10.0, 2.0, true_ones=39.0, all_ones=120)
    assert held_out.best(lambda each: spoiled if each == blend else held_out.sums[each]) == seen
    held_out.scoring = "hamming"
    held_out.sums[nothing].wrong_entries = -1.0
    assert held_out.best() == nothing  # asked for, it is taken


def test_probabilities_that_rank_worse_are_not_taken():
    """Of probabilities that rank no worse than the estimator's, those with the least log loss are taken."""
    held_out = HeldOutScores("exact-match", [], width=3)
    plain, implied = RuleChoice(), RuleChoice(implications=True)
    held_out.losses = {
        (plain, "matched"): 2.0,
        (plain, "joint"): 1.0,
        (plain, "estimator"): 3.0,
        (implied, "matched"): 4.0,
    }
    held_out.precisions = dict.fromkeys(held_out.losses, 0.9)
    assert held_out.best_probabilities(plain) == "joint"
    assert held_out.best_probabilities(implied) == "estimator"
    held_out.precisions[plain, "joint"] = 0.8
    assert held_out.best_probabilities(plain) == "matched"


@pytest.mark.parametrize("seed", range(3))
def test_hard_rows_are_not_given_up(seed):
    """Where hardly a row can be matched, but some have no label at all, labels are predicted all the same."""
    rng = np.random.default_rng(seed)
    labels = (rng.random((150, 12)) < 0.3).astype(int)
    labels[rng.random(150) < 0.2] = 0
    features = labels @ rng.normal(size=(12, 30)) + 3 * rng.normal(size=(150, 30))
    model = ConstrainedClassifier(RidgeClassifier(), cv=3).fit(features[:100], labels[:100])
    report = model.report_
    assert report.scores[report.decode] >= max(report.scores["seen"], report.scores["threshold"])
    plain = ConstrainedClassifier(RidgeClassifier(), decode="threshold").fit(features[:100], labels[:100])
    ours, theirs = (f1_score(labels[100:], each.predict(features[100:]), average="micro") for each in (model, plain))
    assert ours > theirs - 0.15


def test_a_blend_is_the_mean_of_probabilities_and_seen_labels():
    """With decode="blend", a label is predicted if its probability and its share of seen labels add up to 1."""
    blend = ConstrainedClassifier(RidgeClassifier(), decode="blend", rules=[]).fit(FEATURES[TRAIN], LABELS[TRAIN])
    scores = blend._scores(FEATURES[TEST])
    share = blend._source.seen_distribution.marginals(2 * scores.weights)
    expected = (share + scores.probabilities >= 1).astype(int)
    np.testing.assert_array_equal(blend.predict(FEATURES[TEST]), expected)
    assert (expected != (share >= 0.5)).any() and (expected != (scores.probabilities >= 0.5)).any()


def test_f1_is_decoded_from_probabilities():
    """Chosen by F1, predictions have a higher F1 on new samples than the best labels under the rules."""
    features = FEATURES[:, :12]  # too few for sure answers
    scorer = OneVsRestClassifier(LogisticRegression(C=0.1))
    by_f1, by_rules = (
        ConstrainedClassifier(scorer, scoring="f1", decode=decode, cv=3).fit(features[TRAIN], LABELS[TRAIN])
        for decode in ("auto", "rules")
    )
    assert by_f1.report_.decode.startswith(("probabilities", "threshold at"))
    truth = LABELS[TEST]
    soft, hard = (f1_score(truth, model.predict(features[TEST]), average="micro") for model in (by_f1, by_rules))
    assert soft > hard + 0.01


def test_random_labels_are_learnt_as_they_are():
    """400 random labels of 40 columns have no rules; linear scores match all of them in training."""
    rng = np.random.default_rng(0)
    labels = (rng.random((400, 40)) < 0.1).astype(int)
    features = labels @ rng.normal(size=(40, 60))
    scorer = OneVsRestClassifier(LogisticRegression())
    model = ConstrainedClassifier(scorer, cv=2).fit(features, labels)
    assert model.score(features, labels) == 1
    if not len(model.rules_):
        np.testing.assert_array_equal(
            model.predict_proba(features), scorer.fit(features, labels).predict_proba(features)
        )


def test_columns_of_classes_are_compared_too():
    """Columns of classes are cross-fitted; the chosen way is no worse than the estimator and the best seen label."""
    features, target = classes(150)
    target[::7, 1] = "XL"  # now many combinations are possible
    model = ConstrainedClassifier(RandomForestClassifier(8, random_state=0), cv=3).fit(features, target)
    scores = model.report_.scores
    assert scores[model.report_.decode] >= max(scores["seen"], scores["threshold"])


def test_no_choice_where_there_is_none():
    """Nothing is cross-fitted if the rules allow exactly the seen labels, if a way is given, or with few samples."""
    features, labels = planted(200)
    one_hot = np.eye(3, dtype=int)[labels[:, :2].sum(axis=1)]
    assert "exactly the seen labels" in str(ConstrainedClassifier(RidgeClassifier()).fit(features, one_hot).report_)
    assert "decode='seen'" in str(ConstrainedClassifier(RidgeClassifier(), decode="seen").fit(features, labels).report_)
    few = ConstrainedClassifier(RidgeClassifier()).fit(features[:8], labels[:8])
    assert "too few samples" in str(few.report_)


def test_rules_that_forbid_everything():
    """Rules that clash with the labels, or with each other, are named in one sentence."""
    features, labels = planted(60)
    prior = [([1, 1, 1, 1, 1], "<=", 0)]
    with pytest.raises(UnwrittenError, match="break the prior row"):
        ConstrainedClassifier(RidgeClassifier(), prior=prior).fit(features, labels)


def test_what_most_seen_labels_agree_on():
    """With decode="seen-average", sharp scores give the best seen label, and vague ones what seen labels share."""
    features = np.eye(5)
    labels = np.array([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [1, 0, 0, 1, 0], [1, 0, 0, 0, 1], [0, 0, 0, 0, 1]])
    sharp = ConstrainedClassifier(RidgeClassifier(alpha=1e-3), decode="seen-average")
    np.testing.assert_array_equal(sharp.fit(features, labels).predict(features), labels)
    vague = ConstrainedClassifier(RidgeClassifier(alpha=1e6), decode="seen-average", rules=[])
    predicted = vague.fit(np.tile(features, (5, 1)), np.tile(labels, (5, 1))).predict(features)
    assert (predicted == [1, 0, 0, 0, 0]).all()


def test_seen_labels_are_seen_labels():
    """With decode="seen", every prediction is a label of the training set."""
    model = ConstrainedClassifier(RidgeClassifier(), decode="seen").fit(FEATURES[TRAIN], LABELS[TRAIN])
    seen = set(map(tuple, LABELS[TRAIN].tolist()))
    assert set(map(tuple, model.predict(FEATURES[TEST]).tolist())) <= seen


def test_levels_of_the_estimators_own_probabilities():
    """A shy estimator is asked from a lower level on, whatever the rules; its own answer has no level."""
    model = ConstrainedClassifier(RidgeClassifier(), cv=3).fit(FEATURES[TRAIN], LABELS[TRAIN])
    assert {"threshold", "threshold at 0.4"} <= set(model.report_.scores)
    assert "threshold at 0.5" not in model.report_.scores
    scores = ColumnScores(np.log([[1.5, 4.0, 0.1]]), np.array([[0.6, 0.45, 0.1]]), np.array([[1, 0, 0]]))
    own, lower = (LabelDecoder("threshold", level=level).labels(scores, model._source, {}) for level in (0.5, 0.4))
    assert (own.tolist(), lower.tolist()) == ([[1, 0, 0]], [[1, 1, 0]])
