"""Sample rows: a few seen rows for each sentence, chosen so that the sentence says something about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.report.fields import Fields
from unwritten.rules import Sentence

if TYPE_CHECKING:
    from unwritten.model import Model

ROWS_PER_SENTENCE = 4
SAMPLE_CELLS = 120_000  # of all sample rows in the page
LEAST_ROWS = 8  # in the page, however wide the rows are
MOST_WORK = 3e8  # matrix entries looked at
LEAST_CANDIDATES = 500  # rows looked at, however many rules there are
CONDITIONAL_KINDS = ("requires", "excludes", "implies")


@dataclass(eq=False)
class SamplePool:
    """The seen rows that the page holds; each is held once, and sentences refer to it by its place.

    `labels` and `counts` are the candidates, `room` is the largest number of rows in the page, and `chosen` gives the
    place in the page of each candidate that is in it.
    """

    labels: IntArray
    counts: IntArray
    room: int
    chosen: dict[int, int] = field(default_factory=dict)

    def add(self, ordered: IntArray, keys: IntArray) -> list[int]:
        """Return the places of the first candidates with different keys; a full pool takes no new rows."""
        used_keys: set[bytes] = set()
        places: list[int] = []
        for row, key in zip(ordered.tolist(), keys, strict=True):
            if key.tobytes() in used_keys or (row not in self.chosen and len(self.chosen) >= self.room):
                continue
            used_keys.add(key.tobytes())
            places.append(self.chosen.setdefault(row, len(self.chosen)))
            if len(places) == ROWS_PER_SENTENCE:
                break
        return places


@dataclass(frozen=True)
class SampleRows:
    """Labels (with latents), how often each was seen, and for each sentence the places of its labels."""

    labels: IntArray
    counts: IntArray
    places: tuple[tuple[int, ...], ...]


def sample_rows(model: Model, fields: Fields) -> SampleRows:
    """Choose typical rows for every sentence; the most frequent row is always the first of all."""
    labels = model.evidence.labels
    terms = np.count_nonzero(model.rules.matrix) + 1
    most = int(max(LEAST_CANDIDATES, MOST_WORK / terms))
    order = np.argsort(-model.counts, kind="stable")
    if len(order) > most:
        order = order[np.unique(np.linspace(0, len(order) - 1, most).astype(np.int64))]
    room = max(LEAST_ROWS, SAMPLE_CELLS // max(1, len(fields.names)))
    pool = SamplePool(labels[order], model.counts[order], room)
    owners = _owners(model, fields)
    if len(order):
        pool.add(np.zeros(1, np.int64), pool.labels[:1])
    places = [
        _rows_of(sentence, model, owners, columns[0] if columns else -1, pool)
        for sentence, columns in zip(model.sentences, fields.columns, strict=True)
    ]
    rows = np.fromiter(pool.chosen, np.int64, len(pool.chosen))
    return SampleRows(pool.labels[rows], pool.counts[rows], tuple(places))


def _owners(model: Model, fields: Fields) -> IntArray:
    """Return the field of each variable."""
    owners = np.arange(len(model.extended), dtype=np.int64)
    if model.schema is not None:
        width = len(model.variables)
        for name, place in model.schema.places.items():
            owners[place] = fields.index[name]
        owners[width:] = np.arange(len(model.schema.places), len(fields.names))
    return owners


def _rows_of(sentence: Sentence, model: Model, owners: IntArray, first: int, pool: SamplePool) -> tuple[int, ...]:
    """Choose rows for a sentence whose first column is `first`.

    Rows in which most of the sentence's variables are not 0 come first; among equals, the most frequent ones.
    """
    if sentence.gaps:
        names = dict.fromkeys(name for k in sentence.gaps for name in model.gaps[k].variables)
        used = np.array([model.variables.index[name] for name in names], np.int64)
        return tuple(pool.add(np.arange(len(pool.labels)), pool.labels[:, used]))
    matrix, rhs = model.rules.matrix[list(sentence.rules)], model.rules.rhs[list(sentence.rules)]
    used = np.flatnonzero(matrix.any(axis=0))
    part = pool.labels[:, used]
    concerned = np.zeros(len(part), bool)
    for a, b in zip(matrix[:, used], rhs, strict=True):
        concerned |= _is_tight(part, a, int(b), _condition(sentence.kind, a, owners[used], first))
    if sentence.kind == "exactly-when" and len(matrix) == 1:
        left = owners[used] == first
        concerned &= _supported_side(part[:, left] @ matrix[0, used][left], pool.counts, sentence.support)
    rows = np.flatnonzero(concerned) if concerned.any() else np.arange(len(part))
    rows = rows[np.argsort(-np.count_nonzero(part[rows], axis=1), kind="stable")]
    return tuple(pool.add(rows, part[rows]))


def _condition(kind: str, a: IntArray, owners: IntArray, first: int) -> BoolArray | None:
    """Return the variables of a sentence's condition (those of its first column); None if it has no condition."""
    if kind not in CONDITIONAL_KINDS:
        return None
    if kind == "implies":
        return np.asarray(a > 0)
    return np.asarray(owners == first)


def _is_tight(part: IntArray, a: IntArray, b: int, condition: BoolArray | None) -> BoolArray:
    """Return the rows with a·y = b; if the sentence has a condition, only those that meet it."""
    tight: BoolArray = np.asarray(part @ a == b)
    if condition is None or not condition.any():
        return tight
    activity = part[:, condition] @ a[condition]
    return np.asarray(tight & (activity == activity.max(initial=0)))


def _supported_side(sides: IntArray, counts: IntArray, support: int) -> BoolArray:
    """Return the rows on that side of an equivalence whose frequency is nearest to the sentence's support."""
    values = np.unique(sides)
    distances = [abs(int(counts[sides == value].sum()) - support) for value in values]
    return np.asarray(sides == values[int(np.argmin(distances))])
