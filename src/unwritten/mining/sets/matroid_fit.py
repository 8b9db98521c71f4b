"""Fit a matroid: if k independent covers have full rank on every label of size k, every label is a basis.

Still, the labels could be only some of the bases: assignments are only some choices of one job per worker. So a
matroid is fitted on some examples and rejected if the other examples, or their weights, refute it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unwritten import budgets
from unwritten.data import TOLERANCE, FloatArray, IntArray, Sense, among, maximised
from unwritten.data.bitmasks import column_words
from unwritten.evidence.chance import MARGIN, log_choose, unseen
from unwritten.mining.matroids.matroid import Matroid
from unwritten.mining.miner import Context, Mined
from unwritten.mining.sets.covers import covers
from unwritten.mining.sets.set_labels import are_sets, sampled_sets, set_columns
from unwritten.native import kernels
from unwritten.options import MinerName
from unwritten.tally import Tally

HELD_OUT = 0.2
"""Share of the examples that a fit on the others is tested on."""
REPEATED, KNOWN_SHARE = 0.2, 0.7
"""If the share of labels that repeat is above REPEATED, the share of random bases that are known labels must be at
least KNOWN_SHARE times the share of labels that repeat."""
FAR = 4.0
"""Standard deviations from which a number of missing pairs is too large for random bases."""
MATROIDS = "matroids (sets of one size that a greedy choice finds, such as spanning trees)"
OTHER_COLUMNS = f"{MATROIDS} were not searched for, because some columns are not 0/1: mine the 0/1 columns alone"
TOO_WIDE = (
    f"{MATROIDS} were not searched for, because {{:,}} columns are more than {{}}: mine fewer columns at a time "
    "to find them"
)
SHARE_ROUNDS = 6
"""Rounds of fitting the column shares of random bases to those of the labels."""


class MatroidMiner:
    """Finds the matroid whose bases the labels are. The cover miner then states its cocircuits as rules."""

    name: MinerName = "matroid"

    def supports(self, context: Context) -> bool:
        """True if labels are sets of one size, bounded by 0 and 1, and their size is the only equality mined.

        If bounds allow other values than 0 and 1, no linear rows could say what a basis is.
        """
        tally, equalities = context.all_examples, context.mined.rules.rows
        columns = set_columns(tally)
        if not context.examples.variables.binary[columns].all():
            return False
        if len(columns) < tally.seen.shape[1] or len(columns) > budgets.SET_COLUMNS:  # a note says what is not mined
            return len(equalities) == 1 and _is_their_size(equalities[0], columns, tally)
        sizes = tally.seen.sum(axis=1)
        return bool((sizes == sizes[0]).all()) and (not context.options.automatic or context.mined.rules.rank == 1)

    def run(self, context: Context) -> Mined:
        """Add the matroid if the examples support one; the rules stay the same.

        A matroid is about all columns of a label, so there is none if some of them are not 0/1.
        """
        tally, examples = context.all_examples, context.examples
        if not are_sets(tally):
            return context.mined.with_note(OTHER_COLUMNS)
        if tally.seen.shape[1] > budgets.SET_COLUMNS:
            return context.mined.with_note(TOO_WIDE.format(tally.seen.shape[1], budgets.SET_COLUMNS))
        if examples.weights is None or tally.symmetry is not None:
            matroid = fit_matroid(sampled_sets(tally), margin=context.margin)
        else:
            first = slice(None, budgets.SET_EXAMPLES)
            matroid = fit_matroid(
                examples.labels[first], examples.weights[first], examples.sense, margin=context.margin
            )
            if matroid and not greedy_is_optimal(matroid, examples.labels, examples.weights, examples.sense):
                matroid = None
        return replace(context.mined, matroid=matroid)


def _is_their_size(row: IntArray, columns: IntArray, tally: Tally) -> bool:
    """True if a row [a, −b] says "exactly b of" all given columns that vary, and b is above 1."""
    varying = columns[(tally.seen[:, columns] != tally.seen[0, columns]).any(axis=0)]
    return bool(-row[-1] > 1) and np.array_equal(np.flatnonzero(row[:-1] == 1), varying)


def fit_matroid(
    labels: IntArray, weights: FloatArray | None = None, sense: Sense = "max", *, margin: float = MARGIN, seed: int = 0
) -> Matroid | None:
    """The binary matroid whose bases the labels are, or None if the examples do not support one.

    The matroid is fitted on all examples. It is accepted if one fitted on 80 % of them makes every other label a basis.
    With weights, the greedy basis must also have the value of the label, for every example. Without weights, random
    bases must not show anything that the labels avoid.

    >>> fit_matroid(np.tile([[1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]], (20, 1))).rank
    2
    """
    n = len(labels)
    shuffled = np.random.default_rng(seed).permutation(n)
    held_out, rest = shuffled[: round(n * HELD_OUT)], np.sort(shuffled[round(n * HELD_OUT) :])
    held_weights = None if weights is None else weights[held_out]
    if len(held_out) == 0 or not _fitted(labels[rest], labels[held_out], held_weights, sense, margin, seed):
        return None
    fitted = _fitted(labels, labels, weights, sense, margin, seed)
    if fitted is None:
        return None
    matroid, found_covers = fitted
    if weights is None and labels_avoid_bases(matroid, found_covers, labels, margin, seed):
        return None
    return matroid


def _fitted(
    labels: IntArray, tested: IntArray, weights: FloatArray | None, sense: Sense, margin: float, seed: int
) -> tuple[Matroid, IntArray] | None:
    """The matroid of the labels and the covers it was built from, unless the `tested` labels refute it."""
    if (labels.sum(axis=1) != labels[0].sum()).any():
        return None
    for patience in budgets.MATROID_PATIENCES:
        found_covers = covers(labels, margin=margin, patience=patience, seed=seed)
        matroid = matroid_of_covers(labels, found_covers)
        if matroid is not None or 2 * len(found_covers) < labels[0].sum():
            break
    if matroid is None or not matroid.is_basis(tested).all():
        return None
    if weights is not None and not greedy_is_optimal(matroid, tested, weights, sense):
        return None
    return matroid, found_covers


def matroid_of_covers(labels: IntArray, found_covers: IntArray) -> Matroid | None:
    """Stack covers as rows over GF(2), best first; a cover is used if every label still has full row rank."""
    n, width = labels.shape
    sizes = labels.sum(axis=1)
    if n == 0 or (sizes != sizes[0]).any() or sizes[0] == 0:
        return None
    rank = int(sizes[0])
    seen = np.unique(labels, axis=0)
    columns = np.ascontiguousarray(np.nonzero(seen)[1].reshape(-1, rank))
    always = np.flatnonzero(labels.all(axis=0))  # a column in every label is in every basis
    coloops = np.eye(width, dtype=np.int64)[always]
    found_covers = found_covers[: budgets.MATROID_COVERS * rank]
    for lead in range(min(budgets.MATROID_LEADS, max(1, len(found_covers)))):
        rows = coloops
        for cover in [*found_covers[lead : lead + 1], *found_covers[:lead], *found_covers[lead + 1 :]]:
            if len(rows) == rank:
                break
            extended = np.vstack([rows, cover])
            codes = column_words(extended != 0)
            if kernels.least_rank(codes, columns, len(extended)) == len(extended):
                rows = extended
        if len(rows) == rank:
            return Matroid(rows, rank)
    return None


def labels_avoid_bases(matroid: Matroid, found_covers: IntArray, labels: IntArray, margin: float, seed: int) -> bool:
    """True if random bases with the column shares of the labels show things that the labels avoid, and not by chance.

    There are four signs: too few random bases are known labels; random bases miss covers that all labels hit; random
    bases have pairs of values that no label has; and such pairs are more than in equally many random bases.
    """
    n, width = labels.shape
    sample = labels[: budgets.MATROID_BATCH]
    bases = _random_bases(matroid, labels, budgets.MATROID_BATCHES * len(sample), seed)
    repeated = 1 - unseen(np.unique(labels, axis=0, return_counts=True)[1])
    if repeated > REPEATED and among(bases, labels).mean() < KNOWN_SHARE * repeated:
        return True
    for cover in found_covers:
        if matroid.rank_of(np.flatnonzero(cover == 0)) == matroid.rank:
            missed = float((bases @ cover == 0).mean())
            if n * missed - log_choose(width, int(cover.sum())) >= margin:
                return True
    price = np.log(2 * width * max(1, width - 1))
    batches = [_pair_counts(batch) for batch in bases.reshape(budgets.MATROID_BATCHES, len(sample), width)]
    for in_all, in_sample, in_bases in zip(
        _pair_counts(labels), _pair_counts(sample), zip(*batches, strict=True), strict=True
    ):
        chances = np.mean(in_bases, axis=0) / len(sample)
        possible = (chances > 0) & ~np.eye(width, dtype=bool)
        if ((in_all == 0) & possible & (n * chances - price >= margin)).any():
            return True
        missing = np.array([((batch == 0) & possible).sum() for batch in in_bases])
        if ((in_sample == 0) & possible).sum() > missing.mean() + FAR * max(1.0, float(missing.std())):
            return True
    return False


def _pair_counts(labels: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """How often two columns are both 1, only the second is 1, and neither is 1 (d × d each); labels of one size."""
    n, width = labels.shape
    chosen = np.nonzero(labels)[1].reshape(n, -1)
    pairs = (chosen[:, :, None] * width + chosen[:, None, :]).ravel()
    both = np.bincount(pairs, minlength=width * width).reshape(width, width)  # sparse: a product would be slower
    counts = np.diag(both)
    return both, counts - both, n - counts[:, None] - counts + both


def _random_bases(matroid: Matroid, labels: IntArray, draws: int, seed: int) -> IntArray:
    """Greedy bases for random weights, shifted so that columns occur about as often as in the labels."""
    noise = np.random.default_rng(seed).uniform(-1, 1, (draws, labels.shape[1]))
    shares = labels.mean(axis=0)
    shift = np.zeros(labels.shape[1])
    for _ in range(SHARE_ROUNDS):
        shift += 2 * (shares - matroid.greedy(noise[: budgets.MATROID_FITTED] + shift).mean(axis=0))
    return matroid.greedy(noise + shift)


def greedy_is_optimal(matroid: Matroid, labels: IntArray, weights: FloatArray, sense: Sense) -> bool:
    """True if, for every row of weights, the greedy basis has the same value as the label."""
    for start in range(0, len(labels), budgets.SET_EXAMPLES):
        part = slice(start, start + budgets.SET_EXAMPLES)
        signed = maximised(weights[part], sense)
        difference = ((matroid.greedy(signed) - labels[part]) * signed).sum(axis=1)
        if (np.abs(difference) > TOLERANCE * np.abs(signed).sum(axis=1)).any():
            return False
    return True
