"""Warnings that point at the user's own line."""

from __future__ import annotations

import sys
import warnings

from unwritten.errors import UnwrittenWarning
from unwritten.shown import shown


def warn_user(message: str) -> None:
    """Warn, and name the first line on the call stack that is not part of this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "unwritten":
        level, frame = level + 1, frame.f_back
    warnings.warn(shown(message), UnwrittenWarning, stacklevel=level)
