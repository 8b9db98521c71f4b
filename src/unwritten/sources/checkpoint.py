"""Checkpoints: what was gathered so far, in a file that a killed run goes on from."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError, FormatError
from unwritten.formats import read_archive, write_archive
from unwritten.rules import RuleSet
from unwritten.sources.gather import Gathered
from unwritten.tally import Tally
from unwritten.tally.tally import MOST_THINNED, gram_of_counted

KIND = "checkpoint 1"


@dataclass(frozen=True, eq=False)
class State:
    """What `batches` batches came to, and what of their weights is not in a file."""

    batches: int
    total: Gathered
    values: FloatArray | None = None
    first: IntArray | None = None


class Checkpoint:
    """One file: read when a run starts, replaced whole while it goes on, removed when it is done."""

    def __init__(
        self, path: str | os.PathLike[str], every: float = budgets.CHECKPOINT_SECONDS, resume: bool = True
    ) -> None:
        self.path = Path(path)
        self._every, self._resume, self._written = every, resume, monotonic()
        self._mark = ""

    def start(self, mark: str) -> State | None:
        """Where to go on from, if there is a checkpoint of this data (as its mark says)."""
        self._mark, self._written = mark, monotonic()
        if not self.path.exists():
            return None
        try:
            header, arrays = read_archive(self.path)
            if header.get("kind") != KIND:
                raise FormatError("it is something else")
            state = None if not self._resume else _state(header, arrays)
        except (FormatError, DataError, KeyError, TypeError, ValueError, IndexError) as error:
            raise FormatError(
                f"{self.path} is no whole checkpoint ({error}): choose another name, or delete it if it was one"
            ) from error
        if state is not None and header["mark"] != mark:
            raise DataError(
                f"{self.path} is a checkpoint of other batches or options: give those it was made with, choose another "
                "name, or start anew with resume=False (delete the file)"
            )
        return state

    @property
    def due(self) -> bool:
        """Whether it is time to write."""
        return monotonic() - self._written >= self._every

    def write(self, state: State) -> None:
        """Replace the file."""
        tally = state.total.tally
        header = {
            "kind": KIND,
            "mark": self._mark,
            "batches": state.batches,
            "names": None if state.total.names is None else list(state.total.names),
            "n": tally.n,
            "most": tally.most,
            "thinned": tally.thinned,
        }
        seen = tally.seen.astype(np.int64, copy=False)
        arrays: dict[str, NDArray[Any]] = {"gram": tally.gram, "seen": seen, "counts": tally.counts}
        arrays |= {"lower": state.total.lower, "upper": state.total.upper}
        if state.values is not None and state.first is not None:
            arrays |= {"values": state.values, "first": state.first}
        write_archive(self.path, header, arrays)
        self._written = monotonic()

    def done(self, keep: bool = False) -> None:
        """Take the file away, unless it is to be kept."""
        if not keep:
            self.path.unlink(missing_ok=True)


def _state(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> State:
    """The parts of a checkpoint, after checking that they go together."""
    gram, seen, counts, lower, upper = (arrays[name] for name in ("gram", "seen", "counts", "lower", "upper"))
    n, batches, thinned, most, d = (header["n"], header["batches"], header["thinned"], header["most"], len(lower))
    numbers = [n, batches, thinned, 0 if most is None else most]
    if not all(type(number) is int and number >= 0 for number in numbers) or not isinstance(header["mark"], str):
        raise FormatError("its header is not ours")
    shapes = [(d + 1, d + 1), (len(seen), d), (len(seen),), (d,), (d,)]
    parts = (gram, seen, counts, lower, upper)
    if [part.shape for part in parts] != shapes or any(part.dtype != np.int64 for part in parts):
        raise FormatError("its arrays have the wrong shapes or types")
    told = counts.sum() if counts.sum(dtype=np.float64) < 2**62 else -1  # which no sum of counts of ours is
    counted = told == n if thinned == 0 else 0 <= told <= n
    inside = (seen >= lower).all() and (seen <= upper).all() and (lower <= upper).all()
    if not (n > 0 and counted and (counts > 0).all() and inside and gram[-1, -1] == n and (gram == gram.T).all()):
        raise FormatError("its parts do not go together")
    if thinned == 0 and not np.array_equal(gram, gram_of_counted(seen, counts)):
        raise FormatError("its counts are not those of its labels")
    names = None if header["names"] is None else tuple(header["names"])
    if thinned > MOST_THINNED or (
        names is not None and (len(names) != d or not all(isinstance(name, str) for name in names))
    ):
        raise FormatError("its parts do not go together")
    values, first = arrays.get("values"), arrays.get("first")
    if (values is None) != (first is None):
        raise FormatError("its parts do not go together")
    if values is not None and first is not None:
        right = values.shape == (n,) and first.ndim == 2 and first.shape[1] == d and len(first) <= n
        if not right or values.dtype != np.float64 or first.dtype != np.int64 or not np.isfinite(values).all():
            raise FormatError("its weights do not go with its labels")
    return State(
        batches, Gathered(Tally(n, gram, seen, counts, None, most, thinned), lower, upper, names), values, first
    )


def mark_of(*parts: object) -> str:
    """A digest that is the same for the same data and options in another run."""
    digest = hashlib.sha256()

    def feed(part: object) -> None:
        if isinstance(part, np.ndarray):
            digest.update(f"array {part.dtype} {part.shape}".encode())
            digest.update(np.ascontiguousarray(part).tobytes())
        elif isinstance(part, dict):
            feed([item for key in sorted(part, key=str) for item in (key, part[key])])
        elif isinstance(part, list | tuple):
            digest.update(f"list {len(part)}".encode())
            for item in part:
                feed(item)
        elif isinstance(part, RuleSet):
            feed(part.triples())
        elif part is None or isinstance(part, str | bool | int | float):
            digest.update(f"{type(part).__name__} {part!r};".encode())
        else:
            digest.update(f"{getattr(part, '__qualname__', type(part).__qualname__)};".encode())

    feed(parts)
    return digest.hexdigest()
