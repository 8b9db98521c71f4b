"""Implications between 0/1 columns by Fisher's exact test, for labels of few rows and many columns.

If column a is 1 in n_a of n examples, and column b in n_b, then b contains a by luck with probability
C(n_b, n_a) / C(n, n_a): the exact test given both counts. For a rare b this is far less than what a test of independent
columns gives, which only asks how often a without b was to be expected. Columns that are 1 together for another reason
are the rival: if a lies in p, and p mostly in b, then a may lie in b by luck. So the columns that contain a are tested
from the most frequent to the rarest, each among the examples of the one that was believed before it. All tests
together are wrong with probability at most e^−margin.
"""

from __future__ import annotations

from math import log

import numpy as np

from unwritten.evidence.chance import log_choose
from unwritten.mining.pairs.rare_pairs import varying_columns
from unwritten.tally.tally import Tally


def implications(tally: Tally, margin: float) -> list[tuple[int, int]]:
    """Pairs (a, b) such that every example with a has b, by more than luck; those with most evidence come first."""
    columns = varying_columns(tally)
    if len(columns) < 2:
        return []
    together = tally.gram[np.ix_(columns, columns)].astype(np.int64)
    counts = np.diag(together)
    least = log(len(columns) * (len(columns) - 1)) + margin
    believed: list[tuple[float, int, int]] = []
    contains = (together == counts[:, None]) & (counts[None, :] > counts[:, None])
    for a in np.flatnonzero(contains.any(axis=1)).tolist():
        context, among = tally.n, counts
        wider = np.flatnonzero(contains[a])
        for b in wider[np.argsort(-counts[wider], kind="stable")].tolist():
            nats = tally.weight * surprise(int(counts[a]), int(among[b]), context)
            if nats >= least:
                believed.append((nats, int(columns[a]), int(columns[b])))
                context, among = int(counts[b]), together[b]
    return [(a, b) for _, a, b in sorted(believed, key=lambda each: (-each[0], *each[1:]))]


def surprise(inner: int, outer: int, examples: int) -> float:
    """−ln of the probability that `inner` examples all lie among `outer` of all examples, if they are drawn at random.

    >>> round(surprise(2, 3, 10), 4)  # 3/10 · 2/9
    2.7081
    """
    return log_choose(examples, inner) - log_choose(outer, inner)
