"""Mining where some examples are wrong."""

from __future__ import annotations

from dataclasses import replace
from math import log
from numbers import Real
from typing import Any

import numpy as np

from unwritten.data import BoolArray, Examples
from unwritten.errors import DataError
from unwritten.evidence.scorer import Scale
from unwritten.mining import lifted_labels, outer_cuts
from unwritten.mining.noise import suspects
from unwritten.mining.noisy_sums import broken_sums
from unwritten.model import Model
from unwritten.rules import MINED, RuleSet
from unwritten.sources.assemble import mine_tally
from unwritten.tally import Symmetry, Tally


def mine_noisy(examples: Examples, rate: float | None, options: dict[str, Any]) -> Model:
    """Set suspect rows aside, mine the others exactly, and keep the rules that all but the wrong share obey."""
    if len(Symmetry.of(options["symmetries"], examples.variables)):
        raise DataError("noise and symmetries do not go together yet: declare one of them")
    found = suspects(examples.labels, rate)
    aside = found.rows | broken_sums(examples.labels, rate)
    clean, slack = examples[~aside], options["slack"]
    model = mine_tally(clean, Tally.of(clean.labels), **options | {"slack": _some(slack, ~aside)})
    broken = model.rules.violations(lifted_labels(model.lifts, examples.labels))
    share = max(found.rate, float(aside.mean())) if rate is None else rate
    whole = Tally.of(examples.labels)
    weighed = Scale(whole, lifted_labels(model.lifts, whole.seen)).weighed(model.rules, broken.sum(axis=0))
    kept = (broken.mean(axis=0) <= share) & _strong(weighed, options)
    kept |= np.array([origin != MINED for origin in model.rules.origins], bool)
    wrong: BoolArray = np.asarray(broken[:, kept].any(axis=1))
    if model.matroid is not None:
        wrong |= ~model.matroid.is_basis(examples.labels)
    right = examples[~wrong]
    tally = Tally.of(right.labels)
    breaks_any = np.asarray(broken[:, kept].any(axis=0))
    evidence = zip(breaks_any, weighed[kept].evidence, model.rules[kept].evidence, strict=True)
    return replace(
        model,
        rules=replace(weighed[kept], evidence=tuple(new if breaks else old for breaks, new, old in evidence)),
        redundant=model.redundant if kept.all() else model.redundant[:0],
        cuts=outer_cuts(right, tally.seen, _some(slack, ~wrong)),
        seen=tally.seen,
        counts=tally.counts,
        suspects=np.flatnonzero(wrong),
    )


def _strong(rules: RuleSet, options: dict[str, Any]) -> BoolArray:
    """Which rules no example breaks, or stand out all the same: a rare value is no wrong one."""
    if options["rules"] != "auto":
        return np.ones(len(rules), bool)
    margin = -log(1 - options["confidence"])
    return np.array([e is None or not e.violations or e.nats >= margin for e in rules.evidence], bool)


def _some(slack: object, rows: BoolArray) -> object:
    """The slack of some examples: a word, one number for all, or theirs."""
    return slack if isinstance(slack, str | Real) else np.asarray(slack)[rows]


def noise_rate(noise: object) -> float | None:
    """The share of wrong examples; None to estimate it."""
    if isinstance(noise, str) and noise == "auto":
        return None
    if isinstance(noise, bool) or not isinstance(noise, Real) or not 0 <= float(noise) < 0.5:
        raise DataError(f"noise is {noise!r}: use a share from 0 to below 0.5, or 'auto'")
    return float(noise)
