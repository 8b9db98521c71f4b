"""Desbordante: functional dependencies with at most two columns on the left, and rows that contradict them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pandas as pd
from common import run

MOST_LEFT = 2


def desbordante(train: pd.DataFrame) -> tuple[Callable[[pd.DataFrame], set[int]], int]:
    """Mine the dependencies that hold on all training rows; a row is wrong if a known left side has another right."""
    import desbordante as db

    algorithm = db.fd.algorithms.HyFD()
    algorithm.load_data(table=train.fillna(""))
    algorithm.execute(max_lhs=MOST_LEFT, threads=1)
    rights: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for dependency in algorithm.get_fds():
        left, right = dependency.to_index_tuple()
        rights[tuple(left)].append(right)

    def check(frame: pd.DataFrame) -> set[int]:
        codes = [pd.factorize(pd.concat([train[name], frame[name]]))[0].astype(np.int64) for name in train]
        n, wrong = len(train), np.zeros(len(frame), bool)
        for left, named in rights.items():
            key = np.zeros(n + len(frame), np.int64)
            for column in left:
                key = key * (codes[column].max() + 2) + codes[column] + 1
            known, first = np.unique(key[:n], return_index=True)
            at = np.minimum(np.searchsorted(known, key[n:]), len(known) - 1)
            seen = known[at] == key[n:]
            for right in named:
                wrong |= seen & (codes[right][first[at]] != codes[right][n:])
        return set(np.flatnonzero(wrong).tolist())

    return check, sum(map(len, rights.values()))


if __name__ == "__main__":
    run("desbordante", desbordante, typed=False)
