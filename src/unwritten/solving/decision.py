"""Decisions: what comes back from a query, and how far it can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import BoolArray, FloatArray, IntArray

NO_LABEL = np.iinfo(np.int64).min
"""Fills the label of a query that has no answer; its value is NaN and its status says why."""


class Status(StrEnum):
    """How a query ended; `remedy` says what to do about it."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    TIME_LIMIT = "time_limit"
    FAILED = "failed"

    @property
    def remedy(self) -> str:
        """One sentence for a person."""
        return {
            Status.OPTIMAL: "nothing to do",
            Status.FEASIBLE: "the label obeys all rules but may not be the best: raise time_limit or lower mip_gap",
            Status.INFEASIBLE: "no label obeys all rules: drop or relax one of the clashing rules",
            Status.TIME_LIMIT: "no label was found in time: raise time_limit",
            Status.FAILED: "every solver tried has failed: try another backend=",
        }[self]


@dataclass(eq=False)
class Answers:
    """An engine's reply to m queries, before anyone has checked it. Weights are to be maximised here."""

    labels: IntArray
    bounds: FloatArray
    status: NDArray[Any]
    used_cuts: BoolArray
    notes: NDArray[Any]
    out_of_time: BoolArray  # the time limit was spent, so that no other engine should be asked

    @classmethod
    def blank(cls, m: int, width: int) -> Answers:
        """m failed answers, to be filled in."""
        return cls(
            np.full((m, width), NO_LABEL),
            np.full(m, np.inf),
            np.array([Status.FAILED] * m, object),  # np.full would make plain texts of them
            np.ones(m, bool),
            np.full(m, "", object),
            np.zeros(m, bool),
        )


@dataclass(frozen=True)
class Decision:
    """One answered query."""

    label: IntArray
    value: float
    bound: float
    status: Status
    proof: str | None
    engine: str
    seen_value: float
    note: str

    @property
    def proven(self) -> bool:
        """Whether the label is certainly optimal: by the data, or if the mined rules hold."""
        return self.proof is not None

    @property
    def gap(self) -> float:
        """How much the best seen label may fall short of the true optimum, at most."""
        return abs(self.bound - self.seen_value)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Answers to m queries, as arrays of length m.

    `proof` is "data" (a seen label attains the maximum over the cuts and the given rows), "rules" (it does once the
    mined rules are added: optimal if those rules hold) or None. `bounds` limits the value from the other side;
    `seen_values` is the best that any seen label attains, so `gaps` brackets the true optimum.
    """

    labels: IntArray
    values: FloatArray
    bounds: FloatArray
    status: NDArray[Any]
    proof: NDArray[Any]
    engine: NDArray[Any]
    seen_values: FloatArray
    notes: tuple[str, ...]
    clash: tuple[str, ...] = ()

    @property
    def proven(self) -> BoolArray:
        """Whether each label is proven, by either kind of proof."""
        return np.array([kind is not None for kind in self.proof], bool)

    @property
    def gaps(self) -> FloatArray:
        """|bound − best seen value|: how much the best seen label may fall short of the true optimum, at most."""
        return np.abs(self.bounds - self.seen_values)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: int) -> Decision:
        return Decision(
            self.labels[i],
            float(self.values[i]),
            float(self.bounds[i]),
            self.status[i],
            self.proof[i],
            self.engine[i],
            float(self.seen_values[i]),
            self.notes[i],
        )

    def __iter__(self) -> Iterator[Decision]:
        return (self[i] for i in range(len(self)))

    def summary(self) -> str:
        """A few lines a person would paste into a mail."""
        total = len(self)
        counts = Counter(str(status) for status in self.status)
        lines = [f"{total} queries: " + ", ".join(f"{count} {status}" for status, count in counts.most_common())]
        for kind, words in (("data", "by the data alone"), ("rules", "if the mined rules hold")):
            count = sum(1 for proof in self.proof if proof == kind)
            lines.append(f"proven {words}: {count}")
        lines.append("engines: " + ", ".join(f"{e} {c}" for e, c in Counter(self.engine.tolist()).most_common()))
        noted = sum(1 for note in self.notes if note)
        if noted:
            lines.append(f"with a note (fallbacks, limits): {noted}; the first: {next(n for n in self.notes if n)}")
        if self.clash:
            lines.append("rows that cannot hold together: " + "; ".join(self.clash))
        return "\n".join(lines)

    __str__ = summary
