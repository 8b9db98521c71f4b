"""Which rows of a record of decisions are probably wrong.

There are three signs, and each needs counts only:

- If labels repeat, a label is trusted if it is seen more often than slips from frequent labels explain. Another label
  is suspect if it breaks a rule of the trusted ones.
- If labels hardly repeat, a combination of two values is suspect if wrong rows explain how often it is seen and
  independent columns do not.
- A row is suspect if it breaks an exactly-one group that nearly all other rows obey.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray, among, distinct
from unwritten.evidence import chance
from unwritten.evidence.holdout import off_hull
from unwritten.mining.groups.group_miner import find_groups
from unwritten.tally import Tally, gram_of

LARGEST_SHARE = 0.25  # share of suspect rows above which rare rows are taken for variety, not for errors
ROOM = 1.25  # assumed rate over the share of suspects: a rate that is too low does more harm than one that is too high
STARTS = (0.01, 0.03)  # rates to try if a single wrong row explains nothing: many rows may break the same rule
SLIPS = 2.0  # columns assumed to be wrong in one wrong row

LABEL, PAIR, GROUP = "rare label", "rare combination", "broken group"


@dataclass(frozen=True, eq=False)
class ProbablyWrong:
    """Which rows are probably wrong, the share of wrong rows (given or estimated), and one reason per wrong row."""

    rows: BoolArray
    rate: float
    reasons: tuple[str, ...]


def probably_wrong(labels: IntArray, rate: float | None = None) -> ProbablyWrong:
    """The rows that are probably wrong, if a share `rate` of all rows is wrong; None estimates that share.

    Only 0/1 columns are examined.

    >>> labels = np.repeat(np.eye(4, dtype=np.int64), 25, axis=0)
    >>> labels[7, 2] = 1
    >>> np.flatnonzero(probably_wrong(labels).rows)
    array([7])
    """
    binary = ((labels == 0) | (labels == 1)).all(axis=0) & (labels != labels[:1]).any(axis=0)
    bits = labels[:, binary]
    n, d = bits.shape
    none = np.zeros(n, bool)
    if n < 3 or d < 2 or rate == 0:
        return ProbablyWrong(none, rate or 0.0, ())
    by_label = _rows_at(lambda share: _rare_labels(bits, share), rate, n)
    if by_label is not None:
        by_pair, by_group = none, none
    else:
        by_label = none
        pair = _rows_at(lambda share: _rare_pairs(bits, share), rate, n)
        by_pair = none if pair is None else pair
        limit = _limit(rate if rate is not None else max(float(by_pair.mean()), 1 / n), n)
        by_group = _broken_groups(bits, by_pair, limit)
    rows = by_label | by_pair | by_group
    named = np.where(by_label, LABEL, np.where(by_pair, PAIR, GROUP))
    return ProbablyWrong(rows, float(rows.mean()) if rate is None else rate, tuple(named[rows].tolist()))


def _rows_at(search: Callable[[float], BoolArray | None], rate: float | None, n: int) -> BoolArray | None:
    """The rows that a search finds at the given rate, or at the lowest rate that explains all of them."""
    if rate is not None:
        return search(rate)
    rows = None
    for start in (1 / n, *STARTS):
        rows = _rows_explained_from(search, start)
        if rows is None or rows.any():
            break
    return rows


def _rows_explained_from(search: Callable[[float], BoolArray | None], share: float) -> BoolArray | None:
    """Raise the rate from `share` until it explains the rows that the search finds; None if they are too many."""
    for _ in range(budgets.NOISE_ROUNDS):
        rows = search(share)
        if rows is None or rows.mean() > LARGEST_SHARE:
            return None
        if ROOM * rows.mean() <= share:
            return rows
        share = ROOM * float(rows.mean())
    return rows


def _limit(rate: float, n: int) -> float:
    """The largest plausible number of wrong rows among n."""
    return n * rate + 3 * float(np.sqrt(n * rate * (1 - rate))) + 1


def _rare_labels(bits: IntArray, rate: float) -> BoolArray | None:
    """Rows that break the rules of the trusted labels; None if most rows have labels that hardly repeat."""
    seen, counts = distinct(bits, np.ones(len(bits), np.int64))
    trusted = _trusted(seen, counts, rate)
    if 2 * int(counts[trusted].sum()) <= len(bits):
        return None
    wrong = off_hull(seen[trusted], seen) | _breaks_pairs(seen, counts, trusted)
    return among(bits, seen[wrong & ~trusted])


def _trusted(seen: IntArray, counts: IntArray, rate: float) -> BoolArray:
    """The labels seen more often than slips from more frequent labels, or mixtures of two of them, explain.

    A slip changes h columns, and all choices of h columns are equally likely. For each h, all wrong rows are counted.
    """
    from scipy.special import gammaln, pdtrc

    d = seen.shape[1]
    often = np.flatnonzero(counts > 1)
    trusted = np.zeros(len(seen), bool)
    sources = often[np.argsort(-counts[often], kind="stable")][: budgets.NOISE_SOURCES]
    if not len(sources):
        return trusted
    apart = _distances(seen[often], seen[sources])
    between = _distances(seen[sources], seen[sources])
    ways = gammaln(d + 1) - gammaln(np.arange(d + 1) + 1) - gammaln(d - np.arange(d + 1) + 1)
    share = counts[sources] / counts.sum()
    mixed = np.outer(share, share) * 0.5**between
    spill = np.zeros(len(often))
    for k, (label, distance) in enumerate(zip(often, apart, strict=True)):
        source = (counts[sources] > counts[label]) & (distance > 0)
        steps = distance[source]
        spill[k] = (counts[sources][source] * np.exp(-ways[steps])).sum()
        path = steps[:, None] + steps[None, :] == between[np.ix_(source, source)]
        spill[k] += counts.sum() * mixed[np.ix_(source, source)][path].sum()
    wrong, spill = rate * counts.sum(), rate * spill
    # the number of labels that the wrong rows are spread over, if each is as likely as this one
    places = np.maximum(1, wrong / np.maximum(spill, 1e-300))
    trusted[often] = pdtrc(counts[often] - 1, spill) * places <= exp(-chance.MARGIN)
    return trusted


def _distances(one: IntArray, other: IntArray) -> IntArray:
    """In how many columns each label of `one` differs from each label of `other`."""
    both = one.astype(np.float32) @ other.astype(np.float32).T
    return np.asarray((one.sum(axis=1)[:, None] + other.sum(axis=1) - 2 * both).astype(np.int64))


def _breaks_pairs(seen: IntArray, counts: IntArray, trusted: BoolArray) -> BoolArray:
    """Which labels combine two values that no trusted row combines, and that occur together far less than expected.

    Without the second condition, a label that is rare only because its values are rare would be suspect.
    """
    from scipy.special import pdtr

    broken = np.zeros(len(seen), bool)
    bits, safe = np.repeat(seen, counts, axis=0), np.repeat(trusted, counts)
    for among_all, among_trusted in zip(_combinations(bits), _combinations(bits[safe]), strict=True):
        first, second, together, expected, least = among_all
        never = (among_trusted[2] == 0) & (2 * together < expected)
        never[never] = pdtr(together[never], expected[never]) <= least
        broken |= _shows(seen == first, never, seen == second)
    return broken


def _rare_pairs(bits: IntArray, rate: float) -> BoolArray:
    """Rows with two values that occur together too seldom for independent columns; wrong rows explain how often."""
    from scipy.special import pdtr, pdtrc

    n, d = bits.shape
    rows = np.zeros(n, bool)
    share = bits.mean(axis=0)
    for _ in range(budgets.NOISE_ROUNDS):
        trusted = bits[~rows]
        if len(trusted) < 2:
            break
        suspects = np.zeros(n, bool)
        for first, second, together, expected, least in _combinations(trusted):
            one, other = (share if first else 1 - share), (share if second else 1 - share)
            by_noise = rate * n * (np.outer(one, other) + SLIPS / d * (one[:, None] + other))
            i, j = np.nonzero((together > 0) & (2 * together < expected))
            met = together[i, j]
            odd = (pdtr(met, expected[i, j]) <= least) & (pdtrc(met - 1, by_noise[i, j]) > least)
            odd_pairs = np.zeros((d, d), bool)
            odd_pairs[i[odd], j[odd]] = True
            suspects |= _shows(bits == first, odd_pairs, bits == second)
        if not (suspects & ~rows).any():
            break
        rows |= suspects
    return rows


def _combinations(bits: IntArray) -> list[tuple[int, int, IntArray, FloatArray, float]]:
    """For each choice of two values: how often they occur together, the number expected, and the threshold."""
    n, d = bits.shape
    gram = gram_of(bits)
    one, both = gram[-1, :-1], gram[:-1, :-1]
    share = one / n
    least = exp(-log(2 * d * (d - 1)) - chance.MARGIN)
    upper = np.triu(np.ones((d, d), bool), 1)
    return [
        (1, 1, both, n * np.outer(share, share) * upper, least),
        (1, 0, one[:, None] - both, n * np.outer(share, 1 - share) * (upper | upper.T), least),
        (0, 0, n - one[:, None] - one + both, n * np.outer(1 - share, 1 - share) * upper, least),
    ]


def _shows(first: BoolArray, pairs: BoolArray, second: BoolArray) -> BoolArray:
    """Which rows have the first value in column i and the second in column j, for one of the pairs (i, j)."""
    used = pairs.any(axis=1)
    reached = first[:, used].astype(np.float32) @ pairs[used].astype(np.float32)
    return np.asarray(((reached > 0) & second).any(axis=1))


def _broken_groups(bits: IntArray, rows: BoolArray, limit: float) -> BoolArray:
    """Rows that break an exactly-one group which all but `limit` rows obey.

    Groups are searched for in samples of the other rows. A wrong row in a sample hides the groups that it breaks, but
    another sample shows them.
    """
    rng, broken = np.random.default_rng(0), np.zeros(len(bits), bool)
    excluded, floats = np.zeros(bits.shape[1], bool), bits.astype(np.float32)  # exact: the sums are small
    other_rows = np.flatnonzero(~rows)
    for _ in range(budgets.NOISE_SAMPLES if len(other_rows) >= 2 else 0):
        sample = _varied(bits, rng.permutation(other_rows))
        groups = find_groups(Tally.of(bits[sample]), excluded, work=budgets.NOISE_GROUP_NODES * bits.shape[1])
        odd = floats @ groups.rows[:, :-1].T.astype(np.float32) != 1
        broken |= odd[:, odd.sum(axis=0) <= limit].any(axis=1)
    return broken


def _varied(bits: IntArray, order: IntArray) -> IntArray:
    """The first rows of an order, and for each column that is constant in them two rows with its other value."""
    first, rest = order[: budgets.NOISE_SAMPLE_ROWS], order[budgets.NOISE_SAMPLE_ROWS :]
    lacking = np.flatnonzero((bits[first] == bits[first[0]]).all(axis=0))
    added = [rest[bits[rest, j] != bits[first[0], j]][:2] for j in lacking]
    return np.unique(np.concatenate([first, *added]))
