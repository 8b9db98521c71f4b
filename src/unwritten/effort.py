"""Effort: the work and the seconds that a step of mining may take, asked between units of work.

Work is counted in elementary operations, so what is mined does not depend on the speed of the machine. Seconds are
limited only if the user says so. A step that has no effort left is given up whole, because half of its candidates
would be judged by half of their rivals; what was given up is told in one note.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from numbers import Real
from time import monotonic
from typing import TypeVar

from unwritten.errors import DataError

T = TypeVar("T")

SHARE = 0.5  # of the time that is left, for one step
LATE, HARD = "late", "hard"
CURES = {
    LATE: "because the time limit was reached: give more seconds (time_limit, --time-limit), or mine fewer columns",
    HARD: "because this would take too much work: mine fewer columns or rows at a time",
}


class SpentError(Exception):
    """The step at hand has no effort left; `reason` says of which kind."""

    def __init__(self, reason: str) -> None:
        super().__init__(CURES[reason])
        self.reason = reason


@dataclass
class Effort:
    """What is left: `work` for the step at hand, and time until `end` for all steps; `given_up` is shared by all."""

    work: float = inf
    end: float = inf
    given_up: dict[str, str] = field(default_factory=dict)

    @classmethod
    def lasting(cls, seconds: object) -> Effort:
        """Return the effort of all of mining, which ends after so many seconds from now; None for no limit."""
        if seconds is None:
            return cls()
        if isinstance(seconds, bool) or not isinstance(seconds, Real) or not isfinite(seconds) or seconds < 0:
            raise DataError(f"time_limit is {seconds!r}: use seconds, or None for no limit")
        return cls(end=monotonic() + float(seconds))

    def spend(self, work: float = 0) -> None:
        """Take this work from what is left; raise `SpentError` if that or the time does not suffice."""
        self.work -= work
        if self.work < 0:
            raise SpentError(HARD)
        if monotonic() > self.end:
            raise SpentError(LATE)

    def within(self, work: float, name: str, step: Callable[[Effort], T], otherwise: T) -> T:
        """Return what a step returns within so much work; if that or the time does not suffice, return `otherwise`.

        No step may take more than half of the time that is left, so that one of them does not starve all others.
        """
        now = monotonic()
        part = replace(self, work=work, end=now + SHARE * (self.end - now))
        try:
            part.spend()
            return step(part)
        except SpentError as spent:
            self.given_up.setdefault(name, spent.reason)
            return otherwise

    def notes(self) -> tuple[str, ...]:
        """Return what was given up, and what the user can do."""
        reasons = dict.fromkeys(self.given_up.values())
        return tuple(f"not searched to the end: {self._named(reason)}, {CURES[reason]}" for reason in reasons)

    def _named(self, reason: str) -> str:
        return ", ".join(name for name, own in self.given_up.items() if own == reason)
