"""The tally of wide 0/1 labels: counts of 32 bits and labels of one byte per entry, where they came so."""

from __future__ import annotations

import numpy as np

from unwritten.data import IntArray, frozen
from unwritten.tally.tally import Tally
from unwritten.tally.wide_gram import is_wide, wide_gram


def tally_of(labels: IntArray) -> Tally:
    """The tally of all labels at once, in the form that suits their width."""
    if not is_wide(labels):
        return Tally.of(labels)
    keys = np.packbits(labels.view(bool) if labels.itemsize == 1 else labels.astype(bool), axis=1)
    _, first, counts = np.unique(
        keys.view(np.dtype((np.void, keys.shape[1]))).ravel(), return_index=True, return_counts=True
    )
    return Tally(len(labels), wide_gram(labels), frozen(labels[first]), frozen(counts.astype(np.int64)))
