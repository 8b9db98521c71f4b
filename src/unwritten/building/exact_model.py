"""Build a model from examples that were gathered: every step of mining, in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unwritten.building.some_examples import of_some
from unwritten.building.wrong_claims import contradicting, set_aside_note
from unwritten.data import BoolArray
from unwritten.mining import fit_lifts, lifted_labels, lifted_variables, run_miners
from unwritten.model import Model
from unwritten.model.known_rules import given_gaps, known_rules
from unwritten.model.with_values import with_value_rules
from unwritten.options import MiningOptions
from unwritten.rules import Evidence, Gaps
from unwritten.rules.patterns import with_siblings
from unwritten.sources import Gathered
from unwritten.tally import Symmetry

CONTRADICTS = "what is claimed by the weights and labels of the other examples contradicts them"
CLAIMS_ALONE = "they alone claim that labels are not allowed which the rules behind all other examples allow"


def build_exact(gathered: Gathered, options: MiningOptions) -> Model:
    """Mine examples of which none is wrong, but for a few whose claims contradict those of all others."""
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
        return _built_without(gathered, options, wrong, CONTRADICTS)
    mined, redundant = run_miners(  # groups, equalities (eq. 5), pairs, matroids, covers, ranks, gaps; habits; limits
        tally, seen, known, examples, options,
        blocks=() if schema is None else schema.blocks, grid_cells=None if schema is None else schema.alike,
        optimal=examples.weights is not None and cuts.exact,
    )  # fmt: skip
    if len(mined.suspects):
        wrong[mined.suspects] = True
        return _built_without(gathered, options, wrong, CLAIMS_ALONE)
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


def _built_without(gathered: Gathered, options: MiningOptions, wrong: BoolArray, reason: str) -> Model:
    """The model of the other examples, in which the wrong ones are suspects; the others are taken as right."""
    some, options_of_some = of_some(gathered, options, ~wrong)
    model = build_exact(some, replace(options_of_some, noise=0))
    suspects = np.union1d(np.flatnonzero(wrong), np.flatnonzero(~wrong)[model.suspects])
    return replace(model, suspects=suspects, notes=(*model.notes, set_aside_note(wrong, reason)))
