"""DecodeReport: the held-out scores of all ways to decode, and which was chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

from unwritten.sklearn.parameter_types import ProbabilityKind, Scoring


@dataclass(frozen=True)
class DecodeReport:
    """How labels and probabilities are decoded, and why.

    `scores` are those of the ways to decode on samples that their scorer and rules were not fitted on, or with the
    rules of all samples if these make a way worse; larger is better. `log_losses` are those of the probabilities,
    smaller is better. Both are empty if nothing had to be chosen, and `note` says why.
    """

    decode: str
    probabilities: ProbabilityKind
    scoring: Scoring
    scores: dict[str, float] = field(default_factory=dict)
    log_losses: dict[str, float] = field(default_factory=dict)
    note: str = ""

    def __str__(self) -> str:
        lines = [
            f"labels by {self.decode}, probabilities: {self.probabilities}" + (f" ({self.note})" * bool(self.note))
        ]
        width = max(map(len, (*self.scores, *self.log_losses)), default=0)
        for title, values in ((self.scoring, self.scores), ("log loss of probabilities", self.log_losses)):
            lines += [f"{title}, held out:"] * bool(values)
            lines += [f"  {name:<{width}}  {value:.4f}" for name, value in values.items()]
        return "\n".join(lines)
