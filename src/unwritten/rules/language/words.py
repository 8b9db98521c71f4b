"""Words for rows: what kind of rule a row is, and a sentence a person can read. All phrasing lives here."""

from __future__ import annotations

import numpy as np

from unwritten.data import IntArray, Variables
from unwritten.rules.rule import RowSense

NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}


def kind_of(coefficients: IntArray, sense: RowSense, rhs: int, variables: Variables) -> str:
    """One of trivial, fixed, equal, exactly, sum, equality, bound, at-most, at-least, implies, inequality."""
    support = np.flatnonzero(coefficients)
    values = coefficients[support]
    binary = bool(variables.binary[support].all())
    ones = binary and bool((values == 1).all())
    if len(support) == 0:
        return "trivial"
    if sense == "==":
        if len(support) == 1:
            return "fixed"
        if len(support) == 2 and rhs == 0 and sorted(values.tolist()) == [-1, 1]:
            return "equal"
        if ones and 0 < rhs < len(support):
            return "exactly"
        if rhs == 0 and (np.abs(values) == 1).all() and ((values < 0).sum() == 1 or (values > 0).sum() == 1):
            return "sum"
        return "equality"
    if len(support) == 1:
        return "bound"
    if ones:
        return "at-most"
    if binary and (values == -1).all():
        return "at-least"
    if binary and len(support) == 2 and rhs == 0 and sorted(values.tolist()) == [-1, 1]:
        return "implies"
    return "inequality"


def text_of(kind: str, coefficients: IntArray, sense: RowSense, rhs: int, variables: Variables) -> str:
    """The row as a sentence."""
    support = np.flatnonzero(coefficients)
    values = coefficients[support]
    names = [variables.names[j] for j in support]
    positive = [name for name, value in zip(names, values, strict=True) if value > 0]
    negative = [name for name, value in zip(names, values, strict=True) if value < 0]
    match kind:
        case "trivial":
            return f"0 {'=' if sense == '==' else '≤'} {signed_text(rhs)}"
        case "fixed" if rhs % values[0] == 0:
            return f"{names[0]} = {signed_text(rhs // int(values[0]))}"
        case "equal":
            return f"{positive[0]} = {negative[0]}"
        case "exactly":
            return f"exactly {number_text(rhs)} of {', '.join(names)}"
        case "sum" if len(negative) == 1:
            return f"{negative[0]} = {' + '.join(positive)}"
        case "sum":
            return f"{positive[0]} = {' + '.join(negative)}"
        case "bound" if values[0] < 0:
            return f"{_linear(names, -values)} ≥ {signed_text(-rhs)}"
        case "at-most":
            return f"at most {number_text(rhs)} of {', '.join(names)}"
        case "at-least":
            return f"at least {number_text(-rhs)} of {', '.join(names)}"
        case "implies":
            return f"{positive[0]} requires {negative[0]}"
        case _:
            return f"{_linear(names, values)} {'=' if sense == '==' else '≤'} {signed_text(rhs)}"


def number_text(n: int) -> str:
    """A count as a word up to nine."""
    return NUMBERS.get(n) or signed_text(n)


def signed_text(n: int) -> str:
    """An integer with a true minus sign."""
    return str(n).replace("-", "−")


def _linear(names: list[str], values: IntArray) -> str:
    terms = []
    for name, value in zip(names, values.tolist(), strict=True):
        sign = "− " if value < 0 else "+ "
        terms.append(sign + (name if abs(value) == 1 else f"{abs(value)}·{name}"))
    text = " ".join(terms)
    return text.removeprefix("+ ") if text.startswith("+") else text.replace("− ", "−", 1)
