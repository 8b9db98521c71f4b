"""The error tree: every error is also a standard one, and every message names the cure."""

from __future__ import annotations


class UnwrittenError(Exception):
    """Base of everything Unwritten raises on purpose."""


class DataError(UnwrittenError, ValueError):
    """The data given cannot be used as it is."""


class RangeError(UnwrittenError, OverflowError):
    """An exact integer result does not fit into 64 bits."""


class FormatError(UnwrittenError, ValueError):
    """A file is unreadable, damaged, too large or of a newer version."""


class MissingPackageError(UnwrittenError, ImportError):
    """An optional package is needed and not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {package}; install it with: pip install 'unwritten[{extra}]'")


class InfeasibleError(UnwrittenError, ValueError):
    """No label satisfies all rows; `clash` names a small set of rows that cannot hold together."""

    def __init__(self, message: str, clash: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.clash = clash


class SolverError(UnwrittenError, RuntimeError):
    """Every engine and back end tried has failed; the message says how each one did."""


class UnwrittenWarning(UserWarning):
    """Something a careful user would want to know, though the result stands."""
