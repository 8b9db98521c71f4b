"""Find rules on values: integers are often codes (a shift, a slot, a machine), and what counts is how many have one.

Labels are lifted to one 0/1 column for each value (`value_lift.py`), and the miners of 0/1 columns look at those. Most
of what they find there is about single numbers, and is said better by sums and differences. So a rule is kept if it is
about the same values of all its variables ("at most three of these exams are in slot 2"), or if it holds at nearly all
places of a pattern ("not 3 and then 1 the next day"). It must also exclude a label, one step from a seen one, that no
other rule excludes; sums of the same integers do not count here, because they mean little if the integers are codes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, Examples, IntArray
from unwritten.mining.independent_sums import IndependentSums
from unwritten.mining.miner import Context, Mined
from unwritten.mining.near_labels import near_labels
from unwritten.mining.value_lift import Values, few_values
from unwritten.mining.value_rules import ValueRules
from unwritten.options import MinerName, MiningOptions
from unwritten.rules import DEFINITION, RuleSet
from unwritten.rules.patterns import sibling_rows
from unwritten.tally import Tally

LEFT_OUT: tuple[MinerName, ...] = ("groups", "matroid", "covers", "ranks", "gaps", "values", "limits")
"""Miners that are not run on values: each variable has one value by definition, and the others find little there."""
PATTERN, MISSING = 5, 0.1  # least rules of a pattern, and the share of its places that may have none
LEAST = 5  # least variables of a count that is not part of a pattern
SUMMED = 3  # least variables of a sum

TOO_MANY = (
    "how many integers have a value was not counted, because they have {values:,} values together, more than "
    f"{budgets.VALUE_LATENTS:,}: mine fewer columns at a time to count them"
)

Mine = Callable[[Tally, RuleSet, Examples, MiningOptions], RuleSet]


class ValueMiner:
    """Finds rules on how many integers have a value; `mine` runs the miners of 0/1 columns."""

    name: MinerName = "values"

    def __init__(self, mine: Mine) -> None:
        self._mine = mine

    def supports(self, context: Context) -> bool:
        """True for labels without weights that are not a table, if there are integers of few values."""
        given = not context.options.automatic
        plain = context.examples.weights is None and context.options.noise_rate == 0
        labels = not context.blocks and context.grid_cells is None and not context.has_latents
        possible = context.tally.symmetry is None and context.mined.matroid is None and not context.tally.wide
        possible = possible and len(context.tally.seen) > 1
        return possible and labels and (given or plain) and bool(_codes(context).any())

    def run(self, context: Context) -> Mined:
        """Add the rules on values that say anything new; bounds on sums of codes that say no more are dropped."""
        if not len(_near(context)):  # the rules so far leave nothing to say
            return context.mined
        lift = Values.of(np.flatnonzero(_codes(context)), context.variables)
        if lift.size > budgets.VALUE_LATENTS:
            return context.mined.with_note(TOO_MANY.format(values=lift.size))
        rules = self._mined(lift, context)
        rules = rules[_about_one_value(lift, rules) | _in_patterns(rules)]
        if not len(rules) or ValueRules(lift, rules).allow(_near(context)).all():
            return context.mined
        sums = _sums_of_codes(context, lift)
        near = _near(replace(context, mined=replace(context.mined, rules=context.mined.rules[~sums])))
        value_rules = ValueRules(lift, rules[_telling(rules, lift.apply(near))])
        excluding = context.mined.rules.violations(near[value_rules.allow(near)]).any(axis=0)
        mined = replace(context.mined, rules=context.mined.rules[~sums | excluding])
        return replace(mined, values=value_rules.narrowed(context.examples.variables))

    def _mined(self, lift: Values, context: Context) -> RuleSet:
        latents = lift.latents(context.examples.variables)
        labels = lift.apply(context.tally.seen)
        tally = replace(Tally.of(labels), weight=context.tally.weight).minable()
        known = RuleSet.of(latents, lift.rows(context.variables)[::2], DEFINITION)  # exactly one value each
        options = MiningOptions(confidence=context.options.confidence, without=LEFT_OUT, effort=context.effort)
        return self._mine(tally, known, Examples(latents, tally.seen), options)


def _codes(context: Context) -> BoolArray:
    """The integers with few values, except those that are all different and use up all values."""
    codes, index = few_values(context.variables), context.variables.index
    sizes = context.variables.upper - context.variables.lower + 1
    for gap in context.mined.gaps:
        places = [index[name] for name in gap.variables]
        if gap.kind == "all-different" and not any(gap.numbers) and (sizes[places] == len(places)).all():
            codes[places] = False
    return codes


def _near(context: Context) -> IntArray:
    """Labels one step from seen ones that obey all rules and gaps."""
    labels = near_labels(context, IndependentSums.of(context), context.mined.gaps, any_value=True)
    width = labels.shape[1]
    lower, upper = context.variables.lower[:width], context.variables.upper[:width]
    return labels[((labels >= lower) & (labels <= upper)).all(axis=1)]


def _sums_of_codes(context: Context, lift: Values) -> BoolArray:
    """Which mined rules add up several integers whose values are counted, and nothing else."""
    coded = np.zeros(len(context.variables), bool)
    coded[[j for j, _, _ in lift.domains]] = True
    touched = context.mined.rules.matrix != 0
    return np.asarray((touched.sum(axis=1) >= SUMMED) & ~touched[:, ~coded].any(axis=1))


def _about_one_value(lift: Values, rules: RuleSet) -> BoolArray:
    """Which rules are about enough variables, and about the same values of each of them."""
    variable = np.concatenate([np.full(high - low + 1, j) for j, low, high in lift.domains])
    value = np.concatenate([np.arange(low, high + 1) for _, low, high in lift.domains])
    alike = []
    for row in rules.matrix:
        touched = np.flatnonzero(row)
        members = np.unique(variable[touched])
        values = {tuple(value[touched[variable[touched] == j]].tolist()) for j in members}
        alike.append(len(members) >= LEAST and len(values) == 1)
    return np.array(alike, bool)


def _in_patterns(rules: RuleSet) -> BoolArray:
    """Which rules are part of a pattern that holds nearly everywhere."""
    chosen = np.zeros(len(rules), bool)
    for family in sibling_rows(rules):
        places = len(family.stated) + len(family.others)
        if len(family.stated) >= PATTERN and len(family.others) <= MISSING * places:
            chosen[list(family.stated)] = True
    return chosen


def _telling(rules: RuleSet, near: IntArray) -> BoolArray:
    """Which rules exclude a label that the rules before them allow; rules of one form are kept together."""
    telling = np.zeros(len(rules), bool)
    forms = [_form(rules, i) for i in range(len(rules))]
    for form in dict.fromkeys(forms):
        members = np.flatnonzero([own == form for own in forms])
        allowed = rules[members].obeyed_by(near)
        if not allowed.all():
            telling[members] = True
            near = near[allowed]
    return telling


def _form(rules: RuleSet, i: int) -> tuple[object, ...]:
    """The sense, the right-hand side and the coefficients of a rule, wherever it stands."""
    row = rules.matrix[i]
    return bool(rules.equality[i]), int(rules.rhs[i]), tuple(sorted(row[row != 0].tolist()))
