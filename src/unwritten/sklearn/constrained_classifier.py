"""ConstrainedClassifier: any multilabel or multi-output classifier, made to obey the rules of its training labels."""
# ruff: noqa: N803, N806 (scikit-learn calls the features X)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _num_samples, check_consistent_length

from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.options import Rules
from unwritten.sklearn.calibration import best_temperature, fit_sigmoids
from unwritten.sklearn.classifier_answers import ClassifierAnswers
from unwritten.sklearn.classifier_options import ClassifierOptions, checked_choice, given_temperature, least_margin
from unwritten.sklearn.column_scorer import ColumnScorer, ColumnScores, scoring_method
from unwritten.sklearn.constraint_miner import ConstraintMiner
from unwritten.sklearn.cross_fitting import CrossFit, cross_fitted
from unwritten.sklearn.decode_report import DecodeReport
from unwritten.sklearn.fit_metadata import FitMetadata
from unwritten.sklearn.held_out_scores import HeldOutScores, HeldOutSums, candidates
from unwritten.sklearn.label_decoder import LabelDecoder, LabelSource, RuleChoice
from unwritten.sklearn.label_mining import LabelMiner
from unwritten.sklearn.parameter_types import (
    Calibration,
    CutSlack,
    Decode,
    NoiseShare,
    Probabilities,
    ProbabilityKind,
    ResponseMethod,
    Scoring,
    ScoringMethod,
    Temperature,
)
from unwritten.sklearn.target_columns import TargetColumns
from unwritten.sklearn.target_form import TargetForm, is_one_column
from unwritten.solving import BackendName, EngineName

LOWER_CONFIDENCE = 0.5
"""Rules of this confidence are tried too, if the user's is higher: few samples prove little, but may still help."""
MOST_TO_AVERAGE = 5_000
"""With more samples, means of the seen labels are not tried: they help where labels are rare, and take long."""
FEWEST_TO_CHOOSE = 10
"""With fewer samples, no held-out score can tell ways to decode apart."""


def _has_partial_fit(classifier: Any) -> bool:
    if hasattr(classifier.estimator, "partial_fit"):
        return True
    raise AttributeError(f"{type(classifier.estimator).__name__} has no partial_fit: use fit on all samples")


