"""Evidence for a bound: labels pile up at it, and none is beyond.

A sum that no rule limits thins out towards its largest values. Let c0, c1 and c2 labels have the largest value and the
two below it. If the counts went on as they come, c0²/c1 labels would be one step beyond (a geometric tail), or
c0³·c2/c1³ (a tail that bends as a normal one does), or c0·ρ if ρ is the ratio for independent columns. Each of these
continuations is a rival. It may be lucky that none is beyond and that c0 is large, so a rival may choose its expected
counts freely: its likelihood is compared with that of a tail that ends (a generalised likelihood ratio, in nats). The
evidence is that against the best rival.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import FloatArray

BEND_NATS, BEND_SHARE = 2.0, 0.25  # evidence needed against a bending tail: in nats, and as a share of all needed
STEPS = 60  # Newton steps; far fewer are needed
GEOMETRIC, BENDING = np.array([2.0, -1.0, 0.0]), np.array([3.0, -3.0, 1.0])
"""Exponents of the three expected counts in the number that is expected one step beyond."""


def tail_nats(counts: FloatArray, least: float) -> FloatArray:
    """For each row of counts (c0, c1, c2), the nats by which an end of the tail beats a tail that goes on.

    Evidence against a geometric tail must be at least `least`; against a bending one, a share of that is enough, since
    three counts say little about a bend. Rows with less get 0. If c2 is 0, the sum has two values, and no bend.

    >>> tail_nats(np.array([[100.0, 120, 130], [3, 12, 30]]), 5.0).round(1)
    array([37.9,  0. ])
    """
    counts = np.asarray(counts, float)
    nats = _nats(counts, GEOMETRIC, least)
    nats[nats < least] = 0.0
    bends = (nats > 0) & (counts[:, 2] > 0)
    enough = max(BEND_NATS, BEND_SHARE * least)
    nats[bends] = np.where(_nats(counts[bends], BENDING, enough) >= enough, nats[bends], 0.0)
    return nats


def ratio_nats(at_bound: FloatArray, ratio: FloatArray) -> FloatArray:
    """The same against a tail whose next count is a known multiple of the last one: c0·ln(1 + ratio)."""
    return np.asarray(at_bound * np.log1p(ratio))


def _nats(counts: FloatArray, powers: FloatArray, least: float) -> FloatArray:
    """Minimise Σ (λ_k − c_k·ln λ_k) + Π λ_k^powers_k over λ > 0, less its value at λ = c without the last term.

    In the logarithms of λ the function is convex, so damped Newton steps find the least value.
    """
    nats = np.zeros(len(counts))
    start = np.maximum(counts, 0.5)
    possible = np.flatnonzero(np.exp(np.log(start) @ powers) >= least)
    if not len(possible):
        return nats
    c, u = counts[possible], np.log(start[possible])
    for _ in range(STEPS):
        expected, beyond = np.exp(u), np.exp(np.minimum(u @ powers, 50.0))
        slope = expected - c + beyond[:, None] * powers
        own, along = slope / expected, powers / expected  # the curvature is diagonal plus beyond·powers·powersᵀ
        share = beyond * (own * powers).sum(axis=1) / (1 + beyond * (along * powers).sum(axis=1))
        step = own - share[:, None] * along
        longest = np.abs(step).max(axis=1, keepdims=True)
        u -= step / np.maximum(1.0, longest)
        if longest.max() < 1e-9:
            break
    saturated = c - c * np.log(np.maximum(c, 1e-300))
    value = (np.exp(u) - c * u - np.where(c > 0, saturated, 0.0)).sum(axis=1) + np.exp(np.minimum(u @ powers, 50.0))
    nats[possible] = np.maximum(0.0, np.round(value, 9))
    return nats
