"""Mine rules although some examples are wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unwritten.building.exact_model import build_exact
from unwritten.building.some_examples import of_some, slack_of
from unwritten.building.wrong_claims import MOST_WRONG
from unwritten.data import BoolArray, IntArray
from unwritten.errors import DataError
from unwritten.evidence import EvidenceScorer, chance
from unwritten.evidence.doubt import SOFT_RATE
from unwritten.mining import lifted_labels, outer_cuts
from unwritten.mining.noise.noisy_sums import breaks_a_sum, numbers_of, unsearched_sums
from unwritten.mining.noise.suspects import probably_wrong
from unwritten.model import Model
from unwritten.options import MiningOptions
from unwritten.rules import MINED, Gaps, RuleSet
from unwritten.sources import Gathered
from unwritten.tally import Tally

SURE = 0.95  # confidence that exceptions are rarer than `SOFT_RATE`
SEVERAL = 8  # rules with exceptions
REPEATED = 0.05
"""Right examples repeat if the next one is new with at most this probability; wrong ones are new more often."""


def build_despite_noise(gathered: Gathered, options: MiningOptions) -> Model:
    """Set suspect examples aside, mine the others exactly, and keep the rules that enough of all examples obey.

    At most the share of wrong examples may break a rule. The examples that do become the model's `suspects`.
    """
    if len(options.symmetries):
        raise DataError("noise and symmetries cannot be combined: use one of them")
    examples, rate = gathered.examples, options.noise_rate
    wrong = probably_wrong(examples.labels, rate)
    aside = wrong.rows | breaks_a_sum(examples.labels, rate)
    numbers = None if gathered.schema is None else numbers_of(examples.labels, gathered.schema)
    if numbers is not None:  # integers of few values have a variable per value
        aside |= breaks_a_sum(numbers, rate)
    model = build_exact(*of_some(gathered, options, ~aside))
    broken = model.rules.violations(lifted_labels(model.lifts, examples.labels))
    share = max(wrong.rate, float(aside.mean())) if rate is None else rate
    tally = Tally.of(examples.labels)
    scored = EvidenceScorer(tally, lifted_labels(model.lifts, tally.seen)).scored(model.rules, broken.sum(axis=0))
    accepted = (broken.mean(axis=0) <= share) & _well_supported(scored, options)
    given = np.array([origin != MINED for origin in model.rules.origins], bool)
    accepted |= given
    if rate is None:
        confirmed = _confirmed(examples.labels, broken, accepted)
        if broken[:, confirmed].any(axis=1).mean() > MOST_WRONG:
            confirmed = confirmed & ~broken.any(axis=0)
        confirmed = confirmed | given
        if not broken[:, confirmed].any():  # no example is clearly wrong
            clean = build_exact(gathered, options if len(model.suspects) else replace(options, noise=0))
            return replace(clean, notes=(*clean.notes, *_unconfirmed_note(accepted & ~confirmed)))
        model = replace(model, notes=(*model.notes, *_unconfirmed_note(accepted & ~confirmed)))
        accepted = confirmed
    suspect: BoolArray = np.asarray(broken[:, accepted].any(axis=1))
    suspect[np.flatnonzero(~aside)[model.suspects]] = True  # their claims contradict those of others
    if model.matroid is not None:
        unfit = ~model.matroid.is_basis(examples.labels)
        if unfit.mean() > share:  # it is no rule, nor are the covers that were stated because of it
            return build_despite_noise(gathered, replace(options, without=(*options.without, "matroid")))
        suspect |= unfit
    gaps, broken_gaps = _kept_gaps(model.gaps, examples.labels, share, options, exact=rate is None)
    suspect |= broken_gaps
    right = examples[~suspect]
    tally = Tally.of(right.labels)
    noisy = np.asarray(broken[:, accepted].any(axis=0))
    evidence = zip(noisy, scored[accepted].evidence, model.rules[accepted].evidence, strict=True)
    return replace(
        model,
        rules=replace(scored[accepted], evidence=tuple(new if is_noisy else old for is_noisy, new, old in evidence)),
        redundant=model.redundant if accepted.all() else model.redundant[:0],
        cuts=outer_cuts(right, tally.seen, slack_of(options.slack, ~suspect)),
        seen=tally.seen,
        counts=tally.counts,
        notes=model.notes if (note := unsearched_sums(examples.labels)) is None else (*model.notes, note),
        suspects=_surest_first(suspect, broken[:, accepted], scored[accepted]),
        gaps=gaps,
    )


def _surest_first(suspect: BoolArray, broken: BoolArray, rules: RuleSet) -> IntArray:
    """The places of the suspects, in order of the evidence against them.

    The evidence of a rule is shared by the examples that break it: one exception to a rule that thousands of examples
    show is surely wrong, one of many exceptions is not. Each example counts with the strongest rule that it breaks.
    Suspects that break no rule have another reason, and come first.
    """
    places = np.flatnonzero(suspect)
    nats = np.array([np.inf if evidence is None else evidence.nats for evidence in rules.evidence])
    share = nats / np.maximum(1, broken.sum(axis=0))
    against = np.where(broken[places], share, -np.inf).max(axis=1, initial=-np.inf)
    against[~broken[places].any(axis=1)] = np.inf
    return np.asarray(places[np.lexsort((places, -np.round(against, 9)))], np.int64)


def _kept_gaps(
    gaps: Gaps, labels: IntArray, share: float, options: MiningOptions, *, exact: bool
) -> tuple[Gaps, BoolArray]:
    """The gaps that at most a share of the examples break, with their exceptions; and which examples break them.

    `exact` keeps only mined gaps that no example breaks.
    """
    broken = gaps.broken(labels.astype(np.int64))
    unbroken, entries = [], []
    for k, gap in enumerate(gaps):
        times = int(broken[:, k].sum())
        evidence = gap.evidence
        if times and evidence is not None:
            evidence = replace(evidence, examples=len(labels), violations=times)
        weak = evidence is not None and options.automatic and evidence.nats < options.margin
        if gap.origin == MINED and times and (exact or times > share * len(labels) or weak):
            continue
        unbroken.append(k)
        entries.append(replace(gap, evidence=evidence))
    return replace(gaps, entries=tuple(entries)), np.asarray(broken[:, unbroken].any(axis=1))


def _confirmed(labels: IntArray, broken: BoolArray, accepted: BoolArray) -> BoolArray:
    """The accepted rules whose exceptions look wrong rather than rare.

    There are three signs: they are surely rarer than the softer version of a rule would have them; most of them break
    two other rules as well; or several rules have exceptions, and the examples that break no rule repeat a few labels
    while the others are new. Without these, a rule may simply have exceptions.
    """
    from scipy.special import betaincinv

    right = ~broken[:, accepted].any(axis=1)
    several_rules = int((broken.any(axis=0) & accepted).sum()) >= SEVERAL
    if several_rules and _unseen(labels[right]) <= REPEATED < _unseen(labels[~right]):
        return accepted
    exceptions = broken.sum(axis=0)
    rare = betaincinv(exceptions + 1, np.maximum(1, len(labels) - exceptions), SURE) <= SOFT_RATE
    confirmed = accepted.copy()
    while True:
        several = broken[:, confirmed].sum(axis=1) > 2
        unsure = confirmed & ~rare & (2 * (broken & several[:, None]).sum(axis=0) < exceptions)
        if not unsure.any():
            return confirmed
        confirmed &= ~unsure


def _unseen(labels: IntArray) -> float:
    """The probability that the next such label is new."""
    return chance.unseen(np.unique(labels, axis=0, return_counts=True)[1]) if len(labels) else 1.0


def _unconfirmed_note(left_out: BoolArray) -> tuple[str, ...]:
    """Say how many rules were left out because nothing tells wrong examples from rare ones."""
    count = int(left_out.sum())
    if not count:
        return ()
    rules, have = ("1 rule", "has") if count == 1 else (f"{count} rules", "have")
    return (
        f"{rules} that few examples break {have} not been mined, because these examples may be rare rather than wrong: "
        "give the share of wrong examples, such as noise=0.02 (--noise 0.02), to mine such rules",
    )


def _well_supported(rules: RuleSet, options: MiningOptions) -> BoolArray:
    """Which rules no example breaks, or have enough evidence although some examples break them.

    Without this test, a rule that forbids a rare value would turn the examples with that value into suspects.
    """
    if not options.automatic:
        return np.ones(len(rules), bool)
    return np.array([e is None or not e.violations or e.nats >= options.margin for e in rules.evidence], bool)