class ConstrainedClassifier(ClassifierAnswers):
    """Fit a classifier, mine the rules of its training labels, and predict the likeliest labels that obey them.

    Labels are 0/1 (n × k), or columns of classes, as for multi-output classifiers. A y of one dimension has nothing
    for rules to link: the estimator is fitted on it as it is, and answers itself.

    Parameters
    ----------
    estimator
        A classifier with `predict_proba` or `decision_function` for labels of several columns. It is fitted on the
        columns that vary. Classes other than 0 and 1 are passed to it as their places in `classes_`.
    rules, prior, lifts, confidence, noise
        As in `unwritten.mine`.
    decode
        How labels are predicted. "rules": the best label that obeys the rules. "seen": the best label of the training
        set. "threshold": the estimator's own answer, which may break rules. "probabilities": every label with a
        probability of at least 0.5. "seen-average": every label that is in at least half of the seen labels, weighed by
        exp(2 w·y) where w are the scores. "blend": every label that reaches 0.5 in the mean of the last two. "auto":
        the one of these that has the best cross-fitted score on the training set; so it is never worse there than the
        estimator or the best seen label. If exact matches are counted, this holds for F1, too, against the better of
        these two, and of ways within one standard error of the best, exact match and F1 together decide.
        Other levels are tried too and, if `rules` has "pairs", rules at confidence 0.5 (doubtful ones included) and
        rules with the implications of Fisher's exact test.
        `report_` shows the scores. Nothing is cross-fitted where the rules allow exactly the seen labels.
    scoring
        What "auto" compares: "exact-match" (the share of samples with all labels right), "f1" (over all entries),
        "hamming" (the share of right entries) or "log-loss".
    probabilities
        What `predict_proba` returns. "matched": the estimator's probabilities, moved as little as the rules demand, and
        exactly the estimator's where they demand nothing. "joint": the marginals of the distribution ∝ exp(w·y) over
        the labels that obey the rules. "estimator": the estimator's. "auto": the one with the least cross-fitted log
        loss of those that rank no worse than the estimator's, if `decode` cross-fits anyway, else "matched".
    slack
        None or 0: mine rules only. "auto": also make a cut from each example's cross-fitted scores, loose enough that
        all seen labels pass it. This is slower, and helps only estimators whose scores are good.
    response_method
        "auto" (probabilities if the estimator has them), "predict_proba" or "decision_function".
    calibration
        None or "log-odds": use the log-odds of probabilities, or margins as they are. "platt": fit a sigmoid per column
        to cross-fitted scores (0/1 labels only). Margins have no scale of their own: without sigmoids or a fitted
        temperature, probabilities made from them mean little, but predictions are as good.
    temperature
        The number that weights are divided by. None is 1; "fit" finds the likeliest on cross-fitted scores. It changes
        probabilities but not predictions.
    cv
        The folds for cross-fitting: a number, or a splitter. decode="auto", slack="auto", "platt" and "fit" cross-fit.
    abstain
        None, or a share from 0 to 1: `predict_or_abstain` does not answer a row if the probability of its label exceeds
        that of the next best label by less than this.
    warm_start
        True: `fit` goes on from the estimator fitted before, if that has a `warm_start` of its own that is True.
    engine, backend, time_limit, n_jobs
        As in `Model.decide`.

    Attributes
    ----------
    estimator_, model_, rules_
        The fitted clone, the mined model and its rules. If y has one dimension, there is only the clone.
    classes_
        For 0/1 labels, the places of the columns, as in scikit-learn's multilabel classifiers; for columns of classes,
        a list with the classes of each; for a y of one dimension, its classes.
    report_
        How labels and probabilities are decoded, with the cross-fitted scores of all ways that were tried.
    varying_
        For each column of the target, whether `estimator_` was fitted on it: it was if the column has several classes.
    temperature_
        The number that weights are divided by.
    marginals_
        The labels that joint probabilities are over: "feasible" (all labels that obey rules and cuts), or "seen" if
        those are too many to list.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.multiclass import OneVsRestClassifier
    >>> X = [[x / 10] for x in range(60)] * 2
    >>> Y = [[int(x < 25), int(25 <= x < 35), int(x >= 35)] for x in range(60)] * 2  # one of three
    >>> plain = OneVsRestClassifier(LogisticRegression())
    >>> plain.fit(X, Y).predict([[2.9]])  # none of the three
    array([[0, 0, 0]])
    >>> model = ConstrainedClassifier(plain).fit(X, Y)
    >>> print(model.rules_)
    exactly one of y0, y1, y2
    >>> model.predict([[2.9]]).sum()
    np.int64(1)
    """

    def __init__(
        self,
        estimator: Any,
        *,
        rules: Rules = "auto",
        slack: CutSlack | None = None,
        prior: object = None,
        lifts: Any = (),
        confidence: float = 0.95,
        noise: NoiseShare = 0,
        decode: Decode = "auto",
        scoring: Scoring = "exact-match",
        probabilities: Probabilities = "auto",
        response_method: ResponseMethod = "auto",
        calibration: Calibration | None = None,
        temperature: Temperature | None = None,
        cv: Any = 5,
        abstain: float | None = None,
        engine: EngineName = "auto",
        backend: BackendName = "auto",
        time_limit: float | None = None,
        n_jobs: int | None = 1,
        warm_start: bool = False,
    ) -> None:
        self.estimator = estimator
        self.rules = rules
        self.slack = slack
        self.prior = prior
        self.lifts = lifts
        self.confidence = confidence
        self.noise = noise
        self.decode = decode
        self.scoring = scoring
        self.probabilities = probabilities
        self.response_method = response_method
        self.calibration = calibration
        self.temperature = temperature
        self.cv = cv
        self.abstain = abstain
        self.engine = engine
        self.backend = backend
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.warm_start = warm_start

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit the estimator on features `X` and labels `y`, and mine the labels.

        `sample_weight` and other metadata go to the estimator, and to `cv`, as scikit-learn routes them. A sample of
        weight 0 is left out; other weights change scores, but not what is mined: a rule holds for all samples or not.
        """
        method, options = self._checked()
        metadata = FitMetadata.of(self, "fit", X, sample_weight, fit_params)
        if is_one_column(y):
            return self._fit_one_column(X, y, metadata)
        if hasattr(self, "_chunks"):
            del self._chunks
        X, y, metadata = _without_zero_weights(X, y, metadata)
        target, codes, labels = TargetColumns.of(y)
        check_consistent_length(X, codes)
        if len(target.classes) == 1 and not target.binary:
            return self._fit_one_column(X, target.classes[0][codes[:, 0]], metadata)
        if (codes == codes[0]).all():
            raise DataError("all labels are equal, one class in each column: give samples with different labels")
        if not target.binary and (options.fit_sigmoids or method != "predict_proba"):
            raise DataError(
                "columns of classes need predict_proba without calibration='platt': give 0/1 labels instead"
            )
        truth = target.encode(codes)
        mining = self._parameters("rules", "prior", "lifts", "noise")
        miner = LabelMiner(target, labels, truth, self.confidence, mining)
        source = None if options.make_cuts else miner.whole()
        choose = self._chooses(options, target, len(codes), source)
        scores, self._sigmoids, self.temperature_ = None, None, given_temperature(self.temperature)
        held_out: HeldOutScores | None = None
        again: Callable[[LabelDecoder], HeldOutSums] | None = None
        if choose or options.cross_fit:
            crossed = cross_fitted(self.estimator, method, target, X, codes, metadata, self.cv)
            if options.fit_sigmoids:
                self._sigmoids = fit_sigmoids(crossed.scores.weights, truth, crossed.varied)
            scores = crossed.scores.calibrated(target, self._sigmoids, np.ones(truth.shape[1], bool), 1.0)
            if choose and source is not None:
                held_out = self._compared(crossed, scores, miner, metadata)
                source_of = cache(partial(miner.with_choice, source, labels=miner.encoded))
                again = partial(self._scored_again, held_out, scores, source_of, miner.encoded, metadata, crossed.folds)
        chosen = self._choose(held_out, again)
        if source is None:
            source = miner.whole(None if scores is None else scores.weights)
        source = miner.with_choice(source, chosen, truth)
        if options.fit_temperature and scores is not None:
            distribution = source.distribution
            sample = distribution.thinned(scores.weights, truth)
            self.temperature_ = best_temperature(lambda value: distribution.loss(*sample, value))
        scorer = ColumnScorer.fit(self._unfitted(codes), method, target, X, codes, metadata)
        return self._adopt(source, scorer, TargetForm.of(y, target.column_names))

    @available_if(_has_partial_fit)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit one more chunk of samples with 0/1 labels; rules are mined from the labels of all chunks.

        With decode="auto", every chunk is first predicted in all ways, and then learnt: these scores choose.
        `classes` need not be given.
        """
        method, options = self._checked()
        if options.cross_fit or self.noise != 0:
            raise DataError("chunks cannot be cross-fitted: use fit for slack, calibration, temperature='fit' or noise")
        metadata = FitMetadata.of(self, "partial_fit", X, sample_weight, fit_params)
        X, y, metadata = _without_zero_weights(X, y, metadata)
        target, codes, _ = TargetColumns.of(y)
        if not target.binary:
            raise DataError("partial_fit takes 0/1 labels only: use fit for columns of classes")
        check_consistent_length(X, codes)
        if not hasattr(self, "_chunks"):
            miner = ConstraintMiner(**self._parameters("rules", "prior", "lifts", "confidence"))
            held_out = HeldOutScores(self.scoring, candidates(self.scoring, self.confidence), codes.shape[1])
            self._chunks = (miner, held_out)
            self._sigmoids, self.temperature_ = None, given_temperature(self.temperature)
            scorer, form = ColumnScorer.blank(self.estimator, method, target), TargetForm.of(y, target.column_names)
        else:
            (miner, held_out), scorer, form = self._chunks, self._scorer, self._form
            if target.column_names != form.names:
                names = ", ".join(form.names)
                raise DataError(f"labels have other columns than earlier chunks: give {names} every time")
            weight, settings = metadata.sample_weight, self._solver_settings()
            held_out.add(self._scores(X), codes, {RuleChoice(): self._source}, weight, settings, scorer.n)
        miner.partial_fit(None, y if target.names is not None else codes)
        self._note = "one chunk so far" if self.decode == "auto" else f"decode={self.decode!r}"
        self._choose(held_out if held_out.n and self.decode == "auto" else None)
        return self._adopt(LabelSource(miner.model_, target), scorer.with_chunk(X, codes, metadata), form)

    def get_metadata_routing(self) -> MetadataRouter:
        """How scikit-learn routes metadata: `fit` and `partial_fit` pass it to the estimator, `fit` to `cv` as well."""
        router = MetadataRouter(owner=self).add_self_request(self)
        mapping = MethodMapping().add(caller="fit", callee="fit").add(caller="partial_fit", callee="partial_fit")
        router.add(estimator=self.estimator, method_mapping=mapping)
        if hasattr(self.cv, "split"):
            router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = True
        tags.classifier_tags.multi_label = True
        if hasattr(self.estimator, "__sklearn_tags__"):
            inner = get_tags(self.estimator)
            tags.input_tags.sparse, tags.input_tags.allow_nan = inner.input_tags.sparse, inner.input_tags.allow_nan
            if inner.classifier_tags is not None:
                tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
                tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags

    def _checked(self) -> tuple[ScoringMethod, ClassifierOptions]:
        """Check the parameters that can be checked before the data."""
        method = scoring_method(self.estimator, self.response_method)
        options = ClassifierOptions.of(self.slack, self.calibration, self.temperature)
        least_margin(self.abstain)
        checked_choice(self.decode, Decode, "decode")
        checked_choice(self.scoring, Scoring, "scoring")
        checked_choice(self.probabilities, Probabilities, "probabilities")
        return method, options

    def _fit_one_column(self, X: Any, y: Any, metadata: FitMetadata) -> Self:
        """Fit the estimator on classes of one column, as they are."""
        self.estimator_ = self._unfitted(np.zeros((0, 0), np.int64)).fit(X, y, **metadata.estimator)
        self.classes_, self._target = self.estimator_.classes_, None
        for name in {"model_", "rules_", "varying_", "marginals_", "temperature_"} & set(vars(self)):
            delattr(self, name)
        self.report_ = DecodeReport("threshold", "estimator", self.scoring, note="y has one column: nothing to link")
        weight = metadata.sample_weight
        self._n_fitted = _num_samples(X) if weight is None else float(weight.sum())
        return self._adopt_features()

    def _chooses(self, options: ClassifierOptions, target: TargetColumns, n: int, source: LabelSource | None) -> bool:
        """Tell whether ways to decode have to be compared; else say why not, in `_note`."""
        self._note = ""
        if self.decode != "auto":
            self._note = f"decode={self.decode!r}"
        elif source is None:
            self._note = "cuts decide with the rules"
        elif n < FEWEST_TO_CHOOSE:
            self._note = "too few samples to compare ways to decode"
        elif not target.binary and self.prior is not None:
            self._note = "rules over columns of classes were given"
        elif self.scoring == "exact-match" and source.rules_allow_only_seen:
            self._note = "the rules allow exactly the seen labels"
        return not self._note

    def _compared(
        self, crossed: CrossFit, scores: ColumnScores, miner: LabelMiner, metadata: FitMetadata
    ) -> HeldOutScores:
        """Score every way to decode on every fold, with rules mined from the other folds."""
        pairs = "pairs" in (("pairs",) if self.rules == "auto" else self.rules)
        lower, averages = LOWER_CONFIDENCE if pairs else None, len(miner.encoded) <= MOST_TO_AVERAGE
        decoders = candidates(self.scoring, self.confidence, lower=lower, averages=averages)
        held_out = HeldOutScores(self.scoring, decoders, miner.encoded.shape[1])
        choices = list(dict.fromkeys(decoder.rules for decoder in decoders))
        for train, test in crossed.folds:
            weight = None if metadata.sample_weight is None else metadata.sample_weight[test]
            sources, truth = miner.part(train, choices), miner.encoded[test]
            held_out.add(scores[test], truth, sources, weight, self._solver_settings(), len(train))
        return held_out

    def _scored_again(
        self,
        held_out: HeldOutScores,
        scores: ColumnScores,
        source_of: Callable[[RuleChoice], LabelSource],
        truth: IntArray,
        metadata: FitMetadata,
        folds: list[tuple[IntArray, IntArray]],
        decoder: LabelDecoder,
    ) -> HeldOutSums:
        """Score one way on the held-out scores of all samples, with the rules that are mined from all of them.

        The seen labels stay those of the other folds: among all of them every sample would find its own.
        """
        settings, weight = self._solver_settings(), metadata.sample_weight
        sums = HeldOutSums()
        for train, test in folds:
            part = replace(source_of(decoder.rules), seen=np.unique(truth[train], axis=0))
            sample_weight = None if weight is None else weight[test]
            sums += held_out.sums_with(part, decoder, scores[test], truth[test], sample_weight, settings)
        return sums

    def _choose(
        self, held_out: HeldOutScores | None, again: Callable[[LabelDecoder], HeldOutSums] | None = None
    ) -> RuleChoice:
        """Set how to decode, by the scores if there are any; return which rules to use. See `HeldOutScores.best`."""
        kind = "rules" if self.decode == "auto" else self.decode
        self._decoder = LabelDecoder(kind)
        self._probability_kind: ProbabilityKind = "matched" if self.probabilities == "auto" else self.probabilities
        if held_out is None:
            self.report_ = DecodeReport(kind, self._probability_kind, self.scoring, note=self._note)
            return RuleChoice()
        if self.decode == "auto":
            self._decoder = held_out.best(again)
        chosen = held_out.best_rules(self._decoder)
        if self.probabilities == "auto":
            self._probability_kind = held_out.best_probabilities(chosen)
        self.report_ = held_out.report(self._decoder, self._probability_kind)
        return chosen

    def _unfitted(self, codes: IntArray) -> Any:
        """A clone of the estimator; with a warm start, the one fitted before, if it was fitted on such columns."""
        earlier = getattr(self, "estimator_", None)
        if not self.warm_start or earlier is None:
            return clone(self.estimator)
        now = np.array([len(np.unique(column)) > 1 for column in codes.T])
        if not np.array_equal(now, getattr(self, "varying_", now)):
            raise DataError("other columns of y vary than before: set warm_start=False to start afresh")
        given = self.estimator.get_params(deep=True)
        return earlier.set_params(**{name: value for name, value in given.items() if not hasattr(value, "get_params")})

    def _adopt(self, source: LabelSource, scorer: ColumnScorer, form: TargetForm) -> Self:
        """Store what was fitted and mined."""
        self._source, self._scorer, self._form = source, scorer, form
        self._target = target = scorer.target
        self.model_, self.rules_ = source.model, source.model.rules
        self.estimator_, self.varying_ = scorer.estimator, scorer.fitted
        self.marginals_ = source.distribution.support
        self.classes_ = np.arange(len(target.classes)) if target.binary else list(target.classes)
        return self._adopt_features()

    def _adopt_features(self) -> Self:
        for name in ("n_features_in_", "feature_names_in_"):
            if name in vars(self):
                delattr(self, name)
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self


def _without_zero_weights(X: Any, y: Any, metadata: FitMetadata) -> tuple[Any, Any, FitMetadata]:
    """Leave out samples of weight 0."""
    check_consistent_length(X, y)
    if metadata.sample_weight is None or metadata.sample_weight.all():
        return X, y, metadata
    used = np.flatnonzero(metadata.sample_weight)
    return _safe_indexing(X, used), _safe_indexing(y, used), metadata.rows(X, used)
