"""Doubt: how likely a rule that no example breaks is broken by labels yet to come.

Chance alone is too weak a rival where columns are correlated: many combinations are then rare, and some of them are
absent by luck. How many is estimated from near-rules, which one, two or three examples break (Good and Turing): if as
many would-be rules are broken once as are never broken, the next examples will break those too. A second rival is a
softer version of the rule itself, which a share of `SOFT_RATE` of all labels breaks.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import Literal

import numpy as np

from unwritten.data import FloatArray, IntArray

SoftKind = Literal["equality", "copy", "pair", "set"]

SOFT_RATE = 0.01
"""The share of labels that break the softer version of a rule."""
SOFT_ODDS = {"equality": 0.12, "copy": 0.35, "pair": 0.2, "set": 0.5}
"""The odds, before any example is seen, that a rule is only its softer version: there are many sets to choose from, and
columns often copy another one with a few slips."""
SLIP_RATE, SLIP_ODDS = 0.0005, 0.05
"""Rules of tables of records: one in twenty has exceptions in about one row of 2,000, as slips and odd cases are."""
POOLING = 1 / 3
"""The odds fall with this power of the number of rules that have no exception."""
RARE_RATE = 0.002
"""The share of labels that have a rare value: many columns are that rare, so only many examples rule one out."""
WEIGHTS = (1.0, 0.5, 0.25)
"""The weight of a near-rule, by the number of examples that break it: one broken once is most like a lucky rule."""
STEP = 1.25
"""Strengths that differ by less than this factor are about equal."""
REACH = 2.0
"""The odds that a rule stronger than every near-rule is lucky fall with this power of its strength."""


@dataclass(frozen=True, eq=False)
class NearRules:
    """Would-be rules: the `strengths` (evidence in nats) of those that no example breaks, and of those that few break.

    `weights` is the weight of each near-rule.
    """

    rules: FloatArray
    near: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, rules: FloatArray, near: FloatArray, exceptions: FloatArray) -> NearRules:
        """Near-rules by the number of examples that break each: more than 0, and at most `len(WEIGHTS)`."""
        places = np.ceil(exceptions - 1e-9).astype(np.int64).clip(1, len(WEIGHTS))
        return cls(np.asarray(rules, float), np.asarray(near, float), np.array(WEIGHTS)[places - 1])

    def odds(self, strengths: FloatArray) -> FloatArray:
        """The odds that rules of these strengths are lucky: near-rules per rule among those of similar strength.

        The odds are fitted by isotonic regression (pooling of adjacent violators), so that they fall with strength.
        Beyond the strongest near-rule there are none to compare with, and the odds at its strength fall from there.
        """
        if not len(self.near):
            return np.zeros(len(strengths))
        rules, near, asked = (_level(part) for part in (self.rules, self.near, strengths))
        levels = np.unique(np.concatenate([rules, near]))[::-1]  # strongest first
        counts = np.array([(rules == level).sum() for level in levels], float)
        lucky = np.array([self.weights[near == level].sum() for level in levels])
        starts, ratios = _pooled(levels, lucky, counts)
        place = np.searchsorted(-starts, -asked, side="right") - 1
        local = np.where(place >= 0, ratios[np.maximum(place, 0)], 0.0)
        highest = near.max()
        floor = min(1 / max(1, int((rules >= highest).sum())), float(ratios[starts >= highest].max()))
        beyond = np.where(asked >= highest, floor * STEP ** (REACH * (highest - asked)), 0.0)
        return np.maximum(local, beyond)


def _level(strengths: FloatArray) -> IntArray:
    """The strengths on a coarse scale, in steps of a factor: small differences of strength mean nothing."""
    return np.floor(np.log(np.maximum(strengths, 1.0)) / log(STEP) + 1e-9).astype(np.int64)


def _pooled(levels: IntArray, near: FloatArray, plain: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Blocks of decreasing level: the highest level of each, and its near-rules per rule, which never decrease."""
    blocks: list[list[float]] = []
    for level, a, b in zip(levels.tolist(), near.tolist(), plain.tolist(), strict=True):
        blocks.append([level, a, b])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            _, a2, b2 = blocks.pop()
            blocks[-1][1] += a2
            blocks[-1][2] += b2
    return np.array([b[0] for b in blocks]), np.array([b[1] / b[2] if b[2] else np.inf for b in blocks])


def never_odds(trials: float) -> float:
    """The odds that a value which none of these examples has is rare rather than ruled out."""
    return exp(-RARE_RATE * trials)


def soft_odds(kind: SoftKind, trials: float, rules: int) -> float:
    """The odds that each of some rules is only its softer version, after this many examples without an exception.

    If one rule of a kind is soft, others of the kind mostly are too, and some of these would have shown exceptions.
    """
    return float(SOFT_ODDS[kind] * exp(-SOFT_RATE * trials) / max(1, rules) ** POOLING)


def slip_odds(trials: float) -> float:
    """The odds that a rule of a table has exceptions so rare that this many rows hardly show them."""
    return float(SLIP_ODDS * exp(-SLIP_RATE * trials))
