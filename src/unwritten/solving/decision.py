"""Decisions: the answers to queries, and how far each can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.data.frames import FrameLike
from unwritten.data.html import html_table
from unwritten.evidence.answer_forecast import AnswerForecast
from unwritten.solving.label_text import label_text
from unwritten.solving.solver_choices import ProofKind

ROWS_SHOWN = 20  # of the table that a notebook shows

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
        """What to do about this status, in one sentence."""
        return {
            Status.OPTIMAL: "nothing to do",
            Status.FEASIBLE: "the label obeys all rules but may not be the best: raise time_limit or lower mip_gap",
            Status.INFEASIBLE: "no label obeys all rules: drop or relax one of the clashing rules",
            Status.TIME_LIMIT: "no label was found in time: raise time_limit",
            Status.FAILED: "every solver tried has failed: try another backend=",
        }[self]


@dataclass(eq=False)
class Answers:
    """An engine's answers to m queries, before they are checked. Weights are maximised here.

    `used_cuts` is True if a cut excluded a better label. `out_of_time` is True if the query's time is spent, so that
    no other engine should try. `verified` is True if "optimal" or "infeasible" does not rest on the word of one solver.
    """

    labels: IntArray
    bounds: FloatArray
    status: NDArray[Any]
    used_cuts: BoolArray
    notes: NDArray[Any]
    out_of_time: BoolArray
    verified: BoolArray

    @classmethod
    def blank(cls, m: int, width: int) -> Answers:
        """Return m failed answers, to be filled in."""
        return cls(
            np.full((m, width), NO_LABEL),
            np.full(m, np.inf),
            np.array([Status.FAILED] * m, object),  # np.full would make plain texts of them
            np.ones(m, bool),
            np.full(m, "", object),
            np.zeros(m, bool),
            np.zeros(m, bool),
        )


@dataclass(frozen=True, repr=False)
class Decision:
    """The answer to one query; the fields are those of `Decisions`."""

    label: IntArray
    value: float
    bound: float
    status: Status
    proof: ProofKind | None
    engine: str
    seen_value: float
    note: str
    names: tuple[str, ...] = ()
    forecast: AnswerForecast | None = None

    @property
    def proven(self) -> bool:
        """True if the label is certainly optimal: by the data, or if the mined rules hold."""
        return self.proof is not None

    @property
    def has_label(self) -> bool:
        """True if the query has an answer."""
        return bool(self.label[0] != NO_LABEL)

    @property
    def gap(self) -> float:
        """|bound − value|: the most by which the label may fall short of the best one; infinite without a label."""
        return abs(self.bound - self.value) if self.has_label else inf

    @property
    def text(self) -> str:
        """The names of the label's non-zero entries, or its numbers if there are no names; shortened."""
        return label_text(self.label, self.names) if self.has_label else "no label"

    def _repr_html_(self) -> str:
        heads = ("label", "value", "bound", "status", "proven by", "engine")
        value = self.value if self.has_label else None
        row = (self.text, value, self.bound, str(self.status), self.proof, self.engine)
        return html_table(heads, [row], self.note)

    def __repr__(self) -> str:
        proof = f", proven by {self.proof}" if self.proof else ""
        value = f", value {self.value:g}" if self.has_label else ""
        return f"Decision({self.status}{proof}{value}: {self.text})"


