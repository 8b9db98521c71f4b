"""Phrases: statements over columns in words. All phrasing for tables lives here, and `language` reads it back."""

from __future__ import annotations

from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.statements import Count, Differ, Fixed, Linear, Literal, Pair, Statement, Term, Together
from unwritten.rules.language.words import number_text, signed_text
from unwritten.rules.rule import Evidence
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
        case Differ(columns):
            return f"{', '.join(name_text(c, scope) for c in columns)} all differ"
        case Together(left, right, pairs):
            a, b = scope.columns[left], scope.columns[right]
            matches = ", ".join(f"{level_text(a.levels[i])} ↔ {level_text(b.levels[k])}" for i, k in pairs)
            return f"{name_text(left, scope)} and {name_text(right, scope)} go together: {matches}"
        case Linear():
            return _linear(statement, scope)


def kind_of(statement: Statement) -> str:
    """One of `KINDS`."""
    match statement:
        case Fixed(_, never):
            return "never" if never else "always"
        case Pair(_, word, _) | Count(word, _, _):
            return word.replace(" ", "-")
        case Differ():
            return "all-different"
        case Together():
            return "go-together"
        case Linear(terms, relation, rhs):
            signs = sorted(times for times, _ in terms)
            if relation == "=" and rhs == 0 and signs == [-1, 1]:
                return "equal"
            return "sum" if relation == "=" and all(abs(times) == 1 for times in signs) else "linear"


def noise_text(evidence: Evidence | None) -> str:
    """What is said at the end of a sentence that some examples break."""
    if evidence is None or not evidence.violations:
        return ""
    return f" (noisy: {evidence.violations} of {evidence.examples} examples break it)"


def name_text(c: int, scope: Scope) -> str:
    """A column's name, in quotes where it could be taken for something else: a number stands for itself."""
    name = scope.columns[c].name
    return plain_json(name) if name[:1].isdigit() or name[:1] == "-" else quoted(name)


def literal_text(literal: Literal, scope: Scope) -> str:
    """A literal with as few values as can be: `trim = sport`, `trim ∈ {base, sport}`, `trim ≠ sport`."""
    c, levels = literal.column, literal.levels
    name, known = name_text(c, scope), scope.columns[c].levels
    if c >= scope.plain and levels == (1,):
        return name
    others = scope.others(c, levels)
    negative = mentions(literal, scope) != len(levels)
    values = [level_text(known[k]) for k in (others if negative else levels)]
    if len(values) == 1:
        return f"{name} {'≠' if negative else '='} {values[0]}"
    return f"{name} {'∉' if negative else '∈'} {{{', '.join(values)}}}"


def mentions(literal: Literal, scope: Scope) -> float:
    """How many values the text of a literal names; half a value more where it names those that it is not."""
    own = len(literal.levels)
    rest = scope.size(literal.column) - own
    return rest + 0.5 if 0 < 2 * rest < own or (rest == 1 and own > 2) else own


def _linear(statement: Linear, scope: Scope) -> str:
    terms, relation, rhs = statement.terms, statement.relation, statement.rhs
    if not terms:
        return f"0 {relation} {signed_text(rhs)}"
    if relation == "=" and rhs == 0 and len(terms) > 1:
        for sign in (1, -1):
            own = [x for times, x in terms if times == sign]
            rest = [(-sign * times, x) for times, x in terms if sign * times < 0]
            if len(own) == 1 and len(rest) == len(terms) - 1 and not _like_a_value(rest, scope):
                return f"{_operand(own[0], scope)} = {_sum(rest, scope)}"
    return f"{_sum(terms, scope)} {relation} {signed_text(rhs)}"


def _like_a_value(terms: list[Term], scope: Scope) -> bool:
    """Whether a side is one column whose name could be read as a value of the column on the other side."""
    times, x = terms[0]
    return len(terms) == 1 and times == 1 and not isinstance(x, Literal) and is_integer(scope.columns[x].name)


def _sum(terms: list[Term] | tuple[Term, ...], scope: Scope) -> str:
    parts = []
    for times, x in terms:
        factor = "" if abs(times) == 1 else f"{abs(times)}·"
        parts.append(f"{'−' if times < 0 else '+'} {factor}{_operand(x, scope)}")
    text = " ".join(parts)
    return text.removeprefix("+ ") if text[0] == "+" else "−" + text[2:]


def _operand(x: Literal | int, scope: Scope) -> str:
    return f"[{literal_text(x, scope)}]" if isinstance(x, Literal) else name_text(x, scope)
