"""Weights from a table: a column per variable, a row per question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten.data import FloatArray
from unwritten.errors import DataError
from unwritten.tables.cells import texts_of
from unwritten.tables.source import Source


def weights_by_name(source: Source, names: Sequence[str]) -> FloatArray:
    """Weights of the variables of these names (n × d); one that the table lacks, or an empty cell, counts 0."""
    place = {name: k for k, name in enumerate(names)}
    for name in source.names:
        if name not in place:
            raise DataError(f"{source.title} has a column {name!r} that is no variable: use names such as {names[0]!r}")
    blocks = []
    for batch, _ in source.open():
        block = np.zeros((batch.num_rows, len(names)))
        for name in source.names:
            texts, index = texts_of(batch.column(name), name)
            block[:, place[name]] = np.array([_weight(text, name) for text in texts], float)[index]
        blocks.append(block)
    if not blocks:
        raise DataError(f"{source.title} has no rows: give a row of weights per question")
    return np.concatenate(blocks)


def _weight(text: str | None, name: str) -> float:
    try:
        return 0.0 if text is None else float(text)
    except ValueError as error:
        raise DataError(f"the weight {text!r} of {name!r} is no number: give plain numbers") from error