@dataclass(frozen=True, eq=False, repr=False)
class Decisions:
    """The answers to m queries, as arrays of length m.

    `proof` is "data" (a seen label attains the maximum over the cuts and the given rows), "rules" (it does once the
    mined rules are added: the label is optimal if those rules hold) or None. The word of one solver is no proof: our
    own search or an independent solver must confirm it, or else a note says so. No label has a value beyond `bounds`.
    `seen_values` is the best value of any seen label, so the true optimum lies between it and `bounds`. `engine` names
    the engine, and the back end if it needs one. `notes` tell of fallbacks and limits. `clash` are rows that cannot
    hold together, if a query is infeasible. `names` are those of the label entries. `forecast` says how often such
    answers are right, if the model has tried that on held-out examples.
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
    names: tuple[str, ...] = ()
    frame_kind: FrameLike = field(default_factory=FrameLike)
    forecast: AnswerForecast | None = None

    def to_frame(self) -> Any:
        """A frame with a row per query: the label, then value, bound, status, proof and engine.

        It is the kind of frame that the weights came in; an Arrow table if they came as an array.
        """
        names = self.names or tuple(f"y{j}" for j in range(self.labels.shape[1]))
        columns: dict[str, Any] = dict(zip(names, self.labels.T.tolist(), strict=True))
        columns |= {"value": self.values.tolist(), "bound": self.bounds.tolist()}
        columns |= {"status": [str(status) for status in self.status], "proof": list(self.proof)}
        return self.frame_kind.table(columns | {"engine": list(self.engine)}, keep_index=True)

    @classmethod
    def joined(cls, parts: Sequence[Decisions], order: IntArray) -> Decisions:
        """Return the decisions of all parts in the given order, in which places may repeat."""
        if len(parts) == 1 and np.array_equal(order, np.arange(len(parts[0]))):
            return parts[0]
        notes = [note for part in parts for note in part.notes]
        return cls(
            np.concatenate([part.labels for part in parts])[order],
            np.concatenate([part.values for part in parts])[order],
            np.concatenate([part.bounds for part in parts])[order],
            np.concatenate([part.status for part in parts])[order],
            np.concatenate([part.proof for part in parts])[order],
            np.concatenate([part.engine for part in parts])[order],
            np.concatenate([part.seen_values for part in parts])[order],
            tuple(notes[i] for i in order),
            names=parts[0].names,
        )

    @property
    def proven(self) -> BoolArray:
        """True for each label that is proven, by either kind of proof."""
        return np.array([kind is not None for kind in self.proof], bool)

    @property
    def gaps(self) -> FloatArray:
        """|bound − value|: the most by which each label may fall short of the best one; infinite without a label."""
        return np.where(np.isnan(self.values), np.inf, np.abs(self.bounds - self.values))

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
            self.names,
            self.forecast,
        )

    def __iter__(self) -> Iterator[Decision]:
        return (self[i] for i in range(len(self)))

    def summary(self) -> str:
        """A few lines a person would paste into a mail."""
        lines = [f"{_queries(len(self))}: {self._status_counts()}"]
        for kind, words in (("data", "by the data alone"), ("rules", "if the mined rules hold")):
            count = sum(1 for proof in self.proof if proof == kind)
            lines.append(f"proven {words}: {count}")
        lines.append("engines: " + ", ".join(f"{e} {c}" for e, c in Counter(self.engine.tolist()).most_common()))
        if self.forecast is not None:
            lines.append(f"forecast: {self.forecast}")
        notes = [note for note in self.notes if note]
        if notes:
            lines.append(f"with a note (fallbacks, limits): {len(notes)}; the first: {notes[0]}")
        if self.clash:
            lines.append("rows that cannot hold together: " + "; ".join(self.clash))
        return "\n".join(lines)

    __str__ = summary

    def __repr__(self) -> str:
        return f"Decisions({self._headline()})"

    def _repr_html_(self) -> str:
        heads = ("label", "value", "bound", "status", "proven by", "engine")
        rows = [
            (one.text, one.value if one.has_label else None, one.bound, str(one.status), one.proof, one.engine)
            for one in (self[i] for i in range(min(len(self), ROWS_SHOWN)))
        ]
        caption = self._headline()
        return html_table(heads, rows, caption + (f"; the first {ROWS_SHOWN}" if len(self) > ROWS_SHOWN else ""))

    def _headline(self) -> str:
        statuses = self._status_counts()
        return f"{_queries(len(self))}: " + (f"{statuses}, " if statuses else "") + f"{int(self.proven.sum())} proven"

    def _status_counts(self) -> str:
        counts = Counter(str(status) for status in self.status)
        return ", ".join(f"{count} {status}" for status, count in counts.most_common())


def joined_notes(*notes: str) -> str:
    """Join the notes that are not empty."""
    return "; ".join(note for note in notes if note)


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count} queries"
