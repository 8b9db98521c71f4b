"""Weights from a table: one column per variable, one row per query."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten.data import FloatArray
from unwritten.errors import DataError
from unwritten.tables.cell_texts import texts_of
from unwritten.tables.quoting import shown
from unwritten.tables.table_reader import TableReader


def weights_by_name(reader: TableReader, names: Sequence[str]) -> FloatArray:
    """Return the weights (n × d) of the variables `names`; a column that the table lacks and an empty cell weigh 0."""
    place = {name: k for k, name in enumerate(names)}
    for name in reader.names:
        if name not in place:
            raise DataError(
                f"{reader.title} has a column {shown(name)!r} that is not a variable of the model: use names such as "
                f"{names[0]!r}"
            )
    blocks = []
    for batch, _ in reader.batches():
        block = np.zeros((batch.num_rows, len(names)))
        for name in reader.names:
            texts, index = texts_of(batch.column(name), name)
            block[:, place[name]] = np.array([_weight(text, name) for text in texts], float)[index]
        blocks.append(block)
    if not blocks:
        raise DataError(f"{reader.title} has no rows: give one row of weights per query")
    return np.concatenate(blocks)


def _weight(text: str | None, name: str) -> float:
    try:
        return 0.0 if text is None else float(text)
    except ValueError as error:
        raise DataError(
            f"the weight {shown(text or '')!r} of {shown(name)!r} is not a number: give plain numbers"
        ) from error
