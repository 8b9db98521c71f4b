"""Mine a model from examples. Read `mine`, then `building/exact_model.py`, to know the method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from typing import Any, Literal

from unwritten.building import build, with_facts
from unwritten.effort import Effort
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.options import MiningOptions, Rules, Settings
from unwritten.progress import Progress, shown_progress
from unwritten.sources import open_source
from unwritten.verification import verified, with_forecast


def mine(
    data: object,
    weights: object = None,
    *,
    names: Sequence[str] | None = None,
    types: Mapping[str, str] | None = None,
    prior: object = None,
    noise: float | Literal["auto"] = 0,
    confidence: float = 0.95,
    rules: Rules = "auto",
    progress: bool | Progress | None = None,
    settings: Settings | None = None,
    **expert: Any,
) -> Model:
    """Mine the rules that all labels obey, and the cuts that their weights imply.

    Parameters
    ----------
    data
        The decisions, in any of these forms:

        - labels, n × d integers: an array, a list of rows, a scipy.sparse matrix, or a data frame of integers, whose
          columns may be a MultiIndex; or an xarray.DataArray whose first dimension are the examples;
        - a table whose columns may hold anything: the path of a CSV, Parquet, Arrow or Excel file, a data frame with
          text, dates or missing values, a list of records (dicts from column to value), or a `Table`;
        - batches of labels, or of tuples (labels, weights): a list, a function that returns an iterable (both can be
          read again), or an iterator (which cannot);
        - a Dask array or data frame, or a list of Parquet files: counted partition by partition.
    weights
        The weights that each label was optimal for (n × d), if they are known.
    rules
        "auto" (the rules that the examples support), or the names of miners: "groups", "equalities", "pairs",
        "matroid", "covers", "ranks", "gaps", "bounds", "values", "capacities", "limits". ["equalities"] is the paper's
        Outer+EQ, [] its Outer.
    prior
        Rules that are known already: a RuleSet, triples such as ([1, 1, 0], "<=", 1), or sentences such as
        "a requires b".
    names
        The names of the columns of labels; read off a frame by default.
    confidence
        How sure a rule must be: the probability that some rule of its kind is an accident of the examples is at most
        1 − confidence. rules=["equalities"] ignores it.
    noise
        The share of examples that may be wrong, or "auto" to estimate it. Rules then hold on all but this share. The
        examples that break a rule are the model's `suspects`, and nothing is called proven if there are any. With
        limits, a few examples whose labels are not optimal for their weights are suspects, too; if there are no others,
        a proof needs two examples for each step.
    types
        The types of table columns by name, if they should not be detected: "category", "boolean", "integer",
        "skip", "bins:4" or "bins:10|20". `Table.of` has more options.
    progress
        True shows progress, False does not, None shows it in terminals and notebooks.
    settings, expert
        `Settings` for everything else: the sense of the weights, slack, latent variables, bounds, axes, symmetries,
        checkpoints, and limits of memory and time. Each of them can be given here by its name, too.

    Examples
    --------
    >>> model = mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40, names=["red", "green", "blue"])
    >>> print(model.rules)
    exactly one of red, green, blue
    >>> model.predict([[0.2, 0.9, 0.4]])
    array([[0, 1, 0]])
    """
    chosen = _with_expert(Settings() if settings is None else settings, expert)
    options = MiningOptions(
        **vars(chosen), names=names, prior=prior, noise=noise, confidence=confidence, rules=rules,
        effort=Effort.lasting(chosen.time_limit),
    )  # fmt: skip
    with shown_progress(progress) as report:
        source = open_source(data, weights, options, types=types, progress=report)
        finished = False
        try:
            gathered = source.gather()  # one pass: the Gram matrix, the distinct labels, the weights
            report("mining", 0, 0)
            model = build(gathered, options)  # symmetries, lifts, known rules, miners, cuts; without wrong examples
            model = verified(model, gathered, source, options)  # drop what some example breaks
            if source.table is not None and options.automatic and weights is None:
                report("looking for facts", 0, 0)
                model = with_facts(model, source.table, options)  # rules about whole columns
            model = with_forecast(model, gathered, options, report)  # do rules or seen labels answer better?
            model = replace(model, notes=(*model.notes, *options.effort.notes()))
            finished = True
        finally:
            source.close(finished=finished)
    return model


def _with_expert(settings: Settings, expert: dict[str, Any]) -> Settings:
    """The settings, in which those that are given by their names replace others."""
    if not isinstance(settings, Settings):
        raise DataError(f"settings is {settings!r}: use unwritten.Settings(...)")
    names = [field.name for field in fields(Settings)]
    for name in expert:
        if name not in names:
            close = get_close_matches(name, [*names, "noise", "names", "types", "prior", "confidence", "rules"], 1)
            better = f"did you mean {close[0]}?" if close else f"use one of {', '.join(names)}"
            raise TypeError(f"mine() got an unexpected keyword argument {name!r}: {better}")
    return replace(settings, **expert)
