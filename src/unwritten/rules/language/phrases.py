"""Phrases: statements over columns in words. All phrasing for tables is here, and `grammar` reads it back."""

from __future__ import annotations

from collections.abc import Sequence

from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.statements import (
    AllDiffer,
    ColumnLiteral,
    Count,
    Fixed,
    GoTogether,
    Linear,
    Pair,
    Statement,
    Term,
)
from unwritten.rules.words import number_text, order_text, signed_text
from unwritten.tables.column import is_integer, level_text
from unwritten.tables.quoting import plain_json, quoted


def text_of(statement: Statement, scope: Scope) -> str:
    """The statement as a sentence."""
    match statement:
        case Fixed(literal, never):
            return f"{literal_text(literal, scope)} {'never' if never else 'always'}"
        case Pair(left, word, right):
            return f"{literal_text(left, scope)} {word} {literal_text(right, scope)}"
        case Count(word, number, literals):
            return f"{word} {number_text(number)} of {', '.join(literal_text(x, scope) for x in literals)}"
        case AllDiffer(columns):
            return f"{', '.join(name_text(c, scope) for c in columns)} all differ"
        case GoTogether(left, right, pairs):
            a, b = scope.columns[left], scope.columns[right]
            matches = ", ".join(f"{level_text(a.levels[i])} ↔ {level_text(b.levels[k])}" for i, k in pairs)
            return f"{name_text(left, scope)} and {name_text(right, scope)} go together: {matches}"
        case Linear():
            return _linear_text(statement, scope)


def kind_of(statement: Statement) -> str:
    """The kind of the sentence: one of `sentence.KINDS`."""
    match statement:
        case Fixed(_, never):
            return "never" if never else "always"
        case Pair(_, word, _) | Count(word, _, _):
            return word.replace(" ", "-")
        case AllDiffer():
            return "all-different"
        case GoTogether():
            return "go-together"
        case Linear(terms, relation, rhs):
            factors = sorted(factor for factor, _ in terms)
            if relation == "=" and rhs == 0 and factors == [-1, 1]:
                return "equal"
            return "sum" if relation == "=" and all(abs(factor) == 1 for factor in factors) else "linear"


def name_text(c: int, scope: Scope) -> str:
    """A column's name, in quotes if it could be read as something else; names that look like numbers are quoted."""
    name = scope.columns[c].name
    return plain_json(name) if name[:1].isdigit() or name[:1] == "-" else quoted(name)


def literal_text(literal: ColumnLiteral, scope: Scope) -> str:
    """A literal that names as few values as possible: `trim = sport`, `trim ∈ {base, sport}`, `trim ≠ sport`."""
    c, levels = literal.column, literal.levels
    name, known = name_text(c, scope), scope.columns[c].levels
    if c >= scope.table_columns and levels == (1,):
        return name
    negated = values_named(literal, scope) != len(levels)
    values = [level_text(known[k]) for k in (scope.other_levels(c, levels) if negated else levels)]
    if len(values) == 1:
        return f"{name} {'≠' if negated else '='} {values[0]}"
    return f"{name} {'∉' if negated else '∈'} {{{', '.join(values)}}}"


def values_named(literal: ColumnLiteral, scope: Scope) -> float:
    """The number of values in the text of a literal, plus one half if the text names the values it excludes.

    The text names the excluded values if they are fewer than half as many as the others, or one against three or more.
    """
    own = len(literal.levels)
    excluded = scope.size(literal.column) - own
    return excluded + 0.5 if 0 < 2 * excluded < own or (excluded == 1 and own > 2) else own


def _linear_text(statement: Linear, scope: Scope) -> str:
    """A sum; as `a = b + c` if one column is the sum of the others."""
    terms, relation, rhs = statement.terms, statement.relation, statement.rhs
    if not terms:
        return f"0 {relation} {signed_text(rhs)}"
    if relation == "=" and rhs == 0 and len(terms) > 1:
        for sign in (1, -1):
            total = [x for factor, x in terms if factor == sign]
            parts = [(-sign * factor, x) for factor, x in terms if sign * factor < 0]
            if len(total) == 1 and len(parts) == len(terms) - 1 and not _reads_as_value(parts, scope):
                return f"{_operand_text(total[0], scope)} = {_sum_text(parts, scope)}"
    if relation != "=" and sorted(factor > 0 for factor, _ in terms) == [False, True]:
        sign = 1 if relation == "≤" else -1
        (less,), (more,) = ([(abs(f), x) for f, x in terms if sign * f * side > 0] for side in (1, -1))
        if not _reads_as_value([less], scope) and not _reads_as_value([more], scope):
            return order_text(_sum_text([less], scope), _sum_text([more], scope), sign * rhs)
    return f"{_sum_text(terms, scope)} {relation} {signed_text(rhs)}"


def _reads_as_value(terms: list[Term], scope: Scope) -> bool:
    """True if the side is one column whose name could be read as a value of the column on the other side."""
    factor, x = terms[0]
    return len(terms) == 1 and factor == 1 and not isinstance(x, ColumnLiteral) and is_integer(scope.columns[x].name)


def _sum_text(terms: Sequence[Term], scope: Scope) -> str:
    parts = []
    for factor, x in terms:
        times = "" if abs(factor) == 1 else f"{abs(factor)}·"
        parts.append(f"{'−' if factor < 0 else '+'} {times}{_operand_text(x, scope)}")
    text = " ".join(parts)
    return text.removeprefix("+ ") if text[0] == "+" else "−" + text[2:]


def _operand_text(x: ColumnLiteral | int, scope: Scope) -> str:
    return f"[{literal_text(x, scope)}]" if isinstance(x, ColumnLiteral) else name_text(x, scope)
