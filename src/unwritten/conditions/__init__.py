"""Conditions: what rules say of the rows of a table, in one small algebra.

Each kind of rule gives its condition once. Python evaluates it, and every export renders it.
"""

from unwritten.conditions.across import Decides, Unique, compares_rows
from unwritten.conditions.cells import Known, Missing, MultipleOf, OneOf, Product, Readable, Terms, Within, WithinBy
from unwritten.conditions.condition import Checker, Condition, Truth
from unwritten.conditions.condition_clauses import NotLinearError, clauses
from unwritten.conditions.linear_rows import LinearRows
from unwritten.conditions.linear_sums import LinearRow, Number, Quantity
from unwritten.conditions.logic import All, Either, Not, Same, flat
from unwritten.conditions.texts import Alike, Begins, HasForm, HasLength, IsPart

__all__ = [
    "Alike",
    "All",
    "Begins",
    "Checker",
    "Condition",
    "Decides",
    "Either",
    "HasForm",
    "HasLength",
    "IsPart",
    "Known",
    "LinearRow",
    "LinearRows",
    "Missing",
    "MultipleOf",
    "Not",
    "NotLinearError",
    "Number",
    "OneOf",
    "Product",
    "Quantity",
    "Readable",
    "Same",
    "Terms",
    "Truth",
    "Unique",
    "Within",
    "WithinBy",
    "clauses",
    "compares_rows",
    "flat",
]
