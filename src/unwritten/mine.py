"""The door: from examples to a model. Whoever reads this function knows the method."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from unwritten.data import Examples
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.sources import (
    computed,
    mine_distributed,
    mine_noisy,
    mine_table,
    mine_tally,
    noise_rate,
    stays_apart,
)
from unwritten.tables import Table
from unwritten.tally.wide_tally import tally_of


def mine(
    labels: object,
    weights: object = None,
    *,
    sense: str = "max",
    rules: str | Sequence[str] = "auto",
    slack: object = "auto",
    prior: object = None,
    lifts: Any = (),
    names: Sequence[str] | None = None,
    bounds: tuple[Sequence[int] | int, Sequence[int] | int] | None = None,
    confidence: float = 0.95,
    symmetries: object = (),
    noise: float | str = 0,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Model:
    """Mine the rules that all labels obey, and the cuts that their weights imply.

    Parameters
    ----------
    labels
        Decided labels, n × d integers: an array, a scipy.sparse matrix, or a data frame; or a `Table`, whose columns
        may hold anything. A Dask array or data frame, or a list of Parquet files, is tallied partition by partition.
    weights
        The weights each label was optimal for (n × d), if known; the cuts of Dask collections stay in their partitions.
    sense
        Whether labels maximise ("max") or minimise ("min") their weights.
    rules
        "auto" (what the examples support), or names of miners: "groups", "equalities", "pairs", "matroid", "covers",
        "ranks".
        ["equalities"] is the paper's Outer+EQ, [] its Outer.
    slack
        "auto" (computed where labels are not optimal for their weights), 0, or one value per example.
    prior
        Rows already known: a RuleSet, triples such as ([1, 1, 0], "<=", 1), or sentences such as "a requires b".
    lifts
        Latent variables: "pairs", or objects of your own.
    names, bounds
        Names of the columns, and a pair (lower, upper); read off the data by default.
    confidence
        How sure a rule must be that it is no accident of the examples. Only "equalities" by name take no heed of it.
    symmetries
        Permutations of the variables that turn decided labels into others that could have been decided: each example
        then stands for all its images. Lists of places, mappings, or `interchangeable(...)` and `relabelled(...)`.

    noise
        The share of examples that may be wrong, or "auto" to estimate it. Rules then hold on all but so many; the
        examples that break one are the model's `suspects`, and nothing is called proven if there are any.
    checkpoint
        Of a `Table`: a file to go on from if the run is killed, removed at the end.

    Examples
    --------
    >>> model = mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 2, names=["red", "green", "blue"])
    >>> print(model.rules)
    exactly one of red, green, blue
    >>> model.predict([[0.2, 0.9, 0.4]])
    array([[0, 1, 0]])
    """
    options: dict[str, Any] = {
        "rules": rules,
        "slack": slack,
        "prior": prior,
        "lifts": lifts,
        "confidence": confidence,
        "symmetries": symmetries,
    }
    rate = noise_rate(noise)
    if isinstance(labels, Table):
        if names is not None or bounds is not None:
            raise DataError("a table has names and bounds of its own: give its columns types instead")
        return mine_table(labels, weights, sense, rate, options, checkpoint)
    if checkpoint is not None:
        raise DataError("only a table is mined with a checkpoint: give a Table, or batches to mine_stream")
    if rate == 0 and stays_apart(labels, weights, options):
        return mine_distributed(labels, weights, sense, names, bounds, options)
    labels, weights = computed(labels), computed(weights)
    examples = Examples.of(labels, weights, sense=sense, names=names, bounds=bounds)
    if rate == 0:
        return mine_tally(examples, tally_of(examples.labels), **options)
    return mine_noisy(examples, rate, options)
