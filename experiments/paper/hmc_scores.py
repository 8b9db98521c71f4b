"""The scores of every method on one base network of hierarchical classification."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HmcScore:
    """Percentages in the order of HMC_MEASURES.

    Because some queries may stay undecided, the true EM lies between `em` and `at_most`. Undecided queries count as
    infeasible and are left out of the label accuracy.
    """

    em: float
    feasibility: float
    accuracy: float | None
    at_most: float
    queries: int
    undecided: int = 0

    @property
    def numbers(self) -> tuple[float, float, float | None]:
        """The three percentages of the paper's table."""
        return self.em, self.feasibility, self.accuracy


@dataclass(frozen=True)
class BaseOutcome:
    """One base network and the scores of every method on it."""

    base: str
    train_em: float
    scores: dict[str, HmcScore]

    @property
    def is_weak(self) -> bool:
        """True if Outer was asked about a few rows only, because the network is weak."""
        return self.scores["Outer"].queries < self.scores["Inner"].queries

    def gain(self, method: str) -> float:
        """Return how much EM a method adds to thresholding the scores."""
        return self.scores[method].em - self.scores["Baseline"].em
