"""A model with rules on values: its variables get latents "x = v", and its rules say how many of them are 1."""

from __future__ import annotations

from dataclasses import replace

from unwritten.mining import defining_rules, lifted_labels, lifted_variables
from unwritten.mining.values import ValueRules
from unwritten.model.model import Model


def with_value_rules(model: Model, values: ValueRules) -> Model:
    """Add rules on the values of variables to a model that has no latents."""
    lifts = (values.lift,)
    extended = lifted_variables(lifts, model.variables)
    seen = lifted_labels(lifts, model.seen)
    definitions = defining_rules(lifts, model.variables, extended, seen)
    return replace(
        model,
        lifts=lifts,
        rules=model.rules.over(extended) + definitions + values.over(extended),
        redundant=model.redundant.over(extended),
        doubtful=model.doubtful.over(extended),
        habits=model.habits.over(extended),
    )
