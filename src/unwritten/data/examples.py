"""Examples: the labels that were decided and, where known, the weights each was optimal for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from unwritten.data.arrays import BoolArray, FloatArray, IntArray, frozen, labels_from, weights_from
from unwritten.data.variables import Variables
from unwritten.errors import DataError

Sense = Literal["max", "min"]


@dataclass(frozen=True, eq=False)
class Examples:
    """Checked labels (n × d), optional weights (n × d) and the sense they were optimised in.

    >>> Examples.of([[1, 0], [0, 1]], weights=[[3.0, 1.0], [1.0, 2.0]])
    Examples(2 labels of 2 variables, with weights to max)
    """

    variables: Variables
    labels: IntArray
    weights: FloatArray | None = None
    sense: Sense = "max"

    @classmethod
    def of(
        cls,
        labels: object,
        weights: object = None,
        *,
        sense: str = "max",
        names: Sequence[str] | None = None,
        bounds: tuple[Sequence[int] | int, Sequence[int] | int] | None = None,
        variables: Variables | None = None,
    ) -> Examples:
        """Read and check what the user gave; every later part relies on it."""
        if isinstance(labels, Examples):
            if any(part is not None for part in (weights, names, bounds, variables)):
                raise DataError("these examples carry their own weights, names and bounds: give those to Examples.of")
            return labels
        array, found = labels_from(labels, order=None if variables is None else variables.names)
        if array.shape[0] == 0:
            raise DataError("labels are empty: give at least one example")
        turned = sense_of(sense)
        if variables is None:
            variables = Variables.of(array, names if names is not None else found, bounds)
        elif len(variables) != array.shape[1]:
            raise DataError(
                f"labels have {array.shape[1]} columns but {len(variables)} variables were declared: "
                "give one column per variable"
            )
        else:
            variables.require(array)
        checked = None
        if weights is not None:
            checked = weights_from(weights, len(variables), order=found or variables.names)
            if len(checked) != len(array):
                raise DataError(
                    f"there are {len(array)} labels but {len(checked)} rows of weights: "
                    "give one row of weights per label"
                )
            frozen(checked)
        return cls(variables, frozen(array), checked, turned)

    def __getitem__(self, which: BoolArray) -> Examples:
        """Some of the examples, over the same variables."""
        weights = None if self.weights is None else frozen(self.weights[which])
        return Examples(self.variables, frozen(self.labels[which]), weights, self.sense)

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        weights = "no weights" if self.weights is None else f"with weights to {self.sense}"
        return f"Examples({len(self)} labels of {len(self.variables)} variables, {weights})"


def sense_of(sense: str) -> Sense:
    """Whether labels maximise or minimise their weights, checked."""
    if sense not in ("max", "min"):
        raise DataError(f"sense is {sense!r}: use 'max' or 'min'")
    return "max" if sense == "max" else "min"
