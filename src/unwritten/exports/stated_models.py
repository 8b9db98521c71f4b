"""Stated models: whether the rows of a model say all that it says about labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.errors import DataError

if TYPE_CHECKING:
    from unwritten.model import Model


def require_stated(model: Model) -> None:
    """Raise if labels must be the bases of a matroid, which no list of rows says."""
    if model.matroid is not None:
        raise DataError(
            "this model says that labels are the bases of a matroid, which has too many rows to write out: mine again "
            "without 'matroid', e.g. with rules=['groups', 'equalities', 'pairs', 'covers', 'ranks']"
        )
