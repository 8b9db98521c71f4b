"""Listed codes: rules that give each of very many values of a column a number of its own, or list many of them.

"6654·[company = A] + 5977·[company = B] + … = industry" holds wherever the company determines the industry. Nobody
reads it, and a dependency says it.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from unwritten.data import BoolArray
from unwritten.rules import RuleSet
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.rules.rule import MINED
from unwritten.tables import Column, Schema

MOST_CODES = 32  # different numbers that the values of a column may add to a rule
MOST_LISTED = 16  # values of one column that a rule over three columns or more names


def listed_codes(rules: RuleSet, schema: Schema) -> BoolArray:
    """Return which mined rules list codes."""
    scope = Scope.of(schema.variables, schema)
    listed = np.zeros(len(rules), bool)
    for i, origin in enumerate(rules.origins):
        if origin == MINED:
            added = level_values(rules.matrix[i], scope)[0]
            codes = any(_is_code(scope.columns[c], values) for c, values in added.items())
            long = len(added) > 2 and any(_named(scope.columns[c], values) > MOST_LISTED for c, values in added.items())
            listed[i] = codes or long
    return listed


def _named(column: Column, values: list[int]) -> int:
    """Return how many values of a column a rule names: all but those that add the commonest number."""
    return 0 if column.numbers is not None else len(values) - max(Counter(values).values())


def _is_code(column: Column, values: list[int]) -> bool:
    """True if many values add different numbers that are not a multiple of the value itself."""
    if len(set(values)) <= MOST_CODES:
        return False
    numbers = column.numbers
    if numbers is None:
        return True
    run, rise = numbers[1] - numbers[0], values[1] - values[0]
    return any(run * (v - values[0]) != rise * (x - numbers[0]) for x, v in zip(numbers, values, strict=True))
