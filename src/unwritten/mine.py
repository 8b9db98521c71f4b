"""Mine a model from examples. Read `mine` and `build` to know the method."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, Literal

import numpy as np

from unwritten.data import Sense
from unwritten.data.declared_axes import Axes
from unwritten.effort import LATE, Effort, SpentError
from unwritten.mining import fit_lifts, lifted_labels, lifted_variables, run_miners
from unwritten.mining.facts import (
    Sample,
    accidents,
    drawn,
    listed_codes,
    mine_facts,
    mine_noisy_facts,
    rest_on_copies,
    seen_together,
)
from unwritten.model import Model
from unwritten.model.edits import joined_facts
from unwritten.model.known_rules import given_facts, given_gaps, known_rules
from unwritten.model.with_values import with_value_rules
from unwritten.options import Bounds, MiningOptions, Rules
from unwritten.progress import Progress, shown_progress
from unwritten.rules import Evidence, Gaps
from unwritten.rules.patterns import with_siblings
from unwritten.sources import Checkpoint, Gathered, open_source
from unwritten.tables import Table
from unwritten.tally import Symmetry
from unwritten.verification import contradicting, mine_despite_noise, mined_without, verified, with_forecast

CONTRADICTS = "what is claimed by the weights and labels of the other examples contradicts them"
CLAIMS_ALONE = "they alone claim that labels are not allowed which the rules behind all other examples allow"


def mine(
    labels: object,
    weights: object = None,
    *,
    sense: Sense = "max",
    rules: Rules = "auto",
    slack: object = "auto",
    prior: object = None,
    lifts: Any = (),
    names: Sequence[str] | None = None,
    bounds: Bounds | None = None,
    axes: Axes | None = None,
    confidence: float = 0.95,
    symmetries: Any = (),
    noise: float | Literal["auto"] = 0,
    types: Mapping[str, str] | None = None,
    checkpoint: str | os.PathLike[str] | Checkpoint | None = None,
    cuts: str | os.PathLike[str] = "memory",
    most_kept: int | None = None,
    time_limit: float | None = None,
    progress: bool | Progress | None = None,
) -> Model:
    """Mine the rules that all labels obey, and the cuts that their weights imply.

    Parameters
    ----------
    labels
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
    sense
        "max" if labels maximise their weights, "min" if they minimise them.
    rules
        "auto" (the rules that the examples support), or the names of miners: "groups", "equalities", "pairs",
        "matroid", "covers", "ranks", "gaps", "bounds", "values", "capacities", "limits". ["equalities"] is the paper's
        Outer+EQ, [] its Outer.
    slack
        "auto" (computed if labels are not optimal for their weights), 0, or one number per example.
    prior
        Rules that are known already: a RuleSet, triples such as ([1, 1, 0], "<=", 1), or sentences such as
        "a requires b".
    lifts
        Latent variables: "pairs", "values", or objects of your own.
    names, bounds
        The names of the columns, and a pair (lower, upper); both are read off the data by default.
    axes
        What the columns are indexed by, if their names do not say: a mapping from each axis to its values in order,
        such as {"nurse": [1, 2, 3], "day": ["mon", "tue"]}. The columns run through the last axis fastest. For several
        grids of columns, one after the other, give a list of such mappings, or a mapping from the name of each grid to
        its axes. Columns without names are then called "nurse 1 / mon".
    confidence
        How sure a rule must be: the probability that some rule of its kind is an accident of the examples is at most
        1 − confidence. rules=["equalities"] ignores it.
    symmetries
        Permutations of the variables that turn feasible labels into feasible labels; each example then counts as all
        its images. Lists of places, mappings, or `interchangeable(...)` and `relabelled(...)`.
    noise
        The share of examples that may be wrong, or "auto" to estimate it. Rules then hold on all but this share. The
        examples that break a rule are the model's `suspects`, and nothing is called proven if there are any. With
        limits, a few examples whose labels are not optimal for their weights are suspects, too; if there are no others,
        a proof needs two examples for each step.
    types
        The types of table columns by name, if they should not be detected: "category", "boolean", "integer",
        "skip", "bins:4" or "bins:10|20". `Table.of` has more options.
    checkpoint
        A file from which a killed run goes on, for tables and batches: a path, or a `Checkpoint`.
    cuts
        "memory", or the path of a .npy file in which the weights of batches are kept.
    most_kept
        How many integers of distinct labels to keep in memory, for tables and batches. If there are more, rules are
        mined from a fair sample of the labels and verified on all of them.
    time_limit
        Seconds for all of mining. When they are over, what is being searched for is given up, and what would come next
        is left out; the model's notes say what. What was mined before stays. None sets no limit, and what is mined
        then does not depend on the machine.
    progress
        True shows progress, False does not, None shows it in terminals and notebooks.

    Examples
    --------
    >>> model = mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40, names=["red", "green", "blue"])
    >>> print(model.rules)
    exactly one of red, green, blue
    >>> model.predict([[0.2, 0.9, 0.4]])
    array([[0, 1, 0]])
    """
    options = MiningOptions(
        sense=sense, rules=rules, slack=slack, prior=prior, lifts=lifts, names=names, bounds=bounds, axes=axes,
        confidence=confidence, symmetries=symmetries, noise=noise, effort=Effort.lasting(time_limit),
    )  # fmt: skip
    with shown_progress(progress) as report:
        source = open_source(
            labels, weights, options, types=types, checkpoint=Checkpoint.of(checkpoint), cuts=cuts,
            most_kept=most_kept, progress=report,
        )  # fmt: skip
        finished = False
        try:
            gathered = source.gather()  # one pass: the Gram matrix, the distinct labels, the weights
            report("mining", 0, 0)
            model = build_with_noise(gathered, options)
            model = verified(model, gathered, source, options, build_with_noise)  # drop what some example breaks
            if source.table is not None and options.automatic and weights is None:  # rules about whole columns
                report("looking for facts", 0, 0)
                model = _with_facts(model, source.table, options)
                if options.noise_rate == 0 and model.total is None and model.schema is not None:
                    rare = seen_together(model.schema, model.seen, model.counts, model.rules)
                    model = replace(model, facts=(*model.facts, *rare))
            model = _with_forecast(model, gathered, options, report)  # do rules or seen labels answer better?
            model = replace(model, notes=(*model.notes, *options.effort.notes()))
            finished = True
        finally:
            source.close(finished=finished)
    return model


def _with_forecast(model: Model, gathered: Gathered, options: MiningOptions, report: Progress) -> Model:
    """Return the model with the forecast of its answers, unless models of the trial lack rules for want of time."""
    if gathered.examples.weights is None:
        return model

    def step(effort: Effort) -> Model:
        own = replace(effort, given_up={})
        tried = with_forecast(model, gathered, replace(options, effort=own), build, report)
        if LATE in own.given_up.values():
            raise SpentError(LATE)
        return tried

    return options.effort.within(inf, "how often answers are right", step, model)


def _with_facts(model: Model, table: Table, options: MiningOptions) -> Model:
    """Return the model with the facts of its table; despite noise, rows that break one are the first suspects."""
    given = given_facts(options.prior, table)
    if options.noise_rate == 0:
        sample = drawn(table)
        model = replace(model, facts=joined_facts(given, mine_facts(table, options.confidence, sample, options.effort)))
        return without_accidents(model, sample, options.confidence)
    noisy = mine_noisy_facts(table, options.confidence, options.noise_rate, options.effort)
    suspects = list(dict.fromkeys([*noisy.suspects.tolist(), *model.suspects.tolist()]))
    return replace(model, facts=joined_facts(given, noisy.facts), suspects=np.array(suspects, np.int64))


def build_with_noise(gathered: Gathered, options: MiningOptions) -> Model:
    """Mine the examples that were gathered, some of which may be wrong if the options say so."""
    if options.noise_rate == 0 or not len(gathered.examples.variables):
        return build(gathered, options)
    return mine_despite_noise(gathered, options, build)


def build(gathered: Gathered, options: MiningOptions) -> Model:
    """Mine the examples that were gathered."""
    examples, schema = gathered.examples, gathered.schema
    if schema is not None and not schema.used:  # only facts about whole columns can be mined
        return Model.of_rows(gathered.tally.n, schema, gathered.about, gathered.notes)
    wrong_rows = options.noise_rate is not None and options.noise_rate > 0  # they look as if rows changed all the time
    tally = replace(gathered.tally, weight=1.0 if wrong_rows else gathered.weight)
    symmetry = Symmetry.of(options.symmetries, examples.variables)
    if len(symmetry):  # each example counts as all its images
        tally, examples = symmetry.tally(tally), symmetry.examples(examples)
    variables = examples.variables
    latents = fit_lifts(options.lifts, tally.seen, variables)  # h(y), section 3.3 of the paper
    extended, seen = lifted_variables(latents, variables), lifted_labels(latents, tally.seen)
    gaps = given_gaps(options.prior, variables, tally.seen, Evidence(tally.n), schema)
    known = known_rules(options.prior, latents, variables, extended, seen, tally.n, schema)
    cuts = gathered.cuts(examples, tally.seen, options.slack)  # eq. 2 and 4
    wrong, wrong_note = contradicting(gathered, options, cuts)
    if wrong.any():  # without a few wrong examples, all others are optimal
        return mined_without(gathered, options, build, wrong, CONTRADICTS)
    mined, redundant = run_miners(  # groups, equalities (eq. 5), pairs, matroids, covers, ranks, gaps; habits; limits
        tally, seen, known, examples, options,
        blocks=() if schema is None else schema.blocks, grid_cells=None if schema is None else schema.alike,
        optimal=examples.weights is not None and cuts.exact,
    )  # fmt: skip
    if len(mined.suspects):
        wrong[mined.suspects] = True
        return mined_without(gathered, options, build, wrong, CLAIMS_ALONE)
    mined = mined.with_note(wrong_note)
    stated = known + mined.rules
    if schema is not None and schema.alike.any():  # state all groups of a grid, though some follow from the others
        stated, redundant = stated + redundant, redundant[:0]
    elif schema is None and options.automatic:  # a pattern without gaps is said in one sentence
        stated, redundant = with_siblings(stated, redundant)
    model = Model(
        variables,
        stated,
        redundant,
        cuts,
        tally.seen,
        tally.counts,
        options.sense,
        latents,
        (*gathered.notes, *mined.notes),
        mined.matroid,
        schema=schema,
        about=gathered.about,
        doubtful=mined.doubtful,
        habits=mined.habits,
        gaps=gaps + Gaps(variables, tuple(gap for gap in mined.gaps if not gaps.imply(gap))),
    )
    return model if mined.values is None else with_value_rules(model, mined.values)


def without_accidents(model: Model, sample: Sample, confidence: float) -> Model:
    """The model without rules that rest on rows which repeat others, and without lists of codes."""
    schema = model.schema
    if schema is None or not len(model.rules):
        return model
    copied = rest_on_copies(model.rules, schema, sample, model.facts, confidence)
    unsaid = listed_codes(model.rules, schema) | copied  # dependencies say what they say
    if unsaid.any():
        model = replace(model, rules=model.rules[~unsaid], redundant=model.redundant[:0])
    doubtful = accidents(model.rules, schema, sample, confidence)
    if not doubtful.any():
        return model
    count = int(doubtful.sum())
    are = "rule is" if count == 1 else "rules are"
    note = f"{count:,} {are} left out: they rest on rows that repeat the ones before"
    return replace(model, rules=model.rules[~doubtful], redundant=model.redundant[:0], notes=(*model.notes, note))
