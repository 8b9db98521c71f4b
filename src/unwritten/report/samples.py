"""Samples: a few seen rows for each sentence, on which it has something to say."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.model import Model
from unwritten.report.fields import Fields
from unwritten.rules import Sentence

SHOWN = 4  # rows per sentence
CELLS = 120_000  # of all rows in the page
WORK = 3e8  # entries looked at
CONDITIONAL = ("requires", "excludes", "implies")


@dataclass(eq=False)
class Pool:
    """The seen rows that the page holds, each once; sentences name them by place."""

    labels: IntArray
    counts: IntArray
    room: int
    chosen: dict[int, int] = field(default_factory=dict)

    def add(self, ordered: IntArray, keys: IntArray) -> list[int]:
        """Places of the first rows whose keys differ, from the pool alone once it is full."""
        seen: set[bytes] = set()
        found: list[int] = []
        for row, key in zip(ordered.tolist(), keys, strict=True):
            if key.tobytes() in seen or (row not in self.chosen and len(self.chosen) >= self.room):
                continue
            seen.add(key.tobytes())
            found.append(self.chosen.setdefault(row, len(self.chosen)))
            if len(found) == SHOWN:
                break
        return found


@dataclass(frozen=True)
class Samples:
    """Rows (over variables and latents), how often each was seen, and their places for each sentence."""

    labels: IntArray
    counts: IntArray
    places: tuple[tuple[int, ...], ...]


def samples(model: Model, fields: Fields) -> Samples:
    """Typical rows for every sentence."""
    labels = model.evidence.labels
    terms = np.count_nonzero(model.rules.matrix) + 1
    most = int(max(500, WORK / terms))
    order = np.argsort(-model.counts, kind="stable")
    if len(order) > most:
        order = order[np.unique(np.linspace(0, len(order) - 1, most).astype(np.int64))]
    pool = Pool(labels[order], model.counts[order], max(8, CELLS // max(1, len(fields.names))))
    owners = _owners(model, fields)
    if len(order):  # the commonest row is always there
        pool.add(np.zeros(1, np.int64), pool.labels[:1])
    places = [
        _of(sentence, model, owners, columns[0] if columns else -1, pool)
        for sentence, columns in zip(model.sentences, fields.columns, strict=True)
    ]
    rows = np.fromiter(pool.chosen, np.int64, len(pool.chosen))
    return Samples(pool.labels[rows], pool.counts[rows], tuple(places))


def _owners(model: Model, fields: Fields) -> IntArray:
    """The field of each variable."""
    owners = np.arange(len(model.extended), dtype=np.int64)
    if model.schema is not None:
        width = len(model.variables)
        for name, place in model.schema.places.items():
            owners[place] = fields.index[name]
        owners[width:] = np.arange(len(model.schema.places), len(fields.names))
    return owners


def _of(sentence: Sentence, model: Model, owners: IntArray, first: int, pool: Pool) -> tuple[int, ...]:
    """Rows with the most of the sentence's variables true come first, then the commonest."""
    matrix, rhs = model.rules.matrix[list(sentence.rules)], model.rules.rhs[list(sentence.rules)]
    used = np.flatnonzero(matrix.any(axis=0))
    part = pool.labels[:, used]
    speaks = np.zeros(len(part), bool)
    for a, b in zip(matrix[:, used], rhs, strict=True):
        speaks |= _speaks(part, a, int(b), _left(sentence.kind, a, owners[used], first))
    if sentence.kind == "exactly-when" and len(matrix) == 1:
        left = owners[used] == first
        speaks &= _as_often(part[:, left] @ matrix[0, used][left], pool.counts, sentence.support)
    rows = np.flatnonzero(speaks) if speaks.any() else np.arange(len(part))
    rows = rows[np.argsort(-np.count_nonzero(part[rows], axis=1), kind="stable")]
    return tuple(pool.add(rows, part[rows]))


def _left(kind: str, a: IntArray, owners: IntArray, first: int) -> BoolArray | None:
    """The variables of the condition, where a sentence has one: those of its first column."""
    if kind not in CONDITIONAL:
        return None
    if kind == "implies":
        return np.asarray(a > 0)
    return np.asarray(owners == first)


def _speaks(part: IntArray, a: IntArray, b: int, left: BoolArray | None) -> BoolArray:
    """Where the row leaves no room; of a condition, only where it is met."""
    tight: BoolArray = np.asarray(part @ a == b)
    if left is None or not left.any():
        return tight
    condition = part[:, left] @ a[left]
    return np.asarray(tight & (condition == condition.max(initial=0)))


def _as_often(sides: IntArray, counts: IntArray, support: int) -> BoolArray:
    """Of the sides of an equivalence, the one that holds about as often as the sentence speaks."""
    values = np.unique(sides)
    often = [abs(int(counts[sides == value].sum()) - support) for value in values]
    return np.asarray(sides == values[int(np.argmin(often))])
