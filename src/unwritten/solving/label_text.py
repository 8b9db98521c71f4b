"""A label as a short text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten.data import IntArray

ENTRIES_SHOWN = 8


def label_text(label: IntArray, names: Sequence[str] = ()) -> str:
    """Name the non-zero entries of a label, with their values unless these are 1; without names, list its numbers.

    >>> label_text(np.array([1, 0, 3]), ["red", "green", "units"])
    'red, units = 3'
    >>> label_text(np.array([1, 0, 3]))
    '1 0 3'
    >>> label_text(np.ones(30, int))
    '1 1 1 1 1 1 1 1 … (22 more)'
    """
    if not names:
        return _shortened([str(value) for value in label[:ENTRIES_SHOWN].tolist()], " ", len(label))
    places = np.flatnonzero(label)
    entries = [(names[j], int(label[j])) for j in places[:ENTRIES_SHOWN]]
    texts = [name if value == 1 else f"{name} = {value}" for name, value in entries]
    return _shortened(texts, ", ", len(places)) or "all entries are 0"


def _shortened(texts: Sequence[str], separator: str, total: int) -> str:
    more = [f"… ({total - len(texts)} more)"] if total > len(texts) else []
    return separator.join([*texts, *more])
