"""Believed bounds: which claims are sure, and which ones labels yet to come may well break."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, log

import numpy as np

from unwritten.data import FloatArray
from unwritten.evidence.doubt import SOFT_RATE, NearRules, SoftKind, soft_odds
from unwritten.mining.bounds.bound_claims import Bound, Claim, Level
from unwritten.mining.bounds.pair_forms import Form, PairForms, claim_form, rare_order_odds
from unwritten.mining.miner import Context
from unwritten.mining.pairs.near_pairs import near_pairs
from unwritten.rules import Evidence

SOFT_KIND: dict[str, SoftKind] = {"slice": "set", "part": "set", "difference": "pair", "link": "pair"}
Kind = tuple[Level, Form | None]
LONELY_ODDS = 1.0  # odds that a bound is lucky if most rows of the same form have none


@dataclass(frozen=True, eq=False)
class Believed:
    """Bounds with their evidence, the strongest first: those that are sure, and those that are not sure enough."""

    sure: list[tuple[Bound, Evidence]]
    unsure: list[tuple[Bound, Evidence]]


def believed(claims: Sequence[Claim], context: Context) -> Believed:
    """Judge claims without exceptions by those with a few (Good and Turing), and by their softer versions."""
    rules = sorted((claim for claim in claims if not claim.exceptions), key=lambda claim: -claim.strength)
    n = context.tally.weight * context.tally.n
    soft = np.array([soft_odds(SOFT_KIND[claim.level], n, _alike(claim)) for claim in rules])
    near, forms = [claim for claim in claims if claim.exceptions], PairForms(context.examples.variables.layout)
    kinds, near_kinds = ([(claim.level, claim_form(claim, forms)) for claim in part] for part in (rules, near))
    lucky = _lucky_odds(rules, kinds, near, near_kinds) + rare_order_odds(rules, [form for _, form in kinds], context)
    lucky = np.maximum(lucky, _lucky_as_pairs(rules, context))
    result = Believed([], [])
    for claim, own_soft, own_lucky in zip(rules, soft.tolist(), lucky.tolist(), strict=True):
        odds = own_soft + own_lucky + LONELY_ODDS * claim.lonely
        evidence = _evidence(claim, context, odds / (1 + odds) if np.isfinite(odds) else 1.0)
        is_sure = evidence.confidence >= context.options.confidence
        if not is_sure:
            scale = 1 / SOFT_RATE if own_soft >= own_lucky else max(n, 1 / SOFT_RATE)
            evidence = _with_needed(evidence, context.options.confidence, scale)
        (result.sure if is_sure else result.unsure).extend((bound, evidence) for bound in claim.bounds)
    return result


def _alike(claim: Claim) -> int:
    """In how many places a softer version of the claim would have shown exceptions; differences share columns."""
    return 1 if claim.level == "difference" else claim.alike


def _lucky_odds(
    rules: Sequence[Claim], kinds: Sequence[Kind], near: Sequence[Claim], near_kinds: Sequence[Kind]
) -> FloatArray:
    """The odds that each rule is lucky, judged by the near-rules of its level and form."""
    odds = np.zeros(len(rules))
    for kind in set(kinds):
        ours = np.array([own == kind for own in kinds])
        theirs = [claim for claim, own in zip(near, near_kinds, strict=True) if own == kind]
        strengths = np.array([claim.strength for claim in rules])[ours]
        exceptions = np.array([claim.exceptions for claim in theirs])
        judged = NearRules.of(strengths, np.array([claim.strength for claim in theirs]), exceptions)
        odds[ours] = judged.odds(strengths)
    return odds


def _lucky_as_pairs(rules: Sequence[Claim], context: Context) -> FloatArray:
    """The odds that pairs of 0/1 columns are lucky which stand out as much as each sum of such columns.

    There are few sums to compare with. If columns are correlated, many pairs are rare, and so are many sums.
    """
    sums = np.array([claim.level in ("slice", "part") for claim in rules], bool)
    odds = np.zeros(len(rules))
    if sums.any():
        equalities = context.mined.rules[context.mined.rules.equality]
        near = near_pairs(context.tally, context.known + equalities + context.redundant, context.margin)
        odds[sums] = near.odds(np.array([claim.nats for claim in rules])[sums])
    return odds


def _evidence(claim: Claim, context: Context, doubt: float) -> Evidence:
    """The evidence of a claim; `chance` is the share of labels that would obey it under the best rival explanation."""
    n, weight = context.tally.n, context.tally.weight
    chance, price, doubted = (float(f"{x:.12g}") for x in (exp(-claim.nats / (weight * n)), claim.price, doubt))
    return Evidence(n, 0, chance, price, doubt=doubted, weight=weight)


def _with_needed(evidence: Evidence, goal: float, scale: float) -> Evidence:
    """The evidence, with the number of examples that would settle it; the odds fall by e with each `scale` of them."""
    doubt = min(evidence.doubt, 1 - 1 / (2 + evidence.examples))
    missing = scale * (log(doubt / (1 - doubt)) + log(goal / max(1 - goal, 1e-9)))
    return replace(evidence, needed=max(1, ceil(missing / evidence.weight)))
