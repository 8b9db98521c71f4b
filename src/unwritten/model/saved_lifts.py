"""The lifts of a saved model: built-in ones, and those of the user."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unwritten.errors import DataError, FormatError
from unwritten.mining import LIFTS, Lift
from unwritten.mining.lifts import Pairs
from unwritten.mining.value_lift import Values
from unwritten.model.saved_header import SavedLift

RAISED_BY_LIFTS = (KeyError, TypeError, AttributeError, ValueError, IndexError, OverflowError)
"""What a lift of the user's own may raise about a state that is not its own."""


def known_lifts(own: Any) -> dict[str, Any]:
    """The built-in lifts and the user's own lifts, by name."""
    makers = list(own) if isinstance(own, Iterable) and not isinstance(own, str) else [own]
    for maker in makers:
        if not hasattr(maker, "name") or not hasattr(maker, "restore"):
            raise DataError(
                f"{maker!r} is not a lift: load(path, lifts=[YourLift]) takes classes with name and restore"
            )
    return {**LIFTS, **{maker.name: maker for maker in makers}}


def restored_lifts(saved: tuple[SavedLift, ...], known: dict[str, Any], latents: int) -> tuple[Lift, ...]:
    """The lifts, which must not have more latents than the rules have further columns."""
    fitted = []
    for lift in saved:
        if lift.name not in known:
            raise FormatError(
                f"the model uses the lift {lift.name!r}, which is not known here: load(path, lifts=[YourLift])"
            )
        try:
            fitted.append(known[lift.name].restore(lift.state))
        except RAISED_BY_LIFTS as error:
            raise FormatError(f"the state of the lift {lift.name!r} is damaged: save the model again") from error
    if sum(lift.size for lift in fitted if isinstance(lift, Pairs | Values)) > latents:
        raise FormatError("the file's lifts do not fit its rules: save the model again")
    return tuple(fitted)
