"""Checkpoint: the file that a user names so that a killed run can go on."""

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
        The path of the file. Each write replaces the whole file.
    every
        Least number of seconds between two writes; 0 writes after every batch.
    resume
        False starts anew even if the file exists.
    keep
        True keeps the file when the run has finished; False removes it.
    """

    path: str | os.PathLike[str]
    every: float = budgets.CHECKPOINT_SECONDS
    resume: bool = True
    keep: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.path, str | os.PathLike):
            raise DataError(f"checkpoint is of type {type(self.path).__name__}: give the path of a file")
        if isinstance(self.every, bool) or not isinstance(self.every, Real) or not float(self.every) >= 0:
            raise DataError(
                f"every is {self.every!r}: use a number of seconds, or 0 for a checkpoint after every batch"
            )

    @classmethod
    def of(cls, checkpoint: str | os.PathLike[str] | Checkpoint | None) -> Checkpoint | None:
        """Turn a path into a `Checkpoint`; None and a `Checkpoint` are returned unchanged."""
        return checkpoint if checkpoint is None or isinstance(checkpoint, Checkpoint) else cls(checkpoint)

    @property
    def file(self) -> Path:
        """The path."""
        return Path(self.path)
