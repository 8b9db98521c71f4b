"""From the text of a sentence or rule to its rows: `parse_rule` reads what is linear, of one rule or of a pattern."""

from __future__ import annotations

from unwritten import budgets
from unwritten.data import Variables
from unwritten.errors import DataError
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.grammar import read_statement
from unwritten.rules.language.read_patterns import is_pattern, pattern_rows
from unwritten.rules.language.reader import Reader, UnreadableError
from unwritten.rules.language.statements import rows_of
from unwritten.rules.triples import Row
from unwritten.rules.words import without_remark
from unwritten.tables.schema import Schema


def parse_rule(text: str, variables: Variables, schema: Schema | None) -> list[Row]:
    """Read a sentence; return its rows as triples that `RuleSet.of` reads.

    With a schema, names are those of its columns; if the text cannot be read so, those of the variables are tried.
    Without one, a sentence that begins with "for" is a pattern over the indices of the variables.

    >>> parse_rule("a requires b", Variables.named("abc"), None)
    [({'a': 1, 'b': -1}, '<=', 0)]
    >>> parse_rule("exactly two of a, b = 0, c", Variables.named("abc"), None)
    [({'a': 1, 'b': -1, 'c': 1}, '==', 1)]
    >>> days = Variables.named(["cook mon", "cook tue", "wash mon", "wash tue"])
    >>> parse_rule("for every day: cook requires wash", days, None)
    [({'cook mon': 1, 'wash mon': -1}, '<=', 0), ({'cook tue': 1, 'wash tue': -1}, '<=', 0)]
    """
    if len(text) > budgets.RULE_CHARACTERS:
        raise DataError(
            f"a rule has {len(text):,} characters: write one of at most {budgets.RULE_CHARACTERS:,}, or several"
        )
    text = without_remark(text.strip())
    if not text:
        raise DataError("a rule is empty: write one such as “a requires b” or “a + b <= 1”")
    if schema is None and is_pattern(text):
        try:
            return pattern_rows(text, variables)
        except UnreadableError as failure:
            try:  # a variable's name may begin with “for”
                return _triples(text, Scope.of(variables, None))
            except UnreadableError:
                raise failure from None
    try:
        return _triples(text, Scope.of(variables, schema))
    except UnreadableError as failure:
        if schema is None:
            raise
        try:  # the text of a single rule is over variables
            triples = _triples(text, Scope.of(variables, None))
        except UnreadableError:
            raise failure from None
        coefficients, sense, rhs = triples[0]
        if len(coefficients) == 1 and sense == "==" and rhs not in (0, 1):
            raise  # a number that a boolean column does not have
        return triples


def _triples(text: str, scope: Scope) -> list[Row]:
    rows = rows_of(read_statement(lambda: Reader(text, scope)), scope)
    names = scope.variables.names
    return [({names[j]: value for j, value in a.items()}, "==" if equal else "<=", b) for a, equal, b in rows]
