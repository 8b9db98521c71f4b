"""The user's wish for a checkpoint."""

from __future__ import annotations

import os
from dataclasses import dataclass
from numbers import Real
from pathlib import Path

from unwritten import budgets
from unwritten.errors import DataError


@dataclass(frozen=True)
class Checkpoint:
    """A file that a killed run goes on from.

    Parameters
    ----------
    path
        The file. It is replaced whole while the run goes on.
    every
        Seconds between two writes at least; 0 writes after every batch.
    resume
        False starts anew even if the file is there.
    keep
        True leaves the file when the run has finished.
    """

    path: str | os.PathLike[str]
    every: float = budgets.CHECKPOINT_SECONDS
    resume: bool = True
    keep: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.path, str | os.PathLike):
            raise DataError(f"checkpoint is of type {type(self.path).__name__}: give the path of a file")
        if isinstance(self.every, bool) or not isinstance(self.every, Real) or not float(self.every) >= 0:
            raise DataError(f"every is {self.every!r}: use seconds, 0 for a checkpoint after every batch")

    @classmethod
    def of(cls, checkpoint: str | os.PathLike[str] | Checkpoint | None) -> Checkpoint | None:
        """The checkpoint that a path or a `Checkpoint` means."""
        return checkpoint if checkpoint is None or isinstance(checkpoint, Checkpoint) else cls(checkpoint)

    @property
    def file(self) -> Path:
        """The path."""
        return Path(self.path)
