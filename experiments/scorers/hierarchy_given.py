"""A scorer that is given the hierarchy: a classifier at each parent chooses among its children, from the root down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from unwritten.data import FloatArray, IntArray


def local_classifiers(
    names: list[str], train: tuple[FloatArray, IntArray], features: FloatArray, make: Callable[[], Any]
) -> IntArray:
    """Predict the labels of `features`.

    Names such as `6/2/0` are paths in the hierarchy, and `make()` returns a new multi-class classifier.
    """
    column = {name: j for j, name in enumerate(names)}
    children: dict[str, list[str]] = defaultdict(list)
    for name in names:
        children[name.rpartition("/")[0]].append(name)
    given, labels = train
    predicted = np.zeros((len(features), len(names)), np.int64)
    waiting: list[tuple[str, IntArray]] = [("", np.arange(len(features)))]
    while waiting:
        parent, rows = waiting.pop()
        if not children[parent] or not len(rows):
            continue
        below = np.array([column[name] for name in children[parent]])
        inside = labels[:, below].any(axis=1)  # examples that end at the parent do not tell its children apart
        classes = labels[inside][:, below].argmax(axis=1)
        if len(np.unique(classes)) == 1:
            chosen = np.full(len(rows), classes[0])
        else:
            chosen = make().fit(given[inside], classes).predict(features[rows])
        predicted[rows, below[chosen]] = 1
        waiting += [(name, rows[chosen == k]) for k, name in enumerate(children[parent])]
    return predicted
