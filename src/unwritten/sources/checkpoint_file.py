"""The checkpoint file: write what was gathered so far, and read it when the run starts again."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError, FormatError
from unwritten.formats import read_archive, write_archive
from unwritten.formats.atomic import reason
from unwritten.shapes import Between, Count, read
from unwritten.sources.checkpoint import Checkpoint
from unwritten.sources.label_counter import CountedLabels
from unwritten.tally import Tally
from unwritten.tally.gram import gram_of_counted
from unwritten.tally.thinning import HIGHEST_LEVEL
from unwritten.warn import warn_user

KIND = "checkpoint 1"


@dataclass(frozen=True, eq=False)
class RunState:
    """Everything that was gathered from the first `batches` batches.

    If the weights are on disk, `values` are the values of all examples so far, and `first` are the first labels.
    """

    batches: int
    counted: CountedLabels
    values: FloatArray | None = None
    first: IntArray | None = None


class CheckpointFile:
    """Reads the file when a run starts, replaces it whole while the run goes on, removes it at the end."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint, self.path = checkpoint, checkpoint.file
        self._written, self._mark = monotonic(), ""

    def start(self, mark: str) -> RunState | None:
        """The state to go on from; None if there is no file. `mark` is the digest of this run's data and options."""
        self._mark, self._written = mark, monotonic()
        if not self.path.exists():
            return None
        try:
            plain, arrays = read_archive(self.path)
            if plain.get("kind") != KIND:
                raise FormatError("it is something else")
            header: _Header = read(_Header, plain, "its header")
            state = _state(header, arrays) if self._checkpoint.resume else None
        except (FormatError, DataError, KeyError) as error:
            wrong = str(error).rpartition(": ")[0] or str(error)  # without the cure, which is about models
            raise FormatError(
                f"{self.path} is not a whole checkpoint ({wrong}): choose another name, or delete it if it was one"
            ) from error
        if state is not None and header.mark != mark:
            raise DataError(
                f"{self.path} is a checkpoint of other batches or options: give those it was made with, choose another "
                "name, or start anew with Checkpoint(path, resume=False) (delete the file)"
            )
        return state

    @property
    def due(self) -> bool:
        """True if it is time to write."""
        return monotonic() - self._written >= self._checkpoint.every

    def write(self, state: RunState) -> None:
        """Replace the file."""
        tally = state.counted.tally
        header = {
            "kind": KIND,
            "mark": self._mark,
            "batches": state.batches,
            "names": None if state.counted.names is None else list(state.counted.names),
            "n": tally.n,
            "most": tally.most,
            "thinned": tally.thinned,
        }
        seen = tally.seen.astype(np.int64, copy=False)
        arrays: dict[str, NDArray[Any]] = {"gram": tally.gram, "seen": seen, "counts": tally.counts}
        arrays |= {"lower": state.counted.lower, "upper": state.counted.upper}
        if state.values is not None and state.first is not None:
            arrays |= {"values": state.values, "first": state.first}
        write_archive(self.path, header, arrays)
        self._written = monotonic()

    def close(self, *, finished: bool) -> None:
        """Remove the file of a finished run, unless it is to be kept."""
        if finished and not self._checkpoint.keep:
            try:
                self.path.unlink(missing_ok=True)
            except OSError as error:  # the work is done, and must not be lost
                warn_user(f"the checkpoint {self.path} could not be removed ({reason(error)}): remove it")


@dataclass(frozen=True)
class _Header:
    kind: str
    mark: str
    batches: Count
    names: tuple[str, ...] | None
    n: Count
    most: Count | None
    thinned: Annotated[int, Between(0, HIGHEST_LEVEL)]


def _state(header: _Header, arrays: dict[str, NDArray[Any]]) -> RunState:
    """The parts of a checkpoint, after checking that they fit each other."""
    tally = _tally(header, arrays)
    lower, upper, d = arrays["lower"], arrays["upper"], tally.seen.shape[1]
    inside = (tally.seen >= lower).all() and (tally.seen <= upper).all() and (lower <= upper).all()
    values, first = arrays.get("values"), arrays.get("first")
    if not inside or (header.names is not None and len(header.names) != d) or (values is None) != (first is None):
        raise FormatError("its parts do not fit each other")
    if values is not None and first is not None:
        shaped = values.shape == (tally.n,) and first.ndim == 2 and first.shape[1] == d and len(first) <= tally.n
        if not shaped or values.dtype != np.float64 or first.dtype != np.int64 or not np.isfinite(values).all():
            raise FormatError("its weights do not fit its labels")
    return RunState(header.batches, CountedLabels(tally, lower, upper, header.names), values, first)


def _tally(header: _Header, arrays: dict[str, NDArray[Any]]) -> Tally:
    """The tally in a checkpoint; a tally whose counts disagree is refused."""
    parts = [arrays[name] for name in ("gram", "seen", "counts", "lower", "upper")]
    gram, seen, counts, lower, _ = parts
    n, thinned, d = header.n, header.thinned, lower.size
    shapes = [(d + 1, d + 1), (counts.size, d), (counts.size,), (d,), (d,)]
    if [part.shape for part in parts] != shapes or any(part.dtype != np.int64 for part in parts):
        raise FormatError("its arrays have the wrong shapes or types")
    total = counts.sum() if counts.sum(dtype=np.float64) < 2**62 else -1
    counted = total == n if thinned == 0 else 0 <= total <= n
    if not (n > 0 and counted and (counts > 0).all() and gram[-1, -1] == n and (gram == gram.T).all()):
        raise FormatError("its parts do not fit each other")
    if thinned == 0 and not np.array_equal(gram, gram_of_counted(seen, counts)):
        raise FormatError("its counts are not those of its labels")
    return Tally(n, gram, seen, counts, None, header.most, thinned)
