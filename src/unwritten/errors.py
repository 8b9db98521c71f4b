"""The errors of Unwritten: each is also a standard Python error, and each message names the cure."""

from __future__ import annotations

from unwritten.shown import shown


class UnwrittenError(Exception):
    """The base of all errors that Unwritten raises on purpose: what is wrong, a colon, and the cure.

    >>> DataError("x.csv is empty: give a table with a first line of column names").cure
    'give a table with a first line of column names'
    """

    def __init__(self, message: str) -> None:
        super().__init__(shown(message))

    @property
    def cure(self) -> str:
        """What to do about it: the message after its last colon."""
        return str(self).rpartition(": ")[2]


class DataError(UnwrittenError, ValueError):
    """The given data or arguments cannot be used as they are."""


class RangeError(UnwrittenError, OverflowError):
    """An exact integer result does not fit into 64 bits."""


class FormatError(UnwrittenError, ValueError):
    """A file cannot be read or written: it is damaged, too large, of a newer version, or not where it should be."""


class MissingPackageError(UnwrittenError, ImportError):
    """An optional package is needed and not installed; the message says how to install it."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {package}; install it with: pip install 'unwritten[{extra}]'")


class InfeasibleError(UnwrittenError, ValueError):
    """No label satisfies all rows; `clash` names a small set of rows that cannot all hold."""

    def __init__(self, message: str, clash: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.clash = clash


class SolverError(UnwrittenError, RuntimeError):
    """Every engine and solver that was tried has failed; the message says how each of them failed."""


class UnwrittenWarning(UserWarning):
    """The result is valid, but there is something that a careful user would want to know."""
