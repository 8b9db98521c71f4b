"""The header of a saved model: what its JSON holds, entry by entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from unwritten.data import Sense
from unwritten.evidence.answer_forecast import AnswerForecast
from unwritten.rules.gaps.gap import GapKind
from unwritten.shapes import Count, Prose, Scalar

Numbers = tuple[float, ...] | None  # the evidence of a rule


@dataclass(frozen=True)
class SavedLift:
    """The name of a lift, and what its `restore` takes."""

    name: str
    state: Any


@dataclass(frozen=True)
class SavedGap:
    """A gap, whose numbers are checked by `Gap`."""

    kind: GapKind
    variables: tuple[str, ...]
    numbers: tuple[int, ...]
    origin: Literal["mined", "given"]
    evidence: Numbers


@dataclass(frozen=True)
class SavedFact:
    """A fact; what its meaning holds depends on its kind."""

    kind: str
    meaning: Any
    origin: Literal["mined", "given"]
    evidence: Numbers


@dataclass(frozen=True)
class SavedHeader:
    """All entries; those with a default are absent in older files, or where there is nothing to say.

    Entries of type `Any` are checked by the class that restores them.
    """

    names: tuple[str, ...]
    declared: bool
    sense: Sense
    cuts_exact: bool
    lifts: tuple[SavedLift, ...]
    notes: tuple[Prose, ...]
    origins: tuple[Literal["mined", "given", "definition"], ...]
    evidence: tuple[Numbers, ...]
    redundant_evidence: tuple[Numbers, ...]
    doubtful_evidence: tuple[Numbers, ...] | None = None
    habit_evidence: tuple[Numbers, ...] = ()
    schema: Any = None
    dropped: tuple[str | tuple[dict[str, int], Literal["==", "<="], int], ...] = ()
    about: dict[str, Scalar] = field(default_factory=dict)
    total: Count | None = None
    forecast: AnswerForecast | None = None
    companions: tuple[Any, ...] = ()  # older files kept values that were seen together apart from facts
    sums: tuple[int, ...] = ()
    layout: Any = None
    gaps: tuple[SavedGap, ...] = ()
    dropped_gaps: tuple[str, ...] = ()  # this entry and the next one: older files only
    facts: tuple[SavedFact, ...] = ()
    dropped_facts: tuple[str, ...] = ()
