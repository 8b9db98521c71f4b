"""Examples: the labels that were decided and, if known, the weights that each label was optimal for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from unwritten.data.arrays import BoolArray, FloatArray, LabelArray, floats, frozen, labels_from, weights_from
from unwritten.data.labelled_data import layout_of
from unwritten.data.layout import Layout
from unwritten.data.variables import Variables
from unwritten.errors import DataError

Sense = Literal["max", "min"]


@dataclass(frozen=True, eq=False)
class Examples:
    """Checked labels (n × d), weights (n × d) or None, and whether the labels maximise or minimise the weights.

    >>> Examples.of([[1, 0], [0, 1]], weights=[[3.0, 1.0], [1.0, 2.0]])
    Examples(2 labels of 2 variables, with weights to max)
    """

    variables: Variables
    labels: LabelArray
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
        layout: Layout | None = None,
        variables: Variables | None = None,
    ) -> Examples:
        """Read and check labels and weights in any container.

        Names, bounds and the layout are read off the labels unless given; `variables` declares all at once.
        """
        if isinstance(labels, Examples):
            if any(part is not None for part in (weights, names, bounds, layout, variables)):
                raise DataError("these examples carry their own weights, names and bounds: give those to Examples.of")
            return labels
        array, own_names = labels_from(labels, order=None if variables is None else variables.names)
        if array.shape[0] == 0:
            raise DataError("labels are empty: give at least one example")
        checked_sense = sense_of(sense)
        if variables is None:
            layout = layout_of(labels) if layout is None else layout
            variables = Variables.of(array, names if names is not None else own_names, bounds, layout)
        elif len(variables) != array.shape[1]:
            raise DataError(
                f"labels have {array.shape[1]} columns but {len(variables)} variables were declared: "
                "give one column per variable"
            )
        else:
            variables.require(array)
        checked_weights = None
        if weights is not None:
            checked_weights = frozen(weights_from(weights, len(variables), order=own_names or variables.names))
            if len(checked_weights) != len(array):
                raise DataError(
                    f"there are {len(array)} labels but {len(checked_weights)} rows of weights: "
                    "give one row of weights per label"
                )
        return cls(variables, frozen(array), checked_weights, checked_sense)

    def __getitem__(self, which: BoolArray) -> Examples:
        """Return the examples that a mask chooses, with the same variables."""
        weights = None if self.weights is None else frozen(self.weights[which])
        return Examples(self.variables, frozen(self.labels[which]), weights, self.sense)

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        weights = "no weights" if self.weights is None else f"with weights to {self.sense}"
        return f"Examples({len(self)} labels of {len(self.variables)} variables, {weights})"


def sense_of(sense: str) -> Sense:
    """Return `sense` if it is "max" or "min", else raise."""
    if sense not in ("max", "min"):
        raise DataError(f"sense is {sense!r}: use 'max' or 'min'")
    return "max" if sense == "max" else "min"


def maximised(weights: FloatArray, sense: Sense) -> FloatArray:
    """The weights with the sign that makes larger values better."""
    return weights if sense == "max" else -weights


def given_slack(slack: object, n: int) -> FloatArray | None:
    """The slack of each of n examples as an array, or None if it is to be computed ("auto")."""
    if isinstance(slack, str):
        if slack == "auto":
            return None
        raise DataError(f"slack is {slack!r}: use 0, 'auto', or one number per example")
    values = floats(slack, "slack values")
    if values.shape not in ((), (n,)):
        raise DataError(f"slack has shape {values.shape} for {n} examples: use 0, 'auto', or one number per example")
    if (values < 0).any():
        raise DataError("slack must not be negative: use 0, 'auto', or one number per example")
    return values if values.ndim else np.full(n, values)
