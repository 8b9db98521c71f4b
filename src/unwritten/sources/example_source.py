"""The protocol of a source of examples, and the result of reading it (`Gathered`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from unwritten.data import Examples, IntArray, Sense, Variables
from unwritten.mining import Cuts, outer_cuts
from unwritten.sources.label_test import LabelTest, LabelTestResult
from unwritten.tables import Schema, Table
from unwritten.tally import Tally


class WeightStore(Protocol):
    """Weights that stay on disk or on a cluster; cuts are made and tested where the weights are."""

    def examples(self, variables: Variables, sense: Sense) -> Examples:
        """The first examples with their weights: as many as the matroid miner uses."""

    def cuts(self, variables: Variables, sense: Sense, seen: IntArray, slack: object) -> Cuts:
        """The cuts of all examples."""


@dataclass(frozen=True, eq=False)
class Gathered:
    """The result of one pass over all examples.

    Parameters
    ----------
    tally
        The tally to mine. If there were too many distinct labels, it has a fair sample of them, and `total` counts all.
    examples
        The labels and weights that are in memory.
    stored
        The weights that are not in memory.
    schema
        How the labels encode the rows of a table, if they come from one.
    about, notes
        Facts about the data, and notes for the user.
    weight
        What one label counts as evidence: less than 1 if labels follow one another.
    """

    tally: Tally
    examples: Examples
    total: Tally
    stored: WeightStore | None = None
    schema: Schema | None = None
    about: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    weight: float = 1.0

    def cuts(self, examples: Examples, seen: IntArray, slack: object) -> Cuts:
        """The cuts of all examples (eq. 2); `examples` are those in memory, with their images under symmetries."""
        if self.stored is None:
            return outer_cuts(examples, seen, slack)
        return self.stored.cuts(examples.variables, examples.sense, seen, slack)


class ExampleSource(Protocol):
    """Examples that are gathered in one pass, and read again if rules must be verified on all of them."""

    @property
    def table(self) -> Table | None:
        """The table that the examples are the rows of, if they come from one."""

    def gather(self) -> Gathered:
        """Read all examples once."""

    def scan(self, test: LabelTest) -> Iterable[LabelTestResult] | None:
        """Read all labels again and test them, block by block; None if the labels can be read only once."""

    def close(self, *, finished: bool) -> None:
        """Remove temporary files. If the run has not `finished`, keep those that it needs to go on."""
