"""Triples: a rule as a person writes it, `(coefficients, sense, right-hand side)`, checked and made exact."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray, Variables, integers
from unwritten.errors import DataError
from unwritten.rules.rule import RowSense

Row = tuple[dict[str, int], RowSense, int]  # ({name: coefficient}, sense, right-hand side)


def read_triple(variables: Variables, triple: object) -> tuple[IntArray, RowSense, int]:
    """Check one triple and return its row; `>=` becomes `<=` with the signs reversed.

    Coefficients are a sequence with one integer per variable, or `{name: integer}`.

    >>> read_triple(Variables.named("ab"), ({"b": 2}, ">=", 1))
    (array([ 0, -2]), '<=', -1)
    """
    if not isinstance(triple, tuple | list) or len(triple) != 3:
        raise DataError("a rule is a triple (coefficients, sense, right-hand side), e.g. ([1, 1], '<=', 1)")
    coefficients, sense, rhs = triple
    if isinstance(coefficients, Mapping):
        coefficients = _dense(variables, coefficients)
    a = integers(coefficients, "rule coefficients")
    b = integers(rhs, "right-hand sides", largest=budgets.LARGEST_SIDE)
    if b.size != 1:
        raise DataError(f"a rule has {b.size} right-hand sides: give one number")
    if a.shape != (len(variables),):
        count = f"{a.size} coefficients" if a.ndim == 1 else f"coefficients of shape {a.shape}"
        raise DataError(f"a rule has {count} for {len(variables)} variables: give one per variable")
    match sense:
        case "==" | "=":
            return a, "==", int(b.item())
        case "<=":
            return a, "<=", int(b.item())
        case ">=":
            return -a, "<=", -int(b.item())
    raise DataError(f"a rule has sense {sense!r}: use '==', '<=' or '>='")


def _dense(variables: Variables, coefficients: Mapping[object, object]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """One coefficient per variable, 0 for those that are not named."""
    dense = np.zeros(len(variables), object)
    for name, value in coefficients.items():
        if not isinstance(name, str) or name not in variables.index:
            known = ", ".join(variables.names[:5]) + (" …" if len(variables) > 5 else "")
            raise DataError(f"a rule names {name!r}, which is not a variable: use names from {known}")
        dense[variables.index[name]] = value
    return dense
